//! What SPIN says about one model.

use super::Finding;
use crate::limits::Limits;
use crate::spin::{self, Obstacle, Verifier};
use std::fs;
use std::path::Path;

pub(super) const COMPILE: [&str; 9] =
    ["gcc", "-O1", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-o", "pan", "pan.c"];
pub(super) const VERIFY: [&str; 5] = ["./pan", "-c0", "-n", "-m1000000", "-w22"];

pub(super) fn verify(model: &Path, limits: Limits) -> Finding {
    let none = |obstacle: Obstacle| Finding::nothing(obstacle.read, &obstacle.remark);
    found(model, limits).unwrap_or_else(none)
}

fn found(model: &Path, limits: Limits) -> Result<Finding, Obstacle> {
    let compile = [&COMPILE[..], extra(model)].concat();
    let ran = Verifier::build(model, &compile, limits)?.run(&VERIFY)?;
    let figures = spin::figures(&ran)?;
    Ok(Finding {
        counts: Some(figures.counts),
        errors: figures.errors,
        complete: figures.cut.is_none(),
        read: true,
        remark: figures.cut.map(str::to_owned),
    })
}

/// SPIN's compression of states drops priorities; a model that changes them asks
/// in a comment for a verifier without it.
fn extra(model: &Path) -> &'static [&'static str] {
    let asks = fs::read_to_string(model).is_ok_and(|text| text.contains("with -DNOCOMP"));
    if asks { &["-DNOCOMP"] } else { &[] }
}
