//! The atomic propositions of formulas in packed form. What has none is evaluated by the
//! reference interpreter, as is a proposition that bails.

use super::Form;
use super::scope::{Lowering, Scope};
use ::packed::{Estimates, Predicates};
use program::Expr;
use program::reference::{self, State};
use system::{Letter, Word};

/// Propositions over the states of a form.
pub(super) struct Atoms {
    exprs: Vec<Expr>,
    /// The same in packed form; one that has none bails.
    lowered: Vec<::packed::Expr>,
    predicates: Predicates,
    estimates: Estimates,
}

impl Atoms {
    pub(super) fn new(form: &Form<'_>, exprs: &[Expr]) -> Self {
        let Form { program, rules, facts, layout, .. } = form;
        let lowering = Lowering { program, rules, facts, layout };
        let room = layout.slots.iter().find_map(|slot| Some((slot.at, slot.rooms.first()?)));
        let lowered = exprs.iter().map(|expr| match room {
            // It looks on, as a claim does, and has no variables of its own.
            Some((at, room)) if !expr.mentions(&|expr| *expr == Expr::Timeout) => {
                Scope::of_claim(lowering, at, room).value(expr)
            }
            _ => ::packed::Expr::Bail,
        });
        let lowered: Vec<::packed::Expr> = lowered.collect();
        let predicates = Predicates::new(form.packed(), &lowered);
        let estimates = Estimates::new(form.packed(), lowered.clone());
        Self { exprs: exprs.to_vec(), lowered, predicates, estimates }
    }

    /// In packed form.
    pub(super) fn lowered(&self) -> &[::packed::Expr] {
        &self.lowered
    }

    /// The words that decide the letter of every state, if that is known.
    pub(super) fn read_set(&self) -> Option<&[usize]> {
        self.predicates.read_set()
    }

    /// As [`system::Letters::distance`].
    pub(super) fn distance(&self, words: &[Word], number: usize, truth: bool) -> Option<u32> {
        self.estimates.distance(words, number, truth)
    }

    /// The letter of a state; `decode` gives the reference interpreter's form of it.
    pub(super) fn letter(
        &self,
        form: &Form<'_>,
        words: &[Word],
        decode: impl Fn() -> State,
    ) -> Option<Letter> {
        let mut letter = 0;
        for (at, (expr, holds)) in
            self.exprs.iter().zip(self.predicates.evaluate(words)).enumerate()
        {
            let holds = match holds {
                Ok(holds) => holds,
                Err(_) => reference::holds(form.program, &form.rules, &decode(), expr).ok()?,
            };
            letter |= Letter::from(holds) << at;
        }
        Some(letter)
    }
}
