//! From what was asked to what will run. The only file that names combinations:
//! a combination that is unsound or means nothing becomes a [`Refusal`], and every
//! other one a loop with its parts.
//!
//! | order | compact or full store | labelled, path | bitstate, hash64 |
//! |---|---|---|---|
//! | exhaustive | unordered, last in first out; with a depth bound as depth first | depth first | depth first |
//! | depth first | depth first; with a depth bound a state is explored again where it is less deep | depth first | depth first |
//! | breadth first | unordered, first in first out | refused | refused |
//! | best first | unordered, nearest to a violation first | refused | refused |
//! | partial | depth first; any revisit ends the branch, also below a depth bound | refused | depth first |
//!
//! A cache stores some states of a depth-first search, whole, with a store of labelled states
//! only these; a state that was forgotten is explored again:
//!
//! | order | cache of all states or of labelled ones |
//! |---|---|
//! | exhaustive, depth first | every state; with a depth bound every state within it |
//! | partial | any revisit of a stored state ends the branch, also below a depth bound |
//! | breadth first, best first | refused |
//!
//! | reduction | runs | refused with |
//! |---|---|---|
//! | sleep sets, ample sets, both | depth first; compact, full or path store, cache | breadth first, a depth bound, labelled, lossy stores |
//! | ample sets alone | exhaustive, breadth first; compact or full store | best first, a depth bound |
//!
//! Sleep sets are proven for a search that stores states as it meets them and explores
//! each one to its end (Theorem 3.1 of the 1995 paper): forgetting closed states is covered, a
//! depth bound or a store that takes one state for another is not. A store of labelled
//! states cannot say which states are on the path. The same goes for ample sets
//! ([`crate::ample`]), and for both together ([`crate::sleep_ample`]).
//!
//! The searches are those of Holzmann 1985, section II, and 1987, section 5. The compact store
//! keeps no note, so a depth bound, which needs the depth of every state, runs with the full one;
//! so does a system with words beside the identity words. Both stores are exact: what a search finds does not depend on it.

use crate::ample::Ample;
use crate::ample::Proviso;
use crate::best_first::Directed;
use crate::frontier::{Best, Fifo, Frontier, Lifo};
use crate::goal::{EachKind, EachMark, Errors, Goal};
use crate::ledger::{Ledger, Limits};
use crate::reduction::{NoReduction, Reduction};
use crate::revisit::{Arrival, EndBranch, EndBranchNoting, LowerDepth, LowerDepthNoting};
use crate::sleep::Sleep;
use crate::sleep_ample::SleepAmple;
use crate::store::{
    Bits, Cache, CacheRequest, Compact, Fingerprints, Full, Labelled, Lossy, Path, Store,
};
use crate::{Outcome, Watch, Why, depth_first, threads, worklist};
use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use system::{Scope, System};

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
    /// With `all_errors`: only the first of each kind is reported.
    pub each_kind: bool,
    /// Look for a state of each of these marks, and for no error; end when each is found.
    pub marks: Option<NonZeroU32>,
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
    /// The state that is nearest to a violation first, by an estimate.
    BestFirst,
    /// Depth first where a revisit ends the branch even if a depth bound cut what lies
    /// behind it: less than the bound allows, and much faster.
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
    /// state is visited, every requirement fails that fails, and every edge is executed that can be.
    Ample,
    /// Of these, those explored before in another order; the same is kept.
    SleepAmple,
}

impl Reduce {
    /// In words.
    fn words(self) -> &'static str {
        match self {
            Reduce::Nothing => "searches of all steps",
            Reduce::Sleep => "sleep sets",
            Reduce::Ample => "ample sets",
            Reduce::SleepAmple => "sleep sets and ample sets",
        }
    }
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
    /// Best first with something that it cannot have.
    BestFirstWith(&'static str),
    /// Best first in a system that tells no distances.
    NoDistances,
    /// Breadth first with a store that cannot give its states back.
    NoWordsBreadthFirst,
    /// Sleep sets or ample sets with something they are not proven for.
    ReducedWith(Reduce, &'static str),
    /// A cache with something it is not proven for.
    CacheWith(&'static str),
    /// A cache as large as the memory allows, where nothing says how much it allows.
    CacheOfAnySize,
    /// A number of errors for a search that stops at the first one.
    ManyErrorsOfOne(NonZeroU64),
    /// A partial search with a store that does not know every state met before.
    NoRevisits(StoreKind),
    /// A reduction of a system that does not know which of its transitions are independent.
    NoIndependence,
    /// One state of all permutations, of a system that does not know which are.
    NoSymmetry,
    /// A restriction of a system that does not know the parts of its states.
    NoParts,
    /// A store of labelled states for a system that does not know where loops start.
    NoLoopHeads,
    /// A property of cycles of a system that does not show its atomic propositions.
    NoLetters,
    /// Fairness in a system that does not know which processes take part in its steps.
    NoParticipants,
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
            Refusal::BestFirstWith(what) => write!(
                f,
                "a best-first search takes its states back from the store, in no order of depth: \
                 it does not go with {what}; drop one of the two"
            ),
            Refusal::NoDistances => f.write_str(
                "this form of the model does not say how far what is looked for is; search otherwise",
            ),
            Refusal::ReducedWith(reduce, what) => write!(
                f,
                "{} are proven for a depth-first search of every state, not for {what}; drop one \
                 of the two",
                reduce.words()
            ),
            Refusal::CacheWith(what) => write!(
                f,
                "a cache is a store of a depth-first search that keeps states whole and forgets \
                 some: it does not go with {what}; drop one of the two"
            ),
            Refusal::CacheOfAnySize => f.write_str(
                "a cache as large as the memory limit allows needs a memory limit; give one, or a \
                 number of states",
            ),
            Refusal::NoRevisits(_) => f.write_str(
                "a partial search ends a branch at every state it has met before, so it has to \
                 remember more than the current path; store all states",
            ),
            Refusal::NoIndependence => f.write_str(
                "sleep sets and ample sets need to know which transitions are independent, and \
                 this form of the model does not say; search without a reduction",
            ),
            Refusal::NoSymmetry => f.write_str("no processes can be exchanged; drop `symmetry`"),
            Refusal::NoParts => f.write_str(
                "this restriction needs to know the parts of a state, and this form of the model \
                 does not say; search without it",
            ),
            Refusal::NoLoopHeads => f.write_str(
                "a store of labelled states needs to know where loops start, and this form of \
                 the model does not say; store all states, or those of the current path",
            ),
            Refusal::ManyErrorsOfOne(errors) => write!(
                f,
                "a search that stops at the first error cannot stop after {errors} of them; \
                 ask for all errors as well, or drop the number"
            ),
            Refusal::NoLetters => f.write_str("this form of the model shows no propositions"),
            Refusal::NoParticipants => f.write_str(
                "this form of the model does not say which processes take part in a step, so \
                 nothing can be said about fairness",
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
    each_kind: bool,
    marks: Option<NonZeroU32>,
}

/// The combinations there are.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Unordered, last in first out.
    Lifo,
    /// Unordered, first in first out.
    Fifo,
    /// Unordered, nearest to a violation first.
    Best,
    /// Depth first, any revisit ends the branch: complete without a depth bound, else
    /// partial.
    DepthFirst,
    /// Depth first, full store, depth bound.
    LowerDepth,
    /// Depth first, the states of the path.
    Path,
    /// Depth first, the labelled states of the path.
    Labelled,
    /// Depth first, bits in a field.
    Bitstate,
    /// Depth first, a hash per state.
    Hash64,
    /// Depth first, so many states.
    Cache {
        /// Only labelled ones.
        labelled: bool,
        /// There is a depth bound, and a state is explored again where it is less deep.
        lowers: bool,
    },
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
        let Request { reduce, cache, each_kind, marks, .. } = *request;
        let limits = limits(request);
        Ok(Plan { shape, reduce, cache, compact, limits, errors, each_kind, marks })
    }

    /// Breadth first to the first error, within the limits of `request`.
    pub(crate) fn shortest(request: &Request) -> Plan {
        let limits = limits(request);
        let reduce = Reduce::Nothing;
        let (shape, errors) = (Shape::Fifo, Errors::First);
        let (cache, each_kind, marks) = (None, false, None);
        Plan { shape, reduce, cache, compact: true, limits, errors, each_kind, marks }
    }

    /// Runs the loop with its parts for any goal; refuses a system that lacks a capability
    /// that one of the parts needs.
    pub(crate) fn execute(
        &self,
        system: &dyn System,
        goal: &mut dyn Goal,
        watch: &mut dyn Watch,
    ) -> Result<Outcome, Refusal> {
        let ledger = Ledger::new(system.width(), self.limits, goal, watch);
        let independence = || system.independence().ok_or(Refusal::NoIndependence);
        let mut outcome = match (self.reduce, self.shape) {
            (Reduce::Sleep, _) => self.reduced(system, Sleep::new(independence()?), ledger),
            (Reduce::Ample, Shape::Lifo) => self.reduced_unordered::<Lifo>(system, ledger)?,
            (Reduce::Ample, Shape::Fifo) => self.reduced_unordered::<Fifo>(system, ledger)?,
            (Reduce::Ample, _) => self.reduced(system, Ample::new(independence()?), ledger),
            (Reduce::SleepAmple, _) => {
                self.reduced(system, SleepAmple::new(independence()?), ledger)
            }
            (Reduce::Nothing, Shape::Lifo) => self.unordered::<Lifo>(system, ledger),
            (Reduce::Nothing, Shape::Fifo) => self.unordered::<Fifo>(system, ledger),
            (Reduce::Nothing, Shape::Best) => {
                let directed = Directed::new(system).ok_or(Refusal::NoDistances)?;
                self.unordered::<Best>(&directed, ledger)
            }
            (Reduce::Nothing, _) => self.ordered(system, ledger)?,
        };
        outcome.why_incomplete.extend(match system.scope() {
            Scope::Whole => None,
            Scope::Part => Some(Why::Partial),
            Scope::Folded => Some(Why::Folded),
        });
        Ok(outcome)
    }

    /// Whether all of a state is collapsed to a key.
    fn collapses(&self, system: &dyn System) -> bool {
        self.compact && system.identity_words() == system.width()
    }

    /// A search that promises no path.
    fn unordered<F: Frontier + Default>(&self, system: &dyn System, ledger: Ledger) -> Outcome {
        let (width, identity) = (system.width(), system.identity_words());
        match self.collapses(system) {
            true => worklist::search::<_, F>(system, Compact::new(width), ledger),
            false => worklist::search::<_, F>(system, Full::new(width, identity), ledger),
        }
    }

    /// The same with ample sets.
    fn reduced_unordered<F: Frontier + Default>(
        &self,
        system: &dyn System,
        ledger: Ledger,
    ) -> Result<Outcome, Refusal> {
        system.independence().ok_or(Refusal::NoIndependence)?;
        let (width, identity) = (system.width(), system.identity_words());
        let one = Some(Proviso::One);
        Ok(match self.collapses(system) {
            true => worklist::explore::<_, F>(system, Compact::new(width), ledger, one).outcome,
            false => {
                worklist::explore::<_, F>(system, Full::new(width, identity), ledger, one).outcome
            }
        })
    }

    /// A depth-first search without a reduction.
    fn ordered(&self, system: &dyn System, ledger: Ledger) -> Result<Outcome, Refusal> {
        let (width, identity) = (system.width(), system.identity_words());
        let whole = (EndBranch, NoReduction);
        let heads = || system.loop_heads().ok_or(Refusal::NoLoopHeads);
        Ok(match self.shape {
            Shape::LowerDepth => {
                let depth_max = self.limits.depth_max;
                let parts = (LowerDepth { depth_max }, NoReduction);
                depth_first::search(system, Full::new(width, identity), parts, ledger)
            }
            Shape::Cache { labelled: false, .. } => {
                self.cached(system, self.cache_store(system), ledger)
            }
            Shape::Cache { labelled: true, .. } => {
                self.cached(system, Labelled::new(heads()?, self.cache_store(system)), ledger)
            }
            Shape::Path => depth_first::search(system, Path::new(width, identity), whole, ledger),
            Shape::Labelled => {
                let store = Labelled::new(heads()?, Path::new(width, identity));
                depth_first::search(system, store, whole, ledger)
            }
            Shape::Bitstate => {
                let store = Lossy::<Bits>::new(width, identity);
                depth_first::search(system, store, whole, ledger)
            }
            Shape::Hash64 => {
                let store = Lossy::<Fingerprints>::new(width, identity);
                depth_first::search(system, store, whole, ledger)
            }
            _ if self.collapses(system) => {
                depth_first::search(system, Compact::new(width), whole, ledger)
            }
            Shape::DepthFirst | Shape::Lifo | Shape::Fifo | Shape::Best => {
                depth_first::search(system, Full::new(width, identity), whole, ledger)
            }
        })
    }

    fn cache_store(&self, system: &dyn System) -> Cache {
        let widths = (system.width(), system.identity_words());
        Cache::new(widths, self.cache.unwrap_or_default(), self.limits.memory_bytes_max)
    }

    /// A depth-first search without a reduction that keeps some states.
    fn cached<T>(&self, system: &dyn System, store: T, ledger: Ledger) -> Outcome
    where
        T: Store<Note = Arrival>,
    {
        let depth_max = self.limits.depth_max;
        match self.shape {
            Shape::Cache { lowers: true, .. } => {
                let parts = (LowerDepthNoting(LowerDepth { depth_max }), NoReduction);
                depth_first::search(system, store, parts, ledger)
            }
            _ => depth_first::search(system, store, (EndBranchNoting, NoReduction), ledger),
        }
    }

    /// A depth-first search with a reduction.
    fn reduced<P>(&self, system: &dyn System, reduction: P, ledger: Ledger) -> Outcome
    where
        P: Reduction<Path> + Reduction<Cache> + Reduction<Compact> + Reduction<Full<()>>,
    {
        let (width, identity) = (system.width(), system.identity_words());
        let parts = (EndBranch, reduction);
        match self.shape {
            Shape::Path => depth_first::search(system, Path::new(width, identity), parts, ledger),
            Shape::Cache { .. } => {
                let parts = (EndBranchNoting, parts.1);
                depth_first::search(system, self.cache_store(system), parts, ledger)
            }
            _ if self.collapses(system) => {
                depth_first::search(system, Compact::new(width), parts, ledger)
            }
            _ => depth_first::search(system, Full::new(width, identity), parts, ledger),
        }
    }

    /// Whether several threads may search the system: completely, without bounds.
    fn is_for_threads(&self, system: &dyn System) -> bool {
        let whole = system.identity_words() == system.width() && system.scope() == Scope::Whole;
        let free = self.limits.depth_max == u64::MAX && self.limits.states_max == u64::MAX;
        let complete = matches!(self.shape, Shape::Lifo | Shape::Fifo);
        let complete = complete && matches!(self.reduce, Reduce::Nothing | Reduce::Ample);
        self.compact && whole && free && complete
    }
}

pub(crate) fn limits(request: &Request) -> Limits {
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
        Reduce::Sleep | Reduce::Ample | Reduce::SleepAmple => reduced(request),
    }
}

fn reduced(request: &Request) -> Result<Shape, Refusal> {
    let refused = |what| Err(Refusal::ReducedWith(request.reduce, what));
    let alone = request.reduce == Reduce::Ample && request.cache.is_none();
    let all = matches!(request.store, StoreKind::Compact | StoreKind::Full);
    match (request.order, request.store, request.depth) {
        (Order::BreadthFirst, _, None) if alone && all => Ok(Shape::Fifo),
        (Order::Exhaustive, _, None) if alone && all => Ok(Shape::Lifo),
        (Order::BreadthFirst, ..) => refused("a breadth-first one"),
        (Order::BestFirst, ..) => refused("a best-first one"),
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
    let labelled = match (request.order, request.store) {
        (Order::BreadthFirst, _) => return refused("a breadth-first search"),
        (Order::BestFirst, _) => return refused("a best-first search"),
        (_, StoreKind::Path) => return refused("a store that keeps nothing but the current path"),
        (_, StoreKind::Bitstate | StoreKind::Hash64) => return refused("a lossy store"),
        (_, store) => store == StoreKind::Labelled,
    };
    let lowers = request.depth.is_some() && request.order != Order::Partial;
    let size = request.cache.and_then(|cache| cache.states_max);
    match size.or(request.memory_bytes_max) {
        Some(_) => Ok(Shape::Cache { labelled, lowers }),
        None => Err(Refusal::CacheOfAnySize),
    }
}

fn whole(request: &Request) -> Result<Shape, Refusal> {
    let all = matches!(request.store, StoreKind::Compact | StoreKind::Full);
    Ok(match (request.store, request.order, request.depth) {
        (_, Order::BestFirst, Some(_)) => return Err(Refusal::BestFirstWith("a depth bound")),
        (_, Order::BestFirst, None) if all => Shape::Best,
        (_, Order::BestFirst, None) => {
            return Err(Refusal::BestFirstWith("a store that forgets states or confuses them"));
        }
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

/// Searches the system as planned, with one more thread for each of its copies where the plan
/// allows it: a complete search without bounds. `watch` is asked now and then whether to go on.
/// What several threads say is what one says: the same states, matched edges and transitions,
/// and if there is anything to report, the outcome of a breadth-first search by one thread; if
/// that does not come to it in time, what the threads found ([`Outcome::canonical`]).
///
/// # Errors
/// The system lacks a capability that the plan needs.
pub fn run(
    system: &dyn System,
    copies: &mut [&mut (dyn System + Send)],
    plan: &Plan,
    watch: &mut dyn Watch,
) -> Result<Outcome, Refusal> {
    let (mut errors, mut kinds) = (plan.errors, EachKind::default());
    let mut marks = plan.marks.map(|marks| EachMark::new(marks.get()));
    let goal: &mut dyn Goal = match &mut marks {
        Some(marks) => marks,
        None if plan.each_kind => &mut kinds,
        None => &mut errors,
    };
    if copies.is_empty() || !plan.is_for_threads(system) {
        return plan.execute(system, goal, watch);
    }
    let reduces = (plan.reduce == Reduce::Ample).then_some(Proviso::One);
    if reduces.is_some() {
        system.independence().ok_or(Refusal::NoIndependence)?;
    }
    let found = match threads::search(system, copies, (plan.limits, reduces), watch) {
        Ok((outcome, _)) => return Ok(outcome),
        Err(found) => found,
    };
    let canonical = Plan { shape: Shape::Fifo, ..*plan };
    let mut outcome = canonical.execute(system, goal, watch)?;
    found.into_iter().for_each(|finding| outcome.keep(finding));
    Ok(outcome)
}
