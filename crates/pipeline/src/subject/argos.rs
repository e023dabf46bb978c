//! Argos models: networks of machines, watched by assertions. Formulas, labels and livelocks are
//! about infinite runs: one search for cycles decides them all.

mod executor;
mod looked;
mod networks;
mod reversed;
mod service;
mod temporal;
mod unused;
mod view;

pub use networks::Networks;

use super::atoms::{Atoms, Gathered, asks_only_for};
use super::predicates;
use super::{
    Assertions, Form, MachineForm, Pass, Required, Reversible, Shortening, Statements, Subject,
    Systems, Unreversible, Unsearchable, Whole,
};
use crate::Options;
use crate::cycles::{Bad, Group};
use crate::decide::Decided;
use crate::states::Sought;
use crate::subject::{Boxed, Look};
use crate::workflow::Workflow;
use automata::{Action, EdgeId, MachineId, Network};
use base::{Id, Purpose, SourceMap, Span};
use executor::Learned;
use looked::Looked;
use model::{BinaryOp, Expr, Model, Predicate};
use report::{Channel, Line, Machine, Setting, Unreached, Unused};
use reversed::Reversed;
use search::{FindingKind, Outcome};
use service::Service;
use std::sync::OnceLock;
use system::{Blocked, Part, StepOutcome};
use trace::{Explanation, Glances, Kind, NetworkRun, Requirement, Run, RunRules, location};

/// An Argos model, and its machines once somebody asks for them.
#[derive(Debug)]
pub(crate) struct Argos {
    model: Model,
    options: Options,
    networks: OnceLock<Networks>,
    /// What searches for cycles see.
    labelled: OnceLock<Network>,
    /// What `--within` asks for.
    service: OnceLock<Option<Service>>,
}

impl Argos {
    /// A model under the options that say what it means.
    pub(crate) fn new(model: Model, options: &Options) -> Self {
        let (networks, labelled, service) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { model, options: options.clone(), networks, labelled, service }
    }

    /// The model itself.
    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    fn networks(&self) -> &Networks {
        self.networks.get_or_init(|| Networks::new(&self.model, &self.options))
    }

    /// The network in which every label is a state, without assertions: what is required of
    /// infinite runs is required of those behind a failed one, too.
    fn labelled(&self) -> &Network {
        self.labelled.get_or_init(|| networks::labelled(&self.model, &self.options))
    }

    /// The service that is asked for instead of all requirements.
    fn service(&self) -> Option<&Service> {
        let named = || Service::named(self.networks(), self.options.within.as_deref()?);
        self.service.get_or_init(named).as_ref()
    }

    /// The form of a model in which these propositions are looked at.
    fn looked(&self, atoms: Atoms<Predicate>) -> Looked<'_> {
        let (network, learned) = (self.labelled(), Learned::new(self.labelled()));
        Looked { model: &self.model, raw: network, searched: network, atoms, learned }
    }

    /// Whether something is asked for that searches for errors decide.
    fn wants_general(&self, options: &Options) -> bool {
        let mut names = temporal::names(&self.model, options);
        names.extend(predicates::names(&self.model.predicates));
        !asks_only_for(options, &names)
    }
}

impl Subject for Argos {
    fn refused(&self, options: &Options) -> Option<String> {
        service::refused(self.networks(), options.within.as_deref()?)
    }

    fn asserts(&self) -> bool {
        !self.networks().raw.observers.is_empty()
    }

    /// First with all assertions. A branch ends where one fails, so behind an error the
    /// search is repeated without those that failed, until no new one fails.
    fn next_pass(&self, decided: &Decided<'_>, options: &Options) -> Option<Pass> {
        let Some(last) = decided.searches.last() else {
            if self.service().is_some() || !self.wants_general(options) {
                return None;
            }
            let monitors = (0..self.networks().raw.observers.len()).collect();
            return Some(Pass { monitors, ..Pass::unwatched(options) });
        };
        let failed = |number: &usize| {
            decided.failed(Requirement { kind: Kind::Assertion, number: Some(*number) })
        };
        let monitors = last.pass.monitors.iter().copied();
        let (failed, left): (Vec<usize>, Vec<usize>) = monitors.partition(failed);
        if options.all_errors {
            let again = last.outcome.complete() && !failed.is_empty();
            return again.then(|| Pass { monitors: left, ..Pass::unwatched(options) });
        }
        let has_failed = decided.found.iter().any(|found| found.cycle.is_none());
        let is_first = last.pass.rest.is_none() && has_failed;
        let again = (is_first || !failed.is_empty()) && !decided.is_over(options);
        let options = Options { all_errors: true, ..options.clone() };
        let rest = Some(Assertions::Watch);
        again.then(|| Pass { monitors: left, rest, ..Pass::unwatched(&options) })
    }

    fn requirement(&self, kind: FindingKind) -> Requirement {
        let assertion =
            |number: u32| Requirement { kind: Kind::Assertion, number: Some(number as usize) };
        match kind {
            FindingKind::Step(StepOutcome::Violation(number))
            | FindingKind::Blocked(Blocked::Violation(number)) => assertion(number),
            FindingKind::Step(_) => Kind::DivisionByZero.into(),
            FindingKind::Blocked(Blocked::BlockedSend) => Kind::BlockedSend.into(),
            FindingKind::Blocked(Blocked::UnspecifiedReception) => {
                Kind::UnspecifiedReception.into()
            }
            FindingKind::Blocked(_) => Kind::Deadlock.into(),
        }
    }

    fn decides(&self, pass: &Pass, requirement: Requirement) -> bool {
        requirement.number.is_none_or(|number| pass.monitors.contains(&number))
    }

    fn requirements(
        &self,
        options: &Options,
        sources: &SourceMap,
        _failed: &dyn Fn(Requirement) -> bool,
    ) -> Vec<Required> {
        if let Some(service) = self.service() {
            return vec![service.required(sources)];
        }
        let raw = &self.networks().raw;
        let endless = "its end cannot be reached, so a run that stops early is not held against it";
        let assertions = raw.observers.iter_ids().map(|(id, observer)| Required {
            line: Some(sources.line(observer.machine().span)),
            text: Some(observer.text().to_owned()),
            note: (!observer.ends()).then(|| endless.to_owned()),
            ..Required::new(
                &observer.machine().name,
                Requirement { kind: Kind::Assertion, number: Some(id.index()) },
            )
        });
        let general = [
            ("no deadlock", Kind::Deadlock),
            ("no unspecified reception", Kind::UnspecifiedReception),
            ("no blocked send", Kind::BlockedSend),
        ];
        let division = can_divide(raw).then_some(("no division by zero", Kind::DivisionByZero));
        let general = general.into_iter().chain(division);
        let general = general.map(|(name, kind)| Required::new(name, kind));
        let infinite = temporal::requirements(&self.model, options, sources);
        let of_states = predicates::requirements(&self.model.predicates, sources);
        assertions.chain(general).chain(infinite).chain(of_states).collect()
    }

    fn cycles(&self, options: &Options) -> Vec<Group<'_>> {
        let group = |gathered: Gathered<Predicate>| {
            let Gathered { atoms, properties } = gathered;
            let pass = Pass { looks: true, ..Pass::unwatched(options) };
            let form = self.looked(atoms);
            Group { properties, pass, form: Box::new(form) }
        };
        match self.service() {
            Some(_) => Vec::new(),
            None => temporal::gather(&self.model, options).into_iter().map(group).collect(),
        }
    }

    fn sought(&self, options: &Options) -> Vec<Sought<'_>> {
        let sought = |(Gathered { atoms, properties }, marks): (Gathered<Predicate>, _)| {
            let pass = Pass { looks: true, ..Pass::unwatched(&options.of_states()) };
            let form = self.looked(atoms);
            Sought { properties, marks, pass, form: Box::new(form) }
        };
        match self.service() {
            Some(service) => vec![service.sought(self, options)],
            None => {
                let gathered = predicates::gather(&self.model.predicates, options);
                gathered.into_iter().map(sought).collect()
            }
        }
    }

    fn formulas(&self) -> Vec<String> {
        self.model.properties.iter().map(|property| property.name.to_string()).collect()
    }

    fn violating(&self, index: usize, sources: &SourceMap) -> Result<(Bad, Vec<String>), String> {
        temporal::violating(&self.model, index, sources)
    }

    fn form(&self, pass: &Pass) -> Box<dyn Form + '_> {
        let networks = self.networks().keeping(&pass.monitors);
        let learned = Learned::new(&networks.searched);
        Box::new(Watched { networks, learned })
    }

    fn run<'a>(
        &'a self,
        _options: &Options,
        rules: &RunRules,
        sources: &'a SourceMap,
    ) -> Result<Box<dyn Run + 'a>, Explanation> {
        if rules.without_assertions {
            return Ok(Box::new(NetworkRun::unwatched(self.labelled(), sources)));
        }
        let networks = self.service().map_or_else(|| self.networks(), Service::networks);
        let Networks { raw, searched } = networks;
        let run = NetworkRun::new(raw, searched, sources);
        Ok(Box::new(run.with_predicates(&self.model.predicates)))
    }

    fn remarks(&self) -> Vec<Line> {
        let text = "only the service was looked at; about the requirements nothing is said";
        let line = || Line { head: "note".to_owned(), text: text.to_owned() };
        self.service().map(|_| line()).into_iter().collect()
    }

    fn predicates(&self) -> Vec<(Purpose, Span)> {
        self.model.predicates.iter().map(|it| (it.purpose, it.span())).collect()
    }

    fn reversible(&self, options: &Options) -> Result<Box<dyn Reversible>, Unreversible> {
        Ok(Box::new(Reversed::new(&self.model, options)))
    }

    fn machines(&self, form: MachineForm<'_>, sources: &SourceMap) -> Vec<Machine> {
        view::machines(self.networks(), form, sources)
    }

    fn channels(&self) -> Vec<Channel> {
        trace::channels(&self.networks().raw)
    }

    fn statements(&self, sources: &SourceMap) -> Vec<Statements> {
        let raw = &self.networks().raw;
        let machines = raw.machines.iter().map(|machine| {
            let edges = machine.edges.iter().map(|edge| {
                let place = location(sources, Some(edge.span));
                Some(Unreached {
                    process: machine.name.to_string(),
                    file: sources.unless_main(place.file),
                    line: place.line,
                    column: place.column,
                    statement: trace::statement(raw, edge, sources),
                    blocked: None,
                    guard: None,
                })
            });
            let ways = machine.edges.iter().map(|edge| (edge.from.index(), edge.to.index()));
            Statements {
                is_started: true,
                edges: edges.collect(),
                ways: ways.collect(),
                start: machine.start.index(),
            }
        });
        machines.collect()
    }

    fn as_written(&self, _options: &Options) -> Box<dyn Form + '_> {
        let raw = self.networks().keeping(&[]).raw;
        let (searched, learned) = (raw.clone(), Learned::new(&raw));
        Box::new(Watched { networks: Networks { raw, searched }, learned })
    }

    fn unused(&self, executed: &[Vec<bool>], sources: &SourceMap) -> Vec<Unused> {
        unused::unused(&self.networks().raw, executed, sources)
    }

    fn has_part(&self, part: &Part) -> bool {
        engine::has_part(&self.networks().searched, part)
    }

    fn text(&self) -> String {
        self.networks().searched.to_string()
    }

    fn setting(&self, options: &Options) -> Setting {
        let machines = self.networks().raw.machines.iter();
        let actions = || machines.clone().flat_map(|m| &m.edges).map(|edge| &edge.action);
        let has_timeout = actions().any(|action| matches!(action, Action::Timeout(_)));
        let has_default = actions().any(|action| matches!(action, Action::ReceiveAny(_)));
        let has_call = self.model.has_guarding_call();
        let has_unsized = options.capacity.is_none()
            && self.model.channels.iter().any(|channel| channel.capacity.is_none());
        Setting {
            timeout: has_timeout.then(|| options.timeout.word().to_owned()),
            default_receive: has_default.then(|| options.default.word().to_owned()),
            calls: has_call.then(|| options.calls.word().to_owned()),
            capacity_default: has_unsized.then_some(options.capacity_default),
            ..options.setting()
        }
    }

    fn pass_text(&self, pass: &Pass) -> String {
        if pass.looks {
            return String::new();
        }
        let observers = self.networks().raw.observers.iter_ids();
        let left_out = observers.filter(|(id, _)| !pass.monitors.contains(&id.index()));
        let names: Vec<&str> = left_out.map(|(_, o)| o.machine().name.as_str()).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!(", without {}", names.join(", ")),
        }
    }
}

/// The networks with the assertions of a pass.
struct Watched {
    networks: Networks,
    learned: Learned,
}

impl Form for Watched {
    fn size(&self) -> u64 {
        self.networks.searched.machines.iter().map(|machine| machine.states.len() as u64).sum()
    }

    fn systems(&self, workflow: &Workflow, options: &Options) -> Result<Systems<'_>, Unsearchable> {
        let network = &self.networks.searched;
        let systems = executor::systems(network, &self.learned, None, workflow, options);
        let asked = options.wants_symmetry() && workflow.asks_for_symmetry();
        if !asked || systems.systems[0].symmetry().is_some() {
            return Ok(systems);
        }
        let exchanged = systems.systems[0].interchangeable().unwrap_or_default();
        Err(Unsearchable::Refused(exchanged.why_not(&SourceMap::default())))
    }

    fn learn(&self, searched: &[Boxed<'_>]) -> bool {
        self.learned.learn(&self.networks.searched, searched)
    }

    /// An un-minimised edge was executed if the one that stands for it was.
    fn executed(
        &self,
        outcome: &Outcome,
        _searched: &[Boxed<'_>],
        symmetry: bool,
    ) -> Vec<Vec<bool>> {
        let Networks { raw, searched } = &self.networks;
        let was = |(id, machine): (MachineId, &automata::Machine)| {
            let number = |edge: EdgeId| edge.index() as u32;
            let edges = machine.edges.ids().map(number);
            edges.map(|edge| outcome.executed.contains(id.index() as u32, edge)).collect()
        };
        let mut stands: Vec<Vec<bool>> = searched.machines.iter_ids().map(was).collect();
        if symmetry {
            automata::symmetry::interchangeable(searched).close(searched, &mut stands);
        }
        let mut executed: Vec<Vec<bool>> =
            raw.machines.iter().map(|machine| vec![false; machine.edges.len()]).collect();
        for ((machine, stands), executed) in
            searched.machines.iter().zip(&stands).zip(&mut executed)
        {
            for (edge, was) in machine.edges.iter().zip(stands) {
                edge.originals.iter().for_each(|it| executed[it.index()] |= *was);
            }
        }
        executed
    }

    fn looker<'a>(
        &'a self,
        numbers: &'a [Vec<Option<usize>>],
        _sources: &'a SourceMap,
    ) -> Option<Box<dyn Look + 'a>> {
        Some(Box::new(Looker { network: &self.networks.raw, numbers }))
    }

    fn shortening(&self) -> Shortening {
        Shortening::All
    }

    fn run<'a>(&'a self, sources: &'a SourceMap) -> Result<Box<dyn Run + 'a>, Explanation> {
        let Networks { raw, searched } = &self.networks;
        Ok(Box::new(NetworkRun::new(raw, searched, sources)))
    }
}

/// A network, and the numbers of the statements that are looked at.
struct Looker<'a> {
    network: &'a Network,
    numbers: &'a [Vec<Option<usize>>],
}

impl Look for Looker<'_> {
    fn look(&self, state: &Whole, glances: &mut [Glances]) -> bool {
        let Whole::Network(world) = state else { return true };
        for (id, machine) in self.network.machines.iter_ids() {
            let numbers = &self.numbers[id.index()];
            for (edge, _) in machine.edges_from(world.at[id]) {
                if let Some(number) = numbers[edge.index()] {
                    glances[number].note(trace::network_glance(self.network, world, id, edge));
                }
            }
        }
        true
    }
}

/// Whether some expression divides by what may be zero.
fn can_divide(network: &Network) -> bool {
    fn divides(expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) | Expr::Var(_) => false,
            Expr::Unary(_, x) => divides(x),
            Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, x, y) => {
                divides(x) || divides(y) || !matches!(**y, Expr::Const(c) if c != 0)
            }
            Expr::Binary(_, x, y) => divides(x) || divides(y),
        }
    }
    let edges = network.machines.iter().flat_map(|machine| &machine.edges);
    edges
        .filter_map(|edge| match &edge.action {
            Action::Condition(e) | Action::Assign(_, e) | Action::Send(_, _, Some(e)) => Some(e),
            _ => None,
        })
        .any(divides)
}
