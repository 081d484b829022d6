//! Writes small meshes of every kind in every format into a folder, with a list of what a reader
//! should find in them: `cargo run --release -p pliant-io --example write_samples -- FOLDER`.
//!
//! `scripts/interop.py` has other programs open them.
#![allow(clippy::unwrap_used, reason = "the meshes are shared with tests, which may panic")]

#[path = "../tests/files/samples/mod.rs"]
mod samples;

use std::error::Error;
use std::path::Path;

use glam::DVec3;
use pliant::{Kind, Mesh};
use pliant_io::gmsh::{self, Encoding};
use pliant_io::vtu::{self, Field, Frame, Series};
use pliant_io::write_atomic;
use pliant_kernels::element::shape;
use serde_json::{Value, json};

/// Where along the first edge of the first cell values are compared. Not the middle, which would
/// hide edges run through backwards.
const ALONG: f64 = 0.3;
/// A point inside every reference cell, on which all nodes of a cell have a say.
const INNER: DVec3 = DVec3::new(0.3, 0.2, 0.4);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: write_samples FOLDER")?;
    let folder = Path::new(&folder);
    let mut files = write_all(folder, "mixed", &samples::mixed())?;
    for kind in Kind::ALL {
        for (name, curved) in [("straight", false), ("curved", true)] {
            let mesh = samples::sample(kind, curved);
            files.extend(write_all(folder, &format!("{kind}-{name}"), &mesh)?);
        }
    }
    write_series(&folder.join("series.pvd"))?;
    let list = serde_json::to_string_pretty(&files)?;
    write_atomic(&folder.join("expected.json"), |file| file.write_all(list.as_bytes()))?;
    println!("{} files in {}", files.len(), folder.display());
    Ok(())
}

fn write_all(folder: &Path, name: &str, mesh: &Mesh) -> Result<Vec<Value>, Box<dyn Error>> {
    let encodings = [
        ("41-text", Encoding::Text41),
        ("41-binary", Encoding::Binary41),
        ("22-text", Encoding::Text22),
    ];
    let mut files = Vec::new();
    for (encoding_name, encoding) in encodings {
        let file = format!("{name}-{encoding_name}.msh");
        gmsh::write(&folder.join(&file), mesh, encoding)?;
        files.push(expected(&file, mesh));
    }
    let file = format!("{name}.vtu");
    let mut frame = Frame::new(mesh);
    frame.point_fields =
        vec![Field::scalar("marker", marker(mesh)), Field::vector("displacement", &mesh.nodes)];
    frame.cell_fields = vec![Field::scalar("quality", vec![0.5; mesh.cell_count()])];
    vtu::write(&folder.join(&file), &frame)?;
    files.push(expected(&file, mesh));
    Ok(files)
}

/// Coefficients of a scalar field, one that is not linear in position.
fn marker(mesh: &Mesh) -> Vec<f64> {
    mesh.nodes.iter().map(|node| node.length_squared() + node.x).collect()
}

fn expected(file: &str, mesh: &Mesh) -> Value {
    let (kind, nodes) = mesh.cell(0);
    let (points, marker) = (mesh.cell_points(nodes), marker(mesh));
    let position = |xi: DVec3| -> DVec3 {
        points.iter().zip(shape(kind, xi)).map(|(point, weight)| *point * weight).sum()
    };
    let along = DVec3::new(ALONG, 0.0, 0.0);
    let value: f64 =
        nodes.iter().zip(shape(kind, along)).map(|(node, w)| marker[*node as usize] * w).sum();
    let cells: Value = mesh
        .blocks
        .iter()
        .map(|block| (block.kind.name().to_owned(), json!(block.cell_count())))
        .collect::<serde_json::Map<_, _>>()
        .into();
    json!({
        "file": file,
        "cells": cells,
        "first": kind.name(),
        "nodes": mesh.nodes.len(),
        "volume": mesh.volume(),
        "along": ALONG,
        "edge_position": position(along).to_array(),
        "inner": INNER.to_array(),
        "inner_position": position(INNER).to_array(),
        "edge_marker": value,
        "regions": mesh.regions.iter().map(|r| (r.name.clone(), json!(r.cells))).collect::<serde_json::Map<_, _>>(),
        "node_sets": mesh.node_sets.iter().map(|s| (s.name.clone(), json!(s.nodes))).collect::<serde_json::Map<_, _>>(),
    })
}

fn write_series(path: &Path) -> Result<(), Box<dyn Error>> {
    let mesh = samples::sample(Kind::Tet10, true);
    let mut series = Series::new(path);
    for step in 0..3 {
        let lift = DVec3::new(0.0, f64::from(step), 0.0);
        let positions: Vec<DVec3> = mesh.nodes.iter().map(|node| *node + lift).collect();
        let frame = Frame { positions: Some(&positions), ..Frame::new(&mesh) };
        series.push(f64::from(step) * 0.25, &frame)?;
    }
    Ok(())
}
