//! The rules of the house: the map in ARCHITECTURE.md is true, files and
//! functions stay short, `unsafe` stays where it is named.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::root;

type Table = BTreeMap<String, Vec<String>>;

/// What each crate of ours may depend on, by the table in ARCHITECTURE.md.
fn promised() -> Table {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the map is there");
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].trim_matches('`').to_owned();
        let allowed = cells[cells.len() - 2];
        let mut allowed: Vec<String> =
            allowed.split(',').map(|n| n.trim().to_owned()).filter(|n| n != "-").collect();
        allowed.sort();
        (name, allowed)
    })
    .collect()
}

/// What cargo knows about the packages.
fn packages(options: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline"])
        .args(options)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let data: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    data["packages"].as_array().expect("there are packages").clone()
}

fn name(value: &Value) -> String {
    value["name"].as_str().unwrap_or_default().to_owned()
}

/// What each package of ours depends on, by the wanted kind of dependency.
fn dependencies(wanted: impl Fn(&Value) -> bool) -> Table {
    let packages = packages(&["--no-deps"]);
    let ours: Vec<String> = packages.iter().map(name).collect();
    let table = packages.iter().map(|package| {
        let all = package["dependencies"].as_array().expect("a list").iter();
        let used = all.filter(|it| wanted(&it["kind"])).map(name);
        let used: BTreeSet<String> = used.filter(|name| ours.contains(name)).collect();
        (name(package), used.into_iter().collect())
    });
    table.collect()
}

/// What is no part of the product.
const TOOLS: [&str; 2] = ["testkit", "xtask"];

#[test]
fn the_dependency_table_is_true() {
    let mut actual = dependencies(Value::is_null);
    actual.retain(|name, _| !TOOLS.contains(&name.as_str()));
    assert_eq!(promised(), actual);
}

#[test]
fn the_product_is_tested_with_testkit_and_knows_no_xtask() {
    for (name, used) in dependencies(|_| true) {
        assert!(!used.iter().any(|it| it == "xtask"), "{name} depends on xtask");
    }
}

/// What the sources of others may be used under; ours are MIT or Apache-2.0.
const LICENCES: [&str; 6] =
    ["Apache-2.0", "Apache-2.0 WITH LLVM-exception", "MIT", "MIT-0", "Unicode-3.0", "Zlib"];

/// The platform of the compiler.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host").to_owned()
}

/// An expression in the form of SPDX: alternatives, joined by `AND`.
#[test]
fn every_dependency_has_a_licence_that_fits_ours() {
    // What another platform needs may not be here to be read.
    let packages = packages(&["--locked", "--filter-platform", &host()]);
    assert!(packages.len() > 100, "cargo lists the dependencies");
    for package in packages {
        let expression = package["license"].as_str().unwrap_or_default().replace('/', " OR ");
        let fits = expression.split(" AND ").all(|part| {
            let mut choices = part.trim_matches(['(', ')', ' ']).split(" OR ");
            choices.any(|choice| LICENCES.contains(&choice.trim()))
        });
        assert!(fits, "{}: {expression}", name(&package));
    }
}

fn rust_files() -> Vec<PathBuf> {
    let mut waiting = ["crates", "testkit", "xtask"].map(|it| root().join(it)).to_vec();
    let mut files = Vec::new();
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(directory).expect("a directory").flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 50, "the walk finds the sources");
    files
}

#[test]
fn files_have_at_most_600_lines() {
    for file in rust_files() {
        let lines = fs::read_to_string(&file).expect("readable").lines().count();
        assert!(lines <= 600, "{} has {lines} lines", file.display());
    }
}

/// A function ends at the first line that closes at the indent it began with;
/// rustfmt sees to that.
#[test]
fn functions_have_at_most_70_lines() {
    for file in rust_files() {
        let text = fs::read_to_string(&file).expect("readable");
        let lines: Vec<&str> = text.lines().collect();
        for (start, line) in lines.iter().enumerate().filter(|(_, line)| begins_function(line)) {
            let indent = &line[..line.len() - line.trim_start().len()];
            let close = format!("{indent}}}");
            let length = lines[start..].iter().position(|line| *line == close).unwrap_or(0) + 1;
            assert!(length <= 70, "{}:{}: {length} lines", file.display(), start + 1);
        }
    }
}

fn begins_function(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let before = words.iter().take_while(|word| **word != "fn").count();
    let modifier =
        |word: &&str| word.starts_with("pub") || ["const", "unsafe", "async"].contains(word);
    before < words.len() && words[..before].iter().all(modifier) && !line.ends_with(';')
}

/// The crates that need `unsafe`; all others forbid it.
const UNSAFE_CRATES: [&str; 2] = ["collapse", "jit"];

fn may_be_unsafe(file: &Path) -> bool {
    UNSAFE_CRATES.iter().any(|name| file.starts_with(root().join("crates").join(name)))
}

#[test]
fn only_named_crates_lift_the_ban_on_unsafe() {
    let text = fs::read_to_string(root().join("Cargo.toml")).expect("readable");
    assert!(text.contains("unsafe_code = \"forbid\""), "the workspace forbids it");
    let crates = fs::read_dir(root().join("crates")).expect("a directory").flatten();
    let crates = crates.map(|entry| entry.path()).chain(TOOLS.map(|name| root().join(name)));
    for manifest in crates.map(|folder| folder.join("Cargo.toml")) {
        let text = fs::read_to_string(&manifest).expect("readable");
        let obeys = text.contains("[lints]\nworkspace = true");
        assert!(obeys != may_be_unsafe(&manifest), "{}", manifest.display());
    }
    for file in rust_files() {
        let text = fs::read_to_string(&file).expect("readable");
        let lifted = ["allow(unsafe", "expect(unsafe"].iter().any(|word| {
            text.lines().any(|line| line.contains(word) && !line.trim_start().starts_with("let "))
        });
        assert!(!lifted, "{} lifts it", file.display());
    }
}

#[test]
fn every_unsafe_says_why_it_is_safe() {
    for file in rust_files().into_iter().filter(|file| may_be_unsafe(file)) {
        let text = fs::read_to_string(&file).expect("readable");
        let lines: Vec<&str> = text.lines().collect();
        for (i, line) in lines.iter().enumerate().filter(|(_, line)| is_unsafe(line)) {
            let above = lines[..i].iter().rev().map(|line| line.trim_start());
            let mut comment = above.take_while(|line| line.starts_with("//"));
            let says = comment.any(|line| line.contains("SAFETY:"));
            assert!(says, "{}:{}: {line}", file.display(), i + 1);
        }
    }
}

/// Whether a line begins an unsafe block, function or implementation.
fn is_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let names_one = |at: usize| code[at..].contains(" fn ") || code[at..].contains("{");
    code.match_indices("unsafe ").any(|(at, _)| names_one(at) || code[at..].contains("impl"))
}
