//! The product with a never claim.

use super::*;
use packed::Claim;

/// Agent 0 counts byte 2 from 0 to 1; where it is 1 it cannot move but by a timeout, if it has
/// one. The claim, agent 1, has these edges at its first place.
fn product(claim: Vec<Edge>, timeout: bool, stutters: Option<Field>) -> Packed {
    let guard = vec![is(byte(2), 0)];
    let mut own = vec![edge(1, guard, vec![put(byte(2), 1)])];
    if timeout {
        own.push(edge(2, vec![Op::Require(Expr::Timeout)], vec![put(byte(2), 2)]));
    }
    let asks_timeout = claim.iter().any(|edge| edge.guard == [Op::Require(Expr::Timeout)]);
    let stop = place(vec![]);
    let agents = vec![agent(0, vec![place(vec![own])]), agent(1, vec![place(vec![claim]), stop])];
    let claim = Some(Claim { stutters, asks_timeout });
    let telling = if stutters.is_some() { 1 } else { 2 };
    Packed { claim, telling, asks_timeout: timeout, ..model(2, agents) }
}

/// Whether the system stands still, where that is kept.
const STUTTERS: Field = Field { word: 1, shift: 0, bits: 1, signed: false };

#[test]
fn each_move_of_the_claim_with_each_step_of_the_system() {
    let claim =
        vec![edge(3, vec![], vec![put(byte(3), 1)]), edge(4, vec![], vec![put(byte(3), 2)])];
    let model = driver(product(claim, false, None));
    let first = ((0, 1, 0, 2), vec![0x0101_0000, 0]);
    let second = ((0, 1, 1, 2), vec![0x0201_0000, 0]);
    assert_eq!(seen(&model, &[0, 0]), [first, second]);
    assert!(!model.has_first_step_sleep() && model.agents().is_none());
}

#[test]
fn no_step_without_a_move_of_the_claim() {
    let model = driver(product(vec![edge(3, vec![is(byte(2), 1)], vec![])], false, None));
    assert_eq!(seen(&model, &[0, 0]), []);
}

#[test]
fn the_claim_goes_on_alone_where_the_system_stands_still() {
    let claim = vec![edge(3, vec![], vec![put(byte(3), 1)])];
    let model = driver(product(claim, false, None));
    assert_eq!(seen(&model, &[0x01_0000, 0]), [((1, 3, 0, 1), vec![0x0101_0000, 0])]);
}

/// SPIN's verifier lets it move twice at first.
#[test]
fn the_claim_moves_twice_then_once() {
    let count = binary(BinaryOp::Add, get(byte(3)), number(1));
    let claim = vec![edge(3, vec![], vec![Op::Set(byte(3), count)])];
    let model = driver(product(claim, false, Some(STUTTERS)));
    assert_eq!(seen(&model, &[0x01_0000, 0]), [((1, 3, 0, 2), vec![0x0201_0000, 1])]);
    assert_eq!(seen(&model, &[0x0201_0000, 1]), [((1, 3, 0, 1), vec![0x0301_0000, 1])]);
    // Whose turn it is, not whether the system could move, decides.
    assert_eq!(seen(&model, &[0, 1]), [((1, 3, 0, 1), vec![0x0100_0000, 1])]);
}

#[test]
fn timeouts_are_for_both() {
    let both = || vec![edge(3, vec![Op::Require(Expr::Timeout)], vec![put(byte(3), 1)])];
    // The claim waits for a timeout, but the system can move.
    let model = driver(product(both(), true, None));
    assert_eq!(seen(&model, &[0, 0]), []);
    assert_eq!(model.marks(), [false; 10], "what came to nothing was not executed");
    let late = ((0, 2, 0, 2), vec![0x0102_0000, 0]);
    assert_eq!(seen(&model, &[0x01_0000, 0]), [late]);
    // SPIN asks whether both mention it, and not whether the system can move.
    let spin = driver(product(both(), true, Some(STUTTERS)));
    assert_eq!(edges(&spin, &[0, 0]), [1, 2]);
    let alone = driver(product(both(), false, Some(STUTTERS)));
    assert_eq!(edges(&alone, &[0x01_0000, 0]), [0; 0]);
}

#[test]
fn a_claim_at_its_end_gives_the_state_up() {
    let model = driver(product(vec![edge(3, vec![], vec![Op::Bail])], false, None));
    let mut out = Successors::new(2);
    model.successors(&[0, 0], &mut out, &mut Unlimited);
    assert_eq!((out.len(), out.step(0).1, model.bails()), (1, StepOutcome::Violation(7), 1));
}
