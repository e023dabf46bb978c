//! What is measured of formulas: models of the SPIN package, larger where a constant of
//! theirs allows it, and models of `xtask/models`.

use crate::bench::models::source;
use std::path::PathBuf;
use tempfile::TempDir;
use testkit::folder_with;

/// A formula of a model, and where it stands in the hierarchy of properties.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub(super) formula: &'static str,
    pub(super) class: &'static str,
}

pub(super) const SAFETY: &str = "safety";

/// A model with some of its formulas.
pub(in crate::bench) struct Recipe {
    pub(in crate::bench) name: &'static str,
    /// In the SPIN package, or in this repository if it begins with `xtask`.
    file: &'static str,
    /// Parts of its text, and what they become.
    changes: &'static [(&'static str, &'static str)],
    pub(super) asked: &'static [Asked],
    /// Too large for a quick run.
    pub(in crate::bench) large: bool,
}

const fn asked(formula: &'static str, class: &'static str) -> Asked {
    Asked { formula, class }
}

/// Every formula that is compared with pan.
pub(in crate::bench) const SET: [Recipe; 6] = [
    Recipe {
        name: "leader",
        file: "Examples/LTL/leader.pml",
        changes: &[],
        asked: &[
            asked("p0", "guarantee"),
            asked("p1", "persistence"),
            asked("p2", "recurrence"),
            asked("p3", "guarantee"),
        ],
        large: true,
    },
    Recipe {
        name: "mobile1",
        file: "Examples/LTL/mobile1.pml",
        changes: &BUFFERS,
        asked: &[asked("ltl_0", "recurrence")],
        large: false,
    },
    Recipe {
        name: "mobile2",
        file: "Examples/LTL/mobile2.pml",
        changes: &BUFFERS,
        asked: &[asked("ltl_0", "recurrence")],
        large: false,
    },
    Recipe {
        name: "train",
        file: "Examples/LTL/train.pml",
        changes: &[("#define N\t4", "#define N\t6")],
        asked: &[asked("c1", "recurrence"), asked("c5", SAFETY), asked("c7", SAFETY)],
        large: true,
    },
    Recipe {
        name: "commit",
        file: "xtask/models/commit.pml",
        changes: &[("#define WORK\t8", "#define WORK\t16")],
        asked: &[asked("answered", "response")],
        large: true,
    },
    Recipe {
        name: "stabilise",
        file: "xtask/models/stabilise.pml",
        changes: &[],
        asked: &[asked("stable", "persistence")],
        large: true,
    },
];

/// The two channels to the users of the mobile network.
const BUFFERS: [(&str, &str); 2] =
    [("chan inp = [1]", "chan inp = [8]"), ("chan out = [1]", "chan out = [8]")];

/// One formula of it, the first, and all at once.
pub(in crate::bench) const MANY: Recipe = Recipe {
    name: "commit-12",
    file: "xtask/models/commit.pml",
    changes: &[],
    asked: &[
        asked("answered", "response"),
        asked("rounds", "recurrence"),
        asked("returns", "response"),
        asked("agree", SAFETY),
        asked("votes", "recurrence"),
        asked("decided", "guarantee"),
        asked("begins", "guarantee"),
        asked("obeys", SAFETY),
        asked("heard", "recurrence"),
        asked("orderly", "recurrence"),
        asked("together", "reactivity"),
        asked("parts", "response"),
    ],
    large: false,
};

/// Only its end is required. Each process more is a factor of about two hundred: with the five
/// of the file it takes half an hour.
pub(in crate::bench) const PETERSON: Recipe = Recipe {
    name: "petersonN",
    file: "Examples/LTL/petersonN.pml",
    changes: &[("#define N\t5", "#define N\t4")],
    asked: &[],
    large: true,
};

/// A model on disk.
pub(in crate::bench) struct Subject {
    pub(in crate::bench) path: PathBuf,
    /// Keeps the file.
    _folder: TempDir,
}

impl Recipe {
    pub(in crate::bench) fn prepare(&self) -> Result<Subject, String> {
        let mut text = source(self.file)?;
        for (old, new) in self.changes {
            match text.contains(old) {
                true => text = text.replacen(old, new, 1),
                false => return Err(format!("{}: no `{old}`", self.file)),
            }
        }
        let name = format!("{}.pml", self.name);
        let folder = folder_with(&name, text).map_err(|error| format!("{name}: {error}"))?;
        Ok(Subject { path: folder.path().join(name), _folder: folder })
    }

    /// Where it comes from and what was changed.
    pub(super) fn origin(&self) -> String {
        let changes = self.changes.iter().map(|(_, new)| format!(", `{}`", new.replace('\t', " ")));
        format!("`{}`{}", self.file, changes.collect::<String>())
    }
}
