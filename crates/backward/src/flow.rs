//! Which values variables and messages can have, and which edges can be taken at
//! all: a forward analysis of each machine by itself. What it says is never too
//! little, often too much.

use crate::expr::{Expr, Leaf, Range, evaluate};
use crate::net::{Action, Net, Pattern, Receive, Timeout};
use crate::values::{Values, choices, ways};
use automata::{EdgeId, MachineId, StateId};
use base::{Id, IdVec};
use model::{ChannelId, MessageId, VariableId};
use program::BinaryOp;
use std::collections::HashMap;

/// A set with more values than this is taken for all values.
const VALUES_MAX: u64 = 256;
/// An expression with more ways to be evaluated than this may have any value.
const WAYS_MAX: u64 = 4096;

/// What a message can carry in a channel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Carried {
    /// Whether it comes without fields.
    pub(crate) bare: bool,
    /// The values of its fields; none if it never comes with fields.
    pub(crate) fields: Vec<Values>,
}

/// What can be said of a net without a search.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// Values of each variable anywhere.
    pub(crate) anywhere: IdVec<VariableId, Values>,
    /// For each machine and state the values of its own variables there; nothing for a
    /// state that cannot be reached.
    places: IdVec<MachineId, IdVec<StateId, Option<Place>>>,
    /// The edges of each machine that can be taken.
    taken: IdVec<MachineId, Vec<bool>>,
    carried: HashMap<(ChannelId, MessageId), Carried>,
    /// The messages that can be in each channel.
    pub(crate) sorts: IdVec<ChannelId, Vec<MessageId>>,
}

/// Values of the variables of one machine.
type Place = HashMap<VariableId, Values>;

impl Flow {
    /// Analyses until nothing new comes up.
    pub(crate) fn new(net: &Net) -> Self {
        let mut flow = Self::start(net);
        while flow.round(net) {}
        flow.sorts = net.channels.ids().map(|channel| flow.sort(channel)).collect();
        flow
    }

    fn start(net: &Net) -> Self {
        let initial = |id: VariableId| Values::one(net.variables[id].initial);
        let own = |machine: MachineId| -> Place {
            let own = net.variables.iter_ids().filter(|(_, v)| v.owner == Some(machine));
            own.map(|(id, _)| (id, initial(id))).collect()
        };
        let mut carried: HashMap<_, Carried> = HashMap::new();
        for (id, channel) in net.channels.iter_ids() {
            for message in &channel.initial {
                let fields: Vec<Values> = message.fields.iter().map(|v| Values::one(*v)).collect();
                carried.entry((id, message.name)).or_default().add(&fields, &channel.fields);
            }
        }
        let places = net.machines.iter_ids().map(|(id, machine)| {
            let at = |state| (state == machine.start).then(|| own(id));
            machine.states.ids().map(at).collect()
        });
        Self {
            anywhere: net.variables.ids().map(initial).collect(),
            places: places.collect(),
            taken: net.machines.iter().map(|m| vec![false; m.edges.len()]).collect(),
            carried,
            sorts: IdVec::new(),
        }
    }

    fn sort(&self, channel: ChannelId) -> Vec<MessageId> {
        let here = self.carried.keys().filter(|(c, _)| *c == channel);
        let mut sort: Vec<MessageId> = here.map(|(_, message)| *message).collect();
        sort.sort_unstable();
        sort
    }

    /// Whether some run of the machine alone comes here.
    pub(crate) fn reached(&self, machine: MachineId, state: StateId) -> bool {
        self.places[machine][state].is_some()
    }

    /// Whether an edge can be taken.
    pub(crate) fn taken(&self, machine: MachineId, edge: EdgeId) -> bool {
        self.taken[machine][edge.index()]
    }

    /// What a message carries in a channel.
    pub(crate) fn carried(&self, channel: ChannelId, message: MessageId) -> Option<&Carried> {
        self.carried.get(&(channel, message))
    }

    /// The values of a variable while `machine` is at `state`.
    pub(crate) fn values(&self, machine: MachineId, state: StateId, v: VariableId) -> &Values {
        let here = self.places[machine][state].as_ref().and_then(|place| place.get(&v));
        here.unwrap_or(&self.anywhere[v])
    }

    fn round(&mut self, net: &Net) -> bool {
        let mut grown = false;
        for id in net.machines.ids() {
            grown |= self.pass(net, id);
        }
        grown
    }

    /// Once through all edges of a machine. Says whether anything is new.
    fn pass(&mut self, net: &Net, id: MachineId) -> bool {
        let machine = &net.machines[id];
        let mut grown = false;
        for (edge, body) in machine.edges.iter_ids() {
            let Some(place) = self.places[id][body.from].clone() else { continue };
            let Some(after) = self.after(net, &body.action, place, &mut grown) else { continue };
            grown |= !std::mem::replace(&mut self.taken[id][edge.index()], true);
            grown |= self.arrive(net, id, body.to, after);
        }
        grown
    }

    fn arrive(&mut self, net: &Net, id: MachineId, state: StateId, after: Place) -> bool {
        let mut grown = false;
        let range = |variable: VariableId| net.variables[variable].range;
        for (variable, values) in &after {
            grown |= widen(&mut self.anywhere[*variable], values, range(*variable));
        }
        match &mut self.places[id][state] {
            Some(place) => {
                for (variable, values) in after {
                    let known = place.entry(variable).or_default();
                    grown |= widen(known, &values, range(variable));
                }
            }
            place => {
                *place = Some(after);
                grown = true;
            }
        }
        grown
    }

    /// The values behind an edge, unless it cannot be taken.
    fn after(
        &mut self,
        net: &Net,
        action: &Action,
        mut place: Place,
        grown: &mut bool,
    ) -> Option<Place> {
        match action {
            Action::Timeout(Timeout::Never) => return None,
            Action::Skip | Action::Else | Action::Timeout(_) => {}
            Action::Test(e) | Action::Assert(e) => self.pass_test(net, e, &mut place)?,
            Action::Assign(variable, e, when) => {
                if let Some(when) = when {
                    self.pass_test(net, when, &mut place)?;
                }
                let values = self.results(net, e, net.variables[*variable].range, &place)?;
                *grown |= self.set(net, &mut place, *variable, values);
            }
            Action::Send(channel, message, fields) => {
                let ranges = &net.channels[*channel].fields;
                let fields = fields.iter().zip(ranges);
                let values: Option<Vec<Values>> =
                    fields.map(|(e, range)| self.results(net, e, *range, &place)).collect();
                *grown |= self.send((*channel, *message), &values?, ranges);
            }
            Action::Receive(receive) => *grown |= self.receive(net, receive, &mut place)?,
        }
        Some(place)
    }

    /// Says whether anything is new everywhere; nothing if there is nothing to take.
    fn receive(&mut self, net: &Net, receive: &Receive, place: &mut Place) -> Option<bool> {
        let names = receive.names(&self.sort(receive.channel));
        names.first()?;
        let mut stored: HashMap<VariableId, Values> = HashMap::new();
        for name in names {
            let carried = self.carried(receive.channel, name)?.clone();
            let number = Values::one(net.messages[name].number);
            let head = [(&receive.head, Some(&number))];
            let fields = receive.fields.iter().enumerate();
            let fields = fields.map(|(index, pattern)| (pattern, carried.fields.get(index)));
            for (pattern, values) in head.into_iter().chain(fields) {
                let Pattern::Store(variable) = pattern else { continue };
                let known = stored.entry(*variable).or_default();
                *known = known.or(&cut(values.unwrap_or(&Values::default()), net, *variable));
            }
            if carried.bare {
                for pattern in &receive.fields {
                    let Pattern::Store(variable) = pattern else { continue };
                    let old = self.look(net, place, Leaf::Variable(*variable));
                    let known = stored.entry(*variable).or_default();
                    *known = known.or(&old);
                }
            }
        }
        let mut grown = false;
        for (variable, values) in stored {
            grown |= self.set(net, place, variable, values);
        }
        Some(grown)
    }

    fn send(&mut self, key: (ChannelId, MessageId), fields: &[Values], ranges: &[Range]) -> bool {
        let fresh = !self.carried.contains_key(&key);
        fresh | self.carried.entry(key).or_default().add(fields, ranges)
    }

    fn look(&self, net: &Net, place: &Place, leaf: Leaf) -> Values {
        match leaf {
            Leaf::Variable(id) => place.get(&id).unwrap_or(&self.anywhere[id]).clone(),
            Leaf::Length(channel) => Values::between(0, net.channels[channel].capacity as i32),
        }
    }

    /// Sets a variable; a shared one keeps what it may hold otherwise. Says whether
    /// anything is new everywhere.
    fn set(&mut self, net: &Net, place: &mut Place, variable: VariableId, values: Values) -> bool {
        let range = net.variables[variable].range;
        let grown = widen(&mut self.anywhere[variable], &values, range);
        if let Some(own) = place.get_mut(&variable) {
            *own = if values.len() > VALUES_MAX { range.values() } else { values };
        }
        grown
    }

    /// Every value an expression of this type can have; nothing if it always fails.
    fn results(&self, net: &Net, expr: &Expr, range: Range, place: &Place) -> Option<Values> {
        let leaves = expr.leaves();
        let sets: Vec<Values> = leaves.iter().map(|leaf| self.look(net, place, *leaf)).collect();
        if ways(&sets) > WAYS_MAX {
            return Some(range.values());
        }
        let value = |chosen: Vec<i32>| evaluate(expr, &leaves, &chosen);
        let results: Values = choices(&sets).filter_map(value).collect();
        Some(results).filter(|results| !results.is_empty())
    }

    /// Keeps the values under which a test can hold; nothing if it cannot. Of an `&&`
    /// each part is a test.
    fn pass_test(&self, net: &Net, expr: &Expr, place: &mut Place) -> Option<()> {
        let leaves = expr.leaves();
        let sets: Vec<Values> = leaves.iter().map(|leaf| self.look(net, place, *leaf)).collect();
        if ways(&sets) > WAYS_MAX {
            let Expr::Binary(BinaryOp::And, x, y) = expr else { return Some(()) };
            self.pass_test(net, x, place)?;
            return self.pass_test(net, y, place);
        }
        let holds = |chosen: &Vec<i32>| evaluate(expr, &leaves, chosen).is_some_and(|x| x != 0);
        let good: Vec<Vec<i32>> = choices(&sets).filter(holds).collect();
        good.first()?;
        for (index, leaf) in leaves.iter().enumerate() {
            if let Leaf::Variable(variable) = leaf
                && let Some(own) = place.get_mut(variable)
            {
                *own = good.iter().map(|chosen| chosen[index]).collect();
            }
        }
        Some(())
    }
}

impl Carried {
    /// Says whether anything is new.
    fn add(&mut self, fields: &[Values], ranges: &[Range]) -> bool {
        if fields.is_empty() {
            return !std::mem::replace(&mut self.bare, true);
        }
        self.fields.resize(fields.len(), Values::default());
        let mut grown = false;
        for ((known, values), range) in self.fields.iter_mut().zip(fields).zip(ranges) {
            grown |= widen(known, values, *range);
        }
        grown
    }
}

fn widen(set: &mut Values, more: &Values, range: Range) -> bool {
    if more.within(set) {
        return false;
    }
    let joined = set.or(more);
    *set = if joined.len() > VALUES_MAX { range.values() } else { joined };
    true
}

/// What is left of values in a variable.
fn cut(values: &Values, net: &Net, variable: VariableId) -> Values {
    let range = net.variables[variable].range;
    if values.within(&range.values()) {
        values.clone()
    } else if values.len() > VALUES_MAX {
        range.values()
    } else {
        values.iter().map(|value| range.cut(value)).collect()
    }
}
