//! Cells with contents: their masses and stiffness are those of their leaves.

use std::sync::Arc;

use crate::common::{Random, largest, run, soft};
use glam::{DQuat, DVec3};
use pliant::body::{Body, Contents, ContentsError, Model, ModelConfig, ModelError, Pin};
use pliant::internals::Leaf;
use pliant::internals::{Elastic, Elasticity, Warped};
use pliant::material::{LawKind, Material};
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::Rotation;
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{World, WorldConfig};
use pliant_kernels::lanes::Width;

const DEGREES: [usize; 2] = [1, 2];

/// Two rotated hexahedra with sides of different lengths.
fn hexahedra(degree: usize) -> Mesh {
    let size = [2.0, 0.7, 1.3];
    let config =
        BoxConfig { size, cells: [2, 1, 1], split: Split::Hex, degree, ..Default::default() };
    let mut mesh = box_mesh(&config).unwrap();
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, -1.0, 0.5).normalize(), 0.4);
    mesh.nodes.iter_mut().for_each(|x| *x = turn * *x);
    mesh
}

fn materials(law: LawKind) -> Vec<Material> {
    let flesh = Material { law, ..soft(law) };
    vec![flesh, Material { young: 50.0 * flesh.young, poisson: 0.2, density: 2e3, ..flesh }]
}

/// About half of the 4³ leaves of every cell, with random fill and one or two materials.
fn random_contents(random: &mut Random, cell_count: usize, materials: u32) -> Contents {
    let mut contents = Contents { resolution: 4, start: vec![0], leaves: Vec::new() };
    for _ in 0..cell_count {
        for k in 0..64u16 {
            if random.signed() > 0.0 {
                let place = [k % 4, k / 4 % 4, k / 16];
                let fill = 0.1 + 0.9 * random.signed().abs();
                let material = u32::from(random.signed() > 0.0).min(materials - 1);
                contents.leaves.push(Leaf { place, fill, material });
            }
        }
        contents.start.push(contents.leaves.len() as u32);
    }
    contents
}

fn filled(degree: usize, law: LawKind, contents: Contents) -> Model {
    Model::with_contents(hexahedra(degree), materials(law), contents, ModelConfig::default())
        .unwrap()
}

/// A model whose cells are the leaves, with E and density scaled by their fill, and the nodes of the twice refined
/// mesh that it uses.
fn leaves_as_cells(mesh: &Mesh, contents: &Contents, law: LawKind) -> (Model, Vec<usize>) {
    let fine = mesh.refined().unwrap().refined().unwrap();
    let materials = materials(law);
    let (mut scaled, mut kept) = (Vec::new(), Vec::new());
    for (cell, (_, nodes)) in fine.cells().enumerate() {
        let middle = nodes.iter().map(|node| fine.nodes[*node as usize]).sum::<DVec3>();
        let middle = middle / nodes.len() as f64;
        let (parent, place) = leaf_at(mesh, middle);
        if let Some(leaf) = contents.cell(parent).iter().find(|leaf| leaf.place == place) {
            let own = materials[leaf.material as usize];
            let (young, density) = (own.young * leaf.fill, own.density * leaf.fill);
            scaled.push(Material { young, density, ..own });
            kept.push(cell);
        }
    }
    let mut part = fine.clone();
    part.blocks[0].nodes =
        kept.iter().flat_map(|cell| fine.blocks[0].cell(*cell).to_vec()).collect();
    part.regions.clear();
    part.node_sets.clear();
    // Nodes without cells are removed.
    let mut used: Vec<usize> = part.blocks[0].nodes.iter().map(|node| *node as usize).collect();
    used.sort_unstable();
    used.dedup();
    for node in &mut part.blocks[0].nodes {
        *node = used.binary_search(&(*node as usize)).unwrap() as u32;
    }
    part.nodes = used.iter().map(|node| fine.nodes[*node]).collect();
    let of_cell = (0..kept.len() as u32).collect();
    (Model::new(part, scaled, of_cell, ModelConfig::default()).unwrap(), used)
}

/// The cell and leaf that a point lies in.
fn leaf_at(mesh: &Mesh, point: DVec3) -> (usize, [u16; 3]) {
    let place = |cell: usize| {
        let (_, nodes) = mesh.cell(cell);
        let inverse = mesh.straight_jacobian(cell).inverse();
        DVec3::from(inverse.mul_vec((point - mesh.nodes[nodes[0] as usize]).into()))
    };
    let inside = |xi: DVec3| xi.min_element() > 0.0 && xi.max_element() < 1.0;
    let cell = (0..mesh.cell_count()).find(|cell| inside(place(*cell))).unwrap();
    (cell, place(cell).to_array().map(|xi| (4.0 * xi) as u16))
}

/// The positions of the nodes of the leaves when the nodes of the coarse cells are at `x`, by subdivision of the
/// control points.
fn carried(mesh: &Mesh, x: &[DVec3], used: &[usize]) -> Vec<DVec3> {
    let moved = Mesh { nodes: x.to_vec(), ..mesh.clone() };
    let fine = moved.refined().unwrap().refined().unwrap();
    used.iter().map(|node| fine.nodes[*node]).collect()
}

/// K = Σ Lᵀ K_leaf L (Nesme et al. 2006, section 5.3): the energy of a coarse cell equals that of its leaves when
/// their nodes follow its own, for random displacements and random contents of two materials. With the linear law,
/// which has no rotation. Tolerance 1e-11: rounding of sums of about a thousand terms.
#[test]
fn stiffness_is_that_of_the_leaves_popped_up() {
    let mut random = Random::new(21);
    for degree in DEGREES {
        let mesh = hexahedra(degree);
        let contents = random_contents(&mut random, 2, 2);
        let coarse = filled(degree, LawKind::Linear, contents.clone());
        let (fine, used) = leaves_as_cells(&mesh, &contents, LawKind::Linear);
        let x: Vec<DVec3> = mesh.nodes.iter().map(|x| *x + 0.1 * random.vector()).collect();
        let energy = |model: &Model, x: &[DVec3]| {
            let mut forces = vec![DVec3::ZERO; x.len()];
            Warped::new(model, Rotation::Cell, Width::default()).forces(
                model.rest_shape(),
                x,
                &mut forces,
            )
        };
        let (own, expected) = (energy(&coarse, &x), energy(&fine, &carried(&mesh, &x, &used)));
        assert!((own - expected).abs() < 1e-11 * expected, "degree {degree}: {own} {expected}");
    }
}

/// M = Σ Lᵀ m L: the same for the kinetic energy, the mass and the centre of mass, to rounding (1e-12).
#[test]
fn masses_are_those_of_the_leaves() {
    let mut random = Random::new(22);
    for degree in DEGREES {
        let mesh = hexahedra(degree);
        let contents = random_contents(&mut random, 2, 2);
        let coarse = filled(degree, LawKind::Linear, contents.clone());
        let (fine, used) = leaves_as_cells(&mesh, &contents, LawKind::Linear);
        assert!((coarse.mass() - fine.mass()).abs() < 1e-12 * fine.mass());
        let centre = |model: &Model| -> DVec3 {
            model.mesh().nodes.iter().zip(model.masses()).map(|(x, m)| *m * *x).sum()
        };
        assert!(centre(&coarse).distance(centre(&fine)) < 1e-12 * fine.mass());
        assert!(coarse.masses().iter().all(|mass| *mass > 0.0));
        let v: Vec<DVec3> = mesh.nodes.iter().map(|_| random.vector()).collect();
        let kinetic = |model: &Model, v: &[DVec3]| -> f64 {
            model.consistent_mass().apply(v).iter().zip(v).map(|(p, v)| p.dot(*v)).sum()
        };
        let (own, expected) = (kinetic(&coarse, &v), kinetic(&fine, &carried(&mesh, &v, &used)));
        assert!((own - expected).abs() < 1e-12 * expected, "degree {degree}: {own} {expected}");
    }
}

/// A cell full of one material equals an ordinary cell, to rounding: in the energy of a homogeneous deformation, for
/// every law, and in the forces of a small random deformation. The latter with the linear law at degree 2, because
/// there the rotation of an ordinary cell is that of its corners, and the rotation of a cell with contents is that of
/// all its matter.
#[test]
fn full_cells_are_ordinary_cells() {
    let mut random = Random::new(23);
    let full = |k: u16| Leaf { place: [k % 4, k / 4 % 4, k / 16], fill: 1.0, material: 0 };
    let leaves: Vec<Leaf> = (0..64).chain(0..64).map(full).collect();
    let contents = Contents { resolution: 4, start: vec![0, 64, 128], leaves };
    for degree in DEGREES {
        for law in LawKind::ALL {
            let with = filled(degree, law, contents.clone());
            let without = Model::uniform(hexahedra(degree), materials(law)[0]).unwrap();
            let stretch = DVec3::new(1.2, 0.9, 1.05);
            let x: Vec<DVec3> = with.mesh().nodes.iter().map(|x| *x * stretch).collect();
            let energy = |m: &Model, x: &[DVec3]| {
                Elastic::new(m, Width::default()).energy(m.rest_shape(), x)
            };
            let (own, expected) = (energy(&with, &x), energy(&without, &x));
            assert!((own - expected).abs() < 1e-12 * expected, "{law:?}: {own} {expected}");
        }
        let law = if degree == 1 { LawKind::Corotated } else { LawKind::Linear };
        let with = filled(degree, law, contents.clone());
        let without = Model::uniform(hexahedra(degree), materials(law)[0]).unwrap();
        let x: Vec<DVec3> = with.mesh().nodes.iter().map(|x| *x + 0.02 * random.vector()).collect();
        let forces = |model: &Model| {
            let mut forces = vec![DVec3::ZERO; x.len()];
            Warped::new(model, Rotation::Cell, Width::default()).forces(
                model.rest_shape(),
                &x,
                &mut forces,
            );
            forces
        };
        let (own, expected) = (forces(&with), forces(&without));
        let error = largest(own.iter().zip(&expected).map(|(a, b)| *a - *b));
        assert!(error < 1e-11 * largest(expected), "degree {degree}: {error}");
    }
}

/// The quadrature weights of cells with contents are non-negative and sum to the filled volume, for any contents, to
/// rounding.
#[test]
fn weights_are_positive_and_complete() {
    let mut random = Random::new(24);
    for degree in DEGREES {
        for _ in 0..20 {
            let mut contents = random_contents(&mut random, 2, 1);
            if random.signed() > 0.0 {
                // Matter in one corner only.
                contents.leaves.retain(|leaf| leaf.place == [3, 0, 3]);
                let corner = Leaf { place: [3, 0, 3], fill: 0.5, material: 0 };
                contents.leaves = vec![corner; 2];
                contents.start = vec![0, 1, 2];
            }
            let model = filled(degree, LawKind::RestStable, contents.clone());
            let volumes = model.mesh().cell_volumes();
            for batch in model.rest_batches() {
                for (lane, cell) in batch.cells.iter().enumerate() {
                    let weights: Vec<f64> = (0..batch.point_count())
                        .map(|point| batch.rest_point([0, lane, point]).volume)
                        .collect();
                    assert!(weights.iter().all(|weight| *weight >= 0.0), "{weights:?}");
                    let cell = *cell as usize;
                    let matter = contents.fill(cell) * volumes[cell];
                    let sum: f64 = weights.iter().sum();
                    assert!((sum - matter).abs() < 1e-12 * volumes[cell], "{sum} {matter}");
                }
            }
        }
    }
}

/// Spreading the contents of cells evenly conserves the mass, to rounding.
#[test]
fn smeared_contents_keep_the_mass() {
    let mut random = Random::new(25);
    let contents = random_contents(&mut random, 2, 1);
    let (own, even) =
        [contents.clone(), contents.smeared()].map(|c| filled(1, LawKind::Corotated, c)).into();
    assert!((own.mass() - even.mass()).abs() < 1e-12 * own.mass());
}

/// Every stepper works with cells with contents, for a corotated and a hyperelastic law: a body held at one end sags
/// under its weight, by less than 1 m, and is never reset.
#[test]
fn every_stepper_moves_cells_with_contents() {
    let mut random = Random::new(26);
    let contents = random_contents(&mut random, 2, 2);
    for degree in DEGREES {
        for law in [LawKind::Corotated, LawKind::RestStable] {
            for stepper in Stepper::ALL {
                let model = filled(degree, law, contents.clone());
                let far = model.mesh().nodes.iter().map(|x| x.length()).fold(0.0, f64::max);
                let nodes =
                    (0u32..).zip(&model.mesh().nodes).filter(|(_, x)| x.length() < 0.6 * far);
                let pin =
                    Pin { nodes: nodes.map(|(node, _)| node).collect(), ..Default::default() };
                let body = Body::new("filled", Arc::new(model), vec![pin]).unwrap();
                let mut world = World::new(WorldConfig::default()).unwrap();
                let method = MethodConfig { stepper, ..Default::default() };
                let handle = world.add_with(body, method).unwrap();
                run(&mut world, 20);
                let what = format!("{stepper:?}, {law}, degree {degree}");
                assert_eq!(world.health().resets, 0, "{what}");
                let body = world.get(handle).unwrap();
                let moves = body.state.x.iter().zip(&body.model().mesh().nodes);
                let sunk = moves.map(|(now, rest)| rest.y - now.y).fold(0.0, f64::max);
                assert!((1e-6..1.0).contains(&sunk), "{what}: {sunk} m");
            }
        }
    }
}

/// Every kind of invalid contents returns its own error, with the cell.
#[test]
fn contents_that_do_not_fit_are_refused() {
    let leaf = Leaf { place: [0; 3], fill: 1.0, material: 0 };
    let whole = Contents { resolution: 1, start: vec![0, 1, 2], leaves: vec![leaf; 2] };
    let refused = |change: &dyn Fn(&mut Contents)| {
        let mut contents = whole.clone();
        change(&mut contents);
        let made = Model::with_contents(
            hexahedra(1),
            materials(LawKind::Corotated),
            contents,
            ModelConfig::default(),
        );
        match made {
            Err(ModelError::Contents(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(&|c| c.start = vec![0, 2, 2]), ContentsError::Empty { cell: 1 });
    assert_eq!(refused(&|c| c.start.truncate(2)), ContentsError::Count { given: 1, cell_count: 2 });
    assert_eq!(
        refused(&|c| c.leaves[1].place[2] = 1),
        ContentsError::Outside { cell: 1, place: [0, 0, 1], resolution: 1 }
    );
    assert_eq!(refused(&|c| c.leaves[0].fill = 1.5), ContentsError::Fill { cell: 0, fill: 1.5 });
    assert_eq!(
        refused(&|c| c.leaves[0].material = 2),
        ContentsError::Material { cell: 0, material: 2, count: 2 }
    );
    assert!(matches!(refused(&|c| c.resolution = 0), ContentsError::Resolution { .. }));
}
