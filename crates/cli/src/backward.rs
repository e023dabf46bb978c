//! `argos backward`: run, print, exit code.

use crate::args::{BackwardArguments, Suspected};
use crate::cpp::read_model;
use crate::host::Machine;
use crate::limit;
use crate::output::{command_line, complain, internal_error, look, print, refuse, source};
use pipeline::{BackwardAsked, Backwarded, Host, Scope, Tricks};
use report::{Look, Verdict};
use std::sync::Arc;

pub(crate) fn run(arguments: &BackwardArguments) -> u8 {
    let done = match executed(arguments) {
        Ok(done) => done,
        Err(code) => return code,
    };
    if let Some(fault) = &done.internal_error {
        complain(&internal_error(&arguments.file, fault));
    }
    if arguments.json {
        print(&format!("{}\n", done.backward.json()));
    } else {
        let look = Look { quiet: arguments.quiet, ..look(&arguments.look, Some(&arguments.trace)) };
        print(&screen(&done, &look, arguments.list));
    }
    done.exit_code()
}

fn executed(arguments: &BackwardArguments) -> Result<Backwarded, u8> {
    let options = arguments.options();
    let bytes = read_model(&arguments.file, &options)?;
    let machine = Machine::new(arguments.progress, options.memory).reading(&arguments.file);
    let (bytes, language) = (Arc::new(bytes), arguments.model.lang);
    let (file, own_bytes, own) = (arguments.file.clone(), Arc::clone(&bytes), options.clone());
    let asked = asked(arguments);
    let done = limit::within(&machine, options.time, move |mut machine| {
        let source = source(&file, &own_bytes, language);
        pipeline::backward(source, &own, &asked, &command_line(), &mut machine)
    });
    machine.finish();
    done.unwrap_or_else(|stop| {
        let (source, ended) =
            (source(&arguments.file, &bytes, language), (stop, machine.seconds()));
        Ok(pipeline::unfinished_backward(source, &options, &command_line(), ended))
    })
    .map_err(|refusal| refuse(&refusal.to_string()))
}

fn asked(arguments: &BackwardArguments) -> BackwardAsked {
    BackwardAsked {
        scope: scope(&arguments.only),
        tricks: Tricks {
            invariants: !arguments.no_invariants,
            share: !arguments.no_sharing,
            subsume: !arguments.no_subsumption,
        },
        states: arguments.states,
        compare: arguments.compare,
        forward_states: arguments.forward_states,
    }
}

/// All kinds, unless some are named.
fn scope(only: &[Suspected]) -> Scope {
    let has = |kind| only.is_empty() || only.contains(&kind);
    Scope {
        deadlocks: has(Suspected::Deadlock),
        receptions: has(Suspected::Reception),
        sends: has(Suspected::Send),
    }
}

fn screen(done: &Backwarded, look: &Look, all: bool) -> String {
    let mut text = report::render_backward(&done.backward, look, all);
    if done.backward.report.verdict == Verdict::Error && !look.quiet {
        text.push('\n');
        text.push_str(&report::diagnostics(&done.diagnostics, &done.sources, look));
    }
    text
}
