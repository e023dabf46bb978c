//! Which statements no run can reach, judged by jumps and loops alone. The
//! target of a jump counts as reached.

use super::walk;
use base::Span;
use model::{Body, Stmt, StmtKind};

/// The first statement of each stretch that is never reached.
pub(super) fn dead(body: &Body) -> Vec<Span> {
    let mut reach = Reach { body, loops: Vec::new(), calls: Vec::new(), dead: Vec::new() };
    reach.sequence(&body.statements);
    reach.dead
}

struct Reach<'a> {
    body: &'a Body,
    /// Per `do` around this place: whether some `break` of it is reached.
    loops: Vec<bool>,
    /// Per call around this place: whether some `return` of it is reached.
    calls: Vec<bool>,
    dead: Vec<Span>,
}

impl Reach<'_> {
    /// Whether the end of `statements` is reached, their start being reached. Of
    /// each dead stretch the first statement is noted, and nothing inside it.
    fn sequence(&mut self, statements: &[Stmt]) -> bool {
        let (mut reached, mut reported) = (true, false);
        for statement in statements {
            reached = reached || self.is_target(statement);
            if reached {
                reported = false;
                reached = self.passes(statement);
            } else if !reported {
                reported = true;
                self.dead.push(statement.span);
            }
        }
        reached
    }

    /// Whether a reached statement lets the next one be reached.
    fn passes(&mut self, statement: &Stmt) -> bool {
        match &statement.kind {
            StmtKind::Goto(_) => false,
            StmtKind::Break => {
                if let Some(broken) = self.loops.last_mut() {
                    *broken = true;
                }
                false
            }
            StmtKind::Return => {
                if let Some(returned) = self.calls.last_mut() {
                    *returned = true;
                }
                false
            }
            StmtKind::Call(body) => {
                self.calls.push(false);
                let ends = self.sequence(body);
                self.calls.pop().expect("pushed above") || ends
            }
            StmtKind::If(options) => {
                // All of them are looked at, for each may hold dead statements.
                let ends: Vec<bool> = options.iter().map(|option| self.sequence(option)).collect();
                ends.contains(&true)
            }
            StmtKind::Do(options) => {
                self.loops.push(false);
                options.iter().for_each(|option| {
                    self.sequence(option);
                });
                self.loops.pop().expect("pushed above")
            }
            _ => true,
        }
    }

    /// Whether something jumps to `statement` or into it.
    fn is_target(&self, statement: &Stmt) -> bool {
        let mut target = false;
        walk(std::slice::from_ref(statement), &mut |inner| {
            target = target || inner.labels.iter().any(|it| self.body.labels[*it].is_target);
        });
        target
    }
}
