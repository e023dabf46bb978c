//! What watches a run: never claims and event traces.

use super::Lowerer;
use super::scope::Scope;
use crate::flow;
use crate::tree::Body;
use base::{Diagnostic, Name, Span};
use program::{Action, EventTrace, Expr, ProctypeId};
use std::collections::{BTreeSet, HashMap};

impl Lowerer {
    /// A never claim, or the automaton of a trace.
    pub(super) fn watcher(&mut self, name: &Name, body: &Body, trace: bool) -> ProctypeId {
        let id = self.draft(name, &[], body);
        self.scope = Scope { proctype: Some(id), ..Scope::default() };
        self.scope.blocks.push(HashMap::new());
        let mut lowered = self.body(body, true);
        lowered.claim = !trace;
        if !trace {
            self.acting_claim(&lowered.code);
        }
        self.drafts[id].body = Some(lowered);
        self.scope = Scope::default();
        id
    }

    pub(super) fn event_trace(&mut self, forbidden: bool, body: &Body) -> EventTrace {
        let name = if forbidden { "notrace" } else { "trace" };
        let automaton = self.watcher(&Name::new(name), body, true);
        let (mut sends, mut receives) = (BTreeSet::new(), BTreeSet::new());
        let mut strangers = Vec::new();
        if let Some(lowered) = &self.drafts[automaton].body {
            each_action(&lowered.code, &mut |action, span| {
                let (queue, list) = match action {
                    Action::Send { queue, .. } => (queue, &mut sends),
                    Action::Receive { queue, .. } => (queue, &mut receives),
                    Action::Skip | Action::Else => return,
                    _ => return strangers.push(span),
                };
                let global = match &*queue.number {
                    Expr::Load(place) => place.variable.global(),
                    _ => None,
                };
                match global {
                    Some(id) => drop(list.insert(id)),
                    None => strangers.push(span),
                }
            });
        }
        for span in strangers {
            let found = Diagnostic::error("M0032", span, "not an event")
                .label("a trace has sends and receives on global channels")
                .help("write `q!m` or `q?m`; use a never claim to look at variables");
            self.report(found);
        }
        let (sends, receives) = (sends.into_iter().collect(), receives.into_iter().collect());
        EventTrace { automaton, forbidden, sends, receives }
    }

    /// What a never claim does besides looking. SPIN refuses sends and receives in it, and
    /// warns of assignments.
    fn acting_claim(&mut self, code: &[flow::Stmt]) {
        let (mut messages, mut effects) = (Vec::new(), Vec::new());
        each_action(code, &mut |action, span| match action {
            Action::Send { .. } | Action::Receive { .. } => messages.push(span),
            Action::Assign(..) | Action::SetPriority(..) => effects.push(span),
            _ => {}
        });
        for span in messages {
            let found = Diagnostic::error("M0038", span, "a send or receive in a never claim")
                .label("a claim looks at states and takes no part")
                .help("`q?[m]` asks whether q begins with m; a `trace` is about messages");
            self.report(found);
        }
        for span in effects {
            let found = Diagnostic::warning("N0013", span, "this never claim changes the model")
                .label("a claim should only look at states")
                .note("what holds with the claim may not hold without it")
                .help("let a process of the model do this, and look at what it does");
            self.report(found);
        }
    }
}

fn each_action<'a>(code: &'a [flow::Stmt], visit: &mut dyn FnMut(&'a Action, Span)) {
    use flow::Kind;
    for statement in code {
        match &statement.kind {
            Kind::Basic(action) => visit(action, statement.span),
            Kind::Choice { options, .. } => {
                options.iter().for_each(|option| each_action(option, visit));
            }
            Kind::Block(code) | Kind::Atomic(code) | Kind::Deterministic(code) => {
                each_action(code, visit);
            }
            Kind::Unless(main, escape) => {
                each_action(std::slice::from_ref(&**main), visit);
                each_action(std::slice::from_ref(&**escape), visit);
            }
            Kind::Idle | Kind::Goto(_) | Kind::Break => {}
        }
    }
}
