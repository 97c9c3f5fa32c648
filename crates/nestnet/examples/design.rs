//! Which networks of 64 nodes and degree 4 are Pareto-optimal?

use nestnet::prelude::*;

pub(crate) fn main() -> Result<(), Error> {
    let question = Question { max_degree: Some(4), depth: 1, ..Question::new(64) };
    for row in question.design(Limits::default())?.front {
        let diameter = row.figures.diameter.map_or(String::new(), |known| known.high.to_string());
        println!("{}: degree {}, diameter {diameter}", row.figures.spec, row.figures.degree);
    }
    Ok(())
}
