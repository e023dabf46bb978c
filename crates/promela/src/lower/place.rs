//! References: from `a[i].b` to a scalar leaf and its subscripts.

use super::Lowerer;
use super::scope::Expected;
use super::types::Type;
use crate::tree::{Part, Reference};
use base::{Diagnostic, Name};
use program::{Expr, Place, Scalar, Subscript};

/// What a reference turned out to be.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    /// For a structure, its first leaf.
    pub(super) place: Place,
    pub(super) of: Type,
    /// The bounds of the subscripts, outermost first.
    bounds: Vec<u32>,
}

impl Lowerer {
    /// The variable `reference` names; reports what is wrong with it.
    pub(super) fn resolve(&mut self, reference: &Reference) -> Option<Resolved> {
        let first = reference.parts.first()?;
        let Some(symbol) = self.find(&first.name.name).cloned() else {
            self.undeclared(reference);
            return None;
        };
        self.resolve_from(&symbol, reference)
    }

    /// The same, where the first name is known to be `symbol`.
    pub(super) fn resolve_from(
        &mut self,
        symbol: &super::Symbol,
        reference: &Reference,
    ) -> Option<Resolved> {
        let (mut of, mut length, mut offset) = (symbol.of, symbol.length, 0);
        let mut indices = Vec::new();
        for (place, part) in reference.parts.iter().enumerate() {
            if place > 0 {
                let Type::Structure(structure) = of else {
                    self.not_a_structure(&reference.parts[place - 1], part);
                    return None;
                };
                let fields = &self.structures[structure].fields;
                let Some(index) = fields.iter().position(|field| field.name == part.name.name)
                else {
                    self.unknown_field(structure, part);
                    return None;
                };
                offset += fields[..index].iter().map(|field| self.leaves(field.of)).sum::<usize>();
                (of, length) = (fields[index].of, fields[index].length);
            }
            match (length, &part.index) {
                (Some(bound), Some(index)) => {
                    let index = self.expecting(Expected::Value, |it| it.value(index));
                    indices.push((index, bound));
                }
                (None, None) => {}
                (Some(_), None) => {
                    self.without_index(part);
                    indices.push((Expr::Const(0), 1));
                }
                (None, Some(index)) => {
                    let index = index.span;
                    self.not_an_array(part, index);
                }
            }
        }
        let variable = symbol.leaf(offset);
        let bounds = indices.iter().map(|(_, bound)| *bound).collect();
        Some(Resolved { place: Place { variable, subscripts: strided(indices, 1) }, of, bounds })
    }

    /// A reference that must be a scalar.
    pub(super) fn scalar(&mut self, reference: &Reference) -> Option<(Place, Scalar)> {
        let resolved = self.resolve(reference)?;
        match resolved.of {
            Type::Scalar(scalar) => Some((resolved.place, scalar)),
            Type::Structure(_) => {
                let message = format!("`{}` is a whole structure", text(reference));
                let found = Diagnostic::error("M0016", reference.span, message)
                    .label("a single value is needed")
                    .help("name one of its fields, as in `s.a`");
                self.report(found);
                None
            }
        }
    }

    /// All scalars of what `reference` names, as separate places.
    pub(super) fn spread(&mut self, resolved: &Resolved) -> Vec<(Place, Scalar)> {
        let mut places = Vec::new();
        self.spread_into(resolved, 0, &mut Vec::new(), resolved.of, &mut places);
        places
    }

    fn spread_into(
        &self,
        whole: &Resolved,
        offset: usize,
        inner: &mut Vec<(Expr, u32)>,
        of: Type,
        places: &mut Vec<(Place, Scalar)>,
    ) {
        let structure = match of {
            Type::Scalar(scalar) => {
                places.push((whole.element(offset, inner), scalar));
                return;
            }
            Type::Structure(structure) => structure,
        };
        let mut offset = offset;
        for field in &self.structures[structure].fields {
            for index in 0..field.length.unwrap_or(1) {
                if let Some(bound) = field.length {
                    inner.push((Expr::Const(index as i32), bound));
                }
                self.spread_into(whole, offset, inner, field.of, places);
                if field.length.is_some() {
                    inner.pop();
                }
            }
            offset += self.leaves(field.of);
        }
    }

    fn undeclared(&mut self, reference: &Reference) {
        let [part, fields @ ..] = reference.parts.as_slice() else { return };
        let name = &part.name.name;
        let visible = self.visible();
        let declaration = match (self.scope.expected, fields.first(), &part.index) {
            (Expected::Channel, ..) => format!("chan {name} = [1] of {{ byte }};"),
            (_, Some(field), _) => {
                format!("typedef T {{ byte {} }}; T {name};", field.name.name)
            }
            (_, None, Some(_)) => format!("byte {name}[8];"),
            (Expected::Message, ..) => format!("mtype = {{ {name} }};"),
            (Expected::Value, ..) => format!("byte {name};"),
        };
        let otherwise = format!("declare it, for instance `{declaration}`");
        let remote = fields.first().filter(|_| self.proctypes.contains_key(name));
        // A formula or claim is outside all proctypes.
        let mut owners = self.drafts.iter().filter(|draft| draft.names.contains_key(name));
        let help = match (remote, owners.next().filter(|_| self.scope.watches)) {
            (Some(local), _) => {
                format!("write `{name}:{}` for the variable of that process", local.name.name)
            }
            (None, Some(owner)) => {
                format!("write `{}:{name}` for the local variable of that process", owner.name)
            }
            (None, None) => self.suggestion(name, visible.iter(), &otherwise),
        };
        let found = Diagnostic::error("M0007", part.name.span, format!("`{name}` is not declared"))
            .label("unknown here")
            .help(help);
        self.report_unknown(found);
    }

    fn not_a_structure(&mut self, before: &Part, part: &Part) {
        let message = format!("`{}` is not a structure", before.name.name);
        let found = Diagnostic::error("M0026", part.name.span, message)
            .label("it has no fields")
            .help("only variables of a typedef have fields");
        self.report(found);
    }

    fn unknown_field(&mut self, structure: usize, part: &Part) {
        let known = &self.structures[structure];
        let message = format!("`{}` has no field `{}`", known.name.name, part.name.name);
        let names = known.fields.iter().map(|field| &field.name);
        let help = self.suggestion(&part.name.name, names, "look at its typedef");
        let found = Diagnostic::error("M0026", part.name.span, message)
            .label("unknown field")
            .other(known.name.span, "declared here")
            .help(help);
        self.report(found);
    }

    fn without_index(&mut self, part: &Part) {
        let name = &part.name.name;
        let found = Diagnostic::error("M0016", part.name.span, format!("`{name}` is an array"))
            .label("which element?")
            .help(format!("write `{name}[0]`"));
        self.report(found);
    }

    fn not_an_array(&mut self, part: &Part, index: base::Span) {
        let name = &part.name.name;
        let found = Diagnostic::error("M0016", index, format!("`{name}` is not an array"))
            .label("no index possible")
            .help(format!("remove the index, or declare `{name}` as an array"));
        self.report(found);
    }
}

impl Resolved {
    /// The element of the leaf `offset` further on, inside the same outer elements.
    fn element(&self, offset: usize, inner: &[(Expr, u32)]) -> Place {
        use base::Id;
        use program::{VariableId, VariableRef};
        let shift = |id: VariableId| VariableId::new(id.index() + offset);
        let variable = match self.place.variable {
            VariableRef::Global(id) => VariableRef::Global(shift(id)),
            VariableRef::Local(id) => VariableRef::Local(shift(id)),
        };
        let outer = self.place.subscripts.iter().zip(&self.bounds);
        let outer = outer.map(|(subscript, bound)| (subscript.index.clone(), *bound));
        let all = outer.chain(inner.iter().cloned()).collect();
        Place { variable, subscripts: strided(all, 1) }
    }
}

/// Subscripts from indices and bounds: the last one moves by `unit`.
fn strided(indices: Vec<(Expr, u32)>, unit: u32) -> Vec<Subscript> {
    let mut stride = unit;
    let mut subscripts: Vec<Subscript> = Vec::new();
    for (index, bound) in indices.into_iter().rev() {
        subscripts.push(Subscript { index, bound, stride });
        stride = stride.saturating_mul(bound);
    }
    subscripts.reverse();
    subscripts
}

/// A reference as the user wrote it, indices shortened.
pub(super) fn text(reference: &Reference) -> Name {
    use crate::tree::ExprKind;
    let mut text = String::new();
    for (place, part) in reference.parts.iter().enumerate() {
        if place > 0 {
            text.push('.');
        }
        text.push_str(&part.name.name);
        match part.index.as_ref().map(|index| &index.kind) {
            None => {}
            Some(ExprKind::Number(number)) => text.push_str(&format!("[{number}]")),
            Some(ExprKind::Variable(inner)) if inner.parts.len() == 1 => {
                text.push_str(&format!("[{}]", inner.parts[0].name.name));
            }
            Some(_) => text.push_str("[...]"),
        }
    }
    Name::new(&text)
}
