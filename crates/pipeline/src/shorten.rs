//! Shorter runs to what a search found: by a second search with a budget in states.

use crate::Options;
use crate::Usage;
use crate::decide::{Found, Searched, put_in_front, search};
use crate::host::Timed;
use crate::stage::Stage;
use crate::subject::{Boxed, Form, Shortening, Subject, Systems, Unsearchable};
use crate::workflow::{Decisive, Room, Workflow};
use search::{
    Candidate, Finding, FindingKind, Order, Plan, Request, Shortest, StoreKind, Watch, Why,
};
use system::Blocked;

/// What is known of the length of a trail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Length {
    Shortest,
    /// There is none of fewer edges, but some edges of sequences are not shown.
    FewestEdges,
    /// There is none of fewer steps, but a step may be several statements.
    FewestSteps,
    FirstFound,
    /// A breadth-first search was tried and ran out of its budget.
    OverBudget,
    /// The shortest way into a component, and a short cycle in it.
    Cycle,
    /// There is none shorter with the same beginning, which was given.
    ShortestAhead,
}

impl Length {
    /// In the words of the contract.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Length::Shortest => "shortest",
            Length::FewestEdges => "no run is shorter if the end of an option counts as a step",
            Length::FewestSteps => "no run has fewer steps if an atomic sequence counts as one",
            Length::FirstFound => "first found",
            Length::Cycle => "the shortest way to a short cycle; others may be shorter",
            Length::ShortestAhead => "no way on from where the check began is shorter",
            Length::OverBudget => {
                "first found; whether there is a shorter one was too much to search"
            }
        }
    }
}

/// The findings of a search; their trails are moved.
pub(crate) fn findings(
    subject: &dyn Subject,
    system: &Boxed<'_>,
    Decisive { outcome, stage, .. }: &mut Decisive,
) -> Vec<Found> {
    let length = match stage.finds_shortest() && outcome.canonical {
        true if system.has_sequences() => Length::FewestSteps,
        true => Length::Shortest,
        false => Length::FirstFound,
    };
    // Thousands of long trails may be most of the memory: they are not held twice.
    let moved = |finding: &mut Finding| {
        let trail = std::mem::take(&mut finding.trail);
        Found::new(subject.requirement(finding.kind), trail, length)
    };
    outcome.findings.iter_mut().map(moved).collect()
}

/// What a search found, with shortest trails where a further one gives them. That one looks where
/// the search did not, and a state may not fit; it is made again with room for it then, for
/// without the state neither an error nor the length of its run would be what it seems.
pub(crate) fn shortened<'a>(
    subject: &dyn Subject,
    (form, system): (&'a dyn Form, &Boxed<'a>),
    found: Vec<Found>,
    (stage, workflow, options): (&Stage, &Workflow, &Options),
    watch: &mut Timed<'_>,
) -> Result<Vec<Found>, Unsearchable> {
    let shortening = form.shortening();
    let wanted = match (options.all_errors, shortening) {
        (_, Shortening::Nothing) | (true, Shortening::First) => false,
        // All errors of a part are not all errors: a shorter run may lead to others.
        (true, Shortening::All) => stage.is_whole() && !found.is_empty(),
        (false, _) => found.len() == 1,
    };
    let is_shortest = found.first().is_some_and(|found| found.length == Length::Shortest);
    if is_shortest || !wanted || !options.shortens() {
        return Ok(found);
    }
    watch.stage("looking for a shorter run");
    let budget = stage.budget(options);
    let mut wider: Option<Systems<'a>> = None;
    let shorter = loop {
        let system = wider.as_ref().map_or(system, |wider| &wider.systems[0]);
        let room = &mut Room { system, watch: &mut *watch };
        let shorter = match options.all_errors {
            true => shorten_all(subject, system, &budget, found.len(), room)?,
            false => shorten_first(subject, (form, system), &budget, &found[0], room),
        };
        if !form.learn(std::slice::from_ref(system)) {
            break shorter;
        }
        if watch.ended().is_some() {
            break None;
        }
        wider = Some(watch.compile(|| form.systems(workflow, options))?);
    };
    let over_budget = |found: Found| match (shortening, found.length) {
        (Shortening::All, Length::FirstFound) => Found { length: Length::OverBudget, ..found },
        _ => found,
    };
    Ok(shorter.unwrap_or_else(|| found.into_iter().map(over_budget).collect()))
}

/// The shortest way to a failure of the same requirement.
fn shorten_first(
    subject: &dyn Subject,
    (form, system): (&dyn Form, &Boxed<'_>),
    budget: &Request,
    first: &Found,
    watch: &mut dyn Watch,
) -> Option<Vec<Found>> {
    let mut accept = |candidate: &Candidate<'_>| {
        candidate.kind != FindingKind::Blocked(Blocked::Residual)
            && subject.requirement(candidate.kind) == first.requirement
    };
    let has_sequences = system.has_sequences();
    if has_sequences
        && budget.depth.is_none()
        && let Shortest::Found(finding) =
            search::fewest_statements(&**system, budget, &mut accept, watch)
    {
        let length = if form.shows_all() { Length::Shortest } else { Length::FewestEdges };
        return Some(vec![Found { length, ..shortest(subject, finding) }]);
    }
    if first.length != Length::FirstFound {
        return None;
    }
    match search::shortest(&**system, budget, &mut accept, watch) {
        Shortest::Found(finding) => {
            let length = if has_sequences { Length::FewestSteps } else { Length::Shortest };
            Some(vec![Found { length, ..shortest(subject, finding) }])
        }
        Shortest::NotWithinBudget | Shortest::Nowhere => None,
    }
}

/// One breadth-first search gives the shortest way to every error at once.
fn shorten_all(
    subject: &dyn Subject,
    system: &Boxed<'_>,
    budget: &Request,
    expected: usize,
    watch: &mut dyn Watch,
) -> Result<Option<Vec<Found>>, Unsearchable> {
    let request = breadth_first(StoreKind::Compact, budget);
    let findings = search::run(&**system, &mut [], &Plan::new(&request)?, watch)?.findings;
    let all = findings.len() >= expected;
    Ok(all.then(|| findings.into_iter().map(|finding| shortest(subject, finding)).collect()))
}

fn shortest(subject: &dyn Subject, finding: Finding) -> Found {
    Found::new(subject.requirement(finding.kind), finding.trail, Length::Shortest)
}

fn breadth_first(store: StoreKind, budget: &Request) -> Request {
    let reduce = search::Reduce::Nothing;
    Request { order: Order::BreadthFirst, store, reduce, cache: None, ..*budget }
}

/// What a search of a reduced form found, told of the model as it is written.
pub(crate) fn unmerged(
    subject: &dyn Subject,
    searched: &mut Searched<'_>,
    mut found: Vec<Found>,
    watch: &mut Timed<'_>,
) -> Result<Vec<Found>, Usage> {
    let form = &searched.form;
    if let Some(plain) = form.unmerged().filter(|_| !found.is_empty()) {
        found.iter_mut().for_each(|found| found.length = Length::FirstFound);
        if let Some(shorter) = shortest_unmerged(subject, plain, searched, watch)? {
            return Ok(vec![shorter]);
        }
    }
    if form.reductions().is_empty() {
        return Ok(found);
    }
    let shown = put_in_front(&mut found);
    for found in &mut found[..shown] {
        let trail = std::mem::replace(&mut found.trail, Ok(Vec::new()));
        found.trail = trail.and_then(|trail| form.expand(trail, &|| watch.lasts_to_close()));
    }
    // Of the messages left at proper ends the first run is shown.
    if let Some(first) = searched.outcome.residuals.first_mut()
        && let Ok(trail) = form.expand(first.trail.clone(), &|| watch.lasts_to_close())
    {
        first.trail = trail;
    }
    Ok(found)
}

/// The first error breadth first with every statement a step, if one error is asked for, its
/// shortest run is, and the budget allows. A merged step is several statements, so
/// the fewest of them are not the shortest run.
fn shortest_unmerged(
    subject: &dyn Subject,
    plain: Box<dyn Form + '_>,
    searched: &Searched<'_>,
    watch: &mut Timed<'_>,
) -> Result<Option<Found>, Usage> {
    let options = &searched.pass.options;
    if options.all_errors || !options.shortens() {
        return Ok(None);
    }
    let request = breadth_first(StoreKind::Full, &searched.stage.budget(options));
    let workflow = Workflow::only(Stage { request, ..Stage::whole(options) });
    match search(subject, plain, searched.pass.clone(), &workflow, watch) {
        Ok((plain, found)) => {
            let in_time = plain.outcome.why_incomplete == [Why::FirstError];
            Ok(found.into_iter().next().filter(|_| in_time))
        }
        Err(Unsearchable::InitialFailure) => Ok(None),
        Err(Unsearchable::Refused(why)) => Err(Usage(why)),
    }
}
