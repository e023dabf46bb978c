//! Expressions in words.

use crate::{Expr, Place, ProctypeId, Program, RemoteLabel, RemoteVariable};

/// Where words are found for what stands in a program, or in one of its proctypes.
pub(super) struct Words<'a> {
    pub(super) program: &'a Program,
    pub(super) proctype: Option<ProctypeId>,
}

impl Words<'_> {
    pub(super) fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Const(value) => value.to_string(),
            Expr::Load(place) => self.place(place),
            Expr::Unary(op, a) => format!("{}{}", op.symbol(), self.expr(a)),
            Expr::Binary(op, a, b) => {
                format!("({} {} {})", self.expr(a), op.symbol(), self.expr(b))
            }
            Expr::Choose(a, b, c) => {
                format!("({} -> {} : {})", self.expr(a), self.expr(b), self.expr(c))
            }
            Expr::Probe(probe, queue) => format!("{}({})", probe.word(), queue.name),
            Expr::Poll { queue, patterns, random } => {
                let sign = if *random { "??" } else { "?" };
                format!("{}{sign}[{}]", queue.name, self.patterns(patterns))
            }
            Expr::Messages { queue, patterns, head } => {
                let (first, rest) = patterns.split_at(patterns.len().min(1));
                let rest = match rest {
                    [] => String::new(),
                    rest => format!("({})", self.patterns(rest)),
                };
                let kind = format!("{}{rest}", self.patterns(first));
                match head {
                    true => format!("head({}) == {kind}", queue.name),
                    false => format!("count({}, {kind})", queue.name),
                }
            }
            Expr::Run { proctype, arguments, priority } => {
                let priority = priority.map_or(String::new(), |p| format!(" priority {p}"));
                let name = &self.program.proctypes[*proctype].name;
                format!("run {name}({}){priority}", self.exprs(arguments))
            }
            Expr::Timeout => "timeout".to_owned(),
            Expr::Pid => "_pid".to_owned(),
            Expr::ProcessCount => "_nr_pr".to_owned(),
            Expr::Last => "_last".to_owned(),
            Expr::NonProgress => "np_".to_owned(),
            Expr::Accepting => "a process is at an acceptance label".to_owned(),
            Expr::Enabled(pid) => format!("enabled({})", self.expr(pid)),
            Expr::PcValue(pid) => format!("pc_value({})", self.expr(pid)),
            Expr::Priority(pid) => format!("get_priority({})", self.expr(pid)),
            Expr::RemoteLabel(label) => self.remote_label(label),
            Expr::RemoteVariable(variable) => self.remote_variable(variable),
        }
    }

    pub(super) fn exprs(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|expr| self.expr(expr)).collect::<Vec<_>>().join(",")
    }

    pub(super) fn place(&self, place: &Place) -> String {
        let variable = self.program.variable(self.proctype, place.variable);
        let name = variable.map_or("?", |variable| &variable.name);
        format!("{name}{}", self.subscripts(place))
    }

    fn subscripts(&self, place: &Place) -> String {
        place.subscripts.iter().map(|s| format!("[{}]", self.expr(&s.index))).collect()
    }

    fn remote(&self, proctype: ProctypeId, pid: Option<&Expr>) -> String {
        let pid = pid.map_or(String::new(), |pid| format!("[{}]", self.expr(pid)));
        format!("{}{pid}", self.program.proctypes[proctype].name)
    }

    fn remote_label(&self, label: &RemoteLabel) -> String {
        format!("{}@{}", self.remote(label.proctype, label.pid.as_deref()), label.label)
    }

    fn remote_variable(&self, remote: &RemoteVariable) -> String {
        let variable = self.program.variable(Some(remote.proctype), remote.place.variable);
        let name = variable.map_or("?", |variable| &variable.name);
        let process = self.remote(remote.proctype, remote.pid.as_deref());
        format!("{process}:{name}{}", self.subscripts(&remote.place))
    }
}
