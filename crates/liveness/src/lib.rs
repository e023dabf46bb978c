//! Does a system have a run that an automaton accepts? The automata-theoretic way to check
//! linear temporal logic (Vardi and Wolper 1986): the automaton is that of the negated formula,
//! and a run it accepts is a counterexample.
//!
//! In: the [`StateSpace`](search::StateSpace) of a system, an [`Automaton`] over its letters,
//! and which runs count as fair. Out: nothing, or a [`Lasso`].
//!
//! ```text
//! Product     (state of the system, state of the automaton), never stored as such
//! observer    terminal automata: can a bad prefix be reached? Several threads
//! nested      weak automata: one depth-first search; others by a nested one. Several threads
//! components  strongly connected components: any automaton, weak and strong fairness
//! lasso       a short way into an accepting component, and a short tour in it
//! ```
//!
//! What is kept of a node of the product: a bit or two, or four bytes for components.
//!
//! The automaton reads the letter of a state, then the system moves; the initial state is
//! the first letter.

mod bits;
mod components;
mod lasso;
mod nested;
mod observer;
mod product;
mod reach;
mod stack;
mod workers;

pub use lasso::{Edge, Lasso};
pub use observer::unreadable;

use bits::bytes_of_sets;
use components::Components;
use ltl::{Automaton, Class, degeneralise};
use nested::Acceptance;
use product::{Product, TooLarge};
use search::{SpaceRequest, Walker, Why};
use system::System;

/// Which runs count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fairness {
    /// All.
    #[default]
    None,
    /// Those in which no process is enabled for ever from some point on and never moves.
    Weak,
    /// Those in which no process is enabled infinitely often and moves finitely often.
    Strong,
}

/// The product is too large for the memory that it may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NoRoom;

impl From<NoRoom> for Why {
    fn from(_: NoRoom) -> Self {
        Why::Memory
    }
}

impl From<TooLarge> for Why {
    fn from(_: TooLarge) -> Self {
        Why::Memory
    }
}

/// The copies of a system that more threads may use, and how they walk.
pub struct Helpers<'a, 's> {
    /// One for each further thread.
    pub copies: &'a mut [&'s mut (dyn System + Send)],
    /// As the walker of the first thread was made.
    pub request: &'a SpaceRequest,
}

/// A run of the system that the automaton accepts and that is fair. For a terminal automaton a
/// prefix is enough, whatever is fair: each can be continued fairly.
///
/// Several threads say whether there is one; which one is shown is for one thread to find.
///
/// # Errors
/// Why it is not known.
pub fn violation(
    walker: &mut Walker<'_>,
    helpers: &mut Helpers<'_, '_>,
    automaton: &Automaton,
    fairness: Fairness,
) -> Result<Option<Lasso>, Why> {
    let product = Product::new(walker, automaton)?;
    let class = automaton.class();
    if class == Class::Terminal {
        return observer::bad_prefix(&product, walker, helpers, automaton);
    }
    let is_weak = matches!(class, Class::AllAccepting | Class::Weak);
    let components_fit = Components::bytes(&product) <= walker.bytes_left();
    let by_components =
        fairness != Fairness::None || !is_weak && helpers.copies.is_empty() && components_fit;
    if by_components {
        return components::violation(&product, walker, fairness);
    }
    let found = match is_weak {
        true => {
            let acceptance = Acceptance::Weak(automaton.accepting_components());
            nested::search(&product, &acceptance, walker, helpers)?
        }
        false => {
            let buchi = degeneralise(automaton);
            let product = Product::new(walker, &buchi.transition_based())?;
            let acceptance = Acceptance::States(buchi.accepting);
            nested::search(&product, &acceptance, walker, helpers)?
        }
    };
    let Some(found) = found else { return Ok(None) };
    // A short one, if there is time and room for it.
    let shorter = components_fit.then(|| components::violation(&product, walker, fairness));
    Ok(Some(shorter.and_then(Result::ok).flatten().unwrap_or(found)))
}

/// Whether sets of nodes fit the memory that is left.
fn has_room(product: &Product<'_>, sets: usize, walker: &Walker<'_>) -> Result<(), NoRoom> {
    if bytes_of_sets(product, sets) > walker.bytes_left() { Err(NoRoom) } else { Ok(()) }
}
