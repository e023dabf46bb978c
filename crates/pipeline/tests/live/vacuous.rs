//! Formulas that hold because a premise of theirs never occurs: what is said of random ones, against
//! the definition. A formula is without effect iff it holds with `false` for the conclusion of one
//! of its implications, each taken by itself, where a smaller truth of the implication makes the whole
//! no truer. Here that is written down from the text of the formula and decided on all states
//! of the reference interpreter.

use crate::oracle::Oracle;
use crate::{STATES_MAX, options, read};
use base::{BinaryOp, Id, Span};
use pipeline::{Memory, Options, Reduce, Source};
use program::{ClaimKind, Expr, Program, UnaryOp};
use report::{Kind, Property, PropertyVerdict, UnusedKind};
use testkit::cycles::FAIRNESS;
use testkit::promela::{dependent, endless};
use testkit::{Random, for_seeds};

/// Random models, some of them too large.
const MODELS: u64 = 2_600;
/// Formulas of each.
const FORMULAS: usize = 4;

const PROPOSITIONS: [&str; 10] = [
    "g == 0",
    "g == 1",
    "g != 0",
    "h == 0",
    "h == 1",
    "h != 1",
    "g == h",
    "len(q) == 0",
    "len(q) == 1",
    "false",
];

/// A formula with many implications, written in both ways.
fn formula(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.chance(15) {
        return format!("({})", random.pick(&PROPOSITIONS));
    }
    let operand = |random: &mut Random| formula(random, depth - 1);
    match random.below(16) {
        0..=3 => format!("([] {})", operand(random)),
        4 => format!("(<> {})", operand(random)),
        5 => format!("(! {})", operand(random)),
        6 => format!("({} <-> {})", operand(random), operand(random)),
        7 => format!("({} && {})", operand(random), operand(random)),
        8 => format!("({} U {})", operand(random), operand(random)),
        9 => format!("({} W {})", operand(random), operand(random)),
        10 => format!("(!{} || {})", operand(random), operand(random)),
        11 => format!("({} || !{})", operand(random), operand(random)),
        _ => format!("({} -> {})", operand(random), operand(random)),
    }
}

fn formulas(random: &mut Random) -> String {
    let formula = |number| format!("ltl z{number} {{ {} }}\n", formula(random, 3));
    (0..FORMULAS).map(formula).collect()
}

/// Whether a formula denies something, and so is the side of an implication. What is said of a state
/// does if it is denied an odd number of times; a constant is one, denied or not.
fn is_denial(formula: &base::Formula<Expr>) -> bool {
    fn denies(expr: &Expr) -> Option<bool> {
        match expr {
            Expr::Const(_) => None,
            Expr::Unary(UnaryOp::Not, inside) => denies(inside).map(|denies| !denies),
            Expr::Binary(op, ..) => Some(*op == BinaryOp::NotEqual),
            _ => Some(false),
        }
    }
    match formula {
        base::Formula::Holds(expr, _) => denies(expr) == Some(true),
        other => matches!(other, base::Formula::Not(_)),
    }
}

/// The formula as many times as it has implications that count, each time with one conclusion
/// `false`.
fn without(formula: &base::Formula<Expr>, positive: bool) -> Vec<base::Formula<Expr>> {
    use base::Formula as F;
    let nowhere = Span { file: Id::new(0), start: 0, end: 0, origin: None };
    let never = || Box::new(F::Holds(Expr::Const(0), nowhere));
    let mut all = Vec::new();
    let one = |f: &F<Expr>, positive: bool, whole: fn(Box<F<Expr>>) -> F<Expr>| {
        without(f, positive).into_iter().map(|f| whole(Box::new(f))).collect::<Vec<_>>()
    };
    type Joined = fn(Box<F<Expr>>, Box<F<Expr>>) -> F<Expr>;
    let two = |f: &F<Expr>, g: &F<Expr>, first: bool, whole: Joined| {
        let left = without(f, first).into_iter().map(|f| whole(Box::new(f), Box::new(g.clone())));
        let right = without(g, positive).into_iter();
        let right = right.map(|g| whole(Box::new(f.clone()), Box::new(g)));
        left.chain(right).collect::<Vec<_>>()
    };
    match formula {
        F::Holds(..) => {}
        F::Not(f) => all.extend(one(f, !positive, F::Not)),
        F::Next(f) => all.extend(one(f, positive, F::Next)),
        F::Always(f) => all.extend(one(f, positive, F::Always)),
        F::Eventually(f) => all.extend(one(f, positive, F::Eventually)),
        F::And(f, g) => all.extend(two(f, g, positive, F::And)),
        F::Or(f, g) => {
            if positive && is_denial(f) {
                all.push(F::Or(f.clone(), never()));
            }
            if positive && is_denial(g) {
                all.push(F::Or(never(), g.clone()));
            }
            all.extend(two(f, g, positive, F::Or));
        }
        F::Implies(f, g) => {
            if positive {
                all.push(F::Implies(f.clone(), never()));
            }
            all.extend(two(f, g, !positive, F::Implies));
        }
        // Its sides count both ways.
        F::Equivalent(..) => {}
        F::Until(f, g) => all.extend(two(f, g, positive, F::Until)),
        F::WeakUntil(f, g) => all.extend(two(f, g, positive, F::WeakUntil)),
        F::Release(f, g) => all.extend(two(f, g, positive, F::Release)),
    }
    all
}

/// How many formulas hold, and how many of them without effect.
#[derive(Default)]
struct Tally {
    models: u64,
    used: u64,
    vacuous: u64,
}

fn judge(text: &str, random: &mut Random, tally: &mut Tally) {
    let Some(program) = read(text) else { panic!("{text}") };
    let Some(oracle) = Oracle::with(&program, variants(&program), STATES_MAX) else { return };
    if oracle.has_faults || oracle.is_unreadable {
        return;
    }
    tally.models += 1;
    let fair = random.one_of(&FAIRNESS);
    let options = Options { reduce: Reduce::Auto, all_errors: false, ..options(fair, random) };
    let source = Source::new("random.pml", text.as_bytes());
    let checked = pipeline::check(source, &options, "argos", &mut Memory::default());
    let report = checked.unwrap_or_else(|usage| panic!("{usage:?}")).report;
    let holds = |it: &&Property| it.verdict == PropertyVerdict::Holds && it.kind == Kind::Ltl;
    for property in report.properties.iter().filter(holds) {
        let of_it = oracle.properties.iter().filter(|(name, _)| *name == property.name);
        let mut of_it = of_it.map(|(_, bad)| bad).peekable();
        if of_it.peek().is_none() {
            continue;
        }
        let is_vacuous = of_it.any(|bad| !oracle.is_violated(bad, fair, false));
        let mut unused = report.unused.iter().filter(|it| it.kind == UnusedKind::Ltl);
        let said = unused.find(|it| it.name == property.name);
        assert_eq!(said.is_some(), is_vacuous, "{} {said:?} {fair:?}\n{text}", property.name);
        (tally.vacuous, tally.used) =
            (tally.vacuous + u64::from(is_vacuous), tally.used + u64::from(!is_vacuous));
    }
}

/// For each formula its name with each of its weaker forms.
fn variants(program: &Program) -> Vec<(String, base::Formula<Expr>)> {
    let claims = program.claims.iter().filter_map(|claim| match &claim.kind {
        ClaimKind::Ltl(formula) => Some((format!("ltl {}", claim.name), formula)),
        ClaimKind::Never(_) => None,
    });
    let each = claims.flat_map(|(name, formula)| {
        without(formula, true).into_iter().map(move |formula| (name.clone(), formula))
    });
    each.collect()
}

#[test]
fn formulas_without_effect() {
    let mut tally = Tally::default();
    for_seeds(0..MODELS, |seed, random| {
        let model =
            if seed % 2 == 0 { dependent::model(random) } else { endless::model(random, false) };
        judge(&(model + &formulas(random)), random, &mut tally);
    });
    let Tally { models, used, vacuous } = tally;
    assert!(models >= 2_000 && used > 300 && vacuous > 300, "{models} {used} {vacuous}");
}
