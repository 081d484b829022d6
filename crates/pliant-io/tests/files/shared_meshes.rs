//! Files from other programs: every mesh in `../shared/meshes` loads. Skipped if that folder is missing.

use std::f64::consts::PI;
use std::path::PathBuf;

use pliant::element::Kind;
use pliant::mesh::Mesh;
use pliant_io::{MeshFile, gmsh};

/// The folder of meshes, or `None` with a message if it is missing.
fn folder() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");
    let shared = std::env::var_os("PLIANT_SHARED").map_or(beside.into(), PathBuf::from);
    let meshes = shared.join("meshes");
    if meshes.is_dir() {
        return Some(meshes);
    }
    println!("skipped: no {} (set PLIANT_SHARED)", meshes.display());
    None
}

fn load(name: &str) -> Option<MeshFile> {
    let path = folder()?.join(name);
    Some(gmsh::read(&path).unwrap_or_else(|error| panic!("{error}")))
}

/// Cells of each kind, in the order of the blocks.
fn cells(mesh: &Mesh) -> Vec<(Kind, usize)> {
    mesh.blocks.iter().map(|block| (block.kind, block.cell_count())).collect()
}

/// Every mesh of the folder loads and is certified, except one that is known to have invalid cells.
#[test]
fn every_mesh_loads() {
    let Some(folder) = folder() else { return };
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "msh") {
            let file = gmsh::read(&path).unwrap_or_else(|error| panic!("{error}"));
            let name = path.file_name().unwrap().to_string_lossy();
            println!("{name}: {} nodes, {:?}", file.mesh.nodes.len(), cells(&file.mesh));
            println!("    {}, volume {:.6}", file.report.format, file.mesh.volume());
            file.report.notes().iter().for_each(|note| println!("    {note}"));
            // Gmsh finds 183 cells with a negative Jacobian in this mesh.
            let flawed = name == "microstructure-p2.msh";
            assert_eq!(file.mesh.certify().is_err(), flawed, "{name}: {:?}", file.mesh.certify());
            count += 1;
        }
    }
    assert!(count > 0, "the folder has no meshes");
}

/// Numbers of nodes and cells are those in the files.
#[test]
fn counts_are_those_of_the_files() {
    let expected = [
        ("armadillo-13k-tets.msh", 13230, vec![]),
        ("hybrid-block.msh", 31, vec![(Kind::Pyramid5, 16), (Kind::Tet4, 16), (Kind::Prism6, 8)]),
        ("prism-cantilever.msh", 27, vec![(Kind::Prism6, 16)]),
        ("physical-sides-v41.msh", 5, vec![(Kind::Tet4, 2)]),
    ];
    for (name, node_count, kinds) in expected {
        let Some(file) = load(name) else { return };
        assert_eq!(file.mesh.nodes.len(), node_count, "{name}");
        if !kinds.is_empty() {
            assert_eq!(cells(&file.mesh), kinds, "{name}");
        }
    }
}

/// The volume of the same ball in meshes of rising degree approaches the exact one. Degree 4 is lowered to 3 by
/// interpolation of its own surface, at other points than the nodes of the file of degree 3, so that it must only be
/// better than degree 2.
#[test]
fn volumes_of_the_spheres_approach_the_ball() {
    let mut errors = Vec::new();
    for degree in 1..=4 {
        let Some(file) = load(&format!("sphere-p{degree}.msh")) else { return };
        let (low, high) = file.mesh.bounds();
        let radius = corner_radius(&file.mesh);
        let exact = 4.0 / 3.0 * PI * radius.powi(3);
        let volume = file.mesh.volume().abs();
        println!("degree {degree}: radius {radius}, volume {volume}, ball {exact} ({low}, {high})");
        errors.push((volume - exact).abs() / exact);
    }
    println!("{errors:?}");
    assert!(errors[0] > errors[1] && errors[1] > errors[2], "{errors:?}");
    assert!(errors[2] < 1e-3 && errors[3] < errors[1], "{errors:?}");
}

/// The radius of the sphere: corners are on the shape, so it is the distance of the farthest corner.
fn corner_radius(mesh: &Mesh) -> f64 {
    let mut radius: f64 = 0.0;
    for (kind, nodes) in mesh.cells() {
        for node in &nodes[..kind.corner_count()] {
            radius = radius.max(mesh.nodes[*node as usize].length());
        }
    }
    radius
}

/// Text and binary files of Gmsh versions 2.2 and 4.1 give the same mesh.
#[test]
fn four_encodings_of_one_mesh_give_equal_meshes() {
    let Some(reference) = load("multi-material-41_ascii.msh") else { return };
    let names: Vec<&str> = reference.mesh.regions.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names, ["physical_1", "physical_2", "physical_3"]);
    let sizes: Vec<usize> = reference.mesh.regions.iter().map(|r| r.cells.len()).collect();
    assert_eq!(sizes, [1, 3, 1]);
    for encoding in ["41_binary", "22_ascii", "22_binary"] {
        let other = load(&format!("multi-material-{encoding}.msh")).unwrap();
        assert_eq!(other.mesh, reference.mesh, "{encoding}");
    }
}

/// Physical volumes become regions, and physical surfaces become node sets.
#[test]
fn physical_surfaces_become_node_sets() {
    let Some(file) = load("physical-sides-v41.msh") else { return };
    let regions: Vec<_> =
        file.mesh.regions.iter().map(|r| (r.name.as_str(), &r.cells[..])).collect();
    assert_eq!(regions, [("upper", &[0][..]), ("lower", &[1][..])]);
    let sets: Vec<_> =
        file.mesh.node_sets.iter().map(|s| (s.name.as_str(), &s.nodes[..])).collect();
    let expected = [("side_a", &[0, 1, 3][..]), ("side_b", &[1, 2, 3]), ("interface", &[0, 1, 2])];
    assert_eq!(sets, expected);
}
