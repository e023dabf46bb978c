//! What the processes of a program find, state by state, at statements they wait for in vain.

use super::names::Names;
use super::others::Edges;
use super::wait::Standstill;
use crate::{Fact, Glance};
use base::{BinaryOp, Id, SourceMap, UnaryOp};
use program::reference::{self, Mover, Process, Rules, State};
use program::{Action, Edge, EdgeId, Expr, LocationId, Proctype, ProctypeId, Program, action_text};
use std::collections::BTreeSet;

/// A program, and the statements of it that are looked at, by numbers.
pub struct Looker<'a> {
    program: &'a Program,
    rules: Rules,
    sources: &'a SourceMap,
    /// For each proctype and each edge the number of its statement.
    wanted: &'a [Vec<Option<usize>>],
    /// For each proctype the control locations from which a process comes to such a statement
    /// within a step.
    entries: Vec<BTreeSet<LocationId>>,
}

impl<'a> Looker<'a> {
    /// Looks at statements of a program, where every statement is an edge; for each proctype and
    /// each edge `wanted` has the number of the statement if it is one of them.
    pub fn new(
        program: &'a Program,
        rules: Rules,
        sources: &'a SourceMap,
        wanted: &'a [Vec<Option<usize>>],
    ) -> Self {
        let entries =
            program.proctypes.iter().zip(wanted).map(|(kind, wanted)| entries(kind, wanted));
        Self { program, rules, sources, wanted, entries: entries.collect() }
    }

    /// Calls `note` for each process that waits for such a statement; says whether that is all
    /// there is, or there were too many ways through an atomic sequence.
    pub fn look(&self, state: &State, note: &mut dyn FnMut(usize, Vec<Glance>)) -> bool {
        (0..state.processes.len()).for_each(|pid| self.look_at(state, pid, note));
        let is_before = |process: &Process| {
            self.entries
                .get(process.proctype.index())
                .is_some_and(|at| at.contains(&process.location))
        };
        if !state.processes.iter().any(|process| is_before(process)) {
            return true;
        }
        let budget = Edges::new(u64::MAX);
        for step in reference::steps_within(self.program, &self.rules, state, &budget) {
            let states = reference::states_inside(self.program, &self.rules, state, &step);
            for (state, next) in states.iter().zip(step.micros.iter().skip(1)) {
                self.look_at(state, next.pid, note);
            }
        }
        !budget.is_over()
    }

    fn look_at(&self, state: &State, pid: usize, note: &mut dyn FnMut(usize, Vec<Glance>)) {
        let Some(process) = state.processes.get(pid) else { return };
        let edges = self.program.proctypes[process.proctype].edges_from(process.location);
        let wanted = &self.wanted[process.proctype.index()];
        let numbered = edges
            .filter_map(|(id, edge)| Some((wanted.get(id.index()).copied().flatten()?, id, edge)));
        let mut numbered = numbered.peekable();
        if numbered.peek().is_none() {
            return;
        }
        let names = Names::new(self.program, std::iter::once(state));
        let Looker { program, rules, sources, .. } = self;
        let here = Standstill { program, rules, names: &names, state, sources };
        numbered.for_each(|(number, id, edge)| note(number, here.guard(pid, (id, edge))));
    }
}

/// The control locations from which a process comes to one of the statements within a step: by
/// edges inside an atomic sequence.
fn entries(kind: &Proctype, wanted: &[Option<usize>]) -> BTreeSet<LocationId> {
    let edges = kind.edges.iter().zip(wanted).filter(|(_, number)| number.is_some());
    let mut open: Vec<LocationId> = edges.map(|(edge, _)| edge.from).collect();
    let mut entries = BTreeSet::new();
    while let Some(at) = open.pop() {
        let into = kind.edges.iter().filter(|edge| edge.atomic && edge.to == at);
        open.extend(into.map(|edge| edge.from).filter(|from| entries.insert(*from)));
    }
    entries
}

impl Standstill<'_> {
    /// The guard of a statement of a process, part by part.
    fn guard(&self, pid: usize, (id, edge): (EdgeId, &Edge)) -> Vec<Glance> {
        let proctype = self.state.processes[pid].proctype;
        let kind = &self.program.proctypes[proctype];
        let mut parts = Vec::new();
        if let Some(condition) = &kind.provided {
            parts.push(self.part(pid, condition, self.provided(kind)));
        }
        match &edge.action {
            Action::Condition(condition) => {
                let mut conditions = Vec::new();
                conjuncts(condition, true, &mut conditions);
                let text = |expr| text_of(self.program, proctype, expr);
                parts.extend(conditions.iter().map(|it| self.part(pid, it, text(it))));
            }
            action => parts.push(Glance {
                condition: None,
                holds: self.can_execute(pid, id),
                facts: self.needs_of(pid, action),
            }),
        }
        parts
    }

    fn part(&self, pid: usize, condition: &Expr, text: String) -> Glance {
        let holds = self.value(pid, condition).is_some_and(|value| value != 0);
        let mut facts = self.facts(pid, condition);
        if !holds && condition.mentions(&|expr| *expr == Expr::Timeout) {
            facts.push(Fact::is("something else", "executable"));
        }
        Glance { condition: Some(text), holds, facts }
    }

    fn can_execute(&self, pid: usize, edge: EdgeId) -> bool {
        let mover = Mover::Process(pid);
        let moves = reference::moves(self.program, self.rules, self.state, mover, false);
        moves.iter().any(|made| made.edge == edge)
    }

    /// What a statement that is no condition depends on.
    fn needs_of(&self, pid: usize, action: &Action) -> Vec<Fact> {
        match action {
            Action::Receive { queue, patterns, .. } => {
                let refused = self.refused(pid, queue).into_iter();
                refused.chain(self.wanted(pid, patterns)).collect()
            }
            Action::Send { queue, .. } => self.no_room(pid, queue).into_iter().collect(),
            Action::Else => vec![Fact::is("another option", "executable")],
            _ => Vec::new(),
        }
    }
}

fn text_of(program: &Program, proctype: ProctypeId, expr: &Expr) -> String {
    let text = action_text(program, proctype, &Action::Condition(expr.clone()));
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inner.map_or(text.clone(), str::to_owned)
}

/// The operands of `&&`, also of a negated `||`; `truth` says whether `expr` is to hold.
fn conjuncts(expr: &Expr, truth: bool, all: &mut Vec<Expr>) {
    match (expr, truth) {
        (Expr::Binary(BinaryOp::And, a, b), true) | (Expr::Binary(BinaryOp::Or, a, b), false) => {
            conjuncts(a, truth, all);
            conjuncts(b, truth, all);
        }
        (Expr::Unary(UnaryOp::Not, a), _) => conjuncts(a, !truth, all),
        (_, true) => all.push(expr.clone()),
        (_, false) => all.push(Expr::Unary(UnaryOp::Not, Box::new(expr.clone()))),
    }
}
