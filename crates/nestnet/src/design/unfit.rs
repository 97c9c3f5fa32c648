//! Why does a family that was asked for have no network that fits?

use super::candidate::Topology;
use super::cluster_query::{ClusterQuestion, Unfit};
use super::space::Space;
use nestnet_graph::Interrupted;
use nestnet_graph::job::Shard;
use nestnet_topologies::build::Context;
use nestnet_topologies::family::reference::PLANES;
use num_traits::ToPrimitive;
use std::ops::RangeInclusive;

/// What is known of the networks of one family near a size.
#[derive(Default)]
struct Seen {
    /// Of those with the right number of hosts, the one that needs the fewest ports: ports, hosts at a switch, name.
    fewest: Option<(u64, Option<u64>, String)>,
    /// Numbers of nodes that there are, at most those wanted and above them.
    below: Option<u128>,
    above: Option<u128>,
}

/// For each family that was asked for and of which nothing was judged, why.
pub(super) fn unfit(
    question: &ClusterQuestion,
    hosts_each: &[u64],
    most_hosts: u64,
    judged: &dyn Fn(&str) -> bool,
    context: &Context<'_>,
) -> Result<Vec<Unfit>, Interrupted> {
    let mut all = Vec::new();
    for family in question.families.iter().filter(|family| !judged(family)) {
        if family == PLANES {
            let why = "one plane has as few levels of switches".to_owned();
            all.push(Unfit { family: family.clone(), why });
            continue;
        }
        let mut seen = Seen::default();
        for &each in hosts_each {
            let sizes = question.hosts.div_ceil(each)..=most_hosts / each;
            if !sizes.is_empty() {
                look(question, family, &mut seen, sizes, Some(each), context)?;
            }
        }
        look(question, family, &mut seen, question.hosts..=most_hosts, None, context)?;
        all.push(Unfit { family: family.clone(), why: why(question, &seen) });
    }
    Ok(all)
}

/// Looks at all networks of a family of up to four times as many nodes, whatever their degree.
fn look(
    question: &ClusterQuestion,
    family: &String,
    seen: &mut Seen,
    wanted: RangeInclusive<u64>,
    each: Option<u64>,
    context: &Context<'_>,
) -> Result<(), Interrupted> {
    let (low, high) = (u128::from(*wanted.start()), u128::from(*wanted.end()));
    let families = std::slice::from_ref(family);
    let space = Space {
        nodes: low,
        ..Space::new(context, families, 1..=high * 4, question.depth.min(1), question.max_base)
    };
    let mut keep = |made: &Topology| {
        let theory = &made.built.theory;
        let own = theory.hosts() < theory.order();
        let Some(size) = theory.hosts().to_u128().filter(|_| own == each.is_none()) else { return };
        if size > high {
            seen.above = Some(seen.above.map_or(size, |least| least.min(size)));
        } else if size < low {
            seen.below = Some(seen.below.map_or(size, |most| most.max(size)));
        } else {
            let ports = made.degree.saturating_add(each.unwrap_or(0));
            if seen.fewest.as_ref().is_none_or(|(least, ..)| ports < *least) {
                seen.fewest = Some((ports, each, made.spec().to_string()));
            }
        }
    };
    match each {
        Some(_) => space.search(Shard::WHOLE, &context.budget.watch, &mut |made| keep(&made)),
        None => space.leaves(&context.budget.watch, &mut |made| keep(&made)),
    }
}

fn why(question: &ClusterQuestion, seen: &Seen) -> String {
    let links = question.links_of_switch();
    match (&seen.fewest, seen.below, seen.above) {
        (Some((ports, each, spec)), ..) if *ports > links => {
            let hosts = each.map_or(String::new(), |each| format!(" with {each} hosts a switch"));
            format!(
                "of those with as many hosts {spec}{hosts} needs the fewest ports, {ports}, and a switch has {links}"
            )
        }
        (Some((_, _, spec)), ..) => format!("{spec} has as many hosts, and breaks a limit"),
        (None, None, None) => "it has no network of any size near this".to_owned(),
        (None, below, above) => {
            let near: Vec<String> =
                [below, above].into_iter().flatten().map(|size| size.to_string()).collect();
            format!("it has no network of that size: the nearest have {} nodes", near.join(" and "))
        }
    }
}
