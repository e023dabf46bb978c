//! Elements become locations. First every element gets its list of steps, then
//! escapes are put in front of them, then a location is made for every element a
//! process can rest at, found by following the steps from the start.

use super::chain::{Chain, Element, ElementId, ElementKind, RunId, is_never};
use super::{Automaton, Body, Draft, Listed, Words};
use base::{Id, IdVec, Span, reach};
use program::{Action, Edge, EdgeId, Location, LocationId, LocationMarks};
use std::collections::{BTreeSet, HashSet};

pub(super) fn emit(chain: &Chain, body: &Body) -> Automaton {
    let mut walker = Walker { chain, endless: Vec::new() };
    let mut steps: IdVec<ElementId, Vec<Step>> =
        chain.elements.ids().map(|element| walker.steps(element)).collect();
    interrupt(&mut walker, &mut steps);
    let start = walker.hunt(chain.runs[chain.body].first, false);
    let remote = body.labels.iter().zip(&chain.labels).filter(|(label, _)| label.remote);
    let roots = remote.filter_map(|(_, element)| *element).chain([start, chain.end]).collect();
    let mut emitter = Emitter {
        chain,
        numbers: vec![None; chain.elements.len()],
        locations: IdVec::new(),
        edges: IdVec::new(),
        statements: IdVec::new(),
    };
    let reached = reached(&mut walker, &steps, roots);
    for element in &reached {
        emitter.open(*element);
    }
    for element in reached {
        emitter.leave(element, &steps[element], &mut walker);
    }
    let labels = emitter.labels(body);
    let (start, end) = (emitter.location(start), emitter.location(chain.end));
    let Emitter { locations, edges, statements, .. } = emitter;
    let (counts, displaced) = ((chain.numbers, chain.exits.len()), chain.displaced);
    let listing = Draft { statements, counts, displaced };
    Automaton { start, end, locations, edges, labels, endless: walker.endless, listing }
}

/// The elements reached from `roots`, in order of the text. The inside of a
/// `d_step` is reached through its one step.
fn reached(
    walker: &mut Walker<'_>,
    steps: &IdVec<ElementId, Vec<Step>>,
    roots: Vec<ElementId>,
) -> BTreeSet<ElementId> {
    reach(roots, |element| {
        let leads = |step: &Step| {
            let inside = walker.inside(step.source);
            inside.into_iter().flatten().chain([step.to])
        };
        steps[element].iter().flat_map(leads).collect::<Vec<_>>()
    })
}

/// Puts the steps of escapes in front, as SPIN does: element by element in order
/// of creation, innermost escape first, each new one in front of the others. An
/// escape treated before brings along the escapes it has itself.
fn interrupt(walker: &mut Walker<'_>, steps: &mut IdVec<ElementId, Vec<Step>>) {
    let chain = walker.chain;
    for element in chain.elements.ids() {
        for own in steps[element].clone() {
            let source = &chain.elements[own.source];
            // Joins carry no escapes: by then the main part is over.
            if matches!(source.kind, ElementKind::Join) {
                continue;
            }
            for escape in &source.escapes {
                let first = walker.hunt(chain.runs[*escape].first, source.atomic);
                for step in steps[first].clone() {
                    let list = &mut steps[element];
                    if list.iter().all(|known| known.source != step.source) {
                        list.insert(0, Step { escape: Some(first), ..step });
                    }
                }
            }
        }
    }
}

/// An edge before its ends have numbers.
#[derive(Clone, Copy)]
struct Step {
    /// The element whose statement it is.
    source: ElementId,
    to: ElementId,
    /// The escape it was copied from.
    escape: Option<ElementId>,
}

/// Knows where one gets from where.
struct Walker<'a> {
    chain: &'a Chain,
    endless: Vec<Span>,
}

impl Walker<'_> {
    /// What a process at `element` can do: one step, or for choices and blocks
    /// the first steps of what is inside.
    fn steps(&mut self, element: ElementId) -> Vec<Step> {
        match &self.chain.elements[element].kind {
            ElementKind::Choice(options) => {
                options.iter().flat_map(|option| self.option(*option)).collect()
            }
            ElementKind::Block(run) | ElementKind::Unless(run, _) => self.steps(self.entry(*run)),
            ElementKind::Done => Vec::new(),
            _ => vec![Step { source: element, to: self.target(element), escape: None }],
        }
    }

    fn option(&mut self, option: RunId) -> Vec<Step> {
        let entry = self.entry(option);
        let known = &self.chain.elements[entry];
        let never = matches!(&known.kind, ElementKind::Basic(action) if is_never(action));
        if never && known.escapes.is_empty() {
            return Vec::new();
        }
        self.steps(entry)
    }

    /// The first element of an option or block: a jump there is a step.
    fn entry(&self, run: RunId) -> ElementId {
        let mut at = self.chain.runs[run].first;
        loop {
            let element = &self.chain.elements[at];
            at = match (&element.kind, element.next) {
                (ElementKind::Join, Some(next)) => next,
                (ElementKind::Unless(main, _), _) => self.chain.runs[*main].first,
                _ => return at,
            };
        }
    }

    /// Where the inside of a `d_step` begins and ends.
    fn inside(&mut self, element: ElementId) -> Option<[ElementId; 2]> {
        match self.chain.elements[element].kind {
            ElementKind::Deterministic(run, done) => {
                Some([self.hunt(self.chain.runs[run].first, false), done])
            }
            _ => None,
        }
    }

    /// Where the step of `element` leads.
    fn target(&mut self, element: ElementId) -> ElementId {
        match self.beyond(element) {
            Some(next) => self.hunt(next, self.chain.elements[element].atomic),
            None => element,
        }
    }

    /// The element behind this one, jumps followed.
    fn beyond(&self, element: ElementId) -> Option<ElementId> {
        let known = &self.chain.elements[element];
        match known.kind {
            ElementKind::Jump(label) => self.chain.labels[label],
            ElementKind::Leave(number) => self.chain.exits[number],
            _ => known.next,
        }
    }

    /// Walks from `element` to one a process rests at. From inside an atomic
    /// sequence the walk does not leave it: the jump that would is a step.
    fn hunt(&mut self, element: ElementId, atomic: bool) -> ElementId {
        self.hunt_on(element, atomic, &mut HashSet::new())
    }

    /// The walk may come back to where it was, even through an `unless`: `seen`
    /// ends it there.
    fn hunt_on(
        &mut self,
        element: ElementId,
        atomic: bool,
        seen: &mut HashSet<ElementId>,
    ) -> ElementId {
        let mut at = element;
        loop {
            if !seen.insert(at) {
                self.endless.push(self.chain.elements[at].span);
                return at;
            }
            let next = match self.chain.elements[at].kind {
                ElementKind::Jump(_)
                | ElementKind::Leave(_)
                | ElementKind::Join
                | ElementKind::Exit => self.beyond(at),
                ElementKind::Unless(main, _) => {
                    Some(self.hunt_on(self.chain.runs[main].first, atomic, seen))
                }
                _ => None,
            };
            let Some(next) = next else { return at };
            if atomic && !self.chain.elements[next].atomic {
                return at;
            }
            if matches!(self.chain.elements[at].kind, ElementKind::Unless(..)) {
                return next;
            }
            at = next;
        }
    }
}

struct Emitter<'a> {
    chain: &'a Chain,
    numbers: Vec<Option<LocationId>>,
    locations: IdVec<LocationId, Location>,
    edges: IdVec<EdgeId, Edge>,
    statements: IdVec<EdgeId, Listed>,
}

impl Emitter<'_> {
    fn open(&mut self, element: ElementId) {
        let Element { span, number, .. } = self.chain.elements[element];
        let location = Location { span: Some(span), number, ..Location::default() };
        self.numbers[element.index()] = Some(self.locations.push(location));
    }

    fn location(&self, element: ElementId) -> LocationId {
        self.numbers[element.index()].expect("whatever a step leads to was reached")
    }

    /// Makes the edges that leave the location of `element`; steps of one
    /// escape are one group.
    fn leave(&mut self, element: ElementId, steps: &[Step], walker: &mut Walker<'_>) {
        let from = self.location(element);
        for group in steps.chunk_by(|one, other| one.escape == other.escape) {
            let edges = group.iter().map(|step| self.edge(from, step, walker)).collect();
            self.locations[from].groups.push(edges);
        }
    }

    fn edge(&mut self, from: LocationId, step: &Step, walker: &mut Walker<'_>) -> EdgeId {
        let source = &self.chain.elements[step.source];
        let action = match (&source.kind, walker.inside(step.source)) {
            (ElementKind::Basic(action), _) => action.clone(),
            (_, Some([start, end])) => {
                Action::Deterministic { start: self.location(start), end: self.location(end) }
            }
            _ => Action::Skip,
        };
        self.statements.push(listed(source));
        let (to, atomic) = (self.location(step.to), source.atomic && action != Action::Die);
        let (merged, resets) = (false, Vec::new());
        let (span, wording) = (source.span, source.wording.clone());
        self.edges.push(Edge { from, to, action, atomic, merged, resets, span, wording })
    }

    /// Writes the labels down at their locations.
    fn labels(&mut self, body: &Body) -> Vec<Option<LocationId>> {
        let mut places = Vec::new();
        for (label, element) in body.labels.iter().zip(&self.chain.labels) {
            let place = element.and_then(|element| self.numbers[element.index()]);
            if let Some(place) = place {
                let location = &mut self.locations[place];
                location.labels.push(label.name.clone());
                mark(&mut location.marks, &label.name);
            }
            places.push(place);
        }
        places
    }
}

/// How SPIN lists the statement of an element.
fn listed(element: &Element) -> Listed {
    let words = match &element.kind {
        ElementKind::Leave(number) => Words::Leave(*number),
        ElementKind::Join => Words::Text(".(goto)".to_owned()),
        ElementKind::Exit => Words::Text("break".to_owned()),
        ElementKind::Basic(Action::Die) => Words::Text("-end-".to_owned()),
        ElementKind::Deterministic(..) => Words::Text("D_STEP".to_owned()),
        ElementKind::Basic(Action::Skip) if element.text.is_empty() => {
            Words::Text("(1)".to_owned())
        }
        _ => Words::Text(element.text.clone()),
    };
    Listed { number: element.number, words }
}

fn mark(marks: &mut LocationMarks, label: &str) {
    marks.end |= label.starts_with("end");
    marks.accept |= label.starts_with("accept");
    marks.progress |= label.starts_with("progress");
}
