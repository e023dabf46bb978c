//! Storing only states where a loop can begin (1985, section IV and figure 5a).
//!
//! 1985 says: states "in which at least one of the interacting finite state machines is at the
//! start of a local execution loop". A depth-first walk through a machine meets the start of each
//! of its loops as the target of an edge that leads back into the walk, so those are the starts,
//! and every loop has one. 1987 says: at a label, or at the head of a `do`; there are more of
//! these, and they are what `--store labelled` goes by.

use crate::findings::{Compared, Findings, Table};
use crate::lab::{Lab, NotRun, Text};
use crate::minimise::whole;
use crate::models;
use automata::{Machine, Network};
use base::{Id, IdVec};
use engine::Readable;
use pipeline::{Networks, Options, Store};
use report::{Axis, Plot, Series, thousands};
use search::{Order, Plan, Request};
use std::cell::Cell;
use system::{Blocked, Budget, Successors, System, Word};

/// A model to be searched completely.
struct Subject<'a> {
    name: &'static str,
    text: Text<'a>,
    capacity: Option<u32>,
    /// Whether searches that store only a path end in reasonable time.
    is_small: bool,
}

/// E6.
pub(crate) fn loop_states(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let switch = models::data_switch(if lab.is_full() { 2 } else { 1 });
    let switch = Text { name: models::DATA_SWITCH.name, text: &switch };
    let small = |name, text| Subject { name, text, capacity: None, is_small: true };
    let subjects = [
        Subject { name: "data switch", text: switch, capacity: Some(1), is_small: false },
        small("abc", models::ABC_2),
        small("X.21", models::X21),
        small("NBS", models::NBS),
        small("ABP", models::ABP),
    ];
    let mut table = Table::new("model states loop_states labelled_states errors errors_labelled");
    let mut counts = Vec::new();
    let mut compared = Vec::new();
    for subject in &subjects {
        let count = counted(lab, subject)?;
        let (path, labelled) = match subject.is_small {
            true => (
                errors(lab, subject.text, Store::Path)?,
                errors(lab, subject.text, Store::Labelled)?,
            ),
            false => (Vec::new(), Vec::new()),
        };
        let [found, again] = [&path, &labelled].map(|errors| match subject.is_small {
            true => errors.len().to_string(),
            false => String::new(),
        });
        table.row(&[&subject.name, &count.states, &count.starts, &count.labelled, &found, &again]);
        compared.push(reduction(subject, count, path == labelled));
        counts.push(count);
    }
    let plot = shares(&subjects, &counts);
    let notes = vec![models::DATA_SWITCH_IS_OURS.to_owned()];
    Ok(Findings { table, plots: vec![plot], compared, notes, exhibit: None })
}

fn reduction(subject: &Subject<'_>, count: Count, same_errors: bool) -> Compared {
    let ours = format!(
        "{} of {} states; by the labels of 1987 {}",
        thousands(count.starts),
        thousands(count.states),
        thousands(count.labelled)
    );
    let fewer = count.starts < count.states && same_errors;
    let because = match (fewer, subject.is_small) {
        (true, true) => "fewer states stored, the same errors",
        (true, false) => "the protocol of figure 5a, as far as it is known: a small reduction",
        _ => {
            "the machine of its user is one loop of a single state, so some process always is where one begins"
        }
    };
    Compared::shape(subject.name, ("small but consistent reduction", ours), fewer, because)
}

fn shares(subjects: &[Subject<'_>], counts: &[Count]) -> Plot {
    let names: Vec<&str> = subjects.iter().map(|subject| subject.name).collect();
    let bars = |name: &str, pick: fn(&Count) -> u64| {
        let share = |count: &Count| 100.0 * pick(count) as f64 / count.states as f64;
        let places = counts.iter().enumerate();
        Series::bars(name, places.map(|(at, count)| (at as f64, share(count))).collect())
    };
    Plot::new(
        "E6  Storing only states where a loop can begin",
        "What a depth-first search of everything has to store: states with some process at the \
         start of a loop (1985), or at a label or the head of a loop (1987).",
        [Axis::names("protocol", &names), Axis::linear("% of the reachable states")],
        vec![
            Series::bars("all", (0..counts.len()).map(|at| (at as f64, 100.0)).collect()),
            bars("labels and heads, 1987", |count| count.labelled),
            bars("starts of loops, 1985", |count| count.starts),
        ],
    )
}

/// The types of errors that a search with this store finds.
fn errors(lab: &mut Lab<'_>, text: Text<'_>, store: Store) -> Result<Vec<String>, NotRun> {
    let run = lab.check(text, &Options { store, ..whole(false) })?;
    let mut types: Vec<String> =
        run.report.errors.iter().map(|error| error.group.clone()).collect();
    types.sort();
    Ok(types)
}

/// Counts the states of a complete search and those where a loop can begin.
fn counted(lab: &mut Lab<'_>, subject: &Subject<'_>) -> Result<Count, NotRun> {
    let options = Options { capacity: subject.capacity, ..Options::default() };
    let loaded = lab.load(subject.text, &options);
    let failed = || NotRun::Failed(format!("{} has errors", subject.name));
    let networks = Networks::new(loaded.model().ok_or_else(failed)?, &options);
    let system = engine::system(&networks.searched, engine::Order::Declared);
    let counting = Counting {
        system: &*system,
        starts: loop_starts(&networks.searched),
        count: Cell::default(),
    };
    // Depth first the path is the trail: no state is asked about twice.
    let request = Request { order: Order::DepthFirst, all_errors: true, ..Request::default() };
    let plan = Plan::new(&request).map_err(|refusal| NotRun::Failed(refusal.to_string()))?;
    lab.search(&counting, &plan, u64::MAX)?;
    Ok(counting.count.get())
}

/// For each machine, whether a loop starts in its states.
fn loop_starts(network: &Network) -> Vec<Vec<bool>> {
    network.machines.iter().map(starts).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Walked {
    Not,
    OnThePath,
    Left,
}

/// The targets of edges that lead back to the path of a depth-first walk.
fn starts(machine: &Machine) -> Vec<bool> {
    let mut walked: IdVec<_, Walked> = machine.states.iter().map(|_| Walked::Not).collect();
    let mut starts = vec![false; machine.states.len()];
    let mut path = vec![(machine.start, 0)];
    walked[machine.start] = Walked::OnThePath;
    while let Some((state, edge)) = path.last_mut() {
        let Some(next) = machine.edges_from(*state).nth(*edge).map(|(_, edge)| edge.to) else {
            walked[*state] = Walked::Left;
            path.pop();
            continue;
        };
        *edge += 1;
        match walked[next] {
            Walked::OnThePath => starts[next.index()] = true,
            Walked::Not => {
                walked[next] = Walked::OnThePath;
                path.push((next, 0));
            }
            Walked::Left => {}
        }
    }
    starts
}

#[derive(Clone, Copy, Default)]
struct Count {
    states: u64,
    labelled: u64,
    starts: u64,
}

/// A system that counts the states it is asked about: a complete search asks once for
/// each.
struct Counting<'s> {
    system: &'s dyn Readable,
    starts: Vec<Vec<bool>>,
    count: Cell<Count>,
}

impl Counting<'_> {
    fn is_start(&self, state: &[Word]) -> bool {
        let world = self.system.world(state);
        let places = world.at.iter().zip(&self.starts);
        places.into_iter().any(|(location, starts)| starts[location.index()])
    }
}

impl System for Counting<'_> {
    fn width(&self) -> usize {
        self.system.width()
    }

    fn initial(&self, words: &mut [Word]) {
        self.system.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let Count { states, labelled, starts } = self.count.get();
        let is_head = self.system.loop_heads().is_some_and(|heads| heads.is_loop_head(state));
        self.count.set(Count {
            states: states + 1,
            labelled: labelled + u64::from(is_head),
            starts: starts + u64::from(self.is_start(state)),
        });
        self.system.successors(state, out, budget)
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.system.blocked(state)
    }
}
