//! The real world behind a run: files, clock, memory, signals, progress line.

use crate::args::ProgressForm;
use crate::progress::Meter;
use pipeline::{Host, Kind};
use search::{Hurry, Progress, Stop};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::fs;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Shells say so of a program that a signal ended.
const SIGNAL_EXIT: i32 = 128;

/// A signal so soon after the first one is not the second: `timeout` sends each one twice, to the
/// program and to its group.
const APART: Duration = Duration::from_millis(300);
/// So often somebody looks whether the first one came.
const LOOK: Duration = Duration::from_millis(20);

/// Raises a flag some moments after the other one.
fn expect_second(interrupted: Arc<AtomicBool>, is_second: Arc<AtomicBool>) {
    thread::spawn(move || {
        while !interrupted.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
        }
        thread::sleep(APART);
        is_second.store(true, Ordering::Relaxed);
    });
}

/// This machine. A copy has the same clock and hears the same signals.
#[derive(Clone)]
pub(crate) struct Machine {
    start: Instant,
    interrupted: Arc<AtomicBool>,
    /// Shared with copies: the line that one has drawn another one wipes.
    meter: Arc<Mutex<Meter>>,
    /// The errors that are known so far, of a report that is not finished.
    found: Arc<Mutex<Vec<(Kind, usize)>>>,
    memory_limit: Option<u64>,
    /// So many searches share its memory.
    jobs: u64,
    /// Whether the model may include files.
    includes: bool,
}

impl Machine {
    /// `progress`: whether to show any; `memory_limit`: what the user allows, if anything. A signal
    /// ends what it does with a result.
    pub(crate) fn new(progress: ProgressForm, memory_limit: Option<u64>) -> Self {
        let machine = Self::deaf();
        let (interrupted, is_second) = (&machine.interrupted, Arc::default());
        for signal in [SIGINT, SIGTERM] {
            // A second one ends the program at once.
            let (flag, code) = (Arc::clone(&is_second), SIGNAL_EXIT + signal);
            let _ = signal_hook::flag::register_conditional_shutdown(signal, code, flag);
            let _ = signal_hook::flag::register(signal, Arc::clone(interrupted));
        }
        expect_second(Arc::clone(interrupted), is_second);
        // The processor time that `ulimit -t` allows is over.
        #[cfg(unix)]
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXCPU, Arc::clone(interrupted));
        let mut meter = Meter::new(progress, false);
        meter.limit_memory(memory_limit.or_else(free));
        Self { meter: Arc::new(Mutex::new(meter)), memory_limit, ..machine }
    }

    /// One for commands without a result of their own: signals end them, as any program.
    pub(crate) fn deaf() -> Self {
        Self {
            start: Instant::now(),
            interrupted: Arc::default(),
            meter: Arc::new(Mutex::new(Meter::new(ProgressForm::Never, false))),
            found: Arc::default(),
            memory_limit: None,
            jobs: 1,
            includes: true,
        }
    }

    /// The same for a model in this file. What comes from standard input may come from anywhere:
    /// it opens no file.
    #[must_use]
    pub(crate) fn reading(self, file: &str) -> Self {
        Self { includes: file != "-", ..self }
    }

    /// The same with its progress in ASCII, if that is asked for.
    #[must_use]
    pub(crate) fn in_ascii(self, is_ascii: bool) -> Self {
        self.meter().in_ascii(is_ascii);
        self
    }

    /// One for the next of several models, `number` of `of`, within so much memory. It shares
    /// nothing but signals with the one before, which a thread may hold that nobody waits for any
    /// longer: what that finds or shows is not about this model.
    #[must_use]
    pub(crate) fn next(
        &self,
        (name, number, of): (&str, usize, usize),
        memory_limit: Option<u64>,
    ) -> Self {
        let mut meter = self.meter().clone();
        meter.begin(name, number, of);
        meter.limit_memory(memory_limit.or_else(free));
        Self {
            start: Instant::now(),
            meter: Arc::new(Mutex::new(meter)),
            found: Arc::default(),
            memory_limit,
            ..self.clone()
        }
    }

    /// One for one of several searches at a time, without a progress line. It hears the same
    /// signals.
    pub(crate) fn shared(&self, jobs: usize) -> Self {
        Self {
            interrupted: Arc::clone(&self.interrupted),
            memory_limit: self.memory_limit,
            jobs: jobs as u64,
            ..Self::deaf()
        }
    }

    /// Whether somebody wants it to end.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Wipes the progress line before results are printed. Copies show nothing from now on.
    pub(crate) fn finish(&self) {
        self.meter().finish(self.is_interrupted());
    }

    /// The errors that are known so far, of a report that is not finished.
    pub(crate) fn known_errors(&self) -> Vec<(Kind, usize)> {
        self.found.lock().map_or_else(|_| Vec::new(), |found| found.clone())
    }

    /// What a panic leaves of it can be wiped all the same.
    fn meter(&self) -> MutexGuard<'_, Meter> {
        self.meter.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Files larger than this are refused before they are read: spans have 32 bits.
const FILE_BYTES_MAX: u64 = u32::MAX as u64;

impl pipeline::Files for Machine {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        read(path)
    }

    fn include(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.includes {
            true => read_disk(path),
            false => Err(io::Error::other("a model from standard input includes no file")),
        }
    }
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read(path: &str) -> io::Result<Vec<u8>> {
    if path != "-" {
        return read_disk(path);
    }
    let mut bytes = Vec::new();
    io::stdin().take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read_disk(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Host for Machine {
    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn peak_rss_bytes(&self) -> u64 {
        field("/proc/self/status", "VmHWM:").unwrap_or(0)
    }

    fn rss_bytes(&self) -> u64 {
        field("/proc/self/status", "VmRSS:").unwrap_or(0)
    }

    fn memory_bytes_max(&self) -> Option<u64> {
        let most = self.memory_limit.or_else(free)?;
        Some(most / self.jobs)
    }

    fn tick(&mut self, progress: &Progress) -> Option<Stop> {
        self.meter().search(progress);
        self.is_interrupted().then_some(Stop::Interrupted)
    }

    fn stage(&mut self, name: &str) {
        self.meter().stage(name);
    }

    fn found(&mut self, errors: &[(Kind, usize)]) {
        if let Ok(mut found) = self.found.lock() {
            *found = errors.to_vec();
        }
    }

    fn hurry(&self, deadline: Option<f64>) -> Hurry {
        let (start, interrupted) = (self.start, Arc::clone(&self.interrupted));
        Arc::new(move || {
            let late = deadline.is_some_and(|at| start.elapsed().as_secs_f64() >= at);
            match interrupted.load(Ordering::Relaxed) {
                true => Some(Stop::Interrupted),
                false => late.then_some(Stop::Time),
            }
        })
    }
}

/// Three quarters of the memory that nobody uses, and of the addresses (`ulimit -v`).
fn free() -> Option<u64> {
    let available = field("/proc/meminfo", "MemAvailable:")?;
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse().ok()).unwrap_or(u64::MAX);
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let mut addresses = limits.lines().filter_map(|line| line.strip_prefix("Max address space"));
    let addresses = addresses.next().and_then(|line| line.split_whitespace().next()?.parse().ok());
    Some(available.min(group).min(addresses.unwrap_or(u64::MAX)) / 4 * 3)
}

/// A `Name:  123 kB` line of a file under /proc, in bytes.
fn field(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread that nobody waits for may still be busy with the model before.
    #[test]
    fn errors_of_one_model_are_not_those_of_the_next() {
        let first = Machine::deaf();
        let mut left_behind = first.clone();
        let next = first.next(("next.pml", 2, 2), None);
        let test = first.shared(2);
        left_behind.found(&[(Kind::Deadlock, 3)]);
        assert_eq!(first.known_errors(), [(Kind::Deadlock, 3)]);
        assert_eq!((next.known_errors(), test.known_errors()), (Vec::new(), Vec::new()));
        first.interrupted.store(true, Ordering::Relaxed);
        assert!(next.is_interrupted() && test.is_interrupted());
    }
}
