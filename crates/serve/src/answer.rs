//! An operation from request to answer, by whatever host: loaded, executed and put into words by the
//! pipeline as for every other command.

use crate::graph;
use crate::wire::{
    self, Answer, Asked, CheckAnswer, FindingText, Here, Offer, Operation, RunAnswer, RunSteps,
    Steps,
};
use pipeline::{
    Behind, Checked, Dice, Files, Goal, Host, Loaded, Options, Run, SavedTrace, Source, Taken,
    go_randomly, load, retake, simulate, taken, tell_others, view_of_run,
};
use report::{Language, Look, ModelView, Report, RunRules, json_of};
use search::{Hurry, Progress, Stop};
use std::io;
use trace::{Choice, Lasts, Mismatch};

/// The model that is served.
#[derive(Clone, Debug)]
pub struct Model {
    /// As the user named it.
    pub file: String,
    /// Its language; editing does not change it.
    pub language: Language,
    /// What was typed, with the limits of a request.
    pub options: Options,
    /// The command by which its check is repeated.
    pub command: String,
}

/// A run has at most so many steps: its page would be too large.
const STEPS_MAX: usize = 10_000;
/// So many errors and warnings are listed.
const FINDINGS_MAX: usize = 100;

/// The answer to a request: what was sent, with the files that may be included in front of it.
pub fn answer(operation: Operation, request: &[u8], model: &Model, host: &mut dyn Host) -> String {
    let (includes, asked) = match wire::unwrapped(request) {
        Ok(parts) => parts,
        Err(words) => return wire::error(&words),
    };
    let mut host = Confined { host, includes };
    let answered = match operation {
        Operation::Check => checked(&asked, model, &mut host),
        _ => executed(operation, &asked, model, &host),
    };
    json_of(&answered.unwrap_or_else(|error| Answer::Error { error }))
}

/// What a request is about, loaded.
pub(crate) struct Session<'a> {
    pub(crate) asked: &'a Asked,
    pub(crate) model: &'a Model,
    pub(crate) options: &'a Options,
    pub(crate) loaded: &'a Loaded,
    pub(crate) lasts: Lasts<'a>,
}

fn source<'a>(asked: &'a Asked, model: &'a Model) -> Source<'a> {
    Source { name: &model.file, bytes: asked.text.as_bytes(), language: model.language }
}

/// The options of a request: in whatever form a run is asked about, its steps are the same.
fn options(asked: &Asked, model: &Model) -> Options {
    let until = asked.until.iter().cloned().collect();
    Options { until, keeps_labels: true, ..model.options.clone() }
}

/// By the reference interpreter, or not at all.
fn executed(
    operation: Operation,
    asked: &Asked,
    model: &Model,
    host: &Confined<'_>,
) -> Result<Answer, String> {
    let (start, most) = (host.seconds(), model.options.time);
    let lasts = || most.is_none_or(|most| host.seconds() - start < most);
    let options = &options(asked, model);
    let loaded = &load(source(asked, model), options, host);
    if operation == Operation::Diagnose || !loaded.is_sound() {
        return Ok(diagnosed(loaded));
    }
    let session = Session { asked, model, options, loaded, lasts: &lasts };
    let mut run = session.run()?;
    match operation {
        Operation::Graph => graph::answer(&session, &mut *run),
        Operation::Here => {
            retake(&mut *run, &asked.path, &lasts).map_err(|mismatch| stopped(&mismatch))?;
            Ok(Answer::Here(here(&*run)))
        }
        _ => session.walked(&mut *run),
    }
}

impl<'a> Session<'a> {
    fn run(&self) -> Result<Box<dyn Run + 'a>, String> {
        let run = simulate(self.loaded, self.options, self.asked.rules.as_ref());
        run.ok_or("the model has errors")?
    }

    /// The run along the path, and on from there.
    fn walked(&self, run: &mut dyn Run) -> Result<Answer, String> {
        let Asked { path, random, .. } = self.asked;
        if path.len() > STEPS_MAX {
            return Err(format!("a run has at most {STEPS_MAX} steps here"));
        }
        let mut said = Vec::new();
        if let Err(mismatch) = retake(run, path, self.lasts) {
            said.push(stopped(&mismatch));
        } else if let Some(random) = random {
            let (before, goal) = (run.steps(), Goal::of(self.loaded));
            let length = random.steps.min(STEPS_MAX - before);
            go_randomly(run, &goal, length, &mut Dice::new(random.seed), self.lasts);
            let steps = run.steps() - before;
            let told = goal.told(run);
            let unit = if steps == 1 { "step" } else { "steps" };
            said.push(format!("{steps} {unit} at random (seed {}){told}", random.seed));
        }
        if !(self.lasts)() {
            said.push("the time of this request is over (--time)".to_owned());
        }
        let file = &self.model.file;
        let view = view_of_run(self.loaded, run, file, "");
        let (here, steps) = (here(run), steps(run, &|| true));
        let steps = steps.ok_or("the run cannot be told")?;
        Ok(Answer::Run(Box::new(RunAnswer { view, said: said.join("; "), steps, here })))
    }
}

/// A path that does not lead on.
fn stopped(mismatch: &Mismatch) -> String {
    let Mismatch { step, reason, out_of_time } = mismatch;
    match out_of_time {
        true => format!("the time of this request is over at step {step} (--time)"),
        false => format!("step {step}, {reason}, cannot be taken here; the run stops before it"),
    }
}

fn here(run: &dyn Run) -> Here {
    let offer = |choice: Choice| Offer {
        process: choice.process,
        action: choice.action,
        line: choice.line,
        because: choice.blocked,
    };
    Here {
        steps: run.steps(),
        choices: run.choices().into_iter().map(offer).collect(),
        blocked: run.blocked().into_iter().map(offer).collect(),
        ending: pipeline::ending(run),
        problem: run.problem().is_some(),
    }
}

/// The steps of a run; nothing if there was no time.
fn steps(run: &mut dyn Run, lasts: Lasts<'_>) -> Option<Steps> {
    let counts = run.events_of_steps().into_iter();
    let ends = counts.scan(0, |all, count| {
        *all += count;
        Some(*all)
    });
    let (ends, rules) = (ends.collect(), run.rules());
    Some(Steps { path: taken(run, lasts)?, ends, rules, note: None })
}

fn diagnosed(loaded: &Loaded) -> Answer {
    let main = loaded.texts().into_iter().next().map(|text| text.file).unwrap_or_default();
    let mut all = loaded.errors();
    all.extend(loaded.warnings());
    all.truncate(FINDINGS_MAX);
    let findings = report::findings(&all, &loaded.sources).into_iter().zip(&all);
    let finding = |(finding, diagnostic): (report::Finding, _)| FindingText {
        line: (finding.file == main).then_some(finding.line),
        severity: finding.severity,
        id: finding.id,
        column: finding.column,
        text: report::diagnostic(diagnostic, &loaded.sources, &Look::default()),
    };
    Answer::Unsound { findings: findings.map(finding).collect(), sound: loaded.is_sound() }
}

/// By a search of everything, or of what lies ahead of a run.
fn checked(asked: &Asked, model: &Model, host: &mut Confined<'_>) -> Result<Answer, String> {
    let mut options = options(asked, model);
    if let Some(cover) = &asked.cover {
        options.covers = vec![cover.clone()];
    }
    let rules = RunRules::default();
    let behind = Behind {
        path: &asked.path,
        rules: asked.rules.as_ref().unwrap_or(&rules),
        only_covers: asked.cover.is_some(),
    };
    let command = if asked.edited { "" } else { model.command.as_str() };
    let source = source(asked, model);
    let checked = match asked.ahead {
        true => pipeline::check_ahead(source, &options, behind, host),
        false => pipeline::check(source, &options, command, host),
    };
    let Checked { mut report, internal_error, .. } = checked.map_err(|usage| usage.to_string())?;
    if let Some(fault) = internal_error {
        return Err(format!(
            "a run that was found cannot be executed again ({fault}). This is a fault of argos, \
             not of your model; please report it with the model"
        ));
    }
    let loaded = load(source, &options, host);
    if !loaded.is_sound() {
        return Ok(diagnosed(&loaded));
    }
    let untold = tell_others(&mut report, &options);
    let view = ModelView::of_report(&report, &untold);
    let runs = view.entries().iter().map(|entry| retraced(&report, *entry, &loaded, &options));
    let runs = runs.collect();
    Ok(Answer::Check(Box::new(CheckAnswer { view, runs })))
}

/// The steps of a run of a report.
fn retraced(report: &Report, entry: usize, loaded: &Loaded, options: &Options) -> RunSteps {
    let unknown = |why: &str| RunSteps::Unknown { why: why.to_owned() };
    let saved = SavedTrace::of_error(report, options, entry);
    let Some((scenario, choices, rules)) = saved.as_ref().and_then(|saved| saved.steps(0)) else {
        return unknown("This run was not executed again.");
    };
    let mut beginning = scenario.clone();
    beginning.trace.truncate(STEPS_MAX);
    let choices = &choices[..choices.len().min(STEPS_MAX)];
    let note = (scenario.trace.len() > STEPS_MAX)
        .then(|| format!("One can go on from the first {STEPS_MAX} steps of this run."));
    // Behind an assertion that fails the run goes on only where none watches.
    let unwatched = RunRules { without_assertions: true, ..rules.clone() };
    let known = [rules, &unwatched].into_iter().find_map(|rules| {
        let mut run = simulate(loaded, options, Some(rules))?.ok()?;
        run.retrace(&beginning, choices).ok()?;
        Some(Steps { note: note.clone(), ..steps(&mut *run, &|| true)? })
    });
    known.map_or_else(|| unknown("One cannot go on from this run."), RunSteps::Known)
}

/// A host whose models include no other files than these. What is edited in a page may come from
/// anywhere, and a diagnostic shows the text of the file that it is about.
struct Confined<'a> {
    host: &'a mut dyn Host,
    includes: Vec<String>,
}

impl Files for Confined<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.host.read(path)
    }

    fn include(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.includes.iter().any(|known| known == path) {
            true => self.host.include(path),
            false => {
                Err(io::Error::other("a text in the page includes only what the file includes"))
            }
        }
    }
}

impl Host for Confined<'_> {
    fn seconds(&self) -> f64 {
        self.host.seconds()
    }

    fn peak_rss_bytes(&self) -> u64 {
        self.host.peak_rss_bytes()
    }

    fn rss_bytes(&self) -> u64 {
        self.host.rss_bytes()
    }

    fn memory_bytes_max(&self) -> Option<u64> {
        self.host.memory_bytes_max()
    }

    fn tick(&mut self, progress: &Progress) -> Option<Stop> {
        self.host.tick(progress)
    }

    fn hurry(&self, deadline: Option<f64>) -> Hurry {
        self.host.hurry(deadline)
    }
}

/// The words by which a path is found again.
pub(crate) fn words(run: &mut dyn Run, choice: u32) -> Option<Taken> {
    let known = run.choices().into_iter().nth(choice as usize)?;
    run.take(choice as usize);
    Some(Taken { choice, process: known.process, action: known.action })
}
