//! `argos show`: the machines of a model, before and after minimisation.

use crate::subject::{MachineForm, Subject};
use crate::{Loaded, Options, Source, load};
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
