//! The labelled lines under the verdict.

use super::figures::{bytes, count, line_ranges, listed, seconds, thousands};
use super::headline::{AHEAD, having, kind_word, reason};
use super::requirement::{length, named, only, subject};
use crate::{
    ErrorEntry, Kind, Line, PropertyVerdict, Report, SearchEntry, Setting, Unreached, Unused,
    UnusedKind, Verdict,
};
use indexmap::IndexMap;

/// More processes than this and their lines are left to `--warnings`.
const UNREACHED_SHOWN: usize = 4;
/// More types of errors than this are counted, not listed.
const TYPES_SHOWN: usize = 12;

/// All remarks that follow from the facts.
pub(super) fn remarks(report: &Report, setting: &Setting) -> Vec<Line> {
    if report.verdict == Verdict::Error {
        return line("warnings", warnings(report)).into_iter().collect();
    }
    let mut lines = vec![
        line("shown", report.errors.first().map(|error| shown(error, report))),
        line("also", also(report).filter(|_| !setting.all_errors)),
        line("errors", types(report).filter(|_| setting.all_errors)),
        line("others", others(report, setting)),
        line("searched", Some(searched(report))),
        line("reduced", reduced(report)),
        line("cache", cache(report, setting)),
        line("revisits", revisits(report)),
        line("assuming", joined(&report.assumptions)),
    ];
    if report.verdict == Verdict::Incomplete {
        lines.push(line("why", joined(&whys(report, setting))));
        lines.push(line("means", Some(means(report, setting))));
        lines.push(line("try", joined(&tries(report, setting))));
    }
    lines.extend(notes(report));
    lines.push(line("warnings", warnings(report)));
    lines.into_iter().flatten().collect()
}

fn line(head: &str, text: Option<String>) -> Option<Line> {
    text.map(|text| Line { head: head.to_owned(), text })
}

fn joined(lines: &[String]) -> Option<String> {
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// How long the run is, what is known of that, and whether it was re-executed.
pub(crate) fn shown(error: &ErrorEntry, report: &Report) -> String {
    let size = match error.steps {
        0 => "no step: the initial state".to_owned(),
        steps => length(steps, error.events),
    };
    let length = match error.length.as_str() {
        "" => String::new(),
        _ if error.steps == 0 => String::new(),
        "shortest" if having(report, PropertyVerdict::Violated).nth(1).is_some() => {
            format!(": the shortest for this requirement{}", switches(error))
        }
        "shortest" => format!(": the shortest{}", switches(error)),
        "first found" => "; first found, there may be a shorter one (--shortest)".to_owned(),
        other => format!("; {other}"),
    };
    let replay = if error.replayed { "re-executed" } else { "not re-executed" };
    let followed = error.scenario.trace.len() > error.steps;
    let onward = if followed { "; then continued until it stops" } else { "" };
    format!("{size}{length}{onward}; {replay}")
}

/// Of a run of several processes that no other run of its length has fewer leaps between them.
fn switches(error: &ErrorEntry) -> String {
    let known = error.switches.filter(|switches| *switches > 0);
    known.map_or_else(String::new, |switches| {
        format!(", with the fewest context switches ({})", thousands(switches))
    })
}

/// The requirements that fail beside the first one, and how to see their runs.
fn also(report: &Report) -> Option<String> {
    let failing = having(report, PropertyVerdict::Violated);
    let others = failing.filter_map(|property| Some((property, property.error?)));
    let lines = others.filter(|(_, index)| *index > 0).map(|(property, index)| {
        let steps = count(report.errors[index].steps as u64, "step");
        let name =
            property.line.map_or_else(|| kind_word(property.kind).to_owned(), |_| named(property));
        format!("{name}, {steps}: {} shows the run", only(property))
    });
    joined(&lines.collect::<Vec<_>>())
}

/// With all errors asked for: one line per type of error, most frequent first.
fn types(report: &Report) -> Option<String> {
    let types = error_types(&report.errors);
    let errors: usize = types.iter().map(Vec::len).sum();
    if errors < 2 {
        return None;
    }
    let total = count(errors as u64, "error");
    let mut lines = vec![format!("{total} of {}", count(types.len() as u64, "type"))];
    let line = |(at, members): (usize, &Vec<usize>)| {
        format!("{:>2}. {:>4} x {}", at + 1, members.len(), report.errors[members[0]].group)
    };
    lines.extend(types.iter().enumerate().take(TYPES_SHOWN).map(line));
    if types.len() > TYPES_SHOWN {
        let more = (types.len() - TYPES_SHOWN) as u64;
        lines.push(format!("and {} (--json has all)", count(more, "more type")));
    }
    if types.len() > 1 {
        lines.push("--error-type N shows a run of type N".to_owned());
    }
    Some(lines.join("\n"))
}

/// Errors that look alike, by their indices: the type with most of them first. Infinite runs
/// have no types.
pub fn error_types(errors: &[ErrorEntry]) -> Vec<Vec<usize>> {
    let mut types: IndexMap<(Kind, &str), Vec<usize>> = IndexMap::new();
    for (index, error) in errors.iter().enumerate().filter(|(_, error)| !error.group.is_empty()) {
        types.entry((error.kind, &error.group)).or_default().push(index);
    }
    types.sort_by(|a_type, a, b_type, b| (b.len(), a_type).cmp(&(a.len(), b_type)));
    types.into_values().collect()
}

/// What the run says nothing about.
fn others(report: &Report, setting: &Setting) -> Option<String> {
    if report.verdict != Verdict::Violated {
        return None;
    }
    let open: Vec<&str> =
        having(report, PropertyVerdict::Unknown).map(|property| subject(&property.name)).collect();
    if open.is_empty() {
        return None;
    }
    let told = |code: &String| match code.as_str() {
        // It says no more than that they are not decided.
        "liveness" => None,
        "first-error" => Some(format!("{} (--all-errors)", reason(code, setting))),
        _ => Some(reason(code, setting)),
    };
    let why: Vec<String> = report.why_incomplete.iter().filter_map(told).collect();
    let why = if why.is_empty() { String::new() } else { format!(", {}", why.join(", ")) };
    Some(format!("{}: not decided{why}", open.join(", ")))
}

/// What the states that were searched were spared, if anything.
fn reduced(report: &Report) -> Option<String> {
    let reductions = report.runs.first().map(|run| run.reductions.join(", "));
    let reductions = reductions.filter(|names| !names.is_empty())?;
    Some(format!("by {reductions} (--plain: every state)"))
}

/// What the cache forgot, and what that cost.
fn cache(report: &Report, setting: &Setting) -> Option<String> {
    let stats = &report.stats;
    let cache = stats.cache.as_ref()?;
    let about = if cache.recreated_exact { "" } else { "about " };
    let mut text = format!(
        "{} at a time; {} forgotten, {about}{} created again",
        count(cache.states_max, "state"),
        thousands(stats.evictions),
        thousands(stats.recreated)
    );
    if cache.explodes {
        text.push_str(
            "\nalmost all of the last steps repeated earlier ones: the cache is too small for \
             this model\ntry ",
        );
        text.push_str(&listed(&remedies(setting), "or"));
    }
    Some(text)
}

/// What helps where a cache is too small, as far as it is not on.
fn remedies(setting: &Setting) -> Vec<&'static str> {
    let all = [
        (false, "a larger --cache"),
        (setting.reduce == "sleep", "--reduce sleep"),
        (setting.replace == "type", "--replace type"),
    ];
    all.into_iter().filter(|(is_on, _)| !is_on).map(|(_, remedy)| remedy).collect()
}

/// How probable another visit is after so many.
fn revisits(report: &Report) -> Option<String> {
    let shares = &report.stats.cache.as_ref()?.revisits;
    let share =
        |(n, share): (usize, &f64)| format!("{} %  after {}", (100.0 * share).round(), n + 1);
    joined(&shares.iter().enumerate().map(share).collect::<Vec<_>>())
}

/// What was searched. A branch ends where an assertion fails, so with a failing
/// assertion "all reachable states" would claim too much even when complete.
fn searched(report: &Report) -> String {
    let is_part = |run: &SearchEntry| report.complete && !run.complete;
    if report.runs.len() > 1 || report.runs.iter().any(is_part) {
        return stages(report, false);
    }
    let stats = &report.stats;
    let states = count(stats.states, "state");
    let depth = thousands(stats.depth);
    let asserts = |p: &crate::Property| p.kind == Kind::Assertion;
    if !report.complete {
        let transitions = count(stats.transitions, "transition");
        return format!("{states}, {transitions}, depth {depth}{}", left_over(report));
    }
    if having(report, PropertyVerdict::Violated).any(asserts) {
        return format!(
            "all {states} of the protocol with its assertions, depth {depth}; \
             a branch ends where an assertion fails"
        );
    }
    if report.properties.iter().any(|property| property.kind == Kind::Service) {
        return format!("all {states} of the runs that the assertion allows, depth {depth}");
    }
    if stats.cache.is_some() {
        return format!("every reachable state, {states} created, depth {depth}");
    }
    let reachable = count(stats.states, "reachable state");
    match stats.states {
        _ if report.runs.first().is_some_and(represents) => {
            format!("{}, depth {depth}", standing(stats.states))
        }
        _ if reduced(report).is_some() => format!("all {states}, depth {depth}"),
        1 => format!("the one reachable state, depth {depth}"),
        _ => format!("all {reachable}, depth {depth}"),
    }
}

/// Whether the states of a search stand for others that it left out.
fn represents(run: &SearchEntry) -> bool {
    let stands = |name: &String| name.contains("ample") || name.contains("symmetry");
    run.reductions.iter().any(stands)
}

/// So many states, of a complete search that leaves others out.
fn standing(states: u64) -> String {
    match states {
        1 => "1 state that stands for all".to_owned(),
        _ => format!("{} that stand for all", count(states, "state")),
    }
}

/// The searches one by one. Those of parts, unless all are asked for, are one line.
pub(crate) fn stages(report: &Report, all: bool) -> String {
    let last = report.runs.len().saturating_sub(1);
    let is_part = |(index, run): (usize, &SearchEntry)| index < last && !run.complete;
    let parts = report.runs.iter().enumerate().filter(|it| is_part(*it)).count();
    let listed = |it: &(usize, &SearchEntry)| all || parts < 2 || !is_part(*it);
    let runs = report.runs.iter().enumerate().filter(listed).map(|(_, run)| {
        let states = match (run.complete, represents(run)) {
            (true, true) => standing(run.states),
            (true, false) => format!("all {}", count(run.states, "state")),
            (false, _) => format!("{}, not complete", count(run.states, "state")),
        };
        format!("{}: {states}", run.name)
    });
    let mut lines: Vec<String> = runs.collect();
    if !all && parts > 1 {
        let whole = match report.runs.iter().filter(|run| run.complete).count() {
            0 => "the last one",
            1 => "the complete one",
            _ => "the complete ones",
        };
        lines.push(format!("{parts} searches of parts before {whole}: --explain-search"));
    }
    lines.join("\n")
}

fn left_over(report: &Report) -> String {
    match report.stats.truncated {
        0 => String::new(),
        n => format!("; {} at the depth bound not continued", count(n, "state")),
    }
}

fn whys(report: &Report, setting: &Setting) -> Vec<String> {
    let sentence = |code: &String| match (code.as_str(), report.stats.omitted_expected) {
        ("lossy-store", Some(omitted)) => format!(
            "the store mistakes some new states for stored ones: about {omitted:.1e} were left \
             out, with all that is reachable only through them"
        ),
        ("depth", Some(_)) if setting.depth.is_none() => {
            "no run was followed further than the memory for one allows (--memory)".to_owned()
        }
        _ => why(code, setting),
    };
    report.why_incomplete.iter().map(sentence).collect()
}

fn why(code: &str, setting: &Setting) -> String {
    match code {
        "depth" => match setting.depth {
            Some(depth) => format!(
                "no run was followed further than {} (--depth {depth})",
                count(depth, "step")
            ),
            None => "no run was followed further than the depth bound".to_owned(),
        },
        "time" => match setting.time {
            Some(time) => format!("the time given was used up: {} (--time)", seconds(time)),
            None => "the time given was used up".to_owned(),
        },
        "memory" => match setting.memory {
            Some(memory) => format!("the memory given was used up: {} (--memory)", bytes(memory)),
            None => "the memory given was used up".to_owned(),
        },
        "interrupted" => "the search was interrupted".to_owned(),
        "partial" => format!("{} leaves out some runs by design", strategy(setting)),
        "lossy-store" => "the store may mistake a new state for a stored one".to_owned(),
        "cache" => "the states of the current path alone fill the cache (--cache)".to_owned(),
        "fold" => {
            "states that differ only in a folded part were treated as equal (--fold)".to_owned()
        }
        "liveness" if setting.spin_counts => {
            "every state was visited, but with --spin-counts no cycles are looked for".to_owned()
        }
        "liveness" => {
            "every state was visited, but not every requirement can be decided".to_owned()
        }
        AHEAD => format!("{} was searched", reason(AHEAD, setting)),
        other => reason(other, setting),
    }
}

fn strategy(setting: &Setting) -> String {
    match setting.search.as_str() {
        "" => "a partial search".to_owned(),
        search => format!("--search {search}"),
    }
}

fn means(report: &Report, setting: &Setting) -> String {
    if setting.within {
        let text = "no run found performs the service; whether another does is not known";
        return text.to_owned();
    }
    if report.why_incomplete == [AHEAD] {
        return "no run with this beginning goes wrong; about others nothing is known".to_owned();
    }
    if report.why_incomplete == ["liveness"] {
        return "what is ticked holds; about the rest nothing is known".to_owned();
    }
    let lossy = report.why_incomplete.iter().any(|code| code == "lossy-store");
    let missed = if lossy { ", and even there a state may have been missed" } else { "" };
    format!("no violation in the part searched{missed}; about the rest nothing is known")
}

fn tries(report: &Report, setting: &Setting) -> Vec<String> {
    let is_lossy = report.stats.omitted_expected.is_some();
    let code = |code: &String| match code.as_str() {
        "depth" if is_lossy && setting.depth.is_none() => advice("memory"),
        code => advice(code),
    };
    let mut out: Vec<String> = report.why_incomplete.iter().filter_map(code).collect();
    out.dedup();
    out
}

fn advice(code: &str) -> Option<String> {
    let text = match code {
        "depth" => "a larger --depth, or none",
        "time" => "a longer --time",
        "memory" => "a larger --memory",
        "partial" => "--search exhaustive",
        "lossy-store" => "--store compact",
        "cache" => "a larger --cache",
        "fold" => "the same without --fold",
        _ => return None,
    };
    Some(text.to_owned())
}

/// Statements never executed are a fact only after a complete search.
fn notes(report: &Report) -> Vec<Option<Line>> {
    // What a requirement leaves out matters where it is said to hold.
    let mut lines: Vec<Option<Line>> = having(report, PropertyVerdict::Holds)
        .filter_map(|p| p.note.as_ref().map(|note| format!("{}: {note}", subject(&p.name))))
        .map(|text| line("note", Some(text)))
        .collect();
    if report.complete && !report.unreached.is_empty() {
        lines.push(line("note", Some(unreached(&report.unreached))));
    }
    lines.push(line("unused", unused(&report.unused)));
    lines
}

/// Requirements that hold without effect, line by line; messages are left to `--warnings`.
fn unused(list: &[Unused]) -> Option<String> {
    let is_required =
        |unused: &&Unused| matches!(unused.kind, UnusedKind::Ltl | UnusedKind::Assertion);
    let texts = list.iter().filter(is_required).map(|unused| unused.text.clone());
    joined(&texts.collect::<Vec<_>>())
}

fn unreached(list: &[Unreached]) -> String {
    let mut by_process: IndexMap<&str, Vec<u32>> = IndexMap::new();
    for statement in list {
        by_process.entry(&statement.process).or_default().push(statement.line);
    }
    let total = count(list.len() as u64, "statement");
    if by_process.len() > UNREACHED_SHOWN {
        let processes = count(by_process.len() as u64, "process");
        return format!("{total} never executed, in {processes} (--warnings lists them)");
    }
    let each: Vec<String> = by_process
        .iter()
        .map(|(process, lines)| format!("{process} {}", line_ranges(lines.iter().copied())))
        .collect();
    format!("{total} never executed: {}", each.join("; "))
}

fn warnings(report: &Report) -> Option<String> {
    let mut by_id: IndexMap<&str, u64> = IndexMap::new();
    for finding in report.warnings.iter().filter(|finding| finding.severity == "warning") {
        *by_id.entry(&finding.id).or_default() += 1 + finding.others.len() as u64;
    }
    let total: u64 = by_id.values().sum();
    let first = report.warnings.iter().find(|finding| finding.severity == "warning")?;
    Some(match total {
        1 => format!("{}, line {} (--warnings)", first.message, first.line),
        n if by_id.len() == 1 => match first.message.contains("places") {
            true => format!("{} (--warnings)", first.message),
            false => format!("{}: {} (--warnings)", first.message, count(n, "place")),
        },
        n => {
            let ids: Vec<&str> = by_id.keys().copied().collect();
            format!("{n}: {} (--warnings lists them)", ids.join(", "))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_on_is_no_remedy() {
        let setting = |reduce: &str, replace: &str| Setting {
            reduce: reduce.to_owned(),
            replace: replace.to_owned(),
            ..Setting::default()
        };
        assert_eq!(remedies(&setting("auto", "random")).len(), 3);
        let both_on = remedies(&setting("sleep", "type"));
        assert_eq!(both_on, ["a larger --cache"]);
    }
}
