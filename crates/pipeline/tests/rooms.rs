//! Channels that are declared much larger than they ever are: the verdicts, figures and runs are
//! those of channels just large enough, by every executor, search and store.

use pipeline::{Engine, Memory, Options, Search, Source, Store};
use report::Report;

/// So many messages wait at most.
const MOST: u32 = 40;

const PROMELA: &str = "chan q = [SLOTS] of { byte, short }; int odd;
    active proctype S() { byte i; do :: i < 40 -> q!i,3; i++ :: i == 40 -> break od }
    active proctype R() { byte n, x; do :: n < 40 -> q?x,_; FAILS; n++ :: n == 40 -> break od }";
const ARGOS: &str = "channel q[SLOTS];
    proc s { pvar i = 0; do :: (i < 40) -> q!m; i++ :: (i == 40) -> break od }
    proc r { pvar n = 0; do :: (n < 40) -> q?m -> n++; FAILS :: (n == 40) -> break od }";

fn check(text: &str, name: &str, slots: u32, options: &Options) -> Report {
    let text = text.replace("SLOTS", &slots.to_string());
    let source = Source::new(name, text.as_bytes());
    let checked = pipeline::check(source, options, "argos", &mut Memory::default());
    let checked = checked.expect("these options are served");
    assert_eq!(checked.internal_error, None);
    checked.report
}

/// Verdict, figures and the length of the run.
fn told(report: &Report) -> (report::Verdict, u64, u64, Vec<usize>) {
    let steps = report.errors.iter().map(|error| error.steps).collect();
    (report.verdict, report.stats.states, report.stats.transitions, steps)
}

fn agree(text: &str, (name, most): (&str, u32), options: &Options) {
    let (small, large) = (check(text, name, MOST + 1, options), check(text, name, most, options));
    let what = (options.engine, options.search, options.store);
    assert_eq!(told(&small), told(&large), "{name} {what:?}");
    let (small, large) = (small.stats.store_bytes, large.stats.store_bytes);
    assert!(large <= 2 * small + 200_000, "{name} {what:?}: {large} bytes, {small}");
}

#[test]
fn only_what_is_in_a_channel_counts() {
    let fails = [("skip", "skip"), ("assert(x != 33)", "(n != 33)")];
    for engine in [Engine::Jit, Engine::Closures, Engine::Reference] {
        for (search, store) in [
            (Search::Auto, Store::Compact),
            (Search::Exhaustive, Store::Compact),
            (Search::Dfs, Store::Compact),
            (Search::Bfs, Store::Full),
            (Search::Dfs, Store::Full),
        ] {
            let options = Options { engine, search, store, plain: true, ..Options::default() };
            for (promela, argos) in fails {
                agree(&PROMELA.replace("FAILS", promela), ("model.pml", 65_535), &options);
                agree(&ARGOS.replace("FAILS", argos), ("model.argos", 4096), &options);
            }
        }
    }
}
