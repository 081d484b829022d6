//! Adaptive degree: edges of quadratic tetrahedra are straight lines until they bend.

use glam::DVec3;

use crate::body::{MassMatrix, Model, State, Unknowns};
use crate::persist::{Reader, SnapshotError, Writer};
use crate::solver::config::AdaptiveConfig;
use pliant_kernels::element::{CellShape, Kind, edges};

/// Largest distance of the midpoint from the middle of a straight edge at rest, as a share of its length.
const STRAIGHT: f64 = 1e-9;

/// Chooses the degree of every edge (Bargteil & Cohen 2014, section 3.4).
///
/// A linear edge has no unknown: its midpoint is tied to the middle of its ends, and half of its mass and of the forces
/// on it go to each end ([`Unknowns::tie`]); a consistent mass becomes Pᵀ M P, with the same row sums. Momentum is conserved
/// whenever a degree changes: the momentum of a midpoint beyond the mean of its ends is given to them. It depends on row sums alone.
#[derive(Debug, Clone)]
pub struct Adaptive {
    config: AdaptiveConfig,
    edges: Vec<AdaptiveEdge>,
    /// tr K_aa/3 of the midpoints.
    stiffness: Vec<f64>,
    /// Velocities before the last step.
    v_before: Vec<DVec3>,
    /// Steps since the last choice in which no edge changed.
    waited: u32,
    /// The consistent mass of the body with all edges quadratic, if it is in use, and sums for its folding.
    whole_mass: Option<(MassMatrix, Vec<f64>)>,
}

/// The state of an edge that is straight at rest.
#[derive(Debug, Clone, Copy)]
struct AdaptiveEdge {
    middle: u32,
    ends: [u32; 2],
    /// Rest length, in m.
    length: f64,
    /// Mass of the midpoint while it is free, in kg.
    mass: f64,
    /// Steps since the degree last changed.
    age: u32,
}

/// The data from which degrees are chosen.
#[derive(Debug, Clone, Copy)]
pub struct Prediction<'a> {
    /// Elastic forces on nodes, with all cells quadratic.
    pub forces: &'a [DVec3],
    /// Acceleration of gravity, in m/s².
    pub gravity: DVec3,
    /// Length of the step, in s.
    pub h: f64,
}

impl Adaptive {
    /// All edges that can change. Every edge starts quadratic.
    pub fn new(model: &Model, unknowns: &Unknowns, config: AdaptiveConfig) -> Self {
        let (mesh, masses) = (model.mesh(), model.masses());
        let mut list = Vec::new();
        for (_, nodes) in mesh.cells().filter(|(kind, _)| *kind == Kind::Tet10) {
            for ([a, b], middle) in edges(CellShape::Tetrahedron).iter().zip(&nodes[4..]) {
                let ends = [nodes[*a].min(nodes[*b]), nodes[*a].max(nodes[*b])];
                list.push((*middle, ends));
            }
        }
        list.sort_unstable();
        list.dedup();
        let rest = &mesh.nodes;
        let edge = |(middle, ends): (u32, [u32; 2])| {
            let [a, b] = ends.map(|end| rest[end as usize]);
            let length = a.distance(b);
            let bow = rest[middle as usize].distance(0.5 * (a + b));
            let mass = masses[middle as usize];
            let free = unknowns.own(middle).is_some();
            (free && bow <= STRAIGHT * length).then_some(AdaptiveEdge {
                middle,
                ends,
                length,
                mass,
                age: u32::MAX,
            })
        };
        Self {
            config,
            edges: list.into_iter().filter_map(edge).collect(),
            stiffness: vec![0.0; rest.len()],
            v_before: vec![DVec3::ZERO; rest.len()],
            waited: 0,
            whole_mass: None,
        }
    }

    /// Keeps a copy of the consistent mass, if it is in use.
    #[must_use]
    pub(in crate::solver::implicit) fn with_mass(self, mass: Option<&MassMatrix>) -> Self {
        Self { whole_mass: mass.map(|mass| (mass.clone(), vec![0.0; mass.size()])), ..self }
    }

    /// Writes the consistent mass of the body with its ties.
    pub(in crate::solver::implicit) fn fold_mass(
        &mut self,
        unknowns: &Unknowns,
        mass: Option<&mut MassMatrix>,
    ) {
        if let (Some((whole, sums)), Some(mass)) = (&mut self.whole_mass, mass) {
            mass.fold(whole, |node| unknowns.ends(node), sums);
        }
    }

    /// Number of edges whose degree can change.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Makes all edges linear that can be, as at the start of a motion from rest.
    pub fn make_linear(&mut self, map: &mut Ties<'_>) {
        for index in 0..self.edges.len() {
            self.tie(index, map);
        }
    }

    /// Stores the velocities at the start of a step, and the stiffness of midpoints.
    pub fn note(&mut self, v: &[DVec3], write_stiffness: impl FnOnce(&mut [f64])) {
        self.v_before.copy_from_slice(v);
        self.stiffness.fill(0.0);
        write_stiffness(&mut self.stiffness);
    }

    /// True if no edge changes in this step, which begins with these velocities. All edges are looked at together, some steps apart: every
    /// choice costs an evaluation of forces, and every change new lists and a new mass. With more than half of `dwell`, edges bend too late.
    pub fn waits(&mut self, v: &[DVec3]) -> bool {
        let waits = self.waited < self.config.dwell / 2;
        if waits {
            self.waited += 1;
            self.v_before.copy_from_slice(v);
        }
        waits
    }

    /// Chooses the degree of all edges for the next step; returns the number of changes.
    pub fn choose(&mut self, prediction: &Prediction<'_>, map: &mut Ties<'_>) -> usize {
        let AdaptiveConfig { refine, coarsen, dwell } = self.config;
        let waited = std::mem::take(&mut self.waited);
        let mut changes = 0;
        for index in 0..self.edges.len() {
            let edge = self.edges[index];
            let age = edge.age.saturating_add(waited);
            self.edges[index].age = age.saturating_add(1);
            if age < dwell {
                continue;
            }
            let linear = map.unknowns.ends(edge.middle).is_some();
            let bow = self.predicted_bow(&edge, linear, prediction, map.state) / edge.length;
            if linear && bow > refine {
                self.untie(index, map);
                changes += 1;
            } else if !linear && bow < coarsen {
                self.tie(index, map);
                changes += 1;
            }
        }
        self.v_before.copy_from_slice(&map.state.v);
        changes
    }

    /// The distance between the midpoints of the two degrees after the step, in m.
    ///
    /// For a quadratic edge it follows from the state. For a linear edge it is predicted for a free midpoint: elastic
    /// force and gravity move it relative to its ends, against its own stiffness. Without that stiffness the prediction
    /// would be far too large for stiff edges at usual steps.
    ///
    /// ```text
    /// (m + h² k) Δ = h² [f + m (g − a)]        a the last acceleration of the ends
    /// ```
    fn predicted_bow(
        &self,
        edge: &AdaptiveEdge,
        linear: bool,
        prediction: &Prediction<'_>,
        state: &State,
    ) -> f64 {
        let Prediction { forces, gravity, h } = *prediction;
        let middle = edge.middle as usize;
        let mean = |values: &[DVec3]| {
            let [a, b] = edge.ends.map(|end| values[end as usize]);
            0.5 * (a + b)
        };
        if linear {
            let acceleration = (mean(&state.v) - mean(&self.v_before)) / h;
            let force = forces[middle] + edge.mass * (gravity - acceleration);
            (h * h * force / (edge.mass + h * h * self.stiffness[middle])).length()
        } else {
            let bow = state.x[middle] - mean(&state.x);
            (bow + h * (state.v[middle] - mean(&state.v))).length()
        }
    }

    /// Makes an edge linear.
    fn tie(&mut self, index: usize, map: &mut Ties<'_>) {
        let edge = &mut self.edges[index];
        if !map.unknowns.tie(edge.middle, edge.ends) {
            return;
        }
        edge.age = 0;
        let (middle, [a, b]) = (edge.middle as usize, edge.ends.map(|end| end as usize));
        map.masses[middle] = 0.0;
        map.masses[a] += 0.5 * edge.mass;
        map.masses[b] += 0.5 * edge.mass;
        // The momentum of the midpoint beyond the mean of its ends goes to the free ends.
        let State { x, v, .. } = &mut *map.state;
        let excess = edge.mass * (v[middle] - 0.5 * (v[a] + v[b]));
        let free = [a, b].map(|end| map.unknowns.own(end as u32).is_some());
        let carried: f64 = [a, b]
            .iter()
            .zip(free)
            .filter(|(_, free)| *free)
            .map(|(end, _)| map.masses[*end])
            .sum();
        for (end, free) in [a, b].into_iter().zip(free) {
            if free {
                v[end] += excess / carried;
            }
        }
        x[middle] = 0.5 * (x[a] + x[b]);
        v[middle] = 0.5 * (v[a] + v[b]);
    }

    /// Makes an edge quadratic; its midpoint starts in the middle, with the mean velocity.
    fn untie(&mut self, index: usize, map: &mut Ties<'_>) {
        let edge = &mut self.edges[index];
        if !map.unknowns.untie(edge.middle) {
            return;
        }
        edge.age = 0;
        let [a, b] = edge.ends.map(|end| end as usize);
        map.masses[edge.middle as usize] = edge.mass;
        map.masses[a] -= 0.5 * edge.mass;
        map.masses[b] -= 0.5 * edge.mass;
    }

    /// Changes the degree of an edge regardless of the prediction: for tests.
    pub fn flip(&mut self, index: usize, map: &mut Ties<'_>) {
        if map.unknowns.ends(self.edges[index].middle).is_some() {
            self.untie(index, map);
        } else {
            self.tie(index, map);
        }
        map.unknowns.place_tied(&mut map.state.x);
        map.unknowns.place_tied(&mut map.state.v);
    }

    /// The degree of the interpolation at every node: 1 for a tied or pinned midpoint and for corners
    /// all of whose edges are linear.
    pub fn degrees(&self, unknowns: &Unknowns, degrees: &mut [u8]) {
        for (node, degree) in (0u32..).zip(degrees.iter_mut()) {
            if unknowns.own(node).is_none() {
                *degree = 1;
            }
        }
        for edge in &self.edges {
            degrees[edge.middle as usize] = 1;
            edge.ends.iter().for_each(|end| degrees[*end as usize] = 1);
        }
        for edge in self.edges.iter().filter(|edge| unknowns.ends(edge.middle).is_none()) {
            degrees[edge.middle as usize] = 2;
            edge.ends.iter().for_each(|end| degrees[*end as usize] = 2);
        }
    }
}

/// Saves the state between steps, and which edges are tied.
impl Adaptive {
    pub(in crate::solver::implicit) fn save(&self, unknowns: &Unknowns, to: &mut Writer) {
        for edge in &self.edges {
            to.flag(unknowns.ends(edge.middle).is_some());
            to.u32(edge.age);
        }
        to.u32(self.waited);
        to.f64s(&self.stiffness);
        to.vectors(&self.v_before);
    }

    pub(in crate::solver::implicit) fn load(
        &mut self,
        unknowns: &mut Unknowns,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        for edge in &mut self.edges {
            if from.flag()? {
                unknowns.tie(edge.middle, edge.ends);
            } else {
                unknowns.untie(edge.middle);
            }
            edge.age = from.u32()?;
        }
        self.waited = from.u32()?;
        if self.waited > self.config.dwell {
            return Err(from.bad("the steps since the last choice of degrees"));
        }
        from.f64s(&mut self.stiffness)?;
        from.vectors(&mut self.v_before)
    }
}

/// The data that a change of degree modifies.
#[derive(Debug)]
pub struct Ties<'a> {
    /// The map to the unknowns.
    pub unknowns: &'a mut Unknowns,
    /// Lumped masses of nodes, in kg.
    pub masses: &'a mut [f64],
    /// The body's state.
    pub state: &'a mut State,
}
