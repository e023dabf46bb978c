//! `argos show --ltl`: the automaton by which a formula is decided.

use crate::{Loaded, Options, Source, load};
use ltl::{Automaton, Class};
use preprocess::{Files, Input, TokenKind};
use report::{AutomatonEdge, Language};
use std::collections::BTreeMap;

/// What there is to show of formulas.
#[derive(Clone, Debug)]
pub struct ShownFormulas {
    /// The text and what is wrong with it.
    pub loaded: Loaded,
    /// The claims of the model.
    pub names: Vec<String>,
    /// The automata, or why one cannot be had; empty if the text is wrong.
    pub automata: Vec<Result<report::Automaton, String>>,
}

/// The automata of `wanted`: the name of a claim of the model, or further formulas about it.
/// Without a model every name is a variable.
pub fn show_formula(
    source: Option<Source<'_>>,
    wanted: &str,
    options: &Options,
    files: &dyn Files,
) -> ShownFormulas {
    let further = Options { ltl: vec![wanted.to_owned()], ..options.clone() };
    let Some(source) = source else {
        let text = declarations(wanted, files);
        let source = Source { name: "", bytes: text.as_bytes(), language: Language::Promela };
        return shown(load(source, &further, files), Vec::new(), |_, _| true);
    };
    let loaded = load(source, options, files);
    let names = loaded.subject.as_ref().map_or_else(Vec::new, |subject| subject.formulas());
    if names.iter().any(|name| name == wanted) {
        return shown(loaded, names, |_, name| name == wanted);
    }
    let before = names.len();
    shown(load(source, &further, files), names, |index, _| index >= before)
}

/// A model in which every name of the formulas is a variable, or a channel if it is asked as one.
fn declarations(formulas: &str, files: &dyn Files) -> String {
    let input = Input { name: "--ltl", bytes: formulas.as_bytes() };
    let output = preprocess::preprocess(input, &preprocess::Options::default(), files);
    let mut declared = BTreeMap::new();
    for (at, token) in output.tokens.iter().enumerate() {
        let word = at.checked_sub(2).map_or("", |before| &output.tokens[before].text);
        if token.kind == TokenKind::Word && !::promela::is_keyword(&token.text) {
            let is_channel = ["len", "full", "empty", "nfull", "nempty"].contains(&word);
            *declared.entry(token.text.as_str()).or_insert(false) |= is_channel;
        }
    }
    let declaration = |(name, is_channel): (&str, bool)| match is_channel {
        true => format!("chan {name} = [1] of {{ byte }};"),
        false => format!("byte {name};"),
    };
    declared.into_iter().map(declaration).collect::<String>() + "init { skip }"
}

fn shown(
    loaded: Loaded,
    names: Vec<String>,
    wanted: impl Fn(usize, &str) -> bool,
) -> ShownFormulas {
    let mut automata = Vec::new();
    if let Some(subject) = &loaded.subject {
        for (index, name) in subject.formulas().iter().enumerate() {
            if wanted(index, name) {
                let violating = subject.violating(index, &loaded.sources);
                automata.push(violating.map(|(bad, atoms)| {
                    let atom = |number: u32| atoms[number as usize].clone();
                    let formula = bad.formula.map(|bad| match bad {
                        ltl::Formula::Not(formula) => formula.display(&atom),
                        other => other.negated().display(&atom),
                    });
                    described(name, formula, &bad.automaton, &atom)
                }));
            }
        }
    }
    ShownFormulas { loaded, names, automata }
}

fn described(
    name: &str,
    formula: Option<String>,
    automaton: &Automaton,
    atom: &dyn Fn(u32) -> String,
) -> report::Automaton {
    let edges = automaton.states.iter().enumerate().flat_map(|(from, state)| {
        state.edges.iter().map(move |edge| AutomatonEdge {
            from,
            reads: edge.label.display(atom),
            to: edge.target as usize,
            sets: (0..automaton.sets).filter(|set| edge.marks >> set & 1 == 1).collect(),
        })
    });
    report::Automaton {
        name: name.to_owned(),
        formula,
        class: class(automaton.class()).map(str::to_owned),
        sets: automaton.sets,
        states: automaton.states.len(),
        initial: automaton.initial as usize,
        edges: edges.collect(),
    }
}

/// A class by name, and how a property with it is decided.
fn class(class: Class) -> [&'static str; 2] {
    match class {
        Class::Terminal => [
            "terminal",
            "a safety property; it is violated as soon as a run reaches a state that accepts \
             everything, and a search for that state decides it",
        ],
        Class::AllAccepting => [
            "all accepting",
            "a guarantee property; every cycle that the automaton can follow violates it, and a \
             search for any cycle decides it",
        ],
        Class::Weak => [
            "weak",
            "in each strongly connected component all cycles are accepting or none is; a search \
             for a cycle in an accepting component decides it",
        ],
        Class::Strong => [
            "strong",
            "a cycle violates it if it has an edge of every acceptance set; a search of the \
             strongly connected components decides it",
        ],
    }
}
