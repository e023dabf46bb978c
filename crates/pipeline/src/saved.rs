//! A run saved in a file, with everything needed to execute it again: the texts
//! of the model, the options, the steps. The JSON of a whole report is one too.

use crate::{Loaded, Memory, Options, Source, load};
use report::{Channel, ErrorEntry, Report, RunRules};
use serde::{Deserialize, Serialize};
use trace::{Mismatch, Run, Scenario, Wait};

/// A saved run. Reads `--trace` files, `--json` reports and saved simulations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SavedTrace {
    /// Version of the structure; that of the report.
    pub schema: u32,
    /// Always `argos`.
    pub tool: String,
    /// The version that wrote it.
    pub version: String,
    /// The file of the model.
    pub model: String,
    /// What the model's texts were then.
    pub model_sha256: String,
    /// What the user typed.
    #[serde(default)]
    pub command: String,
    /// The options of the run.
    pub options: Options,
    /// The texts of the model, the main file first.
    pub sources: Vec<report::Source>,
    /// The errors with their runs.
    #[serde(default)]
    pub errors: Vec<ErrorEntry>,
    /// Runs to states that were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub witnesses: Vec<ErrorEntry>,
    /// PROMELA: which executable step was taken in that run, state by state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<u32>,
    /// PROMELA: by which rules that run is executed.
    #[serde(flatten)]
    pub rules: RunRules,
    /// A run without an error, as of a simulation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Scenario>,
}

/// A saved run that was executed again.
#[derive(Clone, Debug)]
pub struct ReplayedTrace {
    /// The run as it was executed now.
    pub scenario: Scenario,
    /// What is wrong at its end, in one sentence.
    pub message: Option<String>,
    /// What was asked for and holds at its end, in one sentence.
    pub reached: Option<String>,
    /// Who waits for what, if nothing can move.
    pub waits: Option<Vec<Wait>>,
    /// Channels, for charts.
    pub channels: Vec<Channel>,
    /// What is known of its length.
    pub length: String,
    /// First event of the part that repeats for ever, if the run goes back there.
    pub cycle_start: Option<usize>,
}

/// Why a saved run cannot be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreplayable {
    /// The file has no such run.
    NoRun,
    /// The model has errors.
    BadModel,
    /// The step with this number, from 1, cannot be taken.
    Step(usize, String),
}

impl std::fmt::Display for Unreplayable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unreplayable::NoRun => f.write_str("the file holds no run with that number"),
            Unreplayable::BadModel => f.write_str("the model has errors"),
            Unreplayable::Step(number, what) if what.is_empty() => {
                write!(f, "step {number} cannot be taken in this model")
            }
            Unreplayable::Step(number, what) => {
                write!(f, "step {number}, {what}, cannot be taken in this model")
            }
        }
    }
}

impl SavedTrace {
    /// The run of the `index`-th error of a report, or of what was asked for.
    pub fn of_error(report: &Report, options: &Options, index: usize) -> Option<Self> {
        let frame = Self::frame(report.model.clone(), report.model_sha256.clone(), options)
            .with_sources(report.sources.clone(), &report.command);
        if let Some(error) = report.errors.get(index) {
            if !error.replayed {
                return None;
            }
            let message = report::sentence(report, index, error);
            return Some(Self { errors: vec![ErrorEntry { message, ..error.clone() }], ..frame });
        }
        let witness = report.witnesses.get(index)?;
        let message = report::Chart::of_witness(report, index)?.title;
        Some(Self { witnesses: vec![ErrorEntry { message, ..witness.clone() }], ..frame })
    }

    /// The run of a simulation.
    pub fn of_run(loaded: &Loaded, options: &Options, run: &dyn Run) -> Self {
        let files = loaded.sources.files.iter();
        let sources: Vec<report::Source> = files
            .map(|f| report::Source { file: f.name.clone(), text: f.text.to_string() })
            .collect();
        let model = sources.first().map_or_else(String::new, |source| source.file.clone());
        Self {
            run: Some(run.scenario()),
            choices: run.taken(),
            rules: run.rules(),
            ..Self::frame(model, loaded.sha256(), options).with_sources(sources, "")
        }
    }

    fn frame(model: String, model_sha256: String, options: &Options) -> Self {
        Self {
            schema: 1,
            tool: "argos".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            model,
            model_sha256,
            command: String::new(),
            options: options.clone(),
            sources: Vec::new(),
            errors: Vec::new(),
            witnesses: Vec::new(),
            choices: Vec::new(),
            rules: RunRules::default(),
            run: None,
        }
    }

    fn with_sources(self, sources: Vec<report::Source>, command: &str) -> Self {
        Self { sources, command: command.to_owned(), ..self }
    }

    /// What is said of the run with this index: errors come first.
    fn entry(&self, index: usize) -> Option<&ErrorEntry> {
        self.errors.iter().chain(&self.witnesses).nth(index)
    }

    /// The run with this index: to an error or to what was asked for, or that of a simulation.
    pub fn scenario(&self, index: usize) -> Option<&Scenario> {
        let entry = self.entry(index).map(|entry| &entry.scenario);
        entry.or(self.run.as_ref().filter(|_| index == 0))
    }

    /// The same with the choices and the rules by which its steps are taken again.
    pub fn steps(&self, index: usize) -> Option<(&Scenario, &[u32], &RunRules)> {
        let scenario = self.scenario(index)?;
        Some(match self.entry(index) {
            Some(error) => (scenario, &error.choices, &error.rules),
            None => (scenario, &self.choices, &self.rules),
        })
    }

    /// The options for another text: they start no command, and the formulas of files are those
    /// that travel with the run.
    pub fn options_elsewhere(&self) -> Options {
        let of_file = |file: &String| self.sources.iter().find(|source| source.file == *file);
        let texts = self.options.ltl_files.iter().filter_map(of_file);
        let ltl = self.options.ltl.iter().cloned().chain(texts.map(|source| source.text.clone()));
        let (ltl, ltl_files) = (ltl.collect(), Vec::new());
        Options { cpp: None, ltl, ltl_files, ..self.options.clone() }
    }

    /// The model that travels in the file.
    pub fn load(&self) -> Loaded {
        let files = self.sources.iter();
        let files = files.map(|source| (source.file.clone(), source.text.clone().into_bytes()));
        let memory = Memory { files: files.collect() };
        let text = self.sources.first().map_or(&[][..], |source| source.text.as_bytes());
        load(Source::new(&self.model, text), &self.options, &memory)
    }
}

/// Executes a saved run again on `loaded`, which is the saved model or another.
///
/// # Errors
/// See [`Unreplayable`].
pub fn replay_saved(
    saved: &SavedTrace,
    index: usize,
    loaded: &Loaded,
) -> Result<ReplayedTrace, Unreplayable> {
    let (scenario, choices, rules) = saved.steps(index).ok_or(Unreplayable::NoRun)?;
    let subject = loaded.subject.as_ref().ok_or(Unreplayable::BadModel)?;
    let mut run = subject
        .run(&saved.options, rules, &loaded.sources)
        .map_err(|failure| Unreplayable::Step(0, failure.message))?;
    let stops = |mismatch: Mismatch| Unreplayable::Step(mismatch.step, mismatch.reason);
    run.retrace(scenario, choices).map_err(stops)?;
    let error = saved.entry(index);
    let mut replayed = ReplayedTrace {
        scenario: run.scenario(),
        message: run.problem(),
        reached: None,
        waits: run.waits(),
        channels: run.channels(),
        length: error.map_or_else(String::new, |error| error.length.clone()),
        cycle_start: None,
    };
    let Some(error) = error else { return Ok(replayed) };
    let stays = error.stays && run.choices().is_empty();
    replayed.cycle_start = error.cycle_start.filter(|start| goes_back(&mut *run, *start));
    // A finite run says nothing of a formula by itself; in the same model it was judged.
    let was_judged = !error.atoms.is_empty() && loaded.sha256() == saved.model_sha256;
    if error.kind.is_asked_for() {
        (replayed.message, replayed.waits) = (None, None);
        replayed.reached = was_judged.then(|| error.message.clone());
        return Ok(replayed);
    }
    if stays || replayed.cycle_start.is_some() || was_judged {
        replayed.message = replayed.message.or_else(|| Some(error.message.clone()));
    }
    Ok(replayed)
}

/// Whether a run ends where it was before this event, as far as locations and channels tell:
/// variables that nothing reads any more may differ. The steps of the cycle are taken back.
fn goes_back(run: &mut dyn Run, start: usize) -> bool {
    let last = run.snapshot();
    let mut events: usize = run.events_of_steps().iter().sum();
    for count in run.events_of_steps().into_iter().rev() {
        if events <= start || !run.back() {
            break;
        }
        events -= count;
    }
    let first = run.snapshot();
    events == start && (first.at, first.queues) == (last.at, last.queues)
}
