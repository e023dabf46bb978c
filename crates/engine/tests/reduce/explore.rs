//! Everything a program can do, by the reference interpreter, in the plainest way.

use engine::program::Breach;
use program::reference::{self, Rest, Rules, State, Step};
use program::{EdgeId, LocationId, ProctypeId, Program};
use std::collections::BTreeSet;
use testkit::naive;

/// Where every process stands.
type Stand = Vec<(ProctypeId, LocationId)>;

/// What a whole search found, apart from how many states it took.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct Found {
    /// What failed, at which edge.
    pub(crate) failures: BTreeSet<(Breach, Option<(ProctypeId, EdgeId)>)>,
    /// Where everybody stood when nothing moved, and whether that was proper.
    pub(crate) rests: BTreeSet<(Stand, String)>,
    /// What was executed at all.
    pub(crate) executed: BTreeSet<(ProctypeId, EdgeId)>,
}

/// All that can happen, and how many states there are; none if there are too many.
pub(crate) fn explore(
    program: &Program,
    rules: &Rules,
    states_max: usize,
) -> Option<(Found, usize)> {
    explore_by(program, rules, states_max, &|_, _| {})
}

/// The same, with local transitions first.
pub(crate) fn explore_inward(
    program: &Program,
    rules: &Rules,
    states_max: usize,
) -> Option<(Found, usize)> {
    let inward = program::local_locations(program);
    explore_by(program, rules, states_max, &|state, steps| {
        let goes_first = |step: &Step| {
            let process = step.micros.first().and_then(|micro| state.processes.get(micro.pid));
            process.is_some_and(|process| inward[process.proctype][process.location])
        };
        let first = steps.iter().find(|step| goes_first(step)).map(|step| step.micros[0].pid);
        steps.retain(|step| first.is_none_or(|pid| step.micros[0].pid == pid));
    })
}

fn explore_by(
    program: &Program,
    rules: &Rules,
    states_max: usize,
    choose: &dyn Fn(&State, &mut Vec<Step>),
) -> Option<(Found, usize)> {
    let mut found = Found::default();
    let Ok(first) = reference::initial(program, rules) else { return None };
    let known = naive::search(first, states_max, |state, _| {
        let mut steps = reference::steps(program, rules, state);
        choose(state, &mut steps);
        if steps.is_empty() {
            found.rests.insert(rest(program, rules, state));
        }
        steps.iter().for_each(|step| found.note(state, step));
        steps.into_iter().filter(|step| !step.ends).map(|step| step.state)
    })?;
    Some((found, known.len()))
}

fn rest(program: &Program, rules: &Rules, state: &State) -> (Stand, String) {
    let stand = state.processes.iter().map(|process| (process.proctype, process.location));
    let rest = match reference::at_rest(program, rules, state) {
        Rest::InvalidEnd(stuck) => format!("stuck {stuck:?}"),
        other => format!("{other:?}"),
    };
    (stand.collect(), rest)
}

impl Found {
    fn note(&mut self, before: &State, step: &Step) {
        for failure in &step.failures {
            self.failures.insert((Breach::of(failure), failure.edge));
        }
        let kind = |pid: usize| {
            let process = before.processes.get(pid).or(step.state.processes.get(pid));
            process.map(|process| process.proctype)
        };
        for micro in &step.micros {
            for (pid, edge) in [Some((micro.pid, micro.edge)), micro.peer].into_iter().flatten() {
                self.executed.extend(kind(pid).map(|kind| (kind, edge)));
            }
        }
    }
}
