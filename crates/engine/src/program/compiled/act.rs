//! Actions as closures: each does its work on the state in memory, in place. What
//! an action did before it blocked is void; whoever asked it sees to that.

use super::code::{Code, Scope};
use super::fault::Fault;
use super::memory::{CLAIM, Memory};
use super::message;
use super::value::{alive, store, value};
use base::Id;
use program::{Action, Expr, PrintPart, ProctypeId};
use system::{Access, Object};

/// What an edge does, the move of its actor aside.
pub(super) type Act = Box<dyn Fn(&Code, &mut Memory) -> Result<Done, Fault> + Send + Sync>;

/// What came of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Done {
    /// It is not executable.
    Blocked,
    /// It executed.
    Moved,
    /// It executes if someone takes the offer in memory.
    Offered,
}

impl Done {
    /// Moved, or blocked.
    pub(super) fn of(moved: bool) -> Self {
        if moved { Done::Moved } else { Done::Blocked }
    }
}

/// Compiles an action of proctype `id`.
pub(super) fn act(scope: Scope<'_>, id: ProctypeId, action: &Action) -> Act {
    match action {
        // That nothing else is executable is for `choose` to see to.
        Action::Skip | Action::Else => Box::new(|_, _| Ok(Done::Moved)),
        Action::Print(parts) => print(scope, parts),
        Action::Condition(condition) => {
            let condition = value(scope, condition);
            Box::new(move |code, m| Ok(Done::of(condition(code, m)? != 0)))
        }
        Action::Assign(place, expr) => {
            let (store, value) = (store(scope, place), value(scope, expr));
            Box::new(move |code, m| {
                let value = value(code, m)?;
                store(code, m, value).map(|()| Done::Moved)
            })
        }
        Action::Assert(condition) => {
            let condition = value(scope, condition);
            Box::new(move |code, m| {
                if condition(code, m)? == 0 {
                    m.report(code, Fault::Assertion)?;
                }
                Ok(Done::Moved)
            })
        }
        Action::Send { queue, arguments, sorted } => {
            message::send(scope, queue, arguments, *sorted)
        }
        Action::Receive { queue, patterns, random, keep } => {
            message::receive(scope, queue, patterns, (*random, *keep))
        }
        Action::SetPriority(pid, priority) => set_priority(scope, pid, priority),
        Action::Deterministic { start, end } => {
            let (kind, start, end) = (id.index(), start.index(), end.index());
            Box::new(move |code, m| indivisible(code, m, kind, (start, end)).map(Done::of))
        }
        Action::Die => Box::new(|code, m| Ok(Done::of(die(code, m)))),
    }
}

/// Nobody looks at what a search prints, but to compute it may fail.
fn print(scope: Scope<'_>, parts: &[PrintPart]) -> Act {
    let values: Vec<_> =
        parts.iter().filter_map(PrintPart::value).map(|expr| value(scope, expr)).collect();
    Box::new(move |code, m| {
        for value in &values {
            value(code, m)?;
        }
        Ok(Done::Moved)
    })
}

fn set_priority(scope: Scope<'_>, pid: &Expr, priority: &Expr) -> Act {
    let (pid, priority) = (value(scope, pid), value(scope, priority));
    Box::new(move |code, m| {
        let (pid, priority) = (pid(code, m)?, priority(code, m)?);
        let Some(pid) = alive(m, pid) else { return Ok(Done::Moved) };
        if !(1..=255).contains(&priority) {
            return Err(Fault::PriorityRange);
        }
        if code.has_priorities {
            m.dirty = true;
            m.record.everything();
            m.image.set_number(m.image.frames[pid] + 4, priority as usize);
        }
        Ok(Done::Moved)
    })
}

/// A `d_step`. What it sends must not spoil an offer it took: others are asked too.
fn indivisible(
    code: &Code,
    m: &mut Memory,
    kind: usize,
    bounds: (usize, usize),
) -> Result<bool, Fault> {
    if !m.taking {
        return deterministic(code, m, kind, bounds);
    }
    let offer = m.offer.clone();
    let done = deterministic(code, m, kind, bounds);
    m.offer = offer;
    done
}

/// How many edges of a `d_step` are executed before anybody suspects that it does
/// not end: remembering a state costs more than most of them take.
const PATIENCE: u64 = 64;

/// Executes the first executable edge of each location until the end. The first
/// may block, or take an offer; what follows may not.
fn deterministic(
    code: &Code,
    m: &mut Memory,
    kind: usize,
    (start, end): (usize, usize),
) -> Result<bool, Fault> {
    let Some(mut at) = first_executable(code, m, kind, start)? else { return Ok(false) };
    m.taking = false;
    // Nothing is chosen, so a state that returns returns for ever.
    let (mut old, mut age, mut budget) = (None, 0, PATIENCE);
    let mut edges = 0;
    while at != end {
        edges += 1;
        if !m.may_go_on(edges) {
            return Err(Fault::Deterministic);
        }
        at = first_executable(code, m, kind, at)?.ok_or(Fault::Deterministic)?;
        if old.as_ref().is_some_and(|(place, image)| *place == at && m.image.is(image)) {
            return Err(Fault::Deterministic);
        }
        age += 1;
        if age == budget {
            (old, age, budget) = (Some((at, m.image.clone())), 0, budget.saturating_mul(2));
        }
    }
    m.effort += edges;
    Ok(true)
}

/// Executes the first executable edge of a location; where it leads.
fn first_executable(
    code: &Code,
    m: &mut Memory,
    kind: usize,
    at: usize,
) -> Result<Option<usize>, Fault> {
    let kind = &code.kinds[kind];
    for edge in &kind.locations[at].edges {
        let edge = &kind.edges[*edge];
        if m.taking && !edge.takes {
            continue;
        }
        let noted = m.noted;
        let before = edge.is_volatile.then(|| m.image.clone());
        match (edge.act)(code, m)? {
            Done::Moved => return Ok(Some(edge.to)),
            Done::Offered => return Err(Fault::Deterministic),
            Done::Blocked => {}
        }
        m.noted = noted;
        if let Some(before) = before {
            m.image = before;
        }
    }
    Ok(None)
}

/// Processes end youngest first, and their channels with them.
fn die(code: &Code, m: &mut Memory) -> bool {
    if m.actor == CLAIM {
        return claim_dies(code, m);
    }
    m.record.touch(Object::Exits, Access::PEEK);
    let image = &mut m.image;
    let Some((body, pid)) = image.frames.last().copied().zip(image.frames.len().checked_sub(1))
    else {
        return false;
    };
    if pid != m.actor {
        return false;
    }
    m.dirty = true;
    m.record.end();
    // From the back, so that no table entry has to move twice.
    while let Some(slot) = image.channels.last().copied() {
        if image.number(slot.at + 4) != pid + 1 {
            break;
        }
        image.channels.pop();
        // Whoever still knows the channel finds it gone.
        m.record.channel(image.channels.len(), Access::WRITE);
        image.narrow(slot.at, image.globals - slot.at);
        image.globals = slot.at;
    }
    image.set_number(image.queues, image.channels.len());
    let size = code.kinds[image.number(body)].size;
    image.narrow(body, size);
    image.frames.pop();
    image.set_number(0, pid);
    image.queues -= size;
    image.globals -= size;
    image.channels.iter_mut().for_each(|slot| slot.at -= size);
    true
}

/// A claim is the oldest process of all.
fn claim_dies(code: &Code, m: &mut Memory) -> bool {
    let image = &mut m.image;
    let Some(body) = image.claim(code).filter(|_| image.frames.is_empty()) else { return false };
    m.dirty = true;
    let flags = image.last(code) + 2;
    image.narrow(body, code.kinds[image.number(body)].size);
    image.set_number(flags, image.number(flags) & !1);
    true
}
