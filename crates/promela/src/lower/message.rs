//! Channels, and the fields of messages; a structure counts as its fields.

use super::Lowerer;
use super::place::text;
use super::scope::Expected;
use super::types::Type;
use crate::tree::{self, ExprKind, Reference};
use crate::wording;
use base::{Diagnostic, Span};
use program::{Action, Expr, Pattern, Place, Queue, Scalar};

impl Lowerer {
    /// A reference that must be a channel.
    pub(super) fn queue(&mut self, reference: &Reference) -> Option<Queue> {
        let name = text(reference);
        let (place, scalar) = self.expecting(Expected::Channel, |it| it.scalar(reference))?;
        if scalar != Scalar::Chan {
            let found =
                Diagnostic::error("M0015", reference.span, format!("`{name}` is no channel"))
                    .label("declared with another type")
                    .help("messages go through variables of type `chan`");
            self.report(found);
            return None;
        }
        Some(Queue { number: Box::new(Expr::Load(place)), name })
    }

    /// The values of a message or a `run`, structures field by field.
    pub(super) fn arguments(&mut self, arguments: &[tree::Expr]) -> Vec<Expr> {
        let mut values = Vec::new();
        for argument in arguments {
            match self.whole_structure(argument) {
                Some(places) => {
                    values.extend(places.into_iter().map(|(place, _)| Expr::Load(place)));
                }
                None => values.push(self.field_value(argument)),
            }
        }
        values
    }

    /// A field of a message; a name that stands for it alone is mostly a kind of message.
    fn field_value(&mut self, field: &tree::Expr) -> Expr {
        match &field.kind {
            ExprKind::Variable(reference) if self.scope.watches && is_anything(reference) => {
                // A send of an event trace: whatever is no constant stands for any value.
                Expr::Pid
            }
            ExprKind::Variable(_) => self.expecting(Expected::Message, |it| it.value(field)),
            _ => self.value(field),
        }
    }

    /// The scalars of an expression that names a structure.
    fn whole_structure(&mut self, expr: &tree::Expr) -> Option<Vec<(Place, Scalar)>> {
        let ExprKind::Variable(reference) = &expr.kind else { return None };
        self.is_structure(reference).then_some(())?;
        let resolved = self.resolve(reference)?;
        Some(self.spread(&resolved))
    }

    /// Whether `reference` names a structure; reports nothing.
    pub(super) fn is_structure(&self, reference: &Reference) -> bool {
        matches!(self.named_type(reference), Some(Type::Structure(_)))
    }

    /// The type of what `reference` names, if it names anything.
    fn named_type(&self, reference: &Reference) -> Option<Type> {
        let (first, rest) = reference.parts.split_first()?;
        rest.iter().try_fold(self.find(&first.name.name)?.of, |of, part| {
            let Type::Structure(structure) = of else { return None };
            let mut fields = self.structures[structure].fields.iter();
            Some(fields.find(|field| field.name == part.name.name)?.of)
        })
    }

    /// The names of the scalars a structure comes down to.
    pub(super) fn paths(&self, reference: &Reference) -> Vec<String> {
        let Some(of) = self.named_type(reference) else { return Vec::new() };
        let mut paths = Vec::new();
        self.paths_below(&wording::reference(reference), of, &mut paths);
        paths
    }

    fn paths_below(&self, name: &str, of: Type, paths: &mut Vec<String>) {
        let Type::Structure(structure) = of else { return paths.push(name.to_owned()) };
        for field in &self.structures[structure].fields {
            match field.length {
                None => self.paths_below(&format!("{name}.{}", field.name), field.of, paths),
                Some(length) => (0..length).for_each(|index| {
                    self.paths_below(&format!("{name}.{}[{index}]", field.name), field.of, paths);
                }),
            }
        }
    }

    pub(super) fn send(
        &mut self,
        queue: &Reference,
        arguments: &[tree::Expr],
        sorted: bool,
    ) -> Option<Action> {
        let found = self.queue(queue);
        let arguments = self.arguments(arguments);
        let found = found?;
        self.width(arguments.len(), queue.span, |at, text| Diagnostic::error("M0018", at, text));
        Some(Action::Send { queue: found, arguments, sorted })
    }

    /// Too many fields for any channel there is. SPIN refuses to send them, and lets a receive
    /// of them fail when it is executed.
    fn width(&mut self, fields: usize, span: Span, severity: fn(Span, String) -> Diagnostic) {
        if fields <= self.widest || self.broken {
            return;
        }
        let found = severity(span, format!("a message of {fields} fields"))
            .label("too many")
            .note(format!("the widest channel of the model has {}", self.widest))
            .help("leave some out, or give the channel more fields");
        self.report(found);
    }

    pub(super) fn receive(
        &mut self,
        queue: &Reference,
        patterns: &[tree::Pattern],
        random: bool,
        keep: bool,
    ) -> Option<Action> {
        if queue.parts.len() == 1 && queue.parts[0].name.name.as_str() == "STDIN" {
            self.standard_input(queue.span);
            return None;
        }
        let found = self.queue(queue);
        let patterns = self.patterns(patterns);
        let found = found?;
        self.width(patterns.len(), queue.span, |at, text| Diagnostic::warning("N0018", at, text));
        self.twice(&patterns, queue.span);
        Some(Action::Receive { queue: found, patterns, random, keep })
    }

    fn standard_input(&mut self, span: Span) {
        let found = Diagnostic::error("M0023", span, "a model cannot read the keyboard")
            .label("STDIN")
            .note("what a user types is not part of the model, so no search can cover it")
            .help("let another process send the input, choosing among what is possible");
        self.report(found);
    }

    /// One variable for two fields: which value stays?
    fn twice(&mut self, patterns: &[Pattern], span: Span) {
        for (place, pattern) in patterns.iter().enumerate() {
            let Pattern::Store(stored) = pattern else { continue };
            let again = patterns[..place].contains(pattern);
            if again && stored.subscripts.is_empty() {
                let found = Diagnostic::error("M0036", span, "a variable is received twice")
                    .label("two fields go to the same variable")
                    .help("use two variables, or `_` for a field you do not need");
                self.report(found);
                return;
            }
        }
    }

    pub(super) fn poll(
        &mut self,
        queue: &Reference,
        patterns: &[tree::Pattern],
        random: bool,
    ) -> Expr {
        let found = self.queue(queue);
        // A poll stores nothing: a variable matches any value.
        let anything = |pattern| match pattern {
            Pattern::Store(_) => Pattern::Any,
            other => other,
        };
        let patterns: Vec<Pattern> = self.patterns(patterns).into_iter().map(anything).collect();
        let Some(found) = found else { return Expr::Const(0) };
        self.width(patterns.len(), queue.span, |at, text| Diagnostic::warning("N0018", at, text));
        Expr::Poll { queue: found, patterns, random }
    }

    /// How many messages are of a kind. A name of a variable stands for its value.
    pub(super) fn count_messages(
        &mut self,
        queue: &Reference,
        patterns: &[tree::Pattern],
        head: bool,
    ) -> Expr {
        let found = self.queue(queue);
        let mut lowered = Vec::new();
        for pattern in patterns {
            lowered.push(match pattern {
                tree::Pattern::Any => Pattern::Any,
                tree::Pattern::Value(value) => Pattern::Match(self.value(value)),
                tree::Pattern::Variable(reference) => {
                    let (span, kind) = (reference.span, ExprKind::Variable(reference.clone()));
                    let value = tree::Expr { span, kind, height: 1 };
                    Pattern::Match(self.field_value(&value))
                }
            });
        }
        self.width(lowered.len(), queue.span, |at, text| Diagnostic::error("M0018", at, text));
        let messages = |queue| Expr::Messages { queue, patterns: lowered, head };
        found.map_or(Expr::Const(0), messages)
    }

    fn patterns(&mut self, patterns: &[tree::Pattern]) -> Vec<Pattern> {
        let mut lowered = Vec::new();
        for pattern in patterns {
            match pattern {
                tree::Pattern::Any => lowered.push(Pattern::Any),
                tree::Pattern::Value(value) => match self.whole_structure(value) {
                    Some(places) => {
                        let loads = places.into_iter().map(|(place, _)| Expr::Load(place));
                        lowered.extend(loads.map(Pattern::Match));
                    }
                    None => lowered.push(Pattern::Match(self.value(value))),
                },
                tree::Pattern::Variable(reference) => {
                    self.variable_pattern(reference, &mut lowered)
                }
            }
        }
        lowered
    }

    fn variable_pattern(&mut self, reference: &Reference, lowered: &mut Vec<Pattern>) {
        if let [part] = reference.parts.as_slice()
            && self.find(&part.name.name).is_none()
        {
            if let Some((value, _)) = self.constants.get(&part.name.name) {
                lowered.push(Pattern::Match(Expr::Const(*value)));
                return;
            }
            if let Some(value) = self.built_in(&part.name) {
                let name = &part.name.name;
                let found =
                    Diagnostic::error("M0017", part.name.span, format!("`{name}` is fixed"))
                        .label("cannot be received into")
                        .help(format!("to wait for its value write `eval({name})`"));
                self.report(found);
                lowered.push(Pattern::Match(value));
                return;
            }
        }
        if is_own_number(reference) {
            self.overwritten_pid(reference.span);
        }
        match self.expecting(Expected::Message, |it| it.resolve(reference)) {
            Some(resolved) => {
                let places = self.spread(&resolved);
                lowered.extend(places.into_iter().map(|(place, _)| Pattern::Store(place)));
            }
            None => lowered.push(Pattern::Any),
        }
    }

    fn overwritten_pid(&mut self, span: Span) {
        let found = Diagnostic::warning("N0019", span, "`_pid` is overwritten by what is received")
            .label("from here on it is no longer the number of this process")
            .help("to wait for its value write `eval(_pid)`");
        self.report(found);
    }
}

/// Whether this is `_`.
fn is_anything(reference: &Reference) -> bool {
    matches!(reference.parts.as_slice(), [part] if part.name.name.as_str() == "_")
}

/// Whether this is `_pid`.
fn is_own_number(reference: &Reference) -> bool {
    matches!(reference.parts.as_slice(), [part] if part.name.name.as_str() == "_pid")
}

/// Whether a receive stores into `_pid`.
pub(super) fn overwrites_pid(patterns: &[tree::Pattern]) -> bool {
    patterns.iter().any(
        |pattern| matches!(pattern, tree::Pattern::Variable(reference) if is_own_number(reference)),
    )
}
