//! Small models each of which loses an error, or gains one, if a reduction forgets
//! one of its conditions. That nothing changes is compared by `same`; that the
//! reduction works at all next to the trap is what `smaller` asks.

use super::{compare, parse};
use program::{Program, Reductions, reduce};
use std::path::Path;

fn read(text: &str) -> Program {
    parse("trap.pml", text.as_bytes(), Path::new("")).unwrap_or_else(|why| panic!("{text}\n{why}"))
}

/// Nothing but the number of states changes.
fn same(text: &str) -> (usize, usize) {
    compare(text, &read(text)).expect("small models are compared")
}

fn smaller(text: &str) {
    let (plain, reduced) = same(text);
    assert!(reduced < plain, "{reduced} of {plain} states: {text}");
}

/// The text of the program with one reduction.
fn reduced(text: &str, way: Reductions) -> String {
    reduce(&read(text), way).to_string()
}

const DEAD: Reductions = Reductions { dead_reset: true, ..Reductions::NONE };
const MERGE: Reductions = Reductions { merge: true, ..Reductions::NONE };
const HIDE: Reductions = Reductions { hide: true, ..Reductions::NONE };

#[test]
fn a_local_dies_where_nobody_reads_it_any_more() {
    let text = "chan q = [1] of { byte };
        active proctype P() { byte x; do :: q!1 :: q!2 :: q?x -> assert(x < 2) od }";
    assert!(reduced(text, DEAD).contains("assert((x < 2)) (resets x)"), "{}", reduced(text, DEAD));
    smaller(
        "chan q = [1] of { byte };
        active proctype P() { do :: q!1 :: q!2 od }
        active proctype Q() { byte x; do :: q?x -> assert(x < 3) od }",
    );
}

#[test]
fn what_only_feeds_the_dead_is_dead() {
    let text = "active proctype P() { byte n; byte x; do :: n++; x = n / 2; x = 0 :: break od }";
    smaller(text);
}

#[test]
fn a_local_that_others_look_at_lives() {
    same(
        "active proctype P() { byte x = 1; x = 2; end: false }
        active proctype Q() { P:x == 2; assert(false) }",
    );
    same(
        "active proctype P() { byte x = 1; x = 2; end: false }
        never { do :: P:x == 2 -> break :: else od }",
    );
}

#[test]
fn what_is_provided_lives() {
    same(
        "byte g; proctype P(byte x) provided (x != 1) { x = 1; g = 1; assert(false) }
        init { run P(0) }",
    );
}

#[test]
fn an_element_is_not_the_array() {
    same("active proctype P() { byte a[2]; byte i = 1; a[1] = 3; a[0] = 0; assert(a[i] != 3) }");
}

#[test]
fn arguments_escapes_and_d_steps_read() {
    same("active proctype P() { byte x, y; x = 3; d_step { y = 1; y = 2 }; assert(x != 3) }");
    same("proctype Q(byte y) { assert(y != 3) } active proctype P() { byte x; x = 3; run Q(x) }");
    same(
        "byte g; active proctype P() { byte x; x = 1; { g = 1; g = 2 } unless { x == 1 && g == 1 -> assert(false) } }",
    );
    same(
        "active proctype P() { byte x, y; x = 3; d_step { y = 1; do :: y < x -> y++ :: else -> break od }; assert(y != 3) }",
    );
    same(
        "chan r = [0] of { byte }; active proctype P() { r!1 }
        active proctype Q() { byte x = 5, i; r?i; assert(x != 5 || i != 1) }",
    );
}

/// The same location with the same values is one state, at the start too.
#[test]
fn what_is_dead_from_the_start_starts_as_zero() {
    same("active proctype P() { byte x = 5; do :: x = 5; assert(x == 5) od }");
}

#[test]
fn a_division_by_what_feeds_the_dead_fails() {
    same("active proctype P() { byte n, x; n = 2; x = 3 / n; x = 0 }");
    same("byte w, n; active proctype P() { n = 2; w = 3 / n }");
    same("active proctype P() { byte n, x; n = 1; n = n - 1; x = 3 / n; x = 0 }");
    same("byte w; active proctype P() { byte n = 1; n = n - 1; w = 3 / n }");
    same("byte w[2]; byte i; active proctype P() { do :: i < 3 -> i++ :: w[i] = 1 od }");
}

/// Each round of the sequence differs from the last, until it does not.
#[test]
fn endless_sequences_end_where_they_did() {
    same("active proctype P() { byte x; atomic { do :: x = (x + 1) % 3 od } }");
    same("byte w; active proctype P() { atomic { do :: w = (w + 1) % 3 od } }");
    same("byte w; active proctype P() { d_step { do :: w = (w + 1) % 3 od } }");
    same(
        "chan r = [0] of { byte }; chan s = [0] of { byte };
        active proctype P() { byte x; atomic { do :: r!1; s?_; x = (x + 1) % 3 od } }
        active proctype Q() { atomic { do :: r?_; s!1 od } }",
    );
}

#[test]
fn globals_that_are_only_printed_are_hidden() {
    let text =
        "byte w, n; active proctype P() { do :: w = 1 :: w = 2 :: n++ :: printf(\"%d\", w) od }";
    let shown = reduced(text, HIDE);
    assert!(shown.contains("unread byte w") && shown.contains("unread byte n"), "{shown}");
    smaller(text);
}

#[test]
fn what_a_print_may_fail_of_is_kept() {
    same("byte a[2], i; active proctype P() { i = 2; printf(\"%d\", a[i]) }");
    same("byte a[2], i; active proctype P() { i = 2; i = 1; printf(\"%d\", a[i]) }");
    same("byte n = 1; active proctype P() { n = 0; printf(\"%d\", 3 % n) }");
    same("byte a[2]; active proctype P() { byte i; i = 2; printf(\"%d\", a[i]); i = 0 }");
    same(
        "byte a[2], i; active proctype P() { byte x; x = 1; printf(\"%d\", a[i]); x = 0 }
        active proctype Q() { i = 2; i = 0 }",
    );
}

#[test]
fn globals_that_somebody_reads_are_not_hidden() {
    for reader in [
        "active proctype Q() { byte a[2]; a[w] = 1 }",
        "active proctype Q() { byte y = w; assert(y != 2) }",
        "active proctype Q() provided (w != 2) { assert(false) }",
        "never { do :: w == 2 -> break :: else od }",
        "ltl { [] (w != 2) }",
        "chan q = [1] of { byte }; active proctype Q() { q!2; q?eval(w) }",
        "byte n; active proctype Q() { n = w; assert(n != 2) }",
    ] {
        let text = format!("byte w; active proctype P() {{ w = 2 }} {reader}");
        assert!(!reduced(&text, HIDE).contains("unread byte w"), "{text}");
        same(&text);
    }
    let trace = "chan q = [1] of { byte }; chan c;
        active proctype P() { c = q; c!1 } trace { do :: q!0 od }";
    same(trace);
}

#[test]
fn silent_statements_follow_in_one_step() {
    let text = "byte g; active [2] proctype P() { byte x; g++; x = 1; x = x + 1; skip; g-- }";
    assert_eq!(reduced(text, MERGE).matches("(merged)").count(), 3, "{}", reduced(text, MERGE));
    smaller(text);
}

#[test]
fn who_passes_arrives() {
    same(
        "byte g; active proctype P() { byte x; do :: x = 1 - x od }
        active proctype Q() { g = 1; assert(g == 0) }",
    );
    same("active proctype P() { byte x; L: x = 1 - x; x = 1 - x; goto L }");
}

/// A statement behind which a process can take an offer is not silent.
#[test]
fn whether_an_offer_is_taken_is_seen() {
    let ready = "chan r = [0] of { bit }; byte go, seen;
        active proctype P() { byte x; go = 1; x = 1; r?_ }";
    same(&format!(
        "{ready} active proctype Q() {{
        go == 1; if :: r!0 :: else -> assert(false) fi }}"
    ));
    same(&format!(
        "{ready} active proctype Q() {{
        go == 1; {{ seen = 1; assert(false) }} unless {{ r!0 }} }}"
    ));
    same(&format!(
        "{ready} active proctype Q() {{ atomic {{ go == 1; seen = 1; r!0; seen = 2 }} }}
        active proctype R() {{ assert(seen != 1) }}"
    ));
    let (plain, merged) = same(&format!("{ready} active proctype Q() {{ go == 1; r!0 }}"));
    assert!(merged < plain, "nobody cares here");
}

#[test]
fn labels_that_others_ask_for_are_rested_at() {
    same(
        "active proctype P() { byte x; x = 1; L: x = 2; x = 3 }
        active proctype Q() { P@L; assert(false) }",
    );
    same(
        "byte g; active proctype P() { byte x; g = 1; x = 2; L: g = 2 }
        active proctype Q() { g == 1 && !P@L; assert(false) }",
    );
    same(
        "byte g; active proctype P() { byte x; g = 1; x = 2; g = 2 }
        active proctype Q() { g == 1 && P:x == 0; assert(false) }",
    );
    same(
        "byte g; active proctype P() { byte x; g = 1; x = 2; g = 2 }
        active proctype Q() { g == 1 && pc_value(0) == 1; assert(false) }",
    );
    same(
        "byte g; active proctype P() { byte x; g = 1; x = 2; g == 2 }
        active proctype Q() { g == 1 && enabled(0); assert(false) }",
    );
    same(
        "byte g, t; active proctype P() { byte x; g = 1; x = 2; x = 3; t = 1 }
        active proctype Q() { g == 1; t = 2; _last == 0; t == 2; assert(false) }",
    );
}

/// Behind a statement that fails nobody else gets a turn.
#[test]
fn what_can_fail_is_not_merged() {
    same(
        "byte g; active proctype P() { byte x; g = 1; assert(x == 1) }
        active proctype Q() { assert(g == 0) }",
    );
    same(
        "byte g; active proctype P() { byte x; g = 1; x = 1 / x }
        active proctype Q() { assert(g == 0) }",
    );
    same(
        "byte g; active proctype P() { byte x = 2; byte a[2]; g = 1; a[x] = 1 }
        active proctype Q() { assert(g == 0) }",
    );
}

#[test]
fn what_others_decide_is_not_merged() {
    same(
        "byte g; active proctype P() { byte x; { g = 1; x = 1 } unless { g == 2; assert(false) };
        g = 5 }
        active proctype Q() { g == 1; g = 2 }",
    );
    same(
        "byte g; active proctype P() { byte x; g = 1; x = g; assert(x == 1) }
        active proctype Q() { g == 1; g = 2 }",
    );
    same(
        "byte g; active proctype P() { byte x; g = 1; atomic { x = 2; g = 2 } }
        active proctype Q() { g == 1; assert(false) }",
    );
    same(
        "byte g; active proctype P() provided (g < 2) { byte x; g = 1; x = 2; x = 3; false }
        active proctype Q() { g == 1; g = 2 }",
    );
    same("byte g; active proctype P() { { byte x; g = 1; x = 1; x = 2; end: false } unless { g == 2; assert(false) } }
        active proctype Q() { g == 1; g = 2 }");
}
