//! `argos traces`: many runs of a model, each a file or a text: every distinct violation, or
//! distinct runs to where a predicate holds. Tests are generated from them, as RTEMS does from
//! the trails of `spin -e -c0`, whose `printf` output is their interface.

use crate::args::{ProgressForm, TraceFormat, TracesArguments};
use crate::check::checked_in_time;
use crate::cpp::read_model;
use crate::host::Machine;
use crate::output::{
    command_line, complain, internal_error, json, look, model_name, print, refuse, say, source,
    usual,
};
use pipeline::{Dice, Loaded, Options, Purpose, Run, SavedTrace};
use report::{Chart, Language, Look, Palette, Verdict};
use std::collections::BTreeSet;
use std::path::Path;
use trace::Scenario;

/// So many runs are drawn for each that is wanted.
const DRAWN_FOR_EACH: u64 = 200;

pub(crate) fn run(arguments: &TracesArguments) -> u8 {
    let written = match arguments.until {
        None => violations(arguments),
        Some(_) => passing(arguments),
    };
    written.unwrap_or_else(|code| code)
}

/// A run to be written.
struct Written<'a> {
    /// What it shows.
    about: String,
    scenario: &'a Scenario,
    cycle: Option<usize>,
    saved: SavedTrace,
    /// As on a screen.
    text: String,
}

/// Every distinct violation: of an assertion each violating step, else each blocked state.
fn violations(arguments: &TracesArguments) -> Result<u8, u8> {
    let options = arguments.options();
    let bytes = read_model(&arguments.file, &options)?;
    let machine = Machine::new(ProgressForm::Auto, options.memory).reading(&arguments.file);
    let (file, lang) = (arguments.file.as_str(), arguments.model.lang);
    let options = with_all_variables(options, source(file, &bytes, lang).language);
    let checked = checked_in_time((file, bytes), (&options, lang), &command_line(), &machine);
    machine.finish();
    let checked = checked.map_err(|refusal| refuse(&refusal.to_string()))?;
    if let Some(fault) = &checked.internal_error {
        complain(&internal_error(&arguments.file, fault));
        return Err(5);
    }
    let report = &checked.report;
    let look = plain_look(arguments);
    if report.verdict == Verdict::Error {
        print(&report::diagnostics(&checked.diagnostics, &checked.sources, &look));
        return Err(3);
    }
    let mut sink = Sink::new(arguments)?;
    for (index, error) in report.errors.iter().enumerate() {
        if !arguments.kind.is_empty() && !arguments.kind.contains(&error.kind) {
            continue;
        }
        let (Some(saved), Some(chart)) =
            (SavedTrace::of_error(report, &options, index), Chart::of_error(report, index))
        else {
            continue;
        };
        let look = usual(&look, report.language, error.kind.is_infinite());
        sink.write(&Written {
            about: report::sentence(report, index, error),
            scenario: &error.scenario,
            cycle: error.cycle_start,
            saved,
            text: report::run(&chart, &look),
        })?;
    }
    // That a branch ends where an error occurs is what is asked for.
    let is_whole = report.why_incomplete.iter().all(|why| why == "cut");
    sink.conclude(is_whole, "the search was not complete: there may be more")
}

/// Variables that nobody reads again may be all that tells one scenario from another.
fn with_all_variables(options: Options, language: Language) -> Options {
    let is_promela = language == Language::Promela;
    Options { no_hide: is_promela, no_dead_reset: is_promela, ..options }
}

/// Distinct runs to where the predicate holds, by what happens in them.
fn passing(arguments: &TracesArguments) -> Result<u8, u8> {
    let options = arguments.options();
    let bytes = read_model(&arguments.file, &options)?;
    let host = Machine::deaf().reading(&arguments.file);
    let source = source(&arguments.file, &bytes, arguments.model.lang);
    let loaded = pipeline::load(source, &options, &host);
    let look = plain_look(arguments);
    let refused = |loaded: &Loaded| {
        print(&report::diagnostics(&loaded.errors(), &loaded.sources, &look));
        3
    };
    let goal = pipeline::predicates(&loaded, Purpose::Until).into_iter().next();
    let Some((goal, words)) = goal else { return Err(refused(&loaded)) };
    let mut sink = Sink::new(arguments)?;
    let mut seen = BTreeSet::new();
    for draw in 0..u64::from(arguments.runs) * DRAWN_FOR_EACH {
        if seen.len() as u64 == u64::from(arguments.runs) {
            break;
        }
        let run = match pipeline::simulate(&loaded, &options, None) {
            Some(Ok(run)) => run,
            Some(Err(problem)) => return Err(refuse(&problem)),
            None => return Err(refused(&loaded)),
        };
        let seed = arguments.seed.wrapping_add(draw);
        let Some(run) = drawn(run, goal, seed, arguments.length) else { continue };
        let scenario = run.scenario();
        let steps =
            scenario.trace.iter().map(|event| format!("{}: {}", event.process, event.action));
        if !seen.insert(steps.collect::<Vec<_>>()) {
            continue;
        }
        sink.write(&found(arguments, &loaded, &options, (&*run, &scenario), &words))?;
    }
    let is_whole = seen.len() as u64 == u64::from(arguments.runs);
    sink.conclude(is_whole, "no more distinct runs were drawn; another --seed or --length may help")
}

/// A random run up to the first state in which the predicate holds, if it comes there.
fn drawn<'a>(
    mut run: Box<dyn Run + 'a>,
    goal: usize,
    seed: u64,
    length: usize,
) -> Option<Box<dyn Run + 'a>> {
    let mut dice = Dice::new(seed);
    for _ in 0..=length {
        if run.holds(goal) == Some(true) {
            return Some(run);
        }
        if !run.take_random(dice.roll()) {
            break;
        }
    }
    None
}

fn found<'a>(
    arguments: &TracesArguments,
    loaded: &Loaded,
    options: &Options,
    (run, scenario): (&dyn Run, &'a Scenario),
    goal: &str,
) -> Written<'a> {
    let channels = run.channels();
    let chart = Chart::of_scenario(model_name(&arguments.file), &channels, scenario);
    let look = usual(&plain_look(arguments), loaded.language, false);
    Written {
        about: format!("a run to where {goal} holds"),
        scenario,
        cycle: None,
        saved: SavedTrace::of_run(loaded, options, run),
        text: report::run(&chart, &look),
    }
}

/// Files have no colours.
fn plain_look(arguments: &TracesArguments) -> Look {
    let look = look(&arguments.look, None);
    Look { palette: Palette { color: false, ..look.palette }, whole: true, ..look }
}

/// Where runs go.
struct Sink<'a> {
    arguments: &'a TracesArguments,
    /// Beginning of the names of files: those of the model.
    stem: String,
    count: usize,
}

impl<'a> Sink<'a> {
    fn new(arguments: &'a TracesArguments) -> Result<Self, u8> {
        if let Some(folder) = &arguments.output {
            std::fs::create_dir_all(folder)
                .map_err(|error| refuse(&format!("cannot write {folder}: {error}")))?;
        }
        let stem = Path::new(&arguments.file).file_stem();
        let stem = stem.filter(|_| arguments.file != "-").map(|stem| stem.to_string_lossy());
        Ok(Self { arguments, stem: stem.unwrap_or("run".into()).into_owned(), count: 0 })
    }

    fn write(&mut self, run: &Written<'_>) -> Result<(), u8> {
        self.count += 1;
        let printed = || run.scenario.trace.iter().map(|event| event.printed.as_str()).collect();
        let (text, ending): (String, &str) = match self.arguments.format {
            TraceFormat::Json => (json(&run.saved), "json"),
            TraceFormat::Text => (format!("{}\n\n{}", run.about, run.text), "txt"),
            TraceFormat::Printf => (printed(), "txt"),
            TraceFormat::Itf => {
                let model = &run.saved.model;
                (report::itf(run.scenario, model, &run.about, run.cycle) + "\n", "itf.json")
            }
        };
        let Some(folder) = &self.arguments.output else {
            self.show(&text);
            return Ok(());
        };
        let name = format!("{}-{:04}.{ending}", self.stem, self.count);
        let path = Path::new(folder).join(name);
        std::fs::write(&path, text)
            .map_err(|error| refuse(&format!("cannot write {}: {error}", path.display())))
    }

    /// On a screen nothing that a model prints is an order to the terminal.
    fn show(&self, text: &str) {
        if self.arguments.format == TraceFormat::Text && self.count > 1 {
            print("\n");
        }
        say(text);
    }

    /// Says how many runs there are where they do not show it themselves.
    fn conclude(&self, is_whole: bool, otherwise: &str) -> Result<u8, u8> {
        if let Some(folder) = &self.arguments.output {
            let runs = if self.count == 1 { "run" } else { "runs" };
            say(&format!("{} {runs} in {folder}\n", self.count));
        }
        if !is_whole {
            complain(otherwise);
        }
        Ok(if is_whole { 0 } else { 4 })
    }
}
