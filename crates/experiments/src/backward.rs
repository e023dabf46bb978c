//! Backward execution: the three protocols of 1984.

use crate::findings::{Compared, Findings, Table, seconds};
use crate::lab::{Lab, NotRun, Text};
use crate::models;
use pipeline::{BackwardAsked, Options, Scope, Tricks};
use report::{Axis, Backward, Plot, Reached, Series};

/// States of the forward search, at most: all these protocols have fewer.
const FORWARD_STATES: u64 = 100_000;

fn asked(compare: bool) -> BackwardAsked {
    BackwardAsked {
        scope: Scope { deadlocks: true, receptions: false, sends: false },
        tricks: Tricks { invariants: true, share: true, subsume: true },
        states: None,
        compare,
        forward_states: FORWARD_STATES,
    }
}

/// Claims of the method of 1984, all together.
fn as_1984(done: &Backward) -> u64 {
    done.candidates.iter().filter_map(|candidate| candidate.states_1984.flatten()).sum()
}

const COLUMNS: &str =
    "model capacity candidates reachable states_1984 states forward_states seconds";

/// One protocol with several sizes of its channels.
fn measured(
    lab: &mut Lab<'_>,
    text: Text<'_>,
    capacities: &[u32],
) -> Result<(Table, Vec<(u32, Backward)>), NotRun> {
    let mut table = Table::new(COLUMNS);
    let mut all = Vec::new();
    for capacity in capacities {
        let options = Options { capacity_default: *capacity, ..Options::default() };
        let done = lab.backward(text, &options, &asked(true))?;
        let (candidates, reachable) = (done.candidates.len(), done.count(Reached::Reachable));
        let (then, now, forward) = (as_1984(&done), done.states(), done.forward.states);
        let time = done.report.stats.seconds.total;
        table.row(&[&text.name, capacity, &candidates, &reachable, &then, &now, &forward, &time]);
        all.push((*capacity, done));
    }
    Ok((table, all))
}

/// Candidates and reachable ones, the same for all sizes.
fn counts(all: &[(u32, Backward)], paper: usize) -> Vec<Compared> {
    let (_, first) = &all[0];
    let same = |count: fn(&Backward) -> usize| all.iter().all(|row| count(&row.1) == count(first));
    let candidates = |done: &Backward| done.candidates.len();
    let reachable = |done: &Backward| done.count(Reached::Reachable);
    let said = |count: usize, stable: bool| match stable {
        true => count.to_string(),
        false => format!("{count}, not for all sizes"),
    };
    vec![
        Compared::exact("potential errors", paper, said(candidates(first), same(candidates))),
        Compared::exact("of them reachable", 1, said(reachable(first), same(reachable))),
    ]
}

/// Work by the size of the channels.
fn growth(title: &str, subtitle: &str, all: &[(u32, Backward)]) -> Plot {
    let line = |name: &str, of: fn(&Backward) -> u64| {
        let points = all.iter().map(|(size, done)| (f64::from(*size), of(done) as f64));
        Series::line(name, points.collect())
    };
    Plot::new(
        title,
        subtitle,
        [Axis::linear("slots of each channel"), Axis::log("states looked at")],
        vec![
            line("backward, as in 1984", as_1984),
            line("backward, with invariants", Backward::states),
            line("forward", |done| done.forward.states),
        ],
    )
}

/// E22.
pub(crate) fn set_up(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let (table, all) = measured(lab, models::SETUP, &[1, 2, 3, 4])?;
    let mut compared = counts(&all, 47);
    let (_, done) = &all[0];
    let ours = format!(
        "{} states forward, {} backward ({} as in 1984)",
        done.forward.states,
        done.states(),
        as_1984(done)
    );
    let paper = "4.4 s forward, 3.9 s backward, roughly the same";
    let roughly = as_1984(done) < 2 * done.forward.states;
    let because = "the method of 1984 explores as much as a forward search; with invariants, less";
    compared.push(Compared::shape("cost", (paper, ours), roughly, because));
    compared.push(alone(done));
    let plot = growth(
        "E22  Set-up protocol of 1984: backward against forward",
        "47 potential deadlocks, one of them real. Invariants rule most of them out without a search.",
        &all,
    );
    Ok(Findings { table, plots: vec![plot], compared, ..Findings::default() })
}

/// The reachable candidate by itself.
fn alone(done: &Backward) -> Compared {
    let real = done.candidates.iter().find(|candidate| candidate.verdict == Reached::Reachable);
    let states = real.map_or(0, |candidate| candidate.states);
    let ours = format!("{states} of {} states", as_1984(done));
    let less = states < as_1984(done) / 2;
    let because = "the one deadlock costs a part of what all the candidates cost";
    Compared::shape("the real one alone", ("0.3 s of 3.9 s", ours), less, because)
}

/// E23.
pub(crate) fn deletion(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let (table, all) = measured(lab, models::DELETION, &[1, 2, 3, 4, 6, 8])?;
    let mut compared = counts(&all, 5);
    let (_, done) = &all[0];
    let ours = format!("{} states forward, {} backward", done.forward.states, as_1984(done));
    let slower = as_1984(done) > done.forward.states;
    compared.push(Compared::shape(
        "cost",
        ("0.3 s forward, 1.1 s backward", ours),
        slower,
        "backward costs a multiple of forward, as in 1984",
    ));
    let work: Vec<u64> = all.iter().map(|(_, done)| as_1984(done)).collect();
    let grows = work.windows(2).all(|pair| pair[0] < pair[1]);
    let ours: Vec<String> = work.iter().map(u64::to_string).collect();
    let both = ("claims limited only by queue size", format!("{} states", ours.join(", ")));
    compared.push(Compared::shape("slots 1, 2, 3, 4, 6, 8", both, grows, "grows with every slot"));
    let plot = growth(
        "E23  Deletion protocol of 1984: the backward claims grow with the queues",
        "5 potential deadlocks, one of them real; a forward search sees 10 states whatever the queue sizes.",
        &all,
    );
    Ok(Findings { table, plots: vec![plot], compared, ..Findings::default() })
}

/// The state that the paper calls S2.
const S2: &str = "N==2 && M==2 && empty(TOA) && empty(TOB) && len(A)==2 && len(B)==2";

/// E24.
pub(crate) fn counters(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let options = Options { target: Some(S2.to_owned()), ..Options::default() };
    let done = lab.backward(models::COUNTERS, &options, &asked(false))?;
    let Some(candidate) = done.candidates.first() else {
        return Err(NotRun::Failed("nothing was searched for".to_owned()));
    };
    let reached = |yes: bool| if yes { "reachable" } else { "not reachable" };
    let backward = reached(candidate.verdict == Reached::Reachable);
    let forward = reached(done.forward.found);
    let mut table = Table::new("question backward states forward forward_states");
    table.row(&[&S2, &backward, &candidate.states, &forward, &done.forward.states]);
    let mut compared = vec![
        Compared::exact("S2 from S1, backward", "reachable", backward),
        Compared::exact("S2 from S1, forward", "reachable", forward),
    ];
    compared.push(both_ways(candidate));
    let whole = lab.check(models::COUNTERS, &Options::default())?;
    let tables = lab.reversed(models::COUNTERS)?;
    let states = tables.first().map_or(0, |machine| machine.graph.nodes.len());
    compared.push(Compared::exact("states of the reversed table", 5, states));
    let first = whole.report.errors.first().map_or(String::new(), |error| error.group.clone());
    compared.push(Compared::differs(
        "S2 is a deadlock",
        ("yes", "no"),
        "as printed, both processes can still take a message there; the deadlock of this text is \
         another state",
    ));
    let time = seconds(done.report.stats.seconds.total);
    let notes = vec![format!("backward in {time}; the deadlock that the text has: {first}")];
    Ok(Findings { table, compared, notes, ..Findings::default() })
}

/// The paper's proof goes twice round each machine.
fn both_ways(candidate: &report::Candidate) -> Compared {
    let steps = candidate.trace.as_deref().unwrap_or_default();
    let sends = |channel: &str| {
        let action = format!("{channel}!msg");
        steps.iter().filter(|event| event.action == action).count()
    };
    let ours = format!("{} + {} rounds", sends("A"), sends("B"));
    Compared::exact("rounds of the two processes", "2 + 2 rounds", ours)
}
