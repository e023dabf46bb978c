//! `p:12`: process p is about to execute a statement in line 12. The states where that is so get
//! a label that no text can have.

use crate::tree::{self, Item, Look, Property, Tree};
use base::{Diagnostic, Name, SourceMap, Span};
use model::{Label, LabelId, Model, Stmt, StmtKind};

/// Lines listed in a message.
const LINES_SHOWN: usize = 12;

/// Labels what formulas and predicates ask about; with `partial`, statements may be missing.
pub(crate) fn mark(
    tree: &Tree,
    model: &mut Model,
    sources: &SourceMap,
    partial: bool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut asked = Vec::new();
    for item in &tree.items {
        if let Item::Ltl(Property { formula, .. }) | Item::Predicate(_, Property { formula, .. }) =
            item
        {
            lines(formula, &mut asked);
        }
    }
    for (process, span, line) in asked {
        let mut processes = model.processes.iter_mut();
        let Some(process) = processes.find(|it| it.name == process) else { continue };
        let body = &mut process.body;
        let name = Name::new(&format!(":{line}"));
        if body.labels.iter().any(|label| label.name == name) {
            continue;
        }
        let label = body.labels.push(Label { name, span, is_target: false });
        let marked = label_line(&mut body.statements, (line, label), sources);
        if !marked && !partial {
            let mut known = Vec::new();
            lines_of(&body.statements, sources, &mut known);
            diagnostics.push(unknown_line(&process.name, (span, line), known));
        }
    }
}

/// Every `p:12` in a formula.
fn lines(expr: &tree::Expr, asked: &mut Vec<(Name, Span, u32)>) {
    match &expr.kind {
        tree::ExprKind::Look(Look::Line(process, span, line)) => {
            asked.push((process.name.clone(), *span, *line));
        }
        tree::ExprKind::Unary(_, x) => lines(x, asked),
        tree::ExprKind::Binary(_, x, y) => {
            lines(x, asked);
            lines(y, asked);
        }
        tree::ExprKind::Temporal(_, operands) => operands.iter().for_each(|it| lines(it, asked)),
        _ => {}
    }
}

/// Labels every statement that begins in a line; whether there is one. What an option begins
/// with is executed where its `if` or `do` stands.
fn label_line(statements: &mut [Stmt], (line, label): (u32, LabelId), sources: &SourceMap) -> bool {
    let mut found = false;
    for statement in statements {
        if begins_in(statement, line, sources) {
            statement.labels.push(label);
            found = true;
        }
        if let StmtKind::If(options) | StmtKind::Do(options) = &mut statement.kind {
            for option in options {
                let rest = option.get_mut(1..).unwrap_or_default();
                found |= label_line(rest, (line, label), sources);
                found |= label_inside(option.first_mut(), (line, label), sources);
            }
        }
    }
    found
}

/// The same behind the first statements of the options of a guard, which is labelled with what
/// it is a guard of.
fn label_inside(
    guard: Option<&mut Stmt>,
    (line, label): (u32, LabelId),
    sources: &SourceMap,
) -> bool {
    let Some(StmtKind::If(options) | StmtKind::Do(options)) = guard.map(|it| &mut it.kind) else {
        return false;
    };
    let mut found = false;
    for option in options {
        let rest = option.get_mut(1..).unwrap_or_default();
        found |= label_line(rest, (line, label), sources);
        found |= label_inside(option.first_mut(), (line, label), sources);
    }
    found
}

fn begins_in(statement: &Stmt, line: u32, sources: &SourceMap) -> bool {
    let mut firsts = vec![statement];
    while let Some(first) = firsts.pop() {
        if sources.line(first.span) == line {
            return true;
        }
        if let StmtKind::If(options) | StmtKind::Do(options) = &first.kind {
            firsts.extend(options.iter().filter_map(|option| option.first()));
        }
    }
    false
}

fn lines_of(statements: &[Stmt], sources: &SourceMap, known: &mut Vec<u32>) {
    for statement in statements {
        known.push(sources.line(statement.span));
        if let StmtKind::If(options) | StmtKind::Do(options) = &statement.kind {
            options.iter().for_each(|option| lines_of(option, sources, known));
        }
    }
}

fn unknown_line(process: &Name, (span, line): (Span, u32), mut known: Vec<u32>) -> Diagnostic {
    known.sort_unstable();
    known.dedup();
    known.sort_by_key(|known| known.abs_diff(line));
    known.truncate(LINES_SHOWN);
    known.sort_unstable();
    let known: Vec<String> = known.iter().map(u32::to_string).collect();
    Diagnostic::error("A0043", span, format!("`{process}` has no statement in line {line}"))
        .label("no statement begins there")
        .help(match known.as_slice() {
            [] => "it has no statement".to_owned(),
            known => format!("its statements near it begin in lines {}", known.join(", ")),
        })
}
