//! Broadcast in a product: through the digits one after the other, everybody who knows in all of them.

use super::broadcast::Broadcast;
use super::{Ports, Schedule, Steps, Transfer};
use nestnet_graph::product::Product;
use nestnet_graph::{Network, Node, Port, index};
use std::sync::Arc;

/// One broadcast for each factor, first digit first. Its steps are the sum of theirs.
#[derive(Debug)]
pub struct DigitByDigit {
    product: Arc<Product>,
    factors: Vec<Arc<dyn Broadcast>>,
}

impl DigitByDigit {
    /// `None` unless there is a broadcast for each factor and all need the same ports.
    pub fn new(product: Arc<Product>, factors: Vec<Arc<dyn Broadcast>>) -> Option<Self> {
        let same = factors.windows(2).all(|pair| pair[0].ports() == pair[1].ports());
        let fits = same && factors.len() == product.factors().len() && !factors.is_empty();
        fits.then_some(DigitByDigit { product, factors })
    }
}

impl Broadcast for DigitByDigit {
    fn ports(&self) -> Ports {
        self.factors[0].ports()
    }

    fn from(&self, root: Node) -> Steps<'_> {
        // The digit that is at work, its schedule and the step.
        let mut digit = 0;
        let mut schedule: Option<Schedule> = None;
        let mut step = 0;
        Box::new(move |out: &mut Vec<Transfer>| {
            loop {
                let Some(factor) = self.product.factors().get(digit) else { return false };
                let inner = schedule.get_or_insert_with(|| {
                    let start = Node(self.product.digit(root, factor));
                    Schedule::collect(self.factors[digit].from(start))
                });
                let Some(sends) = inner.steps.get(step) else {
                    (digit, schedule, step) = (digit + 1, None, 0);
                    continue;
                };
                step += 1;
                // Every value of the digits before, which all know; the digits behind are still those of the root.
                let (above, behind) = (factor.side * factor.stride, root.0 % factor.stride);
                for first in (0..self.product.order()).step_by(index(above)) {
                    out.extend(sends.iter().map(|transfer| Transfer {
                        from: Node(first + transfer.from.0 * factor.stride + behind),
                        port: Port(factor.first_port + transfer.port.0),
                        block: 0,
                    }));
                }
                return true;
            }
        })
    }

    /// The sum of what the factors claim.
    fn claimed(&self) -> Option<u64> {
        self.factors.iter().map(|factor| factor.claimed()).sum()
    }
}
