//! A broadcast as a text prescribes it: who tells whom, also where that misses nodes or tells them twice.

use super::broadcast::Knows;
use super::{Broadcast, Ports, Schedule};
use nestnet_graph::{Network, Node};
use std::fmt::Debug;

/// Who is to tell whom, step by step.
pub type PrintedSteps = Vec<Vec<(Node, Node)>>;

/// What a text says of a broadcast. Unlike a [`Broadcast`] it need not reach everybody.
pub trait PrintedBroadcast: Debug + Send + Sync {
    /// What it needs of a node.
    fn ports(&self) -> Ports;

    /// The steps as they are printed.
    fn from(&self, root: Node) -> PrintedSteps;

    /// How many steps its paper says it takes at most.
    fn claimed(&self) -> Option<u64> {
        None
    }

    /// Where the text never ends: the step after which what it does repeats, up to the last that [`Self::from`] gives.
    fn repeats_after(&self, _root: Node) -> Option<u64> {
        None
    }

    /// What a send may cross in one step.
    fn crosses(&self) -> Crosses {
        Crosses::OneLink
    }
}

/// What a send may cross in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crosses {
    /// One link.
    OneLink,
    /// A path, as in wormhole switching: the nodes on it pass the message on and do not receive it.
    Path,
}

/// What became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Account {
    /// How many steps, empty ones included.
    pub steps: u64,
    /// How many know in the end, the root included.
    pub reached: u64,
    /// Who does not.
    pub missed: Vec<Node>,
    /// How many nodes were informed again.
    pub informed_twice: u64,
    /// How often that happened.
    pub extra_transfers: u64,
    /// How many transfers each step made.
    pub transfers_per_step: Vec<u64>,
    /// Transfers between nodes that are not linked.
    pub impossible_transfers: u64,
}

/// Follows a text: a node tells only what it knew before the step, and only over links. O(transfers · ports) and two
/// bits a node.
pub fn follow(network: &dyn Network, root: Node, steps: &PrintedSteps) -> Account {
    follow_over(network, root, steps, Crosses::OneLink)
}

/// Follows a text whose sends cross what is said.
pub fn follow_over(
    network: &dyn Network,
    root: Node,
    steps: &PrintedSteps,
    crosses: Crosses,
) -> Account {
    let mut knows = Knows::new(network.order());
    let mut again = Knows::new(network.order());
    knows.tell(root);
    let mut account = Account { steps: steps.len() as u64, reached: 1, ..Account::default() };
    for step in steps {
        let informed: Vec<Node> = step
            .iter()
            .filter(|(from, _)| knows.has(*from))
            .filter(|&&(from, to)| {
                let mut linked = crosses == Crosses::Path;
                network.for_each_neighbor(from, &mut |_, next| linked |= next == to);
                account.impossible_transfers += u64::from(!linked);
                linked
            })
            .map(|&(_, to)| to)
            .collect();
        account.transfers_per_step.push(informed.len() as u64);
        for to in informed {
            if knows.tell(to) {
                account.reached += 1;
            } else {
                account.extra_transfers += 1;
                account.informed_twice += u64::from(again.tell(to));
            }
        }
    }
    account.missed = (0..network.order()).map(Node).filter(|&node| !knows.has(node)).collect();
    account
}

/// The steps of a broadcast, for [`follow`].
pub fn printed_steps(network: &dyn Network, broadcast: &dyn Broadcast, root: Node) -> PrintedSteps {
    let steps = Schedule::collect(broadcast.from(root)).steps.into_iter();
    let link = |send: super::Transfer| Some((send.from, network.neighbor(send.from, send.port)?));
    steps.map(|step| step.into_iter().filter_map(link).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Csr;

    #[test]
    fn what_cannot_be_sent_is_not() {
        let path = Csr::from_links(4, &[(0, 1), (1, 2), (2, 3)], 1 << 20).unwrap();
        let tell = |pairs: &[(u64, u64)]| pairs.iter().map(|&(a, b)| (Node(a), Node(b))).collect();
        // Two tell one at once, one tells what it does not know, one over no link, one back.
        let steps = vec![tell(&[(1, 0), (1, 2)]), tell(&[(0, 1), (2, 1), (3, 2), (0, 2)])];
        let account = follow(&path, Node(1), &steps);
        let expected = Account {
            steps: 2,
            reached: 3,
            missed: vec![Node(3)],
            informed_twice: 1,
            extra_transfers: 2,
            transfers_per_step: vec![2, 2],
            impossible_transfers: 1,
        };
        assert_eq!(account, expected);
    }
}
