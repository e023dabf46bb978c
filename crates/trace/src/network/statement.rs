//! A statement as people know it.

use automata::{Action, ActionText, Edge, Network};
use base::SourceMap;

/// The statement of an edge in the user's words. Machines know a jump or call in guard
/// position as `skip`; its text tells which it is.
pub fn statement(network: &Network, edge: &Edge, sources: &SourceMap) -> String {
    let written = sources.text(sources.statement(edge.span));
    let is_jump = ["goto", "break", "return"].iter().any(|word| written.starts_with(word));
    if edge.action == Action::Skip && (is_jump || written.ends_with(')')) {
        return written.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    ActionText { action: &edge.action, names: network }.to_string()
}
