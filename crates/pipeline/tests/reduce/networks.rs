//! The same of Argos networks: random protocols, and those of the corpus.
//!
//! Broken on purpose, on a copy: assertions not touched by what they see, a send that finds
//! no room without a look, outlooks that end after one edge; each was found.

use crate::generator::samples;
use crate::naive::Naive;
use crate::{RELATIONS, STATES_MAX, ample, judge, judge_cache};
use engine::Order;
use pipeline::{Memory, Networks, Options, Source};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::Cell;
use std::path::Path;

/// Random protocols, and how many of them are small enough at least: a third is not, since
/// calls copy what they call.
const SAMPLES: u32 = 6_500;
const JUDGED_MIN: u32 = 4_200;

/// Judges a network if it is small; whether ample sets leave states out.
fn judge_network(text: &str, options: &Options, seed: u64) -> Option<bool> {
    let source = Source::new("sample.argos", text.as_bytes());
    let loaded = pipeline::load(source, options, &Memory::default());
    let networks = Networks::new(loaded.model()?, options);
    let relation = RELATIONS[(seed % 3) as usize];
    let order = if seed.is_multiple_of(2) { Order::Declared } else { Order::YoungestFirst };
    let form = engine::pack(&networks.searched, order)?;
    let system = form.on_closures().with_accesses(&form.accesses(), relation);
    let naive = Naive::of(&system, STATES_MAX)?;
    judge(text, &system, &naive);
    judge_cache(text, &system, &naive, seed);
    let outcomes = ample(text, &system, &naive);
    outcomes.iter().for_each(|outcome| naive.compare_findings(text, outcome));
    Some((outcomes[0].statistics.states as usize) < naive.states.len())
}

#[test]
fn random_networks() {
    let config = Config { cases: SAMPLES, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[5; 32]);
    let (judged, smaller, seed) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let result = TestRunner::new_with_rng(config, rng).run(&samples(), |sample| {
        seed.set(seed.get() + 1);
        let text = crate::print::source(&sample.protocol);
        if let Some(is_smaller) = judge_network(&text, &sample.options, seed.get()) {
            judged.set(judged.get() + 1);
            smaller.set(smaller.get() + u32::from(is_smaller));
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
    let (judged, smaller) = (judged.get(), smaller.get());
    assert!(judged >= JUDGED_MIN, "only {judged} were small enough");
    assert!(smaller * 10 >= judged, "only {smaller} of {judged} have fewer states");
}

#[test]
fn the_protocols_of_the_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut judged = 0;
    for folder in ["papers", "small"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the corpus is there");
        for path in entries.flatten().map(|entry| entry.path()) {
            let text = std::fs::read_to_string(&path).expect("a readable model");
            for seed in 0..11 {
                judged += u32::from(judge_network(&text, &Options::default(), seed).is_some());
            }
        }
    }
    assert!(judged >= 500, "only {judged} were judged");
}
