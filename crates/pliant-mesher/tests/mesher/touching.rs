//! Bodies with a drawn skin touch through a coarser one that follows it, and rays that hit them find their material.

use std::sync::{Arc, LazyLock};

use glam::DVec3;
use pliant::body::{Skin, Touch};
use pliant::geometry::Surface;
use pliant::material::Material;
use pliant::world::Target;
use pliant::{Body, BodyHandle, Model, ModelConfig, World, WorldConfig};
use pliant_mesher::SurfaceTree;
use pliant_mesher::gallery::Figure;
use pliant_mesher::tets::{TetConfig, Within, tetrahedra};
use pliant_mesher::voxels::{CellSize, VoxelConfig, voxelize};

use super::common::{Random, figure, heavy};

fn voxel_model(surface: &Surface) -> Model {
    let config = VoxelConfig { size: CellSize::Depth(4), ..Default::default() };
    let made = voxelize(surface, &config).unwrap();
    let skin = made.embedding.skin(&made.mesh);
    let materials = vec![Material::default()];
    let model = Model::with_contents(made.mesh, materials, made.contents, ModelConfig::default());
    model.unwrap().with_skin(skin)
}

fn tetrahedral_model(surface: &Surface) -> Model {
    // Ears and wings that are lost hang far out of the cells.
    let config = TetConfig { within: Within::Any, ..TetConfig::default() };
    let made = tetrahedra(surface, &config).unwrap();
    let skin = Skin::embedded(&made.mesh, &made.places, surface.triangles.clone());
    Model::uniform(made.mesh, Material::default()).unwrap().with_skin(skin)
}

/// Figures with limbs and with a hole (in a heavy run also with wings and arms), as voxels and as tetrahedra, made once.
static MODELS: LazyLock<Vec<(String, Arc<Model>)>> = LazyLock::new(|| {
    let figures = [Figure::Bear, Figure::Mug, Figure::Dragon, Figure::Starfish];
    let figures = &figures[..if heavy() { 4 } else { 2 }];
    let both = figures.iter().flat_map(|name| {
        let surface = figure(*name);
        [
            (format!("{name:?}, voxels"), Arc::new(voxel_model(surface))),
            (format!("{name:?}, tetrahedra"), Arc::new(tetrahedral_model(surface))),
        ]
    });
    both.collect()
});

fn places(skin: &Skin, nodes: &[DVec3]) -> Vec<DVec3> {
    let mut vertices = Vec::new();
    skin.interpolate(nodes, &mut vertices);
    vertices
}

/// A bend and a twist of a body of about a metre: what is at rest at x goes to this place.
fn bent(x: DVec3) -> DVec3 {
    let (sin, cos) = (0.8 * x.y).sin_cos();
    let turned = DVec3::new(cos * x.x + sin * x.z, x.y, cos * x.z - sin * x.x);
    turned + DVec3::new(0.3 * x.y * x.y, 0.0, 0.1 * x.y * x.x)
}

/// At rest every drawn vertex is within a hundredth of the diagonal of the skin that touches, as promised; and that skin has not many
/// more vertices than the body has nodes, so that contact costs little more than without a drawn skin. It follows bends too: on a body
/// that is bent and twisted by most of a radian the distance grows to at most three hundredths, because its edges are at most one and a half
/// distances between nodes long.
#[test]
fn the_skin_that_touches_is_coarse_and_near() {
    for (name, model) in &*MODELS {
        let (drawn, touching) = (model.skin().unwrap(), model.touching_skin());
        let nodes = &model.mesh().nodes;
        let (low, high) = Surface::new(places(drawn, nodes), Vec::new()).bounds();
        let diagonal = (high - low).length();
        let told = format!(
            "{name}: {} of {} vertices touch, {} nodes, {:.4}",
            touching.vertex_count(),
            drawn.vertex_count(),
            nodes.len(),
            model.touching_distance() / diagonal
        );
        println!("{told}");
        assert!(model.touching_distance() <= 0.01 * diagonal, "{told}");
        assert!(touching.vertex_count() <= 2 * nodes.len(), "{told}");
        let away = |nodes: &[DVec3]| {
            let coarse = Surface::new(places(touching, nodes), touching.triangles().to_vec());
            let tree = SurfaceTree::new(&coarse).unwrap();
            let distance = |x: DVec3| tree.nearest(x).distance;
            places(drawn, nodes).into_iter().map(distance).fold(0.0, f64::max)
        };
        assert!(away(nodes) <= model.touching_distance() + 1e-12, "{told}");
        let bent: Vec<DVec3> = nodes.iter().map(|x| bent(*x)).collect();
        assert!(away(&bent) <= 0.03 * diagonal, "{told}: {} when bent", away(&bent) / diagonal);
    }
}

/// A ray that hits a body always finds the material there: 1,000 rays at each figure, as voxels and as tetrahedra, at rest and bent. At rest the
/// material point is where the ray hit, to the slack at the faces of cells (a ten-millionth of their size), also where the skin lies outside of the cells. On the bent body the
/// triangle is flat and the cells are curved; and some ears lie far from all cells of tetrahedra, which have cut them off. So there it is within a twentieth
/// of the diagonal.
#[test]
fn every_hit_has_a_material_point() {
    for (name, model) in &*MODELS {
        let (low, high) = model.mesh().bounds();
        let (middle, diagonal) = (0.5 * (low + high), (high - low).length());
        let mut world = World::new(WorldConfig::default()).unwrap();
        let body = world.add(Body::new("figure", Arc::clone(model), vec![]).unwrap());
        let mut random = Random::new(7);
        shoot(&world, body, (middle, diagonal), &mut random, 1e-6, name);
        world[body].state.x.iter_mut().for_each(|x| *x = bent(*x));
        shoot(&world, body, (bent(middle), diagonal), &mut random, 0.05, &format!("{name}, bent"));
    }
}

fn shoot(
    world: &World,
    body: BodyHandle,
    (middle, diagonal): (DVec3, f64),
    random: &mut Random,
    near: f64,
    name: &str,
) {
    let mut hits = 0;
    for _ in 0..1000 {
        let (from, past) = (random.vector().normalize_or(DVec3::Y), random.vector());
        let (eye, target) = (middle + diagonal * from, middle + 0.2 * diagonal * past);
        let Some(hit) = world.ray(eye, target - eye, 10.0 * diagonal) else { continue };
        assert_eq!(hit.target, Target::Body(body));
        hits += 1;
        let point = hit.material_point(&world[body]);
        let point = point.unwrap_or_else(|| panic!("{name}: no material at {}", hit.point));
        let away = point.position(&world[body].state.x).distance(hit.point) / diagonal;
        assert!(away < near, "{name}: the material is {away} diagonals from the hit");
    }
    assert!(hits > 300, "{name}: {hits} hits");
}

/// The drawn skin and the boundary of the cells touch where that is chosen, and a share that is no share is refused.
#[test]
fn what_touches_can_be_chosen() {
    let model = voxel_model(figure(Figure::Bear));
    let drawn = model.clone().with_touch(Touch::Drawn).unwrap();
    assert_eq!(&**drawn.touching_skin(), model.skin().unwrap());
    let cells = model.clone().with_touch(Touch::Boundary).unwrap();
    assert_eq!(**cells.touching_skin(), Skin::of_mesh(model.mesh(), 1));
    let counts = [0.002, 0.01, 0.05].map(|within| {
        let model = model.clone().with_touch(Touch::Coarse(within)).unwrap();
        model.touching_skin().vertex_count()
    });
    assert!(counts.is_sorted_by(|finer, coarser| finer > coarser), "{counts:?}");
    for within in [-0.1, 0.6, f64::NAN] {
        let error = model.clone().with_touch(Touch::Coarse(within)).unwrap_err();
        assert!(error.to_string().contains("0.01 is the default"), "{error}");
    }
}
