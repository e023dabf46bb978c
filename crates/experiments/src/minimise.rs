//! What minimising machines and storing fewer states are worth (1985, 1987).

use crate::findings::{Compared, Findings, Table};
use crate::lab::{Lab, NotRun, Text};
use crate::models;
use pipeline::{Networks, Options, Search, Store};
use report::{Axis, Plot, Report, Series, thousands};
use search::{Plan, Request, Unwatched};
use std::cell::Cell;
use system::{Blocked, Budget, Successors, System, Word};

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
fn whole(no_minimise: bool) -> Options {
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
    Ok(Findings { table, plot: Some(plot), compared, notes, exhibit: None })
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

/// E6.
pub(crate) fn loop_states(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let mut table = Table::new("model states labelled_states errors errors_labelled");
    let texts =
        [(models::ABC_2, "abc"), (models::NBS, "NBS"), (models::ABP, "ABP"), (models::X21, "X.21")];
    let (mut all, mut labelled) = (Vec::new(), Vec::new());
    let mut compared = Vec::new();
    for (place, (text, name)) in texts.into_iter().enumerate() {
        let count = labelled_states(lab, text)?;
        let path = errors(lab, text, Store::Path)?;
        let loops = errors(lab, text, Store::Labelled)?;
        table.row(&[&name, &count.states, &count.labelled, &path.len(), &loops.len()]);
        all.push((place as f64, count.states as f64));
        labelled.push((place as f64, count.labelled as f64));
        let ours = format!("{} of {} states, {} errors", count.labelled, count.states, loops.len());
        let holds = count.labelled < count.states && loops == path;
        let because = match holds {
            true => "fewer states stored, the same errors",
            false => "here some process is always where a loop can begin, so nothing is saved",
        };
        let both = ("small but consistent reduction", ours);
        compared.push(Compared::shape(name, both, holds, because));
    }
    let plot = Plot::new(
        "E6  Storing only states where a loop can begin",
        "Reachable states, and those in which some process is at a label or at the head \
         of a loop, which are all that a depth-first search has to store.",
        [Axis::names("protocol", &["abc", "deletion", "X.21", "NBS"]), Axis::linear("states")],
        vec![Series::bars("all", all), Series::bars("labelled", labelled)],
    );
    Ok(Findings { table, plot: Some(plot), compared, ..Findings::default() })
}

/// The types of errors that a search with this store finds.
fn errors(lab: &mut Lab<'_>, text: Text<'_>, store: Store) -> Result<Vec<String>, NotRun> {
    let run = lab.check(text, &Options { store, ..whole(false) })?;
    let mut types: Vec<String> =
        run.report.errors.iter().map(|error| error.group.clone()).collect();
    types.sort();
    Ok(types)
}

/// Counts the states of a complete search and those that are labelled.
fn labelled_states(lab: &Lab<'_>, text: Text<'_>) -> Result<Count, NotRun> {
    let options = Options::default();
    let loaded = lab.load(text, &options);
    let model =
        loaded.model().ok_or_else(|| NotRun::Failed(format!("{} has errors", text.name)))?;
    let networks = Networks::new(model, &options);
    let system = engine::system(&networks.searched, engine::Order::Declared);
    let counting = Counting { system: &*system, count: Cell::default() };
    // Depth first the path is the trail: no state is asked about twice.
    let order = search::Order::DepthFirst;
    let request = Request { order, all_errors: true, ..Request::default() };
    let plan = Plan::new(&request).map_err(|refusal| NotRun::Failed(refusal.to_string()))?;
    search::run(&counting, &mut [], &plan, &mut Unwatched)
        .map_err(|refusal| NotRun::Failed(refusal.to_string()))?;
    Ok(counting.count.get())
}

#[derive(Clone, Copy, Default)]
struct Count {
    states: u64,
    labelled: u64,
}

/// A system that counts the states it is asked about: a complete search asks once for
/// each.
struct Counting<'s> {
    system: &'s dyn System,
    count: Cell<Count>,
}

impl System for Counting<'_> {
    fn width(&self) -> usize {
        self.system.width()
    }

    fn initial(&self, words: &mut [Word]) {
        self.system.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let Count { states, labelled } = self.count.get();
        let is_head = self.system.loop_heads().is_some_and(|heads| heads.is_loop_head(state));
        let labelled = labelled + u64::from(is_head);
        self.count.set(Count { states: states + 1, labelled });
        self.system.successors(state, out, budget)
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.system.blocked(state)
    }
}
