//! The judges: independent implementations of the same thing, compared on
//! thousands of random protocols and on the papers' own examples.

mod generator;
mod judge;
mod naive;
mod papers;
mod print;
mod report;
mod statements;

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::Cell;

/// Random protocols per test below; together more than ten thousand.
const SAMPLES: u32 = 2600;

/// Judges random protocols. The same seed gives the same ones.
fn judge_samples(seed: u8) {
    let config = Config { cases: SAMPLES, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let judged = Cell::new(0);
    let result = runner.run(&generator::samples(), |sample| {
        if let Some(case) = judge::enumerate(&sample)? {
            judged.set(judged.get() + 1);
            judge::judge(&case)?;
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
    assert!(judged.get() * 10 >= SAMPLES * 7, "only {} were small enough", judged.get());
}

#[test]
fn random_protocols_first_quarter() {
    judge_samples(1);
}

#[test]
fn random_protocols_second_quarter() {
    judge_samples(2);
}

#[test]
fn random_protocols_third_quarter() {
    judge_samples(3);
}

#[test]
fn random_protocols_last_quarter() {
    judge_samples(4);
}
