//! Text to model.

use crate::Options;
use ::promela::Listing;
use base::{Diagnostic, Severity, SourceMap};
use model::Model;
use preprocess::{Files, Input};
use program::Program;
use report::Language;
use std::fmt::Write;

/// The text of a model.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// As the user named it.
    pub name: &'a str,
    /// Its contents.
    pub bytes: &'a [u8],
    /// Its language.
    pub language: Language,
}

impl<'a> Source<'a> {
    /// A text whose language its name tells: the endings SPIN users know are
    /// PROMELA, everything else is Argos.
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        const PROMELA: [&str; 6] = [".pml", ".prom", ".promela", ".spin", ".prm", ".pr"];
        let promela = PROMELA.iter().any(|ending| name.ends_with(ending));
        Self { name, bytes, language: if promela { Language::Promela } else { Language::Argos } }
    }
}

/// What a text means.
#[derive(Clone, Debug)]
pub enum Subject {
    /// An Argos model.
    Model(Model),
    /// A PROMELA program.
    Program(Program),
}

/// What became of the text.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its language.
    pub language: Language,
    /// What it means, unless it has errors.
    pub subject: Option<Subject>,
    /// The files and expansions spans refer to.
    pub sources: SourceMap,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Warning ids the text silences.
    pub allowed: Vec<String>,
    /// SPIN's numbers and words for the statements of a PROMELA model.
    pub listing: Listing,
}

/// Reads a model.
pub fn load(source: Source<'_>, options: &Options, files: &dyn Files) -> Loaded {
    let input = Input { name: source.name, bytes: source.bytes };
    let language = source.language;
    match language {
        Language::Argos => {
            let argos::Lowered { model, sources, diagnostics, allowed } =
                argos::read(input, &options.preprocess(), files);
            let (subject, listing) = (model.map(Subject::Model), Listing::default());
            Loaded { language, subject, sources, diagnostics, allowed, listing }
        }
        Language::Promela => {
            let ::promela::Lowered { program, sources, diagnostics, allowed, listing } =
                ::promela::read(input, &options.preprocess(), files);
            let subject = program.map(Subject::Program);
            Loaded { language, subject, sources, diagnostics, allowed, listing }
        }
    }
}

impl Loaded {
    /// The Argos model, if it is one without errors.
    pub fn model(&self) -> Option<&Model> {
        match &self.subject {
            Some(Subject::Model(model)) => Some(model),
            _ => None,
        }
    }

    /// The errors of the text.
    pub fn errors(&self) -> Vec<Diagnostic> {
        self.of(|severity| severity == Severity::Error)
    }

    /// Warnings and remarks.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        self.of(|severity| severity != Severity::Error)
    }

    fn of(&self, wanted: impl Fn(Severity) -> bool) -> Vec<Diagnostic> {
        self.diagnostics.iter().filter(|found| wanted(found.severity)).cloned().collect()
    }

    /// A hash of all texts of the model, in hex, the same in every version.
    pub fn fingerprint(&self) -> String {
        let files = self.sources.files.iter().map(|file| file.text.as_bytes());
        let texts = files.flat_map(|text| [&(text.len() as u64).to_le_bytes()[..], text].concat());
        format!("{:016x}", rapidhash::v3::rapidhash_v3(&texts.collect::<Vec<u8>>()))
    }
}

/// The text that is left when macros, conditions and includes are gone: a line for
/// each line that has something, indentation kept.
///
/// # Errors
/// What is wrong with the directives, and the sources that points into.
pub fn preprocessed(
    source: Source<'_>,
    options: &Options,
    files: &dyn Files,
) -> Result<String, (Vec<Diagnostic>, SourceMap)> {
    let input = Input { name: source.name, bytes: source.bytes };
    let output = preprocess::preprocess(input, &options.preprocess(), files);
    if output.diagnostics.iter().any(|found| found.severity == Severity::Error) {
        return Err((output.diagnostics, output.sources));
    }
    let mut text = String::new();
    for token in &output.tokens {
        if token.line_start {
            let place = output.sources.place(output.sources.outermost(token.span));
            let end = if text.is_empty() { "" } else { "\n" };
            let _ = write!(text, "{end}{:width$}", "", width = place.column as usize - 1);
        } else if token.spaced {
            text.push(' ');
        }
        text.push_str(&token.text);
    }
    text.push('\n');
    Ok(text)
}
