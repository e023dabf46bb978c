//! Minimisation by strong equivalence (Holzmann 1987, section 4):
//! two states are equivalent if for each action of one the other has the same
//! action to an equivalent state. Never language equivalence: that would merge
//! states that block differently.

use crate::{Action, Edge, EdgeId, EndRule, Machine, Network, State, StateId};
use base::{Id, IdVec};
use std::collections::HashMap;

/// The network with every machine minimised. The end state and `end`-labelled
/// states stay apart from the others; under the home rule the start does too,
/// because there resting at the start is not like resting elsewhere.
pub fn minimise(network: &Network) -> Network {
    let mut reduced = network.clone();
    let home = network.rules.end == EndRule::Home;
    for machine in reduced.machines.iter_mut() {
        *machine = quotient(machine, &classes(machine, home));
    }
    for observer in reduced.observers.iter_mut() {
        let machine = observer.machine();
        *observer = observer.with_machine(quotient(machine, &classes(machine, false)));
    }
    reduced
}

/// The class of each state; classes are numbered by their first member.
fn classes(machine: &Machine, start_apart: bool) -> IdVec<StateId, usize> {
    let kind = |id: StateId, state: &State| {
        (id == machine.end, state.resting, start_apart && id == machine.start)
    };
    let first = renumber(machine.states.iter_ids().map(|(id, state)| kind(id, state)));
    let mut partition = Partition::new(machine, first);
    let mut dirty: Vec<StateId> = machine.states.ids().collect();
    while !dirty.is_empty() {
        dirty = partition.refine(dirty);
    }
    renumber(partition.class.iter().copied())
}

/// A partition of the states that is split until it is stable. When a class
/// splits, its largest part keeps the number, so that only states with an edge
/// into a smaller part are looked at again: every state changes its class at
/// most log n times. (Comparing all states in every round was quadratic on long
/// sequences of equal statements.)
struct Partition<'a> {
    machine: &'a Machine,
    actions: IdVec<EdgeId, usize>,
    class: IdVec<StateId, usize>,
    members: Vec<Vec<StateId>>,
    position: IdVec<StateId, usize>,
    predecessors: IdVec<StateId, Vec<StateId>>,
}

type Signature = Vec<(usize, usize)>;

impl<'a> Partition<'a> {
    fn new(machine: &'a Machine, class: IdVec<StateId, usize>) -> Self {
        let mut members: Vec<Vec<StateId>> = Vec::new();
        let mut position = IdVec::new();
        for (state, class) in class.iter_ids() {
            members.resize_with(members.len().max(class + 1), Vec::new);
            position.push(members[*class].len());
            members[*class].push(state);
        }
        let mut predecessors: IdVec<StateId, Vec<StateId>> =
            machine.states.iter().map(|_| Vec::new()).collect();
        for edge in &machine.edges {
            predecessors[edge.to].push(edge.from);
        }
        let actions = action_numbers(machine);
        Self { machine, actions, class, members, position, predecessors }
    }

    /// Splits the classes of the `dirty` states; returns the states whose
    /// signature may have changed thereby.
    fn refine(&mut self, mut dirty: Vec<StateId>) -> Vec<StateId> {
        dirty.sort_unstable_by_key(|state| (self.class[*state], *state));
        dirty.dedup();
        let mut moved = Vec::new();
        for group in dirty.chunk_by(|a, b| self.class[*a] == self.class[*b]) {
            moved.push(self.parts(group));
        }
        let moved: Vec<StateId> =
            moved.into_iter().flatten().flat_map(|part| self.split_off(part)).collect();
        moved.iter().flat_map(|state| self.predecessors[*state].iter().copied()).collect()
    }

    /// The parts of a class that must leave it: all but the largest one. The
    /// members outside `group` still agree with each other, so one speaks for all.
    fn parts(&self, group: &[StateId]) -> Vec<Vec<StateId>> {
        let members = &self.members[self.class[group[0]]];
        let mut parts: HashMap<Signature, (usize, Vec<StateId>)> = HashMap::new();
        for state in group {
            let part = parts.entry(self.signature(*state)).or_default();
            part.0 += 1;
            part.1.push(*state);
        }
        let clean = members.iter().find(|state| group.binary_search(state).is_err());
        let mut stays = None;
        if let Some(clean) = clean {
            let signature = self.signature(*clean);
            let part = parts.entry(signature.clone()).or_default();
            part.0 += members.len() - group.len();
            stays = Some(signature);
        }
        let largest = parts.iter().max_by_key(|(signature, (size, _))| (*size, *signature));
        let largest = largest.map(|(signature, _)| signature.clone());
        if stays.is_some() && stays != largest {
            return self.all_but(members, &parts, largest.as_ref());
        }
        let mut leaving: Vec<_> = parts.into_iter().collect();
        leaving.retain(|(signature, _)| Some(signature) != largest.as_ref());
        leaving.sort_unstable();
        leaving.into_iter().map(|(_, (_, part))| part).collect()
    }

    /// The clean part is not the largest: it leaves too, with all its members.
    fn all_but(
        &self,
        members: &[StateId],
        parts: &HashMap<Signature, (usize, Vec<StateId>)>,
        largest: Option<&Signature>,
    ) -> Vec<Vec<StateId>> {
        let mut leaving: Vec<Vec<StateId>> = Vec::new();
        let mut place: HashMap<Signature, usize> = HashMap::new();
        for state in members {
            let signature = self.signature(*state);
            if parts.contains_key(&signature) && Some(&signature) != largest {
                let next = leaving.len();
                let at = *place.entry(signature).or_insert(next);
                leaving.resize_with(leaving.len().max(at + 1), Vec::new);
                leaving[at].push(*state);
            }
        }
        leaving
    }

    fn split_off(&mut self, part: Vec<StateId>) -> Vec<StateId> {
        let new = self.members.len();
        for (place, state) in part.iter().enumerate() {
            let old = &mut self.members[self.class[*state]];
            old.swap_remove(self.position[*state]);
            if let Some(filler) = old.get(self.position[*state]) {
                self.position[*filler] = self.position[*state];
            }
            self.class[*state] = new;
            self.position[*state] = place;
        }
        self.members.push(part.clone());
        part
    }

    /// What a state can do: the set of (action, class it leads to).
    fn signature(&self, state: StateId) -> Signature {
        let edges = self.machine.edges_from(state);
        let mut moves: Signature =
            edges.map(|(id, edge)| (self.actions[id], self.class[edge.to])).collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    }
}

fn action_numbers(machine: &Machine) -> IdVec<EdgeId, usize> {
    let mut numbers: HashMap<&Action, usize> = HashMap::new();
    let number = |edge| {
        let next = numbers.len();
        *numbers.entry(edge).or_insert(next)
    };
    machine.edges.iter().map(|edge| &edge.action).map(number).collect()
}

/// Replaces equal items by equal numbers, counted in order of appearance.
fn renumber<T: std::hash::Hash + Eq>(items: impl Iterator<Item = T>) -> IdVec<StateId, usize> {
    let mut numbers: HashMap<T, usize> = HashMap::new();
    let number = |item| {
        let next = numbers.len();
        *numbers.entry(item).or_insert(next)
    };
    items.map(number).collect()
}

fn quotient(machine: &Machine, class: &IdVec<StateId, usize>) -> Machine {
    let mut members: Vec<Vec<StateId>> = Vec::new();
    for (state, class) in class.iter_ids() {
        members.resize_with(members.len().max(class + 1), Vec::new);
        members[*class].push(state);
    }
    let to_state = |state: StateId| StateId::new(class[state]);
    let mut reduced = Machine {
        name: machine.name.clone(),
        span: machine.span,
        start: to_state(machine.start),
        end: to_state(machine.end),
        states: IdVec::new(),
        edges: IdVec::new(),
    };
    for members in members {
        let edges_start = reduced.edges.len() as u32;
        for edge in merged_edges(machine, &members, &to_state) {
            reduced.edges.push(edge);
        }
        reduced.states.push(merged_state(machine, &members, edges_start, reduced.edges.len()));
    }
    reduced
}

/// Equal (action, class) edges of all members become one that remembers them.
fn merged_edges(
    machine: &Machine,
    members: &[StateId],
    to_state: &dyn Fn(StateId) -> StateId,
) -> Vec<Edge> {
    let mut merged: Vec<Edge> = Vec::new();
    let mut place: HashMap<(&Action, StateId), usize> = HashMap::new();
    for (_, edge) in members.iter().flat_map(|member| machine.edges_from(*member)) {
        let next = merged.len();
        let at = *place.entry((&edge.action, to_state(edge.to))).or_insert(next);
        if at == next {
            merged.push(Edge {
                from: to_state(edge.from),
                to: to_state(edge.to),
                action: edge.action.clone(),
                span: edge.span,
                originals: Vec::new(),
            });
        }
        merged[at].originals.extend(&edge.originals);
    }
    merged
}

fn merged_state(
    machine: &Machine,
    members: &[StateId],
    edges_start: u32,
    edges_end: usize,
) -> State {
    let states = members.iter().map(|member| &machine.states[*member]);
    State {
        span: states.clone().find_map(|state| state.span),
        labels: states
            .clone()
            .find(|state| !state.labels.is_empty())
            .map_or_else(Vec::new, |state| state.labels.clone()),
        labelled: states.clone().any(|state| state.labelled),
        resting: states.clone().any(|state| state.resting),
        members: states.flat_map(|state| state.members.iter().copied()).collect(),
        edges_start,
        edges_end: edges_end as u32,
    }
}
