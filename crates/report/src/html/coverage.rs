//! Which statements of each line a search executed. That a statement is never executed is a fact
//! only after a complete search ([`Report::unreached`]); after another one it is merely not
//! among those executed.

use crate::{Machine, Report, Source};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A text of the model with what was executed of it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SourceView {
    file: String,
    text: String,
    /// By line.
    lines: BTreeMap<u32, LineView>,
}

/// A line with statements that some search could execute.
#[derive(Clone, Debug, Serialize)]
struct LineView {
    mark: Mark,
    /// The statements that were not executed, in words; empty if all were.
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
    /// Those of a line of which others were: column and text, as far as the line shows them so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<(u32, String)>,
}

/// What is known of the statements of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Mark {
    /// All were executed.
    Done,
    /// Some never are.
    Partly,
    /// None ever is.
    Never,
    /// Some were not executed in the part searched.
    Open,
    /// What stands there has no effect: a requirement whose premise never occurs, a message that
    /// nobody receives.
    Idle,
}

/// A line: its file, if it is not the model itself, and its number.
type Place = (Option<String>, u32);

/// The texts of a report with their coverage.
pub(super) fn sources(report: &Report) -> Vec<SourceView> {
    let mut lines = covered(report);
    let main = report.sources.first().map(|source| source.file.clone());
    let of_file = |file: &String, lines: &mut BTreeMap<Place, LineView>| {
        let is_main = main.as_ref() == Some(file);
        let name = (!is_main).then(|| file.clone());
        let own = lines.extract_if(.., |(other, _), _| *other == name);
        own.map(|((_, line), view)| (line, view)).collect()
    };
    let view = |source: &Source| SourceView {
        file: source.file.clone(),
        text: source.text.clone(),
        lines: of_file(&source.file, &mut lines),
    };
    written(&report.sources).map(view).collect()
}

/// The model and its other texts, unless nothing is in them: nobody typed a formula, say.
fn written(sources: &[Source]) -> impl Iterator<Item = &Source> {
    let all = sources.iter().enumerate();
    all.filter(|(at, source)| *at == 0 || !source.text.is_empty()).map(|(_, source)| source)
}

/// The texts of a model that nobody searched.
pub(super) fn unsearched(sources: &[Source]) -> Vec<SourceView> {
    let view = |source: &Source| SourceView {
        file: source.file.clone(),
        text: source.text.clone(),
        lines: BTreeMap::new(),
    };
    written(sources).map(view).collect()
}

fn covered(report: &Report) -> BTreeMap<Place, LineView> {
    let processes = || report.machines.iter().filter(|machine| !machine.assertion);
    let mut executed: BTreeMap<Place, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for (place, name, _) in processes().flat_map(|machine| edges(machine, true)) {
        executed.entry(place).or_default().insert(name);
    }
    let mut missed: BTreeMap<Place, BTreeSet<&str>> = BTreeMap::new();
    // Of a process that never runs no statement is listed, and each is missing.
    let unlisted = |machine: &&Machine| {
        !report.complete || machine.graph.edges.iter().all(|edge| edge.executed == Some(false))
    };
    // A statement can have several edges, of which one may have been executed.
    for (place, name, action) in processes().filter(unlisted).flat_map(|it| edges(it, false)) {
        if !executed.get(&place).is_some_and(|names| names.contains(&name)) {
            missed.entry(place).or_default().insert(action);
        }
    }
    for statement in report.unreached.iter().filter(|_| report.complete) {
        let place = (statement.file.clone(), statement.line);
        missed.entry(place).or_default().insert(&statement.statement);
    }
    let idle = idle(report);
    let places: BTreeSet<&Place> =
        executed.keys().chain(missed.keys()).chain(idle.keys()).collect();
    let view = |place: &Place| {
        let some = executed.contains_key(place);
        let plain = |mark, note| LineView { mark, note, parts: Vec::new() };
        let (mark, words) = match (missed.get(place), some) {
            (None, _) if idle.contains_key(place) => {
                return plain(Mark::Idle, idle[place].join("; "));
            }
            (None, _) => return plain(Mark::Done, String::new()),
            (Some(_), _) if !report.complete => (Mark::Open, "not executed in the part searched"),
            (Some(_), true) => (Mark::Partly, "never executed"),
            (Some(_), false) => (Mark::Never, "never executed"),
        };
        let statements: Vec<&str> = missed[place].iter().copied().collect();
        let parts = if mark == Mark::Partly { parts(report, place) } else { Vec::new() };
        LineView { mark, note: format!("{words}: {}", statements.join(", ")), parts }
    };
    places.into_iter().map(|place| (place.clone(), view(place))).collect()
}

/// The statements of a line that were never executed, where they stand.
fn parts(report: &Report, place: &Place) -> Vec<(u32, String)> {
    let of_line = report.unreached.iter().filter(|it| (&it.file, it.line) == (&place.0, place.1));
    of_line.map(|it| (it.column, it.statement.clone())).collect()
}

/// What has no effect, in words, where it stands in a text.
fn idle(report: &Report) -> BTreeMap<Place, Vec<&str>> {
    let main = report.sources.first().map(|source| &source.file);
    let mut all: BTreeMap<Place, Vec<&str>> = BTreeMap::new();
    for unused in &report.unused {
        let Some(place) = unused.location.as_ref().filter(|place| place.line > 0) else { continue };
        let file = Some(&place.file).filter(|file| Some(*file) != main).cloned();
        all.entry((file, place.line)).or_default().push(&unused.text);
    }
    all
}

/// The statements of a machine that were executed, or those that were not: place, machine and
/// statement, statement.
fn edges(machine: &Machine, executed: bool) -> impl Iterator<Item = (Place, (&str, &str), &str)> {
    let edges = machine.graph.edges.iter().filter(move |edge| edge.executed == Some(executed));
    let written = edges.filter(|edge| edge.line > 0 && edge.action != "-end-");
    written.map(|edge| {
        let name = (machine.name.as_str(), edge.action.as_str());
        ((edge.file.clone(), edge.line), name, edge.action.as_str())
    })
}

/// What the marks mean, for the legend; empty where nothing is known.
pub(super) fn legend(report: &Report) -> &'static str {
    let known = report.machines.iter().flat_map(|machine| &machine.graph.edges);
    match (report.complete, known.into_iter().any(|edge| edge.executed.is_some())) {
        (true, true) if !report.unused.is_empty() => "○ never executed, ◐ partly, – no effect",
        (true, true) => "○ never executed, ◐ partly",
        (false, true) => "· not executed in the part searched",
        (_, false) => "",
    }
}
