//! Types, and structures as lists of scalar leaves.

use super::Lowerer;
use crate::tree::{Item, Tree, TypeName, Word};
use base::{Diagnostic, Id, Name, Span};
use program::{ChannelType, Initial, Scalar};

/// Scalars one message may have; a structure with arrays has many.
const FIELDS_MAX: usize = 4096;

/// The type of a variable or field, arrays aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Scalar(Scalar),
    /// The position in `Lowerer::structures`.
    Structure(usize),
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    pub(super) name: Word,
    pub(super) fields: Vec<Field>,
    /// Scalars and arrays of scalars it comes down to.
    pub(super) leaves: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: Name,
    pub(super) span: Span,
    pub(super) of: Type,
    pub(super) length: Option<u32>,
    pub(super) initial: Initial,
    pub(super) channel: Option<ChannelType>,
}

/// A scalar, or array of scalars, that a variable comes down to.
pub(super) struct Leaf {
    /// `.a.b`, empty for the variable itself.
    pub(super) path: String,
    pub(super) scalar: Scalar,
    /// Elements, all dimensions multiplied.
    pub(super) length: u64,
    /// Whether the leaf itself was declared as an array.
    pub(super) is_array: bool,
    pub(super) initial: Initial,
    pub(super) channel: Option<ChannelType>,
}

impl Lowerer {
    pub(super) fn structures(&mut self, tree: &Tree) {
        for item in &tree.items {
            let Item::Typedef(typedef) = item else { continue };
            let first = self.structures.iter().find(|known| known.name.name == typedef.name.name);
            if let Some(first) = first.map(|known| known.name.span) {
                self.redeclared("the type", &typedef.name, first);
                continue;
            }
            let mut fields: Vec<Field> = Vec::new();
            for declaration in &typedef.fields {
                for declarator in &declaration.variables {
                    let Some(field) = self.field(declaration, declarator) else { continue };
                    if let Some(first) = fields.iter().find(|known| known.name == field.name) {
                        let first = first.span;
                        self.redeclared("the field", &declarator.name, first);
                        continue;
                    }
                    fields.push(field);
                }
            }
            let leaves = fields.iter().map(|field| self.leaves(field.of)).sum();
            self.structures.push(Structure { name: typedef.name.clone(), fields, leaves });
        }
    }

    /// How many scalar leaves a type has.
    pub(super) fn leaves(&self, of: Type) -> usize {
        match of {
            Type::Scalar(_) => 1,
            Type::Structure(structure) => self.structures[structure].leaves,
        }
    }

    pub(super) fn type_of(&mut self, name: &TypeName) -> Option<Type> {
        let scalar = match name {
            TypeName::Bit => Scalar::Bit,
            TypeName::Bool => Scalar::Bool,
            TypeName::Byte => Scalar::Byte,
            TypeName::Pid => Scalar::Pid,
            TypeName::Short => Scalar::Short,
            TypeName::Int => Scalar::Int,
            // SPIN's width when none is given.
            TypeName::Unsigned => Scalar::Unsigned(16),
            TypeName::Chan => Scalar::Chan,
            TypeName::Mtype(None) => Scalar::Mtype(Id::new(0)),
            TypeName::Mtype(Some(set)) => match self.sets.get(&set.name) {
                Some(set) => Scalar::Mtype(*set),
                None => {
                    self.unknown_set(set);
                    Scalar::Mtype(Id::new(0))
                }
            },
            TypeName::User(name) => return self.structure(name),
        };
        Some(Type::Scalar(scalar))
    }

    fn unknown_set(&mut self, set: &Word) {
        let help = self.suggestion(
            &set.name,
            self.sets.keys(),
            "declare it before: mtype:NAME = { constants }",
        );
        let message = format!("there is no `mtype:{}`", set.name);
        let found = Diagnostic::error("M0025", set.span, message).label("unknown set").help(help);
        self.report_unknown(found);
    }

    fn structure(&mut self, name: &Word) -> Option<Type> {
        let known = self.structures.iter().position(|known| known.name.name == name.name);
        if known.is_none() {
            let names = self.structures.iter().map(|known| &known.name.name);
            let help = self.suggestion(
                &name.name,
                names,
                "declare it before its first use: typedef NAME { fields }",
            );
            let message = format!("there is no type `{}`", name.name);
            let found =
                Diagnostic::error("M0025", name.span, message).label("unknown type").help(help);
            self.report_unknown(found);
        }
        known.map(Type::Structure)
    }

    /// The scalars a value of this type consists of, arrays element by element.
    pub(super) fn scalars(&self, of: Type) -> Vec<Scalar> {
        let structure = match of {
            Type::Scalar(scalar) => return vec![scalar],
            Type::Structure(structure) => structure,
        };
        let mut scalars = Vec::new();
        for field in &self.structures[structure].fields {
            let inner = self.scalars(field.of);
            for _ in 0..field.length.unwrap_or(1) {
                if scalars.len() < FIELDS_MAX {
                    scalars.extend_from_slice(&inner);
                }
            }
        }
        scalars
    }

    /// The leaves of a field or variable, in order.
    pub(super) fn flatten(&self, field: &Field) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.flatten_into(field, String::new(), 1, &mut leaves);
        leaves
    }

    fn flatten_into(&self, field: &Field, path: String, outer: u64, leaves: &mut Vec<Leaf>) {
        let length = outer.saturating_mul(u64::from(field.length.unwrap_or(1)));
        match field.of {
            Type::Scalar(scalar) => leaves.push(Leaf {
                path,
                scalar,
                length,
                is_array: field.length.is_some(),
                initial: repeated(&field.initial, outer),
                channel: field.channel.clone(),
            }),
            Type::Structure(structure) => {
                for inner in &self.structures[structure].fields {
                    let path = format!("{path}.{}", inner.name);
                    self.flatten_into(inner, path, length, leaves);
                }
            }
        }
    }
}

/// The list of an array inside an array of structures, once per structure.
fn repeated(initial: &Initial, times: u64) -> Initial {
    match initial {
        Initial::List(values) if times > 1 => {
            let times = usize::try_from(times).unwrap_or(usize::MAX).min(1 << 16);
            Initial::List(values.repeat(times))
        }
        other => other.clone(),
    }
}
