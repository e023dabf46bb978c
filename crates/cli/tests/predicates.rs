//! Predicates of states as a user gives them: `--invariant` and `--cover` of `argos check`,
//! `--until` and `--break` of `argos sim`, and the runs that are saved for them.

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use testkit::argos::{Run, check, command, run};

const COUNTERS: &str = "corpus/papers/b84_counters.argos";
const ABP: &str = "corpus/backward/abp.pml";
const MUTEX: &str = "corpus/backward/mutex.pml";
const FIXED: &str = "examples/abp_fixed.argos";

/// The requirement of this name in a report.
fn property<'a>(report: &'a Value, name: &str) -> &'a Value {
    let mut all = report["properties"].as_array().expect("a list").iter();
    all.find(|property| property["name"] == name).unwrap_or_else(|| panic!("no {name}: {report}"))
}

/// What is said of each of these: its verdict, and the statements of the run to it.
fn verdicts(report: &Value, names: &[&str]) -> Vec<(String, Option<u64>)> {
    let one = |name: &&str| {
        let property = property(report, name);
        let run = |list: &str, index: &Value| {
            let entry = &report[list][index.as_u64()? as usize];
            assert_eq!(entry["replayed"], true, "{name}");
            entry["steps"].as_u64()
        };
        let steps = run("errors", &property["error"]);
        let steps = steps.or_else(|| run("witnesses", &property["witness"]));
        (property["verdict"].as_str().expect("a word").to_owned(), steps)
    };
    names.iter().map(one).collect()
}

fn told(list: &[(&str, Option<u64>)]) -> Vec<(String, Option<u64>)> {
    list.iter().map(|(verdict, steps)| ((*verdict).to_owned(), *steps)).collect()
}

fn fits_the_schema(report: &Value) {
    let schema = include_str!("../../report/schema/report.schema.json");
    let schema = serde_json::from_str(schema).expect("the schema is JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is a schema");
    let wrong: Vec<String> =
        validator.iter_errors(report).map(|it| format!("{}: {it}", it.instance_path())).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The counters of 1984: the paper's state [S2] is reached, by 16 steps, and no counter exceeds 2.
#[test]
fn the_counters_of_1984_have_their_states() {
    let s2 = "both: N == 2 && M == 2 && empty(TOA) && empty(TOB) && full(A) && full(B)";
    let options = ["--all-errors", "--invariant", "low: N + M <= 3"];
    let options = [&options[..], &["--invariant", "N <= 2 && M <= 2", "--cover", s2]].concat();
    let (code, report) = check(COUNTERS, &[&options[..], &["--cover", "N == 3"]].concat());
    assert_eq!((code, &report["complete"]), (1, &true.into()));
    let names = ["invariant low", "invariant 2", "cover both", "cover 2"];
    let expected =
        [("violated", Some(14)), ("holds", None), ("reached", Some(16)), ("unreached", None)];
    assert_eq!(verdicts(&report, &names), told(&expected));
    let last = &report["runs"].as_array().expect("a list").last().expect("one")["states"];
    assert_eq!(last, 306, "all states of the corpus file");
    fits_the_schema(&report);
}

/// In the line of a statement is who is about to execute it; labels say the same.
#[test]
fn a_line_is_where_a_process_is_about_to_be_executed() {
    let exclusion = "!(user[0]@critical && user[1]@critical)";
    let by_lines = "!(user[0]:11 && user[1]:11)";
    let options = ["--plain", "--invariant", exclusion, "--invariant", by_lines];
    let cover = ["--cover", "user[1]:12", "--cover", "user[0]:9 && user[1]:13"];
    let never = ["--cover", "differ: user[0]:11 != user[0]@critical"];
    let (code, report) = check(MUTEX, &[&options[..], &cover, &never].concat());
    assert_eq!(code, 0);
    let names = ["invariant 1", "invariant 2", "cover 1", "cover 2", "cover differ"];
    let seen = verdicts(&report, &names);
    let words: Vec<&str> = seen.iter().map(|(verdict, _)| verdict.as_str()).collect();
    assert_eq!(words, ["holds", "holds", "reached", "reached", "unreached"]);
    assert_eq!(seen[2].1, Some(4), "wants, turn, the test, inside++");
    let last = &report["runs"].as_array().expect("a list").last().expect("one")["states"];
    assert_eq!(last, 38, "all states of the corpus file");
    fits_the_schema(&report);

    let (code, report) = check(FIXED, &["--cover", "link:58 && len(link) == 1"]);
    assert_eq!(code, 0);
    assert_eq!(verdicts(&report, &["cover 1"]), told(&[("reached", Some(1))]));
}

#[test]
fn messages_are_looked_at_in_promela() {
    let covers = ["--cover", "answer: head(to_sender) == ack(1)"];
    let covers = [&covers[..], &["--cover", "two: count(to_receiver, msg) > 1"]].concat();
    let invariant = ["--invariant", "len(to_sender) <= 1"];
    let (code, report) = check(ABP, &[&covers[..], &invariant].concat());
    assert_eq!(code, 0);
    let names = ["invariant 1", "cover answer", "cover two"];
    let expected = [("holds", None), ("reached", Some(13)), ("unreached", None)];
    assert_eq!(verdicts(&report, &names), told(&expected));
    fits_the_schema(&report);
}

#[test]
fn a_cover_has_a_witness_and_no_error() {
    let (code, report) = check(FIXED, &["--cover", "head(sender) == ack1"]);
    assert_eq!((code, &report["verdict"]), (0, &"holds".into()));
    let cover = property(&report, "cover 1");
    assert_eq!((&cover["kind"], &cover["witness"]), (&"cover".into(), &0.into()));
    assert_eq!((&cover["text"], &cover["error"]), (&"head(sender) == ack1".into(), &Value::Null));
    let witness = &report["witnesses"][0];
    assert_eq!(witness["message"], "true after step 7");
    let last = witness["trace"].as_array().expect("a list").last().expect("an event");
    assert_eq!(last["changes"]["queues"]["sender"][0], "ack1");
    assert!(report["errors"].as_array().expect("a list").is_empty());
    fits_the_schema(&report);
}

/// Only a complete search knows that a cover is never reached.
#[test]
fn an_unreached_cover_fails_on_demand() {
    let never = "never: head(sender) == ack0 && sender:22";
    let asked = |cover, more: &[&str]| {
        run(&[&["check", FIXED, "--quiet", "--cover", cover], more].concat())
    };
    assert_eq!(asked(never, &[]).code, 0);
    let failed = asked(never, &["--fail-on", "cover"]);
    assert_eq!(failed.code, 6);
    assert!(failed.complaints.contains("covers never reached: 1"), "{}", failed.complaints);
    assert_eq!(asked("head(sender) == ack1", &["--fail-on", "cover"]).code, 0);
    assert_eq!(asked(never, &["--fail-on", "cover", "--depth", "3"]).code, 4);
    let promela = ["check", MUTEX, "--cover", "inside == 2", "--fail-on", "cover"];
    assert_eq!(run(&promela).code, 6);
}

#[test]
fn a_random_run_ends_where_it_is_told_to() {
    for (model, until, seed) in [
        (FIXED, "head(receiver) == msg0", "3"),
        (FIXED, "sender:28", "1"),
        (ABP, "len(to_sender) == 1 && sender@wait", "3"),
        (ABP, "receiver:expected == 1", "2"),
    ] {
        let command = ["sim", model, "--seed", seed, "--length", "2000", "--until", until];
        let ended = run(&command);
        assert_eq!(ended.code, 0, "{until}: {}", ended.complaints);
        let text = &ended.text;
        assert!(text.contains(&format!("to where `{until}` holds")), "{text}");
        let step = text.split_once("random run of ").and_then(|(_, rest)| rest.split_once(' '));
        let steps: usize = step.and_then(|(number, _)| number.parse().ok()).expect("a number");
        // Less, and it does not hold anywhere; an atomic sequence of two counts as one there.
        let less = (steps - if model == ABP { 2 } else { 1 }).to_string();
        let earlier = run(&["sim", model, "--seed", seed, "--length", &less, "--until", until]);
        assert!(earlier.text.contains("does not hold anywhere in it"), "{}", earlier.text);
    }
}

#[test]
fn what_is_wrong_in_a_predicate_of_a_run_is_shown_where_it_was_typed() {
    for (model, option, typed, id, caret) in [
        (FIXED, "--until", "len(link) == 1 && nosuch == 1", "A0006", 19),
        (FIXED, "--break", "sender:21 &&", "A0002", 13),
        (ABP, "--until", "sender@nowhere", "M0", 8),
        (ABP, "--break", "[] len(to_sender) == 1", "M0040", 1),
        (ABP, "--until", "never: len(to_sender) == 1", "M0002", 1),
    ] {
        let mut asked = vec!["sim", model, option, typed];
        asked.extend((option == "--break").then_some("-i"));
        let shown = run(&asked);
        assert_eq!(shown.code, 3, "{typed}");
        assert!(shown.text.contains(&format!("error[{id}")), "{}", shown.text);
        assert!(shown.text.contains(&format!("--> {option}:1:{caret}\n")), "{}", shown.text);
        assert!(shown.text.contains(&format!("| {typed}\n")), "{}", shown.text);
    }
}

/// `argos sim -i`, with these lines typed.
fn typed(model: &str, breaks: &[&str], lines: &str) -> Run {
    let options = breaks.iter().flat_map(|it| ["--break", it]);
    let mut command = command();
    command.args(["sim", model, "-i"]).args(options);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    stdin.write_all(lines.as_bytes()).expect("it reads");
    drop(stdin);
    Run::from(child.wait_with_output().expect("it ends"))
}

#[test]
fn running_ahead_stops_where_it_is_told_to() {
    let argos = typed(FIXED, &["head(sender) == ack1"], "r 500\nq\n");
    assert_eq!(argos.code, 0, "{}", argos.complaints);
    assert!(argos.text.contains("of 500: `head(sender) == ack1` holds"), "{}", argos.text);
    assert!(argos.text.contains("sender empty → ack1"), "{}", argos.text);

    let breaks = ["sender:sent == 1", "full(to_sender)"];
    let promela = typed(ABP, &breaks, "r 500\nr 500\nq\n");
    assert_eq!(promela.code, 0, "{}", promela.complaints);
    assert!(promela.text.contains("`full(to_sender)` holds"), "{}", promela.text);
    let second = promela.text.split("holds").nth(2).expect("it stops twice");
    assert!(second.contains("to_sender ack(0) → empty"), "{second}");
    assert!(second.contains("sender.sent 0 → 1"), "{second}");
}

/// The run to what was asked for is no error: of a saved run and of a report, in every form.
#[test]
fn a_saved_witness_is_replayed_as_one() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (model, cover, message, name) in [
        (FIXED, "late: head(sender) == ack1", "true after step 7", "witness_argos"),
        (ABP, "late: full(to_sender)", "true after step 5", "witness_promela"),
    ] {
        let [saved, report] = ["run", "report"].map(|end| {
            let file = folder.join(format!("{name}.{end}.json"));
            file.display().to_string()
        });
        let found = run(&["check", model, "--cover", cover, "--json", "--trace", &saved]);
        assert_eq!(found.code, 0, "{}", found.complaints);
        std::fs::write(&report, &found.text).expect("the scratch directory is ours");
        let titles = [format!("REACHED: cover late: {message}"), format!("REACHED: {message}")];
        for (file, title) in [&saved, &report].into_iter().zip(titles) {
            let replayed = run(&["replay", file, "--exit-verdict"]);
            assert_eq!((replayed.code, replayed.complaints.as_str()), (0, ""), "{file}");
            assert_eq!(replayed.text.lines().next(), Some(title.as_str()));
            assert!(!replayed.text.contains('✗'), "{}", replayed.text);
            let svg = run(&["replay", file, "--format", "svg"]).text;
            assert!(svg.contains(&title) && !svg.contains("VIOLATED"), "{svg}");
            assert!(!svg.contains("✗ error"), "nothing is wrong: {svg}");
            assert_eq!(run(&["sim", model, "--follow", file]).code, 0);
        }
        let none = run(&["replay", &saved, "--error", "2"]);
        assert!(none.complaints.contains("holds no run with that number"), "{}", none.complaints);
    }
}
