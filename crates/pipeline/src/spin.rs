//! SPIN's commands for PROMELA: verification, random runs, its trails followed. Values in,
//! values out; their texts are those of [`report::spin`].

mod infinite;
mod judged;
mod made;
mod random;
mod verifier;

pub use infinite::Cycles;
pub use random::random;
pub use report::spin::{Ended, Form};
pub use trace::spin::{EdgeRun, Lost, Meaning, Trail, TrailLine};
pub use verifier::{Errors, SpinError, Verification, Verified, verify};

use crate::Loaded;
use crate::subject::Promela;
use report::spin::Listed;
use trace::spin::{Watched, watched};

/// A PROMELA model that was read without errors.
#[derive(Clone, Copy)]
pub struct SpinModel<'a> {
    promela: &'a Promela,
    listed: Listed<'a>,
}

impl<'a> SpinModel<'a> {
    /// The model of a text; none if it has errors, or is not PROMELA.
    pub fn new(loaded: &'a Loaded) -> Option<Self> {
        let promela = loaded.promela()?;
        let Promela { program, listing, .. } = promela;
        Some(Self { promela, listed: Listed { program, listing, sources: &loaded.sources } })
    }

    /// Whether it has a never claim or a formula.
    pub fn has_claims(self) -> bool {
        !self.promela.program.claims.is_empty()
    }

    /// Executes a trail of SPIN.
    ///
    /// # Errors
    /// Where it leads nowhere.
    pub fn follow(self, trail: &Trail, meaning: Meaning) -> Result<EdgeRun, Lost> {
        trace::spin::follow(&self.promela.program, &self.promela.listing, trail, meaning)
    }

    /// Whether a run ends in an error, or in a cycle that leads back to where it begins.
    pub fn is_wrong(self, run: &EdgeRun) -> bool {
        let program = &self.promela.program;
        run.problem(program).is_some() || run.closed(program).is_some()
    }

    /// The names of the formulas that a run violates: for ever by its cycle, or whatever
    /// follows it.
    pub fn violated(self, run: &EdgeRun) -> Vec<String> {
        judged::violated(self, run)
    }

    /// What is to be known of a trail that was followed.
    pub fn notes(self, trail: &Trail, run: &EdgeRun) -> Vec<&'static str> {
        let Promela { program, listing, .. } = self.promela;
        let is_generated = watched(program, listing, trail) == Some(Watched::Generated);
        let mut notes = Vec::new();
        if is_generated {
            notes.push("the moves of the automaton that SPIN made are left out");
        }
        if run.cycle.is_some() && run.closed(program).is_none() {
            notes.push("the cycle of the trail does not lead back to the state it begins in");
        }
        notes
    }

    /// A run in the form of SPIN's simulator.
    pub fn text(self, run: &EdgeRun, form: &Form, ended: Ended) -> String {
        report::spin::edge_run(self.listed, run, form, ended)
    }
}
