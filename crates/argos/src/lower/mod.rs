//! A [`Tree`] in, a [`Model`] out: names become ids, procedures are inlined.
//!
//! Six steps: [`scope`] collects what is declared, [`recursion`] looks for
//! procedures that call themselves, [`check`] reports every name and statement
//! that is wrong where it stands, [`inline`] builds the bodies, [`lines`] marks
//! the lines that formulas and predicates ask about, [`formula`] builds those. `inline` is silent about what `check` reported; it drops such
//! statements, so that the model keeps its invariants whatever the text.

mod check;
mod formula;
mod inline;
mod lines;
mod recursion;
mod scope;

use crate::tree::Tree;
use crate::warn;
use base::{Diagnostic, SourceMap};
use model::Model;

/// Resolves `tree`. Inlined statements get a span whose origin in `sources` is
/// the call. Warnings come only when nothing was wrong.
pub fn lower(tree: &Tree, sources: &mut SourceMap) -> (Model, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let (scope, model) = scope::collect(tree, &mut diagnostics);
    let recursive = recursion::check(&scope, &mut diagnostics);
    check::check(tree, &scope, &model, &mut diagnostics);
    let mut built = inline::build(tree, &scope, model, sources, recursive);
    diagnostics.extend(std::mem::take(&mut built.diagnostics));
    let partial = recursive || built.dropped || !tree.complete;
    lines::mark(tree, &mut built.model, sources, partial, &mut diagnostics);
    let mut formulas = formula::Lowering::new(&scope, &built.model, partial, &mut diagnostics);
    let (properties, predicates) = (formulas.properties(tree), formulas.predicates(tree));
    (built.model.properties, built.model.predicates) = (properties, predicates);
    let clean = diagnostics.is_empty() && tree.complete;
    assert!(!(clean && built.dropped), "whatever is left out of a model was reported");
    if clean {
        let calls = warn::Called { procedures: &scope.procedures, called: &built.called };
        diagnostics = warn::warnings(tree, &built.model, sources, calls);
    }
    (built.model, diagnostics)
}
