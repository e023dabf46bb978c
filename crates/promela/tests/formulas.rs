//! How formulas are read: the strengths of operators as SPIN 6.5.2 has them, where operators of
//! one strength lean, and what is warned of.

use base::Severity;
use preprocess::{Further, Input, Options};
use program::{ClaimKind, Formula, Program};
use testkit::NoFiles;

const MODEL: &str = "mtype = { red, green }
#define big x > 3
byte x, y;
bool p, q, r, s;
chan c = [2] of { byte };
active proctype A() { byte v; L: x = 1; c!1; v = 2 }
";

fn read(model: &str, formulas: &[&str]) -> promela::Lowered {
    let text = |text: &&str| Further::Text {
        name: "--ltl".to_owned(),
        text: (*text).to_owned(),
        purpose: None,
    };
    let options = Options { further: formulas.iter().map(text).collect(), ..Options::default() };
    promela::read(Input { name: "m.pml", bytes: model.as_bytes() }, &options, &NoFiles)
}

/// Every operator with its operands in parentheses.
fn text(program: &Program, formula: &Formula) -> String {
    let of = |inner: &Formula| text(program, inner);
    let pair = |sign: &str, f: &Formula, g: &Formula| format!("({} {sign} {})", of(f), of(g));
    match formula {
        Formula::Holds(expr, _) => program.expression_text(expr),
        Formula::Not(f) => format!("!{}", of(f)),
        Formula::Next(f) => format!("X{}", of(f)),
        Formula::Always(f) => format!("[]{}", of(f)),
        Formula::Eventually(f) => format!("<>{}", of(f)),
        Formula::And(f, g) => pair("&&", f, g),
        Formula::Or(f, g) => pair("||", f, g),
        Formula::Implies(f, g) => pair("->", f, g),
        Formula::Equivalent(f, g) => pair("<->", f, g),
        Formula::Until(f, g) => pair("U", f, g),
        Formula::WeakUntil(f, g) => pair("W", f, g),
        Formula::Release(f, g) => pair("V", f, g),
    }
}

/// The names and texts of all formulas.
fn formulas(lowered: &promela::Lowered) -> Vec<(String, String)> {
    let program = lowered.program.as_ref().unwrap_or_else(|| panic!("{:?}", lowered.diagnostics));
    let formulas = program.claims.iter().filter_map(|claim| match &claim.kind {
        ClaimKind::Ltl(formula) => Some((claim.name.to_string(), text(program, formula))),
        ClaimKind::Never(_) => None,
    });
    formulas.collect()
}

/// Texts with how they are read and the ids of the warnings. SPIN prints the same readings.
const READINGS: [(&str, &str, &str); 46] = [
    ("p -> q -> r", "((p -> q) -> r)", "N0010"),
    ("p <-> q -> r", "((p <-> q) -> r)", "N0010"),
    ("p -> q <-> r", "((p -> q) <-> r)", "N0010"),
    ("p implies q equivalent r", "((p -> q) <-> r)", "N0010"),
    ("p -> (q -> r)", "(p -> (q -> r))", ""),
    ("p U q U r", "((p U q) U r)", "N0010"),
    ("p W q U r", "((p W q) U r)", "N0010"),
    ("p V q U r", "((p V q) U r)", "N0010"),
    ("p until q weakuntil r", "((p U q) W r)", "N0010"),
    ("p stronguntil q", "(p U q)", ""),
    ("p release q", "(p V q)", ""),
    ("p U (q U r)", "(p U (q U r))", ""),
    ("(p U q) U r", "((p U q) U r)", ""),
    ("<> p || q U r", "(<>p || (q U r))", ""),
    ("<> p && q U r", "(<>p && (q U r))", ""),
    ("p U q || r", "((p U q) || r)", ""),
    ("p U q && r", "((p U q) && r)", ""),
    ("<> p && q || r", "((<>p && q) || r)", ""),
    ("<> p || q && r", "(<>p || (q && r))", ""),
    ("p -> <> q || r", "(p -> (<>q || r))", ""),
    ("<> p || q -> r", "((<>p || q) -> r)", ""),
    ("[] p U q", "([]p U q)", ""),
    ("[] p -> q", "([]p -> q)", ""),
    ("[] p -> <> q -> r", "(([]p -> <>q) -> r)", "N0010"),
    ("! p U q", "(!p U q)", ""),
    ("! [] p", "![]p", ""),
    ("x == 1 U y == 1", "((x == 1) U (y == 1))", ""),
    ("p U x == 1 && q", "((p U (x == 1)) && q)", ""),
    ("<> !p == q", "<>(!p == q)", "N0011"),
    ("!p == q", "(!p == q)", "N0011"),
    ("(!p) == q", "(!p == q)", ""),
    ("[] x >= 4", "[](x >= 4)", "N0011"),
    ("<> x == 1", "<>(x == 1)", "N0011"),
    ("[] <> x + 1 == y", "[]<>((x + 1) == y)", "N0011"),
    ("! [] x == 1", "![](x == 1)", "N0011"),
    ("[] (x) >= 4", "[](x >= 4)", "N0011"),
    ("[] p && x == 1", "([]p && (x == 1))", ""),
    ("always big", "[](x > 3)", "N0011"),
    ("always !big", "[](!x > 3)", "N0011"),
    ("always (big)", "[](x > 3)", ""),
    ("X p", "Xp", ""),
    ("next eventually p", "X<>p", ""),
    ("[] full(c) -> <> empty(c)", "([]full(c) -> <>empty(c))", ""),
    ("p U nfull(c)", "(p U nfull(c))", ""),
    ("<> len(c) == 2", "<>(len(c) == 2)", "N0011"),
    ("[] A@L -> <> (A:v == 2)", "([]A@L -> <>(A:v == 2))", ""),
];

#[test]
fn operators_bind_as_in_spin() {
    for (written, wanted, ids) in READINGS {
        let lowered = read(&format!("{MODEL}ltl f {{ {written} }}"), &[]);
        let found = formulas(&lowered).remove(0).1;
        assert_eq!(found, wanted, "{written}");
        let warned = lowered.diagnostics.iter().filter(|it| it.severity == Severity::Warning);
        let warned: Vec<&str> = warned.map(|it| it.id).collect();
        assert_eq!(warned.join(" "), ids, "{written}");
    }
}

#[test]
fn a_warning_shows_the_reading() {
    let shown = |formula: &str| {
        let lowered = read(&format!("{MODEL}ltl f {{ {formula} }}"), &[]);
        lowered.diagnostics[0].message.clone()
    };
    assert_eq!(shown("p -> q -> r"), "`->` or `<->` in a row, read as (p -> q) -> r");
    assert_eq!(shown("s || p U q W <> r"), "`U`, `W` or `V` in a row, read as (p U q) W <>r");
    assert_eq!(shown("[] x >= 4"), "a temporal operator before a comparison, read as [](x >= 4)");
    assert_eq!(
        shown("always !big"),
        "a temporal operator before a comparison, read as []((!x) > 3)"
    );
    assert_eq!(shown("! p == q"), "`!` before a comparison, read as (!p) == q");
    assert_eq!(
        shown("<> A@L == 1"),
        "a temporal operator before a comparison, read as <>(A@L == 1)"
    );
}

#[test]
fn formulas_behind_the_model_know_its_names() {
    let lowered = read(
        MODEL,
        &[
            "<> A@L",
            "safe: [] !(big)",
            "ltl { <> (A:v == red) } ltl mine { <> p }",
            "[] p\n!q\n<> s; r",
        ],
    );
    let names: Vec<String> = formulas(&lowered).into_iter().map(|(name, _)| name).collect();
    let unnamed = |number| format!("cmd_{number}");
    let wanted = [unnamed(1), "safe".into(), unnamed(2), "mine".into()];
    let wanted = wanted.into_iter().chain((3..=6).map(unnamed)).collect::<Vec<_>>();
    assert_eq!(names, wanted);
}

#[test]
fn faults_of_formulas_behind_the_model_point_into_them() {
    for (formula, id, column) in [
        ("<> zz", "M0007", 4),
        ("<> p q", "M0002", 6),
        ("", "M0002", 1),
        ("<> (p", "M0002", 6),
        ("red: <> p", "M0008", 1),
        ("<> (x = 1)", "M0037", 7),
    ] {
        let lowered = read(MODEL, &["[] p", formula]);
        let [found] = lowered.diagnostics.as_slice() else { panic!("{:?}", lowered.diagnostics) };
        let place = lowered.sources.place(found.span);
        let file = &lowered.sources.files[found.span.file].name;
        assert_eq!((found.id, place.column, file.as_str()), (id, column, "--ltl"), "{formula}");
    }
}

#[test]
fn operators_of_other_tools_are_named() {
    for (formula, sign) in
        [("p and q", "&&"), ("<> (p or q)", "||"), ("p R q", "V"), ("not p", "!"), ("G p", "[]")]
    {
        let lowered = read(&format!("{MODEL}ltl f {{ {formula} }}"), &[]);
        let [found] = lowered.diagnostics.as_slice() else { panic!("{:?}", lowered.diagnostics) };
        assert!(found.help[0].contains(&format!("write `{sign}`")), "{formula}: {found:?}");
    }
}
