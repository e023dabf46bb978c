//! What executing edges touches, written down as it happens, and the transitions that come
//! of it.
//!
//! A transition is a path of edges from one visible state to the next, with what each edge
//! touched: which channels a process means by its variables is known only then. What
//! an edge read decides what it does, so after a step that changes nothing of it the
//! same path is there again, with the same footprint. An edge that was asked and could
//! not execute counts where that decides something: for an `else`, for what an `unless`
//! escapes from, and for an atomic sequence that stops in the middle.

use super::emit::Micro;
use std::collections::HashMap;
use system::{Access, Accesses, Dependency, Object, Transition};

/// The number of a footprint that was met.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Touched(u32);

/// Writes down what is touched; nothing while it is off.
#[derive(Default)]
pub(super) struct Recorder {
    on: bool,
    dependency: Dependency,
    /// The program has something that makes every step depend on every other.
    entangled: bool,
    /// Of the edge being asked.
    current: Accesses,
    /// Of the edges of this location that could not execute.
    refused: Accesses,
    /// What every edge that is asked now depends on: what stands before its group, or
    /// the other half of its rendezvous.
    behind: Accesses,
    /// All that the process at hand was asked, whether it executed or not.
    whole: Accesses,
    /// It was asked for a timeout, and it was time for one.
    waited: bool,
    /// The same of every process of the state at hand.
    asked: Vec<(usize, Touched)>,
    footprints: Numbered,
    /// The transition that is a longer path than another.
    longer: HashMap<(Transition, Move), Transition>,
    /// By transition.
    transitions: Vec<Accesses>,
}

/// Footprints by number.
#[derive(Default)]
struct Numbered {
    numbers: HashMap<Accesses, Touched>,
    all: Vec<Accesses>,
}

/// One more edge of a path, or the two of a rendezvous.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Move {
    pid: usize,
    edge: usize,
    peer: Option<(usize, usize)>,
    touched: Touched,
}

/// No edge: a path that ends because nothing executes.
const STUCK: usize = usize::MAX;

/// The empty path, and every step nobody knows better: it depends on everything.
pub(super) const UNKNOWN: Transition = Transition(0);

impl Recorder {
    /// A recorder at work; `entangled` if no two steps commute.
    pub(super) fn new(dependency: Dependency, entangled: bool) -> Self {
        let mut unknown = Accesses::default();
        unknown.add_everything();
        Self { on: true, dependency, entangled, transitions: vec![unknown], ..Self::default() }
    }

    /// The edge being asked touches this.
    #[inline]
    pub(super) fn touch(&mut self, object: Object, manner: Access) {
        if self.on {
            self.current.add(object, manner);
        }
    }

    /// As [`Recorder::touch`], of a channel by its place in the table.
    #[inline]
    pub(super) fn channel(&mut self, index: usize, manner: Access) {
        self.touch(Object::Channel(index as u32), manner);
    }

    /// The edge being asked touches more than can be told.
    #[inline]
    pub(super) fn everything(&mut self) {
        if self.on {
            self.current.add_everything();
        }
    }

    /// The edge being asked asks whether nothing else can move.
    pub(super) fn timeout(&mut self, answer: bool) {
        if self.on {
            self.current.ask_timeout();
            self.waited |= answer;
        }
    }

    /// A process ends: nobody is younger, which another process that ends is not asked.
    pub(super) fn end(&mut self) {
        if self.on {
            self.current.forget(Object::Exits);
            self.current.add(Object::Processes, Access::READ);
            self.current.add(Object::Exits, Access::EXIT);
        }
    }

    /// The steps of a state are asked for.
    pub(super) fn begin(&mut self) {
        self.asked.clear();
    }

    /// The steps of a process are asked for.
    pub(super) fn begin_process(&mut self) {
        self.whole = Accesses::default();
        self.waited = false;
    }

    /// They are all there.
    pub(super) fn end_process(&mut self, pid: usize) {
        let is_told = !self.entangled && !self.waited && !self.whole.has_everything();
        if self.on && is_told {
            let whole = std::mem::take(&mut self.whole).while_others_move();
            self.asked.push((pid, self.footprints.number(&whole)));
        }
    }

    /// What a process was asked in the state at hand, if that can be told.
    pub(super) fn asked(&self, pid: usize) -> Option<Touched> {
        self.asked.iter().find(|(other, _)| *other == pid).map(|(_, touched)| *touched)
    }

    /// What that was.
    pub(super) fn touches(&self, touched: Touched) -> &Accesses {
        &self.footprints.all[touched.0 as usize]
    }

    /// Somebody is asked what it can do.
    pub(super) fn ask(&mut self) {
        if self.on {
            self.refused = Accesses::default();
            self.behind = Accesses::default();
        }
    }

    /// Somebody else is asked in the middle of a question, whether it takes an offer or
    /// is enabled; gives back what to put in place after.
    pub(super) fn interrupt(&mut self) -> (Accesses, Accesses) {
        (std::mem::take(&mut self.refused), self.behind.clone())
    }

    /// The first question goes on.
    pub(super) fn resume(&mut self, (refused, behind): (Accesses, Accesses)) {
        (self.refused, self.behind) = (refused, behind);
    }

    /// The next group of edges is asked because no edge of those before executes.
    pub(super) fn next_group(&mut self) {
        if self.on {
            self.behind.join(&self.refused);
        }
    }

    /// Some edges of the process at hand are not asked.
    pub(super) fn leave_unasked(&mut self) {
        self.whole.add_everything();
    }

    /// An edge is asked.
    pub(super) fn start(&mut self, is_else: bool) {
        if self.on {
            self.current.clone_from(&self.behind);
            if is_else {
                self.current.join(&self.refused);
            }
        }
    }

    /// It does not execute.
    pub(super) fn refuse(&mut self) {
        if self.on {
            self.refused.join(&self.current);
            self.whole.join(&self.current);
        }
    }

    /// It executes.
    pub(super) fn done(&mut self) -> Touched {
        if !self.on {
            return Touched(0);
        }
        self.whole.join(&self.current);
        self.footprints.number(&self.current)
    }

    /// It offers a message, and others are asked; gives back what to put in place after.
    pub(super) fn offer(&mut self) -> Accesses {
        // Who takes it depends on where the others stand.
        self.whole.add_everything();
        std::mem::replace(&mut self.behind, self.current.clone())
    }

    /// The offer is over. Whether somebody takes it depends on where everybody stands,
    /// which nobody writes down.
    pub(super) fn offered(&mut self, behind: Accesses, taken: bool) {
        self.behind = behind;
        if self.on && !taken {
            self.refused.add_everything();
        }
    }

    /// The path of `transition` with one more edge.
    pub(super) fn follow(
        &mut self,
        transition: Transition,
        micro: &Micro,
        touched: Touched,
    ) -> Transition {
        if !self.on {
            return UNKNOWN;
        }
        let Micro { pid, edge, peer, .. } = *micro;
        self.lengthen(transition, Move { pid, edge, peer, touched })
    }

    /// The path of `transition`, which ends because nothing that process `pid` was asked just
    /// now executes.
    pub(super) fn stop(&mut self, transition: Transition, pid: usize) -> Transition {
        if !self.on {
            return UNKNOWN;
        }
        let touched = self.footprints.number(&self.refused);
        self.lengthen(transition, Move { pid, edge: STUCK, peer: None, touched })
    }

    fn lengthen(&mut self, transition: Transition, step: Move) -> Transition {
        if let Some(known) = self.longer.get(&(transition, step)) {
            return *known;
        }
        let first = Accesses::default();
        let mut footprint =
            if transition == UNKNOWN { first } else { self.footprint(transition).clone() };
        footprint.moves(step.pid as u32);
        step.peer.into_iter().for_each(|(pid, _)| footprint.moves(pid as u32));
        footprint.join(self.touches(step.touched));
        if self.entangled {
            footprint.add_everything();
        }
        let longer = Transition(self.transitions.len() as u32);
        self.transitions.push(footprint);
        self.longer.insert((transition, step), longer);
        longer
    }

    fn footprint(&self, transition: Transition) -> &Accesses {
        &self.transitions[transition.0 as usize]
    }

    /// Whether two transitions depend on each other; all do that nothing was written down of.
    pub(super) fn dependent(&self, one: Transition, other: Transition) -> bool {
        !self.on || self.footprint(one).depends_on(self.footprint(other), self.dependency)
    }
}

impl Numbered {
    fn number(&mut self, footprint: &Accesses) -> Touched {
        if let Some(known) = self.numbers.get(footprint) {
            return *known;
        }
        let number = Touched(self.all.len() as u32);
        self.all.push(footprint.clone());
        self.numbers.insert(footprint.clone(), number);
        number
    }
}
