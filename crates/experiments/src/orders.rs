//! Depth-first searches of one model in every order. What is found first depends on the
//! order in which processes are asked and options are tried, which the papers do not
//! tell: an order is a rearrangement of the model before it becomes machines.

use crate::lab::{Lab, NotRun, Text};
use base::{Id, SourceMap};
use model::{Model, ProcessId, Stmt, StmtKind};
use pipeline::{Networks, Options};
use search::{Plan, Request, Unwatched};
use trace::{NetworkRun, Run, Scenario};

/// Processes and options of a model in another order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Order {
    /// Which declared process is the first, the second, ...
    pub(crate) processes: Vec<usize>,
    /// Whether the last option of every `if` and `do` is tried first.
    pub(crate) last_option_first: bool,
}

impl Order {
    /// Every order of so many processes, with either order of options.
    pub(crate) fn all(processes: usize) -> Vec<Self> {
        let orders = permutations(processes);
        let both = orders.into_iter().flat_map(|processes| {
            [false, true].map(|last_option_first| (processes.clone(), last_option_first))
        });
        both.map(|(processes, last_option_first)| Self { processes, last_option_first }).collect()
    }

    /// In words, as `receiver, link, sender, user; last option first`.
    pub(crate) fn words(&self, model: &Model) -> String {
        let names =
            self.processes.iter().map(|p| model.processes[ProcessId::new(*p)].name.as_str());
        let options = if self.last_option_first { "last" } else { "first" };
        format!("{}; {options} option first", names.collect::<Vec<_>>().join(", "))
    }

    /// The model in this order.
    fn arranged(&self, model: &Model) -> Model {
        let mut arranged = model.clone();
        let old = |place: &usize| model.processes[ProcessId::new(*place)].clone();
        arranged.processes = self.processes.iter().map(old).collect();
        for variable in arranged.variables.iter_mut() {
            let place = |owner: ProcessId| self.processes.iter().position(|p| *p == owner.index());
            variable.owner = variable.owner.and_then(place).map(ProcessId::new);
        }
        if self.last_option_first {
            let bodies = arranged.processes.iter_mut().map(|process| &mut process.body);
            bodies.flat_map(|body| &mut body.statements).for_each(turn);
        }
        arranged
    }
}

fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = all.iter().flat_map(|start: &Vec<usize>| {
            let others = (0..count).filter(|next| !start.contains(next));
            others.map(|next| [start.as_slice(), &[next]].concat())
        });
        all = longer.collect();
    }
    all
}

/// Options from the last to the first, all the way down. Models are at most as deep as
/// the parser allows.
fn turn(statement: &mut Stmt) {
    match &mut statement.kind {
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.reverse();
            options.iter_mut().flatten().for_each(turn);
        }
        StmtKind::Call(body) => body.iter_mut().for_each(turn),
        _ => {}
    }
}

/// A model with its places in the text.
pub(crate) struct Readable {
    pub(crate) model: Model,
    sources: SourceMap,
    options: Options,
}

impl Readable {
    pub(crate) fn new(lab: &Lab<'_>, text: Text<'_>, options: Options) -> Result<Self, NotRun> {
        let loaded = lab.load(text, &options);
        let model = loaded.model().cloned();
        let model = model.ok_or_else(|| NotRun::Failed(format!("{} has errors", text.name)))?;
        Ok(Self { model, sources: loaded.sources, options })
    }

    /// The run to the first error of a depth-first search in this order, executed again by
    /// the reference interpreter.
    pub(crate) fn first_error(&self, order: &Order) -> Result<Option<Scenario>, NotRun> {
        let networks = Networks::new(&order.arranged(&self.model), &self.options);
        let request = Request { order: search::Order::DepthFirst, ..Request::default() };
        let plan = Plan::new(&request).map_err(|refusal| NotRun::Failed(refusal.to_string()))?;
        let system = engine::system(&networks.searched, engine::Order::Declared);
        let outcome = search::run(&*system, &mut [], &plan, &mut Unwatched)
            .map_err(|refusal| NotRun::Failed(refusal.to_string()))?;
        let Some(finding) = outcome.findings.first() else { return Ok(None) };
        let mut run = NetworkRun::new(&networks.raw, &networks.searched, &self.sources);
        match run.follow(&finding.trail) {
            Ok(()) => Ok(Some(run.scenario())),
            Err(mismatch) => Err(NotRun::Failed(mismatch.to_string())),
        }
    }
}

/// The events of a run as the papers print them: `link msg1`, `sender tau`, `user [msg1]`
/// where nobody took it.
pub(crate) fn events(scenario: &Scenario) -> Vec<String> {
    let events = scenario.trace.iter().filter(|event| event.is_event());
    let text = |event: &trace::Event| {
        let channel = event.channel.as_deref().unwrap_or_default();
        let message = event.message.as_deref().unwrap_or("tau");
        match event.received {
            Some(false) => format!("{channel} [{message}]"),
            _ => format!("{channel} {message}"),
        }
    };
    events.map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_once() {
        let all = Order::all(4);
        assert_eq!(all.len(), 48);
        assert!(all.iter().enumerate().all(|(place, order)| !all[..place].contains(order)));
    }
}
