//! Assertions: the four of the alternating bit protocol (1987), the two of the small
//! example (1985), and the errors of the session protocol (1985).

use crate::findings::{Agrees, Compared, Findings, Table, seconds};
use crate::lab::{Lab, NotRun, Text};
use crate::models;
use crate::orders::{Order, Readable, events};
use pipeline::{Default_, End, Options, Search};
use report::{Axis, Chart, Look, Plot, PropertyVerdict, Report, Series, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use trace::Scenario;

/// The papers' three counterexamples, event for event. The scan of the third one has lost
/// its columns; the protocol leaves one reading.
const RUNS: [&str; 3] = [
    "link msg1, sender tau, link [msg1]",
    "link msg1, receiver msg1, link ack1, user msg1, sender tau, link msg1, receiver [msg1]",
    "link msg1, receiver msg1, link ack1, user msg1, sender tau, link msg1, receiver msg1, \
     link ack1, sender ack1, link msg0, receiver msg0, link ack0, user msg0, sender tau, \
     link msg0, receiver msg0, link ack0, sender ack0, link msg1, receiver msg1, link ack1, \
     user [msg1]",
];

/// What all depth-first orders find first.
struct Survey {
    readable: Readable,
    /// Each order with its run.
    runs: Vec<(Order, Scenario)>,
}

impl Survey {
    fn new(lab: &Lab<'_>, text: Text<'_>) -> Result<Self, NotRun> {
        let readable = Readable::new(lab, text, Options::default())?;
        let mut runs = Vec::new();
        for order in Order::all(readable.model.processes.len()) {
            if let Some(run) = readable.first_error(&order)? {
                runs.push((order, run));
            }
        }
        Ok(Self { readable, runs })
    }

    fn run(&self, order: &Order) -> Option<&Scenario> {
        self.runs.iter().find(|(other, _)| other == order).map(|(_, run)| run)
    }

    /// The orders that find exactly this run first.
    fn orders(&self, wanted: &str) -> Vec<&Order> {
        let same = self.runs.iter().filter(|(_, run)| events(run).join(", ") == wanted);
        same.map(|(order, _)| order).collect()
    }
}

/// E1.
pub(crate) fn alternating_bit(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let texts = [models::ABP_1, models::ABP_2, models::ABP_3];
    let mut surveys = Vec::new();
    for text in texts {
        surveys.push(Survey::new(lab, text)?);
    }
    // One tracer made all three runs, so one order must give them all.
    let mut shared = surveys[0].orders(RUNS[0]);
    shared.retain(|order| {
        let others = surveys.iter().zip(RUNS).skip(1);
        others.into_iter().all(|(survey, run)| survey.orders(run).contains(order))
    });
    let mut findings = Findings { table: orders_table(&surveys), ..Findings::default() };
    for (number, survey) in surveys.iter().enumerate() {
        let what = format!("assertion {}", number + 1);
        let paper = format!("violated, {} events", RUNS[number].split(", ").count());
        let ours = shared.first().and_then(|order| survey.run(order));
        let ours = ours.map_or("another run".to_owned(), |run| {
            format!("violated, {} events", events(run).len())
        });
        findings.compared.push(Compared::exact(&what, paper, ours));
        let (equal, all) = (survey.orders(RUNS[number]).len(), survey.runs.len());
        findings.notes.push(format!(
            "{what}: {equal} of {all} depth-first orders find the paper's run first"
        ));
    }
    let last = lab.check(models::ABP_4, &Options::default())?;
    let verdict = if last.report.verdict == Verdict::Holds { "holds" } else { "violated" };
    findings.compared.push(Compared::exact("assertion 4", "holds", verdict));
    findings.compared.push(times(lab)?);
    if let Some(order) = shared.first() {
        let words = order.words(&surveys[2].readable.model);
        let all = format!("all three runs, event for event, with processes in the order {words}");
        let paper = "3 + 7 + 22 events";
        let mut same = Compared::exact("the runs themselves", paper, paper);
        same.because = all;
        findings.compared.push(same);
        findings.exhibit = exhibit(&surveys[2], order);
    }
    findings.plots = vec![lengths(&surveys)];
    Ok(findings)
}

/// All four, with today's default search.
fn times(lab: &mut Lab<'_>) -> Result<Compared, NotRun> {
    let mut ours = Vec::new();
    for text in [models::ABP_1, models::ABP_2, models::ABP_3, models::ABP_4] {
        ours.push(seconds(lab.check(text, &Options::default())?.stats().seconds.total));
    }
    let both = ("1.2 s, 1.4 s, 1.6 s, 1.7 s", ours.join(", "));
    Ok(Compared::shape("time of each", both, true, "other machines; a moment each, then and now"))
}

fn orders_table(surveys: &[Survey]) -> Table {
    let mut table = Table::new("assertion order events as_the_paper");
    for (number, survey) in surveys.iter().enumerate() {
        for (order, run) in &survey.runs {
            let found = events(run);
            let same = found.join(", ") == RUNS[number];
            table.row(&[&(number + 1), &order.words(&survey.readable.model), &found.len(), &same]);
        }
    }
    table
}

/// How long the first run is, over all orders.
fn lengths(surveys: &[Survey]) -> Plot {
    let all = surveys.iter().flat_map(|survey| &survey.runs);
    let lengths: BTreeSet<usize> = all.map(|(_, run)| events(run).len()).collect();
    let names: Vec<String> = lengths.iter().map(usize::to_string).collect();
    let place = |length: usize| lengths.iter().position(|other| *other == length).unwrap_or(0);
    let series = surveys.iter().enumerate().map(|(number, survey)| {
        let mut counts: BTreeMap<usize, u32> = BTreeMap::new();
        for (_, run) in &survey.runs {
            *counts.entry(events(run).len()).or_default() += 1;
        }
        let points =
            counts.iter().map(|(length, count)| (place(*length) as f64, f64::from(*count)));
        Series::bars(&format!("assertion {}", number + 1), points.collect())
    });
    Plot::new(
        "E1  How long the first counterexample is depends on the order",
        "Alternating bit protocol of 1987, depth first, timeouts last: 24 orders of \
         processes, options forwards and backwards. The paper prints 3, 7 and 22 events.",
        [
            Axis::names(
                "events of the first counterexample",
                &names.iter().map(String::as_str).collect::<Vec<_>>(),
            ),
            Axis::linear("orders"),
        ],
        series.collect(),
    )
}

/// The run as the paper prints it.
fn exhibit(survey: &Survey, order: &Order) -> Option<String> {
    let scenario = survey.run(order)?;
    let source = pipeline::Source::new(models::ABP_3.name, models::ABP_3.text.as_bytes());
    let shown = pipeline::show(source, &Options::default(), &pipeline::Memory::default());
    let chart = Chart::of_scenario(models::ABP_3.name, &shown.channels, scenario);
    let chart = Chart { watched: vec!["user"], ..chart };
    Some(report::columns(&chart, &Look { columns_first: true, whole: true, ..Look::default() }))
}

/// E2.
pub(crate) fn small_example(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let mut table = Table::new("model verdict first_step machines states seconds");
    let mut compared = Vec::new();
    let rows = [
        (models::ABC_1, "assertion C!a; C!b", "violated, first C!b", "3, 3, 7 and 3"),
        (models::ABC_2, "assertion A!c; B!c", "holds", "3, 3, 7 and 3"),
        (models::ABC, "no assertion", "holds", "3, 3, 7"),
    ];
    for (text, what, paper, sizes) in rows {
        let run = lab.check(text, &Options { search: Search::Dfs, ..Options::default() })?;
        let first = run.report.errors.first();
        let step = first.and_then(|error| error.scenario.trace.first());
        let step = step.map_or(String::new(), |event| event.action.clone());
        let verdict = word(run.report.verdict);
        let ours = match step.as_str() {
            "" => verdict.to_owned(),
            step => format!("{verdict}, first {step}"),
        };
        let machines = machine_sizes(&run.report);
        let time = run.stats().seconds.total;
        table.row(&[&text.name, &verdict, &step, &machines, &run.stats().states, &time]);
        compared.push(Compared::exact(what, paper, ours));
        compared.push(Compared::exact(&format!("{what}: machine sizes"), sizes, machines));
    }
    let notes = vec![
        "the paper's times, 1.35, 1.32 and 1.18 s, are a VAX's; ours are in the table".to_owned(),
    ];
    Ok(Findings { table, compared, notes, ..Findings::default() })
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Incomplete => "incomplete",
        Verdict::Possible => "possible",
        Verdict::Impossible => "impossible",
        Verdict::Error => "error",
    }
}

/// `3, 3, 7 and 3`: processes, and assertions behind the `and`.
fn machine_sizes(report: &Report) -> String {
    let sizes = |assertion: bool| -> Vec<String> {
        let machines = report.machines.iter().filter(|machine| machine.assertion == assertion);
        machines.map(|machine| machine.states.to_string()).collect()
    };
    match sizes(true).as_slice() {
        [] => sizes(false).join(", "),
        assertions => format!("{} and {}", sizes(false).join(", "), assertions.join(", ")),
    }
}

/// E3.
pub(crate) fn session(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let mut table = Table::new("default end error events states");
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut findings = Findings::default();
    let readings = [
        ("any/home", Default_::Any, End::Home),
        ("any/strict", Default_::Any, End::Strict),
        ("else/home", Default_::Else, End::Home),
        ("else/strict", Default_::Else, End::Strict),
    ];
    for (name, default, end) in readings {
        let options = Options { default, end, all_errors: true, ..Options::default() };
        let run = lab.check(models::NBS, &options)?;
        for error in &run.report.errors {
            let states = run.stats().states;
            table.row(&[&default.word(), &end.word(), &error.group, &error.events, &states]);
            found.entry(name).or_default().push(error.group.clone());
        }
        if name == "any/home" {
            findings.compared.push(sizes_as_printed(lab, &run.report)?);
            findings.compared.push(fast(&run.report));
        }
    }
    let counts = |name: &str| found.get(name).map_or(0, Vec::len);
    let fitting: Vec<&str> =
        readings.map(|row| row.0).into_iter().filter(|n| counts(n) == 4).collect();
    findings.compared.push(Compared::exact("error sequences", 4, counts("any/home")));
    findings.notes.push(format!("four errors are found under the readings {}", fitting.join(", ")));
    for printed in ["conn_resp in B at closed", "m2 in A at closed"] {
        let ours = found.values().all(|errors| errors.iter().any(|e| e.contains(printed)));
        let ours = if ours { "found" } else { "not found" };
        findings.compared.push(Compared::exact(
            &format!("printed error: {printed}"),
            "found",
            ours,
        ));
    }
    let types: BTreeSet<&String> = found.get("any/home").into_iter().flatten().collect();
    findings.compared.push(Compared::differs(
        "types of errors",
        (2, types.len()),
        "close_req can also be left where nobody takes it, under every reading, and under this \
         one there is a deadlock beside; the paper does not say what it takes for one type",
    ));
    findings.table = table;
    Ok(findings)
}

/// The scan that 1987 prints for transit states replaces the targets of actions, and the start
/// state is no target of any: a label before the first statement stays a state. Ours is
/// redirected as well.
fn sizes_as_printed(lab: &Lab<'_>, report: &Report) -> Result<Compared, NotRun> {
    let readable = Readable::new(lab, models::NBS, Options::default())?;
    let kept = readable.model.processes.iter().map(|process| {
        let first = process.body.statements.first();
        usize::from(first.is_some_and(|statement| !statement.labels.is_empty()))
    });
    let machines = report.machines.iter().filter(|machine| !machine.assertion);
    let sizes = machines.zip(kept).map(|(machine, kept)| (machine.states + kept).to_string());
    let ours = sizes.collect::<Vec<_>>().join(", ");
    let mut row = Compared::exact("sizes", "27, 27, 10, 6", ours);
    if row.agrees == Agrees::Yes {
        row.because = format!(
            "by the scan that 1987 prints, which leaves a label before the first statement; argos \
             passes over it: {}",
            machine_sizes(report)
        );
    }
    Ok(row)
}

fn fast(report: &Report) -> Compared {
    let undecided = |verdict: PropertyVerdict| verdict == PropertyVerdict::Unknown;
    let complete = report.properties.iter().all(|property| !undecided(property.verdict));
    let both = ("compiled in 23 s, < 3 s", seconds(report.stats.seconds.total));
    Compared::shape("time", both, complete, "other machines; the search is complete then and now")
}
