//! Every router of every instance delivers every message, `shortest` by shortest paths, and none can deadlock on
//! its own virtual channels.

use nestnet::measure::search::distances_from;
use nestnet::route::walk;
use nestnet::{Built, Network, Node, Router, build};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What a slow obvious walk of all pairs finds.
struct Seen {
    /// How many hops over the distance the longest detour has.
    detour: u64,
    longest: u64,
    vcs: BTreeSet<u16>,
    acyclic: bool,
}

type Channel = (u64, u32, u16);

fn survey(network: &dyn Network, router: &dyn Router) -> Result<Seen, String> {
    let order = network.order();
    let mut seen = Seen { detour: 0, longest: 0, vcs: BTreeSet::new(), acyclic: true };
    let mut follows: BTreeMap<Channel, BTreeSet<Channel>> = BTreeMap::new();
    for to in (0..order).map(Node) {
        let distance = distances_from(network, to);
        for from in (0..order).map(Node) {
            let least = distance[usize::try_from(from.0).expect("small")];
            for choice in 0..router.choices() {
                if least == u32::MAX {
                    continue;
                }
                let route = walk(network, router, from, to, choice, 10_000)
                    .map_err(|error| format!("{from} to {to} by {choice}: {error}"))?;
                let hops = route.hops.len() as u64;
                seen.longest = seen.longest.max(hops);
                seen.detour = seen.detour.max(hops - u64::from(least));
                let channels = route.nodes.iter().zip(&route.hops);
                let channels: Vec<Channel> =
                    channels.map(|(at, hop)| (at.0, hop.port.0, hop.vc.0)).collect();
                seen.vcs.extend(channels.iter().map(|channel| channel.2));
                for pair in channels.windows(2) {
                    follows.entry(pair[0]).or_default().insert(pair[1]);
                }
            }
        }
    }
    if seen.vcs.last().is_some_and(|&vc| vc >= router.vcs()) {
        return Err(format!("virtual channels {:?} of {}", seen.vcs, router.vcs()));
    }
    seen.acyclic = is_acyclic(&follows);
    Ok(seen)
}

fn is_acyclic(follows: &BTreeMap<Channel, BTreeSet<Channel>>) -> bool {
    let mut waiting: BTreeMap<Channel, usize> = BTreeMap::new();
    for next in follows.values().flatten() {
        *waiting.entry(*next).or_default() += 1;
    }
    let mut free: Vec<Channel> =
        follows.keys().filter(|channel| !waiting.contains_key(channel)).copied().collect();
    while let Some(channel) = free.pop() {
        for next in follows.get(&channel).into_iter().flatten() {
            let left = waiting.get_mut(next).expect("counted before");
            *left -= 1;
            if *left == 0 {
                waiting.remove(next);
                free.push(*next);
            }
        }
    }
    waiting.is_empty()
}

fn check(built: &Built, spec: &str) -> Vec<String> {
    let Some(network) = &built.network else { return vec![format!("{spec}: not built")] };
    let mut wrong = Vec::new();
    if !["paper", "shortest"].iter().all(|name| built.router_names().contains(name)) {
        wrong.push(format!("{spec}: routers {:?}", built.router_names()));
    }
    for name in built.router_names() {
        let router = built.router(name).expect("one of its routers");
        match survey(&**network, &*router) {
            Err(error) => wrong.push(format!("{spec}: {name}: {error}")),
            Ok(seen) => {
                if name == "shortest" && seen.detour > 0 {
                    wrong.push(format!("{spec}: {name}: {} hops too many", seen.detour));
                }
                // The virtual channels that were published for cubes of rings are as published.
                if !seen.acyclic
                    && !((spec.starts_with("rcr") || spec.starts_with("ccc")) && name == "paper")
                {
                    wrong.push(format!("{spec}: {name}: can deadlock"));
                }
                if std::env::var_os("SHOW").is_some() {
                    let Seen { detour, longest, vcs, acyclic } = seen;
                    println!(
                        "{spec}: {name}: +{detour} of {longest}, vcs {vcs:?} of {}, free {acyclic}",
                        router.vcs()
                    );
                }
            }
        }
    }
    wrong
}

#[test]
fn every_instance() {
    let most = if std::env::var_os("SLOW_TESTS").is_some() { 1024 } else { 200 };
    let instances: Vec<Value> =
        serde_json::from_str(include_str!("data/instances.json")).expect("valid JSON");
    let mut wrong = Vec::new();
    for instance in instances {
        let spec = instance["spec"].as_str().expect("a spec");
        if instance["nodes"].as_u64().expect("a number") <= most {
            wrong.extend(check(&build(spec).expect("a network"), spec));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
