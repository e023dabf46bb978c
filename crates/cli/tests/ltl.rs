//! Formulas beside the model, and their automata: `check --ltl`, `--ltl-file`, `show --ltl`.

use serde_json::Value;
use std::fs;
use std::path::Path;
use testkit::argos::{Run, run_in};

const MODEL: &str = "#define big x > 3
mtype = { red, green };
byte x;
active proctype P() { byte v; L: do :: x < 5 -> x++ :: x == 5 -> v = 1; x = 0 od }
ltl live { [] <> (x == 0) }
";

fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

fn write(file: &str, text: &str) {
    fs::write(folder().join(file), text).expect("the scratch directory is ours");
}

fn argos(arguments: &[&str]) -> Run {
    run_in(folder(), arguments)
}

/// Checks the model with further options.
fn check(name: &str, options: &[&str]) -> Run {
    let file = format!("ltl_{name}.pml");
    write(&file, MODEL);
    argos(&[&["check", file.as_str()], options].concat())
}

/// The names and verdicts of the formulas in a report.
fn formulas(report: &Value) -> Vec<String> {
    let properties = report["properties"].as_array().expect("a list").iter();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let all = properties.map(|it| format!("{} {}", text(&it["name"]), text(&it["verdict"])));
    all.filter(|text| text.starts_with("ltl ")).collect()
}

#[test]
fn formulas_of_the_command_line_are_checked_beside_those_of_the_model() {
    write(
        "ltl_more.ltl",
        "// what must hold\n#define small x < 6\nsafe: [] (small)\n\
         ltl back { [] ((big) -> <> (x == 0)) }\n<> (P:v == 1)\n",
    );
    let options = ["--ltl", "[] (x < 6)", "--ltl", "mine: [] <> P@L"];
    let further = ["--ltl-file", "ltl_more.ltl", "--ltl", "[] (x != green)", "--json"];
    let run = check("beside", &[options.as_slice(), &further].concat());
    let report = run.json();
    let wanted = [
        "ltl live holds",
        "ltl cmd_1 holds",
        "ltl mine holds",
        "ltl cmd_2 violated",
        "ltl safe holds",
        "ltl back holds",
        "ltl cmd_3 holds",
    ];
    assert_eq!(formulas(&report), wanted);
    assert_eq!(report["options"]["ltl"][1], "mine: [] <> P@L");
    assert_eq!(report["options"]["ltl_files"][0], "ltl_more.ltl");
    let command = report["command"].as_str().expect("a text");
    assert!(command.contains("--ltl 'mine: [] <> P@L'"), "{command}");
}

#[test]
fn the_report_shows_the_text_of_a_formula_and_not_its_line() {
    let run = check("text", &["--ltl", "mine: [] (x <\n 6)"]);
    assert!(run.text.contains("ltl mine: holds             [] (x < 6)\n"), "{}", run.text);
    assert!(run.text.contains("ltl live: holds             line 5\n"), "{}", run.text);
}

#[test]
fn the_foot_of_a_chart_names_the_formula() {
    let run = check("foot", &["--ltl", "[] (x < 5)"]);
    assert!(run.text.contains("ltl cmd_1 is violated, whatever follows"), "{}", run.text);
}

#[test]
fn a_run_that_violates_such_a_formula_is_replayed() {
    let run = check("saved", &["--ltl", "low: [] (x < 4)", "--trace", "ltl_saved.json"]);
    assert_eq!(run.code, 1, "{}", run.complaints);
    let again = argos(&["replay", "ltl_saved.json"]);
    assert_eq!((again.code <= 1, again.complaints.as_str()), (true, ""), "{}", again.text);
}

#[test]
fn faults_point_into_the_option() {
    let run = check("faults", &["--ltl", "<> (x = 1)"]);
    assert_eq!(run.code, 3);
    assert!(
        run.text.contains("error[M0037]") && run.text.contains("--> --ltl:1:7"),
        "{}",
        run.text
    );
    let warned = check("warned", &["--ltl", "[] x < 9", "--warnings"]);
    assert!(warned.text.contains("read as [](x < 9)"), "{}", warned.text);
    let missing = check("missing", &["--ltl-file", "ltl_nothing.ltl"]);
    assert_eq!(missing.code, 3);
    assert!(missing.text.contains("`ltl_nothing.ltl` cannot be read"), "{}", missing.text);
}

#[test]
fn argos_models_ask_for_parentheses() {
    write("ltl_other.argos", "var a, b, c; proc p { do :: a = b + c od }");
    let run = argos(&["check", "ltl_other.argos", "--ltl", "[] (a -> b -> c)"]);
    assert_eq!(run.code, 3);
    for text in ["error[A0037]", "--> --ltl:1:5", "either (a -> b) -> c", "or     a -> (b -> c)"] {
        assert!(run.text.contains(text), "{text}: {}", run.text);
    }
    let unknown = argos(&["check", "ltl_other.argos", "--ltl", "<> d; [] p.x; <> p@q"]);
    for id in ["error[A0006]", "--> --ltl:1:4", "--> --ltl:1:12", "error[A0009]"] {
        assert!(unknown.text.contains(id), "{id}: {}", unknown.text);
    }
    let shown = argos(&["show", "ltl_other.argos", "--ltl", "[] (a -> <> b)"]);
    assert_eq!(shown.code, 0, "{}", shown.text);
}

#[test]
fn automata_have_the_sizes_and_classes_of_the_negation() {
    for (formula, class, size) in [
        ("[] p", "terminal", "2 states, 3 edges, 1 acceptance set"),
        ("<> p", "all accepting", "1 state, 1 edge, 0 acceptance sets"),
        ("[] (p -> <> q)", "weak", "2 states, 3 edges, 1 acceptance set"),
        ("[] <> p -> [] <> q", "strong", ""),
    ] {
        let run = argos(&["show", "--ltl", formula]);
        assert_eq!((run.code, run.complaints.as_str()), (0, ""), "{formula}");
        assert!(run.text.contains("the runs that violate it: !("), "{}", run.text);
        assert!(run.text.contains(&format!("class    {class}: ")), "{}", run.text);
        assert!(run.text.contains(&format!("size     {size}")), "{}", run.text);
    }
}

#[test]
fn the_automata_of_a_model_speak_of_its_names() {
    write("ltl_shown.pml", MODEL);
    let named = argos(&["show", "ltl_shown.pml", "--ltl", "live"]);
    assert!(named.text.starts_with("live   []<>(x == 0)\n"), "{}", named.text);
    let other = argos(&["show", "ltl_shown.pml", "--ltl", "<> P@L -> [] (big)"]);
    assert!(other.text.starts_with("cmd_1   <>P@L -> []big\n"), "{}", other.text);
    let unknown = argos(&["show", "ltl_shown.pml", "--ltl", "nothing"]);
    assert_eq!(unknown.code, 3);
    assert!(unknown.complaints.contains("live"), "{}", unknown.complaints);
}

#[test]
fn automata_are_drawn_like_machines() {
    let dot = argos(&["show", "--ltl", "[] <> p", "--format", "dot"]);
    assert!(dot.text.contains("[label=\"!p {1}\"]"), "{}", dot.text);
    let svg = argos(&["show", "--ltl", "[] <> full(q)", "--format", "svg"]);
    assert!(svg.text.starts_with("<svg ") && svg.text.contains("full(q)"), "{}", svg.text);
    let net = argos(&["show", "--ltl", "[] p", "--format", "net"]);
    assert_eq!(net.code, 2, "{}", net.complaints);
}
