//! Text to model.

use crate::Options;
use base::{Diagnostic, Severity, SourceMap};
use model::Model;
use preprocess::{Files, Input};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The text of a model.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// As the user named it.
    pub name: &'a str,
    /// Its contents.
    pub bytes: &'a [u8],
}

/// What became of the text.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model, unless the text has errors.
    pub model: Option<Model>,
    /// The files and expansions spans refer to.
    pub sources: SourceMap,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Warning ids the text silences.
    pub allowed: Vec<String>,
}

/// Reads a model.
pub fn load(source: Source<'_>, options: &Options, files: &dyn Files) -> Loaded {
    let input = Input { name: source.name, bytes: source.bytes };
    let read = argos::read(input, &options.preprocess(), files);
    Loaded {
        model: read.model,
        sources: read.sources,
        diagnostics: read.diagnostics,
        allowed: read.allowed,
    }
}

impl Loaded {
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

    /// SHA-256 over all texts of the model, in hex.
    pub fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        for file in &self.sources.files {
            hash.update((file.text.len() as u64).to_le_bytes());
            hash.update(file.text.as_bytes());
        }
        hash.finalize().iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}
