//! Names that are nearly the same, and the sections of a text.

use base::{Name, nearest, sections};

#[test]
fn a_slip_of_the_fingers_is_recognised() {
    let names = [Name::new("sender"), Name::new("receiver")];
    assert_eq!(nearest("recevier", &names), Some(&names[1]));
    assert_eq!(nearest("snder", &names), Some(&names[0]));
    assert_eq!(nearest("link", &names), None);
}

#[test]
fn a_section_has_an_id_and_a_text() {
    let found: Vec<_> = sections("# Title\n\n## A1\nOne.\n\n## A2\nTwo.\n").collect();
    assert_eq!(found, [("A1", "One."), ("A2", "Two.")]);
}
