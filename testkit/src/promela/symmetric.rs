//! Tiny random PROMELA models of several processes that nobody tells apart, or hardly: they know
//! themselves and each other by numbers, which they keep, compare, send, and use as indices. A few break
//! the rules.

use crate::Random;

/// A model, and what its text does not say so plainly.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its text.
    pub text: String,
    /// The pids of the processes that are alike.
    pub pids: Vec<usize>,
    /// By what number each of them is known; beside it, `o`, `p`, `w` and the messages of `q` hold such
    /// numbers, and `f`, `w` and `r` are indexed by them.
    pub numbers: Vec<i32>,
    /// No process ends, and zero is no number of one.
    pub is_plain: bool,
    /// Some process may end.
    pub ends: bool,
    /// Some statement may tell processes apart.
    pub is_twisted: bool,
}

/// What a process may be known by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Pid,
    Parameter,
}

/// A model.
pub fn model(random: &mut Random) -> Model {
    let count = 2 + random.below(3usize);
    let known = random.one_of(&[Known::Pid, Known::Pid, Known::Parameter]);
    let created = known == Known::Parameter || random.chance(40);
    let first = usize::from(created || random.chance(50));
    let least = if known == Known::Pid { first } else { random.below(2usize) };
    let (me, is_twisted) =
        (["_pid", "i"][usize::from(known == Known::Parameter)], random.one_in(8));
    let mut body = Body { random, me, depth: 1, twists: usize::from(is_twisted) };
    let ends = body.random.one_in(3);
    let statements = body.sequence();
    let body_text = match ends {
        true => statements,
        false => format!("do :: {statements} od"),
    };
    let parameter = if known == Known::Parameter { "byte i" } else { "" };
    let active = if created { String::new() } else { format!("active [{count}] ") };
    let mut text = String::from(
        "#define NONE 255\nbyte g, o = NONE; bool f[6]; byte w[6] = NONE;\n\
         chan q = [2] of { byte }; chan r[6] = [1] of { byte };\n\
         chan z = [0] of { byte, byte };\n",
    );
    if !created && first == 1 {
        text.push_str("active proctype Z() { end: false }\n");
    }
    text.push_str(&format!(
        "{active}proctype W({parameter}) {{ byte x, p = NONE; {body_text} }}\n"
    ));
    if created {
        let argument =
            |at: usize| if parameter.is_empty() { String::new() } else { (least + at).to_string() };
        let runs: Vec<String> = (0..count).map(|at| format!("run W({})", argument(at))).collect();
        let then = random.one_of(&[
            "end: false",
            "end: false",
            "_nr_pr == 1; assert(g != 1)",
            "_nr_pr == 1 && g == 0",
        ]);
        text.push_str(&format!("init {{ atomic {{ {} }}; {then} }}\n", runs.join("; ")));
    }
    Model {
        text,
        pids: (first..first + count).collect(),
        numbers: (0..count).map(|at| (least + at) as i32).collect(),
        is_plain: !ends && least > 0,
        ends,
        is_twisted,
    }
}

struct Body<'r> {
    random: &'r mut Random,
    me: &'static str,
    depth: usize,
    twists: usize,
}

impl Body<'_> {
    fn sequence(&mut self) -> String {
        let length = 1 + self.random.below(3usize);
        (0..length).map(|_| self.statement()).collect::<Vec<_>>().join("; ")
    }

    fn inner(&mut self) -> String {
        self.depth -= 1;
        let text = self.sequence();
        self.depth += 1;
        text
    }

    fn statement(&mut self) -> String {
        if self.twists > 0 && self.random.one_in(2) {
            self.twists -= 1;
            return self.twist();
        }
        match self.random.below(if self.depth > 0 { 20 } else { 12 }) {
            0..=4 => self.message(),
            5 | 6 => self.guard(),
            7..=11 => self.simple(),
            12..=14 => self.choice(("if", "fi")),
            15 | 16 => self.choice(("do", "od")),
            17 | 18 => format!("atomic {{ {} }}", self.inner()),
            _ => format!("d_step {{ {}; {} }}", self.simple(), self.simple()),
        }
    }

    fn filled(&mut self, texts: &[&str]) -> String {
        self.random.one_of(texts).replace("ME", self.me)
    }

    fn message(&mut self) -> String {
        self.filled(&[
            "q!ME",
            "q!ME",
            "q?p",
            "q?p",
            "q?eval(ME)",
            "q??eval(p)",
            "q?<p>",
            "r[ME]!x",
            "r[ME]?x",
            "p != NONE -> r[p]!1",
            "z!ME,x",
            "z?p,x",
            "z!p,g",
            "z?eval(ME),x",
            "nempty(q) -> q?o",
        ])
    }

    fn guard(&mut self) -> String {
        self.filled(&[
            "o == ME",
            "o != ME",
            "o == p",
            "o == NONE",
            "p != ME",
            "f[ME]",
            "!f[ME]",
            "g == 1",
            "x == 0",
            "empty(q)",
            "nempty(r[ME])",
            "full(q)",
            "timeout",
            "q?[eval(ME)]",
            "w[ME] == NONE",
            "p != NONE && f[p]",
            "w[ME] == o",
        ])
    }

    fn simple(&mut self) -> String {
        self.filled(&[
            "g = (g + 1) % 3",
            "o = ME",
            "o = ME",
            "o = NONE",
            "o = p",
            "p = o",
            "p = ME",
            "p = NONE",
            "f[ME] = 1 - f[ME]",
            "f[ME] = true",
            "x = 1 - x",
            "x = g % 2",
            "w[ME] = o",
            "w[ME] = p",
            "p = w[ME]",
            "assert(o == NONE || o == ME)",
            "assert(g < 2)",
            "assert(p != o || x == 0)",
            "if :: p != NONE -> f[p] = false :: else fi",
            "if :: o != NONE -> w[o] = ME :: else fi",
        ])
    }

    fn twist(&mut self) -> String {
        self.filled(&[
            "o > ME",
            "g = ME",
            "o == 2",
            "q!!ME",
            "f[1] = true",
            "x = ME % 2",
            "p = 1",
            "q?1",
            "_nr_pr > 2",
            "p = ME + 1",
            "_last == ME",
            "W[2]:x == 0",
            "q!1",
            "r[1]!0",
            "g = o",
        ])
    }

    fn choice(&mut self, (open, close): (&str, &str)) -> String {
        let mut options = String::new();
        for _ in 0..1 + self.random.below(2usize) {
            let first = match self.random.below(3usize) {
                0 => self.message(),
                1 => self.simple(),
                _ => self.guard(),
            };
            options.push_str(&format!(" :: {first} -> {}", self.simple()));
        }
        if open == "do" {
            options.push_str(&format!(" :: {} -> break", self.guard()));
        }
        if self.random.one_in(3) {
            let last = if open == "do" { "break" } else { "skip" };
            options.push_str(&format!(" :: else -> {last}"));
        }
        format!("{open}{options} {close}")
    }
}
