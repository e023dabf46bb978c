//! No machine code: what the rest of the house sees where the feature is off.

use packed::{Backend, Bail, Batch, Packed, Scratch};
use std::sync::Arc;
use std::time::Duration;
use system::Word;

/// A packed form as machine code, of which there is none.
pub enum Jit {}

/// Compiles nothing.
pub fn compile_within(_: &Packed, _: &dyn Fn() -> bool) -> Option<Arc<Jit>> {
    None
}

impl Jit {
    /// How long it took to compile.
    pub fn compile_time(&self) -> Duration {
        match *self {}
    }
}

impl Backend for Jit {
    fn ask(&self, _: usize, _: &[Word], _: &mut Scratch, _: &mut Batch<'_>) -> Result<(), Bail> {
        match *self {}
    }

    fn ask_all(&self, _: &[Word], _: &mut Scratch, _: &mut Batch<'_>) -> Result<(), Bail> {
        match *self {}
    }
}
