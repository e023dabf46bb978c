//! What minimising machines is worth (1985, 1987).

use crate::findings::{Compared, Findings, Table};
use crate::lab::{Lab, NotRun, Text};
use crate::models;
use pipeline::{Options, Search};
use report::{Axis, Plot, Report, Series, thousands};

/// E4.
pub(crate) fn redundant_receiver(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let run = lab.check(models::SEVEN_STATES, &Options::default())?;
    let mut table = Table::new("machine before after");
    for machine in &run.report.machines {
        table.row(&[&machine.name, &machine.states_raw, &machine.states]);
    }
    let receiver = run.report.machines.iter().max_by_key(|machine| machine.states_raw);
    let ours = receiver.map_or(String::new(), |m| format!("{} -> {}", m.states_raw, m.states));
    let compared = vec![Compared::exact("the redundant receiver", "7 -> 4", ours)];
    Ok(Findings { table, compared, ..Findings::default() })
}

/// A search of everything, with machines minimised or not.
pub(crate) fn whole(no_minimise: bool) -> Options {
    let search = Search::Dfs;
    Options { search, no_minimise, all_errors: true, shorten_budget: 0, ..Options::default() }
}

/// E5.
pub(crate) fn minimised_machines(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let mut table = Table::new("model minimised machines states matched seconds");
    let switch = models::data_switch(2);
    let one_slot = Options { capacity: Some(1), ..Options::default() };
    let texts = [
        (models::NBS, "NBS", Options::default()),
        (models::SETUP, "set-up", Options::default()),
        (models::ABP, "ABP", Options::default()),
        (Text { name: models::DATA_SWITCH.name, text: &switch }, "data switch", one_slot),
    ];
    let (mut plain, mut small) = (Vec::new(), Vec::new());
    let mut compared = Vec::new();
    for (place, (text, name, base)) in texts.iter().enumerate() {
        let mut found = Vec::new();
        for no_minimise in [true, false] {
            let options = Options { capacity: base.capacity, ..whole(no_minimise) };
            let run = lab.check(*text, &options)?;
            let stats = run.stats();
            let sizes = sizes(&run.report, no_minimise);
            let time = stats.seconds.search;
            table.row(&[name, &!no_minimise, &sizes, &stats.states, &stats.matched, &time]);
            found.push((sizes, stats.states, stats.matched));
        }
        let [before, after] = &found[..] else { continue };
        plain.push((place as f64, before.2 as f64));
        small.push((place as f64, after.2 as f64));
        compared.push(minimised(name, before, after));
    }
    let names: Vec<&str> = texts.iter().map(|row| row.1).collect();
    let plot = Plot::new(
        "E5  Minimised machines: about as many states, fewer matched",
        "Transitions that lead to a state already stored; complete depth-first searches, \
         the data switch with one slot per channel.",
        [Axis::names("protocol", &names), Axis::log("matched transitions")],
        vec![Series::bars("as written", plain), Series::bars("minimised", small)],
    );
    let notes = vec![models::DATA_SWITCH_IS_OURS.to_owned()];
    Ok(Findings { table, plots: vec![plot], compared, notes, exhibit: None })
}

type Measured = (String, u64, u64);

fn minimised(name: &str, before: &Measured, after: &Measured) -> Compared {
    let paper = match name {
        "data switch" => "69, 47, 7, 5 -> 35, 31, 7, 5; about as many states",
        _ => "about as many states, slightly faster",
    };
    let ours = format!(
        "{} -> {}; {} -> {} states, {} -> {} matched",
        before.0,
        after.0,
        thousands(before.1),
        thousands(after.1),
        thousands(before.2),
        thousands(after.2)
    );
    let fewer = after.1 <= before.1 && after.2 <= before.2;
    let because = if name == "data switch" {
        "a stand-in; its machines shrink as much as the paper's"
    } else {
        "never more states, never more matched"
    };
    Compared::shape(name, (paper, ours), fewer, because)
}

fn sizes(report: &Report, raw: bool) -> String {
    let machines = report.machines.iter().filter(|machine| !machine.assertion);
    let size = |machine: &report::Machine| if raw { machine.states_raw } else { machine.states };
    machines.map(|machine| size(machine).to_string()).collect::<Vec<_>>().join(", ")
}
