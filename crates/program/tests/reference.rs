//! The reference interpreter on programs put together by hand: each test is one
//! rule of the language. Where a count is given, SPIN's verifier gives it too.

mod builder;
mod count;

use base::{Id, Name};
use builder::{
    active, atomic, byte, channel, channel_variable, element, global, local, proctype, queue,
    receive, send, sequence, set, variable, when,
};
use count::{count, spin_counts};
use program::reference::{Problem, Rest, Rules, initial, steps};
use program::{Action, BinaryOp, Expr, Initial, Pattern, Program, Scalar, Variable};
use std::sync::Arc;

/// `place = place + 1`
fn increment(place: &program::Place) -> Action {
    let load = Box::new(Expr::Load(place.clone()));
    let sum = Expr::Binary(BinaryOp::Add, load, Box::new(Expr::Const(1)));
    Action::Assign(place.clone(), sum)
}

/// A step costs what it changes: the next state shares all else with the one before.
#[test]
fn states_share_what_did_not_change() {
    let mut program = Program::default();
    let x = byte(&mut program, "x");
    let _other = byte(&mut program, "other");
    let q = channel(&mut program, "q", 2, &[Scalar::Byte]);
    let put = Action::Send { queue: q.clone(), arguments: vec![Expr::Const(7)], sorted: false };
    active(&mut program, sequence("A", vec![set(&x, 1)]));
    active(&mut program, sequence("B", vec![put]));
    let before = initial(&program, &Rules::default()).expect("it starts");
    let next = steps(&program, &Rules::default(), &before);
    for step in &next {
        let unlike = |same: Vec<bool>| same.iter().filter(|same| !**same).count();
        let pairs = before.globals.iter().zip(&step.state.globals);
        let globals = unlike(pairs.map(|(one, other)| Arc::ptr_eq(one, other)).collect());
        let pairs = before.channels.iter().zip(&step.state.channels);
        let contents = unlike(pairs.map(|(a, b)| Arc::ptr_eq(&a.messages, &b.messages)).collect());
        let pairs = before.processes.iter().zip(&step.state.processes);
        let processes = unlike(pairs.map(|(one, other)| Arc::ptr_eq(one, other)).collect());
        assert_eq!((globals + contents, processes), (1, 1));
    }
    assert_eq!(next.len(), 2);
}

#[test]
fn processes_die_youngest_first_and_each_death_is_a_step() {
    let mut program = Program::default();
    let [x, y, z] = ["x", "y", "z"].map(|name| byte(&mut program, name));
    active(&mut program, sequence("A", vec![set(&x, 1)]));
    active(&mut program, sequence("B", vec![set(&y, 1), set(&y, 2)]));
    active(&mut program, sequence("C", vec![set(&z, 1)]));
    assert_eq!(spin_counts(&program).figures(), (21, 17));
}

#[test]
fn an_atomic_sequence_is_one_step_unless_it_blocks() {
    let mut program = Program::default();
    let x = byte(&mut program, "x");
    active(&mut program, atomic("A", vec![set(&x, 1), when(&x, 2), set(&x, 3)]));
    let blocked = spin_counts(&program);
    assert_eq!(blocked.figures(), (2, 0));
    assert_eq!(blocked.rests, [Rest::InvalidEnd(vec![0])]);
    active(&mut program, sequence("B", vec![set(&x, 2)]));
    let state = initial(&program, &Rules::default()).expect("it starts");
    let first = steps(&program, &Rules::default(), &state);
    // The youngest moves first; the other one stops in the middle of its sequence.
    assert_eq!(first.iter().map(|step| step.micros[0].pid).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(first.iter().map(program::reference::Step::depth).collect::<Vec<_>>(), [1, 1]);
    let second = steps(&program, &Rules::default(), &first[1].state);
    let third = steps(&program, &Rules::default(), &second[0].state);
    assert_eq!(third.iter().map(program::reference::Step::depth).max(), Some(2));
}

#[test]
fn an_endless_atomic_sequence_is_found() {
    let mut program = Program::default();
    let x = byte(&mut program, "x");
    let edges = vec![(0, 1, set(&x, 1), true), (1, 0, set(&x, 0), true), (1, 2, set(&x, 7), false)];
    active(&mut program, proctype("A", edges));
    assert_eq!(spin_counts(&program).problems(), [Problem::EndlessAtomic]);
}

#[test]
fn a_d_step_takes_the_first_option_and_must_not_block_or_loop() {
    let mut program = Program::default();
    let x = byte(&mut program, "x");
    let inside = |tail: Vec<(usize, usize, Action, bool)>| {
        let (start, end) = (program::LocationId::new(1), program::LocationId::new(3));
        let mut edges = vec![(0, 4, Action::Deterministic { start, end }, false)];
        edges.extend(tail);
        proctype("A", edges)
    };
    let run = |tail| {
        let mut program = program.clone();
        active(&mut program, inside(tail));
        let found = spin_counts(&program);
        (found.figures(), found.problems())
    };
    let first = vec![
        (1, 2, when(&x, 1), false),
        (1, 2, set(&x, 5), false),
        (1, 2, set(&x, 6), false),
        (2, 3, Action::Assert(builder::is(&x, 5)), false),
    ];
    assert_eq!(run(first), ((3, 0), vec![]));
    let blocked = vec![(1, 2, set(&x, 5), false), (2, 3, when(&x, 6), false)];
    assert_eq!(run(blocked), ((1, 0), vec![Problem::BlockedDeterministic]));
    let waits = vec![(1, 2, when(&x, 6), false), (2, 3, set(&x, 6), false)];
    assert_eq!(run(waits), ((1, 0), vec![]));
    let endless = vec![(1, 2, increment(&x), false), (2, 1, Action::Skip, false)];
    assert_eq!(run(endless), ((1, 0), vec![Problem::EndlessDeterministic]));
}

#[test]
fn a_rendezvous_goes_to_everyone_who_fits_and_only_to_others() {
    let mut program = Program::default();
    let c = channel(&mut program, "c", 0, &[Scalar::Byte]);
    active(&mut program, sequence("S", vec![send(&c, &[3])]));
    let three = receive(&c, &[Pattern::Match(Expr::Const(3))]);
    let four = receive(&c, &[Pattern::Match(Expr::Const(4))]);
    let edges = vec![(0, 1, three.clone(), false), (0, 1, four, false)];
    active(&mut program, proctype("R", edges.clone()));
    active(&mut program, proctype("R", edges));
    let state = initial(&program, &Rules::default()).expect("it starts");
    let found = steps(&program, &Rules::default(), &state);
    let peers: Vec<_> = found.iter().map(|step| step.micros[0].peer.map(|peer| peer.0)).collect();
    assert_eq!(peers, [Some(2), Some(1)]);
    assert_eq!(found[0].depth(), 2);
    assert_eq!(program.proctypes.ids().next(), Some(state.processes[0].proctype));
}

#[test]
fn values_are_cut_and_indices_checked() {
    let mut program = Program::default();
    let bits = Variable {
        length: 2,
        is_array: true,
        initial: Initial::List(vec![2]),
        ..variable("bits", Scalar::Bit)
    };
    let bits = global(&mut program, bits);
    let bit = global(&mut program, variable("bit", Scalar::Bit));
    let chan = global(&mut program, variable("c", Scalar::Chan));
    let bad = set(&element(&bits, Expr::Const(2), 2), 1);
    active(&mut program, sequence("A", vec![set(&bit, 2), set(&chan, 257), bad]));
    let narrow = initial(&program, &Rules::default()).expect("it starts");
    assert_eq!(*narrow.globals.as_slice()[0], [2, 0], "an array of bits keeps bytes");
    let next = &steps(&program, &Rules::default(), &narrow)[0].state;
    assert_eq!(*next.globals.as_slice()[1], [0]);
    let chan = |rules| steps(&program, &rules, next)[0].state.globals.as_slice()[2][0];
    assert_eq!(chan(Rules::default()), 1);
    assert_eq!(chan(Rules { wide: true, ..Rules::default() }), 257);
    let index = Problem::Index { variable: Name::new("bits"), index: 2, bound: 2 };
    assert_eq!(spin_counts(&program).problems(), [index]);
    assert_eq!(spin_counts(&program).figures(), (5, 0), "the write is dropped");
    assert_eq!(count(&program, &Rules::default()).figures(), (3, 0), "it ends there");
}

#[test]
fn a_division_by_zero_ends_the_branch() {
    let mut program = Program::default();
    let x = byte(&mut program, "x");
    let load = Box::new(Expr::Load(x.clone()));
    let quotient = Expr::Binary(BinaryOp::Divide, Box::new(Expr::Const(1)), load);
    active(&mut program, sequence("A", vec![Action::Assign(x, quotient)]));
    assert_eq!(spin_counts(&program).problems(), [Problem::DivisionByZero]);
}

#[test]
fn channels_go_with_their_process() {
    let mut program = Program::default();
    let shared = global(&mut program, variable("shared", Scalar::Chan));
    let x = byte(&mut program, "x");
    let mut owner = sequence("Owner", vec![Action::Assign(shared.clone(), Expr::Load(local(0)))]);
    owner.variables.push(channel_variable("own", 1, &[Scalar::Byte]));
    let guard = when(&x, 0);
    active(&mut program, sequence("User", vec![guard, send(&queue("shared", shared), &[1])]));
    active(&mut program, owner);
    let problems = count(&program, &Rules::default()).problems();
    let name = Name::new("shared");
    assert_eq!(problems.len(), 2);
    assert!(problems.contains(&Problem::UninitialisedChannel(name.clone())));
    assert!(problems.contains(&Problem::DeadChannel(name)));
}

#[test]
fn a_sorted_send_compares_what_was_written_and_a_lossy_one_drops() {
    let mut program = Program::default();
    let q = channel(&mut program, "q", 2, &[Scalar::Byte]);
    let insert = |value| Action::Send {
        queue: q.clone(),
        arguments: vec![Expr::Const(value)],
        sorted: true,
    };
    active(&mut program, sequence("A", vec![insert(300), insert(7), insert(1)]));
    let mut state = initial(&program, &Rules::default()).expect("it starts");
    let lossy = Rules { lossy_sends: true, ..Rules::default() };
    for _ in 0..2 {
        state = steps(&program, &lossy, &state).remove(0).state;
    }
    assert_eq!(*state.channels[0].messages, [vec![7], vec![44]]);
    assert!(steps(&program, &Rules::default(), &state).is_empty());
    let lost = steps(&program, &lossy, &state).remove(0).state;
    assert_eq!(lost.channels, state.channels);
}

#[test]
fn two_processes_may_ask_whether_the_other_is_enabled() {
    let mut program = Program::default();
    let ask = |pid| Action::Condition(Expr::Enabled(Box::new(Expr::Const(pid))));
    active(&mut program, sequence("A", vec![ask(1)]));
    active(&mut program, sequence("B", vec![ask(0)]));
    assert_eq!(spin_counts(&program).rests, [Rest::InvalidEnd(vec![0, 1])]);
    active(&mut program, sequence("C", vec![ask(2)]));
    assert_eq!(spin_counts(&program).problems(), [Problem::EnabledOfSelf]);
}

#[test]
fn the_program_can_be_printed() {
    let mut program = Program::default();
    let x = byte(&mut program, "x");
    let q = channel(&mut program, "q", 2, &[Scalar::Byte, Scalar::Unsigned(3)]);
    let any = receive(&q, &[Pattern::Store(x.clone()), Pattern::Any]);
    active(&mut program, proctype("A", vec![(0, 1, any, true), (0, 1, Action::Else, false)]));
    let expected = "\
byte x
chan q = [2] of {byte, unsigned:3}
proctype A() starts at l0, ends at l1
  l0:
    e0 -> l1: q?x,_ (atomic)
    e1 -> l1: else
  l1:
    e2 -> l1: -end-
start A
";
    assert_eq!(program.to_string(), expected);
}

#[test]
fn the_verifier_complains() {
    let mut program = Program::default();
    let x = byte(&mut program, "x");
    let mut broken = sequence("A", vec![set(&element(&x, Expr::Const(0), 2), 1)]);
    let end = broken.end;
    active(&mut program, broken.clone());
    assert_eq!(program::verify(&program), ["A: an action names what is not there"]);
    broken.locations[end].groups.clear();
    let mut program = Program::default();
    active(&mut program, broken);
    assert_eq!(program::verify(&program), ["A: an edge is not listed exactly once"]);
}
