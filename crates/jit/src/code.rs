//! The code of a form, and how it is called.

mod array;
mod assembly;
mod change;
mod follow;
mod host;
mod maker;
mod state;
mod value;

use assembly::Assembly;
use cranelift_jit::JITModule;
use host::{Code, Context};
use packed::{Array, Backend, Bail, Batch, Packed, Scratch};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use system::Word;

/// A packed form as machine code.
pub struct Jit {
    width: usize,
    offer: usize,
    edges: usize,
    /// No edge is left out.
    none_left_out: Box<[Word]>,
    agents: Vec<Entry>,
    all: Entry,
    compile_time: Duration,
    /// What the code points to.
    _constants: Constants,
    /// What the code lies in. The lock is never taken: it makes the module shareable.
    module: Mutex<Option<JITModule>>,
}

/// A function, and the most moves it writes.
struct Entry {
    code: Code,
    most: usize,
}

/// Tables the code reads. Boxed: they do not move.
#[derive(Default)]
struct Constants {
    tables: Vec<Box<[Word]>>,
    arrays: Vec<Box<[Array]>>,
}

/// Compiles a form; none if there is no machine code for this host, if the form is too
/// large to pay for it, or if there is no time.
pub fn compile_within(packed: &Packed, lasts: &dyn Fn() -> bool) -> Option<Arc<Jit>> {
    let start = Instant::now();
    let sound = packed.verify();
    debug_assert_eq!(sound, Ok(()), "a form that keeps what it promises");
    sound.ok()?;
    let assembly = Assembly::new(packed)?;
    let mut jit = assembly.finish(lasts)?;
    jit.compile_time = start.elapsed();
    Some(Arc::new(jit))
}

impl Jit {
    /// How long it took to compile.
    pub fn compile_time(&self) -> Duration {
        self.compile_time
    }

    fn call(
        &self,
        entry: &Entry,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        let left_out = match batch.left_out() {
            [] => &*self.none_left_out,
            some => some,
        };
        assert!(left_out.len() >= self.none_left_out.len());
        let (moves, words) = batch.room();
        assert!(state.len() == self.width && scratch.offered.len() == self.width);
        assert!(scratch.offer.len() >= self.offer);
        assert!(moves.len() >= entry.most && words.len() >= entry.most * self.width);
        assert!(scratch.executed.len() >= self.edges);
        let mut context = Context {
            offered: scratch.offered.as_mut_ptr(),
            offer: scratch.offer.as_mut_ptr(),
            left_out: left_out.as_ptr(),
            spared: 0,
            executed: scratch.executed.as_mut_ptr(),
            timeout: i32::from(scratch.timeout),
        };
        let first = moves.as_mut_ptr();
        // SAFETY: the code was made of a verified form of states of `width` words. It reads
        // `width` words of the state and a bit for each edge, writes `width` words, the values
        // of an offer of the form and a byte for each edge to the context, and at most `most`
        // moves and states: the lengths are asserted above. The module that holds the code
        // lives as long as `self`.
        let end = unsafe { (entry.code)(&mut context, state.as_ptr(), words.as_mut_ptr(), first) };
        if end.is_null() {
            return Err(Bail);
        }
        let count = (end.addr() - first.addr()) / size_of::<packed::Move>();
        batch.accept_many(count);
        batch.spare(context.spared as usize);
        Ok(())
    }
}

impl Backend for Jit {
    fn ask(
        &self,
        agent: usize,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        self.call(&self.agents[agent], state, scratch, batch)
    }

    fn ask_all(
        &self,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        self.call(&self.all, state, scratch, batch)
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        if let Ok(Some(module)) = self.module.get_mut().map(Option::take) {
            // SAFETY: only `self` holds pointers into the module, and nobody calls `self`
            // any more.
            unsafe { module.free_memory() };
        }
    }
}
