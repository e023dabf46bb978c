//! Machine code once it pays: closures answer for the first states. Many models have fewer
//! states than it takes to compile them, and a model whose processes are not known yet is
//! begun again.

use crate::{Jit, compile};
use packed::{Backend, Bail, Batch, Closures, Packed, Scratch, closures};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use system::Word;

/// For each edge so many states are asked about before it is compiled. To compile an edge
/// takes 0.1 to 0.3 ms; a state takes closures half a microsecond longer.
const STATES_PER_EDGE: u64 = 8;

/// Both back ends of a form, the second one made when it is due.
pub struct Lazy {
    packed: Arc<Packed>,
    closures: Arc<Closures>,
    code: OnceLock<Option<Arc<Jit>>>,
    asked: AtomicU64,
    due: u64,
}

impl Lazy {
    /// Of a form; nothing is compiled yet.
    pub fn new(packed: &Arc<Packed>) -> Arc<Self> {
        Arc::new(Self {
            packed: Arc::clone(packed),
            closures: closures(packed),
            code: OnceLock::new(),
            asked: AtomicU64::new(0),
            due: STATES_PER_EDGE * packed.edges().count() as u64,
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

    /// One more state; the code, if it is there by now.
    #[cold]
    fn count(&self) -> Option<&Jit> {
        if self.asked.fetch_add(1, Ordering::Relaxed) < self.due {
            return None;
        }
        self.code.get_or_init(|| compile(&self.packed)).as_deref()
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
        match self.code() {
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
        match self.code().or_else(|| self.count()) {
            Some(code) => code.ask_all(state, scratch, batch),
            None => self.closures.ask_all(state, scratch, batch),
        }
    }
}
