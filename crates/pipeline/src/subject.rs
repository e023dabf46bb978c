//! What a language owes the rest. The pipeline is written once against [`Subject`]; each
//! language implements it once, in a corner of its own below this file.
//!
//! ```text
//! Subject --next_pass--> Pass --form--> Form --systems--> search --> trail
//!    |                                    |                            |
//!    |                                    +--run--> Run <--follow------+
//!    +-- requirements, machines, channels, statements: what a report shows
//! ```
//!
//! A [`Pass`] is one search of a check: which assertions or claims watch. A [`Form`] is the
//! model under the rules of a pass: executable by [`Searchable`] systems, and by the
//! reference interpreter of the language, which is the judge of every trail.

mod argos;
mod atoms;
mod predicates;
mod promela;

pub(crate) use argos::Argos;
pub use argos::Networks;
pub(crate) use promela::{Infinite, Promela};

use crate::cycles::{Bad, FailingAtom, Group, Witness};
use crate::decide::Decided;
use crate::states::Sought;
use crate::workflow::Workflow;
use crate::{Options, Usage};
use ::backward::{Decision, Net, Target};
use base::{Diagnostic, Purpose, SourceMap, Span};
use engine::Rooms;
use engine::program::Knowledge;
use report::{Channel, Line, Machine, Setting, Unreached, Unused};
use search::{FindingKind, Outcome, Plan, Refusal, Watch};
use std::any::Any;
use std::fmt::Debug;
use std::time::Duration;
use system::{Part, Step, System, Word};
use trace::{Explanation, Glances, Lasts, Mismatch, Requirement, Run, RunRules};

/// A model of some language, as the pipeline knows it.
pub(crate) trait Subject: Any + Debug + Send + Sync {
    // What is to be decided, and by which searches.

    /// Why it cannot be searched as asked.
    fn refused(&self, _options: &Options) -> Option<String> {
        None
    }

    /// Whether it has an assertion that can fail.
    fn asserts(&self) -> bool;

    /// The search to make behind those that were made; `None` when there is no more to find.
    fn next_pass(&self, decided: &Decided<'_>, options: &Options) -> Option<Pass>;

    /// What fails where a search finds something of this kind. Numbers are those among the
    /// monitors of the pass ([`Pass::monitors`]).
    fn requirement(&self, kind: FindingKind) -> Requirement;

    /// Whether a complete search of this pass meets every failure of `requirement`.
    fn decides(&self, pass: &Pass, requirement: Requirement) -> bool;

    /// What is required of it; `failed` says what was found to fail, for requirements that
    /// are named only then.
    fn requirements(
        &self,
        options: &Options,
        sources: &SourceMap,
        failed: &dyn Fn(Requirement) -> bool,
    ) -> Vec<Required>;

    /// What is required of its infinite runs, in groups that one search decides.
    fn cycles(&self, _options: &Options) -> Vec<Group<'_>> {
        Vec::new()
    }

    /// The predicates of its states to be decided, in groups that one search looks for.
    fn sought(&self, _options: &Options) -> Vec<Sought<'_>> {
        Vec::new()
    }

    /// The names of its temporal formulas and claims.
    fn formulas(&self) -> Vec<String>;

    /// The runs that violate the formula of this number, with the propositions as they are
    /// written.
    ///
    /// # Errors
    /// Why there is no automaton of them.
    fn violating(&self, index: usize, sources: &SourceMap) -> Result<(Bad, Vec<String>), String>;

    // How it is executed.

    /// Makes it ready for a pass.
    fn form(&self, pass: &Pass) -> Box<dyn Form + '_>;

    /// A run at its start, by the reference interpreter.
    ///
    /// # Errors
    /// Its initial values fail: it has no start.
    fn run<'a>(
        &'a self,
        options: &Options,
        rules: &RunRules,
        sources: &'a SourceMap,
    ) -> Result<Box<dyn Run + 'a>, Explanation>;

    /// The predicates that were given beside it: what each is for, and where it is written.
    fn predicates(&self) -> Vec<(Purpose, Span)>;

    /// Makes it ready to be executed backwards.
    ///
    /// # Errors
    /// A construct that has no reversed form.
    fn reversible(&self, options: &Options) -> Result<Box<dyn Reversible>, Unreversible>;

    // What it is made of, for reports.

    /// Its machines, minimised or as they are written, in the latter case with what was
    /// executed of them if that is known.
    fn machines(&self, form: MachineForm<'_>, sources: &SourceMap) -> Vec<Machine>;

    /// Its channels, as far as they are known before it is executed.
    fn channels(&self) -> Vec<Channel> {
        Vec::new()
    }

    /// For each machine its statements, edge by edge.
    fn statements(&self, sources: &SourceMap) -> Vec<Statements>;

    /// Makes it ready to be looked at as it is written: every statement is a step, no assertion
    /// watches, and its edges are those of [`Subject::statements`].
    fn as_written(&self, options: &Options) -> Box<dyn Form + '_>;

    /// What a search of everything never saw of its messages and assertions, where these edges
    /// of each machine were executed.
    fn unused(&self, executed: &[Vec<bool>], sources: &SourceMap) -> Vec<Unused>;

    /// Whether it has a part of that name.
    fn has_part(&self, part: &Part) -> bool;

    /// Its executable form as text.
    fn text(&self) -> String;

    /// The settings that could have made a difference to it.
    fn setting(&self, options: &Options) -> Setting;

    /// What distinguishes a pass from the first, as ` with claim c`.
    fn pass_text(&self, pass: &Pass) -> String;

    /// What is said of it in every report.
    fn remarks(&self) -> Vec<Line> {
        Vec::new()
    }

    /// The option under which messages left at a proper end are an error.
    fn leftovers_option(&self) -> Option<&'static str> {
        None
    }
}

/// One search of a check.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    /// The assertions or the claim that watch, by their numbers in the whole model.
    pub(crate) monitors: Vec<usize>,
    /// Not all of its runs are looked at: a claim stops those that it says nothing about.
    pub(crate) is_restricted: bool,
    /// Explored and counted as SPIN's verifier does.
    pub(crate) spin_counts: bool,
    /// In spite of `--spin-counts` it is not.
    pub(crate) ordinary: bool,
    /// Behind an error: the first error of each kind, with or without assertions.
    pub(crate) rest: Option<Assertions>,
    /// It looks at propositions, of infinite runs or of states, and for no other failure.
    pub(crate) looks: bool,
    /// How it is searched.
    pub(crate) options: Options,
}

impl Pass {
    /// A search in which nothing watches.
    pub(crate) fn unwatched(options: &Options) -> Self {
        let (is_restricted, spin_counts, ordinary) = (false, options.spin_counts, false);
        let options = options.clone();
        let (monitors, rest, looks) = (Vec::new(), None, false);
        Self { monitors, is_restricted, spin_counts, ordinary, rest, looks, options }
    }

    /// Whether it says which edges are never executed: what a claim leaves of the runs says
    /// nothing about the others, and what SPIN does not count it does not execute.
    pub(crate) fn covers_edges(&self) -> bool {
        !self.is_restricted && !self.ordinary && !self.looks
    }

    /// Whether assertions do not fail.
    pub(crate) fn is_silent(&self) -> bool {
        self.looks || self.rest == Some(Assertions::Fail)
    }

    /// A requirement by its number in the whole model.
    pub(crate) fn global(&self, requirement: Requirement) -> Requirement {
        let number = requirement.number.and_then(|number| self.monitors.get(number).copied());
        Requirement { number, ..requirement }
    }
}

/// Whether the assertions of a model watch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Assertions {
    /// They do.
    Watch,
    /// They do not: some fail, and a branch would end there.
    Fail,
}

/// A requirement, and what is known of it before any search.
#[derive(Clone, Debug)]
pub(crate) struct Required {
    pub(crate) requirement: Requirement,
    /// `assert 1`, `no deadlock`, ...
    pub(crate) name: String,
    /// Where it stands.
    pub(crate) line: Option<u32>,
    /// The same of a formula or claim of the model: its runs end nowhere in particular.
    pub(crate) span: Option<Span>,
    /// Its text.
    pub(crate) text: Option<String>,
    /// A remark.
    pub(crate) note: Option<String>,
    /// Which searches decide it.
    pub(crate) by: DecidedBy,
}

impl Required {
    /// One that needs no further words.
    pub(crate) fn new(name: &str, requirement: impl Into<Requirement>) -> Self {
        Self {
            requirement: requirement.into(),
            name: name.to_owned(),
            line: None,
            span: None,
            text: None,
            note: None,
            by: DecidedBy::Errors,
        }
    }
}

/// Which searches decide a requirement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DecidedBy {
    /// Those for errors.
    Errors,
    /// Those for errors, and one that looks at propositions.
    Both,
    /// One that looks at propositions, of infinite runs or of states.
    Propositions,
}

/// Which form of the machines is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MachineForm<'a> {
    /// As they are searched.
    Minimised,
    /// As they are written; for each edge whether it was executed, if that is known.
    Written(Option<&'a [Vec<bool>]>),
}

/// The statements of one machine.
#[derive(Clone, Debug)]
pub(crate) struct Statements {
    /// Some process of it is there from the start.
    pub(crate) is_started: bool,
    /// For each edge its statement; `None` if it is not to be listed.
    pub(crate) edges: Vec<Option<Unreached>>,
    /// For each edge the control locations that it leaves and reaches.
    pub(crate) ways: Vec<(usize, usize)>,
    /// The control location at which its processes start.
    pub(crate) start: usize,
}

/// A model under the rules of one pass.
pub(crate) trait Form {
    /// The sum of the sizes of all machines.
    fn size(&self) -> u64;

    /// The systems to search: one per thread and one for restricted searches in between.
    /// Which executor they are of is decided here.
    ///
    /// # Errors
    /// See [`Unsearchable`].
    fn systems(&self, workflow: &Workflow, options: &Options) -> Result<Systems<'_>, Unsearchable>;

    /// Whether the search of these has to be made again: they lack something that
    /// is known now, and that new ones will have.
    fn learn(&self, _searched: &[Boxed<'_>]) -> bool {
        false
    }

    /// For each machine as it is written and each edge of it whether it was executed.
    fn executed(&self, outcome: &Outcome, searched: &[Boxed<'_>], symmetry: bool)
    -> Vec<Vec<bool>>;

    /// The reductions that make it differ from the model as it is written, by name.
    fn reductions(&self) -> Vec<String> {
        Vec::new()
    }

    /// The same with every statement a step, where it has merged some.
    fn unmerged(&self) -> Option<Box<dyn Form + '_>> {
        None
    }

    /// Whether a run shows every edge of a sequence as a step.
    fn shows_all(&self) -> bool {
        true
    }

    /// Which runs a further search may look for, to shorten those found.
    fn shortening(&self) -> Shortening;

    /// Looks at statements where processes wait for them; for each machine and each edge `numbers`
    /// has the number of the statement if it is one of them. To be asked of a form of the model as
    /// it is written.
    fn looker<'a>(
        &'a self,
        _numbers: &'a [Vec<Option<usize>>],
        _sources: &'a SourceMap,
    ) -> Option<Box<dyn Look + 'a>> {
        None
    }

    /// A trail of it as a trail of the model as it is written.
    ///
    /// # Errors
    /// The step that cannot be taken there: a fault of ours. Or the time is over.
    fn expand(&self, trail: Vec<Step>, _lasts: Lasts<'_>) -> Result<Vec<Step>, Mismatch> {
        Ok(trail)
    }

    /// The steps of a trail of the model as it is written by the reference interpreter, as a
    /// judge of cycles sees them; the cycle begins behind `start` steps.
    ///
    /// # Errors
    /// The step that cannot be taken: a fault of ours.
    fn witness(&self, _trail: &[Step], _start: usize) -> Result<Witness, Mismatch> {
        Err(Mismatch::new(0, "the model has no propositions"))
    }

    /// The run behind which its searches begin; none if they begin at the start.
    fn behind(&self) -> &[Step] {
        &[]
    }

    /// The propositions whose letters its states have, as they are written.
    fn atoms(&self, _sources: &SourceMap) -> Vec<String> {
        Vec::new()
    }

    /// The first of them that cannot be evaluated behind a trail of the model as it is written.
    fn failing_atom(&self, _trail: &[Step]) -> Option<FailingAtom> {
        None
    }

    /// A run at its start, by the reference interpreter.
    ///
    /// # Errors
    /// Its initial values fail: it has no start.
    fn run<'a>(&'a self, sources: &'a SourceMap) -> Result<Box<dyn Run + 'a>, Explanation>;
}

/// Which runs a second search may look for to have shorter ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shortening {
    /// Those to all errors.
    All,
    /// That to the only error.
    First,
    /// None: few steps of this form are no short run.
    Nothing,
}

/// Why a form cannot be searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unsearchable {
    /// Its initial values fail.
    InitialFailure,
    /// Not as asked, in words.
    Refused(String),
}

impl From<Refusal> for Unsearchable {
    fn from(refusal: Refusal) -> Self {
        Unsearchable::Refused(refusal.to_string())
    }
}

/// The systems of a search, all the same.
pub(crate) struct Systems<'a> {
    pub(crate) systems: Vec<Boxed<'a>>,
    /// Why the reference interpreter executes them though nobody asked for it.
    pub(crate) fallback: Option<&'static str>,
    /// The time spent compiling while they are searched.
    pub(crate) compile_time: Box<dyn Fn() -> Duration + 'a>,
}

impl<'a> Systems<'a> {
    /// Systems that need no compiling.
    pub(crate) fn new(systems: Vec<Boxed<'a>>) -> Self {
        Self { systems, fallback: None, compile_time: Box::new(|| Duration::ZERO) }
    }
}

/// A system of any executor.
pub(crate) type Boxed<'a> = Box<dyn Searchable + 'a>;

/// A system as the pipeline searches it, with what an executor can say behind a search.
pub(crate) trait Searchable: System + Send {
    /// Whether some state did not fit: the search saw less than there is.
    fn is_too_narrow(&self) -> bool {
        false
    }

    /// Whether some state has more processes or channels than its numbers can count.
    fn needs_long_numbers(&self) -> bool {
        false
    }

    /// Whether some error was met that SPIN's verifier does not count.
    fn met_uncounted_error(&self) -> bool {
        false
    }

    /// Which edges of each machine were executed, if it notes that itself.
    fn executed_edges(&self) -> Vec<Vec<bool>> {
        Vec::new()
    }

    /// What it learned about the processes there are.
    fn knowledge(&self) -> Option<Knowledge> {
        None
    }

    /// A state as the reference interpreter knows it.
    fn whole(&self, words: &[Word]) -> Whole;

    /// Who can be exchanged, and why others cannot; none if that is not known of it.
    fn interchangeable(&self) -> Option<Interchangeable> {
        None
    }

    /// For how many messages there should be room in the channels of a network.
    fn rooms(&self) -> Option<Rooms> {
        None
    }
}

/// Processes that can be exchanged, in words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interchangeable {
    pub(crate) classes: Vec<String>,
    /// Others, why not, and where.
    pub(crate) refused: Vec<(String, String, Option<Span>)>,
}

impl Interchangeable {
    /// For the list of what was used.
    pub(crate) fn name(&self) -> String {
        format!("symmetry ({} interchangeable)", self.classes.join("; "))
    }

    /// Why nobody can be exchanged.
    pub(crate) fn why_not(&self, sources: &SourceMap) -> String {
        let reasons = self.refused.iter().map(|(process, words, span)| match span {
            Some(span) => {
                let place = trace::location(sources, Some(*span));
                format!("{process}: {words} ({}:{})", place.file, place.line)
            }
            None => format!("{process}: {words}"),
        });
        let reasons: Vec<String> = reasons.collect();
        match reasons.is_empty() {
            true => "--reduce symmetry: no two processes are alike".to_owned(),
            false => {
                format!("--reduce symmetry: no processes can be exchanged. {}", reasons.join("; "))
            }
        }
    }
}

/// A state as a reference interpreter knows it.
#[derive(Clone, Debug)]
pub(crate) enum Whole {
    Network(automata::reference::World),
    Program(program::reference::State),
}

/// Who looks at statements where processes wait for them.
pub(crate) trait Look {
    /// Notes what processes find in a state, by the numbers of statements; says whether that is all
    /// there is to see.
    fn look(&self, state: &Whole, glances: &mut [Glances]) -> bool;
}

/// A model that can be executed backwards.
pub(crate) trait Reversible {
    /// The same model as far as backward execution looks at it.
    fn subject(&self) -> &dyn Subject;

    /// Its net.
    fn net(&self) -> &Net;

    /// The states that are asked for by `--target`, if some are.
    fn target(&self) -> Option<Result<Target, Diagnostic>>;

    /// The run to a reachable candidate as a trail of a forward search, and whether it leads
    /// into what it was found for.
    fn trail(&self, decision: &Decision, target: Option<&Target>) -> Option<(Vec<Step>, bool)>;

    /// What fails if a candidate is reachable; nothing for a target.
    fn requirement(&self, decision: &Decision) -> Option<Requirement>;

    /// Searches forwards for the target: a system in which a state of it has one step, which
    /// ends there. `None` if the model cannot begin.
    fn seek(&self, target: &Target, plan: &Plan, watch: &mut dyn Watch) -> Option<Outcome>;

    /// The steps before the net begins, where the forward execution has any.
    fn opening(&self) -> Vec<Step> {
        Vec::new()
    }
}

/// Why a model is not executed backwards.
pub(crate) enum Unreversible {
    /// The options change what it does.
    Usage(Usage),
    /// A construct has no reversed form.
    Construct(Diagnostic),
}

/// What to say of a predicate that backward execution cannot begin with.
fn no_target(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("B0002", span, format!("backward execution cannot begin with {what}"))
        .label("this is no claim about a part of a state")
        .help(
            "join by `&&`, `||` and `!`: process@label, process:12, comparisons of variables, len(q) \
             and numbers, empty(q), full(q), head(q) == m; or search forwards: argos check --cover",
        )
}
