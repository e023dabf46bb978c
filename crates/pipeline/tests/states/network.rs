//! Random Argos models.

use crate::{Explored, STATES_MAX, asked, checked, compare, further, judge_all};
use automata::reference::{self, Outcome};
use automata::{BuildOptions, Network};
use base::IdVec;
use model::Model;
use pipeline::Options;
use preprocess::Input;
use std::collections::HashMap;
use testkit::{NoFiles, Random, protocol};

fn read(text: &str, options: &Options) -> Option<Model> {
    let input = Input { name: "random.argos", bytes: text.as_bytes() };
    let options = preprocess::Options { further: further(options), ..Default::default() };
    argos::read(input, &options, &NoFiles).model
}

/// What predicates can ask of a model.
fn propositions(model: &Model) -> Vec<String> {
    let mut all = vec!["1".to_owned()];
    for variable in &model.variables {
        let owner = variable.owner.map(|owner| format!("{}:", model.processes[owner].name));
        let name = owner.unwrap_or_default() + &variable.name;
        all.extend([format!("{name} == 0"), format!("{name} == 1"), format!("{name} > 1")]);
    }
    for channel in &model.channels {
        let name = &channel.name;
        all.extend([
            format!("nempty({name})"),
            format!("nfull({name})"),
            format!("len({name}) < 2"),
        ]);
        for message in &model.messages {
            all.push(format!("head({name}) == {message}"));
            all.push(format!("count({name}, {message}) == 1"));
            all.push(format!("count({name}, {message}(1)) > 0"));
        }
    }
    for process in &model.processes {
        let labels = process.body.labels.iter();
        all.extend(labels.map(|label| format!("{}@{}", process.name, label.name)));
    }
    all
}

/// Every state, unless there are too many.
fn explored(model: &Model) -> Option<Explored> {
    let options = BuildOptions { keeps_labels: true, ..BuildOptions::default() };
    let network = Network { observers: IdVec::new(), ..automata::build(model, &options) };
    let first = reference::initial(&network);
    let mut known = HashMap::from([(first.clone(), 0)]);
    let (mut worlds, mut at) = (vec![first], 0);
    let mut explored = Explored::default();
    while let Some(world) = worlds.get(at).cloned() {
        let distance = known[&world];
        let predicates = model.predicates.iter();
        explored.note(
            distance,
            predicates.map(|it| reference::holds(&network, &world, &it.holds).ok()),
        );
        for step in reference::moves(&network, &world) {
            match reference::apply(&network, &world, step) {
                Outcome::DivisionByZero => explored.has_faults = true,
                Outcome::World(next) | Outcome::Violation(_, next) => {
                    if !known.contains_key(&next) {
                        known.insert(next.clone(), distance + 1);
                        worlds.push(next);
                    }
                }
            }
        }
        at += 1;
        if worlds.len() > STATES_MAX {
            return None;
        }
    }
    Some(explored)
}

fn judge(random: &mut Random) -> Option<Explored> {
    let text = protocol::endless(random);
    let propositions = propositions(&read(&text, &Options::default())?);
    let mut last = None;
    for is_whole in [true, false] {
        let options = asked(random, &propositions, is_whole);
        let options = Options { no_merge: false, no_dead_reset: false, ..options };
        let model = read(&text, &options).unwrap_or_else(|| panic!("{options:?}\n{text}"));
        let explored = explored(&model)?;
        let report = checked("random.argos", &text, &options);
        let may_hold = is_whole || options.depth.is_some();
        compare(&report, &explored, (is_whole, may_hold), &format!("{options:?}\n{text}"));
        last = Some(explored);
    }
    last
}

#[test]
fn argos_models() {
    judge_all(judge);
}
