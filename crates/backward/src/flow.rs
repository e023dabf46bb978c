//! Which values variables and messages can have, and which edges can be taken at
//! all: a forward analysis of each machine by itself. What it says is never too
//! little, often too much.

use crate::values::{Values, choices, ways};
use automata::{Action, DefaultRule, EdgeId, MachineId, Network, StateId, TimeoutRule};
use base::{Id, IdVec};
use model::{ChannelId, Expr, MessageId, VariableId, cut};
use std::collections::HashMap;

/// A set with more values than this is taken for all values.
const VALUES_MAX: u32 = 256;
/// An expression with more ways to be evaluated than this may have any value.
const WAYS_MAX: u64 = 4096;

/// What a message can carry in a channel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Carried {
    /// Whether it comes without a value.
    pub(crate) bare: bool,
    /// The values it comes with.
    pub(crate) values: Values,
}

/// What can be said of a network without a search.
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
    pub(crate) fn new(network: &Network) -> Self {
        let mut flow = Self::start(network);
        while flow.round(network) {}
        flow.sorts = network.channels.ids().map(|channel| flow.sort(channel)).collect();
        flow
    }

    fn start(network: &Network) -> Self {
        let initial = |id: VariableId| Values::one(network.variables[id].initial);
        let own = |machine: MachineId| -> Place {
            let all = network.variables.iter_ids();
            let own = all.filter(|(_, v)| v.owner.is_some_and(|o| o.index() == machine.index()));
            own.map(|(id, _)| (id, initial(id))).collect()
        };
        let mut carried: HashMap<_, Carried> = HashMap::new();
        for (id, channel) in network.channels.iter_ids() {
            for message in &channel.initial {
                carried.entry((id, message.name)).or_default().add(message.value);
            }
        }
        let places = network.machines.iter_ids().map(|(id, machine)| {
            let at = |state| (state == machine.start).then(|| own(id));
            machine.states.ids().map(at).collect()
        });
        Self {
            anywhere: network.variables.ids().map(initial).collect(),
            places: places.collect(),
            taken: network.machines.iter().map(|m| vec![false; m.edges.len()]).collect(),
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

    fn round(&mut self, network: &Network) -> bool {
        let mut grown = false;
        for id in network.machines.ids() {
            grown |= self.pass(network, id);
        }
        grown
    }

    /// Once through all edges of a machine. Says whether anything is new.
    fn pass(&mut self, network: &Network, id: MachineId) -> bool {
        let machine = &network.machines[id];
        let mut grown = false;
        for (edge, body) in machine.edges.iter_ids() {
            let Some(place) = self.places[id][body.from].clone() else { continue };
            let Some(after) = self.after(network, id, body.from, &body.action, place, &mut grown)
            else {
                continue;
            };
            grown |= !std::mem::replace(&mut self.taken[id][edge.index()], true);
            grown |= self.arrive(id, body.to, after);
        }
        grown
    }

    fn arrive(&mut self, id: MachineId, state: StateId, after: Place) -> bool {
        let mut grown = false;
        for (variable, values) in &after {
            grown |= widen(&mut self.anywhere[*variable], values);
        }
        match &mut self.places[id][state] {
            Some(place) => {
                for (variable, values) in after {
                    grown |= widen(place.entry(variable).or_default(), &values);
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
        network: &Network,
        machine: MachineId,
        from: StateId,
        action: &Action,
        mut place: Place,
        grown: &mut bool,
    ) -> Option<Place> {
        match action {
            Action::Timeout(_) if network.rules.timeout == TimeoutRule::Off => return None,
            Action::Skip | Action::Timeout(_) => {}
            Action::Condition(e) => self.pass_test(e, &mut place)?,
            Action::Assign(variable, e) => {
                let values = self.results(e, &place)?;
                *grown |= self.set(&mut place, *variable, values);
            }
            Action::Send(channel, message, value) => {
                let values = match value {
                    Some(e) => Some(self.results(e, &place)?),
                    None => None,
                };
                *grown |= self.send((*channel, *message), values);
            }
            Action::Receive(channel, message, variable) => {
                let carried = self.carried(*channel, *message)?.clone();
                if let Some(variable) = variable {
                    let old = self.look(&place, *variable).clone();
                    let kept = if carried.bare { old } else { Values::default() };
                    *grown |= self.set(&mut place, *variable, kept.or(&carried.values));
                }
            }
            Action::ReceiveAny(channel) => {
                any_names(network, machine, from, *channel, &self.sort(*channel)).first()?;
            }
        }
        Some(place)
    }

    fn send(&mut self, key: (ChannelId, MessageId), values: Option<Values>) -> bool {
        let fresh = !self.carried.contains_key(&key);
        let carried = self.carried.entry(key).or_default();
        fresh
            | match values {
                Some(values) => widen(&mut carried.values, &values),
                None => !std::mem::replace(&mut carried.bare, true),
            }
    }

    fn look<'a>(&'a self, place: &'a Place, variable: VariableId) -> &'a Values {
        place.get(&variable).unwrap_or(&self.anywhere[variable])
    }

    /// Sets a variable; a shared one keeps what it may hold otherwise. Says whether
    /// anything is new everywhere.
    fn set(&mut self, place: &mut Place, variable: VariableId, values: Values) -> bool {
        let grown = widen(&mut self.anywhere[variable], &values);
        if let Some(own) = place.get_mut(&variable) {
            *own = if values.len() > VALUES_MAX { Values::all() } else { values };
        }
        grown
    }

    /// Every value an expression can have, cut; nothing if it always fails.
    fn results(&self, expr: &Expr, place: &Place) -> Option<Values> {
        let variables = variables(expr);
        let sets: Vec<Values> = variables.iter().map(|v| self.look(place, *v).clone()).collect();
        if ways(&sets) > WAYS_MAX {
            return Some(Values::all());
        }
        let value = |chosen: Vec<i16>| evaluate(expr, &variables, &chosen);
        let results: Values = choices(&sets).filter_map(value).map(cut).collect();
        Some(results).filter(|results| !results.is_empty())
    }

    /// Keeps the values under which a test can hold; nothing if it cannot.
    fn pass_test(&self, expr: &Expr, place: &mut Place) -> Option<()> {
        let variables = variables(expr);
        let sets: Vec<Values> = variables.iter().map(|v| self.look(place, *v).clone()).collect();
        if ways(&sets) > WAYS_MAX {
            return Some(());
        }
        let holds = |chosen: &Vec<i16>| evaluate(expr, &variables, chosen).is_some_and(|x| x != 0);
        let good: Vec<Vec<i16>> = choices(&sets).filter(holds).collect();
        good.first()?;
        for (index, variable) in variables.iter().enumerate() {
            if let Some(own) = place.get_mut(variable) {
                *own = good.iter().map(|chosen| chosen[index]).collect();
            }
        }
        Some(())
    }
}

impl Carried {
    fn add(&mut self, value: Option<i16>) {
        match value {
            Some(value) => self.values = self.values.or(&Values::one(value)),
            None => self.bare = true,
        }
    }
}

fn widen(set: &mut Values, more: &Values) -> bool {
    if more.within(set) {
        return false;
    }
    let joined = set.or(more);
    *set = if joined.len() > VALUES_MAX { Values::all() } else { joined };
    true
}

/// The variables of an expression, each once.
pub(crate) fn variables(expr: &Expr) -> Vec<VariableId> {
    let mut list = Vec::new();
    expr.variables(&mut |variable| list.push(variable));
    list.sort_unstable();
    list.dedup();
    list
}

/// The value of an expression with these values of its variables; nothing if it fails.
pub(crate) fn evaluate(expr: &Expr, variables: &[VariableId], values: &[i16]) -> Option<i32> {
    let look = |wanted: VariableId| {
        let found = variables.iter().position(|variable| *variable == wanted);
        found.map_or(0, |index| values[index])
    };
    expr.eval(&look).ok()
}

/// The messages of `sort` that a default receive takes at `state`.
pub(crate) fn any_names(
    network: &Network,
    machine: MachineId,
    state: StateId,
    channel: ChannelId,
    sort: &[MessageId],
) -> Vec<MessageId> {
    let named: Vec<MessageId> = match network.rules.default_receive {
        DefaultRule::Any => Vec::new(),
        DefaultRule::Else => named(network, machine, state, channel),
    };
    sort.iter().copied().filter(|message| !named.contains(message)).collect()
}

/// The messages that named receives take from `channel` at `state`.
pub(crate) fn named(
    network: &Network,
    machine: MachineId,
    state: StateId,
    channel: ChannelId,
) -> Vec<MessageId> {
    let edges = network.machines[machine].edges_from(state);
    let taken = edges.filter_map(|(_, edge)| match edge.action {
        Action::Receive(c, message, _) if c == channel => Some(message),
        _ => None,
    });
    taken.collect()
}
