//! tmp
use pliant::body::*;
use pliant::force::*;
use pliant::material::*;
use pliant::mesh::generate::*;
fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().unwrap();
    for (split, degree) in [
        (Split::Tet5, 1),
        (Split::Tet5, 2),
        (Split::Tet5, 3),
        (Split::Hex, 1),
        (Split::Hex, 2),
        (Split::Prism, 1),
        (Split::Pyramid, 1),
    ] {
        let n = match (split, degree) {
            (Split::Hex, 2) => 8,
            (Split::Tet5, 3) => 8,
            (Split::Tet5, 1) => 12,
            _ => 10,
        };
        let mesh =
            box_mesh(&BoxConfig { cells: [n; 3], degree, split, ..Default::default() }).unwrap();
        let c = mesh.cell_count();
        let model =
            Model::uniform(mesh, Material { law: LawKind::RestStable, ..Default::default() })
                .unwrap();
        let x: Vec<_> = model.mesh().nodes.iter().map(|x| *x * 1.1).collect();
        let mut f = x.clone();
        let time = |w: Width, full: bool, f: &mut Vec<glam::DVec3>| {
            let mut e = Elastic::new(&model, w);
            let mut best = f64::MAX;
            for _ in 0..20 {
                let t = std::time::Instant::now();
                for _ in 0..3 {
                    if full {
                        e.forces(&model, &x, f);
                    } else {
                        e.evaluate_cells(&model, &x);
                    }
                }
                best = best.min(t.elapsed().as_secs_f64() / 3.0);
            }
            best * 1e9 / c as f64
        };
        let (a, b, d) = (
            time(Width::One, false, &mut f),
            time(Width::default(), false, &mut f),
            time(Width::default(), true, &mut f),
        );
        println!(
            "{split:?} {degree} cells {c}: one {a:.1} lanes {b:.1} ratio {:.2}; with node sums {d:.1}",
            a / b
        );
    }
}
