//! What every implementation must agree on, for one sample.
//!
//! Who judges the judges: each of these breaks was tried on a copy, and the
//! random protocols found every one of them.
//!
//! - engine: observer sets left out of the packed state, or never moved; a send
//!   that sees one slot fewer; timeouts under `last` fired at once; `default`
//!   under `else` taking everything; a freed slot that keeps its message; a
//!   missing value received as zero
//! - search: findings not told apart (no deduplication); a depth bound without exploring
//!   again; breadth first reporting violating steps before their level is done
//! - automata: `end` labels merged by minimisation; under the home rule the start
//!   merged (rare: needs all the samples); labels lost with transit states;
//!   choices of skips passed over; the head of a nested `do` sharing a state it
//!   must not share, or losing guards; `break` leaving to the wrong place

use crate::generator::Sample;
use crate::naive::{self, Failure, Naive};
use crate::statements::{self, Faces};
use automata::reference::{Move, World};
use automata::{CallRule, EdgeId, MachineId, Network};
use base::{Id, SourceMap};
use engine::{Order, PackedNetwork, Readable, ReferenceNetwork};
use pipeline::{Calls, Loaded, Memory, Networks, Options, Source};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use restrict::{Filtered, Filters};
use search::{Finding, FindingKind, Outcome, Plan, Request, StoreKind, Unwatched, Why};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use system::{Step, StepOutcome, Successors, Unlimited, Word};
use trace::{Ending, NetworkRun, Run};

pub(crate) type Judged = Result<(), TestCaseError>;

/// An error as all searches of one network must find it: what, where, by which
/// step.
pub(crate) type Error = (FindingKind, World, Option<Move>);

/// Larger state spaces are left out.
pub(crate) const WORLDS_MAX: usize = 600;
/// A store of the path visits states again and again: only tiny spaces, and not
/// for ever.
const TINY: usize = 60;
const PATH_STATES_MAX: u64 = 20_000;
/// A trail is replayed with everything a report needs, which is slow: the long
/// ones of an unordered search only so many times, shortest ones more often.
const LONG_REPLAYS_MAX: usize = 3;
const REPLAYS_MAX: usize = 20;
/// `check` replays everything it lists; samples with more errors list the first.
pub(crate) const LISTED_MAX: usize = 20;

/// A sample, built and enumerated.
pub(crate) struct Case<'a> {
    pub(crate) options: &'a Options,
    pub(crate) text: String,
    pub(crate) loaded: Loaded,
    pub(crate) networks: Networks,
    pub(crate) naive: Naive,
}

/// Builds a sample and enumerates its state space; nothing if that is too large.
pub(crate) fn enumerate(sample: &Sample) -> Result<Option<Case<'_>>, TestCaseError> {
    let text = crate::print::source(&sample.protocol);
    let source = Source::new("sample.argos", text.as_bytes());
    let loaded = pipeline::load(source, &sample.options, &Memory::default());
    prop_assert!(loaded.errors().is_empty(), "{:?}", loaded.errors());
    let options = Options { no_minimise: false, ..sample.options.clone() };
    let model = loaded.model().expect("a text without errors is a model");
    let networks = Networks::new(model, &options);
    let Some(naive) = naive::search(&networks.raw, WORLDS_MAX) else { return Ok(None) };
    Ok(Some(Case { options: &sample.options, text, loaded, networks, naive }))
}

/// Everything every implementation must agree on.
pub(crate) fn judge(case: &Case<'_>) -> Judged {
    networks_are_sound(&case.networks.raw)?;
    networks_are_sound(&case.networks.searched)?;
    statements_agree(case)?;
    let Networks { raw, searched } = &case.networks;
    for order in [Order::Declared, Order::YoungestFirst] {
        engines_agree(raw, order)?;
        if searched != raw {
            engines_agree(searched, order)?;
        }
    }
    searches_agree(case)?;
    bounded_searches_agree(case)?;
    stores_of_the_path_agree(case)?;
    internal_actions_first_agree(case)?;
    minimised_agrees(case)?;
    crate::report::check_agrees(case)
}

fn networks_are_sound(network: &Network) -> Judged {
    prop_assert_eq!(automata::verify(network), Vec::<String>::new());
    let read = automata::read(&network.to_string());
    prop_assert_eq!(read.as_ref(), Ok(network), "the text form reads back");
    Ok(())
}

/// The network shows what the statements themselves do.
fn statements_agree(case: &Case<'_>) -> Judged {
    let model = case.loaded.model().expect("a text without errors is a model");
    let calls = match case.options.calls {
        Calls::Inline => CallRule::Inline,
        Calls::Step => CallRule::Step,
    };
    let executed = statements::faces(model, &case.networks.raw, calls, 4 * WORLDS_MAX);
    let Some(executed) = executed else { return Ok(()) };
    let mut faces = Faces::default();
    for (world, (_, moves)) in &case.naive.worlds {
        faces.all.insert(statements::face(world));
        if !moves {
            faces.blocked.insert(statements::face(world));
        }
    }
    for error in &case.naive.errors {
        match error.kind {
            FindingKind::Step(StepOutcome::Fault) => {
                faces.faults.insert(statements::face(&error.world))
            }
            FindingKind::Step(_) => faces.violations.insert(statements::face(&error.world)),
            FindingKind::Blocked(_) => true,
        };
    }
    prop_assert_eq!(executed, faces);
    Ok(())
}

/// The packed form of a network by closures; none has assertions too large for it.
fn packed(network: &Network, order: Order) -> PackedNetwork<'_, Arc<packed::Closures>> {
    engine::pack(network, order).expect("small networks have a packed form").on_closures()
}

/// Machine code costs more to make than a small model to search: one model in so many.
const NETWORKS_PER_MACHINE_CODE: usize = 8;

/// The packed form of a network by machine code, of some networks.
fn machine_code(network: &Network, order: Order) -> Option<Box<dyn Readable + '_>> {
    let edges: usize = network.machines.iter().map(|machine| machine.edges.len()).sum();
    let form =
        engine::pack(network, order).filter(|_| edges.is_multiple_of(NETWORKS_PER_MACHINE_CODE))?;
    let code = jit::compile(form.packed())?;
    Some(Box::new(form.on(code)))
}

/// Walks all engines in lockstep over the whole state space. Machine code has the words of
/// the closures.
fn engines_agree(network: &Network, order: Order) -> Judged {
    let (fast, slow) = (packed(network, order), ReferenceNetwork::new(network, order));
    let code = machine_code(network, order);
    let mut by_code = batch(&fast);
    let mut known: HashSet<Vec<Word>> = HashSet::new();
    let mut waiting = vec![(initial(&fast), initial(&slow))];
    known.insert(waiting[0].0.clone());
    let (mut ours, mut theirs) = (batch(&fast), batch(&slow));
    while let Some((words, reference)) = waiting.pop() {
        successors(&fast, &words, &mut ours);
        successors(&slow, &reference, &mut theirs);
        prop_assert_eq!(fast.world(&words), slow.world(&reference));
        prop_assert_eq!(labelled(&fast, &words), labelled(&slow, &reference));
        prop_assert_eq!(steps(&ours), steps(&theirs), "same steps, same landings, same order");
        if let Some(code) = &code {
            successors(&**code, &words, &mut by_code);
            prop_assert_eq!(steps(&by_code), steps(&ours), "machine code");
            prop_assert!(by_code.states() == ours.states(), "machine code, the same words");
        }
        if ours.is_empty() {
            prop_assert_eq!(rest(&fast, &words), rest(&slow, &reference));
        }
        for ((_, landing, mine), (_, _, other)) in ours.iter().zip(theirs.iter()) {
            // A division by zero has no world behind it.
            if landing != StepOutcome::Fault {
                prop_assert_eq!(fast.world(mine), slow.world(other));
            }
            if landing == StepOutcome::State && known.insert(mine.to_vec()) {
                waiting.push((mine.to_vec(), other.to_vec()));
            }
        }
    }
    Ok(())
}

fn initial(system: &impl Readable) -> Vec<Word> {
    let mut words = vec![0; system.width()];
    system.initial(&mut words);
    words
}

fn batch(system: &impl Readable) -> Successors {
    Successors::new(system.width())
}

fn successors(system: &(impl Readable + ?Sized), words: &[Word], out: &mut Successors) {
    out.clear();
    system.successors(words, out, &mut Unlimited);
}

fn labelled(system: &impl Readable, words: &[Word]) -> bool {
    system.loop_heads().expect("networks have labels").is_loop_head(words)
}

fn rest(system: &impl Readable, words: &[Word]) -> system::Blocked {
    system.blocked(words)
}

fn steps(batch: &Successors) -> Vec<(Step, StepOutcome)> {
    batch.iter().map(|(step, landing, _)| (step, landing)).collect()
}

/// Searches that remember everything give the oracle's numbers exactly.
fn searches_agree(case: &Case<'_>) -> Judged {
    let Case { networks, naive, .. } = case;
    for order in [search::Order::Exhaustive, search::Order::DepthFirst] {
        let system = packed(&networks.raw, engine_order(order));
        let outcome = run(&system, Request { order, ..all_errors() });
        exact(&system, &outcome, naive)?;
        replays(case, &networks.raw, outcome.findings.iter().take(LONG_REPLAYS_MAX))?;
    }
    let breadth_first = Request { order: search::Order::BreadthFirst, ..all_errors() };
    let system = packed(&networks.raw, Order::Declared);
    let outcome = run(&system, breadth_first);
    exact(&system, &outcome, naive)?;
    shortest(&system, &outcome, naive)?;
    replays(case, &networks.raw, outcome.findings.iter().take(REPLAYS_MAX))
}

/// With local transitions first, the same worlds are blocked and the same kinds of steps end
/// in errors, in no more states.
fn internal_actions_first_agree(case: &Case<'_>) -> Judged {
    let system = packed(&case.networks.raw, Order::Declared);
    let filters = Filters { local_first: true, ..Filters::default() };
    let plan = Plan::new(&all_errors()).expect("a sound combination");
    let filtered = Filtered::new(&system, filters).expect("networks have parts");
    let outcome = search::run(&filtered, &mut [], &plan, &mut Unwatched).expect("it needs nothing");
    prop_assert!(outcome.complete());
    prop_assert!(outcome.statistics.states as usize <= case.naive.worlds.len());
    prop_assert_eq!(outcome.statistics.residuals as usize, case.naive.residuals);
    let at_rest = |kind: FindingKind, world: World| match kind {
        FindingKind::Blocked(_) => (kind, Some(world)),
        FindingKind::Step(_) => (kind, None),
    };
    let found = outcome.findings.iter().map(|f| at_rest(f.kind, system.world(&f.state)));
    let all = case.naive.errors.iter().map(|error| at_rest(error.kind, error.world.clone()));
    prop_assert_eq!(found.collect::<HashSet<_>>(), all.collect::<HashSet<_>>());
    replays(case, &case.networks.raw, outcome.findings.iter().take(LONG_REPLAYS_MAX))
}

fn engine_order(order: search::Order) -> Order {
    match order {
        search::Order::DepthFirst => Order::YoungestFirst,
        _ => Order::Declared,
    }
}

fn all_errors() -> Request {
    Request { all_errors: true, ..Request::default() }
}

fn run(system: &impl Readable, request: Request) -> Outcome {
    let plan = Plan::new(&request).expect("the judges ask only for what is sound");
    search::run(system, &mut [], &plan, &mut Unwatched).expect("networks have all it needs")
}

fn exact(system: &impl Readable, outcome: &Outcome, naive: &Naive) -> Judged {
    let statistics = &outcome.statistics;
    prop_assert!(outcome.complete());
    prop_assert_eq!(statistics.states as usize, naive.worlds.len());
    prop_assert_eq!(statistics.transitions as usize, 1 + naive.edges);
    prop_assert_eq!(statistics.transitions, statistics.states + statistics.matched);
    prop_assert_eq!(statistics.residuals as usize, naive.residuals);
    prop_assert_eq!(statistics.errors as usize, naive.errors.len());
    prop_assert_eq!(outcome.findings.len(), naive.errors.len(), "no error is listed twice");
    prop_assert_eq!(errors_found(system, outcome), errors_within(naive, usize::MAX));
    Ok(())
}

pub(crate) fn errors_found(system: &impl Readable, outcome: &Outcome) -> HashSet<Error> {
    outcome.findings.iter().map(|finding| error_of(system, finding)).collect()
}

fn error_of(system: &impl Readable, finding: &Finding) -> Error {
    let last = finding.trail.last().filter(|_| matches!(finding.kind, FindingKind::Step(_)));
    (finding.kind, system.world(&finding.state), last.map(move_of))
}

fn move_of(step: &Step) -> Move {
    Move { machine: MachineId::new(step.agent as usize), edge: EdgeId::new(step.edge as usize) }
}

fn errors_within(naive: &Naive, distance: usize) -> HashSet<Error> {
    let near = naive.errors.iter().filter(|error| error.distance <= distance);
    near.map(|error| (error.kind, error.world.clone(), error.step)).collect()
}

/// Breadth first, every trail is as short as the oracle's distance, and findings
/// come in that order.
fn shortest(system: &impl Readable, outcome: &Outcome, naive: &Naive) -> Judged {
    let key = |error: &Failure| (error.kind, error.world.clone(), error.step);
    let distances: HashMap<Error, usize> =
        naive.errors.iter().map(|error| (key(error), error.distance)).collect();
    for finding in &outcome.findings {
        let distance = distances.get(&error_of(system, finding)).copied();
        prop_assert_eq!(Some(finding.trail.len()), distance);
    }
    prop_assert!(outcome.findings.is_sorted_by_key(|finding| finding.trail.len()));
    Ok(())
}

/// Trails are executed again on the un-minimised machines, and end the same.
fn replays<'f>(
    case: &Case<'_>,
    searched: &Network,
    findings: impl Iterator<Item = &'f Finding>,
) -> Judged {
    for finding in findings {
        replays_one(&case.networks.raw, searched, finding, &case.loaded.sources)?;
    }
    Ok(())
}

fn replays_one(
    raw: &Network,
    searched: &Network,
    finding: &Finding,
    sources: &SourceMap,
) -> Judged {
    let mut run = NetworkRun::new(raw, searched, sources);
    let followed = run.follow(&finding.trail);
    prop_assert!(followed.is_ok(), "{:?}", followed);
    let ended = match run.ending() {
        Ending::Blocked(rest) => Some(FindingKind::Blocked(naive::rest(rest))),
        Ending::Violation(id) => Some(FindingKind::Step(StepOutcome::Violation(id.index() as u32))),
        Ending::DivisionByZero => Some(FindingKind::Step(StepOutcome::Fault)),
        Ending::Running => None,
    };
    prop_assert_eq!(ended, Some(finding.kind));
    Ok(())
}

/// Under every small depth bound: exactly the worlds, the errors and the cut
/// branches within it, and breadth first the same. Each sample takes one bound in three.
fn bounded_searches_agree(case: &Case<'_>) -> Judged {
    let system = packed(&case.networks.raw, Order::Declared);
    let first = case.naive.worlds.len() as u64 % 3;
    for depth in (first..=12).step_by(3) {
        for order in [search::Order::Exhaustive, search::Order::BreadthFirst] {
            let outcome = run(&system, Request { order, depth: Some(depth), ..all_errors() });
            within(&system, &outcome, &case.naive, depth as usize)?;
        }
    }
    Ok(())
}

fn within(system: &impl Readable, outcome: &Outcome, naive: &Naive, depth: usize) -> Judged {
    let near = naive.worlds.values().filter(|(distance, _)| *distance <= depth).count();
    let cut = naive.worlds.values().filter(|(distance, moves)| *distance == depth && *moves);
    let cut = cut.count();
    prop_assert_eq!(outcome.statistics.states as usize, near);
    prop_assert_eq!(outcome.statistics.truncated as usize, cut);
    prop_assert_eq!(&outcome.why_incomplete, &if cut > 0 { vec![Why::Depth] } else { vec![] });
    prop_assert_eq!(errors_found(system, outcome), errors_within(naive, depth));
    Ok(())
}

/// Stores that forget come upon the same errors.
fn stores_of_the_path_agree(case: &Case<'_>) -> Judged {
    if case.naive.worlds.len() > TINY {
        return Ok(());
    }
    let system = packed(&case.networks.raw, Order::YoungestFirst);
    for store in [StoreKind::Path, StoreKind::Labelled] {
        let order = search::Order::DepthFirst;
        let states_max = Some(PATH_STATES_MAX);
        let outcome = run(&system, Request { order, store, states_max, ..all_errors() });
        if outcome.why_incomplete == [Why::States] {
            continue;
        }
        prop_assert!(outcome.complete());
        prop_assert!(outcome.statistics.states as usize >= case.naive.worlds.len());
        prop_assert_eq!(outcome.findings.len(), case.naive.errors.len());
        prop_assert_eq!(errors_found(&system, &outcome), errors_within(&case.naive, usize::MAX));
    }
    Ok(())
}

/// The minimised network has the same errors, class by class: each error of the
/// one, with states and edges replaced by their classes, is one of the other.
fn minimised_agrees(case: &Case<'_>) -> Judged {
    let searched = &case.networks.searched;
    let system = packed(searched, Order::Declared);
    let outcome = run(&system, Request { order: search::Order::BreadthFirst, ..all_errors() });
    prop_assert!(outcome.statistics.states as usize <= case.naive.worlds.len());
    let classes: HashSet<Error> = errors_within(&case.naive, usize::MAX)
        .into_iter()
        .map(|(kind, world, step)| {
            (kind, class_of(searched, &world), step.map(|step| edge_class_of(searched, step)))
        })
        .collect();
    prop_assert_eq!(errors_found(&system, &outcome), classes);
    replays(case, searched, outcome.findings.iter().take(REPLAYS_MAX))
}

/// The world of the minimised network that stands for a world.
fn class_of(searched: &Network, world: &World) -> World {
    let class = |machine: &automata::Machine, state: automata::StateId| {
        let found = machine.states.iter_ids().find(|(_, it)| it.members.contains(&state));
        found.map(|(id, _)| id).expect("every state is a member of its class")
    };
    let at = world.at.iter_ids().map(|(id, state)| class(&searched.machines[id], *state));
    let seen = world.seen.iter_ids().map(|(id, set)| {
        set.iter().map(|state| class(searched.observers[id].machine(), *state)).collect()
    });
    World { at: at.collect(), seen: seen.collect(), ..world.clone() }
}

fn edge_class_of(searched: &Network, step: Move) -> Move {
    let edges = &searched.machines[step.machine].edges;
    let found = edges.iter_ids().find(|(_, edge)| edge.originals.contains(&step.edge));
    Move { edge: found.map(|(id, _)| id).expect("every edge is merged into one"), ..step }
}
