//! The text of a target.

use super::{Formula, Target, TargetError};
use crate::expr::Expr;
use crate::net::{Net, State};
use automata::{MachineId, StateId};
use model::{ChannelId, VariableId};
use program::BinaryOp;

/// Deeper nesting is refused: the parser calls itself.
const DEPTH_MAX: usize = 200;

/// Reads the description of a set of states of `net`.
///
/// # Errors
/// What is wrong with it, and where.
pub fn parse_target(text: &str, net: &Net) -> Result<Target, TargetError> {
    let words = words(text)?;
    let mut parser = Parser { net, words, next: 0, end: text.chars().count(), depth: 0 };
    let formula = parser.or()?;
    match parser.words.get(parser.next) {
        None => Ok(Target { formula }),
        Some((word, at)) => Err(wrong(&format!("`{word}` is not expected here"), *at)),
    }
}

fn wrong(message: &str, at: usize) -> TargetError {
    TargetError { message: message.to_owned(), at }
}

type Word = (String, usize);

/// Names, numbers and signs, with their places.
fn words(text: &str) -> Result<Vec<Word>, TargetError> {
    let letters: Vec<char> = text.chars().collect();
    let (mut list, mut at) = (Vec::new(), 0);
    while at < letters.len() {
        let start = at;
        let pair: String = letters[at..letters.len().min(at + 2)].iter().collect();
        let part = |letter: &char| letter.is_alphanumeric() || "_:[]".contains(*letter);
        if letters[at].is_whitespace() {
            at += 1;
            continue;
        } else if part(&letters[at]) {
            at += letters[at..].iter().take_while(|letter| part(letter)).count();
        } else if ["&&", "||", "==", "!=", "<=", ">="].contains(&pair.as_str()) {
            at += 2;
        } else if "!()@.<>-".contains(letters[at]) {
            at += 1;
        } else {
            return Err(wrong(&format!("`{}` means nothing here", letters[at]), at));
        }
        list.push((letters[start..at].iter().collect(), start));
    }
    Ok(list)
}

struct Parser<'a> {
    net: &'a Net,
    words: Vec<Word>,
    next: usize,
    end: usize,
    depth: usize,
}

/// One side of a comparison.
enum Side {
    Value(Expr),
    Length(ChannelId),
}

type Parsed<T> = Result<T, TargetError>;

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.words.get(self.next).map_or("", |(word, _)| word)
    }

    fn at(&self) -> usize {
        self.words.get(self.next).map_or(self.end, |(_, at)| *at)
    }

    fn fail<T>(&self, message: &str) -> Parsed<T> {
        Err(wrong(message, self.at()))
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Parsed<()> {
        if self.take(word) { Ok(()) } else { self.fail(&format!("`{word}` is expected")) }
    }

    fn or(&mut self) -> Parsed<Formula> {
        let mut parts = vec![self.and()?];
        while self.take("||") {
            parts.push(self.and()?);
        }
        Ok(Formula::Or(parts))
    }

    fn and(&mut self) -> Parsed<Formula> {
        let mut parts = vec![self.not()?];
        while self.take("&&") {
            parts.push(self.not()?);
        }
        Ok(Formula::And(parts))
    }

    fn not(&mut self) -> Parsed<Formula> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return self.fail("this is nested too deeply");
        }
        let formula = if self.take("!") {
            Formula::Not(Box::new(self.not()?))
        } else if self.take("(") {
            let inner = self.or()?;
            self.expect(")")?;
            inner
        } else {
            self.atom()?
        };
        self.depth -= 1;
        Ok(formula)
    }

    fn atom(&mut self) -> Parsed<Formula> {
        let following = self.words.get(self.next + 1).map_or("", |(word, _)| word.as_str());
        match (self.peek(), following) {
            (_, "@") => self.place(),
            (word @ ("empty" | "full"), "(") => {
                let full = word == "full";
                self.next += 1;
                let channel = self.channel()?;
                let capacity = self.net.channels[channel].capacity as i32;
                let count = if full { capacity } else { 0 };
                Ok(Formula::Length(channel, BinaryOp::Equal, count))
            }
            _ => self.comparison(),
        }
    }

    fn place(&mut self) -> Parsed<Formula> {
        let machine = self.machine()?;
        self.expect("@")?;
        let body = &self.net.machines[machine];
        let name = self.peek().to_owned();
        let label = |state: &State| state.labels.iter().any(|label| **label == *name);
        let labelled = body.states.iter_ids().filter(|(_, state)| label(state));
        let mut found: Vec<StateId> = labelled.map(|(id, _)| id).collect();
        if found.is_empty() {
            found = body.states.ids().filter(|id| body.states[*id].node == name).collect();
        }
        if found.is_empty() {
            let message =
                format!("`{}` has no place `{name}`: {}", body.name, places(self.net, machine));
            return self.fail(&message);
        }
        self.next += 1;
        Ok(Formula::At(machine, found))
    }

    fn machine(&mut self) -> Parsed<MachineId> {
        let mut machines = self.net.machines.iter_ids();
        match machines.find(|(_, machine)| machine.name == self.peek()) {
            Some((id, _)) => {
                self.next += 1;
                Ok(id)
            }
            None => {
                let names = self.net.machines.iter().map(|machine| machine.name.as_str());
                let names: Vec<&str> = names.collect();
                let message = format!(
                    "there is no process `{}`; there are {}",
                    self.peek(),
                    names.join(", ")
                );
                self.fail(&message)
            }
        }
    }

    fn channel(&mut self) -> Parsed<ChannelId> {
        self.expect("(")?;
        let mut channels = self.net.channels.iter_ids();
        let Some((id, _)) = channels.find(|(_, channel)| channel.name == self.peek()) else {
            let names = self.net.channels.iter().map(|channel| channel.name.as_str());
            let names: Vec<&str> = names.collect();
            let message =
                format!("there is no channel `{}`; there are {}", self.peek(), names.join(", "));
            return self.fail(&message);
        };
        self.next += 1;
        self.expect(")")?;
        Ok(id)
    }

    fn comparison(&mut self) -> Parsed<Formula> {
        let left = self.side()?;
        let found = BinaryOp::from_symbol(self.peek()).filter(|op| op.is_comparison());
        let Some(op) = found else {
            return self.fail("a comparison is expected: == != < <= > >=");
        };
        self.next += 1;
        let at = self.at();
        match (left, self.side()?) {
            (Side::Length(channel), Side::Value(Expr::Const(number))) => {
                Ok(Formula::Length(channel, op, number))
            }
            (Side::Value(x), Side::Value(y)) => Ok(Formula::Test(Expr::binary(op, x, y))),
            _ => Err(wrong("a length is compared with a number on its right, as len(c) == 2", at)),
        }
    }

    fn side(&mut self) -> Parsed<Side> {
        let negative = self.take("-");
        let word = self.peek().to_owned();
        if word.starts_with(|letter: char| letter.is_ascii_digit()) {
            let Some(number) = word.parse::<i32>().ok().filter(|number| *number <= 32768) else {
                return self.fail(&format!("`{word}` is no number of 16 bits"));
            };
            self.next += 1;
            return Ok(Side::Value(Expr::Const(if negative { -number } else { number })));
        }
        if negative {
            return self.fail("a number is expected");
        }
        if word == "len" && self.words.get(self.next + 1).is_some_and(|(word, _)| word == "(") {
            self.next += 1;
            return Ok(Side::Length(self.channel()?));
        }
        Ok(Side::Value(self.variable()?))
    }

    fn variable(&mut self) -> Parsed<Expr> {
        let at = self.at();
        let mut name = self.peek().to_owned();
        self.next += 1;
        while self.take(".") {
            name = format!("{name}.{}", self.peek());
            self.next += 1;
        }
        let full = |id: &VariableId| self.net.full_name(*id) == name;
        let local = |id: &VariableId| self.net.variables[*id].name == name;
        let ids = || self.net.variables.ids();
        let mut same = ids().filter(local);
        let constants = self.net.constants.iter();
        let constant = constants.clone().find(|(word, _)| **word == *name).map(|(_, n)| *n);
        match (ids().find(full), same.next(), same.next()) {
            (Some(id), _, _) | (None, Some(id), None) => Ok(Expr::variable(id)),
            (None, Some(_), Some(_)) => Err(wrong(
                &format!("several processes have a variable `{name}`: write process.{name}"),
                at,
            )),
            (None, None, _) if constant.is_some() => Ok(Expr::Const(constant.unwrap_or_default())),
            (None, None, _) if name.is_empty() => Err(wrong("something is missing here", at)),
            (None, None, _) => {
                let names: Vec<String> = ids().map(|id| self.net.full_name(id)).collect();
                let known = match names.as_slice() {
                    [] => "the model has none".to_owned(),
                    names => format!("there are {}", names.join(", ")),
                };
                Err(wrong(&format!("there is no variable `{name}`; {known}"), at))
            }
        }
    }
}

/// The places of a machine, for a message.
fn places(net: &Net, id: MachineId) -> String {
    let machine = &net.machines[id];
    let labels = machine.states.iter().flat_map(|state| &state.labels);
    let labels: Vec<&str> = labels.map(|label| label.as_str()).collect();
    let last = machine.states.len().saturating_sub(1);
    let numbers = format!("s1 to s{last} and end");
    match labels.as_slice() {
        [] => format!("it has {numbers}"),
        labels => format!("it has the labels {} and {numbers}", labels.join(", ")),
    }
}
