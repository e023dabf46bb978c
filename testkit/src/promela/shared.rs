//! Small random PROMELA models of processes that share nothing but variables: they set them to
//! constants and wait for values, like algorithms of mutual exclusion. Many wait for what
//! only some of the others can do, so what a process may do next depends on values.

use crate::Random;

/// The text of a model.
pub fn model(random: &mut Random) -> String {
    let processes = 2 + random.below(3);
    let mut text = "byte g, h; bool f[3]; byte in; short s;\n".to_owned();
    for name in ["A", "B", "C", "D"].iter().take(processes as usize) {
        let body = sequence(random, if processes > 3 { 2 } else { 4 });
        let body = match random.below(4) {
            0 => format!("do :: {body} od"),
            1 => format!("byte n; do :: n < 2 -> n++; {body} :: n == 2 -> break od"),
            _ => body,
        };
        let end = random.one_of(&["", "", "; end: false"]);
        text.push_str(&format!("active proctype {name}() {{ byte x; {body}{end} }}\n"));
    }
    text
}

fn sequence(random: &mut Random, most: u64) -> String {
    let length = 1 + random.below(most);
    (0..length).map(|_| statement(random)).collect::<Vec<_>>().join("; ")
}

fn statement(random: &mut Random) -> String {
    match random.below(16) {
        0..=4 => set(random),
        5..=7 => wait(random),
        8 => format!("in++; assert(in {} 1); in--", random.one_of(&["==", "<=", "=="])),
        9 => format!("{}; in++; {}; in--", wait(random), set(random)),
        10 => format!("atomic {{ {}; {}; {} }}", wait(random), set(random), wait(random)),
        11 => format!("d_step {{ {}; {} }}", wait(random), set(random)),
        12 => format!("if :: {} -> {} :: else fi", wait(random), set(random)),
        13 => format!("assert({})", wait(random)),
        _ => format!(
            "if :: {} -> {} :: {} -> {} fi",
            wait(random),
            set(random),
            wait(random),
            set(random)
        ),
    }
}

fn set(random: &mut Random) -> String {
    match random.below(8) {
        0..=2 => format!("f[{}] = {}", index(random), random.below(2)),
        3 => "x = 1 - x".to_owned(),
        4 => random.one_of(&["g = g % 2 + 1", "s = -1", "s = 64", "s = x", "g = h"]).to_owned(),
        5 => format!("h = {}", random.below(3)),
        _ => format!("g = {}", random.below(4)),
    }
}

fn index(random: &mut Random) -> &'static str {
    random.one_of(&["0", "1", "2", "_pid % 3", "x"])
}

/// A condition of one, two or three parts.
fn wait(random: &mut Random) -> String {
    let (one, two, three) = (part(random), part(random), part(random));
    match random.below(8) {
        0 => format!("({one} && {two})"),
        1 => format!("({one} || {two})"),
        2 => format!("({one} || ({two} && {three}))"),
        3 => format!("!({one} && {two})"),
        _ => format!("({one})"),
    }
}

fn part(random: &mut Random) -> String {
    match random.below(8) {
        0 | 1 => format!("f[{}]", index(random)),
        2 | 3 => format!("!f[{}]", index(random)),
        4 => random.one_of(&["g < h", "h != g", "s == -1", "s > 63", "x == g", "1 < h"]).to_owned(),
        5 => format!("h {} {}", random.one_of(&["==", "!=", ">="]), random.below(3)),
        _ => format!("g {} {}", random.one_of(&["==", "!=", "<"]), random.below(4)),
    }
}
