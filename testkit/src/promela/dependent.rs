//! Tiny random PROMELA models, full of what makes steps depend on each other: channels
//! with little room, rendezvous, shared variables, tests of lengths and heads, `else`,
//! timeouts, atomic sequences that block, escapes, processes that come and go with channels
//! of their own, event traces.

use crate::Random;

/// The text of a model.
pub fn model(random: &mut Random) -> String {
    let room = 1 + random.below(2);
    let mut text = format!(
        "byte g, h; byte b[2]; chan q = [{room}] of {{ byte }}; chan p = [1] of {{ byte }};\n\
         chan r = [0] of {{ byte }};\n"
    );
    if random.below(10) == 0 {
        text.push_str(random.one_of(&[
            "notrace { q?1; p!1 }\n",
            "trace { do :: q!0 :: q!1 :: p?1 od }\n",
            "trace { do :: p!1; p?1 od }\n",
        ]));
    }
    let has_child = random.below(4) == 0;
    if has_child {
        text.push_str(&family(random));
    }
    let processes = if has_child { 1 } else { 2 } + random.below(2);
    for name in ["A", "B", "C"].iter().take(processes as usize) {
        let provided = if random.below(40) == 0 { " provided (g != 1)" } else { "" };
        let channel = random.one_of(&["q", "p", "q", "p", "r"]);
        let body = sequence(random, 1);
        let end = if random.below(2) == 0 { "; end: false" } else { "" };
        text.push_str(&format!(
            "active proctype {name}(){provided} {{ chan c = {channel}; byte x; {body}{end} }}\n"
        ));
    }
    text
}

/// A process that creates another, some of them twice, some with a channel of its own.
fn family(random: &mut Random) -> String {
    let body = sequence(random, 0);
    let (own, first, then) = (random.below(2), simple(random), simple(random));
    let own = ["", "chan o = [1] of { byte }; "][own as usize];
    let given = if own.is_empty() { "q" } else { "o" };
    let again = random.one_of(&["", "run Child(q); ", "run Child(p); x = _pid; "]);
    format!(
        "proctype Child(chan c) {{ {own}byte x; {body} }}\n\
         active proctype Parent() {{ {own}byte x; {first}; run Child({given}); {again}{then} }}\n"
    )
}

fn sequence(random: &mut Random, depth: usize) -> String {
    let length = 1 + random.below(3);
    (0..length).map(|_| statement(random, depth)).collect::<Vec<_>>().join("; ")
}

fn statement(random: &mut Random, depth: usize) -> String {
    match random.below(if depth > 0 { 22 } else { 12 }) {
        0..=3 => message(random).to_owned(),
        4 | 5 => guard(random),
        6..=11 => simple(random),
        12..=14 => choice(random, ("if", "fi")),
        15 | 16 => choice(random, ("do", "od")),
        17..=19 => format!("atomic {{ {} }}", sequence(random, depth - 1)),
        20 => {
            let first =
                if random.below(2) == 0 { message(random).to_owned() } else { simple(random) };
            format!("d_step {{ {first}; {} }}", simple(random))
        }
        _ => format!("{{ {} }} unless {{ {} }}", sequence(random, depth - 1), guard(random)),
    }
}

fn message(random: &mut Random) -> &'static str {
    random.one_of(&[
        "c!x", "c!1", "c?x", "c?1", "q!x", "q!0", "q?x", "q?g", "p!1", "p?x", "p?0", "r!x", "r!1",
        "r?x", "r?1", "q!!x", "q??1", "q?<x>", "c!!1", "c??x",
    ])
}

/// Always executable.
fn simple(random: &mut Random) -> String {
    match random.below(10) {
        0 | 1 => format!("g = {}", value(random)),
        2 => format!("h = {}", value(random)),
        3 => format!("b[x % 2] = {}", value(random)),
        4 => "g = (g + 1) % 2".to_owned(),
        5 => format!("assert({})", condition(random)),
        6 => "skip".to_owned(),
        _ => format!("x = {}", value(random)),
    }
}

fn choice(random: &mut Random, (open, close): (&str, &str)) -> String {
    let mut options = String::new();
    for _ in 0..1 + random.below(2) {
        let first = match random.below(3) {
            0 => message(random).to_owned(),
            1 => simple(random),
            _ => guard(random),
        };
        options.push_str(&format!(" :: {first} -> {}", simple(random)));
    }
    if open == "do" {
        options.push_str(&format!(" :: {} -> break", guard(random)));
    }
    if random.below(3) == 0 {
        let last = if open == "do" { "break" } else { "skip" };
        options.push_str(&format!(" :: else -> {last}"));
    }
    format!("{open}{options} {close}")
}

/// What may block.
fn guard(random: &mut Random) -> String {
    match random.below(16) {
        0 => "timeout".to_owned(),
        1 if random.below(3) == 0 => "_nr_pr < 3".to_owned(),
        2 if random.below(6) == 0 => "A:x == 1".to_owned(),
        3 if random.below(12) == 0 => "_last == 0".to_owned(),
        4 if random.below(8) == 0 => "enabled(1 - _pid % 2)".to_owned(),
        5 | 6 => random.one_of(&["q?[1]", "p?[x]", "q??[1]"]).to_owned(),
        7 | 8 => random.one_of(&["empty(q)", "nempty(p)", "full(p)", "nfull(q)"]).to_owned(),
        9 | 10 => {
            format!("len({}) {} 1", random.one_of(&["q", "p"]), random.one_of(&["==", "<", ">="]))
        }
        _ => condition(random),
    }
}

fn condition(random: &mut Random) -> String {
    let left = random.one_of(&["x", "g", "g", "h", "b[0]", "b[g % 2]"]);
    format!("{left} {} {}", random.one_of(&["==", "!=", "<"]), random.below(2))
}

fn value(random: &mut Random) -> &'static str {
    random.one_of(&["0", "1", "x", "g % 2", "1 - x % 2", "h"])
}
