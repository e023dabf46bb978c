//! What was measured of formulas, and what it says.

use super::models::SAFETY;
use crate::bench::figures::{INSTANT, MANY_STATES, Repeated, Requirement, geometric_mean};

/// What one program says of a formula, and what that takes: the best of its runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Decided {
    /// Whether the formula is; of several, whether one is.
    pub(super) violated: bool,
    /// Of the product for pan, of the model for argos.
    pub(super) states: u64,
    pub(super) cpu: f64,
    /// The most the process held, if it says so.
    pub(super) peak_bytes: f64,
}

pub(super) type Measured = Result<Decided, String>;

impl Repeated for Decided {
    fn with(self, other: &Self) -> Result<Self, String> {
        if self.violated != other.violated {
            return Err("the verdict changes from run to run".to_owned());
        }
        let peak_bytes = self.peak_bytes.min(other.peak_bytes);
        Ok(Self { cpu: self.cpu.min(other.cpu), peak_bytes, ..self })
    }
}

/// A formula of a model.
pub(super) struct Row {
    pub(super) model: &'static str,
    pub(super) formula: &'static str,
    pub(super) class: &'static str,
    pub(super) origin: String,
    pub(super) pan: Measured,
    pub(super) argos: Measured,
    /// With weak fairness.
    pub(super) fair: Measured,
    /// The model without any formula.
    pub(super) plain: Measured,
}

/// The time of one run over that of another.
fn over(one: &Measured, other: &Measured) -> Option<f64> {
    Some(one.as_ref().ok()?.cpu / other.as_ref().ok()?.cpu.max(INSTANT))
}

impl Row {
    /// Both have a verdict, and not the same.
    pub(super) fn differs(&self) -> bool {
        matches!((&self.pan, &self.argos), (Ok(pan), Ok(argos)) if pan.violated != argos.violated)
    }

    pub(super) fn ratio(&self) -> Option<f64> {
        over(&self.pan, &self.argos).filter(|_| !self.differs())
    }

    pub(super) fn fair_ratio(&self) -> Option<f64> {
        over(&self.fair, &self.argos)
    }

    pub(super) fn plain_ratio(&self) -> Option<f64> {
        over(&self.argos, &self.plain)
    }

    /// What argos holds beyond what a search without formulas holds, for each state of pan's
    /// product, if there are many.
    pub(super) fn product_bytes(&self) -> Option<f64> {
        let [pan, argos, plain] = [&self.pan, &self.argos, &self.plain].map(|it| it.as_ref().ok());
        let states = Some(pan?.states).filter(|states| *states >= MANY_STATES)?;
        Some((argos?.peak_bytes - plain?.peak_bytes) / states as f64)
    }

    /// What stood in the way, each obstacle with its name.
    pub(super) fn obstacles(&self) -> Vec<String> {
        let named = [
            ("pan", &self.pan),
            ("argos", &self.argos),
            ("weak fairness", &self.fair),
            ("without formulas", &self.plain),
        ];
        let mut told: Vec<String> = named
            .into_iter()
            .filter_map(|(name, measured)| Some(format!("{name}: {}", measured.as_ref().err()?)))
            .collect();
        told.extend(self.differs().then(|| "VERDICTS DIFFER".to_owned()));
        told
    }
}

/// Twelve formulas of one model.
pub(super) struct Many {
    pub(super) one: Measured,
    pub(super) all: Measured,
}

/// Everything of one run.
pub(in crate::bench) struct Results {
    pub(super) rows: Vec<Row>,
    pub(super) many: Option<Many>,
    /// petersonN under weak fairness.
    pub(super) peterson: Option<Measured>,
    /// Every model was asked for.
    pub(super) whole: bool,
}

fn most(figures: Vec<f64>) -> Option<f64> {
    figures.into_iter().reduce(f64::max)
}

impl Results {
    /// Whether both programs gave the same answers.
    pub(in crate::bench) fn agree(&self) -> bool {
        !self.rows.iter().any(Row::differs)
    }

    pub(super) fn all(&self, figure: impl Fn(&Row) -> Option<f64>) -> Vec<f64> {
        self.rows.iter().filter_map(figure).collect()
    }

    pub(super) fn requirements(&self) -> Vec<Requirement> {
        let safety = |row: &Row| row.plain_ratio().filter(|_| row.class == SAFETY);
        let many = self.many.as_ref().and_then(|many| over(&many.all, &many.one));
        let fair = most(self.all(Row::fair_ratio));
        vec![
            Requirement::at_least(
                "pan over argos, mean",
                4.0,
                geometric_mean(&self.all(Row::ratio)),
            ),
            Requirement::times_at_most("weak fairness over none, slowest", 1.5, fair),
            self.peterson(),
            Requirement::times_at_most(
                "a safety formula over a search without formulas, slowest",
                1.3,
                most(self.all(safety)),
            ),
            Requirement::times_at_most("twelve formulas over one", 4.0, many),
        ]
    }

    fn peterson(&self) -> Requirement {
        let measured = self.peterson.as_ref().map(|measured| match measured {
            Ok(decided) => format!("{:.2} s", decided.cpu),
            Err(obstacle) => obstacle.clone(),
        });
        Requirement {
            text: "petersonN, four processes, with weak fairness",
            wanted: "ends".to_owned(),
            measured,
            met: self.peterson.as_ref().map(Result::is_ok),
        }
    }
}
