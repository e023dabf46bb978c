//! Text to model: the only place that knows which languages there are.

use crate::Options;
use crate::subject::{Argos, Promela, Subject};
use base::{Diagnostic, Severity, SourceMap};
use model::Model;
use preprocess::{Files, Input};
use report::Language;
use sha2::{Digest, Sha256};
use std::any::Any;
use std::fmt::Write;
use std::sync::Arc;

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
    /// A text in the language that its name or its first words tell, or else in Argos.
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { name, bytes, language: Self::language(name, bytes).unwrap_or(Language::Argos) }
    }

    /// The language of a text: its name tells it, or else the first word that one of the two has
    /// and the other has not.
    pub fn language(name: &str, bytes: &[u8]) -> Option<Language> {
        of_name(name).or_else(|| {
            let text = String::from_utf8_lossy(bytes);
            let code = without_comments(&text);
            let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.find_map(|word| match word {
                _ if PROMELA_WORDS.contains(&word) => Some(Language::Promela),
                _ if ARGOS_WORDS.contains(&word) => Some(Language::Argos),
                _ => None,
            })
        })
    }
}

/// The words declarations begin with, in one language only.
const PROMELA_WORDS: [&str; 16] = [
    "proctype",
    "active",
    "init",
    "mtype",
    "chan",
    "byte",
    "bool",
    "bit",
    "int",
    "short",
    "unsigned",
    "typedef",
    "inline",
    "never",
    "hidden",
    "D_proctype",
];
const ARGOS_WORDS: [&str; 8] =
    ["proc", "process", "procedure", "channel", "queue", "var", "pvar", "variable"];

/// Whether a file of this name is a model.
pub fn is_model(name: &str) -> bool {
    of_name(name).is_some()
}

fn of_name(name: &str) -> Option<Language> {
    const PROMELA: [&str; 7] = [".pml", ".pm", ".prom", ".promela", ".spin", ".prm", ".pr"];
    if PROMELA.iter().any(|ending| name.ends_with(ending)) {
        return Some(Language::Promela);
    }
    name.ends_with(".argos").then_some(Language::Argos)
}

/// The text without comments and directives.
fn without_comments(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        code.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    code.push_str(rest);
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let lines = lines.filter(|line| !line.trim_start().starts_with('#'));
    lines.collect::<Vec<_>>().join("\n")
}

/// What became of the text.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its language.
    pub language: Language,
    /// What it means, unless it has errors.
    pub(crate) subject: Option<Arc<dyn Subject>>,
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
    let language = source.language;
    let preprocess = &options.preprocess();
    let (subject, sources, diagnostics, allowed): (Option<Arc<dyn Subject>>, _, _, _) =
        match language {
            Language::Argos => {
                let read = argos::read(input, preprocess, files);
                let subject = read.model.map(|model| Arc::new(Argos::new(model, options)) as _);
                (subject, read.sources, read.diagnostics, read.allowed)
            }
            Language::Promela => {
                let ::promela::Lowered { program, sources, diagnostics, allowed, listing } =
                    ::promela::read(input, preprocess, files);
                let promela = |program| Promela::new(program, listing, sources.clone());
                let subject = program.map(|program| Arc::new(promela(program)) as _);
                (subject, sources, diagnostics, allowed)
            }
        };
    Loaded { language, subject, sources, diagnostics, allowed }
}

impl Loaded {
    /// The Argos model, if it is one without errors.
    pub fn model(&self) -> Option<&Model> {
        self.downcast().map(Argos::model)
    }

    /// The PROMELA program, if it is one without errors.
    pub(crate) fn promela(&self) -> Option<&Promela> {
        self.downcast()
    }

    fn downcast<S: Subject>(&self) -> Option<&S> {
        let subject: &dyn Any = &**self.subject.as_ref()?;
        subject.downcast_ref()
    }

    /// Whether the text silences a warning.
    pub(crate) fn allows(&self, id: &str) -> bool {
        self.allowed.iter().any(|allowed| allowed == id)
    }

    /// Whether the text has a meaning: it has no errors.
    pub fn is_sound(&self) -> bool {
        self.subject.is_some()
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

    /// All texts of the model, for a report.
    pub fn texts(&self) -> Vec<report::Source> {
        let files = self.sources.files.iter();
        files
            .map(|file| report::Source { file: file.name.clone(), text: file.text.to_string() })
            .collect()
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
