//! Sizes of the automata of negated properties: patterns of specifications (Dwyer, Avrunin and
//! Corbett 1999), formulas from models.

mod support;

use ltl::Class::{self, AllAccepting, Strong, Terminal, Weak};
use ltl::{degeneralise, determinise_terminal, translate};
use support::{name, parse};

/// States, edges and acceptance sets; states and edges of the state-based automaton.
type Size = (usize, usize, u32, usize, usize);

struct Row {
    property: &'static str,
    class: Class,
    /// The size of the automaton of the negation, and the size it may not exceed.
    reached: Size,
    target: Size,
}

const fn row(property: &'static str, class: Class, reached: Size, target: Size) -> Row {
    Row { property, class, reached, target }
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row("[]p", Terminal, (2, 3, 1, 2, 3), (2, 3, 1, 2, 3)),
    row("<>p", AllAccepting, (1, 1, 0, 1, 1), (1, 1, 0, 1, 1)),
    row("[]<>p", Weak, (2, 3, 1, 2, 3), (2, 3, 1, 2, 3)),
    row("<>[]p", Strong, (1, 2, 1, 2, 4), (1, 2, 1, 2, 4)),
    row("p U q", AllAccepting, (2, 3, 0, 2, 3), (2, 3, 0, 2, 3)),
    row("[](p -> <>q)", Weak, (2, 3, 1, 2, 3), (2, 3, 1, 2, 3)),
    row("[](p -> <>(q && <>r))", Weak, (3, 6, 1, 3, 6), (3, 6, 1, 3, 6)),
    row("[]<>p && []<>q && []<>r", Weak, (4, 7, 1, 4, 7), (4, 7, 1, 4, 7)),
    row("[]<>p -> []<>q", Strong, (2, 4, 1, 3, 6), (2, 4, 2, 3, 6)),
    row("([]<>p -> []<>q) && ([]<>r -> []<>s)", Strong, (5, 10, 1, 7, 14), (5, 12, 4, 7, 16)),
    row("([]<>p -> []<>q) -> [](r -> <>s)", Strong, (5, 9, 1, 6, 11), (7, 19, 3, 7, 17)),
    row("p U (q U (r U s))", AllAccepting, (4, 10, 0, 4, 10), (4, 10, 0, 4, 10)),
    row("<>([]p || []q)", Strong, (1, 4, 2, 3, 8), (1, 4, 2, 3, 8)),
    // Existence after q.
    row("[](!q) || <>(q && <>p)", Weak, (2, 3, 1, 2, 3), (2, 3, 1, 2, 3)),
    // At most two intervals of p; then the same before r.
    row("!p W (p W (!p W (p W []!p)))", Terminal, (6, 11, 1, 6, 11), (6, 11, 5, 6, 11)),
    row("<>r -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r)))))))))",
        Terminal, (7, 13, 1, 7, 13), (7, 13, 1, 7, 13)),
    // Precedence and response between q and r.
    row("[]((q && !r && <>r) -> (!p U (s || r)))", Terminal, (4, 8, 1, 4, 8), (4, 8, 2, 4, 8)),
    row("[]((q && !r && <>r) -> (p -> (!r U (s && !r))) U r)",
        Terminal, (4, 8, 1, 4, 8), (4, 8, 2, 4, 8)),
    // Two models of a mobile telephone.
    row("![]<>(p || q) -> [](<>r -> <>s)", Weak, (3, 5, 1, 3, 5), (6, 18, 3, 3, 6)),
    row("![]<>(p || q) -> []<>(r -> <>s)", Weak, (2, 3, 1, 2, 3), (6, 18, 3, 3, 6)),
    // Nested weak untils, without an end in translators that write them with [] and U.
    row("([]<>a W []<>b) W (c U []<>d)", Weak, (2, 3, 1, 2, 3), (4, 9, 3, 7, 15)),
];

#[test]
fn automata_have_the_sizes_of_the_table() {
    for row in ROWS {
        let automaton = translate(&parse(row.property).negated()).expect("a small formula");
        let buchi = degeneralise(&automaton);
        let (states, edges) = (automaton.states.len(), automaton.edge_count());
        let size = (states, edges, automaton.sets, buchi.states.len(), buchi.edge_count());
        assert_eq!(size, row.reached, "{}\n{}", row.property, automaton.table(&name));
        assert_eq!(automaton.class(), row.class, "{}", row.property);
    }
}

#[test]
fn no_size_exceeds_its_target() {
    for row in ROWS {
        let (a, b) = (row.reached, row.target);
        let within = a.0 <= b.0 && a.1 <= b.1 && a.2 <= b.2 && a.3 <= b.3 && a.4 <= b.4;
        assert!(within, "{}", row.property);
    }
}

/// A sink for prefixes that every continuation satisfies is all a deterministic automaton adds.
#[test]
fn observers_of_safety_properties_are_small() {
    for row in ROWS.iter().filter(|row| row.class == Terminal) {
        let automaton = translate(&parse(row.property).negated()).expect("a small formula");
        let observer = determinise_terminal(&automaton).expect("few sets of states");
        assert!(observer.is_deterministic(), "{}", row.property);
        let (states, most) = (observer.states.len(), row.reached.0 + 1);
        assert!(states <= most, "{}\n{}", row.property, observer.table(&name));
    }
}
