//! Which agents can be moved alone together: stubborn sets (Valmari 1991), with a process for a
//! unit. In: who has steps, and who may ever disturb what an agent is asked where it stands.
//! Out: groups of agents none of which is disturbed by what the others can do as long as the
//! group does not move.
//!
//! What the others can do is less than their futures. An agent without a step is asked something,
//! too, and has no future before somebody changes an answer: its answers are a necessary enabling
//! set of all it may ever do (Laarman, Pater, van de Pol and Weber, *Guard-based partial-order
//! reduction*, 2013). So it counts only if one of those that can move may disturb it.
//!
//! # Proof
//!
//! Let `moved` be a set of agents as [`Stubborn::close`] leaves it, and `active` the agents it
//! has worked out last. Of a run without a step of `moved`, each step is one of `active`, and none
//! changes what an agent of `moved`, or one outside both sets, was asked. Otherwise take the
//! first step that breaks this. If it is made by an agent outside both sets, that agent had no
//! step in the first state, and an earlier step has disturbed it: one of an active agent, who
//! would have made it active. If it disturbs an agent outside both, or one of `moved`, its
//! maker is active and among the disturbers of that agent, and the one would have become active,
//! or the maker a part of `moved`. An agent that answers an offer is disturbed by who makes
//! the offer. So the steps of `moved` are a persistent set (Godefroid 1996).

use crate::Processes;

/// The agents of one state, by their places.
#[derive(Clone, Debug, Default)]
pub struct Stubborn {
    movers: Processes,
    /// Those of whom it is known who disturbs them.
    known: Processes,
    /// By agent, those that may disturb it.
    disturbers: Vec<Processes>,
    /// The groups that were found last.
    groups: Vec<Processes>,
}

impl Stubborn {
    /// So many agents are considered.
    pub const AGENTS_MAX: usize = Processes::BITS as usize;

    /// Forgets all agents.
    pub fn clear(&mut self) {
        (self.movers, self.known) = (0, 0);
        self.disturbers.clear();
    }

    /// The next agent: whether it has steps, and who may disturb it, if that is known.
    pub fn push(&mut self, moves: bool, disturbers: Option<Processes>) {
        let agent = 1 << self.disturbers.len();
        self.movers |= if moves { agent } else { 0 };
        self.known |= if disturbers.is_some() { agent } else { 0 };
        self.disturbers.push(disturbers.unwrap_or(0));
    }

    /// The sets of agents with steps that can be moved alone, of which others are left
    /// out: those of the fewest steps first. `steps` says how many a set has.
    pub fn groups(&mut self, steps: impl Fn(Processes) -> u32) -> &[Processes] {
        self.groups.clear();
        for seed in agents(self.movers & self.known) {
            let group = self.close(1 << seed).map(|moved| moved & self.movers);
            let group = group.filter(|group| *group != self.movers);
            self.groups.extend(group.filter(|group| !self.groups.contains(group)));
        }
        self.groups.sort_by_key(|group| steps(*group));
        &self.groups
    }

    /// Adds to a set of agents whoever may disturb it while it does not move, unless that is not
    /// known of one of them.
    fn close(&self, mut moved: Processes) -> Option<Processes> {
        loop {
            let disturbing = self.disturbing(moved) & self.active(moved);
            if disturbing == 0 {
                return Some(moved);
            }
            if disturbing & !self.known != 0 {
                return None;
            }
            moved |= disturbing;
        }
    }

    /// Those that may disturb one of a set.
    fn disturbing(&self, set: Processes) -> Processes {
        agents(set).fold(0, |all, agent| all | self.disturbers[agent])
    }

    /// Those that may move as long as a set of agents does not: who has steps, and who may be
    /// given some by one of them.
    fn active(&self, moved: Processes) -> Processes {
        let all = Processes::MAX >> (Processes::BITS - self.disturbers.len() as u32);
        let mut active = (self.movers | !self.known) & all & !moved;
        loop {
            let waiting = agents(all & !moved & !active);
            let woken = waiting.filter(|agent| self.disturbers[*agent] & active != 0);
            let woken = woken.fold(0, |all, agent| all | 1 << agent);
            if woken == 0 {
                return active;
            }
            active |= woken;
        }
    }
}

/// The members of a set.
fn agents(mut set: Processes) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One group for each row: agents as whether they move and who disturbs them.
    fn groups(rows: &[(bool, Option<Processes>)]) -> Vec<Processes> {
        let mut stubborn = Stubborn::default();
        rows.iter().for_each(|(moves, disturbers)| stubborn.push(*moves, *disturbers));
        stubborn.groups(Processes::count_ones).to_vec()
    }

    #[test]
    fn who_waits_does_nothing_unless_somebody_wakes_it() {
        // The second one would disturb the first, but only the first can wake it.
        let waits = [(true, Some(0b10)), (false, Some(0b01)), (true, Some(0b01))];
        assert_eq!(groups(&waits), [0b001]);
        let woken = [(true, Some(0b10)), (false, Some(0b101)), (true, Some(0b01))];
        assert_eq!(groups(&woken), [] as [Processes; 0]);
        let unknown = [(true, Some(0b10)), (false, None), (true, Some(0b01))];
        assert_eq!(groups(&unknown), [] as [Processes; 0]);
    }

    #[test]
    fn pairs_that_disturb_each_other_are_moved_together() {
        let pairs =
            [(true, Some(0b10)), (true, Some(1)), (true, Some(0b1000)), (true, Some(0b100))];
        assert_eq!(groups(&pairs), [0b0011, 0b1100]);
        let all = [(true, Some(0b10)), (true, Some(0b101)), (true, Some(0b10))];
        assert_eq!(groups(&all), [] as [Processes; 0]);
    }

    #[test]
    fn the_group_of_the_fewest_steps_comes_first() {
        let rows = [(true, Some(0b10)), (true, Some(0b1)), (true, Some(0))];
        assert_eq!(groups(&rows), [0b100, 0b011]);
        assert_eq!(groups(&rows[2..]), [] as [Processes; 0]);
    }
}
