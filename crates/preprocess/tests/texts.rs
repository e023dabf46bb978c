//! Text in, text out: one helper runs the whole preprocessor.

use base::Id;
use preprocess::*;
use std::io;

/// A few files in memory.
struct Shelf(&'static [(&'static str, &'static str)]);

impl Files for Shelf {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or(io::ErrorKind::NotFound.into())
    }
}

const SHELF: Shelf = Shelf(&[
    ("one.h", "one\n"),
    ("lib/two.h", "#include \"three.h\"\ntwo\n"),
    ("lib/three.h", "three\n"),
    ("loop.h", "before\n#include \"./loop2.h\"\nafter\n"),
    ("loop2.h", "#include \"loop.h\"\n"),
    ("guarded.h", "#ifndef G\n#define G\n#include \"back.h\"\nguarded\n#endif\n"),
    ("back.h", "#include \"guarded.h\"\nback\n"),
    ("defines.h", "#define D 1\n#include \"defines.h\"\nD\n"),
    ("flips.h", "#ifdef F\n#undef F\n#else\n#define F\n#endif\n#include \"flips.h\"\n"),
    ("double.h", "#include \"empty.h\"\n"),
    ("empty.h", ""),
]);

fn run_with(text: &[u8], defines: &[(&str, Option<&str>)]) -> Output {
    let defines = defines.iter().map(|(name, value)| ((*name).into(), value.map(str::to_owned)));
    let include_paths = vec!["lib".into()];
    let options = Options { defines: defines.collect(), include_paths, ..Options::default() };
    preprocess(Input { name: "main", bytes: text }, &options, &SHELF)
}

fn run(text: &str) -> Output {
    run_with(text.as_bytes(), &[])
}

/// The tokens, one output line per `line_start`, blanks where there were some;
/// then what was wrong.
fn shown(output: &Output) -> String {
    let mut text = String::new();
    for token in &output.tokens {
        match (token.line_start, token.spaced) {
            _ if text.is_empty() => {}
            (true, _) => text.push('\n'),
            (false, true) => text.push(' '),
            (false, false) => {}
        }
        text.push_str(&token.text);
    }
    for found in &output.diagnostics {
        let place = output.sources.place(output.sources.outermost(found.span));
        text += &format!("\n{}@{}:{}", found.id, place.line, place.column);
    }
    text.trim_start().to_owned()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(shown(&run(text)), expected);
}

#[test]
fn blanks_comments_and_joined_lines_go() {
    check("a /* b */ c // d\ne \\\n f /* \n */ g", "a c\ne f g");
    check("a/**/b", "a b");
    check("\u{feff}a", "a");
    check("a /* b", "a\nP0001@1:3");
    check("'x' '\\n' don't", "'x' '\\n' don't");
}

#[test]
fn punctuation_is_cut_the_same_everywhere() {
    let kinds = |text| run(text).tokens.iter().map(|it| it.text.to_string()).collect::<Vec<_>>();
    assert_eq!(kinds("a:::b->c--->d"), ["a", "::", ":", "b", "->", "c", "--", "->", "d"]);
    assert_eq!(kinds("!!??[]<>+%"), ["!", "!", "?", "?", "[", "]", "<", ">", "+", "%"]);
    assert_eq!(kinds("x<=y>>2..9"), ["x", "<=", "y", ">>", "2", "..", "9"]);
    assert_eq!(kinds("≡≠≥≤→"), ["==", "!=", ">=", "<=", "->"]);
}

#[test]
fn kinds_of_tokens() {
    use TokenKind::*;
    let output = run_with(b"w_1 12ab \"s\\\"\" 'c' ; \xff \0", &[]);
    let kinds: Vec<TokenKind> = output.tokens.iter().map(|token| token.kind).collect();
    assert_eq!(kinds, [Word, Number, String, Char, Punct, Other, Other]);
}

#[test]
fn a_string_without_an_end_is_reported_only_where_it_counts() {
    check("a \"b\nc", "a\nc\nP0003@1:3");
    check("#if 0\na \"b\n#endif\nc", "c");
}

#[test]
fn object_macros() {
    check("#define N 3\nN M N", "3 M 3");
    check("#define A B\n#define B A\nA B", "A B");
    check("#define N\n[N]", "[]");
    check("#define N 1\n#undef N\nN", "N");
    check("#define N 1\n#define N 1\nN", "1");
    check("#define N 1\n#define N 2\nN", "2\nP0020@2:9");
    check("#define N 1 \\\n 2\nN", "1 2");
}

#[test]
fn function_macros() {
    check("#define f(x) [x]\nf(1) f ((a, b)) f", "[1] [(a, b)] f");
    check("#define f(x, y) y x\nf(1,2) f(,)", "2 1");
    check("#define f() 1\nf() f( )", "1 1");
    check("#define f(x) x x\nf(f(1))", "1 1 1 1");
    check("#define f(x) f(x) x\nf(1)", "f(1) 1");
    check("#define g f\n#define f(x) <x>\ng(1)", "<1>");
    check("#define f(x) x\nf(a\nb)", "a b");
    check("#define f (x)\nf(1)", "(x)(1)");
    check("#define f(x) x\n#define EMPTY\nf EMPTY (1)", "f (1)");
}

#[test]
fn wrong_macros() {
    check("#define f(x) x\nf(1, 2)", "P0015@2:1");
    check("#define f(x) x\nf(1", "P0014@2:1");
    check("#define f(x) x\nf(1\n#undef f\n)", ")\nP0014@2:1");
    check("#define", "P0010@1:8");
    check("#define 3", "P0010@1:9");
    check("#define f(x", "P0011@1:10");
    check("#define f(x, x) x", "P0011@1:14");
    check("#define f(x y) x", "P0011@1:13");
    check("#define f(...) x", "P0012@1:11");
    check("#define f(x) #y", "P0013@1:14");
    check("#define f(x) x ##", "P0013@1:9");
    check("#undef", "P0010@1:7");
}

#[test]
fn quoting_and_joining() {
    check("#define f(x) #x\nf(a  b) f(\"c\\n\")", "\"a b\" \"\\\"c\\\\n\\\"\"");
    check("#define f(x) m ## x\n#define N 1\nf(1) f(N) f()", "m1 mN m");
    check("#define f(x, y) x ## y\nf(,a) f(a,) f(,) f(a b, c d)", "a a a bc d");
    check("#define f(x, y) <x ## y ## 1>\nf(,)", "< 1>");
    check("#define f(x) x ## ;\nf(a)", "a ;\nP0018@2:1");
    check("#define f(x) # x ## x\nf(a)", "\"a\" a\nP0018@2:1");
}

#[test]
fn conditions() {
    let pick = |line: &str| shown(&run(&format!("{line}\nyes\n#else\nno\n#endif")));
    assert_eq!(pick("#define A\n#ifdef A"), "yes");
    assert_eq!(pick("#ifdef A"), "no");
    assert_eq!(pick("#ifndef A"), "yes");
    assert_eq!(pick("#define A 2\n#if defined A && defined(A) && !defined B && A == 2"), "yes");
    assert_eq!(pick("#if 1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && -7 / 2 == -3 && 7 % 4 == 3"), "yes");
    assert_eq!(
        pick("#if 1 << 3 == 8 && (6 & 3) == 2 && (6 | 1) == 7 && (6 ^ 3) == 5 && ~0 == -1"),
        "yes"
    );
    assert_eq!(pick("#if 0x10 == 16 && 010 == 8 && 'a' == 97 && 10UL == 10"), "yes");
    assert_eq!(pick("#if 1 ? 0 : 1"), "no");
    assert_eq!(pick("#if (1 || 1 / 0) && !(0 && 1 % 0) && (1 ? 1 : 1 / 0)"), "yes");
    assert_eq!(pick("#if 0 || 1 / 0"), "no\nP0008@1:12");
    assert_eq!(pick("#if unknown"), "no");
    assert_eq!(pick("#if"), "no\nP0008@1:4");
    assert_eq!(pick("#if 1 2"), "no\nP0008@1:7");
    assert_eq!(pick("#if (1"), "no\nP0008@1:7");
    assert_eq!(pick("#if 9z"), "no\nP0008@1:5");
    let deep = format!("#if {}1", "(".repeat(100_000));
    assert_eq!(pick(&deep), "no\nP0008@1:1");
    let deep = format!("#if {}1", "-".repeat(100_001));
    assert!(pick(&deep).starts_with("no\nP0008"));
}

#[test]
fn branches() {
    check("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\ne", "b\ne");
    check("#if 0\n#if 1\na\n#else\nb\n#endif\n#nonsense\n#else\nc\n#endif", "c");
    check("#if 1\na", "a\nP0005@1:1");
    check("#else\n#endif\n#elif 1", "P0006@1:1\nP0006@2:1\nP0006@3:1");
    check("#if 1\n#else\n#else\n#elif 1\n#endif", "P0006@3:1\nP0006@4:1");
    check("#ifdef\n#endif", "P0010@1:7");
}

#[test]
fn other_directives() {
    check("#\n#pragma x\n#ident \"x\"\na", "a");
    check("#defin N", "P0004@1:2");
    check("#error it's \"wrong", "P0009@1:1");
    check("#line x", "P0019@1:1");
    let output = run("#error  no luck ");
    assert_eq!(output.diagnostics[0].message, "the model says: no luck");
}

#[test]
fn line_markers_rename_what_follows() {
    let output = run("a\n#line 10 \"other\"\nb\n# 20\nc");
    let places: Vec<String> = output
        .tokens
        .iter()
        .map(|token| output.sources.place(token.span))
        .map(|place| format!("{}:{}", place.file, place.line))
        .collect();
    assert_eq!(places, ["main:1", "other:10", "main:20"]);
}

#[test]
fn includes() {
    check("#include \"one.h\"\na", "one\na");
    check("#include <two.h>\na", "three\ntwo\na");
    check("#define FILE \"one.h\"\n#include FILE", "one");
    check("#include \"none.h\"\na", "a\nP0023@1:1");
    check("#include\na", "a\nP0007@1:1");
    check("#include \"loop.h\"\na", "before\nafter\na\nP0022@1:1");
    let output = run("#include \"none.h\"");
    assert_eq!(output.diagnostics[0].notes, ["tried none.h, lib/none.h"]);
    let output = run("#include \"one.h\"");
    let included = &output.sources.files[output.tokens[0].span.file];
    assert!(
        included.included_at.is_some_and(|span| output.sources.text(span) == "#include \"one.h\"")
    );
}

#[test]
fn a_cycle_that_a_macro_ends_is_none() {
    check("#include \"guarded.h\"\na", "back\nguarded\na");
    check("#include \"defines.h\"\na", "1\n1\na\nP0022@2:1");
    check("#include \"flips.h\"\na", "P0021@6:1");
}

#[test]
fn definitions_of_the_command_line() {
    let output = run_with(b"A B C", &[("A", None), ("B", Some("x y"))]);
    assert_eq!(shown(&output), "1 x y C");
    assert!(!run_with(b"", &[("3", None)]).diagnostics.is_empty());
}

/// The chain of a token: its text, then each macro and the text of its call.
fn chain(output: &Output, place: usize) -> String {
    let mut span = output.tokens[place].span;
    let mut text = output.sources.text(span).to_owned();
    while let Some(origin) = span.origin {
        let origin = &output.sources.origins[origin];
        span = origin.call;
        text += &format!(" < {}: {}", origin.name, output.sources.text(span));
    }
    text
}

#[test]
fn tokens_remember_the_macros_they_came_through() {
    let output = run("#define N 5\n#define f(x) [x N]\n#define g(y) f(y)\nf(a) g(N)");
    assert_eq!(shown(&output), "[a 5] [5 5]");
    assert_eq!(chain(&output, 0), "[ < f: f(a)");
    assert_eq!(chain(&output, 1), "a < f: f(a)");
    assert_eq!(chain(&output, 2), "5 < N: N < f: f(a)");
    assert_eq!(chain(&output, 4), "[ < f: f(y) < g: g(N)");
    assert_eq!(chain(&output, 5), "5 < N: N < f: f(y) < g: g(N)");
    assert_eq!(chain(&output, 6), "5 < N: N < f: f(y) < g: g(N)");
}

#[test]
fn an_argument_and_the_text_around_it_have_different_origins() {
    let output = run("#define f(x) [x\nf(a)");
    assert_ne!(output.tokens[0].span.origin, output.tokens[1].span.origin);
}

#[test]
fn allowed_warnings_are_found_in_comments() {
    let output =
        run("/* argos: allow W0003, W0004 */ // argos:allow W0001\n/* argos allow W0009 */");
    assert_eq!(output.allowed, ["W0003", "W0004", "W0001"]);
}

#[test]
fn expansion_is_bounded() {
    let mut text = String::from("#define A0 x x\n");
    for level in 1..40 {
        text += &format!("#define A{level} A{} A{}\n", level - 1, level - 1);
    }
    assert!(shown(&run(&format!("{text}A39"))).ends_with("P0016@41:1"));
    // The same without any output.
    let text = text.replace("A0 x x", "A0");
    assert!(shown(&run(&format!("{text}A39"))).ends_with("P0016@41:1"));
}

#[test]
fn depth_of_expansion_is_bounded() {
    let mut text = String::new();
    for level in 0..10_000 {
        text += &format!("#define A{level} A{}\n", level + 1);
    }
    assert_eq!(shown(&run(&format!("{text}A0"))), "P0017@10001:1");
    let nested = format!("#define f(x) x\n{}1{}", "f(".repeat(10_000), ")".repeat(10_000));
    assert_eq!(shown(&run(&nested)), "P0017@2:1");
}

#[test]
fn many_includes_are_bounded() {
    let text = "#include \"double.h\"\n".repeat(10_000);
    let output = run(&text);
    assert_eq!(output.diagnostics.len(), 1);
    assert_eq!(output.diagnostics[0].id, "P0021");
}

#[test]
fn the_end_is_the_end_of_the_main_file() {
    let output = run("#include \"one.h\"\nab");
    assert_eq!((output.end.file, output.end.start), (base::FileId::new(0), 19));
}
