//! States without the processes that can only exit, and without their channels.

use program::reference::{Process, State, Values};
use program::{Program, Scalar, Variable};
use std::sync::Arc;

/// What is left of a state, with the numbers that are free given out again.
pub(crate) fn bare(program: &Program, mut state: State) -> State {
    let is_through =
        |process: &Arc<Process>| process.location == program.proctypes[process.proctype].end;
    let through: Vec<bool> = state.processes.iter().map(is_through).collect();
    let goes = |pid: usize| through[..pid].iter().filter(|through| !**through).count();
    let stays = |owner: Option<usize>| owner.is_none_or(|pid| !through[pid]);
    let numbers: Vec<i32> = (0..state.channels.len())
        .map(|index| {
            let before = state.channels[..index].iter().filter(|other| stays(other.owner)).count();
            if stays(state.channels[index].owner) { before as i32 + 1 } else { 0 }
        })
        .collect();
    let renumber = |variable: &Variable, values: &mut Values| {
        if variable.scalar == Scalar::Chan {
            let place = |value: i32| usize::try_from(value - 1).ok();
            let new = |value: &i32| place(*value).and_then(|at| numbers.get(at)).copied();
            *values = Arc::new(values.iter().map(|value| new(value).unwrap_or(0)).collect());
        }
    };
    state.channels.retain(|channel| stays(channel.owner));
    state.channels.iter_mut().for_each(|channel| channel.owner = channel.owner.map(goes));
    state.processes.retain(|process| !is_through(process));
    for process in &mut state.processes {
        for (id, variable) in program.proctypes[process.proctype].variables.iter_ids() {
            renumber(variable, &mut Arc::make_mut(process).locals[id]);
        }
    }
    for (id, variable) in program.globals.iter_ids() {
        renumber(variable, &mut state.globals[id]);
    }
    state
}
