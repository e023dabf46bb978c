//! Options with a fixed set of words, and what is to be said of each word.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pipeline::{Reduce, Search};

/// What a search keeps and what it gives up.
pub(crate) fn about(search: Search) -> &'static str {
    match search {
        Search::Auto => {
            "A small model completely, a larger one by ever weaker restrictions and completely \
             at last, until the first error. Keeps every verdict; gives up nothing but the \
             shortest run to an error that was found by a restriction"
        }
        Search::Exhaustive => {
            "Every state, in the fastest order; with --depth every run up to that depth. Keeps \
             every verdict; gives up the order, so runs are shortened afterwards"
        }
        Search::Dfs => {
            "Every state, strictly depth first: the youngest process first, in source order. \
             Keeps every verdict and SPIN's order; gives up short runs"
        }
        Search::Bfs => {
            "Every state, level by level. Keeps every verdict and finds shortest runs; gives up \
             the quick look at what lies deep"
        }
        Search::Partial => {
            "Depth first to a depth bound, where a state met before ends the run even if it is \
             nearer now. Keeps real errors; gives up what the bound cut off behind such states"
        }
        Search::Scatter => {
            "In each state all steps of --keep processes: internal steps before receives, \
             sends and timeouts. Keeps real errors; gives up most interleavings"
        }
        Search::OnePerProcess => {
            "In each state one step of each process. Keeps real errors and interleavings; gives \
             up the choices that a process has"
        }
        Search::OnePerState => {
            "In each state one step: a single run. Keeps an error if that run meets one; gives \
             up everything else"
        }
        Search::Random => {
            "Random runs, as many as --walks. Keeps real errors; gives up the memory of where \
             it was and any claim to see everything"
        }
    }
}

/// What a reduction keeps and what it gives up.
pub(crate) fn about_reduction(reduce: Reduce) -> &'static str {
    match reduce {
        Reduce::Auto => {
            "What goes with every order, store and requirement: of models, minimised machines, \
             merged statements, variables reset when dead and hidden when unread (--plain: none of \
             these); of steps, nothing. Keeps every verdict and shortest runs; gives up what \
             sleep and ample would save"
        }
        Reduce::None => "Every interleaving. Keeps everything; gives up time",
        Reduce::Sleep => {
            "Not again what was explored before in another order. Keeps every state and every \
             verdict; gives up never claims, a depth bound and runs that are shortest at once"
        }
        Reduce::Ample => {
            "One process alone, where the others cannot tell. Keeps every verdict and blocked \
             states, but for processes that are through; gives up the states in between, never \
             claims and a depth bound"
        }
        Reduce::Internal => {
            "Who is about its own business goes first, and nobody else moves meanwhile. Keeps \
             deadlocks, assertions and every other requirement; gives up the states in between"
        }
    }
}

/// A parser for an option with a fixed set of words.
pub(crate) fn words<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    chosen(all, word, all.iter().map(move |item| PossibleValue::new(word(*item))))
}

/// The same, with a sentence or two on each word.
pub(crate) fn explained<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    word: fn(T) -> &'static str,
    about: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = all.iter().map(move |item| PossibleValue::new(word(*item)).help(about(*item)));
    chosen(all, word, values)
}

fn chosen<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    word: fn(T) -> &'static str,
    values: impl Iterator<Item = PossibleValue>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.collect::<Vec<_>>()).map(move |text| {
        let found = all.iter().find(|item| word(**item) == text);
        *found.expect("clap accepts only the words it was given")
    })
}
