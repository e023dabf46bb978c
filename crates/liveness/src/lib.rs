//! Does a system have a run that an automaton accepts? The automata-theoretic way to check
//! linear temporal logic (Vardi and Wolper 1986): the automaton is that of the negated formula,
//! and a run it accepts is a counterexample.
//!
//! In: the [`Graph`](search::Graph) of a system, an [`Automaton`](ltl::Automaton) over its
//! letters, and which runs count as fair. Out: nothing, or a [`Lasso`].
//!
//! ```text
//! Product     (state of the system, state of the automaton), never stored as such
//! components  strongly connected components: one that is accepting and fair is a violation
//! streett     the same under strong fairness: components within components
//! Lasso       a short way into that component, and a short tour in it
//! ```
//!
//! The automaton reads the letter of a state, then the system moves; the initial state is
//! the first letter.

mod components;
mod lasso;
mod product;
mod reach;

pub use components::{Fairness, NoRoom, violation};
pub use lasso::{Edge, Lasso};
