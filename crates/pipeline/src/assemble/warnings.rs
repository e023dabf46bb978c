//! Warnings that searches give cause for: messages nobody takes.

use crate::Loaded;
use crate::subject::{Form, Subject};
use report::{ErrorEntry, Finding, Location, Reception};
use search::Outcome;
use trace::Lasts;

/// The id of the warning about messages left at a proper end.
const RESIDUAL: &str = "W0013";
/// The id of the warning about a message that a waiting process does not take.
const UNSPECIFIED: &str = "W0014";

/// The warnings about messages that waiting processes are not ready for, each once.
pub(crate) fn unspecified(errors: &[ErrorEntry], loaded: &Loaded) -> Vec<Finding> {
    if loaded.allows(UNSPECIFIED) {
        return Vec::new();
    }
    let mut known: Vec<&Reception> = Vec::new();
    for reception in errors.iter().flat_map(|error| &error.unspecified) {
        if !known.contains(&reception) {
            known.push(reception);
        }
    }
    known.into_iter().map(reception).collect()
}

fn reception(reception: &Reception) -> Finding {
    let Reception { process, channel, message, ready, location } = reception;
    Finding {
        hint: Some(format!("receive {message} there too, or do not send it before")),
        text: ready.join(", "),
        notes: vec!["nothing can move, and this is the first message in the channel".to_owned()],
        ..warning(
            UNSPECIFIED,
            format!("unspecified reception of {message} from {channel} in {process}"),
            location.clone(),
        )
    }
}

/// The warning about messages left at proper ends, with the first of them.
pub(crate) fn residual<'a>(
    subject: &dyn Subject,
    mut searches: impl Iterator<Item = (&'a dyn Form, &'a Outcome)>,
    loaded: &Loaded,
    lasts: Lasts<'_>,
) -> Option<Finding> {
    let (form, outcome) = searches.find(|(_, outcome)| !outcome.residuals.is_empty())?;
    if loaded.allows(RESIDUAL) {
        return None;
    }
    let mut run = form.run(&loaded.sources).ok()?;
    run.follow_while(&outcome.residuals.first()?.trail, lasts).ok()?;
    let (left, location) = run.leftovers()?;
    let count = outcome.statistics.residuals;
    let ends = if count == 1 { "1 proper end".to_owned() } else { format!("{count} proper ends") };
    let hint = "receive them before the processes end, or do not send them";
    Some(Finding {
        hint: Some(match subject.leftovers_option() {
            None => hint.to_owned(),
            Some(option) => format!("{hint}; {option} makes it an error"),
        }),
        notes: vec![left],
        ..warning(RESIDUAL, format!("messages are left in channels at {ends}"), location)
    })
}

fn warning(id: &str, message: String, Location { file, line, column }: Location) -> Finding {
    Finding {
        id: id.to_owned(),
        severity: "warning".to_owned(),
        message,
        file,
        line,
        column,
        hint: None,
        text: String::new(),
        notes: Vec::new(),
        others: Vec::new(),
    }
}
