//! Processes that come to life.

use super::code::{Code, Home, Scope};
use super::fault::Fault;
use super::image::{CHANNEL_HEADER, Slot};
use super::memory::{CLAIM, Memory};
use super::value::{Value, value};
use base::Id;
use program::{Initial, Variable, VariableId, VariableRef};
use system::{Access, Object};

/// How a local of a process starts.
pub(super) struct Start {
    home: Home,
    length: usize,
    with: With,
}

enum With {
    Zero,
    /// The same in every element.
    Value(Value),
    List(Vec<i32>),
    /// A channel per element, by its declaration in the words of the bytes, and
    /// its kind.
    Channel(usize, usize),
    Argument(usize),
}

/// Compiles how a local starts.
pub(super) fn start(scope: Scope<'_>, id: VariableId, variable: &Variable) -> Start {
    let with = match &variable.initial {
        Initial::Zero => With::Zero,
        Initial::Value(expr) => With::Value(value(scope, expr)),
        Initial::List(values) => With::List(values.clone()),
        Initial::Channel(_) => {
            With::Channel(scope.proctype.map_or(0, |id| id.index() + 1), id.index())
        }
        Initial::Argument(index) => With::Argument(*index),
    };
    let home = scope.home(VariableRef::Local(id));
    Start { home, length: variable.length as usize, with }
}

/// Creates a process of a proctype, with a priority; its pid is the number of those alive.
pub(super) fn create(
    code: &Code,
    m: &mut Memory,
    (proctype, priority): (usize, i32),
    arguments: &[i32],
) -> Result<usize, Fault> {
    let pid = m.image.frames.len();
    m.record.touch(Object::Processes, Access::WRITE);
    // SPIN keeps one pid for the claim.
    let claim = code.rules.spin_counts && code.rules.claim.is_some();
    if pid + usize::from(claim) >= numbers(code) {
        return Err(Fault::TooManyProcesses);
    }
    push_process(code, m, proctype, priority);
    let creator = (m.actor, m.frame);
    m.act_as(code, pid);
    for variable in &code.kinds[proctype].variables {
        initialise(code, m, variable, arguments)?;
    }
    (m.actor, m.frame) = creator;
    Ok(pid)
}

/// How many processes, or channels, can be told apart.
fn numbers(code: &Code) -> usize {
    if code.rules.wide { 0xffff } else { 0xff }
}

fn push_process(code: &Code, m: &mut Memory, proctype: usize, priority: i32) {
    let kind = &code.kinds[proctype];
    m.dirty = true;
    let image = &mut m.image;
    let body = image.queues;
    image.widen(body, kind.size);
    image.frames.push(body);
    image.set_number(0, image.frames.len());
    image.queues += kind.size;
    image.globals += kind.size;
    image.channels.iter_mut().for_each(|slot| slot.at += kind.size);
    image.set_number(body, proctype);
    image.set_number(body + 2, kind.start);
    if code.has_priorities {
        image.set_number(body + 4, priority as usize);
    }
}

fn initialise(
    code: &Code,
    m: &mut Memory,
    variable: &Start,
    arguments: &[i32],
) -> Result<(), Fault> {
    let cell = variable.home.cell;
    let at = m.frame + variable.home.offset;
    let place = |element: usize| at + element * cell.shape.size();
    let set = |m: &mut Memory, element: usize, value: i32| {
        cell.shape.write(&mut m.image.bytes, place(element), value & cell.mask);
    };
    match &variable.with {
        With::Zero => {}
        With::Value(value) => {
            let value = value(code, m)?;
            (0..variable.length).for_each(|element| set(m, element, value));
        }
        With::List(values) => {
            values.iter().enumerate().for_each(|(element, value)| set(m, element, *value));
        }
        With::Channel(proctype, id) => {
            // The variable is set when all its channels are there.
            let first = m.image.channels.len() + 1;
            for _ in 0..variable.length {
                push_channel(code, m, (*proctype, *id))?;
            }
            (0..variable.length).for_each(|element| set(m, element, (first + element) as i32));
        }
        // A process started without arguments has zeros.
        With::Argument(index) => set(m, 0, arguments.get(*index).copied().unwrap_or(0)),
    }
    Ok(())
}

fn push_channel(
    code: &Code,
    m: &mut Memory,
    (proctype, variable): (usize, usize),
) -> Result<(), Fault> {
    if m.image.channels.len() + 1 > numbers(code) {
        return Err(Fault::TooManyChannels);
    }
    m.record.channel(m.image.channels.len(), Access::WRITE);
    let owner = if m.actor == CLAIM { 0 } else { m.actor + 1 };
    let image = &mut m.image;
    let at = image.globals;
    image.widen(at, CHANNEL_HEADER);
    image.globals += CHANNEL_HEADER;
    image.channels.push(Slot { at, kind: code.channel_kind(proctype, variable) });
    image.set_number(image.queues, image.channels.len());
    image.set_number(at, proctype);
    image.set_number(at + 2, variable);
    image.set_number(at + 4, owner);
    Ok(())
}
