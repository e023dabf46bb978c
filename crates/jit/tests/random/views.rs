//! Agents of random forms look at no more than they say, and together they do what the
//! state does.
//!
//! Who judges the judge: views without the places an unseen sequence leads to, without those
//! who take an offer, and without what edges only change were tried, and failed here.

use super::{FORMS, STATES, Told};
use crate::forms;
use packed::{Driver, closures};
use std::sync::Arc;
use system::{Agents, Successors, System, Unlimited, Word};
use testkit::Random;

/// Tags and states of the steps of an agent; none if they cannot be told.
type Steps = Option<Vec<(u32, Vec<Word>)>>;

fn steps_of(agents: &dyn Agents, agent: usize, state: &[Word]) -> Steps {
    let mut out = Successors::unnamed(state.len());
    agents.steps_of(agent, state, &mut out).then(|| told(&out))
}

fn told(out: &Successors) -> Vec<(u32, Vec<Word>)> {
    let tags = out.tags().iter().copied();
    tags.enumerate().map(|(at, tag)| (tag, out.state(at).to_vec())).collect()
}

fn view(agents: &dyn Agents, agent: usize, state: &[Word]) -> Option<Vec<usize>> {
    let mut words = Vec::new();
    agents.read_set(agent, state, &mut |word| words.push(word)).then_some(words)
}

/// Tags and changed bits.
fn changes(state: &[Word], steps: Steps) -> Steps {
    let change = |words: Vec<Word>| words.iter().zip(state).map(|(new, old)| new ^ old).collect();
    Some(steps?.into_iter().map(|(tag, words)| (tag, change(words))).collect())
}

#[derive(Default, Debug)]
struct Tally {
    steps: usize,
    sequences: usize,
    unseen: usize,
    bails: usize,
}

/// In a state that looks the same to the agent it does the same.
fn looks(agents: &dyn Agents, agent: usize, state: &[Word], other: &[Word], tally: &mut Tally) {
    let Some(view) = view(agents, agent, state) else {
        return assert_eq!(steps_of(agents, agent, state), None, "it stands nowhere");
    };
    assert!(view.contains(&agents.location_word(agent)), "it looks at its home");
    let same = |(word, (old, new)): (usize, (&Word, &Word))| {
        if view.contains(&word) { *old } else { *new }
    };
    let other: Vec<Word> = state.iter().zip(other).enumerate().map(same).collect();
    let here = changes(state, steps_of(agents, agent, state));
    assert_eq!(here, changes(&other, steps_of(agents, agent, &other)), "{state:x?} {other:x?}");
    tally.bails += usize::from(here.is_none());
    tally.unseen += usize::from(view.len() < state.len());
    for (_, bits) in here.into_iter().flatten() {
        let unseen = bits.iter().enumerate().filter(|(word, _)| !view.contains(word));
        assert!(unseen.into_iter().all(|(_, bits)| *bits == 0), "it changes what it looks at");
        tally.steps += 1;
    }
}

#[test]
fn what_agents_look_at_decides_what_they_do() {
    let mut tally = Tally::default();
    for seed in 0..FORMS {
        let mut random = Random::new(4_000_000 + seed);
        let make = if seed % 2 == 0 { forms::fresh_form } else { forms::plain_form };
        let packed = Arc::new(make(&mut random));
        let driver = Driver::new(packed.clone(), closures(&packed), Told);
        let agents = driver.agents().expect("drivers have agents");
        for _ in 0..STATES {
            let state = forms::state(&mut random, &packed);
            let other = forms::state(&mut random, &packed);
            for agent in 0..agents.count() {
                looks(agents, agent, &state, &other, &mut tally);
            }
            let mut whole = Successors::new(packed.width);
            driver.successors(&state, &mut whole, &mut Unlimited);
            tally.sequences += whole.steps().filter(|step| step.weight > 1).count();
        }
    }
    assert!(tally.steps > 10_000 && tally.unseen > 10_000, "{tally:?}");
    assert!(tally.sequences > 300 && tally.bails > 1000, "{tally:?}");
}

#[test]
fn agents_together_do_what_the_state_does() {
    let (mut compared, mut left_out) = (0, 0);
    for seed in 0..FORMS {
        let mut random = Random::new(5_000_000 + seed);
        let packed = Arc::new(forms::fresh_form(&mut random));
        let driver = Driver::new(packed.clone(), closures(&packed), Told);
        let agents = driver.agents().expect("drivers have agents");
        let edges = packed.edges().count() as u32;
        for _ in 0..STATES {
            let state = forms::state(&mut random, &packed);
            let steps = (0..agents.count()).map(|agent| steps_of(agents, agent, &state));
            let Some(steps) = steps.collect::<Option<Vec<_>>>().map(|steps| steps.concat()) else {
                continue;
            };
            if steps.is_empty() {
                continue;
            }
            for after in 0..=edges {
                let mut row = Vec::new();
                agents.first_step_sleep_set(after, &mut row);
                let mut whole = Successors::unnamed(packed.width);
                whole.set_after(after);
                driver.successors(&state, &mut whole, &mut Unlimited);
                let mut stay = steps.clone();
                stay.retain(|(tag, _)| row[*tag as usize / 64] >> (tag % 64) & 1 == 0);
                let spared = steps.len() - stay.len();
                assert_eq!((stay, spared), (told(&whole), whole.left_out()));
                compared += steps.len();
                left_out += spared;
            }
        }
    }
    assert!(compared > 5000 && left_out > 50, "{compared} steps, {left_out} left out");
}
