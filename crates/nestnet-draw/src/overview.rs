//! What does a network of any size look like from outside, as a picture?

use super::atlas::Atlas;
use super::bundle::Bundle;
use super::layer::Cord;
use super::place::Places;
use super::scene::{Chosen, Marks, Scene, composed};
use super::view::{self, Most, ViewError};
use nestnet_graph::measure::Watch;
use std::borrow::Cow;

/// The picture of a network of any size, as the page shows it from outside: by its rule where there are no node ids.
/// Nothing where no rule says how its cells are joined.
pub fn scene_of_atlas(
    atlas: &Atlas,
    most: Most,
    watch: &Watch<'_>,
) -> Result<Option<Scene>, ViewError> {
    let plan = atlas.plan();
    let (depth, Some(links)) = view::shown(atlas, &[], most, watch)? else { return Ok(None) };
    let bundles = links.cords.iter().map(Bundle::of).collect();
    let plan = Cow::Borrowed(plan);
    let chosen = Chosen { plan, depth, bundles, uneven: false, counts: None };
    let mut scene = composed(&chosen, None, &Marks::default());
    // There may be more links than fit into the number of a bundle.
    let places = Places::new(&chosen.plan, depth);
    let shared = |cord: &Cord| {
        let [a, b] = [cord.from, cord.to].map(|cell| places.digits(cell as u64));
        a.iter().zip(&b).take_while(|(x, y)| x == y).count()
    };
    let mut cords = links.cords;
    cords.sort_by_key(shared);
    scene.lines.iter_mut().zip(cords).for_each(|(line, cord)| line.links = cord.links);
    Ok(Some(scene))
}
