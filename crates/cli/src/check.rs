//! `argos check`: run, print, remember the worst exit code.

use crate::args::{CheckArguments, Lang};
use crate::config;
use crate::cpp::read_model;
use crate::host::Machine;
use crate::output::{
    command_line, complain, internal_error, look, model_name, print, refuse, save, source, usual,
};
use crate::results::{self, Results};
use crate::{USAGE, limit, output};
use pipeline::{Checked, Host, Options, SavedTrace, Usage};
use report::{Line, Look, ModelView, Report, Verdict};
use std::sync::Arc;
use std::time::Instant;

/// The first of these that occurs is the exit code of several files.
const WORST_FIRST: [u8; 7] = [2, 5, 3, 1, 6, 4, 0];

pub(crate) fn run(arguments: &CheckArguments) -> u8 {
    let look = Look {
        to_end: arguments.result.to_end,
        quiet: arguments.result.quiet,
        explain_search: arguments.result.explain_search,
        warnings: arguments.result.warnings || arguments.result.lint.is_some(),
        ..look(&arguments.look, Some(&arguments.trace))
    };
    let jobs = match models(&arguments.files).and_then(|files| jobs(arguments, &files, &look)) {
        Ok(jobs) => jobs,
        Err(code) => return code,
    };
    if jobs.len() > 1 && arguments.result.trace.is_some() {
        return refuse("--trace takes one model at a time");
    }
    let start = Instant::now();
    let mut done = Done::default();
    let machine = Machine::new(arguments.result.progress, None);
    let mut machine = machine.in_ascii(arguments.look.ascii);
    for (number, job) in jobs.iter().enumerate() {
        let place = (job.name.as_str(), number + 1, jobs.len());
        machine = machine.next(place, job.options.memory).reading(&job.file);
        done.add(arguments, job, &machine);
    }
    if !arguments.result.json {
        let text = screens(&done, &look);
        print(&if arguments.outputs.github { results::quoted(&text) } else { text });
    }
    if let (Some(file), [row], [job]) = (&arguments.result.trace, &*done.rows, &*jobs)
        && let Err(code) = save_trace(&row.checked, &job.options, file)
    {
        done.codes.push(code);
    }
    let (rows, unread) = (&done.rows, &done.unread);
    if let Some(file) = &arguments.result.report
        && let Err(code) = save(&page(rows, unread), file)
    {
        done.codes.push(code);
    }
    let results = Results { rows, unread, seconds: start.elapsed().as_secs_f64() };
    if let Err(code) = results::write(arguments, &results, &look) {
        done.codes.push(code);
    }
    WORST_FIRST.into_iter().find(|code| done.codes.contains(code)).unwrap_or(USAGE)
}

/// One model to be checked, under one combination of options.
struct Job {
    file: String,
    /// The file with the options that tell it from other jobs.
    name: String,
    options: Options,
    lang: Option<Lang>,
    /// Where options come from that nobody typed.
    note: Option<String>,
}

/// Every model under its own options: those typed, those of its `argos.toml`, and each number of
/// a macro that is defined as a range.
fn jobs(arguments: &CheckArguments, files: &[String], look: &Look) -> Result<Vec<Job>, u8> {
    let mut jobs = Vec::new();
    for file in files {
        let settings = config::settings(arguments, file, look)?;
        let own = settings.arguments.as_ref().unwrap_or(arguments);
        for (label, options) in config::instances(&own.options()).map_err(|why| refuse(&why))? {
            jobs.push(Job {
                file: file.clone(),
                name: format!("{}{label}", model_name(file)),
                options,
                lang: own.model.lang,
                note: settings.note.clone(),
            });
        }
    }
    Ok(jobs)
}

/// What was checked so far.
#[derive(Default)]
struct Done {
    codes: Vec<u8>,
    rows: Vec<results::Row>,
    /// Files that could not be checked, with the reason.
    unread: Vec<(String, String)>,
}

impl Done {
    fn add(&mut self, arguments: &CheckArguments, job: &Job, machine: &Machine) {
        let bytes = match read_model(&job.file, &job.options) {
            Ok(bytes) => bytes,
            Err(code) => {
                self.codes.push(code);
                return self.unread.push((job.name.clone(), "cannot be read".to_owned()));
            }
        };
        let asked = (&job.options, job.lang);
        let result = checked_in_time((&job.file, bytes), asked, &command_line(), machine);
        machine.finish();
        self.codes.push(exit_code(&job.name, &result));
        let mut checked = match result {
            Ok(checked) => checked,
            Err(refusal) => return self.unread.push((job.name.clone(), refusal.to_string())),
        };
        if let Some(text) = &job.note {
            checked.report.remarks.push(Line { head: "options".to_owned(), text: text.clone() });
        }
        if arguments.result.json {
            print(&format!("{}\n", report::json(&checked.report)));
        }
        let (name, options) = (job.name.clone(), job.options.clone());
        self.rows.push(results::Row { name, options, checked });
    }
}

/// Checks a model, or says what is known of it when its time is over. `command` is what was
/// typed, for the report.
pub(crate) fn checked_in_time(
    (file, bytes): (&str, Vec<u8>),
    (options, language): (&Options, Option<Lang>),
    command: &str,
    machine: &Machine,
) -> Result<Checked, Usage> {
    let bytes = Arc::new(bytes);
    let (own_file, own_bytes, own) = (file.to_owned(), Arc::clone(&bytes), options.clone());
    let own_command = command.to_owned();
    let done = limit::within(machine, options.time, move |mut machine| {
        let source = source(&own_file, &own_bytes, language);
        pipeline::check(source, &own, &own_command, &mut machine)
    });
    done.unwrap_or_else(|stop| {
        let (source, ended) = (source(file, &bytes, language), (stop, machine.seconds()));
        Ok(pipeline::unfinished(source, options, command, ended, &machine.known_errors()))
    })
}

/// The exit code of one file; gates of `--fail-on` say why they do not let it pass.
fn exit_code(file: &str, result: &Result<Checked, Usage>) -> u8 {
    let checked = match result {
        Ok(checked) => checked,
        Err(refusal) => {
            return refuse(&refusal.to_string());
        }
    };
    if let Some(fault) = &checked.internal_error {
        complain(&internal_error(file, fault));
    }
    for gate in &checked.report.gates {
        if let Some(refusal) = gate.refusal() {
            let head = format!("{file}: {refusal} (--fail-on {})", gate.gate);
            let told = gate.reasons.iter().fold(head, |text, reason| format!("{text}\n  {reason}"));
            complain(&told);
        }
    }
    checked.exit_code()
}

/// The files to check: of a directory, the models in it by name.
fn models(named: &[String]) -> Result<Vec<String>, u8> {
    let mut files = Vec::new();
    for name in named {
        if !std::path::Path::new(name).is_dir() {
            files.push(name.clone());
            continue;
        }
        let entries = std::fs::read_dir(name);
        let entries = entries.map_err(|error| refuse(&format!("cannot read {name}: {error}")))?;
        let paths = entries.filter_map(|entry| entry.ok()?.path().to_str().map(str::to_owned));
        let mut inside: Vec<String> = paths.filter(|path| pipeline::is_model(path)).collect();
        if inside.is_empty() {
            return Err(refuse(&format!(
                "there is no model in {name}: no file ends in .argos or .pml"
            )));
        }
        inside.sort();
        files.append(&mut inside);
    }
    Ok(files)
}

/// The screen of one model, or a line for each of several.
fn screens(done: &Done, look: &Look) -> String {
    if let ([row], []) = (&*done.rows, &*done.unread) {
        return screen(&row.checked, look);
    }
    let checked = done.rows.iter().map(|row| &row.checked);
    let wrong = checked.filter(|checked| checked.report.verdict == Verdict::Error);
    let mut text: String = wrong.map(|checked| screen(checked, look) + "\n").collect();
    let named =
        |row: &results::Row| Report { model: row.name.clone(), ..row.checked.report.clone() };
    let reports: Vec<Report> = done.rows.iter().map(named).collect();
    let unread = done.unread.iter().map(|(name, why)| (name.as_str(), why.as_str()));
    let unread: Vec<_> = unread.collect();
    text.push_str(&report::summary(&reports, &unread, look));
    text
}

/// The screen of one model: verdict, then what there is to see.
fn screen(checked: &Checked, look: &Look) -> String {
    let is_infinite = checked.report.errors.first().is_some_and(|error| error.kind.is_infinite());
    let look = &usual(look, checked.report.language, is_infinite);
    let mut text = report::render(&checked.report, look);
    if checked.report.verdict == Verdict::Error && !look.quiet {
        text.push('\n');
        text.push_str(&report::diagnostics(&checked.diagnostics, &checked.sources, look));
    }
    text
}

fn save_trace(checked: &Checked, options: &Options, file: &str) -> Result<(), u8> {
    match SavedTrace::of_error(&checked.report, options, 0) {
        None => {
            complain(&format!("there is no run to save, so {file} was not written"));
            Ok(())
        }
        Some(saved) => save(&output::json(&saved), file),
    }
}

/// All models as a page, worst first as on the screen.
fn page(rows: &[results::Row], unread: &[(String, String)]) -> String {
    let mut rows: Vec<&results::Row> = rows.iter().collect();
    rows.sort_by_key(|row| report::rank(row.checked.report.verdict));
    let mut reports: Vec<Report> = rows.iter().map(|row| row.checked.report.clone()).collect();
    let models: Vec<ModelView> = reports
        .iter_mut()
        .zip(rows)
        .map(|(report, row)| {
            let untold = pipeline::tell_others(report, &row.options);
            ModelView::of_report(report, &untold)
        })
        .collect();
    let unread: Vec<&str> = unread.iter().map(|(name, _)| name.as_str()).collect();
    report::html(&models, &unread)
}
