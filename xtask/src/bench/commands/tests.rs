//! Writers and readers, on made-up figures.

use super::document::generated;
use super::figures::{Ended, Measured, Results, Row};
use super::measure::{ours, theirs};
use crate::bench::machine::Machine;
use crate::bench::models::SCALED;
use serde_json::json;
use testkit::limits::Spent;
use testkit::spin::{self, Figures};

fn took(violated: bool, states: u64, cpu: f64) -> Measured {
    Ok(Ended { violated, states, wall: cpu / 2.0, cpu, bytes: 3e6 })
}

fn row(spin: Measured, argos: Measured) -> Row {
    Row { model: "m".to_owned(), added: "-m10000000".to_owned(), spin, argos }
}

fn text(results: &Results) -> String {
    let machine = Machine {
        processor: "Abacus 3".to_owned(),
        cores: 2,
        memory_kb: 8 * 1024 * 1024,
        date: "2001-02-03".to_owned(),
        load: "0.10".to_owned(),
        versions: Vec::new(),
    };
    generated(results, &machine, "cargo xtask bench --commands")
}

#[test]
fn the_table_has_both_and_the_requirements() {
    let package = vec![row(took(false, 100, 6.0), took(false, 110, 0.1))];
    let scaled = vec![row(took(true, 5, 1.0), took(true, 50, 2.0))];
    let text = text(&Results { package, scaled, whole: true });
    let has = |line: &str| assert!(text.contains(line), "no {line:?} in:\n{text}");
    has("| m | holds | 100 | 110 | 3.00 | 0.050 | 60x | 6.00 | 0.10 | 60x | 3 | 3 | -m10000000 |");
    has("| CPU time, slowest model | 1x | 0.50x | NO |");
    has("| models of the package with at most SPIN's states | 0.9x | 0.00x | NO |");
    // A run that ends at an error says nothing of how many states there are.
    has("| states over SPIN's, most of the package | 1.2x | 1.10x | yes |");
}

#[test]
fn verdicts_that_differ_fail_and_do_not_count() {
    let package = vec![row(took(true, 1, 1.0), took(false, 1, 1.0))];
    let results = Results { package, scaled: Vec::new(), whole: false };
    assert!(!results.agree() && text(&results).contains("- m: VERDICTS DIFFER"));
    assert!(text(&results).contains("| CPU time, mean | 25x | - | not measured |"));
}

#[test]
fn a_search_that_was_cut_decides_nothing_but_errors() {
    let figures = |errors, cut| Figures {
        counts: [5, 1, 6],
        errors: Some(errors),
        depth: None,
        state_bytes: None,
        memory_bytes: Some(3e6),
        cut,
    };
    let spent = Spent { wall: 0.5, cpu: 1.0 };
    assert_eq!(theirs(&figures(0, Some(spin::DEPTH)), spent), Err(spin::DEPTH.to_owned()));
    assert_eq!(theirs(&figures(1, Some(spin::DEPTH)), spent), took(true, 5, 1.0));
    let report = |verdict: &str, why: &str, kinds: &[&str]| {
        let errors: Vec<_> = kinds.iter().map(|kind| json!({ "kind": kind })).collect();
        let stats = json!({ "states": 5, "peak_rss_bytes": 3e6 });
        json!({ "verdict": verdict, "why_incomplete": [why], "errors": errors, "stats": stats })
    };
    let read = |verdict, why, kinds| ours(&report(verdict, why, kinds), spent);
    assert_eq!(read("violated", "first-error", &["deadlock"]), took(true, 5, 1.0));
    assert_eq!(read("incomplete", "liveness", &[]), took(false, 5, 1.0));
    assert_eq!(read("incomplete", "time", &[]), Err("INCOMPLETE (time)".to_owned()));
    assert_eq!(read("violated", "liveness", &["progress-cycle"]), took(false, 5, 1.0));
}

/// The package may lose a model or a constant; that is to be known before the runs.
#[test]
fn every_model_can_be_prepared() {
    for recipe in &SCALED {
        let subject = recipe.prepare().unwrap_or_else(|error| panic!("{}: {error}", recipe.name));
        assert!(subject.path.exists());
    }
}
