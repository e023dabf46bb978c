//! What was measured, and what it says.

use super::modes::{ONE_THREAD, STRICT, TWO_THREADS};
use testkit::limits::Spent;

/// The best of the runs of one program on one model, in seconds.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Best {
    /// Stored, matched, transitions.
    pub(super) counts: [u64; 3],
    pub(super) cpu: f64,
    pub(super) wall: f64,
    /// The search alone.
    pub(super) search: f64,
    /// For the visited states.
    pub(super) bytes: Option<f64>,
}

/// Figures, or why there are none.
pub(super) type Measured = Result<Best, String>;

/// What is measured more than once.
pub(super) trait Repeated: Sized {
    /// The better of two runs; an error if they do not fit together.
    fn with(self, other: &Self) -> Result<Self, String>;
}

/// The best so far; the first obstacle ends it.
pub(super) struct Tally<T = Best>(Option<Result<T, String>>);

impl<T: Repeated> Tally<T> {
    pub(super) const fn new() -> Self {
        Self(None)
    }

    pub(super) fn goes_on(&self) -> bool {
        !matches!(self.0, Some(Err(_)))
    }

    /// One run more, unless something is in the way.
    pub(super) fn try_add(&mut self, run: impl FnOnce() -> Result<T, String>) {
        if self.goes_on() {
            self.add(run());
        }
    }

    pub(super) fn add(&mut self, next: Result<T, String>) {
        self.0 = Some(match (self.0.take(), next) {
            (Some(Ok(one)), Ok(other)) => one.with(&other),
            (_, next) => next,
        });
    }

    pub(super) fn end(self) -> Result<T, String> {
        self.0.unwrap_or_else(|| Err("not run".to_owned()))
    }
}

impl Repeated for Best {
    fn with(self, other: &Self) -> Measured {
        if self.counts != other.counts {
            return Err("counts change from run to run".to_owned());
        }
        Ok(Self {
            cpu: self.cpu.min(other.cpu),
            wall: self.wall.min(other.wall),
            search: self.search.min(other.search),
            ..self
        })
    }
}

impl Best {
    pub(super) fn bytes_per_state(&self) -> Option<f64> {
        self.bytes.map(|bytes| bytes / self.counts[0] as f64)
    }
}

/// One model, measured.
pub(super) struct Row {
    pub(super) model: String,
    pub(super) origin: String,
    /// By SPIN and gcc together.
    pub(super) compile: Spent,
    /// None if SPIN cannot read the language.
    pub(super) pan: Option<Measured>,
    /// By mode, in the order of the modes.
    pub(super) argos: Vec<(&'static str, Measured)>,
    /// Both searched everything and did not find the same.
    pub(super) differs: bool,
}

impl Row {
    /// Strikes out what does not have pan's figures: nothing can be said of its speed.
    pub(super) fn compared(mut self) -> Self {
        if let Some(Ok(pan)) = &self.pan {
            for (_, measured) in &mut self.argos {
                if let Ok(best) = measured
                    && best.counts != pan.counts
                {
                    let [stored, matched, all] = best.counts;
                    *measured = Err(format!("COUNTS DIFFER: {stored}/{matched}/{all}"));
                    self.differs = true;
                }
            }
        }
        self
    }

    pub(super) fn pan(&self) -> Option<&Best> {
        self.pan.as_ref()?.as_ref().ok()
    }

    pub(super) fn mode(&self, name: &str) -> Option<&Best> {
        self.argos.iter().find(|(mode, _)| *mode == name)?.1.as_ref().ok()
    }

    /// pan's search over that of the mode.
    pub(super) fn search_ratio(&self, mode: &str) -> Option<f64> {
        Some(self.pan()?.search / self.mode(mode)?.search.max(INSTANT))
    }

    /// SPIN, gcc and pan over the whole command.
    pub(super) fn total_ratio(&self, mode: &str) -> Option<f64> {
        let theirs = self.compile.cpu + self.pan()?.cpu;
        Some(theirs / self.mode(mode)?.cpu.max(INSTANT))
    }

    /// How many times faster two threads are on the clock.
    pub(super) fn speedup(&self) -> Option<f64> {
        Some(self.mode(ONE_THREAD)?.search / self.mode(TWO_THREADS)?.search.max(INSTANT))
    }

    /// What stood in the way, each obstacle with its name.
    pub(super) fn obstacles(&self) -> Vec<String> {
        let pan = self.pan.iter().map(|measured| ("pan", measured));
        let argos = self.argos.iter().map(|(mode, measured)| (*mode, measured));
        pan.chain(argos)
            .filter_map(|(name, measured)| Some(format!("{name}: {}", measured.as_ref().err()?)))
            .collect()
    }
}

/// The clock shows nothing shorter.
pub(super) const INSTANT: f64 = 0.001;

/// None of nothing.
pub(super) fn geometric_mean(figures: &[f64]) -> Option<f64> {
    let logarithms: f64 = figures.iter().map(|figure| figure.ln()).sum();
    (!figures.is_empty()).then(|| (logarithms / figures.len() as f64).exp())
}

/// The least of nothing is none.
fn least(figures: &[f64]) -> Option<f64> {
    figures.iter().copied().reduce(f64::min)
}

/// A small model of the package, by the clock.
pub(super) struct Small {
    pub(super) model: String,
    /// `argos check MODEL`.
    pub(super) wall: f64,
    /// With every error, each with its trace, as JSON.
    pub(super) every_error: f64,
}

/// Everything of one run.
pub(super) struct Results {
    pub(super) set: Vec<Row>,
    pub(super) growth: Vec<Row>,
    pub(super) argos: Vec<Row>,
    pub(super) small: Vec<Small>,
    pub(super) modes: Vec<super::modes::Mode>,
    /// Every model was asked for, at its full size.
    pub(super) whole: bool,
}

/// Something promised, and what was measured of it.
pub(super) struct Requirement {
    pub(super) text: &'static str,
    pub(super) wanted: String,
    pub(super) measured: Option<String>,
    pub(super) met: Option<bool>,
}

impl Requirement {
    pub(super) fn at_least(text: &'static str, wanted: f64, measured: Option<f64>) -> Self {
        Self {
            text,
            wanted: format!("{wanted}x"),
            measured: measured.map(|figure| format!("{figure:.2}x")),
            met: measured.map(|figure| figure >= wanted),
        }
    }

    pub(super) fn times_at_most(text: &'static str, wanted: f64, measured: Option<f64>) -> Self {
        let met = measured.map(|figure| figure <= wanted);
        Self { met, ..Self::at_least(text, wanted, measured) }
    }

    fn at_most(text: &'static str, (wanted, unit): (f64, &str), measured: Option<f64>) -> Self {
        Self {
            text,
            wanted: format!("{wanted} {unit}"),
            measured: measured.map(|figure| format!("{figure:.1} {unit}")),
            met: measured.map(|figure| figure <= wanted),
        }
    }
}

/// The slowest model and two threads are judged from so many states on.
const SLOWEST_STATES: u64 = 200_000;
const THREADS_STATES: u64 = 5_000_000;
/// From here on the fixed part of a store does not count.
pub(super) const MANY_STATES: u64 = 1_000_000;

impl Results {
    /// A figure of every row that has it.
    pub(super) fn all(&self, figure: impl Fn(&Row) -> Option<f64>) -> Vec<f64> {
        self.set.iter().filter_map(figure).collect()
    }

    fn of_many(&self, figure: impl Fn(&Row) -> Option<f64>) -> Vec<f64> {
        let many = |row: &Row| row.mode(ONE_THREAD).is_some_and(|b| b.counts[0] >= MANY_STATES);
        self.all(|row| figure(row).filter(|_| many(row)))
    }

    pub(super) fn requirements(&self) -> Vec<Requirement> {
        let one = self.all(|row| row.search_ratio(ONE_THREAD));
        let strict = self.all(|row| row.search_ratio(STRICT));
        let total = self.all(|row| row.total_ratio(ONE_THREAD));
        let large = |row: &Row, states: u64| {
            row.mode(ONE_THREAD).is_some_and(|best| best.counts[0] >= states)
        };
        let slowest =
            self.all(|row| row.search_ratio(ONE_THREAD).filter(|_| large(row, SLOWEST_STATES)));
        let threads = self.all(|row| row.speedup().filter(|_| large(row, THREADS_STATES)));
        let bytes = self.of_many(|row| row.mode(ONE_THREAD)?.bytes_per_state());
        let most = |figures: Vec<f64>| figures.into_iter().reduce(f64::max);
        let small = most(self.small.iter().map(|small| small.wall * 1000.0).collect());
        vec![
            Requirement::at_least("search, one thread, mean", 8.0, geometric_mean(&one)),
            Requirement::at_least(
                "search, one thread, slowest model from 200 000 states",
                4.0,
                least(&slowest),
            ),
            Requirement::at_least("search, strict depth first, mean", 3.0, geometric_mean(&strict)),
            Requirement::at_least(
                "two threads over one, slowest model from 5 000 000 states",
                1.7,
                least(&threads),
            ),
            Requirement::at_least("whole command, mean", 10.0, geometric_mean(&total)),
            Requirement::at_most("`argos check`, slowest small model", (50.0, "ms"), small),
            Requirement::at_most(
                "bytes per visited state, from a million states, largest",
                (16.0, "B"),
                most(bytes),
            ),
        ]
    }
}
