//! Which state a full cache should forget (1987): how often states are visited again, and how
//! the strategies compare.

use crate::cache::{Cached, EVERYTHING, Ended, cached};
use crate::findings::{Compared, Findings, Table};
use crate::lab::{Lab, NotRun, Text};
use crate::models;
use crate::restricted::{LOTS, Scatter};
use crate::sleep::bare;
use pipeline::{Options, Reduce, Replace, Search};
use report::{Axis, Plot, Rule, Series, thousands};
use search::CacheRequest;
use system::LastStatement;

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

/// The mutual exclusion of three nodes: 106,791 states.
fn mulog3() -> Subject {
    let (text, file) = (models::MULOG3.text.to_owned(), models::MULOG3.name);
    Subject { name: "MULOG3, sleep sets", text, file, options: bare(Reduce::Sleep) }
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

/// States by visits, and the share that is visited again after so many.
struct Visits {
    name: String,
    states: u64,
    again: Vec<f64>,
}

/// E13.
pub(crate) fn revisits(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let mut all = Vec::new();
    for slots in [1, 2] {
        let (found, figures) = Scatter { slots, lots: LOTS }.whole(lab, EVERYTHING)?;
        let revisits = figures.and_then(|figures| figures.revisits);
        let again = revisits.map_or(Vec::new(), |revisits| shares(&revisits.reached));
        let name =
            format!("data switch, scatter, {slots} slot{}", if slots == 1 { "" } else { "s" });
        all.push(Visits { name, states: found.states, again });
    }
    for subject in &[mulog3(), sliding_window()] {
        let options =
            Options { cache: Some(EVERYTHING), revisits: true, ..subject.options.clone() };
        let run = lab.check(subject.text(), &options)?;
        let again = run.stats().cache.as_ref().map_or(Vec::new(), |cache| cache.revisits.clone());
        all.push(Visits { name: subject.name.to_owned(), states: run.stats().states, again });
    }
    let mut table = Table::new("model visits states visited_again");
    let mut compared = Vec::new();
    for visits in &all {
        let reached = reached(visits.states, &visits.again);
        for (count, share) in visits.again.iter().enumerate() {
            table.row(&[&visits.name, &(count + 1), &(reached[count] - reached[count + 1]), share]);
        }
        compared.push(seldom(visits, &reached));
    }
    compared.extend(likely(&all));
    let notes = vec![
        "the paper names no protocols and gives no numbers; these are stand-ins and an example"
            .to_owned(),
    ];
    Ok(Findings { table, plots: visit_plots(&all), compared, notes, exhibit: None })
}

/// Shares of the states visited n times that are visited once more.
fn shares(reached: &[u64]) -> Vec<f64> {
    let pairs = reached.windows(2).take_while(|pair| pair[0] > 0);
    pairs.map(|pair| pair[1] as f64 / pair[0] as f64).collect()
}

/// Figures 1 and 2.
fn visit_plots(all: &[Visits]) -> Vec<Plot> {
    let lines = |points: fn(&Visits) -> Vec<(f64, f64)>| -> Vec<Series> {
        all.iter().map(|visits| Series::line(&visits.name, points(visits))).collect()
    };
    let how_often = lines(|visits| {
        let reached = reached(visits.states, &visits.again);
        let exactly = reached.windows(2).enumerate();
        exactly.map(|(at, pair)| (at as f64 + 1.0, (pair[0] - pair[1]) as f64)).collect()
    });
    let how_likely = lines(|visits| {
        visits.again.iter().enumerate().map(|(at, share)| (at as f64 + 1.0, *share)).collect()
    });
    vec![
        Plot::new(
            "E13  How often a state is visited (1987, figure 1)",
            "States by the number of visits, everything stored.",
            [Axis::linear("visits"), Axis::log("states")],
            how_often,
        ),
        Plot::new(
            "E13  How likely a further visit is (1987, figure 2)",
            "Share of the states with so many visits that are visited again.",
            [Axis::linear("visits before"), Axis::linear("share visited again")],
            how_likely,
        ),
    ]
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

/// Few states are met often. 1995 says more of searches with sleep sets.
fn seldom(visits: &Visits, reached: &[u64]) -> Compared {
    let at_least =
        |count: usize| reached.get(count).copied().unwrap_or(0) as f64 / visits.states as f64;
    let (name, twice, thrice) = (&visits.name, at_least(1), at_least(2));
    if name.ends_with("sleep sets") {
        let ours = format!("{:.0} % of the states", 100.0 * (1.0 - twice));
        let what = format!("{name}: visited only once");
        let because = "1995; with sleep sets most states are";
        return Compared::shape(&what, ("most", ours), twice < 0.5, because);
    }
    let ours = format!("{:.0} % of the states", thrice * 100.0);
    let what = format!("{name}: visited more than twice");
    let both = ("relatively few", ours);
    Compared::shape(&what, both, thrice < 1.0 / 3.0, "fewer than a third")
}

/// The two protocols of figure 2: one whose states are less and less likely to be visited again,
/// one where past visits say little.
fn likely(all: &[Visits]) -> Vec<Compared> {
    let early = |visits: &Visits| {
        let shares: Vec<String> =
            visits.again.iter().take(5).map(|share| format!("{share:.2}")).collect();
        shares.join(", ")
    };
    let falls = |visits: &&Visits| {
        visits.again.len() > 2 && visits.again[1..].iter().all(|share| *share < visits.again[0])
    };
    let level = |visits: &&Visits| {
        let later = visits.again.iter().skip(1).take(4);
        let (low, high) = later.fold((f64::INFINITY, 0.0f64), |(low, high), share| {
            (low.min(*share), high.max(*share))
        });
        high <= 2.0 * low
    };
    let ours = |found: Option<&Visits>| {
        found.map_or("none".to_owned(), |visits| format!("{}: {}", visits.name, early(visits)))
    };
    let (first, second) = (all.iter().find(falls), all.iter().find(level));
    vec![
        Compared::shape(
            "visited again after 1, 2, ... visits, figure 2a",
            ("less and less likely", ours(first)),
            first.is_some(),
            "most likely after the first visit",
        ),
        Compared::shape(
            "the same, figure 2b",
            ("largely independent of the visits before", ours(second)),
            second.is_some(),
            "within a factor of two after 2 to 5 visits; after the first one less",
        ),
    ]
}

const STRATEGIES: [(&str, Replace, u32); 8] = [
    ("a most", Replace::Most, u32::MAX),
    ("b least", Replace::Least, u32::MAX),
    ("c class", Replace::Class, pipeline::SCAN),
    ("d blind", Replace::RoundRobin, pipeline::SCAN),
    ("e subtree", Replace::Subtree, pipeline::SCAN),
    ("f random", Replace::Random, pipeline::SCAN),
    ("g avoid 1", Replace::Avoid1, pipeline::SCAN),
    ("h type", Replace::Type, pipeline::SCAN),
];

/// The same strategy as a search names it.
fn searched(replace: Replace) -> search::Replace {
    match replace {
        Replace::Most => search::Replace::Most,
        Replace::Least => search::Replace::Least,
        Replace::Class => search::Replace::Class,
        Replace::RoundRobin => search::Replace::RoundRobin,
        Replace::Subtree => search::Replace::Subtree,
        Replace::Random => search::Replace::Random,
        Replace::Type => search::Replace::Type,
        Replace::Avoid1 => search::Replace::Avoid(LastStatement::Jump),
        Replace::Avoid2 => search::Replace::Avoid(LastStatement::Receive),
        Replace::Avoid3 => search::Replace::Avoid(LastStatement::Send),
        Replace::Avoid4 => search::Replace::Avoid(LastStatement::Assign),
    }
}

/// What became of each strategy in one setting.
struct Setting {
    name: String,
    transitions: u64,
    found: Vec<Cached>,
}

impl Setting {
    /// Transitions, as a multiple of those with everything stored.
    fn times(&self, at: usize) -> f64 {
        self.found[at].transitions as f64 / self.transitions as f64
    }

    /// Work done twice, in percent of the work.
    fn double(&self, at: usize) -> f64 {
        100.0 * (self.times(at) - 1.0)
    }
}

/// The first test of figure 3: the scatter search, with 22 % of its states.
fn scattered(lab: &mut Lab<'_>, most: u64) -> Result<Setting, NotRun> {
    let scatter = Scatter { slots: 1, lots: LOTS };
    let (whole, _) = scatter.whole(lab, EVERYTHING)?;
    let states_max = Some(whole.states * 22 / 100);
    let mut found = Vec::new();
    for (_, replace, scan) in STRATEGIES {
        let request = CacheRequest { states_max, scan, ..CacheRequest::default() };
        let cache = CacheRequest { replace: searched(replace), ..request };
        found.push(scatter.search(lab, cache, whole.transitions * most)?.0);
    }
    let name = format!("scatter, {} states, 22 %", thousands(whole.states));
    Ok(Setting { name, transitions: whole.transitions, found })
}

/// The second one: another protocol, of which nothing is known but its size; searched completely.
fn complete(lab: &mut Lab<'_>, most: u64) -> Result<Vec<Setting>, NotRun> {
    let options = Options { capacity: Some(1), ..depth_first() };
    let text = models::data_switch(1);
    let text = Text { name: models::DATA_SWITCH.name, text: &text };
    let everything = Options { cache: Some(EVERYTHING), ..options.clone() };
    let whole = lab.check(text, &everything)?;
    let (states, transitions) = (whole.stats().states, whole.stats().transitions);
    let mut settings = Vec::new();
    for percent in [74, 37] {
        let mut found = Vec::new();
        for (_, replace, scan) in STRATEGIES {
            let options = Options { replace, scan, ..options.clone() };
            let within = (states * percent / 100, transitions * most);
            found.push(cached(lab, text, &options, within)?);
        }
        let name = format!("exhaustive, {} states, {percent} %", thousands(states));
        settings.push(Setting { name, transitions, found });
    }
    Ok(settings)
}

/// E14.
pub(crate) fn strategies(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    // The paper's protocol took a hundred times the work: less shows an explosion as well.
    let most = if lab.is_full() { 8 } else { 3 };
    let mut settings = vec![scattered(lab, most)?];
    settings.extend(complete(lab, most)?);
    let notes = vec![
        models::DATA_SWITCH_IS_OURS.to_owned(),
        "a and b scan the whole cache, as in 1987; h scans 20 states".to_owned(),
    ];
    Ok(Findings {
        table: table(&settings),
        plots: vec![strategies_plot(&settings, most)],
        compared: compared(&settings),
        notes,
        exhibit: None,
    })
}

fn strategies_plot(settings: &[Setting], most: u64) -> Plot {
    let series = settings.iter().map(|setting| {
        let bars = (0..STRATEGIES.len()).map(|at| (at as f64, setting.times(at)));
        Series::bars(&setting.name, bars.collect())
    });
    let label = "1987: 37 %, more than 100 times".to_owned();
    Plot {
        rules: vec![Rule { label, upright: false, at: 100.0 }],
        ..Plot::new(
            "E14  Which state to replace: eight strategies",
            format!(
                "Data switch (a stand-in; 4,523 and 8,139 states in 1987), with the paper's sizes of \
                 the cache. Stopped at {most} times the work."
            ),
            [
                Axis::names("strategy", &STRATEGIES.map(|row| row.0)),
                Axis::log("times the transitions"),
            ],
            series.collect(),
        )
    }
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
            "a scatter search, as in the paper; but a penalty that is not negligible"
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
    let ours = format!("blind: {}{blind:.1} times", if stopped { "> " } else { "" });
    compared.push(Compared::shape(
        "cache of 37 %",
        ("more than 100 times", ours),
        stopped || blind > 5.0,
        "what a third of the states costs depends on the tree, says the paper",
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
