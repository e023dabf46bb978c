//! A command ends when its time is over, or at a signal, whatever stage it is in; and a run of a
//! million steps is executed again, saved and replayed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use testkit::argos::{Run, command, run};

/// Far more than a second, for a busy machine, and far less than each model takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// So many statements take minutes before any search begins.
const STATEMENTS: usize = 60_000;

/// A model of many statements in a row, in a file.
fn long(name: &str, before: &str, after: &str) -> PathBuf {
    let statements: String =
        (0..STATEMENTS).map(|number| format!("  x = (x + {}) % 11;\n", number % 7)).collect();
    written(name, &format!("{before}{statements}{after}"))
}

/// Macros that double the text 17 times, in a file.
fn doubled(name: &str, before: &str, after: &str) -> PathBuf {
    let macros: String = (1..=17).map(|at| format!("#define A{at} A{0} A{0}\n", at - 1)).collect();
    written(name, &format!("#define A0 x = (x + 1) % 7;\n{macros}{before} A17 {after}"))
}

fn written(name: &str, text: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, text).expect("the directory for tests is writable");
    file
}

fn started(arguments: &[&str], file: &Path) -> Child {
    let mut command = command();
    command.args(arguments).arg(file).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs")
}

/// What a command printed, if it came to its end in time.
fn ended(mut child: Child, what: &str) -> Run {
    let start = Instant::now();
    while child.try_wait().expect("the child can be asked").is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().expect("the child can be stopped");
            panic!("{what} does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Run::from(child.wait_with_output().expect("its output can be read"))
}

#[test]
fn the_time_is_over_before_a_search_begins() {
    for file in [
        long("late.pml", "byte x; active proctype p() {\n", "skip }\n"),
        long("late.argos", "var x = 0; proc p {\n", "skip }\n"),
        doubled("doubled.pml", "byte x; active proctype p() {", "skip }\n"),
        doubled("doubled.argos", "var x = 0; proc p {", "skip }\n"),
    ] {
        for arguments in [&["check", "--time", "1s"][..], &["backward", "--time", "1s"]] {
            let what = format!("{arguments:?} {}", file.display());
            let run = ended(started(arguments, &file), &what);
            assert_eq!(run.code, 4, "{what}: {}{}", run.text, run.complaints);
            // The line breaks where the path of the file is long.
            let words: Vec<&str> = run.text.split_whitespace().collect();
            assert!(words.join(" ").contains("time limit"), "{what}: {}", run.text);
        }
    }
}

/// Each test has its own time, and none that is late looks like a success.
#[test]
fn tests_end_when_their_time_is_over() {
    let before = "// expect: holds\nbyte x; active proctype p() {\n";
    let file = long("late-test.pml", before, "skip }\n");
    let junit = Path::new(env!("CARGO_TARGET_TMPDIR")).join("late-test.xml");
    let arguments = ["test", "--time", "1s", "--junit", junit.to_str().expect("a plain name")];
    let run = ended(started(&arguments, &file), "a late test");
    assert_eq!(run.code, 4, "{}{}", run.text, run.complaints);
    assert!(run.text.starts_with("UNDECIDED  1 of 1 test"), "{}", run.text);
    let junit = fs::read_to_string(junit).expect("it was written");
    assert!(junit.contains("failures=\"0\" errors=\"1\""), "{junit}");
}

/// A check that was ended before it had requirements is a case that is not decided.
#[test]
fn results_of_a_late_check_are_no_success() {
    let file = doubled("late-junit.pml", "byte x; active proctype p() {", "skip }\n");
    let junit = Path::new(env!("CARGO_TARGET_TMPDIR")).join("late-check.xml");
    let name = junit.to_str().expect("a plain name");
    let arguments = ["check", "--time", "1s", "--fail-on", "cover,vacuous", "--junit", name];
    let run = ended(started(&arguments, &file), "a late check");
    assert_eq!(run.code, 4, "{}{}", run.text, run.complaints);
    let junit = fs::read_to_string(junit).expect("it was written");
    assert!(junit.contains("<error message=\"not decided: "), "{junit}");
    assert!(junit.contains("--fail-on vacuous"), "{junit}");
    let arguments = ["traces", "--time", "1s"];
    let run = ended(started(&arguments, &file), "late traces");
    assert_eq!((run.code, run.text.as_str()), (4, ""), "{}", run.complaints);
}

/// Models that a signal leaves no time for are listed as well.
#[test]
fn a_signal_ends_all_tests_with_their_table() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("signal-tests");
    fs::create_dir_all(&folder).expect("the directory for tests is writable");
    for number in 0..4 {
        let before = "// expect: holds\nbyte x; active proctype p() {\n";
        long(&format!("signal-tests/{number}.pml"), before, "skip }\n");
    }
    for arguments in [&["test", "--jobs", "1"][..], &["check"]] {
        let child = started(arguments, &folder);
        std::thread::sleep(Duration::from_millis(300));
        let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
        assert!(sent.expect("there is a kill command").success());
        let run = ended(child, "an interrupted command");
        assert_eq!(run.code, 4, "{arguments:?}: {}{}", run.text, run.complaints);
        for number in 0..4 {
            assert!(run.text.contains(&format!("{number}.pml")), "{arguments:?}: {}", run.text);
        }
    }
}

#[test]
fn a_signal_ends_a_stage_before_the_search() {
    let file = long("signal.pml", "byte x; active proctype p() {\n", "skip }\n");
    let child = started(&["check"], &file);
    std::thread::sleep(Duration::from_millis(300));
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(sent.expect("there is a kill command").success());
    let run = ended(child, "an interrupted check");
    assert_eq!(run.code, 4, "{}{}", run.text, run.complaints);
    assert!(run.text.contains("interrupted"), "{}", run.text);
}

/// By a search that stores every state once: the figures bound the work, not the clock.
#[test]
fn a_run_of_a_million_steps_is_executed_again_and_replayed() {
    for model in ["corpus/long/million.argos", "corpus/long/million.pml"] {
        let saved = Path::new(env!("CARGO_TARGET_TMPDIR")).join("million.json");
        let saved = saved.to_str().expect("a plain name");
        let checked = run(&["check", model, "--search", "dfs", "--plain", "--trace", saved]);
        assert_eq!(checked.code, 1, "{model}: {}", checked.complaints);
        for part in [" 1,000,000 steps", "re-executed", "states, 1,000,00"] {
            assert!(checked.text.contains(part), "{model}: {part}: {}", checked.text);
        }
        assert!(!checked.text.contains("not re-executed"), "{}", checked.text);
        let replayed = run(&["replay", saved, "--exit-verdict"]);
        assert_eq!(replayed.code, 1, "{model}: {}", replayed.complaints);
        assert!(replayed.text.starts_with("VIOLATED"), "{model}");
    }
}
