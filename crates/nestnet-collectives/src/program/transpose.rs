//! The transpose of a square matrix, one entry a node.

use super::{Machine, Meeting, Order, ProgramError, Site, Spent};
use crate::Ports;

/// The logical address of an entry after the transpose.
///
/// Of `bits` address bits the low half is the column and the next half the row; an odd bit on top says which of two
/// matrices it is.
pub fn transposed(logical: u64, bits: usize) -> u64 {
    let half = bits / 2;
    let side = (1u64 << half) - 1;
    let (row, column) = (logical >> half & side, logical & side);
    logical >> (2 * half) << (2 * half) | column << half | row
}

/// The entries of one matrix, or of two, in the places of their transposes.
///
/// Where the layout has one step that exchanges the upper and the lower half of an address, that is all. Elsewhere three passes do it, as
/// three exclusive ors exchange two registers: along each row dimension items change places where the column bit is 1,
/// then along the column dimensions where the row bit is 1, then along the row dimensions again.
pub fn transpose(site: Site<'_>, values: &[u64]) -> Result<(Vec<u64>, Spent), ProgramError> {
    let bits = site.bits()?;
    let value_of = site.value_of(values)?;
    let mut machine = Machine::new(site, Ports::One, value_of)?;
    let step = site.layout.transpose().filter(|_| bits.is_multiple_of(2));
    if let Some(step) = step {
        machine.carry(&step)?;
        machine.settle(|logical| transposed(logical, bits))?;
    } else {
        let half = bits / 2;
        let rows = Order::Ascend(half..2 * half);
        for pass in [&rows, &Order::Ascend(0..half), &rows] {
            machine.run(pass, |Meeting { logical, dimension }, &own, shown| {
                let control = if dimension < half { dimension + half } else { dimension - half };
                if logical >> control & 1 == 1 { *shown[0].1 } else { own }
            })?;
        }
    }
    let spent = machine.spent();
    Ok((machine.values(), spent))
}
