//! Checks that begin behind a random run of a random model, against all states that the reference
//! interpreter reaches from there.

use pipeline::{
    Behind, Dice, Engine, Loaded, Memory, Options, Run, Source, StateGraph, Taken, check_ahead,
    go_randomly, load, retake, simulate, state_graph, taken,
};
use report::{ErrorEntry, Kind, PropertyVerdict, Report, RunRules, Verdict};
use std::cell::RefCell;
use std::collections::BTreeSet;
use testkit::{Random, for_seeds};

/// Random models per test.
const SAMPLES: u64 = 600;
/// More states than this ahead of a run are not judged.
const STATES_MAX: usize = 1_500;
const ENGINES: [Engine; 3] = [Engine::Jit, Engine::Closures, Engine::Reference];

/// What is ahead of a state.
struct Ahead {
    kinds: BTreeSet<Kind>,
    /// The lengths that each channel has in some state.
    lengths: BTreeSet<(String, usize)>,
    graph: StateGraph,
}

impl Ahead {
    fn of(run: &mut dyn Run) -> Option<Self> {
        let kinds = RefCell::new(BTreeSet::new());
        let lengths = RefCell::new(BTreeSet::new());
        let look = |run: &dyn Run| {
            let wrong = run.endings().into_iter().map(|ending| ending.requirement.kind);
            kinds.borrow_mut().extend(wrong.filter(|kind| *kind != Kind::Residual));
            let queues = run.snapshot().queues.into_iter();
            // Where a step failed there is no state.
            let rests = |kind: Kind| kind.is_blocked() || kind == Kind::Residual;
            if run.endings().iter().all(|ending| rests(ending.requirement.kind)) {
                lengths.borrow_mut().extend(queues.map(|(name, queue)| (name, queue.len())));
            }
            run.identity()
        };
        let graph = state_graph(run, STATES_MAX, &look, &|| true);
        let is_whole = graph.is_whole;
        let ahead = Self { kinds: kinds.into_inner(), lengths: lengths.into_inner(), graph };
        is_whole.then_some(ahead)
    }
}

/// A random run of a model, if it can begin and nothing is wrong at its end.
fn begun<'a>(
    loaded: &'a Loaded,
    options: &Options,
    random: &mut Random,
) -> Option<Box<dyn Run + 'a>> {
    let mut run = simulate(loaded, options, None)?.ok()?;
    let goal = pipeline::Goal::of(loaded);
    go_randomly(&mut *run, &goal, random.below(9) as usize, &mut Dice::new(random.bits()), &|| {
        true
    });
    while run.problem().is_some() && run.back() {}
    run.problem().is_none().then_some(run)
}

fn report(text: &str, options: &Options, path: &[Taken], only_covers: bool) -> Report {
    let source = Source::new("random.pml", text.as_bytes());
    let source =
        Source { language: Source::language("", text.as_bytes()).expect("it shows"), ..source };
    let behind = Behind { path, rules: &RunRules::default(), only_covers };
    let checked = check_ahead(source, options, behind, &mut Memory::default());
    let checked = checked.unwrap_or_else(|usage| panic!("{usage}\n{text}"));
    assert_eq!(checked.internal_error, None, "{path:?}\n{text}");
    checked.report
}

/// Judges one model; how many states there were, and whether anything is wrong with it.
fn judge(text: &str, random: &mut Random) -> Option<(usize, bool)> {
    let options = Options { keeps_labels: true, ..Options::default() };
    let source = Source::new("random", text.as_bytes());
    let loaded = load(source, &options, &Memory::default());
    // Not every random text is a model.
    if !loaded.is_sound() {
        return None;
    }
    let mut run = begun(&loaded, &options, random)?;
    let path = taken(&mut *run, &|| true).expect("there is time");
    let ahead = Ahead::of(&mut *run)?;
    let engine = ENGINES[random.below(3) as usize];
    let asked = Options { engine, ..options.clone() };
    let told = report(text, &asked, &path, false);
    let place = || format!("{engine:?} behind {path:#?}\n{text}");
    match ahead.kinds.is_empty() {
        true => {
            assert_eq!(told.verdict, Verdict::Incomplete, "{}", place());
            assert_eq!(told.why_incomplete, ["ahead"], "{}", place());
            let states = told.stats.states as usize;
            assert!(states <= ahead.graph.nodes.len(), "{states} {}", place());
        }
        false => {
            assert_eq!(told.verdict, Verdict::Violated, "{:?} {}", ahead.kinds, place());
            // What is found behind an assertion that failed is not among these states.
            let is_there = |error: &ErrorEntry| {
                ahead.kinds.contains(&error.kind) || error.rules.without_assertions
            };
            assert!(told.errors.iter().all(is_there), "{:?} {}", ahead.kinds, place());
            assert!(ahead.kinds.contains(&told.errors[0].kind), "{}", place());
            for error in &told.errors {
                let mut again = simulate(&loaded, &options, Some(&error.rules))
                    .expect("sound")
                    .expect("it starts");
                again.retrace(&error.scenario, &error.choices).expect("it was executed again");
                let whole = taken(&mut *again, &|| true).expect("there is time");
                // Of two choices with the same words either may be the one.
                let words = |taken: &Taken| (taken.process.clone(), taken.action.clone());
                let begins = whole.iter().map(words).zip(path.iter().map(words));
                assert!(whole.len() >= path.len(), "{}", place());
                begins.for_each(|(one, other)| assert_eq!(one, other, "{}", place()));
            }
        }
    }
    let holds = |property: &report::Property| property.verdict == PropertyVerdict::Holds;
    assert!(!told.properties.iter().any(holds), "{}", place());
    covered(text, (&asked, &path), &loaded);
    Some((ahead.graph.nodes.len(), !ahead.kinds.is_empty()))
}

/// Every length of the first channel, reached or not. A failed assertion ends no run that is looked at
/// for its states.
fn covered(text: &str, (options, path): (&Options, &[Taken]), loaded: &Loaded) {
    let rules = RunRules { without_assertions: true, ordinary: true, ..RunRules::default() };
    let mut run = simulate(loaded, options, Some(&rules)).expect("sound").expect("it starts");
    retake(&mut *run, path, &|| true).expect("it was taken");
    let Some(name) = run.snapshot().queues.keys().next().cloned() else { return };
    // What violates an event trace leads nowhere, and a run may end as well before the trace does.
    if text.contains("trace {") {
        return;
    }
    // In PROMELA a name that has a colon or a bracket is no name of a predicate.
    if !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return;
    }
    let Some(ahead) = Ahead::of(&mut *run) else { return };
    for length in 0..3 {
        let covers = vec![format!("len({name}) == {length}")];
        let asked = Options { covers, keeps_labels: true, ..options.clone() };
        let told = report(text, &asked, path, true);
        let is_there = ahead.lengths.contains(&(name.clone(), length));
        let reached = told.properties.iter().any(|it| it.verdict == PropertyVerdict::Reached);
        let verdict = if is_there { Verdict::Possible } else { Verdict::Impossible };
        assert_eq!(told.verdict, verdict, "len({name}) == {length} behind {path:#?}\n{text}");
        assert_eq!(reached, is_there, "len({name}) == {length} behind {path:#?}\n{text}");
        for witness in &told.witnesses {
            let mut again =
                simulate(loaded, options, Some(&witness.rules)).expect("sound").expect("it starts");
            again.retrace(&witness.scenario, &witness.choices).expect("it was executed again");
            assert_eq!(again.snapshot().queues[&name].len(), length, "{text}");
            assert!(again.steps() >= path.len(), "{text}");
        }
    }
}

fn judge_all(what: &str, make: impl Fn(&mut Random) -> String) {
    let (mut judged, mut wrong) = (0, 0);
    for_seeds(0..SAMPLES, |_, random| {
        let text = make(random);
        if let Some((_, is_wrong)) = judge(&text, random) {
            judged += 1;
            wrong += u64::from(is_wrong);
        }
    });
    assert!(judged > SAMPLES / 2, "{what}: only {judged} were judged");
    assert!(wrong > SAMPLES / 20 && wrong < judged, "{what}: {wrong} of {judged}");
}

#[test]
fn networks() {
    judge_all("networks", testkit::protocol::protocol);
}

#[test]
fn programs() {
    judge_all("programs", testkit::promela::dependent::model);
}

/// Steps that begin with the same edge are told apart by where they lead.
#[test]
fn ways_through_an_atomic_sequence() {
    let text = "byte x, y;\n\
                active proctype P() { atomic { y = 1; if :: x = 1 :: x = 2 fi }; assert(x == 1) }\n";
    let options = Options { keeps_labels: true, ..Options::default() };
    let loaded = load(Source::new("m.pml", text.as_bytes()), &options, &Memory::default());
    for engine in ENGINES {
        for (choice, verdict) in [(0, Verdict::Incomplete), (1, Verdict::Violated)] {
            let mut run = simulate(&loaded, &options, None).expect("sound").expect("it starts");
            assert!(run.take(choice));
            let path = taken(&mut *run, &|| true).expect("there is time");
            let told = report(text, &Options { engine, ..options.clone() }, &path, false);
            assert_eq!(told.verdict, verdict, "{engine:?} {choice}");
        }
    }
}
