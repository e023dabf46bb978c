//! Which rows a chart has and how each message runs: across at its send, down
//! beside its reader while it waits, into the lane at its receive. So a line
//! crosses a row only where its message is in the queue at that moment.

use crate::chart::{Chart, Ending, is_read};
use std::collections::HashMap;
use trace::EventKind;

/// Messages that wait side by side beyond this share a slot.
const SLOTS: usize = 5;

/// One message of the run.
pub(super) struct Wire {
    /// Row of its send, if that is shown.
    pub(super) send: Option<usize>,
    /// Row of its receive, if there is one and it is shown.
    pub(super) receive: Option<usize>,
    pub(super) from: Option<usize>,
    pub(super) to: Option<usize>,
    /// Place beside the reader while it waits.
    pub(super) slot: usize,
    pub(super) unread: bool,
    /// Its text.
    pub(super) text: String,
}

/// The rows of a chart and its messages.
pub(super) struct Wires {
    /// Step of each row.
    pub(super) steps: Vec<usize>,
    pub(super) list: Vec<Wire>,
    /// The message that ends in each row, if one does.
    pub(super) into: Vec<Option<usize>>,
    /// Row of the step that violates a requirement.
    pub(super) failing: Option<usize>,
}

impl Wires {
    pub(super) fn new(chart: &Chart, hide_internal: bool) -> Self {
        let trace = &chart.scenario.trace;
        let failing_step = match chart.ending {
            Ending::Fails(_) => {
                let marked = trace.iter().position(|event| event.violates);
                marked.or(trace.len().checked_sub(1))
            }
            _ => None,
        };
        // The violation is never hidden, whatever kind of step it is.
        let shown = |step: &usize| {
            !hide_internal
                || trace[*step].kind != EventKind::Internal
                || Some(*step) == failing_step
        };
        let steps: Vec<usize> = (0..trace.len()).filter(shown).collect();
        let mut row_of = vec![None; trace.len()];
        for (row, step) in steps.iter().enumerate() {
            row_of[*step] = Some(row);
        }
        let failing = failing_step.and_then(|step| row_of[step]);
        let list = wires(chart, &row_of);
        let mut into = vec![None; steps.len()];
        for (number, wire) in list.iter().enumerate() {
            if let Some(row) = wire.receive {
                into[row] = Some(number);
            }
        }
        Self { steps, list, into, failing }
    }
}

fn wires(chart: &Chart, row_of: &[Option<usize>]) -> Vec<Wire> {
    let trace = &chart.scenario.trace;
    let row = |step: Option<usize>| step.and_then(|step| row_of.get(step).copied().flatten());
    let mut slots = Slots::default();
    let mut list = Vec::new();
    for (step, event) in trace.iter().enumerate() {
        let lane = chart.lane(&event.process);
        match event.kind {
            EventKind::Receive if row(event.matched).is_none() => list.push(Wire {
                send: None,
                receive: row(Some(step)),
                from: None,
                to: lane,
                slot: 0,
                unread: false,
                text: event.message_text(),
            }),
            EventKind::Send if row_of[step].is_some() => {
                let read = is_read(event, trace.len());
                let receive = row(event.matched.filter(|_| read));
                let to = chart.target(event);
                let mut wire = Wire {
                    send: row(Some(step)),
                    receive,
                    from: lane,
                    to,
                    slot: 0,
                    unread: !read,
                    text: chart.label(event, read),
                };
                wire.slot = slots.take(&wire);
                list.push(wire);
            }
            _ => {}
        }
    }
    list
}

/// Rows up to which the slots beside each lane are taken, per side.
#[derive(Default)]
struct Slots {
    busy: HashMap<(usize, bool), [usize; SLOTS]>,
}

impl Slots {
    fn take(&mut self, wire: &Wire) -> usize {
        let (Some(send), Some(receive)) = (wire.send, wire.receive) else { return 0 };
        let (Some(from), Some(to)) = (wire.from, wire.to) else { return 0 };
        let busy = self.busy.entry((to, from < to)).or_default();
        let slot = busy.iter().position(|until| *until <= send).unwrap_or(SLOTS - 1);
        busy[slot] = receive;
        slot
    }
}
