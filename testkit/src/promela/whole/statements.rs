//! Random statements. What SPIN is known to get wrong is not written: see
//! [`judge`](crate::judge).

use super::text::Piece;
use super::world::World;

/// Where a statement stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) depth: usize,
    /// `break` leads somewhere.
    pub(super) in_loop: bool,
    pub(super) atomic: bool,
    pub(super) d_step: bool,
    /// The body of an inline, where a `goto` has no label.
    pub(super) inlined: bool,
}

impl Place {
    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    /// Whether a loop here must not go round by itself.
    fn bounded(self) -> bool {
        self.atomic || self.d_step
    }
}

#[derive(Clone, Copy)]
enum Simple {
    Assign,
    Step,
    Condition,
    Send,
    Receive,
    Assert,
    Skip,
    Print,
    Run,
    Goto,
    Inline,
    Select,
    Priority,
    Pass,
}

#[derive(Clone, Copy)]
enum Compound {
    If,
    Do,
    Atomic,
    DStep,
    Block,
    Unless,
    For,
    Spawn,
}

impl World {
    pub(super) fn sequence(&mut self, place: Place, length: usize) -> Vec<Piece> {
        let mut text = vec![self.statement(place)];
        for _ in 1..length {
            if self.budget == 0 {
                break;
            }
            text.push(self.statement(place));
        }
        text
    }

    fn statement(&mut self, place: Place) -> Piece {
        self.budget = self.budget.saturating_sub(1);
        if place.depth < 3 && self.budget > 1 && self.draw.chance(38) {
            return self.compound(place);
        }
        self.simple(place)
    }

    fn simple(&mut self, place: Place) -> Piece {
        use Simple::*;
        let choices = [
            (11, Assign),
            (5, Step),
            (2, Condition),
            (8, Send),
            (5, Receive),
            (2, Assert),
            (1, Skip),
            (1, Print),
            (2, Run),
            (2, Goto),
            (1, Inline),
            (1, Select),
            (if self.taste.priorities { 3 } else { 0 }, Priority),
            (1, Pass),
        ];
        let kind = self.draw.weighted(&choices);
        let text = if place.d_step { self.inner(kind, place) } else { self.outer(kind, place) };
        Piece::line(text.unwrap_or_else(|| "skip".to_owned()))
    }

    /// A statement that may stand behind the first one of a `d_step`: it never blocks.
    fn inner(&mut self, kind: Simple, place: Place) -> Option<String> {
        match kind {
            Simple::Step => Some(self.step()),
            Simple::Assert => Some(format!("assert({})", self.comparison(1))),
            Simple::Print => Some("printf(\"here\\n\")".to_owned()),
            Simple::Goto if place.in_loop => Some("break".to_owned()),
            Simple::Skip => None,
            _ => Some(self.assignment()),
        }
    }

    fn outer(&mut self, kind: Simple, place: Place) -> Option<String> {
        match kind {
            Simple::Assign => Some(self.assignment()),
            Simple::Step => Some(self.step()),
            Simple::Condition => Some(self.condition()),
            Simple::Send => self.send(true),
            Simple::Receive => self.receive(true),
            Simple::Assert => Some(format!("assert({})", self.comparison(1))),
            Simple::Skip => None,
            Simple::Print => Some(format!("printf(\"%d\\n\", {})", self.value())),
            Simple::Run => self.run(place),
            Simple::Goto if place.in_loop && self.draw.chance(40) => Some("break".to_owned()),
            Simple::Goto if place.inlined || self.labels.is_empty() => None,
            Simple::Goto => Some(format!("goto {}", self.draw.pick(&self.labels))),
            Simple::Inline if place.inlined => Some(self.step()),
            Simple::Inline => self.call(),
            Simple::Select => self.select(),
            Simple::Priority => Some(format!("set_priority(_pid, {})", self.draw.between(1, 3))),
            Simple::Pass => self.pass(),
        }
    }

    fn assignment(&mut self) -> String {
        let target = self.value();
        format!("{target} = {}", self.expression(2))
    }

    /// Counts, mostly in a small circle.
    fn step(&mut self) -> String {
        let target = self.value();
        match self.draw.below(4) {
            0 => format!("{target}++"),
            1 => format!("{target}--"),
            _ => format!("{target} = ({target} + 1) % {}", self.draw.between(2, 3)),
        }
    }

    /// One channel variable gets the channel of another.
    fn pass(&mut self) -> Option<String> {
        let some: Vec<_> = self.channels.iter().filter(|it| it.assignable).cloned().collect();
        if some.is_empty() {
            return None;
        }
        let target = self.draw.pick(&some).clone();
        let same: Vec<_> =
            self.channels.iter().filter(|it| it.shape == target.shape).cloned().collect();
        let source = self.draw.pick(&same).clone();
        Some(format!("{} = {}", target.text, self.channel_use(&source)))
    }

    /// Starts a process. Outside loops a proctype starts later ones only, so that
    /// it ends.
    fn run(&mut self, place: Place) -> Option<String> {
        let later = self.proctypes.get(self.current + 1..).unwrap_or_default().to_vec();
        if later.is_empty() || place.in_loop || !self.labels.is_empty() {
            return None;
        }
        let callee = self.draw.pick(&later).clone();
        let call = self.run_of(&callee)?;
        Some(match self.draw.below(3) {
            0 => format!("{} = {call}", self.value()),
            1 => format!("({call} > 1)"),
            _ => call,
        })
    }

    /// Starts any process, while there are few.
    fn spawn(&mut self) -> Piece {
        let callee = self.draw.pick(&self.proctypes).clone();
        let Some(call) = self.run_of(&callee) else { return Piece::line("skip") };
        let few = format!("_nr_pr < {}", self.draw.between(3, 4));
        Piece::braces("atomic {", vec![Piece::line(few), Piece::line(call)])
    }

    fn call(&mut self) -> Option<String> {
        if self.inlines.is_empty() {
            return None;
        }
        let name = self.draw.pick(&self.inlines).clone();
        let scalars: Vec<String> = self
            .variables
            .iter()
            .filter(|it| it.length.is_none())
            .map(|it| it.text.clone())
            .collect();
        let target =
            if scalars.is_empty() { return None } else { self.draw.pick(&scalars).clone() };
        Some(format!("{name}({target}, {})", self.expression(1)))
    }

    /// `select` needs a plain name.
    fn select(&mut self) -> Option<String> {
        let name = self.counter()?;
        let high = if self.draw.chance(70) {
            "2".to_owned()
        } else {
            format!("({} & 1) + 1", self.value())
        };
        Some(format!("select({name} : 0 .. {high})"))
    }

    /// A plain variable that can count to 3.
    fn counter(&mut self) -> Option<String> {
        let fits = |text: &str, kind: &str| {
            matches!(kind, "byte" | "short" | "int") && !text.contains('.') && text != "v"
        };
        let some: Vec<String> = self
            .variables
            .iter()
            .filter(|it| it.length.is_none() && fits(&it.text, it.kind))
            .map(|it| it.text.clone())
            .collect();
        (!some.is_empty()).then(|| self.draw.pick(&some).clone())
    }

    fn compound(&mut self, place: Place) -> Piece {
        use Compound::*;
        let outside = usize::from(!place.d_step);
        let choices = [
            (6, If),
            (5, Do),
            (4 * outside, Atomic),
            (2 * outside, DStep),
            (1, Block),
            (2 * outside, Unless),
            (1, For),
            (outside * usize::from(!place.inlined), Spawn),
        ];
        match self.draw.weighted(&choices) {
            If => self.selection(place),
            Do => self.repetition(place),
            Atomic => {
                let length = self.draw.between(1, 3);
                let body = self.sequence(Place { atomic: true, ..place.deeper() }, length);
                Piece::braces("atomic {", body)
            }
            DStep => self.d_step(place),
            Block => self.block(place),
            Unless => self.unless(place),
            For => self.counted(place),
            Spawn => self.spawn(),
        }
    }

    /// What an option may begin with.
    fn guard(&mut self, place: Place) -> Piece {
        if !place.d_step && self.draw.chance(15) {
            return Piece::line(self.assignment());
        }
        if place.d_step || self.draw.chance(40) {
            return Piece::line(self.condition());
        }
        if self.draw.chance(8) && self.budget > 1 && place.depth < 3 {
            return self.compound(place.deeper());
        }
        let text = if self.draw.chance(50) { self.send(true) } else { self.receive(true) };
        Piece::line(text.unwrap_or_else(|| "true".to_owned()))
    }

    fn options(&mut self, place: Place, ends: bool) -> Vec<Piece> {
        let mut options = Vec::new();
        for _ in 0..self.draw.between(1, 3) {
            let mut body =
                vec![if self.draw.chance(12) { self.simple(place) } else { self.guard(place) }];
            let more = self.draw.below(3);
            if more > 0 && self.budget > 0 {
                body.extend(self.sequence(place, more));
            }
            if ends || place.in_loop && self.draw.chance(15) {
                body.push(Piece::line("break"));
            }
            options.push(Piece::option(body));
        }
        options
    }

    fn selection(&mut self, place: Place) -> Piece {
        let mut options = self.options(place.deeper(), false);
        if place.d_step || self.draw.chance(45) {
            options.push(self.otherwise(place, "else"));
        } else if self.draw.chance(10) {
            options.push(self.otherwise(place, "timeout"));
        }
        Piece::choice("if", "fi", options)
    }

    fn otherwise(&mut self, place: Place, guard: &str) -> Piece {
        let mut body = vec![Piece::line(guard)];
        if self.draw.chance(40) {
            body.push(self.simple(place));
        }
        Piece::option(body)
    }

    /// Inside `atomic` and `d_step` each way round ends with `break`.
    fn repetition(&mut self, place: Place) -> Piece {
        let inside = Place { in_loop: true, ..place.deeper() };
        let mut options = self.options(inside, place.bounded());
        if place.bounded() || self.draw.chance(30) {
            options.push(Piece::option(vec![Piece::line("else"), Piece::line("break")]));
        } else if self.draw.chance(20) {
            options.push(Piece::option(vec![Piece::line("timeout"), Piece::line("break")]));
        }
        Piece::choice("do", "od", options)
    }

    fn d_step(&mut self, place: Place) -> Piece {
        let inside = Place { d_step: true, in_loop: false, ..place.deeper() };
        let mut body = Vec::new();
        if self.draw.chance(50) {
            let text = if self.draw.chance(50) { self.receive(false) } else { self.send(false) };
            let text = text.unwrap_or_else(|| self.condition());
            body.push(Piece::line(text));
        } else {
            body.push(Piece::line(self.assignment()));
        }
        let length = self.draw.between(1, 3);
        body.extend(self.sequence(inside, length));
        Piece::braces("d_step {", body)
    }

    /// A block, sometimes with a declaration of its own, which is a step.
    fn block(&mut self, place: Place) -> Piece {
        let known = self.variables.len();
        let mut body = Vec::new();
        if !place.d_step && self.draw.chance(50) {
            self.fresh += 1;
            let name = format!("b{}", self.fresh);
            body.push(self.scalar(&name, true));
        }
        let length = self.draw.between(1, 2);
        body.extend(self.sequence(place.deeper(), length));
        self.variables.truncate(known);
        Piece::braces("{", body)
    }

    fn unless(&mut self, place: Place) -> Piece {
        let inside = place.deeper();
        let length = self.draw.between(1, 3);
        let mut body = self.sequence(inside, length);
        if body[0].head().starts_with("goto") || body[0].head() == "break" {
            body.insert(0, Piece::line("skip"));
        }
        body.push(Piece::line("} unless {"));
        let escape = match self.draw.below(3) {
            0 => self.receive(false),
            1 => self.send(false),
            _ => None,
        };
        body.push(Piece::line(escape.unwrap_or_else(|| self.comparison(1))));
        if self.draw.chance(50) {
            body.push(self.simple(inside));
        }
        Piece::braces("{", body)
    }

    fn counted(&mut self, place: Place) -> Piece {
        let Some(name) = self.counter() else { return Piece::line("skip") };
        let arrays: Vec<String> = self
            .variables
            .iter()
            .filter(|it| it.length.is_some() && !it.text.contains('.'))
            .map(|it| it.text.clone())
            .collect();
        let head = match self.draw.below(3) {
            0 if !arrays.is_empty() => format!("for ({name} in {}) {{", self.draw.pick(&arrays)),
            _ => format!("for ({name} : 0 .. {}) {{", self.draw.between(1, 2)),
        };
        // The counter belongs to the loop: a body that sets it back never ends.
        let kept = self.variables.clone();
        self.variables.retain(|it| it.text != name);
        let body = match self.variables.is_empty() {
            true => vec![Piece::line("skip")],
            false => self.sequence(Place { in_loop: true, ..place.deeper() }, 1),
        };
        self.variables = kept;
        Piece::braces(head, body)
    }
}
