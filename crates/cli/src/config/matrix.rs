//! One model under many options: `-D N=2..4` on the command line, `[[matrix]]` in `argos.toml`.

use super::{Fault, Given, Reader, in_order, scalar};
use crate::test::Wanted;
use pipeline::Options;
use toml::Spanned;
use toml::de::DeValue;

/// More combinations than these are a mistake.
const COMBINATIONS_MAX: usize = 10_000;

/// The models of a matrix, and every combination of its options.
pub(crate) struct Entry {
    /// Models and folders, as they are written.
    pub(crate) models: Vec<String>,
    /// Each combination, in the words of the command line.
    pub(crate) combinations: Vec<Vec<String>>,
    /// What must come out of each.
    pub(crate) wanted: Wanted,
    /// Where it stands.
    pub(crate) line: u32,
}

impl Reader<'_> {
    /// Reads one `[[matrix]]`. A list is a choice: each of its values is combined with all
    /// others.
    pub(super) fn entry(&self, entry: &Spanned<DeValue<'_>>, text: &str) -> Result<Entry, Fault> {
        let DeValue::Table(table) = entry.get_ref() else {
            let help = "write [[matrix]], once for each matrix";
            return Err(Fault::new(entry.span(), "matrix is not a list of tables", help));
        };
        let (mut models, mut axes) = (Vec::new(), Vec::new());
        let mut wanted = Wanted::holds();
        for (key, value) in in_order(table) {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("model", DeValue::Array(names)) => {
                    models = names.iter().map(scalar).collect::<Result<_, _>>()?;
                }
                ("model", _) => models = vec![scalar(value)?],
                ("expect", _) => {
                    wanted = Wanted::read(&scalar(value)?)
                        .map_err(|message| Fault::new(value.span(), message, ""))?;
                }
                ("define", DeValue::Table(names)) => {
                    for (name, value) in in_order(names) {
                        axes.push(alternatives(value, |value| self.define(name, value))?);
                    }
                }
                _ => axes.push(alternatives(value, |value| self.option(key, value))?),
            }
        }
        if models.is_empty() {
            let help = "write model = \"FILE\", or a list of files and folders";
            return Err(Fault::new(entry.span(), "this matrix names no model", help));
        }
        let line = text[..entry.span().start].matches('\n').count() as u32 + 1;
        let combinations = product(&axes).ok_or_else(|| {
            let message = format!("this matrix has more than {COMBINATIONS_MAX} combinations");
            Fault::new(entry.span(), message, "")
        })?;
        Ok(Entry { models, combinations, wanted, line })
    }
}

/// The values of a list, those of a range in a text, or the one value.
fn alternatives(
    value: &Spanned<DeValue<'_>>,
    given: impl Fn(&Spanned<DeValue<'_>>) -> Result<Given, Fault>,
) -> Result<Vec<Vec<String>>, Fault> {
    let one = |value: &Spanned<DeValue<'_>>| -> Result<Vec<Vec<String>>, Fault> {
        let range = match value.get_ref() {
            DeValue::String(text) => range(text),
            _ => None,
        };
        let Some(range) = range else { return Ok(vec![given(value)?.words]) };
        let numbers = range.map_err(|why| Fault::new(value.span(), why, ""))?;
        let texts = numbers.iter().map(|number| {
            let text = DeValue::String(number.to_string().into());
            Ok(given(&Spanned::new(value.span(), text))?.words)
        });
        texts.collect()
    };
    match value.get_ref() {
        DeValue::Array(values) => {
            let all: Result<Vec<_>, _> = values.iter().map(one).collect();
            Ok(all?.concat())
        }
        _ => one(value),
    }
}

/// Every combination of one value of each axis, the last axis fastest.
fn product(axes: &[Vec<Vec<String>>]) -> Option<Vec<Vec<String>>> {
    let mut all = vec![Vec::new()];
    for axis in axes {
        if all.len() * axis.len() > COMBINATIONS_MAX {
            return None;
        }
        let with = |so_far: &Vec<String>| {
            let so_far = so_far.clone();
            axis.iter().map(move |words| [so_far.as_slice(), words].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    Some(all)
}

/// The numbers of `2..4`, both ends included; `None` if it is no range.
fn range(text: &str) -> Option<Result<Vec<i64>, String>> {
    let (from, to) = text.split_once("..")?;
    let (from, to): (i64, i64) = (from.parse().ok()?, to.parse().ok()?);
    let size = usize::try_from(i128::from(to) - i128::from(from) + 1).unwrap_or(0);
    Some(match size {
        0 => Err(format!("the range {text} is empty; write the smaller number first")),
        1..=COMBINATIONS_MAX => Ok((from..=to).collect()),
        _ => Err(format!("the range {text} has more than {COMBINATIONS_MAX} values")),
    })
}

/// The options once for each combination of the macros that are defined as ranges, with what
/// tells each from the others.
pub(crate) fn instances(options: &Options) -> Result<Vec<(String, Options)>, String> {
    let mut all = vec![(String::new(), Options { defines: Vec::new(), ..options.clone() })];
    for (name, value) in &options.defines {
        let values = match value.as_deref().and_then(range) {
            None => vec![(String::new(), value.clone())],
            Some(range) => {
                let words =
                    range?.into_iter().map(|n| (format!(" -D {name}={n}"), Some(n.to_string())));
                words.collect()
            }
        };
        if all.len() * values.len() > COMBINATIONS_MAX {
            return Err(format!("there are more than {COMBINATIONS_MAX} combinations of -D"));
        }
        let with = |(label, options): &(String, Options)| {
            let (label, options) = (label.clone(), options.clone());
            values
                .iter()
                .map(move |(more, value)| {
                    let mut options = options.clone();
                    options.defines.push((name.clone(), value.clone()));
                    (format!("{label}{more}"), options)
                })
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(defines: &[&str]) -> Result<Vec<String>, String> {
        let defines = defines.iter().map(|text| crate::args::define(text).expect("a macro"));
        let options = Options { defines: defines.collect(), ..Options::default() };
        Ok(instances(&options)?.into_iter().map(|(label, _)| label).collect())
    }

    #[test]
    fn macros_defined_as_ranges_are_combined() {
        assert_eq!(labels(&["A=x", "B"]), Ok(vec![String::new()]));
        let four = [" -D N=-1 -D M=3", " -D N=-1 -D M=4", " -D N=0 -D M=3", " -D N=0 -D M=4"];
        assert_eq!(labels(&["N=-1..0", "A=1", "M=3..4"]), Ok(four.map(str::to_owned).to_vec()));
        assert_eq!(labels(&["R=2 .. 4"]), Ok(vec![String::new()]));
        assert!(labels(&["N=4..2"]).is_err_and(|why| why.contains("smaller number first")));
        assert!(labels(&["N=1..1000", "M=1..1000"]).is_err());
        assert!(labels(&["N=-9223372036854775808..9223372036854775807"]).is_err());
    }
}
