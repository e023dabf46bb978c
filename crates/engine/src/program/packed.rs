//! PROMELA programs in packed form, for the executors of the crate `packed`.
//!
//! A program comes in that the verifier accepts. A short search (`scout`) sees which
//! processes there are, `layout` gives everything its bits, and each edge is lowered for
//! each process apart (`edge`, `value`, `message`, `create`). What is rare is given up,
//! and the reference interpreter answers (`fallback`, `convert`). A state with a process
//! nobody has seen before has no room: the search is told so, as by the interpreter
//! when a state is too wide, and begins again with what was learned ([`Knowledge`]).

mod access;
mod aim;
mod anatomy;
mod assured;
mod atoms;
mod build;
mod claim;
mod convert;
mod create;
mod edge;
mod event;
mod facts;
mod fallback;
mod knowledge;
mod layout;
mod message;
mod pack;
mod range;
mod scope;
mod scout;
mod symmetry;
mod value;

pub use knowledge::Knowledge;
pub use symmetry::Exchange;

use super::{Executor, Refused};
use ::packed::{AccessTable, Backend, Driver, Estimates, Packed};
use atoms::Atoms;
use base::IdVec;
use facts::Facts;
use fallback::ReferenceFallback;
use knowledge::Incarnation;
use layout::{Layout, Plan};
use program::reference::{self, Rules, State};
use program::{Expr, Proctype, ProctypeId, Program};
use range::Ranges;
use scope::Lowering;
use scout::Scout;
use std::cell::OnceCell;
use std::sync::Arc;
use system::{
    Agents, Blocked, Budget, Dependency, Distances, EdgeCoverage, Independence, Letter, Letters,
    Participants, Parts, PersistentSets, Processes, Successors, Symmetry, System, Transition, Word,
};

/// A program in packed form, with all that is needed to answer for states that are
/// given up; one for each thread.
#[derive(Clone)]
pub struct Form<'a> {
    program: &'a Program,
    rules: Rules,
    facts: Arc<Facts>,
    layout: Arc<Layout>,
    knowledge: Knowledge,
    packed: Arc<Packed>,
}

/// A program run in packed form.
pub struct PackedProgram<'a, B> {
    driver: Driver<B, ReferenceFallback<'a>>,
    /// For each slot and each value of where it stands whether it is alone with itself.
    local: Vec<Vec<bool>>,
    /// The propositions whose letters it tells.
    atoms: Option<Atoms>,
    /// Who can be exchanged, once a search asks.
    exchange: OnceCell<Exchange>,
    /// Made when a search first asks for distances.
    aim: OnceCell<Estimates>,
}

/// At the limit of 255 the reference interpreter decides whether a `run` fails: stays below it.
const PROCESSES_MAX: usize = 250;
/// A `run` is lowered for each slot that may be free: with hundreds of processes, each of which
/// creates others, forms would be larger than the states they save.
const BIRTHS_MAX: usize = 1 << 16;

/// Lowers `program`, with room for what is known of it and what a short search shows.
///
/// # Errors
/// The initial values of the program fail, or it holds something unsupported.
pub fn pack(
    program: &Program,
    rules: Rules,
    mut knowledge: Knowledge,
) -> Result<Form<'_>, Refused> {
    if let Some(reason) = unsupported(program, &rules) {
        return Err(Refused::Unsupported(reason));
    }
    let initial = reference::initial(program, &rules).map_err(Refused::Failure)?;
    let facts = Facts::new(program, &initial);
    if let Some(reason) = event::unsupported(program, &facts, &initial) {
        return Err(Refused::Unsupported(reason));
    }
    knowledge.adapt(program, &facts);
    let mut starts = knowledge.failed_speculations();
    if knowledge.learn(program, &facts, &initial) {
        starts.push(initial.clone());
    }
    Scout { program, rules: &rules, facts: &facts, knowledge: &mut knowledge }.look(&starts);
    if knowledge.slots().len() > PROCESSES_MAX {
        return Err(Refused::Unsupported("more than 250 processes at once"));
    }
    if births(program, &knowledge) > BIRTHS_MAX {
        return Err(Refused::Unsupported("too many processes that create others"));
    }
    let ranges = Ranges::new(program, &rules, &initial);
    let claim = initial.claim.as_ref().map(|claim| Incarnation::of_claim(claim, &facts));
    let (known, claim) = (&knowledge, claim.as_ref());
    let plan =
        Plan { program, rules: &rules, facts: &facts, ranges: &ranges, knowledge: known, claim };
    let layout = layout::lay_out(plan);
    let lowering = Lowering { program, rules: &rules, facts: &facts, layout: &layout };
    if !lowering.clauses_are_safe() {
        return Err(Refused::Unsupported("a `provided` clause that can fail"));
    }
    let mut words = vec![0; layout.width];
    let fits = convert::encode(&layout, &initial, &mut words);
    debug_assert!(fits.is_some(), "the initial state is known");
    let packed = Arc::new(Packed {
        width: layout.width,
        telling: layout.telling,
        initial: words,
        agents: lowering.agents(),
        claim: lowering.claim(),
        asks_timeout: processes(program).any(|(_, kind)| kind.asks_timeout()),
        marks: program.proctypes.iter().map(|kind| kind.edges.len()).sum::<usize>() + 1,
    });
    let (facts, layout) = (Arc::new(facts), Arc::new(layout));
    Ok(Form { program, rules, facts, layout, knowledge, packed })
}

/// The proctypes that processes are of: not claims, and not the event trace.
fn processes(program: &Program) -> impl Iterator<Item = (ProctypeId, &Proctype)> {
    program.proctypes.iter_ids().filter(|(id, _)| program.is_process(*id))
}

/// For how many slots a `run` is lowered, all in all.
fn births(program: &Program, knowledge: &Knowledge) -> usize {
    let is_run = |expr: &Expr| matches!(expr, Expr::Run { .. });
    let creates = |edge: &&program::Edge| edge.action.mentions(&is_run);
    let runs = |kind: &Proctype| kind.edges.iter().filter(creates).count();
    let runs: IdVec<ProctypeId, usize> = program.proctypes.iter().map(runs).collect();
    let slots = knowledge.slots();
    let births = slots.iter().enumerate().flat_map(|(pid, incarnations)| {
        incarnations.iter().map(move |it| (it.proctype, slots.len() - pid - 1))
    });
    births.map(|(proctype, free)| runs[proctype] * free).sum()
}

/// What of a program has no packed form, if there is anything.
fn unsupported(program: &Program, rules: &Rules) -> Option<&'static str> {
    let claim = rules.claim.map(|id| &program.proctypes[id]);
    let mut executed = processes(program).map(|(_, kind)| kind).chain(claim);
    if program.uses.priorities {
        Some("priorities")
    } else if executed.any(|kind| kind.mentions(&|expr| matches!(expr, Expr::Enabled(_)))) {
        Some("`enabled`")
    } else if processes(program).any(|(_, kind)| kind.deterministic) {
        Some("a D_proctype")
    } else {
        claim.and_then(claim::unsupported)
    }
}

impl<'a> Form<'a> {
    /// The packed form, to make a back end of.
    pub fn packed(&self) -> &Arc<Packed> {
        &self.packed
    }

    /// What its edges access.
    pub fn accesses(&self) -> AccessTable {
        let Self { program, rules, facts, layout, .. } = self;
        Lowering { program, rules, facts, layout }.accesses()
    }

    /// Closures as the back end.
    pub fn on_closures(self) -> PackedProgram<'a, Arc<::packed::Closures>> {
        let backend = ::packed::closures(&self.packed);
        self.on(backend)
    }

    /// The system, with a back end made of [`Form::packed`].
    pub fn on<B: Backend>(self, backend: B) -> PackedProgram<'a, B> {
        let packed = Arc::clone(&self.packed);
        let local = anatomy::local(&self);
        let driver = Driver::new(packed, backend, ReferenceFallback::new(self));
        PackedProgram {
            driver,
            local,
            atoms: None,
            exchange: OnceCell::new(),
            aim: OnceCell::new(),
        }
    }
}

impl<B: Backend> PackedProgram<'_, B> {
    /// With what its edges access, and which of them depend on each other.
    pub fn with_accesses(self, table: &AccessTable, dependency: Dependency) -> Self {
        Self { driver: self.driver.with_accesses(table, dependency), ..self }
    }

    /// With atomic propositions, which must not fail where nothing else does; what edges access is
    /// known before.
    pub fn with_atoms(self, atoms: &[Expr]) -> Self {
        let atoms = Atoms::new(self.driver.fallback().form(), atoms);
        let driver = match atoms.lowered() {
            [] => self.driver,
            observed => self.driver.observed(observed),
        };
        Self { driver, atoms: Some(atoms), ..self }
    }

    /// Who can be exchanged.
    pub fn exchange(&self) -> &Exchange {
        self.exchange.get_or_init(|| self.driver.fallback().form().exchange())
    }

    /// What is known by now, to begin again with.
    pub fn knowledge(&self) -> Knowledge {
        let mut knowledge = self.driver.fallback().knowledge.borrow().clone();
        knowledge.begin_again();
        knowledge
    }

    /// How many states were given up so far.
    pub fn bails(&self) -> u64 {
        self.driver.bails()
    }

    /// The state these words stand for.
    pub fn state(&self, words: &[Word]) -> State {
        self.driver.fallback().state(words)
    }

    /// The words of a state, if there is room for it.
    pub fn words(&self, state: &State) -> Option<Vec<Word>> {
        let layout = &self.driver.fallback().form().layout;
        let mut words = vec![0; layout.width];
        convert::encode(layout, state, &mut words).map(|()| words)
    }
}

impl<B: Backend> Executor for PackedProgram<'_, B> {
    fn is_too_narrow(&self) -> bool {
        self.driver.fallback().too_narrow.get()
    }

    fn needs_long_numbers(&self) -> bool {
        self.driver.fallback().stepper.needs_long_numbers()
    }

    fn met_uncounted_error(&self) -> bool {
        self.driver.fallback().stepper.met_uncounted_error()
    }

    fn executed(&self) -> Vec<Vec<bool>> {
        let mut executed = self.driver.fallback().stepper.executed();
        let marks = self.driver.marks();
        let edges = executed.iter_mut().flatten();
        edges.zip(marks.iter()).for_each(|(executed, mark)| *executed |= *mark);
        executed
    }
}

impl<B: Backend> System for PackedProgram<'_, B> {
    fn width(&self) -> usize {
        self.driver.width()
    }

    fn identity_words(&self) -> usize {
        self.driver.identity_words()
    }

    fn initial(&self, words: &mut [Word]) {
        self.driver.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        self.driver.successors(state, out, budget)
    }

    fn edge_coverage(&self) -> Option<&dyn EdgeCoverage> {
        Some(self)
    }

    fn has_first_step_sleep(&self) -> bool {
        self.driver.has_first_step_sleep()
    }

    fn has_sequences(&self) -> bool {
        self.driver.has_sequences()
    }

    fn agents(&self) -> Option<&dyn Agents> {
        self.driver.agents()
    }

    fn independence(&self) -> Option<&dyn Independence> {
        self.driver.independence()
    }

    fn persistent_sets(&self) -> Option<&dyn PersistentSets> {
        self.driver.persistent_sets()
    }

    fn parts(&self) -> Option<&dyn Parts> {
        Some(self)
    }

    fn symmetry(&self) -> Option<&dyn Symmetry> {
        let exchange = Some(self.exchange()).filter(|exchange| !exchange.classes.is_empty());
        exchange.map(|exchange| exchange as &dyn Symmetry)
    }

    fn letters(&self) -> Option<&dyn Letters> {
        self.atoms.as_ref().map(|_| self as &dyn Letters)
    }

    fn participants(&self) -> Option<&dyn Participants> {
        Some(self)
    }

    fn distances(&self) -> Option<&dyn Distances> {
        Some(self)
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.driver.blocked(state)
    }
}

impl<B: Backend> Letters for PackedProgram<'_, B> {
    fn letter(&self, state: &[Word]) -> Option<Letter> {
        let form = self.driver.fallback().form();
        self.atoms.as_ref()?.letter(form, state, || self.state(state))
    }

    fn read_set(&self) -> Option<&[usize]> {
        self.atoms.as_ref()?.read_set()
    }

    fn distance(&self, state: &[Word], number: usize, truth: bool) -> Option<u32> {
        self.atoms.as_ref()?.distance(state, number, truth)
    }
}

impl<B: Backend> Participants for PackedProgram<'_, B> {
    fn move_alone(&self) -> bool {
        self.driver.move_alone()
    }

    fn of_transition(&self, transition: Transition) -> Option<Processes> {
        match self.driver.fallback().stepper.rules.only_senders_move {
            true => self.driver.movers(transition),
            false => self.driver.of_transition(transition),
        }
    }

    fn of_steps(&self, state: &[Word]) -> Option<Vec<Processes>> {
        self.driver.fallback().stepper.participants(&self.state(state))
    }
}

impl<B: Backend> Distances for PackedProgram<'_, B> {
    fn distance(&self, state: &[Word]) -> u32 {
        let aim = self.aim.get_or_init(|| {
            let Form { program, rules, facts, layout, packed, .. } = self.driver.fallback().form();
            let lowering = Lowering { program, rules, facts, layout };
            Estimates::new(packed, vec![lowering.asserts_next()])
        });
        aim.distance(state, 0, true).unwrap_or(0)
    }
}

/// [`Executor::executed`] has it, by proctypes.
impl<B: Backend> EdgeCoverage for PackedProgram<'_, B> {
    fn executed(&self, _: &mut dyn FnMut(u32, u32)) {}
}
