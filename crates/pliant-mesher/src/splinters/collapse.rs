//! Collapses edges of no length.

use std::collections::BTreeMap;

use super::shell::{Facet, Shell};

/// Edges shorter than this fraction of the solid's size have no length: cuts through a vertex leave such edges.
const MIN_RELATIVE_LENGTH: f64 = 1e-12;

impl Shell {
    /// Collapses edges without length where the surface stays manifold.
    pub(super) fn collapse(&mut self, size: f64) {
        let shortest_squared = (MIN_RELATIVE_LENGTH * size).powi(2);
        let is_short = |facet: &Facet, k: usize, points: &[glam::DVec3]| {
            let [a, b] = [facet.corners[k], facet.corners[(k + 1) % 3]];
            points[a as usize].distance_squared(points[b as usize]) <= shortest_squared
        };
        let short = |shell: &Self| {
            let facets = shell.facets.iter();
            let mut edges: Vec<[u32; 2]> = facets
                .flat_map(|facet| (0..3).map(move |k| (facet, k)))
                .filter(|(facet, k)| is_short(facet, *k, &shell.points))
                .map(|(facet, k)| [facet.corners[k], facet.corners[(k + 1) % 3]])
                .map(|[a, b]| [a.min(b), a.max(b)])
                .collect();
            edges.sort_unstable();
            edges.dedup();
            edges
        };
        // Each pass tries all short edges; a collapse may make others possible in the next pass.
        for _ in 0..8 {
            let edges = short(self);
            if edges.is_empty() || !self.collapse_some(&edges) {
                break;
            }
        }
        self.drop_unused();
    }

    /// Collapses these edges where possible; returns true if any was collapsed.
    fn collapse_some(&mut self, edges: &[[u32; 2]]) -> bool {
        let mut around: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        edges.iter().flatten().for_each(|vertex| drop(around.insert(*vertex, Vec::new())));
        for (number, facet) in self.facets.iter().enumerate() {
            for vertex in facet.corners {
                around.entry(vertex).and_modify(|list| list.push(number as u32));
            }
        }
        let mut gone = vec![false; self.facets.len()];
        let mut left = self.facets.len();
        // An edge collapse removes the two triangles at the edge. The link condition keeps the surface manifold, and a
        // closed surface needs at least four triangles.
        for [keep, leave] in edges {
            let [kept, leaving] = [keep, leave].map(|vertex| around[vertex].clone());
            let live = |list: &[u32]| {
                list.iter().copied().filter(|facet| !gone[*facet as usize]).collect::<Vec<_>>()
            };
            let (kept, leaving) = (live(&kept), live(&leaving));
            let shared: Vec<u32> =
                leaving.iter().copied().filter(|facet| kept.contains(facet)).collect();
            if shared.len() != 2 || left <= 4 || !self.link_holds(&kept, &leaving, *keep, *leave) {
                continue;
            }
            for facet in &leaving {
                let corners = &mut self.facets[*facet as usize].corners;
                corners.iter_mut().filter(|vertex| **vertex == *leave).for_each(|v| *v = *keep);
                gone[*facet as usize] |= shared.contains(facet);
            }
            left -= 2;
            around.entry(*keep).or_default().extend(leaving);
            around.insert(*leave, Vec::new());
        }
        let mut flags = gone.iter();
        self.facets.retain(|_| !flags.next().copied().unwrap_or(false));
        left < gone.len()
    }

    /// The link condition: true if the ends of an edge have only the two opposite vertices as common neighbours.
    fn link_holds(&self, kept: &[u32], leaving: &[u32], keep: u32, leave: u32) -> bool {
        let ring = |facets: &[u32], centre: u32| {
            let corners = facets.iter().flat_map(|facet| self.facets[*facet as usize].corners);
            let mut ring: Vec<u32> = corners.filter(|vertex| *vertex != centre).collect();
            ring.sort_unstable();
            ring.dedup();
            ring
        };
        let (a, b) = (ring(kept, keep), ring(leaving, leave));
        b.iter().filter(|vertex| a.binary_search(vertex).is_ok()).count() == 2
    }

    /// Drops points that no triangle uses.
    pub(super) fn drop_unused(&mut self) {
        let mut used = vec![false; self.points.len()];
        self.facets.iter().flat_map(|facet| facet.corners).for_each(|k| used[k as usize] = true);
        if used.iter().all(|used| *used) {
            return;
        }
        let mut new = vec![0; used.len()];
        let mut points = Vec::new();
        for (vertex, _) in used.iter().enumerate().filter(|(_, used)| **used) {
            new[vertex] = points.len() as u32;
            points.push(self.points[vertex]);
        }
        self.points = points;
        for facet in &mut self.facets {
            facet.corners = facet.corners.map(|vertex| new[vertex as usize]);
        }
    }
}
