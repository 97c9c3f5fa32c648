//! Which collectives are there, and by which algorithms? One table, which the front ends read.

/// A collective without its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// [`Goal::Broadcast`](super::Goal::Broadcast).
    Broadcast,
    /// [`Goal::Scatter`](super::Goal::Scatter).
    Scatter,
    /// [`Goal::Gather`](super::Goal::Gather).
    Gather,
    /// [`Goal::Reduce`](super::Goal::Reduce).
    Reduce,
    /// [`Goal::Allgather`](super::Goal::Allgather).
    Allgather,
    /// [`Goal::Allreduce`](super::Goal::Allreduce).
    Allreduce,
    /// [`Goal::AllToAll`](super::Goal::AllToAll).
    AllToAll,
}

/// What stores and forwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fabric {
    /// Every node stores: a transfer is one block over one link in one step.
    Direct,
    /// Switches forward and do not store: a message goes from host to host along the route of a router, and those of a
    /// round at the same time. A round takes α, a time for every hop of its longest route, and β for every byte on its
    /// busiest link.
    Switched,
}

/// Who makes a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// By shortest paths; from host to host those who know double with every round.
    Tree,
    /// Recursive doubling: whole vectors, or what is for the other half, over the bits of the node number.
    Exchange,
    /// Around a cycle through all nodes, or through the hosts in order of their numbers.
    Ring,
    /// Recursive doubling of blocks.
    Doubling,
    /// Recursive halving and doubling (Rabenseifner).
    Halving,
    /// Over every link that has something new.
    Greedy,
    /// Along the routes of a router.
    Routed,
    /// To the next host, then to the one after that, and so on.
    Shift,
    /// In phases, in each of which the hosts of a switch send to different switches.
    Phased,
    /// Along a binary tree, in segments that follow each other.
    Pipelined,
    /// Inside every server, then across servers, then inside again.
    Hierarchical,
}

/// An algorithm on a fabric.
#[derive(Clone, Copy, Debug)]
pub struct AlgorithmRow {
    /// Which one.
    pub algorithm: Algorithm,
    /// Where.
    pub fabric: Fabric,
    /// For what.
    pub collectives: &'static [Collective],
    /// Without which it has no schedule.
    pub needs: Option<&'static str>,
}

/// All algorithms, in the order in which they are tried: the last of a collective works on any network.
pub static ALGORITHMS: [AlgorithmRow; 16] = {
    use Algorithm::*;
    use Collective::*;
    use Fabric::*;
    const TREE: &[Collective] = &[Broadcast, Scatter, Gather, Reduce, Allreduce];
    const ALL: &[Collective] = &[Allgather, Allreduce];
    const CUBE: Option<&str> = Some("a link that flips each bit of the node number");
    const ROUTER: Option<&str> = Some("a router");
    const SERVERS: Option<&str> =
        Some("a router, and several servers: switches with as many hosts each");
    const fn row(
        fabric: Fabric,
        algorithm: Algorithm,
        collectives: &'static [Collective],
        needs: Option<&'static str>,
    ) -> AlgorithmRow {
        AlgorithmRow { algorithm, fabric, collectives, needs }
    }
    [
        row(Direct, Tree, TREE, None),
        row(Direct, Exchange, &[Allreduce, AllToAll], CUBE),
        row(Direct, Ring, ALL, Some("a cycle through all nodes that a search finds")),
        row(Direct, Doubling, &[Allgather], CUBE),
        row(Direct, Halving, &[Allreduce], CUBE),
        row(Direct, Greedy, ALL, None),
        row(Direct, Routed, &[AllToAll], ROUTER),
        row(Switched, Tree, TREE, ROUTER),
        row(Switched, Exchange, &[Allreduce], Some("a router, and 2^n hosts")),
        row(Switched, Ring, ALL, ROUTER),
        row(Switched, Doubling, &[Allgather], ROUTER),
        row(Switched, Halving, &[Allreduce], ROUTER),
        row(Switched, Phased, &[AllToAll], SERVERS),
        row(Switched, Shift, &[AllToAll], ROUTER),
        row(Switched, Pipelined, &[Reduce, Allreduce], ROUTER),
        row(Switched, Hierarchical, &[Allreduce], SERVERS),
    ]
};

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 11] = [
        Algorithm::Tree,
        Algorithm::Exchange,
        Algorithm::Ring,
        Algorithm::Doubling,
        Algorithm::Halving,
        Algorithm::Greedy,
        Algorithm::Routed,
        Algorithm::Phased,
        Algorithm::Shift,
        Algorithm::Pipelined,
        Algorithm::Hierarchical,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Tree => "tree",
            Algorithm::Exchange => "exchange",
            Algorithm::Ring => "ring",
            Algorithm::Doubling => "doubling",
            Algorithm::Halving => "halving",
            Algorithm::Greedy => "greedy",
            Algorithm::Routed => "routed",
            Algorithm::Phased => "phased",
            Algorithm::Shift => "shift",
            Algorithm::Pipelined => "pipelined",
            Algorithm::Hierarchical => "hierarchical",
        }
    }

    /// Other names that are understood, those of MPI libraries.
    pub fn aliases(self) -> &'static [&'static str] {
        match self {
            Algorithm::Exchange | Algorithm::Doubling => &["recursive_doubling"],
            Algorithm::Halving => &["rabenseifner", "recursive_halving"],
            _ => &[],
        }
    }

    /// Whether it is called so.
    ///
    /// ```
    /// use nestnet_collectives::Algorithm;
    ///
    /// assert!(Algorithm::Halving.is_named("rabenseifner"));
    /// assert!(Algorithm::Exchange.is_named("recursive-doubling"));
    /// ```
    pub fn is_named(self, name: &str) -> bool {
        let name = name.replace('-', "_");
        self.name() == name || self.aliases().contains(&name.as_str())
    }
}

impl Collective {
    /// All of them.
    pub const ALL: [Collective; 7] = [
        Collective::Broadcast,
        Collective::Scatter,
        Collective::Gather,
        Collective::Reduce,
        Collective::Allgather,
        Collective::Allreduce,
        Collective::AllToAll,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Collective::Broadcast => "broadcast",
            Collective::Scatter => "scatter",
            Collective::Gather => "gather",
            Collective::Reduce => "reduce",
            Collective::Allgather => "allgather",
            Collective::Allreduce => "allreduce",
            Collective::AllToAll => "all-to-all",
        }
    }

    /// What is counted as sent in a benchmark of `hosts` hosts with `bytes` of payload each, and how many times of it
    /// every host must send at least: the size and the factor of the bus bandwidth in NCCL's tests. Bus bandwidth is
    /// size / time × factor; it is the bandwidth of a link where nothing but links limits an algorithm.
    ///
    /// ```
    /// use nestnet_collectives::Collective;
    ///
    /// assert_eq!(Collective::Allreduce.bus(4, 100), (100.0, 1.5));
    /// assert_eq!(Collective::Allgather.bus(4, 100), (400.0, 0.75));
    /// ```
    pub fn bus(self, hosts: u64, bytes: u64) -> (f64, f64) {
        let (n, bytes) = (hosts.max(1) as f64, bytes as f64);
        let others = (n - 1.0) / n;
        match self {
            Collective::Broadcast | Collective::Reduce => (bytes, 1.0),
            Collective::Allreduce => (bytes, 2.0 * others),
            Collective::AllToAll => (bytes, others),
            // The payload is the block of one host.
            Collective::Scatter | Collective::Gather | Collective::Allgather => (n * bytes, others),
        }
    }

    /// Whether one node is the root of it.
    pub fn has_root(self) -> bool {
        use Collective::{Broadcast, Gather, Reduce, Scatter};
        matches!(self, Broadcast | Scatter | Gather | Reduce)
    }

    /// Its algorithms on a fabric, in the order of the table.
    pub fn algorithms(self, fabric: Fabric) -> impl Iterator<Item = Algorithm> {
        let rows = ALGORITHMS.iter().filter(move |row| row.fabric == fabric);
        rows.filter(move |row| row.collectives.contains(&self)).map(|row| row.algorithm)
    }
}
