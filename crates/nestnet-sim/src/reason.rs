//! Why has a point not converged?

use super::persist::{Damaged, Persist, Saved};

pub(super) const CORRELATED: &str = "latencies in the window are correlated: measure more cycles";
pub(super) const DRIFTS: &str = "latencies drift in the window: take more warm-up and cycles";
pub(super) const STILL_FILLED: &str = "the network still filled in the window: take more warm-up";
pub(super) const TIME_OVER: &str = "the time was over before the interval was narrow enough";
pub(super) const FILLED_AT_LAST: &str = "the network still filled at the last cycle";
pub(super) const TOO_FEW: &str = "too few packets were made";
pub(super) const TOO_WIDE: &str = "the interval is wider than the precision";
pub(super) const GREW: &str = "latencies still grew in the window";

/// All of them: a reason is kept by its place here.
const REASONS: [&str; 8] =
    [CORRELATED, DRIFTS, STILL_FILLED, TIME_OVER, FILLED_AT_LAST, TOO_FEW, TOO_WIDE, GREW];

impl Persist for &'static str {
    fn write(&self, out: &mut Vec<u8>) {
        let place = REASONS.iter().position(|reason| reason == self);
        place.unwrap_or(REASONS.len()).write(out);
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        REASONS.get(usize::read(saved)?).copied().ok_or(Damaged)
    }
}
