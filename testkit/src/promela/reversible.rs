//! Small PROMELA models of chance within the subset that has a reversed form: up to three
//! processes, channels with and without slots, typed variables, an array, atomic
//! sequences, `else`, `timeout`, jumps, assertions and `end` labels.

use crate::Random;

/// A model under construction.
struct Author<'d> {
    random: &'d mut Random,
    /// Whether the fields of each channel are `{mtype}`, `{mtype, byte}` or `{byte, bit}`.
    channels: Vec<usize>,
    labels: usize,
    /// Inside an atomic sequence there is none.
    atomic: bool,
}

const NAMES: [&str; 3] = ["c", "d", "e"];
const FIELDS: [&str; 3] = ["mtype", "mtype, byte", "byte, bit"];

/// A model.
pub fn model(random: &mut Random) -> String {
    let channels: Vec<usize> = (0..1 + random.below(3)).map(|_| random.below(3)).collect();
    let mut text =
        "mtype = { ma, mb };\nunsigned x : 2;\nbit y = 1;\nshort z;\nbyte a[2];\n".to_owned();
    for (name, fields) in NAMES.iter().zip(&channels) {
        let slots = random.one_of(&["0", "1", "1", "2"]);
        text += &format!("chan {name} = [{slots}] of {{ {} }};\n", FIELDS[*fields]);
    }
    let created = random.one_in(4);
    let several = random.one_in(5);
    for process in 0..2 + random.below(2) {
        let mut author = Author { random, channels: channels.clone(), labels: 0, atomic: false };
        let body = author.sequence(3);
        let active = match (created, several && process == 0) {
            (true, _) => "proctype",
            (false, true) => "active [2] proctype",
            (false, false) => "active proctype",
        };
        let parameter = if created { "byte n" } else { "" };
        text += &format!(
            "{active} P{process}({parameter})\n{{ unsigned v : 2; mtype m;\n  {body};\n  finish: skip\n}}\n"
        );
    }
    if created {
        let count = text.matches("proctype").count();
        let runs: Vec<String> = (0..count).map(|p| format!("run P{p}({p})")).collect();
        text += &format!("init {{ atomic {{ z = 1; {} }} }}\n", runs.join("; "));
    }
    text
}

impl Author<'_> {
    fn sequence(&mut self, depth: usize) -> String {
        let count = 1 + self.random.below(3);
        let parts: Vec<String> = (0..count).map(|_| self.labelled(depth)).collect();
        parts.join(";\n  ")
    }

    /// A statement, at times with a label.
    fn labelled(&mut self, depth: usize) -> String {
        let statement = self.statement(depth);
        if self.atomic || !self.random.one_in(6) {
            return statement;
        }
        self.labels += 1;
        let word = self.random.one_of(&["end", "l"]);
        format!("{word}{}: {statement}", self.labels)
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 9 } else { 13 }) {
            0..=2 => self.send(),
            3..=5 => self.receive(),
            6 => self.condition(),
            7 => self
                .random
                .one_of(&["skip", "printf(\"%d\", x)", "assert(x < 3)", "timeout"])
                .to_owned(),
            8 => self.assignment(),
            9 | 10 => self.choice(depth - 1, "if", "fi"),
            11 => self.choice(depth - 1, "do", "od"),
            _ if self.atomic => self.send(),
            _ => {
                self.atomic = true;
                let inner = self.sequence(depth - 1);
                self.atomic = false;
                format!("atomic {{ {inner} }}")
            }
        }
    }

    fn choice(&mut self, depth: usize, open: &str, close: &str) -> String {
        let mut text = open.to_owned();
        for _ in 0..1 + self.random.below(3) {
            let guard = self.statement(0);
            let rest = match self.random.below(4) {
                0 if open == "do" => "break".to_owned(),
                1 if !self.atomic => "goto finish".to_owned(),
                2 => "skip".to_owned(),
                _ => self.sequence(depth),
            };
            text += &format!(" :: {guard} -> {rest}");
        }
        if self.random.one_in(4) {
            text += " :: else -> ";
            text += if open == "do" { "break" } else { "skip" };
        }
        format!("{text} {close}")
    }

    fn channel(&mut self) -> (&'static str, usize) {
        let index = self.random.below(self.channels.len());
        (NAMES[index], self.channels[index])
    }

    fn send(&mut self) -> String {
        let (name, fields) = self.channel();
        let symbol = self.random.one_of(&["ma", "ma", "mb", "mb", "m"]);
        let number = self.number();
        match fields {
            0 => format!("{name}!{symbol}"),
            1 => format!("{name}!{symbol}({number})"),
            _ => format!("{name}!{number},{}", self.number()),
        }
    }

    fn receive(&mut self) -> String {
        let (name, fields) = self.channel();
        let symbol = self.random.one_of(&["ma", "mb", "m", "eval(m)", "_"]);
        let number = self.random.one_of(&["v", "x", "a[1]", "0", "1", "eval(v)", "_"]);
        match fields {
            0 => format!("{name}?{symbol}"),
            1 => format!("{name}?{symbol}({number})"),
            _ => {
                format!("{name}?{number},{}", self.random.one_of(&["y", "v", "1", "eval(y)", "_"]))
            }
        }
    }

    fn number(&mut self) -> &'static str {
        self.random.one_of(&["0", "1", "2", "v", "x", "y", "x + 1", "a[y]", "a[0]", "z"])
    }

    fn assignment(&mut self) -> String {
        let number = self.number();
        match self.random.below(8) {
            0 => "x++".to_owned(),
            1 => format!("a[y] = {number}"),
            2 => "a[v % 2] = 1 - a[v % 2]".to_owned(),
            3 => format!("y = {number}"),
            4 => format!("z = {number} % 2 - 1"),
            5 => "m = mb".to_owned(),
            6 => format!("v = {}", self.random.one_of(&["(v + 1) % 3", "_pid", "len(c)"])),
            _ => format!("x = {number}"),
        }
    }

    fn condition(&mut self) -> String {
        let number = self.number();
        match self.random.below(7) {
            0 => format!("(x == {number})"),
            1 => "(y)".to_owned(),
            2 => format!("{}(c)", self.random.one_of(&["full", "empty", "nfull", "nempty"])),
            3 => format!("(v < {number})"),
            4 => "(x > 0 && !y)".to_owned(),
            5 => "(len(c) == 1 || v == 1)".to_owned(),
            _ => format!("(z != {number})"),
        }
    }
}
