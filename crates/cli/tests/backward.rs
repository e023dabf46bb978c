//! `argos backward` as a user of its JSON and exit codes sees it.

use serde_json::Value;
use testkit::argos::{Run, command};

fn argos(arguments: &[&str]) -> Run {
    Run::of(command().arg("backward").args(arguments))
}

/// The object and the exit code.
fn object(arguments: &[&str]) -> (Value, i32) {
    let run = argos(&[arguments, &["--json"]].concat());
    (run.json(), run.code)
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
        assert_eq!(code, 1);
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
    assert_eq!(code, 1);
    let states: u64 =
        candidates(&object, "deadlock").iter().filter_map(|c| c["states"].as_u64()).sum();
    let forward = object["forward"]["states"].as_u64().expect("it is a number");
    assert_eq!(forward, 176);
    assert!(states < forward, "{states}");
}

#[test]
fn an_unspecified_reception_is_found_backwards() {
    let (object, code) = object(&["corpus/papers/b84_ab.argos"]);
    assert_eq!(code, 1);
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
    assert_eq!((&reached["candidates"][0]["verdict"], code), (&"reachable".into(), 1));
    assert_eq!(reached["forward"]["found"], true);
    let (never, code) = object(&[counters, "--target", "N == 3"]);
    assert_eq!((&never["candidates"][0]["verdict"], code), (&"unreachable".into(), 0));
    assert_eq!(
        (&never["forward"]["found"], &never["forward"]["complete"]),
        (&false.into(), &true.into())
    );
}

#[test]
fn a_limit_makes_it_undecided() {
    let (object, code) =
        object(&["corpus/papers/b84_setup.argos", "--only", "reception", "--states", "3"]);
    assert_eq!((&object["verdict"], code), (&"incomplete".into(), 4));
    assert_eq!(object["why_incomplete"][0], "states");
}

#[test]
fn what_cannot_be_served_is_refused_with_a_reason() {
    let refusals: [(&[&str], &str); 1] =
        [(&["corpus/backward/abp.pml", "--lossy"], "have no reversed form here")];
    for (arguments, reason) in refusals {
        let Run { code, complaints: text, .. } = argos(arguments);
        assert_eq!(code, 2);
        assert!(text.contains(reason), "{text}");
    }
}

#[test]
fn promela_models_have_their_candidates() {
    for (model, code, kind, reached) in [
        ("abp", 0, "blocked-send", 0),
        ("crossing", 1, "deadlock", 1),
        ("ordered", 0, "deadlock", 0),
        ("disconnect", 1, "unspecified-reception", 2),
        ("flood", 1, "blocked-send", 2),
        ("mutex", 0, "deadlock", 0),
    ] {
        let (object, exit) = object(&[&format!("corpus/backward/{model}.pml")]);
        assert_eq!((exit, &object["complete"]), (code, &true.into()), "{model}");
        let listed = candidates(&object, kind);
        let found = reachable(&listed);
        assert!(!listed.is_empty(), "{model}");
        assert_eq!(found.len(), reached, "{model}");
        assert!(found.iter().all(|one| one["trace"].as_array().is_some_and(|t| !t.is_empty())));
        let forward = object["forward"]["errors"]["deadlock"].as_u64().unwrap_or(0);
        assert_eq!(forward > 0, code == 1, "{model}");
        let errors = object["errors"].as_array().expect("there is a list");
        assert_eq!(errors.len(), reached, "{model}");
        assert!(errors.iter().all(|error| error["replayed"] == true), "{model}");
    }
}

#[test]
fn a_target_of_a_promela_model_can_happen_or_not() {
    for (model, target, verdict) in [
        ("abp", "sender@wait && len(to_sender) == 1 && sender:sent == 1", "reachable"),
        ("mutex", "user[0]@critical && user[1]@critical", "unreachable"),
        ("mutex", "user[0]@critical && wants[0] == 0", "unreachable"),
        ("mutex", "user[0]@critical && wants[1] == 1 && turn == 0", "reachable"),
        ("mutex", "user[0]:11 && (user[1]:11 || inside == 2)", "unreachable"),
        ("mutex", "user[0]:13 -> inside != 1", "reachable"),
        ("abp", "head(to_sender) == ack(1) && !(sender:got == 1)", "reachable"),
        ("abp", "head(to_sender) == msg", "unreachable"),
        ("abp", "sender@end", "unreachable"),
        ("ordered", "user[3]@inside && user[4]@inside", "unreachable"),
    ] {
        let file = format!("corpus/backward/{model}.pml");
        let (object, code) = object(&[&file, "--target", target]);
        assert_eq!(object["candidates"][0]["verdict"], verdict, "{model}: {target}");
        assert_eq!(code, i32::from(verdict == "reachable"));
        assert_eq!(object["forward"]["found"], verdict == "reachable", "{model}: {target}");
    }
}

#[test]
fn a_promela_construct_without_a_reversed_form_is_shown_where_it_stands() {
    let (object, code) = object(&["examples/mulog3.pml"]);
    assert_eq!((&object["verdict"], code), (&"error".into(), 3));
    let found = &object["diagnostics"][0];
    assert_eq!(found["id"], "B0001");
    let line = found["line"].as_u64().or(found["location"]["line"].as_u64());
    assert!(line.is_some_and(|line| line > 1), "{found}");
    let run = argos(&["examples/mulog3.pml"]);
    let text = run.text + &run.complaints;
    assert!(text.contains("argos check"), "{text}");
}

fn show(arguments: &[&str]) -> Run {
    Run::of(command().arg("show").args(arguments))
}

#[test]
fn reversed_machines_are_shown_in_every_form() {
    let counters = "corpus/papers/b84_counters.argos";
    let table = show(&[counters, "--reversed", "--machine", "B"]);
    assert_eq!(table.code, 0);
    for part in [
        "B   reversed, 5 states",
        "TOA'!msg",
        "M' = 2",
        "(M' != 2)",
        "M'--",
        "N'++",
        "s1 begin goal",
    ] {
        assert!(table.text.contains(part), "{part}: {}", table.text);
    }
    let dot = show(&[counters, "--reversed", "--format", "dot"]);
    assert!(dot.text.starts_with("digraph") && dot.text.contains("A'?msg"), "{}", dot.text);
    assert_eq!(dot.text.matches("penwidth=2").count(), 4, "two begins in each: {}", dot.text);
    let svg = show(&[counters, "--reversed", "--format", "svg", "--machine", "A"]);
    assert!(svg.text.starts_with("<svg") && svg.text.contains("TOB"), "{}", svg.text);
    assert_eq!(show(&[counters, "--reversed", "--format", "svg"]).code, 2);
    assert_eq!(show(&[counters, "--reversed", "--format", "net"]).code, 2);
    assert_eq!(show(&[counters, "--reversed", "--machine", "C"]).code, 2);
    assert_eq!(show(&[counters, "--reversed", "--sizes"]).code, 2);
}

/// Before minimisation the tables have more states; labels and values are shown.
#[test]
fn reversed_machines_show_values_counters_and_the_rest() {
    let raw = show(&["corpus/papers/b84_setup.argos", "--reversed", "--raw"]);
    assert_eq!(raw.code, 0);
    for part in ["receiver'!msg(rbit')", "sender'?ack(tbit')", "sbit' -% 2", "rbit' = sbit'"] {
        assert!(raw.text.contains(part), "{part}: {}", raw.text);
    }
}

#[test]
fn promela_is_shown_reversed_or_refused_as_it_is_executed() {
    let crossing = show(&["corpus/backward/crossing.pml", "--reversed"]);
    assert_eq!(crossing.code, 0, "{}", crossing.complaints);
    assert!(crossing.text.contains("reversed,"), "{}", crossing.text);
    let refused = show(&["examples/mulog3.pml", "--reversed"]);
    assert_eq!(refused.code, 3);
    assert!((refused.text + &refused.complaints).contains("B0001"));
}

#[test]
fn what_is_wrong_in_a_target_is_shown_where_it_was_typed() {
    const FIXED: &str = "examples/abp_fixed.argos";
    const ABP: &str = "corpus/backward/abp.pml";
    const MUTEX: &str = "corpus/backward/mutex.pml";
    const SUM: &str = "user:14 && (turn == 0 -> user[1]@critical + 1 == 2)";
    for (model, typed, id, part, help) in [
        (FIXED, "nobody@end", "A0040", "nobody", "p.x is variable x of process p"),
        (FIXED, "sender@s3", "A0009", "s3", "write `sender:12`"),
        (FIXED, "", "A0002", "", "write a predicate"),
        (FIXED, "len(link) == 1 && 0 < count(link, msg1)", "B0002", "count(link, msg1)", "check"),
        (FIXED, "full(link) <-> 1 == sender:22", "B0002", "sender:22", "argos check --cover"),
        (FIXED, "[] full(link)", "A0044", "[] full(link)", "--ltl"),
        (FIXED, "len(link) == 1 -> !(<> full(link))", "A0044", "(<> full(link))", "--ltl"),
        (ABP, "sender@l3", "M0009", "l3", "write `sender:12`"),
        (ABP, "sender@wait || _nr_pr == 2", "B0002", "_nr_pr", "argos check --cover"),
        (ABP, "!(1 == count(to_sender, ack))", "B0002", "count(to_sender, ack)", "head(q) == m"),
        (ABP, "len(to_sender) == 1 -> 1 + _last == 2", "B0002", "_last", "--cover"),
        (ABP, "len(to_sender) == 1 && (sender@wait U 1)", "M0040", "(sender@wait U 1)", "--ltl"),
        (MUTEX, SUM, "B0002", "user[1]@critical", "argos check --cover"),
        (ABP, "sender.sent == 1", "M", "sender", "sender:sent"),
        (ABP, "sender:0@wait", "M", "@", "`P[0]@wait`"),
        (ABP, "never: sender@wait", "M0002", "never", "another name"),
    ] {
        let shown = argos(&[model, "--target", typed]);
        assert_eq!(shown.code, 3, "{typed}: {}", shown.complaints);
        assert!(shown.text.contains(&format!("error[{id}")), "{}", shown.text);
        assert_eq!(underlined(&shown.text, typed), part, "{}", shown.text);
        assert!(shown.text.contains(help), "{help}: {}", shown.text);
    }
}

/// The part of a text under which carets stand; nothing if they stand behind it.
fn underlined<'a>(shown: &str, typed: &'a str) -> &'a str {
    let carets = shown.lines().find(|line| line.contains('^')).expect("a line with carets");
    let carets = carets.split_once("| ").expect("beside a margin").1;
    let (start, count) = (carets.find('^').expect("a caret"), carets.matches('^').count());
    typed.get(start..start + count).unwrap_or_default()
}

/// Both ways look for the same: what runs backwards begin with, a search forwards finds.
#[test]
fn a_target_is_a_cover() {
    for (model, predicate) in [
        ("examples/abp_fixed.argos", "head(sender) == ack0 && sender:22"),
        ("examples/abp_fixed.argos", "head(receiver) == msg0 && sender:28 && nempty(link)"),
        ("examples/abp_fixed.argos", "full(link) -> !(head(link) != ack1)"),
        ("corpus/papers/b84_setup.argos", "head(receiver) != setup && !empty(receiver)"),
        ("corpus/papers/b84_setup.argos", "full(receiver) && sender.sbit == 1"),
        ("corpus/backward/abp.pml", "head(to_sender) == ack(1) && receiver:expected == 1"),
        ("corpus/backward/abp.pml", "head(to_receiver) != msg(0) && sender:got == receiver:got"),
        ("corpus/backward/crossing.pml", "user[3]:16 && user[4]@inside"),
        ("corpus/backward/mutex.pml", "user[0]:12 && user[1]:10 && turn == 0"),
    ] {
        let (backwards, code) = object(&[model, "--target", predicate]);
        let (_, forwards) = testkit::argos::check(model, &["--cover", predicate]);
        let properties = forwards["properties"].as_array().expect("a list");
        let cover = properties.iter().find(|it| it["kind"] == "cover").expect("it is asked for");
        let expected = if cover["verdict"] == "reached" { 1 } else { 0 };
        assert_eq!(code, expected, "{model}: {predicate}: {}", cover["verdict"]);
        assert_eq!(backwards["complete"], true, "{model}: {predicate}");
    }
}
