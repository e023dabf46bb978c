//! What a model says must come out, in comments at its head:
//!
//! ```text
//! // expect: holds
//! // run: --end home -D N=3 | violated deadlock | states 86
//! ```
//!
//! `run:` has options of `argos check` before the first bar, `expect:` has none. Behind it stand
//! parts, and each must be as it says.

use crate::first_word::is_command;
use report::{ErrorEntry, Finding, Instead, PropertyVerdict, Report, Verdict, subject};
use std::collections::BTreeSet;

/// What must come out of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wanted(Vec<Part>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// The verdict, and of which requirements it speaks; all that it does if there are any.
    Verdict(Verdict, Vec<String>),
    /// The verdict of one requirement.
    Property(PropertyVerdict, String),
    /// A figure: `states`, `transitions`, `matched`, `steps`, `events`.
    Figure(String, u64),
    /// The kinds of errors, each with its number if that is said; none at all.
    Errors(Vec<(String, Option<u64>)>),
    /// The ids of diagnostics of this severity, with or without their places.
    Findings(&'static str, Vec<String>),
    /// What is compared as a text: `machines`, `unused`, `gates`, `avoid`.
    Text(String, String),
    /// The exit code of `argos check`.
    Exit(u8),
}

impl Part {
    /// Whether it says what becomes of gates.
    fn is_about_gates(&self) -> bool {
        match self {
            Self::Exit(_) => true,
            Self::Text(what, _) => what == "gates",
            _ => false,
        }
    }
}

/// A line at the head of a model.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Header {
    /// Its number, from 1.
    pub(crate) line: u32,
    /// Options, as a shell would divide them.
    pub(crate) options: Vec<String>,
    /// What is expected; or why that cannot be read.
    pub(crate) wanted: Result<Wanted, String>,
}

/// The expectations at the head of a model: in comments above everything else.
pub(crate) fn headers(text: &str) -> Vec<Header> {
    let mut headers = Vec::new();
    let mut is_open = false;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        let is_comment =
            is_open || line.is_empty() || line.starts_with("//") || line.starts_with("/*");
        if !is_comment {
            break;
        }
        if !line.starts_with("//") {
            is_open = line.rfind("*/").map_or(is_open || line.contains("/*"), |end| {
                line.rfind("/*").is_some_and(|start| start > end)
            });
        }
        headers.extend(header(number as u32 + 1, line));
    }
    headers
}

fn header(line: u32, comment: &str) -> Option<Header> {
    let text = comment.trim_start_matches(['/', '*']).trim_start();
    let text = text.split("*/").next().unwrap_or_default().trim();
    if let Some(parts) = text.strip_prefix("expect:") {
        return Some(Header { line, options: Vec::new(), wanted: Wanted::read(parts) });
    }
    let run = text.strip_prefix("run:")?;
    let (options, parts) = run.split_once(" | ").unwrap_or((run, ""));
    let mut options = words(options);
    match options.first().map(String::as_str) {
        Some("check") => drop(options.remove(0)),
        // What `argos sim` and others do is no verdict.
        Some(word) if is_command(word) && !word.starts_with('-') => return None,
        _ => {}
    }
    Some(Header { line, options, wanted: Wanted::read(parts) })
}

/// The words of a line as a shell divides them: blanks, and quotes of both kinds around some.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut is_word, mut quote) = (String::new(), false, None);
    for c in line.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => (quote, is_word) = (Some(c), true),
            (c, None) if c.is_whitespace() => {
                words.extend(is_word.then(|| std::mem::take(&mut word)));
                is_word = false;
            }
            (c, _) => {
                word.push(c);
                is_word = true;
            }
        }
    }
    words.extend(is_word.then_some(word));
    words
}

impl Wanted {
    /// What is wanted of a model that says nothing else.
    pub(crate) fn holds() -> Self {
        Self(vec![Part::Verdict(Verdict::Holds, Vec::new())])
    }

    /// Reads `violated deadlock | states 86`.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let parts = text.split(" | ").map(str::trim).filter(|part| !part.is_empty());
        let parts: Vec<Part> = parts.map(part).collect::<Result<_, _>>()?;
        match parts.is_empty() {
            true => Err("nothing is expected; write holds, or violated NAME".to_owned()),
            false => Ok(Self(parts)),
        }
    }

    /// Every difference between what is wanted and what was found, in words.
    pub(crate) fn differences(&self, report: &Report, exit: u8) -> Vec<String> {
        let found = Found { report, exit };
        let parts = self.0.iter().filter_map(|part| found.difference(part));
        let is_said = self.0.iter().any(Part::is_about_gates);
        let gates = if is_said { Vec::new() } else { found.gates() };
        parts.chain(gates).collect()
    }
}

fn part(text: &str) -> Result<Part, String> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    if word == "verdict" {
        return verdict(&rest.to_lowercase()).map(|verdict| Part::Verdict(verdict, Vec::new()));
    }
    if is_id(word) {
        return Ok(Part::Findings("error", split(text, ' ')));
    }
    if let Ok(verdict) = verdict(word) {
        return Ok(match verdict {
            Verdict::Error => Part::Findings("error", split(rest, ' ')),
            verdict => Part::Verdict(verdict, split(rest, ',')),
        });
    }
    let number = || rest.parse().map_err(|_| format!("`{text}`: `{rest}` is not a number"));
    match word {
        "reached" => Ok(Part::Property(PropertyVerdict::Reached, rest.to_owned())),
        "unreached" => Ok(Part::Property(PropertyVerdict::Unreached, rest.to_owned())),
        "unknown" => Ok(Part::Property(PropertyVerdict::Unknown, rest.to_owned())),
        "states" | "transitions" | "matched" | "steps" | "events" => {
            let number = rest.strip_suffix(|c: char| c == 's').unwrap_or(rest);
            let number = if number == "none" { Ok(0) } else { number.parse() };
            let number = number.map_err(|_| format!("`{text}`: `{rest}` is not a number"))?;
            Ok(Part::Figure(word.to_owned(), number))
        }
        "exit" => number().and_then(|code: u64| {
            u8::try_from(code).map(Part::Exit).map_err(|_| format!("`{text}` is no exit code"))
        }),
        "machines" | "unused" | "gates" | "avoid" => {
            Ok(Part::Text(word.to_owned(), rest.to_owned()))
        }
        "warnings" => Ok(Part::Findings("warning", split(rest, ' '))),
        "errors" => {
            split(rest, ',').iter().map(|one| kind(one)).collect::<Result<_, _>>().map(Part::Errors)
        }
        _ => Err(format!(
            "`{text}` is no expectation; there are holds, violated, incomplete, possible, impossible, \
             error, reached, unreached, unknown, errors, warnings, states, transitions, matched, \
             steps, events, machines, unused, gates, avoid, exit"
        )),
    }
}

/// `A0012` or `A0012@9:21`: errors may be listed without the word.
fn is_id(word: &str) -> bool {
    let id = word.split('@').next().unwrap_or_default();
    let digits = id.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or_default();
    digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn verdict(word: &str) -> Result<Verdict, String> {
    let all = [
        ("holds", Verdict::Holds),
        ("violated", Verdict::Violated),
        ("incomplete", Verdict::Incomplete),
        ("possible", Verdict::Possible),
        ("impossible", Verdict::Impossible),
        ("error", Verdict::Error),
    ];
    let known = all.into_iter().find(|(known, _)| *known == word);
    known.map(|(_, verdict)| verdict).ok_or_else(|| format!("`{word}` is no verdict"))
}

/// A list; `none` is an empty one.
fn split(text: &str, by: char) -> Vec<String> {
    let items = text.split(by).map(str::trim).filter(|item| !item.is_empty() && *item != "none");
    items.map(str::to_owned).collect()
}

/// `deadlock 2` or `deadlock`.
fn kind(text: &str) -> Result<(String, Option<u64>), String> {
    match text.rsplit_once(' ') {
        None => Ok((text.to_owned(), None)),
        Some((kind, count)) => {
            let count =
                count.parse().map_err(|_| format!("`{text}`: `{count}` is not a number"))?;
            Ok((kind.to_owned(), Some(count)))
        }
    }
}

/// The exit code of a check that a gate refuses.
const GATE: u8 = 6;

/// What came out of a check.
struct Found<'a> {
    report: &'a Report,
    exit: u8,
}

impl Found<'_> {
    fn difference(&self, part: &Part) -> Option<String> {
        match part {
            Part::Verdict(wanted, names) => self.verdict(*wanted, names),
            Part::Property(wanted, name) => self.property(*wanted, name),
            Part::Figure(what, wanted) => {
                let found = self.figure(what);
                (found != *wanted).then(|| format!("expected {what} {wanted}, found {found}"))
            }
            Part::Errors(wanted) => self.errors(wanted),
            Part::Findings(severity, wanted) => self.findings(severity, wanted),
            Part::Text(what, wanted) => {
                let found = self.text(what);
                (found != *wanted).then(|| format!("expected {what} {wanted}, found {found}"))
            }
            Part::Exit(wanted) => (self.exit != *wanted)
                .then(|| format!("expected exit code {wanted}, found {}", self.exit)),
        }
    }

    fn verdict(&self, wanted: Verdict, names: &[String]) -> Option<String> {
        let verdict = self.report.verdict;
        let all =
            || if names.is_empty() { String::new() } else { format!(" {}", names.join(", ")) };
        if verdict != wanted {
            let (wanted, found) = (word(wanted), word(verdict));
            return Some(format!(
                "expected {wanted}{}, found {found}: {}",
                all(),
                self.report.headline
            ));
        }
        if names.is_empty() {
            return None;
        }
        // The verdict speaks of those that decide it.
        let deciding = match wanted {
            Verdict::Violated => PropertyVerdict::Violated,
            Verdict::Incomplete => PropertyVerdict::Unknown,
            Verdict::Possible => PropertyVerdict::Reached,
            Verdict::Impossible => PropertyVerdict::Unreached,
            Verdict::Holds | Verdict::Error => PropertyVerdict::Holds,
        };
        let properties = self.report.properties.iter();
        let found: Vec<_> = properties.filter(|property| property.verdict == deciding).collect();
        let missing = names.iter().any(|name| !found.iter().any(|it| is_named(it, name)));
        let further = wanted == Verdict::Violated
            && found.iter().any(|it| !names.iter().any(|name| is_named(it, name)));
        let shown: Vec<&str> = found.iter().map(|property| subject(&property.name)).collect();
        (missing || further)
            .then(|| format!("expected {}{}, found {0} {}", word(wanted), all(), shown.join(", ")))
    }

    /// The gates that decide the exit code. Beside a violation, or where nothing is decided, they
    /// do not.
    fn gates(&self) -> Vec<String> {
        let is_decisive = match self.report.verdict {
            Verdict::Holds | Verdict::Possible | Verdict::Impossible => self.exit != 0,
            Verdict::Incomplete => self.exit == GATE,
            Verdict::Violated | Verdict::Error => false,
        };
        let gates = self.report.gates.iter().filter(|_| is_decisive);
        let told = gates.filter_map(|gate| Some((gate, gate.refusal()?)));
        told.map(|(gate, refusal)| {
            let reasons = gate.reasons.iter().map(|reason| format!("\n  {reason}"));
            format!("{refusal} (--fail-on {}){}", gate.gate, reasons.collect::<String>())
        })
        .collect()
    }

    fn property(&self, wanted: PropertyVerdict, name: &str) -> Option<String> {
        let found = self.report.properties.iter().find(|property| is_named(property, name));
        match found {
            None => Some(format!("there is no requirement `{name}`")),
            Some(found) if found.verdict == wanted => None,
            Some(found) => {
                Some(format!("expected {} {name}, found {}", id(wanted), id(found.verdict)))
            }
        }
    }

    fn figure(&self, what: &str) -> u64 {
        let stats = &self.report.stats;
        let least = |length: fn(&ErrorEntry) -> usize| {
            self.report.errors.iter().map(length).min().unwrap_or(0) as u64
        };
        match what {
            "states" => stats.states,
            "transitions" => stats.transitions,
            "matched" => stats.matched,
            "steps" => least(|error| error.steps),
            _ => least(|error| error.events),
        }
    }

    fn errors(&self, wanted: &[(String, Option<u64>)]) -> Option<String> {
        let found = &self.report.stats.errors;
        let kinds: BTreeSet<&str> = wanted.iter().map(|(kind, _)| kind.as_str()).collect();
        let same = kinds == found.keys().map(String::as_str).collect()
            && wanted
                .iter()
                .all(|(kind, count)| count.is_none_or(|count| found.get(kind) == Some(&count)));
        let told =
            |all: Vec<String>| if all.is_empty() { "none".to_owned() } else { all.join(", ") };
        (!same).then(|| {
            let wanted = wanted.iter().map(|(kind, count)| match count {
                Some(count) => format!("{kind} {count}"),
                None => kind.clone(),
            });
            let found = found.iter().map(|(kind, count)| format!("{kind} {count}"));
            format!("expected errors {}, found {}", told(wanted.collect()), told(found.collect()))
        })
    }

    fn findings(&self, severity: &str, wanted: &[String]) -> Option<String> {
        let report = self.report;
        let has_place = wanted.iter().any(|id| id.contains('@'));
        let ids = |all: &[Finding]| -> Vec<String> {
            all.iter().map(|finding| self.id(finding, has_place)).collect()
        };
        let (errors, warnings) = (ids(&report.diagnostics), ids(&report.warnings));
        let told = |all: &[String]| match all.is_empty() {
            true => "none".to_owned(),
            false => all.join(" "),
        };
        if severity == "warning" {
            return (warnings != wanted)
                .then(|| format!("expected warnings {}, found {}", told(wanted), told(&warnings)));
        }
        // Warnings may be listed among errors.
        let own = wanted.iter().filter(|id| !warnings.contains(id)).cloned();
        let own: Vec<String> = own.collect();
        let is_wrong = report.verdict == Verdict::Error;
        if !is_wrong && (wanted.is_empty() || !own.is_empty()) {
            let found = word(report.verdict);
            return Some(format!(
                "expected error {}, found {found}: {}",
                told(wanted),
                report.headline
            ));
        }
        (!wanted.is_empty() && errors != own)
            .then(|| format!("expected error {}, found {}", told(&own), told(&errors)))
    }

    /// `A0012`, or `A0012@9:21`, of another file `A0012@other.h:9:21`.
    fn id(&self, finding: &Finding, has_place: bool) -> String {
        let model = &self.report.model;
        let file = match finding.file == *model {
            true => String::new(),
            false => format!("{}:", beside(&finding.file, model)),
        };
        match has_place {
            true => format!("{}@{file}{}:{}", finding.id, finding.line, finding.column),
            false => finding.id.clone(),
        }
    }

    fn text(&self, what: &str) -> String {
        let report = self.report;
        let listed = |all: Vec<String>| match all.is_empty() {
            true => "none".to_owned(),
            false => all.join(", "),
        };
        match what {
            "machines" => self.machines(),
            "unused" => {
                let all = report.unused.iter().map(|one| format!("{}:{}", id(one.kind), one.name));
                listed(all.collect())
            }
            "gates" => {
                let all =
                    report.gates.iter().map(|one| format!("{} {}", one.gate, id(one.verdict)));
                listed(all.collect())
            }
            _ => report.errors.first().map_or_else(|| "none".to_owned(), avoid),
        }
    }

    /// Processes before and after minimisation, then assertions.
    fn machines(&self) -> String {
        let (assertions, processes): (Vec<_>, Vec<_>) =
            self.report.machines.iter().partition(|machine| machine.assertion);
        let sizes = processes.iter().map(|it| format!("{}/{}", it.states_raw, it.states));
        let mut words: Vec<String> = sizes.collect();
        if !assertions.is_empty() {
            words.push("assert".to_owned());
            words.extend(assertions.iter().map(|machine| machine.states.to_string()));
        }
        words.join(" ")
    }
}

/// Up to which step, from 1, an error can be avoided, by which other one, and what comes of that.
fn avoid(error: &ErrorEntry) -> String {
    let word = error.avoidable.map_or_else(|| "none".to_owned(), id);
    match (error.no_return, &error.instead) {
        (Some(step), Some(Instead { process, action, then, .. })) => {
            format!("{word} {} {process}:{action} {then}", step + 1)
        }
        _ => word,
    }
}

/// The name of a file as the model would include it.
fn beside<'a>(file: &'a str, model: &str) -> &'a str {
    let folder = model.rfind('/').map_or("", |end| &model[..=end]);
    file.strip_prefix(folder).unwrap_or(file)
}

/// Whether a requirement is meant: by its name, without `no` or `ltl` before it, or by its kind.
fn is_named(property: &report::Property, name: &str) -> bool {
    let whole = property.name.as_str();
    let short = ["ltl ", "never ", "invariant ", "cover "];
    let short = short.iter().find_map(|word| whole.strip_prefix(word));
    let kind = serde_json::to_value(property.kind).ok();
    let kind = kind.as_ref().and_then(|kind| kind.as_str());
    [Some(whole), Some(subject(whole)), short, kind].contains(&Some(name))
}

fn word(verdict: Verdict) -> String {
    id(verdict)
}

/// The word for it in the JSON of a report.
fn id(value: impl serde::Serialize) -> String {
    let word = serde_json::to_value(value).ok();
    word.as_ref().and_then(|word| word.as_str()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_stand_in_comments_at_the_head() {
        let text = "/* A model.\n\n   expect: violated deadlock, assert 1 */\n\
                    // run: --end home -D 'N=3' | states 86 | exit 0\n/* expect: holds */\n\
                    // run: sim --seed 3 | exit 0\nproc p { }\n// expect: holds\n";
        let found = headers(text);
        let lines: Vec<u32> = found.iter().map(|header| header.line).collect();
        assert_eq!(lines, [3, 4, 5]);
        assert_eq!(found[1].options, ["--end", "home", "-D", "N=3"]);
        let names = vec!["deadlock".to_owned(), "assert 1".to_owned()];
        assert_eq!(found[0].wanted, Ok(Wanted(vec![Part::Verdict(Verdict::Violated, names)])));
        let parts = vec![Part::Figure("states".to_owned(), 86), Part::Exit(0)];
        assert_eq!(found[1].wanted, Ok(Wanted(parts)));
        assert_eq!(found[2].wanted, Ok(Wanted::holds()));
    }

    #[test]
    fn what_cannot_be_read_says_so() {
        for text in ["", "hold", "states many", "exit 300", "errors deadlock x", "verdict fine"] {
            assert!(Wanted::read(text).is_err(), "{text}");
        }
        let header = headers("// expect: hold\n").remove(0);
        assert!(header.wanted.is_err_and(|why| why.contains("`hold` is no expectation")));
    }

    #[test]
    fn words_are_divided_as_by_a_shell() {
        assert_eq!(
            words("--ltl '[] (x < 4)' -D \"A=b c\"  ''"),
            ["--ltl", "[] (x < 4)", "-D", "A=b c", ""]
        );
    }
}
