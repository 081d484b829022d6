//! Steps that let nothing through.

mod hit;
mod own_room;
mod report;
mod rows;
mod set_back;
mod shell;
mod surface;

use glam::DVec3;

use crate::geometry::Aabb;

use super::BodyPairs;

pub use report::SafeReport;
pub use surface::{Moved, SafeSurface};

use hit::Hit;
use rows::Rows;
use shell::Shell;

/// Corrects the ends of steps so that no two triangles of skins go through each other.
///
/// ```text
/// 1  find every vertex and triangle, and every two edges, that come nearer than allowed on their way (continuous detection)
/// 2  move the ends by impulses:  min |z|²_M   so that   nᵢ · (p − q) ≥ δᵢ   for all found so far;   z = M⁻¹ Σ Jᵢᵀ λᵢ,  λᵢ ≥ 0
/// 3  again from 1, until nothing is found
/// 4  after too many rounds, bodies that still collide go back along their way, by halves, at last to where they began
/// ```
///
/// - `z` change of the nodes at the end of the step, in m, `M` their masses in kg; `p`, `q` the points that met, `nᵢ` the
///   unit vector between them when they did, `δᵢ` the distance asked for, in m
///
/// Impulses are inelastic and act equally on both sides, so momentum is kept (Bridson et al. 2002, section 7); all that
/// were found stay in the system until the step is done, as in the zones of Harmon et al. 2008, but push only, so that
/// nothing is glued together. Velocities change by z/h. Going back does cost momentum, and the report tells of it.
///
/// The promise: if no two triangles of two surfaces intersect at the begin of the step, none do at the end. Two surfaces that
/// do intersect at the begin are left alone with each other, so that they can come apart. Nothing stops what is carried:
/// where something is crushed between two such things, or a carried thing meets another, the report tells so.
#[derive(Debug, Clone, Default)]
pub struct SafeContact {
    shells: Vec<Shell>,
    pairs: BodyPairs,
    boxes: Vec<Aabb>,
    /// Pairs of surfaces that intersect at the begin, rising.
    left_out: Vec<[u32; 2]>,
    /// Pairs of surfaces that do not.
    sound: Vec<[u32; 2]>,
    hits: Vec<Hit>,
    rows: Rows,
}

/// Rounds of impulses before bodies are set back.
const ROUNDS: u32 = 16;

impl SafeContact {
    /// Corrects the ends of a step of `h` seconds. Surfaces for whose numbers `meets` is true do not pass through each other
    /// (nor through themselves, when asked with the same number twice), and stay about `separation` apart, in m: much
    /// less than a triangle is long, much more than rounding.
    pub fn resolve(
        &mut self,
        surfaces: &mut [SafeSurface<'_>],
        meets: impl Fn(u32, u32) -> bool,
        separation: f64,
        h: f64,
    ) -> SafeReport {
        let mut report = SafeReport::default();
        self.begin(surfaces);
        for _ in 0..ROUNDS {
            self.detect(surfaces, &meets, separation, &mut report);
            if self.hits.is_empty() {
                break;
            }
            report.rounds += 1;
            self.rows.add(&self.hits, surfaces, &self.shells, separation);
            self.rows.solve(&mut self.shells);
            for (shell, surface) in self.shells.iter_mut().zip(&mut *surfaces) {
                shell.apply(surface);
            }
            // All that met is looked at again, even if nothing was moved.
            for surface in self.hits.iter().flat_map(|hit| hit.surfaces) {
                self.shells[surface as usize].changed = true;
            }
        }
        report.contacts = self.rows.len();
        self.set_back(surfaces, &meets, separation, &mut report);
        self.shells.iter().zip(surfaces).for_each(|(shell, surface)| shell.finish(surface, h));
        report.left_out = self.left_out.len();
        report
    }

    /// The surfaces that met in the last step and the impulse on the first of them, in N·s.
    pub fn impulses(&self, h: f64) -> impl Iterator<Item = ([u32; 2], DVec3)> {
        self.rows.impulses().map(move |(surfaces, push)| (surfaces, push / h))
    }

    fn begin(&mut self, surfaces: &[SafeSurface<'_>]) {
        self.shells.truncate(surfaces.len());
        for (index, surface) in surfaces.iter().enumerate() {
            match self.shells.get_mut(index) {
                Some(shell) => shell.begin(surface),
                None => self.shells.push(Shell::new(surface)),
            }
        }
        self.rows.clear();
        self.left_out.clear();
        self.sound.clear();
    }

    /// Finds all that meets between surfaces of which at least one moved otherwise than when last asked.
    fn detect(
        &mut self,
        surfaces: &[SafeSurface<'_>],
        meets: &impl Fn(u32, u32) -> bool,
        separation: f64,
        report: &mut SafeReport,
    ) {
        self.hits.clear();
        self.boxes.clear();
        for (surface, shell) in (0..).zip(&mut self.shells) {
            shell.refit(separation);
            if meets(surface, surface) {
                shell.prepare_own(separation);
            }
        }
        self.boxes.extend(self.shells.iter().map(Shell::bounds));
        let own = (0..self.shells.len() as u32).map(|k| [k, k]);
        let pairs = own.chain(self.pairs.find(&self.boxes).iter().copied());
        for [a, b] in pairs.filter(|[a, b]| meets(*a, *b)) {
            let (first, second) = (&self.shells[a as usize], &self.shells[b as usize]);
            let idle = !(first.changed || second.changed);
            let carried = surfaces[a as usize].is_carried() && surfaces[b as usize].is_carried();
            let stiff = a == b && first.rigid.is_some();
            if idle || carried || stiff || self.left_out.binary_search(&[a, b]).is_ok() {
                continue;
            }
            if a == b && first.own.is_ample() && first.own.is_sound() {
                continue;
            }
            if let Err(place) = self.sound.binary_search(&[a, b]) {
                let sound = if a == b { first.own.is_sound() } else { !first.intersects(second) };
                if !sound {
                    self.left_out.push([a, b]);
                    self.left_out.sort_unstable();
                    continue;
                }
                self.sound.insert(place, [a, b]);
            }
            report.tests += 1;
            hit::find([first, second], [a, b], separation, &mut self.hits);
        }
        self.shells.iter_mut().for_each(|shell| shell.changed = false);
    }
}
