//! The preprocessor both languages share, after that of C.
//!
//! In: the bytes of a model and somebody who can read the files it includes.
//! Out: the tokens that are left when macros, conditions and includes are gone,
//! with the map of all files and expansions, and what was wrong.
//!
//! What always holds: nothing is read but through [`Files`]; every token has a
//! span that points at the characters it is spelled with, and whose origin chain
//! leads through the macros it came from; any input ends, within the limits
//! below, in tokens and diagnostics, never in a panic.
//!
//! Deliberately absent: variable argument lists, trigraphs, `__FILE__` and its
//! kin. A backslash at the end of a line joins lines, and separates words like
//! a blank does.

mod condition;
mod directive;
mod expand;
mod explain;
mod include;
mod lex;
mod macros;
mod token;

pub use explain::explanations;
pub use token::{Token, TokenKind, help_with_name, unexpected};

use base::{Diagnostic, Purpose, SourceMap, Span};

/// Reads files; the crate itself does no input or output.
pub trait Files {
    /// The bytes of the file called `path`.
    ///
    /// # Errors
    /// Whatever kept the file from being read; `NotFound` makes the search for
    /// an include go on to the next directory.
    fn read(&self, path: &str) -> std::io::Result<Vec<u8>>;

    /// The same for a file that the model includes.
    ///
    /// # Errors
    /// As for any other file; or a model from this place includes none.
    fn include(&self, path: &str) -> std::io::Result<Vec<u8>> {
        self.read(path)
    }
}

/// What the user asked for besides the text.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// `-D NAME` (which is 1) and `-D NAME=VALUE`.
    pub defines: Vec<(String, Option<String>)>,
    /// Directories searched for included files, after the including file's own.
    pub include_paths: Vec<String>,
    /// Texts read behind the model, with the macros it leaves defined.
    pub further: Vec<Further>,
}

/// A text behind the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Further {
    /// With what to call it.
    Text {
        /// Its name in messages.
        name: String,
        /// Itself.
        text: String,
        /// It is a predicate of states; if nothing is said, formulas.
        purpose: Option<Purpose>,
    },
    /// In the file of this name.
    File(String),
}

/// What is left of a text.
#[derive(Clone, Debug)]
pub struct Rest {
    /// Its tokens, macros expanded.
    pub tokens: Vec<Token>,
    /// Its end.
    pub end: Span,
    /// It is a predicate of states.
    pub purpose: Option<Purpose>,
}

/// The model's own file.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// What to call it; includes are searched beside it.
    pub name: &'a str,
    /// Its contents, in any encoding that is UTF-8 at heart.
    pub bytes: &'a [u8],
}

/// What comes out.
#[derive(Clone, Debug)]
pub struct Output {
    /// All tokens, macros expanded.
    pub tokens: Vec<Token>,
    /// The files and expansions that spans refer to.
    pub sources: SourceMap,
    /// What was wrong, in order of discovery.
    pub diagnostics: Vec<Diagnostic>,
    /// The end of the model's own file, for "expected ... here".
    pub end: Span,
    /// What is left of the texts behind the model, in order.
    pub further: Vec<Rest>,
    /// Text or macros are missing, because something here was wrong: what is
    /// unknown or open behind it proves nothing.
    pub incomplete: bool,
    /// Ids named in comments like `/* argos: allow W0003 */`.
    pub allowed: Vec<String>,
}

/// Files inside files inside files: deeper is refused.
const INCLUDE_DEPTH_MAX: usize = 200;
/// Files opened in one run; two includes in each of twenty files make a million.
const INCLUDES_MAX: usize = 10_000;
/// Bytes of all files together; more cannot be addressed by a span.
const BYTES_MAX: usize = u32::MAX as usize;
/// Tokens read and produced by expansion, in one run.
const TOKENS_MAX: usize = 4_000_000;
/// Macros inside macros inside macros. Arguments are expanded by recursion, so
/// this also bounds the stack.
const EXPANSION_DEPTH_MAX: usize = 256;

/// Runs the preprocessor over `input`.
pub fn preprocess(input: Input<'_>, options: &Options, files: &dyn Files) -> Output {
    directive::run(input, options, files)
}
