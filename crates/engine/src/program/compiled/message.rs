//! Sending and receiving.

use super::act::{Act, Done};
use super::code::{ChannelKind, Code, Scope};
use super::event;
use super::fault::Fault;
use super::memory::Memory;
use super::value::{Store, Value, channel, store, value, values};
use program::{Expr, Pattern, Queue};
use system::Access;

impl ChannelKind {
    /// Whether nothing more fits. A rendezvous is never full.
    #[inline]
    pub(super) fn is_full(&self, length: usize) -> bool {
        self.capacity > 0 && length >= self.capacity
    }
}

/// Compiles `q!a,b` or `q!!a,b`.
pub(super) fn send(scope: Scope<'_>, queue: &Queue, arguments: &[Expr], sorted: bool) -> Act {
    let (channel, arguments) = (channel(scope, queue), values(scope, arguments));
    Box::new(move |code, m| {
        let index = channel(code, m)?;
        let kind = &code.channels[m.image.channels[index].kind];
        if kind.is_full(m.image.length(index)) {
            let lost = code.rules.lossy_sends;
            m.record.channel(index, if lost { Access::INSERT } else { Access::PEEK_RECEIVES });
            return Ok(Done::of(code.rules.lossy_sends));
        }
        // Nobody reads an offer while its fields are computed, except `enabled`,
        // which keeps it safe.
        let mut message = std::mem::take(&mut m.offer.message);
        let sent = fields(code, m, &arguments, &mut message, kind)
            .and_then(|()| deliver(code, m, kind, (index, sorted), &mut message));
        m.offer.message = message;
        sent
    })
}

/// The values of a message, not yet cut.
fn fields(
    code: &Code,
    m: &mut Memory,
    arguments: &[Value],
    message: &mut Vec<i32>,
    kind: &ChannelKind,
) -> Result<(), Fault> {
    message.clear();
    for argument in arguments {
        message.push(argument(code, m)?);
    }
    message.resize(kind.fields.len(), 0);
    if arguments.len() != kind.fields.len() {
        m.report(code, Fault::SendArity)?;
    }
    Ok(())
}

/// Puts a message into its channel, or offers it.
fn deliver(
    code: &Code,
    m: &mut Memory,
    kind: &ChannelKind,
    (index, sorted): (usize, bool),
    message: &mut [i32],
) -> Result<Done, Fault> {
    let length = m.image.length(index);
    // Compared before it is cut: SPIN sorts what was written, not what arrives.
    let greater = || (0..length).find(|slot| is_greater(m, kind, (index, *slot), message));
    let slot = if sorted { greater() } else { None };
    for (field, value) in kind.fields.iter().zip(message.iter_mut()) {
        *value &= field.cell.mask;
        if field.cell.shape == super::image::Shape::Short {
            *value = i32::from(*value as i16);
        }
    }
    event::sent(code, m, index, message)?;
    m.dirty = true;
    let jumps = sorted || code.rules.lossy_sends;
    m.record.channel(index, if jumps { Access::INSERT } else { Access::SEND });
    if kind.capacity == 0 {
        m.offer.channel = index;
        return Ok(Done::Offered);
    }
    let at = m.image.insert_message(kind, index, slot.unwrap_or(length));
    for (field, value) in kind.fields.iter().zip(message.iter()) {
        field.cell.shape.write(&mut m.image.bytes, at + field.offset, *value);
    }
    Ok(Done::Moved)
}

/// Whether the message in a slot comes behind `message` in order.
fn is_greater(
    m: &Memory,
    kind: &ChannelKind,
    (index, slot): (usize, usize),
    message: &[i32],
) -> bool {
    let at = m.image.message(kind, index, slot);
    let there = kind.fields.iter().map(|f| f.cell.shape.read(&m.image.bytes, at + f.offset));
    there.cmp(message.iter().copied()).is_gt()
}

/// The fields of a receive.
struct Fields {
    given: usize,
    /// Which fields must have which values.
    wanted: Vec<(usize, Value)>,
    /// Which fields are stored where.
    stored: Vec<(usize, Store)>,
}

impl Fields {
    fn new(scope: Scope<'_>, patterns: &[Pattern]) -> Self {
        let (mut wanted, mut stored) = (Vec::new(), Vec::new());
        for (i, pattern) in patterns.iter().enumerate() {
            match pattern {
                Pattern::Match(expr) => wanted.push((i, value(scope, expr))),
                Pattern::Store(place) => stored.push((i, store(scope, place))),
                Pattern::Any => {}
            }
        }
        Self { given: patterns.len(), wanted, stored }
    }

    /// Whether the message on offer is wanted.
    fn is_offer(&self, code: &Code, m: &mut Memory) -> Result<bool, Fault> {
        for (i, wanted) in &self.wanted {
            let wanted = wanted(code, m)?;
            if m.offer.message.get(*i) != Some(&wanted) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Which message of a channel is wanted. If none is, more of them may help, or, where
    /// only the oldest counts, fewer.
    fn find(
        &self,
        code: &Code,
        m: &mut Memory,
        (index, random): (usize, bool),
    ) -> Result<Option<usize>, Fault> {
        let length = m.image.length(index);
        let more = random || length == 0;
        for slot in 0..length.min(if random { usize::MAX } else { 1 }) {
            if self.is_at(code, m, (index, slot))? {
                return Ok(Some(slot));
            }
        }
        let look = if more { Access::PEEK_SENDS } else { Access::PEEK_RECEIVES };
        m.record.channel(index, look);
        Ok(None)
    }

    fn is_at(
        &self,
        code: &Code,
        m: &mut Memory,
        (index, slot): (usize, usize),
    ) -> Result<bool, Fault> {
        for (i, wanted) in &self.wanted {
            let wanted = wanted(code, m)?;
            if field(code, m, (index, slot), *i) != Some(wanted) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Stores the fields of a message, left to right: an index further right sees
    /// what came in further left.
    fn keep(
        &self,
        code: &Code,
        m: &mut Memory,
        fields: usize,
        field: impl Fn(&Memory, usize) -> Option<i32>,
    ) -> Result<(), Fault> {
        if self.given < fields {
            m.report(code, Fault::ShortReceive)?;
        } else if self.given > fields {
            m.report(code, Fault::LongReceive)?;
        }
        for (i, store) in &self.stored {
            if let Some(value) = field(m, *i) {
                store(code, m, value)?;
            }
        }
        Ok(())
    }
}

/// A field of the message in a slot.
#[inline]
fn field(code: &Code, m: &Memory, (index, slot): (usize, usize), i: usize) -> Option<i32> {
    let kind = &code.channels[m.image.channels[index].kind];
    let field = kind.fields.get(i)?;
    let at = m.image.message(kind, index, slot) + field.offset;
    Some(field.cell.shape.read(&m.image.bytes, at))
}

/// Compiles `q?a,b` and its kin; `how` is `??`, and `<...>`.
pub(super) fn receive(
    scope: Scope<'_>,
    queue: &Queue,
    patterns: &[Pattern],
    (random, keep): (bool, bool),
) -> Act {
    let (channel, fields) = (channel(scope, queue), Fields::new(scope, patterns));
    Box::new(move |code, m| {
        let index = channel(code, m)?;
        if m.taking {
            return accept(code, m, index, &fields);
        }
        let kind = &code.channels[m.image.channels[index].kind];
        if kind.capacity == 0 {
            // Somebody who sends moves this process along.
            m.record.channel(index, Access::PEEK_SENDS);
            return Ok(Done::Blocked);
        }
        let Some(slot) = fields.find(code, m, (index, random))? else { return Ok(Done::Blocked) };
        fields.keep(code, m, kind.fields.len(), |m, i| field(code, m, (index, slot), i))?;
        m.record.channel(index, if keep { Access::PEEK_RECEIVES } else { Access::RECEIVE });
        if !keep {
            if code.watch.is_some() {
                let read = |i| field(code, m, (index, slot), i);
                let message: Vec<i32> = (0..kind.fields.len()).filter_map(read).collect();
                event::received(code, m, index, &message)?;
            }
            m.dirty = true;
            m.image.remove_message(kind, index, slot);
        }
        Ok(Done::Moved)
    })
}

/// Takes the offer of a rendezvous, if it is the right one.
fn accept(code: &Code, m: &mut Memory, index: usize, fields: &Fields) -> Result<Done, Fault> {
    if m.offer.channel != index || !fields.is_offer(code, m)? {
        return Ok(Done::Blocked);
    }
    m.record.channel(index, Access::RECEIVE);
    let count = m.offer.message.len();
    fields.keep(code, m, count, |m, i| m.offer.message.get(i).copied())?;
    if code.watch.is_some() {
        let message = m.offer.message.clone();
        event::received(code, m, index, &message)?;
    }
    Ok(Done::Moved)
}

/// Compiles `q?[a,b]` and `q??[a,b]`.
pub(super) fn poll(scope: Scope<'_>, queue: &Queue, patterns: &[Pattern], random: bool) -> Value {
    let (channel, fields) = (channel(scope, queue), Fields::new(scope, patterns));
    Box::new(move |code, m| {
        let index = channel(code, m)?;
        if code.channels[m.image.channels[index].kind].capacity == 0 {
            m.report(code, Fault::PollOfRendezvous)?;
            return Ok(0);
        }
        let found = fields.find(code, m, (index, random))?.is_some();
        if found {
            m.record.channel(index, Access::PEEK_RECEIVES);
        }
        Ok(i32::from(found))
    })
}
