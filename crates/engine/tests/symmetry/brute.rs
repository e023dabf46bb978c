//! Orbits in the plainest way: every permutation of a state of the reference interpreter.

use program::reference::{Declared, State};
use program::{LocationId, Program, VariableId};
use testkit::promela::symmetric::Model;

/// Who can be exchanged in a random model, and what stands for whom.
pub(crate) struct Brute {
    pids: Vec<usize>,
    numbers: Vec<i32>,
    orders: Vec<Vec<usize>>,
    globals: Vec<String>,
    /// Of the proctype of the processes that are alike.
    locals: Vec<String>,
    /// Where each proctype ends.
    ends: Vec<LocationId>,
}

/// A process: its proctype, its location and the values of its locals; none if it has ended.
type Process = Option<(usize, usize, Vec<Vec<i32>>)>;

/// The least of all permutations of a state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Orbit {
    processes: Vec<Process>,
    globals: Vec<Vec<i32>>,
    channels: Vec<Vec<Vec<i32>>>,
}

impl Brute {
    pub(crate) fn new(program: &Program, model: &Model) -> Self {
        let kind = program.proctypes.iter().find(|kind| kind.name.as_str() == "W");
        let kind = kind.expect("there is one");
        let names = |variables: &base::IdVec<VariableId, program::Variable>| {
            variables.iter().map(|variable| variable.name.to_string()).collect()
        };
        Self {
            pids: model.pids.clone(),
            numbers: model.numbers.clone(),
            orders: orders(model.pids.len()),
            globals: names(&program.globals),
            locals: names(&kind.variables),
            ends: program.proctypes.iter().map(|kind| kind.end).collect(),
        }
    }

    /// The orbit of a state in which nothing moves: nobody tells who stands at his end from who
    /// has ended.
    pub(crate) fn at_rest(&self, state: &State) -> Orbit {
        self.least(state, true)
    }

    /// The orbit of a state.
    pub(crate) fn orbit(&self, state: &State) -> Orbit {
        self.least(state, false)
    }

    fn least(&self, state: &State, ended: bool) -> Orbit {
        // Before they are created nobody can be exchanged.
        let identity: Vec<usize> = (0..self.pids.len()).collect();
        let there = ended || state.processes.len() > self.pids[0];
        let orders = if there { &self.orders[..] } else { &[][..] };
        let permuted = orders.iter().map(|order| self.permuted(state, order, ended)).min();
        permuted.unwrap_or_else(|| self.permuted(state, &identity, ended))
    }

    fn renamed(&self, order: &[usize], value: i32) -> i32 {
        let member = self.numbers.iter().position(|number| *number == value);
        member.map_or(value, |member| self.numbers[order[member]])
    }

    fn permuted(&self, state: &State, order: &[usize], ended: bool) -> Orbit {
        let rename = |value: &i32| self.renamed(order, *value);
        let element = |index: usize| self.renamed(order, index as i32) as usize;
        let places = self.pids.len() + self.pids[0];
        let mut processes: Vec<Process> = vec![None; places.max(state.processes.len())];
        for (pid, process) in state.processes.iter().enumerate() {
            if ended && process.location == self.ends[base::Id::index(process.proctype)] {
                continue;
            }
            let member = self.pids.iter().position(|it| *it == pid);
            let target = member.map_or(pid, |member| self.pids[order[member]]);
            let locals = process.locals.iter().enumerate().map(|(at, values)| {
                match member.is_some() && ["p", "i"].contains(&&*self.locals[at]) {
                    true => values.iter().map(rename).collect(),
                    false => values.to_vec(),
                }
            });
            let location = base::Id::index(process.location);
            processes[target] =
                Some((base::Id::index(process.proctype), location, locals.collect()));
        }
        let mut globals = Vec::new();
        for (name, values) in self.globals.iter().zip(&state.globals) {
            let mut moved = values.to_vec();
            for (at, value) in values.iter().enumerate() {
                let value = if ["o", "w"].contains(&&**name) { rename(value) } else { *value };
                let target = if ["f", "w"].contains(&&**name) { element(at) } else { at };
                moved[target] = value;
            }
            globals.push(moved);
        }
        let mut channels = vec![Vec::new(); state.channels.len()];
        let name = |at: usize| match state.channels[at].declared {
            Declared::Global(id) => &*self.globals[base::Id::index(id)],
            Declared::Local(..) => "",
        };
        for (at, channel) in state.channels.iter().enumerate() {
            let first = (0..at).filter(|other| name(*other) == name(at)).count();
            let target = if name(at) == "r" { at - first + element(first) } else { at };
            let message = |message: &Vec<i32>| match name(at) == "q" {
                true => message.iter().map(rename).collect(),
                false => message.clone(),
            };
            channels[target] = channel.messages.iter().map(message).collect();
        }
        Orbit { processes, globals, channels }
    }
}

fn orders(count: usize) -> Vec<Vec<usize>> {
    let Some(less) = count.checked_sub(1) else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for order in orders(less) {
        for at in 0..=less {
            let mut order = order.clone();
            order.insert(at, less);
            all.push(order);
        }
    }
    all
}
