//! No text makes argos panic, hang or blame itself: seeded mutations of the
//! corpus and random bytes. Most go through the pipeline in this process, a
//! sample of each kind through the command.

use pipeline::{Files, Host, Options, Source};
use search::{Progress, Stop};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use testkit::argos::command;
use testkit::{Random, root};

/// Texts of each kind, and how many of them go through the command.
const TEXTS: usize = 1000;
const TYPED: usize = 100;
/// Far beyond what a text should take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Ticks come once in a thousand edges.
const TICKS_MAX: usize = 20;

#[test]
fn mutated_models() {
    let models = models();
    let mut dice = Random::new(1);
    let searched = survive("mutated", || mutate(&models, &mut dice));
    assert!(searched > TEXTS / 10, "only {searched} texts got as far as a search");
}

#[test]
fn random_bytes() {
    let models = models();
    let mut dice = Random::new(2);
    survive("random", || match dice.below(3) {
        0 => (0..dice.below(400)).map(|_| dice.below(256) as u8).collect(),
        1 => (0..dice.below(400)).map(|_| 32 + dice.below(95) as u8).collect(),
        // Words of the language in no order get further into the parser.
        _ => {
            let words = tokens(&models[dice.below(models.len())]);
            let soup = (0..dice.below(200)).map(|_| words[dice.below(words.len())].clone());
            soup.collect::<Vec<_>>().join(&b' ')
        }
    });
}

/// Checks texts; returns how many of them were models.
fn survive(kind: &str, mut next: impl FnMut() -> Vec<u8>) -> usize {
    let mut models = 0;
    for number in 0..TEXTS {
        let text = next();
        let code = if number % (TEXTS / TYPED) == 0 {
            typed(kind, &text)
        } else {
            let start = Instant::now();
            let code = catch_unwind(AssertUnwindSafe(|| in_process(&text))).ok();
            code.filter(|_| start.elapsed() < PATIENCE)
        };
        let fine = matches!(code, Some(0 | 1 | 3 | 4));
        assert!(fine, "{kind} {number}: {code:?}\n{}", String::from_utf8_lossy(&text));
        models += usize::from(code != Some(3));
    }
    models
}

/// Thousands of errors, each of some thousand statements: a second of searching ends soon.
#[test]
fn many_errors_do_not_outlast_the_time_limit() {
    for model in ["transfer.pml", "exclusion.pml"] {
        let mut command = command();
        command.args(["check", "--search", "exhaustive", "--all-errors", "--time", "1s"]);
        command.arg(root().join("corpus/faulty").join(model));
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        assert_eq!(wait(child.expect("argos starts")), Some(1), "{model}");
    }
}

/// A channel costs what is in it: preparing one of many slots takes no time of its own.
#[test]
fn a_wide_channel_does_not_outlast_the_time_limit() {
    let text = b"chan c = [65535] of { byte, int, int, int, short };\nbyte x;\n\
        active proctype A() { do :: c!1,2,3,4,5 :: c?x,_,_,_,_ od }\n\
        active proctype B() { do :: c!1,2,3,4,5 od }\n";
    let start = Instant::now();
    let code = answered("wide.pml", text, &["check", "--time", "1s"]);
    assert_eq!(code, Some(4));
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
}

/// Where addresses are limited a search ends with a result: tables, lists and heap share them.
#[test]
fn limited_addresses_end_a_search_with_a_result() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("addresses.pml");
    let text = "byte a, b, c;\nactive proctype A() { do :: a < 99 -> a++ :: a > 50 -> a = 0 od }\n\
        active proctype B() { do :: b < 99 -> b++ :: b > 50 -> b = 0 od }\n\
        active proctype C() { do :: c < 9 -> c++ :: a + b == c -> c = 0 od }\n";
    fs::write(&file, text).expect("the directory for tests is writable");
    let argos = command().get_program().to_owned();
    for kilobytes in [2_000_000, 400_000] {
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" check \"$1\" --threads 1");
        let mut shell = std::process::Command::new("bash");
        let quiet = shell.args(["-c", &script]).arg(&argos).arg(&file);
        let child = quiet.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        assert_eq!(wait(child.expect("bash starts")), Some(0), "{kilobytes} kB");
    }
}

#[test]
fn a_thousand_processes_are_simulated() {
    let promela = b"byte x; chan c = [4] of { byte };\n\
        active [1000] proctype A() { byte l[10]; int k;\n\
        do :: l[k % 10] < 200 -> l[k % 10]++; k++ :: c!k :: c?k :: x < 200 -> x++ od }\n";
    let argos: String =
        (0..1000).map(|i| format!("proc p{i} {{ do :: q!a :: q?a od }}\n")).collect();
    let argos = format!("channel q[8];\n{argos}");
    let start = Instant::now();
    assert_eq!(answered("thousand.pml", promela, &["sim", "--seed", "1"]), Some(0));
    assert_eq!(answered("thousand.argos", argos.as_bytes(), &["sim", "--seed", "1"]), Some(0));
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

/// The exit code of a command on a text; none if it did not come back.
fn answered(name: &str, text: &[u8], words: &[&str]) -> Option<u8> {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, text).expect("the directory for tests is writable");
    let mut command = command();
    let quiet = command.args(words).arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
    wait(quiet.spawn().expect("the binary runs"))
}

/// The texts of the corpus.
fn models() -> Vec<Vec<u8>> {
    let mut models = Vec::new();
    for directory in ["corpus/papers", "corpus/small", "corpus/bad"] {
        let entries = fs::read_dir(root().join(directory)).expect("the directory is there");
        let mut paths: Vec<PathBuf> =
            entries.map(|it| it.expect("it can be read").path()).collect();
        paths.sort();
        models.extend(paths.iter().map(|path| fs::read(path).expect("the model can be read")));
    }
    // A few texts are there for their size alone, one for having none.
    models.retain(|text| (1..20_000).contains(&text.len()));
    models
}

/// The exit code of a check in this process, its search cut short.
fn in_process(text: &[u8]) -> u8 {
    let options = Options { memory: Some(64 << 20), ..Options::default() };
    let source = Source::new("text.argos", text);
    let mut host = Impatient { ticks: 0 };
    let checked = pipeline::check(source, &options, "argos", &mut host);
    checked.expect("these options are served").exit_code()
}

/// A host without files that stops a search after some ticks.
struct Impatient {
    ticks: usize,
}

impl Files for Impatient {
    fn read(&self, _: &str) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

impl Host for Impatient {
    fn seconds(&self) -> f64 {
        0.0
    }
    fn peak_rss_bytes(&self) -> u64 {
        0
    }
    fn rss_bytes(&self) -> u64 {
        0
    }
    fn memory_bytes_max(&self) -> Option<u64> {
        None
    }
    fn tick(&mut self, _: &Progress) -> Option<Stop> {
        self.ticks += 1;
        (self.ticks > TICKS_MAX).then_some(Stop::Time)
    }
}

/// The exit code of the command; none if it was killed or did not come back.
fn typed(kind: &str, text: &[u8]) -> Option<u8> {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{kind}.argos"));
    fs::write(&file, text).expect("the directory for tests is writable");
    let mut command = command();
    command.args(["check", "--time", "1s", "--memory", "200M"]).arg(&file);
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    wait(quiet.spawn().expect("the binary runs"))
}

fn wait(mut child: Child) -> Option<u8> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().expect("the child can be asked") {
            return status.code().and_then(|code| u8::try_from(code).ok());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("the child can be stopped");
    child.wait().expect("the child has ended");
    None
}

/// A few random changes, of bytes or of words, to one of the models.
fn mutate(models: &[Vec<u8>], dice: &mut Random) -> Vec<u8> {
    let model = &models[dice.below(models.len())];
    let donor = tokens(&models[dice.below(models.len())]);
    let changes = 1 + dice.below(4);
    if dice.below(3) == 0 {
        let mut bytes = model.clone();
        for _ in 0..changes {
            let new = dice.below(256) as u8;
            change(&mut bytes, new, dice);
        }
        return bytes;
    }
    let mut words = tokens(model);
    for _ in 0..changes {
        let new = donor.get(dice.below(donor.len().max(1))).cloned().unwrap_or_default();
        change(&mut words, new, dice);
    }
    words.concat()
}

/// Replaces, inserts, removes, repeats or swaps.
fn change<T: Clone>(items: &mut Vec<T>, new: T, dice: &mut Random) {
    if items.is_empty() {
        items.push(new);
        return;
    }
    let (at, other) = (dice.below(items.len()), dice.below(items.len()));
    match dice.below(5) {
        0 => items[at] = new,
        1 => items.insert(at, new),
        2 => {
            items.remove(at);
        }
        3 => items.insert(at, items[other].clone()),
        _ => items.swap(at, other),
    }
}

/// Words, numbers, blanks and single signs; together the text.
fn tokens(text: &[u8]) -> Vec<Vec<u8>> {
    let class = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => 0,
        b' ' | b'\n' | b'\t' | b'\r' => 1,
        _ => 2,
    };
    text.chunk_by(|a, b| class(a) == class(b) && class(a) < 2).map(<[u8]>::to_vec).collect()
}
