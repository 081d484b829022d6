//! Every scene of the catalogue can be parsed, checked and built, and has what its name promises.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::path::Path;

use pliant::element::Kind;
use pliant_io::scene::{Built, Mode, Scene, catalogue};

fn open(name: &str) -> (Scene, Built) {
    let entry = catalogue::find(name).unwrap_or_else(|| panic!("no scene {name}"));
    Scene::open(name, entry.text, Path::new(".")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_scene_builds() {
    for entry in catalogue::all() {
        let (scene, built) = open(entry.name);
        assert!(!scene.title.is_empty() && !scene.description.is_empty(), "{}", entry.name);
        assert!(!scene.outputs.is_empty(), "{} writes nothing", entry.name);
        assert!(!built.bodies.is_empty());
        for probe in &built.probes {
            let error = built.probe_position(probe).distance(probe.at);
            assert!(error < 1e-9, "{}: probe {} is {error:.1e} m off", entry.name, probe.name);
        }
    }
}

#[test]
fn the_default_scene_moves() {
    assert_eq!(open(catalogue::DEFAULT).0.mode, Mode::Dynamic);
}

/// Cells and nodes of Saillant et al. 2024, Table 4. Of its biased torsion meshes, the table
/// gives P2 the node count of P1.
#[test]
fn meshes_of_the_paper_have_its_sizes() {
    let sizes = [
        ("bending-p1", Kind::Tet4, 1280, 425),
        ("bending-p2", Kind::Tet10, 160, 393),
        ("bending-p3", Kind::Tet20, 80, 573),
        ("torsion-p1", Kind::Tet4, 1280, 425),
        ("torsion-p2", Kind::Tet10, 160, 393),
        ("torsion-p3", Kind::Tet20, 80, 573),
        ("torsion-p1-biased", Kind::Tet4, 1536, 425),
        ("torsion-p2-biased", Kind::Tet10, 192, 425),
        ("torsion-p3-biased", Kind::Tet20, 96, 637),
        ("tension-p1-biased", Kind::Tet4, 2592, 637),
        ("tension-p2-biased", Kind::Tet10, 324, 637),
        ("tension-p3-biased", Kind::Tet20, 96, 637),
    ];
    for (name, kind, cells, nodes) in sizes {
        let (_, built) = open(&format!("saillant/static-{name}"));
        let mesh = built.world.bodies().next().unwrap().1.model().mesh();
        assert_eq!(mesh.blocks[0].kind, kind, "{name}");
        assert_eq!((mesh.cell_count(), mesh.nodes.len()), (cells, nodes), "{name}");
    }
}

#[test]
fn a_region_takes_its_own_material_and_the_rest_of_its_body() {
    let (_, built) = open("gallery/mixed-materials");
    let (_, body) = built.world.bodies().nth(1).unwrap();
    let region = body.model().mesh().region("middle").unwrap();
    let soft = body.model().material(region.cells[0] as usize);
    assert_eq!((soft.young, soft.poisson), (5e4, 0.4));
    let inside = |cell: usize| region.cells.binary_search(&(cell as u32)).is_ok();
    let outside = (0..body.model().mesh().cell_count()).find(|cell| !inside(*cell)).unwrap();
    assert_eq!(body.model().material(outside).young, 5e5);
}
