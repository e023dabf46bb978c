//! Procedures are inlined, so none may call itself, however indirectly.

use super::scope::Scope;
use crate::tree::{StmtKind, Word};
use base::Diagnostic;

/// Cycles reported; a hundred are enough to see the pattern.
const CYCLES_MAX: usize = 100;

/// Reports the calls that close a cycle; true if there is one. Depth first
/// without recursion: a chain of procedures may be as long as the text.
pub(crate) fn check(scope: &Scope<'_>, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let count = scope.procedures.len();
    let calls: Vec<Vec<(usize, &Word)>> = (0..count).map(|it| calls(scope, it)).collect();
    let mut state = vec![State::New; count];
    let before = diagnostics.len();
    for start in 0..count {
        // Each entry: a procedure, and how many of its calls are looked at.
        let mut path: Vec<(usize, usize)> = Vec::new();
        if state[start] == State::New {
            state[start] = State::OnPath;
            path.push((start, 0));
        }
        while let Some((at, next)) = path.last_mut() {
            let Some((callee, word)) = calls[*at].get(*next).copied() else {
                state[*at] = State::Finished;
                path.pop();
                continue;
            };
            *next += 1;
            if state[callee] == State::New {
                state[callee] = State::OnPath;
                path.push((callee, 0));
            } else if state[callee] == State::OnPath && diagnostics.len() < before + CYCLES_MAX {
                let cycle = path.iter().map(|(it, _)| *it).skip_while(|it| *it != callee).collect();
                diagnostics.push(report(scope, cycle, word));
            }
        }
    }
    diagnostics.len() > before
}

/// How far a procedure is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    OnPath,
    Finished,
}

fn calls<'a>(scope: &Scope<'a>, procedure: usize) -> Vec<(usize, &'a Word)> {
    let mut found = Vec::new();
    scope.procedures[procedure].body.walk(&mut |statement| {
        if let StmtKind::Call(word) = &statement.kind
            && let Some(callee) = scope.procedure_names.get(&word.name)
        {
            found.push((*callee, word));
        }
    });
    found
}

fn report(scope: &Scope<'_>, mut cycle: Vec<usize>, word: &Word) -> Diagnostic {
    cycle.push(cycle[0]);
    let mut names: Vec<&str> = cycle.iter().map(|it| &*scope.procedures[*it].name.name).collect();
    if names.len() > 10 {
        names.splice(5..names.len() - 4, ["..."]);
    }
    let note = format!("the cycle is {}", names.join(" -> "));
    let declared = scope.procedures[cycle[0]].name.span;
    Diagnostic::error("A0013", word.span, format!("procedure `{}` calls itself", word.name))
        .label("this call closes the cycle")
        .other(declared, "the procedure is declared here")
        .note(note)
        .help("procedures are copied to their calls; write a `do` loop instead")
}
