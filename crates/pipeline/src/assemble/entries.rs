//! Errors for a report: each run is executed again by the reference interpreter, and must
//! end as the search said.

use crate::cycles::{Cycle, FailingAtom};
use crate::decide::Found;
use crate::subject::{Form, Pass, Subject};
use crate::{Options, no_return};
use base::SourceMap;
use ltl::Formula;
use report::{Channel, ErrorEntry, Kind, Line, RunRules};
use system::{Letter, Processes};
use trace::{Explanation, Lasts, Location, Mismatch, Requirement, Run, Scenario, location};

/// An error and the channels of its run, or why there is none.
type Entry = Result<(ErrorEntry, Vec<Channel>), Mismatch>;

/// The errors, executed again; `forms` are those they were found on. Neighbours in the order of
/// their trails share most of their steps, so they are executed in that order: the 81
/// deadlocks of SPIN's `snoopy.pml`, up to 12,226 steps deep, take 2 s instead of 13 s.
pub(crate) fn error_entries(
    found: &[Found],
    forms: &[(&dyn Form, &Pass)],
    (options, sources): (&Options, &SourceMap),
    lasts: Lasts<'_>,
) -> Vec<Entry> {
    let key = |index: &usize| (found[*index].search, found[*index].trail.as_deref().ok());
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|a, b| key(a).cmp(&key(b)));
    let mut entries: Vec<Option<Entry>> = order.iter().map(|_| None).collect();
    for of_form in order.chunk_by(|a, b| found[*a].search == found[*b].search) {
        let (form, pass) = forms[found[of_form[0]].search];
        let mut run = form.run(sources);
        for index in of_form {
            let found = &found[*index];
            let entry = match &mut run {
                Ok(_) if !lasts() => Err(Mismatch::late(0)),
                Ok(run) => match &found.cycle {
                    Some(cycle) => {
                        let asked = (options, sources);
                        cycle_entry((found, cycle), (form, &mut **run), asked, lasts)
                    }
                    None => error_entry(found, &mut **run, pass, (options, sources), lasts),
                },
                Err(failure) => Err(Mismatch::new(0, &failure.message)),
            };
            entries[*index] = Some(match entry {
                Err(mismatch) if mismatch.out_of_time => Ok((unexecuted(found), Vec::new())),
                entry => entry,
            });
        }
    }
    entries.into_iter().flatten().collect()
}

/// What is known of an error whose run there was no time to execute again.
fn unexecuted(found: &Found) -> ErrorEntry {
    let steps = found.steps();
    let length = match &found.trail {
        Ok(_) => found.length.word(),
        Err(_) => "in the model as it was reduced; as it is written there may be more",
    };
    ErrorEntry { steps, length: length.to_owned(), ..not_executed(found.requirement, steps) }
}

/// An error that was found and never executed again.
pub(crate) fn not_executed(requirement: Requirement, steps: usize) -> ErrorEntry {
    let explanation = Explanation {
        requirement,
        message: "found, but there was no time to execute its run again".to_owned(),
        group: format!("{}: not executed again", super::kind_word(requirement.kind)),
        process: None,
        span: None,
        why: Vec::new(),
    };
    let place = Location { file: String::new(), line: 0, column: 0 };
    ErrorEntry { steps, replayed: false, ..at(explanation, place) }
}

fn error_entry(
    found: &Found,
    run: &mut dyn Run,
    pass: &Pass,
    (options, sources): (&Options, &SourceMap),
    lasts: Lasts<'_>,
) -> Entry {
    run.follow_while(found.trail.as_ref().map_err(Clone::clone)?, lasts)?;
    let fits = |ending: &Explanation| pass.global(ending.requirement) == found.requirement;
    let explanation =
        run.endings().into_iter().find(fits).ok_or_else(|| {
            Mismatch::new(run.steps(), "the reference interpreter ends elsewhere")
        })?;
    let is_blocked = explanation.requirement.kind.is_blocked();
    let (mut scenario, _) = run.told_while(lasts).ok_or_else(|| Mismatch::late(run.steps()))?;
    let steps = scenario.trace.len();
    let events = scenario.trace.iter().filter(|event| event.is_event()).count();
    let mut entry = ErrorEntry {
        steps,
        events,
        length: found.length.word().to_owned(),
        switches: found.switches,
        waits: run.waits().filter(|_| is_blocked),
        unspecified: if is_blocked { run.unspecified() } else { Vec::new() },
        choices: run.taken(),
        rules: run.rules(),
        ..bare(explanation, sources)
    };
    let told = no_return::told(found, run)?;
    (entry.avoidable, entry.no_return, entry.instead) = (told.avoidable, told.step, told.instead);
    entry.why.extend(told.line);
    let channels = run.channels();
    if options.to_end {
        run.go_to_end();
        scenario = run.scenario();
    }
    entry.scenario = scenario;
    Ok((entry, channels))
}

/// An infinite run, or the beginning of one that is bad whatever follows. It was judged when it
/// was found; here it is executed once more and told.
fn cycle_entry(
    (found, cycle): (&Found, &Cycle),
    (form, run): (&dyn Form, &mut dyn Run),
    (options, sources): (&Options, &SourceMap),
    lasts: Lasts<'_>,
) -> Entry {
    let trail = found.trail.as_ref().map_err(Clone::clone)?;
    let repeats = cycle.start.filter(|start| *start < trail.len());
    let cycle_start = match repeats {
        Some(start) => {
            run.follow_while(&trail[..start], lasts)?;
            let (scenario, _) = run.told_while(lasts).ok_or_else(|| Mismatch::late(start))?;
            Some(scenario.trace.len())
        }
        None => None,
    };
    run.follow_while(trail, lasts)?;
    let atoms = form.atoms(sources);
    let shown = atoms_of(cycle, atoms.len());
    let in_words = run.told_while(lasts);
    let (mut scenario, counts) = in_words.ok_or_else(|| Mismatch::late(run.steps()))?;
    let initial_truth = tell_truth(&mut scenario, &counts, &cycle.letters, &shown);
    let mut why = owed(cycle, &atoms);
    why.extend(unfair(cycle, run));
    why.extend(cycle.why.iter().cloned());
    let turning = (cycle.turning.as_ref(), options.fair);
    let avoided = no_return::told_of_cycle(turning, run, (trail, cycle.start))?;
    let steps = scenario.trace.len();
    let (message, span) = match &cycle.failing {
        Some(failing) => (unreadable(failing, &atoms, steps), failing.span),
        None => (told(found.requirement.kind, cycle, cycle_start, steps), None),
    };
    let requirement = found.requirement;
    let group = String::new();
    let explanation = Explanation { requirement, message, group, process: None, span, why };
    let mut entry = ErrorEntry {
        steps,
        events: scenario.trace.iter().filter(|event| event.is_event()).count(),
        avoidable: avoided.avoidable,
        no_return: avoided.step,
        instead: avoided.instead,
        length: found.length.word().to_owned(),
        choices: run.taken(),
        rules: run.rules(),
        cycle_start,
        stays: cycle.start.is_some() && repeats.is_none(),
        atoms: shown.iter().filter_map(|at| atoms.get(*at).cloned()).collect(),
        initial_truth,
        scenario,
        ..bare(explanation, sources)
    };
    entry.why.extend(avoided.line);
    Ok((entry, run.channels()))
}

/// The propositions that an error is about, of so many: a graph is shared by formulas.
fn atoms_of(cycle: &Cycle, all: usize) -> Vec<usize> {
    match (&cycle.failing, &cycle.bad) {
        (Some(failing), _) => vec![failing.number],
        // One that says that the system stands still is not written anywhere.
        (None, Some(formula)) => {
            formula.atoms().into_iter().map(|at| at as usize).filter(|at| *at < all).collect()
        }
        (None, None) => (0..all).collect(),
    }
}

/// Says behind each step which propositions hold; the answer is for the initial state. Where a
/// step is several events, nothing is seen between them.
fn tell_truth(
    scenario: &mut Scenario,
    events: &[usize],
    letters: &[Letter],
    atoms: &[usize],
) -> String {
    let text = |letter: &Letter| -> String {
        let sign = |at: &usize| if letter >> at & 1 != 0 { 'T' } else { 'F' };
        atoms.iter().map(sign).collect()
    };
    let mut trace = scenario.trace.iter_mut();
    for (count, pair) in events.iter().zip(letters.windows(2)) {
        for (at, event) in trace.by_ref().take(*count).enumerate() {
            event.truth = text(&pair[usize::from(at + 1 == *count)]);
        }
    }
    letters.first().map(text).unwrap_or_default()
}

/// What the formula promises and the cycle never fulfils: of every `<> p` and `q U p` that is
/// false where the cycle begins, the outermost ones.
fn owed(cycle: &Cycle, atoms: &[String]) -> Vec<(&'static str, String)> {
    let (Some(start), Some(Formula::Not(formula))) = (cycle.start, &cycle.bad) else {
        return Vec::new();
    };
    let (prefix, cyclic) = cycle.letters.split_at(start.min(cycle.letters.len()));
    let mut owed = Vec::new();
    let mut open = vec![&**formula];
    while let Some(formula) = open.pop() {
        let is_due = match formula {
            Formula::Eventually(_) | Formula::Until(..) if !cyclic.is_empty() => {
                !formula.evaluate(prefix, cyclic)[start]
            }
            _ => false,
        };
        match is_due {
            true => owed.push(formula),
            false => open.extend(formula.operands().into_iter().flatten()),
        }
    }
    let name = |atom: u32| atoms.get(atom as usize).cloned().unwrap_or_default();
    let text = |formula: &&Formula| format!("{} is never fulfilled there", formula.display(&name));
    owed.iter().map(|formula| ("open", text(formula))).collect()
}

/// Who could move in the cycle, always or again and again, and never does.
fn unfair(cycle: &Cycle, run: &dyn Run) -> Option<(&'static str, String)> {
    let snapshot = run.snapshot();
    let of = |set: Processes| -> Vec<&str> {
        let is_in = |pid: usize| set.checked_shr(pid as u32).unwrap_or(0) & 1 != 0;
        let names = snapshot.at.keys().enumerate().filter(|(pid, _)| is_in(*pid));
        names.map(|(_, name)| name.as_str()).collect()
    };
    let (always, often) = (of(cycle.starved), of(cycle.starved_often));
    let (starved, how) = match always.is_empty() {
        true => (often, "can move there again and again"),
        false => (always, "can always move there"),
    };
    let does = if starved.len() == 1 { "does" } else { "do" };
    let text = format!("{} {how}, and never {does}", starved.join(", "));
    (!starved.is_empty()).then_some(("unfair", text))
}

/// Which proposition cannot be evaluated, where, and why.
fn unreadable(failing: &FailingAtom, atoms: &[String], steps: usize) -> String {
    let atom = atoms.get(failing.number).map_or("", String::as_str);
    let place = match steps {
        0 => "in the initial state".to_owned(),
        _ => format!("after step {steps}"),
    };
    format!("{} in the proposition `{atom}` {place}", failing.problem)
}

/// What a run does, in one sentence.
fn told(kind: Kind, cycle: &Cycle, cycle_start: Option<usize>, steps: usize) -> String {
    let of_state = match kind {
        Kind::Invariant => Some("false"),
        Kind::Cover => Some("true"),
        Kind::Service => Some("performed"),
        _ => None,
    };
    if let Some(value) = of_state {
        return match steps {
            0 => format!("{value} in the initial state"),
            steps => format!("{value} after step {steps}"),
        };
    }
    let what = match (cycle_start, cycle.start) {
        (Some(start), _) if start + 1 == steps => format!("step {steps} can repeat for ever"),
        (Some(start), _) => format!("steps {} to {steps} can repeat for ever", start + 1),
        (None, Some(_)) if steps == 0 => "the system stops at once and stays there".to_owned(),
        (None, Some(_)) => format!("the system can stop after step {steps} and stay there"),
        (None, None) if steps == 0 => "violated in the initial state".to_owned(),
        (None, None) => format!("violated after step {steps}, whatever follows"),
    };
    format!("{what}{}", cycle.violation)
}

/// What is to be said of an error without a run.
fn bare(explanation: Explanation, sources: &SourceMap) -> ErrorEntry {
    let place = location(sources, explanation.span);
    at(explanation, place)
}

fn at(explanation: Explanation, location: Location) -> ErrorEntry {
    let line = |(head, text): (&str, String)| Line { head: head.to_owned(), text };
    ErrorEntry {
        kind: explanation.requirement.kind,
        group: explanation.group,
        message: explanation.message,
        process: explanation.process,
        location,
        steps: 0,
        events: 0,
        length: "shortest".to_owned(),
        switches: None,
        replayed: true,
        why: explanation.why.into_iter().map(line).collect(),
        waits: None,
        unspecified: Vec::new(),
        scenario: Scenario::default(),
        cycle_start: None,
        stays: false,
        atoms: Vec::new(),
        initial_truth: String::new(),
        avoidable: None,
        no_return: None,
        instead: None,
        choices: Vec::new(),
        rules: RunRules::default(),
    }
}

/// A model whose initial values fail never gets anywhere.
pub(crate) fn initial_failure(
    subject: &dyn Subject,
    options: &Options,
    sources: &SourceMap,
) -> Option<ErrorEntry> {
    let failure = subject.run(options, &RunRules::default(), sources).err()?;
    Some(bare(failure, sources))
}
