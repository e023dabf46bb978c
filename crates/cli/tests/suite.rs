//! `argos test`: expectations in models, `argos.toml`, matrices, progress.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use testkit::argos::{Run, command, run, run_in};

/// Deadlocks at once.
const STUCK: &str = "chan q = [0] of { byte };\nactive proctype P() { q!1 }\n";
/// Holds if there are fewer than three steps.
const COUNTS: &str = "byte x;\nactive proctype P() { do :: x < N -> x++ :: else -> break od; \
                      assert(x < 3) }\n";
/// Has many states.
const LARGE: &str = "int a, b;\nactive proctype P() { do :: a < 3000 -> a++ :: a > 0 -> a-- od }\n\
                     active proctype Q() { do :: b < 3000 -> b++ :: b > 0 -> b-- od }\n";

/// A folder of models, a repository of its own.
fn repository(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let top = Path::new(env!("CARGO_TARGET_TMPDIR")).join("suite").join(name);
    let _ = fs::remove_dir_all(&top);
    fs::create_dir_all(top.join(".git")).expect("the scratch directory is ours");
    for (file, text) in files {
        let path = top.join(file);
        fs::create_dir_all(path.parent().expect("a folder"))
            .expect("the scratch directory is ours");
        fs::write(path, text).expect("the scratch directory is ours");
    }
    top
}

fn expecting(what: &str, model: &str) -> String {
    format!("// {what}\n{model}")
}

/// All but `corpus/bad-promela`, whose places are those outside of macros and procedures.
#[test]
fn our_own_models_are_what_they_say() {
    let folders = ["backward", "bad", "deep", "faulty", "live", "papers", "promela", "small"];
    let folders: Vec<String> = folders.iter().map(|name| format!("corpus/{name}")).collect();
    let mut arguments = vec!["test", "--time", "2m", "examples"];
    arguments.extend(folders.iter().map(String::as_str));
    let run = run(&arguments);
    assert_eq!(run.code, 0, "{}{}", run.text, run.complaints);
    let first = run.text.lines().next().expect("a first line");
    let tests = first.strip_prefix("PASSED  ").and_then(|rest| rest.split(' ').next());
    let tests: usize = tests.and_then(|it| it.parse().ok()).expect("a number");
    assert!(tests > 100, "{first}");
}

#[test]
fn what_is_not_as_expected_fails() {
    let files = [
        ("good.pml", expecting("expect: violated deadlock", STUCK)),
        ("bad.pml", expecting("expect: holds", STUCK)),
        ("names.pml", expecting("expect: violated assertion", STUCK)),
        ("figures.pml", expecting("run: -D N=1 | holds | states 4000", COUNTS)),
        ("silent.pml", STUCK.to_owned()),
        (
            "deep/below.argos",
            expecting("expect: holds", "channel q[1];\nproc p { q!a }\nproc r { q?a }\n"),
        ),
    ];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let top = repository("fails", &files);
    let run = run_in(&top, &["test", "--junit", "r.xml"]);
    assert_eq!(run.code, 1, "{}", run.text);
    assert!(run.text.starts_with("FAILED  3 of 5 tests"), "{}", run.text);
    for line in [
        "expected holds, found violated: deadlock",
        "expected violated assertion, found violated deadlock",
        "expected states 4000, found ",
        "bad.pml:1",
        "argos check figures.pml -D N=1",
        "1 model without an expectation: silent.pml",
    ] {
        assert!(run.text.contains(line), "{line}: {}", run.text);
    }
    assert!(run.text.contains("✓ pass  deep/below.argos"), "{}", run.text);
    let junit = fs::read_to_string(top.join("r.xml")).expect("it was written");
    assert!(junit.contains("tests=\"6\" skipped=\"1\" failures=\"3\" errors=\"0\""), "{junit}");
    let good = run_in(&top, &["test", "good.pml", "deep"]);
    assert_eq!((good.code, good.text.lines().count()), (0, 4), "{}", good.text);
    let only = run_in(&top, &["test", "--filter", "figures"]);
    assert!(only.text.starts_with("FAILED  1 of 1 test"), "{}", only.text);
}

/// A gate counts unless the expectation says which exit code it gives.
#[test]
fn gates_count_in_tests() {
    let dead = "byte x;\nactive proctype P() { if :: x == 0 -> skip :: x == 1 -> skip fi }\n";
    let part = "byte x;\nltl l { [] ((x == 3) -> <> (x == 4)) }\nltl k { [] (x < 9) }\nactive proctype P() { x = 1 }\n";
    let files = [
        ("failed/m.pml", expecting("run: --fail-on unreached | holds", dead)),
        ("expected/m.pml", expecting("run: --fail-on unreached | holds | exit 6", dead)),
        ("passed/m.pml", expecting("run: --fail-on cover | holds", dead)),
        ("gates/m.pml", expecting("run: --fail-on unreached | gates unreached failed", dead)),
        ("other/m.pml", expecting("run: --fail-on unreached | gates unreached passed", dead)),
        ("open/m.pml", expecting("run: --fail-on vacuous --only k | holds", part)),
    ];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let top = repository("gates", &files);
    let failed = run_in(&top, &["test", "failed"]);
    assert_eq!(failed.code, 1, "{}", failed.text);
    let told = failed.text.contains("statements never executed: 2 (--fail-on unreached)");
    assert!(told && failed.text.contains("P line 3: "), "{}", failed.text);
    for folder in ["expected", "passed", "gates"] {
        let run = run_in(&top, &["test", folder]);
        assert_eq!(run.code, 0, "{folder}: {}", run.text);
    }
    let other = run_in(&top, &["test", "other"]);
    let told = "expected gates unreached passed, found unreached failed";
    assert!(other.code == 1 && other.text.contains(told), "{}", other.text);
    let open = run_in(&top, &["test", "open"]);
    assert_eq!(open.code, 4, "{}", open.text);
    assert!(open.text.starts_with("UNDECIDED  1 of 1 test"), "{}", open.text);
    assert!(open.text.contains("is not decided (--fail-on"), "{}", open.text);
}

/// The first of 5, 3, 1, 4 that occurs; a test that no limit decided is none that passes.
#[test]
fn the_exit_code_tells_what_kind_of_failure() {
    let files = [
        ("open/m.pml", expecting("run: --depth 100 | holds", LARGE)),
        ("late/m.pml", expecting("expect: holds", LARGE)),
        ("wrong/m.pml", expecting("expect: holds", "active proctype P() { x = 1 }\n")),
        ("known/m.pml", expecting("expect: error M0007", "active proctype P() { x = 1 }\n")),
        ("limit/m.pml", expecting("run: --depth 100 | incomplete | exit 4", LARGE)),
        ("typo/m.pml", expecting("expect: hold", STUCK)),
        ("none/m.pml", STUCK.to_owned()),
    ];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let top = repository("codes", &files);
    let code = |arguments: &[&str]| run_in(&top, &[&["test"], arguments].concat());
    let open = code(&["open"]);
    assert_eq!(open.code, 4, "{}", open.text);
    assert!(open.text.starts_with("UNDECIDED  1 of 1 test"), "{}", open.text);
    assert_eq!(code(&["late", "--time", "200ms"]).code, 4);
    assert_eq!(code(&["wrong"]).code, 3);
    assert_eq!(code(&["open", "wrong"]).code, 3);
    let known = code(&["known"]);
    assert_eq!(known.code, 0, "{}", known.text);
    assert_eq!(code(&["limit"]).code, 0);
    let typo = code(&["typo", "limit"]);
    assert_eq!(typo.code, 1);
    assert!(typo.text.contains("`hold` is no expectation; there are holds, "), "{}", typo.text);
    assert_eq!(code(&["none"]).code, 2);
    assert_eq!(code(&["missing"]).code, 2);
}

/// A model from anywhere must not write files or run commands by what it expects.
#[test]
fn a_model_cannot_ask_for_a_command_or_a_file() {
    let forbidden =
        ["--trace x.json", "--junit x.xml", "--cpp touch", "--github", "other.pml", "--config c"];
    for (number, options) in forbidden.iter().enumerate() {
        let text = expecting(&format!("run: {options} | violated"), STUCK);
        let top = repository(&format!("forbidden-{number}"), &[("m.pml", &text)]);
        let run = run_in(&top, &["test"]);
        assert_eq!(run.code, 1, "{options}: {}", run.text);
        let reasons = ["is for the command line only", "there is a word too many"];
        assert!(reasons.iter().any(|why| run.text.contains(why)), "{options}: {}", run.text);
        let left = fs::read_dir(&top).expect("the scratch directory is ours").count();
        assert_eq!(left, 2, "{options} wrote a file");
    }
}

#[test]
fn in_a_workflow_failures_are_annotated() {
    let text = expecting("expect: holds", STUCK);
    let top = repository("github", &[("models/m.pml", &text)]);
    let summary = top.join("summary.md");
    let mut command = command();
    command.current_dir(&top).args(["test", "--github"]).env("GITHUB_STEP_SUMMARY", &summary);
    let run = Run::of(&mut command);
    let line = "\n::error file=models/m.pml,line=1,title=models/m.pml::expected holds, found";
    assert!(run.text.contains(line), "{}", run.text);
    assert!(run.text.starts_with("::stop-commands::argos-"), "{}", run.text);
    let summary = fs::read_to_string(summary).expect("it was written");
    assert!(summary.contains("0 of 1 tests pass"), "{summary}");
}

// ---- argos.toml ----

#[test]
fn options_are_taken_from_the_file_of_settings() {
    let toml = "[check]\ndefine = { N = 7 }\nsearch = \"dfs\"\nonly = [\"assertions\"]\n";
    let top = repository("settings", &[("argos.toml", toml), ("a/b/m.pml", COUNTS)]);
    let options = |arguments: &[&str]| {
        let run = run_in(&top, &[&["check", "--json"], arguments].concat());
        let report: Value = serde_json::from_str(&run.text)
            .unwrap_or_else(|error| panic!("{error}: {}{}", run.text, run.complaints));
        report["options"].clone()
    };
    let found = options(&["a/b/m.pml"]);
    assert_eq!(found["defines"], serde_json::json!([["N", "7"]]));
    assert_eq!((&found["search"], &found["only"][0]), (&"dfs".into(), &"assertions".into()));
    // What is typed wins; macros are told apart by their names.
    let found = options(&["a/b/m.pml", "--search", "bfs", "-D", "M=1", "-DN=2"]);
    assert_eq!(found["search"], "bfs");
    assert_eq!(found["defines"], serde_json::json!([["M", "1"], ["N", "2"]]));
    let shown = run_in(&top, &["check", "a/b/m.pml"]);
    assert_eq!(shown.code, 1);
    let note = "options of argos.toml: -DN=7 --search=dfs --only=assertions";
    assert!(shown.text.contains(&format!("options   {note}")), "{}", shown.text);
    // From another folder, the same; names of folders begin at the file.
    assert_eq!(run_in(&top.join("a"), &["check", "b/m.pml"]).code, 1);
    let files = [
        ("argos.toml", "[check]\ninclude = \"common\"\n"),
        ("common/n.h", "#define N 1\n"),
        ("a/m.pml", &*format!("#include \"n.h\"\n{COUNTS}")),
    ];
    let top = repository("settings-include", &files);
    let run = run_in(&top.join("a"), &["check", "m.pml"]);
    assert_eq!(run.code, 0, "{}{}", run.text, run.complaints);
}

#[test]
fn only_files_of_the_repository_count() {
    let toml = "[check]\nlossy = true\n";
    let top = repository("boundary", &[("argos.toml", toml), ("inner/m.pml", STUCK)]);
    fs::create_dir_all(top.join("inner/.git")).expect("the scratch directory is ours");
    let lossy = |arguments: &[&str]| {
        let run = run_in(&top, &[&["check", "--json", "inner/m.pml"], arguments].concat());
        run.json()["options"]["lossy"].clone()
    };
    assert_eq!(lossy(&[]), false);
    assert_eq!(lossy(&["--config", "argos.toml"]), true);
    assert_eq!(run_in(&top, &["check", "inner/m.pml", "--config", "none.toml"]).code, 2);
}

#[test]
fn faults_of_the_file_are_shown_where_they_are() {
    let cases = [
        ("[check]\ntime = 10m\n", ":2:8", "", ""),
        ("[check]\ntime = \"10y\"\n", ":2:8", "`y` is not a unit", ""),
        ("[check]\ntimme = \"10m\"\n", ":2:1", "no option --timme", "write time"),
        ("[check]\n  search = [\"dfs\", \"bfs\"]\n", ":2:12", "not one value", ""),
        ("[chek]\ntime = 1\n", ":1:2", "`chek` means nothing here", "[check] and [[matrix]]"),
        ("[check]\ncpp = \"rm x\"\n", ":2:1", "--cpp is for the command line only", ""),
        ("[check]\ntrace = \"x\"\n", ":2:1", "--trace is for the command line only", ""),
        ("[check]\nlossy = \"yes\"\n", ":2:9", "lossy takes no value", "lossy = true"),
        ("[check]\ndefine = { \"N N\" = 1 }\n", ":2:12", "is not a name", ""),
        (
            "[[matrix]]\nexpect = \"hold\"\nmodel = \"m.pml\"\n",
            ":2:10",
            "`hold` is no expectation",
            "",
        ),
        ("[[matrix]]\ndefine.N = \"4..2\"\nmodel = \"m.pml\"\n", ":2:12", "is empty", ""),
        ("[[matrix]]\ndefine.N = \"1..4\"\n", ":1:1", "names no model", "write model"),
        (
            "[[matrix]]\nmodel = \"m.pml\"\ndefine = { A = \"1..9999\", B = \"1..9999\" }\n",
            ":1:1",
            "10000 combinations",
            "",
        ),
        ("\"\u{202e}\" = 1\n", ":1:1", "means nothing here", ""),
    ];
    for (number, (toml, place, message, help)) in cases.iter().enumerate() {
        let files = [("argos.toml", *toml), ("m.pml", STUCK)];
        let top = repository(&format!("faults-{number}"), &files);
        for arguments in [&["check", "m.pml"][..], &["test"]] {
            let run = run_in(&top, arguments);
            assert_eq!((run.code, run.text.as_str()), (2, ""), "{toml}: {}", run.complaints);
            let said = &run.complaints;
            assert!(said.contains(&format!("argos.toml{place}")), "{toml}: {said}");
            assert!(said.contains(message) && said.contains(help), "{toml}: {said}");
            assert!(said.contains('^'), "{toml}: {said}");
            assert!(!said.contains('\u{1b}') && !said.contains('\u{202e}'), "{said:?}");
        }
    }
}

#[test]
fn a_matrix_runs_every_combination() {
    let toml = "[check]\ntime = \"1m\"\n\n[[matrix]]\nmodel = \"models/counts.pml\"\n\
                define.N = \"1..4\"\nsearch = [\"dfs\", \"bfs\"]\nexpect = \"holds\"\n\n\
                [[matrix]]\nmodel = \"models\"\nonly = [[\"assertions\"]]\ndefine = { N = [5, \"6\"] }\n\
                expect = \"violated assertions\"\n";
    let top = repository("matrix", &[("argos.toml", toml), ("models/counts.pml", COUNTS)]);
    let run = run_in(&top, &["test"]);
    assert!(run.text.starts_with("FAILED  4 of 10 tests"), "{}{}", run.text, run.complaints);
    assert_eq!(run.code, 1);
    for number in 3..=4 {
        for search in ["dfs", "bfs"] {
            let line = format!("FAIL  models/counts.pml -DN={number} --search={search}");
            assert!(run.text.contains(&line), "{line}: {}", run.text);
        }
    }
    assert!(run.text.contains("argos.toml:4"), "{}", run.text);
    assert!(
        run.text.contains("argos check models/counts.pml --time=1m -DN=3 --search=dfs"),
        "{}",
        run.text
    );
    assert_eq!(run_in(&top.join("models"), &["test", "--filter", "=5"]).code, 0);
}

/// On the command line a range is a matrix, too: one table, one exit code.
#[test]
fn a_macro_with_a_range_checks_each_number() {
    let top = repository("ranges", &[("m.pml", COUNTS)]);
    let run = run_in(&top, &["check", "m.pml", "-D", "N=1..4", "--junit", "r.xml"]);
    assert_eq!(run.code, 1, "{}", run.text);
    assert!(run.text.starts_with("VIOLATED  2 of 4 files"), "{}", run.text);
    for (number, verdict) in [(1, "HOLDS"), (2, "HOLDS"), (3, "VIOLATED"), (4, "VIOLATED")] {
        let name = format!("m.pml -D N={number}");
        let row = run.text.lines().find(|line| line.contains(&name)).expect("a row");
        assert!(row.contains(verdict), "{row}");
    }
    let junit = fs::read_to_string(top.join("r.xml")).expect("it was written");
    assert_eq!(junit.matches("<testsuite name=\"m.pml -D N=").count(), 4, "{junit}");
    let json = run_in(&top, &["check", "--json", "m.pml", "-D", "N=1..2"]);
    assert_eq!(json.text.lines().count(), 2);
    assert_eq!(run_in(&top, &["check", "m.pml", "-D", "N=4..1"]).code, 2);
}

// ---- many runs ----

const SCENARIOS: &str = "byte x;\nchan q = [1] of { byte };\nactive proctype P() {\n\
                         if :: x = 1 :: x = 2 :: x = 3 fi; printf(\"@@@ %d\\n\", x); q!x; q?x;\n\
                         assert(false) }\n";

#[test]
fn every_violation_is_a_run_of_its_own() {
    let top = repository("traces", &[("m.pml", SCENARIOS)]);
    let run = run_in(&top, &["traces", "m.pml", "--format", "printf", "-o", "out"]);
    assert_eq!((run.code, run.text.as_str()), (0, "3 runs in out\n"), "{}", run.complaints);
    let read = |name: &str| fs::read_to_string(top.join("out").join(name)).expect("it was written");
    let mut printed: Vec<String> =
        (1..=3).map(|number| read(&format!("m-000{number}.txt"))).collect();
    printed.sort();
    assert_eq!(printed, ["@@@ 1\n", "@@@ 2\n", "@@@ 3\n"]);
    let run = run_in(&top, &["traces", "m.pml", "-o", "json"]);
    assert_eq!(run.code, 0, "{}", run.complaints);
    for number in 1..=3 {
        let replayed = run_in(&top, &["replay", &format!("json/m-000{number}.json")]);
        assert!(
            replayed.text.contains("assert(false)"),
            "{}{}",
            replayed.text,
            replayed.complaints
        );
    }
    let none = run_in(&top, &["traces", "m.pml", "--kind", "deadlock"]);
    assert_eq!((none.code, none.text.as_str()), (0, ""));
    assert_eq!(run_in(&top, &["traces", "m.pml", "--kind", "dead"]).code, 2);
    assert_eq!(run_in(&top, &["traces", "m.pml", "--depth", "2"]).code, 4);
}

/// What a model writes down and never reads again tells scenarios apart.
#[test]
fn scenarios_that_differ_in_a_variable_are_two() {
    let model = "byte sent, kind, call[2];\nactive proctype P() {\n\
                 do :: sent < 2 -> select(kind : 1 .. 2); printf(\"%d\", kind);\n\
                 call[sent] = kind; sent++ :: sent == 2 -> break od; assert(false) }\n";
    let top = repository("traces-variables", &[("m.pml", model)]);
    let run = run_in(&top, &["traces", "m.pml", "--format", "printf", "-o", "out"]);
    assert_eq!((run.code, run.text.as_str()), (0, "4 runs in out\n"), "{}", run.complaints);
    let read = |number: usize| fs::read_to_string(top.join(format!("out/m-000{number}.txt")));
    let mut printed: Vec<String> = (1..=4).map(|number| read(number).expect("a file")).collect();
    printed.sort();
    assert_eq!(printed, ["11", "12", "21", "22"]);
}

/// In the Informal Trace Format a run of n steps has n + 1 states.
#[test]
fn runs_to_a_predicate_differ_and_end_there() {
    let top = repository("traces-until", &[("m.pml", SCENARIOS)]);
    let until = ["traces", "m.pml", "--until", "len(q) == 1", "--runs"];
    let run = run_in(&top, &[&until[..], &["3", "--format", "itf"]].concat());
    assert_eq!(run.code, 0, "{}", run.complaints);
    let mut values = Vec::new();
    for line in run.text.lines() {
        let trace: Value = serde_json::from_str(line).expect("JSON");
        let states = trace["states"].as_array().expect("states");
        let last = states.last().expect("a state");
        assert_eq!(last["#meta"]["index"], states.len() - 1);
        let queue = &last["channels"]["#map"][0];
        assert_eq!(
            (&queue[0], queue[1].as_array().map(Vec::len)),
            (&"q".into(), Some(1)),
            "{last}"
        );
        let variables = last["variables"]["#map"].as_array().expect("pairs");
        let x = variables.iter().find(|pair| pair[0] == "x").expect("a variable");
        values.extend(x[1].as_i64());
    }
    values.sort_unstable();
    assert_eq!(values, [1, 2, 3]);
    // There are no four.
    assert_eq!(run_in(&top, &[&until[..], &["4"]].concat()).code, 4);
}

// ---- progress ----

#[test]
fn other_programs_read_progress_as_json() {
    let top = repository("progress", &[("m.pml", LARGE)]);
    let run = run_in(&top, &["check", "--progress", "json", "--time", "3s", "--json", "m.pml"]);
    let events: Vec<Value> = run
        .complaints
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    assert!(events.len() > 3, "{}", run.complaints);
    for event in &events {
        let text = ["event", "model", "stage"].map(|key| event[key].as_str().unwrap_or_default());
        assert_eq!(text[..2], ["search", "m.pml"], "{event}");
        assert!(!text[2].is_empty(), "{event}");
        assert!(
            ["growing", "shrinking", "steady"]
                .contains(&event["waiting_trend"].as_str().unwrap_or_default())
        );
        for key in [
            "seconds",
            "states",
            "transitions",
            "states_per_second",
            "depth",
            "waiting",
            "bytes",
            "bytes_max",
        ] {
            assert!(event[key].is_number(), "{key}: {event}");
        }
    }
    assert!(events.iter().any(|event| event["states_per_second"].as_u64() > Some(0)));
    let seconds: Vec<f64> = events.iter().filter_map(|event| event["seconds"].as_f64()).collect();
    assert!(seconds.is_sorted(), "{seconds:?}");
    assert!(matches!(run.json()["verdict"].as_str(), Some("holds" | "incomplete")));
}

#[test]
fn tests_tell_other_programs_how_many_are_done() {
    let text = expecting("expect: violated deadlock", STUCK);
    let top = repository("progress-tests", &[("m.pml", &text)]);
    let run = run_in(&top, &["test", "--progress", "json"]);
    let first = run.complaints.lines().next().expect("a line");
    let event: Value = serde_json::from_str(first).expect("JSON");
    assert_eq!((&event["event"], &event["of"]), (&"tests".into(), &1.into()), "{event}");
}
