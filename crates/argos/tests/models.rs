//! Text in, the model written out again: one helper runs the whole front end.

use argos::{Lowered, read};
use base::{Id, OriginKind, Severity, Span};
use model::{Body, ExprText, Model, Stmt, StmtKind, Vocabulary};
use preprocess::{Input, Options};
use testkit::NoFiles;

fn lowered(text: &str) -> Lowered {
    read(Input { name: "test", bytes: text.as_bytes() }, &Options::default(), &NoFiles)
}

/// The model of a text without errors.
#[track_caller]
fn model(text: &str) -> Model {
    let lowered = lowered(text);
    let errors: Vec<_> =
        lowered.diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
    lowered.model.unwrap_or_else(|| panic!("{errors:#?}"))
}

fn written(model: &Model, body: &Body) -> String {
    sequence(model, body, &body.statements)
}

fn sequence(model: &Model, body: &Body, statements: &[Stmt]) -> String {
    statements.iter().map(|it| statement(model, body, it)).collect::<Vec<_>>().join("; ")
}

fn statement(model: &Model, body: &Body, statement: &Stmt) -> String {
    let mut text = String::new();
    for label in &statement.labels {
        let label = &body.labels[*label];
        text += &format!("{}{}: ", label.name, if label.is_target { "" } else { "?" });
    }
    let options = |options: &[Vec<Stmt>]| {
        options.iter().map(|it| format!(":: {} ", sequence(model, body, it))).collect::<String>()
    };
    let expr = |expr| ExprText { expr, names: model };
    text + &match &statement.kind {
        StmtKind::Skip => "skip".to_owned(),
        StmtKind::Condition(it) => format!("({})", expr(it)),
        StmtKind::Assign(variable, it) => format!("{} = {}", model.variable(*variable), expr(it)),
        StmtKind::Send(channel, message, value) => {
            let value = value.as_ref().map_or(String::new(), |it| format!("({})", expr(it)));
            format!("{}!{}{value}", model.channel(*channel), model.message(*message))
        }
        StmtKind::Receive(channel, message, variable) => {
            let variable = variable.map_or(String::new(), |it| format!("({})", model.variable(it)));
            format!("{}?{}{variable}", model.channel(*channel), model.message(*message))
        }
        StmtKind::ReceiveAny(channel) => format!("{}?default", model.channel(*channel)),
        StmtKind::Timeout(channel) => format!("{}?timeout", model.channel(*channel)),
        StmtKind::If(it) => format!("if {}fi", options(it)),
        StmtKind::Do(it) => format!("do {}od", options(it)),
        StmtKind::Break => "break".to_owned(),
        StmtKind::Return => "return".to_owned(),
        StmtKind::Call(it) => format!("{{ {} }}", sequence(model, body, it)),
        StmtKind::Goto(label) => format!("goto {}", body.labels[*label].name),
    }
}

/// The first process of `text`, declarations of `c`, `d`, `x`, `y` added.
#[track_caller]
fn check(process: &str, expected: &str) {
    let model = model(&format!("channel c[1], d[1]; var x, y; {process}"));
    let first = model.processes.iter().next().expect("a process was given");
    assert_eq!(written(&model, &first.body), expected);
}

#[test]
fn statements() {
    check("proc p { c!m; c?m -> c!m(x + 1); c?m(y) }", "c!m; c?m; c!m(x + 1); c?m(y)");
    check("proc p { c?default; c?timeout; skip }", "c?default; c?timeout; skip");
    check("proc p { x = -32768; x++; y-- }", "x = -32768; x = x + 1; y = y - 1");
    check("proc p { x +% 2; x + % (1 + 2) }", "x = (x + 1) % 2; x = (x + 1) % 3");
    check(
        "proc p { (x ≡ y) → (x ≠ 1); (x ≥ 1); (x ≤ 0x10) }",
        "(x == y); (x != 1); (x >= 1); (x <= 16)",
    );
    check("proc p { ((x)) }", "(x)");
    check("proc p { ;; skip ;-> skip; }", "skip; skip");
    check("proc p { }", "");
    check("proc p c!m", "c!m");
    check("process p if :: skip :: c!m fi;", "if :: skip :: c!m fi");
}

#[test]
fn expressions_bind_as_in_c() {
    check("proc p x = 1 + 2 * 3 - 4 - 5", "x = 1 + 2 * 3 - 4 - 5");
    check("proc p x = (1 + 2) * (3 - (4 - 5))", "x = (1 + 2) * (3 - (4 - 5))");
    check("proc p (x || y && !x == y < 1 + 2)", "(x || y && !x == y < 1 + 2)");
    check("proc p (((x || y) && !(x == y)) < 1)", "(((x || y) && !(x == y)) < 1)");
    check("proc p x = - -3 - -y", "x = -(-3) - -y");
}

#[test]
fn control_flow_and_labels() {
    check("proc p { L: M: skip; goto M }", "L?: M: skip; goto M");
    check("proc p { skip; goto L; L: }", "skip; goto L; L: skip");
    check(
        "proc p { do :: c!m -> break :: (x) od; end: skip }",
        "do :: c!m; break :: (x) od; end?: skip",
    );
    check(
        "proc p { if :: do :: break od :: if :: skip fi fi }",
        "if :: do :: break od :: if :: skip fi fi",
    );
    check("proc p { if :: skip; L: fi; goto L }", "if :: skip; L: skip fi; goto L");
}

#[test]
fn words_are_keywords_only_in_their_place() {
    let text =
        "queue channel = { }; queue var[1]; proc channel { channel!okay; var!proc; channel?if }
        proc assert { goto proc; proc: skip; var?assert }";
    let model = model(text);
    let bodies: Vec<String> = model.processes.iter().map(|it| written(&model, &it.body)).collect();
    assert_eq!(bodies, ["channel!okay; var!proc; channel?if", "goto proc; proc: skip; var?assert"]);
}

#[test]
fn declarations_of_all_dialects() {
    let model = model(
        "#define size 16
        queue A = { };
        channel in[size] = { mesg(256), mesg(-1), other }, out[2 * 3];
        variable N = 0; var a = -3, b;
        proc p { queue B[1], C[8]; pvar m = 7; B!x; D!y; a = m + b + N }
        proc q { queue D[4]; D?y }",
    );
    let channels: Vec<String> = model
        .channels
        .iter()
        .map(|it| format!("{} {:?} {}", it.name, it.capacity, it.initial.len()))
        .collect();
    let expected =
        ["A None 0", "in Some(16) 3", "out Some(6) 0", "B Some(1) 0", "C Some(8) 0", "D Some(4) 0"];
    assert_eq!(channels, expected);
    let variables: Vec<String> = model
        .variables
        .iter()
        .map(|it| format!("{} {} {:?}", it.name, it.initial, it.owner.map(|owner| owner.index())))
        .collect();
    assert_eq!(variables, ["N 0 None", "a -3 None", "b 0 None", "m 7 Some(0)"]);
    let messages: Vec<&str> = model.messages.iter().map(|it| it.as_str()).collect();
    assert_eq!(messages, ["mesg", "other", "x", "y"]);
    let values: Vec<Option<i16>> =
        model.channels.iter().flat_map(|it| it.initial.iter().map(|it| it.value)).collect();
    assert_eq!(values, [Some(256), Some(-1), None]);
}

#[test]
fn a_local_variable_hides_a_shared_one() {
    let model = model("proc p { var x; x = 1 } proc q { x = 2 } var x;");
    let targets: Vec<usize> = model
        .processes
        .iter()
        .map(|it| match &it.body.statements[0].kind {
            StmtKind::Assign(variable, _) => variable.index(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(targets, [0, 1]);
}

#[test]
fn procedures_are_copied_with_labels_of_their_own() {
    check(
        "proc p { both(); L: both(); goto L }
        procedure one { again: x = x + 1; if :: (x > 3) :: goto again fi }
        procedure both { one(); d!m }",
        "{ { again: x = x + 1; if :: (x > 3) :: goto again fi }; d!m }; \
         L: { { again: x = x + 1; if :: (x > 3) :: goto again fi }; d!m }; goto L",
    );
    check("proc p { if :: nothing() fi } procedure nothing { }", "if :: { skip } fi");
    let model = model("proc p { q(); q() } procedure q { L: goto L }");
    assert_eq!(model.processes.iter().next().expect("one").body.labels.len(), 2);
}

#[test]
fn variables_of_a_procedure_are_those_of_its_caller() {
    let model =
        model("procedure set { v = 1 } proc p { var v; set() } proc q { var w, v; set(); w = 1 }");
    let mut targets = Vec::new();
    for process in &model.processes {
        if let StmtKind::Assign(variable, _) = &flat(&process.body)[0].kind {
            targets.push(model.variables[*variable].owner.map(|owner| owner.index()));
        }
    }
    assert_eq!(targets, [Some(0), Some(1)]);
}

#[test]
fn assertions() {
    let model = model(
        "channel user[1]; procedure pair { user!msg1; user?msg1 }
        assert user!msg1; user!msg0;
        proc p { do :: pair(); user!msg0 od }
        assert { do
            :: user!msg1 ->
               user!msg0 ; /* and again */
            od }
        assert { pair() }
        assert if :: user!msg1 fi",
    );
    let texts: Vec<String> = model
        .assertions
        .iter()
        .map(|it| format!("{}: {} | {}", it.name, it.text, written(&model, &it.body)))
        .collect();
    let expected = [
        "assert 1: user!msg1; user!msg0 | user!msg1; user!msg0",
        "assert 2: do :: user!msg1 -> user!msg0; od | do :: user!msg1; user!msg0 od",
        "assert 3: pair() | { user!msg1; user?msg1 }",
        "assert 4: if :: user!msg1 fi | if :: user!msg1 fi",
    ];
    assert_eq!(texts, expected);
}

/// The statements of a body and of the procedures it calls, without the calls.
fn flat(body: &Body) -> Vec<&Stmt> {
    let mut all = Vec::new();
    let mut list = |it| all.push(it);
    for statement in &body.statements {
        match &statement.kind {
            StmtKind::Call(_) => {
                statement.walk(&mut |inner| {
                    if !matches!(inner.kind, StmtKind::Call(_)) {
                        list(inner);
                    }
                });
            }
            _ => list(statement),
        }
    }
    all
}

/// The text of a span, then each expansion outwards.
fn chain(lowered: &Lowered, mut span: Span) -> String {
    let mut text = lowered.sources.text(span).to_owned();
    while let Some(origin) = span.origin {
        let origin = &lowered.sources.origins[origin];
        let kind = if origin.kind == OriginKind::Macro { "macro" } else { "procedure" };
        span = origin.call;
        text += &format!(" < {kind} {}: {}", origin.name, lowered.sources.text(span));
    }
    text
}

#[test]
fn spans_cover_statements_and_remember_calls() {
    let lowered = lowered(
        "#define MSG msg(3)
        #define SEND(x) link!x(1)
        channel link[1];
        procedure inner { SEND(a); link!MSG }
        procedure outer { inner() }
        proc p { link ! m ( 1 + 2 ) ; do :: link?m -> break od; outer() }
        proc q { link?a; link?msg }",
    );
    let model = lowered.model.as_ref().expect("no errors");
    let body = &model.processes.iter().next().expect("one").body;
    let spans: Vec<String> = flat(body).iter().map(|it| chain(&lowered, it.span)).collect();
    let expected = [
        "link ! m ( 1 + 2 )",
        "do",
        "link!x(1) < macro SEND: SEND(a) < procedure inner: inner() < procedure outer: outer()",
        "link!MSG < procedure inner: inner() < procedure outer: outer()",
    ];
    assert_eq!(spans, expected);
    assert_eq!(body.end.map(|end| lowered.sources.text(end)), Some("}"));
}

#[test]
fn a_statement_inside_a_macro_is_seen_from_its_call() {
    let lowered =
        lowered("#define BOTH c!m; c?m\nchannel c[1]; procedure q { BOTH }\nproc p { BOTH; q() }");
    let model = lowered.model.as_ref().expect("no errors");
    let body = &model.processes.iter().next().expect("one").body;
    let spans: Vec<String> = flat(body).iter().map(|it| chain(&lowered, it.span)).collect();
    let expected = [
        "c!m < macro BOTH: BOTH",
        "c?m < macro BOTH: BOTH",
        "c!m < macro BOTH: BOTH < procedure q: q()",
        "c?m < macro BOTH: BOTH < procedure q: q()",
    ];
    assert_eq!(spans, expected);
    let lines: Vec<u32> = flat(body).iter().map(|it| lowered.sources.line(it.span)).collect();
    assert_eq!(lines, [3, 3, 2, 2]);
}

/// What is wrong or suspicious: id, place, message; then its other places.
fn diagnosed(text: &str) -> Vec<String> {
    let lowered = lowered(text);
    let place = |span| {
        let place = lowered.sources.place(span);
        format!("{}:{}", place.line, place.column)
    };
    let diagnosed = lowered.diagnostics.iter().map(|found| {
        let others: String =
            found.others.iter().map(|it| format!(" | {} {}", place(it.span), it.text)).collect();
        format!("{} {} {} ({}){others}", found.id, place(found.span), found.message, found.label)
    });
    diagnosed.collect()
}

#[test]
fn errors_name_the_thing_and_the_nearest_one() {
    assert_eq!(
        diagnosed(
            "channel sender[1], receiver[1];\nproc p { recevier!m; receiver?m; sender!m; sender?m }"
        ),
        [
            "A0007 2:10 unknown channel `recevier` (not declared) | 1:20 a channel of nearly this name is declared here"
        ]
    );
    assert_eq!(
        diagnosed("proc p { var count; count = cuont }"),
        [
            "A0006 1:29 unknown variable `cuont` (not declared) | 1:14 a variable of nearly this name is declared here"
        ]
    );
    assert_eq!(
        diagnosed("proc p { var x; x!m }"),
        ["A0007 1:17 unknown channel `x` (not declared) | 1:14 this is a variable"]
    );
    assert_eq!(
        diagnosed("procedure a { b() }\nprocedure b { a() }\nproc p { a() }"),
        [
            "A0013 2:15 procedure `a` calls itself (this call closes the cycle) | 1:11 the procedure is declared here"
        ]
    );
}

#[test]
fn warnings_are_grouped_by_id() {
    assert_eq!(
        diagnosed(
            "channel c[1];\nproc p { c!a; c!b }\nproc q { if :: c?a :: c?m7 :: c?m8 fi;\nc?m7 }"
        ),
        [
            "W0001 2:15 a message is sent but never received (c!b)",
            "W0003 3:23 messages received but never sent (3 places) (c?m7) | 3:31 c?m8 | 4:1 c?m7",
        ]
    );
    assert_eq!(
        diagnosed("channel a[1], b[1], c[1] = { m };\nproc p { a!m; b?m }"),
        [
            "W0002 1:9 channels never read (2 places) (nobody receives from `a`) | 1:21 nobody receives from `c`",
            "W0004 1:15 a channel is never written (nobody sends to `b`)",
        ]
    );
    assert_eq!(
        diagnosed("channel a[2] = { m };\nproc p { a!n; a?n }"),
        ["W0001 1:9 a message is sent but never received (a!m from the start)"]
    );
    assert_eq!(
        diagnosed("channel c[1]; proc p { c!a; c!b } proc q { c?default }"),
        Vec::<String>::new()
    );
}

#[test]
fn a_procedure_is_warned_about_once() {
    assert_eq!(
        diagnosed("channel c[1]; procedure q { c!m; c?n }\nproc p { q(); q(); c?m }"),
        ["W0003 1:34 a message is received but never sent (c?n)"]
    );
}

#[test]
fn unreachable_code() {
    let dead = |text: &str| {
        diagnosed(&format!("channel c[1]; proc p {{ {text} }} proc q {{ c!m }}")).join("; ")
    };
    assert!(
        dead("c?m; goto L; skip; skip; L: skip").starts_with("W0005 1:37 a statement can never")
    );
    assert!(dead("do :: c?m od; skip").starts_with("W0005 1:38"));
    assert!(dead("do :: c?m -> break; skip od; skip").starts_with("W0005 1:44"));
    assert!(dead("L: if :: c?m -> goto L :: goto L fi; skip").starts_with("W0005 1:61"));
    assert_eq!(dead("do :: c?m -> break od; skip"), "");
    assert_eq!(dead("c?m; goto L; do :: skip; L: skip; break od"), "");
}

#[test]
fn comments_silence_warnings() {
    assert_eq!(
        diagnosed("/* argos: allow W0011 W0009 */ channel c[1]; proc p { var x; skip }"),
        Vec::<String>::new()
    );
    assert_eq!(diagnosed("// argos: allow W0009\nchannel c[1]; proc p { var x; skip }").len(), 1);
}

#[test]
fn warnings_wait_for_the_errors_to_be_gone() {
    assert_eq!(diagnosed("channel c[1]; proc p { d!m }").len(), 1);
    assert_eq!(diagnosed("channel c[1]; proc p { = }").len(), 1);
    assert_eq!(diagnosed("#nonsense\nchannel c[1]; proc p { skip }").len(), 1);
}
