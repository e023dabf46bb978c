//! Declarations: variables of the program and of proctypes.

use super::Lowerer;
use super::scope::Symbol;
use super::types::{Field, Type};
use crate::tree::{self, Declaration, Declarator, Item, Tree, TypeName};
use base::{Diagnostic, Id, IdVec, Name, Span};
use program::{ChannelType, Initial, Scalar, Variable, VariableId};

/// Elements of one array, and slots of one channel.
const LENGTH_MAX: i32 = 65535;
/// Scalars all globals, or all locals of one proctype, may have together.
const SCALARS_MAX: u64 = 1 << 24;

impl Lowerer {
    pub(super) fn globals(&mut self, tree: &Tree) {
        for item in &tree.items {
            let Item::Declaration(declaration) = item else { continue };
            for declarator in &declaration.variables {
                self.global(declaration, declarator);
            }
        }
    }

    fn global(&mut self, declaration: &Declaration, declarator: &Declarator) {
        let Some(field) = self.field(declaration, declarator) else { return };
        let name = &declarator.name;
        let known = self.symbols.get(&name.name).map(|symbol| symbol.span);
        if let Some(first) = known.or(self.constants.get(&name.name).map(|(_, span)| *span)) {
            self.redeclared("the variable", name, first);
            return;
        }
        let mut variables = std::mem::take(&mut self.globals);
        let symbol = self.declare(&field, name, declaration.hidden, &mut variables);
        self.globals = variables;
        self.symbols.insert(name.name.clone(), Symbol { local: false, ..symbol });
    }

    /// Adds the leaves of a variable to `variables`.
    pub(super) fn declare(
        &mut self,
        field: &Field,
        name: &tree::Word,
        hidden: bool,
        variables: &mut IdVec<VariableId, Variable>,
    ) -> Symbol {
        let first = VariableId::new(variables.len());
        let all: u64 = variables.iter().map(|known| u64::from(known.length)).sum();
        let leaves = self.flatten(field);
        let total: u64 = leaves.iter().map(|leaf| leaf.length).sum();
        if all.saturating_add(total) > SCALARS_MAX {
            let found = Diagnostic::error("M0024", name.span, "the variables are too large")
                .label(format!("more than {SCALARS_MAX} scalars together"))
                .help("make arrays shorter");
            self.report(found);
        }
        for leaf in leaves {
            variables.push(Variable {
                name: Name::new(&format!("{}{}", name.name, leaf.path)),
                span: name.span,
                scalar: leaf.scalar,
                length: u32::try_from(leaf.length.min(SCALARS_MAX)).unwrap_or(1),
                is_array: leaf.is_array,
                initial: leaf.initial,
                hidden,
                unread: false,
                channel: leaf.channel,
            });
        }
        let (of, length) = (field.of, field.length);
        Symbol { span: name.span, first, of, length, local: true }
    }

    /// A declarator as a field: its type, length and initial value.
    /// The initial value of a local is read later, where its names are known.
    pub(super) fn field(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
    ) -> Option<Field> {
        let mut of = self.type_of(&declaration.of)?;
        if let Some(width) = &declarator.width {
            let bits = self.constant(width, "the width", 0..=31).unwrap_or(1);
            // SPIN takes 0 for 16, with a warning.
            let bits = if bits == 0 { 16 } else { bits as u8 };
            match declaration.of {
                TypeName::Unsigned => of = Type::Scalar(Scalar::Unsigned(bits)),
                _ => self.width_without_unsigned(width),
            }
        }
        let length = declarator.length.as_ref().map(|length| {
            self.constant(length, "the length of an array", 1..=LENGTH_MAX).unwrap_or(1) as u32
        });
        let mut field = Field {
            name: declarator.name.name.clone(),
            span: declarator.name.span,
            of,
            length,
            initial: Initial::Zero,
            channel: None,
        };
        match &declarator.initial {
            Some(tree::Initial::Value(_)) if self.scope.surveying => {}
            Some(initial) => self.initial(initial, &mut field),
            None => {}
        }
        Some(field)
    }

    fn width_without_unsigned(&mut self, width: &tree::Expr) {
        let found = Diagnostic::error("M0024", width.span, "only `unsigned` has a width")
            .label("not here")
            .help("write `unsigned x : 3`");
        self.report(found);
    }

    fn initial(&mut self, initial: &tree::Initial, field: &mut Field) {
        match initial {
            tree::Initial::Value(value) => {
                if let Type::Structure(_) = field.of {
                    self.value(value);
                    self.ignored_initial(value.span);
                    return;
                }
                let may_run = std::mem::replace(&mut self.scope.may_run, false);
                field.initial = Initial::Value(self.expr(value));
                self.scope.may_run = may_run;
            }
            tree::Initial::List(values) => {
                if field.length.is_none() {
                    let span = values.first().map_or(field.span, |value| value.span);
                    let found = Diagnostic::error("M0016", span, "a list of values needs an array")
                        .label(format!("`{}` is a scalar", field.name))
                        .help(format!("write `{}[{}] = {{ ... }}`", field.name, values.len()));
                    self.report(found);
                    return;
                }
                if let (Type::Structure(_), Some(first)) = (field.of, values.first()) {
                    self.ignored_initial(first.span);
                }
                field.initial = Initial::List(self.elements(values, field));
            }
            tree::Initial::Channel { capacity, fields } => {
                let channel = self.channel_type(capacity, fields);
                if field.of != Type::Scalar(Scalar::Chan) {
                    let found = Diagnostic::error("M0015", field.span, "only `chan` has slots")
                        .label("not a channel")
                        .help(format!("write `chan {} = [n] of {{ ... }}`", field.name));
                    self.report(found);
                    return;
                }
                field.channel = Some(channel.clone());
                field.initial = Initial::Channel(channel);
            }
        }
    }

    /// The initial values of all elements. As in SPIN, where the list is too short the last value
    /// goes on, and what is too many is left out.
    fn elements(&mut self, list: &[tree::Expr], field: &Field) -> Vec<i32> {
        let values = list.iter().map(|value| {
            self.constant(value, "a value in a list", i32::MIN..=i32::MAX).unwrap_or(0)
        });
        let mut values: Vec<i32> = values.collect();
        let (given, length) = (values.len(), field.length.map_or(1, |length| length as usize));
        let last = values.last().copied().unwrap_or(0);
        values.resize(length, last);
        // A list that ends with 0 is completed as everybody expects.
        let surprise = given > length || (given < length && last != 0);
        if let (Type::Scalar(_), true, [first, ..]) = (field.of, surprise, list) {
            let rest = match given < length {
                true => format!("the other {} begin with {last}, as the last one", length - given),
                false => format!("what follows the first {length} is left out"),
            };
            let message = format!("{given} values for the {length} elements of `{}`", field.name);
            let found = Diagnostic::warning("N0021", first.span, message)
                .label(rest)
                .help("give each element its value");
            self.report(found);
        }
        values
    }

    /// SPIN reads the value, and forgets it.
    pub(super) fn ignored_initial(&mut self, span: Span) {
        let found =
            Diagnostic::warning("N0015", span, "the initial value of a structure is ignored")
                .label("all fields begin as the typedef says")
                .help("give the fields their values in the typedef, or assign them");
        self.report(found);
    }

    fn channel_type(&mut self, capacity: &tree::Expr, fields: &[TypeName]) -> ChannelType {
        let capacity =
            self.constant(capacity, "the number of slots", 0..=LENGTH_MAX).unwrap_or(0) as u32;
        let mut scalars = Vec::new();
        for field in fields {
            if let Some(of) = self.type_of(field) {
                scalars.extend(self.scalars(of));
            }
        }
        // A bit that is the whole message has a byte in SPIN, like one in an array.
        if let [Scalar::Bit | Scalar::Bool] = scalars[..] {
            scalars[0] = Scalar::Byte;
        }
        self.widest = self.widest.max(scalars.len());
        self.handshakes |= capacity == 0;
        ChannelType { capacity, fields: scalars }
    }
}
