//! Which state a full cache should forget (1987): how often states are visited again, and how
//! the strategies compare.

use crate::cache::{Cached, Ended, cached};
use crate::findings::{Compared, Findings, Table};
use crate::lab::{Lab, NotRun, Text};
use crate::models;
use crate::sleep::bare;
use pipeline::{Options, Reduce, Replace, Search};
use report::{Axis, Plot, Series, thousands};

/// More than any of these models has.
const EVERYTHING: u64 = 4_000_000;

/// A protocol to measure on.
struct Subject {
    name: &'static str,
    text: String,
    file: &'static str,
    options: Options,
}

impl Subject {
    fn text(&self) -> Text<'_> {
        Text { name: self.file, text: &self.text }
    }
}

/// The data switch with one text and one slot per channel: 16,178 states.
fn small_switch() -> Subject {
    let options = Options { capacity: Some(1), ..depth_first() };
    let (text, file) = (models::data_switch(1), models::DATA_SWITCH.name);
    Subject { name: "data switch", text, file, options }
}

/// The mutual exclusion of three nodes: 41,372 states.
fn mulog3() -> Subject {
    let (text, file) = (models::MULOG3.text.to_owned(), models::MULOG3.name);
    Subject { name: "MULOG3", text, file, options: bare(Reduce::None) }
}

/// A window over a line that loses: 4,691 states.
fn sliding_window() -> Subject {
    let (text, file) = (models::SLIDING_WINDOW.text.to_owned(), models::SLIDING_WINDOW.name);
    let options = Options { capacity: Some(2), ..depth_first() };
    Subject { name: "sliding window", text, file, options }
}

fn depth_first() -> Options {
    let search = Search::Dfs;
    Options { search, all_errors: true, shorten_budget: 0, ..Options::default() }
}

/// E13.
pub(crate) fn revisits(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let subjects = [small_switch(), mulog3(), sliding_window()];
    let mut table = Table::new("model visits states visited_again");
    let mut compared = Vec::new();
    let mut series = Vec::new();
    for subject in &subjects {
        let options =
            Options { cache: Some(EVERYTHING), revisits: true, ..subject.options.clone() };
        let run = lab.check(subject.text(), &options)?;
        let again = run.stats().cache.as_ref().map_or(Vec::new(), |cache| cache.revisits.clone());
        let reached = reached(run.stats().states, &again);
        for (visits, share) in again.iter().enumerate() {
            let times = reached[visits] - reached[visits + 1];
            table.row(&[&subject.name, &(visits + 1), &times, share]);
        }
        let exactly = reached.windows(2).enumerate();
        let points = exactly.map(|(at, pair)| (at as f64 + 1.0, (pair[0] - pair[1]) as f64));
        series.push(Series::line(subject.name, points.collect()));
        compared.extend(seldom(subject.name, run.stats().states, &reached, &again));
    }
    let plot = Plot::new(
        "E13  How often a state is visited",
        "States by the number of visits, everything stored (figure 1 of 1987). How likely a \
         further visit is after so many stands in the table (figure 2).",
        [Axis::linear("visits"), Axis::log("states")],
        series,
    );
    let notes = vec![
        "the paper names no protocols and gives no numbers; these are two stand-ins and an example"
            .to_owned(),
    ];
    Ok(Findings { table, plot: Some(plot), compared, notes, exhibit: None })
}

/// How many states were visited once at least, twice, ...: the shares multiplied up.
fn reached(states: u64, again: &[f64]) -> Vec<u64> {
    let mut all = vec![states];
    for share in again {
        let last = all[all.len() - 1] as f64;
        all.push((last * share).round() as u64);
    }
    all
}

/// Few states are met often; what that says of the next visit.
fn seldom(name: &str, states: u64, reached: &[u64], again: &[f64]) -> [Compared; 2] {
    let thrice = reached.get(2).copied().unwrap_or(0) as f64 / states as f64;
    let often = format!("{:.0} % of the states", thrice * 100.0);
    let few = thrice < 1.0 / 3.0;
    let because =
        if few { "few" } else { "more than a third of them; the reason was not investigated" };
    let early: Vec<String> = again.iter().take(5).map(|share| format!("{share:.2}")).collect();
    let falls = again.len() > 2 && again[1..].iter().all(|share| *share < again[0]);
    [
        Compared::shape(
            &format!("{name}: visited more than twice"),
            ("relatively few", often),
            few,
            because,
        ),
        Compared::shape(
            &format!("{name}: visited again after 1, 2, ... visits"),
            ("less and less likely (2a), or all the same (2b)", early.join(", ")),
            falls,
            "as in figure 2a",
        ),
    ]
}

const STRATEGIES: [(&str, Replace, bool); 8] = [
    ("a most", Replace::Most, true),
    ("b least", Replace::Least, true),
    ("c class", Replace::Class, false),
    ("d blind", Replace::RoundRobin, false),
    ("e subtree", Replace::Subtree, false),
    ("f random", Replace::Random, false),
    ("g avoid 1", Replace::Avoid1, false),
    ("h type", Replace::Type, false),
];

/// What became of each strategy in one setting.
struct Setting {
    name: String,
    states: u64,
    transitions: u64,
    found: Vec<Cached>,
}

impl Setting {
    /// Work done twice, in percent of the work.
    fn double(&self, at: usize) -> f64 {
        100.0 * (self.found[at].transitions as f64 / self.transitions as f64 - 1.0)
    }
}

/// E14.
pub(crate) fn strategies(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let mut subjects = vec![small_switch()];
    if lab.is_full() {
        subjects.push(sliding_window());
    }
    // The paper's protocol took a hundred times the work: less shows an explosion as well.
    let times = if lab.is_full() { 8 } else { 3 };
    let mut settings = Vec::new();
    for subject in &subjects {
        let whole = lab.check(
            subject.text(),
            &Options { cache: Some(EVERYTHING), ..subject.options.clone() },
        )?;
        let (states, transitions) = (whole.stats().states, whole.stats().transitions);
        for percent in [22, 74, 37] {
            let size = states * percent / 100;
            let mut found = Vec::new();
            for (_, replace, scans) in STRATEGIES {
                let scan = if scans { u32::MAX } else { pipeline::SCAN };
                let options = Options { replace, scan, ..subject.options.clone() };
                found.push(cached(lab, subject.text(), &options, (size, transitions * times))?);
            }
            let name = format!("{}, {percent} %", subject.name);
            settings.push(Setting { name, states, transitions, found });
        }
    }
    let drawn: Vec<&Setting> = settings.iter().take(3).collect();
    let series = drawn.iter().map(|setting| {
        let shares = (0..STRATEGIES.len()).map(|at| (at as f64, setting.double(at).max(0.1)));
        Series::bars(&setting.name, shares.collect())
    });
    let plot = Plot::new(
        "E14  Which state to replace: eight strategies",
        format!(
            "Data switch (a stand-in) with {} states and the papers' sizes of the cache: repeated work, in percent. The longest bars were stopped at {times} times the work.",
            thousands(settings[0].states)
        ),
        [Axis::names("strategy", &STRATEGIES.map(|row| row.0)), Axis::log("double work (%)")],
        series.collect(),
    );
    let notes = vec![
        models::DATA_SWITCH_IS_OURS.to_owned(),
        "a and b scan the whole cache, as in 1987; h scans 20 states".to_owned(),
    ];
    Ok(Findings {
        table: table(&settings),
        plot: Some(plot),
        compared: compared(&settings),
        notes,
        exhibit: None,
    })
}

fn table(settings: &[Setting]) -> Table {
    let mut table = Table::new(
        "setting strategy cache created again transitions double_work_percent seconds ended",
    );
    for setting in settings {
        for (at, point) in setting.found.iter().enumerate() {
            let Cached { size, states, recreated, transitions, seconds, ended, .. } = point;
            let (double, ended) = (setting.double(at), ended.word());
            table.row(&[
                &setting.name,
                &STRATEGIES[at].0,
                size,
                states,
                recreated,
                transitions,
                &double,
                seconds,
                &ended,
            ]);
        }
    }
    table
}

fn compared(settings: &[Setting]) -> Vec<Compared> {
    let mut compared = Vec::new();
    let (small, large) = (&settings[0], &settings[1]);
    for (setting, paper, place) in
        [(large, "25 % cut: negligible penalty", 74), (small, "80 % cut: negligible penalty", 22)]
    {
        let best = (0..STRATEGIES.len())
            .filter(|at| setting.found[*at].ended == Ended::Complete)
            .min_by(|a, b| setting.double(*a).total_cmp(&setting.double(*b)));
        let ours = best.map_or("all too small".to_owned(), |at| {
            format!(
                "best {}: {:.0} % more; blind {:.0} % more",
                STRATEGIES[at].0,
                setting.double(at),
                setting.double(3)
            )
        });
        let fine = best.is_some_and(|at| setting.double(at) < 25.0);
        let because = if fine {
            "with the best strategy"
        } else {
            "the tree of this model needs more than a fifth of its states; the paper says that it depends on the protocol"
        };
        compared.push(Compared::shape(
            &format!("cache of {place} %"),
            (paper, ours),
            fine,
            because,
        ));
    }
    let third = &settings[2];
    let blind = third.found[3].transitions as f64 / third.transitions as f64;
    let stopped = third.found[3].ended != Ended::Complete;
    let ours = format!("blind: {}{blind:.0} times", if stopped { "> " } else { "" });
    compared.push(Compared::shape(
        "cache of 37 %",
        ("more than 100 times", ours),
        stopped || blind > 5.0,
        "an explosion in both",
    ));
    compared.push(speed(large));
    compared
}

/// Seconds for each state created, where scans show.
fn speed(setting: &Setting) -> Compared {
    let each = |at: usize| 1e6 * setting.found[at].seconds / setting.found[at].states.max(1) as f64;
    let ours = format!("{:.1} us a state scanning (a), {:.1} blind (d)", each(0), each(3));
    Compared::shape(
        "scanning the cache",
        ("88 % of the run time in (a); (d) the fastest", ours),
        each(3) < each(0),
        "a scan for every replaced state costs more than the search itself",
    )
}
