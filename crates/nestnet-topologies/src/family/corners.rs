//! Which corners of a cube are next to each other? What one layer of a plan of cubes tells apart.

use nestnet_graph::{Network, Node, Port};

/// So many corners, a power of two; each dimension flips a bit.
#[derive(Debug)]
pub(super) struct Corners(pub u64);

impl Network for Corners {
    fn order(&self) -> u64 {
        self.0
    }

    fn ports(&self) -> u32 {
        self.0.ilog2()
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        Some(Node(at.0 ^ 1 << port.0))
    }
}
