//! What a model says stays text: nothing in it gives the terminal an order, is markup in a
//! picture or opens a file.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use testkit::argos::{Run, command, run_in};

/// Orders to a terminal in 7 and 8 bits, marks that reverse a line, markup, directives of Mermaid.
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{7f}\u{202e}\u{2028}\r\
                       <script>alert(1)</script>&lt;%%{init: {}}%% end";

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
    fs::create_dir_all(&folder).expect("the scratch directory is ours");
    folder
}

/// Models that run and fail, and models with errors, in both languages.
fn models() -> [(&'static str, String); 4] {
    let promela = format!(
        "#line 1 \"m{HOSTILE}.pml\"\n#define MSG \"{HOSTILE}\"\nbyte x;\n\
         chan q = [1] of {{ byte }};\n\
         active proctype P() {{ printf(\"{HOSTILE}\\n\"); printf(MSG); printf(\"%c%c[31m\", 27, 155);\n\
         q!1; x = 1; assert(x == 2) }}\nactive proctype R() {{ q?x; printf(\"\\r{HOSTILE}\") }}\n"
    );
    let argos = format!(
        "#line 1 \"m{HOSTILE}.argos\"\n#warning {HOSTILE}\nchannel q[1];\n\
         proc p {{ q!a; q!b }}\nproc r {{ q?a; q?c }}\n"
    );
    let wrong = |text: &str| format!("#error {HOSTILE}\n{text}\n\"{HOSTILE}\" @ {HOSTILE}\n");
    [
        ("wrong.pml", wrong(&promela)),
        ("wrong.argos", wrong(&argos)),
        ("runs.pml", promela),
        ("runs.argos", argos),
    ]
}

/// Fails if a text could give a terminal an order or reorder a line.
fn assert_plain(run: &Run, what: &str) {
    for text in [&run.text, &run.complaints] {
        let kept = |c: &char| !matches!(c, '\n' | '\t');
        let wrong = text.chars().filter(kept).find(|c| {
            c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}')
        });
        assert_eq!(wrong, None, "{what}: {text:?}");
    }
}

fn assert_no_markup(run: &Run, what: &str) {
    assert!(!run.text.is_empty(), "{what}");
    assert!(!run.text.contains("<script"), "{what}: {}", run.text);
}

#[test]
fn no_command_passes_on_what_a_terminal_would_obey() {
    let commands = [
        "check",
        "check --warnings",
        "check --steps",
        "check --json",
        "check --trace run.json",
        "sim --steps --seed 3",
        "sim --chart --seed 3",
        "sim --seed 3",
        "show",
        "show --format dot",
        "spin -a",
        "spin -run",
        "spin -p",
        "spin -I",
        "backward",
        "backward --json",
    ];
    for (name, text) in models() {
        fs::write(folder().join(name), text).expect("a writable folder");
        for words in commands {
            let words: Vec<&str> = words.split(' ').chain([name]).collect();
            assert_plain(&run_in(&folder(), &words), &format!("{words:?}"));
        }
    }
}

#[test]
fn pictures_and_data_have_no_markup_of_the_model() {
    for (name, text) in models().into_iter().filter(|(name, _)| name.starts_with("runs")) {
        fs::write(folder().join(name), text).expect("a writable folder");
        let saved = format!("{name}.json");
        run_in(&folder(), &["check", name, "--trace", &saved]);
        for format in ["svg", "mermaid", "json"] {
            let run = run_in(&folder(), &["replay", &saved, "--format", format]);
            assert_no_markup(&run, format);
            assert_plain(&run, format);
        }
        let machine = if name.ends_with("pml") { "P" } else { "p" };
        let words = ["show", name, "--format", "svg", "--machine", machine];
        assert_no_markup(&run_in(&folder(), &words), "machine");
        assert_no_markup(&run_in(&folder(), &["check", "--json", name]), "report");
        assert_plain(&run_in(&folder(), &["replay", &saved]), "replay");
    }
}

/// The output of a command that gets a text on standard input.
fn fed(words: &[&str], text: &str) -> Run {
    let mut command = command();
    command.current_dir(folder()).args(words).stdin(Stdio::piped());
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("argos starts");
    let mut input = child.stdin.take().expect("it was piped");
    // A command that refuses its options does not read.
    let _ = input.write_all(text.as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("argos ends");
    Run {
        code: output.status.code().unwrap_or(-1),
        text: String::from_utf8_lossy(&output.stdout).into_owned(),
        complaints: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn a_model_from_standard_input_opens_no_file() {
    fs::write(folder().join("secret.h"), "byte secret;\n").expect("a writable folder");
    let model = "#include \"secret.h\"\nactive proctype P() { skip }\n";
    for words in [
        &["check", "--lang", "promela", "-"][..],
        &["sim", "--lang", "promela", "-"],
        &["show", "--lang", "promela", "-"],
        &["spin", "-run", "-"],
    ] {
        let run = fed(words, model);
        assert_eq!(run.code, 3, "{words:?}: {}", run.text);
        assert!(run.text.contains("P0023"), "{words:?}: {}", run.text);
    }
    let named = run_in(&folder(), &["check", "--lang", "promela", "secret.h"]);
    assert_eq!(named.code, 3, "a file named on the command line is read: {}", named.text);
    // `-` is a file like others where a model includes it.
    fs::write(folder().join("dash.pml"), "#include \"-\"\nactive proctype P() { skip }\n")
        .expect("a writable folder");
    assert_eq!(fed(&["check", "dash.pml"], "byte x;\n").code, 3);
}

/// The file the run was saved from is another one by now, and its formulas are gone: nothing of
/// that is noticed, for nobody looks.
#[test]
fn a_saved_run_opens_no_file() {
    let place = folder();
    let model = "byte x;\nactive proctype P() { x = 1; assert(x == 2) }\n";
    fs::write(place.join("saved.pml"), model).expect("a writable folder");
    fs::write(place.join("copy.pml"), model).expect("a writable folder");
    fs::write(place.join("f.ltl"), "a: [] (x < 5)\n").expect("a writable folder");
    let words = ["check", "saved.pml", "--ltl-file", "f.ltl", "--trace", "saved.json"];
    assert_eq!(run_in(&place, &words).code, 1);
    fs::write(place.join("saved.pml"), "byte y;\n").expect("a writable folder");
    fs::remove_file(place.join("f.ltl")).expect("it was written");
    let replayed = run_in(&place, &["replay", "saved.json", "--exit-verdict"]);
    assert_eq!((replayed.code, replayed.complaints.as_str()), (1, ""), "{}", replayed.text);
    for words in [
        &["replay", "saved.json", "--exit-verdict", "--model", "copy.pml"][..],
        &["sim", "copy.pml", "--follow", "saved.json"],
    ] {
        let run = run_in(&place, words);
        assert_eq!((run.code, run.complaints.as_str()), (1, ""), "{words:?}: {}", run.text);
    }
}
