//! A short search ahead of the search, to see which processes there are. It goes no further
//! than to states in which nobody creates another one any more, and a walk that met somebody new
//! not long ago goes on: of a recursion that becomes deeper and deeper the search would
//! otherwise begin again at each level.

use super::facts::Facts;
use super::knowledge::Knowledge;
use program::Program;
use program::reference::{self, Budget, Rules, State};
use std::cell::Cell;
use std::collections::{HashSet, VecDeque};

/// Edges executed at most, from all starts together, on a walk into the depth since it met
/// something new, and breadth first: the reference interpreter takes some microseconds for each, and what is overlooked
/// makes the search begin again. Of SPIN's examples `eratosthenes.pml` needs the long walk, with
/// a third of it the search begins again three times.
const EDGES_OF_WALK: usize = 3000;
const EDGES_AROUND: usize = 1000;
/// Nor does a walk that meets something new all the time go further than that.
const EDGES_OF_LONG_WALK: usize = 1 << 16;
/// Breadth first so many states without anything new are enough.
const STATES_WITHOUT_NEWS: usize = 20;

/// Looks around from some states: the initial one, and those of failed speculations.
pub(super) struct Scout<'a> {
    pub(super) program: &'a Program,
    pub(super) rules: &'a Rules,
    pub(super) facts: &'a Facts,
    pub(super) knowledge: &'a mut Knowledge,
}

impl Scout<'_> {
    pub(super) fn look(&mut self, starts: &[State]) {
        for state in starts {
            self.see(state);
        }
        let exits_first = self.program.is_anonymous();
        for start in starts.iter().filter(|start| self.facts.may_create(start)) {
            self.walk(start, EDGES_OF_WALK / starts.len(), exits_first);
            self.around(start, &Edges(Cell::new(EDGES_AROUND / starts.len())));
        }
    }

    /// Takes in what a state shows; whether there was anything new.
    fn see(&mut self, state: &State) -> bool {
        self.knowledge.learn(self.program, self.facts, state)
    }

    /// The states one step further, as long as there are edges left.
    fn next(&self, state: &State, edges: &Edges) -> impl Iterator<Item = State> + use<> {
        let steps = reference::steps_within(self.program, self.rules, state, edges);
        steps.into_iter().filter(|step| !step.ends).map(|step| step.state)
    }

    fn around(&mut self, start: &State, edges: &Edges) {
        let mut seen = HashSet::from([start.clone()]);
        let mut open = VecDeque::from([start.clone()]);
        let mut without_news = 0;
        while let Some(at) = open.pop_front().filter(|_| without_news < STATES_WITHOUT_NEWS)
            && edges.lasts(0)
        {
            without_news += 1;
            for state in self.next(&at, edges) {
                if seen.insert(state.clone()) {
                    if self.see(&state) {
                        without_news = 0;
                    }
                    if self.facts.may_create(&state) {
                        open.push_back(state);
                    }
                }
            }
        }
    }

    /// A random walk, for so many edges, and from where it met something new for as many as that
    /// took. Where nobody can tell whether a process has exited, it exits at once, as in a search
    /// with ample sets.
    fn walk(&mut self, start: &State, least: usize, exits_first: bool) {
        let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut at = start.clone();
        let edges = Edges(Cell::new(least));
        let mut taken = 0;
        // A claim that goes on alone executes no edge of the system, and never ends.
        while edges.lasts(0) {
            let before = edges.0.get();
            let mut ways: Vec<State> = self.next(&at, &edges).collect();
            taken += before.saturating_sub(edges.0.get());
            let met = ways.iter().fold(false, |met, way| self.see(way) | met);
            if met && taken < EDGES_OF_LONG_WALK {
                edges.0.set(edges.0.get().max(taken));
            }
            ways.retain(|way| self.facts.may_create(way));
            let exit = ways.iter().position(|way| way.processes.len() < at.processes.len());
            if let Some(exit) = exit.filter(|_| exits_first) {
                at = ways.swap_remove(exit);
                continue;
            }
            // Xorshift, by Marsaglia.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let Some(way) = (random >> 32).checked_rem(ways.len() as u64) else { return };
            at = ways.swap_remove(way as usize);
        }
    }
}

/// How many edges may still be executed.
struct Edges(Cell<usize>);

impl Budget for Edges {
    fn lasts(&self, _: usize) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() > 0
    }
}
