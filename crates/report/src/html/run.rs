//! A run for the page: what all drawings share ([`Chart`]), each step with the words at its
//! arrow and the lane it leads to, and what there is to know about the whole.

use super::machine::Graphs;
use crate::chart::{Chart, Ending, deed};
use crate::{ErrorEntry, Line, Report, words};
use serde::Serialize;
use trace::{Changes, Event, EventKind, Snapshot, Wait};

/// More steps than this are not listed for a reader without scripts.
const PLAIN_MAX: usize = 200;

/// A run.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RunView {
    /// What happens in it, in one sentence.
    pub(super) sentence: String,
    /// Explanations: label and text.
    pub(super) why: Vec<Line>,
    /// Who waits for what, when nothing can move.
    pub(super) waits: Vec<Wait>,
    /// Its length, what is known of that, and who executed it.
    pub(super) about: String,
    pub(super) lanes: Vec<Lane>,
    /// Propositions, in the order of the letters of `truth`.
    pub(super) atoms: Vec<String>,
    pub(super) initial_truth: String,
    /// First step of the part that repeats, 0-based.
    pub(super) cycle_start: Option<usize>,
    /// The step that is the violation, 0-based.
    pub(super) failing: Option<usize>,
    /// What is said behind the last step.
    pub(super) tail: Option<Tail>,
    pub(super) initial: Snapshot,
    pub(super) steps: Vec<StepView>,
    /// So many steps at the beginning do not say what could have been done instead.
    pub(super) others_from: usize,
}

/// A process of the run.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Lane {
    name: String,
    /// Index of its machine, if each of its steps is an edge of it.
    machine: Option<usize>,
}

/// The row behind the last step.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Tail {
    text: String,
    /// The state there is what is wrong.
    bad: bool,
}

/// A step.
#[derive(Clone, Debug, Serialize)]
pub(super) struct StepView {
    process: String,
    action: String,
    kind: EventKind,
    /// What stands beside its sign, where that is not the statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    deed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<String>,
    /// The words at the arrow of a send or rendezvous.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// The lane that takes its message, or would.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<usize>,
    /// Index of the other end.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    matched: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unread: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: u32,
    from: String,
    to: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    truth: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    printed: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<String>,
    changes: Changes,
}

/// A page has so many steps of one model, beside those of the first run for each requirement:
/// 20,000 steps are 5 MB.
const STEPS_MAX: usize = 20_000;

/// The runs of a report on a page.
pub(super) struct Runs {
    pub(super) views: Vec<RunView>,
    /// For each error, then for each witness, which of the views is its run.
    pub(super) of_entry: Vec<Option<usize>>,
}

impl Runs {
    /// The runs to errors, then those to what was asked for. So many of the first steps of each
    /// do not say what could have been done instead.
    pub(super) fn new(report: &Report, graphs: &Graphs, untold: &[usize]) -> Self {
        let mut runs = Self { views: Vec::new(), of_entry: Vec::new() };
        let mut room = STEPS_MAX;
        for index in 0..report.errors.len() + report.witnesses.len() {
            let Some((mut view, is_wanted)) = RunView::of_report(report, index, graphs) else {
                runs.of_entry.push(None);
                continue;
            };
            let fits = view.steps.len() <= room;
            if !is_wanted && !fits {
                runs.of_entry.push(None);
                continue;
            }
            room = room.saturating_sub(view.steps.len());
            view.others_from = untold.get(index).copied().unwrap_or(0);
            runs.of_entry.push(Some(runs.views.len()));
            runs.views.push(view);
        }
        runs
    }

    /// The entry of the report that each view is of.
    pub(super) fn entries(&self) -> Vec<usize> {
        let entries = self.of_entry.iter().enumerate();
        entries.filter_map(|(entry, view)| view.map(|_| entry)).collect()
    }

    /// What to say of runs that are not on the page.
    pub(super) fn remark(&self) -> Option<Line> {
        let missing = self.of_entry.iter().filter(|view| view.is_none()).count() as u64;
        let runs = words::count(missing, "more run");
        let text = format!("{runs} would make this page too large (--json has all)");
        (missing > 0).then(|| Line { head: "note".to_owned(), text })
    }
}

impl RunView {
    /// The run of an error, or behind those of a witness, and whether it is the first for a
    /// requirement.
    fn of_report(report: &Report, index: usize, graphs: &Graphs) -> Option<(Self, bool)> {
        if let Some(error) = report.errors.get(index) {
            let view = Self::of_chart(&Chart::of_error(report, index)?, graphs);
            let sentence = words::sentence(report, index, error);
            let is_wanted = report.properties.iter().any(|it| it.error == Some(index));
            let about = words::shown(error, report);
            return Some((
                Self { sentence, about, ..view.of_entry(error) },
                is_wanted || index == 0,
            ));
        }
        let index = index - report.errors.len();
        let (witness, chart) = (report.witnesses.get(index)?, Chart::of_witness(report, index)?);
        let view = Self::of_chart(&chart, graphs).of_entry(witness);
        Some((Self { about: words::shown(witness, report), ..view }, true))
    }

    fn of_entry(self, entry: &ErrorEntry) -> Self {
        Self {
            why: entry.why.clone(),
            atoms: entry.atoms.clone(),
            initial_truth: entry.initial_truth.clone(),
            ..self
        }
    }

    /// The run in words, for a reader without scripts.
    pub(super) fn plain(&self) -> String {
        let step = |(index, step): (usize, &StepView)| {
            format!("{}. {} {} (line {})", index + 1, step.process, step.action, step.line)
        };
        let steps: Vec<String> = self.steps.iter().take(PLAIN_MAX).enumerate().map(step).collect();
        format!("{} ({}): {}", self.sentence, self.about, steps.join("; "))
    }

    /// A run as every drawing knows it.
    pub(super) fn of_chart(chart: &Chart<'_>, graphs: &Graphs) -> Self {
        let trace = &chart.scenario.trace;
        let lanes = chart
            .lanes
            .iter()
            .map(|name| Lane { name: (*name).to_owned(), machine: graphs.machine_of(name, trace) });
        let failing = match &chart.ending {
            Ending::Fails(_) => {
                let marked = trace.iter().position(|event| event.violates);
                marked.or(trace.len().checked_sub(1))
            }
            _ => None,
        };
        let length = words::length(trace.len(), chart.events());
        let known = if chart.length.is_empty() { "" } else { "; " };
        Self {
            sentence: chart.title.clone(),
            why: Vec::new(),
            waits: chart.waits.to_vec(),
            about: format!("{length}{known}{}", chart.length),
            lanes: lanes.collect(),
            atoms: Vec::new(),
            initial_truth: String::new(),
            cycle_start: chart.cycle_start.filter(|_| chart.ending == Ending::Repeats),
            failing,
            tail: tail(chart),
            initial: chart.scenario.initial.clone(),
            steps: trace.iter().map(|event| step(chart, event)).collect(),
            others_from: 0,
        }
    }
}

/// The same words as at the foot of a chart on the terminal.
fn tail(chart: &Chart<'_>) -> Option<Tail> {
    let (text, bad) = match &chart.ending {
        Ending::Fails(what) | Ending::Stops(what) => (what.clone(), true),
        Ending::Blocked => ("nothing can move".to_owned(), true),
        Ending::Repeats => (chart.repeating()?, false),
        Ending::Open => return None,
    };
    Some(Tail { text, bad })
}

fn step(chart: &Chart<'_>, event: &Event) -> StepView {
    let is_message = matches!(event.kind, EventKind::Send | EventKind::Rendezvous);
    let unread =
        event.kind == EventKind::Send && !event.received.unwrap_or(event.matched.is_some());
    let deed = Some(deed(event)).filter(|deed| *deed != event.action);
    StepView {
        process: event.process.clone(),
        action: event.action.clone(),
        kind: event.kind,
        deed: deed.filter(|_| event.kind == EventKind::Internal),
        channel: event.channel.clone(),
        label: is_message.then(|| chart.label(event, !unread)),
        target: is_message.then(|| chart.target(event)).flatten(),
        matched: event.matched,
        unread,
        file: event.file.clone(),
        line: event.line,
        from: event.from.clone(),
        to: event.to.clone(),
        truth: event.truth.clone(),
        printed: event.printed.clone(),
        others: event.others.clone(),
        changes: event.changes.clone(),
    }
}
