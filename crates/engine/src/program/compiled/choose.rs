//! What one process, or the claim, can do next: which of its edges are
//! executable, and with whom.
//!
//! INVARIANT: a question is about a `base`; the state in memory is worked on and
//! may be anything once `dirty`. Who evaluates something refreshes it first.

use super::act::Done;
use super::code::{Code, Edge, Kind};
use super::fault::Fault;
use super::image::Image;
use super::memory::{CLAIM, Memory};
use super::value::alive;
use std::mem;

/// One edge that executes, or the two of a rendezvous.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) edge: usize,
    pub(super) peer: Option<(usize, usize)>,
    /// Who goes on, if the sequence is atomic; or why it does not.
    pub(super) result: Result<Option<usize>, Fault>,
    /// The last fault that was passed over.
    pub(super) noted: Option<Fault>,
    /// Where it leads, if it does.
    pub(super) image: Image,
}

impl Choice {
    fn moves(&self, code: &Code) -> bool {
        self.result.err().is_none_or(|fault| !fault.stalls(&code.rules))
    }
}

/// Whether one of them executes; an error counts as an execution, unless SPIN
/// thinks otherwise.
pub(super) fn any_moves(code: &Code, choices: &[Choice]) -> bool {
    choices.iter().any(|choice| choice.moves(code))
}

/// Whether the process may move at all: its `provided` clause holds, and nobody of
/// higher priority can move.
pub(super) fn may_move(
    code: &Code,
    m: &mut Memory,
    base: &Image,
    pid: usize,
) -> Result<bool, Fault> {
    if !is_provided(code, m, base, pid)? {
        return Ok(false);
    }
    if !code.has_priorities {
        return Ok(true);
    }
    let own = base.priority(code, pid);
    for other in 0..base.frames.len() {
        if base.priority(code, other) > own
            && is_provided(code, m, base, other)?
            && is_enabled(code, m, base, other)
        {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_provided(code: &Code, m: &mut Memory, base: &Image, pid: usize) -> Result<bool, Fault> {
    let Some(body) = base.frames.get(pid) else { return Ok(false) };
    let Some(condition) = &code.kinds[base.stand(*body).0].provided else { return Ok(true) };
    let (asked, noted) = (mem::take(&mut m.asked), m.noted);
    m.refresh(base);
    m.act_as(code, pid);
    let value = condition(code, m);
    (m.asked, m.noted) = (asked, noted);
    Ok(value? != 0)
}

/// Whether some edge of the process could execute, `provided` aside.
fn is_enabled(code: &Code, m: &mut Memory, base: &Image, pid: usize) -> bool {
    let mut found = Vec::new();
    m.asked.push(pid);
    choices(code, m, base, (pid, false), &mut found);
    m.asked.pop();
    any_moves(code, &found)
}

/// `enabled(pid)`, asked in the middle of something else.
pub(super) fn enabled(code: &Code, m: &mut Memory, pid: i32) -> Result<bool, Fault> {
    let Some(pid) = alive(m, pid) else { return Ok(false) };
    if m.actor == pid {
        return Err(Fault::EnabledOfSelf);
    }
    // Two processes that wait for each other to be enabled would ask in circles;
    // whoever is being asked already is taken not to be.
    if m.asked.contains(&pid) {
        return Ok(false);
    }
    let (actor, frame, noted, taking, dirty) = (m.actor, m.frame, m.noted, m.taking, m.dirty);
    let offer = mem::take(&mut m.offer);
    let base = m.image.clone();
    let enabled = is_enabled(code, m, &base, pid);
    (m.actor, m.frame, m.noted, m.taking, m.dirty) = (actor, frame, noted, taking, dirty);
    (m.offer, m.image) = (offer, base);
    Ok(enabled)
}

/// Adds everything `actor` can do in `base` to `found`; if it is `taking`, only
/// what takes the offer in memory. Only the first group of edges that has an
/// executable one counts.
pub(super) fn choices(
    code: &Code,
    m: &mut Memory,
    base: &Image,
    (actor, taking): (usize, bool),
    found: &mut Vec<Choice>,
) {
    let Some(body) = base.body(code, actor) else { return };
    let (kind, location) = base.stand(body);
    let kind = &code.kinds[kind];
    let asker = Asker { code, kind, base, actor, taking };
    let mut moved = false;
    for group in &kind.locations[location].groups {
        for edge in group {
            moved |= asker.ask(m, *edge, moved, found);
        }
        if moved {
            break;
        }
    }
}

/// A question: what can this actor do here?
#[derive(Clone, Copy)]
struct Asker<'a> {
    code: &'a Code,
    kind: &'a Kind,
    base: &'a Image,
    actor: usize,
    taking: bool,
}

impl Asker<'_> {
    /// Adds what an edge can do; says whether it moves.
    fn ask(self, m: &mut Memory, id: usize, moved: bool, found: &mut Vec<Choice>) -> bool {
        let edge = &self.kind.edges[id];
        // An `else` lifted out of an inner choice stands before the options of the
        // outer one that follow; SPIN asks only what stands before it.
        if (moved && edge.is_else) || (self.taking && !edge.takes) {
            return false;
        }
        let first = found.len();
        self.attempt(m, (id, edge), found);
        if moved && self.kind.deterministic {
            found[first..].iter_mut().for_each(|choice| self.blame(choice));
        }
        any_moves(self.code, &found[first..])
    }

    /// Says of a second executable edge of a `D_proctype` that it is one.
    fn blame(self, choice: &mut Choice) {
        match choice.result {
            Err(_) => {}
            Ok(_) if self.code.rules.spin_counts => choice.noted = Some(Fault::Nondeterminism),
            Ok(_) => choice.result = Err(Fault::Nondeterminism),
        }
    }

    fn attempt(self, m: &mut Memory, (id, edge): (usize, &Edge), found: &mut Vec<Choice>) {
        m.refresh(self.base);
        m.act_as(self.code, self.actor);
        (m.noted, m.taking) = (None, self.taking);
        let result = match (edge.act)(self.code, m) {
            Ok(Done::Blocked) => {
                m.untold |= m.noted.is_some();
                return;
            }
            Ok(Done::Moved) => Ok(edge.goes_on.then_some(self.actor)),
            Ok(Done::Offered) => return self.handshakes(m, (id, edge), found),
            Err(fault) => Err(fault),
        };
        let image = match result {
            Ok(_) => self.arrived(m, edge),
            Err(_) => Image::default(),
        };
        found.push(Choice { edge: id, peer: None, result, noted: m.noted, image });
    }

    /// The state with the actor at the end of its edge.
    fn arrived(self, m: &mut Memory, edge: &Edge) -> Image {
        // A process that died is not there any more.
        if let Some(body) = m.body(self.code, self.actor) {
            m.image.set_number(body + 2, edge.to);
            for (offset, size) in &edge.resets {
                let first = body + self.code.header() + offset;
                m.image.bytes[first..first + size].fill(0);
            }
        }
        if self.code.keeps_last && self.actor != CLAIM {
            m.image.set_number(m.image.last(self.code), self.actor);
        }
        m.take()
    }

    /// Every way in which someone else takes the offer in memory. Whether the
    /// sequence is atomic then is for the receiver's edge to say. Priority is asked
    /// of the sender only.
    fn handshakes(self, m: &mut Memory, (id, edge): (usize, &Edge), found: &mut Vec<Choice>) {
        let (noted, offered) = (m.noted, found.len());
        let base = self.arrived(m, edge);
        for pid in (0..base.frames.len()).rev().filter(|pid| *pid != self.actor) {
            let first = found.len();
            match is_provided(self.code, m, &base, pid) {
                Ok(true) => choices(self.code, m, &base, (pid, true), found),
                Ok(false) => {}
                Err(fault) => found.push(Choice {
                    edge: id,
                    peer: None,
                    result: Err(fault),
                    noted: None,
                    image: Image::default(),
                }),
            }
            for choice in &mut found[first..] {
                choice.peer = Some((pid, choice.edge));
                choice.edge = id;
                m.tell(noted, choice.noted);
                choice.noted = choice.noted.or(noted);
            }
        }
        m.untold |= noted.is_some() && found.len() == offered;
        m.dirty = true;
        m.recycle(base);
    }
}
