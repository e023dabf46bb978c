//! Reads the text form of a network back.

use crate::{
    Action, Channel, DefaultRule, Edge, EdgeId, EndRule, Machine, Network, Observer, Rules, State,
    TimeoutRule,
};
use base::{FileId, Id, IdVec, Name, OriginId, Span};
use model::{BinaryOp, Expr, Message, UnaryOp, Variable};
use std::fmt;

/// Why a text is not a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected)
    }
}

impl std::error::Error for ReadError {}

/// Reads a network out of its text form.
pub fn read(text: &str) -> Result<Network, ReadError> {
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        let mut words = Words(line.trim());
        let done = reader.line(&mut words).and_then(|()| words.end());
        done.map_err(|expected| ReadError { line: index + 1, expected })?;
    }
    reader.finish();
    Ok(reader.network)
}

type Read<T> = Result<T, &'static str>;

#[derive(Default)]
struct Reader {
    network: Network,
    /// The machine being read, and its text if it is an observer's.
    open: Option<(Machine, Option<String>)>,
}

impl Reader {
    fn line(&mut self, words: &mut Words<'_>) -> Read<()> {
        match words.word() {
            "" => {}
            "rules" => self.network.rules = rules(words)?,
            "message" => {
                self.network.messages.push(words.name()?);
            }
            "channel" => {
                self.network.channels.push(channel(words)?);
            }
            "variable" => {
                self.network.variables.push(variable(words)?);
            }
            "machine" => self.open(words, false)?,
            "observer" => self.open(words, true)?,
            "state" => self.state(words)?,
            "edge" => self.edge(words)?,
            _ => return Err("rules, message, channel, variable, machine, observer, state or edge"),
        }
        Ok(())
    }

    fn open(&mut self, words: &mut Words<'_>, observer: bool) -> Read<()> {
        self.finish();
        let machine = Machine {
            name: words.name()?,
            start: words.id("s")?,
            end: words.id("s")?,
            span: words.span()?,
            states: IdVec::new(),
            edges: IdVec::new(),
        };
        let text = if observer { Some(words.text()?) } else { None };
        self.open = Some((machine, text));
        Ok(())
    }

    fn finish(&mut self) {
        match self.open.take() {
            None => {}
            Some((machine, None)) => {
                self.network.machines.push(machine);
            }
            Some((machine, Some(text))) => {
                self.network.observers.push(Observer::new(machine, &text));
            }
        }
    }

    fn machine(&mut self) -> Read<&mut Machine> {
        self.open.as_mut().map(|(machine, _)| machine).ok_or("machine or observer first")
    }

    fn state(&mut self, words: &mut Words<'_>) -> Read<()> {
        let machine = self.machine()?;
        let at = machine.edges.len() as u32;
        let state = State {
            labelled: words.is("labelled"),
            resting: words.is("resting"),
            labels: words.names()?,
            span: if words.0.starts_with('@') { Some(words.span()?) } else { None },
            members: words.list(|words| words.id("s"))?,
            edges_start: at,
            edges_end: at,
        };
        machine.states.push(state);
        Ok(())
    }

    fn edge(&mut self, words: &mut Words<'_>) -> Read<()> {
        let edge = Edge {
            from: words.id("s")?,
            to: words.id("s")?,
            action: action(words)?,
            span: words.span()?,
            originals: words.list(|words| words.id::<EdgeId>("e"))?,
        };
        let machine = self.machine()?;
        machine.edges.push(edge);
        let end = machine.edges.len() as u32;
        machine.states.iter_mut().next_back().ok_or("state first")?.edges_end = end;
        Ok(())
    }
}

fn rules(words: &mut Words<'_>) -> Read<Rules> {
    let (timeout, default, end) = (words.word(), words.word(), words.word());
    Ok(Rules {
        timeout: *TimeoutRule::ALL.iter().find(|r| r.word() == timeout).ok_or("timeout rule")?,
        default_receive: *DefaultRule::ALL
            .iter()
            .find(|r| r.word() == default)
            .ok_or("default rule")?,
        end: *EndRule::ALL.iter().find(|r| r.word() == end).ok_or("end rule")?,
    })
}

fn channel(words: &mut Words<'_>) -> Read<Channel> {
    Ok(Channel {
        name: words.name()?,
        capacity: words.number("capacity")?,
        span: words.span()?,
        initial: words.list(message)?,
    })
}

fn message(words: &mut Words<'_>) -> Read<Message> {
    let name = words.id("m")?;
    let value = match words.0.strip_prefix('(') {
        None => None,
        Some(rest) => {
            words.0 = rest;
            let value = words.number("value")?;
            words.mark(')')?;
            Some(value)
        }
    };
    Ok(Message { name, value })
}

fn variable(words: &mut Words<'_>) -> Read<Variable> {
    Ok(Variable {
        name: words.name()?,
        initial: words.number("initial value")?,
        owner: if words.is("shared") { None } else { Some(words.id("p")?) },
        span: words.span()?,
    })
}

fn action(words: &mut Words<'_>) -> Read<Action> {
    let value_follows = |words: &Words<'_>| !words.0.starts_with('@');
    Ok(match words.word() {
        "skip" => Action::Skip,
        "if" => Action::Condition(expr(words)?),
        "set" => Action::Assign(words.id("v")?, expr(words)?),
        "send" => {
            let (channel, message) = (words.id("c")?, words.id("m")?);
            let value = if value_follows(words) { Some(expr(words)?) } else { None };
            Action::Send(channel, message, value)
        }
        "receive" => {
            let (channel, message) = (words.id("c")?, words.id("m")?);
            let variable = if value_follows(words) { Some(words.id("v")?) } else { None };
            Action::Receive(channel, message, variable)
        }
        "default" => Action::ReceiveAny(words.id("c")?),
        "timeout" => Action::Timeout(words.id("c")?),
        _ => return Err("an action"),
    })
}

fn expr(words: &mut Words<'_>) -> Read<Expr> {
    if let Some(rest) = words.0.strip_prefix('(') {
        words.0 = rest;
        let operator = words.word();
        let x = Box::new(expr(words)?);
        let unary = [UnaryOp::Negate, UnaryOp::Not].into_iter().find(|op| op.symbol() == operator);
        let result = match unary {
            Some(op) if words.0.starts_with(')') => Expr::Unary(op, x),
            _ => Expr::Binary(binary(operator)?, x, Box::new(expr(words)?)),
        };
        words.mark(')')?;
        return Ok(result);
    }
    if words.0.starts_with('v') {
        return Ok(Expr::Var(words.id("v")?));
    }
    Ok(Expr::Const(words.number("an expression")?))
}

fn binary(operator: &str) -> Read<BinaryOp> {
    BinaryOp::from_symbol(operator).filter(|op| !op.is_bitwise()).ok_or("an operator")
}

/// The rest of a line.
struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    fn end(&self) -> Read<()> {
        if self.0.is_empty() { Ok(()) } else { Err("the end of the line") }
    }

    /// Cuts off what `belongs`, and the blanks behind it.
    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let end = self.0.find(|c| !belongs(c)).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest.trim_start();
        word
    }

    fn word(&mut self) -> &'a str {
        self.take(|c| !c.is_whitespace())
    }

    fn is(&mut self, word: &str) -> bool {
        let rest = self.0.strip_prefix(word).filter(|rest| rest.starts_with([' ', '[', '@']));
        if let Some(rest) = rest {
            self.0 = rest.trim_start();
        }
        rest.is_some()
    }

    fn mark(&mut self, mark: char) -> Read<()> {
        self.0 = self.0.strip_prefix(mark).ok_or("a closing mark")?.trim_start();
        Ok(())
    }

    fn number<T: std::str::FromStr>(&mut self, what: &'static str) -> Read<T> {
        self.take(|c| c.is_ascii_digit() || c == '-').parse().map_err(|_| what)
    }

    fn id<K: Id>(&mut self, prefix: &str) -> Read<K> {
        self.0 = self.0.strip_prefix(prefix).ok_or("an id")?;
        Ok(K::new(self.take(|c| c.is_ascii_digit()).parse::<u32>().map_err(|_| "an id")? as usize))
    }

    fn name(&mut self) -> Read<Name> {
        self.text().map(|text| Name::new(&text))
    }

    /// As many names as there are.
    fn names(&mut self) -> Read<Vec<Name>> {
        let mut names = Vec::new();
        while self.0.starts_with('"') {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// A quoted text, as Rust's `{:?}` writes it.
    fn text(&mut self) -> Read<String> {
        let mut text = String::new();
        let mut rest = self.0.strip_prefix('"').ok_or("a name in quotes")?.chars();
        loop {
            match rest.next().ok_or("a closing quote")? {
                '"' => break,
                '\\' => text.push(escaped(&mut rest).ok_or("an escape")?),
                other => text.push(other),
            }
        }
        self.0 = rest.as_str().trim_start();
        Ok(text)
    }

    fn span(&mut self) -> Read<Span> {
        let text = self.0.strip_prefix('@').ok_or("a span")?;
        let (text, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (place, origin) = match text.split_once('^') {
            Some((place, origin)) => (place, Some(origin)),
            None => (text, None),
        };
        let (file, range) = place.split_once(':').ok_or("a span")?;
        let (start, end) = range.split_once('-').ok_or("a span")?;
        let number = |text: &str| text.parse::<u32>().map_err(|_| "a span");
        let origin = origin.map(number).transpose()?;
        self.0 = rest.trim_start();
        Ok(Span {
            file: FileId::new(number(file)? as usize),
            start: number(start)?,
            end: number(end)?,
            origin: origin.map(|origin| OriginId::new(origin as usize)),
        })
    }

    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        self.mark('[')?;
        let mut items = Vec::new();
        while !self.0.starts_with(']') {
            items.push(item(self)?);
        }
        self.mark(']')?;
        Ok(items)
    }
}

fn escaped(rest: &mut std::str::Chars<'_>) -> Option<char> {
    Some(match rest.next()? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        'u' => {
            let (code, after) = rest.as_str().strip_prefix('{')?.split_once('}')?;
            *rest = after.chars();
            char::from_u32(u32::from_str_radix(code, 16).ok()?)?
        }
        other => other,
    })
}
