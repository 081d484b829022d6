//! Checks of where a mesh comes from.

use std::path::PathBuf;

use pliant::mesh::generate::{BoxConfig, Split};
use toml::Spanned;

use super::fault::Fault;
use super::file::{BoxFile, MeshFile, Word};
use super::plan::{MeshPlan, MeshSource};
use super::problems::Problems;
use super::shape::{MOST_NODES, MeshShape};

/// Most hexahedra along one direction: beyond it not even an estimate of the size is of use.
const MOST_CELLS: i64 = 1_000_000_000;

/// `[body.mesh]`.
pub(super) fn mesh(file: &Spanned<MeshFile>, problems: &mut Problems) -> Option<MeshPlan> {
    let span = file.span();
    let file = file.get_ref();
    let degree = file.degree.as_ref().map(|degree| {
        problems.whole("degree", degree, 1..4, "1, 2 or 3").map(|degree| degree as usize)
    });
    let refine = file.refine.as_ref().map_or(Some(0), |refine| {
        problems.whole("refine", refine, 0..9, "a whole number from 0 to 8")
    });
    let bad_degree = degree == Some(None);
    let degree = degree.flatten();
    let source = source(file, &span, degree.unwrap_or(1), problems)?;
    let (source, hexes) = source;
    let nodes = hexes * f64::from(8_u32.pow(refine?)) * (degree.unwrap_or(1) as f64).powi(3);
    if nodes > MOST_NODES {
        problems.add(span, Fault::TooLarge { nodes, most: MOST_NODES });
        return None;
    }
    (!bad_degree).then_some(MeshPlan { source, degree, refine: refine?, span })
}

/// The one source there is, and about how many nodes it makes at degree 1 (0 for a file).
fn source(
    file: &MeshFile,
    span: &std::ops::Range<usize>,
    degree: usize,
    problems: &mut Problems,
) -> Option<(MeshSource, f64)> {
    let MeshFile { file: path, block, ball, torus, curved_bar, helix, degree: _, refine: _ } = file;
    let given = [
        path.is_some(),
        block.is_some(),
        ball.is_some(),
        torus.is_some(),
        curved_bar.is_some(),
        helix.is_some(),
    ];
    let count = given.into_iter().filter(|given| *given).count();
    if count != 1 {
        let choices = "`file`, `box`, `ball`, `torus`, `curved-bar`, `helix`";
        problems.add(span.clone(), Fault::NotOne { what: "a mesh", count, choices });
        return None;
    }
    if let Some(path) = path {
        return Some((MeshSource::File(PathBuf::from(path.get_ref())), 0.0));
    }
    let shape = block.as_ref().and_then(|file| box_shape(file, degree, problems));
    shape.map(|(shape, hexes)| (MeshSource::Shape(shape), hexes))
}

fn box_shape(file: &BoxFile, degree: usize, problems: &mut Problems) -> Option<(MeshShape, f64)> {
    let BoxFile { origin, size, cells, split: word, jitter, seed } = file;
    let default = BoxConfig::default();
    let origin = origin.as_ref().map_or(Some(default.origin), |origin| {
        problems.triple("origin", origin).map(|origin| origin.to_array())
    });
    let positive = "three finite numbers above 0";
    let size = problems.triple_where("size", size, positive, |size| size.min_element() > 0.0);
    let cells = counts(cells, problems);
    let split = split(word.as_ref(), default.split, problems);
    let jitter = jitter.as_ref().map_or(Some(0.0), |jitter| {
        let part = "a part of the cell, from 0 to less than 0.5";
        problems.number("jitter", jitter, part, |value| (0.0..0.5).contains(&value))
    });
    let seed = seed.as_ref().map_or(0, |seed| seed.get_ref().cast_unsigned());
    let (cells, split) = (cells?, split?);
    let config = BoxConfig {
        origin: origin?,
        size: size?.to_array(),
        cells,
        split,
        degree,
        jitter: jitter?,
        seed,
    };
    Some((MeshShape::Box(config), nodes_of(&cells, split)))
}

/// About how many nodes so many hexahedra have, at degree 1.
fn nodes_of(cells: &[usize], split: Split) -> f64 {
    let hexes: f64 = cells.iter().map(|count| *count as f64).product();
    if split.has_centre() { 2.0 * hexes } else { hexes }
}

/// Numbers of cells along each direction.
fn counts<const N: usize>(
    cells: &Spanned<[i64; N]>,
    problems: &mut Problems,
) -> Option<[usize; N]> {
    let all = cells.get_ref();
    if let Some(bad) = all.iter().find(|count| !(1..=MOST_CELLS).contains(*count)) {
        let expected = "whole numbers from 1 to 1000000000";
        let fault = Fault::OutOfRange { key: "cells", value: *bad as f64, expected };
        problems.add(cells.span(), fault);
        return None;
    }
    Some(all.map(|count| count as usize))
}

fn split(word: Option<&Word>, default: Split, problems: &mut Problems) -> Option<Split> {
    let choices = Split::ALL.map(|split| (split.name(), split));
    word.map_or(Some(default), |word| problems.choice("split", word, &choices))
}
