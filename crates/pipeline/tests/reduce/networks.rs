//! The same of Argos networks: random protocols, and those of the corpus.
//!
//! Broken on purpose, on a copy: assertions not touched by what they see, a send that finds
//! no room without a look, outlooks that end after one edge; each was found.

use crate::combinations::{Known, Tally};
use crate::generator::samples;
use crate::naive::Naive;
use crate::{DRAWN, Left, RELATIONS, STATES_MAX};
use engine::Order;
use pipeline::{Memory, Networks, Options, Source};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::{Cell, RefCell};
use std::path::Path;
use system::Word;
use testkit::Random;

/// Random protocols, and how many of them are small enough at least: a third is not, since
/// calls copy what they call.
const SAMPLES: u32 = 15_500;
const JUDGED_MIN: u32 = 10_000;
/// Each combination comes to an end so often at least.
const LEAST: u64 = 80;

/// Judges a network by combinations drawn, or by all of them, if it is small; what they left out.
fn judge_network(
    text: &str,
    options: &Options,
    (tally, drawn): (&mut Tally, Option<usize>),
    seed: u64,
) -> Option<Left> {
    let source = Source::new("sample.argos", text.as_bytes());
    let loaded = pipeline::load(source, options, &Memory::default());
    let networks = Networks::new(loaded.model()?, options);
    let relation = RELATIONS[(seed % 3) as usize];
    let order = if seed.is_multiple_of(2) { Order::Declared } else { Order::YoungestFirst };
    let form = engine::pack(&networks.searched, order)?;
    let table = form.accesses();
    let other = || form.on_closures().with_accesses(&table, relation);
    let system = &other();
    let naive = &Naive::of(system, STATES_MAX)?;
    let known = Known { name: text, system, naive, other: &other };
    known.check();
    let (mut left, random) = (Left::default(), &mut Random::new(seed));
    let mut judge = |combination, random: &mut Random| {
        let outcome = known.judge(combination, random, &<[Word]>::to_vec);
        outcome.is_some_and(|outcome| left.note(naive, &outcome))
    };
    match drawn {
        Some(count) => tally.draw(random, count, judge),
        None => tally.each(|combination| judge(combination, random)),
    }
    Some(left)
}

#[test]
fn random_networks() {
    let config = Config { cases: SAMPLES, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[5; 32]);
    let (judged, smaller, seed) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let tally = RefCell::new(Tally::new());
    let result = TestRunner::new_with_rng(config, rng).run(&samples(), |sample| {
        seed.set(seed.get() + 1);
        let text = crate::print::source(&sample.protocol);
        let tally = (&mut *tally.borrow_mut(), Some(DRAWN));
        if let Some(left) = judge_network(&text, &sample.options, tally, seed.get()) {
            judged.set(judged.get() + 1);
            smaller.set(smaller.get() + u32::from(left.states));
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
    let (judged, smaller) = (judged.get(), smaller.get());
    assert!(judged >= JUDGED_MIN, "only {judged} were small enough");
    assert!(smaller * 20 >= judged, "only {smaller} of {judged} have fewer states");
    tally.borrow().has_each(LEAST);
}

#[test]
fn the_protocols_of_the_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut judged = 0;
    for folder in ["papers", "small"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the corpus is there");
        for path in entries.flatten().map(|entry| entry.path()) {
            let text = std::fs::read_to_string(&path).expect("a readable model");
            for seed in 0..3 {
                let all = (&mut Tally::new(), None);
                judged += u32::from(judge_network(&text, &Options::default(), all, seed).is_some());
            }
        }
    }
    assert!(judged >= 135, "only {judged} were judged");
}
