//! What is decided by the values of shared variables: programs that wait for them, under every
//! search with ample sets, which keep every blocked state and every failure.

use crate::combinations::Tally;
use crate::{DRAWN, RELATIONS, judge_program, known, parse, unordered};
use program::reference::Rules;
use std::path::Path;
use testkit::promela::shared::model;

const SAMPLES: u64 = 6_000;
const STATES_MAX: usize = 400;
/// Each combination comes to an end so often at least.
const LEAST: u64 = 50;

#[test]
fn values_decide_what_may_be_left_out() {
    let (mut judged, mut smaller) = (0, 0);
    let mut tally = Tally::new();
    testkit::for_seeds(0..SAMPLES, |seed, random| {
        let text = model(random);
        let program = parse("shared.pml", text.as_bytes(), Path::new("")).expect("a program");
        let (rules, dependency) = (Rules::default(), RELATIONS[(seed % 3) as usize]);
        let Some(found) = known(&program, rules, dependency, STATES_MAX) else { return };
        let left = found
            .judged(&text, |known| judge_program(known, &program, (&mut tally, DRAWN), random));
        smaller += u64::from(left.states);
        if seed % 4 == 1 {
            unordered::judge_coverage(&text, &program, &found);
        }
        judged += 1;
    });
    let is_one = std::env::var("ARGOS_SEED").is_ok();
    assert!(is_one || judged * 10 >= SAMPLES * 7, "only {judged} were small enough");
    assert!(is_one || smaller * 4 >= judged, "only {smaller} of {judged} have fewer states");
    if !is_one {
        tally.has_each(LEAST);
    }
}
