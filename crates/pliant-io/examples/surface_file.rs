//! From a surface file to a body in a world: `cargo run --release -p pliant-io --example surface_file`.

use std::error::Error;
use std::sync::Arc;

use pliant::{Body, Material, Model, ModelConfig, Obstacle, World, WorldConfig};
use pliant_io::surface::{read_surface, write_surface};
use pliant_mesher::gallery::Figure;
use pliant_mesher::voxels::{CellSize, VoxelConfig, Voxels, voxelize};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // A file to read: a built-in figure, written as OBJ. Use your own OBJ, PLY, STL or glTF file here.
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("bear.obj");
    write_surface(&path, &Figure::Bear.surface(0.1))?;

    // Triangles in space; lengths in the file are in m.
    let mut surface = read_surface(&path)?;
    surface.vertices.iter_mut().for_each(|vertex| vertex.y += 0.5);

    // Cubes that cover the surface, 2³ along its longest side. `Voxels::contents` describes the part of each cube that
    // is filled, so that empty parts have neither mass nor stiffness. This works for any surface, even an open one;
    // `pliant_mesher::tets::tetrahedra` fills a closed surface with tetrahedra instead.
    let config = VoxelConfig { size: CellSize::Depth(3), ..Default::default() };
    let Voxels { mesh, contents, embedding, report, .. } = voxelize(&surface, &config)?;
    println!("{} cubes, {:.4} m³", mesh.cell_count(), report.volume);

    // The skin ties the vertices of the surface to the nodes: the world draws and touches the surface, not the cubes.
    let skin = embedding.skin(&mesh);
    let materials = vec![Material::preset("rubber")?];
    let model = Model::with_contents(mesh, materials, contents, ModelConfig::default())?;
    let model = Arc::new(model.with_skin(skin));

    let mut world = World::new(WorldConfig::default())?;
    world.add_obstacle(Obstacle::ground(0.5))?;
    let bear = world.add(Body::new("bear", model, vec![])?);
    for _ in 0..60 {
        world.step();
    }

    // The moved surface, for a renderer.
    let body = &world[bear];
    let mut vertices = Vec::new();
    body.drawn().ok_or("it has a skin")?.interpolate(&body.state.x, &mut vertices);
    let lowest = vertices.iter().map(|vertex| vertex.y).fold(f64::INFINITY, f64::min);
    println!("after 1 s its lowest vertex is {:.2} mm above the ground", 1e3 * lowest);
    assert!(lowest.abs() < 0.01);
    Ok(())
}
