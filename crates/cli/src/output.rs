//! Where text goes, and what the terminal there can do.

use crate::USAGE;
use crate::args::{Columns, Lang, LookArguments, TraceArguments, When};
use crate::host;
use pipeline::{Options, Source, Usage};
use report::{Language, Look, Palette, TraceForm};
use std::io::{self, IsTerminal, Write};

/// Columns of a screen that is not a terminal.
const WIDTH: usize = 100;

/// `auto` means: only if a person is looking.
pub(crate) fn decide(when: When, terminal: bool) -> bool {
    match when {
        When::Auto => terminal,
        When::Always => true,
        When::Never => false,
    }
}

/// The look of everything printed to standard output.
pub(crate) fn look(arguments: &LookArguments, trace: Option<&TraceArguments>) -> Look {
    let terminal = io::stdout().is_terminal();
    let wanted = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let width = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let palette = Palette {
        color: decide(arguments.color, wanted),
        ascii: arguments.ascii || !is_utf8(),
        width: width.filter(|_| terminal).unwrap_or(WIDTH),
    };
    let form = match trace {
        Some(trace) if trace.chart => TraceForm::Chart,
        Some(trace) if trace.steps => TraceForm::Steps,
        _ => TraceForm::Columns,
    };
    Look {
        palette,
        form,
        columns_first: trace.is_some_and(|trace| trace.columns == Columns::AssertionFirst),
        whole: trace.is_some_and(|trace| trace.whole),
        state: trace.is_some_and(|trace| trace.state),
        ..Look::default()
    }
}

/// The same in the form that is usual for a language, if it was left open: columns are those of
/// the Argos papers; PROMELA users know charts, and columns show neither where a cycle begins
/// nor that it is silent.
pub(crate) fn usual(look: &Look, language: Language, is_infinite: bool) -> Look {
    let form = match (language, look.form) {
        (Language::Promela, TraceForm::Columns) => TraceForm::Chart,
        (Language::Argos, TraceForm::Columns) if is_infinite => TraceForm::Chart,
        (_, form) => form,
    };
    Look { form, ..*look }
}

/// Whether the locale says that only ASCII can be shown. An unset locale says
/// nothing, and today's terminals are UTF-8.
fn is_utf8() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].iter().filter_map(|name| std::env::var(name).ok());
    let locale = set.into_iter().find(|value| !value.is_empty()).unwrap_or_default();
    let charset = locale.split_once('.').map(|(_, charset)| charset.to_ascii_lowercase());
    charset.is_none_or(|charset| charset.contains("utf"))
}

/// Prints to standard output; a closed pipe is the reader's business.
pub(crate) fn print(text: &str) {
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

/// Prints a text without colours: whatever it has from a model stays text.
pub(crate) fn say(text: &str) {
    print(&report::plain(text));
}

/// A message about the command itself.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "argos: {}", report::plain(text));
}

/// Says what is wrong with the usage; the exit code for that.
pub(crate) fn refuse(text: &str) -> u8 {
    complain(text);
    USAGE
}

/// Prints, or writes a file if one is named.
pub(crate) fn deliver(text: &str, file: Option<&str>) -> Result<(), u8> {
    match file {
        None => print(text),
        Some(file) => save(text, file)?,
    }
    Ok(())
}

/// Writes a file.
pub(crate) fn save(text: &str, file: &str) -> Result<(), u8> {
    std::fs::write(file, text).map_err(|error| refuse(&format!("cannot write {file}: {error}")))
}

/// The text of a model with its language: the one asked for, or the one its name
/// tells.
pub(crate) fn source<'a>(file: &'a str, bytes: &'a [u8], lang: Option<Lang>) -> Source<'a> {
    let source = Source::new(model_name(file), bytes);
    if lang.is_none() && Source::language(file, bytes).is_none() {
        let name = model_name(file);
        complain(&format!("{name} is read as Argos; --lang promela reads it as PROMELA"));
    }
    match lang {
        None => source,
        Some(Lang::Argos) => Source { language: Language::Argos, ..source },
        Some(Lang::Promela) => Source { language: Language::Promela, ..source },
    }
}

/// Refuses an option that would do nothing in this language.
pub(crate) fn refuse_foreign(options: &Options, language: Language) -> Result<(), u8> {
    match options.misplaced(language) {
        None => Ok(()),
        Some(option) => Err(refuse(&Usage::foreign(option, language).to_string())),
    }
}

/// Reads any file.
pub(crate) fn read_file(file: &str) -> Result<Vec<u8>, u8> {
    host::read(file).map_err(|error| refuse(&format!("cannot read {file}: {error}")))
}

/// What to call a model in reports.
pub(crate) fn model_name(file: &str) -> &str {
    if file == "-" { "standard input" } else { file }
}

/// One line of JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    let mut text = report::json_of(value);
    text.push('\n');
    text
}

/// What was typed, for the report.
pub(crate) fn command_line() -> String {
    command_line_of(std::env::args().skip(1))
}

/// A command with these words, as somebody would type it.
pub(crate) fn command_line_of(words: impl IntoIterator<Item = String>) -> String {
    let words = words.into_iter().map(quoted);
    std::iter::once("argos".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it: formulas have characters that mean something there.
fn quoted(word: String) -> String {
    let plain = |it: char| it.is_alphanumeric() || "_-+=:,./@%".contains(it);
    match !word.is_empty() && word.chars().all(plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// What to say of a run that cannot be executed again.
pub(crate) fn internal_error(file: &str, fault: &str) -> String {
    format!(
        "internal error: a run found in {file} cannot be executed again ({fault}). This is a \
         fault of argos, not of your model; please report it with the model"
    )
}
