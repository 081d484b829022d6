//! The earliest hits of vertices and edges.

use super::swept_hit::SweptHit;

/// Selects the earliest hits of every vertex and edge. A vertex or edge that is stopped at its earliest hit does not reach the later ones.
///
/// In a step of fast bodies a vertex crosses many triangles, also on the far side of a body. After the impulses that stop it at the
/// first, the next round finds the hits that remain.
#[derive(Debug, Clone, Default)]
pub(in crate::contact::continuous) struct EarliestHits {
    /// Vertex or edge, time of its hit, and index of the hit.
    entries: Vec<([u32; 3], f64, u32)>,
    chosen: Vec<u32>,
    hits: Vec<SweptHit>,
}

/// Hits within this part of the step after the earliest count as simultaneous with it.
const SIMULTANEOUS: f64 = 0.1;

impl EarliestHits {
    /// Hits that are the earliest of some vertex or edge, in their order.
    pub(in crate::contact::continuous) fn of(&mut self, hits: &[SweptHit]) -> &[SweptHit] {
        self.entries.clear();
        for (index, hit) in (0u32..).zip(hits) {
            self.entries.extend(hit.stoppable().map(|what| (what, hit.time, index)));
        }
        self.entries
            .sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        self.chosen.clear();
        for of_one in self.entries.chunk_by(|a, b| a.0 == b.0) {
            let first = of_one[0].1;
            let soon = of_one.iter().take_while(|(_, time, _)| *time <= first + SIMULTANEOUS);
            self.chosen.extend(soon.map(|(.., index)| *index));
        }
        // Back to the order of the hits: a hit may be the earliest of both its features.
        self.chosen.sort_unstable();
        self.chosen.dedup();
        self.hits.clear();
        self.hits.extend(self.chosen.iter().map(|index| hits[*index as usize]));
        &self.hits
    }
}
