//! Atomic sequences: from one visible state to the next.

use super::choose::{self, Choice};
use super::{Actor, Failure, Micro, Problem, Scene, State, Step, Values};
use std::collections::HashSet;
use std::sync::Arc;
use std::vec;

/// Every visible step that begins with a move of process `pid`.
pub(super) fn steps_of(scene: Scene<'_>, state: &State, pid: usize) -> Vec<Step> {
    let mut walk = Walk {
        // Within a step `timeout` is false again, except that a claim which saw
        // it be true holds it for the whole step.
        inside: Scene { timeout: scene.timeout && scene.rules.claim.is_some(), ..scene },
        path: Vec::new(),
        failures: Vec::new(),
        hidden: HashSet::new(),
        frames: Vec::new(),
        steps: Vec::new(),
        held: 0,
    };
    let options = options(scene, state, pid);
    if matches!(&options, Ok(choices) if choices.is_empty()) {
        return Vec::new();
    }
    walk.open(pid, state.clone(), options);
    while let Some(frame) = walk.frames.last_mut() {
        if !scene.budget.lasts(walk.held) {
            break;
        }
        match frame.rest.next() {
            Some(choice) => walk.follow(choice),
            None => walk.close(),
        }
    }
    walk.steps
}

/// What process `pid` can do, if it may do anything.
fn options(scene: Scene<'_>, state: &State, pid: usize) -> Result<Vec<Choice>, Failure> {
    Ok(match choose::may_move(scene, state, pid)? {
        true => choose::choices(scene, state, Actor::Process(pid)),
        false => Vec::new(),
    })
}

/// A depth first walk through an atomic sequence, with its stack made explicit:
/// sequences are as long as the model likes.
struct Walk<'a> {
    inside: Scene<'a>,
    /// The edges from the visible state to here, and their failures.
    path: Vec<Micro>,
    failures: Vec<Failure>,
    /// The invisible states on the path, with the process that continues.
    hidden: HashSet<(usize, State)>,
    frames: Vec<Frame>,
    steps: Vec<Step>,
    /// About how many bytes the steps have.
    held: usize,
}

/// A state on the path and what is still to be tried there.
struct Frame {
    pid: usize,
    state: State,
    rest: vec::IntoIter<Choice>,
    /// How long the path and the failures are here.
    lengths: (usize, usize),
}

impl Walk<'_> {
    fn open(&mut self, pid: usize, state: State, options: Result<Vec<Choice>, Failure>) {
        match options {
            Ok(choices) => {
                let lengths = (self.path.len(), self.failures.len());
                let rest = choices.into_iter();
                self.frames.push(Frame { pid, state, rest, lengths });
            }
            Err(failure) => self.end(state, failure),
        }
    }

    fn close(&mut self) {
        // The outermost frame is the visible state.
        if let Some(frame) = self.frames.pop().filter(|_| !self.frames.is_empty()) {
            self.hidden.remove(&(frame.pid, frame.state));
        }
    }

    fn follow(&mut self, choice: Choice) {
        let Some(frame) = self.frames.last() else { return };
        let pid = frame.pid;
        self.path.truncate(frame.lengths.0);
        self.failures.truncate(frame.lengths.1);
        self.path.push(Micro {
            pid,
            edge: choice.edge,
            peer: choice.peer,
            printed: choice.printed,
            traffic: choice.traffic,
        });
        match choice.result {
            Err(failure) => {
                let state = frame.state.clone();
                self.end(state, failure);
            }
            Ok(mut outcome) => {
                self.failures.append(&mut outcome.failures);
                match outcome.goes_on {
                    Some(Actor::Process(next)) => self.enter(next, outcome.state),
                    _ => self.arrive(outcome.state),
                }
            }
        }
    }

    /// Goes on within the sequence, or finds that it cannot: then the state is
    /// visible after all.
    fn enter(&mut self, pid: usize, state: State) {
        if self.hidden.contains(&(pid, state.clone())) {
            let endless = self.endless(pid);
            return self.end(state, endless);
        }
        let options = options(self.inside, &state, pid);
        let rules = self.inside.rules;
        if let Ok(choices) = &options
            && !choices.iter().any(|choice| choice.moves(rules))
        {
            self.arrive(state.clone());
        } else {
            self.hidden.insert((pid, state.clone()));
        }
        self.open(pid, state, options);
    }

    fn endless(&self, pid: usize) -> Failure {
        let last = self.path.last();
        let taken = last.map(|micro| micro.peer.unwrap_or((micro.pid, micro.edge)));
        let kind = self.frames.last().map(|frame| frame.state.processes[pid].proctype);
        let edge = kind.zip(taken).map(|(kind, (_, edge))| (kind, edge));
        let span = edge.map(|(kind, edge)| self.inside.program.proctypes[kind].edges[edge].span);
        Failure { problem: Problem::EndlessAtomic, pid: Some(pid), edge, span }
    }

    fn arrive(&mut self, state: State) {
        let (micros, failures) = (self.path.clone(), self.failures.clone());
        self.keep(Step { claim: Vec::new(), micros, state, failures, ends: false });
    }

    fn end(&mut self, state: State, failure: Failure) {
        let micros = self.path.clone();
        let failures = self.failures.iter().cloned().chain([failure]).collect();
        self.keep(Step { claim: Vec::new(), micros, state, failures, ends: true });
    }

    fn keep(&mut self, step: Step) {
        let State { globals, processes, channels, .. } = &step.state;
        let shared = globals.len() * size_of::<Values>()
            + size_of_val(&**processes)
            + size_of_val(&**channels);
        self.held += size_of::<Step>() + size_of_val(step.micros.as_slice()) + shared;
        self.held += globals.iter().map(unshared).sum::<usize>();
        let own = processes.iter().filter(|process| Arc::strong_count(process) == 1);
        self.held += own.flat_map(|process| &process.locals).map(unshared).sum::<usize>();
        let messages = channels.iter().map(|channel| &channel.messages);
        let own = messages.filter(|messages| Arc::strong_count(messages) == 1);
        let words = own.flat_map(|messages| &**messages);
        self.held += words.map(|message| size_of_val(message.as_slice())).sum::<usize>();
        self.steps.push(step);
    }
}

/// The bytes of values that no other state has.
fn unshared(values: &Values) -> usize {
    if Arc::strong_count(values) == 1 { size_of_val(values.as_slice()) } else { 0 }
}
