//! Forms that do not keep what they promise.

use super::*;
use packed::{Array, Choice, Walk};

/// Whether a model of two words with this edge is refused.
fn refused(edge: Edge) -> bool {
    model(2, vec![agent(0, vec![place(vec![vec![edge]])])]).verify().is_err()
}

#[test]
fn fields_and_arrays_outside_of_the_state() {
    let field = |word, shift, bits| Field { word, shift, bits, signed: false };
    let reads = |field| refused(edge(1, vec![Op::Require(get(field))], vec![]));
    let wrong = [field(2, 0, 8), field(1, 57, 8), field(0, 0, 0), field(0, 0, 33)];
    assert!(!reads(field(1, 56, 8)));
    assert!(wrong.into_iter().all(reads));
    let array = |first, length, per_word| Array { first, length, per_word };
    let clears = |array| refused(edge(1, vec![], vec![Op::Clear(array)]));
    assert!(!clears(array(field(0, 0, 16), 8, 4)));
    let wrong = [
        array(field(0, 0, 16), 9, 4),
        array(field(0, 0, 16), 5, 5),
        array(field(0, 8, 8), 8, 7),
        array(field(0, 0, 16), 0, 4),
        array(field(0, 0, 16), 1, 0),
    ];
    assert!(wrong.into_iter().all(clears));
}

#[test]
fn what_does_not_exist() {
    assert!(refused(edge(10, vec![], vec![])));
    assert!(refused(Edge { then: Then::Offered(vec![1]), ..edge(1, vec![], vec![]) }));
    assert!(refused(edge(1, vec![put(byte(0), 1)], vec![])));
    let map = |word, shift, members| Op::Map { word, shift, table: vec![1; members] };
    assert!(!refused(edge(1, vec![], vec![map(1, 60, 4)])));
    for map in [map(2, 0, 4), map(1, 61, 4), map(1, 0, 65), map(1, 0, 0)] {
        assert!(refused(edge(1, vec![], vec![map])));
    }
    let walk = |start, end, next| {
        let choice = Choice { guard: vec![], body: vec![], next };
        edge(1, vec![], vec![Op::Walk(Walk { start, end, places: vec![vec![choice]] })])
    };
    assert!(!refused(walk(0, 1, 1)));
    for (start, end, next) in [(0, 0, 0), (2, 1, 1), (0, 1, 2)] {
        assert!(refused(walk(start, end, next)));
    }
}

#[test]
fn who_takes_makes_no_offer() {
    let offers = Edge { then: Then::Offered(vec![0]), ..edge(1, vec![], vec![]) };
    let place = Place { groups: vec![vec![offers.clone()]], takes: vec![] };
    assert!(model(1, vec![agent(0, vec![place])]).verify().is_ok());
    let place = Place { groups: vec![], takes: vec![vec![offers]] };
    assert!(model(1, vec![agent(0, vec![place])]).verify().is_err());
}
