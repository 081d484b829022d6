//! Rigid impact zones.

use glam::DVec3;

use pliant_kernels::math::DisjointSets;

use super::hits::swept_hit::SweptHit;
use super::surface::{ContinuousSurface, SurfaceMotion, followed};
use super::swept_surface::SweptSurface;
use super::zone_motion::ZoneMotion;

/// Nodes that collide in spite of impulses, grouped in zones that move rigidly for the rest of the step.
///
/// ```text
/// t = Σ m u / Σ m      ω = I⁻¹ Σ m r × u      x₁ = c + t + exp(ω) r,      r = x₀ − c
/// ```
///
/// - `u` free displacement of a node in the step, `r` its start, relative to the centre of mass `c`, in m; `m`
///   its mass in kg, `I` the moment of inertia of the zone
///
/// Nodes in rigid motion do not collide with each other, and the zone conserves momentum and angular momentum (Bridson et al. 2002,
/// rigid impact zones). A zone that hits other nodes absorbs them; at last there are no hits. A zone with pinned or prescribed nodes
/// moves with these alone. Rotation along straight paths shortens distances by cos(ω/2): zones that hit themselves do not rotate.
#[derive(Debug, Clone, Default)]
pub(super) struct ImpactZones {
    groups: DisjointSets,
    /// First member of each surface: its nodes, or one member for a prescribed surface.
    starts: Vec<u32>,
    /// The surface of every member.
    owners: Vec<u32>,
    /// Free ends of the members, in m.
    ends: Vec<DVec3>,
    roles: Vec<ZoneRole>,
    /// True for surfaces with a node in a zone.
    moved: Vec<bool>,
    nodes: Vec<u32>,
}

/// The state of a node or of the zone it represents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ZoneRole {
    Free,
    Zone,
    /// In a zone without rotation.
    Straight,
}

impl ImpactZones {
    /// Starts without zones, from the ends of the step.
    pub(super) fn begin(&mut self, surfaces: &[ContinuousSurface<'_>]) {
        self.starts.clear();
        self.owners.clear();
        self.ends.clear();
        for (index, surface) in (0u32..).zip(surfaces) {
            self.starts.push(self.ends.len() as u32);
            match &surface.motion {
                SurfaceMotion::Nodes { x1, .. } => self.ends.extend_from_slice(x1),
                SurfaceMotion::Prescribed { .. } => self.ends.push(DVec3::ZERO),
            }
            self.owners.resize(self.ends.len(), index);
        }
        self.groups.reset(self.ends.len());
        self.roles.clear();
        self.roles.resize(self.ends.len(), ZoneRole::Free);
        for (surface, start) in surfaces.iter().zip(&self.starts) {
            if let SurfaceMotion::Nodes { x1, rigid: true, .. } = &surface.motion {
                (1..x1.len() as u32).for_each(|node| self.groups.join(*start, *start + node));
            }
        }
    }

    /// Adds the features of hits to zones. Returns true if a zone changed.
    pub(super) fn absorb(&mut self, hits: &[SweptHit], surfaces: &[ContinuousSurface<'_>]) -> bool {
        let mut changed = false;
        // Hits within one zone first: without rotation of the zone they do not occur.
        for hit in hits {
            self.list(hit, surfaces);
            let root = self.groups.find(self.nodes[0]);
            let together = self.nodes.iter().all(|node| self.groups.find(*node) == root);
            if together && self.roles[root as usize] == ZoneRole::Zone {
                self.roles[root as usize] = ZoneRole::Straight;
                changed = true;
            }
        }
        for hit in hits {
            self.list(hit, surfaces);
            for node in 0..self.nodes.len() {
                changed |= self.join(self.nodes[0], self.nodes[node]);
            }
        }
        changed
    }

    /// Joins two members into one zone; returns true if that is a change.
    fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.groups.find(a), self.groups.find(b));
        let role = self.roles[a as usize].max(self.roles[b as usize]).max(ZoneRole::Zone);
        let known = a == b && self.roles[a as usize] == role;
        self.groups.join(a, b);
        self.roles[a.min(b) as usize] = role;
        !known
    }

    /// Lists the members of a hit.
    fn list(&mut self, hit: &SweptHit, surfaces: &[ContinuousSurface<'_>]) {
        self.nodes.clear();
        for (surface, feature) in hit.surfaces.iter().zip(&hit.features) {
            let start = self.starts[*surface as usize];
            let SurfaceMotion::Nodes { skin, ties, .. } = &surfaces[*surface as usize].motion
            else {
                self.nodes.push(start);
                continue;
            };
            for vertex in feature.vertices() {
                let nodes = skin.weights(*vertex as usize);
                let nodes = nodes.flat_map(|(node, _)| followed(*ties, node));
                self.nodes.extend(nodes.map(|(node, _)| start + node));
            }
        }
    }

    /// Moves all zones. Returns the number of their nodes.
    pub(super) fn apply(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        swept_surfaces: &mut [SweptSurface],
    ) -> usize {
        let Self { groups, starts, owners, ends, roles, moved, .. } = self;
        moved.clear();
        moved.resize(surfaces.len(), false);
        let mut count = 0;
        for members in groups.iter().filter(|members| roles[members[0] as usize] > ZoneRole::Free) {
            let places = members.iter().map(|member| {
                let owner = owners[*member as usize] as usize;
                (owner, (member - starts[owner]) as usize, ends[*member as usize])
            });
            let turns = roles[members[0] as usize] == ZoneRole::Zone;
            let motion = ZoneMotion::of_zone(places.clone(), surfaces, turns);
            for (owner, node, _) in places {
                let SurfaceMotion::Nodes { x0, x1, inverse_masses, .. } =
                    &mut surfaces[owner].motion
                else {
                    continue;
                };
                if inverse_masses[node] > 0.0 {
                    x1[node] = motion.carry(x0[node]);
                    moved[owner] = true;
                    count += 1;
                }
            }
        }
        for ((swept, surface), _) in
            swept_surfaces.iter_mut().zip(surfaces).zip(moved).filter(|of| *of.1)
        {
            swept.follow(surface);
        }
        count
    }
}
