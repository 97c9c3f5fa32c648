//! The state of a run as bytes, and back: what a checkpoint holds.
//!
//! Whole numbers are in groups of seven bits, the lowest first, so that the many zeros of an idle network take a byte
//! each. Lists have their length before them. Nothing says what a number means: the reader asks in the order in which
//! they were written.

use nestnet_graph::Node;
use nestnet_routing::Header;
use std::collections::{BTreeMap, VecDeque};
use thiserror::Error;

/// Bytes that are not the state of such a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the saved state is not one of this run")]
pub struct Damaged;

/// What was written, from where it is read next.
#[derive(Debug)]
pub(super) struct Saved<'a>(pub &'a [u8]);

impl Saved<'_> {
    fn byte(&mut self) -> Result<u8, Damaged> {
        let (&first, rest) = self.0.split_first().ok_or(Damaged)?;
        self.0 = rest;
        Ok(first)
    }

    /// Whether all was read.
    pub fn end(&self) -> Result<(), Damaged> {
        if self.0.is_empty() { Ok(()) } else { Err(Damaged) }
    }

    /// A list into one that has its length already.
    pub fn fill<T: Persist>(&mut self, list: &mut [T]) -> Result<(), Damaged> {
        if u64::read(self)? != list.len() as u64 {
            return Err(Damaged);
        }
        for one in list {
            *one = T::read(self)?;
        }
        Ok(())
    }

    /// What is there in the same cases as now.
    pub fn refill<T: Persist>(&mut self, one: &mut Option<T>) -> Result<(), Damaged> {
        let read = Option::<T>::read(self)?;
        if read.is_some() != one.is_some() {
            return Err(Damaged);
        }
        *one = read;
        Ok(())
    }
}

/// What can be written and read.
pub(super) trait Persist: Sized {
    fn write(&self, out: &mut Vec<u8>);
    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged>;
}

impl Persist for u64 {
    fn write(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            out.push(0x80 | u8::try_from(rest & 0x7F).unwrap_or(0));
            rest >>= 7;
        }
        out.push(u8::try_from(rest).unwrap_or(0));
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = saved.byte()?;
            let group = u64::from(byte & 0x7F);
            if group << shift >> shift != group {
                return Err(Damaged);
            }
            value |= group << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Damaged)
    }
}

/// Whole numbers that fit into 64 bits.
macro_rules! narrow {
    ($($number:ty),*) => {$(
        impl Persist for $number {
            fn write(&self, out: &mut Vec<u8>) {
                // No number is wider.
                u64::try_from(*self).unwrap_or(u64::MAX).write(out);
            }

            fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
                Self::try_from(u64::read(saved)?).map_err(|_| Damaged)
            }
        }
    )*};
}

narrow!(u8, u16, u32, usize);

impl Persist for bool {
    fn write(&self, out: &mut Vec<u8>) {
        out.push((*self).into());
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        match saved.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damaged),
        }
    }
}

impl Persist for f64 {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.to_bits().to_le_bytes());
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        let (bits, rest) = saved.0.split_first_chunk().ok_or(Damaged)?;
        saved.0 = rest;
        Ok(f64::from_bits(u64::from_le_bytes(*bits)))
    }
}

impl<T: Persist> Persist for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        self.iter().for_each(|one| one.write(out));
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        bool::read(saved)?.then(|| T::read(saved)).transpose()
    }
}

impl<T: Persist> Persist for Box<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (**self).write(out);
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        T::read(saved).map(Box::new)
    }
}

impl<A: Persist, B: Persist> Persist for (A, B) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        Ok((A::read(saved)?, B::read(saved)?))
    }
}

impl<A: Persist, B: Persist, C: Persist> Persist for (A, B, C) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
        self.2.write(out);
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        Ok((A::read(saved)?, B::read(saved)?, C::read(saved)?))
    }
}

/// A list, after its length.
pub(super) fn write_list<'a, T: Persist + 'a>(
    list: impl ExactSizeIterator<Item = &'a T>,
    out: &mut Vec<u8>,
) {
    list.len().write(out);
    list.for_each(|one| one.write(out));
}

impl<T: Persist> Persist for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        write_list(self.iter(), out);
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        let length = usize::read(saved)?;
        // Everything takes a byte at least: a length that is wrong takes no memory.
        if length > saved.0.len() {
            return Err(Damaged);
        }
        (0..length).map(|_| T::read(saved)).collect()
    }
}

impl<T: Persist> Persist for VecDeque<T> {
    fn write(&self, out: &mut Vec<u8>) {
        write_list(self.iter(), out);
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        Vec::read(saved).map(VecDeque::from)
    }
}

impl<T: Persist, const N: usize> Persist for [T; N] {
    fn write(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|one| one.write(out));
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        let list: Vec<T> = (0..N).map(|_| T::read(saved)).collect::<Result<_, _>>()?;
        list.try_into().map_err(|_| Damaged)
    }
}

impl<K: Persist + Ord, V: Persist> Persist for BTreeMap<K, V> {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        for (key, value) in self {
            key.write(out);
            value.write(out);
        }
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        Ok(Vec::<(K, V)>::read(saved)?.into_iter().collect())
    }
}

impl Persist for Node {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        u64::read(saved).map(Node)
    }
}

/// A struct is its fields, one after the other; an enum without fields is the place of its variant.
macro_rules! persist {
    ($name:ident $(<const $w:ident: usize>)? { $($field:ident),* $(,)? }) => {
        impl $(<const $w: usize>)? $crate::persist::Persist for $name $(<$w>)? {
            fn write(&self, out: &mut Vec<u8>) {
                $($crate::persist::Persist::write(&self.$field, out);)*
            }

            fn read(
                saved: &mut $crate::persist::Saved<'_>,
            ) -> Result<Self, $crate::persist::Damaged> {
                Ok($name { $($field: $crate::persist::Persist::read(saved)?),* })
            }
        }
    };
    (enum $name:ident { $($variant:ident),* $(,)? }) => {
        impl $crate::persist::Persist for $name {
            fn write(&self, out: &mut Vec<u8>) {
                let all = [$($name::$variant),*];
                let place = all.iter().position(|one| one == self).unwrap_or(all.len());
                $crate::persist::Persist::write(&place, out);
            }

            fn read(
                saved: &mut $crate::persist::Saved<'_>,
            ) -> Result<Self, $crate::persist::Damaged> {
                let all = [$($name::$variant),*];
                let place: usize = $crate::persist::Persist::read(saved)?;
                all.get(place).copied().ok_or($crate::persist::Damaged)
            }
        }
    };
}

pub(crate) use persist;

persist!(Header { to, state });

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn twice<T: Persist>(one: &T) -> T {
        let mut bytes = Vec::new();
        one.write(&mut bytes);
        let mut saved = Saved(&bytes);
        let read = T::read(&mut saved).unwrap();
        saved.end().unwrap();
        // Nothing shorter is read as the whole, and nothing longer.
        for length in 0..bytes.len() {
            assert!(T::read(&mut Saved(&bytes[..length])).is_err());
        }
        read
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn what_is_written_is_read(
            numbers in any::<(u64, u32, u16)>(),
            list in proptest::collection::vec((any::<u8>(), any::<bool>()), 0..9),
            map in proptest::collection::btree_map(any::<u16>(), any::<Option<u32>>(), 0..5),
            part in any::<u64>(),
        ) {
            prop_assert_eq!(twice(&numbers), numbers);
            prop_assert_eq!(twice(&list), list);
            prop_assert_eq!(twice(&map), map);
            prop_assert_eq!(twice(&f64::from_bits(part)).to_bits(), part);
        }

        /// Neither a panic nor much memory.
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = Vec::<Vec<u64>>::read(&mut Saved(&bytes));
            let _ = BTreeMap::<u64, (u8, f64)>::read(&mut Saved(&bytes));
            let _ = <[Option<u16>; 5]>::read(&mut Saved(&bytes));
        }
    }
}
