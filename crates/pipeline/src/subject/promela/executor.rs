//! Which executor searches a program.

use crate::subject::{Boxed, Searchable, Systems};
use crate::workflow::{self, Workflow};
use crate::{Engine, Options};
use engine::program::{
    Closures, Executor, Followed, Form, Knowledge, Refused, Swift, compile, compile_recording, pack,
};
use packed::Backend;
use program::Program;
use program::reference::Rules;

/// What earlier searches of a program found out about its states.
#[derive(Default)]
pub(super) struct Learned {
    /// How many words they need as bytes.
    pub(super) width: usize,
    /// Which processes are in them.
    pub(super) knowledge: Knowledge,
}

impl Learned {
    /// The only system of a search; another one would be twice as wide.
    fn widening<'a>(&mut self, system: impl Searchable + 'a) -> Systems<'a> {
        self.width = system.width() * 2;
        Systems::new(vec![Box::new(system)])
    }
}

/// The packed form by machine code or closures; closures on bytes where the program holds
/// something that has no packed form or a search asks what steps touch; the reference
/// interpreter where the user asks for it or the closures do not do something either.
///
/// # Errors
/// The initial values of the program fail, or something is not kept by a reduction.
pub(super) fn systems<'a>(
    program: &'a Program,
    rules: Rules,
    learned: &mut Learned,
    workflow: &Workflow,
    options: &Options,
) -> Result<Systems<'a>, Refused> {
    if workflow.asks_of_steps() {
        let compiled = match workflow.reduces() {
            false => compile(program, rules, learned.width),
            true => compile_recording(program, rules, learned.width, options.relation()),
        };
        return Ok(learned.widening(compiled?));
    }
    let mut fallback = None;
    if options.engine != Engine::Reference {
        match pack(program, rules, std::mem::take(&mut learned.knowledge)) {
            Ok(form) => return Ok(packed(form, options)),
            Err(Refused::Unsupported(what)) => fallback = Some(what),
            Err(failure) => return Err(failure),
        }
        match compile(program, rules, learned.width) {
            // Only the interpreter and packed forms know where things are.
            Ok(_) if workflow.folds() => {}
            Ok(system) => return Ok(learned.widening(system)),
            Err(Refused::Unsupported(what)) => fallback = Some(what),
            Err(failure) => return Err(failure),
        }
    }
    let system = Followed::new(program, rules, learned.width).map_err(Refused::Failure)?;
    Ok(Systems { fallback, ..learned.widening(system) })
}

fn packed<'a>(form: Form<'a>, options: &Options) -> Systems<'a> {
    if options.engine == Engine::Jit {
        let lazy = jit::Lazy::new(form.packed());
        let systems = on(&lazy, form, options);
        let compile_time = Box::new(move || lazy.compile_time());
        return Systems { compile_time, ..Systems::new(systems) };
    }
    let closures = packed::closures(form.packed());
    Systems::new(on(&closures, form, options))
}

/// One system per thread, by the same back end.
fn on<'a, B: Backend + Clone + Send + 'a>(
    backend: &B,
    form: Form<'a>,
    options: &Options,
) -> Vec<Boxed<'a>> {
    let copies: Vec<Form<'a>> = (1..workflow::systems(options)).map(|_| form.copy()).collect();
    let forms = std::iter::once(form).chain(copies);
    forms.map(|form| Box::new(form.on(backend.clone())) as Boxed<'a>).collect()
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
    };
}

impl<B: Backend + Send> Searchable for Swift<'_, B> {
    searchable!();
    fn knowledge(&self) -> Option<Knowledge> {
        Some(Swift::knowledge(self))
    }
}

impl Searchable for Closures {
    searchable!();
}

impl Searchable for Followed<'_> {
    searchable!();
}
