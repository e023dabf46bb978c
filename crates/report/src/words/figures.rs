//! Figures as people write them.

use crate::Stats;

/// `1,234,567`.
pub fn thousands(number: u64) -> String {
    grouped(&number.to_string())
}

/// `-12345` is `-12,345`.
pub(crate) fn grouped(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    let mut out = String::from(sign);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 state`, `86 states`; also `2 branches`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let ending = match noun {
        _ if number == 1 => "",
        _ if noun.ends_with("ch") || noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{} {noun}{ending}", thousands(number))
}

/// `6 MB`, `8.0 GB`: decimal, one digit where it says something.
pub(crate) fn bytes(number: u64) -> String {
    const UNITS: [(&str, f64); 3] = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let value = number as f64;
    match UNITS.iter().find(|(_, size)| value >= *size) {
        Some(("GB", size)) => format!("{:.1} GB", value / size),
        Some((unit, size)) => format!("{:.0} {unit}", value / size),
        None => count(number, "byte"),
    }
}

/// `2 ms`, `1.4 s`, `6 min 12 s`, `2 h 5 min`.
pub(crate) fn seconds(number: f64) -> String {
    // A clock can be off, and a report can come from a file.
    let number = if number.is_finite() { number.max(0.0) } else { 0.0 };
    if number < 0.9995 {
        return format!("{:.0} ms", (number * 1000.0).ceil());
    }
    if number < 60.0 {
        return format!("{number:.1} s").replace(".0 s", " s");
    }
    let whole = number as u64;
    match whole / 3600 {
        0 => format!("{} min {} s", whole / 60, whole % 60),
        hours => format!("{hours} h {} min", whole / 60 % 60),
    }
}

/// Time, memory and threads: never the same twice, so they stay out of the data.
pub(crate) fn took(stats: &Stats) -> String {
    let mut parts = vec![seconds(stats.seconds.total)];
    parts.extend(stats.seconds.first_error.map(|it| format!("first error after {}", seconds(it))));
    if stats.peak_rss_bytes > 0 {
        parts.push(bytes(stats.peak_rss_bytes));
    }
    parts.push(count(u64::from(stats.threads.max(1)), "thread"));
    parts.join(", ")
}

/// `line 8`, `lines 8, 14`, `lines 23-26, 31`: runs of three or more are joined.
pub(crate) fn line_ranges(lines: impl IntoIterator<Item = u32>) -> String {
    let mut lines: Vec<u32> = lines.into_iter().collect();
    lines.sort_unstable();
    lines.dedup();
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let runs = lines.chunk_by(|a, b| a + 1 == *b);
    let texts: Vec<String> = runs.map(run_text).collect();
    format!("{word} {}", texts.join(", "))
}

fn run_text(run: &[u32]) -> String {
    match run {
        [first, .., last] if run.len() > 2 => format!("{first}-{last}"),
        _ => run.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed<T: AsRef<str>>(items: &[T], last: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., end] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} {last} {}", first.join(", "), end.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_as_people_write_them() {
        assert_eq!(thousands(0), "0");
        assert_eq!([999, 1_000, 251_409].map(thousands), ["999", "1,000", "251,409"]);
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(count(1, "state"), "1 state");
        assert_eq!(count(2, "branch"), "2 branches");
        assert_eq!(bytes(6_100_000), "6 MB");
        assert_eq!(bytes(8_000_000_000), "8.0 GB");
        assert_eq!(bytes(12), "12 bytes");
        assert_eq!(seconds(0.0017), "2 ms");
        assert_eq!(seconds(1.44), "1.4 s");
        assert_eq!(seconds(600.0), "10 min 0 s");
        assert_eq!(seconds(372.0), "6 min 12 s");
        assert_eq!(seconds(7500.0), "2 h 5 min");
        assert_eq!(seconds(f64::NAN), "0 ms");
    }

    #[test]
    fn what_it_took_until_the_first_error() {
        let mut stats = Stats { threads: 2, ..Stats::default() };
        stats.seconds.total = 1.44;
        assert_eq!(took(&stats), "1.4 s, 2 threads");
        stats.seconds.first_error = Some(0.0017);
        assert_eq!(took(&stats), "1.4 s, first error after 2 ms, 2 threads");
    }

    #[test]
    fn lines_join_into_runs_of_three() {
        assert_eq!(line_ranges([8]), "line 8");
        assert_eq!(line_ranges([14, 8, 8]), "lines 8, 14");
        assert_eq!(line_ranges([23, 24, 25, 26, 31, 32]), "lines 23-26, 31, 32");
        assert_eq!(listed(&["a", "b", "c"], "and"), "a, b and c");
    }
}
