//! Numbers that look random and are a function of what goes in: a state asked again
//! must show the same steps again, or no trail could be followed.

use system::Word;

/// Mixes `next` into `seed`: the finaliser of SplitMix64.
pub(crate) fn mix(seed: u64, next: u64) -> u64 {
    let mut x = (seed ^ next).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A number for a state.
pub(crate) fn of_state(seed: u64, state: &[Word]) -> u64 {
    state.iter().fold(seed, |hash, word| mix(hash, *word))
}
