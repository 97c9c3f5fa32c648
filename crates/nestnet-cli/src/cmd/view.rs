//! `nestnet view`: what is inside a cluster, and where is a node, at any size?

use crate::job::Job;
use crate::numbers::counts;
use crate::{Outcome, text};
use anyhow::bail;
use nestnet::draw::atlas::{Atlas, written};
use nestnet::draw::view::{Most, View, ViewError, neighbors, view};
use nestnet::{Built, Network, Spec};
use num_bigint::BigUint;
use serde_json::{Value, json};
use std::fmt::Write as _;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet view \"rdn(torus(5, 5), 4)\"
  nestnet view \"rdn(torus(5, 5), 4)\" 1.0.0
  nestnet view \"rdn(ring(5), 2)\" --find 4711 --find \"(0,(1,2,3),(0,0,0))\"

A PATH is the digits of a cell, outermost first, with points between them; the longest are nodes. \
What is too many for one view is folded, and links are bundled between what is shown. It works for \
any size, also where nodes have no ids that fit. `nestnet serve` shows the same in the browser.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 4)"
    spec: String,
    /// Which cell; the whole network if omitted
    #[arg(default_value = "")]
    path: String,
    /// The path of a node by its id or address; may be repeated
    #[arg(long, value_name = "NODE", allow_hyphen_values = true)]
    find: Vec<String>,
    /// The most cells and nodes shown
    #[arg(long, value_name = "N", default_value_t = Most::default().dots, value_parser = counts::<u64>(1..=5000))]
    most: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.spec)?;
    let atlas = Atlas::new(built.plan(), built.network.clone(), &built.order())?;
    let path = atlas.parse(&args.path)?;
    let most = Most { dots: args.most, lines: args.most.saturating_mul(5) / 2 };
    let found = job.with_budget(|budget| view(&atlas, &path, most, &budget.watch));
    let found = match found {
        Err(ViewError::Interrupted(_)) if job.is_interrupted() => return Ok(Outcome::Interrupted),
        Err(ViewError::Interrupted(_)) => bail!("{}", job.why()),
        found => found?,
    };
    let mut places = Vec::new();
    for text in &args.find {
        places.push((text, atlas.find(text)?));
    }
    job.finish();
    let shown = Shown { spec: &spec, built: &built, atlas: &atlas, view: &found };
    if args.json {
        let mut object = shown.json();
        let find = |(text, path): &(&String, Vec<u64>)| {
            let mut node = shown.node(path);
            node["text"] = (*text).clone().into();
            node
        };
        object["found"] = places.iter().map(find).collect();
        text::print_json(&object)?;
    } else {
        let mut said = shown.text();
        for (name, path) in &places {
            let _ = writeln!(said, "  {name} is at {}", written(path));
        }
        text::print(&said)?;
    }
    Ok(Outcome::Done)
}

/// What is said of a view.
struct Shown<'a> {
    spec: &'a Spec,
    built: &'a Built,
    atlas: &'a Atlas,
    view: &'a View,
}

impl Shown<'_> {
    fn name(&self, path: &[u64]) -> String {
        if path.is_empty() {
            return self.spec.to_string();
        }
        self.atlas.pattern(path).unwrap_or_else(|| written(path))
    }

    /// A node as JSON: id, address, degree, and whether it is a host.
    fn node(&self, path: &[u64]) -> Value {
        let network = self.built.network.as_deref();
        let id = self.atlas.id(path);
        let near = neighbors(self.atlas, path);
        let degrees = self.built.theory.degrees();
        let degree = near.as_ref().map(|near| near.len() as u64);
        json!({
            "path": written(path),
            "id": id.as_ref().map(BigUint::to_string),
            "address": self.atlas.address(path).map(|address| address.to_string()),
            "degree": degree.or_else(|| degrees.regular_degree()),
            "host": network.zip(id).is_none_or(|(network, id)| id < network.hosts().into()),
        })
    }

    fn json(&self) -> Value {
        let (view, plan) = (self.view, self.atlas.plan());
        let layer = |layer: &nestnet::draw::Layer| {
            json!({
                "places": layer.shape.places(),
                "level": layer.level,
                "cluster": layer.held == nestnet::draw::Held::Cluster,
            })
        };
        let layers: Vec<Value> = plan.layers().iter().map(layer).collect();
        let whole = layers.len();
        let trail = (0..=view.path.len()).map(|depth| {
            let path = &view.path[..depth];
            json!({ "path": written(path), "name": self.name(path) })
        });
        let trail: Vec<Value> = trail.collect();
        let hosts = self.built.network.as_deref().map(Network::hosts);
        let is_node = view.path.len() + view.shown == whole;
        let spots: Vec<Value> = view
            .spots
            .iter()
            .map(|spot| {
                let mut said = json!({
                    "path": written(&spot.path),
                    "name": self.name(&spot.path),
                    "at": [round(spot.at.x), round(spot.at.y)],
                });
                if is_node {
                    let id = self.atlas.id(&spot.path);
                    said["host"] =
                        id.as_ref().zip(hosts).is_none_or(|(id, hosts)| *id < hosts.into()).into();
                    said["id"] = id.map(|id| id.to_string()).into();
                }
                said
            })
            .collect();
        let strands: Vec<Value> = view
            .strands
            .iter()
            .map(|strand| {
                let cord = &strand.cord;
                let mut line = json!([cord.from, cord.to, cord.level, text::number(&cord.links)]);
                if strand.bend.length() > 0.0
                    && let Some(all) = line.as_array_mut()
                {
                    all.extend([round(strand.bend.x).into(), round(strand.bend.y).into()]);
                }
                line
            })
            .collect();
        let leaving: Vec<Value> = view
            .leaving
            .iter()
            .map(|leaving| json!([leaving.spot, leaving.layer, text::number(&leaving.links)]))
            .collect();
        let borders: Vec<Value> = view
            .borders
            .iter()
            .map(|border| {
                let corners: Vec<[f64; 2]> =
                    border.hull.0.iter().map(|corner| [round(corner.x), round(corner.y)]).collect();
                json!({ "path": written(&border.path), "level": border.level, "hull": corners })
            })
            .collect();
        let degrees = self.built.theory.degrees();
        let mut said = json!({
            "spec": self.spec.to_string(),
            "nodes": text::number(self.built.order()),
            "links": text::number(&degrees.links),
            "degree": [degrees.min, degrees.max],
            "ids": self.built.network.is_some(),
            "seated": plan.is_seated(),
            "routers": self.built.router_names(),
            "layers": layers,
            "path": written(&view.path),
            "trail": trail,
            "shown": view.shown,
            "linked": view.linked,
            "left": view.left,
            "nodes_a_spot": text::number(&view.nodes_a_spot),
            "alike": view.alike,
            "spots": spots,
            "lines": strands,
            "leaving": leaving,
            "borders": borders,
        });
        if view.shown == 0 {
            said["node"] = self.node(&view.path);
            said["neighbors"] = neighbors(self.atlas, &view.path)
                .map(|near| {
                    let near = near.iter().map(|near| {
                        let mut node = self.node(&near.path);
                        node["level"] = near.level.into();
                        node
                    });
                    near.collect::<Vec<Value>>()
                })
                .into();
        }
        said
    }

    fn text(&self) -> String {
        const MOST: usize = 20;
        let view = self.view;
        let nodes = text::grouped(&self.built.order().to_string());
        let mut said = format!("{}: {nodes} nodes\n", self.spec);
        let _ = writeln!(said, "  inside {}", self.name(&view.path));
        if view.shown == 0 {
            let node = self.node(&view.path);
            let _ = writeln!(said, "  id {}", node["id"].as_str().unwrap_or("unknown"));
            for near in neighbors(self.atlas, &view.path).unwrap_or_default() {
                let name = self.name(&near.path);
                let _ =
                    writeln!(said, "  level {}  {name}  at {}", near.level, written(&near.path));
            }
            return said;
        }
        let each = text::grouped(&view.nodes_a_spot.to_string());
        let _ = writeln!(
            said,
            "  {} cells of {}{each} nodes, {} lines",
            view.spots.len(),
            if view.alike { "" } else { "at most " },
            view.strands.len()
        );
        for spot in view.spots.iter().take(MOST) {
            let _ = writeln!(said, "  {}  {}", written(&spot.path), self.name(&spot.path));
        }
        if view.spots.len() > MOST {
            let _ = writeln!(said, "  … and {} more (--json has all)", view.spots.len() - MOST);
        }
        if !view.linked {
            said.push_str(
                "  the links between them are not known: no rule says them at this size\n",
            );
        }
        said
    }
}

/// A coordinate, to a thousandth.
fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
