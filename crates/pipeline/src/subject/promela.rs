//! PROMELA programs: processes that come and go, watched by never claims.
//!
//! One search without any claim decides assertions, deadlocks and run-time errors; one per
//! never claim decides whether it reaches its end. Formulas, acceptance and progress are
//! about infinite runs: one search for cycles decides them all.

mod executor;
mod expand;
mod reduced;
mod reductions;
mod requirements;
mod reversed;
mod temporal;
mod unused;
mod view;
mod witness;

use super::atoms::{Gathered, Marks, asks_only_for};
use super::predicates;
use super::{
    Assertions, Form, MachineForm, Pass, Required, Reversible, Statements, Subject, Unreversible,
};
use crate::cycles::{Bad, Group, Temporal};
use crate::decide::Decided;
use crate::states::Sought;
use crate::{Options, Store};
use ::promela::Listing;
use base::{Id, Purpose, SourceMap, Span};
use engine::program::Knowledge;
use program::reference::{Breach, Rules};
use program::{Action, ClaimKind, Expr, ProctypeId, Program};
use reduced::{Reduced, Text};
use reductions::Decides;
use report::{Machine, Setting, Unreached, Unused};
use reversed::Reversed;
use search::FindingKind;
use std::sync::{Arc, Mutex, OnceLock};
use system::{Blocked, Part, StepOutcome};
pub(crate) use temporal::Infinite;
use trace::{
    Explanation, Kind, ProgramRun, Requirement, Run, RunRules, location, program_statement,
};

/// A PROMELA program.
#[derive(Clone, Debug)]
pub(crate) struct Promela {
    pub(crate) program: Program,
    /// SPIN's numbers and words for its statements.
    pub(crate) listing: Listing,
    /// The program without assertions, once infinite runs are looked at.
    silent: OnceLock<Program>,
    /// To say where something stands that a search cannot keep.
    sources: SourceMap,
    /// Which processes its searches have met.
    known: Arc<Mutex<Knowledge>>,
}

impl Promela {
    /// A program, its listing and its text.
    pub(crate) fn new(program: Program, listing: Listing, sources: SourceMap) -> Self {
        Self { program, listing, silent: OnceLock::new(), sources, known: Arc::default() }
    }

    /// The automaton of a never claim, by its index.
    pub(crate) fn automaton(&self, claim: usize) -> Option<ProctypeId> {
        match self.program.claims[claim].kind {
            ClaimKind::Never(proctype) => Some(proctype),
            ClaimKind::Ltl(_) => None,
        }
    }

    /// Which claims are searched with, in order; `None` is the search without.
    /// `--spin-counts` is a single search with the first, as SPIN's verifier makes it.
    fn claims(&self, options: &Options) -> Vec<Option<usize>> {
        let all = 0..self.program.claims.len();
        let never = all.filter(|index| !options.no_claims && self.automaton(*index).is_some());
        let name = |index: &usize| temporal::claim_name(&self.program.claims[*index]);
        let never = never.filter(|index| options.wants(&name(index)));
        let never: Vec<Option<usize>> = never.map(Some).collect();
        let general = self.wants_general(options).then_some(None);
        match (options.spin_counts, never.first()) {
            (true, first) => vec![first.copied().flatten()],
            (false, _) => general.into_iter().chain(never).collect(),
        }
    }

    /// Whether something is asked for that the search without a claim decides.
    fn wants_general(&self, options: &Options) -> bool {
        let others = self.program.claims.iter().map(temporal::claim_name);
        let labels = Marks::ALL.map(|marks| marks.name().to_owned());
        let of_states = predicates::names(&self.program.predicates);
        !asks_only_for(options, &others.chain(labels).chain(of_states).collect::<Vec<_>>())
    }

    /// A pass with this claim beside the program, or with none.
    pub(crate) fn pass(claim: Option<usize>, options: &Options) -> Pass {
        let monitors = claim.into_iter().collect();
        Pass { monitors, is_restricted: claim.is_some(), ..Pass::unwatched(options) }
    }

    /// SPIN's way of counting left errors out. No verdict may rest on that: an
    /// ordinary search finds them.
    fn ordinary(pass: &Pass, decided: &Decided<'_>) -> Pass {
        let memory = pass.options.memory.map(|most| most.saturating_sub(decided.trail_bytes()));
        let options = Options {
            spin_counts: false,
            all_errors: true,
            plain: true,
            memory,
            ..pass.options.clone()
        };
        Pass { spin_counts: false, ordinary: true, options, ..pass.clone() }
    }

    /// The search for what else is wrong, if the one before stopped at an error. Where an
    /// assertion fails a branch ends, so from then on assertions do not watch.
    fn rest(&self, decided: &Decided<'_>, options: &Options) -> Option<Pass> {
        let failed = decided.found.iter().any(|found| found.cycle.is_none());
        let assertions = match decided.failed(Kind::Assertion.into()) {
            true => Assertions::Fail,
            false => Assertions::Watch,
        };
        let made = decided.searches.iter().any(|search| search.pass.rest == Some(assertions));
        let general = decided.searches.iter().all(|search| search.pass.monitors.is_empty());
        if !failed || made || !general || options.spin_counts {
            return None;
        }
        if options.all_errors {
            let again = assertions == Assertions::Fail
                && decided.searches.last().is_some_and(|last| last.outcome.complete());
            return again.then(|| Pass { rest: Some(assertions), ..Pass::unwatched(options) });
        }
        let options = Options { all_errors: true, ..options.clone() };
        Some(Pass { rest: Some(assertions), ..Pass::unwatched(&options) })
    }

    /// One requirement of infinite runs; none if the program says nothing about it.
    pub(crate) fn infinite(&self, infinite: Infinite, options: &Options) -> Option<Group<'_>> {
        let gathered = temporal::single(&self.program, infinite)?;
        Some(self.group(gathered, options))
    }

    fn group(&self, gathered: Gathered<Expr>, options: &Options) -> Group<'_> {
        let Gathered { atoms, properties } = gathered;
        let pass = Pass { looks: true, ..Pass::unwatched(options) };
        let stutters = properties.iter().all(Temporal::is_stutter_invariant);
        let decides = if stutters { Decides::Runs } else { Decides::Steps };
        let looks = (atoms, decides);
        let form = Reduced::with_atoms(self.seen(self.silent()), self.rules(&pass), &pass, looks);
        Group { properties, pass, form: Box::new(form) }
    }

    /// The program without assertions. Its edges are those of the program.
    pub(crate) fn silent(&self) -> &Program {
        self.silent.get_or_init(|| self.program.without_assertions())
    }

    /// The program as it is, or without assertions.
    fn seen<'a>(&'a self, program: &'a Program) -> Text<'a> {
        Text { program, sources: &self.sources, known: &self.known }
    }

    /// Whether some process has an acceptance label.
    pub(crate) fn has_acceptance_labels(&self) -> bool {
        view::has_labels(&self.program, |marks| marks.accept)
    }

    /// The rules of a pass.
    pub(crate) fn rules(&self, pass: &Pass) -> Rules {
        Rules {
            spin_counts: pass.spin_counts,
            claim: pass.monitors.first().and_then(|index| self.automaton(*index)),
            ..pass.options.program_rules()
        }
    }
}

impl Subject for Promela {
    /// Refuses what no reduction is proven to keep.
    fn refused(&self, options: &Options) -> Option<String> {
        let refused = |what: &str| Some(format!("--reduce does not keep {what}"));
        if !options.checks.is_empty() {
            let words = "--check livelock is for Argos models; in PROMELA, label where a program \
                         makes progress (`progress: ...`), and cycles without are reported";
            return Some(words.to_owned());
        }
        if options.store == Store::Labelled {
            let words = "--store labelled is for Argos models; use --store path or --store full";
            return Some(words.to_owned());
        }
        let reduces = options.reduction() != search::Reduce::Nothing || options.wants_symmetry();
        if !reduces || options.reduces_unasked() {
            return None;
        }
        if options.spin_counts {
            return refused("the numbers of SPIN's verifier; drop --spin-counts");
        }
        let claims = self.claims(options).iter().any(Option::is_some);
        claims.then(|| refused("never claims; add --no-claims, or drop --reduce")).flatten()
    }

    fn asserts(&self) -> bool {
        let mut edges = self.program.proctypes.iter().flat_map(|kind| &kind.edges);
        edges.any(|edge| matches!(edge.action, Action::Assert(_)))
    }

    /// Without a claim first, behind an error once more for the rest, then one per claim.
    fn next_pass(&self, decided: &Decided<'_>, options: &Options) -> Option<Pass> {
        let last = decided.searches.last();
        if let Some(last) = last.filter(|last| last.uncounted && !last.pass.ordinary) {
            return Some(Self::ordinary(&last.pass, decided));
        }
        if last.is_some_and(|last| last.pass.ordinary) || decided.is_over(options) {
            return None;
        }
        if let Some(rest) = self.rest(decided, options) {
            return Some(rest);
        }
        let searched = decided.searches.iter().filter(|search| search.pass.rest.is_none()).count();
        let claim = self.claims(options).into_iter().nth(searched)?;
        Some(Self::pass(claim, options))
    }

    fn requirement(&self, kind: FindingKind) -> Requirement {
        let breach = |number: u32| {
            let breach = Breach::from_number(number).unwrap_or(Breach::Reference);
            let number = (breach == Breach::Claim).then_some(0);
            Requirement { kind: trace::kind(breach), number }
        };
        match kind {
            FindingKind::Step(StepOutcome::Violation(number) | StepOutcome::Noted(number))
            | FindingKind::Blocked(Blocked::Violation(number)) => breach(number),
            FindingKind::Step(StepOutcome::Fault | StepOutcome::State | StepOutcome::Marked(_)) => {
                Kind::DivisionByZero.into()
            }
            FindingKind::Blocked(Blocked::MessagesLeft) => Kind::Residual.into(),
            FindingKind::Blocked(_) => Kind::Deadlock.into(),
        }
    }

    fn decides(&self, pass: &Pass, requirement: Requirement) -> bool {
        let watches = pass.monitors.first().copied() == requirement.number;
        let any = requirement.number.is_none() && pass.spin_counts;
        (watches || any) && !(pass.is_silent() && requirement.kind == Kind::Assertion)
    }

    fn requirements(
        &self,
        options: &Options,
        sources: &SourceMap,
        failed: &dyn Fn(Requirement) -> bool,
    ) -> Vec<Required> {
        requirements::requirements(&self.program, options, sources, failed)
    }

    fn cycles(&self, options: &Options) -> Vec<Group<'_>> {
        let groups = temporal::gather(&self.program, options).into_iter();
        groups.map(|gathered| self.group(gathered, options)).collect()
    }

    fn sought(&self, options: &Options) -> Vec<Sought<'_>> {
        let sought = |(Gathered { atoms, properties }, marks): (Gathered<Expr>, _)| {
            let pass = Pass { looks: true, ..Pass::unwatched(&options.of_states()) };
            let looks = (atoms, Decides::Runs);
            let form =
                Reduced::with_atoms(self.seen(self.silent()), self.rules(&pass), &pass, looks);
            Sought { properties, marks, pass, form: Box::new(form) }
        };
        predicates::gather(&self.program.predicates, options).into_iter().map(sought).collect()
    }

    fn formulas(&self) -> Vec<String> {
        self.program.claims.iter().map(|claim| claim.name.to_string()).collect()
    }

    fn violating(&self, index: usize, sources: &SourceMap) -> Result<(Bad, Vec<String>), String> {
        self.violating_claim(index, sources)
    }

    fn form(&self, pass: &Pass) -> Box<dyn Form + '_> {
        let program = if pass.is_silent() { self.silent() } else { &self.program };
        Box::new(Reduced::new(self.seen(program), self.rules(pass), pass))
    }

    /// Without any claim, unless the rules name one.
    fn run<'a>(
        &'a self,
        options: &Options,
        rules: &RunRules,
        sources: &'a SourceMap,
    ) -> Result<Box<dyn Run + 'a>, Explanation> {
        let claims = self.program.claims.iter();
        let named = |name: &String| claims.clone().position(|claim| *claim.name == **name);
        let claim = rules.claim.as_ref().and_then(named);
        let own = Rules {
            claim: claim.and_then(|index| self.automaton(index)),
            wide: rules.wide,
            spin_counts: options.spin_counts && !rules.ordinary,
            ..options.program_rules()
        };
        let ordinary = options.spin_counts && rules.ordinary;
        let program = if rules.without_assertions { self.silent() } else { &self.program };
        let run = ProgramRun::new(program, sources, own, ordinary)?;
        Ok(Box::new(run.without_assertions(rules.without_assertions)))
    }

    fn predicates(&self) -> Vec<(Purpose, Span)> {
        self.program.predicates.iter().map(|it| (it.purpose, it.span())).collect()
    }

    fn reversible(&self, options: &Options) -> Result<Box<dyn Reversible>, Unreversible> {
        Ok(Box::new(Reversed::new(self, options)?))
    }

    fn machines(&self, form: MachineForm<'_>, sources: &SourceMap) -> Vec<Machine> {
        view::machines(&self.program, form, sources)
    }

    /// Claims only watch, and the inside of a `d_step` is one step: neither is listed.
    fn statements(&self, sources: &SourceMap) -> Vec<Statements> {
        let kinds = self.program.proctypes.iter_ids().map(|(id, kind)| {
            let locations = kind.reachable();
            let edges = kind.edges.iter().map(|edge| {
                let place = location(sources, Some(edge.span));
                let (line, column) = (place.line, place.column);
                let (process, statement) =
                    (kind.name.to_string(), program_statement(edge, sources));
                let file = sources.unless_main(place.file);
                let listed = locations.contains(&edge.from) && statement != "-end-";
                let (blocked, guard) = (None, None);
                listed.then_some(Unreached {
                    process,
                    file,
                    line,
                    column,
                    statement,
                    blocked,
                    guard,
                })
            });
            let ways = kind.edges.iter().map(|edge| (edge.from.index(), edge.to.index()));
            Statements {
                is_started: self.program.start.contains(&id),
                edges: edges.collect(),
                ways: ways.collect(),
                start: kind.start.index(),
            }
        });
        kinds.collect()
    }

    fn as_written(&self, options: &Options) -> Box<dyn Form + '_> {
        let pass = Pass::unwatched(&Options { plain: true, ..options.clone() });
        Box::new(Reduced::new(self.seen(&self.program), self.rules(&pass), &pass))
    }

    fn unused(&self, executed: &[Vec<bool>], sources: &SourceMap) -> Vec<Unused> {
        unused::unused(&self.program, executed, sources)
    }

    fn has_part(&self, part: &Part) -> bool {
        engine::program::has_part(&self.program, part)
    }

    fn text(&self) -> String {
        self.program.to_string()
    }

    fn setting(&self, options: &Options) -> Setting {
        options.setting()
    }

    fn pass_text(&self, pass: &Pass) -> String {
        if pass.rest.is_some() {
            return ", for other errors".to_owned();
        }
        let claim = pass.monitors.first().map(|index| &self.program.claims[*index].name);
        claim.map_or_else(String::new, |name| format!(", with claim {name}"))
    }

    fn leftovers_option(&self) -> Option<&'static str> {
        Some("--queues-empty")
    }
}
