//! Everything a system can do, in the plainest way.

use search::{FindingKind, Outcome};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Debug;
use system::{Blocked, StepOutcome, Successors, System, Unlimited, Word};
use testkit::naive;

/// All of a system.
#[derive(Debug, Default)]
pub(crate) struct Naive {
    pub(crate) states: HashSet<Vec<Word>>,
    /// One for each step of each state, and one for the initial state.
    pub(crate) transitions: u64,
    /// The blocked states that are worth a word, with the word.
    rests: BTreeSet<(Vec<Word>, Blocked)>,
    /// What steps end in.
    landings: BTreeSet<String>,
}

impl Naive {
    /// All of `system`, if it has no more states and fits into its width.
    pub(crate) fn of<S: System>(system: &S, states_max: usize) -> Option<Self> {
        let mut first = vec![0; system.width()];
        system.initial(&mut first);
        let mut naive = Self { transitions: 1, ..Self::default() };
        let mut batch = Successors::new(system.width());
        let states = naive::search(first, states_max, |state, _| {
            batch.clear();
            system.successors(state, &mut batch, &mut Unlimited);
            naive.note(system, state, &batch)
        })?;
        naive.states = states.into_keys().collect();
        Some(naive)
    }

    /// Writes down what happens in a state; the states behind it.
    fn note<S: System>(
        &mut self,
        system: &S,
        state: &[Word],
        batch: &Successors,
    ) -> Vec<Vec<Word>> {
        self.transitions += batch.len() as u64;
        if batch.is_empty() && system.blocked(state) != Blocked::ProperEnd {
            self.rests.insert((state.to_vec(), system.blocked(state)));
        }
        let landings = batch.iter().map(|(_, landing, _)| landing);
        let odd = landings.filter(|landing| *landing != StepOutcome::State);
        self.landings.extend(odd.map(|landing| format!("{landing:?}")));
        let entered = batch.iter().filter(|(_, landing, _)| landing.enters());
        entered.map(|(_, _, next)| next.to_vec()).collect()
    }

    /// A search that leaves steps out visited every state and found every blocked one,
    /// and of what steps end in each kind.
    pub(crate) fn compare(&self, name: &str, visited: &HashSet<Vec<Word>>, outcome: &Outcome) {
        let missing = self.states.difference(visited).count();
        assert_eq!(missing, 0, "{name}\nof {} states were not visited", self.states.len());
        self.compare_findings(name, outcome);
    }

    /// A search that leaves states out found every blocked one, and of what steps end in
    /// each kind.
    pub(crate) fn compare_findings(&self, name: &str, outcome: &Outcome) {
        self.compare_seen(name, outcome, &<[Word]>::to_vec);
    }

    /// The same, of blocked states that are `seen` in some way only.
    pub(crate) fn compare_seen<T: Ord + Debug>(
        &self,
        name: &str,
        outcome: &Outcome,
        seen: &dyn Fn(&[Word]) -> T,
    ) {
        let (mut rests, mut landings) = (BTreeSet::new(), BTreeSet::new());
        for finding in outcome.findings.iter().chain(&outcome.residuals) {
            match finding.kind {
                FindingKind::Blocked(rest) => {
                    rests.insert((seen(&finding.state), rest));
                }
                FindingKind::Step(landing) => {
                    landings.insert(format!("{landing:?}"));
                }
            }
        }
        let all: BTreeSet<_> =
            self.rests.iter().map(|(state, rest)| (seen(state), *rest)).collect();
        assert_eq!(rests, all, "{name}");
        assert_eq!(landings, self.landings, "{name}");
    }
}
