#![allow(clippy::unwrap_used, missing_docs)]
use glam::DVec3;
use pliant::body::{Body, Model};
use pliant::material::Material;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::world::{World, WorldConfig};
use std::sync::Arc;
#[test]
fn zz() {
    let config = BoxConfig {
        origin: [-0.1; 3],
        size: [0.2; 3],
        cells: [2; 3],
        split: Split::Tet5,
        degree: 1,
        ..Default::default()
    };
    let model = Arc::new(
        Model::uniform(
            box_mesh(&config).unwrap(),
            Material { young: 1e5, poisson: 0.3, density: 1000.0, ..Default::default() },
        )
        .unwrap(),
    );
    let mut world =
        World::new(WorldConfig { gravity: DVec3::ZERO, sleep: None, ..Default::default() })
            .unwrap();
    for (x, v) in [(-0.15, 1.0), (0.15, -1.0f64)] {
        let mut body = Body::new("c", model.clone(), vec![]).unwrap();
        body.state.x.iter_mut().for_each(|p| *p += DVec3::new(x, 0.03 * f64::signum(x), 0.02));
        body.state.v.fill(DVec3::X * v);
        world.add(body);
    }
    for k in 0..20 {
        let r = world.step();
        let c: Vec<f64> = world
            .bodies()
            .map(|(_, b)| b.state.x.iter().map(|x| x.x).sum::<f64>() / b.state.x.len() as f64)
            .collect();
        let v: Vec<f64> = world
            .bodies()
            .map(|(_, b)| b.state.v.iter().map(|x| x.x).sum::<f64>() / b.state.x.len() as f64)
            .collect();
        eprintln!("{k} {c:?} {v:?} it {} res {:e}", r.linear.iterations, r.linear.residual);
    }
}
