//! Small random PROMELA models, full of what the reductions must not touch: locals
//! that others read, labels that others ask for, globals that only some print,
//! rendezvous with alternatives, atomic sequences that block, clauses that provide.

use crate::Random;

/// The text of a model.
pub fn model(random: &mut Random) -> String {
    let mut text = String::from(
        "byte g, h, w, v, n; byte b[2]; chan q = [1] of { byte }; chan r = [0] of { byte };\n",
    );
    let bodies = 2 + random.below(2);
    if random.below(4) == 0 {
        text.push_str("proctype Child(byte p; byte unused) { byte x, y; byte a[2];\n");
        let body = sequence(random, 1, "A");
        text.push_str(&format!("  {body} }}\n"));
        text.push_str("active proctype Parent() { run Child(1, 2); w = 1; run Child(0, 1) }\n");
    }
    for name in ["A", "B", "C"].iter().take(bodies as usize) {
        let provided = if random.below(9) == 0 { " provided (g != 2)" } else { "" };
        let word = if random.below(9) == 0 { "D_proctype" } else { "proctype" };
        let start = random.one_of(&["0", "1", "_pid"]);
        let body = sequence(random, 2, if *name == "A" { "B" } else { "A" });
        text.push_str(&format!(
            "active {word} {name}(){provided} {{ byte x = {start}, y; byte a[2]; byte p;\n  \
             {body};\n  L: x = x;\n  if :: x == 0 -> y = 1 :: else fi }}\n"
        ));
    }
    if random.below(3) == 0 {
        let label = random.one_of(&["A@L", "!B@L", "A:x == 1", "B:y != 2", "g == 1", "w == 2"]);
        text.push_str(&format!("never {{ do :: true :: {label} -> break od; {label} }}\n"));
    }
    text
}

fn sequence(random: &mut Random, depth: usize, other: &str) -> String {
    let length = 1 + random.below(3);
    (0..length).map(|_| statement(random, depth, other)).collect::<Vec<_>>().join("; ")
}

fn statement(random: &mut Random, depth: usize, other: &str) -> String {
    match random.below(if depth > 0 { 26 } else { 16 }) {
        16 | 17 => choice(random, depth, other, ("if", "fi")),
        18 | 19 => choice(random, depth, other, ("do", "od")),
        20 | 21 => format!("atomic {{ {} }}", sequence(random, depth - 1, other)),
        22 => {
            let (first, second) = (simple(random), simple(random));
            let inner = format!("do :: x < 2 -> x++; {second} :: else -> break od");
            format!("d_step {{ {first}; {} }}", if random.below(2) == 0 { &second } else { &inner })
        }
        23 => {
            let escape = guard(random, other);
            let main = sequence(random, depth - 1, other);
            format!("{{ {main} }} unless {{ {escape} -> {} }}", simple(random))
        }
        24 => format!("atomic {{ do :: {} :: break od }}", simple(random)),
        25 => format!("do :: {} :: {} -> break od", simple(random), guard(random, other)),
        0 => guard(random, other),
        1 => random.one_of(&["q!x", "q!1", "r!x", "r!y", "r!0"]).to_owned(),
        2 => random.one_of(&["q?x", "q?y", "q?w", "r?x", "r?y", "r?a[x % 2]", "q?1"]).to_owned(),
        3 => format!("assert({})", condition(random)),
        4 => format!("a[x] = {}", value(random)),
        _ => simple(random),
    }
}

/// Always executable, mostly silent.
fn simple(random: &mut Random) -> String {
    match random.below(12) {
        0 => format!("g = {}", value(random)),
        1 => format!("h = {}", value(random)),
        2 => format!("w = {}", value(random)),
        3 => random.one_of(&["n++", "n = (n + 1) % 2", "v = w % 2", "b[x % 2] = y"]).to_owned(),
        4 => random.one_of(&["printf(\"%d %d\", w, y)", "skip", "p = 6 / (x + 1)"]).to_owned(),
        5 => format!("a[{}] = {}", random.one_of(&["0", "1"]), value(random)),
        6 | 7 => format!("y = {}", value(random)),
        8 => "p = (p + 1) % 3".to_owned(),
        _ => format!("x = {}", value(random)),
    }
}

fn choice(random: &mut Random, depth: usize, other: &str, (open, close): (&str, &str)) -> String {
    let mut options = String::new();
    for _ in 0..1 + random.below(2) {
        let body = sequence(random, depth - 1, other);
        let first =
            if random.below(2) == 0 { guard(random, other) } else { statement(random, 0, other) };
        options.push_str(&format!(" :: {first} -> {body}"));
    }
    if open == "do" {
        options.push_str(&format!(" :: {} -> break", guard(random, other)));
    }
    if random.below(3) == 0 {
        let last = if open == "do" { "break" } else { "skip" };
        options.push_str(&format!(" :: else -> {last}"));
    }
    format!("{open}{options} {close}")
}

/// What may block, and sometimes looks where it should not be seen.
fn guard(random: &mut Random, other: &str) -> String {
    match random.below(24) {
        0 => format!("!{other}@L"),
        1 => format!("{other}@L"),
        2 => format!("{other}:x == {}", random.below(3)),
        3 => "timeout".to_owned(),
        4 => "_nr_pr < 3".to_owned(),
        5 => "q?[1]".to_owned(),
        6 if random.below(4) == 0 => "_last == 0".to_owned(),
        7 if random.below(4) == 0 => "enabled(1 - _pid % 2)".to_owned(),
        8 => "b[h % 2] == 0".to_owned(),
        9 | 10 => "r!x".to_owned(),
        11 => "r?y".to_owned(),
        _ => condition(random),
    }
}

fn condition(random: &mut Random) -> String {
    let left = random.one_of(&["x", "y", "g", "h", "a[0]", "a[1]", "a[g % 2]", "w"]);
    let left = if left == "w" && random.below(3) > 0 { "x" } else { left };
    format!("{left} {} {}", random.one_of(&["==", "!=", "<"]), random.below(3))
}

fn value(random: &mut Random) -> String {
    let sources = ["0", "1", "2", "x", "y", "a[0]", "a[1]", "_pid", "g", "x + 1", "y + x"];
    format!("({}) % 3", random.one_of(&sources))
}
