//! Water on a grid: incompressible, without viscosity, around whatever is in it.

use glam::DVec3;

/// Cells of the channel along, up and across it.
pub(crate) const N: [usize; 3] = [32, 16, 16];
/// Side of a cell, in m.
pub(crate) const DX: f64 = 0.05;
/// Length of a step, in s.
pub(crate) const DT: f64 = 0.02;
/// Density of water, in kg/m³.
const DENSITY: f64 = 1000.0;
/// Speed of the water that comes in, in m/s.
pub(crate) const INFLOW: f64 = 0.5;
/// Part of the divergence that may be left.
const TOLERANCE: f64 = 1e-8;

/// Cells, and faces across one axis, by their numbers along the axes.
pub(crate) type Place = [usize; 3];

/// Where a place is in a list; there is room for one face more than cells.
pub(crate) fn at([i, j, k]: Place) -> usize {
    (i * (N[1] + 1) + j) * (N[2] + 1) + k
}

/// The place before along an axis.
pub(crate) fn before(mut place: Place, axis: usize) -> Place {
    place[axis] -= 1;
    place
}

/// All places with fewer than so many along each axis.
pub(crate) fn places(count: Place) -> impl Iterator<Item = Place> {
    let [x, y, z] = count;
    (0..x).flat_map(move |i| (0..y).flat_map(move |j| (0..z).map(move |k| [i, j, k])))
}

/// Faces across an axis.
fn faces(axis: usize) -> impl Iterator<Item = Place> {
    let mut count = N;
    count[axis] += 1;
    places(count)
}

/// The two sides of a face.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Face {
    /// Water, or water and the open end.
    Free,
    /// The ball.
    Ball,
    /// A wall, or the pump.
    Wall,
}

/// Water on a staggered grid (Harlow & Welch 1965): pressure in the middle of cells, velocity in the middle of faces.
pub(crate) struct Fluid {
    /// Velocities through the faces across every axis, in m/s.
    u: [Vec<f64>; 3],
    /// In Pa.
    pressure: Vec<f64>,
    /// Cells whose middle is in the ball.
    pub(crate) ball: Vec<bool>,
}

impl Fluid {
    /// A stream in an empty channel.
    pub(crate) fn new() -> Self {
        let room = at(N) + 1;
        let u = [INFLOW, 0.0, 0.0].map(|speed| vec![speed; room]);
        Self { u, pressure: vec![0.0; room], ball: vec![false; room] }
    }

    fn face(&self, axis: usize, face: Place) -> Face {
        let ends = [face[axis] == 0, face[axis] == N[axis]];
        let solid = |cell: Place| self.ball[at(cell)];
        match ends {
            [true, _] => Face::Wall,
            [_, true] if axis > 0 => Face::Wall,
            [_, true] if !solid(before(face, axis)) => Face::Free,
            [false, false] if !solid(face) && !solid(before(face, axis)) => Face::Free,
            _ => Face::Ball,
        }
    }

    /// Velocity anywhere, in m/s.
    pub(crate) fn velocity(&self, x: DVec3) -> DVec3 {
        DVec3::from([0, 1, 2].map(|axis| self.component(axis, x)))
    }

    /// One component of it, linear between the faces.
    fn component(&self, axis: usize, x: DVec3) -> f64 {
        let (mut low, mut part) = ([0; 3], [0.0; 3]);
        for b in 0..3 {
            let [middle, last] =
                if b == axis { [0.0, N[b] as f64] } else { [0.5, N[b] as f64 - 1.0] };
            let place = (x[b] / DX - middle).clamp(0.0, last);
            low[b] = (place as usize).min(last as usize - 1);
            part[b] = place - low[b] as f64;
        }
        let corner = |k: usize| {
            let bits = [k & 1, k >> 1 & 1, k >> 2];
            let weight = |b: usize| if bits[b] == 1 { part[b] } else { 1.0 - part[b] };
            let place = [0, 1, 2].map(|b| low[b] + bits[b]);
            weight(0) * weight(1) * weight(2) * self.u[axis][at(place)]
        };
        (0..8).map(corner).sum()
    }

    /// Carries velocities along with the water: each is the one from where it comes (Stam 1999).
    pub(crate) fn advect(&mut self) {
        let carried = [0, 1, 2].map(|axis| {
            let mut carried = self.u[axis].clone();
            for face in faces(axis) {
                let x = middle(axis, face);
                carried[at(face)] = self.component(axis, x - DT * self.velocity(x));
            }
            carried
        });
        self.u = carried;
    }

    /// Makes walls and the ball move the water at their faces: it fills these cells, and has a velocity at any place.
    pub(crate) fn set_boundary(&mut self, ball: Vec<bool>, velocity: impl Fn(DVec3) -> DVec3) {
        self.ball = ball;
        for axis in 0..3 {
            for face in faces(axis) {
                match self.face(axis, face) {
                    Face::Free => {}
                    Face::Wall => self.u[axis][at(face)] = if axis == 0 { INFLOW } else { 0.0 },
                    Face::Ball => self.u[axis][at(face)] = velocity(middle(axis, face))[axis],
                }
            }
        }
        self.close_ball();
    }

    /// Where the water is at a face of the ball: 1 behind it, −1 before it, 0 on neither side.
    fn side(&self, axis: usize, face: Place) -> f64 {
        let behind = face[axis] < N[axis] && !self.ball[at(face)];
        let before = face[axis] > 0 && !self.ball[at(before(face, axis))];
        f64::from(u8::from(behind)) - f64::from(u8::from(before))
    }

    /// Takes out what the ball displaces as a whole. It breathes a little under pressure; all water up to the open end would have to
    /// follow at once, which is too heavy for an exchange that looks one step back.
    fn close_ball(&mut self) {
        let mut wet = Vec::new();
        for axis in 0..3 {
            let ball = faces(axis).filter(|face| self.face(axis, *face) == Face::Ball);
            let sides = ball.map(|face| (axis, at(face), self.side(axis, face)));
            wet.extend(sides.filter(|(_, _, side)| *side != 0.0));
        }
        let outflow: f64 = wet.iter().map(|(axis, face, side)| side * self.u[*axis][*face]).sum();
        let share = outflow / wet.len().max(1) as f64;
        wet.into_iter().for_each(|(axis, face, side)| self.u[axis][face] -= side * share);
    }

    /// Pressure differences of a cell to all others that water can flow to: the Laplacian, times −dx².
    fn laplacian(&self, p: &[f64], cell: Place) -> f64 {
        let mut sum = 0.0;
        for axis in 0..3 {
            for side in 0..2 {
                let mut face = cell;
                face[axis] += side;
                if self.face(axis, face) == Face::Free {
                    let mut next = cell;
                    let open = next[axis] + side > N[axis] - 1;
                    next[axis] = (next[axis] + 2 * side).wrapping_sub(1);
                    sum += p[at(cell)] - if open { 0.0 } else { p[at(next)] };
                }
            }
        }
        sum
    }

    /// The flow out of a cell, in m/s.
    fn outflow(&self, cell: Place) -> f64 {
        let through = |axis: usize| {
            let mut next = cell;
            next[axis] += 1;
            self.u[axis][at(next)] - self.u[axis][at(cell)]
        };
        through(0) + through(1) + through(2)
    }

    /// Finds the pressure at which nothing flows out of any cell, by conjugate gradients, and lets it act. Returns what momentum the
    /// water gains by it, in N·s.
    pub(crate) fn project(&mut self) -> DVec3 {
        let water: Vec<Place> = places(N).filter(|cell| !self.ball[at(*cell)]).collect();
        let dot =
            |a: &[f64], b: &[f64]| -> f64 { water.iter().map(|c| a[at(*c)] * b[at(*c)]).sum() };
        let mut residual = vec![0.0; self.pressure.len()];
        self.pressure.iter_mut().zip(&self.ball).for_each(|(p, ball)| *p *= f64::from(!ball));
        for cell in &water {
            let source = -DENSITY * DX / DT * self.outflow(*cell);
            residual[at(*cell)] = source - self.laplacian(&self.pressure, *cell);
        }
        let (mut direction, mut product) = (residual.clone(), residual.clone());
        let mut size = dot(&residual, &residual);
        let enough = (TOLERANCE * DENSITY * DX / DT * INFLOW).powi(2) * water.len() as f64;
        for _ in 0..1000 {
            if size <= enough {
                break;
            }
            water.iter().for_each(|c| product[at(*c)] = self.laplacian(&direction, *c));
            let step = size / dot(&direction, &product);
            for cell in water.iter().map(|c| at(*c)) {
                self.pressure[cell] += step * direction[cell];
                residual[cell] -= step * product[cell];
            }
            let last = std::mem::replace(&mut size, dot(&residual, &residual));
            let share = size / last;
            water
                .iter()
                .map(|c| at(*c))
                .for_each(|c| direction[c] = residual[c] + share * direction[c]);
        }
        self.accelerate()
    }

    /// Velocities change by −Δt/ρ ∇p.
    fn accelerate(&mut self) -> DVec3 {
        let mut gained = DVec3::ZERO;
        for axis in 0..3 {
            for face in faces(axis).filter(|face| face[axis] > 0) {
                if self.face(axis, face) == Face::Free {
                    let beyond = if face[axis] == N[axis] { 0.0 } else { self.pressure[at(face)] };
                    let slope = (beyond - self.pressure[at(before(face, axis))]) / DX;
                    self.u[axis][at(face)] -= DT / DENSITY * slope;
                    gained[axis] -= DT * slope * DX.powi(3);
                }
            }
        }
        gained
    }

    /// Faces at the ball or at walls, as `of` says: their middle and the force of the water on them, in N.
    pub(crate) fn pushed(&self, of: Face) -> Vec<(DVec3, DVec3)> {
        let mut pushed = Vec::new();
        for axis in 0..3 {
            for face in faces(axis).filter(|face| self.face(axis, *face) == of) {
                let mut force = DVec3::ZERO;
                let wet = |cell: Place| !self.ball[at(cell)];
                if face[axis] > 0 && wet(before(face, axis)) {
                    force[axis] += DX * DX * self.pressure[at(before(face, axis))];
                }
                if face[axis] < N[axis] && wet(face) {
                    force[axis] -= DX * DX * self.pressure[at(face)];
                }
                pushed.push((middle(axis, face), force));
            }
        }
        pushed
    }
}

/// The middle of a face across an axis, in m.
fn middle(axis: usize, face: Place) -> DVec3 {
    let mut x = DX * (DVec3::from(face.map(|i| i as f64)) + DVec3::splat(0.5));
    x[axis] -= 0.5 * DX;
    x
}
