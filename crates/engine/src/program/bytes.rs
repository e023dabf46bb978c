//! States of programs as bytes, and back.

use crate::room::room;
use base::{Id, IdVec};
use program::reference::{Channel, Declared, Process, Rules, State, Values};
use program::{LocationId, Proctype, ProctypeId, Program, Scalar, Variable, VariableId};
use std::sync::Arc;
use system::Word;

/// How many words the longest state with these processes and channels takes, as long as no
/// channel holds more than there is [`room`] for.
pub(super) fn head_words(program: &Program, rules: &Rules, state: &State) -> usize {
    let mut full = state.clone();
    for channel in &mut full.channels {
        let kind = channel.kind(program);
        let message = vec![0; kind.fields.len()];
        channel.messages = Arc::new(vec![message; room(kind.capacity) as usize]);
    }
    let mut writer = Writer::default();
    writer.head(program, rules, &full);
    writer.bytes.len().div_ceil(size_of::<Word>())
}

/// Writes a state into zeroed words, of which the first `head` tell states apart; says
/// whether it fits.
pub(super) fn write(
    (program, rules): (&Program, &Rules),
    head: usize,
    state: &State,
    words: &mut [Word],
) -> bool {
    let (front, back) = words.split_at_mut(head);
    let (mut first, mut last) = (Writer::default(), Writer::default());
    first.head(program, rules, state);
    last.tail(program, rules, state);
    first.fill(front) && last.fill(back)
}

/// The state that words stand for.
pub(super) fn read((program, rules): (&Program, &Rules), head: usize, words: &[Word]) -> State {
    let (head, tail) = words.split_at(head);
    let mut state = Reader::new(head).head(program, rules);
    Reader::new(tail).tail(program, rules, &mut state);
    state
}

/// How many words travel along without telling states apart.
pub(super) fn tail_words(program: &Program, rules: &Rules) -> usize {
    if !rules.spin_counts {
        return 0;
    }
    let hidden = program.globals.iter().filter(|variable| travels(rules, variable));
    let bytes: usize = hidden.map(|v| size(v.scalar) * v.length as usize).sum();
    (bytes + 2).div_ceil(size_of::<Word>())
}

/// Whether a global travels along without telling states apart: SPIN does so with
/// what is `hidden`.
fn travels(rules: &Rules, variable: &Variable) -> bool {
    rules.spin_counts && variable.hidden && !variable.unread
}

/// Whether a global tells states apart.
fn tells(rules: &Rules, variable: &Variable) -> bool {
    !travels(rules, variable) && !variable.unread
}

/// Bytes a value of this type takes.
fn size(scalar: Scalar) -> usize {
    match scalar {
        Scalar::Bit | Scalar::Bool | Scalar::Byte | Scalar::Mtype(_) => 1,
        Scalar::Pid | Scalar::Chan | Scalar::Short => 2,
        Scalar::Int => 4,
        Scalar::Unsigned(bits) => usize::from(bits).div_ceil(8),
    }
}

/// Collects the bytes of a state.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// What tells a state from others.
    fn head(&mut self, program: &Program, rules: &Rules, state: &State) {
        self.number(state.processes.len());
        for process in &state.processes {
            self.process(program, process);
        }
        self.number(state.channels.len());
        for channel in &state.channels {
            self.channel(program, channel);
        }
        for (id, variable) in program.globals.iter_ids() {
            if tells(rules, variable) {
                self.values(variable, &state.globals[id]);
            }
        }
        self.number(state.last);
        let stutters = state.stutters && !rules.spin_counts;
        self.number(usize::from(state.claim.is_some()) | usize::from(stutters) << 1);
        if let Some(claim) = &state.claim {
            self.process(program, claim);
        }
        self.number(state.trace.map_or(0, |location| location.index() + 1));
    }

    /// What travels along.
    fn tail(&mut self, program: &Program, rules: &Rules, state: &State) {
        if !rules.spin_counts {
            return;
        }
        self.number(usize::from(state.stutters));
        for (id, variable) in program.globals.iter_ids() {
            if travels(rules, variable) {
                self.values(variable, &state.globals[id]);
            }
        }
    }

    fn process(&mut self, program: &Program, process: &Process) {
        let kind = &program.proctypes[process.proctype];
        self.number(process.proctype.index());
        self.number(process.location.index());
        if program.uses.priorities {
            self.number(process.priority as usize);
        }
        for (id, variable) in kind.variables.iter_ids() {
            self.values(variable, &process.locals[id]);
        }
    }

    fn channel(&mut self, program: &Program, channel: &Channel) {
        let (proctype, variable) = match channel.declared {
            Declared::Global(id) => (0, id),
            Declared::Local(proctype, id) => (proctype.index() + 1, id),
        };
        self.number(proctype);
        self.number(variable.index());
        self.number(channel.owner.map_or(0, |pid| pid + 1));
        self.number(channel.messages.len());
        let fields = &channel.kind(program).fields;
        for message in &*channel.messages {
            for (scalar, value) in fields.iter().zip(message) {
                self.value(size(*scalar), *value);
            }
        }
    }

    fn values(&mut self, variable: &Variable, values: &[i32]) {
        for value in values {
            self.value(size(variable.scalar), *value);
        }
    }

    fn number(&mut self, number: usize) {
        self.value(2, number as i32);
    }

    fn value(&mut self, size: usize, value: i32) {
        self.bytes.extend_from_slice(&value.to_le_bytes()[..size]);
    }

    /// Writes the bytes into zeroed words; says whether they fit.
    fn fill(&self, words: &mut [Word]) -> bool {
        let mut chunks = self.bytes.chunks(size_of::<Word>());
        for (word, chunk) in words.iter_mut().zip(&mut chunks) {
            let mut bytes = [0; size_of::<Word>()];
            bytes[..chunk.len()].copy_from_slice(chunk);
            *word = Word::from_le_bytes(bytes);
        }
        chunks.next().is_none()
    }
}

/// Reads the bytes of a state.
struct Reader<'a> {
    words: &'a [Word],
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(words: &'a [Word]) -> Self {
        Self { words, at: 0 }
    }

    fn head(&mut self, program: &Program, rules: &Rules) -> State {
        let processes = (0..self.number()).map(|_| Arc::new(self.process(program))).collect();
        let channels = (0..self.number()).map(|_| self.channel(program)).collect();
        let globals: IdVec<VariableId, Values> =
            program.globals.iter().map(|variable| self.global(rules, variable)).collect();
        let last = self.number();
        let flags = self.number();
        let claim = (flags & 1 == 1).then(|| self.process(program));
        let trace = self.number().checked_sub(1).map(LocationId::new);
        State { globals, processes, channels, last, claim, trace, stutters: flags & 2 == 2 }
    }

    /// What is left out is zero here; what travels comes with the tail.
    fn global(&mut self, rules: &Rules, variable: &Variable) -> Values {
        if !tells(rules, variable) {
            return Arc::new(vec![0; variable.length as usize]);
        }
        self.values(variable)
    }

    fn tail(&mut self, program: &Program, rules: &Rules, state: &mut State) {
        if !rules.spin_counts {
            return;
        }
        state.stutters = self.number() == 1;
        for (id, variable) in program.globals.iter_ids() {
            if travels(rules, variable) {
                state.globals[id] = self.values(variable);
            }
        }
    }

    fn process(&mut self, program: &Program) -> Process {
        let proctype = ProctypeId::new(self.number());
        let location = LocationId::new(self.number());
        let priority = if program.uses.priorities { self.number() as i32 } else { 1 };
        let kind: &Proctype = &program.proctypes[proctype];
        let locals = kind.variables.iter().map(|variable| self.values(variable)).collect();
        Process { proctype, location, locals, priority }
    }

    fn channel(&mut self, program: &Program) -> Channel {
        let (proctype, variable) = (self.number(), VariableId::new(self.number()));
        let declared = match proctype.checked_sub(1) {
            None => Declared::Global(variable),
            Some(index) => Declared::Local(ProctypeId::new(index), variable),
        };
        let owner = self.number().checked_sub(1);
        let channel = Channel { declared, owner, messages: Arc::default() };
        let fields = channel.kind(program).fields.clone();
        let message = |reader: &mut Self| fields.iter().map(|f| reader.scalar(*f)).collect();
        let messages = Arc::new((0..self.number()).map(|_| message(self)).collect());
        Channel { messages, ..channel }
    }

    fn values(&mut self, variable: &Variable) -> Values {
        Arc::new((0..variable.length).map(|_| self.scalar(variable.scalar)).collect())
    }

    fn scalar(&mut self, scalar: Scalar) -> i32 {
        let raw = self.value(size(scalar));
        if scalar == Scalar::Short { i32::from(raw as i16) } else { raw }
    }

    fn number(&mut self) -> usize {
        self.value(2) as usize
    }

    fn value(&mut self, size: usize) -> i32 {
        let byte = |at: usize| {
            let word = self.words.get(at / size_of::<Word>()).copied().unwrap_or(0);
            word.to_le_bytes()[at % size_of::<Word>()]
        };
        let mut bytes = [0; 4];
        for (offset, place) in bytes[..size].iter_mut().enumerate() {
            *place = byte(self.at + offset);
        }
        self.at += size;
        i32::from_le_bytes(bytes)
    }
}
