//! What the tests of all crates and the chores of the repository share: random numbers and
//! models, the naive search everything is compared with, `argos` and SPIN as commands.
//!
//! No part of the product: crates name it among their dev-dependencies only.

pub mod argos;
pub mod browser;
pub mod cycles;
mod files;
pub mod finding;
pub mod judge;
pub mod limits;
pub mod naive;
pub mod promela;
pub mod protocol;
mod random;
pub mod spin;
pub mod text;

pub use files::{Folder, NoFiles};
pub use random::{Random, for_seeds};

use std::path::{Path, PathBuf};
use std::{fs, io, iter};
use tempfile::TempDir;

/// The folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// A new folder with one file in it; it goes away with its owner.
pub fn folder_with(file: &str, text: impl AsRef<[u8]>) -> io::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join(file), text)?;
    Ok(folder)
}

/// The files in a folder of the repository and below it whose names end in one of
/// `extensions`, in order.
pub fn files(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = |folder: &Path| {
        let entries = fs::read_dir(folder).expect("a folder of the repository");
        entries.map(|entry| entry.expect("readable").path()).collect::<Vec<_>>()
    };
    let mut waiting = entries(&root().join(folder));
    let mut files: Vec<PathBuf> = iter::from_fn(|| {
        let path = waiting.pop()?;
        if path.is_dir() {
            waiting.extend(entries(&path));
        }
        Some(path)
    })
    .filter(|path| path.extension().is_some_and(|end| extensions.iter().any(|it| end == *it)))
    .collect();
    files.sort();
    assert!(!files.is_empty(), "{folder} has files that end in {extensions:?}");
    files
}
