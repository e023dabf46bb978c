//! What is decided by the values of shared variables: programs that wait for them, under every
//! search with ample sets, which keep every blocked state and every failure.

use crate::{Checked, RELATIONS, judge_ample, known, parse, run, unordered};
use program::reference::Rules;
use search::{Request, StoreKind};
use std::path::Path;
use testkit::promela::shared::model;

const SAMPLES: u64 = 6_000;
const STATES_MAX: usize = 400;

#[test]
fn values_decide_what_may_be_left_out() {
    let (mut judged, mut smaller) = (0, 0);
    testkit::for_seeds(0..SAMPLES, |seed, random| {
        let text = model(random);
        let program = parse("shared.pml", text.as_bytes(), Path::new("")).expect("a program");
        let (rules, dependency) = (Rules::default(), RELATIONS[(seed % 3) as usize]);
        let Some((system, naive)) = known(&program, rules, dependency, STATES_MAX) else { return };
        let all = Request { all_errors: true, store: StoreKind::Full, ..Request::default() };
        run(&Checked::new(&system, &text), &all);
        smaller += u64::from(judge_ample(&text, &program, &system, &naive));
        if seed % 4 == 1 {
            unordered::judge_coverage(&text, &program, rules);
        }
        judged += 1;
    });
    assert!(judged * 10 >= SAMPLES * 7, "only {judged} were small enough");
    assert!(smaller * 4 >= judged, "only {smaller} of {judged} have fewer states");
}
