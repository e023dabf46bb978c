//! Options with a fixed set of words, and what is to be said of each word.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pipeline::{Reduce, Search};

/// What a search does, what it keeps and what it may miss.
pub(crate) fn about(search: Search) -> &'static str {
    match search {
        Search::Auto => {
            "A small model completely; a larger one first by restricted searches, each less \
             restricted than the one before, then completely. Stops at the first error. Keeps \
             every verdict; a run found by a restricted search may not be the shortest"
        }
        Search::Exhaustive => {
            "Every state, in whatever order is fastest; with --depth, every run up to that \
             depth. Keeps every verdict; runs are shortened afterwards"
        }
        Search::Dfs => {
            "Every state, strictly depth first: youngest process first, edges in source order, \
             as in SPIN. Keeps every verdict; runs can be long"
        }
        Search::Bfs => {
            "Every state, level by level. Keeps every verdict and finds shortest runs; deep \
             errors are found late"
        }
        Search::Directed => {
            "Every state, best first: where an assertion is nearest to being violated, by the \
             steps that the processes still have to take to a message that it does not allow, or \
             to an assert statement, or where a state of --invariant or --cover is nearest. Keeps \
             every verdict; runs may not be the shortest"
        }
        Search::Partial => {
            "Depth first to a depth bound; a state that was visited before ends the run, even if \
             it is now nearer to the start. Finds real errors; misses what the bound cut off \
             behind such states"
        }
        Search::Scatter => {
            "Scatter search: in each state, all steps of at most --keep processes; internal \
             steps before receives, then sends, then timeouts. Finds real errors; skips most \
             interleavings"
        }
        Search::OnePerProcess => {
            "In each state, one step of each process. Finds real errors in all interleavings; \
             skips the other choices of a process"
        }
        Search::OnePerState => {
            "In each state, one step: a single run. Finds an error only if that run reaches one"
        }
        Search::Random => {
            "Random runs, as many as --walks. Finds real errors; stores no states, so it cannot \
             tell when everything was searched"
        }
    }
}

/// What a reduction does, what it keeps and what it rules out.
pub(crate) fn about_reduction(reduce: Reduce) -> &'static str {
    match reduce {
        Reduce::Auto => {
            "The strongest that is proven for what is asked: ample sets for --search auto where \
             they leave out at least one step in eight, symmetry where a state stands for more than \
             16, with minimised machines, merged statements, \
             dead variables reset, write-only variables hidden (--plain: none of these). Keeps \
             every verdict, and runs to errors are as short as without; other searches, formulas, \
             --all-errors and predicates take every interleaving"
        }
        Reduce::None => "No partial order reduction: every interleaving",
        Reduce::Sleep => {
            "Sleep sets: a step that was explored before, in another order with independent \
             steps, is not taken again. Keeps every state and every verdict, with fewer \
             transitions; not with never claims, a depth bound or breadth first"
        }
        Reduce::Ample => {
            "Ample sets: where no other process can ever interfere with the steps of one \
             process, only that process moves. Keeps every verdict and every blocked state, but \
             for terminated processes, with fewer states; not with never claims or a depth bound"
        }
        Reduce::SleepAmple => {
            "Both: of the steps of an ample set, those asleep are not taken. Keeps what ample \
             sets keep, with fewer transitions where behind a step everything is searched before \
             the next one is taken: not within one large cycle. With --cache, few states need \
             be stored"
        }
        Reduce::Symmetry => {
            "Symmetry: of states that differ only in which of several interchangeable processes is \
             where, one is searched. Found by itself; refused with the reason if there are no such \
             processes. Keeps every verdict, and every blocked state but for who is who; not with \
             never claims or a restricted search"
        }
        Reduce::AmpleSymmetry => {
            "Both: ample sets, of one state of all that are permutations of each other"
        }
        Reduce::Internal => {
            "Local steps first: a process that can only read and write its own variables moves \
             before all others. Keeps deadlocks, assertions and every other requirement, with \
             fewer states"
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
