//! Collects everything declared, before any name is looked up: channels and
//! shared variables may be used before the line that declares them.

use crate::tree::{self, Declaration, Definition, Item, Tree, Word};
use base::{Diagnostic, Id, Name, Purpose, Span, nearest};
use model::{Channel, ChannelId, Model, ProcessId, Variable, VariableId};
use std::cell::Cell;
use std::collections::HashMap;

/// Limits for [`Scope::near`]: mistakes, declared names, letters.
const HINTS_MAX: usize = 100;
const CANDIDATES_MAX: usize = 1000;
const LENGTH_MAX: usize = 64;

/// All names of a model.
#[derive(Default)]
pub(crate) struct Scope<'a> {
    pub(crate) channels: HashMap<Name, ChannelId>,
    pub(crate) shared: HashMap<Name, VariableId>,
    /// The local variables of each process.
    pub(crate) locals: Vec<HashMap<Name, VariableId>>,
    pub(crate) procedures: Vec<&'a Definition>,
    pub(crate) procedure_names: HashMap<Name, usize>,
    pub(crate) process_names: HashMap<Name, Span>,
    property_names: HashMap<(Option<Purpose>, Name), Span>,
    /// How many more "did you mean" to look for.
    hints: Cell<usize>,
    /// Unknown names may be those of a declaration that could not be read.
    pub(crate) doubtful: bool,
}

impl Scope<'_> {
    /// The variable `name` as process `owner` sees it.
    pub(crate) fn variable(&self, owner: Option<usize>, name: &Name) -> Option<VariableId> {
        let local = owner.and_then(|owner| self.locals[owner].get(name));
        local.or_else(|| self.shared.get(name)).copied()
    }

    /// What `wanted` was probably meant to be. Looking is expensive, so long
    /// names, many names and many mistakes go without; for names of one or two
    /// letters any other would do.
    pub(crate) fn near<'n, I>(
        &self,
        wanted: &Name,
        candidates: impl FnOnce() -> I,
    ) -> Option<&'n Name>
    where
        I: IntoIterator<Item = &'n Name>,
    {
        let left = self.hints.get();
        if left == 0 || !(3..=LENGTH_MAX).contains(&wanted.len()) {
            return None;
        }
        self.hints.set(left - 1);
        let short = |name: &&Name| name.len() <= LENGTH_MAX;
        nearest(wanted, candidates().into_iter().take(CANDIDATES_MAX).filter(short))
    }
}

/// Reads all declarations. The model has its channels (still empty) and
/// variables; the rest is for [`super::inline`] to fill.
pub(crate) fn collect<'a>(tree: &'a Tree, diagnostics: &mut Vec<Diagnostic>) -> (Scope<'a>, Model) {
    let hints = Cell::new(HINTS_MAX);
    let scope = Scope { doubtful: tree.broken_declarations, hints, ..Scope::default() };
    let mut collector = Collector { scope, model: Model::default(), diagnostics };
    for item in &tree.items {
        match item {
            Item::Declaration(declaration) => collector.declaration(declaration, None),
            Item::Process(definition) => collector.process(definition),
            Item::Procedure(definition) => collector.procedure(definition),
            Item::Assertion(assertion) => collector.channels_only(&assertion.body),
            Item::Ltl(property) => collector.property(None, &property.name),
            Item::Predicate(purpose, it) => collector.property(Some(*purpose), &it.name),
        }
    }
    (collector.scope, collector.model)
}

struct Collector<'a, 'd> {
    scope: Scope<'a>,
    model: Model,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'a> Collector<'a, '_> {
    fn process(&mut self, definition: &'a Definition) {
        let name = &definition.name;
        if let Some(first) = self.scope.process_names.get(&name.name).copied() {
            self.twice("process", name, first);
        }
        self.scope.process_names.entry(name.name.clone()).or_insert(name.span);
        let owner = self.scope.locals.len();
        self.scope.locals.push(HashMap::new());
        for (_, declaration) in &definition.body.declarations {
            self.declaration(declaration, Some(owner));
        }
    }

    fn procedure(&mut self, definition: &'a Definition) {
        let name = &definition.name;
        if let Some(first) = self.scope.procedure_names.get(&name.name).copied() {
            let first = self.scope.procedures[first].name.span;
            self.twice("procedure", name, first);
        }
        let place = self.scope.procedures.len();
        self.scope.procedure_names.entry(name.name.clone()).or_insert(place);
        self.scope.procedures.push(definition);
        self.channels_only(&definition.body);
    }

    /// A formula, or a predicate of some purpose.
    fn property(&mut self, purpose: Option<Purpose>, name: &Word) {
        let key = (purpose, name.name.clone());
        if let Some(first) = self.scope.property_names.get(&key).copied() {
            self.twice(purpose.map_or("formula", Purpose::word), name, first);
        }
        self.scope.property_names.entry(key).or_insert(name.span);
    }

    /// Declarations where none may stand: `check` refuses them, but their
    /// channels are known, so that their uses are not reported as well.
    fn channels_only(&mut self, body: &'a tree::Body) {
        for (_, declaration) in &body.declarations {
            match declaration {
                Declaration::Channels(_) => self.declaration(declaration, None),
                Declaration::Variables(_) => self.scope.doubtful = true,
            }
        }
    }

    fn declaration(&mut self, declaration: &Declaration, owner: Option<usize>) {
        match declaration {
            Declaration::Channels(channels) => channels.iter().for_each(|it| self.channel(it)),
            Declaration::Variables(list) => list.iter().for_each(|it| self.variable(it, owner)),
        }
    }

    fn channel(&mut self, channel: &tree::Channel) {
        let name = &channel.name;
        if let Some(first) = self.scope.channels.get(&name.name).copied() {
            return self.twice("channel", name, self.model.channels[first].span);
        }
        let id = self.model.channels.push(Channel {
            name: name.name.clone(),
            span: name.span,
            capacity: channel.capacity,
            initial: Vec::new(),
        });
        self.scope.channels.insert(name.name.clone(), id);
    }

    fn variable(&mut self, variable: &tree::Variable, owner: Option<usize>) {
        let name = &variable.name;
        let known = match owner {
            Some(owner) => &mut self.scope.locals[owner],
            None => &mut self.scope.shared,
        };
        if let Some(first) = known.get(&name.name).copied() {
            return self.twice("variable", name, self.model.variables[first].span);
        }
        let id = self.model.variables.push(Variable {
            name: name.name.clone(),
            span: name.span,
            owner: owner.map(ProcessId::new),
            initial: variable.initial,
        });
        known.insert(name.name.clone(), id);
    }

    fn twice(&mut self, what: &str, name: &Word, first: Span) {
        let message = format!("{what} `{}` is declared twice", name.name);
        let found = Diagnostic::error("A0011", name.span, message)
            .label("declared again here")
            .other(first, "declared here first")
            .help("remove one of them, or give it another name");
        self.diagnostics.push(found);
    }
}
