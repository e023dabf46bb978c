//! What the tests share: formulas from text, random formulas and words.
#![allow(dead_code, reason = "each test uses a part of it")]

use ltl::Formula;
use testkit::Random;

/// Reads a formula with the binding of PROMELA; atom `a` is 0.
pub(crate) fn parse(text: &str) -> Formula {
    let spaced = ["[]", "<>", "&&", "||", "!", "(", ")"]
        .iter()
        .fold(text.replace("<->", " = ").replace("->", " > "), |text, sign| {
            text.replace(sign, &format!(" {sign} "))
        });
    let mut tokens: Vec<&str> = spaced.split_whitespace().rev().collect();
    let formula = binary(&mut tokens, 0);
    assert!(tokens.is_empty(), "{text} ends before {tokens:?}");
    formula
}

/// Binary operators, loosest first; all associate to the left.
const LEVELS: [&[&str]; 4] = [&[">", "="], &["||"], &["&&"], &["U", "W", "V"]];

fn binary(tokens: &mut Vec<&str>, level: usize) -> Formula {
    let Some(signs) = LEVELS.get(level) else { return unary(tokens) };
    let mut left = binary(tokens, level + 1);
    while let Some(sign) = tokens.last().copied().filter(|it| signs.contains(it)) {
        tokens.pop();
        let (a, b) = (Box::new(left), Box::new(binary(tokens, level + 1)));
        left = match sign {
            ">" => Formula::Implies(a, b),
            "=" => Formula::Equivalent(a, b),
            "||" => Formula::Or(a, b),
            "&&" => Formula::And(a, b),
            "U" => Formula::Until(a, b),
            "W" => Formula::WeakUntil(a, b),
            _ => Formula::Release(a, b),
        };
    }
    left
}

fn unary(tokens: &mut Vec<&str>) -> Formula {
    let operand = |tokens: &mut _| Box::new(unary(tokens));
    match tokens.pop().expect("an operand") {
        "!" => Formula::Not(operand(tokens)),
        "[]" => Formula::Always(operand(tokens)),
        "<>" => Formula::Eventually(operand(tokens)),
        "X" => Formula::Next(operand(tokens)),
        "true" => Formula::True,
        "false" => Formula::False,
        "(" => {
            let inner = binary(tokens, 0);
            assert_eq!(tokens.pop(), Some(")"));
            inner
        }
        name => Formula::Atom(u32::from(name.as_bytes()[0] - b'a')),
    }
}

/// The name `parse` reads for an atom.
pub(crate) fn name(atom: u32) -> String {
    char::from(b'a' + u8::try_from(atom).expect("a letter")).to_string()
}

/// A formula of at most so many levels over three atoms.
pub(crate) fn random_formula(random: &mut Random, depth: usize) -> Formula {
    if depth == 0 || random.chance(15) {
        return match random.below(20) {
            0 => Formula::True,
            1 => Formula::False,
            _ => Formula::Atom(random.below(3)),
        };
    }
    let mut operand = || Box::new(random_formula(random, depth - 1));
    let (a, b) = (operand(), operand());
    match random.below(14) {
        0 => Formula::Not(a),
        1 => Formula::Next(a),
        2 | 3 => Formula::Eventually(a),
        4 | 5 => Formula::Always(a),
        6 | 7 => Formula::Until(a, b),
        8 => Formula::WeakUntil(a, b),
        9 => Formula::Release(a, b),
        10 => Formula::And(a, b),
        11 => Formula::Or(a, b),
        12 => Formula::Implies(a, b),
        _ => Formula::Equivalent(a, b),
    }
}

/// A prefix and a cycle of at most four letters over three atoms.
pub(crate) fn random_word(random: &mut Random) -> (Vec<u64>, Vec<u64>) {
    let prefix = random.between(0, 4);
    let cycle = random.between(1, 4);
    let mut letters = |count| (0..count).map(|_| random.below(8)).collect();
    (letters(prefix), letters(cycle))
}
