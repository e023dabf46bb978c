//! `for` and `select`, which are short for a `do`.

use super::Lowerer;
use super::place::text;
use super::statement::unlabelled;
use super::types::Type;
use crate::flow::{Code, Kind, Stmt};
use crate::tree::{ExprKind, Part, Range, Reference, Sequence, Word};
use crate::wording;
use base::{Diagnostic, Name, Span};
use program::{Action, BinaryOp, Expr, Initial, Pattern, Place, Probe, Scalar, Variable, Wording};

/// A `select` over this many numbers, and one more, is an `if` with as many options.
const SELECT_MAX: i64 = 32;

impl Lowerer {
    /// `i = a; do :: i <= b -> body; i++ :: else -> break od`
    pub(super) fn for_loop(
        &mut self,
        variable: &Word,
        range: &Range,
        body: &Sequence,
        span: Span,
        before: &mut Code,
    ) -> Option<Kind> {
        let head = self.head(variable, range, span);
        self.scope.loops += 1;
        let body = self.block(body);
        self.scope.loops -= 1;
        let head = head?;
        let basic = |action, text| made(action, span, text);
        let (name, bounds) = (&head.words.0, &head.words.1);
        let begin = format!("{name} = {}", bounds[0]);
        before.push(basic(Action::Assign(head.counter.clone(), head.from), begin));
        let counter = || Box::new(Expr::Load(head.counter.clone()));
        let test = Expr::Binary(head.test, counter(), Box::new(head.to));
        let sign = if head.test == BinaryOp::Less { "<" } else { "<=" };
        let mut option = vec![asked(test, span, (name, sign, &bounds[1]))];
        option.extend(head.fetch.into_iter().map(|(action, text)| basic(action, text)));
        option.extend(body);
        let next = Expr::Binary(BinaryOp::Add, counter(), Box::new(Expr::Const(1)));
        option.push(counted(Action::Assign(head.counter.clone(), next), span, name));
        let options = vec![option, vec![basic(Action::Else, "else".to_owned()), left(span)]];
        Some(Kind::Choice { looping: true, options, last: None, written: false })
    }

    fn head(&mut self, variable: &Word, range: &Range, span: Span) -> Option<Head> {
        let counter = reference(variable);
        match range {
            Range::Between(bounds) => {
                let [from, to] = &**bounds;
                let words = (variable.name.to_string(), [from, to].map(wording::expression));
                let (from, to) = (self.value(from), self.value(to));
                let (counter, _) = self.scalar(&counter)?;
                let (test, fetch) = (BinaryOp::LessEqual, Vec::new());
                Some(Head { counter, from, to, test, fetch, words })
            }
            Range::In(over) => match self.length_of(over) {
                Some(length) => {
                    let (counter, _) = self.scalar(&counter)?;
                    let to = Expr::Const(length as i32 - 1);
                    let (from, test, fetch) = (Expr::Const(0), BinaryOp::LessEqual, Vec::new());
                    let bounds = [0, length as i32 - 1].map(|bound| bound.to_string());
                    let words = (variable.name.to_string(), bounds);
                    Some(Head { counter, from, to, test, fetch, words })
                }
                None => self.messages(&counter, over, span),
            },
        }
    }

    /// The length of an array that is named without an index.
    fn length_of(&mut self, over: &Reference) -> Option<u32> {
        let (last, outer) = over.parts.split_last()?;
        if last.index.is_some() {
            return None;
        }
        if outer.is_empty() {
            return self.find(&last.name.name)?.length;
        }
        let outer = Reference { parts: outer.to_vec(), span: over.span };
        let Type::Structure(structure) = self.resolve(&outer)?.of else { return None };
        let mut fields = self.structures[structure].fields.iter();
        fields.find(|field| field.name == last.name.name)?.length
    }

    /// `for (m in q)`: each round the oldest message goes to `m` and to the end.
    fn messages(&mut self, variable: &Reference, over: &Reference, span: Span) -> Option<Head> {
        let queue = self.queue(over)?;
        let resolved = self.resolve(variable)?;
        let places = self.spread(&resolved);
        let counter = self.hidden_local(Variable {
            name: Name::new(&format!("({} in {})", text(variable), text(over))),
            span,
            scalar: Scalar::Int,
            length: 1,
            is_array: false,
            initial: Initial::Zero,
            hidden: false,
            unread: false,
            channel: None,
        });
        let Some(counter) = counter else {
            let found =
                Diagnostic::error("M0002", span, "a loop outside of a body").help("move it");
            self.report(found);
            return None;
        };
        let counter = Place { variable: counter, subscripts: Vec::new() };
        let patterns = places.iter().map(|(place, _)| Pattern::Store(place.clone())).collect();
        let arguments = places.into_iter().map(|(place, _)| Expr::Load(place)).collect();
        let (name, message) = (wording::reference(over), self.paths(variable).join(","));
        let take = Action::Receive { queue: queue.clone(), patterns, random: false, keep: false };
        let put = Action::Send { queue: queue.clone(), arguments, sorted: false };
        let fetch = vec![(take, format!("{name}?{message}")), (put, format!("{name}!{message}"))];
        let to = Expr::Probe(Probe::Len, queue);
        let words = ("_".to_owned(), ["0".to_owned(), format!("len({name})")]);
        Some(Head { counter, from: Expr::Const(0), to, test: BinaryOp::Less, fetch, words })
    }

    /// Literal bounds near each other, outside inlines: `if :: i = a :: i = a + 1 ...
    /// fi`; else `i = a; do :: break :: i < b -> i++ od`. SPIN reads the bounds in the
    /// text of the file, which it does not see inside an inline.
    pub(super) fn select(
        &mut self,
        variable: &Word,
        range: &Range,
        span: Span,
        before: &mut Code,
    ) -> Option<Kind> {
        let (place, _) = self.scalar(&reference(variable))?;
        let Range::Between(bounds) = range else { return None };
        let [from, to] = &**bounds;
        let basic = |action, text| made(action, span, text);
        let name = variable.name.as_str();
        if let (ExprKind::Number(from), ExprKind::Number(to)) = (&from.kind, &to.kind)
            && self.scope.instances.is_empty()
            && (0..=SELECT_MAX).contains(&(i64::from(*to) - i64::from(*from)))
        {
            let assign = |value| {
                let action = Action::Assign(place.clone(), Expr::Const(value));
                vec![basic(action, format!("{name} = {value}"))]
            };
            let options = (*from..=*to).map(assign).collect();
            return Some(Kind::Choice { looping: false, options, last: None, written: false });
        }
        let words = [from, to].map(wording::expression);
        let (from, to) = (self.value(from), self.value(to));
        let begin = format!("{name} = {}", words[0]);
        before.push(basic(Action::Assign(place.clone(), from), begin));
        let counter = || Box::new(Expr::Load(place.clone()));
        let test = Expr::Binary(BinaryOp::Less, counter(), Box::new(to));
        let next = Expr::Binary(BinaryOp::Add, counter(), Box::new(Expr::Const(1)));
        let onward = vec![
            asked(test, span, (name, "<", &words[1])),
            counted(Action::Assign(place.clone(), next), span, name),
        ];
        // To go no further is a choice here, and a step.
        let wording = Wording::Made(Name::new("break"));
        let options = vec![onward, vec![Stmt { wording, ..left(span) }]];
        // SPIN makes the way on first, and asks it last.
        Some(Kind::Choice { looping: true, options, last: Some(0), written: false })
    }
}

/// What a loop counts and how.
struct Head {
    counter: Place,
    from: Expr,
    to: Expr,
    test: BinaryOp,
    /// What each round does first.
    fetch: Vec<(Action, String)>,
    /// The counter and the bounds in SPIN's words.
    words: (String, [String; 2]),
}

/// A statement that a loop is short for, the same in SPIN's words and in those of people.
fn made(action: Action, span: Span, text: String) -> Stmt {
    let wording = Wording::Made(Name::new(&text));
    Stmt { wording, ..unlabelled(Kind::Basic(action), span, text) }
}

/// The condition of a loop: its counter, sign and bound.
fn asked(test: Expr, span: Span, (name, sign, bound): (&str, &str, &str)) -> Stmt {
    let text = format!("(({name}{sign}{bound}))");
    let wording = Wording::Made(Name::new(&format!("{name} {sign} {bound}")));
    Stmt { text, wording, ..made(Action::Condition(test), span, String::new()) }
}

/// The next round of a loop.
fn counted(action: Action, span: Span, name: &str) -> Stmt {
    let text = format!("{name} = ({name}+1)");
    let wording = Wording::Made(Name::new(&format!("{name}++")));
    Stmt { text, wording, ..made(action, span, String::new()) }
}

/// The end of a loop.
fn left(span: Span) -> Stmt {
    Stmt { wording: Wording::Join, ..unlabelled(Kind::Break, span, String::new()) }
}

fn reference(variable: &Word) -> Reference {
    let part = Part { name: variable.clone(), index: None };
    Reference { parts: vec![part], span: variable.span }
}
