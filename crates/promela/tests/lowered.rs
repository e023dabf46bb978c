//! What names, types and formulas come down to.

use base::{Id, Severity};
use preprocess::{Input, Options};
use program::{
    Action, BinaryOp, ClaimKind, Expr, Formula, Initial, Pattern, PrintPart, Program, Scalar,
};
use testkit::NoFiles;

fn lowered(text: &str) -> promela::Lowered {
    let input = Input { name: "m.pml", bytes: text.as_bytes() };
    promela::read(input, &Options::default(), &NoFiles)
}

fn program(text: &str) -> Program {
    let lowered = lowered(text);
    let errors = lowered.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    assert_eq!(errors.count(), 0, "{:?}", lowered.diagnostics);
    lowered.program.expect("no errors")
}

/// The actions of the first proctype, along its only path.
fn actions(text: &str) -> Vec<Action> {
    let program = program(text);
    let proctype = &program.proctypes[Id::new(0)];
    let mut at = proctype.start;
    let mut actions = Vec::new();
    while at != proctype.end {
        let (_, edge) = proctype.edges_from(at).next().expect("a path to the end");
        actions.push(edge.action.clone());
        at = edge.to;
    }
    actions
}

#[test]
fn constants_are_numbered_from_the_last() {
    let program =
        program("mtype = { a, b }; mtype = { c, d }; mtype:s { e f } active proctype P() { skip }");
    let numbers = |set: usize| {
        let constants = &program.mtypes[Id::new(set)].constants;
        constants.iter().map(|(name, value)| format!("{name}{value}")).collect::<Vec<_>>()
    };
    assert_eq!(numbers(0), ["a2", "b1", "c4", "d3"]);
    assert_eq!(numbers(1), ["e2", "f1"]);
}

#[test]
fn structures_become_leaves() {
    let program = program(
        "typedef I { byte v[2]; bit f } typedef O { I n[3]; short k = 5 } O o[4];
         active proctype P() { o[1].n[2].v[0] = 7; o[3].k = 1 }",
    );
    let shown = program.globals.iter().map(|it| (it.name.to_string(), it.length, it.is_array));
    let wanted = [("o.n.v", 24, true), ("o.n.f", 12, false), ("o.k", 4, false)];
    assert!(shown.eq(wanted.map(|(name, length, array)| (name.to_owned(), length, array))));
    assert_eq!(program.globals[Id::new(2)].initial, Initial::Value(Expr::Const(5)));
    let edge = &program.proctypes[Id::new(0)].edges[Id::new(0)];
    let Action::Assign(place, _) = &edge.action else { panic!("{edge:?}") };
    let strides: Vec<_> = place.subscripts.iter().map(|it| (it.bound, it.stride)).collect();
    assert_eq!(strides, [(4, 6), (3, 2), (2, 1)]);
}

#[test]
fn a_structure_in_a_message_is_its_fields() {
    let actions = actions(
        "typedef M { byte a; byte b[2] } chan q = [1] of { M, byte };
         active proctype P() { M m; q!m,1; q?m,2; q?<m,_> }",
    );
    let Action::Send { arguments, .. } = &actions[0] else { panic!("{actions:?}") };
    assert_eq!(arguments.len(), 4);
    let Action::Receive { patterns, keep: false, .. } = &actions[1] else { panic!("{actions:?}") };
    assert!(matches!(patterns[2], Pattern::Store(_)));
    assert_eq!(patterns[3], Pattern::Match(Expr::Const(2)));
    assert!(matches!(&actions[2], Action::Receive { keep: true, .. }));
}

#[test]
fn a_structure_is_assigned_in_one_step() {
    let actions = actions("typedef M { byte a; byte b[2] } M s, t; active proctype P() { s = t }");
    assert!(matches!(actions[..], [Action::Deterministic { .. }]));
}

#[test]
fn formulas_lean_left_and_unary_binds_tightest() {
    let formula = |text: &str| {
        let text = format!("byte p, q, r; active proctype P() {{ p = 1 }} ltl {{ {text} }}");
        match program(&text).claims.remove(0).kind {
            ClaimKind::Ltl(formula) => formula,
            other => panic!("{other:?}"),
        }
    };
    assert!(matches!(formula("[] p U q"), Formula::Until(left, _) if is_always(&left)));
    assert!(matches!(formula("p -> <> q -> r"),
        Formula::Implies(left, _) if matches!(*left, Formula::Implies(..))));
    assert!(matches!(formula("p U q U r"),
        Formula::Until(left, _) if matches!(*left, Formula::Until(..))));
    assert!(matches!(formula("[](p -> <>q)"), Formula::Always(_)));
    assert!(matches!(formula("p == 1 && q"), Formula::Holds(Expr::Binary(BinaryOp::And, ..), _)));
    assert!(matches!(formula("always (p implies eventually q)"), Formula::Always(_)));
    assert!(matches!(formula("p <-> X q"), Formula::Equivalent(..)));
}

fn is_always(formula: &Formula) -> bool {
    matches!(formula, Formula::Always(_))
}

#[test]
fn statements_of_an_inline_know_their_call() {
    let lowered =
        lowered("byte x;\ninline set(v) {\n  x = v;\n  v = x\n}\nactive proctype P() { set(x) }");
    let program = lowered.program.expect("correct");
    let spans: Vec<_> = program.proctypes[Id::new(0)].edges.iter().map(|it| it.span).collect();
    let line = |span| lowered.sources.place(span).line;
    let call = |span| line(lowered.sources.outermost(span));
    for (text, wanted) in [("x = v", 3), ("v = x", 4)] {
        let span = spans.iter().find(|span| lowered.sources.text(**span) == text);
        let span = *span.expect("both statements are there");
        assert_eq!((line(span), lowered.sources.line(span), call(span)), (wanted, wanted, 6));
    }
}

#[test]
fn types_widths_and_visibility() {
    let program = program(
        "hidden byte h; show bit b; unsigned u : 3; pid p; chan c; bool a[1]; short s = -1;
         active [3] proctype P() { h = b + u + p + a[0] + s; c!1 } proctype Q(int i, j) { skip }
         chan d[2] = [4] of { mtype, chan, pid };",
    );
    let scalars: Vec<_> = program.globals.iter().map(|it| it.scalar).collect();
    assert_eq!(scalars[2], Scalar::Unsigned(3));
    assert_eq!(scalars[4], Scalar::Chan);
    assert!(program.globals[Id::new(0)].hidden && !program.globals[Id::new(1)].hidden);
    assert!(program.globals[Id::new(5)].is_array);
    assert_eq!(program.start.len(), 3);
    let channel = program.globals[Id::new(7)].channel.as_ref().expect("a channel");
    assert_eq!((channel.capacity, channel.fields.len()), (4, 3));
    let second = &program.proctypes[Id::new(1)];
    assert_eq!(second.variables[Id::new(1)].initial, Initial::Argument(1));
}

#[test]
fn text_of_printf() {
    let actions = actions(
        "active proctype P() { printf(\"a\\t%d%% %e\\n\", _pid, 1); printf(\"MSC: x\\n\") }",
    );
    let Action::Print(parts) = &actions[0] else { panic!("{actions:?}") };
    assert_eq!(parts[0], PrintPart::Text("a\t".to_owned()));
    assert_eq!(parts[1], PrintPart::Decimal(Expr::Pid));
    assert_eq!(parts[2], PrintPart::Text("% ".to_owned()));
}

#[test]
fn what_spin_refuses_is_only_remarked() {
    let lowered = lowered(
        "byte x; chan q = [1] of { byte };
         proctype P(byte a, byte b) { byte x; x = 0x1F; do :: !full(q) -> q!x :: skip od }
         init { run P(1, 2) } ltl { X (x == 1) }",
    );
    let mut ids: Vec<_> = lowered.diagnostics.iter().map(|found| found.id).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["N0001", "N0002", "N0003", "N0004", "N0005", "N0006"]);
    assert!(lowered.diagnostics.iter().all(|found| found.severity == Severity::Remark));
    assert!(lowered.program.is_some());
}

#[test]
fn built_in_state_is_kept_only_if_used() {
    let plain = program("active proctype P() { (_pid == 0) }").uses;
    assert!(!plain.last && !plain.priorities);
    let used = program("active proctype P() priority 2 { (_last == 0) }").uses;
    assert!(used.last && used.priorities);
}

#[test]
fn remote_references_find_label_and_variable() {
    let program = program(
        "active proctype P() { byte v; v = 1; L: v = 2 }
         never { do :: P[0]@L :: P:v == 1 :: P[0]:v == 2 -> break od }",
    );
    let claim = &program.proctypes[Id::new(1)];
    let remote = claim.edges.iter().find_map(|edge| match &edge.action {
        Action::Condition(Expr::RemoteLabel(remote)) => Some(remote.location),
        _ => None,
    });
    let location = remote.expect("a remote reference");
    let labels = &program.proctypes[Id::new(0)].locations[location].labels;
    assert_eq!(labels.first().map(|it| it.as_str()), Some("L"));
}
