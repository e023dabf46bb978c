//! How far a state of a program is from an `assert`: the fewest edges that some process has
//! to take until it executes one, along its proctype and those it creates on the way. What
//! is asserted, guards and what other processes have to do meanwhile are not looked at.

use base::{Id, IdVec};
use program::reference::State;
use program::{Action, Edge, Expr, LocationId, ProctypeId, Program};
use system::FAR;

/// For each proctype and location how many edges are taken until there is an `assert`.
pub(crate) struct Aim(IdVec<ProctypeId, Vec<u32>>);

impl Aim {
    pub(crate) fn new(program: &Program) -> Self {
        let sizes = program.proctypes.iter().map(|kind| vec![FAR; kind.locations.len()]);
        let mut aim = Self(sizes.collect());
        while aim.improve(program) {}
        aim
    }

    /// Whether some location turns out to be nearer.
    fn improve(&mut self, program: &Program) -> bool {
        let mut improved = false;
        for (id, kind) in program.proctypes.iter_ids() {
            for location in kind.locations.ids() {
                let edges =
                    kind.edges_from(location).map(|(_, edge)| self.through(program, (id, edge)));
                let nearest = edges.min().unwrap_or(FAR);
                let known = &mut self.0[id][location.index()];
                improved |= nearest < *known;
                *known = nearest.min(*known);
            }
        }
        improved
    }

    /// The same by way of an edge.
    fn through(&self, program: &Program, (id, edge): (ProctypeId, &Edge)) -> u32 {
        let behind = self.at(id, edge.to);
        let aside = match &edge.action {
            Action::Assert(_) => return 1,
            Action::Deterministic { start, .. } => self.at(id, *start),
            Action::Condition(Expr::Run { proctype, .. })
            | Action::Assign(_, Expr::Run { proctype, .. }) => {
                self.at(*proctype, program.proctypes[*proctype].start)
            }
            _ => FAR,
        };
        behind.min(aside).saturating_add(1).min(FAR)
    }

    fn at(&self, kind: ProctypeId, location: LocationId) -> u32 {
        self.0[kind][location.index()]
    }

    /// The distance of a state from the nearest `assert`; 0 if the program has none.
    pub(crate) fn distance(&self, state: &State) -> u32 {
        if self.0.iter().flatten().all(|edges| *edges == FAR) {
            return 0;
        }
        let places = state.processes.iter().map(|p| self.at(p.proctype, p.location));
        places.min().unwrap_or(FAR)
    }
}
