//! `argos check`: run, print, remember the worst exit code.

use crate::args::{CheckArguments, Lang};
use crate::cpp::read_model;
use crate::host::Machine;
use crate::output::{
    command_line, complain, internal_error, look, print, refuse, save, source, usual,
};
use crate::{USAGE, limit, output};
use pipeline::{Checked, Host, Options, SavedTrace, Usage};
use report::{GateResult, GateVerdict, Look, ModelView, Report, Verdict};
use std::sync::Arc;

/// The first of these that occurs is the exit code of several files.
const WORST_FIRST: [u8; 7] = [2, 5, 3, 1, 6, 4, 0];

pub(crate) fn run(arguments: &CheckArguments) -> u8 {
    let options = arguments.options();
    let look = Look {
        to_end: arguments.result.to_end,
        quiet: arguments.result.quiet,
        explain_search: arguments.result.explain_search,
        warnings: arguments.result.warnings || arguments.result.lint.is_some(),
        ..look(&arguments.look, Some(&arguments.trace))
    };
    let files = match models(&arguments.files) {
        Ok(files) => files,
        Err(code) => return code,
    };
    if files.len() > 1 && arguments.result.trace.is_some() {
        return refuse("--trace takes one model at a time");
    }
    let mut codes = Vec::new();
    let mut checked = Vec::new();
    let mut unread = Vec::new();
    for file in &files {
        let bytes = match read_model(file, &options) {
            Ok(bytes) => bytes,
            Err(code) => {
                codes.push(code);
                unread.push(file.as_str());
                continue;
            }
        };
        let machine = Machine::new(arguments.result.progress, options.memory).reading(file);
        let result = checked_in_time(file, bytes, &machine, (&options, arguments.model.lang));
        machine.finish();
        codes.push(exit_code(file, &result));
        if let Ok(result) = result {
            if arguments.result.json {
                print(&format!("{}\n", report::json(&result.report)));
            }
            checked.push(result);
        }
    }
    if !arguments.result.json {
        show(&checked, &unread, &look);
    }
    if let (Some(file), [result]) = (&arguments.result.trace, checked.as_slice())
        && let Err(code) = save_trace(result, &options, file)
    {
        codes.push(code);
    }
    if let Some(file) = &arguments.result.report
        && let Err(code) = save(&page(checked, &unread, &options), file)
    {
        codes.push(code);
    }
    WORST_FIRST.into_iter().find(|code| codes.contains(code)).unwrap_or(USAGE)
}

/// Checks a model, or says what is known of it when its time is over.
fn checked_in_time(
    file: &str,
    bytes: Vec<u8>,
    machine: &Machine,
    (options, language): (&Options, Option<Lang>),
) -> Result<Checked, Usage> {
    let bytes = Arc::new(bytes);
    let (own_file, own_bytes, own) = (file.to_owned(), Arc::clone(&bytes), options.clone());
    let done = limit::within(machine, options.time, move |mut machine| {
        let source = source(&own_file, &own_bytes, language);
        pipeline::check(source, &own, &command_line(), &mut machine)
    });
    done.unwrap_or_else(|stop| {
        let (source, ended) = (source(file, &bytes, language), (stop, machine.seconds()));
        let errors = machine.known_errors();
        Ok(pipeline::unfinished(source, options, &command_line(), ended, &errors))
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
    let told = checked.report.gates.iter().filter_map(told);
    told.for_each(|text| complain(&format!("{file}: {text}")));
    checked.exit_code()
}

/// Why a gate does not let a model pass.
fn told(GateResult { gate, verdict, what, reasons }: &GateResult) -> Option<String> {
    match verdict {
        GateVerdict::Passed => None,
        GateVerdict::Unknown => {
            Some(format!("whether there are {what} is not decided (--fail-on {gate})"))
        }
        GateVerdict::Failed => {
            let head = format!("{what}: {} (--fail-on {gate})", reasons.len());
            Some(reasons.iter().fold(head, |text, reason| format!("{text}\n  {reason}")))
        }
    }
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

fn show(checked: &[Checked], unread: &[&str], look: &Look) {
    if let ([result], []) = (checked, unread) {
        return print(&screen(result, look));
    }
    for result in checked.iter().filter(|result| result.report.verdict == Verdict::Error) {
        print(&screen(result, look));
        print("\n");
    }
    let reports: Vec<Report> = checked.iter().map(|result| result.report.clone()).collect();
    print(&report::summary(&reports, unread, look));
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
fn page(checked: Vec<Checked>, unread: &[&str], options: &Options) -> String {
    let mut reports: Vec<Report> = checked.into_iter().map(|result| result.report).collect();
    reports.sort_by_key(|report| report::rank(report.verdict));
    let models: Vec<ModelView> = reports
        .iter_mut()
        .map(|report| {
            let untold = pipeline::tell_others(report, options);
            ModelView::of_report(report, &untold)
        })
        .collect();
    report::html(&models, unread)
}
