//! What is said of guards that were never true, against all states of the reference interpreter:
//! which parts held where a process waited, and the values of what they read.

use base::{BinaryOp, UnaryOp};
use pipeline::{Engine, Memory, Options, Source};
use preprocess::Input;
use program::reference::{self, Mover, Rules, State};
use program::{Action, Edge, Expr, Program, VariableRef};
use report::{Guard, Unreached};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use testkit::promela::{dependent, endless};
use testkit::{NoFiles, Random, for_seeds};
use trace::{location, program_statement};

/// States beyond which a program is not judged.
const STATES_MAX: usize = 2_000;

/// Every state, and in the states inside of steps who goes on from there.
fn states(program: &Program) -> Option<Vec<(State, Option<usize>)>> {
    let rules = Rules::default();
    let first = reference::initial(program, &rules).ok()?;
    let mut known = HashSet::from([first.clone()]);
    let (mut visible, mut at, mut inside) = (vec![first], 0, Vec::new());
    while let Some(state) = visible.get(at).cloned() {
        for step in reference::steps(program, &rules, &state) {
            let between = reference::states_inside(program, &rules, &state, &step);
            let next = step.micros.iter().skip(1).map(|micro| Some(micro.pid));
            inside.extend(between.into_iter().zip(next));
            if !step.ends && known.insert(step.state.clone()) {
                visible.push(step.state);
            }
        }
        at += 1;
        if visible.len() > STATES_MAX {
            return None;
        }
    }
    Some(visible.into_iter().map(|state| (state, None)).chain(inside).collect())
}

/// What is required all together: `!(a || b)` requires `!a` and `!b`.
fn parts(expr: &Expr, wanted: bool) -> Vec<(Expr, bool)> {
    match expr {
        Expr::Unary(UnaryOp::Not, inner) => parts(inner, !wanted),
        Expr::Binary(op, a, b) if *op == if wanted { BinaryOp::And } else { BinaryOp::Or } => {
            [parts(a, wanted), parts(b, wanted)].concat()
        }
        _ => vec![(expr.clone(), wanted)],
    }
}

/// The globals without an index that an expression reads.
fn globals(expr: &Expr, program: &Program, found: &mut BTreeSet<String>) {
    match expr {
        Expr::Unary(_, a) => globals(a, program, found),
        Expr::Binary(_, a, b) => [a, b].into_iter().for_each(|it| globals(it, program, found)),
        Expr::Load(place) => {
            if let VariableRef::Global(id) = place.variable
                && !program.globals[id].is_array
            {
                found.insert(program.globals[id].name.to_string());
            }
        }
        _ => {}
    }
}

/// What was found of one part.
#[derive(Default)]
struct Found {
    held: bool,
    values: BTreeMap<String, BTreeSet<i32>>,
}

struct Model<'a> {
    program: &'a Program,
    states: &'a [(State, Option<usize>)],
}

impl Model<'_> {
    /// The parts of a guard over all states in which a process stands before one of its edges.
    fn found(&self, edges: &[(program::ProctypeId, &Edge, program::EdgeId)]) -> Vec<Found> {
        let (program, rules) = (self.program, Rules::default());
        let mut all: Vec<Found> = Vec::new();
        for (state, only) in self.states {
            for pid in (0..state.processes.len()).filter(|pid| only.is_none_or(|only| only == *pid))
            {
                let process = &state.processes[pid];
                for (kind, edge, id) in edges {
                    if process.proctype != *kind || process.location != edge.from {
                        continue;
                    }
                    let Action::Condition(condition) = &edge.action else {
                        let mover = Mover::Process(pid);
                        let moves = reference::moves(program, &rules, state, mover, false);
                        all.resize_with(1, Found::default);
                        all[0].held |= moves.iter().any(|made| made.edge == *id);
                        continue;
                    };
                    let parts = parts(condition, true);
                    all.resize_with(parts.len(), Found::default);
                    for (found, (part, wanted)) in all.iter_mut().zip(&parts) {
                        let value = reference::value(program, &rules, state, pid, part);
                        found.held |= value.is_some_and(|value| (value != 0) == *wanted);
                        let mut names = BTreeSet::new();
                        globals(part, program, &mut names);
                        for name in names {
                            let mut globals = program.globals.iter_ids();
                            let at = globals.find(|(_, it)| *it.name == *name).map(|(id, _)| id);
                            let values = &state.globals[at.expect("it has that name")];
                            found.values.entry(name).or_default().insert(values[0]);
                        }
                    }
                }
            }
        }
        all
    }
}

fn compare(guard: &Guard, found: &[Found], told: &str) {
    assert_eq!(guard.parts.len(), found.len(), "{guard:?} {told}");
    for (part, found) in guard.parts.iter().zip(found) {
        assert_eq!(part.held, found.held, "{guard:?} {told}");
        for (name, values) in &found.values {
            let seen = part.seen.iter().find(|seen| seen.what == *name);
            let seen = seen.unwrap_or_else(|| panic!("{name}: {guard:?} {told}"));
            assert_eq!(seen.count, values.len() as u64, "{name}: {guard:?} {told}");
            let numbers: Option<Vec<i32>> =
                seen.values.iter().map(|value| value.parse().ok()).collect();
            // Truth values and symbolic constants are told in words.
            if let Some(numbers) = numbers {
                let first: Vec<i32> = values.iter().copied().take(numbers.len()).collect();
                assert_eq!(numbers, first, "{name}: {guard:?} {told}");
            }
        }
    }
    if guard.parts.iter().any(|part| !part.held) {
        assert!(guard.text.contains("never"), "{guard:?} {told}");
    }
}

/// Judges the guards of a model; how many there were, and how many of several parts.
fn judge(text: &str, random: &mut Random) -> Option<[usize; 2]> {
    let input = Input { name: "random.pml", bytes: text.as_bytes() };
    let read = promela::read(input, &preprocess::Options::default(), &NoFiles);
    let (program, sources) = (read.program?, read.sources);
    let engine = random.one_of(&[Engine::Jit, Engine::Closures]);
    let plain = random.chance(30);
    let options = Options { engine, plain, tells_guards: true, ..Options::default() };
    let source = Source::new("random.pml", text.as_bytes());
    let checked = pipeline::check(source, &options, "argos", &mut Memory::default()).ok()?;
    let waited: Vec<&Unreached> =
        checked.report.unreached.iter().filter(|it| it.blocked == Some(true)).collect();
    if waited.is_empty() {
        return Some([0; 2]);
    }
    let states = states(&program)?;
    let model = Model { program: &program, states: &states };
    let mut counts = [0; 2];
    for missed in waited {
        let edges = program.proctypes.iter_ids().flat_map(|(kind, proctype)| {
            proctype.edges.iter_ids().map(move |(id, edge)| (kind, edge, id))
        });
        let is_it = |(kind, edge, _): &(program::ProctypeId, &Edge, program::EdgeId)| {
            let place = location(&sources, Some(edge.span));
            *program.proctypes[*kind].name == *missed.process
                && (place.line, place.column) == (missed.line, missed.column)
                && program_statement(edge, &sources) == missed.statement
        };
        let edges: Vec<_> = edges.filter(is_it).collect();
        // What waits inside of a `d_step`, or has several guards, is not compared part by part.
        let is_single = edges.windows(2).all(|pair| pair[0].1.action == pair[1].1.action);
        let is_step = edges.iter().any(|it| matches!(it.1.action, Action::Deterministic { .. }));
        let is_provided = edges.iter().any(|it| program.proctypes[it.0].provided.is_some());
        let guard = missed.guard.as_ref().unwrap_or_else(|| panic!("{missed:?}\n{text}"));
        // Where the reference interpreter searches the budget is small.
        if is_single && !is_step && !is_provided && guard.complete {
            compare(guard, &model.found(&edges), &format!("{missed:?}\n{text}"));
            counts[0] += 1;
            counts[1] += usize::from(guard.parts.len() > 1);
        }
    }
    Some(counts)
}

fn judge_all(seeds: std::ops::Range<u64>, least: usize, model: &dyn Fn(&mut Random) -> String) {
    let mut counts = [0; 2];
    for_seeds(seeds, |_, random| {
        let text = model(random);
        let own = judge(&text, random).unwrap_or_default();
        (0..2).for_each(|at| counts[at] += own[at]);
    });
    assert!(std::env::var("ARGOS_SEED").is_ok() || counts[0] >= least, "{counts:?}");
}

#[test]
fn guards_of_endless_programs() {
    judge_all(0..250, 15, &|random| endless::model(random, false));
}

#[test]
fn guards_of_programs_that_interact() {
    judge_all(0..250, 15, &|random| dependent::model(random));
}
