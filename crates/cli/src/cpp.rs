//! `--cpp`: another preprocessor instead of the built-in one, as `spin -P`. It is
//! called with `-D` and `-I` as they were given and the file behind them, and
//! writes the model to its standard output; its line markers say what came from
//! where.

use crate::output::{complain, read_file, refuse};
use pipeline::Options;
use std::io::{self, Write};
use std::process::{Command, Output, Stdio};

/// The exit code for a text that the preprocessor refuses.
const BAD_MODEL: u8 = 3;

/// The text of a model, preprocessed if the options say so. Only for options that
/// were typed: a saved run must not be able to start a command.
pub(crate) fn read_model(file: &str, options: &Options) -> Result<Vec<u8>, u8> {
    let Some(command) = &options.cpp else { return read_file(file) };
    // Read here in any case: a file that is missing is not the fault of the command.
    let text = read_file(file)?;
    let output = preprocessed(command, file, &text, options).map_err(|error| {
        refuse(&format!("cannot run the preprocessor `{command}` (--cpp): {error}"))
    })?;
    let messages = String::from_utf8_lossy(&output.stderr);
    if !messages.trim().is_empty() {
        complain(&format!("`{command}` says:\n{}", messages.trim_end()));
    }
    if !output.status.success() {
        complain(&format!("the preprocessor `{command}` failed on {file}: {}", output.status));
        return Err(BAD_MODEL);
    }
    Ok(output.stdout)
}

fn preprocessed(command: &str, file: &str, text: &[u8], options: &Options) -> io::Result<Output> {
    let mut words = command.split_whitespace();
    let program = words.next().ok_or_else(|| io::Error::other("it has no name"))?;
    let defines = options.defines.iter().map(|(name, value)| match value {
        None => format!("-D{name}"),
        Some(value) => format!("-D{name}={value}"),
    });
    let includes = options.include_paths.iter().map(|path| format!("-I{path}"));
    let mut child = Command::new(program)
        .args(words)
        .args(defines.chain(includes))
        .arg(file)
        .stdin(if file == "-" { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let input = child.stdin.take();
    std::thread::scope(|scope| {
        // A command that does not want all of its input may close it early.
        scope.spawn(|| input.map(|mut input| input.write_all(text)));
        child.wait_with_output()
    })
}
