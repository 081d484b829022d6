//! Divides triangle strips into triangles.

/// Returns the triangles of a strip: each vertex after the first two forms one with the two before it.
///
/// Every second triangle is reversed, so that all have the orientation of the first. Triangles with a repeated
/// vertex, which connect two strips, have no area and are left out; they still count for the orientation.
pub(super) fn strip(corners: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let triangles = corners.windows(3).enumerate().map(|(k, run)| match k % 2 {
        0 => [run[0], run[1], run[2]],
        _ => [run[1], run[0], run[2]],
    });
    triangles.filter(|[a, b, c]| a != b && b != c && c != a)
}
