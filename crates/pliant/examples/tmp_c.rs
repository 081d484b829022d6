//! tmp
use glam::DVec3;
use pliant::body::*;
use pliant::material::*;
use pliant::mesh::generate::*;
use pliant::solver::*;
use pliant::world::*;
use std::sync::Arc;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let degree: usize = a[1].parse().unwrap();
    let cells = match degree {
        1 => [12, 6, 6],
        2 => [6, 2, 2],
        _ => [4, 2, 2],
    };
    let q = a.get(2).and_then(|s| s.parse().ok());
    let mesh =
        box_mesh(&BoxConfig { size: [3., 1., 1.], cells, degree, ..Default::default() }).unwrap();
    let m = Material {
        law: LawKind::RestStable,
        parameters: Parameters::AsPublished,
        young: 1e5,
        poisson: 0.499,
        density: 1000.,
        ..Default::default()
    };
    let n = mesh.cell_count();
    let t = |s: f64| Motion {
        ramps: vec![Ramp { start: 0., end: 1., action: Action::Translate(DVec3::X * s) }],
    };
    let pins = vec![
        Pin { nodes: mesh.node_set("x-").unwrap().nodes.clone(), motion: t(-1.5) },
        Pin { nodes: mesh.node_set("x+").unwrap().nodes.clone(), motion: t(1.5) },
    ];
    let model =
        Arc::new(Model::new(mesh, vec![m], vec![0; n], ModelConfig { quadrature: q }).unwrap());
    let mut w = World::new(WorldConfig { gravity: DVec3::ZERO, ..Default::default() }).unwrap();
    w.add(Body::new("b", model, pins).unwrap());
    let r = w.solve_static(&StaticConfig { load_steps: 8, ..Default::default() }, &mut |p| {
        println!("{:.4} {} {:.2e}", p.load, p.iteration, p.residual)
    });
    println!("{r:?} {:?}", w.health());
}
