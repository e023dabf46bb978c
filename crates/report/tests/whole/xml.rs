//! A small check that a text is well-formed XML: one root, matching tags, quoted
//! attributes, known entities, no forbidden character.

pub(super) fn check(text: &str) -> Result<(), String> {
    if let Some(c) = text.chars().find(|c| !allowed(*c)) {
        return Err(format!("character {:x} is not allowed", u32::from(c)));
    }
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text.trim();
    let mut roots = 0;
    while let Some(at) = rest.find('<') {
        let before = &rest[..at];
        entities(before)?;
        if open.is_empty() && !before.trim().is_empty() {
            return Err(format!("text outside the root: {before}"));
        }
        let end = rest[at..].find('>').ok_or("a tag does not end")? + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> does not match"));
            }
            continue;
        }
        roots += usize::from(open.is_empty());
        let inner = tag.strip_suffix('/').unwrap_or(tag);
        let name = inner.split(' ').next().unwrap_or_default();
        attributes(inner[name.len()..].trim_start())?;
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    match (open.as_slice(), roots, rest) {
        ([], 1, "") => Ok(()),
        _ => Err(format!("open at the end: {open:?}, roots: {roots}, rest: {rest}")),
    }
}

fn allowed(c: char) -> bool {
    let control = c < ' ' && !matches!(c, '\t' | '\n' | '\r');
    !control && !matches!(c, '\u{FFFE}' | '\u{FFFF}')
}

fn attributes(mut text: &str) -> Result<(), String> {
    while !text.is_empty() {
        let (name, value) = text.split_once("=\"").ok_or(format!("attribute {text}"))?;
        if name.is_empty() || name.contains([' ', '<', '"', '\'']) {
            return Err(format!("attribute name {name}"));
        }
        let (value, rest) = value.split_once('"').ok_or(format!("value {value}"))?;
        entities(value)?;
        text = rest.trim_start();
    }
    Ok(())
}

fn entities(text: &str) -> Result<(), String> {
    for part in text.split('&').skip(1) {
        let name = part.split(';').next().unwrap_or_default();
        if !["amp", "lt", "gt", "quot", "#39"].contains(&name) {
            return Err(format!("entity &{name}"));
        }
    }
    Ok(())
}

#[test]
fn it_finds_what_is_not_well_formed() {
    assert!(check("<a><b c=\"d\"/>e &amp; f</a>").is_ok());
    for text in ["<a>", "<a></b>", "<a b=c/>", "<a>&x;</a>", "<a/><a/>", "<a>\0</a>", "x<a/>"] {
        assert!(check(text).is_err(), "{text}");
    }
}
