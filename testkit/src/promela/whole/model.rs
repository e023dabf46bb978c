//! Whole random models.

use super::statements::Place;
use super::text::Piece;
use super::world::{Channel, Parameter, Signature, Variable, World};

/// The model of a seed.
pub fn model(seed: u64) -> Vec<Piece> {
    let mut world = World::new(seed);
    let mut text = world.globals();
    world.signatures();
    text.extend(world.inline_bodies());
    let signatures = world.proctypes.clone();
    let first = world.draw.below(2);
    let mut living = 0;
    for (number, signature) in signatures.iter().enumerate() {
        world.current = number;
        let most = 3 - usize::min(living, 3);
        let (proctype, count) = world.proctype(signature, most);
        living += count;
        text.push(proctype);
    }
    world.current = signatures.len();
    if living == 0 || first == 0 && living < 3 {
        text.push(world.init());
    }
    if world.taste.claim {
        text.push(world.claim());
    }
    text
}

impl World {
    fn signatures(&mut self) {
        for number in 0..self.draw.between(1, 3) {
            let mut parameters = Vec::new();
            for place in 0..self.draw.weighted(&[(6, 0), (3, 1), (1, 2)]) {
                let chan = self.draw.chance(40);
                let kind = if chan {
                    "chan"
                } else {
                    *self.draw.pick(&["byte", "bit", "short", "mtype", "int"])
                };
                let shape = self.draw.below(self.shapes.len());
                parameters.push(Parameter { name: format!("p{number}{place}"), kind, shape });
            }
            let labels = self.label_names();
            self.proctypes.push(Signature { name: format!("P{number}"), parameters, labels });
        }
    }

    fn label_names(&mut self) -> Vec<String> {
        let names = ["L0", "L1", "end0", "end1", "progress0", "accept0"];
        let mut chosen = Vec::new();
        for name in names {
            if self.draw.chance(22) {
                chosen.push(name.to_owned());
            }
        }
        chosen
    }

    /// Inlines see the global variables, `v` for a variable and `e` for a value.
    fn inline_bodies(&mut self) -> Vec<Piece> {
        if !self.draw.chance(20) {
            return Vec::new();
        }
        let known = self.variables.len();
        let proctypes = std::mem::take(&mut self.proctypes);
        self.variables.push(Variable { text: "v".to_owned(), kind: "int", length: None });
        self.budget = 3;
        let length = self.draw.between(1, 3);
        let mut body = self.sequence(Place { inlined: true, depth: 1, ..Place::default() }, length);
        body.push(Piece::line("v = e"));
        self.variables.truncate(known);
        self.proctypes = proctypes;
        self.inlines.push("I0".to_owned());
        vec![Piece::braces("inline I0(v, e) {", body)]
    }

    /// A proctype, and how many of it live at the start.
    fn proctype(&mut self, signature: &Signature, most: usize) -> (Piece, usize) {
        let known = (self.variables.len(), self.channels.len());
        let count = usize::min(self.draw.weighted(&[(2, 0), (6, 1), (3, 2)]), most);
        let active = match count {
            0 => String::new(),
            1 => "active ".to_owned(),
            _ => format!("active [{count}] "),
        };
        let parameters: Vec<String> =
            signature.parameters.iter().map(|it| format!("{} {}", it.kind, it.name)).collect();
        let mut open = format!("{active}proctype {}({})", signature.name, parameters.join("; "));
        if self.taste.priorities && self.draw.chance(50) {
            open.push_str(&format!(" priority {}", self.draw.between(1, 3)));
        }
        if self.draw.chance(8) {
            open.push_str(&format!(" provided ({})", self.comparison(0)));
        }
        open.push_str(" {");
        self.enter(&signature.parameters, count > 0);
        let body = self.process_body(&signature.labels);
        self.variables.truncate(known.0);
        self.channels.truncate(known.1);
        (Piece::braces(open, body), count)
    }

    /// Parameters become variables. Nobody gives an active process a channel, and
    /// SPIN's verifier may end at one that is not there.
    fn enter(&mut self, parameters: &[Parameter], active: bool) {
        for Parameter { name, kind, shape } in parameters {
            let text = name.clone();
            match *kind {
                "chan" if active => {}
                "chan" => self.channels.push(Channel {
                    text,
                    shape: *shape,
                    length: None,
                    assignable: true,
                }),
                kind => self.variables.push(Variable { text, kind, length: None }),
            }
        }
    }

    fn process_body(&mut self, labels: &[String]) -> Vec<Piece> {
        let mut body = self.locals();
        let declared = body.len();
        self.labels = labels.to_vec();
        self.budget = self.draw.between(4, 11);
        let length = self.draw.between(2, 5);
        body.extend(self.sequence(Place::default(), length));
        for label in labels {
            let at = self.draw.between(declared, body.len() - 1);
            if !takes_label(&body[at]) {
                body.insert(at, Piece::line("skip"));
            }
            body.insert(at, Piece::line(format!("{label}:")));
        }
        self.labels.clear();
        body
    }

    fn locals(&mut self) -> Vec<Piece> {
        let mut text = Vec::new();
        for _ in 0..self.draw.weighted(&[(3, 0), (4, 1), (2, 2)]) {
            self.fresh += 1;
            let name = format!("x{}", self.fresh);
            text.push(if self.draw.chance(85) {
                self.scalar(&name, true)
            } else {
                self.array(&name)
            });
        }
        if self.draw.chance(15) {
            text.push(self.local_channel());
        }
        text
    }

    /// A channel of its own, or a variable for one.
    fn local_channel(&mut self) -> Piece {
        self.fresh += 1;
        let text = format!("c{}", self.fresh);
        let shape = self.draw.below(self.shapes.len());
        let owned = self.draw.chance(60);
        let piece = if owned {
            self.channel_text(&text, shape, None)
        } else {
            let same = self.channels.iter().find(|it| it.shape == shape).cloned();
            let source = same.map_or(String::new(), |it| format!(" = {}", self.channel_use(&it)));
            Piece::line(format!("chan {text}{source}"))
        };
        self.channels.push(Channel { text, shape, length: None, assignable: !owned });
        piece
    }

    /// `run` with arguments that fit.
    pub(super) fn run_of(&mut self, callee: &Signature) -> Option<String> {
        let mut arguments = Vec::new();
        for parameter in &callee.parameters {
            if parameter.kind != "chan" {
                arguments.push(self.expression(1));
                continue;
            }
            let same: Vec<Channel> =
                self.channels.iter().filter(|it| it.shape == parameter.shape).cloned().collect();
            if same.is_empty() {
                return None;
            }
            let chosen = self.draw.pick(&same).clone();
            arguments.push(self.channel_use(&chosen));
        }
        Some(format!("run {}({})", callee.name, arguments.join(", ")))
    }

    fn init(&mut self) -> Piece {
        let mut body = Vec::new();
        let callees = self.proctypes.clone();
        for _ in 0..self.draw.between(1, 2) {
            let callee = self.draw.pick(&callees).clone();
            if let Some(call) = self.run_of(&callee) {
                body.push(Piece::line(call));
            }
        }
        if body.len() > 1 && self.draw.chance(60) {
            body = vec![Piece::braces("atomic {", body)];
        }
        self.budget = 2;
        if body.is_empty() || self.draw.chance(40) {
            body.extend(self.sequence(Place::default(), 1));
        }
        Piece::braces("init {", body)
    }

    /// A claim that is a small automaton over the global variables.
    fn claim(&mut self) -> Piece {
        let states = self.draw.between(1, 3);
        let mut body = Vec::new();
        for state in 0..states {
            body.push(Piece::line(format!("S{state}:")));
            let mut options = vec![Piece::option(vec![Piece::line(self.claim_condition())])];
            for _ in 0..self.draw.between(1, 2) {
                let target = self.draw.below(states + 1);
                let jump =
                    if target == states { "break".to_owned() } else { format!("goto S{target}") };
                let condition = self.claim_condition();
                options.push(Piece::option(vec![Piece::line(condition), Piece::line(jump)]));
            }
            body.push(Piece::choice("do", "od", options));
        }
        Piece::braces("never {", body)
    }

    fn claim_condition(&mut self) -> String {
        match self.draw.below(10) {
            0..4 => "true".to_owned(),
            4 if self.taste.remote => self.remote(),
            5 => "timeout".to_owned(),
            _ => self.comparison(1),
        }
    }
}

/// SPIN wants no label before `unless`, nor a jump to a `d_step`.
fn takes_label(piece: &Piece) -> bool {
    !matches!(piece.head(), "{" | "d_step {")
}

#[cfg(test)]
mod tests {
    use super::super::print;
    use super::model;
    use std::collections::BTreeSet;

    #[test]
    fn a_seed_has_one_model_and_seeds_have_many() {
        let texts: BTreeSet<String> = (0..200).map(|seed| print(&model(seed))).collect();
        assert_eq!(texts.len(), 200);
        assert!((0..200).all(|seed| texts.contains(&print(&model(seed)))));
    }
}
