//! Finds included files: beside the including one, then along the include path.

use crate::Files;
use std::io;

/// A file that was found.
pub(crate) struct Found {
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
}

/// Why none was.
pub(crate) struct Missing {
    /// The paths tried, in order.
    pub(crate) tried: Vec<String>,
    /// What went wrong, when it was not simply absent.
    pub(crate) error: Option<io::Error>,
}

/// Looks for `name`, asked for by the file called `from`.
pub(crate) fn find(
    name: &str,
    from: &str,
    include_paths: &[String],
    files: &dyn Files,
) -> Result<Found, Missing> {
    let mut missing = Missing { tried: Vec::new(), error: None };
    for path in candidates(name, from, include_paths) {
        match files.include(&path) {
            Ok(bytes) => return Ok(Found { path, bytes }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => missing.tried.push(path),
            Err(error) => {
                missing.tried.push(path);
                missing.error = Some(error);
                break;
            }
        }
    }
    Err(missing)
}

fn candidates(name: &str, from: &str, include_paths: &[String]) -> Vec<String> {
    if name.starts_with('/') {
        return vec![normal(name)];
    }
    let beside = from.rsplit_once('/').map_or("", |(directory, _)| directory);
    let rooted = if from.starts_with('/') && beside.is_empty() { "/" } else { beside };
    let directories = std::iter::once(rooted).chain(include_paths.iter().map(String::as_str));
    let mut paths = Vec::new();
    for directory in directories {
        let path = if directory.is_empty() {
            normal(name)
        } else {
            normal(&format!("{directory}/{name}"))
        };
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// Without `.` and `x/..`, so that a file has one name and a cycle is seen.
pub(crate) fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, parts.last()) {
            ("" | ".", _) => {}
            ("..", Some(last)) if *last != ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_including_files_directory_comes_first() {
        let paths = ["lib".to_owned(), "m".to_owned()];
        assert_eq!(candidates("a.h", "m/x.argos", &paths), ["m/a.h", "lib/a.h"]);
        assert_eq!(candidates("a.h", "x.argos", &paths), ["a.h", "lib/a.h", "m/a.h"]);
        assert_eq!(candidates("/a.h", "x.argos", &paths), ["/a.h"]);
    }

    #[test]
    fn a_file_has_one_name() {
        assert_eq!(normal("./a/../b//c"), "b/c");
        assert_eq!(normal("../a"), "../a");
        assert_eq!(normal("/a/./b"), "/a/b");
    }
}
