//! Checks of the parameters of generated shapes, key by key. The generator then checks their combination.

use pliant_mesh::mesh::generate::{
    BallConfig, BoxConfig, CurvedBarConfig, FinConfig, HelixConfig, SculptureConfig, Split,
    TorusConfig,
};
use toml::Spanned;

use crate::scene::check::problems::Problems;
use crate::scene::file::mesh::MeshFile;
use crate::scene::file::shape::{
    BallFile, BoxFile, CurvedBarFile, FinFile, HelixFile, SculptureFile, TorusFile,
};
use crate::scene::plan::shape::MeshShape;
use crate::scene::problem::fault::Fault;
use crate::scene::read::value::{Number, Word};

/// Checks the shape that is given; its cells get this degree.
pub(crate) fn shape(
    file: &MeshFile,
    degree: Option<usize>,
    problems: &mut Problems,
) -> Option<MeshShape> {
    if let Some(file) = &file.block {
        return block(file.get_ref(), degree, problems).map(MeshShape::Box);
    }
    if let Some(file) = &file.ball {
        return ball(file.get_ref(), degree, problems).map(MeshShape::Ball);
    }
    if let Some(file) = &file.torus {
        return torus(file.get_ref(), degree, problems).map(MeshShape::Torus);
    }
    if let Some(file) = &file.curved_bar {
        return curved_bar(file.get_ref(), degree, problems).map(MeshShape::CurvedBar);
    }
    if let Some(file) = &file.helix {
        return helix(file.get_ref(), degree, problems).map(MeshShape::Helix);
    }
    if let Some(file) = &file.fin {
        return fin(file.get_ref(), degree, problems).map(MeshShape::Fin);
    }
    let file = file.sculpture.as_ref()?;
    sculpture(file.get_ref(), degree, problems).map(MeshShape::Sculpture)
}

fn block(file: &BoxFile, degree: Option<usize>, problems: &mut Problems) -> Option<BoxConfig> {
    let BoxFile { origin, size, cells, split: word, jitter, seed } = file;
    let default = BoxConfig::default();
    let origin = problems.triple_or("origin", origin, default.origin);
    let size = size.as_ref().map_or(Some(default.size), |size| {
        let positive = "three finite numbers above 0";
        let size = problems.triple_where("size", size, positive, |size| size.min_element() > 0.0);
        size.map(|size| size.to_array())
    });
    let cells = counts(cells, default.cells, problems);
    let split = split(word, default.split, problems);
    let jitter = jitter.as_ref().map_or(Some(default.jitter), |jitter| {
        let part = "a fraction of the cell, from 0 to less than 0.5";
        problems.number("jitter", jitter, part, |value| (0.0..0.5).contains(&value))
    });
    Some(BoxConfig {
        origin: origin?,
        size: size?,
        cells: cells?,
        split: split?,
        degree: degree.unwrap_or(default.degree),
        jitter: jitter?,
        seed: seed.unwrap_or(0).cast_unsigned(),
    })
}

fn ball(file: &BallFile, degree: Option<usize>, problems: &mut Problems) -> Option<BallConfig> {
    let BallFile { centre, radius, cells, layers, split: word } = file;
    let default = BallConfig::default();
    let centre = problems.triple_or("centre", centre, default.centre);
    let radius = problems.positive_or("radius", radius, default.radius);
    let cells = problems.count_or("cells", cells, default.cells);
    let layers = problems.count_or("layers", layers, default.layers);
    let split = split(word, default.split, problems);
    Some(BallConfig {
        centre: centre?,
        radius: radius?,
        cells: cells?,
        layers: layers?,
        split: split?,
        degree: degree.unwrap_or(default.degree),
    })
}

fn torus(file: &TorusFile, degree: Option<usize>, problems: &mut Problems) -> Option<TorusConfig> {
    let TorusFile { centre, ring_radius, tube_radius, cells, layers, around, split: word } = file;
    let default = TorusConfig::default();
    let centre = problems.triple_or("centre", centre, default.centre);
    let ring_radius = problems.positive_or("ring_radius", ring_radius, default.ring_radius);
    let tube_radius = problems.positive_or("tube_radius", tube_radius, default.tube_radius);
    let cells = problems.count_or("cells", cells, default.cells);
    let layers = layer_count(layers, default.layers, problems);
    let around = problems.count_or("around", around, default.around);
    let split = split(word, default.split, problems);
    Some(TorusConfig {
        centre: centre?,
        ring_radius: ring_radius?,
        tube_radius: tube_radius?,
        cells: cells?,
        layers: layers?,
        around: around?,
        split: split?,
        degree: degree.unwrap_or(default.degree),
    })
}

fn curved_bar(
    file: &CurvedBarFile,
    degree: Option<usize>,
    problems: &mut Problems,
) -> Option<CurvedBarConfig> {
    let CurvedBarFile { centre, radius, angle_deg, section, cells, split: word } = file;
    let default = CurvedBarConfig::default();
    let centre = problems.triple_or("centre", centre, default.centre);
    let radius = problems.positive_or("radius", radius, default.radius);
    let angle_deg = problems.positive_or("angle_deg", angle_deg, default.angle.to_degrees());
    let section = sides(section, default.section, problems);
    let cells = counts(cells, default.cells, problems);
    let split = split(word, default.split, problems);
    Some(CurvedBarConfig {
        centre: centre?,
        radius: radius?,
        angle: angle_deg?.to_radians(),
        section: section?,
        cells: cells?,
        split: split?,
        degree: degree.unwrap_or(default.degree),
    })
}

fn helix(file: &HelixFile, degree: Option<usize>, problems: &mut Problems) -> Option<HelixConfig> {
    let HelixFile { centre, coil_radius, wire_radius, pitch, turns, .. } = file;
    let HelixFile { cells, layers, along, split: word, .. } = file;
    let default = HelixConfig::default();
    let centre = problems.triple_or("centre", centre, default.centre);
    let coil_radius = problems.positive_or("coil_radius", coil_radius, default.coil_radius);
    let wire_radius = problems.positive_or("wire_radius", wire_radius, default.wire_radius);
    let pitch = problems.positive_or("pitch", pitch, default.pitch);
    let turns = problems.positive_or("turns", turns, default.turns);
    let cells = problems.count_or("cells", cells, default.cells);
    let layers = layer_count(layers, default.layers, problems);
    let along = problems.count_or("along", along, default.along);
    let split = split(word, default.split, problems);
    Some(HelixConfig {
        centre: centre?,
        coil_radius: coil_radius?,
        wire_radius: wire_radius?,
        pitch: pitch?,
        turns: turns?,
        cells: cells?,
        layers: layers?,
        along: along?,
        split: split?,
        degree: degree.unwrap_or(default.degree),
    })
}

fn fin(file: &FinFile, degree: Option<usize>, problems: &mut Problems) -> Option<FinConfig> {
    let FinFile { base, height, chord, thickness, cells, split: word } = file;
    let default = FinConfig::default();
    let base = problems.triple_or("base", base, default.base);
    let height = problems.positive_or("height", height, default.height);
    let chord = problems.positive_or("chord", chord, default.chord);
    let thickness = problems.positive_or("thickness", thickness, default.thickness);
    let cells = counts(cells, default.cells, problems);
    let split = split(word, default.split, problems);
    Some(FinConfig {
        base: base?,
        height: height?,
        chord: chord?,
        thickness: thickness?,
        cells: cells?,
        split: split?,
        degree: degree.unwrap_or(default.degree),
    })
}

fn sculpture(
    file: &SculptureFile,
    degree: Option<usize>,
    problems: &mut Problems,
) -> Option<SculptureConfig> {
    let SculptureFile { base, height, level, split: word } = file;
    let default = SculptureConfig::default();
    let base = problems.triple_or("base", base, default.base);
    let height = problems.positive_or("height", height, default.height);
    let level = level.as_ref().map_or(Some(default.level), |level| {
        problems.whole("level", level, 1..5, "1, 2, 3 or 4").map(|level| level as usize)
    });
    let split = split(word, default.split, problems);
    Some(SculptureConfig {
        base: base?,
        height: height?,
        level: level?,
        split: split?,
        degree: degree.unwrap_or(default.degree),
    })
}

/// Checks two lengths.
fn sides(
    given: &Option<[Number; 2]>,
    default: [f64; 2],
    problems: &mut Problems,
) -> Option<[f64; 2]> {
    let Some([first, second]) = given else { return Some(default) };
    let first = problems.positive("section", first);
    let second = problems.positive("section", second);
    Some([first?, second?])
}

/// Checks the number of layers around the square of a cross-section; 0 is valid.
fn layer_count(
    layers: &Option<Spanned<i64>>,
    default: usize,
    problems: &mut Problems,
) -> Option<usize> {
    let Some(layers) = layers else { return Some(default) };
    let range = "a whole number from 0 to 1000000";
    problems.whole("layers", layers, 0..1_000_001, range).map(|count| count as usize)
}

/// Checks the numbers of cells along each direction.
fn counts(
    cells: &Option<Spanned<[i64; 3]>>,
    default: [usize; 3],
    problems: &mut Problems,
) -> Option<[usize; 3]> {
    let Some(cells) = cells else { return Some(default) };
    let all = cells.get_ref();
    if let Some(bad) = all.iter().find(|count| !(1..=1_000_000_000).contains(*count)) {
        let expected = "whole numbers from 1 to 1000000000";
        let fault = Fault::OutOfRange { key: "cells", value: *bad as f64, expected };
        problems.add(cells.span(), fault);
        return None;
    }
    Some(all.map(|count| count as usize))
}

fn split(word: &Option<Word>, default: Split, problems: &mut Problems) -> Option<Split> {
    let choices = Split::ALL.map(|split| (split.name(), split));
    word.as_ref().map_or(Some(default), |word| problems.choice("split", word, &choices))
}
