//! Which nodes represent others, by the automorphisms with which a router commutes?
//!
//! These keep ports, so that channels of the same port and virtual channel at nodes of one class are alike: what may
//! follow one of them, by its port and virtual channel, may follow each of them.

use super::DeadlockError;
use super::graph::{Links, NONE};
use crate::route::Router;
use nestnet_graph::Budget;
use nestnet_graph::network::Automorphism;
use nestnet_graph::union_find::UnionFind;

/// Classes of nodes.
#[derive(Debug)]
pub struct Classes {
    /// For each node the least one that is like it.
    pub least: Vec<u32>,
    /// The least target of each class and how many are in it, ascending.
    pub targets: Vec<(usize, u64)>,
}

impl Classes {
    /// `None` where the router declares nothing that joins targets. What is not true of the links is omitted.
    pub fn new(
        router: &dyn Router,
        links: &Links,
        hosts: usize,
        limits: &Budget<'_>,
    ) -> Result<Option<Self>, DeadlockError> {
        let declared = router.commutes_with();
        if declared.is_empty() {
            return Ok(None);
        }
        // Two numbers to join a node, its image and its class.
        limits.fits("the dependencies", 16 * links.order() as u128)?;
        let mut joined = UnionFind::new(links.order());
        for g in &declared {
            limits.watch.check()?;
            if let Some(images) = written(g, links, hosts) {
                (0..).zip(images).for_each(|(at, image)| joined.join(at, image));
            }
        }
        let mut of_root = vec![NONE; links.order()];
        let (mut least, mut targets) = (Vec::with_capacity(links.order()), Vec::new());
        for at in 0..links.order() {
            let number = u32::try_from(at).expect("fewer than 2^32 nodes");
            let first = &mut of_root[joined.find(number) as usize];
            if *first == NONE {
                *first = number;
                targets.extend((at < hosts).then(|| (at, u64::from(joined.size(number)))));
            }
            least.push(*first);
        }
        Ok((targets.len() < hosts).then_some(Classes { least, targets }))
    }
}

/// Where each node goes; `None` unless it is one to one and carries ports to ports and hosts to hosts.
fn written(g: &Automorphism, links: &Links, hosts: usize) -> Option<Vec<u32>> {
    let order = links.order();
    let mut is_hit = vec![false; order];
    let mut images = Vec::with_capacity(order);
    for at in 0..order {
        let image = usize::try_from(g(at as u64)).ok().filter(|&image| image < order)?;
        if std::mem::replace(&mut is_hit[image], true) || (at < hosts) != (image < hosts) {
            return None;
        }
        images.push(u32::try_from(image).expect("fewer than 2^32 nodes"));
    }
    let kept = |at: usize| {
        let image = images[at] as usize;
        let carried = |to: u32| if to == NONE { NONE } else { images[to as usize] };
        let own = (links.first(at)..links.first(at + 1)).map(|slot| carried(links.target(slot)));
        own.eq((links.first(image)..links.first(image + 1)).map(|slot| links.target(slot)))
    };
    (0..order).all(kept).then_some(images)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::{Network, Node, Port};
    use std::sync::Arc;

    /// Two rings of three whose port 0 leads up and port 1 down.
    #[derive(Debug)]
    struct Rings;

    impl Network for Rings {
        fn order(&self) -> u64 {
            6
        }

        fn ports(&self) -> u32 {
            2
        }

        fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
            let up = if port == Port(0) { 1 } else { 2 };
            Some(Node(at.0 / 3 * 3 + (at.0 + up) % 3))
        }
    }

    #[test]
    fn only_what_is_true_of_nodes_hosts_and_ports_is_taken() {
        let links = Links::new(&Rings, &Budget::UNLIMITED).unwrap();
        let of = |g: fn(u64) -> u64, hosts: usize| {
            let g: Automorphism = Arc::new(g);
            written(&g, &links, hosts)
        };
        assert_eq!(of(|at| at / 3 * 3 + (at + 1) % 3, 3), Some(vec![1, 2, 0, 4, 5, 3]));
        // The rings change places, unless the nodes of only one are hosts.
        assert_eq!(of(|at| (at + 3) % 6, 6), Some(vec![3, 4, 5, 0, 1, 2]));
        assert_eq!(of(|at| (at + 3) % 6, 3), None);
        // Both become the first, with the same ports; up becomes down; some leave.
        assert_eq!(of(|at| at % 3, 6), None);
        assert_eq!(of(|at| at / 3 * 3 + (6 - at) % 3, 6), None);
        assert_eq!(of(|at| at + 3, 6), None);
    }
}
