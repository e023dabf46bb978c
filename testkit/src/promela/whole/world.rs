//! What a random model has: types, variables, channels, proctypes. Statements and
//! expressions are drawn from it.

use super::text::Piece;
use crate::Random;

/// Types of scalars, with the share of each.
const SCALARS: [(usize, &str); 8] = [
    (3, "bit"),
    (2, "bool"),
    (6, "byte"),
    (2, "short"),
    (2, "int"),
    (2, "unsigned"),
    (3, "mtype"),
    (1, "pid"),
];

/// Something that can be read and assigned.
#[derive(Clone)]
pub(super) struct Variable {
    /// How it is written, without its own index.
    pub(super) text: String,
    pub(super) kind: &'static str,
    /// The elements of an array.
    pub(super) length: Option<usize>,
}

/// What the messages of a channel are made of, and whether it has slots. Channels
/// are assigned to each other only within a shape, so most uses fit.
#[derive(Clone)]
pub(super) struct Shape {
    pub(super) fields: Vec<&'static str>,
    pub(super) buffered: bool,
}

#[derive(Clone)]
pub(super) struct Channel {
    pub(super) text: String,
    pub(super) shape: usize,
    pub(super) length: Option<usize>,
    /// A variable that holds a channel, and may get another one.
    pub(super) assignable: bool,
}

/// A parameter of a proctype.
#[derive(Clone)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) kind: &'static str,
    /// For channels.
    pub(super) shape: usize,
}

#[derive(Clone)]
pub(super) struct Signature {
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    /// Labels others may ask for.
    pub(super) labels: Vec<String>,
}

/// What a whole model may contain.
#[derive(Clone, Copy)]
pub(super) struct Taste {
    /// Priorities; then no rendezvous, which SPIN cannot compile together.
    pub(super) priorities: bool,
    pub(super) rendezvous: bool,
    /// Indices and divisors that may be wrong.
    pub(super) careless: bool,
    pub(super) claim: bool,
    /// Remote references and `enabled`.
    pub(super) remote: bool,
    /// `_last`.
    pub(super) last: bool,
}

pub(super) struct World {
    pub(super) draw: Random,
    pub(super) taste: Taste,
    pub(super) variables: Vec<Variable>,
    pub(super) channels: Vec<Channel>,
    pub(super) shapes: Vec<Shape>,
    pub(super) mtypes: Vec<String>,
    pub(super) proctypes: Vec<Signature>,
    /// Which of them is being written.
    pub(super) current: usize,
    /// Names of inlines; each takes a variable and a value.
    pub(super) inlines: Vec<String>,
    /// Labels of the proctype at hand that a `goto` may name.
    pub(super) labels: Vec<String>,
    /// Statements that may still be written in the body at hand.
    pub(super) budget: usize,
    /// Makes names of late declarations differ.
    pub(super) fresh: usize,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut draw = Random::new(seed);
        let priorities = draw.chance(4);
        let taste = Taste {
            priorities,
            rendezvous: !priorities && draw.chance(60),
            careless: draw.chance(3),
            claim: draw.chance(20),
            remote: draw.chance(12),
            last: draw.chance(5),
        };
        Self {
            draw,
            taste,
            variables: Vec::new(),
            channels: Vec::new(),
            shapes: Vec::new(),
            mtypes: Vec::new(),
            proctypes: Vec::new(),
            current: 0,
            inlines: Vec::new(),
            labels: Vec::new(),
            budget: 0,
            fresh: 0,
        }
    }

    /// The global declarations.
    pub(super) fn globals(&mut self) -> Vec<Piece> {
        let mut text = self.mtype_lists();
        text.extend(self.structures());
        for number in 0..self.draw.between(2, 4) {
            text.push(self.scalar(&format!("g{number}"), true));
        }
        for number in 0..self.draw.below(3) {
            text.push(self.array(&format!("a{number}")));
        }
        for number in 0..self.draw.between(1, 3) {
            text.extend(self.shape(number));
        }
        text
    }

    fn mtype_lists(&mut self) -> Vec<Piece> {
        let mut text = Vec::new();
        for list in 0..self.draw.between(1, 2) {
            let names: Vec<String> =
                (0..self.draw.between(1, 3)).map(|n| format!("m{list}{n}")).collect();
            text.push(Piece::line(format!("mtype = {{ {} }}", names.join(", "))));
            self.mtypes.extend(names);
        }
        text
    }

    /// A `typedef`, perhaps one in another, and variables of them.
    fn structures(&mut self) -> Vec<Piece> {
        if !self.draw.chance(35) {
            return Vec::new();
        }
        let mut fields = vec![Piece::line("byte f"), Piece::line("bit g")];
        let mut paths = vec![("f", "byte", None), ("g", "bit", None)];
        if self.draw.chance(50) {
            fields.push(Piece::line("short h[2]"));
            paths.push(("h", "short", Some(2)));
        }
        let mut text = vec![Piece::braces("typedef T {", fields)];
        let mut owners = vec!["s0".to_owned()];
        text.push(Piece::line("T s0"));
        if self.draw.chance(40) {
            text.push(Piece::line("T s1[2]"));
            owners.extend(["s1[0]".to_owned(), "s1[1]".to_owned()]);
        }
        if self.draw.chance(30) {
            text.push(Piece::braces(
                "typedef U {",
                vec![Piece::line("T t"), Piece::line("bool b[2]")],
            ));
            text.push(Piece::line("U s2"));
            owners.push("s2.t".to_owned());
            self.variables.push(Variable {
                text: "s2.b".to_owned(),
                kind: "bool",
                length: Some(2),
            });
        }
        for owner in owners {
            for (field, kind, length) in &paths {
                let text = format!("{owner}.{field}");
                self.variables.push(Variable { text, kind, length: *length });
            }
        }
        text
    }

    /// Declares a scalar; `unsigned` is for variables that are no parameters.
    pub(super) fn scalar(&mut self, name: &str, initialised: bool) -> Piece {
        let kind = self.draw.weighted(&SCALARS);
        let bits = if kind == "unsigned" {
            format!(" : {}", self.draw.between(1, 5))
        } else {
            String::new()
        };
        let start = if initialised && self.draw.chance(40) {
            format!(" = {}", self.start(kind))
        } else {
            String::new()
        };
        let show = if self.draw.chance(3) { "show " } else { "" };
        self.variables.push(Variable { text: name.to_owned(), kind, length: None });
        Piece::line(format!("{show}{kind} {name}{bits}{start}"))
    }

    /// A first value, often near the end of the range.
    fn start(&mut self, kind: &str) -> String {
        let ends: &[&str] = match kind {
            "byte" | "pid" => &["1", "2", "255", "254"],
            "short" => &["1", "32767", "-1", "-32768"],
            "int" => &["2", "2147483647", "-1"],
            "mtype" => return self.mtype(),
            _ => &["1", "0"],
        };
        (*self.draw.pick(ends)).to_owned()
    }

    pub(super) fn mtype(&mut self) -> String {
        self.draw.pick(&self.mtypes).clone()
    }

    pub(super) fn array(&mut self, name: &str) -> Piece {
        let kind = *self.draw.pick(&["bit", "byte", "short", "mtype", "int"]);
        let length = self.draw.between(2, 3);
        let start = match kind {
            "byte" | "short" | "int" if self.draw.chance(30) => " = 1".to_owned(),
            "byte" if self.draw.chance(20) => {
                format!(" = {{ {} }}", vec!["2"; length].join(", "))
            }
            _ => String::new(),
        };
        self.variables.push(Variable { text: name.to_owned(), kind, length: Some(length) });
        Piece::line(format!("{kind} {name}[{length}]{start}"))
    }

    /// A new shape and a global channel of it, or an array of channels.
    fn shape(&mut self, number: usize) -> Vec<Piece> {
        let buffered = !self.taste.rendezvous || self.draw.chance(55);
        let mut fields: Vec<&'static str> = Vec::new();
        for _ in 0..self.draw.weighted(&[(5, 1), (4, 2), (1, 3)]) {
            // Channels that are sent are those of the first shape, which sends none.
            let chan = if number == 0 { 0 } else { 2 };
            let kinds = [
                (5, "byte"),
                (2, "bit"),
                (2, "mtype"),
                (1, "short"),
                (1, "int"),
                (1, "bool"),
                (chan, "chan"),
            ];
            fields.push(self.draw.weighted(&kinds));
        }
        let name = if buffered { format!("q{number}") } else { format!("r{number}") };
        let length = self.draw.chance(15).then_some(2);
        self.shapes.push(Shape { fields, buffered });
        let shape = self.shapes.len() - 1;
        let text = self.channel_text(&name, shape, length);
        self.channels.push(Channel { text: name, shape, length, assignable: false });
        vec![text]
    }

    /// The declaration of a channel with its messages.
    pub(super) fn channel_text(
        &mut self,
        name: &str,
        shape: usize,
        length: Option<usize>,
    ) -> Piece {
        let Shape { fields, buffered } = &self.shapes[shape];
        let fields = fields.join(", ");
        let slots = if *buffered { self.draw.weighted(&[(5, 1), (4, 2), (1, 3)]) } else { 0 };
        let length = length.map_or(String::new(), |length| format!("[{length}]"));
        Piece::line(format!("chan {name}{length} = [{slots}] of {{ {fields} }}"))
    }
}
