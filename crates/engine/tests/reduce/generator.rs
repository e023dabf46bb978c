//! Small random PROMELA models, full of what the reductions must not touch: locals
//! that others read, labels that others ask for, globals that only some print,
//! rendezvous with alternatives, atomic sequences that block, clauses that provide.

/// A small generator of numbers; the same seed gives the same ones.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn roll(&mut self, sides: u64) -> u64 {
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
    let mut text = String::from(
        "byte g, h, w, v, n; byte b[2]; chan q = [1] of { byte }; chan r = [0] of { byte };\n",
    );
    let bodies = 2 + dice.roll(2);
    if dice.roll(4) == 0 {
        text.push_str("proctype Child(byte p; byte unused) { byte x, y; byte a[2];\n");
        let body = sequence(dice, 1, "A");
        text.push_str(&format!("  {body} }}\n"));
        text.push_str("active proctype Parent() { run Child(1, 2); w = 1; run Child(0, 1) }\n");
    }
    for name in ["A", "B", "C"].iter().take(bodies as usize) {
        let provided = if dice.roll(9) == 0 { " provided (g != 2)" } else { "" };
        let word = if dice.roll(9) == 0 { "D_proctype" } else { "proctype" };
        let start = dice.pick(&["0", "1", "_pid"]);
        let body = sequence(dice, 2, if *name == "A" { "B" } else { "A" });
        text.push_str(&format!(
            "active {word} {name}(){provided} {{ byte x = {start}, y; byte a[2]; byte p;\n  \
             {body};\n  L: x = x;\n  if :: x == 0 -> y = 1 :: else fi }}\n"
        ));
    }
    if dice.roll(3) == 0 {
        let label = dice.pick(&["A@L", "!B@L", "A:x == 1", "B:y != 2", "g == 1", "w == 2"]);
        text.push_str(&format!("never {{ do :: true :: {label} -> break od; {label} }}\n"));
    }
    text
}

fn sequence(dice: &mut Dice, depth: u64, other: &str) -> String {
    let length = 1 + dice.roll(3);
    (0..length).map(|_| statement(dice, depth, other)).collect::<Vec<_>>().join("; ")
}

fn statement(dice: &mut Dice, depth: u64, other: &str) -> String {
    match dice.roll(if depth > 0 { 26 } else { 16 }) {
        16 | 17 => choice(dice, depth, other, ("if", "fi")),
        18 | 19 => choice(dice, depth, other, ("do", "od")),
        20 | 21 => format!("atomic {{ {} }}", sequence(dice, depth - 1, other)),
        22 => {
            let (first, second) = (simple(dice), simple(dice));
            let inner = format!("do :: x < 2 -> x++; {second} :: else -> break od");
            format!("d_step {{ {first}; {} }}", if dice.roll(2) == 0 { &second } else { &inner })
        }
        23 => {
            let escape = guard(dice, other);
            let main = sequence(dice, depth - 1, other);
            format!("{{ {main} }} unless {{ {escape} -> {} }}", simple(dice))
        }
        24 => format!("atomic {{ do :: {} :: break od }}", simple(dice)),
        25 => format!("do :: {} :: {} -> break od", simple(dice), guard(dice, other)),
        0 => guard(dice, other),
        1 => dice.pick(&["q!x", "q!1", "r!x", "r!y", "r!0"]).to_owned(),
        2 => dice.pick(&["q?x", "q?y", "q?w", "r?x", "r?y", "r?a[x % 2]", "q?1"]).to_owned(),
        3 => format!("assert({})", condition(dice)),
        4 => format!("a[x] = {}", value(dice)),
        _ => simple(dice),
    }
}

/// Always executable, mostly silent.
fn simple(dice: &mut Dice) -> String {
    match dice.roll(12) {
        0 => format!("g = {}", value(dice)),
        1 => format!("h = {}", value(dice)),
        2 => format!("w = {}", value(dice)),
        3 => dice.pick(&["n++", "n = (n + 1) % 2", "v = w % 2", "b[x % 2] = y"]).to_owned(),
        4 => dice.pick(&["printf(\"%d %d\", w, y)", "skip", "p = 6 / (x + 1)"]).to_owned(),
        5 => format!("a[{}] = {}", dice.pick(&["0", "1"]), value(dice)),
        6 | 7 => format!("y = {}", value(dice)),
        8 => "p = (p + 1) % 3".to_owned(),
        _ => format!("x = {}", value(dice)),
    }
}

fn choice(dice: &mut Dice, depth: u64, other: &str, (open, close): (&str, &str)) -> String {
    let mut options = String::new();
    for _ in 0..1 + dice.roll(2) {
        let body = sequence(dice, depth - 1, other);
        let first = if dice.roll(2) == 0 { guard(dice, other) } else { statement(dice, 0, other) };
        options.push_str(&format!(" :: {first} -> {body}"));
    }
    if open == "do" {
        options.push_str(&format!(" :: {} -> break", guard(dice, other)));
    }
    if dice.roll(3) == 0 {
        let last = if open == "do" { "break" } else { "skip" };
        options.push_str(&format!(" :: else -> {last}"));
    }
    format!("{open}{options} {close}")
}

/// What may block, and sometimes looks where it should not be seen.
fn guard(dice: &mut Dice, other: &str) -> String {
    match dice.roll(24) {
        0 => format!("!{other}@L"),
        1 => format!("{other}@L"),
        2 => format!("{other}:x == {}", dice.roll(3)),
        3 => "timeout".to_owned(),
        4 => "_nr_pr < 3".to_owned(),
        5 => "q?[1]".to_owned(),
        6 if dice.roll(4) == 0 => "_last == 0".to_owned(),
        7 if dice.roll(4) == 0 => "enabled(1 - _pid % 2)".to_owned(),
        8 => "b[h % 2] == 0".to_owned(),
        9 | 10 => "r!x".to_owned(),
        11 => "r?y".to_owned(),
        _ => condition(dice),
    }
}

fn condition(dice: &mut Dice) -> String {
    let left = dice.pick(&["x", "y", "g", "h", "a[0]", "a[1]", "a[g % 2]", "w"]);
    let left = if left == "w" && dice.roll(3) > 0 { "x" } else { left };
    format!("{left} {} {}", dice.pick(&["==", "!=", "<"]), dice.roll(3))
}

fn value(dice: &mut Dice) -> String {
    let sources = ["0", "1", "2", "x", "y", "a[0]", "a[1]", "_pid", "g", "x + 1", "y + x"];
    format!("({}) % 3", dice.pick(&sources))
}
