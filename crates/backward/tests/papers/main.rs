//! The protocols of the 1984 paper.

use automata::Network;
use automata::reference::{self, Outcome};
use backward::{Decided, Decision, Limits, Suspect, Tricks, Verdict, decide, decide_target};
use preprocess::{Files, Input};
use search::Unwatched;
use std::path::Path;

/// None of the protocols includes another file.
struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &str) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

/// A paper's protocol with its channels at this capacity.
fn network(name: &str, capacity: u32) -> Network {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/papers");
    let bytes = std::fs::read(corpus.join(name)).expect("the protocol can be read");
    let input = Input { name, bytes: &bytes };
    let lowered = argos::read(input, &preprocess::Options::default(), &NoFiles);
    let options =
        automata::BuildOptions { capacity_default: capacity, ..automata::BuildOptions::default() };
    automata::minimise(&automata::build(&lowered.model.expect("it has no errors"), &options))
}

fn decided(network: &Network, tricks: Tricks) -> Decided {
    decide(network, tricks, Limits::default(), &mut Unwatched)
}

fn deadlocks(decided: &Decided) -> Vec<&Decision> {
    let all = decided.decisions.iter();
    all.filter(|decision| matches!(decision.suspect, Suspect::Deadlock(_))).collect()
}

#[test]
fn figures() {
    for name in ["b84_setup.argos", "b84_setup_fixed.argos", "b84_deletion.argos", "b84_ab.argos", "b84_counters.argos", "nbs.argos", "abp.argos"] {
        for capacity in [1, 2, 4] {
            let network = network(name, capacity);
            for (word, tricks) in [
                ("none", Tricks::NONE),
                ("inv", Tricks { invariants: true, ..Tricks::NONE }),
                ("share", Tricks { share: true, ..Tricks::NONE }),
                ("subs", Tricks { subsume: true, ..Tricks::NONE }),
                ("all", Tricks::ALL),
            ] {
                let start = std::time::Instant::now();
                let decided = decided(&network, tricks);
                let dead = deadlocks(&decided);
                let sum = |list: &[&Decision]| -> u64 { list.iter().map(|d| d.states).sum() };
                let reach = |list: &[&Decision]| list.iter().filter(|d| d.verdict == Verdict::Reachable).count();
                let all: Vec<&Decision> = decided.decisions.iter().collect();
                eprintln!("{name} cap {capacity} {word}: deadlocks {} reach {} states {} | all {} reach {} states {} toomany {} {:?}",
                    dead.len(), reach(&dead), sum(&dead), all.len(), reach(&all), sum(&all), decided.too_many, start.elapsed());
            }
        }
    }
}
