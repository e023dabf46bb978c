//! Random protocols as text. Small: a naive search must see all of each.

use std::fmt::Write;

/// A generator of random numbers (splitmix64): the same seed, the same protocols.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `sides`.
    pub(crate) fn below(&mut self, sides: usize) -> usize {
        (self.next() % sides as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// What there is to speak of.
struct Names {
    channels: usize,
    variables: Vec<String>,
    labels: usize,
}

/// A protocol.
pub(crate) fn protocol(dice: &mut Dice) -> String {
    let mut text = String::new();
    let channels = 1 + dice.below(3);
    for channel in 0..channels {
        let capacity = 1 + dice.below(2);
        let initial = match dice.below(6) {
            0 => " = { m0 }",
            1 => " = { m1(1) }",
            _ => "",
        };
        let _ = writeln!(text, "channel c{channel}[{capacity}]{initial};");
    }
    let shared = dice.chance(40);
    if shared {
        text.push_str("var x = 1;\n");
    }
    for process in 0..2 + dice.below(2) {
        let mut variables: Vec<String> = shared.then(|| "x".to_owned()).into_iter().collect();
        let _ = writeln!(text, "proc p{process} {{");
        for local in 0..dice.below(3) {
            let _ = writeln!(text, "  var v{local} = {};", dice.below(2));
            variables.push(format!("v{local}"));
        }
        let names = &mut Names { channels, variables, labels: 0 };
        let _ = writeln!(text, "{}\n}}", body(dice, names));
    }
    text
}

/// A loop or a sequence.
fn body(dice: &mut Dice, names: &mut Names) -> String {
    let label = if dice.chance(25) { "end0: " } else { "" };
    if dice.chance(50) {
        format!("  {label}{}", options(dice, names, "do", 1))
    } else {
        format!("  {label}{}", sequence(dice, names, 4, 0, false))
    }
}

fn options(dice: &mut Dice, names: &mut Names, word: &str, depth: usize) -> String {
    let mut text = format!("{word}\n");
    for _ in 0..1 + dice.below(3) {
        let _ = writeln!(text, "  :: {}", sequence(dice, names, 3, depth, word == "do"));
    }
    text + if word == "do" { "  od" } else { "  fi" }
}

fn sequence(dice: &mut Dice, names: &mut Names, most: usize, depth: usize, inside: bool) -> String {
    let count = 1 + dice.below(most);
    let parts: Vec<String> =
        (0..count).map(|at| statement(dice, names, depth, inside && at > 0)).collect();
    parts.join("; ")
}

fn statement(dice: &mut Dice, names: &mut Names, depth: usize, inside: bool) -> String {
    let roll = dice.below(100);
    let channel = format!("c{}", dice.below(names.channels));
    let message = format!("m{}", dice.below(3));
    let variable = match names.variables.len() {
        0 => None,
        count => Some(names.variables[dice.below(count)].clone()),
    };
    match (roll, variable) {
        (0..10, _) if depth < 2 => {
            let word = if dice.chance(60) { "if" } else { "do" };
            options(dice, names, word, depth + 1)
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
        (35..40, _) => format!("{channel}!{message}({})", dice.below(3)),
        (40..55, _) => format!("{channel}!{message}"),
        (55..66, Some(v)) => format!("{channel}?{message}({v})"),
        (85..90, Some(v)) => changed(dice, names, &v),
        (90..100, Some(v)) => tested(dice, names, &v),
        _ => format!("{channel}?{message}"),
    }
}

fn operand(dice: &mut Dice, names: &Names) -> String {
    if dice.chance(50) {
        return dice.below(3).to_string();
    }
    names.variables[dice.below(names.variables.len())].clone()
}

fn changed(dice: &mut Dice, names: &Names, variable: &str) -> String {
    let other = operand(dice, names);
    match dice.below(6) {
        0 => format!("{variable} +% 3"),
        1 => format!("{variable} = ({variable} + {other}) % 3"),
        2 => format!("{variable} = 2 / {other}"),
        3 => format!("{variable}++; {variable} = {variable} % 2"),
        _ => format!("{variable} = {other}"),
    }
}

fn tested(dice: &mut Dice, names: &Names, variable: &str) -> String {
    let other = operand(dice, names);
    let sign = ["==", "!=", "<", ">=", "=="][dice.below(5)];
    match dice.below(8) {
        0 => format!("({variable} {sign} {other} || {other} > 1)"),
        1 => format!("(1 % {other})"),
        _ => format!("({variable} {sign} {other})"),
    }
}
