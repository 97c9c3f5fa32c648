//! The discrete Fourier transform of one complex number a node, in one ascent.

use super::{Machine, Order, ProgramError, Site, Spent};
use crate::Ports;
use std::f64::consts::TAU;

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// The real part.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
}

impl Complex {
    /// e^(-2πi·part/whole).
    pub fn root(part: u64, whole: u64) -> Self {
        let angle = -TAU * (part as f64) / (whole as f64);
        Complex { re: angle.cos(), im: angle.sin() }
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Self {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Self {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }

    /// The product.
    pub fn times(self, other: Self) -> Self {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

/// The transform X_k = Σ x_j e^(-2πi·jk/n), numbered by logical address.
///
/// The input is laid out with its address bits reversed; dimension j joins transforms of 2^j values in pairs.
/// J. W. Cooley, J. W. Tukey, "An algorithm for the machine calculation of complex Fourier series", 1965.
///
/// ```
/// use nestnet_collectives::program::{Complex, Flat, Site, fft};
/// use nestnet_graph::{Budget, Csr};
/// use std::sync::Arc;
///
/// let square = Arc::new(Csr::from_links(4, &[(0, 1), (1, 3), (3, 2), (2, 0)], 1 << 20)?);
/// let layout = Flat::bits(square.clone()).expect("a square is a cube of two dimensions");
/// let site = Site { network: &*square, layout: &layout, budget: Budget::default() };
/// // A constant has one frequency, 0.
/// let (found, _) = fft(site, &[Complex { re: 1.0, im: 0.0 }; 4])?;
/// assert_eq!(found.iter().map(|x| x.re.round()).collect::<Vec<_>>(), [4.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fft(site: Site<'_>, values: &[Complex]) -> Result<(Vec<Complex>, Spent), ProgramError> {
    let bits = site.bits()?;
    let value_of = site.value_of(values)?;
    let reversed = |logical: u64| if bits == 0 { 0 } else { logical.reverse_bits() >> (64 - bits) };
    let start = |logical| value_of(reversed(logical));
    let mut machine = Machine::new(site, Ports::One, start)?;
    machine.run(&Order::Ascend(0..bits), |meeting, &own, shown| {
        let (other, &theirs) = shown[0];
        let half = 1 << meeting.dimension;
        let root = Complex::root(meeting.logical % half, 2 * half);
        if meeting.logical < other {
            own.plus(root.times(theirs))
        } else {
            theirs.minus(root.times(own))
        }
    })?;
    let spent = machine.spent();
    Ok((machine.values(), spent))
}
