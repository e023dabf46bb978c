//! From what was asked to what will run. The only file that names combinations:
//! a combination that is unsound or means nothing becomes a [`Refusal`], and every
//! other one a loop with its parts.
//!
//! | order | compact or full store | labelled, path | bitstate, hash64 |
//! |---|---|---|---|
//! | exhaustive | work list, last in first out; with a depth bound that of Holzmann 1985 | depth first | depth first |
//! | depth first | depth first; with a depth bound that of Holzmann 1985 | depth first | depth first |
//! | breadth first | work list, first in first out | refused | refused |
//! | partial | depth first; any revisit ends the branch, also below a depth bound | refused | depth first |
//!
//! A cache stores some states of a depth-first search, whole, and refuses the same as sleep
//! sets do; every state is visited, for a state that was forgotten is explored again.
//!
//! | reduction | runs | refused with |
//! |---|---|---|
//! | sleep sets | depth first; compact, full or path store, cache | breadth first, a depth bound, labelled, lossy stores |
//!
//! | ample sets | depth first; compact or full store | the same, path store, cache |
//!
//! Sleep sets are proven for a search that stores states as it meets them and explores
//! each one to its end (Theorem 3.1 of the 1995 paper): forgetting closed states is covered, a
//! depth bound or a store that takes one state for another is not. A store of labelled
//! states cannot say which states are on the path. Ample sets lean on every state that was
//! left being stored; together with sleep sets their cycle proviso is not proven here.
//!
//! The compact store keeps no note, so a depth bound, which needs the depth of every state,
//! runs with the full one; so does a system with words that do not tell states
//! apart. Both stores are exact: what a search finds does not depend on it.

use crate::ample::Ample;
use crate::frontier::{Fifo, Lifo};
use crate::goal::{Errors, Goal};
use crate::ledger::{Ledger, Limits};
use crate::reduction::{NoReduction, Reduction};
use crate::revisit::{EndBranch, EndBranchTold, LowerDepth};
use crate::sleep::Sleep;
use crate::store::{Bits, Cache, CacheRequest, Compact, Fingerprints, Full, Labelled, Lossy, Path};
use crate::{Outcome, Watch, Why, depth_first, parallel, worklist};
use std::fmt;
use std::num::NonZeroU64;
use system::{Deeds, Scope, System};

/// What is asked of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// In which order states are explored.
    pub order: Order,
    /// Which states are remembered.
    pub store: StoreKind,
    /// The longest path to explore, in edges; none means no bound.
    pub depth: Option<u64>,
    /// Whether to go on after the first error.
    pub all_errors: bool,
    /// With `all_errors`: stop after so many.
    pub errors_max: Option<NonZeroU64>,
    /// Store at most so many states; none means no bound.
    pub states_max: Option<u64>,
    /// Which steps are left out because others stand for them.
    pub reduce: Reduce,
    /// Store some states only.
    pub cache: Option<CacheRequest>,
    /// The bytes that store, work list or path, and findings may hold together.
    pub memory_bytes_max: Option<u64>,
}

/// In which order states are explored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// Every state, in the order that is fastest.
    #[default]
    Exhaustive,
    /// Down into the first successor before the second is looked at.
    DepthFirst,
    /// Level by level: trails are shortest.
    BreadthFirst,
    /// Depth first where a revisit ends the branch even if a depth bound cut what lies
    /// behind it (Holzmann 1986, section 2): less than the bound allows, and much faster.
    Partial,
}

/// Which steps are left out because others stand for them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reduce {
    /// None.
    #[default]
    Nothing,
    /// Those explored before in another order; every state is visited.
    Sleep,
    /// Those of all processes but one, where that one can be moved alone; every blocked
    /// state is visited, and every requirement fails that fails.
    Ample,
}

/// Which states are remembered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StoreKind {
    /// All, collapsed.
    #[default]
    Compact,
    /// All, whole.
    Full,
    /// The labelled ones of the current path.
    Labelled,
    /// Those of the current path.
    Path,
    /// A few bits of a field for each: states are left out, never complete.
    Bitstate,
    /// A hash of 63 bits for each: hardly any is left out, never complete.
    Hash64,
}

/// Why a request cannot be served.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Refusal {
    /// Breadth first with a store of the current path.
    NoPathBreadthFirst(StoreKind),
    /// Breadth first with a store that cannot give its states back.
    NoWordsBreadthFirst,
    /// Sleep sets with something they are not proven for.
    SleepWith(&'static str),
    /// Ample sets with something they are not proven for.
    AmpleWith(&'static str),
    /// A cache with something it is not proven for.
    CacheWith(&'static str),
    /// A cache as large as the memory allows, where nothing says how much it allows.
    CacheOfAnySize,
    /// A number of errors for a search that stops at the first one.
    ManyErrorsOfOne(NonZeroU64),
    /// A partial search with a store that does not know every state met before.
    NoRevisits(StoreKind),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refusal::NoPathBreadthFirst(store) => {
                let stored = match store {
                    StoreKind::Labelled => "the labelled states of the current path",
                    _ => "the states of the current path",
                };
                write!(
                    f,
                    "a breadth-first search has no current path, so it cannot store only {stored}; \
                     search depth first, or store all states"
                )
            }
            Refusal::NoWordsBreadthFirst => f.write_str(
                "a breadth-first search takes its states back from the store, which keeps only \
                 hashes of them; search depth first, or store all states",
            ),
            Refusal::SleepWith(what) => write!(
                f,
                "sleep sets are proven for a depth-first search of every state, not for {what}; \
                 drop one of the two"
            ),
            Refusal::AmpleWith(what) => write!(
                f,
                "ample sets are proven for a depth-first search that stores every state it meets, \
                 not for {what}; drop one of the two"
            ),
            Refusal::CacheWith(what) => write!(
                f,
                "a cache is a store of a depth-first search without a depth bound: it does not go \
                 with {what}; drop one of the two"
            ),
            Refusal::CacheOfAnySize => f.write_str(
                "a cache as large as the memory limit allows needs a memory limit; give one, or a \
                 number of states",
            ),
            Refusal::NoRevisits(_) => f.write_str(
                "a partial search ends a branch at every state it has met before, so it has to \
                 remember more than the current path; store all states",
            ),
            Refusal::ManyErrorsOfOne(errors) => write!(
                f,
                "a search that stops at the first error cannot stop after {errors} of them; \
                 ask for all errors as well, or drop the number"
            ),
        }
    }
}

impl std::error::Error for Refusal {}

/// What will run: a loop with its parts, how far it may go, what it is for.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    shape: Shape,
    reduce: Reduce,
    cache: Option<CacheRequest>,
    compact: bool,
    limits: Limits,
    errors: Errors,
}

/// The combinations there are.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// The work list, last in first out.
    Lifo,
    /// The work list, first in first out (Holzmann 1987, section 5).
    Fifo,
    /// Depth first, any revisit ends the branch: complete without a depth bound, else
    /// partial.
    DepthFirst,
    /// Depth first, full store, depth bound (Holzmann 1985, section II).
    LowerDepth,
    /// Depth first, the states of the path (Holzmann 1987, section 5).
    Path,
    /// Depth first, the labelled states of the path (Holzmann 1987, section 5).
    Labelled,
    /// Depth first, bits in a field.
    Bitstate,
    /// Depth first, a hash per state.
    Hash64,
    /// Depth first, so many states (Holzmann 1987, section 5).
    Cache,
}

impl Plan {
    /// Checks a request.
    pub fn new(request: &Request) -> Result<Plan, Refusal> {
        let shape = shape(request)?;
        let errors = match (request.all_errors, request.errors_max) {
            (false, Some(most)) if most.get() > 1 => return Err(Refusal::ManyErrorsOfOne(most)),
            (false, _) => Errors::First,
            (true, None) => Errors::All,
            (true, Some(most)) => Errors::AtMost(most.get()),
        };
        let compact = request.store == StoreKind::Compact;
        let Request { reduce, cache, .. } = *request;
        Ok(Plan { shape, reduce, cache, compact, limits: limits(request), errors })
    }

    /// Breadth first to the first error, within the limits of `request`.
    pub(crate) fn shortest(request: &Request) -> Plan {
        let limits = limits(request);
        let reduce = Reduce::Nothing;
        let (shape, errors) = (Shape::Fifo, Errors::First);
        Plan { shape, reduce, cache: None, compact: true, limits, errors }
    }

    /// Runs the loop with its parts for any goal.
    pub(crate) fn execute<S: System>(
        &self,
        system: &S,
        goal: &mut dyn Goal,
        watch: &mut dyn Watch,
    ) -> Outcome {
        assert!(self.reduce == Reduce::Nothing, "a reduced search is run by `run_reduced`");
        let mut outcome = self.search(system, goal, watch);
        outcome.why_incomplete.extend(match system.scope() {
            Scope::Whole => None,
            Scope::Part => Some(Why::Partial),
            Scope::Folded => Some(Why::Folded),
        });
        outcome
    }

    fn search<S: System>(&self, system: &S, goal: &mut dyn Goal, watch: &mut dyn Watch) -> Outcome {
        let (width, telling) = (system.width(), system.telling());
        let compact = self.compact && telling == width;
        let depth_max = self.limits.depth_max;
        let ledger = Ledger::new(width, self.limits, goal, watch);
        match self.shape {
            Shape::Lifo if compact => {
                worklist::search(system, Compact::new(width), Lifo::default(), ledger)
            }
            Shape::Lifo => {
                worklist::search(system, Full::new(width, telling), Lifo::default(), ledger)
            }
            Shape::Fifo if compact => {
                worklist::search(system, Compact::new(width), Fifo::default(), ledger)
            }
            Shape::Fifo => {
                worklist::search(system, Full::new(width, telling), Fifo::default(), ledger)
            }
            Shape::DepthFirst if compact => {
                depth_first::search(system, Compact::new(width), (EndBranch, NoReduction), ledger)
            }
            Shape::DepthFirst => {
                let store = Full::new(width, telling);
                depth_first::search(system, store, (EndBranch, NoReduction), ledger)
            }
            Shape::LowerDepth => depth_first::search(
                system,
                Full::new(width, telling),
                (LowerDepth { depth_max }, NoReduction),
                ledger,
            ),
            Shape::Cache => {
                let store = self.cache_store(system);
                depth_first::search(system, store, (EndBranchTold, NoReduction), ledger)
            }
            Shape::Path => {
                let store = Path::new(width, telling);
                depth_first::search(system, store, (EndBranch, NoReduction), ledger)
            }
            Shape::Labelled => {
                depth_first::search(system, Labelled::new(system), (EndBranch, NoReduction), ledger)
            }
            Shape::Bitstate => {
                let store = Lossy::<Bits>::new(width, telling);
                depth_first::search(system, store, (EndBranch, NoReduction), ledger)
            }
            Shape::Hash64 => {
                let store = Lossy::<Fingerprints>::new(width, telling);
                depth_first::search(system, store, (EndBranch, NoReduction), ledger)
            }
        }
    }
}

impl Plan {
    fn cache_store<S: System>(&self, system: &S) -> Cache {
        let widths = (system.width(), system.telling());
        Cache::new(widths, self.cache.unwrap_or_default(), self.limits.memory_bytes_max)
    }

    /// As [`Plan::execute`], with the reduction.
    fn execute_reduced<S: Deeds, P>(
        &self,
        system: &S,
        reduction: P,
        goal: &mut dyn Goal,
        watch: &mut dyn Watch,
    ) -> Outcome
    where
        P: Reduction<S, Path>
            + Reduction<S, Cache>
            + Reduction<S, Compact>
            + Reduction<S, Full<()>>,
    {
        let (width, telling) = (system.width(), system.telling());
        let parts = (EndBranch, reduction);
        let ledger = Ledger::new(width, self.limits, goal, watch);
        match self.shape {
            Shape::Path => depth_first::search(system, Path::new(width, telling), parts, ledger),
            Shape::Cache => {
                let (store, parts) = (self.cache_store(system), (EndBranchTold, parts.1));
                depth_first::search(system, store, parts, ledger)
            }
            _ if self.compact && telling == width => {
                depth_first::search(system, Compact::new(width), parts, ledger)
            }
            _ => depth_first::search(system, Full::new(width, telling), parts, ledger),
        }
    }
}

fn limits(request: &Request) -> Limits {
    Limits {
        depth_max: request.depth.unwrap_or(u64::MAX),
        states_max: request.states_max.unwrap_or(u64::MAX),
        memory_bytes_max: request.memory_bytes_max,
    }
}

/// The tables at the head of this file.
fn shape(request: &Request) -> Result<Shape, Refusal> {
    match request.reduce {
        Reduce::Nothing if request.cache.is_some() => cached(request),
        Reduce::Nothing => whole(request),
        Reduce::Sleep => asleep(request),
        Reduce::Ample => ample(request),
    }
}

fn ample(request: &Request) -> Result<Shape, Refusal> {
    let refused = |what| Err(Refusal::AmpleWith(what));
    match (request.order, request.store, request.depth) {
        _ if request.cache.is_some() => refused("a cache"),
        (Order::BreadthFirst, ..) => refused("a breadth-first one"),
        (_, _, Some(_)) => refused("one with a depth bound"),
        (_, StoreKind::Compact | StoreKind::Full, _) => Ok(Shape::DepthFirst),
        _ => refused("another store"),
    }
}

fn asleep(request: &Request) -> Result<Shape, Refusal> {
    let refused = |what| Err(Refusal::SleepWith(what));
    match (request.order, request.store, request.depth) {
        (Order::BreadthFirst, ..) => refused("a breadth-first one"),
        (_, _, Some(_)) => refused("one with a depth bound"),
        (_, StoreKind::Labelled, _) => refused("a store of labelled states"),
        (_, StoreKind::Bitstate | StoreKind::Hash64, _) => refused("a lossy store"),
        _ if request.cache.is_some() => cached(request),
        (_, StoreKind::Path, _) => Ok(Shape::Path),
        (_, StoreKind::Compact | StoreKind::Full, _) => Ok(Shape::DepthFirst),
    }
}

fn cached(request: &Request) -> Result<Shape, Refusal> {
    let refused = |what| Err(Refusal::CacheWith(what));
    match (request.order, request.store, request.depth) {
        (Order::BreadthFirst, ..) => refused("a breadth-first search"),
        (_, _, Some(_)) => refused("a depth bound"),
        (_, StoreKind::Compact | StoreKind::Full, _) => {
            let size = request.cache.and_then(|cache| cache.states_max);
            match size.or(request.memory_bytes_max) {
                Some(_) => Ok(Shape::Cache),
                None => Err(Refusal::CacheOfAnySize),
            }
        }
        _ => refused("another store"),
    }
}

fn whole(request: &Request) -> Result<Shape, Refusal> {
    let all = matches!(request.store, StoreKind::Compact | StoreKind::Full);
    Ok(match (request.store, request.order, request.depth) {
        (_, Order::BreadthFirst, _) if all => Shape::Fifo,
        (_, Order::Exhaustive, None) if all => Shape::Lifo,
        (_, Order::DepthFirst, None) | (_, Order::Partial, _) if all => Shape::DepthFirst,
        (StoreKind::Compact | StoreKind::Full, _, _) => Shape::LowerDepth,
        (StoreKind::Bitstate | StoreKind::Hash64, Order::BreadthFirst, _) => {
            return Err(Refusal::NoWordsBreadthFirst);
        }
        (StoreKind::Bitstate, _, _) => Shape::Bitstate,
        (StoreKind::Hash64, _, _) => Shape::Hash64,
        (store, Order::BreadthFirst, _) => return Err(Refusal::NoPathBreadthFirst(store)),
        (store, Order::Partial, _) => return Err(Refusal::NoRevisits(store)),
        (StoreKind::Path, _, _) => Shape::Path,
        (StoreKind::Labelled, _, _) => Shape::Labelled,
    })
}

/// Searches the system as planned. `watch` is asked now and then whether to go on.
///
/// # Panics
/// The plan has a reduction: that is for [`run_reduced`].
pub fn run<S: System>(system: &S, plan: &Plan, watch: &mut dyn Watch) -> Outcome {
    plan.execute(system, &mut plan.errors.clone(), watch)
}

/// Searches a system that knows what its steps touch, with or without a reduction.
pub fn run_reduced<S: Deeds>(system: &S, plan: &Plan, watch: &mut dyn Watch) -> Outcome {
    match plan.reduce {
        Reduce::Nothing => run(system, plan, watch),
        Reduce::Sleep => {
            plan.execute_reduced(system, Sleep::default(), &mut plan.errors.clone(), watch)
        }
        Reduce::Ample => {
            plan.execute_reduced(system, Ample::default(), &mut plan.errors.clone(), watch)
        }
    }
}

/// Searches the system as planned with one thread per copy of it. What comes out is
/// what one thread gives: the same states, matched edges and transitions, and if
/// there is anything to report, the outcome of a breadth-first search by one thread.
/// Orders other than a complete one without bounds are searched by one thread.
pub fn run_parallel<S: System + Send>(
    system: &S,
    copies: &mut [S],
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Outcome {
    let whole = system.telling() == system.width() && system.scope() == Scope::Whole;
    let free = plan.limits.depth_max == u64::MAX && plan.limits.states_max == u64::MAX;
    let complete = matches!(plan.shape, Shape::Lifo | Shape::Fifo);
    if !(plan.compact && whole && free && complete) || copies.is_empty() {
        return run(system, plan, watch);
    }
    match parallel::search(system, copies, plan.limits.memory_bytes_max, watch) {
        Some(outcome) => outcome,
        None => run(system, &Plan { shape: Shape::Fifo, ..*plan }, watch),
    }
}
