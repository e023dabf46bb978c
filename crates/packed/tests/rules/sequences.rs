//! Sequences nobody sees, and walks.

use super::*;
use packed::{Choice, Walk};

fn step(next: i32) -> Vec<Op> {
    let more = binary(BinaryOp::Add, get(byte(1)), number(1));
    vec![put(byte(0), next), Op::Set(byte(1), more)]
}

#[test]
fn depth_first_and_in_order() {
    let places = vec![
        place(vec![vec![
            edge(1, vec![], step(2)),
            on(edge(2, vec![], step(1))),
            edge(3, vec![], step(2)),
        ]]),
        place(vec![vec![on(edge(4, vec![], step(2))), edge(5, vec![], step(2))]]),
        place(vec![vec![edge(6, vec![], step(3)), edge(7, vec![], step(4))]]),
    ];
    let model = driver(model(1, vec![agent(0, places)]));
    assert_eq!(
        seen(&model, &[0]),
        [
            ((0, 1, 0, 1), vec![0x0102]),
            ((0, 2, 1, 3), vec![0x0303]),
            ((0, 2, 2, 3), vec![0x0304]),
            ((0, 2, 3, 2), vec![0x0202]),
            ((0, 3, 4, 1), vec![0x0102]),
        ]
    );
    assert_eq!(model.marks(), [false, true, true, true, true, true, true, true, false, false]);
}

#[test]
fn visible_where_it_is_blocked() {
    let places = vec![
        place(vec![vec![on(edge(1, vec![], step(1)))]]),
        place(vec![vec![edge(2, vec![is(byte(2), 1)], step(2))]]),
    ];
    let model = driver(model(1, vec![agent(0, places)]));
    assert_eq!(seen(&model, &[0]), [((0, 1, 0, 1), vec![0x0101])]);
    assert_eq!(seen(&model, &[0x01_0000]), [((0, 1, 0, 2), vec![0x01_0202])]);
}

#[test]
fn no_timeout_within() {
    let places = vec![
        place(vec![vec![on(edge(1, vec![Op::Require(Expr::Timeout)], step(1)))]]),
        place(vec![vec![edge(2, vec![Op::Require(Expr::Timeout)], step(2))]]),
    ];
    let mut form = model(1, vec![agent(0, places)]);
    form.asks_timeout = true;
    assert_eq!(seen(&driver(form), &[0]), [((0, 1, 0, 1), vec![0x0101])]);
}

#[test]
fn who_takes_goes_on() {
    let offer = Edge { then: Then::Offered(vec![1]), ..edge(1, vec![], vec![put(byte(0), 1)]) };
    let take = on(edge(2, vec![], vec![put(byte(1), 1)]));
    let first =
        agent(0, vec![place(vec![vec![offer]]), place(vec![vec![edge(3, vec![], vec![])]])]);
    let then = place(vec![vec![edge(4, vec![], vec![put(byte(1), 2)])]]);
    let second = agent(1, vec![Place { groups: vec![], takes: vec![vec![take]] }, then]);
    let model = driver(model(1, vec![first, second]));
    assert_eq!(seen(&model, &[0]), [((0, 1, 0, 3), vec![0x0201])]);
    assert_eq!(model.marks(), [false, true, true, false, true, false, false, false, false, false]);
}

#[test]
fn endless_ones_are_given_up() {
    let places = vec![place(vec![vec![edge(1, vec![], vec![]), on(edge(2, vec![], vec![]))]])];
    let model = driver(model(1, vec![agent(0, places)]));
    let mut out = Successors::new(1);
    model.successors(&[0], &mut out, &mut Unlimited);
    assert_eq!((out.len(), model.bails()), (1, 1));
    model.successors(&[0], &mut out, &mut Unlimited);
    // The fallback is asked once; the answer is the same.
    assert_eq!((out.len(), model.bails(), model.fallback().asked.get()), (1, 2, 1));
}

#[test]
fn long_ones_are_not() {
    let wide = Field { word: 0, shift: 16, bits: 16, signed: false };
    let more = Op::Set(wide, binary(BinaryOp::Add, get(wide), number(1)));
    let below = Op::Require(binary(BinaryOp::Less, get(wide), number(5000)));
    let places = vec![place(vec![vec![on(edge(1, vec![below], vec![more]))]])];
    let model = driver(model(1, vec![agent(0, places)]));
    assert_eq!(seen(&model, &[0]), [((0, 1, 0, 5000), vec![5000 << 16])]);
}

/// Six choices between two ways of 2,000 edges each: few moves, but many edges are followed.
#[test]
fn many_edges_are_given_up_though_moves_are_few() {
    let wide = Field { word: 0, shift: 16, bits: 16, signed: false };
    let more = |field| Op::Set(field, binary(BinaryOp::Add, get(field), number(1)));
    let below = |field, most| Op::Require(binary(BinaryOp::Less, get(field), number(most)));
    let model = |choices: i32| {
        let way = |number| {
            let body = vec![more(byte(1)), put(wide, 0), put(byte(0), 1)];
            on(edge(number, vec![below(byte(1), choices)], body))
        };
        let up = on(edge(3, vec![below(wide, 2000)], vec![more(wide)]));
        let back = on(edge(4, vec![is(wide, 2000)], vec![put(byte(0), 0)]));
        let places = vec![place(vec![vec![way(1), way(2)]]), place(vec![vec![up, back]])];
        driver(model(1, vec![agent(0, places)]))
    };
    let (few, many) = (model(4), model(6));
    assert_eq!((seen(&few, &[0]).len(), few.bails()), (16, 0));
    many.successors(&[0], &mut Successors::new(1), &mut Unlimited);
    assert_eq!(many.bails(), 1);
}

/// Counts byte 1 up to 5; cannot start at 9, has no way on from 7.
fn walk() -> Walk {
    let more = Op::Set(byte(1), binary(BinaryOp::Add, get(byte(1)), number(1)));
    let below = |bound| Op::Require(binary(BinaryOp::Less, get(byte(1)), number(bound)));
    let enter = Choice { guard: vec![below(9)], body: vec![], next: 1 };
    let up = Choice { guard: vec![below(5)], body: vec![more], next: 1 };
    let out = Choice { guard: vec![is(byte(1), 5)], body: vec![put(byte(0), 1)], next: 2 };
    Walk { start: 0, end: 2, places: vec![vec![enter], vec![up, out]] }
}

#[test]
fn walks_take_the_first_way_on() {
    let model = single(1, vec![], vec![Op::Walk(walk())]);
    assert_eq!(seen(&model, &[0x0200]), [((0, 1, 0, 1), vec![0x0501])]);
    assert_eq!(edges(&model, &[0x0900]), [0; 0]);
    assert_eq!((edges(&model, &[0x0500]), model.bails()), (vec![1], 0));
    model.successors(&[0x0700], &mut Successors::new(1), &mut Unlimited);
    assert_eq!(model.bails(), 1);
}

#[test]
fn endless_walks_are_given_up() {
    let round = Choice { guard: vec![], body: vec![], next: 0 };
    let model =
        single(1, vec![], vec![Op::Walk(Walk { start: 0, end: 1, places: vec![vec![round]] })]);
    model.successors(&[0], &mut Successors::new(1), &mut Unlimited);
    assert_eq!(model.bails(), 1);
}
