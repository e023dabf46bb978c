//! Where the models of the SPIN package are. They are not ours to bring along.

use std::path::Path;
use std::process::Command;

/// Where distributions put the examples of SPIN.
const PLACES: [&str; 4] = [
    "/usr/share/doc/spin/examples/Examples",
    "/usr/share/doc/spin/Examples",
    "/usr/share/spin/Examples",
    "/usr/local/share/spin/Examples",
];

/// The text of a model of the SPIN package: in the folder the user names, or where
/// distributions put it.
pub(super) fn package(model: &str, folder: Option<&str>) -> Option<String> {
    let in_folder = |folder: &str| {
        let whole = Path::new(folder).join(model);
        let bare = Path::new(folder).join(Path::new(model).file_name()?);
        [whole, bare].iter().find_map(|file| text(file))
    };
    match folder {
        Some(folder) => in_folder(folder),
        None => PLACES.into_iter().find_map(in_folder).or_else(|| listed(model)),
    }
}

/// The text of a file that may be compressed, as documentation often is.
fn text(file: &Path) -> Option<String> {
    if let Ok(text) = std::fs::read_to_string(file) {
        return Some(text);
    }
    let compressed = format!("{}.gz", file.display());
    let compressed = Some(compressed).filter(|file| Path::new(file).exists())?;
    let output = Command::new("gzip").args(["-dc", &compressed]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What the package manager knows of.
fn listed(model: &str) -> Option<String> {
    let output = Command::new("dpkg").args(["-L", "spin"]).output().ok()?;
    let files = String::from_utf8_lossy(&output.stdout).into_owned();
    let end = format!("/{model}");
    let found = files.lines().map(|line| line.strip_suffix(".gz").unwrap_or(line));
    found.filter(|line| line.ends_with(&end)).find_map(|line| text(Path::new(line)))
}
