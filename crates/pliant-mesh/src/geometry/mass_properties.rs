//! Volume, centre and second moment of solids.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::{Shape, ShapeError, SolidError, Surface};

/// The geometric quantities that determine the inertia of a solid of uniform density.
///
/// ```
/// use glam::DVec3;
/// use pliant_mesh::geometry::Shape;
///
/// let cube = Shape::Box { half: DVec3::splat(0.5) }.mass_properties()?;
/// assert_eq!(cube.volume, 1.0);
/// // I = m (b² + c²)/12
/// assert!((cube.inertia(3.0).x_axis.x - 0.5).abs() < 1e-15);
/// # Ok::<(), pliant_mesh::geometry::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// V, in m³.
    pub volume: f64,
    /// Centre of mass c, in m.
    pub centre: DVec3,
    /// J = ∫ (x − c)(x − c)ᵀ dV, in m⁵.
    pub second_moment: DMat3,
}

impl MassProperties {
    /// Returns the inertia tensor about the centre of mass, ρ (tr J I − J), in kg·m², for a density ρ in kg/m³.
    pub fn inertia(&self, density: f64) -> DMat3 {
        let j = self.second_moment;
        let trace = j.x_axis.x + j.y_axis.y + j.z_axis.z;
        density * (DMat3::from_diagonal(DVec3::splat(trace)) - j)
    }
}

impl Shape {
    /// Returns the volume, centre and second moment, by textbook formulas.
    ///
    /// # Errors
    ///
    /// Fails for values out of range, and for a plane, which is unbounded.
    pub fn mass_properties(&self) -> Result<MassProperties, ShapeError> {
        self.check()?;
        let (volume, second_moment) = match *self {
            Self::Plane { .. } => return Err(ShapeError::Unbounded),
            Self::Sphere { radius } => ball(radius),
            Self::Box { half } => {
                let volume = 8.0 * half.element_product();
                (volume, volume / 3.0 * half * half)
            }
            Self::Capsule { half_length, radius } => capsule(half_length, radius),
            Self::Surface(ref surface) => return Ok(surface.surface().mass_properties()?),
        };
        let second_moment = DMat3::from_diagonal(second_moment);
        Ok(MassProperties { volume, centre: DVec3::ZERO, second_moment })
    }
}

/// V = 4/3 π r³, J = V r²/5.
fn ball(r: f64) -> (f64, DVec3) {
    let volume = 4.0 / 3.0 * PI * r.powi(3);
    (volume, DVec3::splat(volume * r * r / 5.0))
}

/// Volume and second moment of a cylinder of length 2l with two half balls, whose centres lie 3r/8 beyond its ends.
///
/// ```text
/// J_yy = V_c l²/3 + V_b (r²/5 + 3 l r/4 + l²)        J_xx = J_zz = V_c r²/4 + V_b r²/5
/// ```
fn capsule(l: f64, r: f64) -> (f64, DVec3) {
    let cylinder = 2.0 * PI * r * r * l;
    let (ends, round) = ball(r);
    let across = cylinder * r * r / 4.0 + round.x;
    let along = cylinder * l * l / 3.0 + round.y + ends * l * (0.75 * r + l);
    (cylinder + ends, DVec3::new(across, along, across))
}

impl Surface {
    /// Returns the volume, centre and second moment of the solid inside a closed surface, by the divergence theorem:
    /// sums over the tetrahedra between its triangles and one point.
    ///
    /// ```text
    /// V = Σ d/6      c = Σ d/24 (a + b + c)      J = Σ d/120 (aaᵀ + bbᵀ + ccᵀ + ssᵀ)
    /// ```
    ///
    /// - `d` = a · (b × c), `s` = a + b + c, for corners a, b, c relative to that point; the sum for the centre still
    ///   has to be divided by V
    ///
    /// # Errors
    ///
    /// Fails if the surface is open, flat or inside out, or has vertices that are not finite.
    pub fn mass_properties(&self) -> Result<MassProperties, SolidError> {
        self.check_closed()?;
        let (low, high) = self.bounds();
        let size = (high - low).length();
        // Relative to the middle of the bounds, so that rounding does not grow with the distance from the origin.
        let middle = 0.5 * (low + high);
        let (mut volume, mut first) = (0.0, DVec3::ZERO);
        for [a, b, c] in self.corners().map(|corners| corners.map(|x| x - middle)) {
            let d = a.dot(b.cross(c));
            volume += d / 6.0;
            first += d / 24.0 * (a + b + c);
        }
        check_volume(volume, size)?;
        let centre = middle + first / volume;
        let second_moment = self.second_moment(centre);
        Ok(MassProperties { volume, centre, second_moment })
    }

    /// ∫ (x − o)(x − o)ᵀ dV.
    fn second_moment(&self, origin: DVec3) -> DMat3 {
        let square = |v: DVec3| DMat3::from_cols(v.x * v, v.y * v, v.z * v);
        let mut sum = DMat3::ZERO;
        for [a, b, c] in self.corners().map(|corners| corners.map(|x| x - origin)) {
            let squares = square(a) + square(b) + square(c) + square(a + b + c);
            sum += a.dot(b.cross(c)) / 120.0 * squares;
        }
        sum
    }

    /// Checks that the surface is closed: every edge is used equally often in both directions.
    ///
    /// # Errors
    ///
    /// Fails for an open edge, a missing vertex, or coordinates that are not finite.
    pub fn check_closed(&self) -> Result<(), SolidError> {
        if self.triangles.is_empty() {
            return Err(SolidError::Empty);
        }
        if let Some(vertex) = self.vertices.iter().position(|x| !x.is_finite()) {
            return Err(SolidError::NotFinite { vertex });
        }
        let mut edges = Vec::with_capacity(3 * self.triangles.len());
        for (triangle, &[a, b, c]) in self.triangles.iter().enumerate() {
            let vertex_count = self.vertices.len();
            if let Some(vertex) = [a, b, c].into_iter().find(|v| *v as usize >= vertex_count) {
                return Err(SolidError::NoSuchVertex { triangle, vertex, vertex_count });
            }
            edges.extend([[a, b], [b, c], [c, a]].map(|[a, b]| (a.min(b), a.max(b), a < b)));
        }
        edges.sort_unstable();
        let is_open = |uses: &&[(u32, u32, bool)]| {
            let forward = uses.iter().filter(|(.., forward)| *forward).count();
            uses[0].0 != uses[0].1 && 2 * forward != uses.len()
        };
        let mut open = edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(is_open);
        match open.next() {
            Some(edge) => {
                Err(SolidError::Open { from: edge[0].0, to: edge[0].1, count: 1 + open.count() })
            }
            None => Ok(()),
        }
    }
}

/// Ratio of the volume to the cube of the size, below which a solid counts as flat.
const MIN_RELATIVE_VOLUME: f64 = 1e-9;

fn check_volume(volume: f64, size: f64) -> Result<(), SolidError> {
    if volume.abs() < MIN_RELATIVE_VOLUME * size.powi(3) || !volume.is_finite() {
        return Err(SolidError::Flat { volume, size });
    }
    if volume < 0.0 { Err(SolidError::InsideOut { volume }) } else { Ok(()) }
}
