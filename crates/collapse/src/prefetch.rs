//! Asks for a cache line ahead of its use, where the machine can be asked.

/// Starts to fetch the line of `target`.
#[inline(always)]
pub fn prefetch<T>(target: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and faults nowhere, whatever the address;
        // SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(target.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = target;
}
