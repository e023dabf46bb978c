//! What is said of a model does not depend on how it is searched. The compact store never
//! takes one state for another: every model of the corpus, in every order, gives the
//! numbers of the full store. Several threads give the numbers and the runs of one.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use testkit::argos::check;
use testkit::files;

fn models() -> Vec<PathBuf> {
    let promela = ["promela/mini", "promela/semantics", "promela/rules", "promela/differences"];
    let folders = ["papers", "small"].into_iter().chain(promela);
    folders.flat_map(|part| files(&format!("corpus/{part}"), &["argos", "pml"])).collect()
}

fn report(model: &Path, options: &[&str]) -> Value {
    check(model, options).1
}

/// What a search says, without times and bytes.
fn answer(model: &Path, order: &str, store: &str) -> (Value, [Value; 6]) {
    let promela = model.extension().is_some_and(|end| end == "pml");
    let all = if promela { "--spin-counts" } else { "--all-errors" };
    let report = report(model, &["--search", order, "--store", store, all]);
    let figures = ["states", "matched", "transitions", "depth", "truncated", "errors"];
    (report["verdict"].clone(), figures.map(|name| report["stats"][name].clone()))
}

#[test]
fn compact_and_full_agree_on_the_corpus() {
    let models = models();
    assert!(models.len() > 200, "the corpus is there");
    for model in &models {
        for order in ["exhaustive", "dfs", "bfs"] {
            let (compact, full) = (answer(model, order, "compact"), answer(model, order, "full"));
            assert_eq!(compact, full, "{} {order}", model.display());
        }
    }
}

/// Verdict, figures, unreached statements and every run. The longest chain of first
/// discoveries is another one, where there is no order.
#[test]
fn three_threads_say_what_one_says() {
    let told = ["verdict", "complete", "why_incomplete", "properties", "errors", "unreached"];
    let figures = ["states", "matched", "transitions", "errors"];
    let mut helped = 0;
    for model in models() {
        let [alone, together] = ["1", "3"]
            .map(|threads| report(&model, &["--search", "exhaustive", "--threads", threads]));
        for name in told {
            assert_eq!(alone[name], together[name], "{} {name}", model.display());
        }
        if alone["errors"].as_array().is_some_and(Vec::is_empty) {
            for name in figures {
                let (one, three) = (&alone["stats"][name], &together["stats"][name]);
                assert_eq!(one, three, "{} {name}", model.display());
            }
        }
        helped += u64::from(together["stats"]["threads"] == 3);
    }
    assert!(helped > 50, "threads were used on {helped} models");
}

/// What counts is the whole process, with its own text and machine code: the most it ever held
/// is within five percent of the limit, and most of the limit is used.
#[test]
#[cfg(target_os = "linux")]
fn a_command_stays_within_its_memory() {
    const LIMIT: u64 = 64 << 20;
    let model = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endless.pml");
    // None of them stands for another: they count by different steps.
    let text = "active [7] proctype P() {
        byte a, b; do :: a++ :: a > 3 -> a = 0; b = b + 2 * _pid + 1 od }";
    fs::write(&model, text).expect("the scratch directory is ours");
    let ways: [&[&str]; 5] = [
        &["--search", "exhaustive"],
        &["--search", "exhaustive", "--threads", "2"],
        &["--search", "bfs"],
        &["--search", "dfs"],
        &[],
    ];
    for way in ways {
        let report = report(&model, &[way, &["--memory", "64M"]].concat());
        assert_eq!(report["why_incomplete"], serde_json::json!(["memory"]), "{way:?}");
        let peak = report["stats"]["peak_rss_bytes"].as_u64().expect("a number");
        assert!(peak <= LIMIT + LIMIT / 20, "{way:?}: {peak} bytes");
        assert!(peak >= LIMIT / 2, "{way:?}: {peak} bytes");
    }
}

/// The runs of thousands of errors are most of what a search holds here. They are not
/// held twice, and what is not shown is let go.
#[test]
fn many_long_runs_stay_within_the_memory() {
    let model = Path::new(env!("CARGO_TARGET_TMPDIR")).join("long_runs.pml");
    let text = "int a; active proctype P() {
        do :: a < 20000 -> a++; assert(a < 0) :: else -> break od }";
    fs::write(&model, text).expect("the scratch directory is ours");
    let report = report(&model, &["--spin-counts", "--memory", "100M"]);
    assert_eq!(report["why_incomplete"], serde_json::json!(["memory"]));
    let peak = report["stats"]["peak_rss_bytes"].as_u64().expect("a number");
    assert!(peak < 170_000_000, "{peak} bytes");
}

/// A bit field costs what is touched of it, and a path that is too long for the memory ends
/// there while the search goes on.
#[test]
fn a_bit_field_leaves_room_for_the_path() {
    let small = report(&testkit::root().join("examples/gate.argos"), &["--store", "bitstate"]);
    assert!(small["stats"]["peak_rss_bytes"].as_u64().expect("bytes") < 100 << 20);
    let deep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stores_deep.pml");
    let text = "int a; bool b;\n\
                active proctype P() { do :: a < 400000 -> a++ :: b -> break od }\n\
                active proctype Q() { b = true }\n";
    fs::write(&deep, text).expect("the scratch directory is ours");
    let options = ["--store", "bitstate", "--memory", "40M", "--no-merge"];
    let report = report(&deep, &options);
    assert_eq!(report["why_incomplete"], serde_json::json!(["depth", "lossy-store"]));
    assert!(report["stats"]["truncated"].as_u64().expect("a number") > 0);
    assert!(report["stats"]["peak_rss_bytes"].as_u64().expect("bytes") < 50 << 20);
}
