//! All that the page shows of one model.

use super::coverage::{self, SourceView};
use super::findings::{self, FindingView, UnreachedView};
use super::machine::{Graphs, MachineView};
use super::run::{RunView, Runs};
use crate::chart::{Chart, verdict_word};
use crate::style::{Palette, Role};
use crate::terminal::{candidate_cost, reached_sign, sign, verdict_role, verdict_sign};
use crate::{
    Backward, Candidate, Language, Line, Machine, Property, Report, Source, Verdict, words,
};
use serde::Serialize;
use trace::Scenario;

/// A model on the page.
#[derive(Clone, Debug, Serialize)]
pub struct ModelView {
    model: String,
    banner: Banner,
    established: Vec<String>,
    assumptions: Vec<String>,
    requirements: Vec<RequirementView>,
    /// Potential errors, of a backward execution.
    candidates: Vec<CandidateView>,
    /// Label and text.
    remarks: Vec<Line>,
    runs: Vec<RunView>,
    machines: Vec<MachineView>,
    sources: Vec<SourceView>,
    /// What the marks beside the sources mean.
    legend: &'static str,
    diagnostics: Vec<FindingView>,
    warnings: Vec<FindingView>,
    unreached: Vec<UnreachedView>,
    /// What is known of statements never executed.
    coverage: &'static str,
    statistics: Vec<Line>,
    command: String,
    /// The tool, the model's fingerprint and every option in force.
    origin: Vec<Line>,
    /// Of which error or witness of the report each run is.
    #[serde(skip)]
    entries: Vec<usize>,
}

/// The verdict.
#[derive(Clone, Debug, Serialize)]
struct Banner {
    tone: Tone,
    sign: &'static str,
    word: String,
    sentence: String,
    facts: Vec<String>,
}

/// How good the news are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Good,
    Bad,
    Care,
    Plain,
}

impl From<Role> for Tone {
    fn from(role: Role) -> Self {
        match role {
            Role::Good => Tone::Good,
            Role::Bad => Tone::Bad,
            Role::Care => Tone::Care,
            _ => Tone::Plain,
        }
    }
}

/// A requirement with its result.
#[derive(Clone, Debug, Serialize)]
struct RequirementView {
    tone: Tone,
    sign: &'static str,
    name: String,
    result: &'static str,
    line: Option<u32>,
    text: String,
    note: String,
    /// Index of the run that shows it.
    run: Option<usize>,
}

/// A potential error.
#[derive(Clone, Debug, Serialize)]
struct CandidateView {
    tone: Tone,
    sign: &'static str,
    kind: String,
    place: String,
    cost: String,
    run: Option<usize>,
}

/// How a run ends that nothing else is said of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunOutcome {
    /// In an error.
    Fails,
    /// Where somebody asked for.
    Reached,
    /// Somewhere.
    Open,
}

/// A run that was executed again or simulated, with what surrounds it.
#[derive(Clone, Debug)]
pub struct RunOfModel<'a> {
    /// The run.
    pub chart: Chart<'a>,
    /// Where it ends, in words.
    pub sentence: String,
    /// What is to be said of that.
    pub outcome: RunOutcome,
    /// Explanations: label and text.
    pub why: Vec<Line>,
    /// Propositions and which of them hold at the start.
    pub atoms: (Vec<String>, String),
    /// So many of its first steps do not say what could have been done instead.
    pub others_from: usize,
    /// The machines of the model, as they are written.
    pub machines: Vec<Machine>,
    /// The texts of the model.
    pub sources: Vec<Source>,
    /// Who wrote this: the version of the tool.
    pub version: &'a str,
    /// SHA-256 of the texts, in hex.
    pub sha256: String,
}

impl ModelView {
    /// All that a check found out. So many of the first steps of each run, as `untold` says, do
    /// not say what could have been done instead.
    pub fn of_report(report: &Report, untold: &[usize]) -> Self {
        let runs = Runs::new(report, &Graphs::new(&report.machines), untold);
        let requirement = |property: &Property| requirement(report, property, &runs);
        let told = ["shown", "assuming", "warnings"];
        let remarks = report.remarks.iter().filter(|line| !told.contains(&line.head.as_str()));
        let is_checked = report.verdict != Verdict::Error;
        Self {
            model: report.model.clone(),
            banner: banner(report),
            established: report.established.clone(),
            assumptions: report.assumptions.clone(),
            requirements: report.properties.iter().map(requirement).collect(),
            candidates: Vec::new(),
            remarks: remarks.cloned().chain(runs.remark()).collect(),
            entries: runs.entries(),
            runs: runs.views,
            machines: machines(&report.machines, report.complete),
            sources: coverage::sources(report),
            legend: coverage::legend(report),
            diagnostics: findings::grouped(&report.diagnostics),
            warnings: findings::grouped(&report.warnings),
            unreached: findings::unreached(&report.unreached),
            coverage: if is_checked { findings::coverage(report) } else { "" },
            statistics: if is_checked { words::statistics(report) } else { Vec::new() },
            command: report.command.clone(),
            origin: origin(report),
        }
    }

    /// All that a backward execution found out; `untold` is as of a check.
    pub fn of_backward(backward: &Backward, untold: &[usize]) -> Self {
        let report = &backward.report;
        let mut view = Self::of_report(report, untold);
        if backward.is_target() {
            view.runs = target_run(backward).into_iter().collect();
        } else {
            // Each candidate with a run is the next error.
            let mut error = 0..report.errors.len();
            let runs = Runs::new(report, &Graphs::new(&report.machines), untold);
            let mut run = |candidate: &Candidate| {
                candidate.trace.as_ref().and_then(|_| runs.of_entry[error.next()?])
            };
            let candidates = backward.candidates.iter();
            view.candidates = candidates.map(|it| candidate(it, run(it))).collect();
            view.candidates.sort_by_key(|it| it.tone == Tone::Good);
        }
        view
    }

    /// A run alone.
    pub fn of_run(run: RunOfModel<'_>) -> Self {
        let signs = Palette::default().signs();
        let (tone, sign, word) = match run.outcome {
            RunOutcome::Fails => (Tone::Bad, signs.bad, "VIOLATED"),
            RunOutcome::Reached => (Tone::Good, signs.good, "REACHED"),
            RunOutcome::Open => (Tone::Plain, "", "RUN"),
        };
        let view = RunView::of_chart(&run.chart, &Graphs::new(&run.machines));
        let facts = vec![run.chart.model.to_owned(), format!("argos {}", run.version)];
        let sentence = run.sentence;
        Self {
            model: run.chart.model.to_owned(),
            banner: Banner { tone, sign, word: word.to_owned(), sentence: sentence.clone(), facts },
            established: Vec::new(),
            assumptions: Vec::new(),
            requirements: Vec::new(),
            candidates: Vec::new(),
            remarks: Vec::new(),
            runs: vec![RunView {
                sentence,
                why: run.why,
                atoms: run.atoms.0,
                initial_truth: run.atoms.1,
                others_from: run.others_from,
                ..view
            }],
            machines: machines(&run.machines, false),
            sources: coverage::unsearched(&run.sources),
            legend: "",
            diagnostics: Vec::new(),
            warnings: Vec::new(),
            unreached: Vec::new(),
            coverage: "",
            statistics: Vec::new(),
            command: run.chart.command.to_owned(),
            origin: vec![line("argos", run.version), line("sha256", &run.sha256)],
            entries: Vec::new(),
        }
    }

    /// Of which entry of the report each run is: errors first, then witnesses.
    pub fn entries(&self) -> &[usize] {
        &self.entries
    }

    /// What a window with the page is called.
    pub(super) fn title(&self) -> String {
        format!("{} {} - argos", self.banner.word, self.model)
    }

    /// The verdict and the runs in words, for a reader without scripts.
    pub(super) fn plain(&self) -> Vec<String> {
        let Banner { word, sentence, .. } = &self.banner;
        let mut out = vec![format!("{word}  {}: {sentence}", self.model)];
        out.extend(self.established.iter().cloned());
        out.extend(self.runs.iter().map(RunView::plain));
        out
    }
}

fn banner(report: &Report) -> Banner {
    let signs = Palette::default().signs();
    let stats = &report.stats;
    let mut facts = vec![report.model.clone(), format!("argos {}", report.version)];
    if report.verdict != Verdict::Error {
        // Of several searches the one that saw most.
        let states = report.runs.iter().map(|run| run.states).max().unwrap_or(0);
        facts.push(words::count(states.max(stats.states), "state"));
        let complete = if report.complete { "complete search" } else { "search not complete" };
        facts.push(complete.to_owned());
    }
    facts.push(words::took(stats));
    Banner {
        tone: verdict_role(report.verdict).into(),
        sign: verdict_sign(report.verdict, signs),
        word: verdict_word(report.verdict).to_owned(),
        sentence: report.headline.clone(),
        facts,
    }
}

fn requirement(report: &Report, property: &Property, runs: &Runs) -> RequirementView {
    let (role, sign) = sign(property.verdict, Palette::default().signs());
    let witness = property.witness.map(|index| report.errors.len() + index);
    RequirementView {
        tone: role.into(),
        sign,
        name: words::subject(&property.name).to_owned(),
        result: words::result(property),
        line: property.line,
        text: property.text.clone().unwrap_or_default(),
        note: property.note.clone().unwrap_or_default(),
        run: property.error.or(witness).and_then(|index| runs.of_entry.get(index).copied()?),
    }
}

fn candidate(candidate: &Candidate, run: Option<usize>) -> CandidateView {
    let (role, sign) = reached_sign(candidate.verdict, Palette::default().signs());
    CandidateView {
        tone: role.into(),
        sign,
        kind: candidate.kind.replace('-', " "),
        place: candidate.place.clone(),
        cost: candidate_cost(candidate),
        run,
    }
}

/// The run of a backward execution to the state that was asked for.
fn target_run(backward: &Backward) -> Option<RunView> {
    let report = &backward.report;
    let found = backward.candidates.iter().find(|it| it.trace.is_some())?;
    let scenario = Scenario { initial: found.initial.clone()?, trace: found.trace.clone()? };
    let chart = Chart {
        title: report.headline.clone(),
        length: "shortest",
        ..Chart::of_scenario(&report.model, &report.channels, &scenario)
    };
    let mut view = RunView::of_chart(&chart, &Graphs::new(&report.machines));
    // Runs of PROMELA do not say it by themselves.
    if report.language == Language::Promela {
        view.others_from = view.steps.len();
    }
    Some(view)
}

fn machines(machines: &[Machine], complete: bool) -> Vec<MachineView> {
    machines.iter().map(|machine| MachineView::new(machine, complete)).collect()
}

fn line(head: &str, text: &str) -> Line {
    Line { head: head.to_owned(), text: text.to_owned() }
}

/// What is needed to have the same again.
fn origin(report: &Report) -> Vec<Line> {
    let mut lines = vec![line("argos", &report.version), line("sha256", &report.model_sha256)];
    let options = report.options.as_object().into_iter().flatten();
    let said = options.filter(|(_, value)| !is_nothing(value));
    let texts: Vec<String> = said.map(|(name, value)| format!("{name}={value}")).collect();
    lines.push(line("options", &texts.join(" ")));
    lines
}

/// An option that is off or was not given.
fn is_nothing(value: &serde_json::Value) -> bool {
    value.is_null() || value == false || value.as_array().is_some_and(Vec::is_empty)
}
