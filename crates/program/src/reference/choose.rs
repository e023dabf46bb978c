//! What one process, or the claim, can do next: which of its edges are
//! executable, and with whom.

use super::act::{Done, Execution};
use super::message::Offer;
use super::{Actor, Failure, Inside, Problem, Rules, Scene, State, Traffic};
use crate::{Action, EdgeId, Location, Proctype};

/// One edge that executes, or the two of a rendezvous.
pub(super) struct Choice {
    pub(super) edge: EdgeId,
    pub(super) peer: Option<(usize, EdgeId)>,
    pub(super) printed: String,
    pub(super) traffic: Vec<Traffic>,
    pub(super) inside: Vec<Inside>,
    /// Where it leads, or why it does not.
    pub(super) result: Result<Outcome, Failure>,
}

/// Where a choice leads.
pub(super) struct Outcome {
    pub(super) state: State,
    /// What went wrong and was passed over.
    pub(super) failures: Vec<Failure>,
    /// The sequence is atomic or merged: this actor continues, and the state is invisible.
    pub(super) goes_on: Option<Actor>,
}

impl Choice {
    /// Whether it executes; an error counts as an execution, unless SPIN thinks
    /// otherwise.
    pub(super) fn moves(&self, rules: &Rules) -> bool {
        self.result.as_ref().err().is_none_or(|failure| !failure.stalls(rules))
    }
}

/// Whether the process may move at all: its `provided` clause holds, and nobody of
/// higher priority can move.
pub(super) fn may_move(scene: Scene<'_>, state: &State, pid: usize) -> Result<bool, Failure> {
    if !is_provided(scene, state, pid)? {
        return Ok(false);
    }
    for (other, process) in state.processes.iter().enumerate() {
        let outranks = process.priority > state.processes[pid].priority;
        let can_move = || is_enabled(scene, state, other, &[other]);
        if outranks && is_provided(scene, state, other)? && can_move() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_provided(scene: Scene<'_>, state: &State, pid: usize) -> Result<bool, Failure> {
    let kind = state.processes[pid].kind(scene.program);
    let Some(condition) = &kind.provided else { return Ok(true) };
    let value = Execution::new(scene, state, Actor::Process(pid)).value(condition);
    value.map(|value| value != 0).map_err(|failure| Failure { span: Some(kind.span), ..failure })
}

/// `enabled`: whether some edge of the process could execute, `provided` aside.
pub(super) fn is_enabled(scene: Scene<'_>, state: &State, pid: usize, asked: &[usize]) -> bool {
    Chooser { scene, state, actor: Actor::Process(pid), asked, offer: None }
        .choices()
        .iter()
        .any(|choice| choice.moves(scene.rules))
}

/// Everything `actor` can do in `state`.
pub(super) fn choices(scene: Scene<'_>, state: &State, actor: Actor) -> Vec<Choice> {
    Chooser { scene, state, actor, asked: &[], offer: None }.choices()
}

/// A question: what can this actor do here, given this offer?
#[derive(Clone, Copy)]
struct Chooser<'a> {
    scene: Scene<'a>,
    state: &'a State,
    actor: Actor,
    asked: &'a [usize],
    offer: Option<&'a Offer>,
}

impl<'a> Chooser<'a> {
    /// Only the first group of edges that has an executable one counts.
    fn choices(self) -> Vec<Choice> {
        let Some(body) = self.state.body(self.actor) else { return Vec::new() };
        let kind = body.kind(self.scene.program);
        let mut choices = Vec::new();
        for group in groups(&kind.locations[body.location], self.scene.rules) {
            self.group_choices(kind, group, &mut choices);
            if self.has_moved(&choices) {
                break;
            }
        }
        choices
    }

    fn has_moved(self, choices: &[Choice]) -> bool {
        choices.iter().any(|choice| choice.moves(self.scene.rules))
    }

    fn group_choices(self, kind: &Proctype, group: &[EdgeId], choices: &mut Vec<Choice>) {
        for edge in group {
            let moved = self.has_moved(choices);
            // An `else` lifted out of an inner choice stands before the options
            // of the outer one that follow; SPIN asks only what stands before it.
            if moved && kind.edges[*edge].action == Action::Else {
                continue;
            }
            let mut found = self.edge_choices(*edge);
            if moved && kind.deterministic {
                found.iter_mut().for_each(|choice| self.blame(choice));
            }
            choices.append(&mut found);
        }
    }

    /// Says of a second executable edge of a `D_proctype` that it is one.
    fn blame(self, choice: &mut Choice) {
        let Ok(outcome) = &mut choice.result else { return };
        let mut run = Execution::new(self.scene, self.state, self.actor);
        run.edge = Some(choice.edge);
        match run.report(Problem::Nondeterminism) {
            Ok(()) => outcome.failures.append(&mut run.failures),
            Err(failure) => choice.result = Err(failure),
        }
    }

    fn edge_choices(self, edge: EdgeId) -> Vec<Choice> {
        let mut run = Execution::new(self.scene, self.state, self.actor);
        run.asked = self.asked.to_vec();
        let result = match run.take(edge, self.offer) {
            Ok(Done::Blocked) => return Vec::new(),
            Ok(Done::Offered(offer)) => return self.handshakes(edge, &run, &offer),
            Ok(Done::Moved) => Ok(Outcome {
                state: run.state.into_owned(),
                failures: run.failures,
                goes_on: self.is_atomic(edge).then_some(self.actor),
            }),
            Err(failure) => Err(failure),
        };
        let Execution { printed, traffic, inside, .. } = run;
        vec![Choice { edge, peer: None, printed, traffic, inside, result }]
    }

    fn is_atomic(self, edge: EdgeId) -> bool {
        let body = self.state.body(self.actor);
        body.is_some_and(|body| body.kind(self.scene.program).edges[edge].goes_on())
    }

    /// Every way in which someone else takes the offer of a rendezvous. Whether
    /// the sequence is atomic then is for the receiver's edge to say. Priority is
    /// asked of the sender only.
    fn handshakes(self, edge: EdgeId, run: &Execution<'_>, offer: &Offer) -> Vec<Choice> {
        let mut handshakes = Vec::new();
        for pid in (0..self.state.processes.len()).rev() {
            if self.actor == Actor::Process(pid) {
                continue;
            }
            let peers = match is_provided(self.scene, &run.state, pid) {
                Ok(true) => self.peer(&run.state, pid, offer).choices(),
                Ok(false) => Vec::new(),
                Err(failure) => {
                    let result = Err(failure);
                    let (printed, traffic, inside) = (String::new(), Vec::new(), Vec::new());
                    vec![Choice { edge, peer: None, printed, traffic, inside, result }]
                }
            };
            handshakes.extend(peers.into_iter().map(|mut choice| {
                choice.peer = Some((pid, choice.edge));
                choice.edge = edge;
                choice.traffic.splice(..0, run.traffic.iter().cloned());
                if let Ok(outcome) = &mut choice.result {
                    outcome.failures.splice(..0, run.failures.iter().cloned());
                }
                choice
            }));
        }
        handshakes
    }

    /// The same question to a possible receiver.
    fn peer<'b>(self, state: &'b State, pid: usize, offer: &'b Offer) -> Chooser<'b>
    where
        'a: 'b,
    {
        Chooser { state, actor: Actor::Process(pid), offer: Some(offer), ..self }
    }
}

/// The groups of edges of a location in the order in which they are tried.
fn groups<'a>(location: &'a Location, rules: &Rules) -> Vec<&'a [EdgeId]> {
    let mut groups: Vec<&[EdgeId]> = location.groups.iter().map(Vec::as_slice).collect();
    let escapes = groups.len().saturating_sub(1);
    if rules.inner_unless_first {
        groups[..escapes].reverse();
    }
    groups
}
