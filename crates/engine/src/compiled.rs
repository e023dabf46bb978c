//! A network compiled to closures over packed states.

use crate::anatomy::Insides;
use crate::closures::{Effect, Guard, effect, empty, guard, unnamed};
use crate::footprints::Footprints;
use crate::layout::{Field, Layout};
use crate::{Order, Readable, agent, step_kind};
use automata::reference::{self, World};
use automata::{
    Action, DefaultRule, EndRule, Machine, MachineId, Network, State, StateId, TimeoutRule,
};
use base::{Id, IdVec};
use model::ChannelId;
use std::ops::Range;
use system::{
    Blank, Blocked, Budget, Dependency, Independence, LoopHeads, Part, Parts, Step, StepOutcome,
    Successors, System, Transition, Word,
};

/// A compiled network.
pub struct Compiled {
    layout: Layout,
    initial: Vec<Word>,
    order: Vec<MachineId>,
    locations: IdVec<MachineId, Vec<Location>>,
    capacities: IdVec<ChannelId, Word>,
    lengths: Vec<Field>,
    observers: Vec<End>,
    timeouts_last: bool,
    footprints: Footprints,
    insides: Insides,
}

/// A state of a machine, compiled.
struct Location {
    edges: Vec<CompiledEdge>,
    /// Edges that fire only when no other edge of any machine can.
    last: Vec<CompiledEdge>,
    labelled: bool,
    end: Resting,
    /// The channels it waits to send to, if that is all it can do.
    sends: Option<Vec<ChannelId>>,
}

/// Whether a machine may stay at a location for ever.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Resting {
    Always,
    WhenEmpty,
    Never,
}

struct CompiledEdge {
    step: Step,
    to: Word,
    guard: Guard,
    effect: Effect,
}

/// Where an observer must be able to be when everything rests.
struct End {
    number: u32,
    field: Field,
    bit: u32,
}

impl Compiled {
    /// Compiles `network`.
    pub fn new(network: &Network, order: Order) -> Self {
        let layout = Layout::new(network);
        let mut initial = vec![0; layout.width()];
        layout.encode(&reference::initial(network), &mut initial);
        let machines = network.machines.iter_ids();
        let locations = machines.map(|(id, machine)| compile(&layout, network, id, machine));
        Self {
            initial,
            order: order.machines(network),
            locations: locations.collect(),
            capacities: network.channels.iter().map(|c| Word::from(c.capacity)).collect(),
            lengths: layout.channels.iter().map(|channel| channel.length).collect(),
            observers: ends(&layout, network),
            timeouts_last: network.rules.timeout == TimeoutRule::Last,
            footprints: Footprints::new(network),
            insides: Insides::new(network),
            layout,
        }
    }

    /// The same with another relation between its steps.
    pub fn depending(mut self, dependency: Dependency) -> Self {
        self.footprints.dependency = dependency;
        self
    }

    /// How states are packed.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    fn location(&self, machine: MachineId, state: &[Word]) -> &Location {
        &self.locations[machine][self.layout.locations[machine].get(state) as usize]
    }

    fn fire(&self, id: MachineId, edges: &[CompiledEdge], state: &[Word], out: &mut Successors) {
        for edge in edges {
            if (edge.guard)(state) {
                let next = out.push(edge.step, state);
                self.layout.locations[id].set(next, edge.to);
                let outcome = (edge.effect)(next);
                out.set_outcome(outcome);
                if out.has_transitions() {
                    out.set_transition(self.footprints.transition(edge.step));
                }
                if out.has_last_statements() {
                    out.set_last_statement(self.footprints.last_statement(edge.step));
                }
            }
        }
    }

    fn all_empty(&self, state: &[Word]) -> bool {
        self.lengths.iter().all(|length| length.get(state) == 0)
    }

    fn is_full(&self, channel: ChannelId, state: &[Word]) -> bool {
        self.layout.channels[channel].length.get(state) >= self.capacities[channel]
    }
}

impl System for Compiled {
    fn width(&self) -> usize {
        self.layout.width()
    }

    fn initial(&self, words: &mut [Word]) {
        words.copy_from_slice(&self.initial);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for id in &self.order {
            self.fire(*id, &self.location(*id, state).edges, state, out);
        }
        if self.timeouts_last && out.is_empty() {
            for id in &self.order {
                self.fire(*id, &self.location(*id, state).last, state, out);
            }
        }
        true
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        let empty = self.all_empty(state);
        let at_rest = |location: &Location| match location.end {
            Resting::Always => true,
            Resting::WhenEmpty => empty,
            Resting::Never => false,
        };
        let waits_to_send = |location: &Location| {
            location
                .sends
                .as_ref()
                .is_some_and(|channels| channels.iter().all(|c| self.is_full(*c, state)))
        };
        let locations = self.locations.ids().map(|id| self.location(id, state));
        let mut stuck = locations.filter(|location| !at_rest(location)).peekable();
        if stuck.peek().is_none() {
            let unfinished = self.observers.iter().find(|end| !end.reached(state));
            return match unfinished {
                Some(end) => Blocked::Violation(end.number),
                None if empty => Blocked::ProperEnd,
                None => Blocked::Residual,
            };
        }
        if stuck.all(waits_to_send) {
            Blocked::BlockedSend
        } else if !empty {
            Blocked::UnspecifiedReception
        } else {
            Blocked::Deadlock
        }
    }

    fn independence(&self) -> Option<&dyn Independence> {
        Some(self)
    }

    fn parts(&self) -> Option<&dyn Parts> {
        Some(self)
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        Some(self)
    }
}

impl LoopHeads for Compiled {
    fn is_loop_head(&self, state: &[Word]) -> bool {
        self.locations.ids().any(|id| self.location(id, state).labelled)
    }
}

impl Independence for Compiled {
    fn dependent(&self, one: Transition, other: Transition) -> bool {
        self.footprints.dependent(one, other)
    }

    fn ample(&self, state: &[Word], batch: &Successors, found: &mut Vec<Range<usize>>) {
        let steps: Vec<Step> = batch.steps().collect();
        let groups = steps.chunk_by(|one, other| one.agent == other.agent);
        if groups.clone().count() < 2 {
            return;
        }
        let mut first = 0;
        for group in groups {
            let range = first..first + group.len();
            first = range.end;
            let enters = range.clone().all(|index| batch.step(index).1 == StepOutcome::State);
            if enters && self.is_apart(state, group) {
                found.push(range);
            }
        }
    }
}

impl Compiled {
    /// Whether the machine of these steps, all it has in `state`, can be moved alone.
    fn is_apart(&self, state: &[Word], steps: &[Step]) -> bool {
        let id = MachineId::new(steps[0].agent as usize);
        let edges = self.location(id, state).edges.iter().map(|edge| edge.step.edge);
        let asked = self.footprints.asked(id, edges, steps);
        let others = self.locations.ids().filter(|other| *other != id);
        others.into_iter().all(|other| {
            let at = self.layout.locations[other].get(state) as usize;
            !asked.depends_on(self.footprints.outlook(other, at), Dependency::Fine)
        })
    }
}

impl Parts for Compiled {
    fn is_local(&self, state: &[Word], agent: u32) -> bool {
        let machine = MachineId::new(agent as usize);
        let at = self.layout.locations[machine].get(state) as usize;
        self.insides.is_inward(machine, StateId::new(at))
    }

    fn is_crowded(&self, state: &[Word], most: usize) -> bool {
        self.insides.is_crowded(self.lengths.iter().map(|length| length.get(state)), most)
    }

    fn blank(&self, part: &Part) -> Option<Blank<'_>> {
        let pieces = self.insides.pieces(part)?;
        let mut mask = vec![Word::MAX; self.layout.width()];
        pieces.iter().for_each(|piece| self.layout.clear(*piece, &mut mask));
        Some(Box::new(move |words| words.iter_mut().zip(&mask).for_each(|(word, m)| *word &= m)))
    }
}

/// The closures know all rules: they answer for what the packed form gives up.
impl packed::Slow for Compiled {
    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        System::successors(self, state, out, budget)
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        System::blocked(self, state)
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        Some(self)
    }

    fn parts(&self) -> Option<&dyn Parts> {
        Some(self)
    }
}

impl<B: packed::Backend> Readable for packed::Driver<B, Compiled> {
    fn world(&self, words: &[Word]) -> World {
        self.slow().world(words)
    }
}

impl Readable for Compiled {
    fn world(&self, words: &[Word]) -> World {
        self.layout.decode(words)
    }
}

impl End {
    fn reached(&self, state: &[Word]) -> bool {
        self.field.get(state) >> self.bit & 1 == 1
    }
}

fn ends(layout: &Layout, network: &Network) -> Vec<End> {
    let ending = network.observers.iter_ids().filter(|(_, observer)| observer.ends());
    ending
        .map(|(id, observer)| {
            let end = observer.machine().end.index();
            let (field, bit) = (layout.sets[id][end / 64], (end % 64) as u32);
            End { number: id.index() as u32, field, bit }
        })
        .collect()
}

fn compile(layout: &Layout, network: &Network, id: MachineId, machine: &Machine) -> Vec<Location> {
    let states = machine.states.iter_ids();
    states.map(|(at, state)| location(layout, network, (id, machine), (at, state))).collect()
}

fn location(
    layout: &Layout,
    network: &Network,
    (id, machine): (MachineId, &Machine),
    (at, state): (StateId, &State),
) -> Location {
    let mut location = Location {
        edges: Vec::new(),
        last: Vec::new(),
        labelled: state.labelled,
        end: resting(network, machine, at),
        sends: sends(machine, at),
    };
    for (edge_id, edge) in machine.edges_from(at) {
        let Some(guard) = executable(layout, network, machine, at, &edge.action) else { continue };
        let kind = step_kind(&edge.action);
        let compiled = CompiledEdge {
            step: Step::new(agent(id), edge_id.index() as u32, kind),
            to: edge.to.index() as Word,
            guard,
            effect: effect(layout, network, &edge.action),
        };
        let waits =
            matches!(edge.action, Action::Timeout(_)) && network.rules.timeout == TimeoutRule::Last;
        if waits { location.last.push(compiled) } else { location.edges.push(compiled) }
    }
    location
}

/// The guard under the rules of the network; `None` if it can never execute.
fn executable(
    layout: &Layout,
    network: &Network,
    machine: &Machine,
    at: StateId,
    action: &Action,
) -> Option<Guard> {
    match action {
        Action::Timeout(c) => match network.rules.timeout {
            TimeoutRule::Off => None,
            TimeoutRule::Empty => Some(empty(layout.channels[*c].length)),
            TimeoutRule::Any | TimeoutRule::Last => Some(guard(layout, network, action)),
        },
        Action::ReceiveAny(c) if network.rules.default_receive == DefaultRule::Else => {
            let named = machine.edges_from(at).filter_map(|(_, edge)| match edge.action {
                Action::Receive(from, message, _) if from == *c => Some(message),
                _ => None,
            });
            Some(unnamed(&layout.channels[*c], &named.collect::<Vec<_>>()))
        }
        _ => Some(guard(layout, network, action)),
    }
}

fn resting(network: &Network, machine: &Machine, at: StateId) -> Resting {
    if at == machine.end || machine.states[at].resting {
        Resting::Always
    } else if network.rules.end == EndRule::Home && at == machine.start {
        Resting::WhenEmpty
    } else {
        Resting::Never
    }
}

fn sends(machine: &Machine, at: StateId) -> Option<Vec<ChannelId>> {
    let channels = machine.edges_from(at).map(|(_, edge)| match edge.action {
        Action::Send(c, ..) => Some(c),
        _ => None,
    });
    channels.collect::<Option<Vec<_>>>().filter(|channels| !channels.is_empty())
}
