//! What the command makes of files, directories and options, and what it says about wrong ones.

use std::fs;
use std::path::{Path, PathBuf};
use testkit::argos::run_in;

const PROMELA: &str =
    "/* proc */ // channel\n#define proc x\nbyte x;\nactive proctype P() { x = 1 }\n";
const ARGOS: &str = "/* byte */ channel q[1];\nproc p { q!a }\nproc r { q?a }\n";

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("usage-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the scratch directory is ours");
    for (file, text) in files {
        fs::write(folder.join(file), text).expect("the scratch directory is ours");
    }
    folder
}

#[test]
fn a_directory_stands_for_the_models_in_it() {
    let files = [("b.pml", PROMELA), ("a.argos", ARGOS), ("c.pm", PROMELA), ("notes.txt", "?")];
    let place = folder("directory", &files);
    let run = run_in(&place, &["check", "."]);
    assert_eq!(run.code, 0, "{}", run.text);
    assert!(run.text.starts_with("HOLDS  all 3 files\n"), "{}", run.text);
    fs::create_dir(place.join("empty")).expect("the scratch directory is ours");
    let run = run_in(&place, &["check", "empty"]);
    assert_eq!(run.code, 2);
    assert!(run.complaints.contains("there is no model in empty"), "{}", run.complaints);
}

#[test]
fn a_text_tells_its_language_where_its_name_does_not() {
    let place = folder("language", &[("one", PROMELA), ("two.txt", ARGOS), ("three", "hello")]);
    for file in ["one", "two.txt"] {
        let run = run_in(&place, &["check", file]);
        assert_eq!((run.code, run.complaints.as_str()), (0, ""), "{file}: {}", run.text);
    }
    let run = run_in(&place, &["check", "three"]);
    assert_eq!(run.code, 3);
    assert_eq!(run.complaints.matches("--lang").count(), 1, "{}", run.complaints);
}

#[test]
fn a_file_that_cannot_be_read_is_counted() {
    let place = folder("missing", &[("m.pml", PROMELA)]);
    let files = ["m.pml", "m.pml", "none.pml", "m.pml", "m.pml", "m.pml"];
    let run = run_in(&place, &[&["check"], &files[..]].concat());
    assert_eq!(run.code, 2);
    assert!(run.text.starts_with("HOLDS  5 of 6 files\n"), "{}", run.text);
    assert!(run.text.contains("none.pml  cannot be read"), "{}", run.text);
}

#[test]
fn wrong_numbers_are_refused_in_plain_words() {
    let place = folder("numbers", &[("m.pml", PROMELA)]);
    for (option, value, words) in [
        ("--threads", "0", "write a whole number from 1 on"),
        ("--depth", "x", "write a whole number, such as 1000"),
        ("--seed", "1.5", "write a whole number, such as 1000"),
        ("--walks", "0", "write a whole number from 1 to 1000000"),
        ("--capacity", "5000", "write a whole number from 1 to 4096"),
    ] {
        let run = run_in(&place, &["check", "m.pml", option, value]);
        assert_eq!(run.code, 2, "{option}");
        assert!(run.complaints.contains(words), "{option}: {}", run.complaints);
    }
}

#[test]
fn help_on_an_unknown_id_names_those_like_it() {
    let place = folder("help", &[]);
    let near = run_in(&place, &["help", "W001"]).complaints;
    assert!(near.contains("there is help on W0010, W0011"), "{near}");
    assert!(!near.contains("P0001"), "{near}");
    let far = run_in(&place, &["help", "nonsense"]).complaints;
    assert!(far.contains("`argos help` lists the commands"), "{far}");
}

#[test]
fn a_warning_that_occurs_once_shows_its_line() {
    let text = "#define A 1\n#define A 2\nchan q = [2] of { byte };\nactive proctype P() { q!A }\n";
    let place = folder("warning", &[("m.pml", text)]);
    let shown = run_in(&place, &["check", "--warnings", "m.pml"]).text;
    let macros = "  --> m.pml:2:9\n    2 | #define A 2\n      |         ^\n\
                  \x20 --> m.pml:1:9\n    1 | #define A 1\n      |         ^ defined differently before\n";
    assert!(shown.contains(macros), "{shown}");
    let left = "    4 | active proctype P() { q!A }\n      |                       ^\n";
    assert!(shown.contains(left), "{shown}");
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let place = folder("install", &[]);
    for shell in ["bash", "zsh", "fish"] {
        let run = run_in(&place, &["completions", shell]);
        assert_eq!(run.code, 0, "{shell}");
        for word in ["backward", "all-errors", "bitstate"] {
            assert!(run.text.contains(word), "{shell} {word}");
        }
    }
    let page = run_in(&place, &["man"]).text;
    assert!(page.contains(".TH argos 1") && page.contains("argos\\-backward(1)"), "{page}");
    let page = run_in(&place, &["man", "check"]).text;
    assert!(page.contains(".TH argos-check 1") && page.contains("all\\-errors"), "{page}");
    assert_eq!(run_in(&place, &["man", "nothing"]).code, 2);
}
