//! Writers and readers, on made-up figures.

use super::document::generated;
use super::figures::{Decided, Many, Measured, Results, Row};
use super::measure::decided;
use super::models::{MANY, PETERSON, SAFETY, SET};
use crate::bench::machine::Machine;
use serde_json::json;

fn took(violated: bool, cpu: f64) -> Measured {
    Ok(Decided { violated, states: 1_000_000, cpu, peak_bytes: cpu * 1e7 })
}

fn row(class: &'static str, pan: Measured) -> Row {
    let [argos, fair, plain] = [2.0, 2.5, 1.0].map(|cpu| took(false, cpu));
    let origin = "`m.pml`".to_owned();
    Row { model: "m", formula: "p", class, origin, pan, argos, fair, plain }
}

fn results(pan: Measured) -> Results {
    let many = Some(Many { one: took(false, 1.0), all: took(true, 3.0) });
    let peterson = Some(Err("INCOMPLETE (time)".to_owned()));
    Results { rows: vec![row("response", pan)], many, peterson, whole: true }
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
    generated(results, &machine, "cargo xtask bench --live")
}

#[test]
fn the_table_has_verdicts_ratios_and_requirements() {
    let text = text(&results(took(false, 10.0)));
    let has = |line: &str| assert!(text.contains(line), "no {line:?} in:\n{text}");
    has(
        "| m p | response | 1 000 000 | holds | holds | 10.00 | 2.00 | 5.0x | 10.0 | 2.50 | 1.2x |",
    );
    has("| pan over argos, mean | 4x | 5.00x | yes |");
    has("| weak fairness over none, slowest | 1.5x | 1.25x | yes |");
    has("| petersonN, four processes, with weak fairness | ends | INCOMPLETE (time) | NO |");
    has("| a safety formula over a search without formulas, slowest | 1.3x | - | not measured |");
    has("| twelve formulas over one | 4x | 3.00x | yes |");
}

#[test]
fn verdicts_that_differ_fail_and_do_not_count() {
    let differs = results(took(true, 10.0));
    assert!(!differs.agree() && text(&differs).contains("- m p: VERDICTS DIFFER"));
    let open = results(Err("SPIN: out of time".to_owned()));
    assert!(open.agree() && text(&open).contains("- m p: pan: SPIN: out of time"));
    let safe = Results { rows: vec![row(SAFETY, took(false, 3.0))], ..open };
    assert!(text(&safe).contains("slowest | 1.3x | 2.00x | NO |"));
}

#[test]
fn a_report_is_read_unless_it_is_open() {
    let stats = json!({ "peak_rss_bytes": 80 });
    let runs = json!([{ "states": 3 }, { "states": 5 }]);
    let report = json!({ "verdict": "violated", "why_incomplete": ["first-error"], "runs": runs, "stats": stats });
    let read = Decided { violated: true, states: 5, cpu: 0.5, peak_bytes: 80.0 };
    assert_eq!(decided(&report, 0.5), Ok(read));
    let cut = json!({ "verdict": "incomplete", "why_incomplete": ["memory"] });
    assert_eq!(decided(&cut, 0.5), Err("INCOMPLETE (memory)".to_owned()));
}

/// The package may lose a model or a constant; that is to be known before the runs.
#[test]
fn every_model_can_be_prepared() {
    for recipe in SET.iter().chain([&MANY, &PETERSON]) {
        let subject = recipe.prepare().unwrap_or_else(|error| panic!("{}: {error}", recipe.name));
        assert!(subject.path.exists());
    }
}
