//! The sentences of a backward execution.

use super::figures::{count, listed, thousands};
use super::headline::kind_word;
use super::setting;
use crate::{Backward, Candidate, Line, Reached, Setting, Verdict};

/// Fills headline, assumptions and remarks from the facts.
pub fn phrase_backward(backward: &mut Backward, setting: &Setting) {
    backward.report.headline = headline(backward);
    backward.report.assumptions = setting::assumptions(&backward.report, setting);
    backward.report.established = established(backward);
    backward.report.remarks = remarks(backward);
}

fn headline(backward: &Backward) -> String {
    let all = backward.candidates.len();
    let target = backward.candidates.first().filter(|_| backward.is_target());
    let what = target.map(|candidate| candidate.place.as_str()).unwrap_or_default();
    let errors = count(all as u64, "potential error");
    match (backward.report.verdict, target) {
        (Verdict::Violated | Verdict::Possible, Some(_)) => format!("it can happen: {what}"),
        (Verdict::Holds | Verdict::Impossible, Some(_)) => format!("it cannot happen: {what}"),
        (Verdict::Incomplete, Some(_)) => format!("not decided: {what}"),
        (Verdict::Violated | Verdict::Possible, None) => {
            let first = backward.report.errors.first().map(|error| error.message.as_str());
            let reachable = backward.count(Reached::Reachable);
            let verb = if reachable == 1 { "is" } else { "are" };
            format!("{reachable} of {errors} {verb} reachable. First: {}", first.unwrap_or(""))
        }
        (Verdict::Holds | Verdict::Impossible, None) if all == 0 => {
            "there is no potential error".to_owned()
        }
        (Verdict::Holds | Verdict::Impossible, None) => format!("none of {errors} is reachable"),
        (Verdict::Incomplete, None) if all == 0 => {
            "there are more potential errors than can be listed".to_owned()
        }
        (Verdict::Incomplete, None) => {
            let bound = backward.count(Reached::Bound);
            let reasons = backward.report.why_incomplete.join(", ");
            format!("{bound} of {errors} undecided, none found reachable: {reasons}")
        }
        (Verdict::Error, _) => {
            let errors = backward.report.diagnostics.iter().filter(|d| d.severity == "error");
            format!("{}; nothing was checked", count(errors.count() as u64, "error"))
        }
    }
}

fn established(backward: &Backward) -> Vec<String> {
    match backward.report.verdict {
        Verdict::Holds | Verdict::Impossible if backward.is_target() => {
            vec!["Not reachable: the target.".to_owned()]
        }
        Verdict::Holds | Verdict::Impossible => {
            let kinds = backward.report.properties.iter().map(|p| kind_word(p.kind));
            let kinds = listed(&kinds.collect::<Vec<_>>(), "or");
            let rest = "Assertions and divisions were not checked.";
            vec![format!("Not reachable: {kinds}. {rest}")]
        }
        Verdict::Violated | Verdict::Possible => {
            let first = backward.candidates.iter().find(|c| c.verdict == Reached::Reachable);
            first.map(|c| format!("Reachable: {}.", c.kind)).into_iter().collect()
        }
        Verdict::Incomplete | Verdict::Error => Vec::new(),
    }
}

fn remarks(backward: &Backward) -> Vec<Line> {
    let line = |head: &str, text: String| Line { head: head.to_owned(), text };
    if backward.report.verdict == Verdict::Error {
        return Vec::new();
    }
    let mut lines = Vec::new();
    if let Some(candidate) = backward.candidates.iter().find(|c| c.trace.is_some()) {
        let steps = candidate.trace.as_ref().map_or(0, Vec::len) as u64;
        let text = format!(
            "{}: the shortest; found backwards, re-executed forwards",
            count(steps, "step")
        );
        lines.push(line("shown", text));
    }
    if !backward.is_target() {
        lines.push(line("checked", kinds(backward)));
    }
    lines.push(line("backward", backward_cost(backward)));
    lines.push(line("forward", forward_cost(backward)));
    if !backward.report.assumptions.is_empty() {
        lines.push(line("assuming", backward.report.assumptions.join("\n")));
    }
    lines
}

/// One line per kind of candidate.
fn kinds(backward: &Backward) -> String {
    let kinds = [
        ("deadlock", "deadlock"),
        ("unspecified-reception", "unspecified reception"),
        ("blocked-send", "blocked send"),
    ];
    let asked = |noun: &str| {
        backward.report.properties.iter().any(|property| kind_word(property.kind) == noun)
    };
    let kinds = kinds.iter().filter(|(_, noun)| asked(noun));
    let lines = kinds.map(|(kind, noun)| {
        let of: Vec<&Candidate> = backward.candidates.iter().filter(|c| c.kind == *kind).collect();
        format!("{}{}", count(of.len() as u64, noun), fates(&of))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn fates(candidates: &[&Candidate]) -> String {
    let with = |wanted: &dyn Fn(&Candidate) -> bool| {
        candidates.iter().filter(|candidate| wanted(candidate)).count()
    };
    let ruled = |word: &'static str| {
        move |candidate: &Candidate| candidate.ruled_out.as_deref() == Some(word)
    };
    let parts = [
        (with(&|c| c.verdict == Reached::Reachable), "reachable"),
        (with(&|c| c.verdict == Reached::Bound), "undecided"),
        (with(&ruled("place")), "at locations never reached"),
        (with(&ruled("values")), "excluded by values"),
        (with(&ruled("invariant")), "excluded by an invariant"),
        (with(&ruled("shared")), "excluded by an earlier one"),
        (
            with(&|c| c.verdict == Reached::Unreachable && c.ruled_out.is_none()),
            "excluded by search",
        ),
    ];
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> =
        parts.map(|(number, what)| format!("{} {what}", thousands(*number as u64))).collect();
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}

fn backward_cost(backward: &Backward) -> String {
    let transitions = backward.candidates.iter().map(|candidate| candidate.transitions).sum();
    let cost = format!(
        "{} claimed, {} back",
        count(backward.states(), "state"),
        count(transitions, "step")
    );
    let old: Vec<Option<u64>> = backward.candidates.iter().filter_map(|c| c.states_1984).collect();
    if old.is_empty() {
        return cost;
    }
    let known: u64 = old.iter().flatten().sum();
    let over = old.iter().filter(|states| states.is_none()).count() as u64;
    let more = match over {
        0 => String::new(),
        over => format!(" and {} beyond the comparison", count(over, "candidate")),
    };
    format!("{cost}; by the method of 1984 {}{more}", count(known, "state"))
}

fn forward_cost(backward: &Backward) -> String {
    let forward = &backward.forward;
    let cost =
        format!("{}, {}", count(forward.states, "state"), count(forward.transitions, "transition"));
    let errors: Vec<String> = forward
        .errors
        .iter()
        .map(|(kind, number)| count(*number, &kind.replace('-', " ")))
        .collect();
    match (forward.complete, forward.found, errors.is_empty()) {
        (true, _, false) => format!("{cost}: complete, with {}", listed(&errors, "and")),
        (true, _, true) => format!("{cost}: complete"),
        (false, true, _) => format!("{cost} until it is found"),
        (false, false, _) => format!("{cost}, then stopped"),
    }
}
