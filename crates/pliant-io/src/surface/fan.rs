//! Divides polygons into triangles.

/// Returns the triangles of a polygon, all from its first corner.
pub(super) fn fan<T: Copy>(corners: &[T]) -> impl Iterator<Item = [T; 3]> {
    corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]])
}
