//! Linear temporal logic to Büchi automata.
//!
//! In: a [`Formula`] over numbered atoms. Out: an [`Automaton`] that accepts exactly the infinite
//! words that satisfy it, transition-based and generalised. The stages, each in the file of its name:
//! negation normal form with rewriting (Etessami and Holzmann 2000), the tableau (Couvreur 1999),
//! trimming, classes of automata. Nothing recurses deeper than the formula, and all work is
//! bounded: a formula that needs more is [`TooLarge`].

mod automaton;
mod class;
mod components;
mod formula;
mod implication;
mod lasso;
mod limit;
mod normal_form;
mod render;
mod rewrite;
mod tableau;

pub use automaton::{Automaton, Cube, Edge, State};
pub use class::Class;
pub use formula::Formula;
pub use limit::{Limit, TooLarge};

use normal_form::Pool;
use tableau::Tableau;

/// The automaton of the words that satisfy the formula.
pub fn translate(formula: &Formula) -> Result<Automaton, TooLarge> {
    limit::check(formula)?;
    let mut pool = Pool::new(Limit::RewriteSteps.value() as u32);
    let root = pool.normalise(formula);
    Tableau::new(pool).build(root)
}
