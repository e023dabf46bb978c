//! Tiny random PROMELA models that run for ever, some of them: loops without end, processes
//! that wait for each other, labels of acceptance and progress, what fairness is about. And
//! formulas of temporal logic over them.

use crate::Random;

/// A model under construction.
struct Writer<'a> {
    random: &'a mut Random,
    /// Labels so far.
    labels: usize,
    /// Something SPIN sees in another way when a formula is there, or refuses, is left out.
    portable: bool,
    /// So many of a hundred statements are about nothing but the process itself.
    private: usize,
}

/// The text of a model, with what SPIN has another opinion on only if it need not be `portable`.
pub fn model(random: &mut Random, portable: bool) -> String {
    Writer { random, labels: 0, portable, private: 0 }.model()
}

/// One whose processes do much that no other sees.
pub fn private_model(random: &mut Random) -> String {
    Writer { random, labels: 0, portable: false, private: 50 }.model()
}

/// What formulas may say of any of these models, as SPIN does too.
pub const PORTABLE: [&str; 14] = [
    "g == 0",
    "g == 1",
    "g != 0",
    "h == 0",
    "h == 1",
    "h != 1",
    "n == 1",
    "g == h",
    "A@L",
    "A:x == 1",
    "len(q) == 0",
    "len(q) == 1",
    "true",
    "false",
];

/// And what else.
pub const OTHERS: [&str; 6] = ["_nr_pr < 3", "timeout", "_last == 0", "q?[1]", "enabled(0)", "np_"];

/// Formulas named `z0`, `z1` and so on over these propositions, as text; with `X` and `<->`, which SPIN does
/// not always read, or without and smaller: SPIN takes minutes for some.
pub fn formulas(random: &mut Random, count: usize, next: bool, propositions: &[&str]) -> String {
    let formula = |number: usize| {
        let text = formula(random, if next { 3 } else { 2 }, next, propositions);
        format!("ltl z{number} {{ {text} }}\n")
    };
    (0..count).map(formula).collect()
}

/// A never claim over the variables of [`model`], some of its states accepting.
pub fn never(random: &mut Random) -> String {
    let count = random.between(1, 3);
    let names: Vec<String> =
        (0..count).map(|number| format!("{}{number}", random.one_of(&["T", "accept"]))).collect();
    let mut text = String::from("never {\n");
    for name in &names {
        text.push_str(&format!("{name}: do"));
        for _ in 0..random.between(1, 3) {
            let first = if random.chance(40) { "true" } else { random.one_of(&PORTABLE) };
            let last =
                if random.chance(5) { "break" } else { &format!("goto {}", random.pick(&names)) };
            text.push_str(&format!(" :: {first} -> {last}"));
        }
        if random.chance(20) {
            text.push_str(&format!(" :: else -> goto {}", random.pick(&names)));
        }
        text.push_str(" od;\n");
    }
    text + "}\n"
}

fn formula(random: &mut Random, depth: usize, next: bool, propositions: &[&str]) -> String {
    if depth == 0 || random.chance(15) {
        return format!("({})", random.pick(propositions));
    }
    let operand = |random: &mut Random| formula(random, depth - 1, next, propositions);
    match random.below(20) {
        0..=3 => format!("([] {})", operand(random)),
        4..=7 => format!("(<> {})", operand(random)),
        8 | 9 => format!("([] <> {})", operand(random)),
        10 => format!("(<> [] {})", operand(random)),
        11 => format!("(! {})", operand(random)),
        12 if next => format!("(X {})", operand(random)),
        _ => {
            let signs = ["&&", "||", "->", "U", "U", "W", "V", "<->"];
            let sign = random.one_of(&signs[..if next { 8 } else { 7 }]);
            format!("({} {sign} {})", operand(random), operand(random))
        }
    }
}

impl Writer<'_> {
    fn model(&mut self) -> String {
        let mut text =
            String::from("byte g, h, n; chan q = [1] of { byte }; chan r = [0] of { byte };\n");
        let has_child = self.random.chance(20);
        if has_child {
            text.push_str(&self.family());
        }
        let (least, most) = if has_child { (1, 1) } else { (2, 3) };
        let count = self.random.between(least, most);
        for name in &["A", "B", "C"][..count] {
            text.push_str(&self.process(name));
        }
        text
    }

    /// A process that creates another, twice.
    fn family(&mut self) -> String {
        let (body, other) = (self.sequence(1, false), self.value());
        format!(
            "proctype Child(byte x) {{ {body} }}\n\
             active proctype Parent() {{ byte x;\n  \
             do :: atomic {{ n < 2 -> n++; run Child(1) }} :: g = {other} od }}\n"
        )
    }

    fn process(&mut self, name: &str) -> String {
        let provided = match self.random.below(14) {
            0 if !self.portable => " provided (g != 1)",
            _ => "",
        };
        let before = match self.random.chance(30) {
            true => self.sequence(1, true) + "; ",
            false => String::new(),
        };
        let body = match self.random.below(10) {
            0 | 1 => format!("{}; skip", self.sequence(2, true)),
            _ => self.choice(2, true, ("do", "od")),
        };
        format!(
            "active proctype {name}(){provided} {{ byte x;\n  {before}\n  L: skip;\n  {body} }}\n"
        )
    }

    /// Statements; `open` if each is a step of its own, and may have a label.
    fn sequence(&mut self, depth: usize, open: bool) -> String {
        let count = self.random.between(1, 3);
        let statements: Vec<String> = (0..count)
            .map(|_| {
                let label = if open { self.label() } else { String::new() };
                label + &self.statement(depth, open)
            })
            .collect();
        statements.join("; ")
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        match self.random.below(24) {
            0 | 1 if !self.portable => format!("accept{}: ", self.labels),
            2 | 3 => format!("progress{}: ", self.labels),
            4 => format!("end{}: ", self.labels),
            _ => String::new(),
        }
    }

    fn statement(&mut self, depth: usize, open: bool) -> String {
        if self.private > 0 && self.random.chance(self.private) {
            return self.random.one_of(&["x = 1 - x", "x = 0", "x = 1", "skip"]).to_owned();
        }
        match self.random.below(if depth > 0 { 20 } else { 12 }) {
            0..=2 => self.message().to_owned(),
            3 | 4 => self.guard(),
            5..=11 => self.simple(),
            12..=14 => self.choice(depth - 1, open, ("if", "fi")),
            15..=17 => format!("atomic {{ {} }}", self.sequence(depth - 1, false)),
            18 => format!("d_step {{ {}; {} }}", self.simple(), self.simple()),
            _ if open => {
                format!("{{ {} }} unless {{ {} }}", self.sequence(0, false), self.guard())
            }
            _ => self.simple(),
        }
    }

    fn choice(&mut self, depth: usize, open: bool, (first, last): (&str, &str)) -> String {
        let mut text = first.to_owned();
        for _ in 0..self.random.between(1, 3) {
            let start = match self.random.below(4) {
                0 => self.simple(),
                1 => self.message().to_owned(),
                2 if depth > 0 => format!("atomic {{ {}; {} }}", self.guard(), self.simple()),
                _ => self.guard(),
            };
            let then = self.sequence(depth.min(1), open);
            text.push_str(&format!(" :: {start} -> {then}"));
        }
        if self.random.chance(25) {
            text.push_str(" :: else -> skip");
        }
        if first == "do" && self.random.chance(15) {
            text.push_str(&format!(" :: {} -> break", self.guard()));
        }
        format!("{text} {last}")
    }

    fn message(&mut self) -> &'static str {
        if self.private > 0 {
            return self.random.one_of(&["r!1", "r!x", "r?x", "r?x", "q!1", "q?x"]);
        }
        self.random.one_of(&["q!x", "q!1", "q?x", "q?1", "q?g", "r!x", "r!1", "r?x", "r?h"])
    }

    fn guard(&mut self) -> String {
        if self.private > 0 && self.random.chance(25) {
            return self.random.one_of(&["true", "timeout"]).to_owned();
        }
        match self.random.below(12) {
            0 => "timeout".to_owned(),
            1 => "empty(q)".to_owned(),
            2 => "nempty(q)".to_owned(),
            3 if !self.portable => "_nr_pr < 3".to_owned(),
            4 if !self.portable && self.random.chance(20) => "6 / g > 3".to_owned(),
            _ => condition(self.random, &["g", "h", "x", "x", "g", "h"]),
        }
    }

    /// Always executable.
    fn simple(&mut self) -> String {
        match self.random.below(8) {
            0 | 1 => format!("g = {}", self.value()),
            2 | 3 => format!("h = {}", self.value()),
            4 => "g = 1 - g".to_owned(),
            5 => "skip".to_owned(),
            _ => format!("x = {}", self.value()),
        }
    }

    fn value(&mut self) -> &'static str {
        self.random.one_of(&["0", "1", "x", "g", "1 - x", "1 - h"])
    }
}

fn condition(random: &mut Random, variables: &[&str]) -> String {
    format!("{} {} {}", random.one_of(variables), random.one_of(&["==", "!="]), random.below(2))
}
