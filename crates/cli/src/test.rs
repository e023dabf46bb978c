//! `argos test`: models say in their heads what must come out, and are run like a test suite.

mod expect;
mod find;
mod outcome;

pub(crate) use expect::Wanted;

use crate::args::{CheckArguments, ProgressForm, TestArguments};
use crate::check::checked_in_time;
use crate::config;
use crate::host::Machine;
use crate::output::{command_line_of, internal_error, look, print, refuse, save};
use crate::progress::Meter;
use find::Test;
use outcome::Ran;
use pipeline::Options;
use report::Look;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How often progress is shown, if nothing ends.
const TICK: Duration = Duration::from_millis(250);

pub(crate) fn run(arguments: &TestArguments) -> u8 {
    let look = Look { quiet: arguments.quiet, ..look(&arguments.look, None) };
    let mut found = match find::find(arguments, &look) {
        Ok(found) => found,
        Err(code) => return code,
    };
    if let Some(text) = &arguments.filter {
        found.tests.retain(|test| name(test).contains(text));
        found.silent.clear();
    }
    if found.tests.is_empty() {
        return refuse("no model says what to expect: write // expect: holds at its head");
    }
    let start = Instant::now();
    let ran = all(&found.tests, arguments);
    let seconds = start.elapsed().as_secs_f64();
    let results =
        outcome::Results { tests: &found.tests, ran: &ran, silent: &found.silent, seconds };
    let table = results.table(&look);
    match arguments.github {
        true => print(&crate::results::quoted(&table)),
        false => print(&table),
    }
    if let Some(file) = &arguments.junit
        && let Err(code) = save(&results.junit(), file)
    {
        return code;
    }
    if arguments.github {
        results.github();
    }
    results.exit_code()
}

/// The model with the options that tell the test from others.
fn name(test: &Test) -> String {
    match test.label.is_empty() {
        true => test.file.clone(),
        false => format!("{} {}", test.file, test.label),
    }
}

/// Runs all tests, several at a time.
fn all(tests: &[Test], arguments: &TestArguments) -> Vec<Ran> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.unwrap_or(processors).clamp(1, tests.len());
    let machine = Machine::new(ProgressForm::Never, arguments.memory);
    let mut meter = Meter::new(arguments.progress, arguments.look.ascii);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut ran: Vec<Option<Ran>> = tests.iter().map(|_| None).collect();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next, machine) = (sender.clone(), &next, &machine);
            scope.spawn(move || {
                while let Some((number, test)) = take(tests, next) {
                    // The clock of each test is its own.
                    let ran = one(test, arguments, &machine.shared(jobs));
                    // Nobody waits for results only if the other end panicked.
                    let _ = sender.send((number, ran));
                }
            });
        }
        drop(sender);
        let mut failed = 0;
        loop {
            let done = ran.iter().flatten().count();
            meter.tests(done, tests.len(), failed);
            match receiver.recv_timeout(TICK) {
                Ok((number, one)) => {
                    failed += usize::from(!one.is_good());
                    ran[number] = Some(one);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
        meter.finish(machine.is_interrupted());
    });
    ran.into_iter().map(|one| one.expect("every test was run")).collect()
}

fn take<'a>(tests: &'a [Test], next: &AtomicUsize) -> Option<(usize, &'a Test)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    tests.get(number).map(|test| (number, test))
}

/// Runs one test.
fn one(test: &Test, arguments: &TestArguments, machine: &Machine) -> Ran {
    let start = Instant::now();
    let mut ran = checked(test, arguments, machine);
    ran.seconds = start.elapsed().as_secs_f64();
    ran
}

fn checked(test: &Test, arguments: &TestArguments, machine: &Machine) -> Ran {
    let wanted = match &test.wanted {
        Ok(wanted) => wanted,
        Err(why) => return Ran::unreadable(why.clone()),
    };
    let asked = match config::asked(&test.file, &test.words) {
        Ok(asked) => asked,
        Err(why) => return Ran::unreadable(why),
    };
    let bytes = match crate::host::read(&test.file) {
        Ok(bytes) => bytes,
        Err(error) => return Ran::unreadable(format!("cannot read {}: {error}", test.file)),
    };
    let options = limited(&asked, arguments);
    let words = ["check", &test.file].map(str::to_owned).into_iter();
    let line = command_line_of(words.chain(test.words.iter().cloned()));
    let asked = (&options, asked.model.lang);
    match checked_in_time((&test.file, bytes), asked, &line, machine) {
        Err(refusal) => Ran::unreadable(refusal.to_string()),
        Ok(checked) => {
            let exit = checked.exit_code();
            let mut differences = wanted.differences(&checked.report, exit);
            if let Some(fault) = &checked.internal_error {
                differences.push(internal_error(&test.file, fault));
            }
            Ran::of(checked.report, differences, exit, line)
        }
    }
}

/// The options of a test under the limits of all. One thread is enough where several tests run.
fn limited(asked: &CheckArguments, arguments: &TestArguments) -> Options {
    let options = asked.options();
    let time = options.time.or(arguments.time);
    let threads = options.threads.or(NonZeroU32::new(1));
    Options { time, threads, ..options }
}
