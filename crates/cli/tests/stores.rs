//! The compact store never takes one state of a model for another: every model of
//! the corpus, in every order, gives the numbers of the full store.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn models() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut models: Vec<PathBuf> = ["papers", "small", "promela"]
        .iter()
        .flat_map(|part| fs::read_dir(corpus.join(part)).expect("a part of the corpus"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "argos" || end == "pml"))
        .collect();
    models.sort();
    models
}

/// What a search says, without times and bytes.
fn answer(model: &Path, order: &str, store: &str) -> (Value, [Value; 6]) {
    let promela = model.extension().is_some_and(|end| end == "pml");
    let output = Command::new(env!("CARGO_BIN_EXE_argos"))
        .args(["check", "--json", "--search", order, "--store", store])
        .arg(if promela { "--spin-counts" } else { "--all-errors" })
        .arg(model)
        .output()
        .expect("argos runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let figures = ["states", "matched", "transitions", "depth", "truncated", "errors"];
    (report["verdict"].clone(), figures.map(|name| report["stats"][name].clone()))
}

#[test]
fn compact_and_full_agree_on_the_corpus() {
    let models = models();
    assert!(models.len() > 50, "the corpus is there");
    for model in &models {
        for order in ["exhaustive", "dfs", "bfs"] {
            let (compact, full) = (answer(model, order, "compact"), answer(model, order, "full"));
            assert_eq!(compact, full, "{} {order}", model.display());
        }
    }
}
