//! `argos show`: the machines of a model, before and after minimisation.

use crate::subject::{MachineForm, Reversible, Subject, Unreversible};
use crate::{Loaded, Options, Source, Usage, load};
use ::backward::{Claims, ReversedMachine, reversed};
use base::SourceMap;
use preprocess::Files;
use report::{Channel, Graph, GraphEdge, GraphNode, Machine};
use trace::EventKind;

/// What there is to show.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The text and what is wrong with it.
    pub loaded: Loaded,
    /// Machines with their un-minimised graphs.
    pub raw: Vec<Machine>,
    /// The same machines with their minimised graphs.
    pub minimised: Vec<Machine>,
    /// Channels and their sorts.
    pub channels: Vec<Channel>,
    /// The searched network in its text form.
    pub network: Option<String>,
}

/// Compiles a model to look at.
pub fn show(source: Source<'_>, options: &Options, files: &dyn Files) -> Shown {
    let loaded = load(source, options, files);
    let (subject, sources) = (loaded.subject.as_deref(), &loaded.sources);
    let machines = |form| subject.map_or_else(Vec::new, |subject| subject.machines(form, sources));
    Shown {
        raw: machines(MachineForm::Written(None)),
        minimised: machines(MachineForm::Minimised),
        channels: subject.map_or_else(Vec::new, Subject::channels),
        network: subject.map(Subject::text),
        loaded,
    }
}

/// The reversed machines of a model.
#[derive(Clone, Debug)]
pub struct ShownReversed {
    /// The text and what is wrong with it, or has no reversed form.
    pub loaded: Loaded,
    /// One for each process.
    pub machines: Vec<Machine>,
}

/// Compiles a model to look at what backward execution reads.
///
/// # Errors
/// Options with which nothing is executed backwards.
pub fn show_reversed(
    source: Source<'_>,
    options: &Options,
    files: &dyn Files,
) -> Result<ShownReversed, Usage> {
    let mut loaded = load(source, options, files);
    let model = loaded.subject.as_ref().map(|subject| subject.reversible(options));
    let machines = match model {
        None => Vec::new(),
        Some(Ok(model)) => backwards(&*model, &loaded.sources),
        Some(Err(Unreversible::Usage(usage))) => return Err(usage),
        Some(Err(Unreversible::Construct(refusal))) => {
            loaded.diagnostics.push(refusal);
            loaded.subject = None;
            Vec::new()
        }
    };
    Ok(ShownReversed { loaded, machines })
}

fn backwards(model: &dyn Reversible, sources: &SourceMap) -> Vec<Machine> {
    let net = model.net();
    let machine = |reversed: &ReversedMachine| {
        let machine = &net.machines[reversed.machine];
        let name = |state| machine.states[state].node.clone();
        let line = |state: automata::StateId| {
            let span = machine.states[state].span;
            span.map_or(0, |span| sources.place(sources.statement(span)).line)
        };
        let nodes = reversed.states.iter().map(|state| {
            let begins = reversed.begins.contains(state);
            let is_goal = *state == machine.start;
            let marks = [(begins, "begin"), (is_goal, "goal")];
            let marks = marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word);
            let own = machine.states[*state].labels.first().map(|label| &**label);
            let label: Vec<&str> = own.into_iter().chain(marks).collect();
            GraphNode {
                id: name(*state),
                line: line(*state),
                lines: Vec::new(),
                label: (!label.is_empty()).then(|| label.join(" ")),
                start: begins,
                end: is_goal,
                labelled: false,
                unreachable: false,
            }
        });
        let edges = reversed.edges.iter().map(|edge| GraphEdge {
            from: name(edge.from),
            to: name(edge.to),
            action: edge.text.clone(),
            kind: match edge.claims {
                Claims::Made => EventKind::Send,
                Claims::Redeemed => EventKind::Receive,
                Claims::Untouched => EventKind::Internal,
            },
            file: None,
            line: line(edge.to),
            executed: None,
        });
        Machine {
            name: machine.name.clone(),
            states_raw: reversed.states.len(),
            states: reversed.states.len(),
            assertion: false,
            line: line(machine.start),
            graph: Graph { nodes: nodes.collect(), edges: edges.collect() },
        }
    };
    reversed(net).iter().map(machine).collect()
}
