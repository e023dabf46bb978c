//! One row of character cells that can be drawn over before it becomes text.

use crate::style::{Role, Row, safe_char};
use unicode_width::UnicodeWidthChar;

/// The second cell of a wide character.
const COVERED: char = '\0';

#[derive(Clone)]
pub(crate) struct Canvas {
    cells: Vec<(char, Role)>,
}

impl Canvas {
    pub(crate) fn new(width: usize) -> Self {
        Self { cells: vec![(' ', Role::Plain); width] }
    }

    pub(crate) fn width(&self) -> usize {
        self.cells.len()
    }

    pub(crate) fn set(&mut self, at: usize, sign: char, role: Role) {
        if let Some(cell) = self.cells.get_mut(at) {
            *cell = (sign, role);
        }
    }

    /// Writes text from a cell on; what does not fit is dropped, and so are
    /// characters without a width, which would slip into a neighbour's cell.
    pub(crate) fn put(&mut self, text: &str, at: usize, role: Role) {
        let mut at = at;
        for c in text.chars().map(safe_char) {
            let wide = c.width().unwrap_or(0);
            if wide == 0 || at + wide > self.cells.len() {
                continue;
            }
            self.cells[at] = (c, role);
            for covered in &mut self.cells[at + 1..at + wide] {
                *covered = (COVERED, role);
            }
            at += wide;
        }
    }

    pub(crate) fn row(&self) -> Row {
        let mut row = Row::new();
        let mut buffer = [0; 4];
        for (c, role) in self.cells.iter().filter(|(c, _)| *c != COVERED) {
            row.push(*role, c.encode_utf8(&mut buffer));
        }
        row
    }
}
