//! Many models at once.

use super::{Judge, Judgement};
use crate::promela::whole::{Piece, model};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

/// What came of one seed.
pub struct Outcome {
    /// The seed.
    pub seed: u64,
    /// Its model.
    pub model: Vec<Piece>,
    /// What the two say.
    pub judgement: Judgement,
}

/// Judges the models from `seed` on until `wanted` of them were compared, or so many
/// were not that something else must be wrong.
pub fn judge(judge: &Judge, seed: u64, wanted: usize) -> Vec<Outcome> {
    let (next, compared) = (AtomicU64::new(seed), AtomicUsize::new(0));
    let end = seed.saturating_add(2 * wanted as u64 + 20);
    let outcomes = Mutex::new(Vec::new());
    let work = || {
        while compared.load(Ordering::Relaxed) < wanted {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                return;
            }
            let model = model(seed);
            let judgement = judge.model(&model);
            if judgement.compared() {
                compared.fetch_add(1, Ordering::Relaxed);
            }
            outcomes.lock().expect("no worker panics").push(Outcome { seed, model, judgement });
        }
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        (0..workers).for_each(|_| drop(scope.spawn(work)));
    });
    let mut outcomes = outcomes.into_inner().expect("no worker panics");
    outcomes.sort_by_key(|it| it.seed);
    outcomes
}
