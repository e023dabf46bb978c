//! `-c`: messages in a column per process.

/// Rows of messages under a head of process numbers.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// The head stands above the rows that follow; a new one is needed when processes came.
    pub(super) has_head: bool,
}

impl Columns {
    /// The row of a message that process `pid` puts into or takes from a channel.
    pub(super) fn row(&mut self, alive: usize, queue: usize, pid: usize, message: &str) -> String {
        let mut text = String::new();
        if !self.has_head {
            self.has_head = true;
            let numbers = (0..alive).map(|pid| format!("{pid:4}"));
            text.push_str(&format!("q\\p{}\n", numbers.collect::<String>()));
        }
        text.push_str(&format!("{queue:3}   {}{message}\n", ".   ".repeat(pid)));
        text
    }
}
