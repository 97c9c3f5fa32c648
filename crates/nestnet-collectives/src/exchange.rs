//! Collectives by exchange: where a link flips each bit of the node number, one bit after the other.

use super::plan::{PlanError, afford, port_to};
use super::{LazySchedule, Schedule, Transfer};
use nestnet_graph::{Budget, Network, Node, Port, index};

/// A network in which a link flips each bit of the node number.
#[derive(Clone, Debug)]
pub struct Cube {
    dimensions: u32,
    /// For each node the ports that flip its bits.
    ports: Vec<Port>,
}

impl Cube {
    /// The cube within a network of 2^n nodes, all of them hosts.
    ///
    /// ```
    /// use nestnet_collectives::Cube;
    /// use nestnet_graph::Budget;
    /// use nestnet_graph::Csr;
    ///
    /// let square = Csr::from_links(4, &[(0, 1), (1, 3), (3, 2), (2, 0)], 1 << 20)?;
    /// let cube = Cube::within(&square, &Budget::default())?;
    /// assert_eq!(cube.allreduce().steps.len(), 2);
    /// assert_eq!(cube.allgather(&Budget::default())?.steps.len(), 3);
    /// assert_eq!(cube.all_to_all(&Budget::default())?.steps.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn within(network: &dyn Network, budget: &Budget<'_>) -> Result<Self, PlanError> {
        let order = network.order();
        if !order.is_power_of_two() || network.hosts() != order {
            return Err(PlanError::NoCube);
        }
        let dimensions = order.ilog2();
        afford(u128::from(order) * u128::from(dimensions.max(1)), budget)?;
        let mut ports = Vec::new();
        for at in 0..order {
            budget.check()?;
            for bit in 0..dimensions {
                let port = port_to(network, Node(at), Node(at ^ 1 << bit));
                ports.push(port.ok_or(PlanError::NoCube)?);
            }
        }
        Ok(Cube { dimensions, ports })
    }

    fn order(&self) -> u64 {
        1 << self.dimensions
    }

    fn send(&self, from: u64, bit: u32, block: u64) -> Transfer {
        let at = from * u64::from(self.dimensions) + u64::from(bit);
        Transfer { from: Node(from), port: self.ports[index(at)], block }
    }

    /// Recursive doubling: with every bit everyone exchanges all it holds. N − 1 steps in n rounds, for one port.
    pub fn allgather(&self, budget: &Budget<'_>) -> Result<Schedule, PlanError> {
        afford(u128::from(self.order()).pow(2), budget)?;
        Ok(self.clone().allgather_schedule().collect())
    }

    /// The same, made when it is asked for.
    pub(super) fn allgather_schedule(self) -> LazySchedule {
        let count = index(self.order()) - 1;
        LazySchedule::new(count, move |step, out| {
            // Bit b takes 2^b steps, and as many were before.
            let bit = (step + 1).ilog2();
            let low = step as u64 + 1 - (1 << bit);
            // Everyone holds the blocks of those that differ only in lower bits.
            let block = |from: u64| from >> bit << bit | low;
            out.extend((0..self.order()).map(|from| self.send(from, bit, block(from))));
        })
    }

    /// Sums of one block by exchange with every bit: n steps, for one port.
    pub fn allreduce(&self) -> Schedule {
        let step = |bit| (0..self.order()).map(|from| self.send(from, bit, 0)).collect();
        Schedule { steps: (0..self.dimensions).map(step).collect() }
    }

    /// Every block flips one bit after the other on its way: n·N/2 steps in n rounds, which is optimal for one port.
    pub fn all_to_all(&self, budget: &Budget<'_>) -> Result<Schedule, PlanError> {
        let transfers = u128::from(self.order()).pow(2) * u128::from(self.dimensions) / 2;
        afford(transfers, budget)?;
        Ok(self.clone().all_to_all_schedule().collect())
    }

    /// The same, made when it is asked for.
    pub(super) fn all_to_all_schedule(self) -> LazySchedule {
        let half = index(self.order() / 2);
        let count = half * self.dimensions as usize;
        LazySchedule::new(count, move |step, out| {
            let bit = u32::try_from(step / half).expect("a dimension");
            let (turn, low) = ((step % half) as u64, (1u64 << bit) - 1);
            out.extend((0..self.order()).map(|at| {
                // Here are the blocks that agree with this node in the low bits of where they go and in the high
                // bits of where they come from; half of them must flip this bit.
                let (source_low, target_high) = (turn & low, turn >> bit);
                let source = at & !low | source_low;
                let target = target_high << (bit + 1) | (!at & 1 << bit) | at & low;
                self.send(at, bit, source * self.order() + target)
            }));
        })
    }
}
