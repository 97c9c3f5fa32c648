//! HammingMesh: boards of accelerators in a mesh, whose rows and columns meet in switches.
//!
//! # Paper
//! T. Hoefler, T. Bonato, D. De Sensi, S. Di Girolamo, S. Li, M. Heddes, J. Belk, D. Goel, M. Castro, S. Scott,
//! "HammingMesh: A Network Topology for Large-Scale Deep Learning", 2022.
//!
//! # Definition
//! A board is a mesh of a rows and b columns of accelerators; the boards lie in x columns and y rows. An accelerator has four
//! ports: north, south, west and east. The ports that leave boards west and east in one row of accelerators, of which there
//! are a·y, go to the row network of that row, 2x of them; those that leave north and south in one of the b·x columns of
//! accelerators to the column network of that column, 2y of them.
//! A row or column network is one switch. With a `radix` k below its number of ports it is a two-level fat tree of switches
//! of k ports: of its n boards each leaf takes B = ⌊k/4⌋, two ports each, and is linked to each of 2B spines, so that as
//! much goes up as down; ⌈n/B⌉ ≤ k leaves, of which the last may have fewer boards.
//! With b = 1 the west and the east port of an accelerator lead to the same switch: one link of two cables; so with a = 1
//! north and south.
//!
//! # Distances
//! Let a *line* be the graph of all columns of accelerators, joined within boards and by the switches of a row network. The
//! rows with their column networks are another. Nodes are pairs of a place in each, not both of them switches; a link
//! changes one place, and it leaves the other where that is no switch. So the distance is the sum of both, but from a switch to
//! one of another row, or column, by way of an accelerator between.
//!
//! # Numbering
//! Accelerators first, board by board: accelerator (r, c) of board (Y, X) is ((Y·x + X)·a + r)·b + c. Then row network by row
//! network its switches, leaves before spines, then the column networks. Addresses begin with the kind: (0, Y, X, r, c),
//! (1, R, i) for switch i of row network R, (2, C, i) for columns. Ports of accelerators are east, west, south, north; of
//! switches down first, boards ascending, west before east. The two cables of one link are numbered alike at both ends.
//!
//! # Routing
//! Along the row and then along the column, each within the board or by its network, whichever is shorter; in a fat tree
//! by the spine that the number of the target names, and by the edge of a board, or the cable, that its coordinates name
//! where both are as near. Before a switch a message uses virtual channel 0, after it and within a
//! board 1, so that no message waits in a cycle. Between accelerators these are shortest routes.

use crate::family::{ArgError, Args, Built};
use nestnet_draw::{Plan, Point};
use nestnet_graph::network::Automorphism;
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Network, Node, Orbit, Port, radix};
use nestnet_routing::{Header, Hop, Router, Vc};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::sync::Arc;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let mesh = of(args)?;
    let router: Arc<dyn Router> = Arc::new(RowThenColumn(mesh.clone()));
    let plan = mesh.plan();
    Ok(Built::of(mesh).placed(plan).routed([("shortest", Some(router))]))
}

/// Without what is drawn and routed.
pub(super) fn quickly(args: &Args) -> Result<Built, ArgError> {
    of(args).map(Built::of)
}

fn of(args: &Args) -> Result<HammingMesh, ArgError> {
    let [a, b, x, y] = ["a", "b", "x", "y"].map(|name| args.integer(name));
    let radix = args.optional_integer("radix").filter(|&radix| radix > 0);
    Ok(HammingMesh { row: Line::new(x, b, radix)?, column: Line::new(y, a, radix)? })
}

/// Boards in a row, or in a column: their accelerators along it, and the network that joins them.
///
/// Its places are numbered: accelerators board by board, then the switches, leaves before spines.
#[derive(Clone, Debug)]
struct Line {
    boards: u64,
    /// Accelerators of a board along it.
    side: u64,
    tree: Option<Tree>,
}

/// A two-level fat tree in place of a switch.
#[derive(Clone, Copy, Debug)]
struct Tree {
    /// Boards on a leaf, but the last.
    each: u64,
    leaves: u64,
    spines: u64,
}

/// A switch of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Switch {
    Leaf(u64),
    Spine(u64),
}

impl Line {
    fn new(boards: u64, side: u64, radix: Option<u64>) -> Result<Self, ArgError> {
        let Some(radix) = radix.filter(|&radix| radix < 2 * boards) else {
            return Ok(Line { boards, side, tree: None });
        };
        let each = radix / 4;
        let leaves = boards.div_ceil(each.max(1));
        if each == 0 || leaves > radix {
            let most = u128::from(each) * u128::from(radix);
            let message = format!(
                "of {radix} is too small: two levels join up to {most} boards, not {boards}"
            );
            return Err(ArgError::new("radix", message));
        }
        Ok(Line { boards, side, tree: Some(Tree { each, leaves, spines: 2 * each }) })
    }

    /// The number of accelerators, and the place of the first switch.
    fn length(&self) -> u64 {
        self.boards * self.side
    }

    fn leaves(&self) -> u64 {
        self.tree.map_or(1, |tree| tree.leaves)
    }

    fn switches(&self) -> u64 {
        self.tree.map_or(1, |tree| tree.leaves + tree.spines)
    }

    fn switch(&self, place: u64) -> Option<Switch> {
        let number = place.checked_sub(self.length())?;
        Some(number.checked_sub(self.leaves()).map_or(Switch::Leaf(number), Switch::Spine))
    }

    fn place(&self, switch: Switch) -> u64 {
        match switch {
            Switch::Leaf(leaf) => self.length() + leaf,
            Switch::Spine(spine) => self.length() + self.leaves() + spine,
        }
    }

    /// The leaf of a board.
    fn leaf(&self, board: u64) -> u64 {
        self.tree.map_or(0, |tree| board / tree.each)
    }

    /// The boards on a leaf: the first, and how many.
    fn on_leaf(&self, leaf: u64) -> (u64, u64) {
        self.tree.map_or((0, self.boards), |tree| {
            let first = leaf * tree.each;
            (first, tree.each.min(self.boards - first))
        })
    }

    /// How many ports a switch has down and up.
    fn ports(&self, switch: Switch) -> (u64, u64) {
        match (switch, self.tree) {
            (Switch::Leaf(leaf), tree) => {
                (self.on_leaf(leaf).1 * ENDS, tree.map_or(0, |tree| tree.spines))
            }
            (Switch::Spine(_), _) => (self.leaves(), 0),
        }
    }

    /// How far an accelerator is from the nearer edge of its board.
    fn edge(&self, place: u64) -> u64 {
        let along = place % self.side;
        along.min(self.side - 1 - along)
    }

    /// Whether the edge of the lower number is nearer; where both are as near, `cable` chooses.
    fn is_west(&self, place: u64, cable: u64) -> bool {
        let (west, east) = (place % self.side, self.side - 1 - place % self.side);
        west < east || west == east && cable.is_multiple_of(ENDS)
    }

    /// The place at the other end of a port.
    fn end(&self, place: u64, port: u64) -> Option<u64> {
        let Some(switch) = self.switch(place) else {
            let (board, along) = (place / self.side, place % self.side);
            return match port {
                0 if along + 1 < self.side => Some(place + 1),
                1 if along > 0 => Some(place - 1),
                port => (port < ENDS).then(|| self.place(Switch::Leaf(self.leaf(board)))),
            };
        };
        let (down, up) = self.ports(switch);
        match switch {
            Switch::Leaf(leaf) if port < down => {
                let board = self.on_leaf(leaf).0 + port / ENDS;
                let east = if port.is_multiple_of(ENDS) { 0 } else { self.side - 1 };
                Some(board * self.side + east)
            }
            Switch::Leaf(_) => (port - down < up).then(|| self.place(Switch::Spine(port - down))),
            Switch::Spine(_) => (port < down).then(|| self.place(Switch::Leaf(port))),
        }
    }

    /// The level of a port: 0 on a board, 1 between a board and a switch, 2 between switches.
    fn level(&self, place: u64, port: u64) -> u16 {
        match self.switch(place) {
            None => {
                let along = place % self.side;
                u16::from(if port == 0 { along + 1 == self.side } else { along == 0 })
            }
            Some(leaf @ Switch::Leaf(_)) => 1 + u16::from(port >= self.ports(leaf).0),
            Some(Switch::Spine(_)) => 2,
        }
    }

    /// The distance along the line.
    fn distance(&self, a: u64, b: u64) -> u64 {
        let (from, to) = (a.min(b), a.max(b));
        match (self.switch(from), self.switch(to)) {
            (None, None) => {
                let (here, there) = (from / self.side, to / self.side);
                let hops = if self.leaf(here) == self.leaf(there) { 2 } else { 4 };
                let by_switch = self.edge(from) + hops + self.edge(to);
                if here == there { by_switch.min(to - from) } else { by_switch }
            }
            (None, Some(Switch::Spine(_))) => self.edge(from) + 2,
            (None, Some(Switch::Leaf(leaf))) => {
                let is_own = self.leaf(from / self.side) == leaf;
                self.edge(from) + if is_own { 1 } else { 3 }
            }
            (Some(a), Some(b)) if a == b => 0,
            (Some(Switch::Leaf(_)), Some(Switch::Spine(_))) => 1,
            _ => 2,
        }
    }

    /// The distance between two switches by way of an accelerator.
    fn detour(&self, from: u64, to: u64) -> u64 {
        match (self.switch(from), self.switch(to)) {
            (Some(Switch::Leaf(a)), Some(Switch::Leaf(b))) if a == b => 2,
            (Some(Switch::Leaf(_)), Some(Switch::Spine(_)))
            | (Some(Switch::Spine(_)), Some(Switch::Leaf(_))) => 3,
            _ => 4,
        }
    }

    /// The port and the virtual channel toward an accelerator; `key` chooses a spine, `cable` one of two ends of a board.
    fn toward(&self, from: u64, to: u64, key: u64, cable: u64) -> (u64, u16) {
        let board = to / self.side;
        match self.switch(from) {
            None => {
                let is_within =
                    from / self.side == board && from.abs_diff(to) <= self.distance(from, to);
                if is_within {
                    (u64::from(to < from), 1)
                } else {
                    (u64::from(self.is_west(from, cable)), 0)
                }
            }
            Some(Switch::Leaf(leaf)) if self.leaf(board) == leaf => {
                let first = (board - self.on_leaf(leaf).0) * ENDS;
                (first + u64::from(!self.is_west(to, cable)), 1)
            }
            Some(leaf @ Switch::Leaf(_)) => {
                let (down, up) = self.ports(leaf);
                (down + key % up.max(1), 0)
            }
            Some(Switch::Spine(_)) => (self.leaf(board), 1),
        }
    }

    /// The largest distance between accelerators. A single board and its switch are a cycle.
    fn diameter(&self) -> u64 {
        match (self.boards, self.side) {
            (1, 1) => 0,
            (1, side) => side.div_ceil(2),
            (_, side) => (side - 1) / 2 * 2 + if self.tree.is_some() { 4 } else { 2 },
        }
    }

    /// Ports of a switch, and how many switches have so many.
    fn classes(&self) -> Vec<(u64, u64)> {
        let Some(tree) = self.tree else { return vec![(self.boards * ENDS, 1)] };
        let last = self.on_leaf(tree.leaves - 1).1;
        vec![
            (tree.each * ENDS + tree.spines, tree.leaves - 1),
            (last * ENDS + tree.spines, 1),
            (tree.leaves, tree.spines),
        ]
    }

    /// The mirror image of every board.
    fn mirrored(&self, place: u64) -> u64 {
        let along = place % self.side;
        if place < self.length() { place - along + (self.side - 1 - along) } else { place }
    }

    /// The next board, where all of them are alike.
    fn moved(&self, place: u64) -> u64 {
        if place < self.length() { (place + self.side) % self.length() } else { place }
    }
}

/// Boards in rows and columns.
#[derive(Clone, Debug)]
pub struct HammingMesh {
    /// Of x boards, with b accelerators along each.
    row: Line,
    /// Of y boards, with a accelerators along each.
    column: Line,
}

/// The ports of an accelerator along a line, and those of a board: one at each end of it.
const ENDS: u64 = 2;

/// A node: its place along the row, and along the column; one of them at most is a switch.
type Pair = (u64, u64);

/// Along which line a port leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Along {
    Row,
    Column,
}

impl HammingMesh {
    /// The first switch of row networks, and of column networks.
    fn starts(&self) -> (u64, u64) {
        let hosts = self.row.length() * self.column.length();
        (hosts, hosts + self.column.length() * self.row.switches())
    }

    fn pair(&self, at: Node) -> Pair {
        let (rows, columns) = self.starts();
        if let Some(number) = at.0.checked_sub(columns) {
            let each = self.column.switches();
            (number / each, self.column.length() + number % each)
        } else if let Some(number) = at.0.checked_sub(rows) {
            let each = self.row.switches();
            (self.row.length() + number % each, number / each)
        } else {
            let (a, b) = (self.column.side, self.row.side);
            let (board, r, c) = (at.0 / (a * b), at.0 / b % a, at.0 % b);
            (board % self.row.boards * b + c, board / self.row.boards * a + r)
        }
    }

    fn id(&self, (u, v): Pair) -> Node {
        let (rows, columns) = self.starts();
        let (row, column) = (&self.row, &self.column);
        Node(if let Some(switch) = v.checked_sub(column.length()) {
            columns + u * column.switches() + switch
        } else if let Some(switch) = u.checked_sub(row.length()) {
            rows + v * row.switches() + switch
        } else {
            let (a, b) = (column.side, row.side);
            ((v / a * row.boards + u / b) * a + v % a) * b + u % b
        })
    }

    /// The line of a port, and its number there: those along the row come first.
    fn line_of(&self, (u, v): Pair, port: Port) -> (Along, u64) {
        let port = u64::from(port.0);
        if u >= self.row.length() {
            return (Along::Row, port);
        }
        if v >= self.column.length() {
            return (Along::Column, port);
        }
        port.checked_sub(ENDS).map_or((Along::Row, port), |port| (Along::Column, port))
    }

    /// Accelerators in a grid, with gaps between boards; row networks at the right, column networks below.
    fn plan(&self) -> Plan {
        let order = Theory::order(self).to_u64().unwrap_or(u64::MAX);
        Plan::given(order, || {
            let along = |line: &Line, place: u64| match place.checked_sub(line.length()) {
                None => place as f64 * 1.1 + (place / line.side) as f64 * 1.2,
                Some(switch) => {
                    let boards = line.length() as f64 * 1.1 + line.boards as f64 * 1.2;
                    boards + 1.0 + switch as f64 * 1.3
                }
            };
            let place = |at: u64| {
                let (u, v) = self.pair(Node(at));
                Point::new(along(&self.row, u), along(&self.column, v))
            };
            (0..order).map(place).collect()
        })
    }

    fn has_trees(&self) -> bool {
        self.row.tree.is_some() || self.column.tree.is_some()
    }
}

impl Network for HammingMesh {
    fn order(&self) -> u64 {
        self.starts().1 + self.row.length() * self.column.switches()
    }

    fn ports(&self) -> u32 {
        let lines = [&self.row, &self.column].map(Line::classes).concat();
        let switches = lines.into_iter().map(|(ports, _)| ports).max().unwrap_or(0);
        let most = switches.max(2 * ENDS);
        u32::try_from(most).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (u, v) = self.pair(at);
        Some(self.id(match self.line_of((u, v), port) {
            (Along::Row, port) => (self.row.end(u, port)?, v),
            (Along::Column, port) => (u, self.column.end(v, port)?),
        }))
    }

    fn address(&self, at: Node) -> Address {
        let (u, v) = self.pair(at);
        let (row, column) = (&self.row, &self.column);
        if let Some(switch) = u.checked_sub(row.length()) {
            Address::numbers([1, v, switch])
        } else if let Some(switch) = v.checked_sub(column.length()) {
            Address::numbers([2, u, switch])
        } else {
            let (a, b) = (column.side, row.side);
            Address::numbers([0, v / a, u / b, v % a, u % b])
        }
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let (kind, rest) = address.as_tuple()?.split_first()?;
        let digits: Option<Vec<u64>> = rest.iter().map(Address::as_number).collect();
        let (digits, (rows, columns)) = (digits?, self.starts());
        let (row, column) = (&self.row, &self.column);
        Some(Node(match kind.as_number()? {
            0 => {
                let sides = [column.boards, row.boards, column.side, row.side];
                radix::number(&digits, &sides)?
            }
            1 => rows + radix::number(&digits, &[column.length(), row.switches()])?,
            2 => columns + radix::number(&digits, &[row.length(), column.switches()])?,
            _ => return None,
        }))
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        let (u, v) = self.pair(at);
        match self.line_of((u, v), port) {
            (Along::Row, port) => self.row.level(u, port),
            (Along::Column, port) => self.column.level(v, port),
        }
    }

    fn levels(&self) -> u16 {
        if self.has_trees() { 3 } else { 2 }
    }

    fn hosts(&self) -> u64 {
        self.starts().0
    }

    /// The mirror images of all boards, and the next board where one switch joins them.
    fn automorphisms(&self) -> Vec<Automorphism> {
        type Step = fn(&Line, u64) -> u64;
        let renamed = |along: Along, step: Step| {
            let mesh = self.clone();
            Arc::new(move |id| {
                let (u, v) = mesh.pair(Node(id));
                let pair = match along {
                    Along::Row => (step(&mesh.row, u), v),
                    Along::Column => (u, step(&mesh.column, v)),
                };
                mesh.id(pair).0
            }) as Automorphism
        };
        let mut all = Vec::new();
        for (along, line) in [(Along::Row, &self.row), (Along::Column, &self.column)] {
            all.push(renamed(along, Line::mirrored));
            if line.tree.is_none() {
                all.push(renamed(along, Line::moved));
            }
        }
        all
    }

    /// Where one switch joins each row and column: accelerators by their place on a board up to its mirror images, and
    /// switches by their row or column in a board.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        let (row, column) = (&self.row, &self.column);
        let half = |line: &Line| line.side.div_ceil(2);
        if self.has_trees() || half(row).saturating_mul(half(column)) > super::MAX_CLASSES {
            return None;
        }
        let alike =
            |line: &Line, along: u64| line.boards * if 2 * along + 1 == line.side { 1 } else { 2 };
        let mut orbits = Vec::new();
        for v in 0..half(column) {
            for u in 0..half(row) {
                let size = alike(row, u) * alike(column, v);
                orbits.push(Orbit { node: self.id((u, v)), size });
            }
            let node = self.id((row.length(), v));
            orbits.push(Orbit { node, size: alike(column, v) });
        }
        orbits.extend((0..half(row)).map(|u| {
            let node = self.id((u, column.length()));
            Orbit { node, size: alike(row, u) }
        }));
        Some(orbits)
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let ((u1, v1), (u2, v2)) = (self.pair(from), self.pair(to));
        let along = |line: &Line, a: u64, b: u64, others: Pair| {
            let are_switches = a.min(b) >= line.length();
            let must_leave = are_switches && others.0 != others.1;
            if must_leave { line.detour(a, b) } else { line.distance(a, b) }
        };
        Some(along(&self.row, u1, u2, (v1, v2)) + along(&self.column, v1, v2, (u1, u2)))
    }
}

impl Theory for HammingMesh {
    fn order(&self) -> BigUint {
        let length = |line: &Line| BigUint::from(line.boards) * line.side;
        let rows = length(&self.column) * self.row.switches();
        Theory::hosts(self) + rows + length(&self.row) * self.column.switches()
    }

    fn hosts(&self) -> BigUint {
        let Line { boards, side, .. } = self.row;
        BigUint::from(boards) * side * self.column.boards * self.column.side
    }

    fn degrees(&self) -> Degrees {
        let mut classes = vec![(2 * ENDS, Theory::hosts(self))];
        for (line, across) in [(&self.row, &self.column), (&self.column, &self.row)] {
            let networks = BigUint::from(across.boards) * across.side;
            let of = |(degree, count)| (degree, &networks * count);
            classes.extend(line.classes().into_iter().map(of));
        }
        let degrees = Degrees::counted(classes);
        let double = [&self.row, &self.column].into_iter().filter(|line| line.side == 1).count();
        let links = &degrees.cables - Theory::hosts(self) * double;
        degrees.with_links(links)
    }

    /// A switch is at most two hops from an accelerator.
    fn diameter(&self) -> Option<Bounded> {
        let hosts = self.row.diameter() + self.column.diameter();
        Some(Bounded::between(hosts.max(1), hosts + 4))
    }

    fn host_diameter(&self) -> Option<Bounded> {
        Some(Bounded::theorem(self.row.diameter() + self.column.diameter()))
    }
}

/// Along the row, then along the column; see `# Routing`.
#[derive(Debug)]
struct RowThenColumn(HammingMesh);

impl Router for RowThenColumn {
    fn vcs(&self) -> u16 {
        2
    }

    fn longest(&self) -> u64 {
        self.0.row.diameter() + self.0.column.diameter() + 4
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let RowThenColumn(mesh) = self;
        if at == header.to {
            return None;
        }
        if header.to.0 >= Network::hosts(mesh) {
            // To a switch, where no message between accelerators ends: by the distance.
            let here = mesh.distance(at, header.to)?;
            let is_nearer = |&port: &Port| {
                let next = mesh.neighbor(at, port);
                next.and_then(|next| mesh.distance(next, header.to)) == Some(here - 1)
            };
            let port = (0..mesh.ports()).map(Port).find(is_nearer)?;
            return Some(Hop { port, vc: Vc(0), header });
        }
        let ((u, v), (to_u, to_v)) = (mesh.pair(at), mesh.pair(header.to));
        let is_column_switch = v >= mesh.column.length();
        let (port, vc) = if u != to_u && !is_column_switch {
            mesh.row.toward(u, to_u, header.to.0, to_u + to_v)
        } else {
            let (port, vc) = mesh.column.toward(v, to_v, header.to.0, to_u + to_v);
            (port + if is_column_switch { 0 } else { ENDS }, vc)
        };
        let port = Port(u32::try_from(port).expect("only built when the ports fit"));
        Some(Hop { port, vc: Vc(vc), header })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Budget;
    use nestnet_graph::measure::search::distances_from;
    use nestnet_graph::network::sorted_neighbors;
    use nestnet_routing::route::deadlock::certify;
    use nestnet_routing::route::walk;

    fn mesh(a: u64, b: u64, x: u64, y: u64, radix: Option<u64>) -> HammingMesh {
        HammingMesh {
            row: Line::new(x, b, radix).unwrap(),
            column: Line::new(y, a, radix).unwrap(),
        }
    }

    fn some() -> Vec<HammingMesh> {
        let mut all = Vec::new();
        for (a, b) in [(1, 1), (1, 3), (2, 2), (3, 2), (4, 1)] {
            for (x, y) in [(1, 1), (1, 2), (3, 2), (2, 4)] {
                all.push(mesh(a, b, x, y, None));
                all.push(mesh(a, b, x, y, Some(4)));
            }
        }
        all.push(mesh(1, 6, 2, 1, None));
        all.push(mesh(2, 1, 9, 2, Some(8)));
        all
    }

    /// With one switch a row and column, link by link as the definition says.
    #[test]
    fn boards_are_meshes_and_rows_and_columns_meet_in_switches() {
        for net in some().into_iter().filter(|net| !net.has_trees()) {
            let (a, b) = (net.column.side, net.row.side);
            let (x, y) = (net.row.boards, net.column.boards);
            let hosts = a * b * x * y;
            assert_eq!(Network::hosts(&net), hosts);
            assert_eq!(Network::order(&net), hosts + a * y + b * x);
            let id = |up: u64, across: u64, r: u64, c: u64| ((up * x + across) * a + r) * b + c;
            let mut cables = Vec::new();
            for (up, across) in (0..y).flat_map(|up| (0..x).map(move |across| (up, across))) {
                for (r, c) in (0..a).flat_map(|r| (0..b).map(move |c| (r, c))) {
                    let at = id(up, across, r, c);
                    if c + 1 < b {
                        cables.push((at, id(up, across, r, c + 1)));
                    }
                    if r + 1 < a {
                        cables.push((at, id(up, across, r + 1, c)));
                    }
                    let row = (at, hosts + up * a + r);
                    cables.extend([c == 0, c + 1 == b].iter().filter(|&&out| out).map(|_| row));
                    let column = (at, hosts + a * y + across * b + c);
                    cables.extend([r == 0, r + 1 == a].iter().filter(|&&out| out).map(|_| column));
                }
            }
            let ours = (0..Network::order(&net)).flat_map(|at| {
                let ends = sorted_neighbors(&net, Node(at)).into_iter();
                ends.filter(move |to| to.0 > at).map(move |to| (at, to.0))
            });
            cables.sort_unstable();
            assert_eq!(ours.collect::<Vec<_>>(), cables, "{net:?}");
            assert_eq!(net.degrees().cables, cables.len().into(), "{net:?}");
            cables.dedup();
            assert_eq!(net.degrees().links, cables.len().into(), "{net:?}");
        }
    }

    /// Every accelerator has four ports in use, and a leaf no more down than up.
    #[test]
    fn four_cables_each() {
        for net in some() {
            for at in (0..Network::order(&net)).map(Node) {
                let mut levels = [0; 3];
                net.for_each_neighbor(at, &mut |port, _| {
                    levels[usize::from(net.level(at, port))] += 1;
                });
                if at.0 < Network::hosts(&net) {
                    assert_eq!(levels.iter().sum::<u64>(), 4, "{net:?} {at}");
                } else if levels[1] > 0 && levels[2] > 0 {
                    assert!(levels[1] <= levels[2], "{net:?} {at}");
                }
            }
        }
        // 80 ports a row: 5 leaves of 8 boards and 16 spines. 32 ports a column: one switch.
        let wide = mesh(2, 2, 40, 16, Some(32));
        assert_eq!((wide.row.switches(), wide.column.switches()), (21, 1));
        assert!(wide.degrees().max <= 32);
        assert!(Line::new(1000, 2, Some(16)).is_err());
    }

    /// On boards of one accelerator the routes to all others use both cables of each link.
    #[test]
    fn routes_use_both_cables() {
        let net = mesh(1, 1, 4, 4, None);
        let router = RowThenColumn(net.clone());
        let ports = (1..16).map(|to| walk(&net, &router, Node(0), Node(to), 0, 9).unwrap());
        let first =
            ports.map(|route| route.hops[0].port).collect::<std::collections::BTreeSet<_>>();
        assert_eq!(first, (0..4).map(Port).collect());
    }

    #[test]
    fn distances_and_routes() {
        for net in some() {
            let router = RowThenColumn(net.clone());
            let mut longest = 0;
            for from in (0..Network::order(&net)).map(Node) {
                for (to, found) in (0..).map(Node).zip(distances_from(&net, from)) {
                    assert_eq!(net.distance(from, to), Some(found.into()), "{net:?} {from} {to}");
                    let hops = walk(&net, &router, from, to, 0, 99).unwrap().hops.len();
                    assert_eq!(hops as u64, u64::from(found), "{net:?} {from} {to}");
                    if from.0.max(to.0) < Network::hosts(&net) {
                        longest = longest.max(found);
                    }
                }
            }
            let known = net.host_diameter().unwrap();
            assert_eq!(known.exact(), Some(&longest.into()), "{net:?}");
            let certificate = certify(&net, &router, &Budget::UNLIMITED).unwrap();
            assert!(certificate.is_free(), "{net:?}");
        }
    }
}
