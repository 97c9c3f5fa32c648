//! Which bit is next? Round robin over the bits of a few words.

/// A set of small numbers.
pub(super) type Bits<const W: usize> = [u64; W];

/// The first element at or behind `start`, else the first of all; `start` is at most `64·W`. The set is not empty.
#[inline(always)]
pub(super) fn first_from<const W: usize>(bits: &Bits<W>, start: usize) -> usize {
    if W == 1 {
        return first_in_word(bits[0], start);
    }
    let word = start / 64 % W;
    let high = bits[word] & (u64::MAX << (start % 64));
    if high != 0 {
        return word * 64 + high.trailing_zeros() as usize;
    }
    let behind = (word + 1..W).chain(0..=word).find(|&word| bits[word] != 0).unwrap_or(word);
    behind * 64 + bits[behind].trailing_zeros() as usize
}

/// The same in one word.
#[inline(always)]
pub(super) fn first_in_word(bits: u64, start: usize) -> usize {
    (turned(bits, start).trailing_zeros() as usize + start) % 64
}

/// So that bit `start` is the lowest.
#[inline(always)]
fn turned(bits: u64, start: usize) -> u64 {
    bits.rotate_right(u32::try_from(start % 64).unwrap_or(0))
}

/// Grows with how far `at` lies behind `start` in a cycle.
#[inline(always)]
pub(super) fn behind(start: usize, at: usize) -> usize {
    at.wrapping_sub(start)
}

/// The bits from `start` on that `mask` has.
#[inline(always)]
pub(super) fn part<const W: usize>(bits: &Bits<W>, start: usize, mask: u64) -> u64 {
    if W == 1 {
        return bits[0] >> (start % 64) & mask;
    }
    let (word, shift) = (start / 64, start % 64);
    let mut low = bits[word] >> shift;
    if shift > 0 && word + 1 < W {
        low |= bits[word + 1] << (64 - shift);
    }
    low & mask
}

#[inline(always)]
pub(super) fn set<const W: usize>(bits: &mut Bits<W>, at: usize) {
    bits[if W == 1 { 0 } else { at / 64 }] |= 1 << (at % 64);
}

#[inline(always)]
pub(super) fn clear<const W: usize>(bits: &mut Bits<W>, at: usize) {
    bits[if W == 1 { 0 } else { at / 64 }] &= !(1 << (at % 64));
}

#[inline(always)]
pub(super) fn has<const W: usize>(bits: &Bits<W>, at: usize) -> bool {
    bits[if W == 1 { 0 } else { at / 64 }] >> (at % 64) & 1 == 1
}

#[inline(always)]
pub(super) fn is_empty<const W: usize>(bits: &Bits<W>) -> bool {
    bits.iter().all(|&word| word == 0)
}

/// Whether exactly one element is in a set that is not empty.
#[inline(always)]
pub(super) fn is_single<const W: usize>(bits: &Bits<W>) -> bool {
    if W == 1 {
        return bits[0] & (bits[0] - 1) == 0;
    }
    bits.iter().map(|word| word.count_ones()).sum::<u32>() == 1
}

/// The elements, ascending.
pub(super) struct Each<const W: usize> {
    bits: Bits<W>,
    word: usize,
}

/// See [`Each`].
#[inline(always)]
pub(super) fn each<const W: usize>(bits: Bits<W>) -> Each<W> {
    Each { bits, word: 0 }
}

/// The same of one word.
#[inline(always)]
pub(super) fn each_in_word(bits: u64) -> Each<1> {
    each([bits])
}

/// The same from `start` on, and then those before.
#[inline(always)]
pub(super) fn each_from(bits: u64, start: usize) -> impl Iterator<Item = usize> {
    each_in_word(turned(bits, start)).map(move |bit| (bit + start) % 64)
}

impl<const W: usize> Iterator for Each<W> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while W > 1 && self.word + 1 < W && self.bits[self.word] == 0 {
            self.word += 1;
        }
        let word = if W == 1 { 0 } else { self.word };
        let bits = self.bits[word];
        if bits == 0 {
            return None;
        }
        self.bits[word] = bits & (bits - 1);
        Some(word * 64 + bits.trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_goes_around() {
        let bits = [1 << 3 | 1 << 40, 0, 1 << 5];
        for (start, first) in [(0, 3), (3, 3), (4, 40), (41, 133), (134, 3), (191, 3), (192, 3)] {
            assert_eq!(first_from(&bits, start), first, "{start}");
        }
        assert_eq!((first_from(&[1 << 3 | 1 << 40], 4), first_in_word(1 << 2, 3)), (40, 2));
        assert_eq!((first_from(&[1 << 3 | 1 << 40], 64), first_in_word(1 << 63, 64)), (3, 63));
        assert_eq!(each_from(1 << 3 | 1 << 40 | 1 << 63, 4).collect::<Vec<_>>(), [40, 63, 3]);
        assert!(behind(5, 6) < behind(5, 9) && behind(5, 9) < behind(5, 0));
        assert!(behind(5, 0) < behind(5, 4));
        assert_eq!(each(bits).collect::<Vec<_>>(), [3, 40, 133]);
        assert!(has(&bits, 133) && !has(&bits, 132) && is_single(&[0, 1 << 9]));
    }

    #[test]
    fn a_part_may_lie_in_two_words() {
        let bits = [1 << 63, 0b101];
        assert_eq!(
            (part(&bits, 62, 31), part(&bits, 64, 7), part(&bits, 0, u64::MAX)),
            (0b10110, 5, 1 << 63)
        );
        let (mut some, at) = ([0u64; 2], 70);
        set(&mut some, at);
        assert_eq!((some, is_empty(&some)), ([0, 1 << 6], false));
        clear(&mut some, at);
        assert!(is_empty(&some));
    }
}
