//! The explanations of diagnostics: each id has one, and its examples do what it says.

use argos::{explain, explained};
use preprocess::{Files, Input, Options};
use std::io;

/// The two files the examples include.
struct Examples<'a>(&'a str);

impl Files for Examples<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match path {
            "empty.argos" => Ok(Vec::new()),
            "self.argos" => Ok(self.0.as_bytes().to_vec()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

fn ids(text: &str) -> Vec<&'static str> {
    let input = Input { name: "self.argos", bytes: text.as_bytes() };
    let read = argos::read(input, &Options::default(), &Examples(text));
    read.diagnostics.iter().map(|found| found.id).collect()
}

/// The indented lines behind `heading`.
fn example(text: &str, heading: &str) -> Option<String> {
    let (_, rest) = text.split_once(heading)?;
    let lines = rest.lines().skip(1).skip_while(|line| line.is_empty());
    let lines = lines.map_while(|line| line.strip_prefix("    "));
    Some(lines.map(|line| format!("{line}\n")).collect())
}

#[test]
fn the_wrong_examples_are_wrong_and_the_right_ones_right() {
    // Limits need inputs too big to print; W0007 and W0013 come out of the search, and
    // predicates stand in no file.
    let without =
        ["P0002", "P0016", "P0017", "P0021", "A0029", "A0030", "W0007", "W0013", "W0015", "A0044"];
    for id in explained() {
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
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let known: Vec<&str> = explained().collect();
    for folder in ["preprocess/src", "argos/src", "argos/src/parse", "argos/src/lower"] {
        for entry in std::fs::read_dir(format!("{root}/{folder}")).expect("a source folder") {
            let path = entry.expect("readable").path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("readable");
            for id in text.split('"').filter(|piece| is_id(piece)) {
                assert!(known.contains(&id), "{id} in {} is not explained", path.display());
            }
        }
    }
}

fn is_id(piece: &str) -> bool {
    let digits = piece.strip_prefix(['P', 'A', 'W']).unwrap_or("");
    digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
}
