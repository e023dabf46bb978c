//! What a message suggests to write instead of a statement of another language.

use preprocess::{Input, Options};
use testkit::NoFiles;

fn hint(statement: &str) -> String {
    let text = format!("channel q[1];\nproc p {{ {statement}; q!a }}\nproc r {{ q?a }}\n");
    let input = Input { name: "hint.argos", bytes: text.as_bytes() };
    let read = argos::read(input, &Options::default(), &NoFiles);
    read.diagnostics.first().expect("something is wrong").help.join("; ")
}

#[test]
fn statements_of_other_languages_are_translated() {
    for (statement, words) in [
        ("while (1) { q!a }", "a loop is `do"),
        ("for (1) { q!a }", "a loop is `do"),
        ("printf(\"x\")", "Argos prints nothing"),
        ("assert(x == 1)", "`ltl NAME { [] (condition) }`"),
        ("int x", "`var NAME`"),
        ("int x = 2", "`var NAME`"),
        ("return", "`goto` a label behind"),
        ("return 1", "write `return` alone"),
        ("return()", "without parentheses"),
        ("return(1)", "write `return` alone"),
        ("x-", "write `x--`"),
        ("x –", "write `x--`"),
    ] {
        let help = hint(statement);
        assert!(help.contains(words), "{statement}: {help}");
    }
}
