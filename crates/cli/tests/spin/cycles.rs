//! Cycles: verdicts of `argos spin -run -a`, `-l` and `-f` beside those of SPIN's verifier, and
//! trails with cycles in both directions.

use super::{argos, difference, folder_with, run, spin};
use std::fs;
use std::path::{Path, PathBuf};
use testkit::argos::Run;
use testkit::spin::installed;

/// Formulas of SPIN's own models that its verifier decides within seconds.
const OF_SPIN: [(&str, &[&str]); 11] = [
    ("LTL/bakery.pml", &["-a", "-a -f"]),
    ("LTL/diskhead.pml", &["-a", "-a -f"]),
    ("LTL/ltl_always_eventually.pml", &["-a", "-a -f"]),
    ("LTL/mobile1.pml", &["-a"]),
    ("LTL/mobile2.pml", &["-a", "-a -f"]),
    ("LTL/petersonN.pml", &["-a"]),
    ("LTL/pftp.pml", &["-a -ltl p1", "-a -f -ltl p1", "-a -ltl p2", "-a -ltl p3"]),
    ("LTL/salesman1.pml", &["-a"]),
    ("LTL/salesman2.pml", &["-a"]),
    (
        "LTL/train.pml",
        &["-a -ltl c1", "-a -f -ltl c2", "-a -ltl c3", "-a -ltl c5", "-a -ltl c6", "-a -f -ltl c7"],
    ),
    ("LTL/zune.pml", &["-a", "-a -f"]),
];

/// SPIN's verifier for a model, without its reductions; `for_progress` is another one.
fn build(folder: &Path, model: &str, for_progress: bool) {
    spin(&["-o1", "-o2", "-o3", "-a", model], folder);
    let macros: &[&str] = if for_progress { &["-DNP"] } else { &[] };
    let common = ["-w", "-DNOREDUCE", "-DNFAIR=3", "-DMEMLIM=4000", "-o", "pan", "pan.c"];
    let built = run("gcc", &[macros, &common].concat(), folder);
    assert_eq!(built.code, 0, "{model}: {}", built.complaints);
}

/// Runs it with flags of `argos spin -run`.
fn pan(folder: &Path, flags: &str) -> Run {
    let flags = flags.replace("-ltl", "-N");
    let flags: Vec<&str> = flags.split_whitespace().chain(["-n", "-m1000000"]).collect();
    run("./pan", &flags, folder)
}

fn ours(folder: &Path, model: &str, flags: &str) -> Run {
    let flags: Vec<&str> = flags.split_whitespace().collect();
    argos(&[&["-run"], flags.as_slice(), &["-n", model]].concat(), folder)
}

/// Whether a summary has errors; none if there is no summary.
fn has_errors(said: &str) -> Option<bool> {
    let (_, behind) = said.split_once("errors: ")?;
    Some(!behind.starts_with("0\n"))
}

/// What kind of error comes first. What SPIN takes for an assertion of its automaton, or for
/// the end of it, is to us that a formula is violated.
fn kind(said: &str) -> String {
    let line = said.lines().find(|line| line.starts_with("pan:1: ")).unwrap_or_default();
    let words = line.trim_start_matches("pan:1: ").split(" (at").next().unwrap_or_default();
    match words {
        _ if words.starts_with("assertion violated  !(") => "formula violated".to_owned(),
        _ if words.starts_with("ltl ") => "formula violated".to_owned(),
        _ => words.to_owned(),
    }
}

/// Both tools on one model with the same flags: the verdict, the kind of error, and each trail
/// followed by both.
fn compare(folder: &Path, model: &str, flags: &str) -> Result<(), String> {
    let trail = folder.join(format!("{model}.trail"));
    let _ = fs::remove_file(&trail);
    let theirs = pan(folder, flags);
    let of_pan = fs::read_to_string(&trail).ok();
    let _ = fs::remove_file(&trail);
    let found = ours(folder, model, flags);
    let verdicts = [has_errors(&theirs.text), has_errors(&found.text)];
    if verdicts[0].is_none()
        || verdicts[0] != verdicts[1]
        || kind(&theirs.text) != kind(&found.text)
    {
        return Err(format!(
            "pan:\n{}{}\nargos:\n{}{}",
            theirs.text, theirs.complaints, found.text, found.complaints
        ));
    }
    if found.code != i32::from(verdicts[0] == Some(true)) {
        return Err(format!("exit code {}: {}", found.code, found.complaints));
    }
    if !trail.exists() {
        return if of_pan.is_none() { Ok(()) } else { Err("no trail".to_owned()) };
    }
    same_steps(folder, model)?;
    fs::write(&trail, of_pan.ok_or("pan wrote no trail")?).map_err(|error| error.to_string())?;
    same_steps(folder, model)
}

/// A step without its line, which is the last one of a statement in SPIN's list of some, and
/// without what is said of an end label on a loop.
fn without_place(line: &str) -> String {
    let line = line.replace(" <valid end state>", "");
    match (line.find(".pml:"), line.find(" (state")) {
        (Some(place), Some(state)) => format!("{}{}", &line[..place], &line[state..]),
        _ => line,
    }
}

/// A trail followed by both tools: the same steps of processes, the same cycle.
fn same_steps(folder: &Path, model: &str) -> Result<(), String> {
    let steps = |text: &str| -> Vec<String> {
        let wanted = |line: &&str| {
            let step = line.contains("\tproc ") && line.ends_with(']');
            step || line.contains(" terminates") || line.contains("<<<<<START OF CYCLE>>>>>")
        };
        text.lines().filter(wanted).map(without_place).collect()
    };
    let theirs = steps(&spin(&["-t", "-p", model], folder).text);
    let found = argos(&["-t", "-p", model], folder);
    difference("trail", &theirs.join("\n"), &steps(&found.text).join("\n"))?;
    match found.code {
        1 => Ok(()),
        code => Err(format!("argos spin -t: {code}: {}", found.complaints)),
    }
}

/// A model with every line of flags; one verifier does for most.
fn compare_all(path: &Path, text: &str, runs: &[&str]) -> Vec<String> {
    let model = path.file_name().and_then(|name| name.to_str()).expect("plain names");
    let folder = folder_with(model, text.as_bytes());
    let mut wrong = Vec::new();
    for for_progress in [false, true] {
        let runs: Vec<&&str> = runs
            .iter()
            .filter(|flags| flags.split(' ').any(|flag| flag == "-l") == for_progress)
            .collect();
        if !runs.is_empty() {
            build(&folder, model, for_progress);
        }
        let compared = runs.iter().map(|flags| (flags, compare(&folder, model, flags)));
        wrong.extend(compared.filter_map(|(flags, result)| {
            result.err().map(|why| format!("{} {flags}: {why}", path.display()))
        }));
    }
    fs::remove_dir_all(folder).expect("removed");
    wrong
}

/// The lines of flags in the head of a model.
fn runs(text: &str) -> Vec<&str> {
    let line = text.lines().next().unwrap_or_default();
    let list = line.strip_prefix("/* runs: ").and_then(|rest| rest.strip_suffix(" */"));
    list.expect("the first line says what to run").split(" | ").collect()
}

#[test]
fn small_models_are_judged_as_by_spin() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spin/cycles");
    let entries = fs::read_dir(folder).expect("the models of this test");
    let mut models: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    models.sort();
    assert!(models.len() >= 12, "{} models", models.len());
    let wrong: Vec<String> = models
        .iter()
        .flat_map(|path| {
            let text = fs::read_to_string(path).expect("readable");
            compare_all(path, &text, &runs(&text))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_formulas_of_spins_own_models_are_judged_as_by_spin() {
    let wrong: Vec<String> = OF_SPIN
        .iter()
        .flat_map(|(model, runs)| {
            let text = installed(model).expect("SPIN brings its models");
            compare_all(Path::new(model), &text, runs)
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Trails of a verifier as SPIN makes it when nobody tells it otherwise: statements are merged,
/// and variables that nobody reads do not count, so a cycle need not lead back to its first state.
#[test]
fn trails_with_cycles_may_be_merged() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spin/cycles");
    let runs = [
        ("labels.pml", "-a"),
        ("meeting.pml", "-a"),
        ("response.pml", "-a -N answered"),
        ("several.pml", "-a -N second"),
        ("stops.pml", "-a -f -N returns"),
    ];
    for (model, flags) in runs {
        let text = fs::read(folder.join(model)).expect("readable");
        let folder = folder_with(model, &text);
        spin(&["-a", model], &folder);
        assert_eq!(run("gcc", &["-w", "-o", "pan", "pan.c"], &folder).code, 0, "{model}");
        let said = pan(&folder, flags).text;
        assert!(said.contains("acceptance cycle"), "{model}: {said}");
        let same = same_steps(&folder, model);
        assert_eq!(same, Ok(()), "{model}");
        fs::remove_dir_all(folder).expect("removed");
    }
}

/// A model, flags, and whether `pan` and `argos` find an error: the differences that
/// `docs/coming-from-spin.md` describes.
const DIFFERENT: [(&str, &str, &str, [bool; 2]); 4] = [
    (
        "a run that stops, under fairness",
        "byte n;\nactive proctype P() { n = 1 }\nactive proctype Q() { n = 2 }\n\
         ltl p { <>[](n == 1) }\n",
        "-a -f",
        [false, true],
    ),
    (
        "accept labels of processes beside a formula",
        "bit x;\nactive proctype A() { do :: x = 1;\naccept: x = 0 od }\nltl p { [](x <= 1) }\n",
        "-a",
        [true, false],
    ),
    (
        "the number of processes beside a formula",
        "byte n;\nactive proctype A() { _nr_pr == 1 -> n = 1 }\nactive proctype B() { n = 0 }\n\
         ltl p { <>(n == 1) }\n",
        "-a",
        [true, false],
    ),
    (
        "an assertion behind what decides the formula",
        "byte x;\nactive proctype A() { do :: x < 5 -> x++ :: x == 5 -> assert(false) od }\n\
         ltl p { (x < 3) U (x == 3) }\n",
        "-a",
        [false, true],
    ),
];

/// Where both find the same, though `argos check` has another definition.
const SAME: (&str, &str, &str, [bool; 2]) = (
    "fairness to the receiver of a rendezvous",
    "byte x;\nchan q = [0] of { byte };\nactive proctype A() { do :: q!1 :: x = 0 od }\n\
     active proctype B() { byte y; do :: q?y; x = 1 od }\nltl p { []<>(x == 1) }\n",
    "-a -f",
    [true, true],
);

#[test]
fn the_differences_are_those_of_the_manual() {
    for (what, text, flags, expected) in DIFFERENT.into_iter().chain([SAME]) {
        let folder = folder_with("m.pml", text.as_bytes());
        build(&folder, "m.pml", false);
        let (theirs, found) = (pan(&folder, flags), ours(&folder, "m.pml", flags));
        let verdicts = [&theirs, &found].map(|run| has_errors(&run.text));
        assert_eq!(verdicts, expected.map(Some), "{what}:\n{}\n{}", theirs.text, found.text);
        assert_eq!(found.code, i32::from(expected[1]), "{what}: {}", found.complaints);
        fs::remove_dir_all(folder).expect("removed");
    }
}

#[test]
fn what_is_not_looked_for_is_said() {
    let text = "byte x;\nactive proctype P() { do :: x = 1 - x od }\nltl a { [](x < 2) }\n\
                ltl b { []<>(x == 1) }\n";
    let folder = folder_with("m.pml", text.as_bytes());
    let both = ours(&folder, "m.pml", "-a");
    assert!(both.text.contains("pan: ltl formula a\n"), "{}", both.text);
    assert!(both.text.contains("invalid end states\t- (disabled by never claim)"), "{}", both.text);
    assert!(both.text.contains("states of the model, searched for cycles"), "{}", both.text);
    assert!(both.complaints.contains("`argos check` decides all"), "{}", both.complaints);
    let safety = ours(&folder, "m.pml", "-safety -N b");
    assert!(safety.text.contains("- (ltl b: not decided)"), "{}", safety.text);
    assert_eq!(safety.code, 4, "{}", safety.complaints);
    let labels = ours(&folder, "m.pml", "-noclaim -a -f");
    assert!(labels.text.contains("acceptance   cycles \t- (not selected)"), "{}", labels.text);
    assert!(labels.complaints.contains("-a has no effect"), "{}", labels.complaints);
    assert!(labels.complaints.contains("-f has no effect"), "{}", labels.complaints);
    assert_eq!(labels.code, 0);
    let both = ours(&folder, "m.pml", "-a -l");
    assert!(both.complaints.contains("-a has no effect beside -l"), "{}", both.complaints);
    assert_eq!(both.code, 1, "there is no progress label");
    let bounded = ours(&folder, "m.pml", "-a -m1000");
    assert!(bounded.complaints.contains("at any depth"), "{}", bounded.complaints);
}
