//! Where experiments are made: it runs the pipeline as the command line does, ends runs
//! that go too far.

use crate::sleep::Ours;
use crate::sweep::Point;
use pipeline::{BackwardAsked, Checked, Files, Host, Loaded, Options, Source};
use report::{Backward, Machine, Report, Stats};
use search::{Outcome, Plan, Progress, Stop, Watch};
use std::{fmt, io};
use system::System;

/// How much is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Less than a minute for everything.
    Quick,
    /// Everything.
    Full,
}

/// Why an experiment has no findings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotRun {
    /// It needs a model of the SPIN package that is not here.
    Missing(String),
    /// The user stopped it.
    Interrupted,
    /// Argos refuses what it asks for: our fault.
    Failed(String),
}

impl fmt::Display for NotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRun::Missing(model) => write!(
                f,
                "it needs {model} of the SPIN package, which is not here (Debian: apt-get install \
                 spin), or say where its examples are with --spin-models DIR"
            ),
            NotRun::Interrupted => f.write_str("interrupted"),
            NotRun::Failed(why) => write!(f, "an internal error of argos, please report it: {why}"),
        }
    }
}

/// A place for experiments.
pub struct Lab<'a> {
    host: &'a mut dyn Host,
    /// How much is measured.
    pub scale: Scale,
    /// Finds a model of the SPIN package by the end of its path.
    package: &'a dyn Fn(&str) -> Option<String>,
    /// What several experiments are drawn from, once it was measured.
    pub(crate) sweep: Option<Vec<Point>>,
    pub(crate) sleep: Option<Vec<Ours>>,
}

/// A model by name and text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

/// A model checked once.
#[derive(Debug)]
pub(crate) struct Trial {
    pub(crate) report: Report,
    /// Whether it was ended because it took too many transitions.
    pub(crate) too_far: bool,
}

impl Trial {
    pub(crate) fn stats(&self) -> &Stats {
        &self.report.stats
    }
}

impl<'a> Lab<'a> {
    /// A lab in this world. `package` gives the text of a model of the SPIN package.
    pub fn new(
        host: &'a mut dyn Host,
        scale: Scale,
        package: &'a dyn Fn(&str) -> Option<String>,
    ) -> Self {
        Self { host, scale, package, sweep: None, sleep: None }
    }

    /// Whether everything is measured.
    pub(crate) fn is_full(&self) -> bool {
        self.scale == Scale::Full
    }

    /// The time, in seconds since some moment.
    pub fn seconds(&self) -> f64 {
        self.host.seconds()
    }

    /// The text of a model of the SPIN package without its formulas: a claim would cut
    /// the search short, and the papers' models had none.
    pub(crate) fn package(&self, path: &str) -> Result<String, NotRun> {
        let text = (self.package)(path).ok_or_else(|| NotRun::Missing(path.to_owned()))?;
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("ltl "));
        Ok(lines.collect::<Vec<&str>>().join("\n"))
    }

    /// Checks a model.
    pub(crate) fn check(&mut self, model: Text<'_>, options: &Options) -> Result<Trial, NotRun> {
        self.check_within(model, options, u64::MAX)
    }

    /// Checks a model; ends the run after so many transitions.
    pub(crate) fn check_within(
        &mut self,
        model: Text<'_>,
        options: &Options,
        transitions: u64,
    ) -> Result<Trial, NotRun> {
        let mut watched = Watched::new(self.host, transitions);
        let source = Source::new(model.name, model.text.as_bytes());
        let checked = pipeline::check(source, options, "argos experiments", &mut watched);
        let Watched { stopped, too_far, .. } = watched;
        let checked =
            checked.map_err(|usage| NotRun::Failed(format!("{}: {usage}", model.name)))?;
        match stopped {
            true => Err(NotRun::Interrupted),
            false => Ok(Trial { report: sound(model, checked)?, too_far }),
        }
    }

    /// Executes a model backwards.
    pub(crate) fn backward(
        &mut self,
        model: Text<'_>,
        options: &Options,
        asked: &BackwardAsked,
    ) -> Result<Backward, NotRun> {
        let mut watched = Watched::new(self.host, u64::MAX);
        let source = Source::new(model.name, model.text.as_bytes());
        let done = pipeline::backward(source, options, asked, "argos experiments", &mut watched);
        let done = done.map_err(|usage| NotRun::Failed(format!("{}: {usage}", model.name)))?;
        match (watched.stopped, done.internal_error) {
            (true, _) => Err(NotRun::Interrupted),
            (_, Some(fault)) => Err(NotRun::Failed(format!("{}: {fault}", model.name))),
            _ => Ok(done.backward),
        }
    }

    /// The machines of a model as they are executed backwards.
    pub(crate) fn reversed(&self, model: Text<'_>) -> Result<Vec<Machine>, NotRun> {
        let source = Source::new(model.name, model.text.as_bytes());
        let shown = pipeline::show_reversed(source, &Options::default(), &*self.host);
        let shown = shown.map_err(|usage| NotRun::Failed(format!("{}: {usage}", model.name)))?;
        Ok(shown.machines)
    }

    /// Searches a system; ends the search after so many transitions, and says whether it did.
    pub(crate) fn search(
        &mut self,
        system: &dyn System,
        plan: &Plan,
        transitions: u64,
    ) -> Result<(Outcome, bool), NotRun> {
        let mut watched = Watched::new(self.host, transitions);
        let outcome = search::run(system, &mut [], plan, &mut watched);
        let Watched { stopped, too_far, .. } = watched;
        let outcome = outcome.map_err(|refusal| NotRun::Failed(refusal.to_string()))?;
        if stopped { Err(NotRun::Interrupted) } else { Ok((outcome, too_far)) }
    }

    /// Reads a model.
    pub(crate) fn load(&self, model: Text<'_>, options: &Options) -> Loaded {
        pipeline::load(Source::new(model.name, model.text.as_bytes()), options, &*self.host)
    }
}

/// The report of a model that has no errors and whose runs could be executed again.
fn sound(model: Text<'_>, checked: Checked) -> Result<Report, NotRun> {
    let fault = checked.internal_error.or_else(|| {
        let first = checked.report.diagnostics.first();
        first.map(|found| format!("line {}: {}", found.line, found.message))
    });
    match fault {
        Some(fault) => Err(NotRun::Failed(format!("{}: {fault}", model.name))),
        None => Ok(checked.report),
    }
}

/// A host that looks on.
struct Watched<'a> {
    host: &'a mut dyn Host,
    transitions: u64,
    stopped: bool,
    too_far: bool,
}

impl<'a> Watched<'a> {
    fn new(host: &'a mut dyn Host, transitions: u64) -> Self {
        Self { host, transitions, stopped: false, too_far: false }
    }
}

impl Files for Watched<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.host.read(path)
    }
}

impl Host for Watched<'_> {
    fn seconds(&self) -> f64 {
        self.host.seconds()
    }

    fn peak_rss_bytes(&self) -> u64 {
        self.host.peak_rss_bytes()
    }

    fn rss_bytes(&self) -> u64 {
        self.host.rss_bytes()
    }

    fn memory_bytes_max(&self) -> Option<u64> {
        self.host.memory_bytes_max()
    }

    fn tick(&mut self, progress: &Progress) -> Option<Stop> {
        let asked = self.host.tick(progress);
        self.stopped |= asked.is_some();
        self.too_far = progress.states + progress.matched > self.transitions;
        asked.or(self.too_far.then_some(Stop::Interrupted))
    }
}

impl Watch for Watched<'_> {
    fn tick(&mut self, progress: &Progress) -> Option<Stop> {
        Host::tick(self, progress)
    }
}
