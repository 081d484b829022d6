//! Joins edges in any order into closed loops.

/// Closed loops of vertices that pass all edges once, each in its direction.
///
/// Edges present in both directions bound nothing and are dropped.
pub(super) fn loops(edges: &[[u32; 2]]) -> Vec<Vec<u32>> {
    let mut edges = edges.to_vec();
    edges.sort_unstable();
    let edges = without_opposites(&edges);
    let mut used = vec![false; edges.len()];
    let mut found = Vec::new();
    for first in 0..edges.len() {
        if used[first] {
            continue;
        }
        let (mut ring, mut at) = (Vec::new(), first);
        loop {
            used[at] = true;
            ring.push(edges[at][0]);
            let after = edges[at][1];
            let from = edges.partition_point(|edge| edge[0] < after);
            let next = (from..edges.len()).take_while(|k| edges[*k][0] == after);
            match next.into_iter().find(|k| !used[*k]) {
                Some(next) => at = next,
                None => break,
            }
        }
        found.push(ring);
    }
    found
}

/// Sorted edges without pairs of opposite directions.
fn without_opposites(edges: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let count = |edge: [u32; 2]| {
        let from = edges.partition_point(|other| *other < edge);
        edges[from..].iter().take_while(|other| **other == edge).count()
    };
    let mut left = Vec::with_capacity(edges.len());
    for run in edges.chunk_by(|a, b| a == b) {
        let [a, b] = run[0];
        let single = run.len().saturating_sub(count([b, a]));
        left.extend(run.iter().take(single));
    }
    left
}
