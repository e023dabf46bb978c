//! Random systems of a few processes: automata that move alone, over shared counters and
//! over channels of which only the number of messages counts.

use system::{
    Blank, Blocked, Budget, Part, Parts, Step, StepKind, StepOutcome, Successors, System, Word,
};
use testkit::Random;

const CAPACITY: Word = 2;
const CHANNELS: usize = 2;
const SHARED_MAX: Word = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
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
    pub(crate) action: Action,
    pub(crate) to: usize,
    /// The step violates the property with this number.
    pub(crate) violates: Option<u32>,
}

/// The system: a word for each process, the shared counter, the channels.
#[derive(Debug)]
pub(crate) struct Toy {
    /// Edges by process and location.
    pub(crate) processes: Vec<Vec<Vec<Edge>>>,
    /// Whether loops are where [`Parts::is_local`] is denied.
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

    fn enabled(&self, action: Action, state: &[Word]) -> bool {
        match action {
            Action::Own | Action::Adds | Action::Timeout => true,
            Action::Asks(value) => state[self.shared()] == value,
            Action::Send(c) => state[self.channel(c)] < CAPACITY,
            Action::Receive(c) => state[self.channel(c)] > 0,
        }
    }

    fn execute(&self, action: Action, words: &mut [Word]) {
        match action {
            Action::Own | Action::Asks(_) | Action::Timeout => {}
            Action::Adds => words[self.shared()] = (words[self.shared()] + 1) % (SHARED_MAX + 1),
            Action::Send(c) => words[self.channel(c)] += 1,
            Action::Receive(c) => words[self.channel(c)] -= 1,
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
    let action = match random.below(10) {
        0..4 => Action::Own,
        4 => Action::Asks(random.below(SHARED_MAX as usize + 1) as Word),
        5 => Action::Adds,
        6 | 7 => Action::Send(random.below(CHANNELS)),
        8 => Action::Receive(random.below(CHANNELS)),
        _ => Action::Timeout,
    };
    let fails = action != Action::Own && random.below(12) == 0;
    let violates = fails.then(|| random.below(2) as u32);
    Edge { action, to: random.below(locations), violates }
}

fn kind(action: Action) -> StepKind {
    match action {
        Action::Own | Action::Asks(_) | Action::Adds => StepKind::Internal,
        Action::Send(_) => StepKind::Send,
        Action::Receive(_) => StepKind::Receive,
        Action::Timeout => StepKind::Timeout,
    }
}

impl System for Toy {
    fn width(&self) -> usize {
        self.processes.len() + 1 + CHANNELS
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for (agent, locations) in self.processes.iter().enumerate() {
            for (number, edge) in locations[state[agent] as usize].iter().enumerate() {
                if self.enabled(edge.action, state) {
                    let step = Step::new(agent as u32, number as u32, kind(edge.action));
                    let words = out.push(step, state);
                    words[agent] = edge.to as Word;
                    self.execute(edge.action, words);
                    out.set_outcome(
                        edge.violates.map_or(StepOutcome::State, StepOutcome::Violation),
                    );
                }
            }
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::Deadlock
    }

    fn parts(&self) -> Option<&dyn Parts> {
        Some(self)
    }
}

impl Parts for Toy {
    fn is_local(&self, state: &[Word], agent: u32) -> bool {
        let at = state[agent as usize] as usize;
        let locations = &self.processes[agent as usize];
        // Every cycle has a location that an edge from the same or a later one enters.
        let starts_loop =
            locations.iter().skip(at).any(|edges| edges.iter().any(|edge| edge.to == at));
        locations[at].iter().all(|edge| edge.action == Action::Own)
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
