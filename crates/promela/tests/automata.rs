//! Our automata against those of SPIN: the same locations, the same edges in the
//! same order, the same atomic marks and special labels, proctype by proctype.
//! SPIN's are printed by `pan -d` of a model translated without merging
//! (`spin -a -o1 -o2 -o3`). Needs `spin` and a C compiler.

use preprocess::{Input, Options};
use program::{Action, LocationId, Proctype, ProctypeId};
use promela::Listing;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::{Folder, files};

/// An edge as `pan -d` prints it.
#[derive(Clone, Debug)]
struct Printed {
    to: usize,
    atomic: bool,
    deterministic: bool,
    end: bool,
    accept: bool,
    progress: bool,
    /// The escape it belongs to.
    escape: Option<usize>,
    /// Its number in trails.
    id: usize,
    text: String,
}

/// The automaton of one proctype as `pan -d` prints it.
#[derive(Clone, Debug, Default)]
struct Automaton {
    start: usize,
    edges: HashMap<usize, Vec<Printed>>,
}

fn run(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| {
        panic!("`{program}` cannot be run ({error}); install the packages spin and gcc")
    });
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The automata of SPIN, by name; `None` if it refuses the model.
fn oracle(model: &Path) -> Option<HashMap<String, Automaton>> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("argos-pan-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let beside = model.parent().expect("models stand in folders");
    for entry in std::fs::read_dir(beside).expect("readable").flatten() {
        if entry.path().is_file() {
            std::fs::copy(entry.path(), folder.join(entry.file_name())).expect("copied");
        }
    }
    let name = model.file_name().and_then(|name| name.to_str()).expect("plain names");
    run("spin", &["-a", "-o1", "-o2", "-o3", name], &folder);
    run("gcc", &["-w", "-O0", "-o", "pan", "pan.c"], &folder);
    let printed = folder.join("pan").exists().then(|| run("./pan", &["-d"], &folder));
    std::fs::remove_dir_all(&folder).expect("removed");
    printed.map(|text| parse(&text))
}

fn parse(text: &str) -> HashMap<String, Automaton> {
    let mut all: HashMap<String, Automaton> = HashMap::new();
    let mut name = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("proctype ").or_else(|| line.strip_prefix("claim ")) {
            name = rest.trim().to_owned();
        } else if let Some(word) = line
            .split_whitespace()
            .next()
            .filter(|word| ["init", "trace", "notrace"].contains(word))
        {
            name = word.to_owned();
        } else if line.trim_start().starts_with("state ") {
            edge(line, all.entry(name.clone()).or_default());
        }
    }
    all
}

/// `state 5 -(tr 4)-> state 3  [id 1 tp 2] [A---G] m.pml:1 => ((x==1))`
fn edge(line: &str, automaton: &mut Automaton) {
    let (head, text) = line.split_once(" => ").unwrap_or((line, ""));
    let numbers: Vec<usize> = head
        .split("state")
        .skip(1)
        .filter_map(|piece| piece.split_whitespace().next().and_then(|word| word.parse().ok()))
        .collect();
    let [from, to] = numbers[..] else { panic!("not an edge: {line}") };
    let marks = head.rsplit('[').next().expect("marks").as_bytes();
    if automaton.edges.is_empty() {
        automaton.start = from;
    }
    let edges = automaton.edges.entry(from).or_default();
    if matches!(text.trim(), "IF" | "DO") && head.contains("(tr   0)") {
        return;
    }
    edges.push(Printed {
        to,
        atomic: marks[0] == b'A',
        deterministic: marks[0] == b'D' || text.starts_with("D_STEP"),
        accept: marks[1] == b'a',
        end: marks[2] == b'e',
        progress: marks[3] == b'p',
        escape: head
            .split("org")
            .nth(1)
            .and_then(|rest| rest.split(']').next()?.trim().parse().ok()),
        id: head
            .split("[id")
            .nth(1)
            .and_then(|rest| rest.split_whitespace().next()?.parse().ok())
            .expect("an id"),
        text: text.trim().to_owned(),
    });
}

/// Walks both automata at once; the first difference in words.
fn difference(
    listing: &Listing,
    id: ProctypeId,
    ours: &Proctype,
    theirs: &Automaton,
) -> Option<String> {
    let mut pairs: HashMap<LocationId, usize> = HashMap::new();
    let mut taken: HashMap<usize, LocationId> = HashMap::new();
    let mut waiting = vec![(ours.start, theirs.start)];
    let none = Vec::new();
    while let Some((mine, yours)) = waiting.pop() {
        let known = (pairs.insert(mine, yours), taken.insert(yours, mine));
        match known {
            (None, None) => {}
            (Some(before), Some(after)) if before == yours && after == mine => continue,
            _ => return Some(format!("{mine} and state {yours} are paired with others too")),
        }
        let printed = theirs.edges.get(&yours).unwrap_or(&none);
        if let Some(wrong) = misnumbered(listing, (id, mine), ours, yours, printed) {
            return Some(wrong);
        }
        let edges: Vec<_> = ours.edges_from(mine).map(|(_, edge)| edge).collect();
        let shown = |at: usize| printed.get(at).map_or("nothing", |edge| edge.text.as_str());
        if edges.len() != printed.len() {
            let actions: Vec<_> = edges.iter().map(|edge| &edge.action).collect();
            return Some(format!(
                "state {yours}: {} edges, ours {}: {printed:#?}\n{actions:#?}",
                printed.len(),
                edges.len()
            ));
        }
        let groups: Vec<usize> = ours.locations[mine].groups.iter().map(Vec::len).collect();
        let theirs: Vec<usize> =
            printed.chunk_by(|one, other| one.escape == other.escape).map(<[_]>::len).collect();
        if groups != theirs {
            return Some(format!("state {yours}: groups {theirs:?}, ours {groups:?}"));
        }
        let marks = ours.locations[mine].marks;
        for (at, (edge, printed)) in edges.iter().zip(printed).enumerate() {
            let die = matches!(edge.action, Action::Die);
            let end = marks.end || die;
            let step = matches!(edge.action, Action::Deterministic { .. });
            let kind = (edge.action == Action::Else) == (printed.text == "else")
                && die == (printed.text == "-end-")
                && step == printed.deterministic
                && matches!(edge.action, Action::Send { .. }) == is_send(&printed.text);
            // In a `d_step` the mark shows D whether the step is atomic or not.
            let atomic = step || edge.atomic == printed.atomic;
            let marked = (end, marks.accept, marks.progress)
                == (printed.end, printed.accept, printed.progress);
            if !kind || !atomic || !marked {
                let text = shown(at);
                return Some(format!("state {yours}: `{text}` {printed:?} is ours {edge:?}"));
            }
            if !die {
                waiting.push((edge.to, printed.to));
            }
        }
    }
    None
}

/// Where SPIN numbers or words a location or its edges otherwise than we do.
fn misnumbered(
    listing: &Listing,
    (proctype, location): (ProctypeId, LocationId),
    ours: &Proctype,
    yours: usize,
    printed: &[Printed],
) -> Option<String> {
    let state = ours.locations[location].number;
    if state as usize != yours {
        return Some(format!("state {yours} is our {state}"));
    }
    let edges = ours.edges_from(location).zip(printed);
    edges.into_iter().find_map(|((edge, _), printed)| {
        let listed = listing.statement(proctype, edge)?;
        let same = (listed.id as usize == printed.id || !listing.is_exact())
            && is_same_text(&listed.text, &printed.text);
        (!same).then(|| format!("{printed:?} is our {listed:?}"))
    })
}

/// `pan -d` words some things otherwise than a list of steps does.
fn is_same_text(ours: &str, theirs: &str) -> bool {
    let plain = |text: &str| text.replace("\\\\", "\\").replace('"', "'");
    // SPIN forgets which set a symbolic constant is of, and shows another name.
    let symbols = ["appel", "ack", "msg", "printm", "pear"].iter().any(|word| ours.contains(word));
    let temporary = |text: &str| text.contains("f0r_t3mp");
    // A declaration that assigns nothing has no words in SPIN.
    let nothing = ours == "(1)" && theirs.is_empty();
    let step = ours == "D_STEP" && theirs.starts_with(ours);
    step || nothing || symbols || temporary(theirs) || plain(ours) == plain(theirs)
}

fn is_send(text: &str) -> bool {
    let name = |letter: char| letter.is_alphanumeric() || "_[].".contains(letter);
    let rest = text.trim_start_matches(name);
    rest.starts_with('!') && rest.len() < text.len() && !text.starts_with('(')
}

/// What became of one model.
enum Outcome {
    Same(usize),
    Refused,
    Wrong(String),
}

fn compare(model: &Path) -> Outcome {
    let name = model.file_name().and_then(|name| name.to_str()).expect("plain names");
    let bytes = std::fs::read(model).expect("readable");
    let files = Folder::around(model);
    let lowered = promela::read(Input { name, bytes: &bytes }, &Options::default(), &files);
    let Some(program) = lowered.program else {
        let errors = lowered.diagnostics.iter().map(|found| {
            let place = lowered.sources.place(lowered.sources.outermost(found.span));
            format!("{}:{}:{} {}", place.line, place.column, found.id, found.message)
        });
        return Outcome::Wrong(format!("{name}: {}", errors.collect::<Vec<_>>().join("; ")));
    };
    let Some(theirs) = oracle(model) else { return Outcome::Refused };
    let mut compared = 0;
    for (id, proctype) in program.proctypes.iter_ids() {
        let Some(automaton) = theirs.get(proctype.name.as_str()) else { continue };
        compared += 1;
        if let Some(difference) = difference(&lowered.listing, id, proctype, automaton) {
            return Outcome::Wrong(format!("{name}: {}: {difference}", proctype.name));
        }
    }
    Outcome::Same(compared)
}

/// Compares all `models` on two threads. `refused` names those SPIN refuses.
fn compare_all(models: Vec<PathBuf>, refused: &[&str]) {
    let wrong = Mutex::new(Vec::new());
    let (same, next) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let proctypes = AtomicUsize::new(0);
    let work = || {
        while let Some(model) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
            let name = model.file_name().and_then(|name| name.to_str()).expect("plain names");
            match compare(model) {
                Outcome::Same(count) => {
                    same.fetch_add(1, Ordering::Relaxed);
                    proctypes.fetch_add(count, Ordering::Relaxed);
                }
                Outcome::Refused if refused.contains(&name) => {}
                Outcome::Refused => {
                    wrong.lock().expect("no panic").push(format!("{name}: SPIN refuses it"));
                }
                Outcome::Wrong(why) => wrong.lock().expect("no panic").push(why),
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(
        wrong.is_empty(),
        "{} of {} models agree ({} proctypes)\n{}",
        same.into_inner(),
        models.len(),
        proctypes.into_inner(),
        wrong.join("\n")
    );
}

#[test]
fn our_own_models() {
    compare_all(files("crates/promela/tests/data", &["pml"]), &[]);
}

#[test]
fn the_corpus() {
    let models = files("corpus/promela/mini", &["pml"])
        .into_iter()
        .filter(|path| !path.ends_with("m60_c_code.pml"));
    compare_all(models.collect(), &[]);
}

/// The examples that come with SPIN, where the package puts them.
#[test]
fn the_examples_of_the_package() {
    let mut examples = testkit::spin::package().expect("the package spin is installed");
    examples.retain(|path| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        !["c_code", "c_expr", "c_state", "STDIN"].iter().any(|word| text.contains(word))
    });
    assert!(examples.len() > 50, "the package has {} examples", examples.len());
    // No next-time in the packaged binary.
    compare_all(examples, &["patterns.pml"]);
}
