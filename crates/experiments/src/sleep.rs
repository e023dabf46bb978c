//! Tables 1 and 2 of 1995: depth-first search with and without sleep sets.

use crate::findings::{Compared, Findings, Table, seconds};
use crate::lab::{Lab, NotRun, Text};
use crate::models;
use pipeline::{Options, Reduce, Search};
use report::{Axis, Plot, Series, thousands};

/// A search of everything and nothing else, in SPIN's order: what the paper's prototype
/// did.
pub(crate) fn bare(reduce: Reduce) -> Options {
    Options {
        search: Search::Dfs,
        reduce,
        no_minimise: true,
        no_merge: true,
        no_dead_reset: true,
        no_hide: true,
        ..Options::default()
    }
}

/// States, matched, transitions, depth.
type Figures = [u64; 4];

/// A protocol of the paper with its rows of both tables.
struct Row {
    name: &'static str,
    plain: Figures,
    asleep: Figures,
    /// The paper's seconds.
    seconds: [f64; 2],
    /// How our text relates to the paper's.
    provenance: Provenance,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Provenance {
    Same,
    Later,
    StandIn,
}

static ROWS: [Row; 4] = [
    Row {
        name: "PFTP",
        plain: [409_257, 771_265, 1_180_522, 5_044],
        asleep: [409_257, 183_638, 592_895, 4_786],
        seconds: [219.4, 505.4],
        provenance: Provenance::Later,
    },
    Row {
        name: "URP",
        plain: [15_378, 27_709, 43_087, 202],
        asleep: [15_378, 1_884, 17_262, 202],
        seconds: [6.9, 13.8],
        provenance: Provenance::StandIn,
    },
    Row {
        name: "MULOG3",
        plain: [100_195, 254_183, 354_378, 119],
        asleep: [100_195, 3_736, 103_931, 119],
        seconds: [35.2, 80.8],
        provenance: Provenance::StandIn,
    },
    Row {
        name: "DTP",
        plain: [251_409, 397_058, 648_467, 545],
        asleep: [251_409, 11_152, 262_561, 545],
        seconds: [97.8, 206.4],
        provenance: Provenance::Same,
    },
];

/// The rows that are measured: the first one takes as long as the others together.
fn rows(lab: &Lab<'_>) -> &'static [Row] {
    if lab.is_full() { &ROWS } else { &ROWS[1..] }
}

/// Ours, by both algorithms.
#[derive(Clone, Debug)]
pub(crate) struct Ours {
    plain: Figures,
    asleep: Figures,
    seconds: [f64; 2],
}

/// Measures, or gives what was measured before: two experiments show the same searches.
fn measured(lab: &mut Lab<'_>) -> Result<Vec<Ours>, NotRun> {
    if let Some(all) = &lab.sleep {
        return Ok(all.clone());
    }
    let mut all = Vec::new();
    for row in rows(lab) {
        let text = &match row.name {
            "PFTP" => lab.package(models::PFTP)?,
            "DTP" => lab.package(models::DTP)?,
            "URP" => models::URP.text.to_owned(),
            _ => models::MULOG3.text.to_owned(),
        };
        let name = format!("{}.pml", row.name);
        let text = Text { name: &name, text };
        let (plain, first) = figures(lab, text, Reduce::None)?;
        let (asleep, second) = figures(lab, text, Reduce::Sleep)?;
        all.push(Ours { plain, asleep, seconds: [first, second] });
    }
    lab.sleep = Some(all.clone());
    Ok(all)
}

fn figures(lab: &mut Lab<'_>, text: Text<'_>, reduce: Reduce) -> Result<(Figures, f64), NotRun> {
    let run = lab.check(text, &bare(reduce))?;
    let stats = run.stats();
    let figures = [stats.states, stats.matched, stats.transitions, stats.depth];
    Ok((figures, stats.seconds.search))
}

fn text(figures: Figures) -> String {
    figures.map(thousands).join(" / ")
}

/// What there is to say of a row that is not the paper's model.
fn provenance(row: &Row) -> &'static str {
    match row.provenance {
        Provenance::Same => "",
        Provenance::Later => "the SPIN package has a later version of the model",
        Provenance::StandIn => {
            "a stand-in written from the protocol; the paper's model was not published"
        }
    }
}

fn note() -> String {
    "states / matched / transitions / depth; URP and MULOG3 are stand-ins (examples/urp.pml, \
     examples/mulog3.pml), PFTP and DTP come with the SPIN package"
        .to_owned()
}

fn rows_table(rows: &[Row], ours: &[Ours], which: usize) -> Table {
    let mut table = Table::new("protocol of states matched transitions depth seconds");
    for (row, ours) in rows.iter().zip(ours) {
        let (paper, figures) = [(row.plain, ours.plain), (row.asleep, ours.asleep)][which];
        let times = [row.seconds[which], ours.seconds[which]];
        for (of, [states, matched, transitions, depth], time) in
            [("paper", paper, times[0]), ("ours", figures, times[1])]
        {
            table.row(&[&row.name, &of, &states, &matched, &transitions, &depth, &time]);
        }
    }
    table
}

/// E17.
pub(crate) fn without(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let (rows, ours) = (rows(lab), measured(lab)?);
    let mut compared = Vec::new();
    for (row, ours) in rows.iter().zip(&ours) {
        let (paper, found) = (text(row.plain), text(ours.plain));
        compared.push(match row.provenance {
            Provenance::Same => Compared::exact(row.name, paper, found),
            _ => {
                let apart = ours.plain[0] as f64 / row.plain[0] as f64 - 1.0;
                Compared::shape(row.name, (paper, found), apart.abs() < 0.1, provenance(row))
            }
        });
    }
    let times: Vec<String> = ours.iter().map(|ours| seconds(ours.seconds[0])).collect();
    let paper: Vec<String> = rows.iter().map(|row| format!("{} s", row.seconds[0])).collect();
    let both = (paper.join(", "), times.join(", "));
    compared.push(Compared::shape("times, in that order", both, true, "thirty years of machines"));
    let plot = bars(
        (
            "E17  Depth-first search, every state stored",
            "Table 1 of 1995 and ours: DTP is the same model and agrees to the digit.",
        ),
        rows,
        &[
            ("states, 1995", each(rows, |row| row.plain[0])),
            ("states, ours", each(&ours, |o| o.plain[0])),
            ("matched, 1995", each(rows, |row| row.plain[1])),
            ("matched, ours", each(&ours, |o| o.plain[1])),
        ],
    );
    Ok(Findings {
        table: rows_table(rows, &ours, 0),
        plot: Some(plot),
        compared,
        notes: vec![note()],
        exhibit: None,
    })
}

/// E18.
pub(crate) fn with(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let (rows, ours) = (rows(lab), measured(lab)?);
    let mut compared = Vec::new();
    for (row, ours) in rows.iter().zip(&ours) {
        let (paper, found) = (text(row.asleep), text(ours.asleep));
        let falls = |plain: Figures, asleep: Figures| plain[1] as f64 / asleep[1].max(1) as f64;
        compared.push(match row.provenance {
            Provenance::Same => Compared::exact(row.name, paper, found),
            _ => {
                let same = ours.plain[0] == ours.asleep[0] && ours.asleep[1] < ours.plain[1];
                let because = format!(
                    "{}; the same states, matched falls {:.1} fold there and {:.1} fold here",
                    provenance(row),
                    falls(row.plain, row.asleep),
                    falls(ours.plain, ours.asleep)
                );
                Compared::shape(row.name, (paper, found), same, &because)
            }
        });
    }
    let ratios: Vec<f64> = ours.iter().map(|o| o.seconds[1] / o.seconds[0].max(1e-9)).collect();
    let said: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.1}")).collect();
    let both = ("about 2 times as long", format!("{} times", said.join(", ")));
    let because = "without a reduction the search is machine code here, with one it asks closures \
                   what every step touches; the paper's prototype did the same for both";
    let twice = ratios.iter().all(|ratio| *ratio < 4.0);
    compared.push(Compared::shape("time with sleep sets, in that order", both, twice, because));
    let plot = bars(
        (
            "E18  Sleep sets: states matched",
            "Matched transitions without and with sleep sets; the states are the same (table 2 of \
             1995). DTP agrees to the digit.",
        ),
        rows,
        &[
            ("without, 1995", each(rows, |row| row.plain[1])),
            ("without, ours", each(&ours, |o| o.plain[1])),
            ("with, 1995", each(rows, |row| row.asleep[1])),
            ("with, ours", each(&ours, |o| o.asleep[1])),
        ],
    );
    Ok(Findings {
        table: rows_table(rows, &ours, 1),
        plot: Some(plot),
        compared,
        notes: vec![note()],
        exhibit: None,
    })
}

fn each<T>(all: &[T], pick: fn(&T) -> u64) -> Vec<u64> {
    all.iter().map(pick).collect()
}

fn bars((title, subtitle): (&str, &str), rows: &[Row], values: &[(&str, Vec<u64>)]) -> Plot {
    let series = values.iter().map(|(name, values)| {
        let points = values.iter().enumerate().map(|(at, value)| (at as f64, *value as f64));
        Series::bars(name, points.collect())
    });
    Plot::new(
        title,
        subtitle,
        [
            Axis::names("protocol", &rows.iter().map(|row| row.name).collect::<Vec<_>>()),
            Axis::log("number"),
        ],
        series.collect(),
    )
}
