//! The outside world, as far as a run needs it.

use crate::decide::Found;
use preprocess::Files;
use report::Kind;
use search::{Hurry, Progress, Stop, Watch, Why};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// Whoever runs the pipeline: a terminal, an editor, a test.
pub trait Host: Files {
    /// Seconds since some fixed moment.
    fn seconds(&self) -> f64;
    /// The largest memory use of this process so far; 0 if unknown.
    fn peak_rss_bytes(&self) -> u64;
    /// The memory this process uses now; 0 if unknown.
    fn rss_bytes(&self) -> u64;
    /// The memory a search may use when the user sets no limit; `None` for no
    /// limit. A search that ends with a result beats a process that is killed.
    fn memory_bytes_max(&self) -> Option<u64>;
    /// Called now and then during a search; `Some` ends it with its result.
    fn tick(&mut self, progress: &Progress) -> Option<Stop>;
    /// What follows is a search of this name, as `breadth first`.
    fn stage(&mut self, _name: &str) {}
    /// All errors that are found by now: of which kind, and how many steps the run to each has.
    /// They are not executed again yet.
    fn found(&mut self, _errors: &[(Kind, usize)]) {}
    /// What says from any thread that a search is to end: at this moment of [`Host::seconds`], or
    /// if the user wants it to.
    fn hurry(&self, _deadline: Option<f64>) -> Hurry {
        Arc::new(|| None)
    }
}

/// As a reason for which a search is not complete.
pub(crate) fn why(stop: Stop) -> Why {
    match stop {
        Stop::Time => Why::Time,
        Stop::Interrupted => Why::Interrupted,
    }
}

/// Lets a host watch a search, and ends it when its time is up.
pub(crate) struct Timed<'a> {
    pub(crate) host: &'a mut dyn Host,
    pub(crate) deadline: Option<f64>,
    /// Seconds spent so far on making models executable.
    pub(crate) compiling: f64,
    /// When the first error was found.
    pub(crate) first_error: Option<f64>,
    /// Seconds for what is found when the time of the searches is over.
    extra: f64,
    /// When those are over, once they have begun.
    closing: Cell<Option<f64>>,
}

/// A search that is ended by its time may have found errors in its last moment: to execute them
/// again it has so many seconds more, or this share of a long limit.
const EXTRA_SECONDS: f64 = 0.5;
const EXTRA_SHARE: f64 = 0.05;

impl<'a> Timed<'a> {
    /// Ends searches so many seconds from now.
    pub(crate) fn new(host: &'a mut dyn Host, time: Option<f64>) -> Self {
        let start = host.seconds();
        Self::since(start, host, time)
    }

    /// Ends searches so many seconds from this moment.
    pub(crate) fn since(start: f64, host: &'a mut dyn Host, time: Option<f64>) -> Self {
        let deadline = time.map(|time| start + time);
        let extra = time.map_or(EXTRA_SECONDS, |time| EXTRA_SECONDS.max(time * EXTRA_SHARE));
        let closing = Cell::new(None);
        Self { host, deadline, compiling: 0.0, first_error: None, extra, closing }
    }

    /// Whether there is time to execute again what was found: until the limit, or for a moment
    /// behind it or behind Ctrl-C.
    pub(crate) fn lasts_to_close(&self) -> bool {
        if self.ended().is_none() {
            return true;
        }
        let now = self.host.seconds();
        let end = self.closing.get().unwrap_or(now + self.extra);
        self.closing.set(Some(end));
        now < end
    }

    /// Counts the time of `work` as compiling.
    pub(crate) fn compile<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let start = self.host.seconds();
        let result = work();
        self.compiling += self.host.seconds() - start;
        result
    }

    /// Why nothing more is to be searched, if so.
    pub(crate) fn ended(&self) -> Option<Why> {
        self.hurry()().map(why)
    }

    /// Tells the host what is found by now: whoever cannot wait for the report has it.
    pub(crate) fn tell(&mut self, found: &[Found]) {
        let known = found.iter().map(|one| (one.requirement.kind, one.steps()));
        self.host.found(&known.collect::<Vec<_>>());
    }

    /// An error is known by now.
    pub(crate) fn found(&mut self) {
        self.first_error = self.first_error.or_else(|| Some(self.host.seconds()));
    }

    /// So much of the time of a search was spent compiling.
    pub(crate) fn compiled(&mut self, time: Duration) {
        self.compiling += time.as_secs_f64();
    }
}

impl Watch for Timed<'_> {
    fn tick(&mut self, progress: &Progress) -> Option<Stop> {
        if progress.errors > 0 {
            self.found();
        }
        let late = self.deadline.is_some_and(|deadline| self.host.seconds() >= deadline);
        self.host.tick(progress).or(late.then_some(Stop::Time))
    }

    fn stage(&mut self, name: &str) {
        self.host.stage(name);
    }

    fn resident_bytes(&self) -> u64 {
        self.host.rss_bytes()
    }

    fn hurry(&self) -> Hurry {
        self.host.hurry(self.deadline)
    }
}

/// A host without a clock whose files are texts in memory: for tests and for
/// models that travel inside a saved trace.
#[derive(Clone, Default, Debug)]
pub struct Memory {
    /// Contents by name.
    pub files: HashMap<String, Vec<u8>>,
}

impl Files for Memory {
    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        self.files.get(path).cloned().ok_or_else(|| std::io::ErrorKind::NotFound.into())
    }
}

impl Host for Memory {
    fn seconds(&self) -> f64 {
        0.0
    }
    fn peak_rss_bytes(&self) -> u64 {
        0
    }
    fn rss_bytes(&self) -> u64 {
        0
    }
    fn memory_bytes_max(&self) -> Option<u64> {
        None
    }
    fn tick(&mut self, _: &Progress) -> Option<Stop> {
        None
    }
}
