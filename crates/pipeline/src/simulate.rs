//! One run at a time by the reference interpreters: random, chosen step by step with the way
//! back, or along a path; what `argos sim` and `argos serve` are made of.

use crate::subject::MachineForm;
use crate::{Loaded, Options, tell_others_of_run};
use base::Purpose;
use report::{Channel, Chart, Ending, Machine, ModelView, RunOfModel, RunOutcome};
use serde::{Deserialize, Serialize};
use system::Dice;
use trace::{Lasts, Mismatch, Run, RunRules, Scenario, Wait};

/// A run of a model at its start, by rules that were saved or by the ordinary ones; `None` if
/// the text has errors. A model whose initial values fail has no start: the failure is said in
/// words.
pub fn simulate<'a>(
    loaded: &'a Loaded,
    options: &Options,
    saved: Option<&RunRules>,
) -> Option<Result<Box<dyn Run + 'a>, String>> {
    let rules = saved.cloned().unwrap_or(RunRules { ordinary: true, ..RunRules::default() });
    let run = loaded.subject.as_ref()?.run(options, &rules, &loaded.sources);
    Some(run.map_err(|failure| failure.message))
}

/// The predicates of this purpose by their numbers, as they are written.
pub fn predicates(loaded: &Loaded, purpose: Purpose) -> Vec<(usize, String)> {
    let all = loaded.subject.as_ref().map_or_else(Vec::new, |subject| subject.predicates());
    let all = all.into_iter().enumerate().filter(|(_, (other, _))| *other == purpose);
    let words = |span| loaded.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
    all.map(|(number, (_, span))| (number, words(span))).collect()
}

/// The machines of a model as they are written.
pub fn machines(loaded: &Loaded) -> Vec<Machine> {
    let subject = loaded.subject.as_ref();
    let written = MachineForm::Written(None);
    subject.map_or_else(Vec::new, |subject| subject.machines(written, &loaded.sources))
}

/// Where a run is to end, if somebody said so.
#[derive(Clone, Debug)]
pub struct Goal(Option<(usize, String)>);

impl Goal {
    /// What was given with `--until`.
    pub fn of(loaded: &Loaded) -> Self {
        Self(predicates(loaded, Purpose::Until).into_iter().next())
    }

    /// Whether there is one.
    pub fn is_given(&self) -> bool {
        self.0.is_some()
    }

    /// Whether a run is there.
    pub fn is_reached(&self, run: &dyn Run) -> bool {
        self.0.as_ref().is_some_and(|(number, _)| run.holds(*number) == Some(true))
    }

    /// Whether a run came there, as the end of a sentence.
    pub fn told(&self, run: &dyn Run) -> String {
        match &self.0 {
            None => String::new(),
            Some((_, text)) if self.is_reached(run) => format!(", to where `{text}` holds"),
            Some((_, text)) => format!("; `{text}` does not hold anywhere in it"),
        }
    }
}

/// Goes on at random, until the goal is reached, nothing can move, or there are so many steps.
pub fn go_randomly(
    run: &mut dyn Run,
    goal: &Goal,
    length: usize,
    dice: &mut Dice,
    lasts: Lasts<'_>,
) {
    for _ in 0..length {
        if goal.is_reached(run) || !lasts() || !run.take_random(dice.roll()) {
            break;
        }
    }
}

/// A step somebody chose: its number among those that could be taken, and what it was. The words
/// find it again in a text that was edited meanwhile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Taken {
    /// Its number, from 0.
    pub choice: u32,
    /// The process that moves.
    pub process: String,
    /// The statement.
    pub action: String,
}

/// Takes the steps of a path: of each the choice of that number, or another one with its words.
///
/// # Errors
/// The first step that cannot be taken here; the run stops before it. Or the time is over.
pub fn retake(run: &mut dyn Run, path: &[Taken], lasts: Lasts<'_>) -> Result<(), Mismatch> {
    for (index, taken) in path.iter().enumerate() {
        if !lasts() {
            return Err(Mismatch::late(index + 1));
        }
        let choices = run.choices();
        let fits = |choice: &trace::Choice| {
            (choice.process.as_str(), choice.action.as_str())
                == (taken.process.as_str(), taken.action.as_str())
        };
        let at = taken.choice as usize;
        let at = match choices.get(at) {
            Some(choice) if fits(choice) => Some(at),
            _ => choices.iter().position(fits),
        };
        if !at.is_some_and(|at| run.take(at)) {
            let words = format!("{}: {}", taken.process, taken.action);
            return Err(Mismatch::new(index + 1, &words));
        }
    }
    Ok(())
}

/// The steps of a run as somebody would have chosen them; nothing if there was no time.
pub fn taken(run: &mut dyn Run, lasts: Lasts<'_>) -> Option<Vec<Taken>> {
    let path = run.path();
    while run.back() {}
    let mut all = Vec::with_capacity(path.len());
    for choice in path {
        if !lasts() {
            return None;
        }
        let known = run.choices().into_iter().nth(choice as usize)?;
        all.push(Taken { choice, process: known.process, action: known.action });
        run.take(choice as usize);
    }
    Some(all)
}

/// How a run ends so far, in one sentence.
pub fn ending(run: &dyn Run) -> String {
    match run.problem() {
        Some(problem) => problem,
        None if run.choices().is_empty() => "the run ends properly".to_owned(),
        None => "the run could go on".to_owned(),
    }
}

/// What a run so far is drawn from.
pub struct ToldRun {
    channels: Vec<Channel>,
    scenario: Scenario,
    waits: Vec<Wait>,
    problem: Option<String>,
}

impl ToldRun {
    /// A run so far.
    pub fn new(run: &dyn Run) -> Self {
        let (channels, scenario) = (run.channels(), run.scenario());
        Self { channels, scenario, waits: run.waits().unwrap_or_default(), problem: run.problem() }
    }

    /// As a chart.
    pub fn chart<'a>(&'a self, file: &'a str) -> Chart<'a> {
        let mut chart = Chart::of_scenario(file, &self.channels, &self.scenario);
        if let Some(problem) = &self.problem {
            let fails = || Ending::Fails(problem.clone());
            chart.ending = if self.waits.is_empty() { fails() } else { Ending::Blocked };
            chart.waits = &self.waits;
        }
        chart
    }
}

/// A run so far as a page shows it; `command` is what makes it again.
pub fn view_of_run(loaded: &Loaded, run: &dyn Run, file: &str, command: &str) -> ModelView {
    let mut told = ToldRun::new(run);
    let others_from = tell_others_of_run(&mut told.scenario, run);
    let is_wrong = told.problem.is_some();
    ModelView::of_run(RunOfModel {
        chart: Chart { command, ..told.chart(file) },
        sentence: ending(run),
        outcome: if is_wrong { RunOutcome::Fails } else { RunOutcome::Open },
        why: Vec::new(),
        atoms: Default::default(),
        others_from,
        machines: machines(loaded),
        sources: loaded.texts(),
        version: env!("CARGO_PKG_VERSION"),
        sha256: loaded.sha256(),
    })
}
