//! Cells in a ring that hand tokens on: ten words, two of which change in a step.

use system::{Blocked, Budget, Step, StepKind, Successors, System, Word};

/// So many cells, each with room for `most` tokens; half of all room is taken.
pub(crate) struct Tokens {
    pub(crate) cells: usize,
    pub(crate) most: Word,
}

impl System for Tokens {
    fn width(&self) -> usize {
        self.cells
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
        words[..self.cells / 2].fill(self.most);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for cell in 0..self.cells {
            let next = if cell + 1 == self.cells { 0 } else { cell + 1 };
            if state[cell] > 0 && state[next] < self.most {
                let words = out.push(Step::new(cell as u32, 0, StepKind::Send), state);
                words[cell] -= 1;
                words[next] += 1;
            }
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::Deadlock
    }
}
