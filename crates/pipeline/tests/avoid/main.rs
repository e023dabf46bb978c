//! The point of no return of errors of random programs, against all states of the reference
//! interpreter and the definition: the least set of states that contains one if each of its steps
//! fails or leads into the set.

mod guards;

use pipeline::{Engine, Memory, Options, Source};
use preprocess::Input;
use program::Program;
use program::reference::{self, Breach, Rest, Rules, State, Step};
use report::{Avoidable, ErrorEntry, Kind};
use std::collections::HashMap;
use testkit::promela::{dependent, endless, reducible};
use testkit::{NoFiles, Random, for_seeds};

/// States beyond which a program is not judged.
const STATES_MAX: usize = 500;

/// What a step leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    To(usize),
    Fails(Kind),
}

/// All states of a program, with the lines of their steps.
struct Space {
    ways: Vec<Vec<(Way, Option<u32>)>>,
    stuck: Vec<bool>,
}

impl Space {
    /// Nothing for a program with too many states.
    fn new(program: &Program, line: &dyn Fn(&State, &Step) -> Option<u32>) -> Option<Self> {
        let rules = Rules::default();
        let first = reference::initial(program, &rules).ok()?;
        let mut known = HashMap::from([(first.clone(), 0)]);
        let (mut states, mut ways, mut stuck) = (vec![first], Vec::new(), Vec::new());
        while let Some(state) = states.get(ways.len()).cloned() {
            let steps = reference::steps(program, &rules, &state);
            let rest = reference::at_rest(program, &rules, &state);
            stuck.push(steps.is_empty() && matches!(rest, Rest::InvalidEnd(_)));
            let way = |step: &Step| {
                let way = match step.failures.last().filter(|_| step.ends) {
                    Some(failure) => Way::Fails(trace::kind(Breach::of(failure))),
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
        Some(Self { ways, stuck })
    }

    /// The states from which an error of this kind cannot be avoided.
    fn doomed(&self, kind: Kind) -> Doomed<'_> {
        let stuck = self.stuck.iter().map(|stuck| *stuck && kind == Kind::Deadlock);
        let mut doomed = Doomed { ways: &self.ways, kind, states: stuck.collect() };
        while doomed.grow() {}
        doomed
    }
}

/// The states of a space from which an error of a kind cannot be avoided.
struct Doomed<'a> {
    ways: &'a [Vec<(Way, Option<u32>)>],
    kind: Kind,
    states: Vec<bool>,
}

impl Doomed<'_> {
    /// Adds the states that are doomed because those behind them are.
    fn grow(&mut self) -> bool {
        let doomed = |at: &usize| {
            let ways = &self.ways[*at];
            !self.states[*at] && !ways.is_empty() && ways.iter().all(|(way, _)| !self.escapes(*way))
        };
        let more: Vec<usize> = (0..self.ways.len()).filter(doomed).collect();
        more.iter().for_each(|at| self.states[*at] = true);
        !more.is_empty()
    }

    /// An error of another kind is an escape, too.
    fn escapes(&self, way: Way) -> bool {
        match way {
            Way::To(state) => !self.states[state],
            Way::Fails(kind) => kind != self.kind,
        }
    }

    /// The last state of a run that is not doomed, and which step of the run leaves it.
    fn last_escape(&self, choices: &[u32]) -> Option<(usize, usize)> {
        let (mut state, mut last) = (0, None);
        for (at, choice) in choices.iter().enumerate() {
            last = if self.states[state] { last } else { Some((at, state)) };
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
        let line = |state: &State, step: &Step| {
            let micro = step.micros.first()?;
            let kind = state.processes.get(micro.pid)?.proctype;
            let span = program.proctypes[kind].edges[micro.edge].span;
            Some(read.sources.line(span))
        };
        // A large one is not judged, and costs most.
        let Some(space) = Space::new(&program, &line) else { return };
        let engine = [Engine::Jit, Engine::Closures, Engine::Reference][seed as usize % 3];
        let options = Options { engine, plain: seed % 2 == 0, ..Options::default() };
        let source = Source::new("random.pml", text.as_bytes());
        let checked = pipeline::check(source, &options, "argos", &mut Memory::default());
        let checked = checked.unwrap_or_else(|usage| panic!("{usage:?}\n{text}"));
        assert_eq!(checked.internal_error, None, "{options:?}\n{text}");
        let mut kinds = Vec::new();
        for error in &checked.report.errors {
            // Behind an assertion that fails others are looked for without it.
            let is_first = !kinds.contains(&error.kind) && !error.rules.without_assertions;
            kinds.push(error.kind);
            if error.kind.is_infinite() || !is_first {
                continue;
            }
            match space.doomed(error.kind).judge(error, &format!("{options:?}\n{text}")) {
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
    judge_all(0..1_400, 100, &|random| dependent::model(random));
}

#[test]
fn endless_programs() {
    judge_all(0..700, 100, &|random| endless::model(random, false));
}

#[test]
fn programs_that_are_reduced() {
    judge_all(0..100, 10, &|random| reducible::model(random));
}
