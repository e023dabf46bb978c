//! A command that ends when it is to, whatever it is busy with.
//!
//! Searches and runs that are executed again ask the clock themselves, and end with their
//! results. What comes before and between them does not: to parse a text of megabytes, to reduce,
//! minimise or pack a model of a hundred thousand statements may take minutes. So the work has a
//! thread of its own, and whoever waits for it says what is known when it is not done in time. To
//! ask in each of these stages was rejected: there are dozens, of several crates, and one that
//! forgets to ask is noticed only by the model that needs it.

use crate::host::Machine;
use pipeline::Host;
use search::Stop;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Work that asks the clock has so many seconds to end by itself, or this share of a long limit.
const GRACE_SECONDS: f64 = 0.9;
const GRACE_SHARE: f64 = 0.09;

/// So often somebody looks at the clock and for signals.
const TICK: Duration = Duration::from_millis(50);

/// A thread has as much stack as the main one, or more: parsers are recursive, to a depth that
/// they limit.
const STACK_BYTES: usize = 16 << 20;

/// Does `work` within so many seconds of the clock of `machine`.
///
/// # Errors
/// It was not done when the time was over, or some moments after a signal, and goes on without
/// anybody waiting for it until the program ends.
pub(crate) fn within<T: Send + 'static>(
    machine: &Machine,
    seconds: Option<f64>,
    work: impl FnOnce(Machine) -> T + Send + 'static,
) -> Result<T, Stop> {
    // Of several models, none is begun after a signal.
    if machine.is_interrupted() {
        return Err(Stop::Interrupted);
    }
    let (done, result) = channel();
    let own = machine.clone();
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        // Nobody may wait any longer.
        let _ = done.send(work(own));
    });
    let thread = thread.expect("a thread can be started");
    let hurry = machine.hurry(seconds);
    let grace = seconds.map_or(GRACE_SECONDS, |limit| GRACE_SECONDS.max(limit * GRACE_SHARE));
    let mut end = None;
    loop {
        match result.recv_timeout(TICK) {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => unreachable!("work that ends sends its result"),
            },
            Err(RecvTimeoutError::Timeout) => {}
        }
        let Some(stop) = hurry() else { continue };
        let now = machine.seconds();
        // The limit is a moment that is known; a signal counts from when it is noticed.
        let noticed = if stop == Stop::Time { seconds.unwrap_or(now) } else { now };
        if now >= *end.get_or_insert(noticed + grace) {
            return Err(stop);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::ProgressForm;

    #[test]
    fn what_is_done_in_time_has_its_result() {
        let machine = Machine::new(ProgressForm::Never, None);
        assert_eq!(within(&machine, Some(60.0), |machine| machine.seconds() < 60.0), Ok(true));
        assert_eq!(within(&machine, None, |_| 7), Ok(7));
    }

    #[test]
    fn what_is_not_done_is_left_alone() {
        let machine = Machine::new(ProgressForm::Never, None);
        let forever = |_| loop {
            thread::park();
        };
        assert_eq!(within::<()>(&machine, Some(0.1), forever), Err(Stop::Time));
    }
}
