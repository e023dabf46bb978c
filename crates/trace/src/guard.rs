//! What processes found where they waited for a statement in vain: its guard part by part, and
//! the values that were there.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// Something that is so in a state and that a guard depends on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// `x is 3`, `the head of c is ack`, `c is empty`.
    Is {
        /// What.
        what: String,
        /// Its value.
        value: String,
    },
    /// Nobody is ready to send on a rendezvous channel.
    NobodyOffers(String),
    /// Nobody is ready to receive from it.
    NobodyTakes(String),
}

impl Fact {
    pub(crate) fn is(what: impl Into<String>, value: impl Into<String>) -> Self {
        Fact::Is { what: what.into(), value: value.into() }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Is { what, value } => write!(f, "{what} is {value}"),
            Fact::NobodyOffers(channel) => write!(f, "nobody offers it on {channel}"),
            Fact::NobodyTakes(channel) => write!(f, "nobody takes it on {channel}"),
        }
    }
}

/// A part of a guard in one state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glance {
    /// A condition as it is written; nothing of a statement that is its own guard.
    pub condition: Option<String>,
    /// Whether it holds.
    pub holds: bool,
    /// What that depends on.
    pub facts: Vec<Fact>,
}

/// More values of one thing are not told apart.
const VALUES_MAX: usize = 1_000;
/// So many of them are listed.
const VALUES_SHOWN: usize = 6;

/// The guard of a statement in all the states in which some process waited for it.
#[derive(Clone, Default, Debug)]
pub struct Glances {
    /// By their texts.
    parts: IndexMap<Option<String>, Seen>,
    /// Some process was there.
    met: bool,
    /// All parts held in one state.
    all_held: bool,
}

/// The same of one part.
#[derive(Clone, Default, Debug)]
struct Seen {
    held: bool,
    values: IndexMap<String, BTreeSet<Value>>,
    /// Facts without values, in the past tense.
    others: BTreeSet<String>,
}

/// A value: numbers in their order, then words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Value {
    Number(i64),
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Word(word) => f.write_str(word),
        }
    }
}

impl Glances {
    /// Takes in what a process finds in one state.
    pub fn note(&mut self, parts: Vec<Glance>) {
        self.met = true;
        self.all_held |= parts.iter().all(|part| part.holds);
        for Glance { condition, holds, facts } in parts {
            let seen = self.parts.entry(condition).or_default();
            seen.held |= holds;
            facts.into_iter().for_each(|fact| seen.note(fact));
        }
    }

    /// What is to be said of it: so many states were looked at, which may be all there are.
    pub fn guard(&self, states: u64, complete: bool) -> Guard {
        let part = |(condition, seen): (&Option<String>, &Seen)| GuardPart {
            condition: condition.clone(),
            held: seen.held,
            seen: seen.values.iter().map(|(what, values)| listed(what, values)).collect(),
        };
        let parts = self.parts.iter().map(part).collect();
        let text = match (self.met, self.all_held) {
            (false, _) => "no process was seen there".to_owned(),
            (_, true) => "true at times, when its process could not move".to_owned(),
            _ => self.failing(),
        };
        Guard { text, parts, states, complete }
    }

    /// The parts that never held; if each did, what all of them saw.
    fn failing(&self) -> String {
        let several = self.parts.len() > 1;
        let never: Vec<String> = self
            .parts
            .iter()
            .filter(|(_, seen)| !seen.held)
            .map(|part| {
                let (condition, seen) = part;
                let never = match condition {
                    Some(text) if several => format!("`{text}` was never true"),
                    Some(_) => "never true".to_owned(),
                    None => "never executable".to_owned(),
                };
                told(never, &seen.told())
            })
            .collect();
        if !never.is_empty() {
            return never.join("; ");
        }
        let all: BTreeSet<String> = self.parts.values().flat_map(Seen::told).collect();
        told("each part was true at times, never all together".to_owned(), &Vec::from_iter(all))
    }
}

/// `never true: x was 0 or 1`.
fn told(head: String, facts: &[String]) -> String {
    if facts.is_empty() { head } else { format!("{head}: {}", facts.join(", ")) }
}

impl Seen {
    fn note(&mut self, fact: Fact) {
        let phrase = match fact {
            Fact::Is { what, value } => {
                let values = self.values.entry(what).or_default();
                if values.len() < VALUES_MAX {
                    values.insert(value.parse().map_or(Value::Word(value), Value::Number));
                }
                return;
            }
            Fact::NobodyOffers(channel) => format!("nobody offered it on {channel}"),
            Fact::NobodyTakes(channel) => format!("nobody took it on {channel}"),
        };
        self.others.insert(phrase);
    }

    /// `x was 0 or 1`, `c was empty`.
    fn told(&self) -> Vec<String> {
        let values = self.values.iter();
        let values = values.map(|(what, values)| format!("{what} was {}", alternatives(values)));
        values.chain(self.others.iter().cloned()).collect()
    }
}

/// `0, 1 or 2`; of many the first and the last.
fn alternatives(values: &BTreeSet<Value>) -> String {
    let count = match values.len() {
        VALUES_MAX => "1,000 values or more".to_owned(),
        count => format!("{count} values"),
    };
    let texts = || values.iter().map(Value::to_string);
    match (values.first(), values.last()) {
        (Some(Value::Number(least)), Some(Value::Number(most))) if values.len() > VALUES_SHOWN => {
            format!("one of {count} from {least} to {most}")
        }
        _ if values.len() > VALUES_SHOWN => {
            let first: Vec<String> = texts().take(VALUES_SHOWN).collect();
            format!("one of {count}, as {}", first.join(", "))
        }
        _ => {
            let all: Vec<String> = texts().collect();
            match all.split_last() {
                Some((last, others)) if !others.is_empty() => {
                    format!("{} or {last}", others.join(", "))
                }
                _ => all.concat(),
            }
        }
    }
}

fn listed(what: &str, values: &BTreeSet<Value>) -> GuardValues {
    let shown = values.iter().take(VALUES_SHOWN).map(Value::to_string).collect();
    GuardValues { what: what.to_owned(), values: shown, count: values.len() as u64 }
}

/// Why a statement was never executed although some process waited for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Guard {
    /// In one sentence, as `never true: x was 0 or 1`.
    pub text: String,
    /// The guard part by part: a condition has one for each operand of `&&`.
    pub parts: Vec<GuardPart>,
    /// So many states were looked at.
    pub states: u64,
    /// These are all there are.
    pub complete: bool,
}

/// A part of a guard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GuardPart {
    /// A condition as it is written; absent where the statement itself is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Whether it was true in some state in which a process waited.
    pub held: bool,
    /// What it depends on, and the values seen.
    pub seen: Vec<GuardValues>,
}

/// The values of something that a guard depends on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GuardValues {
    /// What, as `x`, `the head of c`.
    pub what: String,
    /// The first of its values.
    pub values: Vec<String>,
    /// How many there were, or 1,000 if there were more.
    pub count: u64,
}
