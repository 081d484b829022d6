//! What is met first.

use super::impacts::SweptHit;

/// Of all that a vertex or an edge meets on its way, what it meets first: it will not get to the rest.
///
/// In a step of fast things a vertex crosses many triangles, the far side of a body among them. Impulses that stop it at the
/// first need not know of the others; those that are in its way after that are found in the next round.
#[derive(Debug, Clone, Default)]
pub(super) struct EarliestHits {
    /// Vertices and edges, when they meet something, and the hit.
    entries: Vec<([u32; 3], f64, u32)>,
    chosen: Vec<u32>,
    hits: Vec<SweptHit>,
}

/// What is met within this part of the step after the first is met at once.
const SIMULTANEOUS: f64 = 0.1;

impl EarliestHits {
    /// Hits in which something meets its first, in their order.
    pub(super) fn of(&mut self, hits: &[SweptHit]) -> &[SweptHit] {
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
        self.chosen.sort_unstable();
        self.chosen.dedup();
        self.hits.clear();
        self.hits.extend(self.chosen.iter().map(|index| hits[*index as usize]));
        &self.hits
    }
}
