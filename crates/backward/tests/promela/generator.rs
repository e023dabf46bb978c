//! Small PROMELA models of chance within the subset that has a reversed form: up to three
//! processes, channels with and without slots, typed variables, an array, atomic
//! sequences, `else`, `timeout`, jumps, assertions and `end` labels.

/// A source of chance that is the same everywhere (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `sides`.
    pub(crate) fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// A model under construction.
struct Author<'d> {
    dice: &'d mut Dice,
    /// Whether the fields of each channel are `{mtype}`, `{mtype, byte}` or `{byte, bit}`.
    channels: Vec<usize>,
    labels: usize,
    /// Inside an atomic sequence there is none.
    atomic: bool,
}

const NAMES: [&str; 3] = ["c", "d", "e"];
const FIELDS: [&str; 3] = ["mtype", "mtype, byte", "byte, bit"];

/// A model.
pub(crate) fn model(dice: &mut Dice) -> String {
    let channels: Vec<usize> = (0..1 + dice.below(3)).map(|_| dice.below(3)).collect();
    let mut text =
        "mtype = { ma, mb };\nunsigned x : 2;\nbit y = 1;\nshort z;\nbyte a[2];\n".to_owned();
    for (name, fields) in NAMES.iter().zip(&channels) {
        let slots = dice.of(&["0", "1", "1", "2"]);
        text += &format!("chan {name} = [{slots}] of {{ {} }};\n", FIELDS[*fields]);
    }
    let created = dice.once_in(4);
    let several = dice.once_in(5);
    for process in 0..2 + dice.below(2) {
        let mut author = Author { dice, channels: channels.clone(), labels: 0, atomic: false };
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
        let count = 1 + self.dice.below(3);
        let parts: Vec<String> = (0..count).map(|_| self.labelled(depth)).collect();
        parts.join(";\n  ")
    }

    /// A statement, at times with a label.
    fn labelled(&mut self, depth: usize) -> String {
        let statement = self.statement(depth);
        if self.atomic || !self.dice.once_in(6) {
            return statement;
        }
        self.labels += 1;
        let word = self.dice.of(&["end", "l"]);
        format!("{word}{}: {statement}", self.labels)
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.dice.below(if depth == 0 { 9 } else { 13 }) {
            0..=2 => self.send(),
            3..=5 => self.receive(),
            6 => self.condition(),
            7 => {
                self.dice.of(&["skip", "printf(\"%d\", x)", "assert(x < 3)", "timeout"]).to_owned()
            }
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
        for _ in 0..1 + self.dice.below(3) {
            let guard = self.statement(0);
            let rest = match self.dice.below(4) {
                0 if open == "do" => "break".to_owned(),
                1 if !self.atomic => "goto finish".to_owned(),
                2 => "skip".to_owned(),
                _ => self.sequence(depth),
            };
            text += &format!(" :: {guard} -> {rest}");
        }
        if self.dice.once_in(4) {
            text += " :: else -> ";
            text += if open == "do" { "break" } else { "skip" };
        }
        format!("{text} {close}")
    }

    fn channel(&mut self) -> (&'static str, usize) {
        let index = self.dice.below(self.channels.len());
        (NAMES[index], self.channels[index])
    }

    fn send(&mut self) -> String {
        let (name, fields) = self.channel();
        let symbol = self.dice.of(&["ma", "ma", "mb", "mb", "m"]);
        let number = self.number();
        match fields {
            0 => format!("{name}!{symbol}"),
            1 => format!("{name}!{symbol}({number})"),
            _ => format!("{name}!{number},{}", self.number()),
        }
    }

    fn receive(&mut self) -> String {
        let (name, fields) = self.channel();
        let symbol = self.dice.of(&["ma", "mb", "m", "eval(m)", "_"]);
        let number = self.dice.of(&["v", "x", "a[1]", "0", "1", "eval(v)", "_"]);
        match fields {
            0 => format!("{name}?{symbol}"),
            1 => format!("{name}?{symbol}({number})"),
            _ => format!("{name}?{number},{}", self.dice.of(&["y", "v", "1", "eval(y)", "_"])),
        }
    }

    fn number(&mut self) -> &'static str {
        self.dice.of(&["0", "1", "2", "v", "x", "y", "x + 1", "a[y]", "a[0]", "z"])
    }

    fn assignment(&mut self) -> String {
        let number = self.number();
        match self.dice.below(8) {
            0 => "x++".to_owned(),
            1 => format!("a[y] = {number}"),
            2 => "a[v % 2] = 1 - a[v % 2]".to_owned(),
            3 => format!("y = {number}"),
            4 => format!("z = {number} % 2 - 1"),
            5 => "m = mb".to_owned(),
            6 => format!("v = {}", self.dice.of(&["(v + 1) % 3", "_pid", "len(c)"])),
            _ => format!("x = {number}"),
        }
    }

    fn condition(&mut self) -> String {
        let number = self.number();
        match self.dice.below(7) {
            0 => format!("(x == {number})"),
            1 => "(y)".to_owned(),
            2 => format!("{}(c)", self.dice.of(&["full", "empty", "nfull", "nempty"])),
            3 => format!("(v < {number})"),
            4 => "(x > 0 && !y)".to_owned(),
            5 => "(len(c) == 1 || v == 1)".to_owned(),
            _ => format!("(z != {number})"),
        }
    }
}
