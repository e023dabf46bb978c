//! The explanations of diagnostics: each id has one, and its examples do what it says.

use preprocess::{Input, Options};
use promela::{explain, explained};
use testkit::NoFiles;

fn ids(text: &str) -> Vec<&'static str> {
    let input = Input { name: "example.pml", bytes: text.as_bytes() };
    let read = promela::read(input, &Options::default(), &NoFiles);
    read.diagnostics.iter().map(|found| found.id).collect()
}

/// The indented lines behind `heading`.
fn example(text: &str, heading: &str) -> Option<String> {
    let (_, rest) = text.split_once(heading)?;
    let lines = rest.lines().skip(1).skip_while(|line| line.is_empty());
    let lines = lines.map_while(|line| line.strip_prefix("    "));
    Some(lines.map(|line| format!("{line}\n")).collect())
}

fn ours(id: &str) -> bool {
    id.starts_with(['M', 'N'])
}

#[test]
fn the_wrong_examples_are_wrong_and_the_right_ones_right() {
    // Limits need inputs too big to print.
    let without = ["M0006", "M0035", "M0040"];
    for id in explained().filter(|id| ours(id)) {
        let text = explain(id).expect("listed");
        let (wrong, right) = (example(text, "Wrong:\n"), example(text, "Right:\n"));
        assert_eq!(wrong.is_none(), without.contains(&id), "{id}");
        if let (Some(wrong), Some(right)) = (wrong, right) {
            assert_eq!(ids(&wrong), [id], "{id}: wrong example");
            assert_eq!(ids(&right), Vec::<&str>::new(), "{id}: right example");
        }
    }
}

/// Every id in the sources, found by looking for its quotes.
#[test]
fn every_id_is_explained() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let known: Vec<&str> = explained().collect();
    let mut used = Vec::new();
    for folder in ["", "/parse", "/lower", "/flow"] {
        for entry in std::fs::read_dir(format!("{root}{folder}")).expect("a source folder") {
            let path = entry.expect("readable").path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("readable");
            let ids = text.split('"').filter(|piece| is_id(piece));
            used.extend(ids.map(str::to_owned));
        }
    }
    for id in &used {
        assert!(known.contains(&id.as_str()), "{id} is not explained");
    }
    for id in known.iter().filter(|id| ours(id)) {
        assert!(used.iter().any(|used| used == id), "{id} is explained but never used");
    }
}

fn is_id(piece: &str) -> bool {
    let digits = piece.strip_prefix(['M', 'N']).unwrap_or("");
    digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
}
