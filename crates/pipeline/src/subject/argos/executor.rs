//! Which executor searches a network.

use super::super::{Boxed, Searchable, Systems};
use crate::workflow::{self, Workflow};
use crate::{Engine, Options};
use automata::Network;
use engine::{Compiled, Interpreted};
use packed::{Backend, Driver, Packed};
use std::sync::Arc;

/// Machine code or closures over the packed form; closures over the network where something
/// has no packed form or a search asks what steps touch; the reference interpreter where the
/// user asks for it.
pub(super) fn systems<'a>(
    network: &'a Network,
    workflow: &Workflow,
    options: &Options,
) -> Systems<'a> {
    let order = options.order();
    if workflow.asks_of_steps() {
        let system = Compiled::new(network, order).depending(options.relation());
        return Systems::new(vec![Box::new(system)]);
    }
    if options.engine == Engine::Reference {
        return Systems::new(vec![Box::new(Interpreted::new(network, order))]);
    }
    let Some(packed) = engine::lowered(network, order) else {
        let system = |_| Box::new(Compiled::new(network, order)) as Boxed<'a>;
        return Systems::new((0..workflow::systems(options)).map(system).collect());
    };
    let packed = Arc::new(packed);
    if options.engine == Engine::Jit {
        let lazy = jit::Lazy::new(&packed);
        let systems = drivers(network, &packed, &lazy, options);
        let compile_time = Box::new(move || lazy.compile_time());
        return Systems { compile_time, ..Systems::new(systems) };
    }
    Systems::new(drivers(network, &packed, &packed::closures(&packed), options))
}

/// One system per thread, by the same back end.
fn drivers<'a, B: Backend + Clone + Send + 'a>(
    network: &'a Network,
    packed: &Arc<Packed>,
    backend: &B,
    options: &Options,
) -> Vec<Boxed<'a>> {
    let system = |_| {
        let slow = Compiled::new(network, options.order());
        let driver = Driver::new(Arc::clone(packed), backend.clone(), slow);
        Box::new(driver.without_choices()) as Boxed<'a>
    };
    (0..workflow::systems(options)).map(system).collect()
}

impl Searchable for Compiled {}

impl Searchable for Interpreted<'_> {}

impl<B: Backend + Send> Searchable for Driver<B, Compiled> {}
