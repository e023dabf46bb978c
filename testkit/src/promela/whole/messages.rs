//! Random sends and receives.

use super::world::{Channel, Variable, World};

impl World {
    /// Any channel; only one with slots where a rendezvous must not be.
    fn channel(&mut self, rendezvous: bool) -> Option<Channel> {
        if !rendezvous {
            return self.buffered();
        }
        (!self.channels.is_empty()).then(|| self.draw.pick(&self.channels).clone())
    }

    pub(super) fn send(&mut self, rendezvous: bool) -> Option<String> {
        let channel = self.channel(rendezvous)?;
        let text = self.channel_use(&channel);
        let mut values: Vec<String> = Vec::new();
        for kind in self.shapes[channel.shape].fields.clone() {
            values.push(if kind == "chan" { self.carried() } else { self.expression(1) });
        }
        let buffered = self.shapes[channel.shape].buffered;
        // SPIN complains of an offer with too few values even if nobody takes it.
        if buffered && self.taste.careless && values.len() > 1 && self.draw.chance(30) {
            values.pop();
        }
        let sorted = buffered && self.draw.chance(25);
        let operator = if sorted { "!!" } else { "!" };
        let first = values.remove(0);
        Some(match values.is_empty() {
            true => format!("{text}{operator}{first}"),
            // The other way to write the same.
            false if self.draw.chance(20) => {
                format!("{text}{operator}{first}({})", values.join(", "))
            }
            false => format!("{text}{operator}{first}, {}", values.join(", ")),
        })
    }

    /// A channel that is sent in a message.
    fn carried(&mut self) -> String {
        let some: Vec<Channel> = self.channels.iter().filter(|it| it.shape == 0).cloned().collect();
        let channel = self.draw.pick(&some).clone();
        self.channel_use(&channel)
    }

    pub(super) fn receive(&mut self, rendezvous: bool) -> Option<String> {
        let channel = self.channel(rendezvous)?;
        let text = self.fixed(&channel.text, channel.length);
        let patterns = self.patterns(channel.shape, true);
        if !self.shapes[channel.shape].buffered {
            return Some(format!("{text}?{patterns}"));
        }
        let operator = if self.draw.chance(30) { "??" } else { "?" };
        Some(match self.draw.chance(20) {
            true => format!("{text}{operator}<{patterns}>"),
            false => format!("{text}{operator}{patterns}"),
        })
    }

    /// An element whose index no receive changes: SPIN takes such a receive back at
    /// the wrong element.
    fn fixed(&mut self, text: &str, length: Option<usize>) -> String {
        match length {
            Some(length) if self.draw.chance(50) => format!("{text}[_pid % {length}]"),
            Some(length) => format!("{text}[{}]", self.draw.below(length)),
            None => text.to_owned(),
        }
    }

    /// What a message must look like. One variable does not take two fields.
    pub(super) fn patterns(&mut self, shape: usize, variables: bool) -> String {
        let mut taken: Vec<String> = Vec::new();
        let mut patterns = Vec::new();
        let fields = self.shapes[shape].fields.clone();
        for kind in &fields {
            let bits = bits(kind, fields.len() == 1);
            let pattern = match *kind {
                "chan" => self.channel_pattern(&mut taken),
                _ => self.pattern(variables.then_some(bits), &mut taken),
            };
            patterns.push(pattern);
        }
        // SPIN takes a receive back with what `eval` is worth afterwards.
        let changes = |it: &str| it.contains("len(") || taken.iter().any(|t| it.contains(t));
        let changed = |it: &String| it.starts_with("eval") && changes(it);
        patterns.iter_mut().filter(|it| changed(it)).for_each(|it| *it = "_".to_owned());
        patterns.join(", ")
    }

    /// A variable takes only what fits into it: SPIN takes a receive back with the
    /// value of the variable, not with that of the message.
    fn pattern(&mut self, bits: Option<u8>, taken: &mut Vec<String>) -> String {
        let fits = |it: &&Variable| bits.is_some_and(|bits| room(it) >= bits);
        let some: Vec<Variable> = self
            .variables
            .iter()
            .filter(fits)
            .filter(|it| !taken.contains(&it.text))
            .cloned()
            .collect();
        match self.draw.below(10) {
            0..5 if !some.is_empty() => {
                let variable = self.draw.pick(&some).clone();
                taken.push(variable.text.clone());
                self.fixed(&variable.text, variable.length)
            }
            0..6 => "_".to_owned(),
            6..8 => self.constant(),
            _ => format!("eval({})", self.expression(1)),
        }
    }

    fn channel_pattern(&mut self, taken: &mut Vec<String>) -> String {
        let free = |it: &&Channel| it.assignable && it.shape == 0 && !taken.contains(&it.text);
        let some: Vec<String> =
            self.channels.iter().filter(free).map(|it| it.text.clone()).collect();
        if some.is_empty() || self.draw.chance(30) {
            return if self.draw.chance(40) {
                format!("eval({})", self.carried())
            } else {
                "_".to_owned()
            };
        }
        let chosen = self.draw.pick(&some).clone();
        taken.push(chosen.clone());
        chosen
    }
}

/// The bits of a field; a bit alone has eight.
fn bits(kind: &str, alone: bool) -> u8 {
    match kind {
        "bit" | "bool" if !alone => 1,
        "short" => 16,
        "int" => 32,
        _ => 8,
    }
}

/// The bits a variable surely keeps.
fn room(variable: &Variable) -> u8 {
    match variable.kind {
        _ if variable.text == "v" => 0,
        "unsigned" => 1,
        kind => bits(kind, variable.length.is_some()),
    }
}
