//! `argos serve`: the model of a file, explored in the browser. The server is [`serve::Server`]; here
//! are the file, the options of a check, the signals, and the process that answers a request.

use crate::args::{Arguments, CheckArguments, Command, ProgressForm, ServeArguments};
use crate::cpp::read_model;
use crate::host::Machine;
use crate::output::{
    command_line_of, complain, model_name, print, refuse, refuse_foreign, say, source,
};
use crate::{config, host};
use clap::{Parser, ValueEnum};
use pipeline::{Files, Options};
use report::{Look, thousands};
use serve::{Limits, Model, Opened, Operation, Server, TEXT_BYTES_MAX, Worker};
use std::cell::RefCell;
use std::ffi::OsString;
use std::io;
use std::net::SocketAddr;
use std::sync::Mutex;

pub(crate) fn run(arguments: &ServeArguments) -> u8 {
    let done = match &arguments.answer {
        Some(operation) => answered(arguments, operation),
        None => served(arguments),
    };
    done.err().unwrap_or(0)
}

/// The options of a check of the model: those typed, and those of its file of settings.
fn options(arguments: &ServeArguments) -> Result<Options, u8> {
    let mut words = vec!["argos".to_owned(), "check".to_owned()];
    words.extend(arguments.options.iter().cloned());
    words.extend(["--".to_owned(), arguments.file.clone()]);
    let wrong = |error: clap::Error| {
        let _ = error.print();
        crate::USAGE
    };
    let parsed = Arguments::try_parse_from(&words).map_err(wrong)?;
    let Command::Check(typed) = parsed.command else { return Err(crate::USAGE) };
    let line: Vec<OsString> = words.iter().map(OsString::from).collect();
    let settings = config::settings_of(&typed, &arguments.file, &Look::default(), &line)?;
    let own: &CheckArguments = settings.arguments.as_ref().unwrap_or(&typed);
    let options = own.options();
    let time = options.time.unwrap_or(arguments.time);
    let memory = options.memory.unwrap_or(arguments.memory);
    Ok(Options { time: Some(time), memory: Some(memory), tells_guards: true, ..options })
}

/// Serves until a signal comes.
fn served(arguments: &ServeArguments) -> Result<(), u8> {
    let options = options(arguments)?;
    let limits = Limits {
        seconds: options.time.unwrap_or(arguments.time),
        bytes: options.memory.unwrap_or(arguments.memory),
    };
    let machine = Machine::new(ProgressForm::Never, None);
    let file = arguments.file.clone();
    let bytes = read_model(&file, &options)?;
    if bytes.len() > TEXT_BYTES_MAX {
        let size = thousands(bytes.len() as u64);
        let most = thousands(TEXT_BYTES_MAX as u64);
        return Err(refuse(&format!(
            "{file} has {size} bytes; argos serve takes models of at most {most}"
        )));
    }
    let language = source(&file, &bytes, arguments.lang).language;
    refuse_foreign(&options, language)?;
    // Standard input can be read once.
    let first = Mutex::new(Some(bytes));
    let open = move || {
        let again = || host::read(&file).map_err(|error| format!("cannot read {file}: {error}"));
        let mut first = first.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let is_fixed = file == "-" || options.cpp.is_some();
        let bytes = match (first.take(), is_fixed) {
            (Some(bytes), _) => bytes,
            (None, _) => again()?,
        };
        if is_fixed {
            *first = Some(bytes.clone());
        }
        let model = pipeline::Source { name: model_name(&file), bytes: &bytes, language };
        let includes = included(model, &options, &file);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Opened { file: model_name(&file).to_owned(), text, includes })
    };
    let worker = worker(arguments, language, limits)?;
    let address = SocketAddr::new(arguments.address, arguments.port);
    let log = |line: &str| complain(line);
    let server = Server::bind(address, worker, Box::new(open), Box::new(log))
        .map_err(|error| refuse(&format!("cannot listen at {address}: {error}")))?;
    let name = model_name(&arguments.file);
    say(&format!("{name} is at\n\n  {}\n\nCtrl-C ends this.\n", server.page()));
    server.run(&|| machine.is_interrupted());
    print("\nThe server has ended.\n");
    Ok(())
}

/// The files that a model includes.
fn included(model: pipeline::Source<'_>, options: &Options, file: &str) -> Vec<String> {
    let noted = Noted { machine: Machine::deaf().reading(file), included: RefCell::default() };
    pipeline::load(model, options, &noted);
    noted.included.into_inner()
}

/// Notes which files are included.
struct Noted {
    machine: Machine,
    included: RefCell<Vec<String>>,
}

impl Files for Noted {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.machine.read(path)
    }

    fn include(&self, path: &str) -> io::Result<Vec<u8>> {
        let bytes = self.machine.include(path)?;
        self.included.borrow_mut().push(path.to_owned());
        Ok(bytes)
    }
}

/// This program with the same options, to answer one request.
fn worker(
    arguments: &ServeArguments,
    language: report::Language,
    limits: Limits,
) -> Result<Worker, u8> {
    let program = std::env::current_exe()
        .map_err(|error| refuse(&format!("cannot find the program itself: {error}")))?;
    let lang = match language {
        report::Language::Argos => "argos",
        report::Language::Promela => "promela",
    };
    let before = vec!["serve".into(), "--answer".into()];
    let mut words: Vec<OsString> = vec!["--lang".into(), lang.into()];
    words.extend(["--time".into(), format!("{}s", limits.seconds).into()]);
    words.extend(["--memory".into(), limits.bytes.to_string().into()]);
    words.extend(["--".into(), OsString::from(&arguments.file)]);
    words.extend(arguments.options.iter().map(OsString::from));
    Ok(Worker { program, arguments: [before, words], limits, working: Mutex::new(0) })
}

/// Answers one request.
fn answered(arguments: &ServeArguments, word: &str) -> Result<(), u8> {
    let options = options(arguments)?;
    let operation = Operation::named(word).ok_or(crate::USAGE)?;
    let request = host::read("-").map_err(|_| crate::USAGE)?;
    let file = model_name(&arguments.file).to_owned();
    let language = source(&arguments.file, &[], arguments.lang).language;
    let model = Model { command: command(arguments), file, language, options };
    let mut machine = Machine::deaf().reading(&arguments.file);
    print(&serve::answer(operation, &request, &model, &mut machine));
    Ok(())
}

/// The command that checks the file.
fn command(arguments: &ServeArguments) -> String {
    let mut words = vec!["check".to_owned()];
    words.extend(arguments.options.iter().cloned());
    let lang = arguments.lang.and_then(|lang| lang.to_possible_value());
    if let (Some(lang), false) = (lang, pipeline::is_model(&arguments.file)) {
        words.extend(["--lang".to_owned(), lang.get_name().to_owned()]);
    }
    words.push(arguments.file.clone());
    command_line_of(words)
}
