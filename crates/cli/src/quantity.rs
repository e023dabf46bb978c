//! Numbers, sizes, times and ranges as people write them.

use std::num::NonZeroU32;

/// `8G`, `500M`, `64k`, `1000`: bytes.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let factor: u64 = match unit.to_ascii_lowercase().trim_end_matches('b').trim_end_matches('i') {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        "t" => 1 << 40,
        _ => return Err(format!("`{unit}` is not a unit; write k, M, G or T")),
    };
    let bytes = number.parse::<f64>().map_err(|_| not_a_number(text))? * factor as f64;
    if bytes >= 1.0 { Ok(bytes as u64) } else { Err("the size must be at least a byte".to_owned()) }
}

/// `30s`, `10m`, `2h`, `250ms`, `90`: seconds.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let (number, unit) = split(text);
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return Err(format!("`{unit}` is not a unit; write ms, s, m, h or d")),
    };
    number.parse::<f64>().map(|number| number * factor).map_err(|_| not_a_number(text))
}

/// `10..40`: first and one past the last.
pub(crate) fn rows(text: &str) -> Result<(usize, usize), String> {
    let wrong = || format!("`{text}` is not a range; write it as 10..40");
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let (from, to): (usize, usize) =
        (from.parse().map_err(|_| wrong())?, to.parse().map_err(|_| wrong())?);
    if from < to { Ok((from, to)) } else { Err(wrong()) }
}

/// A whole number.
pub(crate) fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "write a whole number, such as 1000".to_owned())
}

/// A whole number that counts or numbers something in memory.
pub(crate) fn place(text: &str) -> Result<usize, String> {
    Ok(usize::try_from(whole(text)?).unwrap_or(usize::MAX))
}

/// A whole number from 1 on.
pub(crate) fn positive(text: &str) -> Result<u32, String> {
    within::<1, { u32::MAX as u64 }>(text)
}

/// The same as the type that says so.
pub(crate) fn nonzero(text: &str) -> Result<NonZeroU32, String> {
    Ok(NonZeroU32::new(positive(text)?).expect("it is from 1 on"))
}

/// A number of threads; none is as many as it takes.
pub(crate) fn threads(text: &str) -> Result<Option<NonZeroU32>, String> {
    match text {
        "auto" => Ok(None),
        _ => nonzero(text).map(Some).map_err(|wrong| format!("{wrong}, or auto")),
    }
}

/// A whole number in a range.
pub(crate) fn within<const LEAST: u64, const MOST: u64>(text: &str) -> Result<u32, String> {
    let wrong = || match MOST == u64::from(u32::MAX) {
        true => format!("write a whole number from {LEAST} on"),
        false => format!("write a whole number from {LEAST} to {MOST}"),
    };
    let number = text.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
    number.and_then(|number| u32::try_from(number).ok()).ok_or_else(wrong)
}

fn split(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text.split_at(end)
}

fn not_a_number(text: &str) -> String {
    format!("`{text}` does not begin with a number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_as_people_write_them() {
        assert_eq!(bytes("8G"), Ok(8 << 30));
        assert_eq!(bytes("1.5MiB"), Ok(3 << 19));
        assert!(bytes("G").is_err() && bytes("3x").is_err() && bytes("0").is_err());
        assert_eq!(seconds("10m"), Ok(600.0));
        assert_eq!(seconds("250ms"), Ok(0.25));
        assert!(seconds("1y").is_err());
        assert_eq!(rows("10..40"), Ok((10, 40)));
        assert!(rows("4..4").is_err());
        assert_eq!((whole("7"), within::<1, 4096>("4096")), (Ok(7), Ok(4096)));
        assert_eq!(nonzero("0"), Err("write a whole number from 1 on".to_owned()));
        assert_eq!(whole("x"), Err("write a whole number, such as 1000".to_owned()));
        let range = Err("write a whole number from 1 to 4096".to_owned());
        assert_eq!(within::<1, 4096>("0"), range);
    }
}
