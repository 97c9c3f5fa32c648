//! Words, a step shifts one letter in at either end: how far apart are two?

/// The least number of shifts that turn the word `x` into `y`, both of the same length k.
///
/// Exact for de Bruijn and Kautz words. See the shifts as a window of width k that moves along a tape; a cell gets a new
/// letter each time it enters the window. A walk that reaches at most `right` and `left` cells away from its start keeps
/// the k - right - left cells that never left the window, so a factor of x, from position i = right, is in y, at
/// position j; the window ends i - j to the right. With l letters kept the walk takes at least 2(k-l) - |i-j| steps,
/// and that many suffice: go to the near turning point first, and write the letters of y as their cells enter for the
/// last time, next to letters of y. With no letter kept, k steps suffice. (In a Kautz word, k steps need the last letter
/// of x to differ from the first of y; if they are equal, keeping that letter takes k-1.)
///
/// O(k²).
pub(super) fn shift_distance(x: &[u64], y: &[u64]) -> u64 {
    let k = x.len();
    let mut best = k;
    // The longest common factor that begins at position i of x and j of y, for one i and every j.
    let mut below = vec![0; k + 1];
    for i in (0..k).rev() {
        let mut row = vec![0; k + 1];
        for j in 0..k {
            if x[i] == y[j] {
                row[j] = below[j + 1] + 1;
                best = best.min(2 * (k - row[j]) - i.abs_diff(j));
            }
        }
        below = row;
    }
    best as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_distances() {
        assert_eq!(shift_distance(&[0, 1, 1], &[0, 1, 1]), 0);
        assert_eq!(shift_distance(&[0, 0, 0], &[1, 1, 1]), 3);
        // 0101 stays: one step to either side and back.
        assert_eq!(shift_distance(&[2, 0, 1, 0, 1, 2], &[3, 0, 1, 0, 1, 3]), 4);
    }
}
