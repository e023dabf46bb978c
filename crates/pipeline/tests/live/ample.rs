//! Ample sets for infinite runs: what they leave, and a model for the condition that random
//! models seldom need.

use super::{ENGINES, verdicts};
use pipeline::{Engine, Memory, Options, Reduce, Source};
use report::PropertyVerdict;

fn reduced(engine: Engine) -> Options {
    Options { reduce: Reduce::Ample, engine, ..Options::default() }
}

/// `A` goes round in a circle of two states, from one of which it can also leave for good. It is
/// independent of `B`, and to leave is new; but if that were enough, `B` would only ever move
/// when `A` has left, and then `q` follows.
const ROUND: &str = "
bool p, q;
active proctype A() {
  do
  :: if :: skip :: break fi
  od;
  q = true
}
active proctype B() { p = true }
ltl served { [] (p -> <> q) }
";

#[test]
fn every_step_of_an_ample_set_leads_on() {
    for engine in ENGINES {
        let found = verdicts("round.pml", ROUND, &reduced(engine));
        assert_eq!(found["ltl served"], PropertyVerdict::Violated, "{engine:?}");
    }
}

/// Three processes count by themselves, and nobody looks.
const APART: &str = "
byte a, b, c;
bool p;
active proctype A() { do :: a < 9 -> a++ :: else -> break od }
active proctype B() { do :: b < 9 -> b++ :: else -> break od }
active proctype C() { do :: c < 9 -> c++ :: else -> break od }
active proctype P() { do :: p = !p od }
ltl again { [] <> p }
";

/// The states of the search for cycles that decided.
fn states(text: &str, options: &Options) -> u64 {
    let source = Source::new("apart.pml", text.as_bytes());
    let checked = pipeline::check(source, options, "argos", &mut Memory::default());
    let report = checked.unwrap_or_else(|usage| panic!("{usage:?}")).report;
    let runs = report.runs.iter().filter(|run| run.name.starts_with("cycles"));
    runs.last().expect("cycles were looked for").states
}

#[test]
fn steps_that_nobody_looks_at_are_left_out() {
    let all = states(APART, &Options { reduce: Reduce::None, ..Options::default() });
    let few = states(APART, &reduced(Engine::Jit));
    assert!(20 * few < all, "{few} of {all}");
}

/// The same, but the formula looks at one of them.
#[test]
fn steps_that_a_formula_looks_at_are_taken() {
    let text = APART.replace("[] <> p", "[] (a <= 3 || <> p)");
    let few = states(&text, &reduced(Engine::Jit));
    assert!(few > 10 && 10 * few < states(&text, &Options::default()), "{few}");
}
