//! The protocols of the 1984 paper.

use automata::Network;
use automata::reference::{self, Outcome};
use backward::{
    Decided, Decision, Limits, NoTarget, Ruled, Scope, Suspect, Target, Tricks, Verdict, decide,
    decide_target, of_network,
};
use base::{Purpose, StatePredicate};
use preprocess::{Further, Input};
use search::Unwatched;
use std::collections::HashSet;
use std::path::Path;
use testkit::NoFiles;

/// A paper's protocol with its channels at this capacity.
fn network(name: &str, capacity: u32) -> Network {
    asked(name, capacity, &preprocess::Options::default()).0
}

/// The same with the predicates behind it.
fn asked(
    name: &str,
    capacity: u32,
    options: &preprocess::Options,
) -> (Network, Vec<StatePredicate<model::Predicate>>) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/papers");
    let bytes = std::fs::read(corpus.join(name)).expect("the protocol can be read");
    let input = Input { name, bytes: &bytes };
    let model = argos::read(input, options, &NoFiles).model.expect("it has no errors");
    let options =
        automata::BuildOptions { capacity_default: capacity, ..automata::BuildOptions::default() };
    let network = automata::minimise(&automata::build(&model, &options));
    (network, model.predicates)
}

/// What a predicate of the counters is to backward execution.
fn target(text: &str) -> (Network, Result<Target, NoTarget>) {
    let name = Purpose::Target.option().to_owned();
    let text = Further::Text { name, text: text.to_owned(), purpose: Some(Purpose::Target) };
    let options = preprocess::Options { further: vec![text], ..preprocess::Options::default() };
    let (network, predicates) = asked("b84_counters.argos", 2, &options);
    let asked = &predicates[0];
    let target = Target::of_network(&of_network(&network), &asked.holds, &asked.written);
    (network, target)
}

fn decided(network: &Network, tricks: Tricks) -> Decided {
    decide(&of_network(network), Scope::ALL, tricks, Limits::default(), &mut Unwatched)
}

fn deadlocks(decided: &Decided) -> Vec<&Decision> {
    let all = decided.decisions.iter();
    all.filter(|decision| matches!(decision.suspect, Suspect::Deadlock(_))).collect()
}

fn reachable<'a>(decisions: &[&'a Decision]) -> Vec<&'a Decision> {
    let all = decisions.iter().copied();
    all.filter(|decision| decision.verdict == Verdict::Reachable).collect()
}

fn states(decisions: &[&Decision]) -> u64 {
    decisions.iter().map(|decision| decision.states).sum()
}

/// States a forward search stores.
fn forward(network: &Network) -> u64 {
    let mut known = HashSet::from([reference::initial(network)]);
    let mut waiting: Vec<_> = known.iter().cloned().collect();
    while let Some(world) = waiting.pop() {
        for step in reference::moves(network, &world) {
            if let Outcome::World(next) = reference::apply(network, &world, step)
                && known.insert(next.clone())
            {
                waiting.push(next);
            }
        }
    }
    known.len() as u64
}

/// Appendix 1: 47 candidates, one of them real. With the improvements fewer states
/// are looked at than the forward search stores.
#[test]
fn the_set_up_protocol_has_47_deadlock_candidates_one_of_them_reachable() {
    for name in ["b84_setup.argos", "b84_setup_fixed.argos"] {
        for capacity in [1, 2] {
            let network = network(name, capacity);
            let decided = decided(&network, Tricks::ALL);
            let deadlocks = deadlocks(&decided);
            assert_eq!(deadlocks.len(), 47);
            assert_eq!(reachable(&deadlocks).len(), 1);
            assert!(deadlocks.iter().all(|decision| decision.verdict != Verdict::Bound));
            assert!(states(&deadlocks) < forward(&network), "{} states", states(&deadlocks));
            let others = decided.decisions.iter().skip(47);
            assert!(others.into_iter().all(|other| other.verdict == Verdict::Unreachable));
        }
    }
}

/// Appendix 2: five candidates, one of them real. (An independent model of the method of
/// 1984, which goes on where an error was found reachable, claims 52, 128 and 440 states.)
#[test]
fn the_deletion_protocol_has_5_deadlock_candidates_one_of_them_reachable() {
    for capacity in [1, 2, 4] {
        let network = network("b84_deletion.argos", capacity);
        for tricks in [Tricks::ALL, Tricks::NONE] {
            let decided = decided(&network, tricks);
            assert_eq!(deadlocks(&decided).len(), 5);
            assert_eq!(reachable(&deadlocks(&decided)).len(), 1);
        }
    }
}

/// Section 2: m2 is not expected in B. In A nothing unexpected can arrive, which needs no
/// search, and the one deadlock candidate is none.
#[test]
fn the_first_example_has_an_unspecified_reception() {
    let network = network("b84_ab.argos", 2);
    for tricks in [Tricks::ALL, Tricks::NONE] {
        let decided = decided(&network, tricks);
        let all: Vec<&Decision> = decided.decisions.iter().collect();
        let found = reachable(&all);
        assert!(!found.is_empty());
        for decision in &found {
            let Suspect::Reception(machine, _, channel, message) = decision.suspect else {
                panic!("{decision:?}");
            };
            assert_eq!(&*network.machines[machine].name, "B");
            assert_eq!(&*network.channels[channel].name, "B");
            assert_eq!(&*network.messages[message], "m2");
        }
        let in_a = |decision: &&&Decision| {
            let machine = |id| *network.machines[id].name == *"A";
            matches!(decision.suspect, Suspect::Reception(id, ..) if machine(id))
        };
        assert_eq!(all.iter().filter(in_a).count(), 0);
        let safe = |(machine, _, _): &(_, _, _)| *network.machines[*machine].name == *"A";
        assert!(decided.safe.iter().any(safe));
        assert!(reachable(&deadlocks(&decided)).is_empty());
    }
}

/// Section 3: from S1 to S2, backwards.
#[test]
fn the_counters_come_to_two() {
    let network = network("b84_counters.argos", 2);
    let ask = |text: &str| {
        let (network, target) = target(text);
        let target = target.expect("it can begin there");
        decide_target(
            &of_network(&network),
            &target,
            Tricks::ALL,
            Limits::default(),
            &mut Unwatched,
        )
    };
    let found = ask("N == 2 && M == 2 && empty(TOA) && empty(TOB) && full(A) && full(B)");
    assert_eq!(found.verdict, Verdict::Reachable);
    let world = found.trail.iter().fold(reference::initial(&network), |world, motion| {
        let step = reference::Move { machine: motion.machine, edge: motion.edge };
        assert!(reference::moves(&network, &world).contains(&step));
        match reference::apply(&network, &world, step) {
            Outcome::World(next) => next,
            other => panic!("{other:?}"),
        }
    });
    assert_eq!(world.values.as_slice(), [2, 2]);
    assert_eq!(world.queues.iter().map(Vec::len).collect::<Vec<_>>(), [0, 0, 2, 2]);
    assert_eq!(ask("N == 3").verdict, Verdict::Unreachable);
    assert_eq!(ask("len(A) == 2 && len(TOA) == 2").verdict, Verdict::Unreachable);
}

/// Section 3: the table of process B, which has five states.
#[test]
fn the_counters_reversed_are_the_table_of_the_paper() {
    let network = network("b84_counters.argos", 2);
    let tables = backward::reversed(&of_network(&network));
    let b = &tables[1];
    let number = |state: automata::StateId| base::Id::index(state) + 1;
    let rows: Vec<String> = b
        .edges
        .iter()
        .map(|edge| format!("s{} {} s{}", number(edge.from), edge.text, number(edge.to)))
        .collect();
    // The paper's states 2, 1, 3, 0, 4 are s1 to s5.
    let paper = [
        "s1 N'++ s3",
        "s1 A'?msg s5",
        "s2 TOA'!msg s1",
        "s2 M' = 2 s2",
        "s3 B'!msg s1",
        "s4 (M' != 2) s2",
        "s5 M'-- s4",
    ];
    assert_eq!(b.states.len(), 5);
    assert_eq!(rows.iter().map(String::as_str).collect::<HashSet<_>>(), paper.into());
    // Waiting for a message, and for room.
    assert_eq!(b.begins.iter().map(|state| number(*state)).collect::<Vec<_>>(), [1, 5]);
}

/// What needs no search is said so.
#[test]
fn candidates_are_ruled_out_beforehand() {
    let network = network("b84_setup.argos", 1);
    let decided = decided(&network, Tricks::ALL);
    let ruled = |wanted: Ruled| {
        let all = decided.decisions.iter();
        all.filter(|decision| decision.ruled == Some(wanted)).count()
    };
    // No process comes to its end: 47 - 3 * 3 * 2 have one that would have to.
    assert_eq!(ruled(Ruled::Place), 29);
    assert!(ruled(Ruled::Invariant) > 0);
    assert!(decided.decisions.iter().all(|d| d.ruled.is_none() || d.states == 0));
}

#[test]
fn what_no_run_backwards_begins_with_is_named() {
    for (text, word) in [
        ("count(A, msg) == 1", "`count`"),
        ("A@end == B@end", "`@` or a line as a number"),
        ("N == 1 && (head(A) == msg) + N > 1", "`head` as a number"),
    ] {
        let (_, target) = target(text);
        assert_eq!(target.expect_err(text).what, word);
    }
}
