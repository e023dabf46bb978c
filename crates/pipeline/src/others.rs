//! What could have been done instead at each step of a run: asked of the reference interpreter
//! when somebody wants to see it, and not before.

use crate::{Loaded, Options, SavedTrace};
use report::{Report, RunRules};
use trace::{Run, Scenario};

/// So many edges are executed for one report to find out: some seconds' work.
const EDGES_MAX: u64 = 1_000_000;

/// Says it at every step of the runs of a report, errors first. The answer is, for each run, how
/// many of its first steps do not say it.
pub fn tell_others(report: &mut Report, options: &Options) -> Vec<usize> {
    let Some(frame) = SavedTrace::of_error(report, options, 0) else { return Vec::new() };
    let loaded = frame.load();
    let mut edges = EDGES_MAX;
    let runs = report.errors.iter_mut().chain(&mut report.witnesses);
    runs.map(|entry| {
        let steps = (entry.choices.as_slice(), &entry.rules);
        retraced(&mut entry.scenario, steps, &loaded, options, &mut edges)
    })
    .collect()
}

/// The same of a saved run that was executed again on `loaded`.
pub fn tell_others_of_saved(
    scenario: &mut Scenario,
    saved: &SavedTrace,
    index: usize,
    loaded: &Loaded,
) -> usize {
    let Some((_, choices, rules)) = saved.steps(index) else { return 0 };
    let mut edges = EDGES_MAX;
    retraced(scenario, (choices, rules), loaded, &saved.options, &mut edges)
}

/// The same of a run in progress.
pub fn tell_others_of_run(scenario: &mut Scenario, run: &dyn Run) -> usize {
    let mut edges = EDGES_MAX;
    run.tell_others(scenario, &mut edges)
}

/// Without choices every event says it already. A run that cannot be executed again says nothing;
/// that is complained about elsewhere.
fn retraced(
    scenario: &mut Scenario,
    (choices, rules): (&[u32], &RunRules),
    loaded: &Loaded,
    options: &Options,
    edges: &mut u64,
) -> usize {
    let all = scenario.trace.len();
    if choices.is_empty() {
        return 0;
    }
    let subject = loaded.subject.as_ref().filter(|_| *edges > 0);
    let run = subject.and_then(|it| it.run(options, rules, &loaded.sources).ok());
    let Some(mut run) = run else { return all };
    match run.retrace(scenario, choices) {
        Ok(()) => run.tell_others(scenario, edges),
        Err(_) => all,
    }
}
