//! Fields, arrays, sets and the operations on them.

use super::*;
use packed::Array;

const WORDS: Array =
    Array { first: Field { word: 1, shift: 0, bits: 16, signed: true }, length: 7, per_word: 3 };

/// What one edge with this body makes of a state, unless it gives it up.
fn after(body: Vec<Op>, state: [Word; 4]) -> Option<Vec<Word>> {
    let model = single(4, vec![], body);
    let mut out = Successors::new(4);
    model.successors(&state, &mut out, &mut Unlimited);
    (model.bails() == 0).then(|| out.state(0).to_vec())
}

/// Elements 1 to 7, in three words, with other bits above them.
const FILLED: [Word; 4] = [0, 0xf_0003_0002_0001, 0xe_0006_0005_0004, 0xd_0000_0000_0007];

#[test]
fn elements_across_words() {
    let put = |index, value| vec![Op::SetElement(WORDS, number(index), number(value))];
    assert_eq!(after(put(0, 9), FILLED), Some(vec![0, 0xf_0003_0002_0009, FILLED[2], FILLED[3]]));
    assert_eq!(after(put(4, -1), FILLED), Some(vec![0, FILLED[1], 0xe_0006_ffff_0004, FILLED[3]]));
    assert_eq!(after(put(6, 9), FILLED), Some(vec![0, FILLED[1], FILLED[2], 0xd_0000_0000_0009]));
    assert_eq!(after(put(7, 9), FILLED), None);
    assert_eq!(after(put(-1, 9), FILLED), None);
    let read = Op::Set(byte(1), Expr::Element(WORDS, Box::new(get(byte(2)))));
    assert_eq!(
        after(vec![read.clone()], [0x05_0000, FILLED[1], FILLED[2], 0]).map(|s| s[0]),
        Some(0x05_0600)
    );
    assert_eq!(after(vec![read], [0x07_0000, FILLED[1], FILLED[2], 0]), None);
}

#[test]
fn take_and_insert_across_words() {
    let take = |index| vec![Op::Take(WORDS, number(index))];
    assert_eq!(
        after(take(1), FILLED).as_deref(),
        Some(&[0, 0xf_0004_0003_0001, 0xe_0007_0006_0005, 0xd_0000_0000_0000][..])
    );
    assert_eq!(
        after(take(5), FILLED).as_deref(),
        Some(&[0, FILLED[1], 0xe_0007_0005_0004, 0xd_0000_0000_0000][..])
    );
    assert_eq!(
        after(take(6), FILLED).as_deref(),
        Some(&[0, FILLED[1], FILLED[2], 0xd_0000_0000_0000][..])
    );
    assert_eq!(after(take(7), FILLED), None);
    let insert = |index| vec![Op::Insert(WORDS, number(index), number(9))];
    assert_eq!(
        after(insert(0), FILLED).as_deref(),
        Some(&[0, 0xf_0002_0001_0009, 0xe_0005_0004_0003, 0xd_0000_0000_0006][..])
    );
    assert_eq!(
        after(insert(5), FILLED).as_deref(),
        Some(&[0, FILLED[1], 0xe_0009_0005_0004, 0xd_0000_0000_0006][..])
    );
    assert_eq!(after(insert(7), FILLED), None);
    let clear = after(vec![Op::Clear(WORDS)], FILLED);
    assert_eq!(
        clear.as_deref(),
        Some(&[0, 0xf_0000_0000_0000, 0xe_0000_0000_0000, 0xd_0000_0000_0000][..])
    );
}

#[test]
fn elements_that_fill_a_word() {
    let full = Array {
        first: Field { word: 1, shift: 0, bits: 32, signed: false },
        length: 4,
        per_word: 2,
    };
    let state = [0, 0x2_0000_0001, 0x4_0000_0003, 0];
    assert_eq!(after(vec![Op::Take(full, number(0))], state), Some(vec![0, 0x3_0000_0002, 0x4, 0]));
    assert_eq!(
        after(vec![Op::Insert(full, number(1), number(9))], state),
        Some(vec![0, 0x9_0000_0001, 0x3_0000_0002, 0])
    );
}

#[test]
fn one_element_and_one_above_others() {
    let one = Array {
        first: Field { word: 1, shift: 60, bits: 4, signed: false },
        length: 1,
        per_word: 1,
    };
    let state = [0, 0x7000_0000_0000_0005, 0, 0];
    assert_eq!(after(vec![Op::Take(one, number(0))], state), Some(vec![0, 5, 0, 0]));
    assert_eq!(
        after(vec![Op::Insert(one, number(0), number(3))], state),
        Some(vec![0, 0x3000_0000_0000_0005, 0, 0])
    );
    let some = Array {
        first: Field { word: 1, shift: 8, bits: 8, signed: false },
        length: 3,
        per_word: 3,
    };
    let state = [0, 0xff_0302_01ee, 0, 0];
    assert_eq!(after(vec![Op::Take(some, number(1))], state), Some(vec![0, 0xff_0003_01ee, 0, 0]));
    assert_eq!(
        after(vec![Op::Insert(some, number(1), number(9))], state),
        Some(vec![0, 0xff_0209_01ee, 0, 0])
    );
}

#[test]
fn signed_fields() {
    let narrow = Field { word: 1, shift: 3, bits: 5, signed: true };
    let wide = Field { word: 2, shift: 32, bits: 32, signed: true };
    let copy =
        vec![put(narrow, -7), Op::Set(wide, binary(BinaryOp::Multiply, get(narrow), number(2)))];
    assert_eq!(
        after(copy, [0, !0, 1, 0]).as_deref(),
        Some(&[0, !0 << 8 | 0b1100_1111, 0xffff_fff2_0000_0001, 0][..])
    );
    let model = single(4, vec![is(narrow, -1)], vec![]);
    assert_eq!(edges(&model, &[0, 0xf8, 0, 0]), [1]);
    assert_eq!(edges(&model, &[0, 0x78, 0, 0]), [0; 0]);
    assert_eq!(edges(&single(4, vec![is(narrow, 31)], vec![]), &[0, 0xf8, 0, 0]), [0; 0]);
}

#[test]
fn sets_become_the_union_of_their_members() {
    let map = Op::Map { word: 1, shift: 4, table: vec![0b010, 0b101, 0b000] };
    assert_eq!(
        after(vec![map.clone()], [0, 0xf0f | 0b011 << 4, 0, 0]),
        Some(vec![0, 0xf0f | 0b111 << 4, 0, 0])
    );
    assert_eq!(after(vec![map.clone()], [0, 0b110 << 4, 0, 0]), Some(vec![0, 0b101 << 4, 0, 0]));
    assert_eq!(after(vec![map], [0, 0b100 << 4, 0, 0]), None);
}

#[test]
fn expressions() {
    use BinaryOp as B;
    let result = |expr: Expr| {
        let words = after(vec![Op::Set(byte(1), expr)], [0x05_0000, 0, 0, 0]);
        words.map(|words| words[0] >> 8 & 0xff)
    };
    let divide = |by| binary(B::Divide, number(7), number(by));
    assert_eq!(result(divide(2)), Some(3));
    assert_eq!(result(divide(0)), None);
    assert_eq!(result(binary(B::And, number(0), divide(0))), Some(0));
    assert_eq!(result(binary(B::Or, number(3), divide(0))), Some(1));
    assert_eq!(
        result(Expr::Choose(number(1).into(), number(4).into(), Expr::Bail.into())),
        Some(4)
    );
    assert_eq!(result(Expr::Within(get(byte(2)).into(), 6)), Some(5));
    assert_eq!(result(Expr::Within(get(byte(2)).into(), 5)), None);
    let found = |count| Expr::Find {
        index: 0,
        count: number(count).into(),
        condition: binary(B::Equal, binary(B::Multiply, Expr::Temp(0), Expr::Temp(0)), number(9))
            .into(),
    };
    assert_eq!(result(found(9)), Some(3));
    assert_eq!(result(binary(B::Add, found(3), number(1))), Some(0));
    assert_eq!(result(binary(B::ShiftRight, number(-1), number(33))), Some(255));
}
