//! Random expressions. Divisors and shift counts are constants within range, since C
//! leaves the rest open; indices stay inside unless the model is careless.

use super::world::{Channel, Variable, World};

impl World {
    /// A value of any type.
    pub(super) fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.draw.chance(40) {
            return self.atom();
        }
        match self.draw.below(12) {
            0..5 => self.arithmetic(depth - 1),
            5..8 => format!("({})", self.comparison(depth - 1)),
            8 => {
                let operator = *self.draw.pick(&["-", "~", "!"]);
                format!("({operator}({}))", self.expression(depth - 1))
            }
            9 => {
                let [condition, yes, no] = [0; 3].map(|_| self.expression(depth - 1));
                format!("(({condition}) -> {yes} : {no})")
            }
            10 => {
                let operator = *self.draw.pick(&["&&", "||"]);
                let [left, right] = [0; 2].map(|_| self.expression(depth - 1));
                format!("({left} {operator} {right})")
            }
            _ => self.system_value(),
        }
    }

    fn atom(&mut self) -> String {
        match self.draw.below(10) {
            0..4 => self.constant(),
            4..9 => self.value(),
            _ => self.system_value(),
        }
    }

    /// A number, mostly small, sometimes one that does not fit.
    pub(super) fn constant(&mut self) -> String {
        match self.draw.below(20) {
            0 => (*self.draw.pick(&["255", "256", "300", "32767", "65535", "-129"])).to_owned(),
            1 => "-1".to_owned(),
            2 => "true".to_owned(),
            3..5 => self.mtype(),
            _ => self.draw.below(4).to_string(),
        }
    }

    /// What the system itself knows.
    fn system_value(&mut self) -> String {
        match self.draw.below(9) {
            0..3 => "_pid".to_owned(),
            3..5 => "_nr_pr".to_owned(),
            5 if self.taste.last => "_last".to_owned(),
            6 if self.taste.priorities => "get_priority(_pid)".to_owned(),
            _ => match self.buffered() {
                Some(channel) => format!("len({})", self.channel_use(&channel)),
                None => self.constant(),
            },
        }
    }

    fn arithmetic(&mut self, depth: usize) -> String {
        let left = self.expression(depth);
        let operator = *self.draw.pick(&["+", "-", "+", "*", "&", "|", "^", "/", "%", "<<", ">>"]);
        let right = match operator {
            "/" | "%" if self.taste.careless && self.draw.chance(50) => self.value(),
            "/" | "%" => self.draw.between(2, 3).to_string(),
            "<<" | ">>" => self.draw.between(0, 4).to_string(),
            _ => self.expression(depth),
        };
        format!("({left} {operator} {right})")
    }

    pub(super) fn comparison(&mut self, depth: usize) -> String {
        let left = if self.draw.chance(70) { self.value() } else { self.expression(depth) };
        let operator = *self.draw.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let right = if self.draw.chance(70) { self.constant() } else { self.expression(depth) };
        format!("{left} {operator} {right}")
    }

    /// Something to wait for.
    pub(super) fn condition(&mut self) -> String {
        match self.draw.below(20) {
            0..12 => self.comparison(1),
            12..15 => self.probe(),
            15 => self.value(),
            16 => format!(
                "({}) {} ({})",
                self.comparison(0),
                self.draw.pick(&["&&", "||"]),
                self.comparison(0)
            ),
            17 if self.taste.remote => self.remote(),
            18 => "skip".to_owned(),
            _ => self.expression(2),
        }
    }

    /// A question about the contents of a channel.
    fn probe(&mut self) -> String {
        let Some(channel) = self.buffered() else { return self.comparison(1) };
        let text = self.channel_use(&channel);
        if self.draw.chance(40) {
            let arguments = self.patterns(channel.shape, false);
            let operator = *self.draw.pick(&["?", "??"]);
            return format!("{text}{operator}[{arguments}]");
        }
        let probe = *self.draw.pick(&["full", "empty", "nfull", "nempty"]);
        format!("{probe}({text})")
    }

    /// Where another process is, or whether it can move.
    pub(super) fn remote(&mut self) -> String {
        // SPIN wants the proctype before its use, and not the one at hand.
        let named: Vec<(String, String)> = self.proctypes[..self.current]
            .iter()
            .flat_map(|it| it.labels.iter().map(|label| (it.name.clone(), label.clone())))
            .collect();
        if named.is_empty() {
            return self.comparison(0);
        }
        let (proctype, label) = self.draw.pick(&named).clone();
        format!("{proctype}@{label}")
    }

    /// A variable as it is read.
    pub(super) fn value(&mut self) -> String {
        let variable = self.draw.pick(&self.variables).clone();
        self.variable_use(&variable)
    }

    pub(super) fn variable_use(&mut self, variable: &Variable) -> String {
        match variable.length {
            Some(length) => format!("{}[{}]", variable.text, self.index(length)),
            None => variable.text.clone(),
        }
    }

    pub(super) fn channel_use(&mut self, channel: &Channel) -> String {
        match channel.length {
            Some(length) => format!("{}[{}]", channel.text, self.index(length)),
            None => channel.text.clone(),
        }
    }

    /// An index of an array of this length.
    fn index(&mut self, length: usize) -> String {
        let unsigned = |it: &&Variable| {
            it.length.is_none() && matches!(it.kind, "byte" | "unsigned" | "pid" | "mtype")
        };
        let bits = |it: &&Variable| it.length.is_none() && matches!(it.kind, "bit" | "bool");
        let small: Vec<String> =
            self.variables.iter().filter(bits).map(|it| it.text.clone()).collect();
        let large: Vec<String> =
            self.variables.iter().filter(unsigned).map(|it| it.text.clone()).collect();
        match self.draw.below(10) {
            0..2 if !small.is_empty() => self.draw.pick(&small).clone(),
            2..4 if !large.is_empty() => format!("{} % {length}", self.draw.pick(&large)),
            4 => format!("_pid % {length}"),
            5..8 if self.taste.careless && !large.is_empty() => self.draw.pick(&large).clone(),
            _ => self.draw.below(length).to_string(),
        }
    }

    pub(super) fn buffered(&mut self) -> Option<Channel> {
        let shapes = &self.shapes;
        let some: Vec<Channel> =
            self.channels.iter().filter(|it| shapes[it.shape].buffered).cloned().collect();
        (!some.is_empty()).then(|| self.draw.pick(&some).clone())
    }
}
