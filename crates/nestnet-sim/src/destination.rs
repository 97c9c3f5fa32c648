//! To whom does a host send? As the one table of traffic says, with or without messages to oneself.

use super::random::Random;
use nestnet_graph::Node;
use nestnet_routing::traffic::{Pattern, Traffic};

/// What becomes of messages that a pattern would send to their own source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// They are sent, and come back by the router of the host: a uniform host chooses among all, and one that a
    /// permutation leaves in its place sends to itself. So simulators usually have it.
    Sent,
    /// There are none, as where loads are computed: a uniform host chooses among the others, and one that a permutation
    /// leaves in its place is silent.
    LeftOut,
}

/// Draws where a message of a host goes.
pub fn destinations(
    traffic: &Traffic,
    own: Own,
) -> impl Fn(u64, &mut Random) -> Option<Node> + Sync + '_ {
    move |from, random| {
        let to = match (&traffic.pattern, own) {
            (Pattern::Uniform, Own::Sent) => Some(random.below(traffic.hosts)),
            (Pattern::Permuted(permutation), Own::Sent) => Some(permutation.target(from)),
            _ => traffic.draw(from, &mut |bound| random.below(bound.max(1))),
        };
        to.map(Node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_may_be_its_own_target() {
        let uniform = Traffic::uniform(4);
        let mut random = Random::new(1, 1);
        let mut count = |own| {
            let draw = destinations(&uniform, own);
            (0..4000).filter(|_| draw(2, &mut random) == Some(Node(2))).count()
        };
        assert!((900..1100).contains(&count(Own::Sent)));
        assert_eq!(count(Own::LeftOut), 0);
        let fixed = Traffic::permutation("fixed", vec![0, 2, 1]);
        assert_eq!(destinations(&fixed, Own::Sent)(0, &mut random), Some(Node(0)));
        assert_eq!(destinations(&fixed, Own::LeftOut)(0, &mut random), None);
        assert_eq!(destinations(&fixed, Own::LeftOut)(1, &mut random), Some(Node(2)));
    }
}
