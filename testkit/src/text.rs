//! Texts that are almost models.

use crate::Random;

/// Words and signs, each with the blanks behind it; together the text.
pub fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut last = ' ';
    for letter in text.chars() {
        let word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let goes_on = letter.is_whitespace() || (word(letter) && word(last));
        match pieces.last_mut() {
            Some(piece) if goes_on => piece.push(letter),
            _ => pieces.push(letter.to_string()),
        }
        last = letter;
    }
    pieces
}

/// A text that is not empty after a few changes: pieces removed, repeated, swapped,
/// replaced, the end cut off, a byte of any value.
pub fn mutated(random: &mut Random, text: &str) -> Vec<u8> {
    let mut pieces = pieces(text);
    for _ in 0..=random.below(4) {
        let (place, other) = (random.below(pieces.len()), random.below(pieces.len()));
        match random.below(5) {
            0 if pieces.len() > 1 => drop(pieces.remove(place)),
            1 => pieces.insert(other, pieces[place].clone()),
            2 => pieces.swap(place, other),
            3 if random.one_in(4) => pieces.truncate(place + 1),
            _ => pieces[place] = pieces[other].clone(),
        }
    }
    let mut bytes = pieces.concat().into_bytes();
    if random.one_in(3) {
        let place = random.below(bytes.len());
        bytes[place] = random.bits() as u8;
    }
    bytes
}

/// Fewer than `length` bytes, printable or any.
pub fn bytes(random: &mut Random, length: usize, printable: bool) -> Vec<u8> {
    let length = random.below(length);
    let byte = |_| match random.bits() as u8 {
        byte if printable => b' ' + byte % 95,
        byte => byte,
    };
    (0..length).map(byte).collect()
}
