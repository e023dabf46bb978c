//! The figures of the papers with sleep sets, and who can be exchanged, by the real command.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use testkit::argos::{Run, command};
use testkit::spin::installed;

/// Nothing but the reduction.
const BARE: [&str; 6] =
    ["--search", "dfs", "--no-minimise", "--no-merge", "--no-dead-reset", "--no-hide"];

/// A model of the package without its formulas, in a place of its own.
fn package(test: &str, model: &str) -> PathBuf {
    let text = installed(model).expect("the package spin is installed");
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("ltl "));
    let plain: Vec<&str> = lines.collect();
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.pml"));
    fs::write(&place, plain.join("\n")).expect("a place to write");
    place
}

fn check(model: &Path, options: &[&str]) -> Value {
    testkit::argos::check(model, options).1
}

/// States, matched, transitions, depth.
fn figures(report: &Value) -> [u64; 4] {
    ["states", "matched", "transitions", "depth"]
        .map(|name| report["stats"][name].as_u64().expect("a number"))
}

/// The rows of dtp in the paper's tables 1 and 2, and what the other relations give.
#[test]
fn the_tables_of_1995() {
    let rows = [
        ("Examples", "dtp.pml", "none", "paper", [251_409, 397_058, 648_467, 545]),
        ("Examples", "dtp.pml", "sleep", "paper", [251_409, 11_152, 262_561, 545]),
        ("Examples", "dtp.pml", "sleep", "syntactic", [251_409, 18_507, 269_916, 545]),
        ("Examples", "dtp.pml", "sleep", "fine", [251_409, 9_925, 261_334, 545]),
        ("LTL", "LTL/pftp.pml", "none", "paper", [439_895, 861_729, 1_301_624, 5_780]),
        ("LTL", "LTL/pftp.pml", "sleep", "paper", [439_895, 189_539, 629_434, 5_780]),
        ("LTL", "LTL/pftp.pml", "sleep", "fine", [439_895, 149_534, 589_429, 5_780]),
    ];
    for (part, model, reduce, dependency, expected) in rows {
        let place = package(&format!("tables-{part}"), model);
        let options = ["--reduce", reduce, "--dependency", dependency];
        let report = check(&place, &[BARE.as_slice(), &options].concat());
        assert_eq!(report["verdict"], "holds", "{model}");
        assert_eq!(figures(&report), expected, "{model} {reduce} {dependency}");
    }
}

/// What became of a cache: verdict, transitions, why not complete.
fn cached(model: &Path, size: &str, options: &[&str]) -> (String, u64, Value) {
    let report = check(model, &[BARE.as_slice(), &["--cache", size], options].concat());
    let [_, _, transitions, _] = figures(&report);
    let verdict = report["verdict"].as_str().expect("a verdict").to_owned();
    (verdict, transitions, report)
}

/// The claim of the paper's figure 4: with sleep sets 500 states of 251,409 suffice.
#[test]
fn a_cache_of_500_states() {
    let dtp = package("cache-dtp", "dtp.pml");
    let (verdict, transitions, report) = cached(&dtp, "500", &["--reduce", "sleep"]);
    assert_eq!(verdict, "holds");
    assert!(transitions <= 1_000_000, "{transitions}");
    assert!(report["stats"]["evictions"].as_u64() > Some(250_000));
    // Round robin leaves nothing to chance.
    let blind = ["--reduce", "sleep", "--replace", "round-robin"];
    assert_eq!(cached(&dtp, "500", &blind).1, 881_647);
    let exact = ["--reduce", "sleep", "--count-recreated"];
    let (_, _, report) = cached(&dtp, "2000", &exact);
    let states = report["stats"]["states"].as_u64().expect("a number");
    let again = report["stats"]["recreated"].as_u64().expect("a number");
    assert_eq!(states - again, 251_409);
}

/// A cache that cannot hold the path says so; it neither loops nor claims anything.
#[test]
fn a_cache_smaller_than_the_path() {
    let dtp = package("cache-small", "dtp.pml");
    let (verdict, _, report) = cached(&dtp, "250", &["--reduce", "sleep"]);
    assert_eq!((verdict.as_str(), &report["why_incomplete"][0]), ("incomplete", &"cache".into()));
}

/// A cache goes with a never claim: it is violated where it is without one.
#[test]
fn a_cache_with_a_never_claim() {
    let model = |bound: u32| {
        let text = format!(
            "byte n; active [2] proctype P() {{ do :: n < 20 -> n++ :: n > 0 -> n-- od }}
             never {{ do :: n <= {bound} :: n > {bound} -> break od }}"
        );
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("claim-{bound}.pml"));
        fs::write(&place, text).expect("a place to write");
        place
    };
    for (bound, verdict) in [(255, "holds"), (9, "violated")] {
        let plain = check(&model(bound), &["--search", "dfs"]);
        let cached = check(&model(bound), &["--search", "dfs", "--cache", "1000"]);
        assert_eq!((&plain["verdict"], &cached["verdict"]), (&verdict.into(), &verdict.into()));
        assert!(cached["stats"]["evictions"].as_u64() > Some(100), "{bound}");
    }
}

/// A cache that is far too small is recognised, and it is said what to do.
#[test]
fn the_cliff_is_recognised() {
    let dtp = package("cache-cliff", "dtp.pml");
    let told = |options: &[&str]| {
        let mut command = command();
        command.args(["check", "--cache", "5000"]).args(BARE).args(options).arg(&dtp);
        Run::of(&mut command).text
    };
    let sentences = [
        "almost all of the last steps repeated earlier ones: the cache is too small",
        "try a larger --cache, --reduce sleep or --replace type",
    ];
    let blind = told(&["--time", "8s"]);
    assert!(sentences.iter().all(|sentence| blind.contains(sentence)), "{blind}");
    assert!(blind.starts_with("INCOMPLETE"), "{blind}");
    let asleep = told(&["--reduce", "sleep"]);
    assert!(!sentences.iter().any(|sentence| asleep.contains(sentence)), "{asleep}");
}

/// What is forgotten at random is drawn by the seed: the same again, or another.
#[test]
fn a_cache_draws_by_the_seed() {
    let dtp = package("cache-seed", "dtp.pml");
    let transitions =
        |seed: &[&str]| cached(&dtp, "2000", &[&["--reduce", "sleep"], seed].concat()).1;
    let first = transitions(&[]);
    assert_eq!(transitions(&["--seed", "1"]), first);
    assert_ne!(transitions(&["--seed", "2"]), first);
}

/// Without sleep sets the knee lies between a half and a third of the states; with them
/// there is none at a quarter.
#[test]
fn where_the_knee_lies() {
    let dtp = package("cache-knee", "dtp.pml");
    let half = cached(&dtp, "125705", &[]).1;
    assert!(half < 648_467 * 5 / 4, "{half}");
    let third = cached(&dtp, "83803", &[]).1;
    assert!(third > 648_467 * 2, "{third}");
    let quarter = cached(&dtp, "62852", &["--reduce", "sleep"]).1;
    assert!(quarter < 262_561 * 5 / 4, "{quarter}");
}

/// Type-oriented replacement moves the knee of pftp: 15 % of the states suffice.
#[test]
fn types_of_steps_are_worth_keeping() {
    let pftp = package("cache-pftp", "LTL/pftp.pml");
    let by_type = ["--reduce", "sleep", "--replace", "type"];
    let (verdict, transitions, _) = cached(&pftp, "65984", &by_type);
    assert_eq!(verdict, "holds");
    assert!(transitions <= 629_434 * 12 / 10, "{transitions}");
}

/// The small protocols keep their states, with fewer transitions.
#[test]
fn the_papers_small_protocols() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/papers");
    let rows = [
        ("abc", 20, 28, 21),
        ("nbs", 122, 193, 125),
        ("b84_setup", 176, 291, 207),
        ("b84_counters", 306, 589, 355),
        ("split_merge", 134, 245, 224),
        ("abp", 86, 145, 126),
    ];
    for (name, states, whole, reduced) in rows {
        let model = corpus.join(format!("{name}.argos"));
        for (reduce, transitions) in [("none", whole), ("sleep", reduced)] {
            let options = ["--search", "dfs", "--all-errors", "--reduce", reduce];
            let [found, _, edges, _] = figures(&check(&model, &options));
            assert_eq!((found, edges), (states, transitions), "{name} {reduce}");
        }
    }
}

/// The full method of 1995: sleep sets among the steps of ample sets, beside a cache. On a model
/// without cycles it is Algorithm 2 on the states of ample sets.
#[test]
fn the_full_method_of_1995() {
    let dtp = package("full-dtp", "dtp.pml");
    let alone = check(&dtp, &[BARE.as_slice(), &["--reduce", "ample"]].concat());
    let both = check(&dtp, &[BARE.as_slice(), &["--reduce", "sleep,ample"]].concat());
    assert_eq!((&alone["verdict"], &both["verdict"]), (&"holds".into(), &"holds".into()));
    assert_eq!(figures(&alone)[0], 10_162);
    assert_eq!(figures(&both)[..2], [10_162, 447]);
    for reduce in ["ample", "sleep,ample"] {
        let (verdict, _, report) = cached(&dtp, "1000", &["--reduce", reduce]);
        assert_eq!(verdict, "holds", "{reduce}");
        assert!(report["stats"]["evictions"].as_u64() > Some(9_000), "{reduce}");
    }
    let (verdict, transitions, _) = cached(&dtp, "400", &["--reduce", "sleep,ample"]);
    assert_eq!(verdict, "holds");
    assert!(transitions < 2 * 10_609, "{transitions}");
}

/// A cache beside what the papers combine it with: bounds, restrictions, foldings, labelled
/// states. Nothing of it is complete, and a depth bound that is not reached is none.
#[test]
fn a_cache_with_bounds_and_restrictions() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/papers");
    let model = corpus.join("abp.argos");
    let verdict = |options: &[&str]| {
        let report = check(&model, &[&["--cache", "60"], options].concat());
        (report["verdict"].as_str().expect("a verdict").to_owned(), report["stats"].clone())
    };
    let rows: [(&[&str], &str); 9] = [
        (&["--depth", "20"], "incomplete"),
        (&["--depth", "1000"], "holds"),
        (&["--search", "partial"], "incomplete"),
        (&["--search", "partial", "--depth", "20"], "incomplete"),
        (&["--search", "scatter"], "incomplete"),
        (&["--search", "one-per-process"], "incomplete"),
        (&["--search", "one-per-state"], "incomplete"),
        (&["--store", "labelled"], "holds"),
        (&["--fold", "process=user"], "incomplete"),
    ];
    for (options, expected) in rows {
        let (verdict, stats) = verdict(options);
        assert_eq!(verdict, expected, "{options:?}");
        assert!(stats["states"].as_u64() > Some(0), "{options:?}");
    }
    for search in ["scatter", "partial"] {
        let whole = check(&corpus.join("abp_a1.argos"), &["--search", search]);
        let options = ["--search", search, "--cache", "60", "--depth", "200"];
        let cached = check(&corpus.join("abp_a1.argos"), &options);
        assert_eq!(
            (&whole["verdict"], &cached["verdict"]),
            (&"violated".into(), &"violated".into())
        );
    }
}

/// A cache of labelled states holds fewer states and visits them all.
#[test]
fn a_cache_of_labelled_states() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/papers");
    for model in ["nbs", "abp", "b84_counters"] {
        let model = corpus.join(format!("{model}.argos"));
        let options = ["--search", "dfs", "--all-errors", "--end", "home"];
        let whole = check(&model, &options);
        let labelled = ["--store", "labelled", "--cache", "200", "--count-recreated"];
        let cached = check(&model, &[options.as_slice(), &labelled].concat());
        let new = figures(&cached)[0] - cached["stats"]["recreated"].as_u64().expect("a number");
        assert_eq!(new, figures(&whole)[0], "{}", model.display());
        assert_eq!(cached["verdict"], whole["verdict"]);
    }
}

/// What a search with a reduction finds is executed again by the reference interpreter, step by
/// step: also where steps came from the transition cache and some of them were asleep.
#[test]
fn runs_found_with_reductions_are_executed_again() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/papers");
    for model in ["nbs", "abp_a1", "abp_a3", "b84_counters", "b84_setup"] {
        for reduce in ["none", "sleep", "ample", "sleep,ample"] {
            for more in [&[][..], &["--all-errors"], &["--store", "path"]] {
                let options = ["--search", "dfs", "--shorten-budget", "1", "--reduce", reduce];
                let options = [&options, more].concat();
                let model = corpus.join(format!("{model}.argos"));
                let (code, report) = testkit::argos::check(&model, &options);
                assert_eq!(code, 1, "{} {options:?}", model.display());
                assert!(!report["errors"].as_array().expect("errors").is_empty());
            }
        }
    }
}

/// Each unsound combination is refused with its reason, and nothing is searched.
#[test]
fn what_is_not_proven_is_refused() {
    let refused = [
        (["--search", "bfs"], "breadth-first"),
        (["--depth", "10"], "a depth bound"),
        (["--store", "labelled"], "labelled states"),
        (["--store", "bitstate"], "a lossy store"),
        (["--store", "hash64"], "a lossy store"),
    ];
    for (options, reason) in refused {
        let mut command = command();
        command.args(["check", "corpus/papers/abp.argos", "--reduce", "sleep"]).args(options);
        let Run { code, complaints: told, .. } = Run::of(&mut command);
        assert_eq!(code, 2, "{options:?} {told}");
        assert!(told.contains(reason), "{options:?} {told}");
    }
}

/// The first line of each model of `corpus/symmetry` says who can be exchanged and how a check ends, or why
/// nobody can. With symmetry, with ample sets besides, and without both a check comes to the same.
#[test]
fn who_can_be_exchanged_and_who_cannot() {
    let mut refusals = 0;
    for model in testkit::files("corpus/symmetry", &["pml", "argos"]) {
        let text = fs::read_to_string(&model).expect("a readable model");
        let line = text.lines().next().unwrap_or_default();
        let line = line.trim_start_matches("/* ").trim_end_matches(" */");
        let name = model.display().to_string();
        let reduced = |reduce: &str| -> Run {
            testkit::argos::run(&["check", &name, "--json", "--reduce", reduce])
        };
        if let Some(reason) = line.strip_prefix("refused: ") {
            let run = reduced("symmetry");
            assert_eq!(run.code, 2, "{name}: {}", run.text);
            assert!(run.complaints.contains(reason), "{name}: {}", run.complaints);
            refusals += 1;
            continue;
        }
        let expected = line.strip_prefix("symmetry: ").and_then(|rest| rest.split_once("; exit "));
        let (who, exit) = expected.unwrap_or_else(|| panic!("{name}: {line}"));
        let plain = reduced("none").json();
        for reduce in ["symmetry", "ample,symmetry"] {
            let run = reduced(reduce);
            let report = run.json();
            assert_eq!(run.code.to_string(), exit, "{name}: {}", run.text);
            let used = format!("symmetry ({who} interchangeable)");
            assert!(run.text.contains(&used), "{name}: {used}: {}", report["runs"]);
            let verdicts = |report: &Value| -> Vec<Value> {
                let all = report["properties"].as_array().expect("a list");
                all.iter().map(|it| it["verdict"].clone()).collect()
            };
            assert_eq!(verdicts(&report), verdicts(&plain), "{name}");
            if exit == "0" {
                assert_eq!(report["unreached"], plain["unreached"], "{name}");
                let states = |report: &Value| report["stats"]["states"].as_u64();
                assert!(states(&report) < states(&plain), "{name}");
            }
        }
    }
    assert!(refusals > 20, "{refusals} kinds of refusals");
}
