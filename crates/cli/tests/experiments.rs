//! `argos experiments`, by the real command.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use testkit::argos::{Run, run_in};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("experiments-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the scratch directory is ours");
    folder
}

fn experiments(folder: &Path, words: &[&str]) -> Run {
    run_in(folder, &[&["experiments"], words].concat())
}

#[test]
fn the_list_names_25() {
    let folder = scratch("list");
    let listed = experiments(&folder, &["--list"]).text;
    assert_eq!(listed.lines().count(), 25, "{listed}");
    for (number, line) in listed.lines().enumerate() {
        assert!(line.starts_with(&format!("E{} ", number + 1)), "{line}");
        assert!(line.contains("19"), "each names its paper: {line}");
    }
    assert_eq!(experiments(&folder, &[]).text, listed, "no name and no scale: the list");
}

#[test]
fn an_unknown_name_is_refused_before_anything_runs() {
    let folder = scratch("unknown");
    for name in ["E26", "E0", "scatter", "E1.5"] {
        let output = experiments(&folder, &["E4", name, "E99", "--out", "figures"]);
        let told = output.complaints;
        assert_eq!(output.code, 2, "{name}: {told}");
        assert!(told.contains("there is no experiment `"), "{name}: {told}");
        assert!(!folder.join("figures").exists(), "{name}");
    }
    let both = experiments(&folder, &["--quick", "--full"]);
    assert_eq!(both.code, 2);
}

#[test]
fn tables_and_figures_are_written() {
    let folder = scratch("files");
    let output = experiments(&folder, &["E22", "e4", "2", "--quick", "--out", "new/figures"]);
    assert_eq!(output.code, 0, "{}", output.text);
    let mut files: Vec<String> = fs::read_dir(folder.join("new/figures"))
        .expect("the folder was made")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    assert_eq!(files, ["e02.csv", "e04.csv", "e22.csv", "e22.svg"]);
    let csv = fs::read_to_string(folder.join("new/figures/e04.csv")).expect("a table");
    assert!(csv.starts_with("machine,before,after\n") && csv.contains(",7,4\n"), "{csv}");
    let svg = fs::read_to_string(folder.join("new/figures/e22.svg")).expect("a figure");
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    let text = &output.text;
    assert!(has_row(text, "potential errors 47 47 yes"), "{text}");
    assert!(text.contains("wrote e22.csv, e22.svg"), "{text}");
}

/// Whether a line of the table has these words, however wide its columns are.
fn has_row(text: &str, words: &str) -> bool {
    let words: Vec<&str> = words.split_whitespace().collect();
    text.lines().any(|line| line.split_whitespace().eq(words.iter().copied()))
}

#[test]
fn every_panel_of_a_figure_has_a_file() {
    let folder = scratch("panels");
    let output = experiments(&folder, &["E13", "--quick", "--out", "figures"]);
    assert_eq!(output.code, 0, "{}", output.complaints);
    assert!(output.text.contains("wrote e13.csv, e13.svg, e13-2.svg"), "{}", output.text);
    assert!(folder.join("figures/e13-2.svg").exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_said() {
    let folder = scratch("blocked");
    fs::write(folder.join("file"), "").expect("a file");
    let output = experiments(&folder, &["E4", "--out", "file"]);
    let told = output.complaints;
    assert_eq!(output.code, 2);
    assert!(told.contains("cannot make the folder file"), "{told}");
}

#[test]
fn json_holds_what_is_printed() {
    let folder = scratch("json");
    let output = experiments(&folder, &["E4", "E24", "--json"]);
    let object: Value = output.json();
    let all = object["experiments"].as_array().expect("a list");
    assert_eq!((all.len(), &all[0]["name"]), (2, &"E4".into()));
    let row = &all[0]["compared"][0];
    assert_eq!(
        (&row["paper"], &row["ours"], &row["agrees"]),
        (&"7 -> 4".into(), &"7 -> 4".into(), &"yes".into())
    );
}

/// The models of the SPIN package are not ours to bring along.
#[test]
fn a_missing_package_is_said_and_not_passed_over() {
    let folder = scratch("missing");
    let output = experiments(&folder, &["E17", "E4", "--spin-models", ".", "--out", "figures"]);
    let text = &output.text;
    assert_eq!(output.code, 4, "{text}");
    assert!(text.contains("not run: it needs LTL/pftp.pml of the SPIN package"), "{text}");
    assert!(
        has_row(text, "the redundant receiver 7 -> 4 7 -> 4 yes"),
        "the others are run: {text}"
    );
    assert!(folder.join("figures/e04.csv").exists() && !folder.join("figures/e17.csv").exists());
}
