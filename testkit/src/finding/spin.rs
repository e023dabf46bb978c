//! What SPIN says about one model.

use super::Finding;
use crate::limits::Limits;
use crate::spin::{self, Obstacle, Verifier};
use std::fs;
use std::path::Path;

/// Behind the compiler, for a search of every state.
pub const WHOLE: &[&str] = &["-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"];

/// How a verifier is made and started.
#[derive(Clone, Copy)]
pub struct Recipe<'a> {
    /// How `spin` is called.
    pub generate: &'a [&'a str],
    /// The compiler and the options that say how much room there is.
    pub compiler: &'a [&'a str],
    /// Its other options.
    pub options: &'a [&'a str],
    /// How the verifier is called.
    pub verify: &'a [&'a str],
}

/// The verifier for models that others wrote.
pub const THOROUGH: Recipe<'_> = Recipe {
    generate: &spin::GENERATE,
    compiler: &["gcc", "-O1", "-DNOCLAIM"],
    options: WHOLE,
    verify: &["./pan", "-c0", "-n", "-m1000000", "-w22"],
};

/// The same for one that needs a deeper stack or a longer state.
pub const ROOMY: Recipe<'_> = Recipe {
    generate: &spin::GENERATE,
    compiler: &["gcc", "-O1", "-DNOCLAIM", "-DVECTORSZ=65536"],
    options: WHOLE,
    verify: &["./pan", "-c0", "-n", "-m20000000", "-w22"],
};

/// The verifier with SPIN's reduction.
pub const REDUCED: Recipe<'_> =
    Recipe { options: &["-w", "-DSAFETY", "-o", "pan", "pan.c"], ..THOROUGH };

/// The verifier that SPIN makes if nobody asks for anything, its reduction included.
pub const USUAL: Recipe<'_> = Recipe { generate: &["spin", "-a"], ..REDUCED };

/// With as much room as the model turns out to need.
pub fn verify_thoroughly(model: &Path, limits: Limits) -> Finding {
    verify_with_room(model, THOROUGH, limits)
}

/// The same with SPIN's reduction.
pub fn verify_reduced(model: &Path, limits: Limits) -> Finding {
    verify_with_room(model, REDUCED, limits)
}

/// The same with all that SPIN does by default.
pub fn verify_usually(model: &Path, limits: Limits) -> Finding {
    verify_with_room(model, USUAL, limits)
}

fn verify_with_room(model: &Path, recipe: Recipe<'_>, limits: Limits) -> Finding {
    let finding = verify(model, &recipe, limits);
    match finding.remark.as_deref() {
        Some(spin::DEPTH | spin::VECTOR) => {
            let Recipe { generate, options, .. } = recipe;
            verify(model, &Recipe { generate, options, ..ROOMY }, limits)
        }
        _ => finding,
    }
}

/// Verifies a model as the recipe says.
pub fn verify(model: &Path, recipe: &Recipe<'_>, limits: Limits) -> Finding {
    let none = |obstacle: Obstacle| Finding::nothing(obstacle.read, &obstacle.remark);
    found(model, recipe, limits).unwrap_or_else(none)
}

fn found(model: &Path, recipe: &Recipe<'_>, limits: Limits) -> Result<Finding, Obstacle> {
    let compile = [recipe.compiler, recipe.options, extra(model)].concat();
    let ran = Verifier::generate(model, recipe.generate, &compile, limits)?.run(recipe.verify)?;
    let figures = spin::figures(&ran)?;
    Ok(Finding {
        counts: Some(figures.counts),
        errors: figures.errors,
        kinds: spin::kinds(&ran.text),
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
