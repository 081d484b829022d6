//! Turning points of a sampled motion.

/// Times and values of the turning points of a motion sampled every `h` seconds, each at the vertex of the parabola through
/// three samples. The start, at rest, is the first.
pub(super) fn turning_points(values: &[f64], h: f64) -> Vec<(f64, f64)> {
    let mut points = vec![(0.0, values[0])];
    for (index, window) in values.windows(3).enumerate() {
        let [before, now, after] = [window[0], window[1], window[2]];
        let turns = (now - before) * (after - now) < 0.0;
        if turns {
            let bend = before - 2.0 * now + after;
            let shift = 0.5 * (before - after) / bend;
            let value = now - 0.25 * (before - after) * shift;
            points.push(((index as f64 + 1.0 + shift) * h, value));
        }
    }
    points
}
