//! `argos.toml`: options of `argos check` for the models beside it and below, and a matrix for
//! `argos test`. An option has the name that it has on the command line; what is typed wins.
//!
//! A model and the file beside it may come from anywhere, so this file can neither run a command
//! (`--cpp`) nor write one (`--trace`, `--junit`): it takes what decides a search and a verdict.

use crate::args::{Arguments, CheckArguments};
use crate::output::{complain, refuse};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches};
use report::Look;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

mod matrix;

pub(crate) use matrix::{Entry, instances};

const NAME: &str = "argos.toml";

/// Options that decide the exit code or which run is looked for, beside those of the search
/// and the model.
const FURTHER: [&str; 4] = ["fail_on", "warnings", "lint", "to_end"];

/// What a file of settings says.
pub(crate) struct Config {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Options of every check.
    pub(crate) check: Vec<Given>,
    /// Tests that it asks for.
    pub(crate) matrix: Vec<Entry>,
}

/// An option with its values, in the words of the command line.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Given {
    /// Its name there: `time`, or `define N`.
    pub(crate) name: String,
    pub(crate) words: Vec<String>,
}

/// Something wrong with a text, and where.
pub(crate) struct Fault {
    pub(crate) bytes: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: String,
}

impl Fault {
    fn new(bytes: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { bytes, message: message.into(), help: help.into() }
    }
}

/// The settings for a model, or for the models in a folder: of the file that is named, else of
/// the next `argos.toml` from there up to the top of the repository. The exit code if it cannot
/// be read; what is wrong with it has been said.
pub(crate) fn find(model: &Path, named: Option<&str>, look: &Look) -> Result<Option<Config>, u8> {
    let path = match named {
        Some(named) => PathBuf::from(named),
        None => match beside(model) {
            Some(path) => path,
            None => return Ok(None),
        },
    };
    let text = std::fs::read_to_string(&path)
        .map_err(|error| refuse(&format!("cannot read {}: {error}", path.display())))?;
    match read(&path, &text) {
        Ok(config) => Ok(Some(config)),
        Err(fault) => {
            let about = (fault.message.as_str(), fault.help.as_str());
            let shown = path.to_string_lossy();
            let told = report::problem(&shown, &text, fault.bytes.clone(), about, look);
            complain(&format!("{shown} is not a file of settings\n{told}"));
            Err(crate::USAGE)
        }
    }
}

/// Without a repository only the folder of the model counts: above it may be anybody's.
fn beside(model: &Path) -> Option<PathBuf> {
    let model = std::path::absolute(model).ok()?;
    let folder = if model.is_dir() { model.as_path() } else { model.parent()? };
    let top = crate::results::repository(folder).unwrap_or(folder);
    let within = folder.ancestors().take_while(|above| above.starts_with(top));
    let found = within.map(|folder| folder.join(NAME)).find(|path| path.is_file())?;
    // Messages name it as the user would.
    let here = std::env::current_dir().ok();
    let short = here.and_then(|here| found.strip_prefix(here).ok().map(Path::to_owned));
    Some(short.unwrap_or(found))
}

/// Reads the text of a file of settings.
fn read(path: &Path, text: &str) -> Result<Config, Fault> {
    let document = DeTable::parse(text).map_err(|error| {
        Fault::new(error.span().unwrap_or(0..0), error.message().trim_end().to_owned(), "")
    })?;
    let reader = Reader { folder: path.parent().unwrap_or(Path::new("")), command: command() };
    let mut config = Config { path: path.to_owned(), check: Vec::new(), matrix: Vec::new() };
    for (key, value) in in_order(document.get_ref()) {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("check", DeValue::Table(table)) => config.check = reader.options(table)?,
            ("matrix", DeValue::Array(entries)) => {
                for entry in entries.iter() {
                    config.matrix.push(reader.entry(entry, text)?);
                }
            }
            ("check", _) => {
                let help = "write [check], and under it options of argos check";
                return Err(Fault::new(value.span(), "check is not a table", help));
            }
            ("matrix", _) => {
                let help = "write [[matrix]], once for each matrix";
                return Err(Fault::new(value.span(), "matrix is not a list of tables", help));
            }
            (other, _) => {
                let help = "there are [check] and [[matrix]]";
                return Err(Fault::new(key.span(), format!("`{other}` means nothing here"), help));
            }
        }
    }
    Ok(config)
}

/// As they are written; tables are sorted by name.
fn in_order<'a, 't>(
    table: &'a DeTable<'t>,
) -> Vec<(&'a Spanned<std::borrow::Cow<'t, str>>, &'a Spanned<DeValue<'t>>)> {
    let mut pairs: Vec<_> = table.iter().collect();
    pairs.sort_by_key(|(key, _)| key.span().start);
    pairs
}

/// `argos check`, to look options up in and to try them.
fn command() -> clap::Command {
    let mut command = Arguments::command();
    command.build();
    command
}

/// Whether a text that comes with a model may set an option.
fn is_allowed(argument: &Arg) -> bool {
    let id = argument.get_id().as_str();
    let heading = argument.get_help_heading().unwrap_or_default();
    let decides = matches!(heading, "Search" | "Model") && !matches!(id, "cpp" | "config");
    decides || FURTHER.contains(&id)
}

struct Reader<'a> {
    /// Names of files in it begin here.
    folder: &'a Path,
    command: clap::Command,
}

impl Reader<'_> {
    fn check(&self) -> &clap::Command {
        self.command.find_subcommand("check").expect("there is such a command")
    }

    fn options(&self, table: &DeTable<'_>) -> Result<Vec<Given>, Fault> {
        let mut all = Vec::new();
        for (key, value) in in_order(table) {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("define", DeValue::Table(names)) => {
                    for (name, value) in in_order(names) {
                        all.push(self.define(name, value)?);
                    }
                }
                ("include", _) => all.push(self.include(value)?),
                _ => all.push(self.option(key, value)?),
            }
        }
        Ok(all)
    }

    /// `-I`, beside the file of settings.
    fn include(&self, value: &Spanned<DeValue<'_>>) -> Result<Given, Fault> {
        let folders = match value.get_ref() {
            DeValue::Array(folders) => folders.iter().map(scalar).collect::<Result<Vec<_>, _>>()?,
            _ => vec![scalar(value)?],
        };
        let word = |folder: &String| format!("-I{}", self.folder.join(folder).to_string_lossy());
        Ok(Given { name: "include".to_owned(), words: folders.iter().map(word).collect() })
    }

    /// One option with its value, or values.
    fn option<K: AsRef<str>>(
        &self,
        key: &Spanned<K>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Given, Fault> {
        let name = key.get_ref().as_ref();
        let argument = self.argument(name, key.span())?;
        let takes = matches!(argument.get_action(), ArgAction::Append | ArgAction::Set);
        let words = match value.get_ref() {
            DeValue::Boolean(is_set) if !takes => {
                let word = format!("--{name}");
                if *is_set { vec![word] } else { Vec::new() }
            }
            _ if !takes => {
                let help = format!("write {name} = true");
                return Err(Fault::new(value.span(), format!("{name} takes no value"), help));
            }
            DeValue::Array(values) if matches!(argument.get_action(), ArgAction::Append) => {
                let words = values.iter().map(|value| self.word(name, value));
                words.collect::<Result<_, _>>()?
            }
            _ => vec![self.word(name, value)?],
        };
        for word in &words {
            self.try_word(word, value.span())?;
        }
        Ok(Given { name: name.to_owned(), words })
    }

    fn argument(&self, name: &str, span: Range<usize>) -> Result<&Arg, Fault> {
        let known = |argument: &&Arg| argument.get_long() == Some(name);
        let Some(argument) = self.check().get_arguments().find(known) else {
            if name == "define" {
                let help = "write define = { NAME = VALUE }";
                return Err(Fault::new(span, "define is not a table", help));
            }
            let message = format!("argos check has no option --{name}");
            let near = self.near(name);
            let help = near.map_or_else(
                || "argos check --help lists the options".to_owned(),
                |near| format!("write {near}"),
            );
            return Err(Fault::new(span, message, help));
        };
        match is_allowed(argument) {
            true => Ok(argument),
            false => {
                let message = format!("--{name} is for the command line only");
                let help = "a file beside a model decides what is searched, and neither runs \
                            commands nor writes files";
                Err(Fault::new(span, message, help))
            }
        }
    }

    /// The option with most of its letters in common.
    fn near(&self, name: &str) -> Option<&str> {
        let allowed = self.check().get_arguments().filter(|argument| is_allowed(argument));
        let scored = allowed.filter_map(|argument| argument.get_long());
        let scored = scored.map(|long| (strsim::jaro_winkler(long, name), long));
        let best = scored.max_by(|one, other| one.0.total_cmp(&other.0))?;
        (best.0 > 0.8).then_some(best.1)
    }

    /// An option and one value. Files it names are beside the file of settings.
    fn word(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Result<String, Fault> {
        let text = scalar(value)?;
        let text = match name {
            "ltl-file" => self.folder.join(text).to_string_lossy().into_owned(),
            _ => text,
        };
        Ok(format!("--{name}={text}"))
    }

    /// `-D`.
    fn define<K: AsRef<str>>(
        &self,
        key: &Spanned<K>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Given, Fault> {
        let name = key.get_ref().as_ref();
        let words = match value.get_ref() {
            DeValue::Boolean(true) => vec![format!("-D{name}")],
            DeValue::Boolean(false) => Vec::new(),
            _ => vec![format!("-D{name}={}", scalar(value)?)],
        };
        for word in &words {
            self.try_word(word, key.span())?;
        }
        Ok(Given { name: format!("define {name}"), words })
    }

    /// Whether an option has this value. What else it needs is seen when all are together.
    fn try_word(&self, word: &str, span: Range<usize>) -> Result<(), Fault> {
        let tried = self.command.clone().try_get_matches_from(["argos", "check", "-", word]);
        match tried {
            Err(error) if error.kind() != ErrorKind::MissingRequiredArgument => {
                Err(Fault::new(span, first_line(&error), ""))
            }
            _ => Ok(()),
        }
    }
}

/// What is wrong, without what clap says of the command line.
fn first_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

/// A value as it would be typed.
fn scalar(value: &Spanned<DeValue<'_>>) -> Result<String, Fault> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) => Ok(number.to_string()),
        DeValue::Float(number) => Ok(number.to_string()),
        DeValue::Boolean(value) => Ok(value.to_string()),
        DeValue::Array(_) | DeValue::Table(_) | DeValue::Datetime(_) => {
            Err(Fault::new(value.span(), "this is not one value", "write a text or a number"))
        }
    }
}

/// What decides the check of one model.
pub(crate) struct Settings {
    /// What was typed with what the file adds, if there is one.
    pub(crate) arguments: Option<CheckArguments>,
    /// Where options come from that nobody typed, in words.
    pub(crate) note: Option<String>,
}

/// The options for a model: those typed, and those of its file of settings for the rest.
pub(crate) fn settings(typed: &CheckArguments, file: &str, look: &Look) -> Result<Settings, u8> {
    let line = crate::first_word::with_default_command(std::env::args_os().collect());
    settings_of(typed, file, look, &line)
}

/// The same of another command line than that of this program.
pub(crate) fn settings_of(
    typed: &CheckArguments,
    file: &str,
    look: &Look,
    line: &[OsString],
) -> Result<Settings, u8> {
    let named = typed.outputs.config.config.as_deref();
    // Standard input is beside nothing.
    let config = match (file, named) {
        ("-", None) => None,
        _ => find(Path::new(file), named, look)?,
    };
    let Some(config) = config else { return Ok(Settings { arguments: None, note: None }) };
    let (arguments, words) = combined(&config.check, line).map_err(|error| {
        let _ = error.print();
        crate::USAGE
    })?;
    let arguments = Some(arguments);
    let note = format!("options of {}: {}", config.path.display(), words.join(" "));
    let note = (!words.is_empty()).then_some(note);
    Ok(Settings { arguments, note })
}

/// Options that nobody typed in front of those that somebody did; and which these are.
fn combined(
    given: &[Given],
    line: &[OsString],
) -> Result<(CheckArguments, Vec<String>), clap::Error> {
    let matches = Arguments::command().try_get_matches_from(line)?;
    let check = matches.subcommand_matches("check").expect("it is the command that runs");
    let rest: Vec<&Given> = given.iter().filter(|given| !is_typed(check, &given.name)).collect();
    let words: Vec<String> = rest.iter().flat_map(|given| given.words.clone()).collect();
    let mut whole: Vec<OsString> = line[..2].to_vec();
    whole.extend(words.iter().map(OsString::from));
    whole.extend_from_slice(&line[2..]);
    let matches = Arguments::command().try_get_matches_from(whole)?;
    let check = matches.subcommand_matches("check").expect("it is the command that runs");
    Ok((CheckArguments::from_arg_matches(check)?, words))
}

/// These options behind those of a file of settings that they do not set. What is wrong with
/// them is seen when they are used.
pub(crate) fn with_defaults(given: &[Given], words: &[String]) -> Vec<String> {
    let line = ["argos", "check", "-"].map(str::to_owned).into_iter().chain(words.iter().cloned());
    let matches = Arguments::command().try_get_matches_from(line).ok();
    let check = matches.as_ref().and_then(|matches| matches.subcommand_matches("check"));
    let is_set = |given: &&Given| check.is_some_and(|check| is_typed(check, &given.name));
    let rest = given.iter().filter(|given| !is_set(given));
    rest.flat_map(|given| given.words.clone()).chain(words.iter().cloned()).collect()
}

/// Whether somebody typed an option, or a macro of this name.
fn is_typed(check: &ArgMatches, name: &str) -> bool {
    if let Some(name) = name.strip_prefix("define ") {
        type Define = (String, Option<String>);
        let mut typed = check.get_many::<Define>("defines").into_iter().flatten();
        return typed.any(|(typed, _)| typed == name);
    }
    let command = Arguments::command();
    let command = command.find_subcommand("check").expect("there is such a command");
    let argument = command.get_arguments().find(|argument| argument.get_long() == Some(name));
    let id = argument.map(|argument| argument.get_id().as_str());
    id.is_some_and(|id| check.value_source(id) == Some(ValueSource::CommandLine))
}

/// The arguments of a check that a text beside the model asks for, as the header of a model.
pub(crate) fn asked(file: &str, words: &[String]) -> Result<CheckArguments, String> {
    let line = ["argos", "check", file].into_iter().chain(words.iter().map(String::as_str));
    let matches = Arguments::command().try_get_matches_from(line);
    let matches = matches.map_err(|error| first_line(&error))?;
    let check = matches.subcommand_matches("check").ok_or("this is no check")?;
    let command = command();
    let command = command.find_subcommand("check").expect("there is such a command");
    let typed = |argument: &&Arg| {
        check.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine)
    };
    let mut set = command.get_arguments().filter(typed);
    if let Some(other) = set.find(|argument| !argument.is_positional() && !is_allowed(argument)) {
        let name = other.get_long().unwrap_or_default();
        return Err(format!("--{name} is for the command line only"));
    }
    if check.get_many::<String>("files").is_none_or(|files| files.len() != 1) {
        return Err("there is a word too many".to_owned());
    }
    CheckArguments::from_arg_matches(check).map_err(|error| first_line(&error))
}
