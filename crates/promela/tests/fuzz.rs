//! No input makes the front end panic or run on: seeded mutations of good models
//! and random bytes. What comes out as a program keeps its promises.

use preprocess::{Input, Options};
use program::{Action, Program};
use std::time::{Duration, Instant};
use testkit::text::{bytes, mutated};
use testkit::{NoFiles, files, for_seeds};

/// Runs everything, and looks at every place and every explanation.
fn front_end(bytes: &[u8]) {
    let input = Input { name: "fuzz.pml", bytes };
    let lowered = promela::read(input, &Options::default(), &NoFiles);
    for found in &lowered.diagnostics {
        assert!(promela::explain(found.id).is_some());
        lowered.sources.place(found.span);
        lowered.sources.place(lowered.sources.outermost(found.span));
        lowered.sources.text(found.span);
        for other in &found.others {
            lowered.sources.place(other.span);
        }
    }
    let failed = lowered.diagnostics.iter().any(|found| found.severity == base::Severity::Error);
    assert_eq!(failed, lowered.program.is_none());
    if let Some(program) = &lowered.program {
        verify(program);
    }
}

/// What a `Program` promises to the stages behind.
fn verify(program: &Program) {
    for proctype in &program.proctypes {
        assert!(proctype.parameters <= proctype.variables.len());
        for (id, location) in proctype.locations.iter_ids() {
            for edge in location.groups.iter().flatten() {
                assert_eq!(proctype.edges[*edge].from, id);
            }
            assert!(location.groups.iter().all(|group| !group.is_empty()));
        }
        for edge in &proctype.edges {
            assert!(proctype.locations.get(edge.to).is_some());
            if let Action::Deterministic { start, end } = edge.action {
                assert!(proctype.locations.get(start).is_some());
                assert!(proctype.locations[end].groups.is_empty());
            }
        }
        let die: Vec<_> = proctype.edges_from(proctype.end).collect();
        assert!(matches!(die[..], [(_, edge)] if edge.action == Action::Die));
    }
}

/// Runs `front_end`, and says which input took too long.
fn timed(bytes: &[u8]) {
    let start = Instant::now();
    front_end(bytes);
    let limit = Duration::from_secs(20);
    assert!(start.elapsed() < limit, "slow input: {:?}", String::from_utf8_lossy(bytes));
}

fn models() -> Vec<String> {
    let folders = ["crates/promela/tests/data", "corpus/promela/mini", "corpus/bad-promela"];
    let paths = folders.into_iter().flat_map(|folder| files(folder, &["pml"]));
    let texts = paths.filter_map(|path| std::fs::read_to_string(path).ok());
    texts.filter(|text| text.len() < 6000).collect()
}

#[test]
fn mutated_models() {
    let models = models();
    for_seeds(0..4000, |seed, random| {
        timed(&mutated(random, &models[seed as usize % models.len()]));
    });
}

#[test]
fn random_bytes() {
    for_seeds(0..2000, |seed, random| timed(&bytes(random, 300, seed % 2 == 0)));
}
