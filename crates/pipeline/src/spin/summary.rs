//! What SPIN's verifier prints at its end, with our figures. What does not apply
//! here, such as its hash table, is left out.

use super::verifier::{Searched, SpinError, Verification, is_breadth_first};
use crate::Loaded;
use program::{Action, ClaimKind, LocationId, ProctypeId, Program};
use search::Why;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Everything the summary is made from.
pub(super) struct Facts<'a> {
    pub(super) program: &'a Program,
    pub(super) loaded: &'a Loaded,
    pub(super) asked: &'a Verification,
    pub(super) claim: Option<usize>,
    pub(super) run: &'a Searched,
    pub(super) errors: &'a [SpinError],
    /// The verifier would not have gone to the end.
    pub(super) stopped: bool,
    pub(super) seconds: f64,
    pub(super) peak: u64,
}

pub(super) fn text(facts: &Facts<'_>) -> String {
    let mut text = String::new();
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(text, "\n(argos {version}, answering in the form of Spin 6.5.2)");
    let outcome = &facts.run.outcome;
    if facts.stopped {
        text.push_str("Warning: Search not completed\n");
    }
    if is_breadth_first(&facts.asked.options) {
        text.push_str("\t+ Breadth-First Search\n");
    }
    text.push_str("\nFull statespace search for:\n");
    requirements(facts, &mut text);
    figures(facts, &mut text);
    if outcome.complete() && facts.errors.is_empty() && !facts.asked.no_unreached {
        for id in facts.loaded.listing.in_order() {
            unreached(facts, *id, &mut text);
        }
    }
    let _ = writeln!(text, "\npan: elapsed time {:.2} seconds", facts.seconds);
    if facts.seconds >= 0.01 {
        let rate = outcome.statistics.states as f64 / facts.seconds;
        let _ = writeln!(text, "pan: rate {rate:9.0} states/second");
    }
    text
}

/// What was looked for.
fn requirements(facts: &Facts<'_>, text: &mut String) {
    let asked = facts.asked;
    let claim = facts.claim.map(|index| &facts.program.claims[index]);
    let product = facts.run.rules.claim.is_some();
    let never = match claim {
        Some(claim) if product => format!("+ ({})", claim.name),
        Some(claim) => format!("- (ltl {}: not decided)", claim.name),
        None if facts.program.claims.is_empty() => "- (none specified)".to_owned(),
        None => "- (not selected)".to_owned(),
    };
    let assertions = match (asked.ignore_assertions, product) {
        (true, _) => "- (disabled by -A flag)",
        (false, true) => "+ (if within scope of claim)",
        (false, false) => "+",
    };
    let ends = match (asked.ignore_end_states, product) {
        (_, true) => "- (disabled by never claim)",
        (true, _) => "- (disabled by -E flag)",
        (false, false) => "+",
    };
    let cycles = match &asked.cycles {
        Some(_) => "\tacceptance   cycles \t- (asked for, not decided)",
        None => "\tcycle checks       \t- (disabled by -DSAFETY)",
    };
    let _ = writeln!(text, "\tnever claim         \t{never}");
    let _ = writeln!(text, "\tassertion violations\t{assertions}");
    let _ = writeln!(text, "{cycles}");
    let _ = writeln!(text, "\tinvalid end states\t{ends}\n");
}

fn figures(facts: &Facts<'_>, text: &mut String) {
    let outcome = &facts.run.outcome;
    let numbers = &outcome.statistics;
    let (bytes, errors) = (facts.run.state_bytes, facts.errors.len());
    // A step that fails is no step of the search, but one of the path.
    let depth = facts.errors.iter().map(|error| error.depth).fold(numbers.depth, u64::max);
    let _ = writeln!(text, "State-vector {bytes} byte, depth reached {depth}, errors: {errors}");
    let _ = writeln!(text, "{:9} states, stored", numbers.states);
    let _ = writeln!(text, "{:9} states, matched", numbers.matched);
    let _ = writeln!(text, "{:9} transitions (= stored+matched)", numbers.transitions);
    for why in &outcome.why_incomplete {
        let words = match why {
            Why::Depth => "error: max search depth too small",
            Why::Memory => "pan: reached the memory limit",
            Why::Time => "pan: reached the time limit",
            Why::Interrupted => "Interrupted",
            _ => continue,
        };
        let _ = writeln!(text, "{words}");
    }
    let megabytes = |bytes: u64| bytes as f64 / 1_048_576.0;
    text.push_str("\nStats on memory usage (in Megabytes):\n");
    let stored = megabytes(numbers.store_bytes);
    let _ = writeln!(text, "{stored:9.3}\tactual memory usage for states");
    let peak = megabytes(facts.peak);
    let _ = writeln!(text, "{peak:9.3}\ttotal actual memory usage\n");
}

/// The statements of a proctype no run comes to. Choices, jumps and `skip`s are not
/// listed, nor are claims other than the one of this search.
fn unreached(facts: &Facts<'_>, id: ProctypeId, text: &mut String) {
    let (program, listing) = (facts.program, &facts.loaded.listing);
    let is_claim = |id| program.claims.iter().any(|claim| claim.kind == ClaimKind::Never(id));
    let is_trace = program.trace.as_ref().is_some_and(|trace| trace.automaton == id);
    if is_trace || (is_claim(id) && facts.run.rules.claim != Some(id)) {
        return;
    }
    let kind = &program.proctypes[id];
    let word = match (is_claim(id), kind.name.as_str()) {
        (true, name) => format!("claim {name}"),
        (false, "init") => "init".to_owned(),
        (false, name) => format!("proctype {name}"),
    };
    let _ = writeln!(text, "unreached in {word}");
    let entered = entered(facts, id);
    let mut lines = Vec::new();
    for (at, _) in kind.locations.iter_ids().filter(|(at, _)| !entered.contains(at)) {
        lines.extend(statement_at(facts, id, at));
    }
    lines.sort();
    for (_, line) in &lines {
        let _ = writeln!(text, "\t{line}");
    }
    let _ = writeln!(text, "\t({} of {} states)", lines.len(), listing.count(id));
}

/// Where processes of a proctype came: to its start, if there was one, and to where
/// executed edges lead.
fn entered(facts: &Facts<'_>, id: ProctypeId) -> BTreeSet<LocationId> {
    use base::Id;
    let kind = &facts.program.proctypes[id];
    let executed = &facts.run.executed[id.index()];
    let fired = kind.edges.iter().zip(executed).filter(|(_, fired)| **fired);
    let mut entered: BTreeSet<LocationId> = fired.flat_map(|(e, _)| [e.from, e.to]).collect();
    if facts.program.start.contains(&id) || facts.run.rules.claim == Some(id) {
        entered.insert(kind.start);
    }
    entered
}

/// The statement that stands at a location, if it is one and the location is not
/// inside a `d_step`.
fn statement_at(facts: &Facts<'_>, id: ProctypeId, at: LocationId) -> Option<(u32, String)> {
    let kind = &facts.program.proctypes[id];
    let listing = &facts.loaded.listing;
    let number = listing.state(id, at)?;
    let is_reachable = crate::promela::reachable(kind).contains(&at);
    let own = kind.edges_from(at).find_map(|(edge, known)| {
        let statement = listing.statement(id, edge)?;
        (statement.state == number).then_some((known, statement))
    });
    let (edge, statement) = own.filter(|(edge, _)| is_reachable && edge.action != Action::Skip)?;
    let sources = &facts.loaded.sources;
    let place = sources.place(sources.statement(edge.span));
    let step = matches!(edge.action, Action::Deterministic { .. });
    let text = match step {
        true => format!("D_STEP{}", place.line),
        false => statement.text.replace('"', "'").replace("\\\\", "\\"),
    };
    Some((number, format!("{}:{}, state {number}, \"{text}\"", place.file, place.line)))
}
