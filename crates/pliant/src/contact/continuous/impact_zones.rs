//! ImpactZones that move as one.

use glam::{DMat3, DQuat, DVec3};

use crate::math::Groups;

use super::impacts::SweptHit;
use super::surface::{ContinuousSurface, SurfaceMotion, followed};
use super::swept_surface::SweptSurface;

/// Nodes that go on to collide whatever pushes them, in zones that move as rigid things for the rest of the step.
///
/// ```text
/// t = Σ m u / Σ m      ω = I⁻¹ Σ m r × u      x₁ = c + t + exp(ω) r,      r = x₀ − c
/// ```
///
/// - `u` what a node would move in the step, `r` where it begins, seen from the centre of mass `c`, in m; `m`
///   its mass in kg, `I` the moment of inertia of the zone
///
/// What moves as one does not collide with itself, and keeps momentum and angular momentum (Bridson et al. 2002, rigid
/// impact zones). A zone that meets something takes it in; in the end nothing meets. A zone in which something is pinned or
/// carried moves with that alone. Turning along straight ways brings things nearer by cos(ω/2): zones that meet
/// themselves do not turn.
#[derive(Debug, Clone, Default)]
pub(super) struct ImpactZones {
    groups: Groups,
    /// Where the members of each surface start: its nodes, or one for all of a carried one.
    starts: Vec<u32>,
    /// The surface of every member.
    owners: Vec<u32>,
    /// Where members would end, in m.
    ends: Vec<DVec3>,
    roles: Vec<ZoneRole>,
    /// Whether something of a surface is in a zone.
    moved: Vec<bool>,
    nodes: Vec<u32>,
}

/// What a node has to do with zones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ZoneRole {
    Free,
    Zone,
    /// Its zone does not turn.
    Straight,
}

/// Turns by more than this in a step, in rad, are left out: ways are straight, not arcs.
const LARGEST_TURN: f64 = 0.3;

impl ImpactZones {
    /// Starts without zones from where the step has led to.
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

    /// Takes what met into zones. Tells whether that changes anything.
    pub(super) fn take_in(
        &mut self,
        hits: &[SweptHit],
        surfaces: &[ContinuousSurface<'_>],
    ) -> bool {
        let mut changed = false;
        // First what is in one zone already: there nothing would meet if the zone did not turn.
        for hit in hits {
            self.list(hit, surfaces);
            let root = self.groups.first(self.nodes[0]);
            let together = self.nodes.iter().all(|node| self.groups.first(*node) == root);
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

    /// Puts two members into one zone; tells whether they were not.
    fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.groups.first(a), self.groups.first(b));
        let role = self.roles[a as usize].max(self.roles[b as usize]).max(ZoneRole::Zone);
        let known = a == b && self.roles[a as usize] == role;
        self.groups.join(a, b);
        self.roles[a.min(b) as usize] = role;
        !known
    }

    /// Lists the members that a hit is about.
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

    /// Moves all zones. Returns how many nodes are in them.
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

/// A rigid motion over a step.
#[derive(Debug, Clone, Copy)]
struct ZoneMotion {
    centre: DVec3,
    way: DVec3,
    turn: DQuat,
}

impl ZoneMotion {
    fn carry(&self, x: DVec3) -> DVec3 {
        self.centre + self.way + self.turn * (x - self.centre)
    }

    /// Of nodes, by surface and number, that would end there; of those that are prescribed alone, if there are any.
    fn of_zone(
        places: impl Iterator<Item = (usize, usize, DVec3)> + Clone,
        surfaces: &[ContinuousSurface<'_>],
        turns: bool,
    ) -> Self {
        let (mut free, mut held) = (ZoneSums::default(), ZoneSums::default());
        for pass in [ZoneSums::add, ZoneSums::add_turn] {
            for (owner, node, end) in places.clone() {
                match &surfaces[owner].motion {
                    SurfaceMotion::Nodes { x0, inverse_masses, .. } => {
                        let (x, w) = (x0[node], inverse_masses[node]);
                        let (sums, m) =
                            if w > 0.0 { (&mut free, 1.0 / w) } else { (&mut held, 1.0) };
                        pass(sums, m, x, end - x);
                    }
                    SurfaceMotion::Prescribed { begin, end } => {
                        begin.iter().zip(*end).for_each(|(x, y)| pass(&mut held, 1.0, *x, *y - *x));
                    }
                }
            }
        }
        if held.mass > 0.0 { held.motion(turns) } else { free.motion(turns) }
    }
}

/// ZoneSums over masses at places x that move by u.
#[derive(Debug, Clone, Copy, Default)]
struct ZoneSums {
    mass: f64,
    /// Σ m x and Σ m u.
    place: DVec3,
    way: DVec3,
    inertia: DMat3,
    /// Σ m r × u.
    spin: DVec3,
}

impl ZoneSums {
    fn add(&mut self, m: f64, x: DVec3, u: DVec3) {
        self.mass += m;
        self.place += m * x;
        self.way += m * u;
    }

    /// After all have been added.
    fn add_turn(&mut self, m: f64, x: DVec3, u: DVec3) {
        let r = x - self.place / self.mass;
        let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        self.inertia += m * (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer);
        self.spin += m * r.cross(u);
    }

    fn motion(&self, turns: bool) -> ZoneMotion {
        /// Part of the largest moment that all have at least: nodes on a line have none about it.
        const LEAST_MOMENT: f64 = 1e-9;
        let largest = self.inertia.x_axis.x + self.inertia.y_axis.y + self.inertia.z_axis.z;
        let inertia = self.inertia + DMat3::from_diagonal(DVec3::splat(LEAST_MOMENT * largest));
        let turn = if turns && largest > 0.0 { inertia.inverse() * self.spin } else { DVec3::ZERO };
        let small = turn.length() < LARGEST_TURN;
        let turn = if small { DQuat::from_scaled_axis(turn) } else { DQuat::IDENTITY };
        ZoneMotion { centre: self.place / self.mass, way: self.way / self.mass, turn }
    }
}
