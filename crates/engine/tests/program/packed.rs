//! Programs in packed form against the reference interpreter: the same steps in the same
//! order to the same states, from every state, breadth first up to a limit; states are
//! written in one way only; few states are given up; and machine code does the same.

use super::{models, program, rules};
use engine::program::{Executor, Knowledge, ReferenceProgram, Refused, pack};
use program::Program;
use program::reference::Rules;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::process::Command;
use system::{Blocked, StepOutcome, Successors, System, Unlimited, Word};

/// States compared per model and set of rules.
const STATES_MAX: usize = 1000;

/// What came of a comparison.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Compared {
    pub(super) states: u64,
    /// States that were given up.
    bails: u64,
    /// How often it had to begin again for want of room.
    pub(super) rounds: usize,
}

/// Compares both executors of a program; why not, if it is not lowered.
pub(super) fn compare(
    name: &str,
    program: &Program,
    rules: Rules,
    states_max: usize,
) -> Result<Compared, &'static str> {
    let (mut width, mut knowledge, mut rounds) = (0, Knowledge::default(), 0);
    loop {
        let Ok(judge) = ReferenceProgram::new(program, rules, width) else {
            return Ok(Compared::default());
        };
        let form = match pack(program, rules, knowledge.clone()) {
            Ok(form) => form,
            Err(Refused::Unsupported(reason)) => return Err(reason),
            Err(Refused::Failure(failure)) => panic!("{name}: {failure:?}"),
        };
        assert_eq!(form.packed().verify(), Ok(()), "{name}: a sound form");
        let swift = form.on_closures();
        let again = pack(program, rules, knowledge.clone()).expect("as before");
        let machine = jit::compile(again.packed()).map(|code| again.on(code));
        let machine = machine.as_ref().map(|machine| machine as &dyn System);
        let pair = Pair { name, judge: &judge, swift: &swift, machine };
        let states = pair.lockstep(states_max);
        if judge.is_too_narrow() {
            width = judge.width() * 2;
        } else if swift.is_too_narrow() {
            rounds += 1;
            assert!(rounds < 12, "{name}: begins again and again");
            knowledge = swift.knowledge();
        } else {
            assert_eq!(swift.executed(), judge.executed(), "{name} {rules:?}: executed");
            let uncounted = (swift.met_uncounted_error(), judge.met_uncounted_error());
            assert_eq!(uncounted.0, uncounted.1, "{name} {rules:?}: errors not counted");
            return Ok(Compared { states, bails: swift.bails(), rounds });
        }
    }
}

type PackedProgram<'a> = engine::program::PackedProgram<'a, std::sync::Arc<packed::Closures>>;

struct Pair<'a> {
    name: &'a str,
    judge: &'a ReferenceProgram<'a>,
    swift: &'a PackedProgram<'a>,
    /// The same as machine code, where there is any.
    machine: Option<&'a dyn System>,
}

impl Pair<'_> {
    /// Walks both systems breadth first; how many states were compared.
    fn lockstep(&self, states_max: usize) -> u64 {
        let mut first = (vec![0; self.judge.width()], vec![0; self.swift.width()]);
        self.judge.initial(&mut first.0);
        self.swift.initial(&mut first.1);
        let mut names: HashMap<Vec<Word>, Vec<Word>> = HashMap::new();
        let mut open = Vec::new();
        self.meet((&first.0, &first.1), &mut names, &mut open);
        let mut right = Successors::new(self.judge.width());
        let mut ours = Successors::new(self.swift.width());
        let mut next = 0;
        while next < open.len().min(states_max) {
            let (old, new) = open[next].clone();
            next += 1;
            right.clear();
            ours.clear();
            self.judge.successors(&old, &mut right, &mut Unlimited);
            self.swift.successors(&new, &mut ours, &mut Unlimited);
            if self.judge.is_too_narrow() || self.swift.is_too_narrow() {
                break;
            }
            self.same(&old, &right, &ours);
            self.machine_agrees(&new, &ours);
            if right.is_empty() {
                assert_eq!(self.judge.blocked(&old), self.swift.blocked(&new), "{}", self.name);
            }
            for (index, (_, landing, state)) in right.iter().enumerate() {
                if landing.enters() {
                    self.meet((state, ours.state(index)), &mut names, &mut open);
                }
            }
        }
        next as u64
    }

    fn same(&self, old: &[Word], right: &Successors, ours: &Successors) {
        let steps = |list: &Successors| -> Vec<_> {
            list.iter().map(|(step, landing, _)| (step, landing)).collect()
        };
        let name = self.name;
        assert_eq!(steps(right), steps(ours), "{name}: {:#?}", self.judge.state(old));
        for (index, (step, _, state)) in right.iter().enumerate() {
            let expected = self.judge.state(state);
            let got = self.swift.state(ours.state(index));
            let before = || self.judge.state(old);
            assert!(expected == got, "{name}: {step:?} {:#?}\n{expected:#?}\n{got:#?}", before());
        }
    }

    fn machine_agrees(&self, state: &[Word], ours: &Successors) {
        let Some(machine) = self.machine else { return };
        let mut theirs = Successors::new(machine.width());
        machine.successors(state, &mut theirs, &mut Unlimited);
        let (name, state) = (self.name, self.swift.state(state));
        assert!(theirs.iter().eq(ours.iter()), "{name}: {state:#?}\n{ours:#x?}\n{theirs:#x?}");
    }

    /// Takes in a state: it is written in one way only, and no other is written so.
    fn meet(
        &self,
        (old, new): (&[Word], &[Word]),
        names: &mut HashMap<Vec<Word>, Vec<Word>>,
        open: &mut Vec<(Vec<Word>, Vec<Word>)>,
    ) {
        let (name, state) = (self.name, self.judge.state(old));
        assert_eq!(self.swift.state(new), state, "{name}: read back");
        assert_eq!(self.swift.words(&state).as_deref(), Some(new), "{name}: {state:?}");
        let heads = (&old[..self.judge.identity_words()], &new[..self.swift.identity_words()]);
        match names.get(heads.1) {
            Some(known) => assert_eq!(known, heads.0, "{name}: two states are written alike"),
            None => {
                names.insert(heads.1.to_vec(), heads.0.to_vec());
                open.push((old.to_vec(), new.to_vec()));
            }
        }
    }
}

/// Compares a program under all rules; how many states in all, how many were given up.
pub(super) fn check(name: &str, program: &Program) -> Result<Compared, &'static str> {
    let mut sum = Compared::default();
    for rules in rules(program) {
        let one = compare(name, program, rules, STATES_MAX)?;
        sum.states += one.states;
        sum.bails += one.bails;
        sum.rounds = sum.rounds.max(one.rounds);
    }
    Ok(sum)
}

/// What has no packed form.
const UNPACKED: [&str; 3] = ["priorities", "`enabled`", "a D_proctype"];

/// Compares models; those that are lowered. The others hold something that never is.
fn check_all(paths: Vec<PathBuf>) -> Vec<(String, Compared)> {
    let mut all = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        let Some(program) = program(&path) else { continue };
        match check(&name, &program) {
            Ok(compared) => all.push((name, compared)),
            Err(reason) => assert!(UNPACKED.contains(&reason), "{name}: {reason}"),
        }
    }
    all
}

#[test]
fn small_models_packed() {
    let lowered = check_all(models("mini")).len();
    assert!(lowered >= 84, "only {lowered} models are lowered");
}

#[test]
fn corners_of_the_semantics_packed() {
    let lowered = check_all(models("semantics")).len();
    assert!(lowered >= 46, "only {lowered} models are lowered");
}

/// What a complete search sees: states, transitions, blocked states and errors by their kind.
type Figures = (usize, usize, Vec<(Blocked, usize)>, Vec<(StepOutcome, usize)>);

fn figures(system: &impl System) -> Figures {
    let mut first = vec![0; system.width()];
    system.initial(&mut first);
    let mut seen = HashSet::from([first[..system.identity_words()].to_vec()]);
    let (mut open, mut transitions) = (vec![first], 0);
    let (mut rests, mut landings) = (HashMap::new(), HashMap::new());
    let mut out = Successors::new(system.width());
    while let Some(state) = open.pop() {
        out.clear();
        system.successors(&state, &mut out, &mut Unlimited);
        transitions += out.len();
        if out.is_empty() {
            *rests.entry(system.blocked(&state)).or_insert(0) += 1;
        }
        for (_, landing, state) in out.iter() {
            *landings.entry(landing).or_insert(0) += 1;
            if landing.enters() && seen.insert(state[..system.identity_words()].to_vec()) {
                open.push(state.to_vec());
            }
        }
    }
    let mut rests: Vec<(Blocked, usize)> = rests.into_iter().collect();
    let mut landings: Vec<(StepOutcome, usize)> = landings.into_iter().collect();
    rests.sort_by_key(|(rest, _)| *rest);
    landings.sort_by_key(|(landing, _)| format!("{landing:?}"));
    (seen.len(), transitions, rests, landings)
}

/// Whole searches with each claim see the same in packed form and by the reference
/// interpreter, with SPIN's numbers and without.
#[test]
fn figures_with_claims() {
    let mut searches = 0;
    for path in models("mini").into_iter().chain(models("semantics")) {
        let Some(program) = program(&path) else { continue };
        let with_claim = rules(&program).into_iter().filter(|rules| rules.claim.is_some());
        for rules in with_claim.filter(|rules| !rules.lossy_sends) {
            let Some((ours, right)) = both_figures(&program, rules) else { continue };
            assert_eq!(ours, right, "{} {rules:?}", path.display());
            searches += 1;
        }
    }
    assert!(searches >= 34, "only {searches} searches");
}

/// The figures of the packed form and of the reference interpreter, with room for all states;
/// none if the program is not lowered.
fn both_figures(program: &Program, rules: Rules) -> Option<(Figures, Figures)> {
    let (mut width, mut knowledge) = (0, Knowledge::default());
    loop {
        let judge = ReferenceProgram::new(program, rules, width).ok()?;
        let swift = pack(program, rules, knowledge.clone()).ok()?.on_closures();
        let both = (figures(&swift), figures(&judge));
        if judge.is_too_narrow() {
            width = judge.width() * 2;
        } else if swift.is_too_narrow() {
            knowledge = swift.knowledge();
        } else {
            return Some(both);
        }
    }
}

/// The examples that come with SPIN, where the package is installed. Where an assertion
/// fails or a process comes that was not expected a state is given up; no more. A recursion
/// that creates thousands of processes begins again each time there are half as many again.
#[test]
fn the_examples_of_the_package_packed() {
    let Ok(listing) = Command::new("dpkg").args(["-L", "spin"]).output() else { return };
    let listing = String::from_utf8_lossy(&listing.stdout).into_owned();
    let paths = listing.lines().map(PathBuf::from);
    let lowered = check_all(paths.filter(|p| p.extension().is_some_and(|e| e == "pml")).collect());
    assert!(lowered.is_empty() || lowered.len() >= 60, "only {} are lowered", lowered.len());
    for (name, compared) in &lowered {
        let few = compared.bails <= 20 + compared.states / 50;
        assert!(few && compared.rounds <= 8, "{name}: {compared:?}");
    }
    let bails: u64 = lowered.iter().map(|(_, compared)| compared.bails).sum();
    let states: u64 = lowered.iter().map(|(_, compared)| compared.states).sum();
    assert!(bails * 200 <= states, "{bails} of {states} states are given up");
}
