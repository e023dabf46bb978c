//! Every combination of reduction, order of search, store, cache and threads that the plan takes, and what each
//! claims to keep: all states, or every blocked state and every failure. A model is judged by a few
//! of them, drawn by lot; how often each was is counted.

use crate::checked::{Checked, Spied};
use crate::naive::Naive;
use crate::{REPLACES, run};
use search::{CacheRequest, Order, Outcome, Plan, Reduce, Request, StoreKind, Unwatched, Why};
use std::fmt::Debug;
use system::{System, Word};
use testkit::Random;

/// States a cache, or a store of the path, may create before it is given up: near the size of the
/// path it does its work again and again.
const BOUNDED_STATES_MAX: u64 = 3_000;
/// A store of the path visits states again and again: only tiny spaces.
const TINY: usize = 40;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Combination {
    reduce: Reduce,
    order: Order,
    store: StoreKind,
    cached: bool,
    threads: bool,
}

impl Combination {
    /// All that are sound. Stores of labelled states are judged in `judges`; lossy ones claim nothing.
    pub(crate) fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for reduce in [Reduce::Nothing, Reduce::Sleep, Reduce::Ample, Reduce::SleepAmple] {
            for order in
                [Order::Exhaustive, Order::BreadthFirst, Order::DepthFirst, Order::BestFirst]
            {
                for store in [StoreKind::Compact, StoreKind::Full, StoreKind::Path] {
                    for (cached, threads) in [(false, false), (true, false), (false, true)] {
                        all.push(Self { reduce, order, store, cached, threads });
                    }
                }
            }
        }
        all.retain(Self::is_sound);
        all
    }

    fn is_sound(&self) -> bool {
        let unordered = matches!(self.order, Order::Exhaustive | Order::BreadthFirst);
        let plain = matches!(self.reduce, Reduce::Nothing | Reduce::Ample);
        let shares = unordered && plain && self.store == StoreKind::Compact;
        let request = self.request(9, &mut Random::new(0));
        Plan::new(&request).is_ok() && (shares || !self.threads)
    }

    /// Whether it may end because it forgets.
    fn is_bounded(&self) -> bool {
        self.cached || self.store == StoreKind::Path
    }

    fn keeps_states(&self) -> bool {
        matches!(self.reduce, Reduce::Nothing | Reduce::Sleep)
    }

    /// The request for a system of so many states.
    fn request(&self, states: usize, random: &mut Random) -> Request {
        let Self { reduce, order, store, .. } = *self;
        let (share, scan) = random.one_of(&[(2, 20), (3, 20), (10, 3)]);
        let cache = CacheRequest {
            states_max: Some((states as u64 / share).max(2)),
            replace: random.one_of(&REPLACES),
            scan,
            count_recreated: true,
            revisits: true,
            seed: random.bits(),
        };
        let cache = self.cached.then_some(cache);
        let states_max = self.is_bounded().then_some(BOUNDED_STATES_MAX);
        Request { reduce, order, store, cache, states_max, all_errors: true, ..Request::default() }
    }
}

/// A system that is known whole.
pub(crate) struct Known<'a, S> {
    pub(crate) name: &'a str,
    pub(crate) system: &'a S,
    pub(crate) naive: &'a Naive,
    /// Another one of the same kind, for a second thread.
    pub(crate) other: &'a dyn Fn() -> S,
}

impl<S: System + Send> Known<'_, S> {
    /// What the system says of its steps: that independent ones commute.
    pub(crate) fn check(&self) {
        let all = Request { all_errors: true, store: StoreKind::Full, ..Request::default() };
        run(&Checked::new(self.system, self.name), &all);
    }

    /// Judges a combination; its outcome if it came to an end. Blocked states are `seen` in some way
    /// only where states are left out.
    pub(crate) fn judge<T: Ord + Debug>(
        &self,
        combination: Combination,
        random: &mut Random,
        seen: &dyn Fn(&[Word]) -> T,
    ) -> Option<Outcome> {
        let Self { name, system, naive, .. } = self;
        if combination.store == StoreKind::Path && naive.states.len() > TINY {
            return None;
        }
        let request = combination.request(naive.states.len(), random);
        let told = format!("{name}\n{request:?}");
        // Whoever spies sees every state, and is in the way of transition caches.
        let spies = combination.keeps_states()
            && !combination.threads
            && (combination.is_bounded() || combination.reduce == Reduce::Sleep);
        let spied = Spied::new(*system);
        let outcome = match (combination.threads, spies) {
            (true, _) => {
                let plan = Plan::new(&request).expect("sound");
                let other = &mut (self.other)();
                search::run(*system, &mut [other], &plan, &mut Unwatched).expect("it has all")
            }
            (false, true) => run(&spied, &request),
            (false, false) => run(*system, &request),
        };
        if let [why, ..] = outcome.why_incomplete.as_slice() {
            let bounds = [Why::Cache, Why::States];
            assert!(combination.is_bounded() && bounds.contains(why), "{told}: {why:?}");
            return None;
        }
        if spies {
            naive.compare(&told, &spied.visited.borrow(), &outcome);
        } else if combination.keeps_states() {
            naive.compare_findings(&told, &outcome);
        } else {
            naive.compare_seen(&told, &outcome, seen);
        }
        self.compare_figures(&combination, &told, &outcome);
        Some(outcome)
    }

    /// What is counted is what there is, where nothing is forgotten.
    fn compare_figures(&self, combination: &Combination, told: &str, outcome: &Outcome) {
        let (naive, statistics) = (self.naive, &outcome.statistics);
        if let Some(figures) = outcome.cache {
            assert!(figures.pinned <= figures.slots, "{told}");
            let new = statistics.states - figures.recreated;
            let all = naive.states.len() as u64;
            assert!(new == all || (new < all && !combination.keeps_states()), "{told}");
        }
        if combination.is_bounded() || !combination.keeps_states() {
            return;
        }
        let left_out = if combination.reduce == Reduce::Sleep { statistics.left_out } else { 0 };
        let figures = (statistics.states, statistics.transitions + left_out);
        assert_eq!(figures, (naive.states.len() as u64, naive.transitions), "{told}");
    }
}

/// How often each combination came to an end.
#[derive(Debug)]
pub(crate) struct Tally {
    all: Vec<(Combination, u64)>,
}

impl Tally {
    pub(crate) fn new() -> Self {
        Self { all: Combination::all().into_iter().map(|it| (it, 0)).collect() }
    }

    /// So many of them by lot, each judged by `judge`, which says whether it came to an end.
    pub(crate) fn draw(
        &mut self,
        random: &mut Random,
        count: usize,
        mut judge: impl FnMut(Combination, &mut Random) -> bool,
    ) {
        for _ in 0..count {
            let at = random.below(self.all.len());
            let (combination, ended) = &mut self.all[at];
            *ended += u64::from(judge(*combination, random));
        }
    }

    /// All of them once.
    pub(crate) fn each(&mut self, mut judge: impl FnMut(Combination) -> bool) {
        for (combination, ended) in &mut self.all {
            *ended += u64::from(judge(*combination));
        }
    }

    /// Each came to an end so often at least.
    pub(crate) fn has_each(&self, least: u64) {
        let rare: Vec<_> = self.all.iter().filter(|(_, ended)| *ended < least).collect();
        assert!(rare.is_empty(), "of {}: {rare:#?}", self.all.len());
    }
}
