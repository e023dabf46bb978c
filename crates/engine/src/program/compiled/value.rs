//! Expressions as closures. The few shapes that models are full of (a scalar
//! against a constant) get closures of their own; the rest is a tree of boxes.

use super::choose;
use super::code::{Code, Home, Region, Scope};
use super::create;
use super::fault::Fault;
use super::image::Shape;
use super::memory::{CLAIM, Memory};
use super::message;
use base::Id;
use program::{BinaryOp, Expr, Place, Probe, Queue, RemoteLabel, RemoteVariable, UnaryOp};
use program::{Subscript, VariableRef};
use system::{Access, Object};

/// An expression. It may leave the state changed if it holds a `run`.
pub(super) type Value = Box<dyn Fn(&Code, &mut Memory) -> Result<i32, Fault> + Send + Sync>;
/// Where an element lies, counted from its variable; none after a bad index that
/// was passed over.
type Element = Box<dyn Fn(&Code, &mut Memory) -> Result<Option<usize>, Fault> + Send + Sync>;
/// Sets a variable.
pub(super) type Store = Box<dyn Fn(&Code, &mut Memory, i32) -> Result<(), Fault> + Send + Sync>;

fn boxed<F>(closure: F) -> Value
where
    F: Fn(&Code, &mut Memory) -> Result<i32, Fault> + Send + Sync + 'static,
{
    Box::new(closure)
}

/// Compiles an expression.
pub(super) fn value(scope: Scope<'_>, expr: &Expr) -> Value {
    match expr {
        Expr::Const(value) => {
            let value = *value;
            boxed(move |_, _| Ok(value))
        }
        Expr::Load(place) => load(scope, place),
        Expr::Unary(op, a) => unary(*op, value(scope, a)),
        Expr::Binary(op, a, b) => binary(scope, *op, a, b),
        Expr::Choose(condition, a, b) => {
            let (condition, a, b) = (value(scope, condition), value(scope, a), value(scope, b));
            boxed(move |code, m| if condition(code, m)? != 0 { a(code, m) } else { b(code, m) })
        }
        Expr::Probe(probe, queue) => self::probe(scope, *probe, queue),
        Expr::Poll { queue, patterns, random } => message::poll(scope, queue, patterns, *random),
        Expr::Run { proctype, arguments, priority } => {
            let arguments = values(scope, arguments);
            let process = (proctype.index(), priority.unwrap_or(1));
            boxed(move |code, m| {
                let arguments = all(&arguments, code, m)?;
                create::create(code, m, process, &arguments).map(|pid| pid as i32)
            })
        }
        Expr::Timeout => boxed(|_, m| {
            m.record.timeout(m.timeout);
            Ok(i32::from(m.timeout))
        }),
        Expr::Pid => boxed(|_, m| Ok(if m.actor == CLAIM { 0 } else { m.actor as i32 })),
        Expr::ProcessCount => boxed(|code, m| {
            m.record.touch(Object::Processes, Access::READ);
            m.record.touch(Object::Exits, Access::PEEK);
            Ok(process_count(code, m) as i32)
        }),
        Expr::Last => boxed(|code, m| Ok(m.image.number(m.image.last(code)) as i32)),
        Expr::NonProgress => boxed(|code, m| {
            m.record.everything();
            Ok(i32::from(is_non_progress(code, m)))
        }),
        Expr::Enabled(pid) => {
            let pid = value(scope, pid);
            boxed(move |code, m| {
                let pid = pid(code, m)?;
                choose::enabled(code, m, pid).map(i32::from)
            })
        }
        Expr::PcValue(pid) => {
            of_process(scope, pid, |_, m, pid| m.image.stand(m.image.frames[pid]).1 as i32)
        }
        Expr::Priority(pid) => of_process(scope, pid, |code, m, pid| m.image.priority(code, pid)),
        Expr::RemoteLabel(label) => stands_at(scope, label),
        Expr::RemoteVariable(variable) => remote_load(scope, variable),
    }
}

/// Compiles several expressions.
pub(super) fn values(scope: Scope<'_>, exprs: &[Expr]) -> Vec<Value> {
    exprs.iter().map(|expr| value(scope, expr)).collect()
}

/// The values of several expressions, in order.
pub(super) fn all(values: &[Value], code: &Code, m: &mut Memory) -> Result<Vec<i32>, Fault> {
    values.iter().map(|value| value(code, m)).collect()
}

fn unary(op: UnaryOp, a: Value) -> Value {
    match op {
        UnaryOp::Negate => boxed(move |code, m| a(code, m).map(i32::wrapping_neg)),
        UnaryOp::Not => boxed(move |code, m| a(code, m).map(|a| i32::from(a == 0))),
        UnaryOp::Complement => boxed(move |code, m| a(code, m).map(|a| !a)),
    }
}

fn binary(scope: Scope<'_>, op: BinaryOp, a: &Expr, b: &Expr) -> Value {
    match (a, b) {
        (Expr::Probe(Probe::Len, queue), Expr::Const(bound)) if scope.records => {
            if let Some(compared) = compare_length(scope, queue, op, *bound) {
                return compared;
            }
        }
        _ => {}
    }
    match op {
        BinaryOp::And | BinaryOp::Or => short(op, value(scope, a), value(scope, b)),
        BinaryOp::Divide | BinaryOp::Remainder => divide(op, value(scope, a), value(scope, b)),
        BinaryOp::BitOr => fold(scope, a, b, |a, b| a | b),
        BinaryOp::BitXor => fold(scope, a, b, |a, b| a ^ b),
        BinaryOp::BitAnd => fold(scope, a, b, |a, b| a & b),
        BinaryOp::Equal => fold(scope, a, b, |a, b| i32::from(a == b)),
        BinaryOp::NotEqual => fold(scope, a, b, |a, b| i32::from(a != b)),
        BinaryOp::Less => fold(scope, a, b, |a, b| i32::from(a < b)),
        BinaryOp::LessEqual => fold(scope, a, b, |a, b| i32::from(a <= b)),
        BinaryOp::Greater => fold(scope, a, b, |a, b| i32::from(a > b)),
        BinaryOp::GreaterEqual => fold(scope, a, b, |a, b| i32::from(a >= b)),
        BinaryOp::ShiftLeft => fold(scope, a, b, |a, b| a.wrapping_shl(b as u32)),
        BinaryOp::ShiftRight => fold(scope, a, b, |a, b| a.wrapping_shr(b as u32)),
        BinaryOp::Add => fold(scope, a, b, i32::wrapping_add),
        BinaryOp::Subtract => fold(scope, a, b, i32::wrapping_sub),
        BinaryOp::Multiply => fold(scope, a, b, i32::wrapping_mul),
    }
}

/// `&&` and `||`, which stop early.
fn short(op: BinaryOp, a: Value, b: Value) -> Value {
    match op {
        BinaryOp::And => boxed(move |code, m| match a(code, m)? {
            0 => Ok(0),
            _ => b(code, m).map(|b| i32::from(b != 0)),
        }),
        _ => boxed(move |code, m| match a(code, m)? {
            0 => b(code, m).map(|b| i32::from(b != 0)),
            _ => Ok(1),
        }),
    }
}

fn divide(op: BinaryOp, a: Value, b: Value) -> Value {
    boxed(move |code, m| {
        let (a, b) = (a(code, m)?, b(code, m)?);
        match op {
            _ if b == 0 => Err(Fault::DivisionByZero),
            BinaryOp::Divide => Ok(a.wrapping_div(b)),
            _ => Ok(a.wrapping_rem(b)),
        }
    })
}

/// An operator that cannot fail.
fn fold<F>(scope: Scope<'_>, a: &Expr, b: &Expr, f: F) -> Value
where
    F: Fn(i32, i32) -> i32 + Send + Sync + 'static,
{
    match (scalar(scope, a), b) {
        (Some(home), Expr::Const(b)) => {
            let (at, shape, b) = (home.offset, home.cell.shape, *b);
            match home.region {
                Region::Globals => {
                    boxed(move |_, m| Ok(f(shape.read(&m.image.bytes, m.image.globals + at), b)))
                }
                Region::Locals => {
                    boxed(move |_, m| Ok(f(shape.read(&m.image.bytes, m.frame + at), b)))
                }
                Region::Tail => boxed(move |_, m| Ok(f(shape.read(&m.image.tail, at), b))),
                Region::Nowhere => boxed(move |_, _| Ok(f(0, b))),
            }
        }
        (None, Expr::Const(b)) => {
            let (a, b) = (value(scope, a), *b);
            boxed(move |code, m| Ok(f(a(code, m)?, b)))
        }
        _ => {
            let (a, b) = (value(scope, a), value(scope, b));
            boxed(move |code, m| Ok(f(a(code, m)?, b(code, m)?)))
        }
    }
}

/// Where the scalar variable is that an expression just reads, if it does.
fn scalar(scope: Scope<'_>, expr: &Expr) -> Option<Home> {
    match expr {
        Expr::Load(place) if place.subscripts.is_empty() => Some(scope.home(place.variable)),
        _ => None,
    }
    .filter(|home| !scope.records || home.region != Region::Globals)
}

/// Reads what lies `offset` behind the beginning of a region.
#[inline]
fn read(m: &Memory, region: Region, shape: Shape, offset: usize) -> i32 {
    match region {
        Region::Globals => shape.read(&m.image.bytes, m.image.globals + offset),
        Region::Locals => shape.read(&m.image.bytes, m.frame + offset),
        Region::Tail => shape.read(&m.image.tail, offset),
        Region::Nowhere => 0,
    }
}

fn load(scope: Scope<'_>, place: &Place) -> Value {
    let Home { region, offset: at, cell } = scope.home(place.variable);
    let shape = cell.shape;
    if scope.records && region == Region::Globals {
        let element = element(scope, &place.subscripts, shape);
        return boxed(move |code, m| {
            let Some(offset) = element(code, m)? else { return Ok(0) };
            m.record.touch(Object::Variable((at + offset) as u32), Access::READ);
            Ok(read(m, region, shape, at + offset))
        });
    }
    if !place.subscripts.is_empty() {
        let element = element(scope, &place.subscripts, shape);
        return boxed(move |code, m| {
            Ok(element(code, m)?.map_or(0, |offset| read(m, region, shape, at + offset)))
        });
    }
    match region {
        Region::Globals => boxed(move |_, m| Ok(shape.read(&m.image.bytes, m.image.globals + at))),
        Region::Locals => boxed(move |_, m| Ok(shape.read(&m.image.bytes, m.frame + at))),
        Region::Tail => boxed(move |_, m| Ok(shape.read(&m.image.tail, at))),
        Region::Nowhere => boxed(|_, _| Ok(0)),
    }
}

/// Compiles a write to a variable.
pub(super) fn store(scope: Scope<'_>, place: &Place) -> Store {
    let Home { region, offset: at, cell } = scope.home(place.variable);
    let write = move |m: &mut Memory, offset: usize, value: i32| {
        m.dirty = true;
        let value = value & cell.mask;
        match region {
            Region::Globals => {
                m.record.touch(Object::Variable(offset as u32), Access::WRITE);
                let at = m.image.globals + offset;
                cell.shape.write(&mut m.image.bytes, at, value);
            }
            Region::Locals => cell.shape.write(&mut m.image.bytes, m.frame + offset, value),
            Region::Tail => cell.shape.write(&mut m.image.tail, offset, value),
            Region::Nowhere => {}
        }
    };
    if place.subscripts.is_empty() {
        return Box::new(move |_, m, value| {
            write(m, at, value);
            Ok(())
        });
    }
    let element = element(scope, &place.subscripts, cell.shape);
    Box::new(move |code, m, value| {
        // After a bad index that was passed over the write is dropped.
        if let Some(offset) = element(code, m)? {
            write(m, at + offset, value);
        }
        Ok(())
    })
}

/// Compiles the subscripts of a place.
fn element(scope: Scope<'_>, subscripts: &[Subscript], shape: Shape) -> Element {
    let one = |subscript: &Subscript| {
        let stride = subscript.stride as usize * shape.size();
        (value(scope, &subscript.index), subscript.bound, stride)
    };
    let subscripts: Vec<(Value, u32, usize)> = subscripts.iter().map(one).collect();
    Box::new(move |code, m| {
        let mut offset = 0;
        for (index, bound, stride) in &subscripts {
            match u32::try_from(index(code, m)?) {
                Ok(inside) if inside < *bound => offset += inside as usize * stride,
                _ => {
                    m.report(code, Fault::Index)?;
                    return Ok(None);
                }
            }
        }
        Ok(Some(offset))
    })
}

/// Compiles which channel is meant: its place in the table.
pub(super) fn channel(
    scope: Scope<'_>,
    queue: &Queue,
) -> impl Fn(&Code, &mut Memory) -> Result<usize, Fault> + Send + Sync + 'static {
    let number = value(scope, &queue.number);
    move |code, m| {
        let number = number(code, m)?;
        let index = number.wrapping_sub(1) as u32 as usize;
        match number {
            0 => Err(Fault::UninitialisedChannel),
            _ if index < m.image.channels.len() => Ok(index),
            _ => Err(Fault::DeadChannel),
        }
    }
}

fn probe(scope: Scope<'_>, probe: Probe, queue: &Queue) -> Value {
    let channel = channel(scope, queue);
    boxed(move |code, m| {
        let index = channel(code, m)?;
        let length = m.image.length(index);
        let full = code.channels[m.image.channels[index].kind].is_full(length);
        m.record.channel(index, look(probe, length, full));
        Ok(match probe {
            Probe::Len => length as i32,
            Probe::Empty => i32::from(length == 0),
            Probe::NotEmpty => i32::from(length > 0),
            Probe::Full => i32::from(full),
            Probe::NotFull => i32::from(!full),
        })
    })
}

/// What could change the answer.
fn look(probe: Probe, length: usize, full: bool) -> Access {
    let more = match probe {
        Probe::Len => return Access::PEEK,
        Probe::Empty | Probe::NotEmpty => length == 0,
        Probe::Full | Probe::NotFull => !full,
    };
    if more { Access::PEEK_SENDS } else { Access::PEEK_RECEIVES }
}

/// `len(q)` beside a constant: an order stays as it is while the length moves away.
fn compare_length(scope: Scope<'_>, queue: &Queue, op: BinaryOp, bound: i32) -> Option<Value> {
    let holds: fn(i32, i32) -> bool = match op {
        BinaryOp::Equal => |a, b| a == b,
        BinaryOp::NotEqual => |a, b| a != b,
        BinaryOp::Less => |a, b| a < b,
        BinaryOp::LessEqual => |a, b| a <= b,
        BinaryOp::Greater => |a, b| a > b,
        BinaryOp::GreaterEqual => |a, b| a >= b,
        _ => return None,
    };
    let channel = channel(scope, queue);
    Some(boxed(move |code, m| {
        let index = channel(code, m)?;
        let capacity = code.channels[m.image.channels[index].kind].capacity;
        let length = m.image.length(index);
        let answer = holds(length as i32, bound);
        let changes = |mut lengths: std::ops::RangeInclusive<usize>| {
            lengths.any(|other| holds(other as i32, bound) != answer)
        };
        if changes(length..=capacity) {
            m.record.channel(index, Access::PEEK_SENDS);
        }
        if changes(0..=length) {
            m.record.channel(index, Access::PEEK_RECEIVES);
        }
        Ok(i32::from(answer))
    }))
}

fn process_count(code: &Code, m: &Memory) -> usize {
    let claim = code.rules.spin_counts && m.image.claim(code).is_some();
    m.image.frames.len() + usize::from(claim)
}

fn is_non_progress(code: &Code, m: &Memory) -> bool {
    !m.image.frames.iter().any(|body| {
        let (kind, location) = m.image.stand(*body);
        code.kinds[kind].locations[location].progress
    })
}

/// The process a number means, if it is alive.
pub(super) fn alive(m: &Memory, pid: i32) -> Option<usize> {
    usize::try_from(pid).ok().filter(|pid| *pid < m.image.frames.len())
}

/// Something about the process with this pid; 0 of one that is not alive.
fn of_process<F>(scope: Scope<'_>, pid: &Expr, f: F) -> Value
where
    F: Fn(&Code, &Memory, usize) -> i32 + Send + Sync + 'static,
{
    let pid = value(scope, pid);
    boxed(move |code, m| {
        let pid = pid(code, m)?;
        m.record.everything();
        Ok(alive(m, pid).map_or(0, |pid| f(code, m, pid)))
    })
}

/// The process a remote reference means, if it is alive.
fn remote(
    scope: Scope<'_>,
    kind: usize,
    pid: Option<&Expr>,
) -> impl Fn(&Code, &mut Memory) -> Result<Option<usize>, Fault> + Send + Sync + 'static {
    let pid = pid.map(|pid| value(scope, pid));
    move |code, m| {
        m.record.everything();
        match &pid {
            Some(pid) => {
                let pid = pid(code, m)?;
                Ok(alive(m, pid))
            }
            None => Ok(m.image.frames.iter().position(|body| m.image.stand(*body).0 == kind)),
        }
    }
}

fn stands_at(scope: Scope<'_>, label: &RemoteLabel) -> Value {
    let stand = (label.proctype.index(), label.location.index());
    let remote = remote(scope, stand.0, label.pid.as_deref());
    boxed(move |code, m| {
        let pid = remote(code, m)?;
        Ok(i32::from(pid.is_some_and(|pid| m.image.stand(m.image.frames[pid]) == stand)))
    })
}

fn remote_load(scope: Scope<'_>, variable: &RemoteVariable) -> Value {
    let kind = variable.proctype.index();
    let remote = remote(scope, kind, variable.pid.as_deref());
    if let VariableRef::Global(_) = variable.place.variable {
        let load = load(scope, &variable.place);
        return boxed(move |code, m| match remote(code, m)? {
            Some(_) => load(code, m),
            None => Ok(0),
        });
    }
    let home = scope.of(variable.proctype).home(variable.place.variable);
    let element = element(scope, &variable.place.subscripts, home.cell.shape);
    boxed(move |code, m| {
        let Some(pid) = remote(code, m)? else { return Ok(0) };
        if m.image.stand(m.image.frames[pid]).0 != kind {
            m.report(code, Fault::RemoteReference)?;
            return Ok(0);
        }
        let Some(offset) = element(code, m)? else { return Ok(0) };
        let at = m.image.frames[pid] + code.header() + home.offset + offset;
        Ok(home.cell.shape.read(&m.image.bytes, at))
    })
}
