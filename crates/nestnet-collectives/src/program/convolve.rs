//! The cyclic convolution of two sequences, one number of each a node: two ascents and a descent.

use super::{Complex, Machine, Order, ProgramError, Site, Spent, fft};
use crate::Ports;

/// c_k = Σ a_i b_(k-i mod n), numbered by logical address.
///
/// Both are transformed, multiplied in place, and transformed back by a descent, which undoes the ascent dimension by
/// dimension and so leaves the result with its address bits reversed, as the input of the ascents was.
pub fn convolve(
    site: Site<'_>,
    a: &[Complex],
    b: &[Complex],
) -> Result<(Vec<Complex>, Spent), ProgramError> {
    let bits = site.bits()?;
    let (a, first) = fft(site, a)?;
    let (b, second) = fft(site, b)?;
    let products: Vec<Complex> = a.iter().zip(&b).map(|(&a, &b)| a.times(b)).collect();
    let value_of = site.value_of(&products)?;
    let mut machine = Machine::new(site, Ports::One, value_of)?;
    machine.run(&Order::Descend(0..bits), |meeting, &own, shown| {
        let (other, &theirs) = shown[0];
        let half = 1 << meeting.dimension;
        let root = Complex::root(meeting.logical % half, 2 * half);
        // e^(+2πi·…): the butterfly of the ascent, the other way.
        let back = Complex { im: -root.im, ..root };
        if meeting.logical < other { own.plus(theirs) } else { theirs.minus(own).times(back) }
    })?;
    let last = machine.spent();
    let n = products.len() as f64;
    let reversed =
        |at: usize| if bits == 0 { 0 } else { at.reverse_bits() >> (usize::BITS - bits_of(bits)) };
    let found = machine.values();
    let result = (0..found.len()).map(|at| found[reversed(at)]);
    let result = result.map(|value| Complex { re: value.re / n, im: value.im / n }).collect();
    let spent = Spent {
        steps: first.steps + second.steps + last.steps,
        moves: first.moves + second.moves + last.moves,
        ports: first.ports.max(second.ports).max(last.ports),
    };
    Ok((result, spent))
}

fn bits_of(bits: usize) -> u32 {
    u32::try_from(bits).expect("at most 64")
}
