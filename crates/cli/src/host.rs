//! The real world behind a run: files, clock, memory, signals, progress line.

use crate::output;
use pipeline::{Host, Kind};
use search::{CacheFigures, Hurry, Progress, Stop};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// On a terminal the progress line is rewritten this often.
const TICK: Duration = Duration::from_millis(250);
/// In a pipe, if asked for at all, a line comes this often.
const PIPE_TICK: Duration = Duration::from_secs(30);
/// Nothing is shown of a run shorter than this.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shells say so of a program that a signal ended.
const SIGNAL_EXIT: i32 = 128;
/// The columns of the `^C` that a terminal writes behind the progress line.
const ECHO: usize = 2;

/// This machine. A copy has the same clock and hears the same signals.
#[derive(Clone)]
pub(crate) struct Machine {
    start: Instant,
    interrupted: Arc<AtomicBool>,
    progress: bool,
    terminal: bool,
    last: Duration,
    /// Columns of the progress line that stands on the terminal now.
    drawn: Arc<AtomicUsize>,
    /// The errors that are known so far, of a report that is not finished.
    found: Arc<Mutex<Vec<(Kind, usize)>>>,
    memory_limit: Option<u64>,
    /// Whether the model may include files.
    includes: bool,
}

impl Machine {
    /// `progress`: whether to show any; `memory_limit` only to be shown in it. A signal ends what
    /// it does with a result.
    pub(crate) fn new(progress: crate::args::When, memory_limit: Option<u64>) -> Self {
        let machine = Self::deaf();
        let interrupted = &machine.interrupted;
        for signal in [SIGINT, SIGTERM] {
            // A second one ends the program at once: registered first, it looks at the flag
            // before the second handler raises it.
            let (flag, code) = (Arc::clone(interrupted), SIGNAL_EXIT + signal);
            let _ = signal_hook::flag::register_conditional_shutdown(signal, code, flag);
            let _ = signal_hook::flag::register(signal, Arc::clone(interrupted));
        }
        // The processor time that `ulimit -t` allows is over.
        #[cfg(unix)]
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXCPU, Arc::clone(interrupted));
        let progress = output::decide(progress, machine.terminal);
        Self { progress, memory_limit, ..machine }
    }

    /// One for commands without a result of their own: signals end them, as any program.
    pub(crate) fn deaf() -> Self {
        Self {
            start: Instant::now(),
            interrupted: Arc::default(),
            progress: false,
            terminal: io::stderr().is_terminal(),
            last: Duration::ZERO,
            drawn: Arc::default(),
            found: Arc::default(),
            memory_limit: None,
            includes: true,
        }
    }

    /// The same for a model in this file. What comes from standard input may come from anywhere:
    /// it opens no file.
    #[must_use]
    pub(crate) fn reading(self, file: &str) -> Self {
        Self { includes: file != "-", ..self }
    }

    /// Wipes the progress line, and the `^C` behind it, before results are printed.
    pub(crate) fn finish(&self) {
        let is_echoed = self.terminal && self.interrupted.load(Ordering::Relaxed);
        let drawn = self.drawn.swap(0, Ordering::Relaxed);
        let columns = drawn + if is_echoed { ECHO } else { 0 };
        if columns > 0 {
            let _ = write!(io::stderr(), "\r{}\r", " ".repeat(columns));
        }
    }

    /// The errors that are known so far, of a report that is not finished.
    pub(crate) fn known_errors(&self) -> Vec<(Kind, usize)> {
        self.found.lock().map_or_else(|_| Vec::new(), |found| found.clone())
    }

    fn show(&mut self, progress: &Progress, elapsed: Duration) {
        let text = line(progress, elapsed, self.memory_limit);
        let mut stderr = io::stderr();
        if self.terminal {
            let drawn = self.drawn.swap(text.len(), Ordering::Relaxed);
            let blanks = " ".repeat(drawn.saturating_sub(text.len()));
            let _ = write!(stderr, "\r{text}{blanks}");
        } else {
            let _ = writeln!(stderr, "{text}");
        }
    }
}

fn line(progress: &Progress, elapsed: Duration, limit: Option<u64>) -> String {
    let seconds = elapsed.as_secs_f64();
    let rate = (progress.states as f64 / seconds.max(1e-9)) as u64;
    let memory = match limit {
        Some(limit) => format!("{}/{}", megabytes(progress.bytes), megabytes(limit)),
        None => megabytes(progress.bytes),
    };
    format!(
        "{seconds:.1} s  {} states  {} trans  {}/s  depth {}  waiting {}  mem {memory}  errors {}",
        short(progress.states),
        short(progress.states + progress.matched),
        short(rate),
        progress.depth,
        short(progress.waiting),
        progress.errors
    ) + &progress.cache.map_or_else(String::new, |cache| cached(progress, &cache))
}

/// Stack against cache, share matched, created again for each new state: whether a cache
/// will do can be told while it runs (Godefroid, Holzmann and Pirottin 1995, section 4).
fn cached(progress: &Progress, cache: &CacheFigures) -> String {
    let share = 100 * progress.matched / (progress.states + progress.matched).max(1);
    let new = progress.states.saturating_sub(cache.recreated).max(1);
    let again = cache.recreated as f64 / new as f64;
    let (stack, size) = (short(cache.pinned), short(cache.slots));
    let cliff = if cache.explodes { "  CACHE TOO SMALL: almost all is done again" } else { "" };
    format!("  stack {stack}/{size}  matched {share} %  again {again:.1}/new{cliff}")
}

fn megabytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{}k", number / 1000),
        _ => format!("{:.1}M", number as f64 / 1e6),
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
        let available = field("/proc/meminfo", "MemAvailable:")?;
        let limit = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
        let limit = limit.and_then(|text| text.trim().parse().ok()).unwrap_or(u64::MAX);
        Some(available.min(limit) / 4 * 3)
    }

    fn tick(&mut self, progress: &Progress) -> Option<Stop> {
        let elapsed = self.start.elapsed();
        let due = if self.terminal { TICK } else { PIPE_TICK };
        if self.progress && elapsed > PATIENCE && elapsed - self.last >= due {
            self.last = elapsed;
            self.show(progress, elapsed);
        }
        self.interrupted.load(Ordering::Relaxed).then_some(Stop::Interrupted)
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

/// A `Name:  123 kB` line of a file under /proc, in bytes.
fn field(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_progress_line_of_a_search() {
        let progress = Progress {
            states: 12_000,
            matched: 8_000,
            depth: 70,
            waiting: 900,
            bytes: 3_000_000,
            errors: 1,
            cache: None,
        };
        let text = line(&progress, Duration::from_secs(2), Some(2_000_000_000));
        let start = "2.0 s  12k states  20k trans  6000/s  depth 70  waiting 900";
        assert_eq!(text, format!("{start}  mem 3 MB/2.0 GB  errors 1"));
    }

    /// Stack against cache, the share matched, how many are created again for each new one.
    #[test]
    fn the_progress_line_of_a_cache() {
        let cache =
            CacheFigures { slots: 500, pinned: 246, recreated: 8_000, ..Default::default() };
        let progress =
            Progress { states: 12_000, matched: 4_000, cache: Some(cache), ..Default::default() };
        let text = |progress: &Progress| line(progress, Duration::from_secs(1), None);
        let end = "  stack 246/500  matched 25 %  again 2.0/new";
        assert!(text(&progress).ends_with(end), "{}", text(&progress));
        let cache = Some(CacheFigures { explodes: true, ..cache });
        let text = text(&Progress { cache, ..progress });
        let end = format!("{end}  CACHE TOO SMALL: almost all is done again");
        assert!(text.ends_with(&end), "{text}");
    }
}
