//! Tokens written out again with blanks where people put them.

use preprocess::Token;

/// The text of `tokens` on one line, separators at its end left out.
pub(super) fn fold(tokens: &[Token]) -> String {
    let separator = |token: &&Token| !token.is_punct(";") && !token.is_punct("->");
    let length = tokens.iter().rposition(|token| separator(&token)).map_or(0, |last| last + 1);
    let mut text = String::new();
    let mut before: Option<&Token> = None;
    for token in &tokens[..length] {
        if before.is_some_and(|before| apart(before, token)) {
            text.push(' ');
        }
        text.push_str(&token.text);
        before = Some(token);
    }
    text
}

/// Whether a blank belongs between two neighbours.
fn apart(left: &Token, right: &Token) -> bool {
    let tight_after = ["(", "!", "?", "["].iter().any(|text| left.is_punct(text));
    let tight_before = [")", "!", "?", "(", ";", ",", "++", "--", "[", "]", ":"]
        .iter()
        .any(|text| right.is_punct(text));
    // `x == (y + 1)` but `m(1)`.
    let operand = right.is_punct("(") && left.kind == preprocess::TokenKind::Punct;
    !tight_after && (!tight_before || operand)
}
