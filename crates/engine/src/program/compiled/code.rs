//! A program made ready: where everything lies in memory, and closures for all
//! that is executed.

use super::act::{self, Act};
use super::create::{self, Start};
use super::event::{self, Watch};
use super::image::{Cell, Shape};
use super::outlook::{self, Outlooks};
use super::value::{self, Value};
use crate::program::step_kind;
use base::Id;
use program::reference::Rules;
use program::{
    Action, ChannelType, EdgeId, Expr, Initial, LocationId, Proctype, ProctypeId, Program, Scalar,
    Variable, VariableId, VariableRef,
};
use system::{LastStatement, StepKind};

/// A program made ready.
pub(super) struct Code {
    pub(super) rules: Rules,
    pub(super) kinds: Vec<Kind>,
    pub(super) channels: Vec<ChannelKind>,
    /// By proctype (0 for none) and variable: which of the channel kinds.
    declared: Vec<Vec<usize>>,
    /// Bytes of all globals that tell states apart.
    pub(super) globals_bytes: usize,
    /// Bytes of what travels along.
    pub(super) tail_bytes: usize,
    /// Words that tell states apart.
    pub(super) head: usize,
    /// Who moved last is kept.
    pub(super) keeps_last: bool,
    pub(super) has_priorities: bool,
    /// Some process, and some claim, asks whether it is time for a timeout.
    pub(super) timeouts: (bool, bool),
    pub(super) watch: Option<Watch>,
    /// The numbers of processes and channels do not matter.
    pub(super) is_anonymous: bool,
    /// What processes may still touch, if that is written down at all.
    pub(super) outlooks: Option<Outlooks>,
}

/// A proctype made ready.
pub(super) struct Kind {
    /// Bytes of a record.
    pub(super) size: usize,
    pub(super) start: usize,
    pub(super) locations: Vec<Spot>,
    pub(super) edges: Vec<Edge>,
    pub(super) provided: Option<Value>,
    pub(super) deterministic: bool,
    pub(super) variables: Vec<Start>,
}

/// A location made ready.
pub(super) struct Spot {
    /// Edges in the order in which they are asked.
    pub(super) groups: Vec<Vec<usize>>,
    /// The same for a `d_step`.
    pub(super) edges: Vec<usize>,
    /// A process may rest here.
    pub(super) end: bool,
    pub(super) progress: bool,
    /// All that a process can do here is to end.
    pub(super) is_last: bool,
}

/// An edge made ready.
pub(super) struct Edge {
    pub(super) to: usize,
    pub(super) kind: StepKind,
    pub(super) act: Act,
    /// The same actor goes on behind it.
    pub(super) goes_on: bool,
    /// Bytes of the locals that are zero behind it: where they begin, how many.
    pub(super) resets: Vec<(usize, usize)>,
    pub(super) is_else: bool,
    pub(super) tag: LastStatement,
    /// It may take the offer of a rendezvous.
    pub(super) takes: bool,
    /// It may change the state and then block after all.
    pub(super) is_volatile: bool,
}

/// What a channel carries, and how it lies in memory.
pub(super) struct ChannelKind {
    pub(super) capacity: usize,
    pub(super) fields: Vec<Field>,
    pub(super) message_bytes: usize,
}

/// A field of a message.
pub(super) struct Field {
    pub(super) offset: usize,
    pub(super) cell: Cell,
}

impl Code {
    /// Whether no two steps commute: who moved last is kept, or who may move at all
    /// depends on what others do.
    pub(super) fn is_entangled(&self) -> bool {
        let depends = |kind: &Kind| kind.provided.is_some() || kind.deterministic;
        self.keeps_last
            || self.has_priorities
            || self.watch.as_ref().is_some_and(|watch| !watch.is_steady())
            || self.kinds.iter().any(depends)
    }

    /// The kind of the channels of a declaration, in the words of the bytes.
    pub(super) fn channel_kind(&self, proctype: usize, variable: usize) -> usize {
        self.declared[proctype][variable]
    }
}

/// Where a variable lies.
#[derive(Clone, Copy)]
pub(super) struct Home {
    pub(super) region: Region,
    pub(super) offset: usize,
    pub(super) cell: Cell,
}

/// What an offset counts from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    /// The first global.
    Globals,
    /// The first byte of what travels along.
    Tail,
    /// The first local of a process.
    Locals,
    /// Nothing: what is stored there is dropped.
    Nowhere,
}

/// What compilation looks up; for one proctype, or for the program.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) program: &'a Program,
    pub(super) rules: &'a Rules,
    homes: &'a Homes,
    pub(super) proctype: Option<ProctypeId>,
    /// What is touched is to be written down.
    pub(super) records: bool,
}

/// Where all variables lie.
struct Homes {
    globals: Vec<Home>,
    locals: Vec<Vec<Home>>,
    globals_bytes: usize,
    tail_bytes: usize,
}

impl Scope<'_> {
    /// Where a variable lies.
    pub(super) fn home(&self, variable: VariableRef) -> Home {
        match (variable, self.proctype) {
            (VariableRef::Global(id), _) => self.homes.globals[id.index()],
            (VariableRef::Local(id), Some(proctype)) => {
                self.homes.locals[proctype.index()][id.index()]
            }
            // INVARIANT: the verifier lets nobody but proctypes speak of locals.
            (VariableRef::Local(_), None) => unreachable!("a local of no proctype"),
        }
    }

    /// Where the bytes of a local of `kind` begin, and how many they are.
    fn bytes_of(&self, kind: &Proctype, local: VariableId) -> (usize, usize) {
        let home = self.home(VariableRef::Local(local));
        (home.offset, home.cell.shape.size() * kind.variables[local].length as usize)
    }

    /// The same seen from another proctype.
    pub(super) fn of(self, proctype: ProctypeId) -> Self {
        Self { proctype: Some(proctype), ..self }
    }
}

/// What an element of `scalar` keeps of a value, and how it lies in memory.
fn cell(rules: &Rules, scalar: Scalar, in_array: bool) -> Cell {
    let (shape, mask) = match scalar {
        Scalar::Bit if !in_array => (Shape::One, 1),
        Scalar::Bit | Scalar::Byte | Scalar::Mtype(_) => (Shape::One, 255),
        Scalar::Pid | Scalar::Chan => (Shape::Two, if rules.wide { 0xffff } else { 255 }),
        Scalar::Short => (Shape::Short, -1),
        Scalar::Int => (Shape::Four, -1),
        Scalar::Unsigned(bits) => {
            let shape = match bits.div_ceil(8) {
                0 | 1 => Shape::One,
                2 => Shape::Two,
                3 => Shape::Three,
                _ => Shape::Four,
            };
            (shape, ((1u32 << bits) - 1) as i32)
        }
    };
    Cell { shape, mask }
}

/// Makes `program` ready for states of `head` words; closures write down what they touch
/// if it `records`.
pub(super) fn prepare(program: &Program, rules: &Rules, head: usize, records: bool) -> Code {
    let homes = homes(program, rules);
    let (channels, declared) = channel_kinds(program, rules);
    let scope = Scope { program, rules, homes: &homes, proctype: None, records };
    Code {
        rules: *rules,
        kinds: program.proctypes.ids().map(|id| kind(scope.of(id), id)).collect(),
        channels,
        declared,
        globals_bytes: homes.globals_bytes,
        tail_bytes: homes.tail_bytes,
        head,
        keeps_last: program.uses.last,
        has_priorities: program.uses.priorities,
        timeouts: (asks_timeout(program, false), asks_timeout(program, true)),
        is_anonymous: records && program.is_anonymous(),
        outlooks: records.then(|| outlook::outlooks(scope)),
        watch: program.trace.as_ref().map(|trace| event::watch(scope, trace)),
    }
}

/// Bytes of a record before its locals.
pub(super) fn header(program: &Program) -> usize {
    if program.uses.priorities { 6 } else { 4 }
}

fn homes(program: &Program, rules: &Rules) -> Homes {
    // Behind whether the system stutters.
    let (mut inside, mut along) = (0, 2);
    let place = |region, offset: &mut usize, variable: &Variable| {
        let cell = cell(rules, variable.scalar, variable.is_array);
        let home = Home { region, offset: *offset, cell };
        *offset += cell.shape.size() * variable.length as usize;
        home
    };
    let globals =
        program.globals.iter().map(|variable| match variable.hidden && rules.spin_counts {
            _ if variable.unread => place(Region::Nowhere, &mut 0, variable),
            true => place(Region::Tail, &mut along, variable),
            false => place(Region::Globals, &mut inside, variable),
        });
    let globals = globals.collect();
    let locals = program.proctypes.iter().map(|kind| {
        let mut offset = 0;
        kind.variables.iter().map(|v| place(Region::Locals, &mut offset, v)).collect()
    });
    let locals = locals.collect();
    let tail_bytes = if rules.spin_counts { along } else { 0 };
    Homes { globals, locals, globals_bytes: inside, tail_bytes }
}

fn channel_kinds(program: &Program, rules: &Rules) -> (Vec<ChannelKind>, Vec<Vec<usize>>) {
    let mut kinds = Vec::new();
    let mut of = |variable: &Variable| match &variable.initial {
        Initial::Channel(kind) => {
            kinds.push(channel_kind(rules, kind));
            kinds.len() - 1
        }
        // No channel is ever declared by it.
        _ => usize::MAX,
    };
    let mut declared = vec![program.globals.iter().map(&mut of).collect()];
    declared
        .extend(program.proctypes.iter().map(|kind| kind.variables.iter().map(&mut of).collect()));
    (kinds, declared)
}

fn channel_kind(rules: &Rules, kind: &ChannelType) -> ChannelKind {
    let mut offset = 0;
    let fields = kind.fields.iter().map(|scalar| {
        let field = Field { offset, cell: cell(rules, *scalar, false) };
        offset += field.cell.shape.size();
        field
    });
    let fields = fields.collect();
    ChannelKind { capacity: kind.capacity as usize, fields, message_bytes: offset }
}

fn kind(scope: Scope<'_>, id: ProctypeId) -> Kind {
    let kind = &scope.program.proctypes[id];
    let bytes = |variable: &Variable| {
        cell(scope.rules, variable.scalar, true).shape.size() * variable.length as usize
    };
    let variables = kind.variables.iter_ids();
    // A trace automaton is watched, not executed.
    let runs = scope.program.trace.as_ref().is_none_or(|trace| trace.automaton != id);
    let edges = kind.edges.iter().filter(|_| runs).map(|edge| Edge {
        to: edge.to.index(),
        kind: step_kind(kind, &edge.action),
        act: act::act(scope, id, &edge.action),
        goes_on: edge.goes_on(),
        resets: edge.resets.iter().map(|local| scope.bytes_of(kind, *local)).collect(),
        is_else: edge.action == Action::Else,
        tag: tag(&edge.action),
        takes: matches!(edge.action, Action::Receive { .. } | Action::Deterministic { .. }),
        is_volatile: edge.action.mentions(&|expr| matches!(expr, Expr::Run { .. })),
    });
    Kind {
        size: header(scope.program) + kind.variables.iter().map(bytes).sum::<usize>(),
        start: kind.start.index(),
        locations: kind.locations.ids().map(|at| spot(scope.rules, kind, at)).collect(),
        edges: edges.collect(),
        provided: kind.provided.as_ref().map(|condition| value::value(scope, condition)),
        deterministic: kind.deterministic,
        variables: variables.map(|(v, variable)| create::start(scope, v, variable)).collect(),
    }
}

fn tag(action: &Action) -> LastStatement {
    match action {
        Action::Skip => LastStatement::Jump,
        Action::Receive { .. } => LastStatement::Receive,
        Action::Send { .. } => LastStatement::Send,
        Action::Assign(..) => LastStatement::Assign,
        _ => LastStatement::Other,
    }
}

fn spot(rules: &Rules, kind: &Proctype, at: LocationId) -> Spot {
    let location = &kind.locations[at];
    let indices = |group: &Vec<EdgeId>| group.iter().map(|edge| edge.index()).collect();
    let mut groups: Vec<Vec<usize>> = location.groups.iter().map(indices).collect();
    let edges = groups.concat();
    let escapes = groups.len().saturating_sub(1);
    if rules.inner_unless_first {
        groups[..escapes].reverse();
    }
    let end = at == kind.end || location.marks.end;
    let is_last = kind.edges_from(at).all(|(_, edge)| edge.action == Action::Die);
    Spot { groups, edges, end, progress: location.marks.progress, is_last }
}

fn asks_timeout(program: &Program, of_claims: bool) -> bool {
    let is_claim = |id: ProctypeId| {
        program.claims.iter().any(|claim| claim.kind == program::ClaimKind::Never(id))
    };
    let mut kinds = program.proctypes.iter_ids().filter(|(id, _)| is_claim(*id) == of_claims);
    kinds.any(|(_, kind)| kind.asks_timeout())
}
