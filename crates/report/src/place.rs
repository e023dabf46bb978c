//! Where a file is, for machines that know a repository and not the folder a command ran in.

use crate::Report;
use std::path::{Component, Path};

/// Where names of files begin, and where the repository does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root<'a> {
    /// The folder that relative names begin in, absolute.
    pub here: &'a Path,
    /// The folder of the repository, absolute.
    pub top: &'a Path,
}

impl Root<'_> {
    /// The name of a file as seen from the top of the repository, with slashes; `None` if it is
    /// not in there.
    pub fn inside(&self, file: &str) -> Option<String> {
        let path = self.here.join(file);
        let mut parts: Vec<&str> = Vec::new();
        for part in path.components() {
            match part {
                Component::ParentDir => {
                    parts.pop()?;
                }
                Component::Normal(name) => parts.push(name.to_str()?),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        let top = self.top.components().filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        });
        let top: Vec<&str> = top.collect();
        Some(parts.strip_prefix(top.as_slice())?.join("/"))
    }

    /// The same, or the name as it is.
    pub(crate) fn name(&self, file: &str) -> String {
        self.inside(file).unwrap_or_else(|| file.to_owned())
    }
}

impl Report {
    /// The file of a place; what has no place, as a cycle, is in the model as a whole.
    pub(crate) fn file_of<'a>(&'a self, file: &'a str) -> &'a str {
        if file.is_empty() { &self.model } else { file }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_seen_from_the_top_of_the_repository() {
        let root = Root { here: Path::new("/src/models"), top: Path::new("/src") };
        assert_eq!(root.inside("a.pml"), Some("models/a.pml".to_owned()));
        assert_eq!(root.inside("./x/../../b.pml"), Some("b.pml".to_owned()));
        assert_eq!(root.inside("/src/c d.pml"), Some("c d.pml".to_owned()));
        assert_eq!(root.inside("../../etc/passwd"), None);
        assert_eq!(root.inside("/srcs/a.pml"), None);
    }
}
