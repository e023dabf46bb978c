//! One edge at a time, by a given process: for trails, which say who moves. Atomicity
//! plays no part here, for no other process is considered.

use super::choose::{self, Choice};
use super::{Actor, Failure, Rules, Scene, State, Step, Traffic, Unlimited};
use crate::{EdgeId, Program};

/// Who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mover {
    /// The process with this pid.
    Process(usize),
    /// The never claim.
    Claim,
}

/// One executed edge, or the two of a rendezvous.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// Along which edge of the mover's proctype.
    pub edge: EdgeId,
    /// The receiver of a rendezvous and its edge.
    pub peer: Option<(usize, EdgeId)>,
    /// What `printf` wrote.
    pub printed: String,
    /// The messages it put or took.
    pub traffic: Vec<Traffic>,
    /// The statements of a `d_step`, in order; empty for everything else.
    pub inside: Vec<Inside>,
    /// Where it leads; if it `ends`, where it failed.
    pub state: State,
    /// What went wrong.
    pub failures: Vec<Failure>,
    /// The last failure was one that nothing follows.
    pub ends: bool,
}

/// A statement inside a `d_step` that was executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inside {
    /// Its edge.
    pub edge: EdgeId,
    /// The state after it; the process still stands where the `d_step` begins.
    pub state: State,
    /// How much of what the `d_step` prints was printed by then.
    pub printed: usize,
}

/// Everything `mover` can do in `state`. `timeout` says whether to take it that
/// nothing else can move.
pub fn moves(
    program: &Program,
    rules: &Rules,
    state: &State,
    mover: Mover,
    timeout: bool,
) -> Vec<Move> {
    let scene = Scene { program, rules, budget: &Unlimited, timeout, tells_inside: true };
    let actor = match mover {
        Mover::Claim => Actor::Claim,
        Mover::Process(pid) if pid < state.processes.len() => Actor::Process(pid),
        Mover::Process(_) => return Vec::new(),
    };
    choose::choices(scene, state, actor).into_iter().map(|choice| made(state, choice)).collect()
}

/// The states inside a visible step: behind each of its edges but the last. As far as a step
/// that fails can be followed.
pub fn states_inside(program: &Program, rules: &Rules, before: &State, step: &Step) -> Vec<State> {
    let mut states: Vec<State> = Vec::new();
    for micro in step.micros.split_last().map_or(&[][..], |(_, others)| others) {
        let state = states.last().unwrap_or(before);
        // Which of them waited for a `timeout` a step does not say.
        let behind = [false, true].into_iter().find_map(|timeout| {
            let tells_inside = false;
            let scene = Scene { program, rules, budget: &Unlimited, timeout, tells_inside };
            let choices = choose::choices(scene, state, Actor::Process(micro.pid));
            let taken = |choice: &Choice| (choice.edge, choice.peer) == (micro.edge, micro.peer);
            choices.into_iter().find(taken)?.result.ok()
        });
        let Some(behind) = behind else { break };
        states.push(behind.state);
    }
    states
}

fn made(before: &State, choice: Choice) -> Move {
    let Choice { edge, peer, printed, traffic, inside, result } = choice;
    let (state, failures, ends) = match result {
        Ok(outcome) => (outcome.state, outcome.failures, false),
        Err(failure) => (before.clone(), vec![failure], true),
    };
    Move { edge, peer, printed, traffic, inside, state, failures, ends }
}
