//! Reads meshes and prints what is in them, one JSON object a line:
//! `cargo run --release -p pliant-io --example mesh_info -- FILE…`.

use std::path::Path;

use pliant_io::read_mesh;
use serde_json::{Value, json};

fn main() {
    for argument in std::env::args().skip(1) {
        println!("{}", info(Path::new(&argument)));
    }
}

fn info(path: &Path) -> Value {
    let file = match read_mesh(path) {
        Ok(file) => file,
        Err(error) => return json!({"file": path, "error": error.to_string()}),
    };
    let mesh = &file.mesh;
    let cells: serde_json::Map<String, Value> = mesh
        .blocks
        .iter()
        .map(|block| (block.kind.name().to_owned(), json!(block.cell_count())))
        .collect();
    let regions: Vec<_> = mesh.regions.iter().map(|r| (&r.name, r.cells.len())).collect();
    let sets: Vec<_> = mesh.node_sets.iter().map(|s| (&s.name, s.nodes.len())).collect();
    json!({
        "file": path, "format": file.report.format, "nodes": mesh.nodes.len(), "cells": cells,
        "volume": mesh.volume(), "regions": regions, "node_sets": sets,
        "notes": file.report.notes(),
    })
}
