//! Data shared by threads that each change their own part.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use glam::DVec3;

use crate::math::{LANES, Pack};

/// Positions and inverse masses of nodes; every thread may move the nodes of its cells.
///
/// Cells processed at the same time share no node, so there is never a race. The compiler cannot prove this, so the
/// numbers are atomic. Relaxed loads and stores are ordinary ones on every current processor; code that passes work
/// from one thread to another must synchronise.
#[derive(Debug)]
pub struct SharedPoints {
    points: Vec<SharedPoint>,
}

/// x, y, z in m and the inverse mass in 1/kg: half a cache line, never split across two.
#[derive(Debug, Default)]
#[repr(align(32))]
struct SharedPoint([AtomicU64; 4]);

impl SharedPoints {
    /// Creates points at the origin with zero inverse mass.
    pub fn new(count: usize) -> Self {
        Self { points: (0..count).map(|_| SharedPoint::default()).collect() }
    }

    /// Sets the positions of all points.
    pub fn place(&mut self, positions: impl Iterator<Item = DVec3>) {
        for (point, to) in self.points.iter_mut().zip(positions) {
            let [x, y, z, _] = &mut point.0;
            *x.get_mut() = to.x.to_bits();
            *y.get_mut() = to.y.to_bits();
            *z.get_mut() = to.z.to_bits();
        }
    }

    /// Sets the inverse masses, in 1/kg; zero for fixed points.
    pub fn weigh(&mut self, inverse_masses: impl Iterator<Item = f64>) {
        for (point, inverse) in self.points.iter_mut().zip(inverse_masses) {
            *point.0[3].get_mut() = inverse.to_bits();
        }
    }

    /// Returns the positions of all points.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = DVec3> {
        self.points.iter().map(|SharedPoint([x, y, z, _])| DVec3::new(read(x), read(y), read(z)))
    }
}

/// Access to points by a thread that processes cells.
pub(super) trait Points {
    /// Returns the position and inverse mass of a point.
    fn load(&mut self, node: u32) -> [f64; 4];

    /// Moves a point; its inverse mass must be the stored one.
    fn store(&mut self, node: u32, point: [f64; 4]);
}

/// Concurrent access: each number separately.
impl Points for &SharedPoints {
    #[inline(always)]
    fn load(&mut self, node: u32) -> [f64; 4] {
        let [x, y, z, w] = &self.points[node as usize].0;
        [read(x), read(y), read(z), read(w)]
    }

    #[inline(always)]
    fn store(&mut self, node: u32, [x, y, z, _]: [f64; 4]) {
        let point = &self.points[node as usize].0;
        point[0].store(x.to_bits(), Relaxed);
        point[1].store(y.to_bits(), Relaxed);
        point[2].store(z.to_bits(), Relaxed);
    }
}

/// Exclusive access: all four numbers at once, which the compiler may not do with atomic ones.
impl Points for SharedPoints {
    #[inline(always)]
    fn load(&mut self, node: u32) -> [f64; 4] {
        let [x, y, z, w] = &mut self.points[node as usize].0;
        [own(x), own(y), own(z), own(w)]
    }

    #[inline(always)]
    fn store(&mut self, node: u32, [x, y, z, w]: [f64; 4]) {
        let point = &mut self.points[node as usize].0;
        *point[0].get_mut() = x.to_bits();
        *point[1].get_mut() = y.to_bits();
        *point[2].get_mut() = z.to_bits();
        *point[3].get_mut() = w.to_bits();
    }
}

impl Clone for SharedPoints {
    fn clone(&self) -> Self {
        let copy = |number: &AtomicU64| AtomicU64::new(number.load(Relaxed));
        let points = self.points.iter();
        let points = points
            .map(|SharedPoint([x, y, z, w])| SharedPoint([copy(x), copy(y), copy(z), copy(w)]))
            .collect();
        Self { points }
    }
}

/// One number per cell of a pack, written by the thread that owns the pack.
#[derive(Debug, Default)]
pub struct SharedPack([AtomicU64; LANES]);

impl SharedPack {
    /// Returns all numbers.
    #[inline(always)]
    pub fn load(&self) -> Pack {
        let mut pack = [0.0; LANES];
        for (number, shared) in pack.iter_mut().zip(&self.0) {
            *number = read(shared);
        }
        pack
    }

    /// Stores the numbers of some lanes.
    #[inline(always)]
    pub fn store(&self, pack: &Pack, lanes: std::ops::Range<usize>) {
        for lane in lanes {
            self.0[lane].store(pack[lane].to_bits(), Relaxed);
        }
    }

    /// Sets all numbers to zero.
    pub fn clear(&self) {
        self.0.iter().for_each(|number| number.store(0, Relaxed));
    }
}

impl Clone for SharedPack {
    fn clone(&self) -> Self {
        let copy = Self::default();
        copy.store(&self.load(), 0..LANES);
        copy
    }
}

#[inline(always)]
fn read(number: &AtomicU64) -> f64 {
    f64::from_bits(number.load(Relaxed))
}

#[inline(always)]
fn own(number: &mut AtomicU64) -> f64 {
    f64::from_bits(*number.get_mut())
}
