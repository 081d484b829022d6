//! Scenes with bodies that are meshed from surfaces.

use std::path::Path;

use glam::DVec3;
use pliant::element::Kind;
use pliant_io::scene::{BuiltScene, Scene, SceneError};
use pliant_io::surface::{Surface, write_obj};

/// A dynamic scene with this mesh and these further lines of its body. The mesh is in line 4.
fn scene(mesh: &str, more: &str) -> String {
    format!(
        "version = 1\n[[body]]\nname = \"it\"\nmesh = {{ {mesh} }}\n\
         material = {{ law = \"corotated\", young = 1e5, poisson = 0.3, density = 1000 }}\n{more}\n"
    )
}

fn open(text: &str, base: &Path) -> Result<(Scene, BuiltScene), SceneError> {
    Scene::open("test.toml", text, base)
}

fn built(mesh: &str, more: &str, base: &Path) -> BuiltScene {
    open(&scene(mesh, more), base).unwrap_or_else(|error| panic!("{error}")).1
}

/// The message about such a scene.
fn refused(mesh: &str, more: &str) -> String {
    open(&scene(mesh, more), Path::new("/nowhere")).map(|_| ()).expect_err(mesh).to_string()
}

/// A red cube with sides of `size` around `centre`.
fn cube(size: f64, centre: DVec3) -> Surface {
    let side = |corner: usize, bit: usize| if corner >> bit & 1 == 1 { 0.5 } else { -0.5 };
    let corner = |k| centre + size * DVec3::new(side(k, 0), side(k, 1), side(k, 2));
    let quads =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    let colours = Some(vec![[1.0, 0.0, 0.0]; 8]);
    Surface { colours, ..Surface::new((0..8).map(corner).collect(), triangles) }
}

/// A folder with a cube of 1 m and, inside it, one of half a metre.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_obj(&folder.path().join("flesh.obj"), &cube(1.0, DVec3::ZERO)).unwrap();
    write_obj(&folder.path().join("bone.obj"), &cube(0.5, DVec3::ZERO)).unwrap();
    folder
}

/// A surface becomes a body with every mesher, the drawn skin is that surface, and the mass is right within 15 %, the
/// error of so coarse a mesh.
#[test]
fn a_surface_becomes_a_body() {
    let folder = folder();
    let kinds = [
        ("voxels = { depth = 1 }", Kind::Hex8),
        ("voxels = { length = 0.6, leaves = 5 }, degree = 2", Kind::Hex27),
        ("tetrahedra = { cells = 100 }, degree = 2", Kind::Tet10),
        ("tetrahedra = { length = 0.4 }, degree = 1", Kind::Tet4),
    ];
    for (mesher, kind) in kinds {
        let built = built(&format!("surface = \"flesh.obj\", {mesher}"), "", folder.path());
        let (_, body) = built.world.bodies().next().unwrap();
        let model = body.model();
        assert_eq!(model.mesh().blocks[0].kind, kind, "{mesher}");
        let surface = built.meshes[0].surface().unwrap();
        let mut vertices = Vec::new();
        model.skin().unwrap().interpolate(&model.mesh().nodes, &mut vertices);
        assert_eq!(vertices.len(), surface.vertices.len());
        for (own, given) in vertices.iter().zip(&surface.vertices) {
            // Vertices outside of all tetrahedra may be moved a little; here all are on cells.
            assert!(own.distance(*given) < 1e-6, "{mesher}: {own} {given}");
        }
        assert!((model.mass() / 1000.0 - 1.0).abs() < 0.15, "{mesher}: {} kg", model.mass());
    }
}

/// Without a mesher, a surface that tetrahedra follow gets tetrahedra, and an open shirt gets voxels; the body says why. A
/// mesher that is named is used, without a reason. Regions of either kind select their part: half of the mass.
#[test]
fn a_surface_without_a_mesher_chooses() {
    let folder = folder();
    let choice = |mesh: &str| {
        let built = built(mesh, "", folder.path());
        let kind = built.world.bodies().next().unwrap().1.model().mesh().blocks[0].kind;
        (kind, built.meshes[0].choice().map(str::to_owned))
    };
    let (kind, why) = choice("surface = \"flesh.obj\"");
    let why = why.unwrap();
    assert_eq!(kind, Kind::Tet10);
    assert!(why.starts_with("tetrahedra, because they follow the surface"), "{why}");
    let (kind, why) = choice("figure = \"shirt\", edge = 0.05");
    let why = why.unwrap();
    assert_eq!(kind, Kind::Hex8);
    assert!(why.starts_with("voxels, because") && why.contains("over holes"), "{why}");
    assert_eq!(choice("surface = \"flesh.obj\", degree = 3").0, Kind::Tet20);
    assert_eq!(choice("surface = \"flesh.obj\", voxels = {}"), (Kind::Hex8, None));
    assert_eq!(choice("surface = \"flesh.obj\", tetrahedra = {}"), (Kind::Tet10, None));
}

/// Chosen voxels have the regions of the body in their leaves.
#[test]
fn chosen_voxels_have_regions() {
    let region = "[[body.region]]\nname = \"left\"\nmaterial = { density = 3000 }\n\
        where = { half_space = { point = [0, 0, 0], normal = [1, 0, 0] } }";
    let mass = |more: &str| {
        let built = built("figure = \"shirt\", edge = 0.05", more, Path::new("."));
        built.world.bodies().next().unwrap().1.model().mass()
    };
    // One half of a symmetric shirt is three times as heavy.
    let ratio = mass(region) / mass("");
    assert!((ratio - 2.0).abs() < 0.1, "{ratio}");
}

/// Regions of voxels select leaves: inside a second surface, by colour, or by a half-space. Bone is twice as heavy as
/// flesh, so that the mass gives its share. Leaves are a sixteenth of the cube wide.
#[test]
fn regions_of_voxels_are_leaves() {
    let folder = folder();
    let mass = |selection: &str| {
        let region = format!(
            "[[body.region]]\nname = \"bone\"\nwhere = {selection}\nmaterial = {{ density = 2000 }}"
        );
        let mesh = "surface = \"flesh.obj\", voxels = { depth = 1, leaves = 5 }";
        let built = built(mesh, &region, folder.path());
        built.world.bodies().next().unwrap().1.model().mass()
    };
    let (eighth, half, whole) = (1125.0, 1500.0, 2000.0);
    let cases = [
        ("{ surface = \"bone.obj\" }", eighth),
        ("{ colour = \"#ff0000\" }", whole),
        ("{ half_space = { point = [0, 0, 0], normal = [0, 1, 0] } }", half),
    ];
    for (selection, expected) in cases {
        let mass = mass(selection);
        // Leaves on the border have one of the two materials, which changes the mass by up to a sixth of an eighth.
        assert!((mass / expected - 1.0).abs() < 0.08, "{selection}: {mass} kg");
    }
}

/// Tetrahedra are smaller where `finer` asks for it: in a shape, in a second surface, or on a colour.
#[test]
fn tetrahedra_are_finer_where_asked() {
    let folder = folder();
    let cells = |more: &str| {
        let mesh =
            format!("surface = \"flesh.obj\", tetrahedra = {{ length = 0.4{more} }}, degree = 1");
        let built = built(&mesh, "", folder.path());
        let (_, body) = built.world.bodies().next().unwrap();
        body.model().mesh().cell_count()
    };
    let finer = |place: &str| cells(&format!(", finer = [{{ where = {place}, size = 0.1 }}]"));
    let plain = cells("");
    let everywhere = finer("{ colour = \"#ff0000\" }");
    // The whole surface has the colour: edges a quarter as long make 16 times as many cells at the surface.
    assert!(everywhere > 8 * plain, "{plain} {everywhere}");
    let parts = [
        "{ surface = \"bone.obj\" }",
        "{ half_space = { point = [0, 0.3, 0], normal = [0, 1, 0] } }",
        "{ box = { min = [0.3, 0.3, 0.3], max = [1, 1, 1] } }",
        "{ sphere = { centre = [0.5, 0, 0], radius = 0.2 } }",
    ];
    for place in parts {
        let some = finer(place);
        assert!(some > plain + plain / 2 && some < everywhere, "{place}: {plain} {some}");
    }
}

/// Pins with `on = "surface"` move the vertices of the surface exactly, for voxels and for tetrahedra.
#[test]
fn pins_on_the_surface_lead_its_vertices() {
    let folder = folder();
    let pin = "[[body.pin]]\nwhere = { half_space = { point = [0, 0.49, 0], normal = [0, 1, 0] } }\n\
               on = \"surface\"\nmotion = [{ start = 0, end = 0.1, translate = [0, 0.2, 0] }]";
    for mesher in ["voxels = { depth = 2 }", "tetrahedra = { cells = 100 }, degree = 2"] {
        let mut built = built(&format!("surface = \"flesh.obj\", {mesher}"), pin, folder.path());
        (0..12).for_each(|_| {
            built.world.step();
        });
        let (_, body) = built.world.bodies().next().unwrap();
        let surface = built.meshes[0].surface().unwrap();
        let mut vertices = Vec::new();
        body.model().skin().unwrap().interpolate(&body.state.x, &mut vertices);
        for (now, rest) in vertices.iter().zip(&surface.vertices).filter(|(_, x)| x.y > 0.49) {
            let error = now.distance(*rest + DVec3::new(0.0, 0.2, 0.0));
            // Corners of the cube are slightly outside the tetrahedra.
            assert!(error < 1e-6, "{mesher}: {error}");
        }
    }
}

/// Errors about surfaces and meshers have the place, the value and the remedy.
#[test]
fn bad_surfaces_are_told() {
    let voxel_pin = "pin = [{ where = \"y-\", on = \"surface\" }]";
    let painted = "pin = [{ where = { colour = \"#ff0000\" } }]";
    let cases: [(&str, &str, &[&str]); 22] = [
        ("figure = \"beer\"", "", &["test.toml:4:", "no figure `beer`", "did you mean `bear`"]),
        ("surface = \"no.obj\"", "", &["test.toml:4:", "no.obj", "No such file"]),
        ("surface = \"a.obj\", figure = \"bear\"", "", &["test.toml:4:", "2 given"]),
        ("figure = \"c\", edge = -1", "", &["`edge` is -1", "above 0"]),
        ("surface = \"a.obj\", edge = 0.1", "", &["`edge` has no effect"]),
        ("figure = \"c\", voxels = {}, tetrahedra = {}", "", &["a mesher: 2 given"]),
        ("figure = \"c\", voxels = { depth = 3, length = 1 }", "", &["a size: 2 given"]),
        ("figure = \"c\", voxels = { depth = 99 }", "", &["`depth` is 99", "0 to 15"]),
        ("figure = \"c\", voxels = { depth = 5, leaves = 3 }", "", &["leaves"]),
        ("figure = \"c\", voxels = {}, degree = 3", "", &["`degree` is 3", "1 or 2"]),
        ("figure = \"c\", voxels = { stiffness = \"even\" }", "", &["no stiffness `even`"]),
        ("figure = \"c\", refine = 1", "", &["`refine` has no effect", "smaller size"]),
        ("box = {}, voxels = {}", "", &["`voxels` has no effect", "`surface` or `figure`"]),
        (
            "figure = \"c\", tetrahedra = { finer = [{ where = { colour = \"red\" }, size = 1 }] }",
            "",
            &["test.toml:4:69", "`red` is not a colour", "#rrggbb"],
        ),
        (
            "figure = \"c\", tetrahedra = { finer = [{ where = { colour = \"#ff0000\" }, size = 0.01 }] }",
            "",
            &["test.toml:4:58", "no triangle has it", "paint some"],
        ),
        (
            "figure = \"c\", tetrahedra = { finer = [{ where = { sphere = { centre = [9, 0, 0], radius = 1 } }, size = 0.01 }] }",
            "",
            &["test.toml:4:58", "this `finer` selects no cell of body `it`", "reaches from"],
        ),
        (
            "figure = \"c\", tetrahedra = { finer = [{ where = \"head\", size = 0.01 }] }",
            "",
            &["test.toml:4:58", "no region `head`"],
        ),
        (
            "figure = \"c\", tetrahedra = { length = 0.1, finer = [{ where = { colour = \"#ff0000\" }, size = 0.2 }] }",
            "",
            &["test.toml:4:", "`size` has no effect", "not below `length`"],
        ),
        (
            "figure = \"c\", tetrahedra = { finer = [{ where = { colour = \"#ff0000\" }, size = 0 }] }",
            "",
            &["`size` is 0", "above 0"],
        ),
        (
            "figure = \"c\", tetrahedra = { finer = [{ where = { surface = \"no.obj\" }, size = 0.1 }] }",
            "",
            &["test.toml:4:58", "no.obj", "No such file"],
        ),
        ("box = {}", voxel_pin, &["this body has no surface", "remove `on"]),
        ("box = {}", painted, &["have colours", "select with `box`"]),
    ];
    for (mesh, more, parts) in cases {
        let message = refused(mesh, more);
        for part in parts {
            assert!(message.contains(part), "{mesh} {more}: {part} is missing:\n{message}");
        }
    }
    let huge = refused("figure = \"c\", voxels = { depth = 14, leaves = 15 }", "");
    assert!(huge.contains("GiB") || huge.contains("GB"), "{huge}");
}
