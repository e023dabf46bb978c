//! What is required of infinite runs, through the real command. Each model of `corpus/live` says
//! in its header what is true without fairness, under weak and under strong fairness:
//!
//! ```text
//! live: NAME OF THE PROPERTY: holds violated unknown
//! with: OPTIONS THAT ARE NEEDED FOR IT
//! ```
//!
//! A line that begins with `spin` says the same with `--fairness-spin`, where that differs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use testkit::argos::check;

const FAIRNESS: [&str; 3] = ["none", "weak", "strong"];

/// Other ways to the same verdicts.
const WAYS: [&[&str]; 9] = [
    &["--engine", "jit"],
    &["--engine", "closures"],
    &["--engine", "reference"],
    &["--plain"],
    &["--threads", "2"],
    &["--search", "exhaustive"],
    &["--search", "dfs"],
    &["--search", "bfs"],
    &["--all-errors"],
];

type Verdicts = BTreeMap<String, String>;

/// All models for which these options make sense.
fn models(way: &[&str]) -> Vec<PathBuf> {
    let languages: &[&str] = match way.contains(&"--fairness-spin") {
        true => &["pml"],
        false => &["argos", "pml"],
    };
    testkit::files("corpus/live", languages)
}

/// What the header says for the fairness of this number, in lines that begin with `mark`.
fn expected(model: &Path, mark: &str, fairness: usize) -> Verdicts {
    let text = fs::read_to_string(model).expect("a readable model");
    let lines = text.lines().filter_map(|line| line.strip_prefix(mark));
    let verdict = |line: &str| {
        let (name, verdicts) = line.split_once(": ").expect("a property and its verdicts");
        let verdict = verdicts.split(' ').nth(fairness).expect("three verdicts");
        (name.to_owned(), verdict.to_owned())
    };
    lines.map(verdict).collect()
}

/// The options that the header asks for.
fn needed(model: &Path) -> Vec<String> {
    let text = fs::read_to_string(model).expect("a readable model");
    let lines = text.lines().filter_map(|line| line.strip_prefix("with: "));
    lines.flat_map(str::split_whitespace).map(str::to_owned).collect()
}

/// What argos says of those properties, and its exit code.
fn found(model: &Path, options: &[&str], wanted: &Verdicts) -> (i32, Verdicts, bool) {
    let needed = needed(model);
    let options: Vec<&str> =
        needed.iter().map(String::as_str).chain(options.iter().copied()).collect();
    let (code, report) = check(model, &options);
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let properties = report["properties"].as_array().expect("a list of properties").iter();
    let all: Verdicts =
        properties.map(|property| (word(&property["name"]), word(&property["verdict"]))).collect();
    let every_one_holds = all.values().all(|verdict| verdict == "holds");
    let named = all.into_iter().filter(|(name, _)| wanted.contains_key(name));
    (code, named.collect(), every_one_holds)
}

/// Compares all models; `way` is given beside the kind of fairness.
fn compare(way: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    for model in models(way) {
        for (number, fairness) in FAIRNESS.into_iter().enumerate() {
            let mut wanted = expected(&model, "live: ", number);
            if way.contains(&"--fairness-spin") {
                wanted.extend(expected(&model, "spin: ", number));
            }
            let options = [&["--fair", fairness][..], way].concat();
            let (code, verdicts, every_one_holds) = found(&model, &options, &wanted);
            if wanted.is_empty() || verdicts != wanted {
                wrong.push(format!("{} {options:?}: {verdicts:?}", model.display()));
            }
            let honest = if every_one_holds { code == 0 } else { code == 1 || code == 4 };
            if !honest {
                wrong.push(format!("{} {options:?}: exit code {code}", model.display()));
            }
        }
    }
    wrong
}

#[test]
fn every_verdict_is_that_of_the_header() {
    let wrong = compare(&[]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_way_leads_to_the_same_verdicts() {
    let wrong: Vec<String> = WAYS.into_iter().flat_map(compare).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn senders_alone_take_part_if_asked() {
    let engines = ["jit", "closures", "reference"];
    let ways = engines.map(|engine| ["--fairness-spin", "--engine", engine]);
    let wrong: Vec<String> = ways.iter().flat_map(|way| compare(way)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn fairness_is_assumed_in_words_or_refused() {
    let root = testkit::root();
    let text = |arguments: &[&str]| testkit::argos::run_in(root, arguments);
    let fair = text(&["check", "examples/printer.pml", "--fair", "strong"]);
    assert!(fair.text.contains("only those with strong fairness"), "{}", fair.text);
    let meeting = "corpus/live/rv_fair_choice.pml";
    let both = text(&["check", meeting, "--fair", "weak"]).text;
    assert!(both.contains("both partners"), "{both}");
    let spin = text(&["check", meeting, "--fair", "weak", "--fairness-spin"]).text;
    assert!(spin.contains("only the sender"), "{spin}");
    let idle = text(&["check", "examples/urp.pml", "--fair", "weak"]);
    assert!(idle.text.contains("--fair weak has no effect"), "{}", idle.text);
    let argos = text(&["check", "examples/abp.argos", "--fair", "weak"]);
    assert!(argos.text.contains("--fair weak has no effect"), "{}", argos.text);
    let argos = text(&["check", "corpus/live/weak_fair.argos", "--fair", "weak"]);
    assert!(argos.text.contains("weak fairness to every process count (--fair weak)"));
}

#[test]
fn a_livelock_is_looked_for_where_somebody_asks() {
    let text = |arguments: &[&str]| testkit::argos::run_in(testkit::root(), arguments);
    let model = "corpus/live/counters3.argos";
    let unasked = text(&["check", model, "--only", "no livelock"]);
    assert_eq!(unasked.code, 2, "{}", unasked.text);
    let asked = text(&["check", model, "--check", "livelock", "--only", "livelock"]);
    assert!(asked.text.contains("livelock: step 20 can repeat for ever"), "{}", asked.text);
    assert!(asked.text.contains("step 20 repeats for ever"), "{}", asked.text);
    assert!(asked.text.contains("a strongly fair run violates it, too"), "{}", asked.text);
    let promela = text(&["check", "examples/urp.pml", "--check", "livelock"]);
    assert_eq!(promela.code, 2, "{}", promela.text);
    assert!(promela.complaints.contains("progress"), "{}", promela.complaints);
}

#[test]
fn formulas_beside_an_argos_model_are_checked_and_shown() {
    let text = |arguments: &[&str]| testkit::argos::run_in(testkit::root(), arguments);
    let model = "corpus/live/weak_fair.argos";
    let holds = text(&["check", model, "--ltl", "few: [] (len(question) < 2)", "--only", "few"]);
    assert_eq!(holds.code, 0, "{}", holds.text);
    let list = testkit::folder_with(
        "list.ltl",
        "[] !client@served\nnamed: <> full(answer) ||\n  [] noise == 0\n! empty(question)\n",
    );
    let list = list.expect("a writable folder");
    let file = list.path().join("list.ltl").display().to_string();
    let listed = text(&["check", model, "--ltl-file", &file, "--fair", "weak", "--all-errors"]);
    let verdicts = ["✗ ltl cmd_1", "✓ ltl named", "✗ ltl cmd_2"];
    assert!(verdicts.iter().all(|verdict| listed.text.contains(verdict)), "{}", listed.text);
    let shown = text(&["show", model, "--ltl", "served"]);
    assert!(shown.text.contains("client@waiting && !client@served"), "{}", shown.text);
}

#[test]
fn a_saved_cycle_of_an_argos_model_is_replayed_as_one() {
    let saved = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("live_argos.json");
    let saved = saved.display().to_string();
    let text = |arguments: &[&str]| testkit::argos::run_in(testkit::root(), arguments).text;
    // A skip with a label is a step in it, and in no other run.
    let asked = ["--ltl", "leaves: <>[] !p@progress", "--only", "leaves", "--trace", &saved];
    text(&[&["check", "corpus/live/progress_skip.argos"], &asked[..]].concat());
    let chart = text(&["replay", &saved, "--chart"]);
    assert!(chart.contains("skip") && chart.contains("repeat for ever"), "{chart}");
}

#[test]
fn a_saved_cycle_is_replayed_as_one() {
    let saved = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("live_cycle.json");
    let saved = saved.display().to_string();
    let text = |arguments: &[&str]| testkit::argos::run_in(testkit::root(), arguments).text;
    text(&["check", "examples/printer.pml", "--trace", &saved]);
    let chart = text(&["replay", &saved, "--chart"]);
    assert!(chart.contains("steps 3 to 5 repeat for ever"), "{chart}");
    let mermaid = text(&["replay", &saved, "--format", "mermaid"]);
    assert!(mermaid.contains("loop repeats for ever"), "{mermaid}");
}
