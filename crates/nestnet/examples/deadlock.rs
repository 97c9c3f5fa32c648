//! Can messages deadlock? A certificate, checked by independent code.

use nestnet::prelude::*;

pub(crate) fn main() -> Result<(), Error> {
    let ring = build("ring(8)")?;
    for router in ["min", "shortest"] {
        let certificate = ring.by(router).deadlock()?;
        println!("{router}: {} virtual channels, free: {}", certificate.vcs, certificate.is_free());
    }
    Ok(())
}
