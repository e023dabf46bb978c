//! Which processes of a program can be exchanged without anybody noticing.
//!
//! Instances of one proctype differ by their pids, by parameters that each of them keeps, and by
//! the channels they own. A permutation of such instances exchanges their locations and
//! locals, *renames* every value that stands for one of them, and moves the elements of arrays
//! that are indexed by such values, and the messages of their channels. It is an automorphism of
//! the transition relation if every statement means the same before and after. That is decided by
//! the discipline of scalarsets (Ip and Dill, *Better verification through symmetry*, 1996,
//! section 4; for PROMELA Bosnacki, Dams and Holenderski, *Symmetric SPIN*, 2002), here by
//! inference instead of declarations: values that are copied to or compared with each other have
//! one type (`node`); if processes have values of their own in a type, its values may be copied,
//! compared for equality, sent, and used as indices, and nothing else (`walk`). What breaks a
//! rule breaks up the classes whose processes have values in that type, and no others.
//!
//! Which values a process has for its own is not guessed from the text but read off the
//! processes that there are ([`Instance`]): whoever created them, in whatever loop.
//!
//! **Only statements that can still be executed count.** The relation "equal but for a
//! permutation" is a bisimulation on any set of states that is closed under steps. It is used
//! on the states in which no process may create another one, and there statements from which a
//! `run` can be reached are not executed any more; nor do initial values matter, for nothing
//! requires the initial state to be symmetric. (`everywhere` makes all statements count: then it
//! holds for the processes created so far in every state, provided that none of them ends, for
//! a new process has the number of those alive.)
//!
//! **Processes end youngest first**, which a permutation does not respect: where one instance has
//! ended, or stands at its end and may go, the other may have to wait. Let `u ~ v` say: `v` is `u` with
//! processes permuted, where who has ended in one may still be at his end in the other. Nothing but
//! ending is possible at an end. So `v` has every step of `u` that does not see how many processes
//! there are. A step that waits for a number (below) is there once all who are younger than the reader have
//! ended, and if they have in `u`, they are at their ends in `v`, and can. If `u` is blocked, or only a timeout
//! is possible, let processes end in `v` until none can: what could move then could in `u`. The
//! verdict on a blocked state is the same, for an end is a proper one whether or not somebody stands
//! there. So it is enough to visit one `v` for each `u`; but as it may take more ends of processes to a blocked
//! state, runs are shortest only where nobody ends. This needs that a program sees ends in two ways only:
//! somebody waits for `_nr_pr == n`, and is himself the youngest that may be alive then (`pid` n-1),
//! older than all that are exchanged; or not at all. A channel would go with its process, so then
//! none may.

mod node;
mod walk;

use crate::{Edge, Initial, Proctype, ProctypeId, Program, Variable, VariableId};
use base::{IdVec, Name, Span};
use node::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use walk::Walk;

/// For each process, by pid, a value that stands for it.
pub type Renaming = BTreeMap<usize, i32>;

/// A variable: of a proctype, or of the program.
pub type VariableKey = (Option<ProctypeId>, VariableId);

/// A process that there may be: of which proctype, and those of its variables that it keeps.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its proctype.
    pub proctype: ProctypeId,
    /// The values of each variable that never changes.
    pub constants: IdVec<VariableId, Option<Vec<i32>>>,
}

/// What is known of a program beside its text.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// By pid, everybody who may have it.
    pub instances: &'a [Vec<Instance>],
    /// The values of a global that never changes.
    pub globals: &'a IdVec<VariableId, Option<Vec<i32>>>,
    /// Whether processes may be created from a location on, or only from others.
    pub creates: &'a dyn Fn(ProctypeId, &Edge) -> bool,
}

/// Why something is not symmetric.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// In words.
    pub words: String,
    /// Where.
    pub span: Span,
}

/// Processes that nobody tells apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// Of which proctype.
    pub proctype: ProctypeId,
    /// Their pids, in order; two or more.
    pub pids: Vec<usize>,
}

/// A dimension of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dimension<T> {
    /// How many indices there are.
    pub bound: u32,
    /// How many elements one of it spans.
    pub stride: u32,
    /// What indexes it.
    pub index: T,
}

/// Which processes of a program can be exchanged, and what that does to values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Symmetry {
    /// Who can be exchanged.
    pub classes: Vec<Class>,
    /// Proctypes with several processes, and why they cannot be exchanged.
    pub refused: Vec<(Name, Reason)>,
    /// What the elements of a variable stand for, if for processes.
    pub elements: BTreeMap<VariableKey, Renaming>,
    /// What the indices of an array stand for.
    pub dimensions: BTreeMap<VariableKey, Vec<Dimension<Renaming>>>,
    /// What the fields of messages stand for, by the variable a channel is declared with.
    pub fields: BTreeMap<VariableKey, Vec<Renaming>>,
}

/// Finds the processes of `program` that can be exchanged: in states where no process can be
/// created any more; or `everywhere`.
pub fn interchangeable(program: &Program, known: Known<'_>, everywhere: bool) -> Symmetry {
    let constant = |kind, id| {
        let mut own = known.instances.iter().flatten().filter(|it| it.proctype == kind);
        own.all(|instance| instance.constants[id].is_some())
    };
    let Some(first) = program.proctypes.iter().next() else { return Symmetry::default() };
    let mut walk = Walk::new(program, &constant, first.span);
    walk.program(&|kind, edge| everywhere || !(known.creates)(kind, edge));
    let mut finder = Finder {
        program,
        known,
        walk,
        classes: Vec::new(),
        refused: Vec::new(),
        derived: BTreeSet::new(),
    };
    finder.find_candidates();
    finder.name_instances();
    finder.check_ends(everywhere);
    while finder.check_types() || finder.check_constants() {}
    finder.conclude()
}

struct Finder<'a> {
    program: &'a Program,
    known: Known<'a>,
    walk: Walk<'a>,
    classes: Vec<Class>,
    refused: Vec<(Name, Reason)>,
    /// Constant arrays whose elements were found to stand for processes.
    derived: BTreeSet<VariableKey>,
}

impl<'a> Finder<'a> {
    /// The process that alone may have a pid.
    fn instance(&self, pid: usize) -> Option<&'a Instance> {
        let instances: &'a [Vec<Instance>] = self.known.instances;
        match instances[pid].as_slice() {
            [instance] => Some(instance),
            _ => None,
        }
    }

    /// Those of one proctype that begin alike, but for values that each has for itself.
    fn find_candidates(&mut self) {
        for (kind, proctype) in self.program.proctypes.iter_ids() {
            let is_it = |pid: &usize| self.instance(*pid).is_some_and(|it| it.proctype == kind);
            let pids: Vec<usize> = (0..self.known.instances.len()).filter(is_it).collect();
            let is_telling = |id: &VariableId| !self.is_own(&pids, *id);
            let telling: Vec<VariableId> = proctype.variables.ids().filter(is_telling).collect();
            let mut alike: BTreeMap<Vec<Option<&Vec<i32>>>, Vec<usize>> = BTreeMap::new();
            for pid in &pids {
                let Some(instance) = self.instance(*pid) else { continue };
                let values = telling.iter().map(|id| instance.constants[*id].as_ref()).collect();
                alike.entry(values).or_default().push(*pid);
            }
            let alone = pids.len() > 1 && alike.values().all(|pids| pids.len() == 1);
            let groups = alike.into_values().filter(|pids| pids.len() > 1);
            self.classes.extend(groups.map(|pids| Class { proctype: kind, pids }));
            if alone {
                let words = "they keep different values from the beginning on".to_owned();
                self.refused.push((proctype.name.clone(), Reason { words, span: proctype.span }));
            }
        }
    }

    /// Whether each of these processes has a value of its own in a variable.
    fn is_own(&self, pids: &[usize], id: VariableId) -> bool {
        let value = |pid: &usize| match self.instance(*pid)?.constants[id].as_deref()? {
            [value] => Some(*value),
            _ => None,
        };
        let values: BTreeSet<i32> = pids.iter().filter_map(value).collect();
        values.len() == pids.len()
    }

    /// Says which values processes have for their own.
    fn name_instances(&mut self) {
        let pid = self.walk.pid;
        let pids = (0..self.known.instances.len()).map(|pid| (pid, pid as i32)).collect();
        self.walk.nodes.node_mut(pid).own.push(pids);
        for (kind, proctype) in self.program.proctypes.iter_ids() {
            let is_it = |pid: &usize| self.instance(*pid).is_some_and(|it| it.proctype == kind);
            let pids: Vec<usize> = (0..self.known.instances.len()).filter(is_it).collect();
            let own = proctype.variables.ids().filter(|id| self.is_own(&pids, *id));
            for id in own.collect::<Vec<_>>() {
                let value = |pid: &usize| Some((*pid, *self.constant(*pid, id)?.first()?));
                let own = pids.iter().filter_map(value).collect();
                let element = self.walk.element((Some(kind), id));
                self.walk.nodes.node_mut(element).own.push(own);
            }
        }
    }

    fn constant(&self, pid: usize, id: VariableId) -> Option<&'a [i32]> {
        self.instance(pid)?.constants[id].as_deref()
    }

    /// Takes the classes of these processes, or of those that `is_it` holds of, apart.
    fn take_apart(&mut self, is_it: &dyn Fn(&Class) -> bool, reason: &Reason) -> bool {
        let (apart, kept): (Vec<Class>, Vec<Class>) = self.classes.drain(..).partition(is_it);
        self.classes = kept;
        for class in &apart {
            let name = self.program.proctypes[class.proctype].name.clone();
            self.refused.push((name, reason.clone()));
        }
        !apart.is_empty()
    }

    /// What may see that processes end one after the other.
    fn check_ends(&mut self, everywhere: bool) {
        let program = self.program;
        let processes = || program.proctypes.iter_ids().filter(|(id, _)| program.is_process(*id));
        let ends = |class: &Class| can_end(&program.proctypes[class.proctype]);
        if let Some(reason) = self.walk.fatal.clone() {
            self.take_apart(&|_| true, &reason);
        }
        if let Some(trace) = &program.trace {
            let span = program.proctypes[trace.automaton].span;
            let words = "an event trace watches the program".to_owned();
            self.take_apart(&|_| true, &Reason { words, span });
        }
        let mut owned = processes().filter(|(_, kind)| can_end(kind));
        let owned = owned.find_map(|(_, kind)| kind.variables.iter().find(|it| is_channel(it)));
        if let Some(owned) = owned {
            let words = format!("`{}` goes when its process ends", owned.name);
            self.take_apart(&ends, &Reason { words, span: owned.span });
        }
        for count in self.walk.counts.clone() {
            let has = |pid: &usize| {
                let mut there = self.known.instances[*pid].iter();
                there.any(|instance| Some(instance.proctype) == count.proctype)
            };
            let readers: Vec<usize> = (0..self.known.instances.len()).filter(has).collect();
            let waits = match (readers.as_slice(), count.waits_for) {
                ([reader], Some(left)) if left == *reader as i32 + 1 => Some(*reader),
                _ => None,
            };
            let sees = |class: &Class| ends(class) && waits.is_none_or(|pid| class.pids[0] <= pid);
            self.take_apart(&sees, &count.reason);
        }
        if everywhere {
            for class in self.classes.clone() {
                let span = program.proctypes[class.proctype].span;
                let reason = Reason { words: "they may end".to_owned(), span };
                self.take_apart(&|other| *other == class && ends(other), &reason);
            }
        }
    }

    fn moves(&self, pid: usize) -> bool {
        self.classes.iter().any(|class| class.pids.contains(&pid))
    }

    fn renaming(&self, node: NodeId) -> Result<Renaming, (usize, usize)> {
        self.walk.nodes.renaming(node, &|pid| self.moves(pid))
    }

    /// The renaming of a type that keeps the rules.
    fn sound(&self, node: NodeId) -> Renaming {
        self.renaming(node).unwrap_or_default()
    }

    /// Whether some class had to be taken apart for what is done with values.
    fn check_types(&mut self) -> bool {
        let roots: Vec<NodeId> = self.walk.nodes.roots().map(|(id, _)| id).collect();
        let mut changed = false;
        for root in roots {
            changed |= self.check_type(root);
        }
        let variables: Vec<(VariableKey, NodeId)> = self.walk.variables().collect();
        for (key, node) in variables {
            changed |= self.check_fits(key, node);
        }
        changed
    }

    fn check_type(&mut self, root: NodeId) -> bool {
        let node = self.walk.nodes.node(root).clone();
        let is_channel = !self.walk.nodes.fields(root).is_empty();
        let renaming = match self.renaming(root) {
            Ok(renaming) => renaming,
            Err((one, other)) => {
                let span = self.span_of(root);
                let words = "two different numbers of one process are mixed".to_owned();
                let has = |class: &Class| class.pids.contains(&one) || class.pids.contains(&other);
                return self.take_apart(&has, &Reason { words, span });
            }
        };
        let touches = |class: &Class| class.pids.iter().any(|pid| renaming.contains_key(pid));
        let mut changed = false;
        for reason in node.number.iter().chain(node.computed.iter().filter(|_| is_channel)) {
            changed |= self.take_apart(&touches, &reason.at_value_of(&self.name_of(root)));
        }
        for (value, reason) in &node.literals {
            let named = |pid: &usize| renaming.get(pid) == Some(value);
            let named = |class: &Class| class.pids.iter().any(named);
            changed |= self.take_apart(&named, &reason.at_value_of(&self.name_of(root)));
        }
        let part = |class: &Class| {
            touches(class) && !class.pids.iter().all(|pid| renaming.contains_key(pid))
        };
        let words = "only some of them have numbers in a variable".to_owned();
        changed | self.take_apart(&part, &Reason { words, span: self.span_of(root) })
    }

    /// A variable of this type, to name it.
    fn variable_of(&self, root: NodeId) -> Option<&Variable> {
        let root = self.walk.nodes.root(root);
        let mut variables = self.walk.variables();
        let (key, _) = variables.find(|(_, node)| self.walk.nodes.root(*node) == root)?;
        Some(self.variable(key))
    }

    fn variable(&self, (kind, id): VariableKey) -> &Variable {
        match kind {
            Some(kind) => &self.program.proctypes[kind].variables[id],
            None => &self.program.globals[id],
        }
    }

    fn name_of(&self, root: NodeId) -> String {
        let nodes = &self.walk.nodes;
        if nodes.root(self.walk.pid) == nodes.root(root) {
            return "_pid".to_owned();
        }
        self.variable_of(root).map_or_else(|| "a number".to_owned(), |it| format!("`{}`", it.name))
    }

    fn span_of(&self, root: NodeId) -> Span {
        self.variable_of(root).map_or(self.walk.anywhere, |variable| variable.span)
    }

    /// Every value that may be renamed fits where it may be stored, and as an index.
    fn check_fits(&mut self, key: VariableKey, element: NodeId) -> bool {
        let variable = self.variable(key).clone();
        let renaming = self.sound(element);
        let cuts = |pid: &usize| {
            let value = renaming.get(pid);
            value.is_some_and(|it| variable.scalar.cut(*it, variable.is_array) != *it)
        };
        let cuts = |class: &Class| class.pids.iter().any(cuts);
        let words = format!("`{}` has no room for their numbers", variable.name);
        let mut changed = self.take_apart(&cuts, &Reason { words, span: variable.span });
        let channel = match &variable.initial {
            Initial::Channel(kind) => Some(kind),
            _ => None,
        };
        let fields = self.walk.nodes.fields(element).to_vec();
        for (field, scalar) in fields.iter().zip(channel.iter().flat_map(|kind| &kind.fields)) {
            let renaming = self.sound(*field);
            let cuts = |pid: &usize| renaming.get(pid).is_some_and(|v| scalar.cut(*v, false) != *v);
            let words = format!("messages of `{}` have no room for their numbers", variable.name);
            let cuts = |class: &Class| class.pids.iter().any(cuts);
            changed |= self.take_apart(&cuts, &Reason { words, span: variable.span });
        }
        for dimension in self.walk.dimensions.get(&key).cloned().unwrap_or_default() {
            let renaming = self.sound(dimension.index);
            let outside = |pid: &usize| {
                let index = renaming.get(pid).map(|value| u32::try_from(*value));
                index.is_some_and(|it| it.is_ok_and(|it| it >= dimension.bound) || it.is_err())
            };
            let outside = |class: &Class| class.pids.iter().any(outside);
            let words = format!("`{}` has not an element for each of them", variable.name);
            changed |= self.take_apart(&outside, &Reason { words, span: variable.span });
        }
        changed
    }

    /// Whether some class had to be taken apart for what never changes, or there is news of it.
    fn check_constants(&mut self) -> bool {
        for key in self.walk.used.clone() {
            if self.derive(key) {
                return true;
            }
            for class in self.classes.clone() {
                let pairs = class.pids.windows(2).map(|pair| (pair[0], pair[1]));
                if pairs.into_iter().any(|swap| !self.keeps(key, swap)) {
                    let variable = self.variable(key);
                    let words = format!("the values of `{}` tell them apart", variable.name);
                    let reason = Reason { words, span: variable.span };
                    return self.take_apart(&|other| *other == class, &reason);
                }
            }
        }
        false
    }

    /// Where the elements of a constant array differ by a process that indexes it, they are
    /// values of its own: the channels of an array, one for each process.
    fn derive(&mut self, key: VariableKey) -> bool {
        let (None, id) = key else { return false };
        let Some(values) = self.known.globals[id].as_deref() else { return false };
        let Some([dimension]) = self.walk.dimensions.get(&key).map(Vec::as_slice) else {
            return false;
        };
        let value = |(pid, index): (&usize, &i32)| {
            let at = *index as u32 * dimension.stride;
            values.get(at as usize).map(|value| (*pid, *value))
        };
        let own: Renaming = self.sound(dimension.index).iter().filter_map(value).collect();
        let differs = |class: &Class| {
            let values: BTreeSet<_> = class.pids.iter().map(|pid| own.get(pid)).collect();
            values.len() > 1
        };
        let own: Renaming = own
            .iter()
            .filter(|(pid, _)| {
                let mut classes = self.classes.iter();
                classes.any(|class| class.pids.contains(pid) && differs(class))
            })
            .map(|(pid, value)| (*pid, *value))
            .collect();
        if own.is_empty() || !self.derived.insert(key) {
            return false;
        }
        let element = self.walk.element(key);
        self.walk.nodes.node_mut(element).own.push(own);
        true
    }

    /// Whether the values of a variable that never change are the same with two processes
    /// exchanged.
    fn keeps(&self, key: VariableKey, swap: (usize, usize)) -> bool {
        let (kind, id) = key;
        let Some(kind) = kind else {
            let values = self.known.globals[id].as_deref();
            return values.is_none_or(|values| self.exchanged(key, values, swap) == values);
        };
        let instances = self.known.instances.iter().enumerate();
        let mut own = instances.flat_map(|(pid, all)| all.iter().map(move |it| (pid, it)));
        own.all(|(pid, instance)| {
            if instance.proctype != kind {
                return true;
            }
            let Some(values) = &instance.constants[id] else { return true };
            let target = swapped(swap, pid);
            let there = self.constant(target, id).filter(|_| target != pid);
            self.exchanged(key, values, swap) == there.unwrap_or(values)
        })
    }

    /// The values of a variable with two processes exchanged.
    fn exchanged(&self, key: VariableKey, values: &[i32], swap: (usize, usize)) -> Vec<i32> {
        let element = self.walk.known_element(key).map(|node| self.sound(node));
        let element = element.unwrap_or_default();
        let dimensions = self.walk.dimensions.get(&key).map_or(&[][..], Vec::as_slice);
        let indices: Vec<_> =
            dimensions.iter().map(|it| (it.bound, it.stride, self.sound(it.index))).collect();
        let mut exchanged = values.to_vec();
        for (at, value) in values.iter().enumerate() {
            let mut target = at;
            for (bound, stride, renaming) in &indices {
                let index = (at / *stride as usize) % *bound as usize;
                let other = renamed(renaming, swap, index as i32) as usize;
                target = target + other * *stride as usize - index * *stride as usize;
            }
            if let Some(place) = exchanged.get_mut(target) {
                *place = renamed(&element, swap, *value);
            }
        }
        exchanged
    }

    fn conclude(self) -> Symmetry {
        let mut symmetry = Symmetry::default();
        let dimensions = &self.walk.dimensions;
        for (key, node) in self.walk.variables() {
            let renaming = self.sound(node);
            if !renaming.is_empty() {
                symmetry.elements.insert(key, renaming);
            }
            let fields = self.walk.nodes.fields(node).iter().map(|field| self.sound(*field));
            symmetry.fields.insert(key, fields.collect());
            let known = dimensions.get(&key).into_iter().flatten().map(|it| Dimension {
                bound: it.bound,
                stride: it.stride,
                index: self.sound(it.index),
            });
            symmetry.dimensions.insert(key, known.collect());
        }
        (symmetry.classes, symmetry.refused) = (self.classes, self.refused);
        symmetry
    }
}

impl Reason {
    /// The same of a value.
    fn at_value_of(&self, name: &str) -> Self {
        Self { words: format!("{name} is {}", self.words), span: self.span }
    }
}

fn swapped((a, b): (usize, usize), pid: usize) -> usize {
    match pid {
        pid if pid == a => b,
        pid if pid == b => a,
        pid => pid,
    }
}

/// A value of a type with two processes exchanged.
fn renamed(renaming: &Renaming, swap: (usize, usize), value: i32) -> i32 {
    let owner = renaming.iter().find(|(_, own)| **own == value).map(|(pid, _)| *pid);
    let target = owner.map(|pid| swapped(swap, pid));
    target.and_then(|pid| renaming.get(&pid).copied()).unwrap_or(value)
}

/// Whether a process may come to its end.
fn can_end(kind: &Proctype) -> bool {
    kind.stands().contains(&kind.end)
}

fn is_channel(variable: &Variable) -> bool {
    matches!(variable.initial, Initial::Channel(_))
}
