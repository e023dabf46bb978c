//! Running a program that may take too long or too much, and what it took.

use std::io;
use std::path::Path;
use std::process::{Command, Output};

/// How much a program may take.
#[derive(Clone, Copy)]
pub struct Limits {
    /// How long it may run.
    pub seconds: u64,
    /// By which clock.
    pub clock: Clock,
    /// Its address space.
    pub memory_kb: u64,
}

/// Which seconds are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Those that pass.
    Wall,
    /// Those the program computes, so that a busy machine gives the same answers.
    Processor,
}

impl Limits {
    /// The seconds that may pass at most.
    pub fn wall(self) -> u64 {
        match self.clock {
            Clock::Wall => self.seconds,
            Clock::Processor => self.seconds * 20,
        }
    }

    /// For `ulimit -t`: the program is told when its seconds are over, and killed if it
    /// goes on for as long again.
    fn processor(self) -> [String; 2] {
        match self.clock {
            Clock::Wall => ["unlimited".to_owned(), "unlimited".to_owned()],
            Clock::Processor => [self.seconds.to_string(), (2 * self.seconds + 10).to_string()],
        }
    }
}

/// What `timeout` ends with when it had to act, and a program whose seconds are over.
const TIME_IS_UP: [i32; 3] = [124, 137, 152];

/// What a program took, in seconds.
#[derive(Clone, Copy, Default)]
pub struct Spent {
    /// That passed.
    pub wall: f64,
    /// In the program itself and in the kernel for it.
    pub cpu: f64,
}

/// A program that has ended.
#[derive(Default)]
pub struct Ran {
    /// What it wrote to standard output.
    pub text: String,
    /// What it wrote to standard error.
    pub complaints: String,
    /// What it ended with; none if a signal ended it.
    pub code: Option<i32>,
    /// A limit of time ended it.
    pub time_is_up: bool,
    /// What it took.
    pub spent: Spent,
}

/// bash measures by `getrusage`, to the millisecond, and writes it as the last line
/// of the complaints. Reading it in here would need unsafe code.
const SCRIPT: &str = "ulimit -v $0; ulimit -c 0; ulimit -St $1; ulimit -Ht $2; shift 2; \
    TIMEFORMAT='%3R %3U %3S'; LC_ALL=C; time timeout -k 5 \"$@\"";

/// Runs `command` in `folder` within `limits`.
pub fn run(folder: &Path, command: &[&str], limits: Limits) -> io::Result<Ran> {
    let (seconds, memory_kb) = (limits.wall().to_string(), limits.memory_kb.to_string());
    let [told, killed] = limits.processor();
    let mut shell = Command::new("bash");
    shell.args(["-c", SCRIPT, &memory_kb, &told, &killed, &seconds]);
    shell.args(command).current_dir(folder);
    let Output { status, stdout, stderr } = shell.output()?;
    let (complaints, spent) = split(&String::from_utf8_lossy(&stderr));
    Ok(Ran {
        text: String::from_utf8_lossy(&stdout).into_owned(),
        complaints,
        code: status.code(),
        time_is_up: status.code().is_some_and(|code| TIME_IS_UP.contains(&code)),
        spent,
    })
}

/// What the program wrote, and the line of bash behind it.
fn split(written: &str) -> (String, Spent) {
    let trimmed = written.trim_end_matches('\n');
    let start = trimmed.rfind('\n').map_or(0, |end| end + 1);
    let figures: Vec<f64> =
        trimmed[start..].split(' ').filter_map(|figure| figure.parse().ok()).collect();
    match figures[..] {
        [wall, user, system] => (trimmed[..start].to_owned(), Spent { wall, cpu: user + system }),
        _ => (written.to_owned(), Spent::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, Limits, run, split};
    use std::path::Path;

    #[test]
    fn the_last_line_is_the_time() {
        let (complaints, spent) = split("first\nsecond\n1.500 0.250 0.125\n");
        assert_eq!(complaints, "first\nsecond\n");
        assert_eq!((spent.wall, spent.cpu), (1.5, 0.375));
        assert_eq!(split("Killed\n").0, "Killed\n");
    }

    #[test]
    fn a_program_is_run_measured_and_stopped() {
        let limits = Limits { seconds: 1, clock: Clock::Wall, memory_kb: 1024 * 1024 };
        let busy =
            "echo out; echo err >&2; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 3";
        let ran = run(Path::new("/"), &["sh", "-c", busy], limits).expect("bash runs");
        assert_eq!((ran.text.as_str(), ran.complaints.as_str()), ("out\n", "err\n"));
        assert_eq!((ran.code, ran.time_is_up), (Some(3), false));
        assert!(ran.spent.cpu > 0.0 && ran.spent.wall > 0.0);
        let late = |command: &[&str], limits| {
            run(Path::new("/"), command, limits).expect("bash runs").time_is_up
        };
        assert!(late(&["sleep", "5"], limits));
        let busy = Limits { clock: Clock::Processor, ..limits };
        assert!(!late(&["sleep", "2"], busy));
        assert!(late(&["sh", "-c", "while :; do :; done"], busy));
    }
}
