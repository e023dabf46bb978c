//! Random protocols as text. Small: a naive search must see all of each.

pub mod copies;

use crate::Random;
use std::fmt::Write;

/// What there is to speak of.
struct Names {
    channels: usize,
    variables: Vec<String>,
    labels: usize,
    endless: bool,
}

/// A protocol.
pub fn protocol(random: &mut Random) -> String {
    written(random, false)
}

/// One whose processes are loops, with labels of acceptance, of progress and others.
pub fn endless(random: &mut Random) -> String {
    written(random, true)
}

fn written(random: &mut Random, endless: bool) -> String {
    let mut text = String::new();
    let channels = 1 + random.below(3);
    for channel in 0..channels {
        let capacity = 1 + random.below(2);
        let initial = match random.below(6) {
            0 => " = { m0 }",
            1 => " = { m1(1) }",
            _ => "",
        };
        let _ = writeln!(text, "channel c{channel}[{capacity}]{initial};");
    }
    let shared = random.chance(40);
    if shared {
        text.push_str("var x = 1;\n");
    }
    for process in 0..2 + random.below(2) {
        let mut variables: Vec<String> = shared.then(|| "x".to_owned()).into_iter().collect();
        let _ = writeln!(text, "proc p{process} {{");
        for local in 0..random.below(3) {
            let _ = writeln!(text, "  var v{local} = {};", random.below(2));
            variables.push(format!("v{local}"));
        }
        let names = &mut Names { channels, variables, labels: 0, endless };
        let _ = writeln!(text, "{}\n}}", body(random, names));
    }
    text
}

/// A loop or a sequence.
fn body(random: &mut Random, names: &mut Names) -> String {
    let label = if random.chance(25) { "end0: " } else { "" };
    if names.endless || random.chance(50) {
        format!("  {label}{}", options(random, names, "do", 1))
    } else {
        format!("  {label}{}", sequence(random, names, 4, 0, false))
    }
}

fn options(random: &mut Random, names: &mut Names, word: &str, depth: usize) -> String {
    let mut text = format!("{word}\n");
    for _ in 0..1 + random.below(3) {
        let _ = writeln!(text, "  :: {}", sequence(random, names, 3, depth, word == "do"));
    }
    text + if word == "do" { "  od" } else { "  fi" }
}

fn sequence(
    random: &mut Random,
    names: &mut Names,
    most: usize,
    depth: usize,
    inside: bool,
) -> String {
    let count = 1 + random.below(most);
    let parts: Vec<String> = (0..count)
        .map(|at| {
            let label = if names.endless && at > 0 { mark(random, names) } else { String::new() };
            label + &statement(random, names, depth, inside && at > 0)
        })
        .collect();
    parts.join("; ")
}

/// Sometimes a label that searches for cycles look at.
fn mark(random: &mut Random, names: &mut Names) -> String {
    if !random.chance(25) {
        return String::new();
    }
    names.labels += 1;
    let prefix = random.one_of(&["accept", "progress", "at"]);
    let skips = if random.chance(20) { "skip; " } else { "" };
    format!("{prefix}{}: {skips}", names.labels)
}

fn statement(random: &mut Random, names: &mut Names, depth: usize, inside: bool) -> String {
    let roll = random.below(100);
    let channel = format!("c{}", random.below(names.channels));
    let message = format!("m{}", random.below(3));
    let variable = match names.variables.len() {
        0 => None,
        count => Some(names.variables[random.below(count)].clone()),
    };
    match (roll, variable) {
        (0..10, _) if depth < 2 => {
            let word = if random.chance(60) { "if" } else { "do" };
            options(random, names, word, depth + 1)
        }
        (10..14, _) if inside => "break".to_owned(),
        (14..16, _) => "skip".to_owned(),
        (16..19, _) => {
            names.labels += 1;
            format!("end{}: {channel}?{message}", names.labels)
        }
        (19..23, _) => format!("{channel}?default"),
        (23..27, _) => format!("{channel}?timeout"),
        (27..35, Some(v)) => format!("{channel}!{message}({v})"),
        (35..40, _) => format!("{channel}!{message}({})", random.below(3)),
        (40..55, _) => format!("{channel}!{message}"),
        (55..66, Some(v)) => format!("{channel}?{message}({v})"),
        (85..90, Some(v)) => changed(random, names, &v),
        (90..100, Some(v)) => tested(random, names, &v),
        _ => format!("{channel}?{message}"),
    }
}

fn operand(random: &mut Random, names: &Names) -> String {
    if random.chance(50) {
        return random.below(3).to_string();
    }
    names.variables[random.below(names.variables.len())].clone()
}

fn changed(random: &mut Random, names: &Names, variable: &str) -> String {
    let other = operand(random, names);
    match random.below(6) {
        0 => format!("{variable} +% 3"),
        1 => format!("{variable} = ({variable} + {other}) % 3"),
        2 => format!("{variable} = 2 / {other}"),
        3 => format!("{variable}++; {variable} = {variable} % 2"),
        _ => format!("{variable} = {other}"),
    }
}

fn tested(random: &mut Random, names: &Names, variable: &str) -> String {
    let other = operand(random, names);
    let sign = ["==", "!=", "<", ">=", "=="][random.below(5)];
    match random.below(8) {
        0 => format!("({variable} {sign} {other} || {other} > 1)"),
        1 => format!("(1 % {other})"),
        _ => format!("({variable} {sign} {other})"),
    }
}
