//! The papers' own examples, where they print more than a number.

use crate::naive;
use automata::reference::{self, Move, Outcome, World};
use automata::{Action, Network, StateId};
use base::{Id, IdVec};
use engine::{Layout, Order};
use pipeline::{Memory, Networks, Options, Source};
use search::{FindingKind, Plan, Request, Unwatched};
use std::collections::{BTreeSet, HashSet, VecDeque};
use system::{Blocked, StepOutcome};

fn networks(text: &str) -> Networks {
    let options = Options::default();
    let source = Source::new("paper.argos", text.as_bytes());
    let loaded = pipeline::load(source, &options, &Memory::default());
    Networks::new(loaded.model().expect("the papers' examples have no error"), &options)
}

fn abp_a3() -> Networks {
    networks(include_str!("../../../../corpus/papers/abp_a3.argos"))
}

/// The kinds and worlds of all errors.
fn errors(network: &Network) -> Vec<(FindingKind, World)> {
    let system = engine::system(network, Order::Declared);
    let plan = Plan::new(&Request { all_errors: true, ..Request::default() });
    let plan = plan.expect("the default combination is sound");
    let findings =
        search::run(&*system, &mut [], &plan, &mut Unwatched).expect("it needs nothing").findings;
    findings.iter().map(|found| (found.kind, system.world(&found.state))).collect()
}

/// Nine steps violate assertion 3 of the alternating bit protocol.
#[test]
fn the_third_assertion_has_nine_violations() {
    let found = errors(&abp_a3().searched);
    let violation = FindingKind::Step(StepOutcome::Violation(0));
    assert_eq!(found.iter().filter(|(kind, _)| *kind == violation).count(), 9);
    assert_eq!(found.len(), 9);
}

/// A search that matched states without the observers' sets would miss them
/// all. Ours cannot: the sets are in the words of a state.
#[test]
fn worlds_that_differ_in_an_observer_set_are_different_states() {
    let network = abp_a3().searched;
    let layout = Layout::new(&network);
    let observer = network.observers.iter().next().expect("there is one assertion");
    let states: Vec<StateId> = observer.machine().states.ids().collect();
    for world in naive::search(&network, 1000).expect("it is small").worlds.into_keys() {
        let packed: HashSet<Vec<u64>> = subsets(&states)
            .map(|set| {
                let mut words = vec![0; layout.width()];
                let seen = IdVec::from(vec![set]);
                layout.encode(&World { seen, ..world.clone() }, &mut words);
                words
            })
            .collect();
        assert_eq!(packed.len(), 1 << states.len());
    }
}

fn subsets(states: &[StateId]) -> impl Iterator<Item = BTreeSet<StateId>> {
    (0..1_usize << states.len())
        .map(|bits| states.iter().copied().filter(|s| bits >> s.index() & 1 == 1).collect())
}

/// What the sets are for: breadth first, a search that matches worlds without
/// them finds no violation at all. (Other orders stumble over some.)
#[test]
fn matching_without_observer_sets_misses_every_violation() {
    let network = abp_a3().searched;
    let strip = |world: &World| World { seen: IdVec::new(), ..world.clone() };
    let mut known = HashSet::from([strip(&reference::initial(&network))]);
    let mut waiting = VecDeque::from([reference::initial(&network)]);
    while let Some(world) = waiting.pop_front() {
        for step in reference::moves(&network, &world) {
            match reference::apply(&network, &world, step) {
                Outcome::World(next) if known.insert(strip(&next)) => waiting.push_back(next),
                Outcome::World(_) => {}
                other => panic!("{other:?} was found after all"),
            }
        }
    }
}

/// The first error sequence of the 1985 paper, section on the NBS protocol:
/// conn_resp cannot be received in state closed.
#[test]
fn nbs_first_error_sequence() {
    let sends = ["conn_req", "m1", "conn_ind", "abort", "m4", "d", "conn_resp"];
    nbs_ends_blocked(&sends, "conn_resp");
}

/// The second one: m2 cannot be received in state closed.
#[test]
fn nbs_second_error_sequence() {
    let sends = ["conn_req", "m1", "conn_ind", "abort", "conn_resp", "m4", "m2", "d"];
    nbs_ends_blocked(&sends, "m2");
}

/// Some run with exactly these sends ends where nothing moves, `left` waits in a
/// channel, and the search for all errors lists that world.
fn nbs_ends_blocked(sends: &[&str], left: &str) {
    let network = networks(include_str!("../../../../corpus/papers/nbs.argos")).raw;
    let mut worlds = silently(&network, HashSet::from([reference::initial(&network)]));
    for send in sends {
        let sent = worlds.iter().flat_map(|world| after(&network, world, Some(send)));
        worlds = silently(&network, sent.collect());
        assert!(!worlds.is_empty(), "nobody can send {send} now");
    }
    let blocked: Vec<&World> = worlds
        .iter()
        .filter(|world| {
            reference::moves(&network, world).is_empty() && holds(&network, world, left)
        })
        .collect();
    assert!(!blocked.is_empty(), "the sequence leads to no blocked world");
    let listed = errors(&network);
    let kind = FindingKind::Blocked(Blocked::UnspecifiedReception);
    for world in blocked {
        assert!(listed.contains(&(kind, world.clone())), "{world:?} is not listed");
    }
}

fn holds(network: &Network, world: &World, message: &str) -> bool {
    world.queues.iter().flatten().any(|it| network.messages[it.name].as_str() == message)
}

/// All worlds reached without a send.
fn silently(network: &Network, mut worlds: HashSet<World>) -> HashSet<World> {
    let mut waiting: Vec<World> = worlds.iter().cloned().collect();
    while let Some(world) = waiting.pop() {
        for next in after(network, &world, None) {
            if worlds.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    worlds
}

/// The worlds after one send of `message`, or after one step that sends nothing.
fn after(network: &Network, world: &World, message: Option<&str>) -> Vec<World> {
    let sends = |step: &Move| match &network.machines[step.machine].edges[step.edge].action {
        Action::Send(_, name, _) => Some(network.messages[*name].as_str()),
        _ => None,
    };
    let moves = reference::moves(network, world).into_iter().filter(|step| sends(step) == message);
    moves
        .filter_map(|step| match reference::apply(network, world, step) {
            Outcome::World(next) => Some(next),
            _ => None,
        })
        .collect()
}
