//! One call from a surface to a body: what it chooses, what can be set, and its errors.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use pliant_game::body::Touch;
use pliant_game::glam::DVec3;
use pliant_game::io::surface::write_surface;
use pliant_game::mesher::choose::{CellMethod, Misfit};
use pliant_game::mesher::gallery::Figure;
use pliant_game::mesher::voxels::VoxelConfig;
use pliant_game::{
    BodyFromSurface, BodyFromSurfaceError, DrawnSkin, Kind, Material, Model, Obstacle, Surface,
    SurfaceModel, World, WorldConfig,
};

fn kind(model: &Model) -> Kind {
    model.mesh().blocks[0].kind
}

fn longest_side(surface: &Surface) -> f64 {
    let (low, high) = surface.bounds();
    (high - low).max_element()
}

/// A ball is filled with tetrahedra, cloth with voxels. The number of cells is about the wished one; the ears of a bear take up to three times as many.
#[test]
fn cells_follow_the_surface() {
    let of = |figure: Figure, cells| BodyFromSurface::figure(figure).cells(cells).model().unwrap();
    let ball = of(Figure::Ball, 200);
    assert_eq!((kind(&ball.model), &ball.misfit), (Kind::Tet10, &None));
    let shirt = of(Figure::Shirt, 100);
    assert_eq!(kind(&shirt.model), Kind::Hex8);
    assert!(shirt.misfit.is_some());
    let bear = of(Figure::Bear, 200);
    let rope = of(Figure::Rope, 20);
    assert!(matches!(rope.misfit, Some(Misfit::Failed(_))), "{:?}", rope.misfit);
    for (made, wished, most) in [(&ball, 200.0, 1.6), (&shirt, 100.0, 1.6), (&bear, 200.0, 3.0)] {
        let cells = made.model.mesh().cell_count() as f64;
        assert!((0.6..=most).contains(&(cells / wished)), "{cells} cells for {wished}");
    }
}

/// The drawn skin is the surface to the vertex, in the wished size; what touches is coarser. Both can be set.
#[test]
fn skins_are_chosen_and_can_be_set() {
    let starfish = Figure::Starfish.surface(0.03);
    let star = BodyFromSurface::surface(starfish).size(0.5).cells(200);
    let SurfaceModel { model, surface, .. } = star.model().unwrap();
    let surface = surface.unwrap();
    assert!((longest_side(&surface) - 0.5).abs() < 1e-12);
    let body = star.build().unwrap();
    let mut drawn = Vec::new();
    body.drawn_skin().interpolate(&body.state.x, &mut drawn);
    let off = drawn.iter().zip(&surface.vertices).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(drawn.len() == surface.vertices.len() && off < 1e-9, "{off}");
    let (touching, all) = (model.touching_skin().vertex_count(), surface.vertices.len());
    assert!(touching < all / 2, "{touching} of {all}");
    assert!(model.touching_distance() < 0.01);

    let exact = star.clone().touch(Touch::Drawn).model().unwrap();
    assert_eq!(exact.model.touching_skin().vertex_count(), surface.vertices.len());
    let bare = star.clone().drawn(DrawnSkin::Cells).model().unwrap();
    assert!(bare.surface.is_none() && bare.model.skin().is_none());
    let wrong = star.touch(Touch::Coarse(3.0)).build().unwrap_err();
    assert!(wrong.to_string().starts_with("the given surface: "), "{wrong}");
}

/// Method, degree, material and name are the given ones.
#[test]
fn everything_can_be_set() {
    let ball = || BodyFromSurface::figure(Figure::Ball);
    let linear = ball().degree(1).name("marble").material(Material::preset("steel").unwrap());
    let marble = linear.build().unwrap();
    assert_eq!((marble.name(), kind(marble.model())), ("marble", Kind::Tet4));
    assert_eq!(marble.model().material(0), &Material::preset("steel").unwrap());
    let config = VoxelConfig { degree: 2, ..VoxelConfig::default() };
    let voxels = ball().method(CellMethod::Voxels(config)).model().unwrap();
    assert_eq!((kind(&voxels.model), voxels.misfit), (Kind::Hex27, None));
    let again = ball().method(CellMethod::Voxels(config)).cells(150).model().unwrap();
    assert_eq!(kind(&again.model), Kind::Tet10, "the later wish counts");
}

/// Bodies of a file land on the ground and lie there: the lowest vertex of the drawn skin is on it, within 1 % of the size.
#[test]
fn bodies_of_a_file_land() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("torus.obj");
    write_surface(&path, &Figure::Torus.surface(0.05)).unwrap();
    let torus = BodyFromSurface::file(&path).size(0.4).cells(150).model().unwrap();
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let mut body = torus.body("torus").unwrap();
    body.place(DVec3::new(0.0, 0.3, 0.0)).unwrap();
    let body = world.add(body);
    (0..120).for_each(|_| _ = world.step());
    let mut drawn = Vec::new();
    world[body].drawn_skin().interpolate(&world[body].state.x, &mut drawn);
    let lowest = drawn.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    assert!(lowest.abs() < 4e-3, "{lowest}");
}

/// Every error names the file, or what it came from, and says what to change.
#[test]
fn errors_name_the_file_and_the_remedy() {
    let missing = BodyFromSurface::file("no/such/cow.obj").build().unwrap_err();
    assert!(matches!(missing, BodyFromSurfaceError::Read(_)));
    assert!(missing.to_string().contains("no/such/cow.obj"), "{missing}");
    let format = BodyFromSurface::file("cow.fbx").build().unwrap_err().to_string();
    assert!(format.contains("cow.fbx") && format.contains("obj, ply, stl"), "{format}");
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = BodyFromSurface::figure(Figure::Ball).size(size).build().unwrap_err();
        assert!(error.to_string().contains("expected a positive, finite length"), "{error}");
    }
    let point = Surface::new(vec![DVec3::ZERO; 3], vec![[0, 1, 2]]);
    let point = BodyFromSurface::surface(point);
    let error = point.clone().size(1.0).build().unwrap_err().to_string();
    assert!(error.starts_with("the given surface: ") && error.contains("extent"), "{error}");
    let error = point.build().unwrap_err();
    assert!(matches!(error, BodyFromSurfaceError::Cells { .. }), "{error}");
    let none = BodyFromSurface::figure(Figure::Ball).cells(0).build().unwrap_err().to_string();
    assert!(none.starts_with("figure `ball`: ") && none.contains("at least one cell"), "{none}");
    let fluid = Material { poisson: 0.5, ..Material::default() };
    let error = BodyFromSurface::figure(Figure::Ball).material(fluid).build().unwrap_err();
    assert!(matches!(error, BodyFromSurfaceError::Model { .. }), "{error}");
}
