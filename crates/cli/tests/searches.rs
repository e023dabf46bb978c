//! The papers' searches, by the real command: honest verdicts, the figures of NBS and the
//! data switch, and what the workflow saves on models with seeded faults.

use serde_json::Value;
use std::collections::BTreeSet;
use testkit::argos::{check, run};

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The states of all searches of a check.
fn all_states(report: &Value) -> u64 {
    report["runs"].as_array().expect("runs").iter().map(|run| number(&run["states"])).sum()
}

/// Models that hold, with a fold that means something.
const HOLDING: [(&str, &str); 4] = [
    ("examples/abp_fixed.argos", "process=sender"),
    ("examples/token_ring.argos", "process=a"),
    ("corpus/small/end_label.argos", ""),
    ("corpus/promela/semantics/atomic_chain.pml", ""),
];

const RESTRICTED: [&str; 5] = ["partial", "scatter", "one-per-process", "one-per-state", "random"];

#[test]
fn no_search_of_a_part_says_that_anything_holds() {
    let mut checked = 0;
    for (model, _) in HOLDING.iter().filter(|(model, _)| testkit::root().join(model).exists()) {
        if check(model, &[]).0 != 0 {
            continue;
        }
        checked += 1;
        for search in RESTRICTED {
            for more in [&[][..], &["--seed", "3"], &["--reduce", "internal"], &["--all-errors"]] {
                if search == "partial" && more.first() == Some(&"--seed") {
                    continue;
                }
                let options = [&["--search", search], more].concat();
                let (code, report) = check(model, &options);
                assert_eq!((code, &report["verdict"]), (4, &"incomplete".into()), "{options:?}");
                assert!(!report["why_incomplete"].as_array().expect("a list").is_empty());
            }
        }
        for search in ["auto", "exhaustive", "dfs", "partial", "scatter"] {
            for store in ["bitstate", "hash64"] {
                let options = ["--search", search, "--store", store, "--memory", "64M"];
                assert_eq!(check(model, &options).0, 4, "{model} {options:?}");
            }
        }
    }
    assert!(checked >= 2, "too few models hold");
}

#[test]
fn no_folded_search_says_that_anything_holds() {
    let folds = [
        ("examples/abp_fixed.argos", vec!["process=sender", "channel=link"]),
        ("examples/token_ring.argos", Vec::new()),
    ];
    for (model, folds) in folds {
        assert_eq!(check(model, &[]).0, 0, "{model} holds");
        for fold in folds {
            for search in ["auto", "exhaustive", "dfs", "bfs", "partial", "scatter"] {
                for store in ["compact", "full"] {
                    let options = ["--fold", fold, "--search", search, "--store", store];
                    let (code, report) = check(model, &options);
                    assert_eq!(
                        (code, &report["verdict"]),
                        (4, &"incomplete".into()),
                        "{options:?}"
                    );
                    assert!(report["why_incomplete"].to_string().contains("fold"), "{options:?}");
                }
            }
        }
    }
}

#[test]
fn what_means_nothing_is_refused() {
    let refused: [&[&str]; 10] = [
        &["--keep", "2"],
        &["--walks", "5", "--search", "scatter"],
        &["--seed", "1", "--search", "bfs"],
        &["--search", "random", "--fold", "process=sender"],
        &["--search", "random", "--store", "full"],
        &["--search", "partial", "--store", "path"],
        &["--search", "scatter", "--store", "labelled"],
        &["--fold", "process=nobody"],
        &["--fold", "weather=rain"],
        &["--plain", "--reduce", "internal"],
    ];
    for options in refused {
        let refusal = run(&[&["check", "examples/abp_fixed.argos"], options].concat());
        assert_eq!(refusal.code, 2, "{options:?}");
    }
}

/// NBS has 122 states; the papers' searches see a part of them and find an error.
#[test]
fn nbs_by_parts() {
    for (search, most) in [("scatter", 40), ("one-per-process", 100), ("one-per-state", 25)] {
        let (code, report) =
            check("corpus/papers/nbs.argos", &["--all-errors", "--search", search]);
        assert_eq!(code, 1, "{search} finds an error");
        let states = number(&report["stats"]["states"]);
        assert!(states <= most, "{search} ends after {states} states");
    }
}

/// The first deadlock of the data switch is 55 steps deep. A scatter search with ties by lot
/// finds it with a hundredth of the states that lie above it.
#[test]
fn the_deadlock_of_the_data_switch_comes_a_hundred_times_sooner() {
    let model = "examples/data_switch.argos";
    let deadlocks = |report: &Value| report["stats"]["errors"]["deadlock"].as_u64().unwrap_or(0);
    let (_, above) = check(model, &["--search", "bfs", "--all-errors", "--depth", "54"]);
    assert_eq!(deadlocks(&above), 0, "no deadlock within 54 steps");
    let options = ["--search", "scatter", "--seed", "5", "--shorten-budget", "1"];
    let (code, report) = check(model, &options);
    assert_eq!((code, deadlocks(&report)), (1, 1));
    let (all, part) = (number(&above["stats"]["states"]), number(&report["stats"]["states"]));
    assert!(part * 100 <= all, "{part} states instead of {all}");
}

/// Without a seed ties go by declaration first, and then by lot.
#[test]
fn a_scatter_search_that_finds_nothing_draws_lots() {
    let (code, report) =
        check("examples/data_switch.argos", &["--search", "scatter", "--after-error", "0"]);
    let names: Vec<&str> = report["runs"].as_array().expect("runs").iter().map(name).collect();
    let lot = "scatter, ties by lot";
    assert_eq!((code, names.as_slice()), (1, ["scatter", lot, lot].as_slice()));
    assert!(all_states(&report) < 1_000, "{}", report["runs"]);
    let (code, report) = check("examples/abp_fixed.argos", &["--search", "scatter"]);
    assert_eq!((code, report["runs"].as_array().expect("runs").len()), (4, 3));
}

fn name(run: &Value) -> &str {
    run["name"].as_str().expect("a name")
}

/// When the first error was found stands in the report: before a shorter run was looked for.
#[test]
fn the_time_to_the_first_error() {
    for model in ["corpus/faulty/window.pml", "corpus/papers/nbs.argos"] {
        for options in [&[][..], &["--all-errors"]] {
            let (_, report) = check(model, options);
            let seconds = |name: &str| report["stats"]["seconds"][name].as_f64();
            let first = seconds("first_error").expect("there is an error");
            assert!(first > 0.0 && Some(first) <= seconds("total"), "{model} {options:?}");
        }
    }
    let (_, report) = check("examples/abp_fixed.argos", &[]);
    assert_eq!(report["stats"]["seconds"]["first_error"], Value::Null);
}

/// Models with a fault, and a depth within which they have more than 10,000 states, where
/// those down to the error are fewer.
const FAULTY: [(&str, Option<&str>); 9] = [
    ("corpus/faulty/commit.argos", None),
    ("corpus/faulty/exclusion.pml", None),
    ("corpus/faulty/leader.pml", None),
    ("corpus/faulty/link.pml", None),
    ("corpus/faulty/philosophers.pml", None),
    ("corpus/faulty/transfer.pml", Some("95")),
    ("corpus/faulty/window.pml", Some("80")),
    ("examples/data_switch.argos", Some("48")),
    ("corpus/faulty/window5.pml", None),
];

/// States until the first error, by the workflow and breadth first: in the geometric mean
/// five times fewer, never much more.
#[test]
fn the_workflow_finds_seeded_faults_with_fewer_states() {
    let mut product = 1.0;
    for (model, depth) in FAULTY {
        let first = ["--after-error", "0"];
        let (code, auto) = check(model, &first);
        let (_, bfs) = check(model, &[&first[..], &["--search", "bfs"]].concat());
        assert_eq!((code, &bfs["verdict"]), (1, &"violated".into()), "{model} is faulty");
        let (auto, bfs) = (all_states(&auto) as f64, all_states(&bfs) as f64);
        let all = depth.map_or(bfs, |depth| {
            let (_, deep) = check(model, &["--search", "bfs", "--all-errors", "--depth", depth]);
            number(&deep["stats"]["states"]) as f64
        });
        assert!(all > 10_000.0, "{model} has {all} states only");
        assert!(auto <= 1.2 * bfs, "{model}: {auto} states instead of {bfs}");
        product *= bfs / auto;
    }
    let mean = product.powf(1.0 / FAULTY.len() as f64);
    assert!(mean >= 5.0, "in the mean only {mean:.1} times fewer states");
}

/// Whether the way to it is short and crowded or thousands of steps long.
#[test]
fn the_workflow_finds_every_seeded_fault_within_100_000_states() {
    for folder in ["corpus/faulty", "corpus/deep"] {
        for model in testkit::files(folder, &["argos", "pml"]) {
            let model = model.to_str().expect("a plain name");
            let (code, report) = check(model, &["--after-error", "0", "--shorten-budget", "1"]);
            assert_eq!(code, 1, "{model} is faulty");
            let (states, steps) = (all_states(&report), number(&report["errors"][0]["steps"]));
            assert!(states <= 100_000, "{model}: {states} states");
            assert!(folder == "corpus/faulty" || steps >= 10_000, "{model}: {steps} steps");
        }
    }
}

#[test]
fn the_shortest_run_is_the_one_of_the_fewest_statements() {
    let model = "corpus/promela/semantics/sequence_or_steps.pml";
    for options in
        [&[][..], &["--search", "bfs"], &["--search", "dfs", "--shortest"], &["--reduce", "none"]]
    {
        let (_, report) = check(model, options);
        let error = &report["errors"][0];
        let length = (number(&error["steps"]), error["length"].as_str());
        assert_eq!(length, (10, Some("shortest")), "{options:?}");
    }
    let few = ["--search", "bfs", "--shorten-budget", "3"];
    let length = check(model, &few).1["errors"][0]["length"].as_str().expect("text").to_owned();
    assert!(length.contains("if an atomic sequence counts as one"), "{length}");
}

/// A search for a shorter run has room for what the first search did not meet.
#[test]
fn a_shorter_run_may_need_more_room() {
    let model = "corpus/promela/semantics/shorter_run_beyond_room.pml";
    let first = ["--plain", "--search", "exhaustive"];
    let (code, report) = check(model, &first);
    let error = &report["errors"][0];
    assert_eq!((code, &error["kind"], &error["replayed"]), (1, &"deadlock".into(), &true.into()));
    assert_eq!(error["length"], "shortest");
    let breadth_first = check(model, &["--plain", "--search", "bfs"]).1;
    assert_eq!(error["steps"], breadth_first["errors"][0]["steps"]);
}

/// What is behind an assertion that fails is looked at, too, if all errors are asked for.
#[test]
fn a_failed_assertion_hides_no_other_error() {
    let model = "corpus/promela/semantics/deadlock_behind_assertion.pml";
    for search in ["auto", "dfs", "exhaustive"] {
        let (code, report) = check(model, &["--all-errors", "--search", search]);
        assert_eq!((code, &report["complete"]), (1, &true.into()), "{search}");
        let kinds: Vec<&Value> =
            report["errors"].as_array().expect("errors").iter().map(|e| &e["kind"]).collect();
        assert_eq!(kinds, ["assertion", "deadlock"], "{search}");
        let open = report["properties"].as_array().expect("a list").iter();
        assert_eq!(open.filter(|property| property["verdict"] == "unknown").count(), 0);
    }
}

/// The types of the errors in a report: kind and what they have in common.
fn types(report: &Value) -> BTreeSet<(&str, &str)> {
    let errors = report["errors"].as_array().expect("errors").iter();
    errors.filter_map(|error| error["kind"].as_str().zip(error["type"].as_str())).collect()
}

#[test]
fn types_of_errors_do_not_depend_on_the_order_of_the_search() {
    let all = |search| {
        let options = ["--all-errors", "--depth", "80", "--search", search];
        check("examples/data_switch.argos", &options).1
    };
    let first = all("bfs");
    assert_eq!((first["errors"].as_array().map(Vec::len), types(&first).len()), (Some(973), 39));
    for search in ["exhaustive", "dfs"] {
        assert_eq!(types(&all(search)), types(&first), "{search}");
    }
}

/// Whichever type is asked for, its first error stands in front and what is said of the
/// requirements still points at their own errors.
#[test]
fn the_run_of_any_type_can_be_shown() {
    let model = "corpus/papers/nbs.argos";
    let (_, first) = check(model, &["--all-errors"]);
    let mut shown = BTreeSet::new();
    for number in 1..=types(&first).len() {
        let (code, report) = check(model, &["--all-errors", "--error-type", &number.to_string()]);
        let front = &report["errors"][0];
        assert_eq!((code, types(&report)), (1, types(&first)));
        assert_eq!((&front["replayed"], front["trace"].is_array()), (&true.into(), true));
        shown.insert((front["kind"].to_string(), front["type"].to_string()));
        let failing = report["properties"].as_array().expect("a list").iter();
        for property in failing.filter(|property| property["verdict"] == "violated") {
            let at = usize::try_from(self::number(&property["error"])).expect("an index");
            assert_eq!(report["errors"][at]["kind"], property["kind"], "{number}");
        }
    }
    assert_eq!(shown.len(), types(&first).len(), "each type is shown once");
    let text = run(&["check", model, "--all-errors", "--error-type", "9"]);
    assert!(text.text.contains("--error-type 9: there are 5 types of errors"), "{}", text.text);
    assert_eq!(run(&["check", model, "--error-type", "1"]).code, 2, "only with --all-errors");
}

/// Best first is an order: it finds what other searches find, is complete when it ends, and
/// says what it cannot do.
#[test]
fn a_directed_search_decides_what_others_do() {
    let models = [
        "corpus/papers/abp_a4.argos",
        "corpus/papers/abp_a1.argos",
        "corpus/papers/abp_a2.argos",
        "corpus/papers/abp_a3.argos",
        "corpus/promela/semantics/deadlock_behind_assertion.pml",
    ];
    for model in models {
        for more in [&[][..], &["--all-errors"], &["--store", "full"]] {
            let plain = check(model, &[&["--search", "bfs"], more].concat());
            let (code, report) = check(model, &[&["--search", "directed"], more].concat());
            assert_eq!((code, &report["verdict"]), (plain.0, &plain.1["verdict"]), "{model}");
            assert_eq!(
                report["properties"].as_array().map(Vec::len),
                plain.1["properties"].as_array().map(Vec::len)
            );
        }
    }
    let refused = [
        (&["corpus/papers/nbs.argos"][..], "here is none of these"),
        (&["corpus/papers/nbs.argos", "--ltl", "[] len(ca) < 2"], "here is none of these"),
        (&["corpus/backward/mutex.pml", "--cover", "timeout"], "does not say"),
        (&["corpus/promela/mini/m50_priority.pml", "--cover", "_nr_pr == 1"], "does not say"),
        (&["corpus/papers/abp_a1.argos", "--depth", "9"], "a depth bound"),
        (&["corpus/papers/abp_a1.argos", "--store", "path"], "a store that forgets"),
        (&["corpus/papers/abp_a1.argos", "--engine", "reference"], "does not say"),
        (&["corpus/papers/abp_a1.argos", "--cache", "9"], "a best-first search"),
    ];
    for (arguments, reason) in refused {
        let run = run(&[&["check", "--search", "directed"], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.complaints.contains(reason), "{arguments:?}: {}", run.complaints);
    }
}

/// The third assertion of the alternating bit protocol, which fails late, in fewer states than
/// breadth first.
#[test]
fn a_directed_search_goes_for_the_assertion() {
    let states = |search: &str| {
        let options = ["--search", search, "--after-error", "0"];
        let (code, report) = check("corpus/papers/abp_a3.argos", &options);
        assert_eq!(code, 1, "{search}");
        all_states(&report)
    };
    let (directed, breadth) = (states("directed"), states("bfs"));
    assert!(directed < breadth, "{directed} of {breadth}");
}

/// Best first towards predicates: the verdicts of breadth first, whatever the estimate says.
#[test]
fn a_directed_search_decides_predicates_as_others_do() {
    let models = [
        ("corpus/papers/nbs.argos", "A@estab && B@estab", "len(ca) == 3 && head(ca) == m1"),
        ("corpus/papers/abp_a4.argos", "full(link)", "count(link, msg1) == 2"),
        ("corpus/backward/mutex.pml", "user[0]@critical", "inside == 2 || user[0]:12 && turn > 1"),
        ("corpus/backward/crossing.pml", "user[4]@inside", "user[3]@inside && user[4]@inside"),
    ];
    for (model, reached, unreached) in models {
        let never = format!("!({unreached})");
        let options = ["--cover", reached, "--cover", unreached, "--invariant", &never];
        let verdicts = |search: &str| -> Vec<Value> {
            let (_, report) = check(model, &[&options[..], &["--search", search]].concat());
            let all = report["properties"].as_array().expect("properties").iter();
            let predicates =
                all.filter(|it| name(it).contains("cover") || name(it).contains("inv"));
            predicates.map(|property| property["verdict"].clone()).collect()
        };
        let directed = verdicts("directed");
        assert_eq!(directed, verdicts("bfs"), "{model}");
        assert_eq!(directed, ["holds", "reached", "unreached"], "{model}");
    }
}

/// In each language a state far down that is found with a tenth of the states of breadth first.
#[test]
fn a_directed_search_goes_for_a_predicate() {
    for (model, predicate) in [
        ("corpus/faulty/commit.argos", "chief:yes == 3 && len(a) == 2 && head(d) == undo"),
        ("corpus/faulty/exclusion.pml", "inside == 1"),
        ("examples/mulog3.pml", "len(to[0]) == 2 && head(to[0]) == token"),
    ] {
        let states = |search: &str| {
            let options = ["--search", search, "--cover", predicate, "--only", "cover 1"];
            let (code, report) = check(model, &options);
            assert_eq!((code, &report["properties"][0]["verdict"]), (0, &"reached".into()));
            all_states(&report)
        };
        let (directed, breadth) = (states("directed"), states("bfs"));
        assert!(directed * 10 < breadth, "{model}: {directed} of {breadth}");
    }
}
