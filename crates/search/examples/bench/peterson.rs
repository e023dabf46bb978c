//! Peterson's mutual exclusion for N processes, with the control locations that
//! SPIN gives `petersonN.pml`: for four processes 12.6 million states.

use system::{
    Blocked, Budget, EdgeCoverage, Step, StepKind, StepOutcome, Successors, System, Word,
};

/// So many processes, at most four: a word each, behind one with what they share.
pub(crate) struct Peterson {
    pub(crate) processes: usize,
}

/// The shared word: `turn` and `flag` with two bits per process, then a counter.
fn turn(shared: Word, round: Word) -> Word {
    shared >> (2 * round) & 3
}

fn set_turn(shared: Word, round: Word, process: Word) -> Word {
    shared & !(3 << (2 * round)) | process << (2 * round)
}

fn flag(shared: Word, process: Word) -> Word {
    turn(shared, process + 4)
}

fn set_flag(shared: Word, process: Word, round: Word) -> Word {
    set_turn(shared, process + 4, round)
}

const CRITICAL: Word = 1 << 16;

/// A process: where it is, and its variables `j` and `k`.
fn local(at: Word, j: Word, k: Word) -> Word {
    at | j << 4 | k << 8
}

impl System for Peterson {
    fn width(&self) -> usize {
        self.processes + 1
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for process in 0..self.processes {
            self.moves(process, state, out);
        }
        true
    }

    fn edge_coverage(&self) -> Option<&dyn EdgeCoverage> {
        Some(self)
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::Deadlock
    }
}

impl EdgeCoverage for Peterson {
    fn executed(&self, _: &mut dyn FnMut(u32, u32)) {}
}

impl Peterson {
    #[inline(always)]
    fn moves(&self, process: usize, state: &[Word], out: &mut Successors) {
        let (shared, me, n) = (state[0], process as Word, self.processes as Word);
        let mine = state[process + 1];
        let (at, j, k) = (mine & 15, mine >> 4 & 15, mine >> 8 & 15);
        let mut go = |edge: u32, shared: Word, local: Word| {
            let step = Step::new(process as u32, edge, StepKind::Internal);
            let next = out.push(step, state);
            (next[0], next[process + 1]) = (shared, local);
        };
        match at {
            0 => go(0, shared, local(1, j, 0)),
            1 if k < n - 1 => go(1, shared, local(2, j, k)),
            1 => go(2, shared, local(10, j, k)),
            2 => go(3, set_flag(shared, me, k), local(3, j, k)),
            3 => go(4, set_turn(shared, k, me), local(4, j, k)),
            4 => go(5, shared, local(5, 0, k)),
            5 if j == me => go(6, shared, local(6, j, k)),
            5 => go(7, shared, local(7, j, k)),
            6 => go(8, shared, local(5, j + 1, k)),
            7 if j < n => go(9, shared, local(8, j, k)),
            7 => go(10, shared, local(9, j, k)),
            8 if flag(shared, j) < k || turn(shared, k) != me => go(11, shared, local(14, j, k)),
            8 => {}
            9 => go(12, shared, local(1, j, k + 1)),
            10 => go(13, shared + CRITICAL, local(11, j, k)),
            11 => {
                go(14, shared, local(12, j, k));
                if shared / CRITICAL != 1 {
                    out.set_outcome(StepOutcome::Violation(0));
                }
            }
            12 => go(15, shared - CRITICAL, local(13, j, k)),
            13 => go(16, set_flag(shared, me, 0), local(0, j, k)),
            _ => go(17, shared, local(5, j + 1, k)),
        }
    }
}
