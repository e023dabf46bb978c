//! Writers and readers, on made-up figures: no test measures time.

use super::figures::{Best, Measured, Results, Row, Small, Tally, geometric_mean};
use super::instructions::{compared, count, written};
use super::machine::Machine;
use super::measure::{best, sizes};
use super::models::{ARGOS, GROWTH, SET, changed};
use super::modes::{CLOSURES, DEFAULT, ONE_THREAD, STRICT, TWO_THREADS, offered};
use super::{Arguments, chart, document};
use clap::Args;
use serde_json::json;
use testkit::limits::{Ran, Spent};

fn took(states: u64, search: f64, bytes: f64) -> Best {
    let counts = [states, 2 * states, 3 * states];
    Best { counts, cpu: search + 0.01, wall: search + 0.02, search, bytes: Some(bytes) }
}

fn row(model: &str, pan: Measured, argos: &[(&'static str, Measured)]) -> Row {
    Row {
        model: model.to_owned(),
        origin: format!("Examples/{model}.pml"),
        compile: Spent { wall: 1.1, cpu: 0.99 },
        pan: Some(pan),
        argos: argos.to_vec(),
        differs: false,
    }
    .compared()
}

/// Ten times faster, then forty times, then with other figures.
fn results() -> Results {
    let states = 2_000_000;
    let fast = row(
        "fast",
        Ok(took(states, 10.0, 4e7)),
        &[
            (ONE_THREAD, Ok(took(states, 1.0, 2e7))),
            (STRICT, Ok(took(states, 2.5, 2e7))),
            (TWO_THREADS, Ok(took(states, 0.5, 2e7))),
        ],
    );
    let faster = row(
        "faster",
        Ok(took(states, 40.0, 4e7)),
        &[
            (ONE_THREAD, Ok(took(states, 1.0, 4e7))),
            (STRICT, Err("INCOMPLETE (time)".to_owned())),
            (TWO_THREADS, Ok(took(states, 0.5, 2e7))),
        ],
    );
    let wrong = row("wrong", Ok(took(1000, 9.0, 1e5)), &[(ONE_THREAD, Ok(took(1001, 0.1, 1e4)))]);
    let small =
        row("small", Ok(took(10_000, 0.01, 1e6)), &[(ONE_THREAD, Ok(took(10_000, 0.02, 9e5)))]);
    let large =
        row("large", Ok(took(states, 3.0, 2e8)), &[(ONE_THREAD, Ok(took(states, 0.3, 2e7)))]);
    let help = "      --threads <N>\n      --engine <E>\n  [possible values: closures]\n";
    Results {
        set: vec![fast, faster, wrong],
        growth: vec![small, large],
        argos: Vec::new(),
        small: vec![Small { model: "hello.pml".to_owned(), wall: 0.004, every_error: 0.005 }],
        modes: offered(help),
        whole: true,
    }
}

fn machine() -> Machine {
    Machine {
        processor: "Abacus 3".to_owned(),
        cores: 2,
        memory_kb: 8 * 1024 * 1024,
        date: "2001-02-03".to_owned(),
        load: "0.10".to_owned(),
        versions: vec!["argos 0.1.0".to_owned(), "gcc 12".to_owned()],
    }
}

#[test]
fn the_table_has_ratios_means_and_what_is_not_counted() {
    let text = document::generated(&results(), &machine(), "cargo xtask bench");
    let has = |line: &str| assert!(text.contains(line), "no {line:?} in:\n{text}");
    has("Abacus 3, 2 cores, 8 GB");
    has(
        "| fast | 2 000 000 | 6 000 000 | 10.01 | 1.01 | 10x | 11x | 20.0 | 10.0 | 2 000 000 | 6 000 000 |",
    );
    has("| **geometric mean** |  |  |  |  | 20x |");
    has("- wrong: one thread: COUNTS DIFFER: 1001/2002/3003");
    has("- faster: strict depth first: INCOMPLETE (time)");
    has("| wrong | 1 000 | 3 000 | 9.01 | - | - | - | 100.0 | - | - | - |");
    has("| large | 2 000 000 | 1500 | 150 | 100.0 | 10.0 |");
    has("4 ms in the median, 4 ms at most (`hello.pml`)");
}

#[test]
fn requirements_are_judged_by_the_figures() {
    let text = document::generated(&results(), &machine(), "cargo xtask bench");
    let has = |line: &str| assert!(text.contains(line), "no {line:?} in:\n{text}");
    has("| search, one thread, mean | 8x | 20.00x | yes |");
    has("| search, one thread, slowest model from 200 000 states | 4x | 10.00x | yes |");
    has("| search, strict depth first, mean | 3x | 4.00x | yes |");
    has("| two threads over one, slowest model from 5 000 000 states | 1.7x | - | not measured |");
    has("| bytes per visited state, from a million states, largest | 16 B | 20.0 B | NO |");
    assert!(!text.contains("a part of the models"));
    let modes =
        [(ONE_THREAD, Ok(took(5_000_000, 1.0, 4e7))), (TWO_THREADS, Ok(took(5_000_000, 0.5, 4e7)))];
    let vast = row("vast", Ok(took(5_000_000, 40.0, 4e7)), &modes);
    let vast = Results { set: vec![vast], ..results() };
    assert!(document::generated(&vast, &machine(), "").contains("| 1.7x | 2.00x | yes |"));
    let none = Results { set: Vec::new(), small: Vec::new(), ..results() };
    let open = none.requirements();
    let part = Results { whole: false, ..results() };
    assert!(document::generated(&part, &machine(), "").contains("a part of the models"));
    assert!(document::generated(&none, &machine(), "").contains("| not measured |"));
    assert!(open.iter().all(|requirement| requirement.met.is_none()));
}

#[test]
fn a_row_with_other_counts_differs() {
    let differs: Vec<bool> = results().set.iter().map(|row| row.differs).collect();
    assert_eq!(differs, [false, false, true]);
}

#[test]
fn the_best_of_several_runs_is_kept_unless_one_fails() {
    let mut tally = Tally::new();
    tally.add(Ok(took(10, 2.0, 1.0)));
    tally.add(Ok(took(10, 1.0, 1.0)));
    tally.add(Ok(took(10, 3.0, 1.0)));
    assert_eq!(tally.end(), Ok(took(10, 1.0, 1.0)));
    let mut tally = Tally::new();
    tally.add(Ok(took(10, 2.0, 1.0)));
    tally.add(Ok(took(11, 2.0, 1.0)));
    assert!(!tally.goes_on() && tally.end().is_err());
}

#[test]
fn the_mean_is_geometric() {
    let mean = geometric_mean(&[2.0, 8.0]).expect("a mean");
    assert!((mean - 4.0).abs() < 1e-9);
    assert_eq!(geometric_mean(&[]), None);
}

#[test]
fn only_the_part_between_the_marks_is_replaced() {
    let page = include_str!("../../../docs/performance.md");
    let once = document::insert(page, &document::MARKS, "first\n").expect("marks");
    let twice = document::insert(&once, &document::MARKS, "second\n").expect("marks");
    assert!(twice.contains("second\n") && !twice.contains("first\n"));
    assert_eq!(twice.lines().next(), page.lines().next());
    assert!(document::insert("nothing", &document::MARKS, "x").is_err());
}

#[test]
fn the_picture_holds_every_model_that_counts() {
    let picture = chart::svg(&results());
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    for part in
        [">fast<", ">faster<", ">10x<", ">40x<", "search time per state", "bytes per visited"]
    {
        assert!(picture.contains(part), "no {part} in:\n{picture}");
    }
    assert!(!picture.contains(">wrong<") && !picture.contains("NaN") && !picture.contains("inf"));
    assert_eq!(picture.matches("<circle").count(), 8);
    let (open, closed) = (picture.matches("<text").count(), picture.matches("</text>").count());
    assert_eq!(open, closed);
}

#[test]
fn a_picture_of_nothing_is_a_picture() {
    let empty = Results { set: Vec::new(), growth: Vec::new(), ..results() };
    let picture = chart::svg(&empty);
    assert!(picture.contains("not measured") && !picture.contains("NaN"));
}

#[test]
fn a_report_of_argos_is_read() {
    let stats = json!({ "states": 5, "matched": 2, "transitions": 7, "store_bytes": 80, "threads": 1,
        "seconds": { "search": 0.5 } });
    let report = json!({ "verdict": "holds", "why_incomplete": [], "stats": stats });
    let ran = Ran { spent: Spent { wall: 0.9, cpu: 0.4 }, ..Ran::default() };
    let read = best(&report, &ran).expect("figures");
    assert_eq!((read.counts, read.bytes_per_state()), ([5, 2, 7], Some(16.0)));
    // The machine was busy: the command used less of the processor than the search took.
    assert_eq!(read.search, 0.4);
    let mut threads = report.clone();
    threads["stats"]["threads"] = json!(2);
    assert_eq!(best(&threads, &ran).expect("figures").search, 0.5);
    let mut cut = report;
    cut["why_incomplete"] = json!(["memory"]);
    assert_eq!(best(&cut, &ran), Err("INCOMPLETE (memory)".to_owned()));
}

#[test]
fn modes_follow_the_help_text() {
    let names = |help: &str| offered(help).iter().map(|mode| mode.name).collect::<Vec<_>>();
    let old =
        "      --store <STORE>\n          compact memory\n          [possible values: full]\n";
    assert_eq!(names(old), [ONE_THREAD, STRICT, DEFAULT]);
    assert_eq!(offered(old)[0].options, ["--search", "exhaustive"]);
    let new = "      --store <STORE>\n          [possible values: compact, full]\n\n      \
               --threads <N>\n          Threads\n\n      --engine <ENGINE>\n\n          Possible values:\n          \
               - jit:      machine code\n          - closures: portable\n";
    assert_eq!(names(new), [ONE_THREAD, STRICT, CLOSURES, TWO_THREADS, DEFAULT]);
    let options = ["--search", "exhaustive", "--store", "compact", "--threads", "1"];
    assert_eq!(offered(new)[0].options, options);
}

#[test]
fn a_model_is_changed_by_its_macros() {
    let text = "#define N\t7\t/* how many */\n#define NN 1\nltl p { <> x }\ninit { skip }\n";
    let scaled = changed(text, &[("N", 8)]).expect("there is an N");
    assert_eq!(scaled, "#define N 8\n#define NN 1\ninit { skip }\n");
    assert_eq!(changed(text, &[("M", 1)]), Err("M".to_owned()));
}

#[test]
fn the_tables_of_pan_fit_the_model() {
    assert_eq!(sizes(1_000_000, 5000), ["-m6500", "-w21"]);
    assert_eq!(sizes(1, 2), ["-m1002", "-w1"]);
}

/// The package may lose a model or a macro; that is to be known before an hour of runs.
#[test]
fn every_model_can_be_prepared() {
    for recipe in SET.iter().chain(&GROWTH).chain(&ARGOS) {
        let subject = recipe.prepare().unwrap_or_else(|error| panic!("{}: {error}", recipe.name));
        assert!(subject.path.exists());
    }
}

#[test]
fn unknown_arguments_are_refused() {
    let parse = |words: &[&str]| {
        let command = Arguments::augment_args(clap::Command::new("bench").no_binary_name(true));
        command.try_get_matches_from(words).map_err(|error| error.to_string())
    };
    assert!(parse(&["--quick", "--models", "sort,abp-2"]).is_ok());
    assert!(parse(&["--models", "sort,nothing"]).is_err_and(|it| it.contains("no model nothing")));
    assert!(parse(&["--models"]).is_err());
    assert!(parse(&["--accept"]).is_err());
    assert!(parse(&["--fast"]).is_err());
}

#[test]
fn instructions_are_read_written_and_compared() {
    let said = "==7== Cachegrind\n==7== I   refs:      7,903,920\n";
    assert_eq!(count(said), Some(7_903_920));
    assert_eq!(count("==7== nothing\n"), None);
    let job = |count| vec![("abp-2, one thread".to_owned(), count)];
    let record = written("# why\nabp-2: 1\n", "rustc 1", &job(1000));
    assert_eq!(record, "# why\ncompiler: rustc 1\nabp-2, one thread: 1000\n");
    assert!(compared(&record, "rustc 1", &job(1029)).1);
    let (told, fine) = compared(&record, "rustc 1", &job(1031));
    assert!(!fine && told.contains("+3.10 % of 1000: TOO MANY"), "{told}");
    let (told, fine) = compared(&record, "rustc 2", &job(900));
    assert!(fine && told.contains("--accept") && told.contains("with rustc 2 now"), "{told}");
    assert!(!compared("", "rustc 1", &job(1000)).1);
}
