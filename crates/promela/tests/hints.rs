//! What a message suggests to write instead.

use preprocess::{Input, Options};
use testkit::NoFiles;

/// The first error of a body of a process, and what it suggests.
fn hint(declarations: &str, body: &str) -> (String, String) {
    let text = format!("{declarations}\nactive proctype P() {{ {body} }}\n");
    let input = Input { name: "hint.pml", bytes: text.as_bytes() };
    let read = promela::read(input, &Options::default(), &NoFiles);
    let found = read.diagnostics.first().expect("something is wrong");
    (found.message.clone(), found.help.join("; "))
}

#[test]
fn an_undeclared_name_gets_the_declaration_its_use_suggests() {
    let queue = "chan q = [1] of { byte };";
    for (body, declaration) in [
        ("q!request", "mtype = { request };"),
        ("q?request", "mtype = { request };"),
        ("number = 1", "byte number;"),
        ("if :: ready -> skip fi", "byte ready;"),
        ("link!1", "chan link = [1] of { byte };"),
        ("len(link) > 0", "chan link = [1] of { byte };"),
        ("table[3] = 1", "byte table[8];"),
        ("point.x = 1", "typedef T { byte x }; T point;"),
    ] {
        let (_, help) = hint(queue, body);
        assert_eq!(help, format!("declare it, for instance `{declaration}`"), "{body}");
    }
}

#[test]
fn an_index_in_a_message_is_no_kind_of_message() {
    let (_, help) = hint("chan q = [1] of { byte }; byte table[2];", "q!table[number]");
    assert_eq!(help, "declare it, for instance `byte number;`");
}

#[test]
fn a_formula_names_the_process_of_a_local() {
    for formula in ["[] (j < 2)", "j == 0"] {
        let (message, help) = hint(&format!("ltl a {{ {formula} }}"), "byte j = 1; j++");
        assert_eq!(message, "`j` is not declared", "{formula}");
        assert_eq!(help, "write `P:j` for the local variable of that process", "{formula}");
    }
}

#[test]
fn operators_of_other_tools_are_translated() {
    for formula in ["G x", "G (x == 1)"] {
        let (_, help) = hint(&format!("byte x; ltl a {{ {formula} }}"), "x = 1");
        assert_eq!(help, "write `[]` for `G`", "{formula}");
    }
}

#[test]
fn one_argument_is_not_some() {
    let (message, _) = hint("proctype R(byte a) { skip }", "run R()");
    assert_eq!(message, "`R` takes 1 argument, not 0");
    let (message, _) = hint("inline two(a, b) { skip }", "two(1)");
    assert_eq!(message, "`two` takes 2 arguments, not 1");
}
