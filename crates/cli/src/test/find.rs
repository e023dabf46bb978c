//! The tests below some paths: what models expect in their heads, and what a matrix of
//! `argos.toml` asks for.

use super::expect::{Wanted, headers};
use crate::args::TestArguments;
use crate::config::{self, Config, Entry};
use crate::output::refuse;
use report::Look;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Something to check, and what must come out.
pub(super) struct Test {
    /// The model.
    pub(super) file: String,
    /// Options that tell it from other tests of the model.
    pub(super) label: String,
    /// Options of `argos check`, those of `argos.toml` included.
    pub(super) words: Vec<String>,
    /// What must come out, or why nobody knows.
    pub(super) wanted: Result<Wanted, String>,
    /// Where that is said.
    pub(super) place: (String, u32),
}

/// The tests, and the models without any.
#[derive(Default)]
pub(super) struct Tests {
    pub(super) tests: Vec<Test>,
    pub(super) silent: Vec<String>,
}

pub(super) fn find(arguments: &TestArguments, look: &Look) -> Result<Tests, u8> {
    let here = [".".to_owned()];
    let paths = if arguments.paths.is_empty() { &here[..] } else { &arguments.paths };
    let mut finder = Finder { arguments, look, seen: BTreeSet::new(), found: Tests::default() };
    for path in paths {
        if !Path::new(path).exists() {
            return Err(refuse(&format!("there is no {path}")));
        }
        finder.matrix(path)?;
        for model in models(Path::new(path)).map_err(|why| refuse(&why))? {
            finder.model(&model)?;
        }
    }
    Ok(finder.found)
}

struct Finder<'a> {
    arguments: &'a TestArguments,
    look: &'a Look,
    /// Matrices that were met before, by file and line.
    seen: BTreeSet<(PathBuf, u32)>,
    found: Tests,
}

impl Finder<'_> {
    fn config(&self, path: &Path) -> Result<Option<Config>, u8> {
        config::find(path, self.arguments.config.config.as_deref(), self.look)
    }

    fn model(&mut self, model: &str) -> Result<(), u8> {
        let config = self.config(Path::new(model))?;
        // What cannot be read, the check will say.
        let text = fs::read(model).unwrap_or_default();
        let headers = headers(&String::from_utf8_lossy(&text));
        let is_in_matrix = self.found.tests.iter().any(|test| test.file == model);
        if headers.is_empty() && !is_in_matrix {
            self.found.silent.push(model.to_owned());
        }
        for header in headers {
            let label = header.options.join(" ");
            let (words, wanted) = (defaults(config.as_ref(), &header.options), header.wanted);
            let place = (model.to_owned(), header.line);
            self.found.tests.push(Test { file: model.to_owned(), label, words, wanted, place });
        }
        Ok(())
    }

    /// The matrix tests of models at or below a path.
    fn matrix(&mut self, path: &str) -> Result<(), u8> {
        let Some(config) = self.config(Path::new(path))? else { return Ok(()) };
        let folder = config.path.parent().unwrap_or(Path::new("")).to_owned();
        for entry in &config.matrix {
            if !self.seen.insert((config.path.clone(), entry.line)) {
                continue;
            }
            for name in &entry.models {
                let named = folder.join(name);
                let models = models(&named).map_err(|why| {
                    refuse(&format!("{}:{}: {why}", config.path.display(), entry.line))
                })?;
                for model in models.iter().filter(|model| is_below(model, path)) {
                    self.combinations(&config, entry, model);
                }
            }
        }
        Ok(())
    }

    fn combinations(&mut self, config: &Config, entry: &Entry, model: &str) {
        let place = (config.path.to_string_lossy().into_owned(), entry.line);
        for combination in &entry.combinations {
            self.found.tests.push(Test {
                file: model.to_owned(),
                label: combination.join(" "),
                words: defaults(Some(config), combination),
                wanted: Ok(entry.wanted.clone()),
                place: place.clone(),
            });
        }
    }
}

/// The options of a test behind those of `argos.toml` that it does not set itself.
fn defaults(config: Option<&Config>, words: &[String]) -> Vec<String> {
    let given = config.map(|config| config.check.as_slice()).unwrap_or_default();
    config::with_defaults(given, words)
}

fn is_below(model: &str, path: &str) -> bool {
    let absolute = |path: &str| fs::canonicalize(path).ok();
    match (absolute(model), absolute(path)) {
        (Some(model), Some(path)) => model.starts_with(path),
        _ => false,
    }
}

/// A model, or the models in a folder and below it, by name. Folders that begin with a dot or
/// are named `target` are not looked into, and links to folders are not followed.
fn models(path: &Path) -> Result<Vec<String>, String> {
    let text = |path: &Path| path.to_str().map(|text| text.trim_start_matches("./").to_owned());
    if !path.is_dir() {
        return text(path).map(|file| vec![file]).ok_or("a file name is not UTF-8".to_owned());
    }
    let wrong = |error| format!("cannot read {}: {error}", path.display());
    let mut entries: Vec<_> = fs::read_dir(path).map_err(wrong)?.filter_map(Result::ok).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    let mut found = Vec::new();
    for entry in entries {
        let name = entry.file_name();
        let is_hidden = name.to_string_lossy().starts_with('.') || name == "target";
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if !is_hidden {
                found.extend(models(&entry.path())?);
            }
            continue;
        }
        found.extend(text(&entry.path()).filter(|file| pipeline::is_model(file)));
    }
    Ok(found)
}
