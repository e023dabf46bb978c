//! The statements that a complete search never executed, and of each whether some process came to
//! it; and why that one could not execute it.
//!
//! The latter is looked up in all states of the model as it is written, by a search of its own: a
//! reduction keeps which statements are executed, and not what a process finds that waits. It
//! is made for whoever shows the answer ([`Options::tells_guards`]), within a budget.

use crate::decide::{Decided, Searched};
use crate::host::Timed;
use crate::subject::{Boxed, Form, Look, Statements, Subject};
use crate::{Loaded, Options, whole};
use report::Unreached;
use search::{Order, Plan, Request, StoreKind, Watch};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use system::{Blocked, Budget, Successors, System, Word};
use trace::Glances;

/// The id of the warning about statements never executed.
const NEVER_EXECUTED: &str = "W0007";

/// The statements never executed, if some search looked everywhere. Of a machine no process
/// was of, every statement is missing: what leaves it out is listed, and that is enough.
pub(crate) fn unreached(
    subject: &dyn Subject,
    decided: &Decided<'_>,
    loaded: &Loaded,
) -> Vec<Unreached> {
    let covering = || decided.searches.iter().filter(|search| search.pass.covers_edges());
    let is_complete = covering().any(|search| search.outcome.complete());
    if !is_complete || loaded.allows(NEVER_EXECUTED) {
        return Vec::new();
    }
    let saw_all = covering().any(Searched::saw_all);
    let mut list: Vec<Unreached> = Vec::new();
    let executed = decided.executed();
    for (machine, executed) in subject.statements(&loaded.sources).iter().zip(&executed) {
        if machine.is_started || executed.contains(&true) {
            list.extend(missed(machine, executed, saw_all));
        }
    }
    list.dedup();
    list
}

/// Those of one machine, in the order of the text.
fn missed(machine: &Statements, executed: &[bool], saw_all: bool) -> Vec<Unreached> {
    let of = |wanted: bool| {
        let edges = machine.edges.iter().zip(executed).enumerate();
        edges.filter_map(move |(at, (edge, done))| {
            edge.as_ref().filter(|_| *done == wanted).map(|edge| (at, edge))
        })
    };
    let entered = entered(machine, executed);
    // A statement whose guard was copied into the state around it has several edges; it
    // was executed if one of them was.
    let missed = of(false).filter(|(_, missed)| !of(true).any(|(_, done)| done == *missed));
    let waited = |missed: &Unreached| {
        let mut edges = of(false).filter(|(_, edge)| *edge == missed);
        edges.any(|(at, _)| entered.contains(&machine.ways[at].0))
    };
    let told = |(_, missed): (usize, &Unreached)| Unreached {
        blocked: saw_all.then(|| waited(missed)),
        ..missed.clone()
    };
    let mut list: Vec<Unreached> = missed.map(told).collect();
    list.sort_by_key(|missed| (missed.line, missed.column));
    list
}

/// The control locations that some process was at: where it starts, and where the edges that were
/// executed lead. An edge that ends in an error leads nowhere, so this is asked only where none does.
fn entered(machine: &Statements, executed: &[bool]) -> BTreeSet<usize> {
    let ways = machine.ways.iter().zip(executed);
    let reached = ways.filter(|(_, done)| **done).map(|((_, to), _)| *to);
    reached.chain([machine.start]).collect()
}

/// Says of the statements that were waited for why they could not be executed.
pub(crate) fn explain(
    subject: &dyn Subject,
    options: &Options,
    (list, executed): (&mut [Unreached], &[Vec<bool>]),
    loaded: &Loaded,
    watch: &mut Timed<'_>,
) {
    let waited: Vec<usize> = (0..list.len()).filter(|at| list[*at].blocked == Some(true)).collect();
    if waited.is_empty() || options.spin_counts {
        return;
    }
    let statements: Vec<&Unreached> = waited.iter().map(|at| &list[*at]).collect();
    let numbers = numbers(&subject.statements(&loaded.sources), &statements, executed);
    watch.stage("what was seen at guards never true");
    let form = subject.as_written(options);
    let Some(seen) = seen(&*form, options, (numbers, waited.len()), loaded, watch) else { return };
    for (at, glances) in waited.into_iter().zip(&seen.glances) {
        let mut guard = glances.guard(seen.states, seen.is_complete);
        if !seen.is_complete {
            let states = report::thousands(seen.states);
            guard.text = format!("in the {states} states looked at {}", guard.text);
        }
        list[at].guard = Some(guard);
    }
}

/// For each machine and each edge which of the statements it is, if a process came there.
fn numbers(
    machines: &[Statements],
    statements: &[&Unreached],
    executed: &[Vec<bool>],
) -> Vec<Vec<Option<usize>>> {
    let of_machine = |(machine, executed): (&Statements, &Vec<bool>)| {
        let entered = entered(machine, executed);
        let number = |(edge, way): (&Option<Unreached>, &(usize, usize))| {
            let edge = edge.as_ref().filter(|_| entered.contains(&way.0))?;
            let is_it = |it: &&Unreached| {
                (&it.process, &it.file, &it.statement)
                    == (&edge.process, &edge.file, &edge.statement)
                    && (it.line, it.column) == (edge.line, edge.column)
            };
            statements.iter().position(is_it)
        };
        machine.edges.iter().zip(&machine.ways).map(number).collect()
    };
    machines.iter().zip(executed).map(of_machine).collect()
}

/// What was found in the states of a model.
struct Seen {
    glances: Vec<Glances>,
    states: u64,
    is_complete: bool,
}

/// Looks at all states, or at those nearest to the start.
fn seen(
    form: &dyn Form,
    options: &Options,
    (numbers, count): (Vec<Vec<Option<usize>>>, usize),
    loaded: &Loaded,
    watch: &mut Timed<'_>,
) -> Option<Seen> {
    let answer = whole::ask(form, options, watch, &mut |system, budget, watch| {
        let glances = RefCell::new(vec![Glances::default(); count]);
        let (looker, saw_all) = (form.looker(&numbers, &loaded.sources)?, Cell::new(true));
        let observed = Observed { system, looker: &*looker, glances: &glances, saw_all: &saw_all };
        let every = Request {
            order: Order::BreadthFirst,
            store: StoreKind::Compact,
            all_errors: true,
            each_kind: true,
            ..*budget
        };
        let outcome = search::run(&observed, &mut [], &Plan::new(&every).ok()?, watch).ok()?;
        let states = outcome.statistics.states;
        Some(Seen {
            glances: glances.take(),
            states,
            is_complete: outcome.complete() && saw_all.get(),
        })
    });
    answer.ok().flatten().flatten()
}

/// A system whose states are looked at when their successors are asked for, each once. It has no
/// capabilities, so nobody finds the steps of a state without asking.
struct Observed<'s, 'a> {
    system: &'s Boxed<'a>,
    looker: &'s dyn Look,
    glances: &'s RefCell<Vec<Glances>>,
    saw_all: &'s Cell<bool>,
}

impl System for Observed<'_, '_> {
    fn width(&self) -> usize {
        self.system.width()
    }

    fn identity_words(&self) -> usize {
        self.system.identity_words()
    }

    fn initial(&self, words: &mut [Word]) {
        self.system.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let whole = self.system.whole(state);
        let saw_all = self.looker.look(&whole, &mut self.glances.borrow_mut());
        self.saw_all.set(self.saw_all.get() && saw_all);
        self.system.successors(state, out, budget)
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.system.blocked(state)
    }
}
