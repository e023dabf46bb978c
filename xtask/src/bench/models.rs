//! What is measured: models of the installed SPIN package, some of them scaled by
//! the values of their own macros, and Argos models of this repository.
//!
//! The text of a package model is read when it is needed; only the changes are here.

use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use testkit::{folder_with, spin};

/// How a model of the set comes about.
#[derive(Clone)]
pub(super) struct Recipe {
    pub(super) name: &'static str,
    /// In the SPIN package, or in this repository if it begins with `xtask` or is Argos.
    file: &'static str,
    /// Macros with other values than in the file.
    defines: &'static [(&'static str, u32)],
    /// Options that belong to the model.
    options: &'static [&'static str],
    /// Too large for a quick run.
    pub(super) large: bool,
}

/// Counted as `pan -c0` counts; claims and formulas are left out on both sides.
const AS_SPIN: &[&str] = &["--spin-counts", "--no-claims"];

const fn package(name: &'static str, file: &'static str) -> Recipe {
    Recipe { name, file, defines: &[], options: AS_SPIN, large: false }
}

const fn scaled(
    name: &'static str,
    file: &'static str,
    defines: &'static [(&'static str, u32)],
) -> Recipe {
    Recipe { name, file, defines, options: AS_SPIN, large: true }
}

const SORT: &str = "Examples/sort.pml";
const PETERSON: &str = "Examples/LTL/petersonN.pml";

/// The set the requirements are about: 41 692 to 12.6 million states.
pub(super) const SET: [Recipe; 13] = [
    package("leader0", "Examples/leader0.pml"),
    package("snoopy", "Examples/snoopy.pml"),
    package("hajek", "Examples/hajek.pml"),
    package("dtp", "Examples/dtp.pml"),
    package("pftp", "Examples/LTL/pftp.pml"),
    package("sort", SORT),
    package("cambridge", "Examples/cambridge.pml"),
    scaled("pftp-dups", "Examples/LTL/pftp.pml", &[("QSZ", 1), ("DUPS", 1), ("LOSS", 1)]),
    scaled("sort-8", SORT, &[("N", 8), ("L", 2)]),
    scaled("leader-7", "Examples/leader0.pml", &[("N", 7), ("L", 14)]),
    scaled("leader-pre", "Examples/LTL/leader_pre.pml", &[]),
    scaled("cambridge-11", "Examples/cambridge.pml", &[("QSZ", 11)]),
    scaled("peterson-4", PETERSON, &[("N", 4)]),
];

/// One family, from 10^4 states to more than 10^7: each process more is a factor of
/// about seven.
pub(super) const GROWTH: [Recipe; 5] = [
    Recipe { large: false, ..scaled("sort-5", SORT, &[("N", 5), ("L", 2)]) },
    Recipe { large: false, ..scaled("sort-6", SORT, &[("N", 6), ("L", 2)]) },
    Recipe { large: false, ..scaled("sort-7", SORT, &[("N", 7), ("L", 2)]) },
    scaled("sort-8", SORT, &[("N", 8), ("L", 2)]),
    scaled("sort-9", SORT, &[("N", 9), ("L", 2)]),
];

/// As people run it: some of the set, larger ones, and models of the repository with
/// rendezvous, with processes that come and go, and with states of a kilobyte.
pub(super) const SCALED: [Recipe; 11] = [
    scaled("pftp-dups", "Examples/LTL/pftp.pml", &[("QSZ", 1), ("DUPS", 1), ("LOSS", 1)]),
    scaled("sort-8", SORT, &[("N", 8), ("L", 2)]),
    scaled("leader-7", "Examples/leader0.pml", &[("N", 7), ("L", 14)]),
    scaled("leader-8", "Examples/leader0.pml", &[("N", 8), ("L", 16)]),
    scaled("cambridge-11", "Examples/cambridge.pml", &[("QSZ", 11)]),
    scaled("peterson-4", PETERSON, &[("N", 4)]),
    scaled("peterson-5", PETERSON, &[("N", 5)]),
    scaled("snoopy-3", "Examples/snoopy.pml", &[("QSZ", 3)]),
    scaled("rendezvous", "xtask/models/rendezvous.pml", &[]),
    scaled("dynamic", "xtask/models/dynamic.pml", &[]),
    scaled("wide", "xtask/models/wide.pml", &[]),
];

/// Five busy processes beside many that nothing concerns; counted by `--instructions` only.
pub(super) const IDLE: [Recipe; 2] = [
    scaled("idle-16", "xtask/models/idle.pml", &[("N", 16)]),
    scaled("idle-240", "xtask/models/idle.pml", &[]),
];

/// Without a partner to compare with. With timeouts at any time the channels fill.
pub(super) const ARGOS: [Recipe; 4] = [
    argos("abp-2", "corpus/papers/abp.argos", &["--timeout", "any", "--capacity", "2"], false),
    argos("abp-4", "corpus/papers/abp.argos", &["--timeout", "any", "--capacity", "4"], true),
    argos(
        "window-2",
        "examples/sliding_window.argos",
        &["--timeout", "any", "--capacity", "2"],
        false,
    ),
    argos(
        "window-3",
        "examples/sliding_window.argos",
        &["--timeout", "any", "--capacity", "3"],
        true,
    ),
];

const fn argos(
    name: &'static str,
    file: &'static str,
    options: &'static [&'static str],
    large: bool,
) -> Recipe {
    Recipe { name, file, defines: &[], options, large }
}

/// A model on disk, ready for both tools.
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) options: &'static [&'static str],
    /// Where it comes from and what was changed, for the document.
    pub(super) origin: String,
    /// Keeps the file.
    _folder: Option<TempDir>,
}

impl Recipe {
    /// Whether SPIN can read it too.
    pub(super) fn is_promela(&self) -> bool {
        self.file.ends_with(".pml")
    }

    pub(super) fn prepare(&self) -> Result<Subject, String> {
        if !self.is_promela() {
            return Ok(self.subject(testkit::root().join(self.file), None));
        }
        let text = changed(&source(self.file)?, self.defines)
            .map_err(|name| format!("{}: no #define {name}", self.file))?;
        let name = format!("{}.pml", self.name);
        let folder = folder_with(&name, text).map_err(|error| format!("{name}: {error}"))?;
        Ok(self.subject(folder.path().join(name), Some(folder)))
    }

    fn subject(&self, path: PathBuf, folder: Option<TempDir>) -> Subject {
        let defines = self.defines.iter().map(|(name, value)| format!("{name}={value}"));
        let options = self.options.iter().filter(|_| !self.is_promela());
        let changes: Vec<String> =
            defines.chain(options.map(|option| (*option).to_owned())).collect();
        Subject {
            name: self.name.to_owned(),
            path,
            options: self.options,
            origin: format!("{} {}", self.file, changes.join(" ")).trim_end().to_owned(),
            _folder: folder,
        }
    }
}

/// The text of a model of the SPIN package, or of this repository if it begins with `xtask`.
pub(super) fn source(file: &str) -> Result<String, String> {
    if !file.starts_with("xtask") {
        return spin::installed(file);
    }
    let path = testkit::root().join(file);
    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The text without its formulas and with other values of its macros; the name of
/// a macro that is not there is an error.
pub(super) fn changed(text: &str, defines: &[(&str, u32)]) -> Result<String, String> {
    let mut lines: Vec<String> =
        text.lines().filter(|line| !line.starts_with("ltl ")).map(str::to_owned).collect();
    for (name, value) in defines {
        let defined = |line: &&mut String| {
            let mut words = line.split_whitespace();
            (words.next(), words.next()) == (Some("#define"), Some(*name))
        };
        let line = lines.iter_mut().find(defined).ok_or_else(|| (*name).to_owned())?;
        *line = format!("#define {name} {value}");
    }
    lines.push(String::new());
    Ok(lines.join("\n"))
}
