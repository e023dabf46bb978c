//! Proctypes: what they declare, their bodies, and the finished program.

use super::labels::{Collector, Label, Visited, walk};
use super::remote::{END, Filler, Places};
use super::scope::{Scope, Symbol};
use super::types::{Field, Type};
use super::{Lowerer, labels, message};
use crate::flow;
use crate::listing::{self, Listing};
use crate::tree::{self, Body, Declaration, Item, Tree, Word};
use base::{Diagnostic, IdVec, Name, SourceMap, Span, StatePredicate};
use program::{
    Action, Claim, ClaimKind, EventTrace, Expr, Initial, Proctype, ProctypeId, Program, Scalar,
    Variable, VariableId, VariableRef,
};
use std::collections::HashMap;

/// A proctype being made.
pub(super) struct Draft {
    pub(super) name: Name,
    pub(super) span: Span,
    /// How many scalars its parameters come down to.
    pub(super) parameters: usize,
    pub(super) variables: IdVec<VariableId, Variable>,
    /// Symbols in order of declaration; none for broken ones.
    pub(super) declared: Vec<Option<Symbol>>,
    /// The first variable of each name, for remote references.
    pub(super) names: HashMap<Name, Symbol>,
    /// `_pid`, if the body receives into it: then it is a variable like others.
    own_number: Option<Symbol>,
    pub(super) labels: Vec<Label>,
    pub(super) body: Option<flow::Body>,
    pub(super) provided: Option<Expr>,
    provided_span: Option<Span>,
    priority: i32,
    deterministic: bool,
    pub(super) names_timeout: bool,
    instances: usize,
}

/// What watches: claims, predicates of states, and an event trace.
type Watching = (Vec<Claim>, Vec<StatePredicate<Expr>>, Option<EventTrace>);

impl Lowerer {
    /// Names, parameters, variables and labels of every proctype.
    pub(super) fn signatures(&mut self, tree: &Tree) {
        for item in &tree.items {
            let Item::Proctype(proctype) = item else { continue };
            let id = self.draft(&proctype.name.name, &proctype.parameters, &proctype.body);
            self.drafts[id].deterministic = proctype.deterministic;
            let name = &proctype.name;
            if let Some(first) = self.proctypes.get(&name.name).copied() {
                let first = self.drafts[first].span;
                self.redeclared("the proctype", name, first);
            } else if name.name.as_str() != "init" {
                self.drafts[id].span = name.span;
                self.proctypes.insert(name.name.clone(), id);
            } else {
                self.second_init(id, name.span);
            }
        }
    }

    fn second_init(&mut self, id: ProctypeId, span: Span) {
        let first = self
            .drafts
            .iter_ids()
            .find(|(known, draft)| *known != id && draft.name.as_str() == "init");
        if let Some(first) = first.map(|(_, draft)| draft.span) {
            self.redeclared("the process", &Word { name: Name::new("init"), span }, first);
        }
    }

    /// The declared part of a proctype or claim.
    pub(super) fn draft(
        &mut self,
        name: &Name,
        parameters: &[Declaration],
        body: &Body,
    ) -> ProctypeId {
        let mut draft = Draft {
            name: name.clone(),
            span: body.span,
            parameters: 0,
            variables: IdVec::new(),
            declared: Vec::new(),
            names: HashMap::new(),
            own_number: None,
            labels: Vec::new(),
            body: None,
            provided: None,
            provided_span: None,
            priority: 1,
            deterministic: false,
            names_timeout: false,
            instances: 0,
        };
        self.scope.surveying = true;
        for parameter in parameters {
            self.survey(parameter, &mut draft);
        }
        for (argument, variable) in draft.variables.iter_mut().enumerate() {
            variable.initial = Initial::Argument(argument);
        }
        draft.parameters = draft.variables.len();
        let mut collector = Collector::default();
        let mut overwritten = false;
        walk(&body.steps, &mut |visited| {
            match &visited {
                Visited::Declaration(declaration) => self.survey(declaration, &mut draft),
                Visited::Receive(patterns) => overwritten |= message::overwrites_pid(patterns),
                _ => {}
            }
            collector.meet(&visited);
        });
        if overwritten {
            draft.own_number = Some(self.own_number(body.span, &mut draft.variables));
        }
        self.scope.surveying = false;
        for (word, first) in collector.twice {
            let message = format!("the label `{}` stands twice", word.name);
            let found = Diagnostic::error("M0010", word.span, message)
                .label("second one")
                .other(first, "first one")
                .help("rename one of them");
            self.report(found);
        }
        draft.labels = collector.labels;
        self.drafts.push(draft)
    }

    /// A variable in the place of `_pid`.
    fn own_number(&mut self, span: Span, variables: &mut IdVec<VariableId, Variable>) -> Symbol {
        let name = Word { name: Name::new("_pid"), span };
        let initial = Initial::Value(Expr::Pid);
        let of = Type::Scalar(Scalar::Pid);
        let field =
            Field { name: name.name.clone(), span, of, length: None, initial, channel: None };
        self.declare(&field, &name, false, variables)
    }

    fn survey(&mut self, declaration: &Declaration, draft: &mut Draft) {
        for declarator in &declaration.variables {
            let field = self.field(declaration, declarator);
            let symbol = field.map(|field| {
                self.declare(&field, &declarator.name, declaration.hidden, &mut draft.variables)
            });
            if let Some(symbol) = &symbol {
                draft.names.entry(declarator.name.name.clone()).or_insert_with(|| symbol.clone());
            }
            draft.declared.push(symbol);
        }
    }

    pub(super) fn bodies(&mut self, tree: &Tree) {
        let proctypes = tree.items.iter().filter_map(|item| match item {
            Item::Proctype(proctype) => Some(proctype),
            _ => None,
        });
        let ids: Vec<ProctypeId> = self.drafts.ids().collect();
        for (proctype, id) in proctypes.zip(ids) {
            self.proctype_body(proctype, id);
        }
    }

    fn proctype_body(&mut self, proctype: &tree::Proctype, id: ProctypeId) {
        self.scope = Scope { proctype: Some(id), ..Scope::default() };
        let own_number = self.drafts[id].own_number.clone();
        let own_number = own_number.map(|symbol| (Name::new("_pid"), symbol));
        self.scope.blocks.push(own_number.into_iter().collect());
        for parameter in &proctype.parameters {
            self.parameter(parameter);
        }
        if let Some(priority) = &proctype.priority {
            self.uses.priorities = true;
            let value = self.constant(priority, "a priority", 1..=255);
            self.drafts[id].priority = value.unwrap_or(1);
        }
        let provided = proctype.provided.as_ref().map(|provided| self.value(provided));
        self.drafts[id].provided = provided;
        self.drafts[id].provided_span = proctype.provided.as_ref().map(|provided| provided.span);
        self.drafts[id].instances = match &proctype.active {
            None => 0,
            Some(None) => 1,
            Some(Some(count)) => {
                self.constant(count, "the number of processes", 0..=65535).unwrap_or(1) as usize
            }
        };
        if proctype.active.is_some() && self.drafts[id].parameters > 0 {
            self.active_parameters(&proctype.name);
        }
        let body = self.body(&proctype.body, false);
        self.drafts[id].body = Some(body);
        // What is read next, such as a formula, sees no locals of this proctype.
        self.scope = Scope::default();
    }

    /// SPIN gives the parameters of an active process the value 0.
    fn active_parameters(&mut self, name: &Word) {
        let message = format!("nobody gives `{}` its arguments", name.name);
        let found = Diagnostic::warning("N0009", name.span, message)
            .label("created at the start, with all parameters 0")
            .help("make the parameters local variables, or start it by `run`");
        self.report(found);
    }

    fn parameter(&mut self, declaration: &Declaration) {
        for declarator in &declaration.variables {
            if let Some(initial) = &declarator.initial {
                let span = match initial {
                    tree::Initial::Value(value) => value.span,
                    _ => declarator.span,
                };
                let found = Diagnostic::error("M0033", span, "a parameter with an initial value")
                    .label("its value comes from `run`")
                    .help("remove it");
                self.report(found);
            }
            self.enter(&declarator.name);
        }
    }

    pub(super) fn body(&mut self, body: &Body, claim: bool) -> flow::Body {
        self.scope.watches = claim;
        let code = self.sequence_open(&body.steps);
        self.scope.watches = false;
        let id = self.scope.proctype;
        let labels = id.map_or(&[][..], |id| self.drafts[id].labels.as_slice());
        let label = |label: &labels::Label| flow::Label { name: label.name.clone(), remote: false };
        let labels = labels.iter().map(label).collect();
        flow::Body { code, labels, end: body.steps.end, claim }
    }

    /// Builds the automata and puts everything together.
    pub(super) fn finish(
        &mut self,
        (mut claims, mut predicates, trace): Watching,
        tree: &Tree,
        sources: &SourceMap,
    ) -> Option<(Program, Listing)> {
        let start: Vec<ProctypeId> = self
            .drafts
            .iter_ids()
            .flat_map(|(id, draft)| std::iter::repeat_n(id, draft.instances))
            .collect();
        if start.is_empty() && !self.broken {
            self.nobody(tree);
        }
        let mut places = Places::new();
        let drafts = std::mem::take(&mut self.drafts);
        let mut proctypes: IdVec<ProctypeId, Proctype> = IdVec::new();
        let mut listings: IdVec<ProctypeId, flow::Draft> = IdVec::new();
        for (id, draft) in drafts.iter_ids() {
            let (proctype, listing) = self.automaton(id, draft, &mut places)?;
            proctypes.push(proctype);
            listings.push(listing);
        }
        let listing = listing::numbered(&listings, &in_order_of_text(tree));
        let lines = self.find_lines(&proctypes, sources);
        for (id, proctype) in proctypes.iter_ids() {
            places.entry((id, Name::new(END))).or_insert(proctype.end);
        }
        let filler = Filler(&places, &lines);
        predicates.iter_mut().for_each(|predicate| filler.expr(&mut predicate.holds));
        filler.proctypes(&mut proctypes);
        for claim in &mut claims {
            if let ClaimKind::Ltl(formula) = &mut claim.kind {
                formula.each_predicate_mut(&mut |expr| filler.expr(expr));
            }
        }
        let (mtypes, globals) =
            (std::mem::take(&mut self.mtypes), std::mem::take(&mut self.globals));
        let uses = self.uses;
        let program =
            Program { mtypes, globals, proctypes, start, claims, predicates, trace, uses };
        Some((program, listing))
    }

    fn nobody(&mut self, tree: &Tree) {
        let found = Diagnostic::error("M0030", tree.end, "nothing runs")
            .label("no process is alive at the start")
            .help("add `init { ... }`, or write `active` before a proctype");
        self.report(found);
    }

    fn automaton(
        &mut self,
        id: ProctypeId,
        draft: &Draft,
        places: &mut Places,
    ) -> Option<(Proctype, flow::Draft)> {
        let mut body = draft.body.clone()?;
        for (label, known) in body.labels.iter_mut().zip(&draft.labels) {
            label.remote = known.remote;
        }
        let built = flow::build(&body);
        for (label, location) in body.labels.iter().zip(&built.labels) {
            if let Some(location) = location {
                places.entry((id, label.name.clone())).or_insert(*location);
            }
        }
        let idle = built
            .edges
            .iter()
            .filter(|edge| edge.from == edge.to && edge.action == Action::Skip && !body.claim);
        for span in built.endless.iter().copied().chain(idle.map(|edge| edge.span)) {
            let found = Diagnostic::remark("N0005", span, "SPIN refuses a loop that does nothing")
                .label("leads to itself")
                .help("put a condition or a statement with an effect into the loop");
            self.report(found);
        }
        if !body.claim {
            self.unseen_labels(draft, &built);
        }
        let proctype = Proctype {
            name: draft.name.clone(),
            span: draft.span,
            parameters: draft.parameters,
            variables: draft.variables.clone(),
            start: built.start,
            end: built.end,
            locations: built.locations,
            edges: built.edges,
            provided: draft.provided.clone(),
            provided_span: draft.provided_span,
            priority: draft.priority,
            deterministic: draft.deterministic,
            names_timeout: draft.names_timeout,
        };
        Some((proctype, built.listing))
    }

    /// Makes a declared variable visible from here on; its symbol waits.
    pub(super) fn enter(&mut self, name: &Word) -> Option<Symbol> {
        let id = self.scope.proctype?;
        let index = self.scope.declared;
        self.scope.declared += 1;
        let symbol = self.drafts[id].declared.get(index).cloned().flatten()?;
        let here = self.scope.blocks.last().and_then(|block| block.get(&name.name));
        let clash = here.map(|known| known.span);
        let clash = clash.or(self.constants.get(&name.name).map(|(_, span)| *span));
        if let Some(first) = clash {
            self.redeclared("the variable", name, first);
        } else if let Some(known) = self.find(&name.name) {
            let first = known.span;
            let message = format!("SPIN refuses `{}`, which hides another variable", name.name);
            let found = Diagnostic::remark("N0006", name.span, message)
                .other(first, "this one")
                .help("rename one of them");
            self.report(found);
        }
        if let Some(block) = self.scope.blocks.last_mut() {
            block.insert(name.name.clone(), symbol.clone());
        }
        Some(symbol)
    }

    /// The first leaf of a structure, or the variable itself.
    pub(super) fn is_plain(symbol: &Symbol) -> bool {
        matches!(symbol.of, Type::Scalar(_))
    }

    pub(super) fn local_mut(&mut self, symbol: &Symbol) -> Option<&mut Variable> {
        let id = self.scope.proctype?;
        Some(&mut self.drafts[id].variables[symbol.first])
    }

    /// A variable the user did not write.
    pub(super) fn hidden_local(&mut self, variable: Variable) -> Option<VariableRef> {
        let id = self.scope.proctype?;
        Some(VariableRef::Local(self.drafts[id].variables.push(variable)))
    }
}

/// The proctypes in the order in which their bodies stand in the text. Claims and
/// traces have ids behind those of all others.
fn in_order_of_text(tree: &Tree) -> Vec<ProctypeId> {
    let is_proctype = |item: &&Item| matches!(item, Item::Proctype(_));
    let (mut proctype, mut watcher) = (0, tree.items.iter().filter(is_proctype).count());
    let mut order = Vec::new();
    for item in &tree.items {
        let next = match item {
            Item::Proctype(_) => &mut proctype,
            Item::Never(..) | Item::Trace { .. } => &mut watcher,
            _ => continue,
        };
        order.push(base::Id::new(*next));
        *next += 1;
    }
    order
}
