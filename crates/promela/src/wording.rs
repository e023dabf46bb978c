//! Statements in the words SPIN has for them: `((x==1))`, `q!red,(i+1)`, `t.b[1] = 3`.
//! People and scripts know its lists of steps, so ours are to look the same.

use crate::tree::{Expr, ExprKind, Pattern, Reference, Stmt, StmtKind};
use program::UnaryOp;

/// What SPIN prints for a statement that is one step; nothing for the others, which
/// it words by what they are made of.
/// `fields` says what a variable in a message comes down to.
pub(crate) fn statement(statement: &Stmt, fields: &dyn Fn(&Reference) -> Vec<String>) -> String {
    match &statement.kind {
        StmtKind::Goto(label) => format!("goto {}", label.name),
        StmtKind::Assign(target, value) => assignment(target, &expression(value)),
        StmtKind::Count(target, op) => {
            let place = reference(target);
            format!("{place} = ({place}{}1)", op.symbol())
        }
        StmtKind::Send { queue, arguments, sorted } => {
            let sign = if *sorted { "!!" } else { "!" };
            format!("{}{sign}{}", reference(queue), message(arguments, fields))
        }
        StmtKind::Receive { queue, patterns: wanted, random, keep } => {
            let sign = if *random { "??" } else { "?" };
            let fields = patterns(wanted, fields);
            let fields = if *keep { format!("<{fields}>") } else { fields };
            format!("{}{sign}{fields}", reference(queue))
        }
        StmtKind::Assert(condition) => format!("assert({})", expression(condition)),
        StmtKind::Printf(format, _, values) => printf(format, values),
        StmtKind::Printm(value) => format!("printm({}, \"_unnamed_\")", expression(value)),
        StmtKind::SetPriority(pid, priority) => {
            format!("set_priority({}, {})", expression(pid), expression(priority))
        }
        StmtKind::Else => "else".to_owned(),
        StmtKind::Condition(condition) => format!("({})", expression(condition)),
        _ => String::new(),
    }
}

/// `target = value`, the value in words already.
pub(crate) fn assignment(target: &Reference, value: &str) -> String {
    format!("{} = {value}", reference(target))
}

/// The text with its quotes and backslashes as SPIN shows them.
fn printf(format: &str, values: &[Expr]) -> String {
    let inside = format.trim_matches('"').replace('\\', "\\\\");
    let values = values.iter().map(|value| format!(",{}", expression(value)));
    format!("printf('{inside}'{})", values.collect::<String>())
}

/// `a[i].b`
pub(crate) fn reference(reference: &Reference) -> String {
    let parts = reference.parts.iter().map(|part| match &part.index {
        Some(index) => format!("{}[{}]", part.name.name, expression(index)),
        None => part.name.name.to_string(),
    });
    parts.collect::<Vec<_>>().join(".")
}

fn message(arguments: &[Expr], fields: &dyn Fn(&Reference) -> Vec<String>) -> String {
    let words = arguments.iter().flat_map(|argument| match &argument.kind {
        ExprKind::Variable(variable) => fields(variable),
        _ => vec![expression(argument)],
    });
    words.collect::<Vec<_>>().join(",")
}

fn expressions(list: &[Expr]) -> String {
    list.iter().map(expression).collect::<Vec<_>>().join(",")
}

pub(crate) fn expression(expr: &Expr) -> String {
    let pid = |pid: &Option<Box<Expr>>| {
        pid.as_ref().map_or_else(String::new, |pid| format!("[{}]", expression(pid)))
    };
    match &expr.kind {
        ExprKind::Number(value) => value.to_string(),
        ExprKind::Variable(variable) => reference(variable),
        ExprKind::Unary(op, a) => format!("{}({})", op.symbol(), expression(a)),
        ExprKind::Binary(op, a, b) => {
            format!("({}{}{})", expression(a), op.symbol(), expression(b))
        }
        ExprKind::Choose(parts) => {
            let [condition, yes, no] = &**parts;
            let words = [condition, yes, no].map(expression);
            format!("( ({}) -> ({}) : ({}) )", words[0], words[1], words[2])
        }
        ExprKind::Probe(probe, queue) => format!("{}({})", probe.word(), reference(queue)),
        ExprKind::Poll { queue, patterns: fields, random } => {
            let sign = if *random { "??" } else { "?" };
            let fields = patterns(fields, &|variable| vec![reference(variable)]);
            format!("{}{sign}[{fields}]", reference(queue))
        }
        ExprKind::Run { proctype, arguments, .. } => {
            format!("run {}({})", proctype.name, expressions(arguments))
        }
        ExprKind::Timeout => "timeout".to_owned(),
        ExprKind::NonProgress => "np_".to_owned(),
        ExprKind::Enabled(a) => format!("enabled({})", expression(a)),
        ExprKind::PcValue(a) => format!("pc_value({})", expression(a)),
        ExprKind::GetPriority(a) => format!("get_priority({})", expression(a)),
        ExprKind::RemoteLabel { proctype, pid: process, label } => {
            format!("({}{}._p=={})", proctype.name, pid(process), label.name)
        }
        ExprKind::RemoteVariable { proctype, pid: process, variable } => {
            format!("{}{}.{}", proctype.name, pid(process), reference(variable))
        }
        ExprKind::Messages { queue, patterns: fields, head } => {
            let fields = patterns(fields, &|variable| vec![reference(variable)]);
            let word = if *head { "head" } else { "count" };
            format!("{word}({},{fields})", reference(queue))
        }
        ExprKind::Line { proctype, pid: process, line, .. } => {
            format!("{}{}:{line}", proctype.name, pid(process))
        }
        // Formulas are not executed, and broken text never gets this far.
        ExprKind::Temporal(..) | ExprKind::Broken => String::new(),
    }
}

/// A formula with parentheses around each operand that is not a single word: nothing depends
/// on how operators bind.
pub(crate) fn formula(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Unary(UnaryOp::Not, operand) => format!("!{}", closed(operand)),
        ExprKind::Binary(op, left, right) => {
            format!("{} {} {}", closed(left), op.symbol(), closed(right))
        }
        ExprKind::Temporal(op, operands) => match (op.symbol(), operands.as_slice()) {
            ("X", [operand]) => format!("X {}", closed(operand)),
            (sign, [operand]) => format!("{sign}{}", closed(operand)),
            (sign, [left, right]) => format!("{} {sign} {}", closed(left), closed(right)),
            _ => String::new(),
        },
        ExprKind::RemoteLabel { proctype, pid: None, label } => {
            format!("{}@{}", proctype.name, label.name)
        }
        ExprKind::RemoteLabel { proctype, pid: Some(pid), label } => {
            format!("{}[{}]@{}", proctype.name, expression(pid), label.name)
        }
        ExprKind::RemoteVariable { proctype, pid: None, variable } => {
            format!("{}:{}", proctype.name, reference(variable))
        }
        ExprKind::RemoteVariable { proctype, pid: Some(pid), variable } => {
            format!("{}[{}]:{}", proctype.name, expression(pid), reference(variable))
        }
        _ => expression(expr),
    }
}

/// A formula that can be an operand.
fn closed(expr: &Expr) -> String {
    let open = match &expr.kind {
        ExprKind::Unary(..) | ExprKind::Binary(..) => true,
        ExprKind::Temporal(_, operands) => operands.len() == 2,
        _ => false,
    };
    if open { format!("({})", formula(expr)) } else { formula(expr) }
}

fn patterns(patterns: &[Pattern], fields: &dyn Fn(&Reference) -> Vec<String>) -> String {
    let words = patterns.iter().flat_map(|pattern| match pattern {
        Pattern::Variable(variable) => fields(variable),
        Pattern::Any => vec!["_".to_owned()],
        Pattern::Value(value) if is_literal(value) => vec![expression(value)],
        Pattern::Value(value) => vec![format!("eval({})", expression(value))],
    });
    words.collect::<Vec<_>>().join(",")
}

fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_) => true,
        ExprKind::Unary(UnaryOp::Negate, inner) => is_literal(inner),
        _ => false,
    }
}

/// `1 argument`, `2 arguments`.
pub(crate) fn arguments(count: usize) -> String {
    format!("{count} argument{}", if count == 1 { "" } else { "s" })
}
