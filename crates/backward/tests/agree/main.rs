//! Backward against forward: on random protocols every potential error is reachable
//! backwards iff some world of a naive search is that error, and the steps found lead
//! into such a world. So for every single improvement, for all, and for none.
//!
//! Who judges the judge: each of these breaks was tried, and found. A claim beyond the
//! capacity; a send that redeems the oldest claim; a message without a value that
//! clears its variable; a timeout that does not wait; sharing what a reachable
//! candidate met; the order of messages read from the wrong end. Equal symbols that
//! forget each other are too rare in random protocols and have a test of their own.

#[path = "../tally/mod.rs"]
mod tally;

use automata::reference::{self, Move, Outcome, World};
use automata::{BuildOptions, DefaultRule, EndRule, Network, TimeoutRule};
use backward::{
    Decision, Limits, Motion, Scope, Suspect, Target, Tricks, Verdict, of_network, of_world,
    suspects,
};
use base::{FileId, Id, Name, Span, Written};
use model::{Look, Predicate, ProcessId};
use search::Unwatched;
use std::collections::BTreeSet;
use tally::Tally;
use testkit::NoFiles;
use testkit::protocol::protocol;
use testkit::{Random, naive};

/// Protocols that are compared.
const SAMPLES: usize = 2000;
/// Larger state spaces are left out.
const WORLDS_MAX: usize = 600;
/// A backward search may go so far; what is beyond is not compared, and counted.
const LIMITS: Limits = Limits { depth: None, states: Some(500), memory: None };

#[test]
fn backward_and_forward_agree_on_every_candidate() {
    let mut random = Random::new(1984);
    let mut tally = Tally::default();
    while tally.samples < SAMPLES {
        let text = protocol(&mut random);
        let Some(network) = network(&text, &mut random) else { continue };
        let Some(errors) = errors(&network) else { continue };
        tally.samples += 1;
        for tricks in tricks(tally.samples) {
            let decided =
                backward::decide(&of_network(&network), Scope::ALL, tricks, LIMITS, &mut Unwatched);
            let faults =
                tally.compare(&decided, &errors, |decision| leads_there(&network, decision));
            assert!(
                faults.is_empty(),
                "{faults:?} with {tricks:?} and {:?}\n{text}",
                network.rules
            );
        }
    }
    println!("{tally:?}");
    assert!(tally.reachable > SAMPLES / 2 && tally.unreachable > SAMPLES, "{tally:?}");
    assert!(tally.bound * 20 < tally.reachable + tally.unreachable, "{tally:?}");
}

/// Two values that are not known but equal stay equal when one of them becomes known.
#[test]
fn unknown_values_that_are_equal_stay_equal() {
    for (test, verdict) in [("==", Verdict::Unreachable), ("!=", Verdict::Reachable)] {
        let text = format!(
            "channel c[2], d[1]; var v, w;
             proc source {{ if :: c!m(1) :: c!m(2) fi; if :: c!m(1) :: c!m(2) fi }}
             proc sink {{ c?m(v); c?m(w); (v == 1); (w == 2); (v {test} w); last: d?never }}"
        );
        let net = of_network(&network(&text, &mut Random::new(1)).expect("it is right"));
        let last = Look::At(ProcessId::new(1), Name::new("last"));
        let nowhere = Written::whole(Span { file: FileId::new(0), start: 0, end: 0, origin: None });
        let target = Target::of_network(&net, &Predicate::Var(last), &nowhere);
        let target = target.expect("it can begin there");
        let found = backward::decide_target(&net, &target, Tricks::NONE, LIMITS, &mut Unwatched);
        assert_eq!(found.verdict, verdict, "{text}");
    }
}

/// All improvements, and in turn none or one.
fn tricks(sample: usize) -> [Tricks; 2] {
    let turn = [
        Tricks::NONE,
        Tricks { invariants: true, ..Tricks::NONE },
        Tricks { share: true, ..Tricks::NONE },
        Tricks { subsume: true, ..Tricks::NONE },
    ];
    [Tricks::ALL, turn[sample % turn.len()]]
}

/// The machines of a text, under rules of chance; none for a text with errors, as
/// labels twice in a process.
fn network(text: &str, random: &mut Random) -> Option<Network> {
    let input = preprocess::Input { name: "sample.argos", bytes: text.as_bytes() };
    let model = argos::read(input, &preprocess::Options::default(), &NoFiles).model?;
    let timeouts = [
        TimeoutRule::Last,
        TimeoutRule::Last,
        TimeoutRule::Empty,
        TimeoutRule::Any,
        TimeoutRule::Off,
    ];
    let rules = automata::Rules {
        timeout: timeouts[random.below(5)],
        default_receive: [DefaultRule::Any, DefaultRule::Else][random.below(2)],
        end: [EndRule::Strict, EndRule::Home][random.below(2)],
    };
    let options = BuildOptions { rules, ..BuildOptions::default() };
    Some(automata::minimise(&automata::build(&model, &options)))
}

/// Every error of the state space; nothing if that is too large.
fn errors(network: &Network) -> Option<BTreeSet<Suspect>> {
    let net = of_network(network);
    let mut errors = BTreeSet::new();
    naive::search(reference::initial(network), WORLDS_MAX, |world, _| {
        let moves = reference::moves(network, world);
        if moves.is_empty() {
            errors.extend(suspects(&net, &of_world(world)));
        }
        let outcomes = moves.into_iter().map(|step| reference::apply(network, world, step));
        let world = |outcome| match outcome {
            Outcome::World(next) => Some(next),
            _ => None,
        };
        outcomes.filter_map(world).collect::<Vec<_>>()
    })?;
    Some(errors)
}

fn leads_there(network: &Network, decision: &Decision) -> bool {
    executed(network, &decision.trail).is_some_and(|world| {
        reference::moves(network, &world).is_empty()
            && suspects(&of_network(network), &of_world(&world)).contains(&decision.suspect)
    })
}

fn executed(network: &Network, trail: &[Motion]) -> Option<World> {
    trail.iter().try_fold(reference::initial(network), |world, motion| {
        let step = Move { machine: motion.machine, edge: motion.edge };
        let possible = reference::moves(network, &world).contains(&step);
        match reference::apply(network, &world, step) {
            Outcome::World(next) if possible => Some(next),
            _ => None,
        }
    })
}
