//! The front end of PROMELA as SPIN 6.5.2 reads it: text in, an executable
//! [`Program`] out.
//!
//! Four stages, each forgiving, each handing on what it could make of its input
//! together with what was wrong: `preprocess` (macros, includes), `parse` (a
//! tree that mirrors the text, `inline` calls expanded), `lower` (names become
//! ids, structures scalars), `flow` (statements become locations and edges).
//!
//! What always holds: all errors of a file come out in one run, each with an id
//! that [`explain()`] knows; any input ends, within stated limits, in diagnostics
//! and never in a panic. Where SPIN refuses without need we accept, and leave a
//! remark (`N` ids) for those who want their model to stay portable.

mod explain;
mod flow;
mod listing;
mod lower;
mod macros;
mod parse;
mod tree;
mod wording;

pub use explain::{explain, explained};
pub use listing::{Listing, Statement};

use base::{Diagnostic, SourceMap};
use program::Program;

/// Statements, calls and parentheses inside each other. All later stages recurse
/// over statements and expressions, so this bounds their stack too.
const NESTING_MAX: usize = 200;

/// What the front end makes of a text.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The model; `None` if there was any error.
    pub program: Option<Program>,
    /// SPIN's numbers and words for its statements; empty if there is no program.
    pub listing: Listing,
    /// Files, macro expansions and inlined calls that spans refer to.
    pub sources: SourceMap,
    /// Errors, warnings and remarks in order of place, each once.
    pub diagnostics: Vec<Diagnostic>,
    /// Ids the text silences by `/* argos: allow N0001 */`; those of this crate
    /// are left out of `diagnostics` already.
    pub allowed: Vec<String>,
}

/// Whether a word belongs to the language, so that nothing can have its name.
pub fn is_keyword(word: &str) -> bool {
    parse::is_keyword(word)
}

/// The whole front end: preprocess, parse, lower, build the control flow. The texts behind the
/// model are formulas about it, as `ltl NAME { f }`, `NAME: f` or `f`.
pub fn read(
    input: preprocess::Input<'_>,
    options: &preprocess::Options,
    files: &dyn preprocess::Files,
) -> Lowered {
    let mut output = preprocess::preprocess(input, options, files);
    let mut diagnostics = std::mem::take(&mut output.diagnostics);
    let (tree, parsed) = parse::parse(&mut output);
    diagnostics.extend(parsed);
    let (program, lowered) = lower::lower(&tree, &output.sources);
    diagnostics.extend(lowered);
    let failed = Diagnostic::settle(&mut diagnostics, &output.sources, &output.allowed);
    let (mut program, listing) = program.filter(|_| !failed).unzip();
    let listing = listing.unwrap_or_default();
    if let Some(program) = &mut program {
        macros::tell_apart(program, &listing, &output.sources);
    }
    Lowered { program, listing, sources: output.sources, diagnostics, allowed: output.allowed }
}
