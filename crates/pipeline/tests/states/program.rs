//! Random PROMELA models.

use crate::{Explored, STATES_MAX, asked, checked, compare, further, judge_all, undirected};
use pipeline::Options;
use preprocess::Input;
use program::Program;
use program::reference::{self, Rules};
use std::collections::HashMap;
use testkit::promela::{dependent, endless, reducible};
use testkit::{NoFiles, Random};

fn read(text: &str, options: &Options) -> Option<Program> {
    let input = Input { name: "random.pml", bytes: text.as_bytes() };
    let options = preprocess::Options { further: further(options), ..Default::default() };
    let read = promela::read(input, &options, &NoFiles);
    // Predicates are about the states behind a failed assertion, too.
    read.program.map(|program| program.without_assertions())
}

/// Every state, unless there are too many.
fn explored(program: &Program) -> Option<Explored> {
    let rules = Rules::default();
    let first = reference::initial(program, &rules).ok()?;
    let mut known = HashMap::from([(first.clone(), 0)]);
    let (mut states, mut at) = (vec![first], 0);
    let mut explored = Explored::default();
    while let Some(state) = states.get(at).cloned() {
        let distance = known[&state];
        let holds = program
            .predicates
            .iter()
            .map(|predicate| reference::holds(program, &rules, &state, &predicate.holds).ok());
        explored.note(distance, holds);
        for step in reference::steps(program, &rules, &state) {
            if step.ends {
                explored.has_faults = true;
            } else if !known.contains_key(&step.state) {
                known.insert(step.state.clone(), distance + 1);
                states.push(step.state);
            }
        }
        at += 1;
        if states.len() > STATES_MAX {
            return None;
        }
    }
    Some(explored)
}

fn judge(text: &str, random: &mut Random, propositions: &[&str]) -> Option<Explored> {
    let propositions: Vec<String> = propositions.iter().map(|it| (*it).to_owned()).collect();
    let mut last = None;
    for is_whole in [true, false] {
        let options = asked(random, &propositions, is_whole);
        let is_packed = !["D_proctype", "enabled("].iter().any(|word| text.contains(word));
        let options = if is_packed { options } else { undirected(options) };
        let program = read(text, &options).unwrap_or_else(|| panic!("{options:?}\n{text}"));
        let explored = explored(&program)?;
        let report = checked("random.pml", text, &options);
        let may_hold = is_whole || options.depth.is_some();
        compare(&report, &explored, (is_whole, may_hold), &format!("{options:?}\n{text}"));
        last = Some(explored);
    }
    last
}

#[test]
fn endless_programs() {
    let propositions = [&endless::PORTABLE[..], &endless::OTHERS[..]].concat();
    judge_all(|random| judge(&endless::model(random, false), random, &propositions));
}

#[test]
fn programs_that_merge_statements() {
    let propositions = ["g == 0", "g == 1", "h == 1", "n == 1", "len(q) == 1", "count(q, 1) == 1"];
    judge_all(|random| judge(&endless::private_model(random), random, &propositions));
}

#[test]
fn programs_that_interact() {
    let propositions = [
        "g == 1",
        "h == 0",
        "b[0] == 1",
        "A:x == 1",
        "full(q)",
        "head(q) == 1",
        "count(q, _) > 1",
        "count(q, g) == 1",
        "nempty(q)",
    ];
    judge_all(|random| judge(&dependent::model(random), random, &propositions));
}

#[test]
fn programs_that_are_reduced() {
    let propositions = ["g == 1", "h == 2", "b[1] == 1", "A:x == 1", "B:y != 2", "A@L", "v == 1"];
    judge_all(|random| judge(&reducible::model(random), random, &propositions));
}
