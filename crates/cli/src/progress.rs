//! What is shown while something runs: on a terminal one line that is rewritten, in a pipe a line
//! now and then, for other programs one JSON object per line. Always on standard error.
//!
//! Nobody knows how many states there are, so a search has no bar: it shows what it does now, how
//! fast, whether the states that wait become more or fewer, and when memory will be full at this
//! rate. A bar is drawn where there is an end: of so many models or tests so many are done.

use crate::args::ProgressForm;
use search::{CacheFigures, Progress};
use serde::Serialize;
use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// On a terminal the line is rewritten this often, and another program reads as often.
const TICK: Duration = Duration::from_millis(250);
/// In a pipe, if asked for at all, a line comes this often.
const PIPE_TICK: Duration = Duration::from_secs(30);
/// Nothing is shown to people of a run shorter than this.
const PATIENCE: Duration = Duration::from_millis(500);
/// Rates and trends are those of the last seconds.
const WINDOW: Duration = Duration::from_secs(10);
/// Less than this is no trend: one part in so many, and so many states.
const STEADY: u64 = 50;
const STEADY_STATES: u64 = 50;
/// What memory a state takes is known after so many seconds: tables are large when they begin.
const SETTLED: f64 = 5.0;
/// Memory that is not full within a day is no worry.
const DAY: f64 = 86_400.0;
/// The width of a bar.
const BAR: usize = 20;
/// The columns of the `^C` that a terminal writes behind the line.
const ECHO: usize = 2;

/// Shows how far something is.
#[derive(Clone)]
pub(crate) struct Meter {
    form: ProgressForm,
    is_terminal: bool,
    is_ascii: bool,
    start: Instant,
    /// When something was shown last.
    last: Option<Duration>,
    /// Columns of the line that stands on the terminal now.
    drawn: usize,
    /// Results are printed now, or were: whoever is still busy shows nothing between them.
    is_finished: bool,
    memory_limit: Option<u64>,
    /// What is searched, where there is more than one: its name, its number, how many there are.
    subject: Option<(String, usize, usize)>,
    /// What the search is for.
    stage: String,
    /// What was seen in the last seconds.
    seen: VecDeque<(f64, Progress)>,
}

/// Where the number of states that wait goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Trend {
    Growing,
    Shrinking,
    Steady,
}

/// What the last seconds say.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Pace {
    states_per_second: u64,
    trend: Trend,
    /// Until memory is full at this rate.
    seconds_to_full: Option<f64>,
}

impl Meter {
    pub(crate) fn new(form: ProgressForm, is_ascii: bool) -> Self {
        Self {
            form,
            is_terminal: io::stderr().is_terminal(),
            is_ascii,
            start: Instant::now(),
            last: None,
            drawn: 0,
            is_finished: false,
            memory_limit: None,
            subject: None,
            stage: String::new(),
            seen: VecDeque::new(),
        }
    }

    /// Whether arrows are words.
    pub(crate) fn in_ascii(&mut self, is_ascii: bool) {
        self.is_ascii = is_ascii;
    }

    /// Searches may use so much memory.
    pub(crate) fn limit_memory(&mut self, bytes: Option<u64>) {
        self.memory_limit = bytes;
    }

    /// What follows is about one of several.
    pub(crate) fn begin(&mut self, name: &str, number: usize, of: usize) {
        self.subject = Some((name.to_owned(), number, of));
        self.is_finished = false;
        self.stage("");
    }

    /// What follows is a search of another kind, or of something else.
    pub(crate) fn stage(&mut self, name: &str) {
        if self.stage != name {
            name.clone_into(&mut self.stage);
            self.seen.clear();
        }
    }

    /// Whether it is time to show something.
    fn is_due(&mut self) -> Option<Duration> {
        let (shows, patience) = match self.form {
            ProgressForm::Never => (false, PATIENCE),
            ProgressForm::Auto => (self.is_terminal, PATIENCE),
            ProgressForm::Always => (true, PATIENCE),
            ProgressForm::Json => (true, Duration::ZERO),
        };
        let often = self.is_terminal || self.form == ProgressForm::Json;
        let tick = if often { TICK } else { PIPE_TICK };
        let elapsed = self.start.elapsed();
        let late = self.last.is_none_or(|last| elapsed - last >= tick);
        let is_due = shows && !self.is_finished && elapsed >= patience && late;
        is_due.then(|| {
            self.last = Some(elapsed);
            elapsed
        })
    }

    /// A search is so far.
    pub(crate) fn search(&mut self, progress: &Progress) {
        let Some(elapsed) = self.is_due() else { return };
        let elapsed = elapsed.as_secs_f64();
        let pace = self.pace(progress, elapsed);
        match self.form {
            ProgressForm::Json => self.emit(&self.search_event(progress, elapsed, pace)),
            _ => {
                let text = self.line(progress, elapsed, pace);
                self.draw(&text);
            }
        }
    }

    /// So many tests of so many are done, and so many of them failed.
    pub(crate) fn tests(&mut self, done: usize, of: usize, failed: usize) {
        if self.is_due().is_none() {
            return;
        }
        match self.form {
            ProgressForm::Json => {
                self.emit(&TestsEvent { schema: 1, event: "tests", done, of, failed });
            }
            _ => {
                let text = format!("{}  {failed} failed", bar(done, of));
                self.draw(&text);
            }
        }
    }

    /// Wipes the line, and the `^C` behind it if somebody typed one, before results are printed.
    pub(crate) fn finish(&mut self, is_interrupted: bool) {
        self.is_finished = true;
        let is_echoed = self.is_terminal && is_interrupted;
        let columns = self.drawn + if is_echoed { ECHO } else { 0 };
        if columns > 0 {
            let _ = write!(io::stderr(), "\r{}\r", " ".repeat(columns));
            self.drawn = 0;
        }
    }

    /// What the last seconds say. A search that begins again forgets what was before.
    fn pace(&mut self, now: &Progress, elapsed: f64) -> Pace {
        if self.seen.back().is_some_and(|(_, last)| last.states > now.states) {
            self.seen.clear();
        }
        while self.seen.len() > 1 && elapsed - self.seen[1].0 >= WINDOW.as_secs_f64() {
            self.seen.pop_front();
        }
        self.seen.push_back((elapsed, *now));
        let (since, before) = self.seen[0];
        let seconds = elapsed - since;
        // Of a search that was just met nothing is known but the whole.
        let (states, seconds) = match seconds > 0.0 {
            true => (now.states - before.states, seconds),
            false => (now.states, elapsed),
        };
        let rate = states as f64 / seconds.max(1e-9);
        let margin = (before.waiting / STEADY).max(STEADY_STATES);
        let trend = match (before.waiting, now.waiting) {
            (before, now) if now > before + margin => Trend::Growing,
            (before, now) if now + margin < before => Trend::Shrinking,
            _ => Trend::Steady,
        };
        let bytes_per_second = rate * now.bytes as f64 / now.states.max(1) as f64;
        let room = self.memory_limit.map(|limit| limit.saturating_sub(now.bytes));
        let left = room.map(|room| room as f64 / bytes_per_second.max(1e-9));
        let seconds_to_full = left.filter(|left| seconds >= SETTLED && *left < DAY);
        Pace { states_per_second: rate as u64, trend, seconds_to_full }
    }

    fn line(&self, progress: &Progress, seconds: f64, pace: Pace) -> String {
        let memory = match self.memory_limit {
            Some(limit) => format!("{}/{}", megabytes(progress.bytes), megabytes(limit)),
            None => megabytes(progress.bytes),
        };
        let full = pace.seconds_to_full.map(|left| format!(", full in {}", span(left)));
        let subject = self.subject.iter().filter(|(_, _, of)| *of > 1).map(|(name, number, of)| {
            format!("{} {}  ", bar(number - 1, *of), report::plain(name))
        });
        let stage = if self.stage.is_empty() { String::new() } else { format!("{}  ", self.stage) };
        format!(
            "{}{seconds:.1} s  {stage}{} states  {} trans  {}/s  depth {}  waiting {} {}  mem \
             {memory}{}  errors {}",
            subject.collect::<String>(),
            short(progress.states),
            short(progress.states + progress.matched),
            short(pace.states_per_second),
            short(progress.depth),
            short(progress.waiting),
            self.arrow(pace.trend),
            full.unwrap_or_default(),
            progress.errors
        ) + &progress.cache.map_or_else(String::new, |cache| cached(progress, &cache))
    }

    fn arrow(&self, trend: Trend) -> &'static str {
        match (trend, self.is_ascii) {
            (Trend::Growing, false) => "↑",
            (Trend::Shrinking, false) => "↓",
            (Trend::Steady, false) => "→",
            (Trend::Growing, true) => "(growing)",
            (Trend::Shrinking, true) => "(shrinking)",
            (Trend::Steady, true) => "(steady)",
        }
    }

    /// A longer line than the terminal is wide could not be rewritten.
    fn draw(&mut self, text: &str) {
        let mut stderr = io::stderr();
        if !self.is_terminal {
            let _ = writeln!(stderr, "{text}");
            return;
        }
        let size = terminal_size::terminal_size_of(&stderr);
        let room = size.map_or(usize::MAX, |(width, _)| usize::from(width.0)).saturating_sub(1);
        let mut text: String = text.to_owned();
        while report::width(&text) > room {
            text.pop();
        }
        let columns = report::width(&text);
        let blanks = " ".repeat(self.drawn.saturating_sub(columns));
        let _ = write!(stderr, "\r{text}{blanks}");
        self.drawn = columns;
    }

    fn emit(&self, event: &impl Serialize) {
        let _ = writeln!(io::stderr(), "{}", report::json_of(event));
    }

    fn search_event(&self, progress: &Progress, seconds: f64, pace: Pace) -> SearchEvent<'_> {
        let subject = self.subject.as_ref();
        SearchEvent {
            schema: 1,
            event: "search",
            model: subject.map_or("", |(name, ..)| name),
            number: subject.map_or(1, |(_, number, _)| *number),
            of: subject.map_or(1, |(_, _, of)| *of),
            stage: &self.stage,
            seconds,
            states: progress.states,
            transitions: progress.states + progress.matched,
            states_per_second: pace.states_per_second,
            depth: progress.depth,
            waiting: progress.waiting,
            waiting_trend: pace.trend,
            bytes: progress.bytes,
            bytes_max: self.memory_limit,
            seconds_to_full: pace.seconds_to_full,
            errors: progress.errors,
        }
    }
}

/// A line of `--progress json`.
#[derive(Serialize)]
struct SearchEvent<'a> {
    schema: u32,
    event: &'static str,
    model: &'a str,
    number: usize,
    of: usize,
    stage: &'a str,
    seconds: f64,
    states: u64,
    transitions: u64,
    states_per_second: u64,
    depth: u64,
    waiting: u64,
    waiting_trend: Trend,
    bytes: u64,
    bytes_max: Option<u64>,
    seconds_to_full: Option<f64>,
    errors: u64,
}

/// The same of tests.
#[derive(Serialize)]
struct TestsEvent {
    schema: u32,
    event: &'static str,
    done: usize,
    of: usize,
    failed: usize,
}

/// `[=====>     ] 12/40`.
fn bar(done: usize, of: usize) -> String {
    let full = BAR * done / of.max(1);
    let head = if full < BAR { ">" } else { "" };
    let rest = " ".repeat(BAR.saturating_sub(full + head.len()));
    format!("[{}{head}{rest}] {done}/{of}", "=".repeat(full))
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

/// A time to come, about.
fn span(seconds: f64) -> String {
    match seconds {
        0.0..120.0 => format!("{seconds:.0} s"),
        120.0..7200.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.0} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meter() -> Meter {
        let mut meter = Meter::new(ProgressForm::Always, false);
        meter.limit_memory(Some(2_000_000_000));
        meter
    }

    fn progress(states: u64, waiting: u64) -> Progress {
        Progress {
            states,
            matched: 8_000,
            depth: 70,
            waiting,
            bytes: states * 250,
            errors: 1,
            cache: None,
        }
    }

    /// Rate, trend and time left are those of the last seconds, not of the whole run.
    #[test]
    fn the_line_of_a_search() {
        let mut meter = meter();
        meter.stage("breadth first");
        meter.pace(&progress(2_000, 500), 1.0);
        let early = meter.pace(&progress(4_000, 500), 2.0);
        assert_eq!((early.seconds_to_full, early.trend), (None, Trend::Steady));
        let now = progress(12_000, 900);
        let pace = meter.pace(&now, 6.0);
        let start = "6.0 s  breadth first  12k states  20k trans  2000/s  depth 70  waiting 900 ↑";
        let text = meter.line(&now, 6.0, pace);
        assert_eq!(text, format!("{start}  mem 3 MB/2.0 GB, full in 67 min  errors 1"));
        for (second, waiting) in (7..30).zip((0..900).rev().step_by(20)) {
            meter.pace(&progress(12_000 + 100 * second, waiting), second as f64);
        }
        let pace = meter.pace(&progress(15_000, 100), 30.0);
        assert_eq!(pace.trend, Trend::Shrinking);
        assert!((90..120).contains(&pace.states_per_second), "{pace:?}");
        assert!(meter.seen.len() < 14, "{}", meter.seen.len());
    }

    /// Another stage counts from its own start.
    #[test]
    fn a_stage_is_measured_alone() {
        let mut meter = meter();
        meter.stage("probe");
        meter.pace(&progress(900_000, 10), 8.0);
        meter.stage("breadth first");
        meter.pace(&progress(1_000, 10), 9.0);
        let pace = meter.pace(&progress(2_000, 10), 10.0);
        assert_eq!((pace.states_per_second, pace.trend), (1_000, Trend::Steady));
        meter.pace(&progress(500, 10), 11.0);
        assert_eq!(meter.pace(&progress(700, 10), 12.0).states_per_second, 200);
    }

    /// Whoever nobody waits for any longer draws nothing between results.
    #[test]
    fn after_its_end_nothing_is_shown() {
        let mut meter = Meter::new(ProgressForm::Json, false);
        meter.finish(false);
        assert_eq!(meter.is_due(), None);
        meter.begin("next", 2, 2);
        assert!(meter.is_due().is_some());
    }

    #[test]
    fn a_bar_has_an_end() {
        assert_eq!(bar(0, 40), format!("[>{}] 0/40", " ".repeat(19)));
        assert_eq!(bar(20, 40), format!("[{}>{}] 20/40", "=".repeat(10), " ".repeat(9)));
        assert_eq!(bar(40, 40), format!("[{}] 40/40", "=".repeat(20)));
        assert_eq!(bar(0, 0), format!("[>{}] 0/0", " ".repeat(19)));
    }

    /// Stack against cache, the share matched, how many are created again for each new one.
    #[test]
    fn the_line_of_a_cache() {
        let cache =
            CacheFigures { slots: 500, pinned: 246, recreated: 8_000, ..Default::default() };
        let figures = Progress { states: 12_000, matched: 4_000, ..Default::default() };
        let end = "  stack 246/500  matched 25 %  again 2.0/new";
        assert_eq!(cached(&figures, &cache), end);
        let cache = CacheFigures { explodes: true, ..cache };
        let end = format!("{end}  CACHE TOO SMALL: almost all is done again");
        assert_eq!(cached(&figures, &cache), end);
    }
}
