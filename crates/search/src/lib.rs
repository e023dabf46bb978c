//! The few search loops, their stores and the plan.
//!
//! In: a [`system::System`] and a [`Request`], which becomes a checked [`Plan`]
//! or a [`Refusal`]. Out: an [`Outcome`], plain data: what was found, with the
//! steps that lead there, how much was looked at, and why the search knows less
//! than everything, if it does.
//!
//! ```text
//! Request --> Plan --> run(systems, plan, watch) --> Outcome
//!                       |
//!                       +-- loop: depth_first | worklist
//!                       +-- parts: Store (what is remembered, with which note)
//!                                  Frontier (which state is next)
//!                                  Revisit (does a state met again end the branch)
//!                                  Reduction (which steps others stand for)
//!                                  Goal (what counts, when it is enough)
//! ```
//!
//! [`run`] takes one system per thread, and uses several where the plan allows it.
//!
//! What always holds:
//! - `transitions = states + matched`, whatever ended the search.
//! - Every finding carries a trail of steps that the system can take, from its
//!   initial state.
//! - An outcome without a [`Why`] covers every state the system can reach.
//! - Time, memory and the user may end a search, with its result; only the
//!   caller looks at clocks and signals, through a [`Watch`].
//! - The same system and plan give the same outcome, word for word.
//!
//! ```
//! use search::{Plan, Request, Unwatched, run};
//! use system::{Blocked, Budget, Step, StepKind, Successors, System, Word};
//!
//! /// Counts to three and stops.
//! struct Counter;
//!
//! impl System for Counter {
//!     fn width(&self) -> usize {
//!         1
//!     }
//!     fn initial(&self, words: &mut [Word]) {
//!         words[0] = 0;
//!     }
//!     fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
//!         if state[0] < 3 {
//!             out.push(Step::new(0, 0, StepKind::Internal), state)[0] += 1;
//!         }
//!         true
//!     }
//!     fn blocked(&self, _: &[Word]) -> Blocked {
//!         Blocked::Deadlock
//!     }
//! }
//!
//! let plan = Plan::new(&Request::default()).expect("the default combination is sound");
//! let outcome = run(&Counter, &mut [], &plan, &mut Unwatched).expect("it needs nothing");
//! assert_eq!(outcome.statistics.states, 4);
//! assert_eq!(outcome.findings[0].trail.len(), 3);
//! ```
//!
//! New techniques are new parts, never new loops: a store is a file in `store/`,
//! a rule for states met again goes into `revisit.rs`, and each adds its rows to
//! `plan.rs`, the only place that names combinations.

mod ample;
mod best_first;
mod depth_first;
mod executed;
mod fewest;
mod fewest_switches;
mod forest;
mod frontier;
mod goal;
mod ledger;
mod log;
mod memory;
mod no_return;
mod outcome;
mod plan;
mod recreated;
mod reduction;
mod revisit;
mod rows;
mod shortest;
mod sleep;
mod sleep_ample;
mod state_space;
mod store;
mod threads;
mod trails;
mod transition_cache;
mod watch;
mod waves;
mod worker;
mod worklist;

pub use collapse::Patience;
pub use collapse::prefetch;
pub use executed::Executed;
pub use fewest::fewest_statements;
pub use fewest_switches::{FewestSwitches, fewest_switches};
pub use goal::Candidate;
pub use no_return::{Escape, NoReturn, no_return};
pub use outcome::{Finding, FindingKind, Outcome, RESIDUALS_KEPT_MAX, Statistics, Why};
pub use plan::{Order, Plan, Reduce, Refusal, Request, StoreKind, run};
pub use shortest::{Shortest, shortest};
pub use state_space::{Edges, Expansion, Listed, SpaceRequest, StateSpace, Walker, explore};
pub use store::{CacheFigures, CacheRequest, Coverage, Replace, Revisits, SCAN};
pub use watch::{Hurry, Progress, Stop, Unwatched, Watch};
