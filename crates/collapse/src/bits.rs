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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collapse::tests::Random;

    /// What lies in the bits of `order`, the lowest one first.
    fn one_by_one(order: &[u32], word: u64) -> usize {
        order.iter().enumerate().map(|(at, bit)| ((word >> bit & 1) as usize) << at).sum()
    }

    #[test]
    fn bits_that_come_and_go_read_in_the_order_they_came() {
        for seed in 1..400 {
            let mut random = Random(seed);
            let (shift, width) = (random.below(30) as u32, random.below(9) as u32);
            let mut bits = Bits::run(shift, width);
            let mut order: Vec<u32> = (shift..shift + width).collect();
            for _ in 0..60 {
                let bit = random.below(62) as u32;
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
