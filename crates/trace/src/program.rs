//! Runs of PROMELA programs, executed by `program::reference` and put into words.

mod channels;
mod ending;
mod left;
mod names;
mod narrate;
mod run;
mod values;
mod wait;

pub use ending::{kind, problem_words};
pub use run::{ProgramRun, matches_step};

use ::program::{Action, Edge, Wording};
use base::SourceMap;

/// The statement of an edge as the user wrote it.
pub fn statement(edge: &Edge, sources: &SourceMap) -> String {
    match (&edge.action, &edge.wording) {
        (Action::Die, _) => "-end-".to_owned(),
        (_, Wording::Made(words)) => words.to_string(),
        (_, Wording::Join) => "skip".to_owned(),
        (_, Wording::Written) => one_line(sources.text(sources.statement(edge.span))),
    }
}

/// A text of several lines as one.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
