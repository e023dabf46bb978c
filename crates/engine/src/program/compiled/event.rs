//! The event trace: an automaton that watches sends and receives.

use super::code::{Code, Home, Region, Scope};
use super::fault::Fault;
use super::image::Image;
use super::memory::Memory;
use super::outlook;
use super::value::{Value, value};
use base::Id;
use program::{Action, EventTrace, Expr, Pattern, VariableId, VariableRef};
use system::{Access, Object};

/// Where the trace stands, as something that steps touch.
pub(super) const STANDING: Object = Object::Variable(u32::MAX);

/// An event trace made ready.
pub(super) struct Watch {
    forbidden: bool,
    /// Nothing it looks at is ever set.
    is_steady: bool,
    sends: Vec<(Home, usize)>,
    receives: Vec<(Home, usize)>,
    end: usize,
    /// By location, in order.
    edges: Vec<Vec<Sight>>,
    /// Where the automaton may be left.
    rests: Vec<bool>,
}

/// An edge that watches.
struct Sight {
    /// Of a send, not of a receive; none that sees nothing.
    sent: Option<bool>,
    channel: Option<Value>,
    /// What a field must be.
    fields: Vec<Option<Value>>,
    to: usize,
}

/// Makes an event trace ready.
pub(super) fn watch(scope: Scope<'_>, trace: &EventTrace) -> Watch {
    let automaton = &scope.program.proctypes[trace.automaton];
    let scope = scope.of(trace.automaton);
    let homes = |ids: &[VariableId]| {
        let home = |id: &VariableId| {
            let length = scope.program.globals[*id].length as usize;
            (scope.home(VariableRef::Global(*id)), length)
        };
        ids.iter().map(home).collect()
    };
    let edges = |at| {
        let edges = automaton.edges_from(at);
        edges.map(|(_, edge)| sight(scope, &edge.action, edge.to.index())).collect()
    };
    let rests = |at| at == automaton.end || automaton.locations[at].marks.end;
    Watch {
        forbidden: trace.forbidden,
        is_steady: is_steady(scope, trace),
        sends: homes(&trace.sends),
        receives: homes(&trace.receives),
        end: automaton.end.index(),
        edges: automaton.locations.ids().map(edges).collect(),
        rests: automaton.locations.ids().map(rests).collect(),
    }
}

/// Whether nothing a trace looks at is ever set: only its own moves change what it does.
fn is_steady(scope: Scope<'_>, trace: &EventTrace) -> bool {
    let set = outlook::set_variables(scope);
    let is_set = |variable: VariableRef| match variable {
        VariableRef::Global(id) => set.contains(&(None, id.index())),
        VariableRef::Local(_) => true,
    };
    let sets = |expr: &Expr| matches!(expr, Expr::Load(place) if is_set(place.variable));
    let mut channels = trace.sends.iter().chain(&trace.receives);
    !channels.any(|id| is_set(VariableRef::Global(*id)))
        && !scope.program.proctypes[trace.automaton].mentions(&sets)
}

fn sight(scope: Scope<'_>, action: &Action, to: usize) -> Sight {
    let (sent, queue, fields) = match action {
        // Constants must agree; `_` and variables stand for anything.
        Action::Send { queue, arguments, .. } => {
            let field = |argument: &Expr| match argument {
                Expr::Const(_) => Some(value(scope, argument)),
                _ => None,
            };
            (Some(true), Some(queue), arguments.iter().map(field).collect())
        }
        Action::Receive { queue, patterns, .. } => {
            let field = |pattern: &Pattern| match pattern {
                Pattern::Match(expr) => Some(value(scope, expr)),
                Pattern::Store(_) | Pattern::Any => None,
            };
            (Some(false), Some(queue), patterns.iter().map(field).collect())
        }
        _ => (None, None, Vec::new()),
    };
    let channel = queue.map(|queue| value(scope, &queue.number));
    Sight { sent, channel, fields, to }
}

impl Watch {
    /// Whether nothing it looks at is ever set.
    pub(super) fn is_steady(&self) -> bool {
        self.is_steady
    }

    /// Whether sends into the channel at `index`, and receives from it, move the trace.
    pub(super) fn sees(&self, image: &Image, index: usize) -> [bool; 2] {
        [&self.sends, &self.receives].map(|channels| is_watched(image, channels, index))
    }

    /// Whether the system may rest where the trace stands now.
    pub(super) fn may_rest(&self, code: &Code, at: usize) -> bool {
        // SPIN asks it of a `notrace` too, where not to finish is the whole point.
        let asked = !self.forbidden || code.rules.spin_counts;
        !asked || self.rests[at]
    }
}

/// Shows the trace a send into the channel at `index`.
pub(super) fn sent(
    code: &Code,
    m: &mut Memory,
    index: usize,
    message: &[i32],
) -> Result<(), Fault> {
    match &code.watch {
        Some(watch) if is_watched(&m.image, &watch.sends, index) => {
            follow(code, m, watch, (true, index), message)
        }
        _ => Ok(()),
    }
}

/// Shows the trace a receive from the channel at `index`.
pub(super) fn received(
    code: &Code,
    m: &mut Memory,
    index: usize,
    message: &[i32],
) -> Result<(), Fault> {
    match &code.watch {
        Some(watch) if is_watched(&m.image, &watch.receives, index) => {
            follow(code, m, watch, (false, index), message)
        }
        _ => Ok(()),
    }
}

fn is_watched(image: &Image, variables: &[(Home, usize)], index: usize) -> bool {
    let number = index as i32 + 1;
    variables.iter().any(|(home, length)| {
        let shape = home.cell.shape;
        let (bytes, start) = match home.region {
            Region::Tail => (&image.tail, 0),
            _ => (&image.bytes, image.globals),
        };
        let at = |element: usize| start + home.offset + element * shape.size();
        (0..*length).any(|element| shape.read(bytes, at(element)) == number)
    })
}

/// Moves the trace along the one edge that sees the event. A `trace` must have
/// one; a `notrace` without one is out of the game for good, which is its end: from there
/// no event moves it, and it touches nothing.
fn follow(
    code: &Code,
    m: &mut Memory,
    watch: &Watch,
    event: (bool, usize),
    message: &[i32],
) -> Result<(), Fault> {
    let Some(at) = m.image.number(m.image.trace()).checked_sub(1) else { return Ok(()) };
    if watch.forbidden && at == watch.end {
        return Ok(());
    }
    m.record.touch(STANDING, Access::WRITE);
    let mut targets = Vec::new();
    let noted = m.noted;
    for sight in &watch.edges[at] {
        let fits = sight.fits(code, m, event, message);
        // What the trace passes over is nobody's fault.
        m.noted = noted;
        if fits? {
            targets.push(sight.to);
        }
    }
    let fault = match (targets.as_slice(), watch.forbidden) {
        ([], true) => {
            move_to(m, watch.end);
            return Ok(());
        }
        ([], false) => Fault::Event,
        ([to], forbidden) => {
            move_to(m, *to);
            if !forbidden || *to != watch.end {
                return Ok(());
            }
            Fault::Event
        }
        _ => Fault::AmbiguousEvent,
    };
    m.report(code, fault)
}

fn move_to(m: &mut Memory, location: usize) {
    m.dirty = true;
    m.image.set_number(m.image.trace(), location + 1);
}

impl Sight {
    fn fits(
        &self,
        code: &Code,
        m: &mut Memory,
        (sent, index): (bool, usize),
        message: &[i32],
    ) -> Result<bool, Fault> {
        let Some(channel) = self.channel.as_ref().filter(|_| self.sent == Some(sent)) else {
            return Ok(false);
        };
        let number = channel(code, m)?;
        let place = number.wrapping_sub(1) as u32 as usize;
        match number {
            0 => return Err(Fault::UninitialisedChannel),
            _ if place >= m.image.channels.len() => return Err(Fault::DeadChannel),
            _ if place != index => return Ok(false),
            _ => {}
        }
        for (field, value) in self.fields.iter().zip(message) {
            if let Some(field) = field
                && field(code, m)? != *value
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
