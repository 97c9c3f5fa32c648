//! A network as a scene, and whether nothing in it lies on another.

use nestnet::draw::{Fold, Marks, Options, Plan, Scene, closest, scene};
use nestnet::{Built, Network, Watch};

pub fn network(built: &Built) -> &dyn Network {
    built.network.as_deref().expect("a small network")
}

pub fn drawn(built: &Built, plan: &Plan, fold: Fold) -> Scene {
    let options = Options { fold, ..Options::default() };
    scene(network(built), plan, options, &Marks::default(), &Watch::SILENT).unwrap()
}

pub fn assert_apart(spec: &str, scene: &Scene) {
    let dots: Vec<_> = scene.dots.iter().map(|dot| dot.at).collect();
    // The largest dot has a radius of 0.32.
    assert!(closest(&dots) > 0.98, "{spec}: dots {} apart", closest(&dots));
    for (i, a) in scene.outlines.iter().enumerate() {
        let others = scene.outlines[i + 1..].iter().filter(|b| b.depth == a.depth);
        others.for_each(|b| assert!(!a.hull.overlaps(&b.hull), "{spec}: clusters overlap"));
    }
}
