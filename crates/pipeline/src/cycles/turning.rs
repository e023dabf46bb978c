//! The point of no return of a run that violates a formula: the last step in whose place another one
//! could still have led to a run that satisfies it.
//!
//! A run *satisfies* the formula from a state of the violating one if it begins as that one does up
//! to there, goes on for ever from there, or until nothing can move, by steps of the model, is fair
//! as far as fairness was asked for, and is accepted by an automaton of the formula. A step that
//! ends in an error belongs to no such run. Where no run satisfies the formula from a state,
//! none does from a later one: it would begin as the violating one does up to the former,
//! too. So the last state from which some run satisfies it is found by halving.
//!
//! The automaton has read the letters of the states before; where it may be by then is a set of its
//! states, and it goes on from one of them. Behind the end of the lasso the violating run
//! goes round. Its state and that set come back at last, and nothing new is to be seen from
//! then on: if some run satisfies the formula even there, the violation can be avoided for ever.

use super::{Bad, Found, Group, Temporal, Witness};
use crate::decide::Decided;
use crate::host::Timed;
use crate::subject::{Boxed, Subject};
use crate::{Fair, Options, Reduce, ahead, whole};
use liveness::{Fairness, Helpers};
use ltl::{Automaton, Class, State, translate};
use search::{Request, SpaceRequest, Walker, Why};
use std::collections::{BTreeSet, HashSet};
use system::{Letter, Step};
use trace::Requirement;

/// Where a violation became unavoidable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Turning {
    /// By this step, counted from 0, in the first round through the cycle or a later one.
    Step {
        at: usize,
        /// A step of the same state with which a run begins that satisfies the formula.
        instead: Step,
    },
    /// It is so from the start.
    Start,
    /// It never does: from each state of the run some run satisfies the formula.
    Never,
    /// That is not known.
    Undecided(Option<Why>),
}

/// Looks for it in the first run to each violated formula that is shown.
pub(crate) fn find(
    subject: &dyn Subject,
    options: &Options,
    decided: &mut Decided<'_>,
    watch: &mut Timed<'_>,
) {
    let options = Options { plain: true, reduce: Reduce::None, threads: None, ..options.clone() };
    let mut known: Vec<Requirement> = Vec::new();
    for at in 0..decided.shown {
        let found = &decided.found[at];
        if known.contains(&found.requirement) {
            continue;
        }
        known.push(found.requirement);
        let turning = of_run(subject, &options, found, watch);
        if let Some(cycle) = &mut decided.found[at].cycle {
            cycle.turning = turning;
        }
    }
}

/// The group of one requirement, on the model as it is written.
fn group<'a>(
    subject: &'a dyn Subject,
    options: &Options,
    requirement: Requirement,
) -> Option<Group<'a>> {
    let is_it = |property: &Temporal| property.requirement == requirement;
    let mut groups = subject.cycles(options).into_iter();
    groups.find(|group| group.properties.iter().any(is_it))
}

fn of_run(
    subject: &dyn Subject,
    options: &Options,
    found: &Found,
    watch: &mut Timed<'_>,
) -> Option<Turning> {
    let (trail, cycle) = (found.trail.as_ref().ok()?, found.cycle.as_ref()?);
    if cycle.failing.is_some() {
        return None;
    }
    let first = group(subject, options, found.requirement)?;
    let wanted = |property: &&Temporal| property.requirement == found.requirement;
    let Bad { formula: Some(bad), .. } = first.properties.iter().find(wanted)?.bad.as_ref().ok()?
    else {
        return None;
    };
    let automaton = translate(&bad.clone().negated()).ok()?;
    let witness = first.form.witness(trail, cycle.start.unwrap_or(trail.len())).ok()?;
    let run = Unrolled::new(trail, cycle.start, &witness, &automaton);
    let mut ask = |at: usize, watch: &mut Timed<'_>| {
        let Some(automaton) = begun(&automaton, &run.sets[at]) else { return Ok(None) };
        let group = group(subject, options, found.requirement).ok_or(None)?;
        let form = ahead::begun(group.form, Some(&run.steps[..at]));
        let fairness = options.fairness();
        let answer = whole::ask(&*form, options, watch, &mut |system, budget, watch| {
            satisfying(system, budget, (&automaton, fairness), options, watch)
        });
        answer.map_err(Some)?.ok_or(None)?
    };
    Some(run.last(&mut ask, watch).unwrap_or_else(Turning::Undecided))
}

/// The run, as far as anything new is to be seen on it.
struct Unrolled {
    steps: Vec<Step>,
    /// For each of its states where the automaton may be before it reads the letter there.
    sets: Vec<BTreeSet<u32>>,
}

/// A first step of a run that satisfies the formula from a state, if there is one; none where the
/// formula is satisfied whatever follows.
type Answer = Result<Option<Option<Step>>, Option<Why>>;

impl Unrolled {
    fn new(trail: &[Step], cycle: Option<usize>, witness: &Witness, automaton: &Automaton) -> Self {
        let (mut steps, mut sets) = (Vec::new(), vec![BTreeSet::from([automaton.initial])]);
        let start = cycle.filter(|start| *start < trail.len());
        let (mut at, mut known) = (0, HashSet::new());
        loop {
            if at == trail.len() {
                let Some(start) = start else { break };
                at = start;
            }
            let set = sets.last().expect("there is the first one");
            if !known.insert((at, set.clone())) {
                break;
            }
            let next = after(automaton, set, witness.letters[at]);
            steps.push(trail[at]);
            sets.push(next);
            at += 1;
        }
        Self { steps, sets }
    }

    /// The last state from which some run satisfies the formula.
    fn last(
        &self,
        ask: &mut dyn FnMut(usize, &mut Timed<'_>) -> Answer,
        watch: &mut Timed<'_>,
    ) -> Result<Turning, Option<Why>> {
        let (mut least, mut most) = (0, self.steps.len());
        if ask(most, watch)?.is_some() {
            return Ok(Turning::Never);
        }
        let Some(mut instead) = ask(least, watch)? else { return Ok(Turning::Start) };
        while least + 1 < most {
            let middle = least + (most - least) / 2;
            match ask(middle, watch)? {
                Some(step) => (least, instead) = (middle, step),
                None => most = middle,
            }
        }
        let instead = instead.ok_or(None)?;
        Ok(Turning::Step { at: least, instead })
    }
}

fn after(automaton: &Automaton, set: &BTreeSet<u32>, letter: Letter) -> BTreeSet<u32> {
    let edges = set.iter().flat_map(|state| &automaton.states[*state as usize].edges);
    edges.filter(|edge| edge.label.allows(letter)).map(|edge| edge.target).collect()
}

/// The automaton that goes on from one of these states; nothing if there is none.
fn begun(automaton: &Automaton, set: &BTreeSet<u32>) -> Option<Automaton> {
    let edges = set.iter().flat_map(|state| automaton.states[*state as usize].edges.clone());
    let mut states = automaton.states.clone();
    states.push(State { edges: edges.collect() });
    let initial = automaton.states.len() as u32;
    (!set.is_empty()).then_some(Automaton { states, initial, sets: automaton.sets })
}

/// The first step of a run of a system that the automaton accepts and that is fair.
fn satisfying(
    system: &Boxed<'_>,
    budget: &Request,
    (automaton, fairness): (&Automaton, Fairness),
    options: &Options,
    watch: &mut Timed<'_>,
) -> Answer {
    let request = SpaceRequest {
        participants: options.fair != Fair::None,
        reduces: false,
        is_deep: false,
        states_max: budget.states_max,
        memory_bytes_max: budget.memory_bytes_max,
    };
    let explored = search::explore(&**system, &mut [], &request, watch);
    let (space, outcome) = explored.map_err(|_| None)?;
    let why = outcome.why_incomplete.first().copied();
    let space = space.ok_or(why)?;
    let mut walker = Walker::new(&space, &**system, &request, watch).map_err(|_| None)?;
    let mut helpers = Helpers { copies: &mut [], request: &request };
    let lasso = liveness::violation(&mut walker, &mut helpers, automaton, fairness);
    let Some(lasso) = lasso.map_err(Some)? else {
        let shows_all = why.is_none() && !space.has_faults() && !space.is_unreadable();
        return if shows_all { Ok(None) } else { Err(why) };
    };
    // A prefix may be good whatever follows; behind an error nothing does.
    if automaton.class() == Class::Terminal && space.has_faults() {
        return Err(None);
    }
    let edge = lasso.prefix.first().or(lasso.cycle.first());
    let step = edge.and_then(|edge| space.step(&**system, (edge.from, edge.to), edge.moved));
    Ok(Some(step))
}
