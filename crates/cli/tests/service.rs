//! `argos check --within NAME`: can the protocol perform the service that an assertion describes?

use serde_json::Value;
use std::fs;
use std::path::Path;
use testkit::argos::{Run, run, run_in};

const MODEL: &str = "corpus/small/service_alternating_bit.argos";

fn argos(arguments: &[&str]) -> Run {
    run_in(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments)
}

fn written(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("the scratch directory is ours");
    name.to_owned()
}

/// The complaint of a refusal.
fn refused(arguments: &[&str]) -> String {
    let Run { code, text, complaints } = run(&[&["check"], arguments].concat());
    assert_eq!((code, text.as_str()), (2, ""), "{arguments:?}: {complaints}");
    complaints
}

#[test]
fn a_possible_service_is_shown() {
    for name in ["1", "assert 1"] {
        let report = run(&["check", "--json", MODEL, "--within", name]).json();
        assert_eq!(report["verdict"], "possible");
        assert_eq!(report["complete"], true);
        let [property] = report["properties"].as_array().expect("a list").as_slice() else {
            panic!("one service: {}", report["properties"]);
        };
        assert_eq!(property["name"], "service assert 1");
        assert_eq!(property["kind"], "service");
        assert_eq!(property["verdict"], "reached");
        let witness = &report["witnesses"][0];
        assert_eq!((&witness["steps"], &witness["length"]), (&16.into(), &"shortest".into()));
        let to_user = |event: &&Value| event["action"].as_str().unwrap_or("").starts_with("user!");
        let events = witness["trace"].as_array().expect("a list").iter().filter(to_user);
        let sent: Vec<&Value> = events.map(|event| &event["action"]).collect();
        assert_eq!(sent, ["user!msg1", "user!msg0"]);
    }
    let screen = run(&["check", MODEL, "--within", "1"]);
    assert_eq!(screen.code, 0);
    assert!(screen.text.starts_with("POSSIBLE  "), "{}", screen.text);
    assert!(!screen.text.contains("HOLDS"), "{}", screen.text);
}

#[test]
fn an_impossible_service_needs_a_complete_search() {
    let report = run(&["check", "--json", MODEL, "--within", "2"]).json();
    assert_eq!(report["verdict"], "impossible");
    assert_eq!(report["properties"][0]["verdict"], "unreached");
    for part in [&["--depth", "3"][..], &["--store", "bitstate"], &["--search", "random"]] {
        let run = run(&[&["check", "--json", MODEL, "--within", "2"], part].concat());
        assert_eq!((run.code, run.json()["verdict"].as_str()), (4, Some("incomplete")));
    }
    let gate = run(&["check", MODEL, "--within", "2", "--fail-on", "cover"]);
    assert_eq!(gate.code, 6);
    assert!(gate.complaints.contains("services never performed: 1"), "{}", gate.complaints);
}

/// Other assertions of the model do not watch, and errors of the protocol are not looked for.
#[test]
fn nothing_else_is_decided() {
    let text = "channel c[2], d[2];
        proc p { c!a; d!b; c!a; c?a; c?default }
        assert { c!a; c!a }
        assert { d!x }";
    let model = written("service_alone.argos", text);
    assert_eq!(argos(&["check", &model]).code, 1);
    let report = argos(&["check", "--json", &model, "--within", "1"]).json();
    assert_eq!(report["verdict"], "possible");
    assert_eq!(report["witnesses"][0]["steps"], 3);
    assert_eq!(report["errors"].as_array().map(Vec::len), Some(0));
}

/// Behind an error the runs go on in a way that nobody knows.
#[test]
fn a_division_by_zero_leaves_it_open() {
    let text = "channel c[1];
        proc p { var v = 0; v = 1 / v; c!a; c!b }
        assert { c!a; c!b }";
    let model = written("service_divides.argos", text);
    let run = argos(&["check", "--json", &model, "--within", "1"]);
    assert_eq!((run.code, run.json()["properties"][0]["verdict"].as_str()), (4, Some("unknown")));
}

#[test]
fn it_may_be_performed_before_any_step() {
    let text = "channel c[1]; proc p { c!a } assert { if :: c!a :: skip fi }";
    let model = written("service_at_once.argos", text);
    let report = argos(&["check", "--json", &model, "--within", "1"]).json();
    assert_eq!(report["verdict"], "possible");
    assert_eq!(report["witnesses"][0]["message"], "performed in the initial state");
}

#[test]
fn the_run_is_replayed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let text = fs::read_to_string(testkit::root().join(MODEL)).expect("the model can be read");
    let model = written("service_replayed.argos", &text);
    for search in ["bfs", "dfs"] {
        let check = ["check", &model, "--within", "1", "--search", search];
        let saved = argos(&[&check[..], &["--trace", "service_run.json"]].concat());
        assert_eq!(saved.code, 0, "{}", saved.complaints);
        let replayed = argos(&["replay", "service_run.json", "--exit-verdict"]);
        assert_eq!((replayed.code, replayed.complaints.as_str()), (0, ""));
        let title = "REACHED: service assert 1: performed after step ";
        assert!(replayed.text.starts_with(title), "{}", replayed.text);
    }
    assert!(folder.join("service_run.json").exists());
}

/// A saved run to a state that was asked for is no violation either.
#[test]
fn a_replayed_cover_is_no_violation() {
    let model = written("service_cover.argos", "channel c[1]; proc p { c!a; c?a }");
    let check = ["check", &model, "--cover", "full: nempty(c)", "--trace", "cover_run.json"];
    assert_eq!(argos(&check).code, 0);
    let replayed = argos(&["replay", "cover_run.json", "--exit-verdict"]);
    assert_eq!(replayed.code, 0, "{}", replayed.text);
    assert!(
        replayed.text.starts_with("REACHED: cover full: true after step 1\n"),
        "{}",
        replayed.text
    );
}

#[test]
fn several_files_have_a_row_each() {
    let run = run(&["check", MODEL, "examples/abp.argos", "--within", "1"]);
    assert_eq!(run.code, 0, "{}", run.complaints);
    assert_eq!(run.text.matches("✓ POSSIBLE").count(), 2, "{}", run.text);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let names = refused(&[MODEL, "--within", "assert 9"]);
    assert!(names.contains("no such assertion; there are: assert 1, assert 2"), "{names}");
    let none = refused(&["examples/gate.argos", "--within", "9"]);
    assert!(none.contains("--within 9"), "{none}");
    let endless = refused(&["corpus/small/assertion_endless.argos", "--within", "1"]);
    assert!(endless.contains("cannot be reached") && endless.contains("breaks"), "{endless}");
    let promela = refused(&["corpus/faulty/leader.pml", "--within", "1"]);
    assert!(promela.contains("--cover") && promela.contains("never claim"), "{promela}");
    let others: [&[&str]; 9] = [
        &["--only", "deadlock"],
        &["--cover", "1"],
        &["--invariant", "1"],
        &["--ltl", "[] 1"],
        &["--check", "livelock"],
        &["--all-errors"],
        &["--search", "directed"],
        &["--reduce", "ample"],
        &["--reduce", "internal"],
    ];
    for other in others {
        let why = refused(&[&[MODEL, "--within", "1"], other].concat());
        assert!(why.contains("--within"), "{other:?}: {why}");
    }
}
