//! A [`Tree`] in, a [`Program`] out: names become ids, structures become their
//! scalar leaves, statements become actions, bodies become automata.
//!
//! Order of work: symbolic constants, structures, global variables, then the
//! variables and labels of every proctype (a remote reference may ask for them
//! before they are read), then the bodies, the formulas, and last the automata,
//! which need to know which labels were asked for.

mod constant;
mod declare;
mod expr;
mod formula;
mod labels;
mod loops;
mod message;
mod place;
mod print;
mod proctype;
mod remote;
mod scope;
mod statement;
mod types;
mod unseen;
mod watcher;

use crate::listing::Listing;
use crate::tree::{Item, Tree, Word};
use base::{Diagnostic, IdVec, Name, SourceMap, Span, nearest};
use proctype::Draft;
use program::{
    Claim, ClaimKind, EventTrace, MtypeId, MtypeSet, ProctypeId, Program, Uses, Variable,
    VariableId,
};
use scope::{Scope, Symbol};
use std::collections::{BTreeMap, HashMap};
use types::Structure;

/// Resolves `tree`; no program if something was wrong.
pub(crate) fn lower(
    tree: &Tree,
    sources: &SourceMap,
) -> (Option<(Program, Listing)>, Vec<Diagnostic>) {
    let mut lowerer = Lowerer { broken: tree.broken, ..Lowerer::default() };
    lowerer.constants(tree);
    lowerer.structures(tree);
    lowerer.globals(tree);
    lowerer.signatures(tree);
    lowerer.bodies(tree);
    let (claims, trace) = lowerer.claims(tree);
    let predicates = lowerer.predicates(tree);
    let program = lowerer.finish((claims, predicates, trace), tree, sources);
    (program, lowerer.diagnostics)
}

#[derive(Default)]
struct Lowerer {
    /// Some text could not be read, so unknown names prove nothing.
    broken: bool,
    diagnostics: Vec<Diagnostic>,
    mtypes: IdVec<MtypeId, MtypeSet>,
    sets: HashMap<Name, MtypeId>,
    /// Symbolic constants: their value and where they are declared.
    constants: HashMap<Name, (i32, Span)>,
    structures: Vec<Structure>,
    globals: IdVec<VariableId, Variable>,
    symbols: HashMap<Name, Symbol>,
    drafts: IdVec<ProctypeId, Draft>,
    proctypes: HashMap<Name, ProctypeId>,
    /// What is visible where we are.
    scope: Scope,
    /// The most fields any channel of the model has.
    widest: usize,
    /// Some channel has no room: who sends on it meets who receives.
    handshakes: bool,
    uses: Uses,
    /// The lines that were asked for, by the labels that stand for them.
    lines: BTreeMap<(ProctypeId, Name), (u32, Span)>,
    /// A run backwards begins at what is lowered: `P@end` may be the end of a process.
    begins: bool,
}

impl Lowerer {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Something unknown; said only if all of the text was understood.
    fn report_unknown(&mut self, diagnostic: Diagnostic) {
        if !self.broken {
            self.diagnostics.push(diagnostic);
        }
    }

    fn redeclared(&mut self, what: &str, second: &Word, first: Span) {
        let message = format!("{what} `{}` is declared twice", second.name);
        let found = Diagnostic::error("M0008", second.span, message)
            .label("second declaration")
            .other(first, "first declaration")
            .help("rename or remove one of them");
        self.report(found);
    }

    fn constants(&mut self, tree: &Tree) {
        self.mtypes.push(MtypeSet { name: None, constants: Vec::new() });
        for item in &tree.items {
            let Item::Constants(list) = item else { continue };
            let set = match &list.set {
                None => base::Id::new(0),
                Some(name) => self.set(&name.name),
            };
            // The last name of a list has the lowest number, and a later list
            // goes on above an earlier one.
            let before = self.mtypes[set].constants.len();
            for (place, name) in list.names.iter().enumerate() {
                let value = (before + list.names.len() - place) as i32;
                if let Some((_, first)) = self.constants.get(&name.name) {
                    let first = *first;
                    self.redeclared("the constant", name, first);
                    continue;
                }
                self.constants.insert(name.name.clone(), (value, name.span));
                self.mtypes[set].constants.push((name.name.clone(), value));
            }
        }
    }

    fn set(&mut self, name: &Name) -> MtypeId {
        if let Some(set) = self.sets.get(name) {
            return *set;
        }
        let set = self.mtypes.push(MtypeSet { name: Some(name.clone()), constants: Vec::new() });
        self.sets.insert(name.clone(), set);
        set
    }

    fn claims(&mut self, tree: &Tree) -> (Vec<Claim>, Option<EventTrace>) {
        let mut claims = Vec::new();
        let mut trace: Option<EventTrace> = None;
        let (mut nevers, mut formulas) = (0, 0);
        for item in &tree.items {
            match item {
                Item::Never(name, body) => {
                    let name = named(name.as_ref(), "never", &mut nevers);
                    let id = self.watcher(&name, body, false);
                    claims.push(Claim { name, span: body.span, kind: ClaimKind::Never(id) });
                }
                Item::Ltl { name, formula, span } => {
                    self.formula_name(name.as_ref());
                    let name = named(name.as_ref(), "ltl", &mut formulas);
                    let formula = self.formula(formula);
                    claims.push(Claim { name, span: *span, kind: ClaimKind::Ltl(formula) });
                }
                Item::Trace { forbidden, body } => {
                    if trace.is_some() {
                        self.second_trace(body.span);
                    }
                    trace = Some(self.event_trace(*forbidden, body));
                }
                _ => {}
            }
        }
        self.claim_names(&claims);
        (claims, trace)
    }

    fn second_trace(&mut self, span: Span) {
        let found = Diagnostic::error("M0032", span, "a second trace")
            .label("one per model")
            .help("join the two, or remove one");
        self.report(found);
    }

    /// A formula that has the name of something else.
    fn formula_name(&mut self, name: Option<&Word>) {
        let Some(name) = name else { return };
        let constant = self.constants.get(&name.name).map(|(_, span)| (*span, "a constant"));
        let proctype = self.proctypes.get(&name.name).map(|id| self.drafts[*id].span);
        let known = constant.or(proctype.map(|span| (span, "a proctype")));
        if let Some((first, what)) = known {
            let message = format!("`{}` is the name of {what}", name.name);
            let found = Diagnostic::error("M0008", name.span, message)
                .label("the formula needs another name")
                .other(first, "declared here")
                .help("rename one of them");
            self.report(found);
        }
    }

    fn claim_names(&mut self, claims: &[Claim]) {
        let mut seen: HashMap<&Name, Span> = HashMap::new();
        for claim in claims {
            if let Some(first) = seen.insert(&claim.name, claim.span) {
                let word = Word { name: claim.name.clone(), span: claim.span };
                self.redeclared("the claim", &word, first);
            }
        }
    }

    /// "did you mean" for an unknown name.
    fn suggestion<'a>(
        &self,
        wanted: &str,
        names: impl Iterator<Item = &'a Name>,
        otherwise: &str,
    ) -> String {
        let names: Vec<Name> = names.cloned().collect();
        // One letter is near any other.
        match nearest(wanted, &names).filter(|_| wanted.len() > 1) {
            Some(name) => format!("did you mean `{name}`?"),
            None => otherwise.to_owned(),
        }
    }
}

/// The name of a claim; `never_0` or the like if it has none, by how many have none so far.
fn named(name: Option<&Word>, kind: &str, nameless: &mut usize) -> Name {
    if let Some(word) = name {
        return word.name.clone();
    }
    *nameless += 1;
    Name::new(&format!("{kind}_{}", *nameless - 1))
}
