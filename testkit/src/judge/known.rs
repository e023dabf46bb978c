//! What is known to differ, each recognised by what it is.

use crate::finding::Finding;
use crate::promela::whole::Piece;

/// Differences that are explained: the name of a model in `corpus/promela/differences`,
/// and what SPIN does there.
pub const KNOWN: [(&str, &str); 3] = [
    ("bad-index", "goes on behind a bad index, in memory that is not the array's"),
    (
        "blocked-failure",
        "counts failures of statements that then block, and each of several in one step",
    ),
    ("division-by-zero", "is killed by a division by zero, and says nothing"),
];

/// Whether some line of the model has one of these words.
fn says(pieces: &[Piece], words: &str) -> bool {
    pieces.iter().any(|piece| piece.head().contains(words) || says(piece.body(), words))
}

/// SPIN's compression of states drops part of the priorities.
pub(super) fn priorities(model: &[Piece]) -> bool {
    says(model, "priority")
}

/// SPIN counts every failure on every path through an indivisible sequence, argos once
/// what fails in the step that begins there: `differences/atomic-errors.pml`.
pub(super) fn is_counted_twice(model: &[Piece], spin: &Finding) -> bool {
    let indivisible = says(model, "atomic {") || says(model, "d_step {");
    indivisible && spin.kinds.iter().any(|kind| kind != "deadlock")
}

/// The name of the known reason for which the two differ.
pub(super) fn difference(_model: &[Piece], spin: &Finding, ours: &Finding) -> Option<&'static str> {
    let both = |kind: &str| spin.kinds.contains(kind) && ours.kinds.contains(kind);
    if both("index") {
        return Some("bad-index");
    }
    // Another error may end the branch before the one that SPIN reports.
    let cut = ours.remark.as_deref().is_some_and(|remark| remark.contains("cut"));
    if cut && spin.counts == ours.counts && ours.kinds.is_subset(&spin.kinds) {
        return Some("blocked-failure");
    }
    let dead = spin.remark.as_deref() == Some("SPIN: the verifier is killed");
    if dead && (ours.kinds.contains("division-by-zero") || cut) {
        return Some("division-by-zero");
    }
    None
}
