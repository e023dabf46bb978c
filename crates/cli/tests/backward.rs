//! `argos backward` as a user of its JSON and exit codes sees it.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn argos(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_argos"));
    command.current_dir(root).arg("backward").args(arguments).output().expect("the binary runs")
}

/// The object and the exit code.
fn object(arguments: &[&str]) -> (Value, Option<i32>) {
    let output = argos(&[arguments, &["--json"]].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    let object = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    (object, output.status.code())
}

fn candidates<'a>(object: &'a Value, kind: &str) -> Vec<&'a Value> {
    let all = object["candidates"].as_array().expect("there are candidates");
    all.iter().filter(|candidate| candidate["kind"] == kind).collect()
}

fn reachable<'a>(candidates: &[&'a Value]) -> Vec<&'a Value> {
    candidates.iter().copied().filter(|candidate| candidate["verdict"] == "reachable").collect()
}

#[test]
fn the_protocols_of_1984_have_their_candidates() {
    for (model, deadlocks, steps) in
        [("corpus/papers/b84_setup.argos", 47, 8), ("corpus/papers/b84_deletion.argos", 5, 5)]
    {
        let (object, code) = object(&[model]);
        assert_eq!(code, Some(1));
        assert_eq!((&object["verdict"], &object["complete"]), (&"violated".into(), &true.into()));
        let listed = candidates(&object, "deadlock");
        assert_eq!(listed.len(), deadlocks);
        let found = reachable(&listed);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["trace"].as_array().map(Vec::len), Some(steps));
        let others = listed.iter().filter(|candidate| candidate["verdict"] == "unreachable");
        assert_eq!(others.count(), deadlocks - 1);
        assert!(listed.iter().all(|candidate| candidate["states"].is_u64()));
        assert_eq!(object["errors"][0]["replayed"], true);
        assert_eq!(object["forward"]["complete"], true);
    }
}

/// The deadlocks of the set-up protocol take fewer states than the forward search.
#[test]
fn the_set_up_protocol_is_decided_with_fewer_states_than_forwards() {
    let (object, code) = object(&["corpus/papers/b84_setup.argos", "--only", "deadlock"]);
    assert_eq!(code, Some(1));
    let states: u64 =
        candidates(&object, "deadlock").iter().filter_map(|c| c["states"].as_u64()).sum();
    let forward = object["forward"]["states"].as_u64().expect("it is a number");
    assert_eq!(forward, 176);
    assert!(states < forward, "{states}");
}

#[test]
fn an_unspecified_reception_is_found_backwards() {
    let (object, code) = object(&["corpus/papers/b84_ab.argos"]);
    assert_eq!(code, Some(1));
    let found = reachable(&candidates(&object, "unspecified-reception"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["where"], "m2 in B, B line 11");
    assert!(reachable(&candidates(&object, "deadlock")).is_empty());
}

#[test]
fn a_target_can_happen_or_not() {
    let counters = "corpus/papers/b84_counters.argos";
    let s2 = "N == 2 && M == 2 && empty(TOA) && empty(TOB) && full(A) && full(B)";
    let (reached, code) = object(&[counters, "--target", s2]);
    assert_eq!((&reached["candidates"][0]["verdict"], code), (&"reachable".into(), Some(1)));
    assert_eq!(reached["forward"]["found"], true);
    let (never, code) = object(&[counters, "--target", "N == 3"]);
    assert_eq!((&never["candidates"][0]["verdict"], code), (&"unreachable".into(), Some(0)));
    assert_eq!(
        (&never["forward"]["found"], &never["forward"]["complete"]),
        (&false.into(), &true.into())
    );
}

#[test]
fn a_limit_makes_it_undecided() {
    let (object, code) =
        object(&["corpus/papers/b84_setup.argos", "--only", "reception", "--states", "3"]);
    assert_eq!((&object["verdict"], code), (&"incomplete".into(), Some(4)));
    assert_eq!(object["why_incomplete"][0], "states");
}

#[test]
fn what_cannot_be_served_is_refused_with_a_reason() {
    let refusals: [(&[&str], &str); 3] = [
        (&["examples/mulog3.pml"], "backward execution reads Argos models only"),
        (&["examples/abp.argos", "--target", "nobody@s1"], "there is no process `nobody`"),
        (&["examples/abp.argos", "--target", ""], "something is missing here"),
    ];
    for (arguments, reason) in refusals {
        let output = argos(arguments);
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains(reason), "{text}");
    }
}
