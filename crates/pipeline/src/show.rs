//! `argos show`: the machines of a model, before and after minimisation.

use crate::{Loaded, Networks, Options, Source, Subject, front, promela, view};
use automata::Network;
use preprocess::Files;
use report::{Channel, Machine};

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

impl Shown {
    /// What has one form of its machines only.
    fn bare(machines: Vec<Machine>, network: Option<String>, loaded: Loaded) -> Self {
        let channels = Vec::new();
        Self { raw: machines.clone(), minimised: machines, channels, network, loaded }
    }
}

/// Compiles a model to look at.
pub fn show(source: Source<'_>, options: &Options, files: &dyn Files) -> Shown {
    let loaded = front::load(source, options, files);
    let model = match &loaded.subject {
        None => return Shown::bare(Vec::new(), None, loaded),
        Some(Subject::Program(program)) => {
            let machines = promela::machines(program, &loaded.sources);
            return Shown::bare(machines, Some(program.to_string()), loaded);
        }
        Some(Subject::Model(model)) => model,
    };
    let networks = Networks::new(model, options);
    Shown {
        raw: machines(&networks, &networks.raw, &loaded),
        minimised: machines(&networks, &networks.searched, &loaded),
        channels: view::channels(&networks.raw),
        network: Some(networks.searched.to_string()),
        loaded,
    }
}

fn machines(networks: &Networks, shown: &Network, loaded: &Loaded) -> Vec<Machine> {
    let of = |network: &Network| -> Vec<(automata::Machine, bool)> {
        let processes = network.machines.iter().map(|machine| (machine.clone(), false));
        let observers = network.observers.iter().map(|o| (o.machine().clone(), true));
        processes.chain(observers).collect()
    };
    let both = of(&networks.raw).into_iter().zip(of(&networks.searched)).zip(of(shown));
    both.map(|(((raw, assertion), (searched, _)), (machine, _))| Machine {
        name: machine.name.to_string(),
        states_raw: raw.states.len(),
        states: searched.states.len(),
        assertion,
        line: loaded.sources.line(machine.span),
        graph: view::graph(shown, &machine, &raw, &loaded.sources, None),
    })
    .collect()
}
