//! Infinite runs, as SPIN's verifier looks for them with `-a` and `-l`: of one claim, of
//! acceptance labels, or of runs without progress.
//!
//! The searches are those of `argos check`, on the states of the model, so what is counted is
//! not the product that SPIN's verifier searches.

use super::SpinModel;
use super::verifier::{SpinError, Verification};
use crate::cycles::{self, Cycle, Reach, SearchedCycles};
use crate::decide::{Found, Searched};
use crate::host::Timed;
use crate::subject::{Infinite, Unsearchable};
use crate::{Fair, Options, Search, Usage};
use program::reference::Rules;
use program::{ClaimKind, Program};
use trace::spin::{EdgeRun, retrace_cycle, with_claim};

/// Which cycles are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cycles {
    /// Nobody said: those of the claim in use, else of acceptance labels, if there are any.
    #[default]
    Unsaid,
    /// `-a`: the same, and it is said if there are none.
    Acceptance,
    /// `-l`: those without progress, and no claim is used.
    Progress,
    /// `-DSAFETY`: none.
    None,
}

/// What a verification is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Aim {
    /// The claim or formula in use, by its index.
    pub(super) claim: Option<usize>,
    /// What is looked for in infinite runs.
    pub(super) infinite: Option<Infinite>,
}

impl Aim {
    /// What the flags ask for.
    ///
    /// # Errors
    /// A claim that there is not.
    pub(super) fn new(model: SpinModel<'_>, asked: &Verification) -> Result<Self, Usage> {
        let program = &model.promela.program;
        if asked.cycles == Cycles::Progress {
            return Ok(Self { claim: None, infinite: Some(Infinite::Progress) });
        }
        let claim = chosen(program, asked)?;
        let infinite = match claim {
            _ if asked.cycles == Cycles::None => None,
            Some(index) => accepts(program, index).then_some(Infinite::Claim(index)),
            None => model.promela.has_acceptance_labels().then_some(Infinite::Acceptance),
        };
        Ok(Self { claim, infinite })
    }

    /// Whether it is about runs that a claim of some kind watches: SPIN then takes every end
    /// state for a valid one.
    pub(super) fn watches(self, model: SpinModel<'_>) -> bool {
        let never = self.claim.is_some_and(|index| model.promela.automaton(index).is_some());
        never || self.drops_ends(model)
    }

    /// Whether the search for errors finds end states that do not count: it runs without the
    /// automaton of a formula, and with it SPIN does not look.
    pub(super) fn drops_ends(self, model: SpinModel<'_>) -> bool {
        match self.infinite {
            Some(Infinite::Claim(index)) => model.promela.automaton(index).is_none(),
            Some(Infinite::Progress) => true,
            Some(Infinite::Acceptance) | None => false,
        }
    }
}

/// The claim in use: the one asked for, else SPIN's choice: never claims stand before formulas.
fn chosen(program: &Program, asked: &Verification) -> Result<Option<usize>, Usage> {
    let claims = &program.claims;
    let is_never = |index: &usize| matches!(claims[*index].kind, ClaimKind::Never(_));
    match &asked.claim {
        _ if asked.no_claim => Ok(None),
        None => Ok((0..claims.len()).find(is_never).or((!claims.is_empty()).then_some(0))),
        Some(name) => {
            let found = claims.iter().position(|claim| *claim.name == **name);
            let names: Vec<&str> = claims.iter().map(|claim| claim.name.as_str()).collect();
            let unknown = || match names.as_slice() {
                [] => Usage(format!("there is no claim `{name}`: the model has none")),
                _ => Usage(format!("there is no claim `{name}`; there are {}", names.join(", "))),
            };
            found.map(Some).ok_or_else(unknown)
        }
    }
}

/// Whether a claim says something about infinite runs.
fn accepts(program: &Program, claim: usize) -> bool {
    match program.claims[claim].kind {
        ClaimKind::Ltl(_) => true,
        ClaimKind::Never(id) => {
            program.proctypes[id].locations.iter().any(|location| location.marks.accept)
        }
    }
}

/// A look for one kind of infinite run, further and further.
pub(super) struct Look<'a> {
    model: SpinModel<'a>,
    infinite: Infinite,
    options: Options,
    /// What came of the last search.
    last: Option<SearchedCycles<'a>>,
}

impl<'a> Look<'a> {
    pub(super) fn new(
        model: SpinModel<'a>,
        infinite: Infinite,
        options: &Options,
        asked: &Verification,
    ) -> Self {
        let options = Options {
            fair: if asked.fair { Fair::Weak } else { Fair::None },
            fairness_spin: true,
            search: Search::Auto,
            depth: None,
            ..options.clone()
        };
        Self { model, infinite, options, last: None }
    }

    /// Looks so far, unless it is known what is asked.
    ///
    /// # Errors
    /// Options that cannot be served.
    pub(super) fn at(&mut self, reach: Reach, watch: &mut Timed<'_>) -> Result<(), Usage> {
        if self.is_decided() {
            return Ok(());
        }
        let Some(group) = self.model.promela.infinite(self.infinite, &self.options) else {
            return Ok(());
        };
        match cycles::search(group, &self.options, (reach, None), watch) {
            Ok(searched) => self.last = Some(searched),
            Err(Unsearchable::Refused(why)) => return Err(Usage(why)),
            // The search for errors says so.
            Err(Unsearchable::InitialFailure) => {}
        }
        Ok(())
    }

    /// Whether a run was found, or there is none.
    pub(super) fn is_decided(&self) -> bool {
        self.last.as_ref().is_some_and(|last| !(last.found.is_empty() && last.held.is_empty()))
    }

    /// Whether a run was found.
    pub(super) fn is_violated(&self) -> bool {
        self.last.as_ref().is_some_and(|last| !last.found.is_empty())
    }

    /// The last search.
    pub(super) fn searched(&self) -> Option<&Searched<'a>> {
        self.last.as_ref().map(|last| &last.searched)
    }

    /// Why it is not decided, as far as that is known.
    pub(super) fn reasons(&self) -> impl Iterator<Item = &str> {
        self.last.iter().flat_map(|last| last.open.iter().map(|(_, why)| why.as_str()))
    }

    /// The run that was found, as the verifier words it, executed again edge by edge.
    ///
    /// # Errors
    /// Our own fault, in words.
    pub(super) fn error(&self) -> Result<Option<SpinError>, String> {
        let Some(last) = &self.last else { return Ok(None) };
        let Some(found) = last.found.first() else { return Ok(None) };
        let wide = last.searched.form.run(self.model.listed.sources);
        let wide = wide.is_ok_and(|run| run.rules().wide);
        let rules = Rules { wide, ..self.model.promela.rules(&last.searched.pass) };
        let run = self.run(found, rules)?;
        let (words, depth) = self.words(&run);
        Ok(Some(SpinError {
            message: format!("{words} (at depth {depth})"),
            depth: run.depth(),
            is_without_claim: self.infinite != Infinite::Acceptance && run.rules.claim.is_none(),
            trail: run.trail(&self.model.promela.listing),
            ends: false,
        }))
    }

    /// The run of a finding, with the moves of a never claim where SPIN can follow them.
    fn run(&self, found: &Found, rules: Rules) -> Result<EdgeRun, String> {
        let (program, listing) = (self.model.promela.silent(), &self.model.promela.listing);
        let trail = found.trail.as_ref().map_err(|mismatch| mismatch.to_string())?;
        let start = found.cycle.as_ref().and_then(|cycle: &Cycle| cycle.start);
        let never = match self.infinite {
            Infinite::Claim(index) => self.model.promela.automaton(index),
            _ => None,
        };
        if let (Some(never), Some(start)) = (never, start)
            && let Some(run) = with_claim(program, listing, (rules, never), trail, start)
        {
            return Ok(run);
        }
        // SPIN has no cycle in a trail that only says where the system stops.
        let stops = self.infinite == Infinite::Acceptance && start == Some(trail.len());
        let start = start.filter(|_| !stops);
        retrace_cycle(program, listing, rules, trail, start).map_err(|m| m.to_string())
    }

    /// What a run shows, and at which depth.
    fn words(&self, run: &EdgeRun) -> (String, u64) {
        match (self.infinite, run.cycle) {
            (Infinite::Progress, Some(cycle)) => {
                ("non-progress cycle".to_owned(), run.depth_at(cycle))
            }
            (_, Some(cycle)) => ("acceptance cycle".to_owned(), run.depth_at(cycle)),
            (Infinite::Claim(index), None) => {
                let name = &self.model.promela.program.claims[index].name;
                (format!("ltl {name} violated"), run.depth())
            }
            (_, None) => ("accept stutter".to_owned(), run.depth().saturating_sub(1)),
        }
    }
}
