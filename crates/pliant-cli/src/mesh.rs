//! `pliant mesh`.

use anyhow::Result;
use pliant::mesh::Mesh;
use pliant_io::{read_mesh, write_mesh};

use crate::args::MeshArgs;
use crate::failure::BadInput;
use crate::mesh_report::MeshReport;
use crate::mesh_surface::{draw, is_surface, mesh_surface};
use crate::terminal::print;

/// The largest number of nodes of a refined mesh.
const MAX_NODES: usize = 4_000_000;

/// Makes a mesh from a surface, or reports on a mesh file; then writes it if requested.
pub(crate) fn mesh(args: &MeshArgs) -> Result<()> {
    if is_surface(&args.file) {
        return mesh_surface(args);
    }
    let file = read_mesh(&args.file)?;
    let notes = file.report.notes();
    let mesh = processed(file.mesh, args)?;
    let report = MeshReport::new(args.file.display().to_string(), file.report.format, notes, &mesh);
    let mut text = match args.json {
        true => format!("{}\n", serde_json::to_string(&report)?),
        false => report.to_text(),
    };
    if let Some(output) = &args.output {
        write_mesh(output, &mesh)?;
        if !args.json {
            text += &format!("wrote {}\n", output.display());
        }
    }
    if let Some(path) = &args.picture {
        draw(path, &mesh)?;
        if !args.json {
            text += &format!("wrote {}\n", path.display());
        }
    }
    print(&text)?;
    if report.valid { Ok(()) } else { Err(invalid(&report).into()) }
}

/// Raises the degree of the mesh and refines it as requested.
fn processed(mut mesh: Mesh, args: &MeshArgs) -> Result<Mesh> {
    if let Some(degree) = args.degree {
        mesh = mesh.elevated(usize::from(degree))?;
    }
    for _ in 0..args.refine {
        if mesh.nodes.len() > MAX_NODES / 8 {
            let what = format!(
                "refined, this mesh would have about {} nodes, expected at most {MAX_NODES}; lower --refine",
                8 * mesh.nodes.len()
            );
            return Err(BadInput(what).into());
        }
        mesh = mesh.refined()?;
    }
    Ok(mesh)
}

fn invalid(report: &MeshReport) -> BadInput {
    let count = report.invalid_cells.len() + report.duplicate_cells.len();
    let cells = if count == 1 { "cell" } else { "cells" };
    BadInput(format!(
        "{}: {count} {cells} cannot be simulated; move the nodes or remesh there",
        report.file
    ))
}
