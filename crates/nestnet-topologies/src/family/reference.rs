//! Fabrics that everybody knows, and the names by which networks are best known.

use crate::spec::{Arg, Literal, Spec};

/// The name by which a network is best known: a Cartesian power of a complete graph is a HyperX.
///
/// ```
/// use nestnet_topologies::family::reference::best_name;
/// use nestnet_topologies::spec::Spec;
///
/// let spec = Spec::parse("folded(complete(16), 2)").unwrap();
/// assert_eq!(best_name(&spec).to_string(), "hyperx(16, 16)");
/// ```
pub fn best_name(spec: &Spec) -> Spec {
    if spec.name == HYPERCUBE {
        return Spec::new(HYPERX, spec.args.clone());
    }
    let [base, dimensions] = &spec.args[..] else { return spec.clone() };
    let (Literal::Spec(base), Literal::Integer(dimensions)) = (&base.value, &dimensions.value)
    else {
        return spec.clone();
    };
    let (Ok(dimensions), "folded") = (usize::try_from(dimensions), spec.name.as_str()) else {
        return spec.clone();
    };
    let known = match base.name.as_str() {
        "complete" => HYPERX,
        "ring" => "torus",
        "path" => "mesh",
        _ => return spec.clone(),
    };
    match &base.args[..] {
        [side] if dimensions <= 16 => Spec::new(known, vec![side.clone(); dimensions]),
        _ => spec.clone(),
    }
}

const HYPERX: &str = "hyperx";

/// The row of the table that HyperX is another name for.
const HYPERCUBE: &str = "generalized_hypercube";

/// The folded Clos network of so many levels for at least so many hosts; the taper is a ratio.
pub fn folded_clos(radix: u64, levels: u64, taper: (u64, u64), hosts: u64) -> Spec {
    let (over, under) = taper;
    let taper = match under {
        1 => over.into(),
        _ => Literal::List([over, under].map(Arg::new).into()),
    };
    let args: [Literal; 4] = [radix.into(), levels.into(), taper, hosts.into()];
    Spec::new(CLOS, args.map(Arg::new))
}

/// All hosts on one switch.
///
/// ```
/// use nestnet_topologies::family::reference::one_switch;
///
/// assert_eq!(one_switch(24).to_string(), "hosts(complete(1), 24)");
/// ```
pub fn one_switch(hosts: u64) -> Spec {
    let switch = Spec::new("complete", [Arg::new(1u64)]);
    Spec::new("hosts", [Arg::new(switch), Arg::new(hosts)])
}

/// Whether folded Clos networks are among these families.
pub fn has_clos(families: &[String]) -> bool {
    families.is_empty() || families.iter().any(|name| name == CLOS)
}

/// Whether folded Clos networks of several planes are.
pub fn has_planes(families: &[String]) -> bool {
    has_clos(families) || families.iter().any(|name| name == PLANES)
}

/// So many planes of a network of hosts and switches.
pub fn planes(plane: Spec, planes: u64) -> Spec {
    Spec::new(PLANES, vec![Arg::new(plane), Arg::new(planes)])
}

/// One plane of a fabric of several, or the fabric itself.
pub fn plane_of(spec: &Spec) -> Spec {
    match spec.args.first().map(|arg| &arg.value) {
        Some(Literal::Spec(plane)) if spec.name == PLANES => plane.clone(),
        _ => spec.clone(),
    }
}

const CLOS: &str = "clos";

/// The row of fabrics of several planes.
pub const PLANES: &str = "planes";

/// The random regular network, Jellyfish.
pub fn jellyfish(switches: u64, degree: u64) -> Spec {
    Spec::new(JELLYFISH, [switches, degree, 1].map(Arg::new))
}

const JELLYFISH: &str = "random_regular";

/// Whether random regular networks are among these families.
pub fn has_jellyfish(families: &[String]) -> bool {
    families.is_empty() || families.iter().any(|name| name == JELLYFISH || name == "jellyfish")
}

/// What everybody builds on a chip: a mesh, a torus, and a mesh of routers with four tiles each, as square as can be.
pub fn on_chip(tiles: u64) -> Vec<Spec> {
    let sides = |nodes: u64| {
        let root = nodes.isqrt();
        let side = (2..=root).rev().find(|side| nodes.is_multiple_of(*side))?;
        Some([side, nodes / side].map(Arg::new))
    };
    let mut all = Vec::new();
    if let Some(sides) = sides(tiles) {
        all.push(Spec::new("mesh", sides.clone()));
        all.push(Spec::new("torus", sides));
    }
    if let Some(sides) = sides(tiles / 4).filter(|_| tiles.is_multiple_of(4)) {
        let routers = Arg::new(Spec::new("mesh", sides));
        all.push(Spec::new("hosts", [routers, Arg::new(4u64)]));
    }
    all
}

/// A direct network beside which others are compared.
#[derive(Clone, Copy, Debug)]
pub struct Usual {
    /// Its best known name.
    pub name: &'static str,
    /// Whether its shortest paths load all links alike; otherwise only optimized paths come near what links allow.
    pub even: bool,
}

/// The direct networks beside which others are compared.
pub const USUAL: [Usual; 4] = [
    Usual { name: "dragonfly", even: true },
    Usual { name: "slimfly", even: true },
    Usual { name: HYPERX, even: true },
    Usual { name: JELLYFISH, even: false },
];

/// Whether a network of that family can have the best name `usual`: seen without writing it.
pub fn may_be(usual: &str, family: &str) -> bool {
    usual == family || usual == HYPERX && ["folded", HYPERCUBE].contains(&family)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use nestnet_graph::{Budget, Csr};

    #[test]
    fn a_network_by_its_best_name_is_the_same() {
        for text in [
            "folded(complete(4), 2)",
            "folded(ring(5), 3)",
            "folded(path(3), 2)",
            "generalized_hypercube(3, 4)",
        ] {
            let spec = Spec::parse(text).unwrap();
            let named = best_name(&spec);
            assert_ne!(named.name, spec.name);
            let csr = |text: &str| {
                let network = build(text).unwrap().network.unwrap();
                Csr::from_network(&*network, &Budget::default()).unwrap()
            };
            assert_eq!(csr(text), csr(&named.to_string()), "{text} and {named}");
        }
        let other = Spec::parse("folded(petersen, 2)").unwrap();
        assert_eq!(best_name(&other), other);
    }
}
