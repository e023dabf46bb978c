//! PROMELA programs in packed form in lockstep with the reference interpreter, their judge:
//! the models of the corpus and of the SPIN package, and models that are hard on executors.

mod packed;

use engine::program::{Knowledge, ReferenceProgram, pack};
use packed::compare;
use preprocess::{Input, Options};
use program::reference::Rules;
use program::{ClaimKind, Program, Reductions, reduce};
use std::path::{Path, PathBuf};
use system::{Budget, Successors, System};
use testkit::{Folder, NoFiles};

/// States compared per model and set of rules.
const STATES_MAX: usize = 5_000;

/// The model in a file; none if the front end refuses it.
fn program(path: &Path) -> Option<Program> {
    let bytes = std::fs::read(path).expect("the model is readable");
    let folder = Folder::around(path);
    let name = path.file_name().expect("a file").to_string_lossy();
    promela::read(Input { name: &name, bytes: &bytes }, &Options::default(), &folder).program
}

fn parse(text: &str) -> Program {
    let input = Input { name: "model.pml", bytes: text.as_bytes() };
    let lowered = promela::read(input, &Options::default(), &NoFiles);
    lowered.program.unwrap_or_else(|| panic!("{text}\n{:?}", lowered.diagnostics))
}

fn models(folder: &str) -> Vec<PathBuf> {
    testkit::files(&format!("corpus/promela/{folder}"), &["pml"])
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

#[test]
fn rules_that_can_be_chosen() {
    for path in models("rules") {
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
                let name = path.display().to_string();
                let states = compare(&name, &program, rules, STATES_MAX).map(|c| c.states);
                assert!(states.is_ok_and(|states| states > 10), "{name} {rules:?}");
            }
        }
    }
}

/// Both executors agree on a model and its reduced form, under all rules, on so many states
/// at least.
fn agree(text: &str, states_min: u64) {
    let program = parse(text);
    let reduced = reduce(&program, Reductions::ALL);
    let states = |program: &Program| -> u64 {
        let rules = rules(program).into_iter();
        let compared = rules.map(|rules| compare(text, program, rules, STATES_MAX));
        let states = compared.map(|compared| compared.map(|compared| compared.states));
        states.sum::<Result<u64, _>>().unwrap_or_else(|reason| panic!("{reason}: {text}"))
    };
    assert!(states(&reduced) > 0, "{text}");
    let states = states(&program);
    assert!(states >= states_min, "{states} states only: {text}");
}

/// A model has no packed form, for this reason.
fn refused(text: &str, reason: &str) {
    let refusal = compare(text, &parse(text), Rules::default(), STATES_MAX).err();
    assert_eq!(refusal, Some(reason), "{text}");
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
    refused(
        "byte a[2]; byte i; chan r = [0] of { byte };
         active proctype P() provided (a[i] == 0) {
           do :: atomic { i = i + 1; skip; i = i - 1 } :: i < 2 -> i++ :: r!1 od }
         active proctype Q() provided (a[i] == 0 && i < 2) {
           byte v; do :: r?v :: atomic { r?v; i++; a[0] = v } :: atomic { a[0] = 0; i = 0 } od }
         active proctype R() { do :: i = 0 :: a[0] = 0 od }",
        "a `provided` clause that can fail",
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
    refused(
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
        "priorities",
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
    refused(processes, "more than 250 processes at once");
    let program = parse(channels);
    for spin_counts in [false, true] {
        let rules = Rules { spin_counts, ..Rules::default() };
        let states = compare(channels, &program, rules, STATES_MAX).expect("lowered").states;
        assert!(states >= 3, "{states} states only");
    }
}

/// A state has room for what is in its channels; where that is not enough, it begins again.
#[test]
fn channels_have_room_for_what_is_in_them() {
    let append = "chan q = [1000] of { byte, short };
        active proctype S() { byte i; do :: i < 40 -> q!i,7; i++ :: q?_,_ :: i == 40 -> break od }";
    let insert = "chan q = [100] of { byte };
        active proctype S() { byte i; do :: i < 20 -> q!!(i * 7) % 20; i++ :: q??eval(i) od }";
    let inside = "chan q = [60] of { byte }; byte n;
        active proctype S() { byte i; do
          :: atomic { n < 3 -> n++; i = 0; do :: i < 20 -> q!i; i++ :: else -> break od;
                      do :: q?_ :: empty(q) -> break od }
          :: d_step { n < 6 -> n = n + 2; q!n } od }
        active proctype R() { do :: q?_ :: full(q) -> assert(false) od }";
    let passed = "proctype Q(chan c) { c!1,2; c!3,4 } chan c = [20] of { byte, byte };
        active proctype P() { chan d = [50] of { byte, byte }; byte i;
          do :: i < 9 -> run Q(d); run Q(c); i++ :: d?_,_ :: c??3,_ od }";
    for (text, begins_again) in [(append, true), (insert, true), (inside, false), (passed, true)] {
        let program = parse(text);
        for rules in rules(&program) {
            let compared = compare(text, &program, rules, STATES_MAX).expect("lowered");
            assert!(compared.states > 10, "{text}");
            assert_eq!(compared.rounds > 0, begins_again, "{text}");
        }
        let form = pack(&program, Rules::default(), Knowledge::default()).expect("lowered");
        assert!(form.packed().width < 12, "{text}: {} words", form.packed().width);
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
        let form = pack(&program, Rules::default(), Knowledge::default()).expect("lowered");
        let packed = form.on_closures();
        let followed = ReferenceProgram::new(&program, Rules::default(), 0).expect("it starts");
        let systems: [&dyn System; 2] = [&packed, &followed];
        let mut all: Vec<Successors> = Vec::new();
        for system in systems {
            let mut state = vec![0; system.width()];
            system.initial(&mut state);
            let mut out = Successors::new(system.width());
            assert!(!system.successors(&state, &mut out, &mut Short(1)), "{text}");
            out.clear();
            assert!(system.successors(&state, &mut out, &mut Short(u32::MAX)), "{text}");
            assert_eq!(out.len(), steps, "{text}");
            all.push(out);
        }
        assert!(all[0].steps().eq(all[1].steps()), "{text}");
    }
}
