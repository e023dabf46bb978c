//! Smaller models that still disagree.

use super::{Judge, Judgement, Outcome};
use crate::promela::whole::{Piece, print};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Writes the smallest model that differs like this one.
pub fn keep(
    arbiter: &Judge,
    outcome: &Outcome,
    way: &str,
    told: &str,
    folder: &Path,
) -> io::Result<PathBuf> {
    let path = folder.join(format!("seed-{}.pml", outcome.seed));
    let small = shrink(arbiter, &outcome.model, way);
    fs::write(&path, format!("/* seed {}: {told} */\n{}", outcome.seed, print(&small)))?;
    Ok(path)
}

/// Cuts pieces off `model` while the two still differ in the same way.
fn shrink(judge: &Judge, model: &[Piece], way: &str) -> Vec<Piece> {
    let mut model = model.to_vec();
    let still = |smaller: &Vec<Piece>| match judge.model(smaller) {
        Judgement::Differs { way: its, .. } => its == way,
        _ => false,
    };
    // A model of n lines is judged at most n * n times.
    while let Some(smaller) = variants(&model).into_iter().find(still) {
        model = smaller;
    }
    model
}

/// Everything one cut away: a piece removed, or a block replaced by its body.
fn variants(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let mut all = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let with = |middle: &[Piece]| [&pieces[..at], middle, &pieces[at + 1..]].concat();
        all.push(with(&[]));
        let Piece::Block { open, body, close } = piece else { continue };
        if *close == "}" && !open.contains("proctype") {
            all.push(with(body));
        }
        for body in variants(body) {
            all.push(with(&[Piece::Block { open: open.clone(), body, close }]));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::variants;
    use crate::promela::whole::{model, print};

    #[test]
    fn every_cut_makes_a_model_smaller() {
        for seed in 0..50 {
            let whole = model(seed);
            let lines = print(&whole).lines().count();
            for smaller in variants(&whole) {
                assert!(print(&smaller).lines().count() < lines, "seed {seed}");
            }
        }
    }
}
