//! The inside of a cell of a network of any size, with names, nodes and coordinates, as `nestnet view` and the page show
//! it.

use crate::picture::usual_plan;
use nestnet_analysis::grow::shrink;
use nestnet_draw::atlas::{Atlas, written};
use nestnet_draw::view::{
    self, Beside, MAX_PLACES, Most, View, ViewError, is_clear_outside, neighbors,
};
use nestnet_draw::{AtlasError, Broadcast, Failed, Held, Plan, trace};
use nestnet_graph::Watch;
use nestnet_graph::json::{Integer, integer};
use nestnet_topologies::build::Context;
use nestnet_topologies::family::Built;
use num_bigint::BigUint;
use serde::Serialize;
use thiserror::Error;

/// A network, and the inside of one of its cells.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Inside {
    /// The network.
    pub spec: String,
    /// Its order.
    #[serde(serialize_with = "integer")]
    pub nodes: BigUint,
    /// How many links it has.
    #[serde(serialize_with = "integer")]
    pub links: BigUint,
    /// The least and the largest degree.
    pub degree: [u64; 2],
    /// Whether nodes have ids that fit.
    pub ids: bool,
    /// The largest smaller network of the family whose nodes have ids that fit, where those of this one do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smaller: Option<String>,
    /// The largest smaller network of the family that has no more nodes than were asked for, where this one has more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub small: Option<String>,
    /// Whether its plan says where nodes lie.
    pub seated: bool,
    /// The routers that it has by name.
    pub routers: Vec<&'static str>,
    /// Its layers, outermost first.
    pub layers: Vec<LayerRow>,
    /// Which cell.
    pub path: String,
    /// The cells around it, outermost first, and itself.
    pub trail: Vec<Cell>,
    /// How many layers below it are distinguished; 0 where it is a node.
    pub shown: usize,
    /// Whether the links inside are known.
    pub linked: bool,
    /// Whether all links that leave are known.
    pub left: bool,
    /// How many nodes a spot represents, at most.
    #[serde(serialize_with = "integer")]
    pub nodes_a_spot: BigUint,
    /// Whether all spots represent as many.
    pub alike: bool,
    /// What is in it.
    pub spots: Vec<SpotRow>,
    /// The links between spots, bundled.
    pub lines: Vec<Line>,
    /// The links that leave: from which spot, the first digit that differs, how many.
    pub leaving: Vec<(usize, usize, Integer<BigUint>)>,
    /// Neighbors outside of the cell, of the nodes that are shown; none where that are too many nodes, or cells.
    pub outside: Vec<OutsideRow>,
    /// The borders of clusters.
    pub borders: Vec<BorderRow>,
    /// The node, where the cell is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeRow>,
    /// Its neighbors, where the cell is a node; none where no rule says them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbors: Option<Option<Vec<NodeRow>>>,
    /// Nodes that were sought.
    pub found: Vec<NodeRow>,
}

/// A layer of a network.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct LayerRow {
    /// How many places it has.
    pub places: u64,
    /// The level of its links.
    pub level: u16,
    /// Whether a place holds a cluster.
    pub cluster: bool,
}

/// A cell and what it is called.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Cell {
    /// Its digits, with points between them.
    pub path: String,
    /// The addresses of its nodes, or the path where they have no pattern.
    pub name: String,
}

/// A cell or a node that is shown.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SpotRow {
    /// Which.
    #[serde(flatten)]
    pub cell: Cell,
    /// Where it is drawn.
    pub at: [f64; 2],
    /// Whether it is a host, where it is a node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<bool>,
    /// Its id, where it is a node; none where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Option<String>>,
}

/// Links between two spots: the numbers of both, their level, how many, and to which side the line bends.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Line {
    /// A straight line.
    Straight(usize, usize, u16, Integer<BigUint>),
    /// A line that bends.
    Bent(usize, usize, u16, Integer<BigUint>, f64, f64),
}

/// The border of a cluster.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct BorderRow {
    /// The cluster.
    #[serde(flatten)]
    pub cell: Cell,
    /// The level of the links that join such clusters.
    pub level: u16,
    /// Its corners.
    pub hull: Vec<[f64; 2]>,
}

/// A neighbor of a node that is shown, outside of the cell.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OutsideRow {
    /// The number of the spot that it is linked to.
    pub spot: usize,
    /// The level of the link.
    pub level: u16,
    /// The neighbor.
    #[serde(flatten)]
    pub cell: Cell,
}

/// Of so many nodes at most the neighbors outside are listed.
const MOST_NAMED: usize = 600;

/// A node.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct NodeRow {
    /// Its path.
    pub path: String,
    /// Its id, where that is known.
    pub id: Option<String>,
    /// Its address, where the construction says it.
    pub address: Option<String>,
    /// Its degree, where it is known.
    pub degree: Option<u64>,
    /// Whether it is a host.
    pub host: bool,
    /// The level of the link to it, of a neighbor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u16>,
    /// How it was named, of a node that was sought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The inside of the cell at `path`, the whole network where that is empty, and the nodes `find`, by id or address.
///
/// Takes no more than `most` spots. O(spots + lines), at any size.
///
/// ```
/// use nestnet::cells::inside;
/// use nestnet::draw::view::Most;
///
/// let built = nestnet::build("rdn(torus(5, 5), 4)")?;
/// let found = inside(&built, "1.0.0", Most::default(), &[], &nestnet::Watch::SILENT)?;
/// assert!(found.linked && found.trail.len() == 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn inside(
    built: &Built,
    path: &str,
    most: Most,
    find: &[String],
    watch: &Watch<'_>,
) -> Result<Inside, ViewError> {
    let atlas = atlas(built, watch)?;
    let path = atlas.parse(path)?;
    let view = view::view(&atlas, &path, most, watch)?;
    let namer = Namer { built, atlas: &atlas };
    let mut found = Vec::new();
    for text in find {
        let node = namer.node(&atlas.find(text)?);
        found.push(NodeRow { text: Some(text.clone()), ..node });
    }
    Ok(namer.rows(view, found))
}

/// The largest smaller network of the family that `fits`, where this one does not.
pub fn smaller(
    built: &Built,
    context: &Context<'_>,
    fits: &dyn Fn(&Built) -> bool,
) -> Option<String> {
    if fits(built) {
        return None;
    }
    let found = shrink(&built.spec().to_string(), context, fits);
    found.ok().flatten().map(|spec| spec.to_string())
}

/// A route by address, at any size.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CellRoute {
    /// How it is found.
    pub router: &'static str,
    /// The ids of its nodes, from the first on.
    pub path: Vec<Option<Integer<BigUint>>>,
    /// Their addresses.
    pub addresses: Vec<String>,
    /// Where they lie, as `view` names it.
    pub cells: Vec<String>,
    /// The levels of its links.
    pub levels: Vec<u16>,
    /// How many links it takes.
    pub hops: usize,
    /// Not known at this size.
    pub distance: Option<u64>,
}

/// The route from one node to another, by id or address, that follows from the clusters of the construction; `None` where
/// it defines none.
///
/// It is not always a shortest one. O(hops), and a search of the innermost network for each of its parts.
///
/// ```
/// let built = nestnet::build("rdn(torus(5, 5), 4)")?;
/// let route = nestnet::cells::route(&built, "0", "762939453124999999999999999")?.unwrap();
/// assert_eq!((route.hops, route.addresses.len()), (route.levels.len(), route.hops + 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn route(built: &Built, from: &str, to: &str) -> Result<Option<CellRoute>, ViewError> {
    let atlas = atlas(built, &Watch::SILENT)?;
    let (from, to) = (atlas.find(from)?, atlas.find(to)?);
    let Some(hops) = trace(&atlas, &from, &to) else { return Ok(None) };
    Ok(Some(named(&atlas, "clusters", from, hops)))
}

/// Whether [`route`] finds routes: the clusters of the construction define one from every node to every other.
pub fn is_routed(built: &Built) -> bool {
    let last = built.order() - 1u8;
    route(built, "0", &last.to_string()).is_ok_and(|found| found.is_some())
}

/// A node that has failed, or a link by both its ends, as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A node, with all its links.
    Node(String),
    /// A link, both ways.
    Link(String, String),
}

/// Why there is no route around faults.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AroundError {
    /// A node leads nowhere.
    #[error(transparent)]
    View(#[from] ViewError),
    /// Two nodes that no link joins.
    #[error("there is no link between {0} and {1}")]
    NoLink(String, String),
    /// One end has failed.
    #[error("{0} has failed itself")]
    Ends(String),
    /// It is cut off, or only a long search would tell.
    #[error("no detour was found: it is cut off, or the detour is long")]
    NoDetour,
}

impl From<AtlasError> for AroundError {
    fn from(error: AtlasError) -> Self {
        AroundError::View(error.into())
    }
}

/// The same route around nodes and links that have failed: a shortest detour from the last node before each fault to the
/// first one behind it. `None` where the construction defines no route.
///
/// ```
/// use nestnet::cells::{Fault, around, route};
///
/// let built = nestnet::build("rdn(torus(5, 5), 4)")?;
/// let last = "762939453124999999999999999";
/// let free = route(&built, "0", last)?.unwrap();
/// let fault = Fault::Link(free.addresses[3].clone(), free.addresses[4].clone());
/// let detour = around(&built, "0", last, &[fault])?.unwrap();
/// assert!(detour.hops > free.hops);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn around(
    built: &Built,
    from: &str,
    to: &str,
    faults: &[Fault],
) -> Result<Option<CellRoute>, AroundError> {
    let atlas = atlas(built, &Watch::SILENT)?;
    let mut failed = Failed::default();
    for fault in faults {
        match fault {
            Fault::Node(node) => failed.node(atlas.find(node)?),
            Fault::Link(a, b) => {
                let ends = [atlas.find(a)?, atlas.find(b)?];
                let near = neighbors(&atlas, &ends[0]).unwrap_or_default();
                if near.iter().all(|near| near.path != ends[1]) {
                    return Err(AroundError::NoLink(a.clone(), b.clone()));
                }
                let [a, b] = ends;
                failed.link(a, b);
            }
        }
    }
    let ends = [(from, atlas.find(from)?), (to, atlas.find(to)?)];
    if let Some((end, _)) = ends.iter().find(|(_, at)| failed.has(at)) {
        return Err(AroundError::Ends((*end).to_owned()));
    }
    let [(_, from), (_, to)] = ends;
    let Some(hops) = trace(&atlas, &from, &to) else { return Ok(None) };
    let hops = nestnet_draw::around(&atlas, &from, hops, &failed).ok_or(AroundError::NoDetour)?;
    Ok(Some(named(&atlas, "clusters, around faults", from, hops)))
}

/// A route with ids, addresses and cells.
fn named(atlas: &Atlas, router: &'static str, from: Vec<u64>, hops: Vec<Beside>) -> CellRoute {
    let levels: Vec<u16> = hops.iter().map(|hop| hop.level).collect();
    let nodes = std::iter::once(from).chain(hops.into_iter().map(|hop| hop.path));
    let nodes: Vec<Vec<u64>> = nodes.collect();
    let name = |node: &Vec<u64>| {
        atlas.address(node).map_or_else(|| written(node), |address| address.to_string())
    };
    CellRoute {
        router,
        path: nodes.iter().map(|node| atlas.id(node).map(Integer)).collect(),
        addresses: nodes.iter().map(name).collect(),
        cells: nodes.iter().map(|node| written(node)).collect(),
        hops: levels.len(),
        levels,
        distance: None,
    }
}

/// A broadcast by the clusters of a construction, at any size: each node sends over all its links at once.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CellBroadcast {
    /// How it is found.
    pub algorithm: &'static str,
    /// The address of the root.
    pub from: String,
    /// Where it lies, as `view` names it.
    pub cell: String,
    /// How many nodes there are.
    #[serde(serialize_with = "integer")]
    pub nodes: BigUint,
    /// How many steps it takes.
    pub steps: usize,
    /// How many nodes are informed in each step, from step 0 on.
    pub informed_per_step: Vec<Integer<BigUint>>,
    /// The same in each of the cells inside one.
    pub cells: Vec<CellSteps>,
}

/// When the nodes of a cell are informed.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CellSteps {
    /// The cell.
    pub path: String,
    /// How many of its nodes are informed in each step, from step 0 on.
    pub informed_per_step: Vec<Integer<BigUint>>,
}

/// The broadcast from a node, by id or address, that follows from the clusters of the construction, and when it reaches the
/// cells that [`inside`] shows in the cell at `path`; `None` where the construction defines none.
///
/// ```
/// use nestnet::cells::broadcast;
/// use nestnet::draw::view::Most;
///
/// let built = nestnet::build("rdn(torus(5, 5), 4)")?;
/// let found = broadcast(&built, "0", "", Most::default(), &nestnet::Watch::SILENT)?.unwrap();
/// assert_eq!((found.steps, found.cells.len()), (94, 16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn broadcast(
    built: &Built,
    from: &str,
    path: &str,
    most: Most,
    watch: &Watch<'_>,
) -> Result<Option<CellBroadcast>, ViewError> {
    let atlas = atlas(built, watch)?;
    let (root, path) = (atlas.find(from)?, atlas.parse(path)?);
    let mut broadcast = Broadcast::new(&atlas, &root);
    let Some(all) = broadcast.informed(&[]) else { return Ok(None) };
    let counts = |steps: Vec<BigUint>| steps.into_iter().map(Integer).collect::<Vec<_>>();
    let mut cells = Vec::new();
    for spot in view::view(&atlas, &path, most, watch)?.spots {
        watch.check()?;
        let Some(steps) = broadcast.informed(&spot.path) else { return Ok(None) };
        cells.push(CellSteps { path: written(&spot.path), informed_per_step: counts(steps) });
    }
    let address = atlas.address(&root);
    Ok(Some(CellBroadcast {
        algorithm: "clusters",
        from: address.map_or_else(|| written(&root), |address| address.to_string()),
        cell: written(&root),
        nodes: built.order(),
        steps: all.len().saturating_sub(1),
        informed_per_step: counts(all),
        cells,
    }))
}

/// By the plan of the network; one that has none and is too large for one ring of dots is divided into clusters, and a
/// circle whose lines cannot be distinguished into parts.
fn atlas(built: &Built, watch: &Watch<'_>) -> Result<Atlas, ViewError> {
    let mut plan = usual_plan(built, u64::MAX, watch)?;
    let alone = plan.layers().len() == 1 && plan.layers()[0].shape.places() > MAX_PLACES;
    if let Some(network) = built.network.as_deref().filter(|_| alone) {
        plan = Plan::clustered(network);
    }
    let atlas = |plan| Atlas::new(plan, built.network.clone(), &built.order());
    let whole = atlas(plan)?;
    match whole.plan().in_parts() {
        Some(parts) if !is_clear_outside(&whole, watch)? => Ok(atlas(parts)?),
        _ => Ok(whole),
    }
}

/// What says how cells and nodes are called.
struct Namer<'a> {
    built: &'a Built,
    atlas: &'a Atlas,
}

impl Namer<'_> {
    fn cell(&self, path: &[u64]) -> Cell {
        let name = match path {
            [] => self.built.spec().to_string(),
            path => self.atlas.pattern(path).unwrap_or_else(|| written(path)),
        };
        Cell { path: written(path), name }
    }

    fn is_host(&self, id: Option<&BigUint>) -> bool {
        let hosts = self.built.network.as_ref().map(|network| network.hosts());
        id.zip(hosts).is_none_or(|(id, hosts)| *id < hosts.into())
    }

    fn node(&self, path: &[u64]) -> NodeRow {
        let id = self.atlas.id(path);
        let degree = neighbors(self.atlas, path).map(|near| near.len() as u64);
        NodeRow {
            path: written(path),
            id: id.as_ref().map(BigUint::to_string),
            address: self.atlas.address(path).map(|address| address.to_string()),
            degree: degree.or_else(|| self.built.theory.degrees().regular_degree()),
            host: self.is_host(id.as_ref()),
            level: None,
            text: None,
        }
    }

    fn spot(&self, spot: &view::Spot, is_node: bool) -> SpotRow {
        let id = is_node.then(|| self.atlas.id(&spot.path));
        SpotRow {
            cell: self.cell(&spot.path),
            at: [spot.at.x, spot.at.y].map(rounded),
            host: id.as_ref().map(|id| self.is_host(id.as_ref())),
            id: id.map(|id| id.map(|id| id.to_string())),
        }
    }

    /// The neighbors of the nodes of a cell that lie outside of it.
    fn outside(&self, view: &View) -> Vec<OutsideRow> {
        let of_spot = |(spot, node): (usize, &view::Spot)| {
            let near = neighbors(self.atlas, &node.path).unwrap_or_default().into_iter();
            let outside = near.filter(|near| !near.path.starts_with(&view.path));
            let row =
                |near: Beside| OutsideRow { spot, level: near.level, cell: self.cell(&near.path) };
            outside.map(row).collect::<Vec<_>>()
        };
        view.spots.iter().enumerate().flat_map(of_spot).collect()
    }

    fn rows(&self, view: View, found: Vec<NodeRow>) -> Inside {
        let (plan, degrees) = (self.atlas.plan(), self.built.theory.degrees());
        let layers = plan.layers().iter().map(|layer| LayerRow {
            places: layer.shape.places(),
            level: layer.level,
            cluster: layer.held == Held::Cluster,
        });
        let layers: Vec<LayerRow> = layers.collect();
        let shows_nodes = view.path.len() + view.shown == layers.len();
        let is_node = view.shown == 0;
        let line = |view::Strand { cord, bend }: view::Strand| {
            let links = Integer(cord.links);
            match bend.length() > 0.0 {
                false => Line::Straight(cord.from, cord.to, cord.level, links),
                true => {
                    let [x, y] = [bend.x, bend.y].map(rounded);
                    Line::Bent(cord.from, cord.to, cord.level, links, x, y)
                }
            }
        };
        let border = |border: &view::Border| BorderRow {
            cell: self.cell(&border.path),
            level: border.level,
            hull: border.hull.0.iter().map(|corner| [corner.x, corner.y].map(rounded)).collect(),
        };
        let beside = |near: &Beside| NodeRow { level: Some(near.level), ..self.node(&near.path) };
        let named = shows_nodes && !is_node && !view.path.is_empty();
        let outside = match named && view.spots.len() <= MOST_NAMED {
            true => self.outside(&view),
            false => Vec::new(),
        };
        let near = is_node.then(|| neighbors(self.atlas, &view.path));
        Inside {
            spec: self.built.spec().to_string(),
            nodes: self.built.order(),
            links: degrees.links.clone(),
            degree: [degrees.min, degrees.max],
            ids: self.built.network.is_some(),
            smaller: smaller(self.built, &Context::ALONE, &|built| built.network.is_some()),
            small: None,
            seated: plan.is_seated(),
            routers: self.built.router_names(),
            layers,
            trail: (0..=view.path.len()).map(|depth| self.cell(&view.path[..depth])).collect(),
            node: is_node.then(|| self.node(&view.path)),
            neighbors: near.map(|near| near.map(|near| near.iter().map(beside).collect())),
            path: written(&view.path),
            shown: view.shown,
            linked: view.linked,
            left: view.left,
            nodes_a_spot: view.nodes_a_spot,
            alike: view.alike,
            spots: view.spots.iter().map(|spot| self.spot(spot, shows_nodes)).collect(),
            lines: view.strands.into_iter().map(line).collect(),
            leaving: view
                .leaving
                .into_iter()
                .map(|l| (l.spot, l.layer, Integer(l.links)))
                .collect(),
            outside,
            borders: view.borders.iter().map(border).collect(),
            found,
        }
    }
}

/// A coordinate, to a thousandth.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Node;

    #[test]
    fn a_route_by_address_goes_along_links() {
        let built = crate::build("rdn(ring(3), 2)").unwrap();
        let network = built.network.clone().unwrap();
        let last = network.order() - 1;
        for (from, to) in
            (0..=last).step_by(37).flat_map(|a| (0..=last).step_by(41).map(move |b| (a, b)))
        {
            let route = route(&built, &from.to_string(), &to.to_string()).unwrap().unwrap();
            let ids: Vec<u64> = route
                .path
                .iter()
                .map(|id| id.as_ref().unwrap().0.to_string().parse().unwrap())
                .collect();
            assert_eq!((ids.first(), ids.last()), (Some(&from), Some(&to)));
            for (link, level) in ids.windows(2).zip(&route.levels) {
                let mut levels = Vec::new();
                network.for_each_neighbor(Node(link[0]), &mut |port, near| {
                    if near.0 == link[1] {
                        levels.push(network.level(Node(link[0]), port));
                    }
                });
                assert_eq!(levels, [*level], "{from} {to}");
            }
        }
    }

    #[test]
    fn groups_of_a_large_dragonfly_are_shown_in_parts() {
        let built = crate::build("dragonfly(32, 16)").unwrap();
        let view = |path| inside(&built, path, Most::default(), &[], &Watch::SILENT).unwrap();
        let whole = view("");
        assert!(whole.linked && whole.spots.len() <= 16, "{}", whole.spots.len());
        let inner = view("0");
        assert!(inner.linked && inner.spots.len() < 100 && inner.lines.len() < 2000);
        // A node is found where its parts say.
        let found = ["16415".to_owned()];
        let found = inside(&built, "", Most::default(), &found, &Watch::SILENT).unwrap().found;
        assert_eq!(found[0].id.as_deref(), Some("16415"));
    }

    #[test]
    fn a_graph_without_a_construction_is_divided() {
        let built = crate::build("random_regular(6000, 3, 1)").unwrap();
        let whole = inside(&built, "", Most::default(), &[], &Watch::SILENT).unwrap();
        assert!(whole.linked && whole.spots.len() < 100 && !whole.lines.is_empty());
        assert_eq!(whole.spots[1].cell.name, "cluster 1");
        let first = inside(&built, "1", Most::default(), &[], &Watch::SILENT).unwrap();
        assert_eq!(first.nodes_a_spot, 1u8.into());
    }
}
