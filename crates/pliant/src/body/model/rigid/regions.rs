//! Regions of a body that do not deform.

use glam::{DMat3, DVec3};

use crate::body::hold::unknowns::Unknowns;
use crate::body::model::model::Model;
use crate::body::state::State;
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use pliant_kernels::math::{DisjointSets, Mat3, PointMasses, polar_rotation};

/// Weight of a pinned node, in masses of its region: large enough for the region to follow its pins.
const PINNED_WEIGHT: f64 = 1e6;

/// Regions of a body whose cells are rigid while the rest deforms (Mezger et al. 2007, section 8, name them as future
/// work).
///
/// Solvers move such a region by its six rigid velocities only, as far as pins leave them free. Rotating along
/// straight lines leaves a second-order error at the end of a step, which is then removed: positions become those of
/// the nearest rigid motion of the shape, velocities those with the same momentum and angular momentum,
///
/// ```text
/// x = c + R (X − C)        v = u + ω × (x − c)
/// ```
///
/// - `X` the shape, in m; `C` and `c` its centre of mass before and now
/// - `R` the polar factor of Σ m (x − c)(X − C)ᵀ, `m` the lumped mass of a node, in kg
/// - `u = Σ m v/Σ m`, `ω = I⁻¹ Σ m (x − c) × v` with the inertia I of the nodes as they are placed
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RigidRegions {
    regions: Vec<RigidRegion>,
}

/// One rigid region.
#[derive(Debug, Clone, PartialEq)]
struct RigidRegion {
    /// Its nodes, in ascending order.
    nodes: Vec<u32>,
    /// Weight of each node: its mass in kg, or much more if it is pinned.
    weights: Vec<f64>,
    /// The shape that it keeps, in m.
    form: Vec<DVec3>,
}

impl RigidRegions {
    /// The rigid regions of a model; they keep the shape of the node positions `x`.
    pub(crate) fn of(model: &Model, unknowns: &Unknowns, x: &[DVec3]) -> Self {
        let region = |nodes: Vec<u32>| {
            let masses: Vec<f64> =
                nodes.iter().map(|node| model.masses()[*node as usize]).collect();
            let held = PINNED_WEIGHT * masses.iter().sum::<f64>();
            let weigh = |(node, mass): (&u32, &f64)| match unknowns.own(*node) {
                Some(_) => *mass,
                None => held,
            };
            let weights = nodes.iter().zip(&masses).map(weigh).collect();
            let form = nodes.iter().map(|node| x[*node as usize]).collect();
            RigidRegion { nodes, weights, form }
        };
        Self { regions: model.rigid_regions().into_iter().map(region).collect() }
    }

    /// True if the whole body deforms.
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    /// Nodes of each region, in ascending order.
    pub fn nodes(&self) -> impl Iterator<Item = &[u32]> {
        self.regions.iter().map(|region| &*region.nodes)
    }

    /// Moves every region to the nearest rigid motion of its shape, with the same momenta. Pinned nodes stay.
    pub(crate) fn settle(&self, unknowns: &Unknowns, state: &mut State) {
        for region in &self.regions {
            let spin = region.momentum(state);
            region.place(unknowns, &mut state.x);
            // Free nodes pull the fit slightly away from the pinned ones; a second fit from the new positions hardly
            // does.
            if region.nodes.iter().any(|node| unknowns.own(*node).is_none()) {
                region.place(unknowns, &mut state.x);
            }
            region.turn(spin, unknowns, state);
        }
    }

    /// Makes velocities at `x` those of rigid motions, with the same momenta. Prescribed velocities stay, and
    /// dominate by their weight.
    pub(crate) fn settle_velocities(&self, unknowns: &Unknowns, x: &[DVec3], v: &mut [DVec3]) {
        for region in &self.regions {
            let PointMasses { mass, centre, inertia } = region.masses(x);
            let mean = region.mean(v, mass);
            let moment = region.moment(centre, mean, x, v);
            let omega = inertia.inverse() * moment;
            for node in region.nodes.iter().filter(|node| unknowns.own(**node).is_some()) {
                let node = *node as usize;
                v[node] = mean + omega.cross(x[node] - centre);
            }
        }
    }
}

impl RigidRegion {
    fn weighted(&self) -> impl Iterator<Item = (usize, f64)> + Clone {
        self.nodes.iter().map(|node| *node as usize).zip(self.weights.iter().copied())
    }

    fn masses(&self, x: &[DVec3]) -> PointMasses {
        PointMasses::of(self.weighted().map(|(node, weight)| (x[node], weight)))
    }

    fn mean(&self, values: &[DVec3], mass: f64) -> DVec3 {
        self.weighted().map(|(node, weight)| weight * values[node]).sum::<DVec3>() / mass
    }

    /// The present centre c, the rotation R and the centre C of the shape.
    fn pose(&self, x: &[DVec3]) -> (DVec3, DMat3, DVec3) {
        let mass: f64 = self.weights.iter().sum();
        let centre = self.mean(x, mass);
        let forms = self.form.iter().zip(&self.weights);
        let origin = forms.map(|(form, weight)| *weight * *form).sum::<DVec3>() / mass;
        let mut covariance = DMat3::ZERO;
        for ((node, weight), form) in self.weighted().zip(&self.form) {
            let (now, arm) = (weight * (x[node] - centre), *form - origin);
            covariance += DMat3::from_cols(now * arm.x, now * arm.y, now * arm.z);
        }
        (centre, polar_rotation(&Mat3::from(covariance)).into(), origin)
    }

    /// Moves free nodes to the nearest rigid motion.
    fn place(&self, unknowns: &Unknowns, x: &mut [DVec3]) {
        let (centre, rotation, origin) = self.pose(x);
        let free = |node: &u32| unknowns.own(*node).is_some();
        for (node, form) in self.nodes.iter().zip(&self.form).filter(|(node, _)| free(node)) {
            x[*node as usize] = centre + rotation * (*form - origin);
        }
    }

    /// Velocity of the centre, and angular momentum about it.
    fn momentum(&self, State { x, v, .. }: &State) -> (DVec3, DVec3) {
        let mass = self.weights.iter().sum();
        let mean = self.mean(v, mass);
        (mean, self.moment(self.mean(x, mass), mean, x, v))
    }

    fn moment(&self, centre: DVec3, mean: DVec3, x: &[DVec3], v: &[DVec3]) -> DVec3 {
        let arms = self.weighted().map(|(node, weight)| (x[node] - centre, weight, v[node]));
        arms.map(|(arm, weight, v)| weight * arm.cross(v - mean)).sum()
    }

    /// Sets the velocities of free nodes from the velocity of the centre and the angular momentum.
    fn turn(&self, (mean, moment): (DVec3, DVec3), unknowns: &Unknowns, state: &mut State) {
        let PointMasses { centre, inertia, .. } = self.masses(&state.x);
        let omega = inertia.inverse() * moment;
        for node in self.nodes.iter().filter(|node| unknowns.own(**node).is_some()) {
            let node = *node as usize;
            state.v[node] = mean + omega.cross(state.x[node] - centre);
        }
    }
}

/// Shapes are saved: a region may have become rigid in another shape than the one at rest.
impl Persist for RigidRegions {
    fn save(&self, to: &mut Writer) {
        self.regions.iter().for_each(|region| to.vectors(&region.form));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.regions.iter_mut().try_for_each(|region| from.vectors(&mut region.form))?;
        let mut forms = self.regions.iter().flat_map(|region| &region.form);
        if forms.all(|x| x.is_finite()) { Ok(()) } else { Err(from.bad("forms of rigid regions")) }
    }
}

impl Model {
    /// The nodes of every rigid region in ascending order. A region is a set of connected cells of rigid materials.
    pub fn rigid_regions(&self) -> Vec<Vec<u32>> {
        if !self.materials.iter().any(|material| material.rigid) {
            return Vec::new();
        }
        let node_count = self.mesh.nodes.len();
        let (mut groups, mut used) = (DisjointSets::new(node_count), vec![false; node_count]);
        let cells = self.mesh.cells().enumerate();
        for (_, (_, nodes)) in cells.filter(|(cell, _)| self.material(*cell).rigid) {
            for node in nodes {
                used[*node as usize] = true;
                groups.join(nodes[0], *node);
            }
        }
        // All nodes of a group are used, or it is one node that no rigid cell has.
        groups.iter().filter(|group| used[group[0] as usize]).map(<[u32]>::to_vec).collect()
    }
}
