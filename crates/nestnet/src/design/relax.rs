//! Which limit must give, and by how much, where nothing fits? Each limit alone, the others as they were.

use super::search::search;
use super::{Design, DesignError, Question, Relaxed};
use nestnet_graph::Budget;
use num_traits::ToPrimitive;

/// Degrees are doubled up to this one.
const MOST_DEGREE: u64 = 64;

pub(super) fn relax(question: &Question, budget: &Budget<'_>) -> Result<Relaxed, DesignError> {
    use super::Objective::{Degree, Diameter, Match};
    let ask = |objective, change: &dyn Fn(&mut Question)| -> Result<Design, DesignError> {
        let mut changed = Question { objectives: vec![objective], ..question.clone() };
        change(&mut changed);
        Ok(search(&changed, budget, &|_| ())?)
    };
    let mut relaxed = Relaxed::default();
    // The one row of a single objective is the best there is.
    if question.max_diameter.is_some() {
        let found = ask(Diameter, &|question| question.max_diameter = None)?;
        let high = found.front.first().and_then(|row| row.figures.diameter.as_ref()?.high.to_u64());
        relaxed.max_diameter = high;
    }
    if let Some(degree) = question.max_degree {
        let mut most = degree.saturating_mul(2).max(3);
        while relaxed.max_degree.is_none() && most <= MOST_DEGREE.max(degree.saturating_mul(2)) {
            let found = ask(Degree, &|question| question.max_degree = Some(most))?;
            relaxed.max_degree = found.front.first().map(|row| row.figures.degree);
            most = most.saturating_mul(2);
        }
    }
    let mut tolerance = question.tolerance;
    while relaxed.tolerance.is_none() && tolerance < 0.9 {
        tolerance = (tolerance * 2.0).clamp(0.02, 0.9);
        let found = ask(Match, &|question| question.tolerance = tolerance)?;
        relaxed.tolerance = found.front.first().and_then(|row| {
            let hosts = row.figures.hosts.to_f64()?;
            let wanted = question.nodes.to_f64()?;
            // Rounded up to a tenth of a percent, so that it is enough.
            Some((((hosts - wanted).abs() / wanted) * 1000.0).ceil() / 1000.0)
        });
    }
    Ok(relaxed)
}
