//! The point of no return of runs that violate formulas of random programs, against its definition
//! on all states of the reference interpreter: state by state of the run, whether some fair run
//! that begins like it satisfies the formula.

use crate::oracle::Oracle;
use crate::spots::is_accepted;
use crate::{STATES_MAX, read};
use ltl::{Automaton, translate};
use pipeline::{Engine, Memory, Options, Source};
use program::Program;
use program::reference::{self, Rules};
use report::{Avoidable, ErrorEntry, Kind};
use std::collections::BTreeSet;
use testkit::cycles::Fair;
use testkit::promela::{dependent, endless};
use testkit::{Random, for_seeds};

/// A run by the numbers of its states, and where the automaton of the formula may be.
struct Judged<'a> {
    oracle: &'a Oracle,
    good: &'a Automaton,
    fair: Fair,
}

impl Judged<'_> {
    fn satisfies(&self, spot: usize, set: &BTreeSet<u32>) -> bool {
        set.iter()
            .any(|at| is_accepted(&self.oracle.spots, self.good, (spot, *at), self.fair, false))
    }

    fn after(&self, spot: usize, set: &BTreeSet<u32>) -> BTreeSet<u32> {
        let letter = self.oracle.spots[spot].letter;
        let edges = set.iter().flat_map(|at| &self.good.states[*at as usize].edges);
        edges.filter(|edge| edge.label.allows(letter)).map(|edge| edge.target).collect()
    }

    /// Compares what is said of an error with what is so.
    fn judge(&self, error: &ErrorEntry, program: &Program, lines: &[Vec<u32>], told: &str) {
        let (mut spot, mut set) = (0, BTreeSet::from([self.good.initial]));
        let (mut at, mut known) = (0, BTreeSet::new());
        let (mut last, mut round) = (None, 0);
        while self.satisfies(spot, &set) {
            last = Some((at, round, spot, set.clone()));
            if at == error.choices.len() {
                let Some(start) = error.cycle_start else { break };
                (at, round) = (start, round + 1);
                last = Some((at, round, spot, set.clone()));
            }
            if !known.insert((at, set.clone())) {
                assert_eq!(error.avoidable, Some(Avoidable::Always), "{told}");
                return;
            }
            let next = self.after(spot, &set);
            spot = self.oracle.spots[spot].edges[error.choices[at] as usize].0;
            (set, at) = (next, at + 1);
        }
        let Some((at, _, spot, set)) = last else {
            assert_eq!(error.avoidable, Some(Avoidable::Never), "{told}");
            return;
        };
        if at == error.choices.len() {
            assert_eq!(error.avoidable, Some(Avoidable::Always), "{told}");
            return;
        }
        assert_eq!(
            (error.avoidable, error.no_return),
            (Some(Avoidable::Until), Some(at)),
            "{told}"
        );
        let instead = error.instead.as_ref().expect("a step avoids it");
        assert_eq!(instead.then, "satisfies", "{told}");
        let behind = self.after(spot, &set);
        let mut edges = self.oracle.spots[spot].edges.iter().zip(&lines[spot]);
        let avoids = |(edge, line): (&(usize, u128), &u32)| {
            *line == instead.line && self.satisfies(edge.0, &behind)
        };
        assert!(edges.any(avoids), "{instead:?} {told} {}", program.proctypes.len());
    }
}

/// The line of the first statement of each step of each state, in the order of their discovery.
fn lines(program: &Program, text: &str) -> Vec<Vec<u32>> {
    let rules = Rules::default();
    let first = reference::initial(program, &rules).expect("it has a start");
    let mut numbering = crate::spots::Numbering::new(first);
    let mut all = Vec::new();
    while let Some(state) = numbering.states.get(all.len()).cloned() {
        let steps = reference::steps(program, &rules, &state);
        let line = |step: &reference::Step| {
            let micro = step.micros.first().expect("a process moves");
            let kind = &program.proctypes[state.processes[micro.pid].proctype];
            let start = kind.edges[micro.edge].span.start as usize;
            1 + text.as_bytes()[..start.min(text.len())].iter().filter(|it| **it == b'\n').count()
        };
        all.push(steps.iter().map(|step| line(step) as u32).collect());
        steps.into_iter().for_each(|step| {
            numbering.number(step.state);
        });
    }
    all
}

fn judge(text: &str, random: &mut Random, counts: &mut [usize; 3]) -> Option<()> {
    let program = read(text)?;
    let oracle = Oracle::of(&program, STATES_MAX)?;
    if oracle.has_faults || oracle.is_unreadable {
        return None;
    }
    let lines = lines(&program, text);
    let (fair, own) = random.one_of(&[
        (Fair::None, pipeline::Fair::None),
        (Fair::Weak, pipeline::Fair::Weak),
        (Fair::Strong, pipeline::Fair::Strong),
    ]);
    let engine = random.one_of(&[Engine::Jit, Engine::Closures]);
    let options = Options { fair: own, engine, plain: random.chance(30), ..Options::default() };
    let source = Source::new("random.pml", text.as_bytes());
    let checked = pipeline::check(source, &options, "argos", &mut Memory::default()).ok()?;
    assert_eq!(checked.internal_error, None, "{text}");
    let report = checked.report;
    for property in report.properties.iter().filter(|property| property.kind == Kind::Ltl) {
        let Some(error) = property.error.map(|error| &report.errors[error]) else { continue };
        let named = oracle.properties.iter().position(|(name, _)| *name == property.name);
        // What a step of several events was is not said by the choices alone.
        if error.choices.len() != error.steps || error.avoidable.is_none() {
            continue;
        }
        // Where the reference interpreter searches the budget is small.
        let is_packed = !["D_proctype", "enabled("].iter().any(|word| text.contains(word));
        if error.avoidable == Some(Avoidable::Unknown) && !is_packed {
            continue;
        }
        let good = oracle.bad[named?].clone().negated();
        let good = translate(&good).expect("a small formula");
        let judged = Judged { oracle: &oracle, good: &good, fair };
        judged.judge(error, &program, &lines, &format!("{own:?} {}\n{text}", property.name));
        match error.avoidable {
            Some(Avoidable::Until) => counts[0] += 1,
            Some(Avoidable::Never) => counts[1] += 1,
            Some(Avoidable::Always) => counts[2] += 1,
            other => panic!("{other:?}: a small model is decided\n{text}"),
        }
    }
    Some(())
}

/// `least` is how often each answer has to be right: until a step, never, always.
fn judge_all(first: u64, least: [usize; 3], write: impl Fn(&mut Random) -> String) {
    let mut counts = [0; 3];
    for_seeds(first..first + 400, |_, random| {
        let text = write(random);
        judge(&text, random, &mut counts);
    });
    let is_enough = counts.iter().zip(least).all(|(count, least)| *count >= least);
    assert!(std::env::var("ARGOS_SEED").is_ok() || is_enough, "{counts:?}");
}

#[test]
fn endless_programs_that_violate_formulas() {
    judge_all(0, [40, 200, 15], |random| {
        endless::model(random, false) + &endless::formulas(random, 3, true, &endless::PORTABLE)
    });
}

#[test]
fn programs_that_interact_and_violate_formulas() {
    let propositions = ["g == 1", "h == 0", "b[0] == 1", "A:x == 1", "full(q)"];
    judge_all(700, [40, 400, 3], |random| {
        dependent::model(random) + &endless::formulas(random, 3, true, &propositions)
    });
}
