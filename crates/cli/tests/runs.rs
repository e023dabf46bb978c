//! How runs are shown to people: by `check`, `sim` and `replay`, as text, SVG and Mermaid.

use std::fs;
use std::path::Path;
use testkit::argos::{Run, run, run_in};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Runs a command on a model that is written here; `MODEL` stands for its file.
fn argos(name: &str, text: &str, arguments: &[&str]) -> Run {
    let end = if text.contains("proctype") { "pml" } else { "argos" };
    let file = format!("runs_{name}.{end}");
    fs::write(folder().join(&file), text).expect("the scratch directory is ours");
    let named = |word: &&str| if *word == "MODEL" { file.clone() } else { (*word).to_owned() };
    let arguments: Vec<String> = arguments.iter().map(named).collect();
    run_in(folder(), &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The lines of a text, their blanks made one.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn has(run: &Run, wanted: &str) {
    assert!(lines(&run.text).join(" ").contains(wanted), "no `{wanted}` in\n{}", run.text);
}

fn lacks(run: &Run, unwanted: &str) {
    assert!(!run.text.contains(unwanted), "`{unwanted}` in\n{}", run.text);
}

const LOOP: &str = "int sum; bool done; mtype = { red, green }; mtype light = red;
active proctype main() {
  int i;
  atomic { for (i : 1 .. 2) { sum = sum + i }; done = true }
  if :: light == red -> light = green :: else -> skip fi;
  printf(\"the sum of the first two numbers, as far as it is known, is %d\\n\", sum);
  assert(sum == 4 && light == red)
}";

#[test]
fn a_simulation_without_channels_is_shown_with_what_it_prints() {
    let run = argos("sim", LOOP, &["sim", "MODEL", "--seed", "1"]);
    has(&run, "· prints \"the sum of the first two numbers, as far as it is known, is 3\" :6");
    has(&run, "a random run of 13 steps");
    let silent = "process p { var x; x = 1; x = 2 }";
    let run = argos("sim_argos", silent, &["sim", "MODEL", "--seed", "1"]);
    has(&run, "· x = 2");
}

#[test]
fn a_step_is_the_statement_that_was_executed() {
    let run = argos("loop", LOOP, &["check", "MODEL"]);
    for step in ["1 · i = 1 :4", "2 · i <= 2 :4", "4 · i++ :4", "8 · else :4", "9 · done = true :4"]
    {
        has(&run, step);
    }
    for text in ["for (i", "if ::", "skip"] {
        lacks(&run, text);
    }
    let text =
        "byte x; active proctype main() { x /* the one */ = 1; // and only\n assert(x > 1) }";
    has(&argos("comment", text, &["check", "MODEL"]), "1 · x = 1 :1");
    let text = "byte n = 3, i; active proctype main() { select (i : 1 .. n); assert(i != 2) }";
    let run = argos("select", text, &["check", "MODEL"]);
    has(&run, "1 · i = 1 :1 2 · i < n :1 3 · i++ :1 4 · break :1 5 · assert(i != 2) :1");
    // One use of a macro can be several statements.
    let text = "#define twice x = x + 1; x = x + 2\nbyte x;
        active proctype main() { twice; assert(x == 4) }";
    let run = argos("macro", text, &["check", "MODEL"]);
    has(&run, "· x = (x+1) :3");
    has(&run, "· x = (x+2) :3");
    let text = "#define wait(s) atomic { s > 0 -> s-- }\nbyte m = 1;
        active proctype main() { wait(m); wait(m) }";
    let run = argos("semaphore", text, &["check", "MODEL"]);
    has(&run, "1 · (m>0) :3 2 · m = (m-1) :3 ✗ nothing can move");
    // A declaration behind the first statement is one.
    let text = "byte x; active proctype main() { x = 1; byte y; y = x + 1; assert(y == 0) }";
    has(&argos("declaration", text, &["check", "MODEL"]), "2 · y = 0 :1 3 · y = x + 1 :1");
}

#[test]
fn an_assertion_that_fails_says_what_it_was_told() {
    let run = argos("told", LOOP, &["check", "MODEL"]);
    has(&run, "light == red) in main (line 7): sum is 3, light is green");
    let inside = "byte x; active proctype main() { d_step { x = 2; assert(x == 3) } }";
    let run = argos("told_inside", inside, &["check", "MODEL"]);
    has(&run, "assert(x == 3) in main (line 1): x is 2");
}

#[test]
fn what_a_value_says_already_is_not_said_twice() {
    let text = "active proctype one() { byte x; L: x = 1 }
        active proctype two() { one@L; one@L; one@L }";
    let run = argos("twice", text, &["check", "MODEL"]);
    has(&run, "✗ two line 2 one@L one@L is false");
    lacks(&run, "is false:");
}

#[test]
fn with_the_counts_of_spin_no_cycles_are_looked_for() {
    let text = "byte x; active proctype main() { do :: x = 1 - x; progress: skip od }";
    let run = argos("counts", text, &["check", "MODEL", "--spin-counts"]);
    has(&run, "but with --spin-counts no cycles are looked for");
}

#[test]
fn changes_of_an_atomic_sequence_stand_at_their_own_steps() {
    let run = argos("changes", LOOP, &["check", "MODEL", "--steps", "--state"]);
    has(&run, "3 main sum = sum + i :4 sum 0 → 1");
    has(&run, "9 main done = true :4 done false → true");
    has(&run, "light = green :5 light red → green");
    let state = lines(&run.text);
    let at = state.iter().position(|line| line == "last state").expect("a last state");
    assert_eq!(
        state[at + 1..at + 5],
        ["main.i 0 → 3", "sum 0 → 3", "done false → true", "light red → green"]
    );
}

#[test]
fn who_waits_says_the_values_that_keep_it() {
    let text = "byte turn[2]; mtype = { idle, busy }; mtype s = busy;
active proctype one() { turn[0] = 10; turn[_pid] < 10 }
active proctype two() provided (s == idle) { turn[1] = 1 }
active proctype three() { d_step { len(q) > 0; turn[1] = 2 } }
chan q = [1] of { byte, bool };
chan r = [1] of { byte, mtype };
active proctype four() { byte x = 3; r!4,busy; r?eval(x),busy }";
    let run = argos("waits", text, &["check", "MODEL"]);
    has(&run, "turn[_pid] < 10 is false: turn[0] is 10");
    has(&run, "✗ three line 4 len(q) > 0");
    lacks(&run, "d_step {");
    has(&run, "provided (s == idle) is false: s is busy");
    has(&run, "len(q) > 0 is false: len(q) is 0");
    has(&run, "the head of r is 4(busy); x is 3");
}

const TWO_WAYS: &str = "chan a = [2] of { byte }; chan b = [2] of { byte };
active proctype from() { a!1; b!2; a!3 }
active proctype to() { byte x; a?x; b?x; assert(false) }";

#[test]
fn an_arrow_says_which_of_several_channels_it_takes() {
    let run = argos("ways", TWO_WAYS, &["check", "MODEL", "--trace", "runs_ways.json"]);
    has(&run, "a!1");
    has(&run, "b!2");
    let picture = |format| run_in(folder(), &["replay", "runs_ways.json", "--format", format]);
    has(&picture("mermaid"), "P0-)P1: 1 a!1");
    has(&picture("svg"), ">b!2</text>");
    let one = TWO_WAYS.replace("b!2; ", "").replace("b?x; ", "");
    lacks(&argos("way", &one, &["check", "MODEL"]), "a!1");
}

/// Left of the first lane stand the numbers of the steps: a long name does not cover them.
#[test]
fn a_receive_has_its_channel_where_there_is_room() {
    let model = testkit::root().join("examples/data_switch.argos");
    let model = model.to_str().expect("a path in UTF-8");
    run_in(folder(), &["check", model, "--trace", "runs_switch.json"]);
    let picture = run_in(folder(), &["replay", "runs_switch.json", "--format", "svg"]);
    has(&picture, ">?answer</text>");
    has(&picture, ">fromfar?ack0</text>");
    lacks(&picture, "fromfar?answer");
}

#[test]
fn a_message_received_behind_the_violation_is_not_in_brackets() {
    let model = testkit::root().join("corpus/papers/abc_a1.argos");
    let model = model.to_str().expect("a path in UTF-8");
    has(&testkit::argos::run(&["check", model]), "1 [b],");
    has(&testkit::argos::run(&["check", model, "--to-end"]), "1 b,");
}

#[test]
fn a_result_names_what_is_required_and_then_what_was_found() {
    let run = argos("named", LOOP, &["check", "MODEL"]);
    has(&run, "✗ assertions: FAIL ✓ deadlock: none ✓ bad index: none");
    let good = LOOP.replace("sum == 4", "sum == 3").replace("== red)", "== green)");
    let run = argos("named_good", &good, &["check", "MODEL"]);
    has(&run, "✓ assertions: hold ✓ deadlock: none");
    let run = argos("only", LOOP, &["check", "MODEL", "--only", "assertions", "--json"]);
    assert_eq!(run.json()["properties"][0]["name"], "no assertion fails");
    assert_eq!(run.json()["established"][0], "An assertion can fail.");
}

#[test]
fn searches_of_parts_are_one_line_unless_asked_for() {
    let text = "byte a, b; active [2] proctype p() {
        end: do :: a < 120 -> a++ :: b < 120 -> b++ od }";
    let run = argos("stages", text, &["check", "MODEL"]);
    has(&run, "searches of parts before the complete one: --explain-search");
    lacks(&run, "scatter");
    let run = argos("stages", text, &["check", "MODEL", "--explain-search"]);
    has(&run, "scatter");
}

#[test]
fn what_is_set_is_neither_contradicted_nor_proposed() {
    let text = "process p { queue q; q!m; q?m }";
    let run = argos("capacity", text, &["check", "MODEL", "--capacity", "1"]);
    has(&run, "every channel holds 1 message");
    lacks(&run, "hold 2 messages");
}

#[test]
fn a_replay_succeeds_unless_the_verdict_is_asked_for() {
    let run = argos("exit", TWO_WAYS, &["check", "MODEL", "--trace", "runs_exit.json"]);
    assert_eq!(run.code, 1);
    assert_eq!(run_in(folder(), &["replay", "runs_exit.json"]).code, 0);
    assert_eq!(run_in(folder(), &["replay", "runs_exit.json", "--exit-verdict"]).code, 1);
}

#[test]
fn many_that_wait_are_counted_and_told_apart_by_their_places() {
    let text = "chan c = [0] of { bit };
active [9] proctype waits() {
  if
  :: skip -> here: c?0
  :: skip -> there: c?0
  fi
}";
    let run = argos("many", text, &["check", "MODEL"]);
    has(&run, "deadlock: waits:0, waits:1, waits:2, waits:3, waits:4 and 4 others wait and nobody");
    let few = text.replace("[9]", "[2]");
    let run = argos("few", &few, &["check", "MODEL", "--all-errors"]);
    has(&run, "4 errors of 4 types");
    has(&run, "1 x deadlock: waits:0 at here, waits:1 at there");
    let run = argos("one_by_one", &few, &["check", "MODEL"]);
    lacks(&run, "of 1 type");
}

#[test]
fn a_long_place_keeps_its_line_and_a_long_result_its_distance() {
    fs::write(folder().join("runs_a_file_with_a_long_name.h"), "x = 1; assert(x == 2)\n")
        .expect("the scratch directory is ours");
    let text = "byte x;
active proctype main() {
#include \"runs_a_file_with_a_long_name.h\"
}
ltl a_formula_with_a_name_that_takes_room { [] (x < 1) }";
    let run = argos("place", text, &["check", "MODEL", "--search", "partial"]);
    has(&run, "…a_long_name.h:1");
    let model = text.replace("[] (x < 1)", "[] (x < 3)");
    let run = argos("room", &model, &["check", "MODEL", "--depth", "1"]);
    has(&run, "? ltl a_formula_with_a_name_that_takes_room: no violation i… line 5");
}

/// Of the shortest runs the one with the fewest context switches is shown, whoever finds the error.
#[test]
fn the_run_shown_does_not_depend_on_the_search() {
    let of = |options: &[&str]| {
        let run = run(&[&["check", "examples/two_phase_commit.argos", "--json"], options].concat());
        let report: serde_json::Value = serde_json::from_str(&run.text).expect("JSON");
        let error = &report["errors"][0];
        (error["switches"].clone(), error["trace"].clone())
    };
    let first = of(&[]);
    assert_eq!(first.0, 7);
    let others: [&[&str]; 5] = [
        &["--search", "bfs"],
        &["--search", "exhaustive"],
        &["--engine", "closures"],
        &["--threads", "2", "--reduce", "none"],
        &["--search", "random", "--seed", "3"],
    ];
    for options in others {
        assert_eq!(of(options), first, "{options:?}");
    }
}
