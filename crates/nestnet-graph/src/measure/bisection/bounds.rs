//! How few links can the two sides of a bisection have between them, by a number that is known of the whole network?

use num_traits::ToPrimitive;

/// At least ⌈λ₂·a·b/n⌉ links join sides of a and b nodes.
///
/// The vector that is b on the one side and -a on the other is orthogonal to the constants, its square is a·b·n, and
/// its Laplacian form is n² for each link cut; so cut·n² ≥ λ₂·a·b·n. One part in 10⁹ is taken off for rounding.
pub fn spectral_bound(nodes: u64, lambda2: f64) -> u64 {
    let (a, b) = sides(nodes);
    round_up(lambda2 * (a * b) / nodes.max(1) as f64)
}

/// At least ⌈a·b/L⌉ links join sides of a and b nodes, L the largest load of a channel when every ordered pair sends 1.
///
/// From the one half to the other go a·b, all over the channels that lead across in that direction, of which there is
/// one for each link of the cut. The network must be connected: a pair without a path sends nothing.
pub fn congestion_bound(nodes: u64, max_load: f64) -> u64 {
    let (a, b) = sides(nodes);
    if max_load > 0.0 { round_up(a * b / max_load) } else { 0 }
}

fn sides(nodes: u64) -> (f64, f64) {
    ((nodes / 2) as f64, nodes.div_ceil(2) as f64)
}

/// The least integer that is certainly not below a value computed with rounding errors.
fn round_up(value: f64) -> u64 {
    let safe = value - value.abs() * 1e-9 - 1e-9;
    safe.max(0.0).ceil().to_u64().unwrap_or(0)
}
