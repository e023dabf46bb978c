//! Elements and their order: the statements of a body, linked.

use super::{Body, Code, Kind, LabelIndex, Stmt};
use base::{IdVec, Span, define_id};
use program::{Action, Expr, Wording};

define_id!(
    /// A statement, a jump, or a place where paths meet.
    ElementId, "x";
    /// A run of elements: a body, an option, a block.
    RunId, "run"
);

pub(super) struct Element {
    pub(super) kind: ElementKind,
    pub(super) span: Span,
    pub(super) next: Option<ElementId>,
    /// SPIN's number for it: elements in order of their creation, from 1 on.
    pub(super) number: u32,
    /// What SPIN prints for it.
    pub(super) text: String,
    /// What people call it.
    pub(super) wording: Wording,
    /// Inside an atomic sequence, and not its last statement.
    pub(super) atomic: bool,
    /// The last statement of an atomic sequence.
    pub(super) closes_atomic: bool,
    /// Runs that may interrupt here, innermost `unless` first.
    pub(super) escapes: Vec<RunId>,
}

pub(super) enum ElementKind {
    Basic(Action),
    /// `goto`
    Jump(LabelIndex),
    /// `break`, by the number of the loop.
    Leave(usize),
    /// Where the options of an `if`, or the two sides of an `unless`, meet;
    /// or the way back to a `do`.
    Join,
    /// Where `break` leads.
    Exit,
    Choice(Vec<RunId>),
    /// A block, atomic or not.
    Block(RunId),
    /// A `d_step` and the element that stands for its end.
    Deterministic(RunId, ElementId),
    /// Main part and escape.
    Unless(RunId, RunId),
    /// The end of a `d_step`: execution of its inside stops here.
    Done,
}

/// First and last element; `extent` is the last one of the text itself, before
/// the join that an enclosing choice appends.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) first: ElementId,
    pub(super) last: ElementId,
    pub(super) extent: ElementId,
}

pub(super) struct Chain {
    pub(super) elements: IdVec<ElementId, Element>,
    pub(super) runs: IdVec<RunId, Run>,
    /// The element each label stands at.
    pub(super) labels: Vec<Option<ElementId>>,
    /// Where `break` leads, loop by loop.
    pub(super) exits: Vec<Option<ElementId>>,
    pub(super) body: RunId,
    pub(super) end: ElementId,
    /// How many numbers were given away.
    pub(super) numbers: u32,
    /// A remote reference made SPIN number something elsewhere.
    pub(super) displaced: bool,
}

impl Chain {
    /// The elements of `run` in order, up to and with `until`.
    pub(super) fn members(&self, run: RunId, until: ElementId) -> Vec<ElementId> {
        let mut members = Vec::new();
        let mut at = Some(self.runs[run].first);
        while let Some(element) = at {
            members.push(element);
            at = self.elements[element].next.filter(|_| element != until);
        }
        members
    }

    /// The runs directly inside an element.
    pub(super) fn inside(&self, element: ElementId) -> Vec<RunId> {
        match &self.elements[element].kind {
            ElementKind::Choice(options) => options.clone(),
            ElementKind::Block(run) | ElementKind::Deterministic(run, _) => vec![*run],
            ElementKind::Unless(main, escape) => vec![*main, *escape],
            _ => Vec::new(),
        }
    }
}

/// Links the statements of `body`.
pub(super) fn link(body: &Body) -> Chain {
    let chain = Chain {
        elements: IdVec::new(),
        runs: IdVec::new(),
        labels: vec![None; body.labels.len()],
        exits: Vec::new(),
        body: base::Id::new(0),
        end: base::Id::new(0),
        numbers: 0,
        displaced: false,
    };
    let mut linker = Linker { chain, loops: Vec::new(), body };
    let mut open = Open::default();
    linker.code(&body.code, &mut open);
    let end = linker.add(ElementKind::Basic(Action::Die), body.end);
    linker.append(end, &mut open);
    linker.chain.body = linker.close(&open, body.end);
    linker.chain.end = end;
    let body = linker.chain.body;
    join_blocks(&mut linker.chain, body);
    linker.chain
}

/// What follows the last element of a block is what follows the block; behind a
/// `d_step` only its end, for its inside is executed apart.
fn join_blocks(chain: &mut Chain, run: RunId) {
    for element in chain.members(run, chain.runs[run].last) {
        let (inner, after) = match chain.elements[element].kind {
            ElementKind::Block(inner) => (Some(inner), chain.elements[element].next),
            ElementKind::Deterministic(inner, done) => (Some(inner), Some(done)),
            _ => (None, None),
        };
        if let Some(inner) = inner {
            let last = chain.runs[inner].last;
            chain.elements[last].next = after;
        }
        for inner in chain.inside(element) {
            join_blocks(chain, inner);
        }
    }
}

/// A run being built.
#[derive(Default)]
struct Open {
    first: Option<ElementId>,
    last: Option<ElementId>,
}

/// A statement whose inside is linked, before it takes its own place. SPIN makes
/// elements in this order, and the order decides which of two nested escapes
/// goes first.
enum Prepared<'a> {
    Simple(&'a Stmt),
    Choice {
        looping: Option<usize>,
        options: Vec<RunId>,
    },
    Block(RunId),
    Deterministic(RunId),
    /// Main part and escape; `around` when a label keeps the braces.
    Unless {
        main: RunId,
        escape: RunId,
        around: bool,
    },
}

struct Linker<'a> {
    chain: Chain,
    /// The loops around this place, innermost last.
    loops: Vec<usize>,
    body: &'a Body,
}

impl<'a> Linker<'a> {
    fn add(&mut self, kind: ElementKind, span: Span) -> ElementId {
        // SPIN has no element for the end of a `d_step`.
        let numbered = !matches!(kind, ElementKind::Done);
        self.chain.numbers += u32::from(numbered);
        let wording = match kind {
            ElementKind::Join | ElementKind::Exit => Wording::Join,
            _ => Wording::Written,
        };
        self.chain.elements.push(Element {
            kind,
            span,
            next: None,
            number: if numbered { self.chain.numbers } else { 0 },
            text: String::new(),
            wording,
            atomic: false,
            closes_atomic: false,
            escapes: Vec::new(),
        })
    }

    fn append(&mut self, element: ElementId, open: &mut Open) {
        match open.last {
            Some(last) => self.chain.elements[last].next = Some(element),
            None => open.first = Some(element),
        }
        open.last = Some(element);
    }

    /// Ends a run; an empty one (its statements were broken) holds a `skip`.
    fn close(&mut self, open: &Open, span: Span) -> RunId {
        let (first, last) = match (open.first, open.last) {
            (Some(first), Some(last)) => (first, last),
            _ => {
                let idle = self.add(ElementKind::Basic(Action::Skip), span);
                (idle, idle)
            }
        };
        self.chain.runs.push(Run { first, last, extent: last })
    }

    fn run(&mut self, code: &'a [Stmt], span: Span) -> RunId {
        let mut open = Open::default();
        self.code(code, &mut open);
        self.close(&open, span)
    }

    fn code(&mut self, code: &'a [Stmt], open: &mut Open) {
        for statement in code {
            let prepared = self.prepare(statement);
            self.place(statement, prepared, open);
        }
    }

    /// Links what is inside a statement.
    fn prepare(&mut self, statement: &'a Stmt) -> Prepared<'a> {
        let span = statement.span;
        match &statement.kind {
            Kind::Choice { looping, options, last, written } => {
                let (looping, mut runs) = self.options(*looping, options, *written, span);
                if let Some(last) = last {
                    let run = runs.remove(*last);
                    runs.push(run);
                }
                Prepared::Choice { looping, options: runs }
            }
            Kind::Block(code) => Prepared::Block(self.run(code, span)),
            Kind::Atomic(code) => Prepared::Block(self.atomic(code, span)),
            Kind::Deterministic(code) => {
                let loops = std::mem::take(&mut self.loops);
                let run = self.run(code, span);
                self.loops = loops;
                Prepared::Deterministic(run)
            }
            Kind::Unless(main, escape) => self.unless(main, escape),
            Kind::Basic(_) | Kind::Idle | Kind::Goto(_) | Kind::Break => {
                Prepared::Simple(statement)
            }
        }
    }

    fn atomic(&mut self, code: &'a [Stmt], span: Span) -> RunId {
        let run = self.run(code, span);
        super::atomic::mark(&mut self.chain, run);
        run
    }

    /// Gives a statement its place, and its labels theirs.
    fn place(&mut self, statement: &Stmt, prepared: Prepared<'a>, open: &mut Open) {
        let span = statement.span;
        let element = match prepared {
            Prepared::Simple(statement) => self.simple(statement, open),
            Prepared::Choice { looping, options } => self.choice(looping, options, span, open),
            Prepared::Block(run) => self.single(ElementKind::Block(run), span, open),
            Prepared::Deterministic(run) => {
                let done = self.add(ElementKind::Done, span);
                self.single(ElementKind::Deterministic(run, done), span, open)
            }
            Prepared::Unless { main, escape, around: false } => {
                self.escapable(main, escape, span, open)
            }
            Prepared::Unless { main, escape, around: true } => {
                let mut inside = Open::default();
                self.escapable(main, escape, span, &mut inside);
                let run = self.close(&inside, span);
                let block = self.single(ElementKind::Block(run), span, open);
                if let Kind::Unless(main, _) = &statement.kind {
                    self.label(&main.labels, block);
                }
                block
            }
        };
        self.label(&statement.labels, element);
    }

    fn label(&mut self, labels: &[LabelIndex], element: ElementId) {
        for label in labels {
            self.chain.labels[*label].get_or_insert(element);
        }
    }

    fn single(&mut self, kind: ElementKind, span: Span, open: &mut Open) -> ElementId {
        let element = self.add(kind, span);
        self.append(element, open);
        element
    }

    fn simple(&mut self, statement: &Stmt, open: &mut Open) -> ElementId {
        let span = statement.span;
        match &statement.kind {
            Kind::Basic(action) => {
                let element = self.single(ElementKind::Basic(action.clone()), span, open);
                self.word(element, statement);
                element
            }
            Kind::Goto(label) => self.jump(statement, ElementKind::Jump(*label), open),
            Kind::Break => match self.loops.last() {
                Some(number) => self.jump(statement, ElementKind::Leave(*number), open),
                // A `break` outside `do` was reported.
                None => self.single(ElementKind::Basic(Action::Skip), span, open),
            },
            _ => self.single(ElementKind::Basic(Action::Skip), span, open),
        }
    }

    fn word(&mut self, element: ElementId, statement: &Stmt) {
        let element = &mut self.chain.elements[element];
        element.text.clone_from(&statement.text);
        element.wording.clone_from(&statement.wording);
    }

    /// A special label on a jump needs a place to stand, and so does a label
    /// that somebody asks for from outside.
    fn jump(&mut self, statement: &Stmt, kind: ElementKind, open: &mut Open) -> ElementId {
        let known = |label: &LabelIndex| &self.body.labels[*label];
        let special = statement.labels.iter().any(|label| is_special(&known(label).name));
        let remote = statement.labels.iter().any(|label| known(label).remote);
        // SPIN makes the jump first, then the step in front of it. If only a remote
        // reference asks for the step, the jump becomes it, and a new jump is made
        // where that reference stands: the numbers from there on are not ours.
        let before = self.chain.numbers;
        let jump = self.add(kind, statement.span);
        self.word(jump, statement);
        if remote && !special {
            self.chain.numbers = before;
            self.chain.displaced = true;
        }
        let idle = || ElementKind::Basic(Action::Skip);
        let skip = (special || remote).then(|| self.single(idle(), statement.span, open));
        self.append(jump, open);
        if special && !remote {
            // As in SPIN only the first label moves, be it the special one or not.
            self.label(statement.labels.get(1..).unwrap_or(&[]), jump);
        }
        skip.unwrap_or(jump)
    }

    fn options(
        &mut self,
        looping: bool,
        options: &'a [Code],
        written: bool,
        span: Span,
    ) -> (Option<usize>, Vec<RunId>) {
        let looping = looping.then(|| {
            self.chain.exits.push(None);
            self.chain.exits.len() - 1
        });
        self.loops.extend(looping);
        let pruned = written && !self.body.claim;
        let option =
            |code: &'a Code| if pruned { self.option(code, span) } else { self.run(code, span) };
        let options = options.iter().map(option).collect();
        if looping.is_some() {
            self.loops.pop();
        }
        (looping, options)
    }

    /// An option, without the inner ones of several `skip`s in a row.
    fn option(&mut self, code: &'a [Stmt], span: Span) -> RunId {
        let mut open = Open::default();
        let mut row = 0;
        for (place, statement) in code.iter().enumerate() {
            let (skip, print) = match &statement.kind {
                Kind::Basic(Action::Skip) => (statement.labels.is_empty(), false),
                Kind::Basic(Action::Print(_)) => (statement.labels.is_empty(), true),
                _ => (false, false),
            };
            row = if skip { row + 1 } else { 0 };
            if row < 2 || print || place + 1 == code.len() {
                let prepared = self.prepare(statement);
                self.place(statement, prepared, &mut open);
            } else {
                // SPIN makes the element, then takes it out again.
                self.chain.numbers += 1;
            }
        }
        self.close(&open, span)
    }

    fn choice(
        &mut self,
        looping: Option<usize>,
        options: Vec<RunId>,
        span: Span,
        open: &mut Open,
    ) -> ElementId {
        let choice = self.add(ElementKind::Choice(options.clone()), span);
        let join = self.add(ElementKind::Join, span);
        for run in options {
            self.extend(run, join);
        }
        if let Some(number) = looping {
            self.append(join, open);
            self.append(choice, open);
            let exit = self.single(ElementKind::Exit, span, open);
            self.chain.exits[number] = Some(exit);
        } else {
            self.append(choice, open);
            self.append(join, open);
        }
        choice
    }

    /// Appends `element` to a closed run; its extent stays.
    fn extend(&mut self, run: RunId, element: ElementId) {
        let last = self.chain.runs[run].last;
        self.chain.elements[last].next = Some(element);
        self.chain.runs[run].last = element;
    }

    /// `main unless escape`. Braces around either side dissolve; with a label in
    /// front the block stays, around both.
    fn unless(&mut self, main: &'a Stmt, escape: &'a Stmt) -> Prepared<'a> {
        let (prepared, around) = match &main.kind {
            Kind::Atomic(code) if !main.labels.is_empty() => {
                (Err(self.atomic(code, main.span)), true)
            }
            Kind::Block(code) => (Err(self.run(code, main.span)), !main.labels.is_empty()),
            _ => (Ok(self.prepare(main)), false),
        };
        let escape = match &escape.kind {
            Kind::Block(code) if escape.labels.is_empty() => self.run(code, escape.span),
            _ => {
                let prepared = self.prepare(escape);
                self.alone(escape, prepared)
            }
        };
        let main = prepared.map_or_else(|run| run, |prepared| self.alone(main, prepared));
        super::escape::attach(&mut self.chain, main, escape);
        Prepared::Unless { main, escape, around }
    }

    /// A run of one statement.
    fn alone(&mut self, statement: &Stmt, prepared: Prepared<'a>) -> RunId {
        let mut open = Open::default();
        self.place(statement, prepared, &mut open);
        self.close(&open, statement.span)
    }

    fn escapable(&mut self, main: RunId, escape: RunId, span: Span, open: &mut Open) -> ElementId {
        let unless = self.add(ElementKind::Unless(main, escape), span);
        let join = self.add(ElementKind::Join, span);
        self.extend(main, join);
        self.extend(escape, join);
        self.append(unless, open);
        self.append(join, open);
        unless
    }
}

pub(super) fn is_special(name: &str) -> bool {
    ["end", "accept", "progress"].iter().any(|prefix| name.starts_with(prefix))
}

/// Whether an edge can never be taken: `false`, `0`.
pub(super) fn is_never(action: &Action) -> bool {
    matches!(action, Action::Condition(Expr::Const(0)))
}
