//! What two commands take, and what that says.

use crate::bench::figures::{INSTANT, Repeated, Requirement, geometric_mean};

/// What one command says of a model, and what that takes: the best of its runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Ended {
    /// Whether a requirement is.
    pub(super) violated: bool,
    /// That the search stored.
    pub(super) states: u64,
    pub(super) wall: f64,
    pub(super) cpu: f64,
    pub(super) bytes: f64,
}

pub(super) type Measured = Result<Ended, String>;

impl Repeated for Ended {
    fn with(self, other: &Self) -> Result<Self, String> {
        if self.violated != other.violated {
            return Err("the verdict changes from run to run".to_owned());
        }
        Ok(Self {
            wall: self.wall.min(other.wall),
            cpu: self.cpu.min(other.cpu),
            bytes: self.bytes.min(other.bytes),
            ..self
        })
    }
}

/// A model, checked by both.
pub(super) struct Row {
    pub(super) model: String,
    /// What had to be added to SPIN's command so that its search is complete.
    pub(super) added: String,
    pub(super) spin: Measured,
    pub(super) argos: Measured,
}

/// So many times the states of SPIN's reduced search are few enough.
const STATES_MOST: f64 = 1.2;

impl Row {
    /// Both have a verdict, and not the same.
    pub(super) fn differs(&self) -> bool {
        matches!((&self.spin, &self.argos), (Ok(spin), Ok(argos)) if spin.violated != argos.violated)
    }

    fn both(&self) -> Option<[&Ended; 2]> {
        let [Ok(spin), Ok(argos)] = [&self.spin, &self.argos] else { return None };
        Some([spin, argos]).filter(|_| !self.differs())
    }

    fn ratio(&self, figure: impl Fn(&Ended) -> f64) -> Option<f64> {
        let [spin, argos] = self.both()?;
        Some(figure(spin) / figure(argos).max(INSTANT))
    }

    pub(super) fn cpu_ratio(&self) -> Option<f64> {
        self.ratio(|ended| ended.cpu)
    }

    pub(super) fn wall_ratio(&self) -> Option<f64> {
        self.ratio(|ended| ended.wall)
    }

    /// States of argos over those of SPIN, where both searched everything.
    pub(super) fn state_ratio(&self) -> Option<f64> {
        let [spin, argos] = self.both().filter(|[spin, _]| !spin.violated)?;
        Some(argos.states as f64 / spin.states as f64)
    }

    /// What stood in the way, each obstacle with its name.
    pub(super) fn obstacles(&self) -> Vec<String> {
        let named = [("spin", &self.spin), ("argos", &self.argos)];
        let told = named
            .into_iter()
            .filter_map(|(name, measured)| Some(format!("{name}: {}", measured.as_ref().err()?)));
        told.chain(self.differs().then(|| "VERDICTS DIFFER".to_owned())).collect()
    }
}

/// Everything of one run.
pub(in crate::bench) struct Results {
    pub(super) package: Vec<Row>,
    pub(super) scaled: Vec<Row>,
    /// Every model was asked for.
    pub(super) whole: bool,
}

impl Results {
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.package.iter().chain(&self.scaled)
    }

    /// Whether both programs gave the same answers.
    pub(in crate::bench) fn agree(&self) -> bool {
        !self.rows().any(Row::differs)
    }

    pub(super) fn all(&self, figure: impl Fn(&Row) -> Option<f64>) -> Vec<f64> {
        self.rows().filter_map(figure).collect()
    }

    pub(super) fn requirements(&self) -> Vec<Requirement> {
        let [cpu, wall] = [self.all(Row::cpu_ratio), self.all(Row::wall_ratio)];
        let least = |ratios: &[f64]| ratios.iter().copied().reduce(f64::min);
        let states: Vec<f64> = self.package.iter().filter_map(Row::state_ratio).collect();
        let few = states.iter().filter(|ratio| **ratio <= 1.0).count();
        let share = (!states.is_empty()).then(|| few as f64 / states.len() as f64);
        vec![
            Requirement::at_least("CPU time, mean", 25.0, geometric_mean(&cpu)),
            Requirement::at_least("CPU time, slowest model", 1.0, least(&cpu)),
            Requirement::at_least("time by the clock, slowest model", 1.0, least(&wall)),
            Requirement::at_least("models of the package with at most SPIN's states", 0.9, share),
            Requirement::times_at_most(
                "states over SPIN's, most of the package",
                STATES_MOST,
                states.into_iter().reduce(f64::max),
            ),
        ]
    }
}
