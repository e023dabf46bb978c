//! What SPIN's verifier prints at its end, with our figures. What does not apply
//! here, such as its hash table, is left out.

use super::Listed;
use base::Id;
use program::{Action, LocationId, ProctypeId};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Everything the summary is made from.
#[derive(Clone, Debug)]
pub struct Summary<'a> {
    /// The model.
    pub model: Listed<'a>,
    /// What watches the runs.
    pub watched: Watched<'a>,
    /// The never claim the search for errors ran with.
    pub product: Option<ProctypeId>,
    /// The order of the search.
    pub breadth_first: bool,
    /// The verifier would not have gone to the end.
    pub stopped: bool,
    /// `-A`.
    pub ignore_assertions: bool,
    /// `-E`.
    pub ignore_end_states: bool,
    /// Errors were looked for; else an infinite run was found before that.
    pub for_errors: bool,
    /// What is to be said of cycles.
    pub cycles: CycleCheck,
    /// How many errors there are.
    pub errors: usize,
    /// The figures.
    pub figures: Figures,
    /// States and steps of the model in the search for cycles, if one was made.
    pub graph: Option<(u64, u64)>,
    /// Lines about what ended the search.
    pub limits: Vec<&'static str>,
    /// For each edge of each proctype whether it was executed, if what was never executed is
    /// to be listed.
    pub executed: Option<&'a [Vec<bool>]>,
}

/// What watches the runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watched<'a> {
    /// Nothing: there is no claim.
    Nothing,
    /// Nothing: the claims were left out.
    NotSelected,
    /// The claim or formula of this name.
    Claim(&'a str),
    /// This formula would have to, but it is not decided.
    Undecided(&'a str),
    /// What SPIN has for runs without progress.
    Progress,
}

/// What is to be said of cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CycleCheck {
    /// None were looked for.
    Safety,
    /// They were asked for, and nothing is about them.
    NotSelected,
    /// They were asked for.
    Asked {
        /// Those without progress, else those with acceptance.
        progress: bool,
        /// Only those of weakly fair runs.
        fair: bool,
        /// It is known whether there are any.
        decided: bool,
    },
}

/// The figures of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figures {
    /// States stored.
    pub states: u64,
    /// States met again.
    pub matched: u64,
    /// Steps.
    pub transitions: u64,
    /// The longest path, errors included.
    pub depth: u64,
    /// Bytes of a state.
    pub state_bytes: usize,
    /// Bytes of all stored ones.
    pub store_bytes: u64,
    /// The largest memory use of the process.
    pub peak_bytes: u64,
    /// How long it took.
    pub seconds: f64,
}

/// The summary as text.
pub fn summary(facts: &Summary<'_>) -> String {
    let mut text = String::new();
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(text, "\n(argos {version}, answering in the form of Spin 6.5.2)");
    if facts.stopped {
        text.push_str("Warning: Search not completed\n");
    }
    if facts.breadth_first {
        text.push_str("\t+ Breadth-First Search\n");
    }
    text.push_str("\nFull statespace search for:\n");
    requirements(facts, &mut text);
    figures(facts, &mut text);
    if let Some(executed) = facts.executed {
        for id in facts.model.listing.in_order() {
            unreached(facts, executed, *id, &mut text);
        }
    }
    let Figures { states, seconds, .. } = facts.figures;
    let _ = writeln!(text, "\npan: elapsed time {seconds:.2} seconds");
    if seconds >= 0.01 {
        let rate = states as f64 / seconds;
        let _ = writeln!(text, "pan: rate {rate:9.0} states/second");
    }
    text
}

/// What was looked for.
fn requirements(facts: &Summary<'_>, text: &mut String) {
    let never = match facts.watched {
        Watched::Claim(name) => format!("+ ({name})"),
        Watched::Progress => "+ (:np_:)".to_owned(),
        Watched::Undecided(name) => format!("- (ltl {name}: not decided)"),
        Watched::Nothing => "- (none specified)".to_owned(),
        Watched::NotSelected => "- (not selected)".to_owned(),
    };
    let assertions = match (facts.ignore_assertions, facts.for_errors) {
        (true, _) => "- (disabled by -A flag)",
        (false, false) => "- (stopped at the first error)",
        (false, true) if facts.product.is_some() => "+ (if within scope of claim)",
        (false, true) => "+",
    };
    let ends = match facts.watched {
        Watched::Claim(_) | Watched::Progress => "- (disabled by never claim)",
        _ if facts.ignore_end_states => "- (disabled by -E flag)",
        _ if !facts.for_errors => "- (stopped at the first error)",
        _ => "+",
    };
    let _ = writeln!(text, "\tnever claim         \t{never}");
    let _ = writeln!(text, "\tassertion violations\t{assertions}");
    let _ = writeln!(text, "{}", cycles(facts.cycles));
    let _ = writeln!(text, "\tinvalid end states\t{ends}\n");
}

/// The line on cycles.
fn cycles(check: CycleCheck) -> String {
    match check {
        CycleCheck::Safety => "\tcycle checks       \t- (disabled by -DSAFETY)".to_owned(),
        CycleCheck::NotSelected => "\tacceptance   cycles \t- (not selected)".to_owned(),
        CycleCheck::Asked { progress, fair, decided } => {
            let what = if progress { "non-progress cycles " } else { "acceptance   cycles " };
            let sign = if decided { '+' } else { '-' };
            let how = match (decided, fair) {
                (false, _) => "asked for, not decided",
                (true, false) => "fairness disabled",
                (true, true) => "fairness enabled",
            };
            format!("\t{what}\t{sign} ({how})")
        }
    }
}

fn figures(facts: &Summary<'_>, text: &mut String) {
    let Figures { states, matched, transitions, depth, state_bytes, .. } = facts.figures;
    let errors = facts.errors;
    let _ =
        writeln!(text, "State-vector {state_bytes} byte, depth reached {depth}, errors: {errors}");
    let _ = writeln!(text, "{states:9} states, stored");
    let _ = writeln!(text, "{matched:9} states, matched");
    let _ = writeln!(text, "{transitions:9} transitions (= stored+matched)");
    if !facts.for_errors {
        text.push_str("          (of the model, in the search for cycles)\n");
    } else if let Some((states, steps)) = facts.graph {
        let _ = writeln!(text, "{states:9} states of the model, searched for cycles");
        let _ = writeln!(text, "{steps:9} transitions of the model, searched for cycles");
    }
    for words in &facts.limits {
        let _ = writeln!(text, "{words}");
    }
    let megabytes = |bytes: u64| bytes as f64 / 1_048_576.0;
    text.push_str("\nStats on memory usage (in Megabytes):\n");
    let stored = megabytes(facts.figures.store_bytes);
    let _ = writeln!(text, "{stored:9.3}\tactual memory usage for states");
    let peak = megabytes(facts.figures.peak_bytes);
    let _ = writeln!(text, "{peak:9.3}\ttotal actual memory usage\n");
}

/// The statements of a proctype no run comes to. Choices, jumps and `skip`s are not
/// listed, nor are claims other than the one of this search.
fn unreached(facts: &Summary<'_>, executed: &[Vec<bool>], id: ProctypeId, text: &mut String) {
    let Listed { program, listing, .. } = facts.model;
    let is_trace = program.trace.as_ref().is_some_and(|trace| trace.automaton == id);
    if is_trace || (program.is_claim(id) && facts.product != Some(id)) {
        return;
    }
    let kind = &program.proctypes[id];
    let word = match (program.is_claim(id), kind.name.as_str()) {
        (true, name) => format!("claim {name}"),
        (false, "init") => "init".to_owned(),
        (false, name) => format!("proctype {name}"),
    };
    let _ = writeln!(text, "unreached in {word}");
    let entered = entered(facts, &executed[id.index()], id);
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
fn entered(facts: &Summary<'_>, executed: &[bool], id: ProctypeId) -> BTreeSet<LocationId> {
    let program = facts.model.program;
    let kind = &program.proctypes[id];
    let fired = kind.edges.iter().zip(executed).filter(|(_, fired)| **fired);
    let mut entered: BTreeSet<LocationId> = fired.flat_map(|(e, _)| [e.from, e.to]).collect();
    if program.start.contains(&id) || facts.product == Some(id) {
        entered.insert(kind.start);
    }
    entered
}

/// The statement that stands at a location, if it is one and the location is not
/// inside a `d_step`.
fn statement_at(facts: &Summary<'_>, id: ProctypeId, at: LocationId) -> Option<(u32, String)> {
    let Listed { program, listing, sources } = facts.model;
    let kind = &program.proctypes[id];
    let number = kind.locations[at].number;
    let is_reachable = kind.reachable().contains(&at);
    let own = kind.edges_from(at).find_map(|(edge, known)| {
        let statement = listing.statement(id, edge)?;
        (statement.state == number).then_some((known, statement))
    });
    let (edge, statement) = own.filter(|(edge, _)| is_reachable && edge.action != Action::Skip)?;
    let place = sources.place(sources.statement(edge.span));
    let step = matches!(edge.action, Action::Deterministic { .. });
    let text = match step {
        true => format!("D_STEP{}", place.line),
        false => statement.text.replace('"', "'").replace("\\\\", "\\"),
    };
    Some((number, format!("{}:{}, state {number}, \"{text}\"", place.file, place.line)))
}
