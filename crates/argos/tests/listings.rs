//! The listings of the papers as they are printed: typeset signs, dashes for two hyphens,
//! bodies without braces. Where a listing is a fragment, what it names is declared around it.

use preprocess::{Input, Options};
use testkit::NoFiles;

/// The errors of a text.
fn errors(text: &str) -> Vec<String> {
    let input = Input { name: "listing.argos", bytes: text.as_bytes() };
    let lowered = argos::read(input, &Options::default(), &NoFiles);
    let place = |span| lowered.sources.place(span);
    let shown = lowered.diagnostics.iter().filter(|_| lowered.model.is_none());
    shown.map(|it| format!("{} line {}: {}", it.id, place(it.span).line, it.message)).collect()
}

#[track_caller]
fn reads(text: &str) {
    assert_eq!(errors(text), Vec::<String>::new(), "{text}");
}

/// A fragment inside a process.
#[track_caller]
fn fragment(text: &str) {
    reads(&format!(
        "channel a[1], b[1], in[1], larger[1]; queue Q = {{ }};
         proc p {{ var option1, option2, more, cargo, v, N; {text} }}"
    ));
}

/// Section 2, section 3, and the appendix.
#[test]
fn those_of_1984() {
    reads(
        "queue A = { };
queue B = { };

process A
{   if
    :: A?m1 → B!m2
    :: A?m1 → B!m3
  fi
}

process B
{   A!m1; B?m3
}",
    );
    reads(include_str!("listings/counters_1984.txt"));
    reads(include_str!("listings/setup_1984.txt"));
    reads(include_str!("listings/deletion_1984.txt"));
    fragment("Q!x; Q!y; Q?x; Q?y");
    for statement in ["v = N", "v++", "v—", "v −−", "(v ≡ 5)", "(v ≠ N)", "(v ≥ 5)", "(v ≤ −5)"]
    {
        fragment(statement);
    }
}

/// Sections 3 and 6, and the appendix.
#[test]
fn those_of_1985() {
    reads(
        "channel A[1], B[1]; procedure P { skip } procedure Q { skip } proc p
if
:: A?one —>P( )
:: B?two —>Q( )
fi",
    );
    reads(
        "channel A[1], B[1]; procedure P { skip } procedure Q { skip }
proc P1 A?one —>P( )
proc P2 B!two —>Q( )",
    );
    reads(
        "channel large[1], small[1]; proc p skip
assert
{
    do
    :: large!mesg; small!mesg
    od
}",
    );
    reads(
        "assert C!a; C!b
proc a
queue A[1];
C!a; A?c

proc b
queue B[1];
C!b; B?c

proc c
queue C[1];
if
:: C?a—>A!c; C?b—>B!c
:: C?b—>A!c; C?a—>B!c
fi

assert { A!c; B!c }",
    );
    reads(include_str!("listings/nbs_1985.txt"));
}

/// Sections 3 and 4, and the appendix.
#[test]
fn those_of_1987() {
    fragment("(option1 ≠ option2);");
    fragment("if :: (a1 ≠ 1) → a1 = 1 fi".replace("a1", "v").as_str());
    reads(include_str!("listings/filters_1987.txt"));
    fragment(
        "do
:: in?mesg(cargo) →
    if
    :: (cargo < 0) → break
    :: (cargo < 0) → goto out
    :: (cargo ≥ 0) → skip
    fi

od;
out: skip",
    );
    fragment("in?mesg(cargo); cargo = N; (cargo ≠ N) → larger!mesg(cargo)");
    fragment(
        "state1: if
  :: a?m → goto state2
  :: a?m → goto state3
  fi;
state2: skip; state3: goto state1",
    );
    fragment("if\n:: a?m → b?m\n:: a?m → skip\nfi;\nmore = 1");
    fragment("a?m; if :: b?m :: skip fi; more = 1");
    reads(include_str!("listings/bit_1987.txt"));
}

/// A long dash is two hyphens, also where that makes no sense.
#[test]
fn dashes_are_read_as_printed() {
    reads("var x; proc p x = 3 − 1; x = 3 – −1; x = −32768; x––; (x) −> (x − 1 ≥ –2)");
    let wrong = errors("var x; proc p { x = 3 — 1 }");
    assert_eq!(wrong, ["A0002 line 1: `--` where `;` or `->` is expected"]);
}

/// A body without braces ends where a declaration begins, also a misspelt one.
#[test]
fn bodies_without_braces_end_at_declarations() {
    reads("channel c[1];\nproc p c!m; c?m\nvar x;\nproc q var y; y = x; x = y\nprocedure r x++");
    let wrong = errors("channel c[1];\nproc p c!m; c?m\nporc q { skip }\nproc r skip");
    assert_eq!(wrong, ["A0033 line 3: `porc` does not begin a declaration"]);
    let wrong = errors("proc p var x;\nproc q { skip }");
    assert_eq!(wrong, ["A0002 line 2: `proc` where the body of the process is expected"]);
    let wrong = errors("channel c[1]; proc p c!m; c?m od; c!n }");
    assert_eq!(
        wrong,
        ["A0002 line 1: `od` without `do`", "A0002 line 1: `}` without `{`"],
        "what closes nothing is reported and passed over"
    );
}
