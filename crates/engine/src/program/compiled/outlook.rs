//! What processes may still touch: for each location everything that some edge
//! reachable from it can read, change, send to or take from, in whatever state.
//!
//! In: the program. Out: per proctype and location a list of touches, in which channels
//! are still named by the variables that hold them. Which channels those are is read from
//! a state: a variable that is set only when its process is created keeps its channel.
//!
//! `timeout` is no touch here. Outlooks are compared with what a process that can move
//! does now; as long as it can, no timeout fires elsewhere.

use super::code::{Code, Home, Region, Scope};
use super::event::STANDING;
use super::image::{Image, Shape};
use base::Id;
use program::{
    Action, Edge, EdgeId, Expr, Initial, LocationId, Pattern, Place, Proctype, ProctypeId,
};
use program::{BinaryOp, Probe, Program, VariableRef};
use std::cell::RefCell;
use std::collections::BTreeSet;
use system::{Access, Accesses, Object};

/// In a key, beside the number of a channel: that it is a rendezvous, that the event trace
/// sees what is sent into it, what is received from it.
const RENDEZVOUS: u32 = 1 << 31;
const SENDS_SEEN: u32 = 1 << 30;
const RECEIVES_SEEN: u32 = 1 << 29;
const NUMBER: u32 = RECEIVES_SEEN - 1;

/// The outlooks of all proctypes, by their number.
pub(super) struct Outlooks {
    kinds: Vec<Kind>,
    /// Whether there is any rendezvous.
    has_rendezvous: bool,
    /// Whether there is an event trace.
    has_trace: bool,
}

struct Kind {
    /// What each edge touches.
    edges: Vec<Touches>,
    /// Edges that leave each location.
    leaving: Vec<Vec<usize>>,
    /// Where each edge leads; more than one place for a `d_step`, whose inside counts.
    to: Vec<Vec<usize>>,
    /// What a process of it holds channels in, elements apart.
    handles: Vec<Handle>,
}

/// Where the number of a channel is kept for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Handle {
    is_global: bool,
    offset: usize,
    /// The element is chosen by a local that is set only when its process is created.
    index: Option<Index>,
}

/// A local that is an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Index {
    offset: usize,
    shape: Shape,
    bound: u32,
    /// Bytes of an element.
    step: usize,
}

/// What an edge touches.
#[derive(Clone, Default)]
struct Touches {
    footprint: Accesses,
    channels: Vec<(Which, Access)>,
    /// It sends, and it matters whether it can: whether a rendezvous can depends on where
    /// everybody else stands.
    offers: bool,
    /// Proctypes that it creates processes of.
    runs: Vec<usize>,
    dies: bool,
}

/// Which channels are meant.
#[derive(Clone, Copy)]
enum Which {
    /// Those in this handle of the process.
    Held(usize),
    /// Any.
    Any,
}

/// The outlooks of a program.
pub(super) fn outlooks(scope: Scope<'_>) -> Outlooks {
    let set = set_variables(scope);
    let kinds = scope.program.proctypes.iter_ids();
    let kinds = kinds.map(|(id, kind)| outlook(scope.of(id), id, kind, &set)).collect();
    let (program, has_trace) = (scope.program, scope.program.trace.is_some());
    Outlooks { kinds, has_rendezvous: has_rendezvous(program), has_trace }
}

fn has_rendezvous(program: &Program) -> bool {
    let locals = program.proctypes.iter().flat_map(|kind| &kind.variables);
    let mut variables = program.globals.iter().chain(locals);
    variables.any(|v| matches!(&v.initial, Initial::Channel(kind) if kind.capacity == 0))
}

/// Variables that are set by somebody: the proctype of a local, none for a global.
pub(super) type Set = BTreeSet<(Option<ProctypeId>, usize)>;

/// All of them.
pub(super) fn set_variables(scope: Scope<'_>) -> Set {
    let mut set = Set::new();
    for (id, kind) in scope.program.proctypes.iter_ids() {
        for place in kind.edges.iter().flat_map(|edge| written(&edge.action)) {
            set.insert(match place.variable {
                VariableRef::Global(variable) => (None, variable.index()),
                VariableRef::Local(variable) => (Some(id), variable.index()),
            });
        }
    }
    set
}

/// Where an action stores something.
fn written(action: &Action) -> Vec<&Place> {
    match action {
        Action::Assign(place, _) => vec![place],
        Action::Receive { patterns, .. } => patterns.iter().filter_map(stored).collect(),
        _ => Vec::new(),
    }
}

/// Where a field of a receive is stored.
fn stored(pattern: &Pattern) -> Option<&Place> {
    match pattern {
        Pattern::Store(place) => Some(place),
        Pattern::Match(_) | Pattern::Any => None,
    }
}

fn outlook(scope: Scope<'_>, id: ProctypeId, kind: &Proctype, set: &Set) -> Kind {
    let mut reader = Reader { scope, id, set, handles: Vec::new() };
    let mut edges: Vec<Touches> = kind.edges.iter().map(|edge| reader.edge(edge)).collect();
    let leaving: Vec<Vec<usize>> = kind
        .locations
        .ids()
        .map(|at| kind.edges_from(at).map(|(edge, _)| edge.index()).collect())
        .collect();
    let inner = inside_d_steps(kind);
    for at in kind.locations.ids().filter(|at| inner.contains(at) || is_looked_at(kind, *at)) {
        for edge in &leaving[at.index()] {
            let touches = &mut edges[*edge];
            touches.channels.iter_mut().for_each(|touch| touch.1 = touch.1 | Access::PEEK);
            touches.offers = matches!(kind.edges[EdgeId::new(*edge)].action, Action::Send { .. });
        }
    }
    let to = kind.edges.iter().map(|edge| match edge.action {
        Action::Deterministic { start, .. } => vec![edge.to.index(), start.index()],
        _ => vec![edge.to.index()],
    });
    Kind { edges, leaving, to: to.collect(), handles: reader.handles }
}

/// Whether it matters of an edge of this location that it does not execute: another one
/// stands behind it, or a sequence stops here.
fn is_looked_at(kind: &Proctype, at: LocationId) -> bool {
    let goes_on = |edge: &Edge| edge.goes_on() && edge.to == at;
    kind.locations[at].groups.len() > 1
        || kind.edges_from(at).any(|(_, edge)| edge.action == Action::Else)
        || kind.edges.iter().any(goes_on)
}

/// The locations inside of `d_step`s.
fn inside_d_steps(kind: &Proctype) -> BTreeSet<LocationId> {
    let mut known = BTreeSet::new();
    for edge in &kind.edges {
        let Action::Deterministic { start, end } = edge.action else { continue };
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if at != end && known.insert(at) {
                open.extend(kind.edges_from(at).map(|(_, edge)| edge.to));
            }
        }
    }
    known
}

/// Shows every expression inside of something to who asks for one.
type Mentions<'a> = dyn Fn(&dyn Fn(&Expr) -> bool) -> bool + 'a;

/// Reads off what edges touch.
struct Reader<'a> {
    scope: Scope<'a>,
    id: ProctypeId,
    set: &'a Set,
    handles: Vec<Handle>,
}

impl Reader<'_> {
    fn edge(&mut self, edge: &Edge) -> Touches {
        let mut touches = Touches::default();
        match &edge.action {
            Action::Condition(condition) => self.condition(condition, &mut touches),
            action => self.inside(&|wanted| action.mentions(wanted), &mut touches),
        }
        for place in written(&edge.action) {
            self.place(place, Access::WRITE, &mut touches);
        }
        match &edge.action {
            Action::Send { queue, sorted, .. } => {
                let jumps = *sorted || self.scope.rules.lossy_sends;
                let manner = if jumps { Access::INSERT } else { Access::SEND };
                touches.channels.extend(self.channels(&queue.number, manner));
            }
            Action::Receive { queue, keep, .. } => {
                let manner = if *keep { Access::PEEK } else { Access::RECEIVE };
                touches.channels.extend(self.channels(&queue.number, manner));
            }
            Action::SetPriority(..) => touches.footprint.add_everything(),
            Action::Die => {
                touches.dies = true;
                touches.footprint.add(Object::Processes, Access::READ);
                touches.footprint.add(Object::Exits, Access::EXIT);
            }
            _ => {}
        }
        touches
    }

    /// What a condition touches when it holds. Then all its parts do, and that a channel is
    /// not empty is not changed by a send.
    fn condition(&mut self, condition: &Expr, touches: &mut Touches) {
        let (queue, manner) = match condition {
            Expr::Binary(BinaryOp::And, one, other) => {
                self.condition(one, touches);
                return self.condition(other, touches);
            }
            Expr::Probe(Probe::NotEmpty | Probe::Full, queue) => (queue, Access::PEEK_RECEIVES),
            Expr::Probe(Probe::Empty | Probe::NotFull, queue) => (queue, Access::PEEK_SENDS),
            _ => return self.inside(&|wanted| condition.mentions(wanted), touches),
        };
        touches.channels.extend(self.channels(&queue.number, manner));
        self.inside(&|wanted| queue.number.mentions(wanted), touches);
    }

    /// What all expressions inside of something do.
    fn inside(&mut self, mentions: &Mentions<'_>, touches: &mut Touches) {
        let inside = RefCell::new(Vec::new());
        mentions(&|expr| {
            inside.borrow_mut().push(expr.clone());
            false
        });
        inside.into_inner().iter().for_each(|expr| self.expr(expr, touches));
    }

    /// What an expression does itself, apart from those inside it.
    fn expr(&mut self, expr: &Expr, touches: &mut Touches) {
        match expr {
            Expr::Load(place) => self.place(place, Access::READ, touches),
            Expr::Probe(_, queue) | Expr::Poll { queue, .. } => {
                touches.channels.extend(self.channels(&queue.number, Access::PEEK));
            }
            Expr::Run { proctype, .. } => {
                touches.footprint.add(Object::Processes, Access::WRITE);
                touches.runs.push(proctype.index());
            }
            Expr::ProcessCount => {
                touches.footprint.add(Object::Processes, Access::READ);
                touches.footprint.add(Object::Exits, Access::PEEK);
            }
            Expr::Last
            | Expr::NonProgress
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::Priority(_)
            | Expr::RemoteLabel(_)
            | Expr::RemoteVariable(_) => touches.footprint.add_everything(),
            Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Choose(..)
            | Expr::Timeout
            | Expr::Pid => {}
        }
    }

    /// Every element a place may mean, if it is a global.
    fn place(&self, place: &Place, manner: Access, touches: &mut Touches) {
        let VariableRef::Global(id) = place.variable else { return };
        let Home { region, offset, cell } = self.scope.home(place.variable);
        if region != Region::Globals {
            return;
        }
        let length = self.scope.program.globals[id].length as usize;
        for element in 0..length {
            let at = (offset + element * cell.shape.size()) as u32;
            touches.footprint.add(Object::Variable(at), manner);
        }
    }

    /// The channels a number may mean.
    fn channels(&mut self, number: &Expr, manner: Access) -> Vec<(Which, Access)> {
        let Expr::Load(place) = number else { return vec![(Which::Any, manner)] };
        let (owner, variable, length) = match place.variable {
            VariableRef::Global(id) => (None, id, self.scope.program.globals[id].length),
            VariableRef::Local(id) => {
                let kind = &self.scope.program.proctypes[self.id];
                (Some(self.id), id, kind.variables[id].length)
            }
        };
        let Home { region, offset, cell } = self.scope.home(place.variable);
        let kept = matches!(region, Region::Globals | Region::Locals) && cell.shape == Shape::Two;
        if self.set.contains(&(owner, variable.index())) || !kept {
            return vec![(Which::Any, manner)];
        }
        let (is_global, step) = (owner.is_none(), cell.shape.size());
        if let Some(index) = self.index(place, step) {
            let handle = Handle { is_global, offset, index: Some(index) };
            return vec![(Which::Held(self.number(handle)), manner)];
        }
        let each = (0..length as usize).map(|element| Handle {
            is_global,
            offset: offset + element * step,
            index: None,
        });
        each.map(|handle| (Which::Held(self.number(handle)), manner)).collect()
    }

    /// The local that chooses the element of a place for good, if one does.
    fn index(&self, place: &Place, step: usize) -> Option<Index> {
        let [subscript] = place.subscripts.as_slice() else { return None };
        let Expr::Load(chosen) = &subscript.index else { return None };
        let VariableRef::Local(id) = chosen.variable else { return None };
        let is_set = self.set.contains(&(Some(self.id), id.index()));
        if is_set || !chosen.subscripts.is_empty() || subscript.stride != 1 {
            return None;
        }
        let Home { offset, cell, .. } = self.scope.home(chosen.variable);
        Some(Index { offset, shape: cell.shape, bound: subscript.bound, step })
    }

    fn number(&mut self, handle: Handle) -> usize {
        let known = self.handles.iter().position(|other| *other == handle);
        known.unwrap_or_else(|| {
            self.handles.push(handle);
            self.handles.len() - 1
        })
    }
}

impl Handle {
    /// The number of the channel, 0 for none; `first` is where what holds it begins.
    fn read(&self, code: &Code, image: &Image, body: usize, first: usize) -> usize {
        let Some(index) = self.index else { return image.number(first + self.offset) };
        let chosen = index.shape.read(&image.bytes, body + code.header() + index.offset);
        match u32::try_from(chosen) {
            Ok(inside) if inside < index.bound => {
                image.number(first + self.offset + inside as usize * index.step)
            }
            _ => 0,
        }
    }
}

/// What is remarkable about the channel of this number, 0 for none.
fn marks(code: &Code, image: &Image, number: usize) -> u32 {
    let Some(index) = number.checked_sub(1) else { return 0 };
    let Some(slot) = image.channels.get(index) else { return 0 };
    let [sends, receives] = code.watch.as_ref().map_or([false; 2], |w| w.sees(image, index));
    let each = [
        (code.channels[slot.kind].capacity == 0, RENDEZVOUS),
        (sends, SENDS_SEEN),
        (receives, RECEIVES_SEEN),
    ];
    each.into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark).sum()
}

/// Whether a touch of a channel with these marks is an event of the trace. A receive that
/// leaves its message is one too, and a look of any kind may be such a receive.
fn is_seen(marks: u32, manner: Access) -> bool {
    let sends = marks & SENDS_SEEN != 0 && manner.meets(Access::SEND);
    let receives = marks & RECEIVES_SEEN != 0 && manner.meets(Access::RECEIVE | Access::PEEK);
    sends || receives
}

impl Outlooks {
    /// Appends what decides the outlook of a process: its proctype, its location, the
    /// channels it holds, those it owns.
    pub(super) fn key(&self, code: &Code, image: &Image, pid: usize, key: &mut Vec<u32>) {
        let body = image.frames[pid];
        let (kind, location) = image.stand(body);
        key.extend([kind as u32, location as u32]);
        for handle in &self.kinds[kind].handles {
            let first = if handle.is_global { image.globals } else { body + code.header() };
            let number = handle.read(code, image, body, first);
            key.push(number as u32 | marks(code, image, number));
        }
        let owned = (0..image.channels.len()).filter(|index| image.owner(*index) == Some(pid));
        key.extend(owned.map(|index| index as u32));
    }

    /// What the process of this key may still touch; `true` beside it if that may be any
    /// channel.
    pub(super) fn of(&self, key: &[u32]) -> (Accesses, bool) {
        let (kind, location) = (key[0] as usize, key[1] as usize);
        let (held, owned) = key[2..].split_at(self.kinds[kind].handles.len());
        let (mut footprint, mut any) = (Accesses::default(), false);
        let mut created = Vec::new();
        for edge in self.reachable(kind, location) {
            let touches = &self.kinds[kind].edges[edge];
            footprint.join(&touches.footprint);
            created.extend(&touches.runs);
            for (which, manner) in &touches.channels {
                match which {
                    Which::Held(handle) if held[*handle] > 0 => {
                        let (number, marks) = (held[*handle] & NUMBER, held[*handle] & !NUMBER);
                        footprint.add(Object::Channel(number - 1), *manner);
                        if touches.offers && marks & RENDEZVOUS != 0 {
                            footprint.add_everything();
                        }
                        if is_seen(marks, *manner) {
                            footprint.add(STANDING, Access::WRITE);
                        }
                    }
                    _ => {
                        any = true;
                        self.may_be_seen(&mut footprint);
                        if touches.offers && self.has_rendezvous {
                            footprint.add_everything();
                        }
                    }
                }
            }
            if touches.dies {
                owned.iter().for_each(|c| footprint.add(Object::Channel(*c), Access::WRITE));
            }
        }
        any |= !created.is_empty() && self.creates(created, &mut footprint);
        (footprint, any)
    }

    /// Adds what processes of these proctypes may touch, and what those they create may;
    /// whether that may be any channel.
    fn creates(&self, mut open: Vec<usize>, footprint: &mut Accesses) -> bool {
        let (mut known, mut any) = (BTreeSet::new(), false);
        while let Some(kind) = open.pop() {
            if known.insert(kind) {
                for touches in &self.kinds[kind].edges {
                    footprint.join(&touches.footprint);
                    open.extend(&touches.runs);
                    if !touches.channels.is_empty() {
                        any = true;
                        self.may_be_seen(footprint);
                    }
                    if touches.offers && self.has_rendezvous {
                        footprint.add_everything();
                    }
                }
            }
        }
        any
    }

    /// Adds that some event moves the trace, if there is one.
    fn may_be_seen(&self, footprint: &mut Accesses) {
        if self.has_trace {
            footprint.add(STANDING, Access::WRITE);
        }
    }

    fn reachable(&self, kind: usize, location: usize) -> Vec<usize> {
        let kind = &self.kinds[kind];
        let (mut known, mut open) = (BTreeSet::from([location]), vec![location]);
        let mut edges = Vec::new();
        while let Some(at) = open.pop() {
            for edge in &kind.leaving[at] {
                edges.push(*edge);
                open.extend(kind.to[*edge].iter().filter(|to| known.insert(**to)));
            }
        }
        edges
    }
}
