//! What may stand first on the command line: a command, or the model to check.

use std::ffi::OsString;

/// What may stand first and is not a file.
const COMMANDS: &str = "check test traces show sim serve replay backward experiments spin completions man help -h --help -V --version";

pub(crate) fn is_command(word: &str) -> bool {
    COMMANDS.split(' ').any(|command| command == word)
}

/// `argos FILE` means `argos check FILE`.
pub(crate) fn with_default_command(mut typed: Vec<OsString>) -> Vec<OsString> {
    let first = typed.get(1).and_then(|first| first.to_str());
    if first.is_some_and(|first| !is_command(first)) {
        typed.insert(1, "check".into());
    }
    typed
}

/// The first word, if it looks like a command and is none: no option, no file,
/// not the name of a model that is missing.
pub(crate) fn unknown_command(typed: &[OsString]) -> Option<&str> {
    let first = typed.get(1)?.to_str()?;
    let is_word = first.chars().all(|c| c.is_ascii_alphabetic());
    let known = is_command(first) || std::path::Path::new(first).exists();
    (is_word && !known).then_some(first)
}
