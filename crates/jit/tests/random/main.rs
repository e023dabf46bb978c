//! Random forms in random states: what is documented, closures and machine code move alike
//! and give the same states up.

mod forms;
mod oracle;
mod views;

use jit::{Jit, Lazy};
use oracle::{Moved, Oracle};
use packed::{
    Backend, Bail, Batch, Closures, Driver, Fallback, Move, Packed, Scratch, Then, closures,
};
use std::sync::Arc;
use system::{Blocked, Budget, Step, StepKind, StepOutcome, Successors, System, Unlimited, Word};
use testkit::Random;

const FORMS: u64 = 700;
const STATES: u64 = 30;

/// In which state which agent, or all, is asked, and which edges are left out.
struct Question<'a> {
    agent: Option<usize>,
    state: &'a [Word],
    timeout: bool,
    left_out: &'a [Word],
}

/// The moves, and how many were left out; none if the state is given up.
type Answer = Option<(Vec<Moved>, usize)>;

/// What `ask` of a back end puts into a batch.
fn asked(packed: &Packed, backend: &dyn Backend, question: &Question<'_>) -> Answer {
    let Question { agent, state, timeout, left_out } = *question;
    let agents = agent.map_or(0..packed.agents.len(), |agent| agent..agent + 1);
    let most = agents.map(|agent| packed.most(agent)).sum();
    let (mut moves, mut words) = (vec![Move::default(); most], vec![0x55; most * packed.width]);
    let mut scratch = Scratch::new(packed);
    scratch.timeout = timeout;
    let batch = Batch::new(packed.width, &mut moves, &mut words);
    let mut batch = batch.leaving_out(left_out);
    let result = match agent {
        Some(agent) => backend.ask(agent, state, &mut scratch, &mut batch),
        None => backend.ask_all(state, &mut scratch, &mut batch),
    };
    let (count, spared) = (batch.len(), batch.spared());
    let states = words.chunks(packed.width.max(1)).take(count);
    let moved = moves.iter().zip(states).map(|(by, words)| (*by, words.to_vec()));
    result.ok().map(|()| (moved.collect(), spared))
}

/// What is documented.
fn documented(packed: &Packed, question: &Question<'_>, follows: bool) -> Answer {
    let Question { agent, state, timeout, left_out } = *question;
    let agents = agent.map_or(0..packed.agents.len(), |agent| agent..agent + 1);
    let (temps, offer) = (vec![0; packed.temps()], vec![0; packed.offer()]);
    let mut oracle = Oracle { packed, timeout, temps, offer, follows };
    let moved: Result<Vec<_>, _> = agents.map(|agent| oracle.ask(agent, state)).collect();
    let mut moved = moved.ok()?.concat();
    let count = moved.len();
    let bit =
        |edge: u32| left_out.get(edge as usize / 64).is_some_and(|w| w >> (edge % 64) & 1 == 1);
    moved.retain(|(by, _)| by.goes_on() || by.taker().is_some() || !bit(by.edge()));
    let spared = count - moved.len();
    Some((moved, spared))
}

/// How many answers were compared, how many of them were moves, and how many bails.
#[derive(Default, Debug)]
struct Tally {
    answers: usize,
    moves: usize,
    both: usize,
    bails: usize,
    spared: usize,
    followed: usize,
}

fn compare(
    packed: &Packed,
    jit: &Jit,
    closures: &Closures,
    random: &mut Random,
    tally: &mut Tally,
) {
    let state = forms::state(random, packed);
    let timeout = random.below(2) == 1;
    let edges: Vec<_> = packed.edges().collect();
    let mut left_out = vec![0; edges.len().div_ceil(64)];
    if random.below(2) == 1 {
        // What makes an offer is never left out.
        let alone = |edge: &usize| !matches!(edges[*edge].1.then, Then::Offered(_));
        let some = (0..edges.len()).filter(alone).filter(|_| random.below(3) == 0);
        some.for_each(|edge| left_out[edge / 64] |= 1 << (edge % 64));
    }
    for agent in (0..packed.agents.len()).map(Some).chain([None]) {
        let question = Question { agent, state: &state, timeout, left_out: &left_out };
        let expected = documented(packed, &question, true);
        for (name, backend) in [("closures", closures as &dyn Backend), ("code", jit)] {
            let found = asked(packed, backend, &question);
            assert_eq!(found, expected, "{name}, agent {agent:?} in {state:x?} of {packed:#?}");
        }
        tally.answers += 1;
        tally.bails += usize::from(expected.is_none());
        let (moves, spared) = expected.unwrap_or_default();
        (tally.moves, tally.spared) = (tally.moves + moves.len(), tally.spared + spared);
        tally.both += moves.iter().filter(|(by, _)| by.taker().is_some()).count();
        let alone = |by: &Move| 1 + u16::from(by.taker().is_some());
        tally.followed += moves.iter().filter(|(by, _)| by.weight() > alone(by)).count();
    }
}

#[test]
fn machine_code_closures_and_the_rules_agree() {
    let mut tally = Tally::default();
    for seed in 0..FORMS {
        let mut random = Random::new(seed);
        let packed = forms::form(&mut random);
        assert_eq!(packed.verify(), Ok(()), "seed {seed}");
        let Some(jit) = jit::compile(&packed) else { return };
        let closures = closures(&packed);
        for _ in 0..STATES {
            compare(&packed, &jit, &closures, &mut random, &mut tally);
        }
    }
    assert!(tally.answers > 20_000 && tally.moves > 20_000, "{tally:?}");
    assert!(tally.both > 300 && tally.bails > 1000, "{tally:?}");
    assert!(tally.bails < tally.answers / 2, "{tally:?}");
    assert!(tally.spared > 1000 && tally.followed > 300, "{tally:?}");
}

/// Has one step for every state.
struct Told;

impl Fallback for Told {
    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        out.push(Step::new(77, 77, StepKind::Timeout), state);
        out.set_outcome(StepOutcome::Fault);
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::Deadlock
    }
}

fn successors(driver: &impl System, state: &[Word]) -> Vec<(Step, StepOutcome, Vec<Word>)> {
    let mut out = Successors::new(state.len());
    driver.successors(state, &mut out, &mut Unlimited);
    out.iter().map(|(step, landing, words)| (step, landing, words.to_vec())).collect()
}

/// What is documented as a back end, which follows no sequence itself.
struct Plain(Arc<Packed>);

impl Plain {
    fn put(
        &self,
        agent: Option<usize>,
        state: &[Word],
        timeout: bool,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        let question = Question { agent, state, timeout, left_out: &[] };
        let (moves, _) = documented(&self.0, &question, false).ok_or(Bail)?;
        for (by, words) in moves {
            batch.slot().copy_from_slice(&words);
            batch.accept(by);
        }
        Ok(())
    }
}

impl Backend for Plain {
    fn ask(
        &self,
        agent: usize,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        self.put(Some(agent), state, scratch.timeout, batch)
    }

    fn ask_all(
        &self,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        self.put(None, state, scratch.timeout, batch)
    }
}

#[test]
fn systems_of_both_agree() {
    let (mut sequences, mut bails) = (0, 0);
    for seed in 0..FORMS / 2 {
        let mut random = Random::new(1_000_000 + seed);
        let packed = Arc::new(forms::form(&mut random));
        let Some(jit) = jit::compile(&packed) else { return };
        let fast = Driver::new(packed.clone(), jit, Told);
        let slow = Driver::new(packed.clone(), closures(&packed), Told);
        for _ in 0..STATES {
            let state = forms::state(&mut random, &packed);
            let found = successors(&fast, &state);
            assert_eq!(found, successors(&slow, &state), "seed {seed}, {state:x?}");
            sequences += found.iter().filter(|(step, ..)| step.weight > 2).count();
        }
        assert_eq!(fast.marks(), slow.marks(), "seed {seed}");
        assert_eq!(fast.bails(), slow.bails(), "seed {seed}");
        bails += fast.bails();
    }
    assert!(sequences > 100 && bails > 100, "{sequences} sequences, {bails} bails");
}

#[test]
fn followed_sequences_lead_where_the_others_do() {
    let (mut followed, mut bails) = (0, 0);
    for seed in 0..FORMS / 10 {
        let mut random = Random::new(2_000_000 + seed);
        let packed = Arc::new(forms::plain_form(&mut random));
        let follows = Driver::new(packed.clone(), closures(&packed), Told);
        let plain = Driver::new(packed.clone(), Plain(packed.clone()), Told);
        for _ in 0..STATES {
            let state = forms::state(&mut random, &packed);
            let found = successors(&follows, &state);
            assert_eq!(found, successors(&plain, &state), "seed {seed}, {state:x?}");
            followed += found.iter().filter(|(step, ..)| step.weight > 1).count();
        }
        assert_eq!(follows.bails(), plain.bails(), "seed {seed}");
        bails += plain.bails();
    }
    assert!(followed > 100 && bails > 100, "{followed} followed, {bails} bails");
}

#[test]
fn nothing_shows_when_the_code_is_made() {
    let mut late = 0;
    for seed in 0..FORMS / 10 {
        let mut random = Random::new(3_000_000 + seed);
        let packed = Arc::new(forms::form(&mut random));
        let lazy = Lazy::new(&packed);
        let driver = Driver::new(packed.clone(), lazy.clone(), Told);
        let slow = Driver::new(packed.clone(), closures(&packed), Told);
        for _ in 0..10 * STATES {
            let state = forms::state(&mut random, &packed);
            assert_eq!(successors(&driver, &state), successors(&slow, &state), "seed {seed}");
        }
        assert_eq!(driver.marks(), slow.marks(), "seed {seed}");
        late += u32::from(!lazy.compile_time().is_zero());
    }
    assert!(late > 10 || jit::compile(&Packed::default()).is_none(), "{late} compiled");
}

#[test]
fn drivers_go_to_threads_and_share_code() {
    let mut random = Random::new(7);
    let packed = Arc::new(forms::form(&mut random));
    let Some(jit) = jit::compile(&packed) else { return };
    let state = forms::state(&mut random, &packed);
    let lists: Vec<_> = std::thread::scope(|scope| {
        let threads = [0, 1].map(|_| {
            let driver = Driver::new(packed.clone(), jit.clone(), Told);
            let state = &state;
            scope.spawn(move || successors(&driver, state))
        });
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    assert_eq!(lists[0], lists[1]);
}

/// A search maps ranges of addresses far larger than code can jump, and above them a page may
/// be free in which the code of one function finds room.
#[test]
fn code_holds_together_whatever_was_mapped_before() {
    let map = |bytes: usize| memmap2::MmapOptions::new().len(bytes).no_reserve_swap().map_anon();
    let page = 1 << 12;
    let range = map(1 << 36).expect("a range of addresses");
    let above = |page: &memmap2::MmapMut| page.as_ptr() > range.as_ptr();
    let mut pages: Vec<_> = std::iter::from_fn(|| map(page).ok().filter(above)).collect();
    for seed in 0..50 {
        let packed = forms::form(&mut Random::new(4_000_000 + seed));
        drop(pages.pop());
        let code = jit::compile(&packed);
        assert_eq!(code.is_some(), jit::compile(&Packed::default()).is_some(), "seed {seed}");
        pages.extend(map(page).ok().filter(above));
    }
}
