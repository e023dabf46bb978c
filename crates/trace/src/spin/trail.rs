//! The trail file of SPIN's verifier: a line `depth:pid:statement` per executed
//! edge, with lines of negative depth for everything else.

use std::fmt::Write;

/// A trail.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trail {
    /// The number of the claim it runs with, among the proctypes of the text. Pid 0
    /// is the claim then, and those of the processes are one higher.
    pub claim: Option<u32>,
    /// A line may stand for a whole chain of statements (`spin -a` without `-o3`).
    pub merged: bool,
    /// The executed edges in order.
    pub lines: Vec<TrailLine>,
    /// How many lines stand before the cycle, if there is one.
    pub cycle: Option<usize>,
}

/// One executed edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrailLine {
    /// Its depth, from 1 on.
    pub depth: u64,
    /// Who moves.
    pub pid: usize,
    /// The statement.
    pub statement: u32,
}

impl Trail {
    /// Reads a trail; what is wrong, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut trail = Self::default();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = || format!("line {}: `{line}` is not depth:pid:statement", index + 1);
            let numbers: Option<Vec<i64>> =
                line.trim().split(':').map(|number| number.parse().ok()).collect();
            match numbers.as_deref() {
                Some([-2, claim, _]) => trail.claim = u32::try_from(*claim).ok(),
                Some([-4, ..]) => trail.merged = true,
                Some([-1, ..]) => trail.cycle = Some(trail.lines.len()),
                // How the search was ordered: of no concern to whoever follows it.
                Some([-8..=-5, ..]) => {}
                Some([depth, pid, statement]) => {
                    let depth = u64::try_from(*depth).map_err(|_| wrong())?;
                    let pid = usize::try_from(*pid).map_err(|_| wrong())?;
                    let statement = u32::try_from(*statement).map_err(|_| wrong())?;
                    trail.lines.push(TrailLine { depth, pid, statement });
                }
                _ => return Err(wrong()),
            }
        }
        Ok(trail)
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(claim) = self.claim {
            let _ = writeln!(text, "-2:{claim}:-2");
        }
        if self.merged {
            text.push_str("-4:-4:-4\n");
        }
        for (index, line) in self.lines.iter().enumerate() {
            if self.cycle == Some(index) {
                text.push_str(CYCLE);
            }
            let _ = writeln!(text, "{}:{}:{}", line.depth, line.pid, line.statement);
        }
        if self.cycle == Some(self.lines.len()) {
            text.push_str(CYCLE);
        }
        text
    }

    /// The steps of the processes alone.
    pub(super) fn without_claim(&self) -> Self {
        let is_system = |line: &&TrailLine| line.pid > 0;
        let before = |cycle: usize| self.lines[..cycle].iter().filter(is_system).count();
        let system = self.lines.iter().filter(is_system);
        let lines = system.map(|line| TrailLine { pid: line.pid - 1, ..*line }).collect();
        Self { claim: None, merged: self.merged, cycle: self.cycle.map(before), lines }
    }
}

/// From here on everything repeats.
const CYCLE: &str = "-1:-1:-1\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trail_is_read_as_it_was_written() {
        let text = "-2:2:-2\n-4:-4:-4\n1:0:24\n2:2:0\n-1:-1:-1\n3:0:24\n";
        let trail = Trail::parse(text).expect("well formed");
        assert_eq!((trail.claim, trail.merged, trail.cycle), (Some(2), true, Some(2)));
        assert_eq!(trail.lines[1], TrailLine { depth: 2, pid: 2, statement: 0 });
        assert_eq!(trail.text(), text);
    }

    #[test]
    fn a_cycle_may_be_without_steps() {
        let text = "1:0:3\n-1:-1:-1\n";
        let trail = Trail::parse(text).expect("well formed");
        assert_eq!((trail.cycle, trail.text()), (Some(1), text.to_owned()));
    }

    #[test]
    fn the_claim_can_be_taken_out() {
        let text = "-2:2:-2\n1:0:24\n2:2:0\n-1:-1:-1\n3:0:24\n4:1:7\n";
        let trail = Trail::parse(text).expect("well formed").without_claim();
        assert_eq!(trail.text(), "2:1:0\n-1:-1:-1\n4:0:7\n");
    }

    #[test]
    fn what_is_no_trail_is_refused_by_line() {
        for text in ["1:2\n", "x:1:1\n", "1:-1:4\n", "{\"schema\": 1}\n", "-9:1:1\n"] {
            let wrong = Trail::parse(text).expect_err("malformed");
            assert!(wrong.starts_with("line 1: "), "{wrong}");
        }
    }
}
