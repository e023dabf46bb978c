//! Transitions by number. A transition is a path of edges from one visible state to the
//! next, with what each edge accesses: which channels a process means by its variables is
//! known only in a state. What an edge reads decides what it does, so after a transition
//! that changes nothing of it the same path is there again, with the same accesses.

use rapidhash::RapidHashMap;
use system::{Accesses, Dependency, LastStatement, Transition};

/// The number of accesses that were met.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct AccessId(u32);

/// One more edge of a path, or the two of a rendezvous; no edge at the end of a path that
/// stops because nothing executes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Part {
    pub(crate) edge: Option<u32>,
    pub(crate) taker: Option<u32>,
    /// The agent whose edge it is.
    pub(crate) mover: Option<u32>,
    pub(crate) accesses: AccessId,
}

/// The empty path, and every step of which nothing is known: it depends on everything.
pub(crate) const UNKNOWN: Transition = Transition(0);

/// Beyond so many transitions it is not remembered which of them depend on each other.
const REMEMBERED_MAX: usize = 1 << 12;

/// All transitions met so far.
pub(crate) struct Transitions {
    dependency: Dependency,
    numbers: RapidHashMap<Accesses, AccessId>,
    accesses: Vec<Accesses>,
    /// The path that is another one with one more edge.
    longer: RapidHashMap<(Transition, Part), Transition>,
    all: Vec<Known>,
    /// For each transition and each before it whether they depend on each other.
    rows: Vec<Vec<Option<bool>>>,
}

/// What is known of a transition.
#[derive(Clone)]
struct Known {
    accesses: Accesses,
    /// The agents that move by themselves, not those that only take an offer.
    movers: Vec<u32>,
    weight: u16,
    statement: LastStatement,
}

impl Transitions {
    pub(crate) fn new(dependency: Dependency) -> Self {
        let mut accesses = Accesses::default();
        accesses.add_everything();
        let unknown =
            Known { accesses, movers: Vec::new(), weight: 1, statement: LastStatement::Other };
        Self {
            dependency,
            numbers: RapidHashMap::default(),
            accesses: Vec::new(),
            longer: RapidHashMap::default(),
            all: vec![unknown],
            rows: Vec::new(),
        }
    }

    /// The number of some accesses.
    pub(crate) fn number(&mut self, accesses: &Accesses) -> AccessId {
        if let Some(known) = self.numbers.get(accesses) {
            return *known;
        }
        let number = AccessId(self.accesses.len() as u32);
        self.accesses.push(accesses.clone());
        self.numbers.insert(accesses.clone(), number);
        number
    }

    /// The accesses of a number.
    pub(crate) fn accesses(&self, id: AccessId) -> &Accesses {
        &self.accesses[id.0 as usize]
    }

    /// The path of `transition` with one more part.
    pub(crate) fn longer(
        &mut self,
        transition: Transition,
        part: Part,
        statement: Option<LastStatement>,
    ) -> Transition {
        if let Some(known) = self.longer.get(&(transition, part)) {
            return *known;
        }
        let before = self.all[transition.0 as usize].clone();
        let mut known = match transition {
            UNKNOWN => Known { accesses: Accesses::default(), weight: 0, ..before },
            _ => before,
        };
        known.accesses.join(self.accesses(part.accesses));
        let edges = u16::from(part.edge.is_some()) + u16::from(part.taker.is_some());
        known.weight = known.weight.saturating_add(edges);
        known.movers.extend(part.mover.filter(|mover| !known.movers.contains(mover)));
        known.statement = statement.unwrap_or(known.statement);
        let longer = Transition(self.all.len() as u32);
        self.all.push(known);
        self.longer.insert((transition, part), longer);
        longer
    }

    /// How many edges are executed in it.
    pub(crate) fn weight(&self, transition: Transition) -> u16 {
        self.all[transition.0 as usize].weight
    }

    /// The agents that execute an edge of it, if it is known.
    pub(crate) fn agents(&self, transition: Transition) -> Option<&[u32]> {
        let known = &self.all[transition.0 as usize];
        (transition != UNKNOWN).then(|| known.accesses.agents())
    }

    /// Those that execute one that is no answer to an offer, if it is known.
    pub(crate) fn movers(&self, transition: Transition) -> Option<&[u32]> {
        let known = &self.all[transition.0 as usize];
        (transition != UNKNOWN).then_some(&known.movers)
    }

    /// What its last statement is.
    pub(crate) fn statement(&self, transition: Transition) -> LastStatement {
        self.all[transition.0 as usize].statement
    }

    /// Whether two transitions depend on each other.
    pub(crate) fn dependent(&mut self, one: Transition, other: Transition) -> bool {
        let (low, high) = (one.min(other).0 as usize, one.max(other).0 as usize);
        if let Some(known) = self.rows.get(high).and_then(|row| *row.get(low)?) {
            return known;
        }
        let [one, other] = [low, high].map(|number| &self.all[number].accesses);
        let dependent = one.depends_on(other, self.dependency);
        if high < REMEMBERED_MAX {
            self.remember(low, high, dependent);
        }
        dependent
    }

    #[cold]
    fn remember(&mut self, low: usize, high: usize, dependent: bool) {
        let rows = self.rows.len().max(high + 1);
        self.rows.resize(rows, Vec::new());
        self.rows[high].resize(high + 1, None);
        self.rows[high][low] = Some(dependent);
    }
}
