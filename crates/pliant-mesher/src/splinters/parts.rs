//! Splinters from the parts of a surface that an artist cut.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat3, DVec3};
use pliant::geometry::Surface;

use crate::open_edges::welded_vertices;
use crate::surface_error::check_surface;

use super::assemble::assembled;
use super::attributes::TriangleAttributes;
use super::config::not_too_many;
use super::hollows::with_hollows;
use super::shell::{Origin, Shell};
use super::solid::{Numbered, check_manifold, check_volume, given_shell, proper};
use super::{CutConfig, SplinterError, Splinters};

/// Uses the closed parts of a surface as splinters.
///
/// Every connected closed part is a splinter. Splinters that touch each other need different names, such as those of
/// the nodes of a GLB: a file reader merges vertices where two parts meet. A triangle that coincides with one of
/// another splinter, in the opposite orientation, was inside; so was a triangle whose part or material has the name of
/// `config.inside`.
///
/// ```
/// use glam::DVec3;
/// use pliant::geometry::{Shape, Surface};
/// use pliant_mesher::splinters::{CutConfig, parts};
///
/// let mut two = Shape::Box { half: DVec3::ONE }.surface(1)?;
/// let count = two.vertices.len() as u32;
/// two.vertices.extend_from_within(..);
/// two.vertices[count as usize..].iter_mut().for_each(|x| x.x += 3.0);
/// two.triangles.extend_from_within(..);
/// two.triangles[12..].iter_mut().flatten().for_each(|vertex| *vertex += count);
/// assert_eq!(parts(&two, &CutConfig::default())?.pieces.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// A part is open, not manifold or without volume; there are more than [`MAX_SPLINTERS`](super::MAX_SPLINTERS).
pub fn parts(surface: &Surface, config: &CutConfig) -> Result<Splinters, SplinterError> {
    config.check()?;
    check_surface(surface)?;
    let opposite = OppositeTriangles::new(surface);
    let inside = |triangle: u32| opposite.has(triangle) || is_inside(surface, triangle, config);
    let (low, high) = surface.bounds();
    let mut finder = PartFinder {
        surface,
        middle: 0.5 * (low + high),
        triangles: surface.triangles.clone(),
        inside: (0..surface.triangles.len() as u32).map(inside).collect(),
    };
    let shells = finder.shells().or_else(|_| {
        // Welding closes seams of texture coordinates, which are not holes.
        let welded = welded_vertices(surface);
        finder.triangles.iter_mut().flatten().for_each(|vertex| *vertex = welded[*vertex as usize]);
        finder.shells()
    })?;
    let attributes = TriangleAttributes::new(surface, &config.inside, DMat3::IDENTITY);
    let mut splinters = assembled(&shells, &attributes, finder.middle);
    let inside = attributes.parts.len() as u32 - 1;
    if splinters.surface.part_of.iter().flatten().all(|part| *part != inside) {
        splinters.surface.parts.pop();
    }
    Ok(splinters)
}

/// A surface while its parts are found.
struct PartFinder<'a> {
    surface: &'a Surface,
    middle: DVec3,
    /// The vertices of each triangle, which define connectivity.
    triangles: Vec<[u32; 3]>,
    /// True for triangles that were inside.
    inside: Vec<bool>,
}

impl PartFinder<'_> {
    /// All closed parts: connected components, or, if one is not manifold, its triangles grouped by name.
    fn shells(&self) -> Result<Vec<Shell>, SplinterError> {
        let all = self.triangles.iter().enumerate().map(|(k, corners)| (k as u32, *corners));
        let mut shells = Vec::new();
        for part in self.shell(&proper(all)).parts() {
            let own = self.numbered(&part);
            if check_manifold("", &own).is_ok() {
                shells.push(checked("the surface", part)?);
                continue;
            }
            for (name, triangles) in named(self.surface, &own) {
                let unnamed = name.is_empty();
                let what =
                    if unnamed { "the surface".to_owned() } else { format!("part {name:?}") };
                check_manifold(&what, &triangles)?;
                for part in self.shell(&triangles).parts() {
                    shells.push(checked(&what, part)?);
                }
            }
        }
        not_too_many(shells.len() as f64)?;
        let shells = with_hollows(shells, 0.0);
        for shell in &shells {
            check_volume("the surface", shell.volume(), 0.0)?;
        }
        Ok(shells)
    }

    /// The shell of some triangles.
    fn shell(&self, triangles: &[Numbered]) -> Shell {
        let inside = |triangle: u32| self.inside[triangle as usize];
        given_shell(self.surface, triangles, self.middle, inside)
    }

    /// The triangles of a shell.
    fn numbered(&self, shell: &Shell) -> Vec<Numbered> {
        let given = shell.facets.iter().filter_map(|facet| match facet.origin {
            Origin::Given { triangle, .. } => Some((triangle, self.triangles[triangle as usize])),
            Origin::Cut { .. } => None,
        });
        given.collect()
    }
}

/// Checks that a shell has a volume; a hollow's is negative.
fn checked(what: &str, shell: Shell) -> Result<Shell, SplinterError> {
    let bounds = shell.bounds();
    check_volume(what, shell.volume().abs(), (bounds.high - bounds.low).length())?;
    Ok(shell)
}

/// Triangles by the names of their parts, in the order of first use.
fn named(surface: &Surface, triangles: &[Numbered]) -> Vec<(String, Vec<Numbered>)> {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut lists: Vec<(String, Vec<Numbered>)> = Vec::new();
    for &(triangle, corners) in triangles {
        let name = part_of(surface, triangle as usize).map_or("", |part| part.name.as_str());
        let list = *numbers.entry(name).or_insert_with(|| {
            lists.push((name.to_owned(), Vec::new()));
            lists.len() - 1
        });
        lists[list].1.push((triangle, corners));
    }
    lists
}

fn part_of(surface: &Surface, triangle: usize) -> Option<&pliant::geometry::SurfaceGroup> {
    let part = surface.part_of.as_ref()?.get(triangle)?;
    surface.parts.get(*part as usize)
}

/// True if the part or material of a triangle has the name of cut faces.
fn is_inside(surface: &Surface, triangle: u32, config: &CutConfig) -> bool {
    let inside = &config.inside;
    part_of(surface, triangle as usize).is_some_and(|part| {
        let names = [Some(&part.name), part.material.as_ref()];
        names.into_iter().flatten().any(|name| !name.is_empty() && *name == inside.name)
    })
}

/// Triangles by the positions of their corners.
struct OppositeTriangles {
    keys: Vec<[[u64; 3]; 3]>,
    all: BTreeSet<[[u64; 3]; 3]>,
}

impl OppositeTriangles {
    fn new(surface: &Surface) -> Self {
        let keys: Vec<_> = surface.corners().map(|corners| key(corners.map(bits))).collect();
        let all = keys.iter().copied().collect();
        Self { keys, all }
    }

    /// True if there is a triangle with the same corners in the opposite orientation.
    fn has(&self, triangle: u32) -> bool {
        let [a, b, c] = self.keys[triangle as usize];
        self.all.contains(&key([a, c, b]))
    }
}

/// A position as bits with a total order; −0 and 0 are the same.
fn bits(x: DVec3) -> [u64; 3] {
    (x + DVec3::ZERO).to_array().map(f64::to_bits)
}

/// The corners rotated so that the smallest comes first.
fn key(corners: [[u64; 3]; 3]) -> [[u64; 3]; 3] {
    let [a, b, c] = corners;
    [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().unwrap_or(corners)
}
