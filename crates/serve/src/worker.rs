//! A process for each request. It is the same program with the same options, told which operation to
//! answer; it reads the request from its standard input and writes the answer to its standard
//! output. Whatever it is doing when its time or memory is over, or when nobody waits for the answer
//! any longer, it can be ended, and then holds nothing.

use crate::Operation;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// So often somebody looks whether a process is to be ended.
const TICK: Duration = Duration::from_millis(10);
/// So many processes work at a time; further requests wait.
const WORKING_MAX: usize = 3;
/// Work that asks the clock ends by itself, with what it knows; what does not is ended after so
/// many seconds more, or this share of a long limit.
const GRACE_SECONDS: f64 = 1.5;
const GRACE_SHARE: f64 = 0.15;
/// The limit of the memory is kept by searches; a process that grows beyond this multiple of it
/// is ended.
const GRACE_MEMORY: f64 = 1.25;
/// What a process may hold in any case.
const MEMORY_LEAST: u64 = 64 << 20;

/// What each request may cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Seconds.
    pub seconds: f64,
    /// Bytes of memory.
    pub bytes: u64,
}

/// Starts the processes that answer.
pub struct Worker {
    /// The program.
    pub program: PathBuf,
    /// Its arguments before and behind the word of the operation.
    pub arguments: [Vec<OsString>; 2],
    /// What a request may cost.
    pub limits: Limits,
    /// How many processes work now.
    pub working: Mutex<usize>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// Nobody waits for one.
    HungUp,
    /// For a reason that is to be told.
    Because(String),
}

/// What is asked while a process works: whether nobody waits for its answer any longer.
pub(crate) type Abandoned<'a> = &'a dyn Fn() -> bool;

impl Worker {
    /// The answer to a request.
    pub(crate) fn answer(
        &self,
        operation: Operation,
        request: &[&[u8]],
        abandoned: Abandoned<'_>,
    ) -> Result<Vec<u8>, Ended> {
        let _place = self.place(abandoned)?;
        let because = |what: &str, error: std::io::Error| {
            Ended::Because(format!("{what}: {error}; start argos serve again"))
        };
        let mut child = self
            .command(operation)
            .spawn()
            .map_err(|error| because("no process can be started for this request", error))?;
        let output = reading(&mut child);
        if let Some(mut input) = child.stdin.take() {
            // A process that ends early says by its exit code what is wrong.
            let _ = request.iter().try_for_each(|part| input.write_all(part));
        }
        let waited = self.wait(&mut child, &output, abandoned);
        if waited.is_err() {
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| because("the process was lost", error))?;
        let answer = waited?;
        match status.success() && !answer.is_empty() {
            true => Ok(answer),
            false => Err(Ended::Because(format!(
                "argos failed on this request ({status}). This is a fault of argos, not of your \
                 model; please report it with the model"
            ))),
        }
    }

    fn command(&self, operation: Operation) -> Command {
        let [before, behind] = &self.arguments;
        let mut command = Command::new(&self.program);
        command.args(before).arg(operation.word()).args(behind);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for the server, which ends its processes.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }

    /// Waits for a place among those who work.
    fn place(&self, abandoned: Abandoned<'_>) -> Result<Place<'_>, Ended> {
        loop {
            {
                let mut working = lock(&self.working);
                if *working < WORKING_MAX {
                    *working += 1;
                    return Ok(Place(&self.working));
                }
            }
            if abandoned() {
                return Err(Ended::HungUp);
            }
            thread::sleep(TICK);
        }
    }

    fn wait(
        &self,
        child: &mut Child,
        output: &Receiver<Vec<u8>>,
        abandoned: Abandoned<'_>,
    ) -> Result<Vec<u8>, Ended> {
        let Limits { seconds, bytes } = self.limits;
        let most = seconds + GRACE_SECONDS.max(seconds * GRACE_SHARE);
        let room = (bytes as f64 * GRACE_MEMORY) as u64 + MEMORY_LEAST;
        let start = Instant::now();
        loop {
            match output.recv_timeout(TICK) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if abandoned() {
                return Err(Ended::HungUp);
            }
            if start.elapsed().as_secs_f64() > most {
                let words = format!("stopped after {seconds} s without a result (--time)");
                return Err(Ended::Because(words));
            }
            if resident(child.id()) > room {
                let words =
                    format!("stopped without a result at {} MB of memory (--memory)", bytes >> 20);
                return Err(Ended::Because(words));
            }
        }
    }
}

/// Somebody who works.
struct Place<'a>(&'a Mutex<usize>);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *lock(self.0) -= 1;
    }
}

/// Nothing panics that holds it.
fn lock(count: &Mutex<usize>) -> std::sync::MutexGuard<'_, usize> {
    count.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Reads all that a process writes.
fn reading(child: &mut Child) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    if let Some(mut output) = child.stdout.take() {
        thread::spawn(move || {
            let mut all = Vec::new();
            let _ = output.read_to_end(&mut all);
            // Nobody may wait for it any longer.
            let _ = send.send(all);
        });
    }
    receive
}

/// The memory that a process uses; 0 where that cannot be known.
fn resident(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn shell(script: &str, seconds: f64) -> Worker {
        Worker {
            program: "sh".into(),
            arguments: [vec!["-c".into(), script.into()], Vec::new()],
            limits: Limits { seconds, bytes: 1 << 30 },
            working: Mutex::new(0),
        }
    }

    fn answer(worker: &Worker) -> Result<Vec<u8>, Ended> {
        worker.answer(Operation::Run, &[b"one ", b"two"], &|| false)
    }

    #[test]
    fn what_a_process_reads_it_may_answer() {
        assert_eq!(answer(&shell("cat", 10.0)), Ok(b"one two".to_vec()));
        let failed = answer(&shell("cat; exit 3", 10.0)).expect_err("it fails");
        assert!(matches!(failed, Ended::Because(words) if words.contains("fault of argos")));
        assert!(answer(&shell("kill -SEGV $$", 10.0)).is_err());
    }

    #[test]
    fn no_process_outlives_its_time_or_those_who_wait() {
        let start = Instant::now();
        let late = answer(&shell("exec sleep 60", 0.1)).expect_err("it does not end");
        assert!(matches!(late, Ended::Because(words) if words.contains("0.1 s")));
        let asked = Cell::new(0);
        let left = || asked.replace(asked.get() + 1) > 3;
        let worker = shell("exec sleep 60", 60.0);
        assert_eq!(worker.answer(Operation::Run, &[], &left), Err(Ended::HungUp));
        assert!(start.elapsed() < Duration::from_secs(30));
        assert_eq!(*lock(&worker.working), 0, "places are given back");
    }
}
