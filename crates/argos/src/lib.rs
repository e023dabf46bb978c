//! The front end of the Argos language: text in, a resolved [`Model`] out.
//!
//! Three stages, each forgiving, each handing on what it could make of its
//! input together with what was wrong: `preprocess` (macros, includes),
//! [`parse`] (a tree that mirrors the text), [`lower`] (names become ids,
//! procedures are inlined, the invariants of [`Model`] are made true).
//!
//! What always holds: all errors of a file come out in one run, each with an id
//! that [`explain`] knows; any input ends, within stated limits, in diagnostics
//! and never in a panic.

mod explain;
mod lower;
mod parse;
mod tree;
mod warn;

pub use explain::{explain, explained};
pub use lower::lower;
pub use parse::parse;
pub use tree::Tree;

use base::{Diagnostic, SourceMap};
use model::Model;

/// `if`, `do`, calls and parentheses inside each other. All later stages recurse
/// over statements and expressions, so this bounds their stack too.
const NESTING_MAX: usize = 200;

/// What the front end makes of a text.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The protocol; `None` if there was any error.
    pub model: Option<Model>,
    /// Files, macro expansions and inlined calls that spans refer to.
    pub sources: SourceMap,
    /// Errors and warnings in order of place, each once.
    pub diagnostics: Vec<Diagnostic>,
    /// Warning ids the text silences by `/* argos: allow W0007 */`; those of
    /// this crate are left out of `diagnostics` already.
    pub allowed: Vec<String>,
}

/// The whole front end: preprocess, parse, lower.
pub fn read(
    input: preprocess::Input<'_>,
    options: &preprocess::Options,
    files: &dyn preprocess::Files,
) -> Lowered {
    let mut output = preprocess::preprocess(input, options, files);
    let (tree, parsed) = parse(&output);
    let (model, lowered) = lower(&tree, &mut output.sources);
    let mut diagnostics = output.diagnostics;
    diagnostics.extend(parsed);
    diagnostics.extend(lowered);
    let failed = Diagnostic::settle(&mut diagnostics, &output.sources, &output.allowed);
    Lowered {
        model: (!failed).then_some(model),
        sources: output.sources,
        diagnostics,
        allowed: output.allowed,
    }
}
