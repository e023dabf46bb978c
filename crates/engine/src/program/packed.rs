//! PROMELA programs in packed form, for the executors of the crate `packed`.
//!
//! A program comes in that the verifier accepts. A short search (`scout`) sees which
//! processes there are, `layout` gives everything its bits, and each edge is lowered for
//! each process apart (`edge`, `value`, `message`, `create`). What is rare is given up,
//! and [`Closures`](super::Closures) answer (`slow`, `convert`). A state with a process
//! nobody has seen before has no room: the search is told so, as by the other executors
//! when a state is too wide, and begins again with what was learned ([`Knowledge`]).

mod anatomy;
mod build;
mod convert;
mod create;
mod edge;
mod facts;
mod knowledge;
mod layout;
mod message;
mod pack;
mod range;
mod scope;
mod scout;
mod slow;
mod value;

pub use knowledge::Knowledge;

use super::{Executor, Refused};
use ::packed::{Backend, Driver, Packed};
use facts::Facts;
use layout::{Layout, Plan};
use program::reference::{self, Rules, State};
use program::{Expr, Proctype, ProctypeId, Program};
use range::Ranges;
use scope::Lowering;
use slow::{Bytes, Fallback};
use std::cell::RefCell;
use std::sync::Arc;
use system::{Agents, Blocked, Budget, EdgeCoverage, Parts, Successors, System, Word};

/// A program in packed form, with all that is needed to answer for states that are
/// given up.
pub struct Form<'a> {
    program: &'a Program,
    rules: Rules,
    facts: Arc<Facts>,
    layout: Arc<Layout>,
    knowledge: Knowledge,
    /// Who answers for states that are given up.
    bytes: RefCell<Bytes<'a>>,
    packed: Arc<Packed>,
}

/// A program run in packed form.
pub struct Swift<'a, B> {
    driver: Driver<B, Fallback<'a>>,
    /// For each slot and each value of where it stands whether it is alone with itself.
    inward: Vec<Vec<bool>>,
}

/// A `run` is lowered for each slot that may be free: with thousands of processes, each
/// of which creates others, forms would be larger than the states they save.
const PROCESSES_MAX: usize = 128;

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
    let mut starts = knowledge.surprises();
    starts.push(initial.clone());
    let mut bytes = Bytes::new(program, rules, &starts)?;
    scout::scout(&bytes, &facts, &starts, &mut knowledge);
    bytes.closures.forget();
    if knowledge.slots().len() > PROCESSES_MAX {
        return Err(Refused::Unsupported("more than 128 processes at once"));
    }
    let ranges = Ranges::new(program, &rules, &initial);
    let plan =
        Plan { program, rules: &rules, facts: &facts, ranges: &ranges, knowledge: &knowledge };
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
        asks_timeout: processes(program).any(|(_, kind)| kind.asks_timeout()),
        marks: program.proctypes.iter().map(|kind| kind.edges.len()).sum(),
    });
    let (facts, layout, bytes) = (Arc::new(facts), Arc::new(layout), RefCell::new(bytes));
    Ok(Form { program, rules, facts, layout, knowledge, bytes, packed })
}

/// The proctypes that processes are of: not claims, and not the event trace.
fn processes(program: &Program) -> impl Iterator<Item = (ProctypeId, &Proctype)> {
    let is_claim = |id: ProctypeId| {
        program.claims.iter().any(|claim| claim.kind == program::ClaimKind::Never(id))
    };
    program.proctypes.iter_ids().filter(move |(id, _)| !is_claim(*id))
}

/// What of a program is not lowered, if there is anything.
fn unsupported(program: &Program, rules: &Rules) -> Option<&'static str> {
    let asks =
        |wanted: &dyn Fn(&Expr) -> bool| processes(program).any(|(_, kind)| kind.mentions(wanted));
    if rules.claim.is_some() {
        Some("a never claim")
    } else if program.trace.is_some() {
        Some("an event trace")
    } else if program.uses.priorities {
        Some("priorities")
    } else if asks(&|expr| matches!(expr, Expr::Enabled(_) | Expr::PcValue(_))) {
        Some("`enabled` or `pc_value`")
    } else if asks(&|expr| *expr == Expr::NonProgress) {
        Some("`np_`")
    } else if processes(program).any(|(_, kind)| kind.deterministic) {
        Some("a D_proctype")
    } else {
        None
    }
}

impl<'a> Form<'a> {
    /// The packed form, to make a back end of.
    pub fn packed(&self) -> &Arc<Packed> {
        &self.packed
    }

    /// Another one of the same program, for another thread.
    pub fn copy(&self) -> Form<'a> {
        Form {
            program: self.program,
            rules: self.rules,
            facts: Arc::clone(&self.facts),
            layout: Arc::clone(&self.layout),
            knowledge: self.knowledge.clone(),
            bytes: RefCell::new(self.bytes.borrow().copy()),
            packed: Arc::clone(&self.packed),
        }
    }

    /// Closures as the back end.
    pub fn on_closures(self) -> Swift<'a, Arc<::packed::Closures>> {
        let backend = ::packed::closures(&self.packed);
        self.on(backend)
    }

    /// The system, with a back end made of [`Form::packed`].
    pub fn on<B: Backend>(self, backend: B) -> Swift<'a, B> {
        let packed = Arc::clone(&self.packed);
        let inward = anatomy::inward(&self);
        Swift { driver: Driver::new(packed, backend, Fallback::new(self)), inward }
    }
}

impl<B: Backend> Swift<'_, B> {
    /// What is known by now, to begin again with.
    pub fn knowledge(&self) -> Knowledge {
        let mut knowledge = self.driver.slow().knowledge.borrow().clone();
        knowledge.begin_again();
        knowledge
    }

    /// How many states were given up so far.
    pub fn bails(&self) -> u64 {
        self.driver.bails()
    }

    /// The state these words stand for.
    pub fn state(&self, words: &[Word]) -> State {
        let form = self.driver.slow().form();
        convert::decode(form.program, &form.layout, words)
    }

    /// The words of a state, if there is room for it.
    pub fn words(&self, state: &State) -> Option<Vec<Word>> {
        let layout = &self.driver.slow().form().layout;
        let mut words = vec![0; layout.width];
        convert::encode(layout, state, &mut words).map(|()| words)
    }
}

impl<B: Backend> Executor for Swift<'_, B> {
    fn is_too_narrow(&self) -> bool {
        self.driver.slow().too_narrow.get()
    }

    fn needs_long_numbers(&self) -> bool {
        self.driver.slow().needs_long_numbers()
    }

    fn met_uncounted_error(&self) -> bool {
        self.driver.slow().told().uncounted
    }

    fn executed(&self) -> Vec<Vec<bool>> {
        let mut executed = self.driver.slow().told().executed.clone();
        let marks = self.driver.marks();
        let edges = executed.iter_mut().flatten();
        edges.zip(marks.iter()).for_each(|(executed, mark)| *executed |= *mark);
        executed
    }
}

impl<B: Backend> System for Swift<'_, B> {
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

    fn agents(&self) -> Option<&dyn Agents> {
        self.driver.agents()
    }

    fn parts(&self) -> Option<&dyn Parts> {
        Some(self)
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.driver.blocked(state)
    }
}

/// [`Executor::executed`] has it, by proctypes.
impl<B: Backend> EdgeCoverage for Swift<'_, B> {
    fn executed(&self, _: &mut dyn FnMut(u32, u32)) {}
}
