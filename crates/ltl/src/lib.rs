//! Linear temporal logic to Büchi automata.
//!
//! In: a [`Formula`] over numbered atoms. Out: an [`Automaton`] that accepts exactly the infinite
//! words that satisfy it, transition-based and generalised. The stages, each in a file of its
//! own: `normal_form` with `rewrite` and `implication`; `tableau`, whose states are `obligations`;
//! then what `reduce` schedules: `trim`, `acceptance`, `simulation`, `sharpen`, `determinise`.
//! [`Automaton::class`] says which search is enough; [`degeneralise`] makes a state-based
//! automaton where a search needs one.
//!
//! Nothing recurses deeper than the formula, and all work is bounded: a formula that needs more
//! is [`TooLarge`].

mod acceptance;
mod automaton;
mod class;
mod components;
mod cube;
mod degeneralise;
mod determinise;
mod formula;
mod implication;
mod lasso;
mod limit;
mod normal_form;
mod obligations;
mod premises;
mod reduce;
mod render;
mod rewrite;
mod sharpen;
mod simulation;
mod tableau;
mod trim;

pub use automaton::{Automaton, Edge, State};
pub use class::Class;
pub use cube::Cube;
pub use degeneralise::{Buchi, degeneralise};
pub use determinise::determinise_terminal;
pub use formula::Formula;
pub use limit::{Limit, TooLarge};
pub use premises::Premise;

use normal_form::Pool;
use tableau::Tableau;

/// The automaton of the words that satisfy the formula.
pub fn translate(formula: &Formula) -> Result<Automaton, TooLarge> {
    limit::check(formula)?;
    let mut pool = Pool::new(Limit::RewriteSteps.value() as u32);
    let root = pool.normalise(formula);
    let mut automaton = Tableau::new(pool).build(root)?;
    reduce::reduce(&mut automaton);
    Ok(automaton)
}
