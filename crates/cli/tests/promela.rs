//! PROMELA through the real command: the small models have exactly the states
//! SPIN's verifier has, exit codes are honest, reports fit their schema.
//!
//! The first line of each model in `corpus/promela/mini` and `semantics` has
//! what `spin -a -o1 -o2 -o3`, `gcc -DSAFETY -DNOREDUCE` and `pan -c0 -n` say:
//!
//! ```text
//! /* spin-counts: STORED MATCHED TRANSITIONS; errors N */
//! /* spin-counts: none, and why */
//! ```

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::argos::{Run, run as argos, run_in as argos_in};

/// Models whose figures are not compared, and why.
const APART: [(&str, &str); 3] = [
    ("m60_c_code.pml", "embedded C, which is refused"),
    ("m76_stutter.pml", "a formula, whose automaton is SPIN's own"),
    ("m99_progress_f.pml", "a formula, whose automaton is SPIN's own"),
];

/// Models whose figures depend on the order of the search, in SPIN too: what its
/// verifier leaves out of a state changes what follows.
const ORDERED: [&str; 1] = ["claim_alone.pml"];

/// Checks a model that is written here, by its bare name: where the checkout
/// lies must not decide where lines are broken.
fn check(name: &str, text: &str, options: &[&str]) -> Run {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = format!("promela_{name}.pml");
    fs::write(folder.join(&file), text).expect("the scratch directory is ours");
    argos_in(folder, &[&["check", file.as_str()], options].concat())
}

fn validator() -> jsonschema::Validator {
    let schema = include_str!("../../report/schema/report.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    jsonschema::draft202012::new(&schema).expect("the schema is a schema")
}

/// The models of a folder of `corpus/promela`, in order.
fn models(folder: &str) -> Vec<PathBuf> {
    let models = testkit::files(&format!("corpus/promela/{folder}"), &["pml"]);
    assert!(models.len() > 30, "{folder}: the corpus is there");
    models
}

/// What SPIN says about a model.
struct Header {
    counts: [u64; 3],
    errors: u64,
}

/// The first line of a model; `None` if it says that there is nothing to say.
fn header(path: &Path) -> Option<Header> {
    let text = fs::read_to_string(path).expect("a readable model");
    let line = text.lines().next().unwrap_or_default();
    let figures = line.strip_prefix("/* spin-counts: ");
    let figures = figures.unwrap_or_else(|| panic!("{}: no header", path.display()));
    if figures.starts_with("none") {
        return None;
    }
    let words = figures.trim_end_matches(" */").replace("; errors", "");
    let numbers: Vec<u64> = words.split(' ').map(|it| it.parse().expect("a number")).collect();
    let [stored, matched, transitions, errors] = numbers[..] else {
        panic!("{}: four numbers", path.display())
    };
    Some(Header { counts: [stored, matched, transitions], errors })
}

/// Everything that is wrong with the report on a model, in words.
fn faults(path: &Path, search: &str, validator: &jsonschema::Validator) -> Vec<String> {
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    let apart = APART.iter().any(|(apart, _)| *apart == name);
    let file = path.display().to_string();
    let run = argos(&["check", &file, "--json", "--spin-counts", "--search", search]);
    let report = run.json();
    let mut wrong: Vec<String> = validator.iter_errors(&report).map(|it| it.to_string()).collect();
    let Some(header) = header(path).filter(|_| !apart) else { return wrong };
    let count = |name: &str| report["stats"][name].as_u64().expect("a number");
    let counts = ["states", "matched", "transitions"].map(count);
    let ordered = search != "dfs" && ORDERED.contains(&name.as_str());
    if counts != header.counts && !ordered {
        wrong.push(format!("{counts:?}, SPIN {:?}", header.counts));
    }
    wrong.extend(dishonest(run.code, header.errors));
    wrong.into_iter().map(|wrong| format!("{name} --search {search}: {wrong}")).collect()
}

/// What is wrong with an exit code where SPIN finds this many errors.
fn dishonest(code: i32, errors: u64) -> Option<String> {
    let right = match (errors, code) {
        (0, code) => code == 0 || code == 4,
        (_, code) => code == 1,
    };
    (!right).then(|| format!("exit {code}, errors {errors}"))
}

fn judge(folder: &str) {
    let validator = validator();
    let mut wrong = Vec::new();
    for model in models(folder) {
        for search in ["dfs", "exhaustive"] {
            wrong.extend(faults(&model, search, &validator));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_small_models_have_the_states_that_spin_finds() {
    judge("mini");
}

#[test]
fn the_corners_of_the_semantics_are_those_of_spin() {
    judge("semantics");
}

#[test]
fn every_model_that_is_apart_is_there() {
    let names: Vec<String> = ["mini", "semantics"]
        .iter()
        .flat_map(|folder| models(folder))
        .map(|path| path.file_name().expect("a file").to_string_lossy().into_owned())
        .collect();
    let apart = APART.iter().map(|(name, _)| *name).chain(ORDERED);
    for name in apart {
        assert!(names.iter().any(|it| it == name), "{name} is in no folder");
    }
}

#[test]
fn embedded_c_is_one_error() {
    let run = argos(&["check", "--json", "corpus/promela/mini/m60_c_code.pml"]);
    let report = run.json();
    let diagnostics = report["diagnostics"].as_array().expect("a list");
    assert_eq!((run.code, diagnostics.len()), (3, 1), "{}", run.text);
    assert_eq!(diagnostics[0]["id"], "M0022");
}

/// SPIN's reduction takes `run` for a local step and misses this one.
#[test]
fn a_violation_that_a_reduction_hides_is_found() {
    let run = argos(&["check", "corpus/promela/mini/m115_por_misses_pid.pml"]);
    assert_eq!(run.code, 1, "{}", run.text);
    assert!(run.text.starts_with("VIOLATED"), "{}", run.text);
}

#[test]
fn a_model_with_a_formula_does_not_hold_unseen() {
    let text = "byte x; active proctype P() { x = 1 } ltl p { <> (x == 1) }";
    for options in [&[][..], &["--search", "dfs"], &["--all-errors"], &["--no-claims"]] {
        assert_eq!(check("formula", text, options).code, 0, "{options:?}");
    }
    // These searches do not look for cycles.
    for options in [&["--spin-counts"][..], &["--search", "scatter"], &["--store", "bitstate"]] {
        let run = check("formula", text, &[options, &["--json"]].concat());
        assert_eq!(run.code, 4, "{options:?}: {}", run.text);
        let report = run.json();
        let properties = report["properties"].as_array().expect("a list");
        let formula = properties.iter().find(|it| it["kind"] == "ltl").expect("it is listed");
        assert_eq!(
            (&report["verdict"], &formula["verdict"]),
            (&"incomplete".into(), &"unknown".into())
        );
    }
}

#[test]
fn a_violation_beside_a_formula_is_a_violation() {
    let text = "byte x; active proctype P() { x = 1; assert(x == 2) } ltl p { <> (x == 1) }";
    assert_eq!(check("beside", text, &[]).code, 1);
}

#[test]
fn there_is_no_limit_of_255_processes() {
    let text = "byte go;
        proctype P() { end: go == 1 }
        init {
            short i;
            atomic { for (i : 1 .. 300) { run P() } };
            assert(_nr_pr == 301)
        }";
    let run = check("processes", text, &[]);
    assert_eq!(run.code, 0, "{}{}", run.text, run.complaints);
}

#[test]
fn a_state_may_have_five_thousand_bytes() {
    let text = "int a[1250];
        active proctype P() {
            int i;
            do :: i < 1250 -> a[i] = i + 1; i = i + 249 :: else -> break od;
            assert(a[1245] == 1246)
        }";
    let run = check("vector", text, &[]);
    assert_eq!(run.code, 0, "{}{}", run.text, run.complaints);
}

#[test]
fn five_errors_are_shown_at_once() {
    let text = "byte x;
        active proctype P() {
            y = 1;
            goto nowhere;
            x!1;
            run R();
            break
        }";
    let run = check("errors", text, &["--json"]);
    let report = run.json();
    let diagnostics = report["diagnostics"].as_array().expect("a list");
    let ids: Vec<&str> = diagnostics.iter().filter_map(|it| it["id"].as_str()).collect();
    assert_eq!(ids, ["M0007", "M0009", "M0015", "M0027", "M0012"]);
    assert_eq!(run.code, 3);
}

#[test]
fn an_option_of_the_other_language_is_refused() {
    let model = "corpus/promela/mini/m01_seq.pml";
    for option in ["--end=home", "--timeout=any", "--to-end", "--capacity=1"] {
        let run = argos(&["check", model, option]);
        assert_eq!(run.code, 2, "{option}: {}", run.text);
        assert!(run.complaints.contains("for Argos models"), "{}", run.complaints);
    }
    let reductions = ["--no-merge", "--no-dead-reset", "--no-hide"];
    for option in ["--spin-counts", "--no-claims", "--lint=spin-portable"].iter().chain(&reductions)
    {
        let run = argos(&["check", "corpus/papers/abp.argos", option]);
        assert_eq!(run.code, 2, "{option}: {}", run.text);
        assert!(run.complaints.contains("for PROMELA models"), "{}", run.complaints);
    }
}

/// The rules that can be chosen belong to a saved run, and to PROMELA.
#[test]
fn chosen_rules_are_part_of_a_run() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rules.json");
    let scratch = scratch.display().to_string();
    let model = "corpus/promela/rules/inner_unless.pml";
    let found = argos(&["check", model, "--inner-unless", "--trace", &scratch]);
    assert_eq!(found.code, 1);
    assert!(found.text.contains("the innermost is tried first (--inner-unless)"), "{}", found.text);
    let replay = ["replay", &scratch, "--exit-verdict"];
    for command in [&replay[..], &["sim", model, "--follow", &scratch]] {
        let again = argos(command);
        assert_eq!(again.code, 1, "{command:?}: {}", again.complaints);
        assert!(again.text.contains("assertion fails: assert(x != 10)"), "{}", again.text);
    }
    let lost = "chan q = [1] of { byte }; active proctype P() { q!1; q!2; assert(false) }";
    assert_eq!(check("lost", lost, &["-q", "--lossy"]).code, 1);
    let left = check("left", "chan q = [1] of { byte }; init { q!1 }", &["--queues-empty"]);
    assert!(left.text.contains("messages are left in channels"), "{}", left.text);
    for option in ["--lossy", "--queues-empty", "--inner-unless"] {
        let refused = argos(&["check", "examples/abp.argos", option]);
        assert_eq!(refused.code, 2, "{option}");
        assert!(refused.complaints.contains(&format!("{option} is for PROMELA models")));
    }
}

/// One step may be more than anybody can wait for: 2^40 ways through an atomic
/// sequence, or a `d_step` of 4 * 10^10 edges. Limits end it in the middle.
#[test]
fn limits_hold_within_a_step() {
    let paths = "int a, b; byte i; active proctype P() { atomic { do
        :: i < 20 -> a = a * 2; i++ :: i < 20 -> a = a * 2 + 1; i++
        :: i >= 20 && i < 40 -> b = b * 2; i++ :: i >= 20 && i < 40 -> b = b * 2 + 1; i++
        :: i == 40 -> break od } }";
    let long = "int n; byte k; active proctype P() { d_step { do
        :: k < 20 && n < 2000000000 -> n++ :: k < 20 && n == 2000000000 -> n = 0; k++
        :: k == 20 -> break od } }";
    let time = ["--time", "1s", "--json"];
    let runs = [
        ("paths", paths, [&time[..], &["--spin-counts"]].concat(), "time"),
        ("paths_dfs", paths, [&time[..], &["--search", "dfs"]].concat(), "time"),
        ("paths_reference", paths, [&time[..], &["--engine", "reference"]].concat(), "time"),
        ("paths_memory", paths, vec!["--memory", "10M", "--json"], "memory"),
        ("long", long, time.to_vec(), "time"),
        ("long_reference", long, [&time[..], &["--engine", "reference"]].concat(), "time"),
    ];
    for (name, text, options, why) in runs {
        let start = std::time::Instant::now();
        let run = check(name, text, &options);
        let report = run.json();
        assert_eq!((run.code, &report["verdict"]), (4, &"incomplete".into()), "{name}");
        assert_eq!(report["why_incomplete"], serde_json::json!([why]), "{name}");
        assert!(start.elapsed().as_secs() < 30, "{name}: {:?}", start.elapsed());
    }
}

/// Writes a model whose search takes too long for anybody to wait; the folder it is in.
#[cfg(unix)]
fn endless(file: &str) -> &'static Path {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let text = "int a; active proctype P() { do :: a++ od }";
    fs::write(folder.join(file), text).expect("the scratch directory is ours");
    folder
}

/// What `ulimit -t` allows is over: as with Ctrl-C there is a result.
#[cfg(unix)]
#[test]
fn the_end_of_the_processor_time_is_no_crash() {
    let (folder, argos) = (endless("promela_ulimit.pml"), testkit::argos::path());
    let check = format!("exec '{}' check promela_ulimit.pml --json --plain", argos.display());
    let line = format!("ulimit -S -t 1; {check}");
    let run = Run::of(Command::new("bash").args(["-c", &line]).current_dir(folder));
    assert_eq!(run.code, 4, "{}", run.complaints);
    assert_eq!(run.json()["why_incomplete"], serde_json::json!(["interrupted"]));
}

/// Whoever is asked to end, by Ctrl-C or by `kill`, ends with a result.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_search_and_not_the_report() {
    let (folder, argos) = (endless("promela_signal.pml"), testkit::argos::path());
    for signal in ["INT", "TERM"] {
        let check = format!("'{}' check promela_signal.pml --json --plain", argos.display());
        let line = format!("timeout --preserve-status -s {signal} 1 {check}");
        let run = Run::of(Command::new("bash").args(["-c", &line]).current_dir(folder));
        assert_eq!(run.code, 4, "{signal}: {}", run.complaints);
        assert_eq!(run.json()["why_incomplete"], serde_json::json!(["interrupted"]), "{signal}");
    }
}

/// A model with a macro and an included file, read by another preprocessor.
#[test]
fn another_preprocessor_can_be_asked() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cpp");
    fs::create_dir_all(folder.join("inc")).expect("the scratch directory is ours");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("writable");
    write("inc/good.h", "#define TWICE(x) x; x\nbyte n;\n");
    write("inc/bad.h", "byte n;\n\nbyte m = nothing;\n");
    let model = |header: &str| {
        format!("#include \"{header}\"\nactive proctype P() {{ TWICE(n++); assert(n == N) }}\n")
    };
    write("good.pml", &model("good.h"));
    write("bad.pml", &model("bad.h").replace("TWICE(n++)", "n++"));
    let path = |name: &str| folder.join(name).display().to_string();
    let include = format!("-I{}", path("inc"));
    let check = |name: &str, more: &[&str]| {
        argos(&[&["check", &path(name), "--cpp", "gcc -E -x c", &include], more].concat())
    };
    assert_eq!(check("good.pml", &["-DN=2"]).code, 0);
    let saved = path("run.json");
    let fails = check("good.pml", &["-D", "N=3", "--trace", &saved]);
    assert_eq!(fails.code, 1);
    assert!(fails.text.contains("assert(n == 3) in P (line 2)"), "{}", fails.text);
    let again = argos(&["replay", &saved, "--exit-verdict"]);
    assert_eq!((again.code, again.complaints.as_str()), (1, ""));
    let wrong = check("bad.pml", &["-DN=1"]);
    assert_eq!(wrong.code, 3);
    let place = format!("{}:3:10", path("inc/bad.h"));
    assert!(wrong.text.contains(&place), "{}", wrong.text);
    assert!(wrong.text.contains("3 | byte m = nothing;\n  |          ^^^^^^^"), "{}", wrong.text);
    let missing = argos(&["check", &path("good.pml"), "--cpp", "gcc -E -x c"]);
    assert_eq!(missing.code, 3, "the include is not found");
    assert!(missing.complaints.contains("good.h"), "{}", missing.complaints);
    let nobody = argos(&["check", &path("good.pml"), "--cpp", "no-such-preprocessor"]);
    assert_eq!(nobody.code, 2);
    assert!(nobody.complaints.contains("cannot run the preprocessor `no-such-preprocessor`"));
}

/// Two silent statements and a global that is only printed, on the way to an error.
const REDUCIBLE: &str = "byte log, g; chan q = [1] of { byte };
active proctype P() { byte x; q!3; x = 1; x = x + 1; log = x + 5; printf(\"%d\", log); g = x }
active proctype Q() { byte y; q?y; assert(y == 3); g == 2; assert(g != 2) }
";

fn reductions(options: &[&str]) -> Vec<String> {
    let run = check("reductions", REDUCIBLE, &[options, &["--json"]].concat());
    let report = run.json();
    assert_eq!(run.code, 1, "{}", run.complaints);
    let names = report["runs"][0]["reductions"].as_array().expect("a list");
    names.iter().map(|name| name.as_str().expect("a name").to_owned()).collect()
}

#[test]
fn each_reduction_can_be_switched_off() {
    assert_eq!(reductions(&[]), ["hide", "dead-reset", "merge"]);
    assert_eq!(reductions(&["--no-hide"]), ["dead-reset", "merge"]);
    assert_eq!(reductions(&["--no-dead-reset"]), ["hide", "merge"]);
    assert_eq!(reductions(&["--no-merge"]), ["hide", "dead-reset"]);
    assert!(reductions(&["--plain"]).is_empty());
    assert!(reductions(&["--spin-counts"]).is_empty());
}

/// A claim moves once per step, so steps are not merged for it.
#[test]
fn with_a_claim_nothing_is_merged() {
    let text = format!("{REDUCIBLE} never {{ do :: g == 9 -> break :: else od }}");
    let run = check("reduced_claim", &text, &["--json", "--all-errors"]);
    let report = run.json();
    let of = |run: usize| report["runs"][run]["reductions"].as_array().expect("a list").clone();
    assert_eq!(of(0), ["hide", "dead-reset", "merge"]);
    // The second run looks behind the assertion that fails, the third one has the claim.
    assert_eq!(of(2), ["hide", "dead-reset"]);
}

/// What is shown is a run of the plain program: every statement, with the values it
/// really had, whichever search found it on the reduced one.
#[test]
fn runs_of_reduced_programs_show_every_statement() {
    let told = |options: &[&str]| {
        let run = check("reduced_run", REDUCIBLE, &[options, &["--json"]].concat());
        assert_eq!(run.code, 1, "{}", run.complaints);
        let report = run.json();
        assert!(validator().is_valid(&report));
        report["errors"][0].clone()
    };
    let actions = |error: &Value| {
        let steps = error["trace"].as_array().expect("a list").iter();
        let mut actions: Vec<String> = steps.map(|step| step["action"].to_string()).collect();
        actions.sort();
        actions
    };
    for search in ["dfs", "bfs", "exhaustive"] {
        let (reduced, plain) =
            (told(&["--search", search]), told(&["--plain", "--search", search]));
        assert_eq!(reduced["message"], plain["message"], "{search}");
        assert_eq!(actions(&reduced), actions(&plain), "{search}");
        let steps = reduced["trace"].as_array().expect("a list");
        let logged = |step: &Value| step["changes"]["vars"]["log"] == 7;
        assert!(steps.iter().any(logged), "{search}: what nothing reads is shown all the same");
    }
}

#[test]
fn a_saved_run_of_a_reduced_program_runs_again() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reduced_run.json");
    let file = file.display().to_string();
    for search in ["auto", "dfs"] {
        let run = check("reduced_saved", REDUCIBLE, &["--search", search, "--trace", &file]);
        assert_eq!(run.code, 1, "{}", run.complaints);
        let again = argos(&["replay", &file]);
        assert!(again.text.contains("assertion fails"), "{} {}", again.text, again.complaints);
    }
}

/// With every search the reduced program has the verdicts of the plain one.
#[test]
fn reductions_keep_the_verdicts_of_the_corpus() {
    for path in models("mini").into_iter().chain(models("semantics")) {
        let path = path.display().to_string();
        for options in [&["--all-errors"][..], &["--search", "dfs"], &["--search", "exhaustive"]] {
            let judged = |more: &[&str]| {
                let run = argos(&[&["check", &path, "--json"], options, more].concat());
                let properties = match run.code {
                    0..=1 | 4 => run.json()["properties"].clone(),
                    _ => Value::Null,
                };
                let verdicts = properties.as_array().cloned().unwrap_or_default();
                let verdicts = verdicts.iter().map(|p| (p["name"].clone(), p["verdict"].clone()));
                (run.code, verdicts.collect::<Vec<_>>())
            };
            assert_eq!(judged(&[]), judged(&["--plain"]), "{path} {options:?}");
        }
    }
}

/// An endless sequence is noticed by a state that returns: on the reduced program in
/// the same step as on the plain one, or its run could not be shown.
#[test]
fn endless_sequences_of_reduced_programs_run_again() {
    let models = [
        "active proctype P() { byte x; atomic { do :: x = (x + 1) % 3 od } }",
        "byte w; active proctype P() { atomic { do :: w = (w + 1) % 3 od } }",
        "chan r = [0] of { byte }; chan s = [0] of { byte };
         active proctype P() { byte x; atomic { do :: r!1; s?_; x = (x + 1) % 3 od } }
         active proctype Q() { atomic { do :: r?_; s!1 od } }",
    ];
    for (index, model) in models.iter().enumerate() {
        let run = check(&format!("endless_{index}"), model, &[]);
        assert_eq!(run.code, 1, "{model}: {} {}", run.text, run.complaints);
        assert!(run.text.contains("endless atomic"), "{}", run.text);
    }
}

/// SPIN's verifier reports what fails in a statement that then blocks; and of two
/// failures in one step each.
#[test]
fn no_requirement_is_ticked_that_fails_unseen() {
    let texts = [
        ("byte a[2], x = 2; active proctype P() { a[x] == 1 }", "index"),
        (
            "byte a[2], x = 2; active proctype P() { atomic { a[x] = 1; assert(x == 1) } }",
            "assertion",
        ),
    ];
    for (text, kind) in texts {
        for engine in ["closures", "reference"] {
            let run = check("unseen", text, &["--spin-counts", "--json", "--engine", engine]);
            let report = run.json();
            let properties = report["properties"].as_array().expect("a list");
            let property = properties.iter().find(|it| it["kind"] == kind).expect("it is listed");
            assert_ne!(property["verdict"], "holds", "{engine}: {text}");
        }
    }
}

/// The claim ends in a move that is not counted, because nobody can move after it.
#[test]
fn a_claim_that_ends_where_nobody_moves_is_violated() {
    let text = "byte x; active proctype P() { x = 2; x == 1 } never { x == 0; x == 2 }";
    for engine in ["closures", "reference"] {
        for options in [&["--spin-counts"][..], &["--all-errors"]] {
            let run = check("ends", text, &[options, &["--json", "--engine", engine]].concat());
            let report = run.json();
            assert_eq!(report["stats"]["errors"]["claim"], 1, "{engine} {options:?}");
        }
    }
}

/// SPIN's verifier dies of a division by zero, so there is nothing to count; but
/// neither is the statement a wait, nor the requirement fulfilled.
#[test]
fn an_error_that_spin_does_not_count_is_found_all_the_same() {
    let texts = [
        "byte x; active proctype P() { x = 1; assert(x == 1); x = 1 / (x - 1) }",
        "byte x; active proctype P() { x = 1; x = 1 / (x - 1) }",
        "byte x; active proctype P() { x = 1 } never { do :: 1 / x < 5 od }",
    ];
    for text in texts {
        for engine in ["closures", "reference"] {
            let run = check("uncounted", text, &["--spin-counts", "--json", "--engine", engine]);
            let report = run.json();
            let counted = report["stats"]["errors"].as_object().expect("a map");
            let kinds: Vec<&String> = counted.keys().collect();
            assert_eq!(kinds, ["division-by-zero"], "{engine}: {text}");
        }
    }
}

/// Replaying each of them would take longer than the search, and the time is not
/// asked meanwhile.
#[test]
fn of_thousands_of_errors_all_are_counted_and_some_shown() {
    let text = "byte x; active [2] proctype P() { byte i;
        do :: x < 40 -> x++; assert(x % 2 == 7) :: i < 6 -> i++ :: else -> break od }";
    let run = check("many", text, &["--spin-counts", "--json"]);
    let report = run.json();
    let counted = report["stats"]["errors"]["assertion"].as_u64().expect("a number") as usize;
    let shown = report["errors"].as_array().expect("a list").len();
    assert!(shown > 0 && shown < counted, "{shown} of {counted}");
    let note = format!("{} more errors", counted - shown);
    let remarks = report["remarks"].as_array().expect("a list");
    let told = remarks.iter().filter_map(|it| it["text"].as_str());
    assert!(told.into_iter().any(|text| text.contains(&note)), "{note}");
}

/// Every ending that users of SPIN give their models.
#[test]
fn the_name_of_a_file_tells_its_language() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for ending in ["pml", "pm", "prom", "promela", "spin", "prm", "pr"] {
        let file = format!("ending.{ending}");
        fs::write(folder.join(&file), "active proctype P() { skip }").expect("a writable folder");
        assert_eq!(argos_in(folder, &["check", &file]).code, 0, "{file}");
    }
}

/// A model and a header that include each other, each guarded.
#[test]
fn guarded_files_may_include_each_other() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let model = "#ifndef M\n#define M\n#include \"guarded.h\"\nbyte x = Y;\n\
                 active proctype P() { assert(x == 3) }\n#endif\n";
    let header = "#ifndef H\n#define H\n#include \"guarded.pml\"\n#define Y 3\n#endif\n";
    fs::write(folder.join("guarded.pml"), model).expect("a writable folder");
    fs::write(folder.join("guarded.h"), header).expect("a writable folder");
    let run = argos_in(folder, &["check", "guarded.pml"]);
    assert_eq!(run.code, 0, "{}", run.text);
}
