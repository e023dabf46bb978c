//! Who is asking: lowering is done for each incarnation of each slot apart, so that
//! locals are fields, `_pid` is a number and most channels are known.

use super::build::{all, any, binary, constant, equal};
use super::facts::{Constants, Facts};
use super::layout::{Channel, Home, Layout, Room, Slot};
use ::packed::{BinaryOp, Expr, Field};
use program::reference::Rules;
use program::{LocationId, ProctypeId, Program, VariableRef};
use std::cell::Cell;

/// What lowering looks up.
#[derive(Clone, Copy)]
pub(super) struct Lowering<'a> {
    pub(super) program: &'a Program,
    pub(super) rules: &'a Rules,
    pub(super) facts: &'a Facts,
    pub(super) layout: &'a Layout,
}

/// Who executes the edge that is lowered.
pub(super) struct Scope<'a> {
    pub(super) lowering: Lowering<'a>,
    /// Of a process; none of the claim and of the event trace.
    pub(super) pid: Option<usize>,
    pub(super) room: &'a Room,
    /// Where it stands.
    pub(super) at: Field,
    /// The pid that a `run` in the edge yields, where it is known.
    pub(super) born: Option<usize>,
    /// Temporaries given out so far.
    temps: Cell<u32>,
}

/// A channel that a number can mean.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) number: i32,
    pub(super) channel: &'a Channel,
    /// With which process it comes: slot and room.
    owner: Option<(usize, &'a Room)>,
}

impl<'a> Scope<'a> {
    /// A process.
    pub(super) fn new(lowering: Lowering<'a>, pid: usize, room: &'a Room) -> Self {
        let at = lowering.layout.slots[pid].at;
        Self { lowering, pid: Some(pid), room, at, born: None, temps: Cell::new(0) }
    }

    /// The never claim, which is in a slot of its own.
    pub(super) fn of_claim(lowering: Lowering<'a>, at: Field, room: &'a Room) -> Self {
        Self { lowering, pid: None, room, at, born: None, temps: Cell::new(0) }
    }

    /// The event trace, which looks on while the same edge is executed. It has no locals.
    pub(super) fn onlooker(&self) -> Self {
        let temps = Cell::new(self.temps.get());
        Self { pid: None, temps, ..*self }
    }

    /// The same process, knowing the pid that `run` yields.
    pub(super) fn with_born(&self, born: usize) -> Self {
        let temps = Cell::new(self.temps.get());
        Self { born: Some(born), temps, ..*self }
    }

    /// The scope of another process, for what happens in the same edge.
    pub(super) fn of(&self, pid: usize, room: &'a Room) -> Self {
        let temps = Cell::new(self.temps.get());
        Self { temps, ..Self::new(self.lowering, pid, room) }
    }

    pub(super) fn slots(&self) -> &'a [Slot] {
        &self.lowering.layout.slots
    }

    /// A temporary that nothing else of the edge uses.
    pub(super) fn temp(&self) -> u32 {
        self.temps.replace(self.temps.get() + 1)
    }

    pub(super) fn constants(&self) -> Constants<'a> {
        let pid = self.pid.unwrap_or(0);
        Constants { facts: self.lowering.facts, pid, locals: &self.room.constants }
    }

    pub(super) fn home(&self, variable: VariableRef) -> &'a Home {
        match variable {
            VariableRef::Global(id) => &self.lowering.layout.globals[id],
            VariableRef::Local(id) => &self.room.locals[id],
        }
    }

    /// The first slot that may be free: processes end youngest first, so who is older than
    /// a process is there.
    pub(super) fn first_younger(&self) -> usize {
        self.pid.map_or(0, |pid| pid + 1)
    }

    /// Whether slot `pid` has a process now.
    pub(super) fn is_alive(&self, pid: usize) -> Expr {
        match self.slots().get(pid) {
            Some(_) if pid < self.first_younger() => constant(1),
            Some(slot) => binary(BinaryOp::NotEqual, Expr::Field(slot.at), constant(0)),
            None => constant(0),
        }
    }

    /// Whether slot `pid` holds this incarnation now.
    pub(super) fn is_in(&self, pid: usize, room: &Room) -> Expr {
        let slot = &self.slots()[pid];
        if self.pid == Some(pid) {
            return constant(i32::from(room.span == self.room.span));
        }
        if slot.rooms.len() == 1 {
            return self.is_alive(pid);
        }
        let at = || Expr::Field(slot.at);
        let (first, last) = room.span;
        all([
            binary(BinaryOp::GreaterEqual, at(), constant(first)),
            binary(BinaryOp::LessEqual, at(), constant(last)),
        ])
    }

    /// Whether slot `pid` holds a process of a proctype now.
    pub(super) fn is_of(&self, pid: usize, proctype: ProctypeId) -> Expr {
        let rooms = &self.slots()[pid].rooms;
        if rooms.iter().all(|room| room.proctype == proctype) {
            return self.is_alive(pid);
        }
        any(rooms.iter().filter(|room| room.proctype == proctype).map(|room| self.is_in(pid, room)))
    }

    /// Whether the process in slot `pid` is of a proctype and stands at a location.
    pub(super) fn stands_at(&self, pid: usize, proctype: ProctypeId, at: LocationId) -> Expr {
        let slot = &self.slots()[pid];
        let rooms = slot.rooms.iter().filter(|room| room.proctype == proctype);
        let codes = rooms.filter_map(|room| room.codes[at]);
        any(codes.map(|code| equal(Expr::Field(slot.at), constant(code))))
    }

    /// How many processes there are. SPIN counts the claim, which is there as long as anybody
    /// can ask.
    pub(super) fn count(&self) -> Expr {
        let rules = self.lowering.rules;
        let claim = usize::from(rules.spin_counts && rules.claim.is_some());
        let first = self.first_younger();
        let younger = (first..self.slots().len()).map(|pid| self.is_alive(pid));
        let sum = |a, b| binary(BinaryOp::Add, a, b);
        younger.fold(constant((first + claim) as i32), sum)
    }

    /// Every channel that can ever be, in order of number.
    pub(super) fn channels(&self) -> Vec<Target<'a>> {
        let numbered = (1..).zip(&self.lowering.layout.channels);
        let global = numbered.map(|(number, channel)| Target { number, channel, owner: None });
        let local = self.slots().iter().enumerate().flat_map(|(pid, slot)| {
            slot.rooms.iter().flat_map(move |room| {
                let numbered = (room.base as i32 + 1..).zip(&room.channels);
                numbered.map(move |(number, channel)| Target {
                    number,
                    channel,
                    owner: Some((pid, room)),
                })
            })
        });
        let mut targets: Vec<Target<'a>> = global.chain(local).collect();
        targets.sort_by_key(|target| target.number);
        targets
    }

    /// Whether a channel is there now.
    pub(super) fn is_there(&self, target: &Target<'_>) -> Expr {
        target.owner.map_or(constant(1), |(pid, room)| self.is_in(pid, room))
    }
}
