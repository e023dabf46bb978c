//! Random Argos models with formulas and labels.

use crate::network::NetworkOracle;
use crate::{ENGINES, Expected, SEARCHES, STATES_MAX, compare, judge_all};
use automata::{BuildOptions, DefaultRule, Rules, TimeoutRule};
use model::Model;
use pipeline::{Check, Default_, Options, Timeout};
use preprocess::Input;
use testkit::cycles::{FAIRNESS, Fair};
use testkit::promela::endless;
use testkit::{NoFiles, Random, protocol};

fn read(text: &str) -> Option<Model> {
    let input = Input { name: "random.argos", bytes: text.as_bytes() };
    argos::read(input, &preprocess::Options::default(), &NoFiles).model
}

/// What formulas can ask of a model.
fn propositions(model: &Model) -> Vec<String> {
    let mut all = vec!["1".to_owned()];
    for variable in &model.variables {
        let owner = variable.owner.map(|owner| format!("{}.", model.processes[owner].name));
        let name = owner.unwrap_or_default() + &variable.name;
        all.extend([format!("{name} == 0"), format!("{name} == 1"), format!("{name} > 1")]);
    }
    for channel in &model.channels {
        let name = &channel.name;
        all.extend([format!("empty({name})"), format!("full({name})"), format!("len({name}) < 2")]);
        let heads = model.messages.iter().map(|message| format!("head({name}) == {message}"));
        all.extend(heads);
    }
    for process in &model.processes {
        let labels = process.body.labels.iter();
        all.extend(labels.map(|label| format!("{}@{}", process.name, label.name)));
    }
    all
}

/// A model with formulas; some texts are none.
fn model_text(random: &mut Random) -> Option<String> {
    let text = protocol::endless(random);
    let propositions = propositions(&read(&text)?);
    let propositions: Vec<&str> = propositions.iter().map(String::as_str).collect();
    Some(text + &endless::formulas(random, 3, true, &propositions))
}

/// The rules of a network, and how they are asked for.
fn rules(random: &mut Random) -> (BuildOptions, Options) {
    let timeouts = [
        (TimeoutRule::Last, Timeout::Last),
        (TimeoutRule::Empty, Timeout::Empty),
        (TimeoutRule::Any, Timeout::Any),
        (TimeoutRule::Off, Timeout::Off),
    ];
    let receives = [(DefaultRule::Any, Default_::Any), (DefaultRule::Else, Default_::Else)];
    let ((timeout, timeout_word), (default_receive, default)) =
        (random.one_of(&timeouts), random.one_of(&receives));
    let rules = Rules { timeout, default_receive, ..Rules::default() };
    let options = Options {
        timeout: timeout_word,
        default,
        checks: vec![Check::Livelock],
        engine: random.one_of(&ENGINES),
        search: random.one_of(&SEARCHES),
        no_minimise: random.chance(30),
        all_errors: random.chance(20),
        ..Options::default()
    };
    (BuildOptions { rules, ..BuildOptions::default() }, options)
}

/// What is required, and what the definition says.
fn expected(model: &Model, options: &BuildOptions) -> Option<Vec<Expected>> {
    let oracle = NetworkOracle::of(model, options, STATES_MAX)?;
    let is_open = oracle.is_open;
    let properties = oracle.properties.iter().map(|(name, bad)| Expected {
        name: name.clone(),
        violated: FAIRNESS.map(|fair| oracle.is_violated(bad, fair, false)),
        is_open,
        bad_prefix: FAIRNESS.map(|fair| oracle.is_violated(bad, fair, true)),
    });
    let mut all: Vec<Expected> = properties.collect();
    let violated = FAIRNESS.map(|fair| oracle.has_livelock(fair));
    let name = "no livelock".to_owned();
    all.push(Expected { name, violated, is_open, bad_prefix: violated });
    Some(all)
}

fn judge(random: &mut Random) -> Option<Vec<Expected>> {
    let text = model_text(random)?;
    let (build, asked) = rules(random);
    let model = read(&text).unwrap_or_else(|| panic!("formulas can be read\n{text}"));
    let all = expected(&model, &build)?;
    compare("random.argos", &text, &all, |fair| {
        let fair = match fair {
            Fair::None => pipeline::Fair::None,
            Fair::Weak => pipeline::Fair::Weak,
            Fair::Strong => pipeline::Fair::Strong,
        };
        Options { fair, ..asked.clone() }
    });
    Some(all)
}

#[test]
fn argos_models_first_half() {
    judge_all(0, judge);
}

#[test]
fn argos_models_second_half() {
    judge_all(crate::SAMPLES, judge);
}
