//! Which executor searches a network.

use crate::subject::{Boxed, Interchangeable, Searchable, Systems, Whole};
use crate::workflow::Workflow;
use crate::{Engine, Fair, Options};
use automata::Network;
use automata::symmetry::Class;
use engine::{Form, PackedNetwork, Readable, ReferenceNetwork, Rooms};
use model::Predicate;
use packed::Backend;
use std::cell::{Cell, RefCell};
use system::Word;

/// The room of each channel, as far as earlier searches of a network found out.
#[derive(Debug)]
pub(super) struct Learned {
    rooms: RefCell<Rooms>,
    /// How often a search began again.
    restarts: Cell<u32>,
}

impl Learned {
    pub(super) fn new(network: &Network) -> Self {
        Self { rooms: RefCell::new(Rooms::at_first(network)), restarts: Cell::new(0) }
    }

    /// Whether one of these systems had no room for a state; the next ones will have.
    pub(super) fn learn(&self, network: &Network, searched: &[Boxed<'_>]) -> bool {
        let mut narrow = searched.iter().filter(|system| system.is_too_narrow()).peekable();
        let learns = narrow.peek().is_some();
        let rooms = narrow.filter_map(|system| system.rooms());
        rooms.for_each(|rooms| self.rooms.borrow_mut().absorb(&rooms));
        if learns {
            self.rooms.borrow_mut().level(network);
        }
        self.restarts.set(self.restarts.get() + u32::from(learns));
        learns
    }
}

/// Machine code or closures over the packed form; the reference interpreter where something
/// has no packed form or the user asks for it. Only packed forms know what steps access.
pub(super) fn systems<'a>(
    network: &'a Network,
    learned: &Learned,
    atoms: Option<&[Predicate]>,
    workflow: &Workflow,
    options: &Options,
) -> Systems<'a> {
    let (order, rooms) = (options.order(), &*learned.rooms.borrow());
    let asked = options.engine == Engine::Reference && !workflow.asks_of_steps();
    let form = if asked { None } else { engine::pack_within(network, order, rooms) };
    let form = form.map(|form| form.with_atoms(atoms));
    let Some(form) = form else {
        let fallback = (!asked).then_some("an assertion of more than 64 states");
        let system = Box::new(ReferenceNetwork::within(network, order, rooms).with_atoms(atoms));
        return Systems { fallback, ..Systems::new(vec![system]) };
    };
    if options.engine == Engine::Jit {
        let lazy = jit::Lazy::within(form.packed(), learned.restarts.get(), workflow.lasts());
        let systems = on(&lazy, &form, workflow, options);
        let compile_time = Box::new(move || lazy.compile_time());
        return Systems { compile_time, ..Systems::new(systems) };
    }
    Systems::new(on(&packed::closures(form.packed()), &form, workflow, options))
}

/// One system per thread, by the same back end.
fn on<'a, B: Backend + Clone + Send + 'a>(
    backend: &B,
    form: &Form<'a>,
    workflow: &Workflow,
    options: &Options,
) -> Vec<Boxed<'a>> {
    let is_fair = form.has_atoms() && options.fair != Fair::None;
    let table = (workflow.asks_of_steps() || is_fair).then(|| form.accesses());
    let system = |_| match &table {
        Some(table) => {
            let system = form.on(backend.clone()).with_accesses(table, options.relation());
            if form.has_atoms() { system.observed(&form.propositions()) } else { system }
        }
        None => form.on(backend.clone()),
    };
    (0..workflow.systems(options)).map(|at| Box::new(system(at)) as Boxed<'a>).collect()
}

impl Searchable for ReferenceNetwork<'_> {
    fn is_too_narrow(&self) -> bool {
        ReferenceNetwork::is_too_narrow(self)
    }
    fn rooms(&self) -> Option<Rooms> {
        Some(ReferenceNetwork::rooms(self))
    }
    fn whole(&self, words: &[Word]) -> Whole {
        Whole::Network(self.world(words))
    }
}

impl<B: Backend + Send> Searchable for PackedNetwork<'_, B> {
    fn is_too_narrow(&self) -> bool {
        self.fallback().is_too_narrow()
    }
    fn rooms(&self) -> Option<Rooms> {
        Some(self.fallback().rooms())
    }
    fn interchangeable(&self) -> Option<Interchangeable> {
        let exchange = self.fallback().exchange()?;
        let network = self.fallback().network();
        let class = |class: &Class| {
            let names = class.machines.iter().map(|id| network.machines[*id].name.to_string());
            names.collect::<Vec<_>>().join(", ")
        };
        let refused =
            exchange.found.refused.iter().map(|(one, other, reason)| {
                (format!("{one} and {other}"), reason.to_string(), None)
            });
        let classes = exchange.found.classes.iter().map(class).collect();
        Some(Interchangeable { classes, refused: refused.collect() })
    }
    fn whole(&self, words: &[Word]) -> Whole {
        Whole::Network(self.world(words))
    }
}
