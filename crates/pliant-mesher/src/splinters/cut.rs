//! Cuts a solid along cells into splinters.

use glam::DMat3;
use rayon::prelude::*;

use super::assemble::assembled;
use super::attributes::TriangleAttributes;
use super::cells::Cell;
use super::chunk::Chunk;
use super::divide::divided;
use super::hollows::with_hollows;
use super::shell::Shell;
use super::slivers::join_slivers;
use super::solid::Solid;
use super::{CutConfig, Splinters};

/// Volumes below this fraction of the average are rounding errors.
const MIN_RELATIVE_VOLUME: f64 = 1e-13;

/// Cuts a solid along the sides of cells that tile its bounds.
pub(super) fn cut(solid: Solid<'_>, cells: &[Cell], axes: DMat3, config: &CutConfig) -> Splinters {
    let Solid { surface, middle, chunks, volume, size, .. } = solid;
    let mut chunks: Vec<(u32, Chunk)> =
        chunks.into_iter().flat_map(|chunk| divided(chunk, cells)).collect();
    chunks.sort_by_key(|(cell, _)| *cell);
    let used = chunks.chunk_by(|a, b| a.0 == b.0).count();
    let average = volume / used.max(1) as f64;
    let shells = |chunk: Chunk| {
        let mut shells =
            with_hollows(Shell::of_chunk(chunk).parts(), MIN_RELATIVE_VOLUME * average);
        shells.iter_mut().for_each(|shell| shell.collapse(size));
        shells
    };
    let shells: Vec<Shell> =
        chunks.into_par_iter().flat_map_iter(|(_, chunk)| shells(chunk)).collect();
    let shells = join_slivers(shells, config.sliver * average, size);
    assembled(&shells, &TriangleAttributes::new(surface, &config.inside, axes), middle)
}
