//! Which executor searches a program.

use crate::subject::{Boxed, Interchangeable, Searchable, Systems, Whole};
use crate::workflow::Workflow;
use crate::{Engine, Fair, Options};
use engine::program::{Executor, Form, Knowledge, PackedProgram, ReferenceProgram, Refused, pack};
use packed::Backend;
use program::reference::Rules;
use program::{Expr, Program};
use system::Word;

/// What earlier searches of a program found out about its states.
#[derive(Default)]
pub(super) struct Learned {
    /// How many words they need as bytes.
    pub(super) width: usize,
    /// Which processes are in them.
    pub(super) knowledge: Knowledge,
    /// How often a search began again.
    pub(super) restarts: u32,
}

impl Learned {
    /// The only system of a search; another one would be twice as wide.
    fn widening<'a>(&mut self, system: impl Searchable + 'a) -> Systems<'a> {
        self.width = system.width() * 2;
        Systems::new(vec![Box::new(system)])
    }
}

/// The packed form by machine code or closures; the reference interpreter where the program
/// holds something that has no packed form or the user asks for it. Only packed forms know
/// what steps access.
///
/// # Errors
/// The initial values of the program fail.
pub(super) fn systems<'a>(
    program: &'a Program,
    rules: Rules,
    learned: &mut Learned,
    workflow: &Workflow,
    options: &Options,
    atoms: &[Expr],
) -> Result<Systems<'a>, Refused> {
    let mut fallback = None;
    if options.engine != Engine::Reference || workflow.asks_of_steps() {
        match pack(program, rules, std::mem::take(&mut learned.knowledge)) {
            Ok(form) => return Ok(packed(form, learned.restarts, workflow, options, atoms)),
            Err(Refused::Unsupported(what)) => fallback = Some(what),
            Err(failure) => return Err(failure),
        }
    }
    let system = ReferenceProgram::new(program, rules, learned.width).map_err(Refused::Failure)?;
    Ok(Systems { fallback, ..learned.widening(system.with_atoms(atoms)) })
}

fn packed<'a>(
    form: Form<'a>,
    restarts: u32,
    workflow: &Workflow,
    options: &Options,
    atoms: &[Expr],
) -> Systems<'a> {
    if options.engine == Engine::Jit {
        let lazy = jit::Lazy::within(form.packed(), restarts, workflow.lasts());
        let systems = on(&lazy, form, workflow, options, atoms);
        let compile_time = Box::new(move || lazy.compile_time());
        return Systems { compile_time, ..Systems::new(systems) };
    }
    let closures = packed::closures(form.packed());
    Systems::new(on(&closures, form, workflow, options, atoms))
}

/// One system per thread, by the same back end.
fn on<'a, B: Backend + Clone + Send + 'a>(
    backend: &B,
    form: Form<'a>,
    workflow: &Workflow,
    options: &Options,
    atoms: &[Expr],
) -> Vec<Boxed<'a>> {
    let is_fair = !atoms.is_empty() && options.fair != Fair::None;
    let table = (workflow.asks_of_steps() || is_fair).then(|| form.accesses());
    let copies: Vec<Form<'a>> = (1..workflow.systems(options)).map(|_| form.clone()).collect();
    let forms = std::iter::once(form).chain(copies);
    let systems = forms.map(|form| form.on(backend.clone())).map(|system| match &table {
        Some(table) => system.with_accesses(table, options.relation()),
        None => system,
    });
    let systems = systems.map(|system| system.with_atoms(atoms));
    systems.map(|system| Box::new(system) as Boxed<'a>).collect()
}

/// What every executor of programs says of itself.
macro_rules! searchable {
    () => {
        fn is_too_narrow(&self) -> bool {
            Executor::is_too_narrow(self)
        }
        fn needs_long_numbers(&self) -> bool {
            Executor::needs_long_numbers(self)
        }
        fn met_uncounted_error(&self) -> bool {
            Executor::met_uncounted_error(self)
        }
        fn executed_edges(&self) -> Vec<Vec<bool>> {
            Executor::executed(self)
        }
        fn whole(&self, words: &[Word]) -> Whole {
            Whole::Program(self.state(words))
        }
    };
}

impl<B: Backend + Send> Searchable for PackedProgram<'_, B> {
    searchable!();
    fn knowledge(&self) -> Option<Knowledge> {
        Some(PackedProgram::knowledge(self))
    }
    fn interchangeable(&self) -> Option<Interchangeable> {
        let exchange = self.exchange();
        let classes = exchange.classes.iter().map(|it| format!("{} {}", it.count, it.proctype));
        let refused = exchange.refused.iter().map(|(process, reason)| {
            (process.to_string(), reason.words.clone(), Some(reason.span))
        });
        Some(Interchangeable { classes: classes.collect(), refused: refused.collect() })
    }
}

impl Searchable for ReferenceProgram<'_> {
    searchable!();
}
