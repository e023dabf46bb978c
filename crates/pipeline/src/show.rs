//! `argos show`: the machines of a model, before and after minimisation.

use crate::{Loaded, Networks, Options, Source, front, view};
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

/// Compiles a model to look at.
pub fn show(source: Source<'_>, options: &Options, files: &dyn Files) -> Shown {
    let loaded = front::load(source, options, files);
    let Some(model) = &loaded.model else {
        let nothing = Vec::new;
        return Shown {
            raw: nothing(),
            minimised: nothing(),
            channels: Vec::new(),
            network: None,
            loaded,
        };
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
