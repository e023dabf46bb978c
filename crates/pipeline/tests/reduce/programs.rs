//! Tiny random PROMELA models, full of what makes steps depend on each other: channels
//! with little room, rendezvous, shared variables, tests of lengths and heads, `else`,
//! timeouts, atomic sequences that block, escapes, processes that come and go with channels
//! of their own, event traces.

/// A small generator of numbers; the same seed gives the same ones.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.roll(words.len() as u64) as usize]
    }
}

/// The text of a model.
pub(crate) fn model(dice: &mut Dice) -> String {
    let room = 1 + dice.roll(2);
    let mut text = format!(
        "byte g, h; byte b[2]; chan q = [{room}] of {{ byte }}; chan p = [1] of {{ byte }};\n\
         chan r = [0] of {{ byte }};\n"
    );
    if dice.roll(10) == 0 {
        text.push_str(dice.pick(&[
            "notrace { q?1; p!1 }\n",
            "trace { do :: q!0 :: q!1 :: p?1 od }\n",
            "trace { do :: p!1; p?1 od }\n",
        ]));
    }
    let has_child = dice.roll(4) == 0;
    if has_child {
        text.push_str(&family(dice));
    }
    let processes = if has_child { 1 } else { 2 } + dice.roll(2);
    for name in ["A", "B", "C"].iter().take(processes as usize) {
        let provided = if dice.roll(40) == 0 { " provided (g != 1)" } else { "" };
        let channel = dice.pick(&["q", "p", "q", "p", "r"]);
        let body = sequence(dice, 1);
        let end = if dice.roll(2) == 0 { "; end: false" } else { "" };
        text.push_str(&format!(
            "active proctype {name}(){provided} {{ chan c = {channel}; byte x; {body}{end} }}\n"
        ));
    }
    text
}

/// A process that creates another, some of them twice, some with a channel of its own.
fn family(dice: &mut Dice) -> String {
    let body = sequence(dice, 0);
    let (own, first, then) = (dice.roll(2), simple(dice), simple(dice));
    let own = ["", "chan o = [1] of { byte }; "][own as usize];
    let given = if own.is_empty() { "q" } else { "o" };
    let again = dice.pick(&["", "run Child(q); ", "run Child(p); x = _pid; "]);
    format!(
        "proctype Child(chan c) {{ {own}byte x; {body} }}\n\
         active proctype Parent() {{ {own}byte x; {first}; run Child({given}); {again}{then} }}\n"
    )
}

fn sequence(dice: &mut Dice, depth: u64) -> String {
    let length = 1 + dice.roll(3);
    (0..length).map(|_| statement(dice, depth)).collect::<Vec<_>>().join("; ")
}

fn statement(dice: &mut Dice, depth: u64) -> String {
    match dice.roll(if depth > 0 { 22 } else { 12 }) {
        0..=3 => message(dice).to_owned(),
        4 | 5 => guard(dice),
        6..=11 => simple(dice),
        12..=14 => choice(dice, ("if", "fi")),
        15 | 16 => choice(dice, ("do", "od")),
        17..=19 => format!("atomic {{ {} }}", sequence(dice, depth - 1)),
        20 => {
            let first = if dice.roll(2) == 0 { message(dice).to_owned() } else { simple(dice) };
            format!("d_step {{ {first}; {} }}", simple(dice))
        }
        _ => format!("{{ {} }} unless {{ {} }}", sequence(dice, depth - 1), guard(dice)),
    }
}

fn message(dice: &mut Dice) -> &'static str {
    dice.pick(&[
        "c!x", "c!1", "c?x", "c?1", "q!x", "q!0", "q?x", "q?g", "p!1", "p?x", "p?0", "r!x", "r!1",
        "r?x", "r?1", "q!!x", "q??1", "q?<x>", "c!!1", "c??x",
    ])
}

/// Always executable.
fn simple(dice: &mut Dice) -> String {
    match dice.roll(10) {
        0 | 1 => format!("g = {}", value(dice)),
        2 => format!("h = {}", value(dice)),
        3 => format!("b[x % 2] = {}", value(dice)),
        4 => "g = (g + 1) % 2".to_owned(),
        5 => format!("assert({})", condition(dice)),
        6 => "skip".to_owned(),
        _ => format!("x = {}", value(dice)),
    }
}

fn choice(dice: &mut Dice, (open, close): (&str, &str)) -> String {
    let mut options = String::new();
    for _ in 0..1 + dice.roll(2) {
        let first = match dice.roll(3) {
            0 => message(dice).to_owned(),
            1 => simple(dice),
            _ => guard(dice),
        };
        options.push_str(&format!(" :: {first} -> {}", simple(dice)));
    }
    if open == "do" {
        options.push_str(&format!(" :: {} -> break", guard(dice)));
    }
    if dice.roll(3) == 0 {
        let last = if open == "do" { "break" } else { "skip" };
        options.push_str(&format!(" :: else -> {last}"));
    }
    format!("{open}{options} {close}")
}

/// What may block.
fn guard(dice: &mut Dice) -> String {
    match dice.roll(16) {
        0 => "timeout".to_owned(),
        1 if dice.roll(3) == 0 => "_nr_pr < 3".to_owned(),
        2 if dice.roll(6) == 0 => "A:x == 1".to_owned(),
        3 if dice.roll(12) == 0 => "_last == 0".to_owned(),
        4 if dice.roll(8) == 0 => "enabled(1 - _pid % 2)".to_owned(),
        5 | 6 => dice.pick(&["q?[1]", "p?[x]", "q??[1]"]).to_owned(),
        7 | 8 => dice.pick(&["empty(q)", "nempty(p)", "full(p)", "nfull(q)"]).to_owned(),
        9 | 10 => format!("len({}) {} 1", dice.pick(&["q", "p"]), dice.pick(&["==", "<", ">="])),
        _ => condition(dice),
    }
}

fn condition(dice: &mut Dice) -> String {
    let left = dice.pick(&["x", "g", "g", "h", "b[0]", "b[g % 2]"]);
    format!("{left} {} {}", dice.pick(&["==", "!=", "<"]), dice.roll(2))
}

fn value(dice: &mut Dice) -> &'static str {
    dice.pick(&["0", "1", "x", "g % 2", "1 - x % 2", "h"])
}
