//! From numbers to places and back to words: scales, round steps, tick texts.

use crate::words::grouped;

/// How numbers become places.
#[derive(Clone, PartialEq, Debug)]
pub enum Scale {
    /// Equal differences are equal distances.
    Linear,
    /// Equal ratios are equal distances.
    Log,
    /// Words at 0, 1, 2 ...
    Names(Vec<String>),
}

/// One direction of a plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// What is measured, with its unit.
    pub label: String,
    /// How numbers become places.
    pub scale: Scale,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), scale: Scale::Linear }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Self {
        Self { label: label.to_owned(), scale: Scale::Log }
    }

    /// An axis of words.
    pub fn names(label: &str, names: &[&str]) -> Self {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Self { label: label.to_owned(), scale: Scale::Names(names) }
    }
}

/// A tick: where it is, and what stands beside it; nothing for a small one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) text: String,
}

/// The part of an axis that is drawn.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Range {
    log: bool,
    low: f64,
    high: f64,
    pub(crate) ticks: Vec<Tick>,
}

/// About so many ticks stand on an axis.
const TICKS: f64 = 6.0;

impl Range {
    /// A range that holds all of `values`, from round number to round number. Bars begin
    /// at nothing, and so does an axis that is not logarithmic and comes near it.
    pub(crate) fn new(scale: &Scale, values: &[f64], bars: bool) -> Self {
        let drawn = values.iter().copied().filter(|value| is_drawn(scale, *value));
        let (low, high) = drawn.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = if low.is_finite() { (low, high) } else { (1.0, 10.0) };
        match scale {
            Scale::Names(names) => named(names),
            Scale::Log => logarithmic(low, high, bars),
            Scale::Linear => {
                linear(if bars || low < high / 2.0 { low.min(0.0) } else { low }, high)
            }
        }
    }

    /// Where a value stands, from 0 to 1.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let (low, high, value) = match self.log {
            true => (self.low.log10(), self.high.log10(), value.max(self.low).log10()),
            false => (self.low, self.high, value),
        };
        ((value - low) / (high - low)).clamp(0.0, 1.0)
    }
}

/// Whether a scale has a place for a value: there is no logarithm of nothing.
pub(crate) fn is_drawn(scale: &Scale, value: f64) -> bool {
    value.is_finite() && (*scale != Scale::Log || value > 0.0)
}

fn named(names: &[String]) -> Range {
    let texts = names.iter().enumerate();
    let ticks = texts.map(|(at, text)| Tick { at: at as f64, text: text.clone() }).collect();
    Range { log: false, low: -0.6, high: names.len() as f64 - 0.4, ticks }
}

fn linear(low: f64, high: f64) -> Range {
    let high = if high > low { high } else { low + 1.0 };
    let step = round_step((high - low) / TICKS);
    let (first, last) = ((low / step).floor(), (high / step).ceil());
    let numbers = (0..=(last - first) as u32).map(|number| (first + f64::from(number)) * step);
    let ticks = numbers.map(|at| Tick { at, text: number(at, step) }).collect();
    Range { log: false, low: first * step, high: last * step, ticks }
}

/// 1, 2 or 5 times a power of ten, at least as large as asked.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    let factor = factors.into_iter().find(|factor| factor * power >= least * 0.999);
    factor.unwrap_or(10.0) * power
}

fn logarithmic(low: f64, high: f64, bars: bool) -> Range {
    let slack = 1.0 + 1e-9;
    let first = (low * slack).log10().floor();
    let last = (high / slack).log10().ceil().max(first + 1.0);
    // A narrow range shows more than its powers of ten.
    let factors: &[f64] = if last - first <= 2.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let every = ((last - first) / 8.0).ceil().max(1.0);
    let mut ticks = Vec::new();
    let mut power = first;
    while power <= last {
        for factor in factors {
            let at = factor * 10f64.powf(power);
            if at <= 10f64.powf(last) * slack {
                ticks.push(Tick { at, text: number(at, at) });
            }
        }
        power += every;
    }
    // A bar that ends at the first tick is to be seen.
    let under = if bars { 1.5 } else { 1.0 };
    Range { log: true, low: 10f64.powf(first) / under, high: 10f64.powf(last), ticks }
}

/// A tick text with as many digits as its step needs: `0.05`, `2,000`, `10⁷`.
pub(crate) fn number(value: f64, step: f64) -> String {
    let size = value.abs();
    if size >= 9_999_999.0 || (size > 0.0 && size < 0.000_9) {
        return power_of_ten(value);
    }
    let digits = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.digits$}");
    let (whole, rest) = text.split_once('.').map_or((text.as_str(), None), |(w, r)| (w, Some(r)));
    let grouped = grouped(whole);
    rest.map_or(grouped.clone(), |rest| format!("{grouped}.{rest}"))
}

fn power_of_ten(value: f64) -> String {
    let power = value.abs().log10().floor();
    let factor = value / 10f64.powf(power);
    let raised: String = format!("{power:.0}").chars().map(superscript).collect();
    match (factor * 10.0).round() / 10.0 {
        1.0 => format!("10{raised}"),
        factor => format!("{factor}·10{raised}"),
    }
}

fn superscript(digit: char) -> char {
    match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        _ => {
            let above = digit.to_digit(10).and_then(|digit| char::from_u32(0x2070 + digit));
            above.unwrap_or(digit)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(range: &Range) -> Vec<&str> {
        range.ticks.iter().map(|tick| tick.text.as_str()).collect()
    }

    #[test]
    fn linear_ticks_are_round_and_hold_the_values() {
        let range = Range::new(&Scale::Linear, &[3.0, 189.0], false);
        assert_eq!(texts(&range), ["0", "50", "100", "150", "200"]);
        let range = Range::new(&Scale::Linear, &[0.0, 0.31], false);
        assert_eq!(texts(&range), ["0.0", "0.1", "0.2", "0.3", "0.4"]);
        let range = Range::new(&Scale::Linear, &[7.0], false);
        assert!(range.place(7.0) >= 0.0);
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        let range = Range::new(&Scale::Log, &[0.02, 4_000.0], false);
        assert_eq!(texts(&range), ["0.01", "0.1", "1", "10", "100", "1,000", "10,000"]);
        assert!((range.place(10.0) - 0.5).abs() < 1e-9);
        let bars = Range::new(&Scale::Log, &[1.0, 4_000.0], true);
        assert_eq!(texts(&bars), ["1", "10", "100", "1,000", "10,000"]);
        assert!(bars.place(1.0) > 0.0, "a bar of 1 has a height");
        let narrow = Range::new(&Scale::Log, &[3.0, 60.0], false);
        assert_eq!(texts(&narrow), ["1", "2", "5", "10", "20", "50", "100"]);
    }

    #[test]
    fn what_has_no_logarithm_is_left_out() {
        let range = Range::new(&Scale::Log, &[0.0, -3.0, f64::NAN], false);
        assert_eq!(texts(&range).first(), Some(&"1"));
        assert!(!is_drawn(&Scale::Log, 0.0) && is_drawn(&Scale::Linear, 0.0));
        assert!(!is_drawn(&Scale::Linear, f64::INFINITY));
    }

    #[test]
    fn numbers_are_easy_to_read() {
        let shown = [0.05, 2_000.0, 1e6, 1e7, 3e9, -4_500.0, 1e-5].map(|n: f64| number(n, n.abs()));
        assert_eq!(shown, ["0.05", "2,000", "1,000,000", "10⁷", "3·10⁹", "-4,500", "10⁻⁵"]);
    }
}
