//! Text with roles. A screen is built from [`Row`]s of styled spans and written
//! once, at the end: with and without colour the bytes are equal apart from the
//! SGR codes, and no renderer ever measures a string that has codes in it.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What a piece of text is, never which colour it has: the user's theme decides
/// the shade, and every role has a second sign besides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Role {
    /// Ordinary text.
    #[default]
    Plain,
    /// VIOLATED, ERROR, crosses, unread messages.
    Bad,
    /// HOLDS, ticks.
    Good,
    /// INCOMPLETE, question marks, warnings.
    Care,
    /// Headings and lane names.
    Name,
    /// Labels, lifelines, step and line numbers.
    Faint,
    /// Arrows.
    Message,
    /// Timeouts and the bracket of a loop.
    Time,
}

impl Role {
    /// Eight-colour SGR parameters; none for plain text.
    pub(crate) fn sgr(self) -> Option<&'static str> {
        match self {
            Role::Plain => None,
            Role::Bad => Some("1;31"),
            Role::Good => Some("1;32"),
            Role::Care => Some("1;33"),
            Role::Name => Some("1"),
            Role::Faint => Some("2"),
            Role::Message => Some("36"),
            Role::Time => Some("35"),
        }
    }
}

/// What the terminal can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Palette {
    /// Whether to write SGR codes.
    pub color: bool,
    /// Whether to draw with ASCII only.
    pub ascii: bool,
    /// Columns to stay within.
    pub width: usize,
}

impl Default for Palette {
    fn default() -> Self {
        Self { color: false, ascii: false, width: 100 }
    }
}

impl Palette {
    /// The signs to draw with.
    pub(crate) fn signs(&self) -> &'static Signs {
        if self.ascii { &ASCII } else { &UNICODE }
    }

    /// The width, but never so small that nothing could be shown.
    pub(crate) fn room(&self) -> usize {
        self.width.max(40)
    }
}

/// Declares a struct and two values of it, field by field beside each other.
macro_rules! side_by_side {
    ($(#[$doc:meta])* $kind:ident: $first:ident, $second:ident {
        $($name:ident: $type:ty = $one:expr, $other:expr;)*
    }) => {
        $(#[$doc])*
        pub(crate) struct $kind {
            $(pub(crate) $name: $type,)*
        }

        static $first: $kind = $kind { $($name: $one,)* };
        static $second: $kind = $kind { $($name: $other,)* };
    };
}
pub(crate) use side_by_side;

side_by_side! {
    /// Every sign a screen draws, in one of two alphabets of equal widths.
    Signs: UNICODE, ASCII {
        good: &'static str = "✓", "ok";
        bad: &'static str = "✗", "X";
        unknown: &'static str = "?", "?";
        line: char = '─', '-';
        life: char = '│', '|';
        dot: char = '●', '*';
        right: char = '▶', '>';
        left: char = '◀', '<';
        late_right: char = '▷', ')';
        late_left: char = '◁', '(';
        tau: char = '◆', 'T';
        internal: char = '·', 'o';
        receive: char = '◉', '?';
        loop_top: &'static str = "╭─▶", "+->";
        loop_side: &'static str = "│  ", "|  ";
        loop_end: &'static str = "╰──", "+--";
        cut: char = '…', '~';
        gap: &'static str = "…", "...";
        becomes: &'static str = "→", "->";
    }
}

/// Columns a text takes on a terminal.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Stands for a character that would move the cursor or reorder the line.
const UNSAFE: char = '\u{FFFD}';

/// A character that is safe to print. Control characters could move the cursor,
/// bidirectional controls could make a line read as another one.
pub(crate) fn safe_char(c: char) -> char {
    match c {
        '\t' => ' ',
        '\u{200E}' | '\u{200F}' | '\u{061C}' => UNSAFE,
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => UNSAFE,
        '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => UNSAFE,
        c if c.is_control() => UNSAFE,
        c => c,
    }
}

/// A text of which every character is safe to print on one line.
pub(crate) fn safe(text: &str) -> String {
    text.chars().map(safe_char).collect()
}

/// A text of several lines that is safe to print: of what it has from a model, nothing moves the
/// cursor or gives the terminal an order.
pub fn plain(text: &str) -> String {
    let kept = |c| matches!(c, '\n' | '\t');
    text.chars().map(|c| if kept(c) { c } else { safe_char(c) }).collect()
}

/// The longest beginning of `text` within `columns`, marked with `mark` if
/// anything had to go.
pub(crate) fn cut(text: &str, columns: usize, mark: char) -> String {
    let text = safe(text);
    if width(&text) <= columns {
        return text;
    }
    let mut used = mark.width().unwrap_or(1);
    let mut out = String::new();
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > columns {
            break;
        }
        out.push(c);
    }
    if columns > 0 {
        out.push(mark);
    }
    out
}

/// The longest end of `text` within `columns`, marked likewise: of a file and a line, the line.
pub(crate) fn cut_front(text: &str, columns: usize, mark: char) -> String {
    let text = safe(text);
    if width(&text) <= columns {
        return text;
    }
    let mut room = columns.saturating_sub(mark.width().unwrap_or(1));
    let fits = |c: &char| {
        let left = room.checked_sub(c.width().unwrap_or(0));
        room = left.unwrap_or(0);
        left.is_some()
    };
    let end: String = text.chars().rev().take_while(fits).collect();
    (columns > 0).then_some(mark).into_iter().chain(end.chars().rev()).collect()
}

/// Breaks a text into lines of at most `columns`, at spaces where there are any.
/// Line breaks in the text stay.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| wrap_line(&safe(line), columns.max(8))).collect()
}

fn wrap_line(text: &str, columns: usize) -> Vec<String> {
    // Spaces in front are indentation the author of the text wanted.
    let indent = text.len() - text.trim_start_matches(' ').len();
    let mut lines = vec![" ".repeat(indent.min(columns / 2))];
    let mut fresh = true;
    for word in text[indent..].split(' ') {
        for piece in pieces(word, columns) {
            let line = lines.last_mut().expect("there is always a line");
            if fresh || width(line) + 1 + width(&piece) <= columns {
                if !fresh {
                    line.push(' ');
                }
                line.push_str(&piece);
            } else {
                lines.push(piece);
            }
            fresh = false;
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// A word in pieces that fit a line: almost always one.
fn pieces(word: &str, columns: usize) -> Vec<String> {
    if width(word) <= columns {
        return vec![word.to_owned()];
    }
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for c in word.chars() {
        let wide = c.width().unwrap_or(0);
        if used + wide > columns {
            pieces.push(String::new());
            used = 0;
        }
        used += wide;
        pieces.last_mut().expect("there is always a piece").push(c);
    }
    pieces
}

/// One line of styled text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Row {
    spans: Vec<(Role, String)>,
    width: usize,
}

impl Row {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds text. It is made safe to print here, so nothing unsafe gets further.
    pub(crate) fn put(mut self, role: Role, text: &str) -> Self {
        self.push(role, text);
        self
    }

    pub(crate) fn plain(self, text: &str) -> Self {
        self.put(Role::Plain, text)
    }

    pub(crate) fn push(&mut self, role: Role, text: &str) {
        let text = safe(text);
        self.width += width(&text);
        match self.spans.last_mut() {
            Some((last, before)) if *last == role => before.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.spans.push((role, text)),
        }
    }

    /// Adds spaces up to a column; at least `gap` of them.
    pub(crate) fn to(mut self, column: usize, gap: usize) -> Self {
        let missing = column.saturating_sub(self.width).max(gap);
        self.push(Role::Plain, &" ".repeat(missing));
        self
    }

    pub(crate) fn join(mut self, other: Row) -> Self {
        for (role, text) in &other.spans {
            self.push(*role, text);
        }
        self
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Drops spaces at the end: behind a colour they could not be cut any more.
    fn trim(&mut self) {
        while let Some((_, text)) = self.spans.last_mut() {
            text.truncate(text.trim_end_matches(' ').len());
            if !text.is_empty() {
                break;
            }
            self.spans.pop();
        }
    }

    /// Cut to the terminal. Layouts fit by themselves; this is for names longer
    /// than any layout reckons with.
    fn shortened(&self, palette: &Palette) -> Self {
        let mut out = Self::new();
        for (role, text) in &self.spans {
            let room = palette.room() - out.width;
            let part = cut(text, room, palette.signs().cut);
            out.push(*role, &part);
            if part != *text {
                break;
            }
        }
        out
    }

    fn write(&self, out: &mut String, palette: &Palette) {
        for (role, text) in &self.spans {
            let code = role.sgr().filter(|_| palette.color);
            if let Some(code) = code {
                out.push_str("\x1b[");
                out.push_str(code);
                out.push('m');
            }
            if palette.ascii {
                out.extend(text.chars().map(|c| if c == UNSAFE { '?' } else { c }));
            } else {
                out.push_str(text);
            }
            if code.is_some() {
                out.push_str("\x1b[0m");
            }
        }
        out.push('\n');
    }
}

/// Lines from top to bottom.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Screen {
    rows: Vec<Row>,
    /// Whether the middle of a long run was left out.
    pub(crate) shortened: bool,
}

impl Screen {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn row(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// An empty line, unless one stands there already or nothing does.
    pub(crate) fn gap(&mut self) {
        if self.rows.last().is_some_and(|row| row.width > 0) {
            self.rows.push(Row::new());
        }
    }

    pub(crate) fn extend(&mut self, other: Screen) {
        self.rows.extend(other.rows);
        self.shortened |= other.shortened;
    }

    /// All lines moved to the right.
    pub(crate) fn indented(self, columns: usize) -> Self {
        let rows = self.rows.into_iter();
        let moved = rows.map(|row| Row::new().to(columns, 0).join(row));
        Self { rows: moved.collect(), shortened: self.shortened }
    }

    /// The text; ends with a line break unless it is empty.
    pub(crate) fn render(mut self, palette: &Palette) -> String {
        while self.rows.last().is_some_and(|row| row.width == 0) {
            self.rows.pop();
        }
        let mut out = String::new();
        for row in &mut self.rows {
            row.trim();
            if row.width > palette.room() {
                *row = row.shortened(palette);
            }
            row.write(&mut out, palette);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_keeps_within_the_columns_and_loses_nothing() {
        let text = "every state within 61 steps of the start was visited; beyond that, some";
        let lines = wrap(text, 20);
        assert!(lines.iter().all(|line| width(line) <= 20), "{lines:?}");
        assert_eq!(lines.join(" "), text);
        assert_eq!(wrap(&"x".repeat(25), 10).concat(), "x".repeat(25));
        assert_eq!(wrap("a\n  b", 10), ["a", "  b"]);
        assert_eq!(wrap("", 10), [""]);
    }

    #[test]
    fn cutting_counts_columns_not_characters() {
        assert_eq!(cut("状態機械", 5, '…'), "状態…");
        assert_eq!(cut("abc", 3, '…'), "abc");
        assert_eq!(cut("abcd", 3, '~'), "ab~");
        assert_eq!(cut("abcd", 0, '~'), "");
        assert_eq!(cut_front("状態機械", 5, '…'), "…機械");
        assert_eq!(cut_front("abc", 3, '…'), "abc");
        assert_eq!(cut_front("datalink.h:17", 8, '~'), "~nk.h:17");
        assert_eq!(cut_front("abcd", 0, '~'), "");
    }

    #[test]
    fn nothing_that_moves_the_cursor_gets_through() {
        let row = Row::new().plain("a\x1b[2Jb\u{202E}c\nd\0");
        let mut screen = Screen::new();
        screen.row(row);
        let text = screen.render(&Palette::default());
        assert_eq!(text, "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}d\u{FFFD}\n");
    }
}
