//! The point of no return of errors of random programs, against all states of the reference
//! interpreter and the definition: the least set of states that contains one if each of its steps
//! fails or leads into the set.

use pipeline::{Engine, Memory, Options, Source};
use preprocess::Input;
use program::Program;
use program::reference::{self, Breach, Rest, Rules, State, Step};
use report::{Avoidable, ErrorEntry, Kind};
use std::collections::HashMap;
use testkit::promela::{dependent, endless, reducible};
use testkit::{NoFiles, Random, for_seeds};

/// States beyond which a program is not judged.
const STATES_MAX: usize = 2_000;

/// What a step leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    To(usize),
    Fails,
    /// Ends in an error of another kind.
    Ends,
}

/// All states of a program, with the lines of their steps.
struct Space {
    ways: Vec<Vec<(Way, Option<u32>)>>,
    doomed: Vec<bool>,
}

impl Space {
    fn new(
        program: &Program,
        line: &dyn Fn(&State, &Step) -> Option<u32>,
        kind: Kind,
    ) -> Option<Self> {
        let rules = Rules::default();
        let first = reference::initial(program, &rules).ok()?;
        let mut known = HashMap::from([(first.clone(), 0)]);
        let (mut states, mut ways, mut doomed) = (vec![first], Vec::new(), Vec::new());
        while let Some(state) = states.get(ways.len()).cloned() {
            let steps = reference::steps(program, &rules, &state);
            let is_stuck =
                matches!(reference::at_rest(program, &rules, &state), Rest::InvalidEnd(_));
            doomed.push(steps.is_empty() && is_stuck && kind == Kind::Deadlock);
            let way = |step: &Step| {
                let failure = step.failures.last().filter(|_| step.ends);
                let way = match failure {
                    Some(failure) if trace::kind(Breach::of(failure)) == kind => Way::Fails,
                    Some(_) => Way::Ends,
                    None => Way::To(*known.entry(step.state.clone()).or_insert_with(|| {
                        states.push(step.state.clone());
                        states.len() - 1
                    })),
                };
                (way, line(&state, step))
            };
            ways.push(steps.iter().map(way).collect());
            if states.len() > STATES_MAX {
                return None;
            }
        }
        let mut space = Self { ways, doomed };
        while space.grow() {}
        Some(space)
    }

    /// Adds the states that are doomed because those behind them are.
    fn grow(&mut self) -> bool {
        let doomed = |at: &usize| {
            let ways = &self.ways[*at];
            !self.doomed[*at] && !ways.is_empty() && ways.iter().all(|(way, _)| !self.escapes(*way))
        };
        let more: Vec<usize> = (0..self.ways.len()).filter(doomed).collect();
        more.iter().for_each(|at| self.doomed[*at] = true);
        !more.is_empty()
    }

    fn escapes(&self, way: Way) -> bool {
        match way {
            Way::To(state) => !self.doomed[state],
            Way::Fails => false,
            Way::Ends => true,
        }
    }

    /// The last state of a run that is not doomed, and which step of the run leaves it.
    fn last_escape(&self, choices: &[u32]) -> Option<(usize, usize)> {
        let (mut state, mut last) = (0, None);
        for (at, choice) in choices.iter().enumerate() {
            last = if self.doomed[state] { last } else { Some((at, state)) };
            if let (Way::To(next), _) = self.ways[state][*choice as usize] {
                state = next;
            }
        }
        last
    }

    /// Compares what a report says of an error with what is so; a step has to be one event.
    fn judge(&self, error: &ErrorEntry, told: &str) -> Option<Avoidable> {
        if error.choices.len() != error.steps || error.steps == 0 {
            return None;
        }
        // Where the reference interpreter searches, the budget is small; and these states know
        // nothing of an event trace that has not come to its end.
        if error.avoidable == Some(Avoidable::Unknown) || error.kind == Kind::TraceAssertion {
            return None;
        }
        match self.last_escape(&error.choices) {
            None => {
                assert_eq!(error.avoidable, Some(Avoidable::Never), "{told}");
                assert_eq!((error.no_return, &error.instead), (None, &None), "{told}");
            }
            Some((at, state)) => {
                assert_eq!(error.avoidable, Some(Avoidable::Until), "{told}");
                assert_eq!(error.no_return, Some(at), "{told}");
                let instead = error.instead.as_ref().expect("a step avoids it");
                let escapes = |(way, line): &(Way, Option<u32>)| {
                    self.escapes(*way) && *line == Some(instead.line)
                };
                assert!(self.ways[state].iter().any(escapes), "{instead:?} {told}");
            }
        }
        error.avoidable
    }
}

/// What random programs came to: at least so many errors that can be avoided, and that cannot.
fn judge_all(seeds: std::ops::Range<u64>, least: usize, model: &dyn Fn(&mut Random) -> String) {
    let mut counts = [0; 2];
    for_seeds(seeds, |seed, random| {
        let text = model(random);
        let input = Input { name: "random.pml", bytes: text.as_bytes() };
        let read = promela::read(input, &preprocess::Options::default(), &NoFiles);
        let Some(program) = read.program else { panic!("{text}") };
        let engine = [Engine::Jit, Engine::Closures, Engine::Reference][seed as usize % 3];
        let options = Options { engine, plain: seed % 2 == 0, ..Options::default() };
        let source = Source::new("random.pml", text.as_bytes());
        let checked = pipeline::check(source, &options, "argos", &mut Memory::default());
        let checked = checked.unwrap_or_else(|usage| panic!("{usage:?}\n{text}"));
        assert_eq!(checked.internal_error, None, "{options:?}\n{text}");
        let line = |state: &State, step: &Step| {
            let micro = step.micros.first()?;
            let kind = state.processes.get(micro.pid)?.proctype;
            let span = program.proctypes[kind].edges[micro.edge].span;
            Some(read.sources.line(span))
        };
        let mut kinds = Vec::new();
        for error in &checked.report.errors {
            // Behind an assertion that fails others are looked for without it.
            let is_first = !kinds.contains(&error.kind) && !error.rules.without_assertions;
            kinds.push(error.kind);
            if error.kind.is_infinite() || !is_first {
                continue;
            }
            let Some(space) = Space::new(&program, &line, error.kind) else { continue };
            match space.judge(error, &format!("{options:?}\n{text}")) {
                Some(Avoidable::Until) => counts[0] += 1,
                Some(_) => counts[1] += 1,
                None => {}
            }
        }
    });
    assert!(
        std::env::var("ARGOS_SEED").is_ok() || counts.iter().all(|count| *count >= least),
        "{counts:?}"
    );
}

#[test]
fn programs_that_interact() {
    judge_all(0..1_400, 20, &|random| dependent::model(random));
}

#[test]
fn endless_programs() {
    judge_all(0..700, 20, &|random| endless::model(random, false));
}

#[test]
fn programs_that_are_reduced() {
    judge_all(0..100, 5, &|random| reducible::model(random));
}
