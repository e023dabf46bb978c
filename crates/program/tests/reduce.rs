//! The reductions on programs put together by hand, and what the verifier says of
//! wrong ones. That they keep the meaning is compared in the engine's tests.

mod builder;

use base::Id;
use builder::{active, byte, element, is, local, sequence, set, variable};
use program::{
    Action, EdgeId, Expr, LocationId, ProctypeId, Program, Reductions, Scalar, Variable,
    VariableId, reduce,
};

/// `a[1] = 3; a = 0; assert(a[1] == 3); x = 1; skip` with locals `a` and `x`.
fn example() -> Program {
    let mut program = Program::default();
    let (a, x) = (local(0), local(1));
    let last = element(&a, Expr::Const(1), 2);
    let mut kind = sequence(
        "P",
        vec![set(&last, 3), set(&a, 0), Action::Assert(is(&last, 3)), set(&x, 1), Action::Skip],
    );
    let array = Variable { length: 2, is_array: true, ..variable("a", Scalar::Byte) };
    kind.variables.push(array);
    kind.variables.push(variable("x", Scalar::Byte));
    active(&mut program, kind);
    program
}

fn resets(program: &Program, edge: usize) -> Vec<usize> {
    let edge = &program.proctypes[ProctypeId::new(0)].edges[EdgeId::new(edge)];
    edge.resets.iter().map(|id| id.index()).collect()
}

#[test]
fn an_array_without_index_is_its_first_element() {
    let reduced = reduce(&example(), Reductions { dead_reset: true, ..Reductions::NONE });
    assert_eq!(resets(&reduced, 0), [0; 0], "the assertion reads another element");
    assert_eq!(resets(&reduced, 2), [0]);
    assert_eq!(resets(&reduced, 3), [1], "nobody reads it at all");
    assert_eq!(program::verify(&reduced), Vec::<String>::new());
}

#[test]
fn marks_show_in_the_text() {
    let mut program = example();
    let w = byte(&mut program, "w");
    active(&mut program, sequence("Q", vec![set(&w, 1)]));
    let text = reduce(&program, Reductions::ALL).to_string();
    assert!(text.contains("unread byte w"), "{text}");
    assert!(text.contains("e2 -> l3: assert((a[1] == 3)) (merged) (resets a)"), "{text}");
    assert_eq!(reduce(&program, Reductions::NONE), program);
}

#[test]
fn the_verifier_knows_what_a_reduction_may_say() {
    let broken = |spoil: &dyn Fn(&mut Program)| {
        let mut program = reduce(&example(), Reductions::ALL);
        byte(&mut program, "g");
        spoil(&mut program);
        program::verify(&program)
    };
    let edge = |program: &mut Program, id: usize, change: &dyn Fn(&mut program::Edge)| {
        change(&mut program.proctypes[ProctypeId::new(0)].edges[EdgeId::new(id)]);
    };
    assert_eq!(
        broken(&|p| edge(p, 0, &|edge| edge.resets.push(VariableId::new(7)))),
        ["P: an edge resets what is not there"]
    );
    assert_eq!(
        broken(&|p| edge(p, 4, &|edge| edge.merged = true)),
        ["P: a merged edge leads into an atomic sequence or to the end"]
    );
    assert_eq!(
        broken(&|p| {
            let kind = &mut p.proctypes[ProctypeId::new(0)];
            kind.edges[EdgeId::new(4)].to = LocationId::new(4);
            kind.edges[EdgeId::new(4)].merged = true;
        }),
        ["P: merged edges lead in a circle"]
    );
    assert_eq!(
        broken(&|p| p.globals.iter_mut().for_each(|g| g.unread = true)),
        ["g: it is said to be unread and is read"]
    );
}
