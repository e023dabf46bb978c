//! Runs of PROMELA programs, executed by `program::reference` and put into words.

mod channels;
mod ending;
mod glance;
mod left;
mod names;
mod narrate;
mod needs;
mod others;
mod run;
mod values;
mod wait;

pub use ending::{kind, problem_words};
pub use glance::Looker;
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

/// A text of several lines as one, without its comments.
fn one_line(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['/', '"']) {
        let (before, here) = rest.split_at(at);
        plain.push_str(before);
        let (end, is_comment) = match here {
            _ if here.starts_with("/*") => (here.find("*/").map(|end| end + 2), true),
            _ if here.starts_with("//") => (here.find('\n'), true),
            _ if here.starts_with('"') => (here[1..].find('"').map(|end| end + 2), false),
            _ => (Some(1), false),
        };
        let (taken, behind) = here.split_at(end.unwrap_or(here.len()));
        plain.push_str(if is_comment { " " } else { taken });
        rest = behind;
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
