//! The executors of PROMELA programs in lockstep: the same steps in the same order, with
//! the same words, from every state, breadth first up to a limit. The reference
//! interpreter is the judge of the closures, and those are the judge of the packed form.

mod packed;

use engine::program::{Closures, Executor, Followed, Refused, compile};
use preprocess::{Files, Input, Options};
use program::reference::Rules;
use program::{ClaimKind, Program, Reductions, reduce};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use system::{Budget, Successors, System, Unlimited, Word};

/// States compared per model and set of rules.
const STATES_MAX: usize = 20_000;

struct Folder(PathBuf);

impl Files for Folder {
    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        std::fs::read(self.0.join(path))
    }
}

/// The model in a file; none if the front end refuses it.
fn program(path: &Path) -> Option<Program> {
    let bytes = std::fs::read(path).expect("the model is readable");
    let folder = Folder(path.parent().expect("models stand in folders").to_owned());
    let name = path.file_name().expect("a file").to_string_lossy();
    promela::read(Input { name: &name, bytes: &bytes }, &Options::default(), &folder).program
}

fn parse(text: &str) -> Program {
    let input = Input { name: "model.pml", bytes: text.as_bytes() };
    let lowered = promela::read(input, &Options::default(), &Folder(PathBuf::new()));
    lowered.program.unwrap_or_else(|| panic!("{text}\n{:?}", lowered.diagnostics))
}

fn corpus(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela").join(folder)
}

fn models(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root).expect("the corpus is there");
    let paths = entries.flatten().map(|entry| entry.path());
    let mut models: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ext| ext == "pml")).collect();
    models.sort();
    models
}

/// Every set of rules worth a comparison.
fn rules(program: &Program) -> Vec<Rules> {
    let claims = program.claims.iter().filter_map(|claim| match claim.kind {
        ClaimKind::Never(id) => Some(Some(id)),
        ClaimKind::Ltl(_) => None,
    });
    let mut rules = Vec::new();
    for claim in claims.chain([None]) {
        for spin_counts in [false, true] {
            let plain = Rules { spin_counts, claim, ..Rules::default() };
            let odd = Rules { lossy_sends: true, inner_unless_first: true, ..plain };
            rules.extend([plain, Rules { wide: true, queues_empty_at_end: true, ..odd }]);
        }
    }
    rules
}

/// Compares both executors of a program; how many states, or none if it is
/// unsupported.
fn compare(name: &str, program: &Program, rules: Rules) -> Option<usize> {
    let mut width = 0;
    loop {
        let closures = match compile(program, rules, width) {
            Ok(closures) => closures,
            Err(Refused::Unsupported(_)) => return None,
            Err(Refused::Failure(failure)) => {
                let judge = Followed::new(program, rules, width).err();
                assert_eq!(judge, Some(failure), "{name} {rules:?}");
                return Some(0);
            }
        };
        let followed = Followed::new(program, rules, width).expect("as the closures say");
        let states = lockstep(name, &followed, &closures);
        if closures.is_too_narrow() {
            width = closures.width() * 2;
            continue;
        }
        assert_eq!(closures.executed(), followed.executed(), "{name} {rules:?}: executed");
        let long = (closures.needs_long_numbers(), followed.needs_long_numbers());
        assert_eq!(long.0, long.1, "{name} {rules:?}: long numbers");
        return Some(states);
    }
}

/// Walks both systems breadth first; how many states were compared.
fn lockstep(name: &str, judge: &Followed<'_>, system: &Closures) -> usize {
    assert_eq!(
        (judge.width(), judge.identity_words()),
        (system.width(), system.identity_words()),
        "{name}"
    );
    let mut first = vec![0; judge.width()];
    let mut again = first.clone();
    judge.initial(&mut first);
    system.initial(&mut again);
    assert_eq!(first, again, "{name}: the initial state");
    let mut seen: HashSet<Vec<Word>> = HashSet::from([first.clone()]);
    let mut open = vec![first];
    let mut next = 0;
    let (mut right, mut ours) = (Successors::new(judge.width()), Successors::new(judge.width()));
    while next < open.len().min(STATES_MAX) {
        let state = open[next].clone();
        next += 1;
        right.clear();
        ours.clear();
        judge.successors(&state, &mut right, &mut Unlimited);
        system.successors(&state, &mut ours, &mut Unlimited);
        if judge.is_too_narrow() {
            assert!(system.is_too_narrow(), "{name}: only one finds it too narrow");
            break;
        }
        let same = right.iter().eq(ours.iter());
        assert!(same, "{name}: {:#?}\n{right:#x?}\n{ours:#x?}", judge.state(&state));
        assert_eq!(
            judge.blocked(&state),
            system.blocked(&state),
            "{name}: {:?}",
            judge.state(&state)
        );
        for (_, _, state) in right.iter().filter(|(_, landing, _)| landing.enters()) {
            if seen.insert(state.to_vec()) {
                open.push(state.to_vec());
            }
        }
    }
    next
}

/// Compares all models of a folder; how many the closures support.
fn check(folder: &str) -> usize {
    let mut supported = 0;
    for path in models(&corpus(folder)) {
        let name = path.display().to_string();
        let Some(program) = program(&path) else { continue };
        let reduced = reduce(&program, Reductions::ALL);
        let forms = rules(&program).into_iter().flat_map(|rules| {
            let reduced = (!rules.spin_counts).then_some((&reduced, rules));
            [(&program, rules)].into_iter().chain(reduced)
        });
        let compared = forms.map(|(program, rules)| compare(&name, program, rules));
        let compared: Vec<Option<usize>> = compared.collect();
        supported += usize::from(compared.iter().all(Option::is_some));
    }
    supported
}

#[test]
fn small_models() {
    let supported = check("mini");
    assert!(supported >= 87, "only {supported} models are supported");
}

#[test]
fn corners_of_the_semantics() {
    let supported = check("semantics");
    assert!(supported >= 45, "only {supported} models are supported");
}

#[test]
fn rules_that_can_be_chosen() {
    for path in models(&corpus("rules")) {
        let program = program(&path).expect("a model without errors");
        for spin_counts in [false, true] {
            let plain = Rules { spin_counts, ..Rules::default() };
            let alone = [
                plain,
                Rules { lossy_sends: true, ..plain },
                Rules { inner_unless_first: true, ..plain },
                Rules { queues_empty_at_end: true, ..plain },
            ];
            for rules in alone {
                let states = compare(&path.display().to_string(), &program, rules);
                assert!(states > Some(10), "{} {rules:?}", path.display());
            }
        }
    }
}

/// All executors agree on a model, under all rules, on so many states at least.
fn agree(text: &str, states_min: usize) {
    let program = parse(text);
    let counts = rules(&program).into_iter().map(|rules| compare(text, &program, rules));
    let states: Option<usize> = counts.sum();
    let reduced = reduce(&program, Reductions::ALL);
    for rules in rules(&reduced) {
        assert!(compare(text, &reduced, rules).is_some(), "unsupported: {text}");
    }
    let states = states.unwrap_or_else(|| panic!("unsupported: {text}"));
    assert!(states >= states_min, "{states} states only: {text}");
    if let Ok(packed) = packed::check(text, &program) {
        assert!(packed.states > 0, "{text}");
    }
}

#[test]
fn an_offer_outlives_the_d_step_that_took_it() {
    agree(
        "chan r = [0] of { short, bit }; chan q = [3] of { int, byte }; int x; bit b;
         active proctype A() { r!70000,3; r!1,b }
         active [2] proctype B() {
           int v; bit w;
           do
           :: d_step { r?v,w; q!v*1000,7; q!!1,300; q!!-5,2 }
           :: d_step { r?eval(x),w; x = v }
           :: atomic { r?v,_; q?x,_ }
           :: q?x,_
           od }",
        40,
    );
}

#[test]
fn types_of_all_widths() {
    agree(
        "unsigned u : 3; unsigned w : 11; unsigned t : 20; unsigned l : 29; short s = -3;
         bit a[3]; int i = -1; hidden byte h; hidden int k = 9; byte n;
         active proctype P() {
           do
           :: n < 9 -> n++; u = u - 1; w = w * 7 + 3; t = t * 5 - 1; l = l * 31 - 7;
              s = s * 9; i = i * s; a[n % 3] = n; h = h + n; k = k - h;
           :: n < 5 -> n = n + 2; s = i / n; i = ~i >> 1
           :: else -> break
           od;
           assert(k + h != 7) }",
        100,
    );
}

#[test]
fn faults_of_all_kinds() {
    agree(
        "byte a[3]; chan none; chan any; chan q = [1] of { byte, byte }; chan r = [0] of { byte };
         chan wide = [1] of { byte, byte, byte };
         byte i;
         proctype Other(byte z) { byte y = a[z]; chan own = [2] of { chan }; own!own; own?none }
         active proctype P() {
           byte v;
           do
           :: i < 4 -> i++
           :: a[i] = 1
           :: a[a[i]] == 0 -> a[0]++; i = 0
           :: v = 6 / (i - 2)
           :: none!1,2
           :: none?v,_
           :: any = q; any!1
           :: any!1,2,3
           :: any?v
           :: any?v,_,i
           :: any = r; any?[1] -> skip
           :: i = len(none)
           :: atomic { i == 1; a[i + 1] = a[i] + 1; assert(a[2] < 2) }
           :: atomic { do :: v = 0 :: v = 1 :: i == 3 -> break od }
           :: d_step { i == 2; i = 3; i == 4 }
           :: d_step { i == 2; do :: v = 1 - v :: false od }
           :: d_step { i == 0 -> r!1 }
           :: _nr_pr < 3 -> run Other(i)
           od }",
        1000,
    );
}

#[test]
fn providers_that_fail_and_block() {
    agree(
        "byte a[2]; byte i; chan r = [0] of { byte };
         active proctype P() provided (a[i] == 0) {
           do :: atomic { i = i + 1; skip; i = i - 1 } :: i < 2 -> i++ :: r!1 od }
         active proctype Q() provided (a[i] == 0 && i < 2) {
           byte v; do :: r?v :: atomic { r?v; i++; a[0] = v } :: atomic { a[0] = 0; i = 0 } od }
         active proctype R() { do :: i = 0 :: a[0] = 0 od }",
        30,
    );
}

#[test]
fn processes_that_come_and_go() {
    agree(
        "chan back = [2] of { chan, byte }; byte alive;
         proctype Child(byte depth; chan up) {
           chan down = [1] of { byte }; byte x = depth + 1; chan c;
           atomic { alive++; up!down,depth };
           if :: depth > 0 && _nr_pr < 5 -> run Child(depth - 1, up) :: else fi;
           if :: back??c,eval(depth) -> c!x :: down?x :: timeout -> skip fi;
           alive-- }
         init { atomic { run Child(1, back); (run Child(1, back) > 200) || alive < 3 };
           do :: alive == 0 && timeout -> break :: back?_,_ od; assert(_nr_pr == 1) }",
        500,
    );
}

#[test]
fn those_who_look_at_others() {
    agree(
        "byte g; bool done;
         proctype Low(byte k) { byte mine = k; do :: g < 3 -> g++; mine++ :: g == 3 -> break od;
           L: done = true }
         active proctype Watch() priority 2 {
           pid p; p = run Low(1) priority 1; set_priority(0, 1);
           { do
           :: enabled(p) -> g = g
           :: Low[p]:mine == 3 && !Low[p]@L -> set_priority(p, 3)
           :: pc_value(p) > 2 && get_priority(p) < 9 -> g = 0; break
           :: done -> set_priority(p, 300)
           :: Low[0]:mine == 1 -> skip
           :: _last == p -> break
           od } unless { g == 2 && done } }",
        20,
    );
}

#[test]
fn claims_and_traces() {
    agree(
        "chan q = [2] of { byte }; chan r = [0] of { byte }; byte n;
         active proctype A() { do :: q!n; n = 1 - n :: r!n od }
         active proctype B() { byte v; end: do :: q?v :: r?v :: timeout -> break od }
         trace { do :: q!0; q?_ :: q!1 :: r?0 od }
         never { do :: n == 1 -> skip :: atomic { n == 0 -> n == 0 } :: timeout -> break od;
           accept: n == 0 }",
        30,
    );
}

#[test]
fn long_sequences() {
    agree(
        "int n; short back;
         active proctype P() { atomic { do :: n < 200 -> n++ :: n > 150 -> break od } }
         active proctype Q() { d_step { do :: back < 3000 -> back++ :: else -> break od };
           atomic { do :: back > 2995 -> back-- :: back = 3000 od } }",
        100,
    );
}

/// Processes and channels until there are no numbers left.
#[test]
fn numbers_run_out() {
    let processes = "proctype Q() { false } active proctype P() { do :: run Q() od }";
    let channels = "proctype Q() { chan c[60] = [1] of { byte }; c[7]!7; false }
         active proctype P() { do :: run Q() od }";
    let many = Some("more than 128 processes at once");
    for (text, states_min, refusal) in [(processes, 250, many), (channels, 15, None)] {
        let program = parse(text);
        assert_eq!(packed::check(text, &program).err(), refusal);
        for spin_counts in [false, true] {
            let rules = Rules { spin_counts, ..Rules::default() };
            let states = compare(text, &program, rules).expect("supported");
            assert!(states >= states_min, "{states} states only: {text}");
        }
    }
}

/// Is patient for a number of questions.
struct Short(u32);

impl Budget for Short {
    fn lasts(&mut self, _: u64) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

/// Whoever waits may stop in the middle of a step, and come back to it.
#[test]
fn patience_ends() {
    let paths = "int a; byte i; active proctype P() { atomic {
        do :: i < 15 -> a = a * 2; i++ :: i < 15 -> a++; i++ :: i == 15 -> break od } }";
    let long =
        "int n; active proctype P() { d_step { do :: n < 900000 -> n++ :: else -> break od } }";
    for (text, steps) in [(paths, 1 << 15), (long, 1)] {
        let program = parse(text);
        let closures = compile(&program, Rules::default(), 0).expect("supported");
        let followed = Followed::new(&program, Rules::default(), 0).expect("it starts");
        let systems: [&dyn System; 2] = [&closures, &followed];
        let mut state = vec![0; closures.width()];
        closures.initial(&mut state);
        let mut all: Vec<Successors> = Vec::new();
        for system in systems {
            let mut out = Successors::new(system.width());
            assert!(!system.successors(&state, &mut out, &mut Short(1)), "{text}");
            out.clear();
            assert!(system.successors(&state, &mut out, &mut Short(u32::MAX)), "{text}");
            assert_eq!(out.len(), steps, "{text}");
            all.push(out);
        }
        assert!(all[0].iter().eq(all[1].iter()), "{text}");
    }
}
