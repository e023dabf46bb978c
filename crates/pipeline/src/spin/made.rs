//! What was made of a verification: its errors, and everything that is said at its end.

use super::SpinModel;
use super::infinite::{Aim, Cycles, Look};
use super::verifier::{Errors, SpinError, Verification, Verified, is_breadth_first};
use crate::decide::Searched;
use crate::subject::Infinite;
use report::spin::{CycleCheck, Figures, Summary, Watched};
use search::{Outcome, Statistics, Why};

/// A verification that was made.
pub(super) struct Made<'a> {
    pub(super) model: SpinModel<'a>,
    pub(super) asked: &'a Verification,
    pub(super) aim: Aim,
    /// For infinite runs.
    pub(super) look: Option<Look<'a>>,
    /// For errors; none if an infinite run was found before and the first is enough.
    pub(super) safety: Option<Searched<'a>>,
    pub(super) errors: Vec<SpinError>,
    pub(super) fault: Option<String>,
}

impl<'a> Made<'a> {
    pub(super) fn is_violated(&self) -> bool {
        self.look.as_ref().is_some_and(Look::is_violated)
    }

    pub(super) fn add(&mut self, error: Result<Option<SpinError>, String>) {
        match error {
            Ok(error) => self.errors.extend(error),
            Err(fault) => self.fault = self.fault.take().or(Some(fault)),
        }
    }

    /// The search for errors was made.
    pub(super) fn searched(&mut self, searched: Searched<'a>) {
        if searched.outcome.why_incomplete.contains(&Why::Depth) && self.asked.depth_is_error {
            let message = "max search depth too small".to_owned();
            self.errors.push(SpinError { message, ..SpinError::default() });
        }
        self.safety = Some(searched);
    }

    pub(super) fn add_cycle(&mut self) {
        if let Some(look) = &self.look {
            let error = look.error();
            self.add(error);
        }
    }

    /// Whether everything that was asked for was looked at to the end.
    fn complete(&self) -> bool {
        let looked = self.look.as_ref().is_none_or(Look::is_decided);
        looked && self.safety.as_ref().is_some_and(|searched| searched.outcome.complete())
    }

    pub(super) fn verified(self, (seconds, peak_bytes): (f64, u64)) -> Verified {
        let summary = self.summary(seconds, peak_bytes);
        let (open, complete) = (self.open(), self.complete());
        let claims = &self.model.promela.program.claims;
        let claim = self.aim.claim.filter(|_| claims.len() > 1);
        let claim = claim.map(|index| claims[index].name.to_string());
        let notes = self.notes();
        let Made { errors, fault, .. } = self;
        Verified { claim, summary, errors, open, notes, complete, internal_error: fault }
    }

    /// The search that the figures are of.
    fn counted(&self) -> Option<&Searched<'a>> {
        self.safety.as_ref().or_else(|| self.look.as_ref().and_then(Look::searched))
    }

    fn figures(&self, seconds: f64, peak_bytes: u64) -> Figures {
        let counted = self.counted();
        let statistics = counted.map_or_else(Statistics::default, |c| c.outcome.statistics);
        Figures {
            states: statistics.states,
            matched: statistics.matched,
            transitions: statistics.transitions,
            // A step that fails is no step of the search, but one of the path.
            depth: self.errors.iter().map(|error| error.depth).fold(statistics.depth, u64::max),
            state_bytes: counted.map_or(0, |counted| counted.state_bytes),
            store_bytes: statistics.store_bytes,
            peak_bytes,
            seconds,
        }
    }

    fn summary(&self, seconds: f64, peak_bytes: u64) -> String {
        let stops = self.asked.errors == Errors::First && !self.errors.is_empty();
        let is_complete = self.complete();
        let lists = is_complete && self.errors.is_empty() && !self.asked.no_unreached;
        let safety = self.safety.as_ref();
        report::spin::summary(&Summary {
            model: self.model.listed,
            watched: self.watched(),
            product: self.aim.claim.and_then(|index| self.model.promela.automaton(index)),
            breadth_first: is_breadth_first(&self.asked.options),
            stopped: stops || self.errors.iter().any(|error| error.ends) || !is_complete,
            ignore_assertions: self.asked.ignore_assertions,
            ignore_end_states: self.asked.ignore_end_states,
            for_errors: safety.is_some(),
            cycles: self.cycles(),
            errors: self.errors.len(),
            figures: self.figures(seconds, peak_bytes),
            graph: self.look.as_ref().and_then(Look::searched).map(|s| graph(&s.outcome)),
            limits: self.limits(),
            executed: safety.filter(|_| lists).map(|searched| searched.executed.as_slice()),
        })
    }

    /// What ended searches.
    fn limits(&self) -> Vec<&'static str> {
        let looks = self.look.as_ref().and_then(Look::searched);
        let searches = self.safety.iter().chain(looks);
        let mut limits: Vec<&str> = searches
            .flat_map(|searched| &searched.outcome.why_incomplete)
            .filter_map(|why| match why {
                Why::Depth => Some("error: max search depth too small"),
                Why::Memory => Some("pan: reached the memory limit"),
                Why::Time => Some("pan: reached the time limit"),
                Why::Interrupted => Some("Interrupted"),
                _ => None,
            })
            .collect();
        limits.dedup();
        limits
    }

    fn watched(&self) -> Watched<'a> {
        let program = &self.model.promela.program;
        let name = |index: usize| program.claims[index].name.as_str();
        match (self.aim.claim, self.aim.infinite) {
            (_, Some(Infinite::Progress)) => Watched::Progress,
            (Some(index), None) if self.model.promela.automaton(index).is_none() => {
                Watched::Undecided(name(index))
            }
            (Some(index), _) => Watched::Claim(name(index)),
            (None, _) if program.claims.is_empty() => Watched::Nothing,
            (None, _) => Watched::NotSelected,
        }
    }

    fn cycles(&self) -> CycleCheck {
        match (&self.look, self.asked.cycles) {
            (None, Cycles::Acceptance) => CycleCheck::NotSelected,
            (None, _) => CycleCheck::Safety,
            (Some(look), _) => CycleCheck::Asked {
                progress: self.aim.infinite == Some(Infinite::Progress),
                fair: self.asked.fair,
                decided: look.is_decided(),
            },
        }
    }

    /// What was asked for and is not decided.
    fn open(&self) -> Vec<String> {
        let program = &self.model.promela.program;
        let name = self.aim.claim.map(|index| program.claims[index].name.as_str());
        if let Watched::Undecided(name) = self.watched() {
            return vec![format!(
                "ltl {name} is not decided: no cycles are looked for with -safety or -DSAFETY; \
                 this run was made without it (-noclaim leaves it out on purpose)"
            )];
        }
        let Some(look) = self.look.as_ref().filter(|look| !look.is_decided()) else {
            return Vec::new();
        };
        if !self.errors.is_empty() {
            return vec![format!(
                "{} not decided: the search stopped at the first error (-c0 goes on)",
                self.subject_of(name)
            )];
        }
        let reasons: Vec<&str> = look.reasons().collect();
        let why = if reasons.is_empty() { "the search was cut" } else { &reasons.join("; ") };
        vec![format!("{} not decided: {why}", self.subject_of(name))]
    }

    /// What is looked for, for a sentence.
    fn subject_of(&self, claim: Option<&str>) -> String {
        match (self.aim.infinite, claim) {
            (Some(Infinite::Progress), _) => "non-progress cycles are".to_owned(),
            (_, Some(name)) => format!("{name} is"),
            _ => "acceptance cycles are".to_owned(),
        }
    }

    /// What else a user of SPIN should know.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let asked = self.asked;
        if self.look.is_none() && asked.cycles == Cycles::Acceptance {
            notes.push(self.nothing_accepts());
        }
        if self.look.is_none() && asked.fair {
            notes.push("-f has no effect: no cycles are looked for".to_owned());
        }
        if self.look.is_some() && asked.options.depth.is_some() {
            let words = "-m bounds the search for errors only; cycles are looked for at any depth";
            notes.push(words.to_owned());
        }
        if self.is_violated() && self.errors.iter().any(|error| error.is_without_claim) {
            notes.push(
                "the trail has the steps of the processes only, not those of an automaton as SPIN \
                 makes it; `spin -t` and `argos spin -t` follow it"
                    .to_owned(),
            );
        }
        let holds = self.look.as_ref().is_some_and(|look| look.is_decided() && !look.is_violated());
        if let Some(index) = self.aim.claim.filter(|_| holds && !self.errors.is_empty()) {
            let name = &self.model.promela.program.claims[index].name;
            notes.push(format!("the error is not one of {name}: no infinite run violates it"));
        }
        if self.look.is_some() && self.aim.watches(self.model) {
            notes.push(
                "with a claim in use invalid end states are not looked for, nor other claims and \
                 labels; `argos check` decides all that the model requires"
                    .to_owned(),
            );
        }
        notes
    }

    fn nothing_accepts(&self) -> String {
        let has_labels = self.model.promela.has_acceptance_labels();
        match self.aim.claim {
            Some(_) if has_labels => {
                "-a has no effect: the claim has no accept label, and those \
                                      of processes count without a claim only (-noclaim)"
            }
            Some(_) => "-a has no effect: the claim has no accept label",
            None => "-a has no effect: the model has no formula and no accept label",
        }
        .to_owned()
    }
}

/// States and steps of the model in a search for cycles.
fn graph(outcome: &Outcome) -> (u64, u64) {
    (outcome.statistics.states, outcome.statistics.transitions)
}
