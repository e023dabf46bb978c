//! One edge, executed by one actor on a state of its own.

use super::message::Offer;
use super::{Actor, Failure, Inside, Problem, Scene, State, Traffic};
use crate::{Action, Edge, EdgeId, Expr, LocationId, PrintPart, Scalar};
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

/// An execution under way. The state is copied at the first write, so that an
/// edge that turns out to be blocked costs nothing.
#[derive(Clone)]
pub(super) struct Execution<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) state: Cow<'a, State>,
    pub(super) actor: Actor,
    /// The edge, for failures.
    pub(super) edge: Option<EdgeId>,
    /// Failures passed so far.
    pub(super) failures: Vec<Failure>,
    pub(super) printed: String,
    pub(super) traffic: Vec<Traffic>,
    /// The statements of a `d_step` so far.
    pub(super) inside: Vec<Inside>,
    /// The processes whose being enabled is in question.
    pub(super) asked: Vec<usize>,
    /// Within a `d_step`.
    pub(super) deterministic: bool,
}

/// What came of an edge.
pub(super) enum Done {
    /// It is not executable, whatever was done to the state is void.
    Blocked,
    /// It executed.
    Moved,
    /// It is a rendezvous send: executed if someone takes the offer.
    Offered(Offer),
}

impl<'a> Execution<'a> {
    /// An execution that starts in `state`.
    pub(super) fn new(scene: Scene<'a>, state: &'a State, actor: Actor) -> Self {
        Self {
            scene,
            state: Cow::Borrowed(state),
            actor,
            edge: None,
            failures: Vec::new(),
            printed: String::new(),
            traffic: Vec::new(),
            inside: Vec::new(),
            asked: Vec::new(),
            deterministic: false,
        }
    }

    /// Executes the edge `id` of the actor, if it can, and moves the actor along.
    /// If there is an `offer`, only what takes it is executable.
    pub(super) fn take(&mut self, id: EdgeId, offer: Option<&Offer>) -> Result<Done, Failure> {
        let Some(body) = self.state.body(self.actor) else { return Ok(Done::Blocked) };
        let edge = &body.kind(self.scene.program).edges[id];
        self.edge = Some(id);
        let done = self.act(edge, offer)?;
        if matches!(done, Done::Blocked) {
            return Ok(done);
        }
        let (actor, uses) = (self.actor, self.scene.program.uses);
        let state = self.state.to_mut();
        // A process that died is not there any more.
        if let Some(body) = state.body_mut(actor) {
            body.location = edge.to;
            edge.resets.iter().for_each(|id| Arc::make_mut(&mut body.locals[*id]).fill(0));
        }
        if let (Actor::Process(pid), true) = (actor, uses.last) {
            state.last = pid;
        }
        Ok(done)
    }

    fn act(&mut self, edge: &Edge, offer: Option<&Offer>) -> Result<Done, Failure> {
        let executed = match (&edge.action, offer) {
            (Action::Receive { queue, patterns, random, keep }, _) => {
                self.receive(queue, patterns, (*random, *keep), offer)?
            }
            (Action::Deterministic { start, end }, _) => self.deterministic(*start, *end, offer)?,
            (_, Some(_)) => false,
            (Action::Send { queue, arguments, sorted }, None) => {
                return self.send(queue, arguments, *sorted);
            }
            // That nothing else is executable is for `choose` to see to.
            (Action::Skip | Action::Else, None) => true,
            (Action::Condition(condition), None) => self.value(condition)? != 0,
            (Action::Assign(place, value), None) => {
                let value = self.value(value)?;
                self.store(place, value)?;
                true
            }
            (Action::Assert(condition), None) => {
                if self.value(condition)? == 0 {
                    self.report(Problem::Assertion)?;
                }
                true
            }
            (Action::Print(parts), None) => {
                self.print(parts)?;
                true
            }
            (Action::SetPriority(pid, priority), None) => self.set_priority(pid, priority)?,
            (Action::Die, None) => self.die(),
        };
        Ok(if executed { Done::Moved } else { Done::Blocked })
    }

    /// Executes from `start` on the first executable edge of each location until
    /// `end`. The first may block, or take an offer; what follows may not.
    fn deterministic(
        &mut self,
        start: LocationId,
        end: LocationId,
        offer: Option<&Offer>,
    ) -> Result<bool, Failure> {
        let outer = (self.edge, self.deterministic);
        let Some(mut at) = self.first_executable(start, offer)? else { return Ok(false) };
        // Nothing is chosen, so a state that returns returns for ever. One old
        // state is remembered, a newer one at every power of two.
        let (mut old, mut age, mut power) = ((at, self.state.clone()), 0u64, 1u64);
        while at != end {
            if !self.scene.budget.lasts(0) {
                return Err(self.failure(Problem::EndlessDeterministic));
            }
            at = match self.first_executable(at, None)? {
                Some(next) => next,
                None => return Err(self.failure(Problem::BlockedDeterministic)),
            };
            if (at, &self.state) == (old.0, &old.1) {
                return Err(self.failure(Problem::EndlessDeterministic));
            }
            age += 1;
            if age == power {
                (old, age, power) = ((at, self.state.clone()), 0, power.saturating_mul(2));
            }
        }
        (self.edge, self.deterministic) = outer;
        Ok(true)
    }

    /// Executes the first executable edge of `at`; where it leads.
    fn first_executable(
        &mut self,
        at: LocationId,
        offer: Option<&Offer>,
    ) -> Result<Option<LocationId>, Failure> {
        let program = self.scene.program;
        let Some(body) = self.state.body(self.actor) else { return Ok(None) };
        let edges: Vec<_> = body.kind(program).edges_from(at).collect();
        // Not copied with every trial.
        let inside = std::mem::take(&mut self.inside);
        for (id, edge) in edges {
            let mut trial = self.clone();
            (trial.edge, trial.deterministic) = (Some(id), true);
            let done = match trial.act(edge, offer) {
                Ok(done) => done,
                Err(failure) => {
                    self.inside = inside;
                    return Err(failure);
                }
            };
            match done {
                Done::Blocked => {}
                Done::Moved => {
                    *self = Execution { inside, ..trial };
                    if self.scene.tells_inside {
                        let (state, printed) = (State::clone(&self.state), self.printed.len());
                        self.inside.push(Inside { edge: id, state, printed });
                    }
                    return Ok(Some(edge.to));
                }
                Done::Offered(_) => {
                    return Err(trial.failure(Problem::RendezvousInDeterministic));
                }
            }
        }
        self.inside = inside;
        Ok(None)
    }

    fn set_priority(&mut self, pid: &Expr, priority: &Expr) -> Result<bool, Failure> {
        let (pid, priority) = (self.value(pid)?, self.value(priority)?);
        let pid = usize::try_from(pid).ok().filter(|pid| *pid < self.state.processes.len());
        let Some(pid) = pid else { return Ok(true) };
        if !(1..=255).contains(&priority) {
            return Err(self.failure(Problem::PriorityRange(priority)));
        }
        if self.scene.program.uses.priorities {
            Arc::make_mut(&mut self.state.to_mut().processes[pid]).priority = priority;
        }
        Ok(true)
    }

    /// Processes end youngest first, and their channels with them.
    fn die(&mut self) -> bool {
        let alive = self.state.processes.len();
        match self.actor {
            Actor::Process(pid) if pid + 1 == alive => {
                let state = self.state.to_mut();
                state.processes.pop();
                while state.channels.last().is_some_and(|channel| channel.owner == Some(pid)) {
                    state.channels.pop();
                }
                true
            }
            // A claim is the oldest process of all.
            Actor::Claim if alive == 0 => {
                self.state.to_mut().claim = None;
                true
            }
            _ => false,
        }
    }

    fn print(&mut self, parts: &[PrintPart]) -> Result<(), Failure> {
        for part in parts {
            let text = self.printed_value(part)?;
            self.printed.push_str(&text);
        }
        Ok(())
    }

    fn printed_value(&mut self, part: &PrintPart) -> Result<String, Failure> {
        let mut text = String::new();
        let written = match part {
            PrintPart::Text(plain) => write!(text, "{plain}"),
            PrintPart::Decimal(e) => write!(text, "{}", self.value(e)?),
            PrintPart::Unsigned(e) => write!(text, "{}", self.value(e)? as u32),
            PrintPart::Hexadecimal(e) => write!(text, "{:x}", self.value(e)?),
            PrintPart::Octal(e) => write!(text, "{:o}", self.value(e)?),
            PrintPart::Character(e) => write!(text, "{}", char::from(self.value(e)? as u8)),
            PrintPart::Symbol(e) => {
                let value = self.value(e)?;
                write!(text, "{}", self.symbol(value))
            }
        };
        debug_assert!(written.is_ok(), "writing into a string cannot fail");
        Ok(text)
    }

    /// The name of a symbolic constant; of several the one of the first set.
    fn symbol(&self, value: i32) -> String {
        let mut constants = self.scene.program.mtypes.iter().flat_map(|set| &set.constants);
        let found = constants.find(|(_, number)| *number == value);
        found.map_or_else(|| value.to_string(), |(name, _)| name.to_string())
    }

    /// `value` cut to a type under the rules in force.
    pub(super) fn cut(&self, scalar: Scalar, value: i32, in_array: bool) -> i32 {
        match scalar {
            Scalar::Pid | Scalar::Chan if !self.scene.rules.wide => value & 255,
            _ => scalar.cut(value, in_array),
        }
    }

    /// The pid of the actor, if it is a process.
    pub(super) fn pid(&self) -> Option<usize> {
        match self.actor {
            Actor::Process(pid) => Some(pid),
            Actor::Claim | Actor::Nobody => None,
        }
    }

    /// `problem` at the edge under execution.
    pub(super) fn failure(&self, problem: Problem) -> Failure {
        let body = self.state.body(self.actor);
        let edge = body.zip(self.edge).map(|(body, edge)| (body.proctype, edge));
        let span = edge.map(|(kind, edge)| self.scene.program.proctypes[kind].edges[edge].span);
        Failure { problem, pid: self.pid(), edge, span }
    }

    /// Passes over `problem` if the rules say so; else it is where it all ends.
    pub(super) fn report(&mut self, problem: Problem) -> Result<(), Failure> {
        let failure = self.failure(problem);
        if !failure.is_passed(self.scene.rules) {
            return Err(failure);
        }
        self.failures.push(failure);
        Ok(())
    }
}
