//! The work that a depth-first search with a depth bound does again (1986, figure 3).

use crate::findings::{Compared, Findings, Table};
use crate::lab::{Lab, NotRun};
use crate::models;
use crate::sweep::EXHAUSTIVE;
use pipeline::{Options, Search};
use report::{Axis, Plot, Series};

/// E9.
pub(crate) fn redundancy(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let deepest = if lab.is_full() { 90 } else { 60 };
    let mut table = Table::new("depth states transitions transitions_minimal ratio");
    let mut ratios = Vec::new();
    for depth in (10..=deepest).step_by(10) {
        let mut work = |search| {
            let options = Options { search, ..EXHAUSTIVE.options(Some(depth)) };
            Ok((lab.check(models::DATA_SWITCH, &options)?).stats().clone())
        };
        // Breadth first every state is met at its smallest depth, so none is analysed twice.
        let (found, minimal) = (work(Search::Dfs)?, work(Search::Bfs)?.transitions);
        let ratio = found.transitions as f64 / minimal.max(1) as f64;
        table.row(&[&depth, &found.states, &found.transitions, &minimal, &ratio]);
        ratios.push((depth as f64, ratio));
    }
    let least = ratios.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
    let [.., before, last] = ratios[..] else {
        return Err(NotRun::Failed("the series is empty".to_owned()));
    };
    let ours = format!("{:.2} at depth {}, {:.2} at depth {}", before.1, before.0, last.1, last.0);
    let compared = vec![Compared::shape(
        "work over minimal work",
        ("almost 4 at depth 80", ours),
        last.1 > least && last.1 > before.1,
        "plain depth first; grows with the depth, but less",
    )];
    let paper = Series::points("1986", vec![(80.0, 4.0)]);
    let plot = Plot::new(
        "E9  Repeated work of the exhaustive search with a depth bound",
        "Transitions of a depth-first search, as a multiple of those of a breadth-first search of \
         the same states; data switch (a stand-in).",
        [Axis::linear("depth bound (steps)"), Axis::linear("times the minimal work")],
        vec![Series::line("data switch", ratios), paper],
    );
    let notes = vec![models::DATA_SWITCH_IS_OURS.to_owned()];
    Ok(Findings { table, plots: vec![plot], compared, notes, exhibit: None })
}
