//! Random systems of a few processes: automata that move alone, over shared counters and
//! over channels of which only the number of messages counts.

use system::{Anatomy, Blank, Landing, Part, Rest, Step, StepKind, Successors, System, Word};
use testkit::Random;

const CAPACITY: Word = 2;
const CHANNELS: usize = 2;
const SHARED_MAX: Word = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Nobody else's business.
    Own,
    /// Only while the shared counter is this.
    Asks(Word),
    /// Adds one to the shared counter, round a small number.
    Adds,
    Send(usize),
    Receive(usize),
    Timeout,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) deed: Deed,
    pub(crate) to: usize,
    /// The step violates the property with this number.
    pub(crate) violates: Option<u32>,
}

/// The system: a word for each process, the shared counter, the channels.
#[derive(Debug)]
pub(crate) struct Toy {
    /// Edges by process and location.
    pub(crate) processes: Vec<Vec<Vec<Edge>>>,
    /// Whether loops are where [`Anatomy::is_inward`] is denied.
    pub(crate) guards_loops: bool,
}

impl Toy {
    pub(crate) fn new(seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let processes = (0..2 + random.below(2)).map(|_| process(random)).collect();
        Self { processes, guards_loops: true }
    }

    fn shared(&self) -> usize {
        self.processes.len()
    }

    fn channel(&self, channel: usize) -> usize {
        self.processes.len() + 1 + channel
    }

    fn enabled(&self, deed: Deed, state: &[Word]) -> bool {
        match deed {
            Deed::Own | Deed::Adds | Deed::Timeout => true,
            Deed::Asks(value) => state[self.shared()] == value,
            Deed::Send(c) => state[self.channel(c)] < CAPACITY,
            Deed::Receive(c) => state[self.channel(c)] > 0,
        }
    }

    fn execute(&self, deed: Deed, words: &mut [Word]) {
        match deed {
            Deed::Own | Deed::Asks(_) | Deed::Timeout => {}
            Deed::Adds => words[self.shared()] = (words[self.shared()] + 1) % (SHARED_MAX + 1),
            Deed::Send(c) => words[self.channel(c)] += 1,
            Deed::Receive(c) => words[self.channel(c)] -= 1,
        }
    }
}

fn process(random: &mut Random) -> Vec<Vec<Edge>> {
    let locations = 2 + random.below(4);
    (0..locations)
        .map(|_| (0..random.below(3)).map(|_| edge(random, locations)).collect())
        .collect()
}

fn edge(random: &mut Random, locations: usize) -> Edge {
    let deed = match random.below(10) {
        0..4 => Deed::Own,
        4 => Deed::Asks(random.below(SHARED_MAX as usize + 1) as Word),
        5 => Deed::Adds,
        6 | 7 => Deed::Send(random.below(CHANNELS)),
        8 => Deed::Receive(random.below(CHANNELS)),
        _ => Deed::Timeout,
    };
    let fails = deed != Deed::Own && random.below(12) == 0;
    let violates = fails.then(|| random.below(2) as u32);
    Edge { deed, to: random.below(locations), violates }
}

fn kind(deed: Deed) -> StepKind {
    match deed {
        Deed::Own | Deed::Asks(_) | Deed::Adds => StepKind::Internal,
        Deed::Send(_) => StepKind::Send,
        Deed::Receive(_) => StepKind::Receive,
        Deed::Timeout => StepKind::Timeout,
    }
}

impl System for Toy {
    fn width(&self) -> usize {
        self.processes.len() + 1 + CHANNELS
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
    }

    fn successors(&self, state: &[Word], out: &mut Successors) {
        for (agent, locations) in self.processes.iter().enumerate() {
            for (number, edge) in locations[state[agent] as usize].iter().enumerate() {
                if self.enabled(edge.deed, state) {
                    let step = Step::new(agent as u32, number as u32, kind(edge.deed));
                    let words = out.push(step, state);
                    words[agent] = edge.to as Word;
                    self.execute(edge.deed, words);
                    out.land(edge.violates.map_or(Landing::State, Landing::Violation));
                }
            }
        }
    }

    fn rest(&self, _: &[Word]) -> Rest {
        Rest::Deadlock
    }

    fn labelled(&self, _: &[Word]) -> bool {
        true
    }
}

impl Anatomy for Toy {
    fn is_inward(&self, state: &[Word], agent: u32) -> bool {
        let at = state[agent as usize] as usize;
        let locations = &self.processes[agent as usize];
        // Every cycle has a location that an edge from the same or a later one enters.
        let starts_loop =
            locations.iter().skip(at).any(|edges| edges.iter().any(|edge| edge.to == at));
        locations[at].iter().all(|edge| edge.deed == Deed::Own)
            && !(self.guards_loops && starts_loop)
    }

    fn is_crowded(&self, state: &[Word], most: usize) -> bool {
        (0..CHANNELS).any(|c| state[self.channel(c)] > most as Word)
    }

    fn blank(&self, part: &Part) -> Option<Blank<'_>> {
        let word = match part {
            Part::Process(name) => name.parse().ok()?,
            Part::Channel(name) => self.channel(name.parse().ok()?),
            Part::Variable { .. } => self.shared(),
        };
        Some(Box::new(move |words| words[word] = 0))
    }
}
