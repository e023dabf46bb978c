//! Which bits of a word a number goes into.
//!
//! A field begins as one run of bits. It grows by one bit at a time, wherever in the word
//! one is free, so it may become several runs; the numbers it held before read the same.

/// The bits of a field: the lowest bits of the number go into the first run.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    shift: u32,
    mask: u64,
    more: Vec<Run>,
    /// All bits of all runs.
    all: u64,
}

/// Further bits of a number: those from `from` on, as many as `mask` has.
#[derive(Clone, Copy, Debug)]
struct Run {
    shift: u32,
    mask: u64,
    from: u32,
}

impl Bits {
    /// `width` bits from `shift` on, of at most 63.
    pub(crate) fn run(shift: u32, width: u32) -> Self {
        let mask = (1 << width) - 1;
        Self { shift, mask, more: Vec::new(), all: mask << shift }
    }

    pub(crate) fn width(&self) -> u32 {
        self.all.count_ones()
    }

    /// The largest number there is room for.
    pub(crate) fn most(&self) -> u64 {
        (1 << self.width()) - 1
    }

    /// All of them.
    #[inline]
    pub fn all(&self) -> u64 {
        self.all
    }

    /// The number that lies in these bits of `word`.
    #[inline(always)]
    pub fn take(&self, word: u64) -> usize {
        let first = word >> self.shift & self.mask;
        let also = |number, run: &Run| number | (word >> run.shift & run.mask) << run.from;
        self.more.iter().fold(first, also) as usize
    }

    /// `word` with the number in these bits. There is room for it.
    #[inline(always)]
    pub(crate) fn put(&self, word: u64, number: u64) -> u64 {
        let first = word & !self.all | (number & self.mask) << self.shift;
        let also = |word, run: &Run| word | (number >> run.from & run.mask) << run.shift;
        self.more.iter().fold(first, also)
    }

    /// The bits of the word, the lowest one of the numbers first.
    fn places(&self) -> impl Iterator<Item = u32> {
        let first = (self.shift, self.mask);
        let runs = std::iter::once(first).chain(self.more.iter().map(|run| (run.shift, run.mask)));
        runs.flat_map(|(shift, mask)| shift..shift + mask.count_ones())
    }

    /// Gives the highest bit of the numbers up: which one of the word it was.
    pub(crate) fn lend(&mut self) -> Option<u32> {
        let run = match self.more.last_mut() {
            Some(run) => (&mut run.mask, run.shift),
            None => (&mut self.mask, self.shift),
        };
        let lent = (run.1 + run.0.count_ones()).checked_sub(1).filter(|_| *run.0 != 0)?;
        *run.0 >>= 1;
        if self.more.last().is_some_and(|run| run.mask == 0) {
            self.more.pop();
        }
        self.all &= !(1 << lent);
        Some(lent)
    }

    /// This bit of the word becomes the highest one of the numbers.
    pub(crate) fn borrow(&mut self, bit: u32) {
        let from = self.width();
        let last = match self.more.last_mut() {
            Some(run) => (&mut run.mask, run.shift),
            None => (&mut self.mask, self.shift),
        };
        if last.1 + last.0.count_ones() == bit {
            *last.0 = *last.0 << 1 | 1;
        } else {
            self.more.push(Run { shift: bit, mask: 1, from });
        }
        self.all |= 1 << bit;
    }
}

/// Numbers on their way from the fields of one word to those of another. Bits that go equally
/// far go together, and neighbours mostly do.
#[derive(Debug)]
pub(crate) struct Moves {
    /// Some bits, and how far they go round.
    moves: Vec<(u64, u32)>,
}

impl Moves {
    /// From each first field to the second one. The numbers fit both.
    pub(crate) fn new<'a>(fields: impl Iterator<Item = (&'a Bits, &'a Bits)>) -> Self {
        let mut moves: Vec<(u64, u32)> = Vec::new();
        for (from, to) in fields.flat_map(|(from, to)| from.places().zip(to.places())) {
            let far = to.wrapping_sub(from) % u64::BITS;
            match moves.iter_mut().find(|(_, other)| *other == far) {
                Some((bits, _)) => *bits |= 1 << from,
                None => moves.push((1 << from, far)),
            }
        }
        Self { moves }
    }

    /// The word with the numbers where they go, and nothing else.
    #[inline(always)]
    pub(crate) fn of(&self, word: u64) -> u64 {
        self.moves.iter().fold(0, |moved, (bits, far)| moved | (word & bits).rotate_left(*far))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Random;

    /// What lies in the bits of `order`, the lowest one first.
    fn one_by_one(order: &[u32], word: u64) -> usize {
        order.iter().enumerate().map(|(at, bit)| ((word >> bit & 1) as usize) << at).sum()
    }

    /// A field of so many bits, scattered over those that are `free`.
    fn scattered(random: &mut Random, width: usize, free: &mut Vec<u32>) -> Bits {
        let mut bits = Bits::run(0, 0);
        (0..width).for_each(|_| {
            let at = random.below(free.len());
            bits.borrow(free.swap_remove(at));
        });
        bits
    }

    #[test]
    fn moves_are_what_each_field_takes_and_puts() {
        for seed in 1..400 {
            let random = &mut Random::new(seed);
            let (mut from_free, mut to_free) = ((0..62).collect(), (0..62).collect());
            let fields: Vec<(Bits, Bits)> = (0..5)
                .map(|_| {
                    let widths = [(); 2].map(|()| 2 + random.below(10));
                    let from = scattered(random, widths[0], &mut from_free);
                    (from, scattered(random, widths[1], &mut to_free))
                })
                .collect();
            let moves = Moves::new(fields.iter().map(|(from, to)| (from, to)));
            let mut word = random.below(1 << 62);
            let mut put = 0;
            for (from, to) in &fields {
                let number = random.below(from.most().min(to.most()) + 1);
                word = from.put(word, number);
                put = to.put(put, number);
            }
            assert_eq!(moves.of(word), put);
        }
    }

    #[test]
    fn bits_that_come_and_go_read_in_the_order_they_came() {
        for seed in 1..400 {
            let mut random = Random::new(seed);
            let (shift, width) = (random.below(30), random.below(9));
            let mut bits = Bits::run(shift, width);
            let mut order: Vec<u32> = (shift..shift + width).collect();
            for _ in 0..60 {
                let bit = random.below(62);
                if random.below(3) == 0 {
                    assert_eq!(bits.lend(), order.pop());
                } else if !order.contains(&bit) && order.len() < 30 {
                    bits.borrow(bit);
                    order.push(bit);
                }
                let word = random.below(1 << 50) << 12 | random.below(1 << 12);
                assert_eq!(bits.take(word), one_by_one(&order, word));
                assert_eq!(bits.width() as usize, order.len());
                let number = random.below(bits.most() + 1);
                let put = bits.put(word, number);
                assert_eq!(one_by_one(&order, put) as u64, number);
                let others = order.iter().fold(!0, |others, bit| others & !(1 << bit));
                assert_eq!(put & others, word & others);
            }
        }
    }
}
