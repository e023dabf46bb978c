//! Both programs on one model, in turns, so that a busy minute hits both.

use super::figures::{Best, Measured, Row, Small, Tally};
use super::models::{Recipe, Subject};
use super::modes::Mode;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use testkit::argos;
use testkit::limits::{self, Limits, Ran, Spent};
use testkit::spin::{self, Verifier};

pub(super) struct Bench {
    pub(super) argos: PathBuf,
    pub(super) modes: Vec<Mode>,
    pub(super) limits: Limits,
    pub(super) repetitions: usize,
}

/// The verifier may use all the memory it is given.
pub(super) const COMPILE: [&str; 10] = [
    "gcc",
    "-O2",
    "-w",
    "-DSAFETY",
    "-DNOREDUCE",
    "-DNOCLAIM",
    "-DMEMLIM=65536",
    "-o",
    "pan",
    "pan.c",
];

impl Bench {
    /// The same with fewer modes.
    pub(super) fn with_modes(&self, names: &[&str]) -> Self {
        let wanted = self.modes.iter().filter(|mode| names.contains(&mode.name));
        Self { modes: wanted.cloned().collect(), argos: self.argos.clone(), ..*self }
    }

    pub(super) fn row(&self, recipe: &Recipe) -> Result<Row, String> {
        let subject = recipe.prepare()?;
        let theirs = recipe.is_promela().then(|| Theirs::ready(&subject, self.limits));
        let mut pan = Tally::new();
        let mut ours: Vec<Tally> = self.modes.iter().map(|_| Tally::new()).collect();
        for _ in 0..self.repetitions {
            if let Some(theirs) = &theirs {
                in_a_row(&mut pan, || theirs.as_ref().map_err(Clone::clone).and_then(Theirs::run));
            }
            for (mode, tally) in self.modes.iter().zip(&mut ours) {
                in_a_row(tally, || self.ours(&subject, mode));
            }
        }
        let compile = theirs.as_ref().and_then(|theirs| theirs.as_ref().ok());
        let row = Row {
            model: subject.name,
            origin: subject.origin,
            compile: compile.map_or_else(Spent::default, Theirs::compile),
            pan: theirs.is_some().then(|| pan.end()),
            argos: self.modes.iter().zip(ours).map(|(mode, it)| (mode.name, it.end())).collect(),
            differs: false,
        };
        Ok(row.compared())
    }

    fn ours(&self, subject: &Subject, mode: &Mode) -> Measured {
        let options = [subject.options, &mode.options[..]].concat();
        let checked = argos::limited_check(&self.argos, &subject.path, &options, self.limits);
        let (report, ran) = checked.map_err(|failure| failure.remark())?;
        best(&report, &ran)
    }

    /// The models of the package that are small, and how long each takes as a whole.
    pub(super) fn small(&self) -> Result<Vec<Small>, String> {
        let models = spin::package()?;
        Ok(models.iter().filter_map(|model| self.small_one(model)).collect())
    }

    fn small_one(&self, model: &Path) -> Option<Small> {
        let limits = Limits { seconds: 2, ..self.limits };
        let options = ["--spin-counts", "--no-claims"];
        let (report, ran) = argos::limited_check(&self.argos, model, &options, limits).ok()?;
        if report["complete"] != true || argos::counts(&report)[0] > SMALL_STATES {
            return None;
        }
        let (argos, path) = (self.argos.display().to_string(), model.display().to_string());
        let plain = || limits::run(testkit::root(), &[&argos, "check", &path], limits);
        let walls = (0..self.repetitions).filter_map(|_| Some(plain().ok()?.spent.wall));
        Some(Small {
            model: model.file_name().unwrap_or_default().display().to_string(),
            wall: walls.reduce(f64::min)?,
            every_error: ran.spent.wall,
        })
    }
}

/// Runs a program twice in a row. Memory that was free for seconds goes back from a virtual
/// machine to its host, and the first to touch it again waits 5 ms for 2 MB; the second run
/// finds what the first one left. A quick program runs more often, for of a few milliseconds
/// any interruption is a large part.
fn in_a_row(tally: &mut Tally, run: impl Fn() -> Measured) {
    let start = Instant::now();
    for round in 0..RUNS_MAX {
        let enough = round >= RUNS_MIN && start.elapsed() > RUNS_TIME;
        if enough || !tally.goes_on() {
            break;
        }
        tally.add(run());
    }
}

/// Each program runs so often in a row: as often as this time allows, within these bounds.
const RUNS_MIN: u32 = 2;
const RUNS_MAX: u32 = 10;
const RUNS_TIME: Duration = Duration::from_millis(1500);

/// A model with so many states is small.
pub(super) const SMALL_STATES: u64 = 10_000;

/// The figures of a report, if its search was complete.
pub(super) fn best(report: &Value, ran: &Ran) -> Measured {
    if report["verdict"] == "error" {
        return Err(argos::complaints(report));
    }
    // Neither verifier looks for cycles here, which labels of acceptance and progress leave open.
    let mut reasons = argos::reasons(report);
    reasons.retain(|reason| *reason != "liveness");
    if !reasons.is_empty() {
        return Err(format!("INCOMPLETE ({})", reasons.join(", ")));
    }
    let stats = &report["stats"];
    let search = stats["seconds"]["search"].as_f64().unwrap_or(ran.spent.wall);
    let alone = stats["threads"].as_u64() == Some(1);
    Ok(Best {
        counts: argos::counts(report),
        cpu: ran.spent.cpu,
        wall: ran.spent.wall,
        // The clock of the search and the processor time of the command are both bounds
        // from above for one thread; on a busy machine the second is the closer one.
        search: if alone { search.min(ran.spent.cpu) } else { search },
        bytes: stats["store_bytes"].as_f64(),
    })
}

/// SPIN's verifier for a subject, with tables of the right size.
struct Theirs {
    verifier: Verifier,
    options: [String; 2],
}

impl Theirs {
    /// Too small a hash table slows pan down, and so does too large a stack: it clears
    /// what it reserves, 0.6 s for 20 million levels. A first run tells both sizes.
    fn ready(subject: &Subject, limits: Limits) -> Result<Self, String> {
        let built = Verifier::build(&subject.path, &COMPILE, limits);
        let verifier = built.map_err(|obstacle| obstacle.remark)?;
        let first = Self { verifier, options: ["-m10000000".to_owned(), "-w24".to_owned()] };
        let figures = first.figures()?.0;
        let options = sizes(figures.counts[0], figures.depth.unwrap_or(figures.counts[0]));
        Ok(Self { options, ..first })
    }

    fn figures(&self) -> Result<(spin::Figures, Ran), String> {
        let [depth, slots] = &self.options;
        let ran = self.verifier.run(&["./pan", "-c0", "-n", depth, slots]);
        let ran = ran.map_err(|obstacle| obstacle.remark)?;
        let figures = spin::figures(&ran).map_err(|obstacle| obstacle.remark)?;
        match figures.cut {
            Some(reason) => Err(reason.to_owned()),
            None => Ok((figures, ran)),
        }
    }

    fn run(&self) -> Measured {
        let (figures, ran) = self.figures()?;
        let Spent { wall, cpu } = ran.spent;
        Ok(Best { counts: figures.counts, cpu, wall, search: cpu, bytes: figures.state_bytes })
    }

    fn compile(&self) -> Spent {
        let [spin, gcc] = self.verifier.spent;
        Spent { wall: spin.wall + gcc.wall, cpu: spin.cpu + gcc.cpu }
    }
}

/// Options for a stack just deep enough and two to four slots for each state.
pub(super) fn sizes(states: u64, depth: u64) -> [String; 2] {
    let slots = (2 * states).next_power_of_two().ilog2();
    [format!("-m{}", depth + depth / 10 + 1000), format!("-w{slots}")]
}
