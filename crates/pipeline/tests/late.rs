//! A check whose time is over when an error is found: the error is not lost, and nobody says
//! that its run was executed again.

use pipeline::{Checked, Files, Host, Kind, Options, Search, Source, check, unfinished};
use report::Verdict;
use search::{Hurry, Progress, Stop};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The time of the check, in milliseconds.
const LIMIT: u64 = 1_000;

/// Steps of the run to the error.
const STEPS: usize = 60_000;

/// A clock that stands still until an error is found. From then on it has its own pace: so many
/// milliseconds pass whenever somebody looks at it.
struct Clock {
    now: Arc<AtomicU64>,
    at_found: u64,
    pace: u64,
    found: bool,
    asked: Arc<AtomicU64>,
}

impl Clock {
    fn new(at_found: u64, pace: u64) -> Self {
        Self { now: Arc::default(), at_found, pace, found: false, asked: Arc::default() }
    }
}

impl Files for Clock {
    fn read(&self, _: &str) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

impl Host for Clock {
    fn seconds(&self) -> f64 {
        let pace = if self.found { self.pace } else { 0 };
        self.now.fetch_add(pace, Ordering::Relaxed) as f64 / 1e3
    }
    fn peak_rss_bytes(&self) -> u64 {
        0
    }
    fn rss_bytes(&self) -> u64 {
        0
    }
    fn memory_bytes_max(&self) -> Option<u64> {
        None
    }
    fn tick(&mut self, _: &Progress) -> Option<Stop> {
        None
    }
    fn found(&mut self, errors: &[(Kind, usize)]) {
        if !errors.is_empty() && !self.found {
            self.found = true;
            self.now.store(self.at_found, Ordering::Relaxed);
        }
    }
    fn hurry(&self, deadline: Option<f64>) -> Hurry {
        let (now, asked) = (Arc::clone(&self.now), Arc::clone(&self.asked));
        Arc::new(move || {
            asked.fetch_add(1, Ordering::Relaxed);
            let late = deadline.is_some_and(|at| now.load(Ordering::Relaxed) as f64 / 1e3 >= at);
            late.then_some(Stop::Time)
        })
    }
}

const PROMELA: &str = "int n; active proctype p() { do :: n++; assert(n < 30000) od }";
const ARGOS: &str = "channel c[1]; var n = 0;
    proc p { do :: (n < 29999) -> n = n + 1 :: (n == 29999) -> n = 0; c!m od }";

fn checked(name: &str, text: &str, host: &mut Clock) -> Checked {
    let options = Options {
        time: Some(LIMIT as f64 / 1e3),
        search: Search::Dfs,
        plain: true,
        ..Options::default()
    };
    let source = Source::new(name, text.as_bytes());
    check(source, &options, "argos", host).expect("these options are served")
}

#[test]
fn an_error_is_reported_though_its_run_was_not_executed_again() {
    for (name, text) in [("late.pml", PROMELA), ("late.argos", ARGOS)] {
        // Time passes while the run is executed: there are more questions than milliseconds.
        let checked = checked(name, text, &mut Clock::new(LIMIT, 20));
        let report = &checked.report;
        assert_eq!((report.verdict, checked.exit_code()), (Verdict::Violated, 1), "{name}");
        assert_eq!(checked.internal_error, None, "{name}");
        assert!(report.why_incomplete.contains(&"time".to_owned()), "{:?}", report.why_incomplete);
        let error = &report.errors[0];
        assert!(!error.replayed && error.scenario.trace.is_empty(), "{name}");
        assert!(error.steps >= STEPS / 2, "{name}: {} steps", error.steps);
        let shown = report::render(report, &report::Look::default());
        assert!(shown.contains("there was no time to execute its run again"), "{shown}");
        assert!(shown.contains("not re-executed"), "{shown}");
        // There is no run to save, either.
        assert_eq!(pipeline::SavedTrace::of_error(report, &Options::default(), 0), None);
    }
}

#[test]
fn a_moment_is_left_for_what_is_found_when_the_time_is_over() {
    for (name, text) in [("late.pml", PROMELA), ("late.argos", ARGOS)] {
        let mut clock = Clock::new(LIMIT, 0);
        let checked = checked(name, text, &mut clock);
        let error = &checked.report.errors[0];
        assert!(error.replayed, "{name}");
        assert_eq!(error.scenario.trace.len(), error.steps, "{name}");
        // Somebody asks the clock all along the run, and not at every step of it.
        let asked = clock.asked.load(Ordering::Relaxed) as usize;
        assert!((STEPS / 1_000..STEPS / 10).contains(&asked), "{name}: asked {asked} times");
    }
}

#[test]
fn who_cannot_wait_has_what_was_found() {
    let source = Source::new("late.pml", PROMELA.as_bytes());
    let options = Options::default();
    let late = |errors: &[(Kind, usize)]| {
        unfinished(source, &options, "argos check late.pml", (Stop::Time, 2.5), errors)
    };
    let nothing = late(&[]);
    assert_eq!((nothing.report.verdict, nothing.exit_code()), (Verdict::Incomplete, 4));
    assert_eq!(nothing.report.why_incomplete, ["time"]);
    assert_eq!(nothing.report.stats.seconds.total, 2.5);
    let found = late(&[(Kind::Assertion, 17), (Kind::Deadlock, 4)]);
    assert_eq!((found.report.verdict, found.exit_code()), (Verdict::Violated, 1));
    let errors = found.report.errors.iter();
    let told: Vec<_> = errors.map(|error| (error.kind, error.steps, error.replayed)).collect();
    assert_eq!(told, [(Kind::Assertion, 17, false), (Kind::Deadlock, 4, false)]);
}
