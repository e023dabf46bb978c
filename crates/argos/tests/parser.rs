//! One mistake, one message: what the parser makes of broken text.

use preprocess::{Input, Options, preprocess};
use testkit::NoFiles;

/// `id@column` of each error of the parser, and the text under its caret.
fn errors(text: &str) -> String {
    let output =
        preprocess(Input { name: "test", bytes: text.as_bytes() }, &Options::default(), &NoFiles);
    let (_, diagnostics) = argos::parse(&output);
    let shown = diagnostics.iter().map(|found| {
        let place = output.sources.place(found.span);
        format!("{}@{} {}", found.id, place.column, output.sources.text(found.span))
    });
    shown.collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(errors(text), expected);
}

#[test]
fn good_text_gives_nothing() {
    check("channel c[1]; proc p { c!m; } ; assert { c!m };", "");
    check("assert c!m; d!n\nproc p { }", "");
    check("assert c!m; d!n channel c[1]; proc p { }", "");
}

#[test]
fn a_missing_separator_is_shown_behind_the_statement() {
    check("proc p { skip skip }", "A0003@14 ");
    check("proc p { c!m c }", "A0003@13 ");
    check("channel c[1] proc p { skip }", "A0003@13 ");
    check("proc p { var x skip }", "A0003@15 ");
}

#[test]
fn what_was_opened_is_named_once() {
    check("proc p { do :: if :: skip", "A0004@26 ");
    check("proc p { do :: if :: skip }", "A0004@27 }");
    check("proc p { skip proc q { skip }", "A0004@15 proc");
    check("proc p { if :: skip od }", "A0004@21 od");
    check("proc p { do :: if :: skip od }", "A0004@27 od");
}

#[test]
fn recovery_does_not_cascade() {
    check("proc p { c!! ( do :: x ; y } ; skip }", "A0002@12 !");
    check("proc p { x = ; y = 1; z = }", "A0002@14 ;, A0002@27 }");
    check("proc p { if :: x = * -> skip :: skip fi; skip }", "A0002@20 *");
    check("proc p { (x + ; skip } proc q { (y }", "A0002@15 ;, A0002@36 }");
    check("proc { skip } proc q { skip }", "A0002@6 {");
    check("x y z; proc q { skip }", "A0033@1 x");
}

#[test]
fn an_empty_text_is_no_syntax_error() {
    check("", "");
    check(";;", "");
}

#[test]
fn stray_characters_are_counted_by_stretches() {
    check("proc p { \u{1}\u{2} skip é }", "A0001@10 \u{1}\u{2}, A0001@18 é");
    let many = "\u{1} ; ".repeat(100);
    assert_eq!(errors(&many).matches("A0001").count(), 20);
}
