//! Machine code once it pays: closures answer first. Many models have fewer states than it
//! takes to compile them, searches remember answers, and a model whose processes are not known
//! yet is begun again.

use crate::{Jit, compile_within};
use packed::{Backend, Bail, Batch, Closures, Edge, Packed, Scratch, closures};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use system::Word;

/// For each edge so often an agent is asked before it is compiled. To compile an edge takes
/// 0.1 to 0.3 ms; an answer takes closures a tenth of a microsecond longer. To wait until both
/// are even would never cost more than twice the better way, but a search that will be long
/// shows early: one of a hundred thousand states that remembers what agents do asks 150 times.
const ASKED_PER_EDGE: u64 = 256;
/// A larger edge than this takes longer to compile, by the square: one that creates a process has a
/// part for each number that may be free, and with sixty processes it takes 10 ms.
const EDGE_SIZE: usize = 64;

/// Both back ends of a form, the second one made when it is due.
pub struct Lazy {
    packed: Arc<Packed>,
    closures: Arc<Closures>,
    code: OnceLock<Option<Arc<Jit>>>,
    asked: AtomicU64,
    due: u64,
    lasts: Lasts,
}

/// Whether there is time left to compile.
pub type Lasts = Box<dyn Fn() -> bool + Send + Sync>;

/// The question is put off twice as long for each time that a search began again, but no longer
/// than that many times: in no model does it pay as late as that.
const RESTARTS_MAX: u32 = 20;

impl Lazy {
    /// Of a form; nothing is compiled yet.
    pub fn new(packed: &Arc<Packed>) -> Arc<Self> {
        Self::within(packed, 0, Box::new(|| true))
    }

    /// The same for a search that began again so often, each time with another form, and may do
    /// so again: code is lost then. With each time it is due twice as late, so that all
    /// compiling together takes no longer than all searching. Without time it is given up.
    pub fn within(packed: &Arc<Packed>, restarts: u32, lasts: Lasts) -> Arc<Self> {
        let weight = |edge: &Edge| ((edge.size() / EDGE_SIZE) as u64).pow(2).max(1);
        let edges: u64 = packed.edges().map(|(_, edge)| weight(edge)).sum();
        Arc::new(Self {
            packed: Arc::clone(packed),
            closures: closures(packed),
            code: OnceLock::new(),
            asked: AtomicU64::new(0),
            due: (ASKED_PER_EDGE * edges) << restarts.min(RESTARTS_MAX),
            lasts,
        })
    }

    /// How long it took to compile; nothing if it was not due, or cannot be compiled.
    pub fn compile_time(&self) -> Duration {
        self.code().map_or(Duration::ZERO, |code| code.compile_time())
    }

    #[inline]
    fn code(&self) -> Option<&Jit> {
        self.code.get()?.as_deref()
    }

    /// So many more agents are asked; the code, if it is there by now.
    #[cold]
    fn count(&self, agents: u64) -> Option<&Jit> {
        if self.asked.fetch_add(agents, Ordering::Relaxed) < self.due {
            return None;
        }
        self.code.get_or_init(|| compile_within(&self.packed, &*self.lasts)).as_deref()
    }
}

impl Backend for Lazy {
    fn ask(
        &self,
        agent: usize,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        match self.code().or_else(|| self.count(1)) {
            Some(code) => code.ask(agent, state, scratch, batch),
            None => self.closures.ask(agent, state, scratch, batch),
        }
    }

    #[inline]
    fn ask_all(
        &self,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        match self.code().or_else(|| self.count(self.packed.agents.len() as u64)) {
            Some(code) => code.ask_all(state, scratch, batch),
            None => self.closures.ask_all(state, scratch, batch),
        }
    }
}
