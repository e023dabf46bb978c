//! Runs of PROMELA programs, executed by `program::reference` and put into words.

mod channels;
mod ending;
mod left;
mod names;
mod narrate;
mod run;
mod wait;

pub use ending::{kind, problem_words};
pub use run::{ProgramRun, matches_step};

use ::program::{Action, Edge};
use base::SourceMap;

/// The statement of an edge as the user wrote it.
pub fn statement(edge: &Edge, sources: &SourceMap) -> String {
    let written = sources.text(sources.statement(edge.span));
    match edge.action {
        Action::Die => "-end-".to_owned(),
        _ => written.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}
