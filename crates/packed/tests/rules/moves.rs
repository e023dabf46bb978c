//! Who moves: groups, `else`, timeouts, offers, and when a state is given up.

use super::*;

#[test]
fn all_edges_of_the_first_group_that_moves() {
    let groups = vec![
        vec![edge(1, vec![is(byte(1), 1)], vec![put(byte(2), 1)])],
        vec![
            edge(2, vec![is(byte(1), 2)], vec![put(byte(2), 2)]),
            edge(3, vec![], vec![put(byte(2), 3)]),
            edge(4, vec![], vec![put(byte(2), 4)]),
        ],
        vec![edge(5, vec![], vec![])],
    ];
    let model = driver(model(1, vec![agent(0, vec![place(groups)])]));
    assert_eq!(edges(&model, &[0x0100]), [1]);
    assert_eq!(edges(&model, &[0x0200]), [2, 3, 4]);
    let third = ((0, 3, 0, 1), vec![0x03_0000]);
    let fourth = ((0, 4, 1, 1), vec![0x04_0000]);
    assert_eq!(seen(&model, &[0]), [third, fourth]);
    assert_eq!(model.marks(), [false, true, true, true, true, false, false, false, false, false]);
}

#[test]
fn else_moves_if_nothing_before_it_did() {
    let group =
        vec![edge(1, vec![is(byte(1), 1)], vec![]), otherwise(2, vec![]), otherwise(3, vec![])];
    let model = driver(model(1, vec![agent(0, vec![place(vec![group])])]));
    assert_eq!(edges(&model, &[0x0100]), [1]);
    assert_eq!(edges(&model, &[0]), [2]);
}

#[test]
fn agents_in_order_at_their_places() {
    let stop = place(vec![]);
    let go = |number| place(vec![vec![edge(number, vec![], vec![])]]);
    let agents = vec![agent(1, vec![go(1), stop.clone()]), agent(0, vec![stop, go(2)])];
    let model = driver(model(1, agents));
    assert_eq!(edges(&model, &[0x0001]), [1, 2]);
    assert_eq!(edges(&model, &[0x0101]), [2]);
    assert_eq!(edges(&model, &[0x0100]), [0; 0]);
    assert_eq!(model.fallback().asked.get(), 0);
    let model = model.without_choices();
    assert!(seen(&model, &[0x0001]).iter().all(|((_, _, choice, _), _)| *choice == 0));
}

#[test]
fn a_place_there_is_not_gives_the_state_up() {
    let model = single(1, vec![], vec![]);
    let mut out = Successors::new(1);
    model.successors(&[1], &mut out, &mut Unlimited);
    assert_eq!((out.len(), out.step(0).1), (1, StepOutcome::Violation(7)));
    assert_eq!((model.fallback().asked.get(), model.bails()), (1, 1));
}

#[test]
fn timeouts_only_if_nothing_moves() {
    let group = vec![
        edge(1, vec![is(byte(1), 1)], vec![]),
        edge(2, vec![Op::Require(Expr::Timeout)], vec![]),
        edge(3, vec![Op::Require(Expr::Timeout), is(byte(1), 2)], vec![]),
    ];
    let mut form = model(1, vec![agent(0, vec![place(vec![group])])]);
    form.asks_timeout = true;
    let model = driver(form);
    assert_eq!(edges(&model, &[0x0100]), [1]);
    assert_eq!(edges(&model, &[0x0200]), [2, 3]);
    assert_eq!(seen(&model, &[0])[0].0, (0, 2, 0, 1));
}

/// Agent 0 offers what byte 2 holds and stands at 1 then; agents 1 and 2 take 5 and 6.
fn meeting() -> Packed {
    let offer = Edge {
        then: Then::Offered(vec![2, 1]),
        ..edge(1, vec![Op::Offer(0, get(byte(3)))], vec![put(byte(0), 1)])
    };
    let takes = |by: u32, first: u32| {
        let want = |value| {
            let equal = binary(BinaryOp::Equal, Expr::Offered(0), number(value));
            // The offering agent has moved already.
            vec![Op::Require(equal), is(byte(0), 1)]
        };
        let take =
            |number, value| edge(number, want(value), vec![Op::Set(byte(by), Expr::Offered(0))]);
        let places =
            vec![Place { groups: vec![], takes: vec![vec![take(first, 5), take(first + 1, 6)]] }];
        agent(by, [places, vec![place(vec![]); 8]].concat())
    };
    let stop = place(vec![vec![edge(9, vec![], vec![])]]);
    let first = agent(0, vec![place(vec![vec![offer], vec![edge(8, vec![], vec![])]]), stop]);
    model(1, vec![first, takes(1, 2), takes(2, 4)])
}

#[test]
fn an_offer_is_a_move_of_both() {
    let model = driver(meeting());
    let [second, first] = [(0, 1, 0, 2), (0, 1, 1, 2)];
    assert_eq!(
        seen(&model, &[0x0500_0000]),
        [(second, vec![0x0505_0001]), (first, vec![0x0500_0501]),]
    );
    assert!(model.marks()[1] && model.marks()[2] && model.marks()[4] && !model.marks()[3]);
    assert_eq!(edges(&model, &[0x0600_0100]), [1]);
}

#[test]
fn an_offer_that_nobody_takes_is_no_move() {
    let model = driver(meeting());
    assert_eq!(edges(&model, &[0x0700_0000]), [8]);
    assert!(!model.marks()[1]);
}

#[test]
fn a_bail_gives_the_whole_state_up() {
    let bails = edge(2, vec![is(byte(1), 1), Op::Bail], vec![]);
    let checks = edge(3, vec![], vec![Op::Check(get(byte(2)))]);
    let group = vec![edge(1, vec![], vec![]), bails, checks];
    let model = driver(model(1, vec![agent(0, vec![place(vec![group])])]));
    assert_eq!(edges(&model, &[0x01_0000]), [1, 3]);
    for (asked, state) in [(1, 0x01_0100), (2, 0)] {
        let mut out = Successors::new(1);
        model.successors(&[state], &mut out, &mut Unlimited);
        assert_eq!((out.len(), out.step(0).0.agent, model.fallback().asked.get()), (1, 77, asked));
    }
}

#[test]
fn rest_and_labels_are_the_fallbacks() {
    let model = single(1, vec![], vec![]);
    assert_eq!(model.blocked(&[0]), Blocked::Deadlock);
    assert!(model.loop_heads().is_none(), "nor does `Told` say more");
    let mut initial = [9];
    model.initial(&mut initial);
    assert_eq!((initial, model.identity_words()), ([0], 1));
}
