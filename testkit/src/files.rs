//! Where a model of a test finds the files it includes.

use preprocess::Files;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The files of a folder.
pub struct Folder(PathBuf);

impl Folder {
    /// Of this folder.
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Of the folder that this file is in.
    pub fn around(file: &Path) -> Self {
        Self::new(file.parent().expect("a file is in a folder"))
    }
}

impl Files for Folder {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.0.join(path))
    }
}

/// No files at all.
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &str) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}
