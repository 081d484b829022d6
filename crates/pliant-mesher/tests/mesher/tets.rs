//! Tetrahedral meshes of surfaces: angles, volumes, curved boundaries, embedding, invalid input.

use crate::common;

use std::collections::BTreeMap;

use common::{
    CURVED, CurvedMesh, ball, bear, blob_with_limbs, capsule, cases, counted, cube, for_cases,
    heavy, mapped, shared, sheet, star, together, torus, tosses, turned,
};
use glam::DVec3;
use pliant::geometry::Surface;
use pliant::mesh::{Face, Mesh};
use pliant_mesher::gallery::random_shape;
use pliant_mesher::tets::{
    Grading, Sheets, Size, SizeRule, SizeSource, TetConfig, TetError, Tetrahedra, Topology, Within,
    tetrahedra, tetrahedra_with,
};
use pliant_mesher::{SurfaceError, SurfaceTree};
use rayon::prelude::*;

const UNIFORM: Grading = Grading { inside: 0, curved: 0 };

/// Cells of one size at any distance from the surface: what keeps thin parts takes more cells, and has its own tests.
fn sized(length: f64) -> TetConfig {
    TetConfig { size: Size::Length(length), within: Within::Any, ..Default::default() }
}

fn made(surface: &Surface, config: &TetConfig) -> Tetrahedra {
    tetrahedra(surface, config).expect("a sound surface")
}

/// Checks every result: dihedral angles between 10° and 165°, valid cells, at most two cells per face, a closed
/// boundary.
fn check(made: &Tetrahedra) {
    let [least, most] = made.report.dihedral_angles.map(f64::to_degrees);
    assert!(least >= 10.0 && most <= 165.0, "angles from {least} to {most}");
    assert_eq!(made.mesh.certify().expect("all cells valid").cell_count, made.report.cells);
    made.mesh.check_faces().expect("no face shared by three cells");
    assert!(boundary_is_closed(&made.mesh));
}

/// True if every edge of the boundary belongs to an even number of its faces.
fn boundary_is_closed(mesh: &Mesh) -> bool {
    let mut counts: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    for face in mesh.boundary_faces() {
        for k in 0..3 {
            let (a, b) = (face.corners[k], face.corners[(k + 1) % 3]);
            *counts.entry([a.min(b), a.max(b)]).or_default() += 1;
        }
    }
    counts.values().all(|count| count % 2 == 0)
}

/// Dihedral angles are bounded for every cell size, grading and orientation.
#[test]
fn angles_are_bounded_at_every_size_and_turn() {
    let lengths = if heavy() { 4 } else { 2 };
    for (name, surface) in [("ball", ball()), ("torus", torus(1.0, 0.35, 96, 32)), ("bear", bear())]
    {
        // The short lengths only in a heavy run.
        for (k, length) in [0.5, 0.4, 0.3, 0.2].into_iter().take(lengths).enumerate() {
            for grading in
                [UNIFORM, Grading { inside: 2, curved: 1 }, Grading { inside: 1, curved: 2 }]
            {
                let config = TetConfig { degree: 1, grading, ..sized(length) };
                println!("{name} {length} {grading:?}");
                check(&made(&turned(&surface, 0.7 * k as f64 + 0.1), &config));
            }
        }
    }
}

/// The volume converges with order 2: straight cells with corners on the surface miss a sag of the order of the
/// squared size.
#[test]
fn the_volume_converges_with_order_two() {
    let surface = star(192, 96, |_| 1.0);
    let error = |length: f64| {
        // Averaged over rotations, because the orientation of the lattice matters too.
        let turns = [0.3, 1.1, 2.3];
        let lost = turns.map(|angle| {
            let config = TetConfig { degree: 1, grading: UNIFORM, ..sized(length) };
            let report = made(&turned(&surface, angle), &config).report;
            1.0 - report.volume / report.surface_volume
        });
        lost.iter().sum::<f64>() / 3.0
    };
    let order = (error(0.3) / error(0.15)).log2();
    assert!((1.7..2.3).contains(&order), "{order}");
}

/// Curved cells bring the boundary at least four times nearer to the surface, on average.
#[test]
fn curving_brings_the_boundary_four_times_nearer() {
    for CurvedMesh { name, degree, made } in &*CURVED {
        let ratio = made.report.straight.mean / made.report.curved.mean;
        println!("{name} degree {degree}: {} cells, {ratio:.1}", made.report.cells);
        assert!(ratio >= 4.0, "{name} {degree}: {ratio}");
        check(made);
    }
}

/// Well-known surfaces become valid meshes of about 500 cells, whose boundary curving brings nearer to the surface:
/// four times for the bunny and the cow, less for a part with sharp edges. Skipped without the shared meshes.
#[test]
fn shared_surfaces_become_bodies() {
    for (name, least_ratio) in
        [("bunny.obj", 4.0), ("spot.obj", 4.0), ("fandisk.obj", 1.5), ("suzanne.obj", 2.0)]
    {
        let Some(surface) = shared(name) else { continue };
        let grading = Grading { inside: 2, curved: 1 };
        let within = Within::Any;
        let made = made(&surface, &TetConfig { grading, within, ..Default::default() });
        println!("{name}: {:#?}", made.report);
        check(&made);
        assert!((400..650).contains(&made.report.cells), "{}", made.report.cells);
        let ratio = made.report.straight.mean / made.report.curved.mean;
        assert!(ratio >= least_ratio, "{name}: {ratio}");
    }
}

/// The number of cells is near the requested one.
#[test]
fn the_number_of_cells_comes_near_the_one_asked_for() {
    for count in [300, 3000] {
        let within = Within::Any;
        let size = Size::CellCount(count);
        let config = TetConfig { size, degree: 1, within, ..Default::default() };
        let cells = made(&bear(), &config).report.cells as f64;
        // Within a fifth: it jumps when another layer of the lattice enters.
        assert!((cells / count as f64 - 1.0).abs() < 0.2, "{cells} for {count}");
    }
}

/// Checks that surface and boundary are within the limit of each other, both ways and by their diagonal.
fn check_kept(name: &str, surface: &Surface, made: &Tetrahedra, share: f64) {
    let (low, high) = surface.bounds();
    let limit = share * (high - low).length();
    let report = &made.report;
    let told = format!("{name}: {report:#?}");
    // The distance from the surface is exact within 2 % of the limit.
    assert!(report.surface_to_mesh.distance <= 1.02 * limit, "{told}");
    assert!(report.mesh_to_surface.distance <= 1.02 * limit, "{told}");
    assert!(report.lost_parts.is_empty(), "{told}");
}

/// Limbs of 4 to 10 % of a body's size are kept by the default settings, in one piece with the body, and every vertex of
/// their surface is near the cells: these are far thinner than the cells of the body.
#[test]
fn thin_limbs_are_kept() {
    for seed in 0..cases(24) as u64 {
        keeps_limbs(seed, &TetConfig { degree: 1, ..Default::default() });
    }
}

/// The same for a hundred unions of limbs and curved cells: minutes.
#[test]
#[ignore = "takes minutes: cargo test --release -p pliant-mesher --test mesher -- --ignored limbs"]
fn a_hundred_unions_keep_their_limbs() {
    for seed in 0..100 {
        keeps_limbs(seed, &TetConfig::default());
    }
}

fn keeps_limbs(seed: u64, config: &TetConfig) {
    let surface = blob_with_limbs(seed);
    let made = made(&surface, config);
    check(&made);
    check_kept(&format!("seed {seed}"), &surface, &made, 0.03);
    assert_eq!(made.report.pieces, 1, "seed {seed}");
}

/// Two balls joined by a rod a twentieth as thick stay one piece; the rod is a neck, not a crumb.
#[test]
fn a_thin_neck_does_not_cut() {
    let far = mapped(ball(), |x| x + 4.0 * DVec3::X);
    let rod = capsule([DVec3::ZERO, 4.0 * DVec3::X], 0.05);
    let surface = turned(&together(&[ball(), far, rod]), 0.3);
    let made = made(&surface, &TetConfig { degree: 1, ..Default::default() });
    check(&made);
    check_kept("dumbbell", &surface, &made, 0.03);
    assert_eq!(made.report.pieces, 1);
}

/// A ring keeps its hole, two bodies stay two, and a hollow ball has a cavity: shells and handles of the boundary are
/// those of the surface.
#[test]
fn connectivity_is_kept() {
    let inner = |mut surface: Surface| {
        surface.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        mapped(surface, |x| 0.6 * x)
    };
    let two = together(&[ball(), mapped(ball(), |x| x + 3.0 * DVec3::Y)]);
    let hollow = together(&[ball(), inner(ball())]);
    let wanted = [
        ("ring", torus(1.0, 0.2, 96, 32), Topology { shells: 1, handles: 1 }),
        ("two bodies", two, Topology { shells: 2, handles: 0 }),
        ("hollow ball", hollow, Topology { shells: 2, handles: 0 }),
    ];
    for (name, surface, topology) in wanted {
        let made = made(&turned(&surface, 0.2), &TetConfig { degree: 1, ..Default::default() });
        check(&made);
        assert_eq!(made.report.surface_topology, Some(topology), "{name}");
        assert_eq!(made.report.topology, Some(topology), "{name}: {:#?}", made.report);
    }
}

/// A smaller limit is held with more cells, and `Any` leaves the number as it is.
#[test]
fn the_limit_is_held_and_takes_cells() {
    let surface = blob_with_limbs(3);
    let cells = |within: Within| {
        let made = made(&surface, &TetConfig { degree: 1, within, ..Default::default() });
        check(&made);
        if let Within::Diagonals(share) = within {
            check_kept("limbs", &surface, &made, share);
        }
        made.report.cells
    };
    let counts = [Within::Any, Within::Diagonals(0.03), Within::Diagonals(0.015)].map(cells);
    assert!(counts.is_sorted(), "{counts:?}");
    assert!(counts[0] < 650, "{counts:?}");
}

/// The farthest point of a surface of few large triangles is found within 2 % of the limit: it is never nearer than the
/// farthest of a grid of points on them by more than that, and never farther by more than a step of the grid.
#[test]
fn the_farthest_point_of_large_triangles_is_found() {
    const STEPS: usize = 60;
    let surface = turned(&cube(), 0.5);
    let made = made(&surface, &TetConfig { degree: 1, ..Default::default() });
    let corners = |face: &Face| [0, 1, 2].map(|k| made.mesh.nodes[face.corners[k] as usize]);
    let boundary: Vec<[DVec3; 3]> = made.mesh.boundary_faces().iter().map(corners).collect();
    let tree = SurfaceTree::new(&Surface::new(
        boundary.iter().flatten().copied().collect(),
        (0..boundary.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect(),
    ))
    .expect("a boundary");
    let part = |k: usize| k as f64 / STEPS as f64;
    let grid = (0..=STEPS).flat_map(|j| (0..=STEPS - j).map(move |i| (part(i), part(j))));
    let grid: Vec<(f64, f64)> = grid.collect();
    let points = surface
        .corners()
        .flat_map(|[a, b, c]| grid.iter().map(move |(x, y)| a + *x * (b - a) + *y * (c - a)));
    let seen = points.map(|x| tree.nearest(x).distance).fold(0.0, f64::max);
    let found = made.report.surface_to_mesh.distance;
    let limit = made.report.within.expect("a limit by default");
    assert!(found >= seen - 0.02 * limit, "{found} of {seen}");
    // The longest side of a triangle is the diagonal of a square of 1 m.
    assert!(found <= seen + 2f64.sqrt() / STEPS as f64, "{found} of {seen}");
}

/// A limit that is no length or share is an error.
#[test]
fn an_invalid_limit_is_told() {
    for within in [
        Within::Diagonals(0.0),
        Within::Diagonals(1.5),
        Within::Diagonals(f64::NAN),
        Within::Length(-1.0),
        Within::Length(f64::INFINITY),
    ] {
        let error = tetrahedra(&ball(), &TetConfig { within, ..Default::default() }).unwrap_err();
        assert!(matches!(error, TetError::Setting { field: "within", .. }), "{error}");
    }
}

/// A plate thinner than rounding encloses nothing, and does not keep the mesher from a ball beside it.
#[test]
fn a_plate_thinner_than_rounding_is_not_searched_for() {
    let plate = common::cuboid([1.5, -0.5, 0.0], [2.5, 0.5, 1e-13]);
    let surface = together(&[ball(), plate]);
    let config = TetConfig { degree: 1, sheets: Sheets::LeftOut, ..Default::default() };
    let made = made(&turned(&surface, 0.4), &config);
    check(&made);
    assert!(made.report.cells < 2000, "{}", made.report.cells);
    let volume = 4.0 / 3.0 * std::f64::consts::PI;
    assert!((made.report.volume / volume - 1.0).abs() < 0.1, "{}", made.report.volume);
}

/// A ball with a small hole is filled, because the winding number closes it: its volume is right within 2 %.
#[test]
fn an_open_ball_is_filled() {
    let mut surface = ball();
    let vertices = surface.vertices.clone();
    surface.triangles.retain(|triangle| triangle.iter().any(|v| vertices[*v as usize].z < 0.95));
    let made = made(&surface, &sized(0.3));
    check(&made);
    assert!(made.report.open_edges > 0 && made.report.over_holes > 0.0);
    // The missing cap is 0.2 % of the ball.
    assert!((made.report.volume / (4.0 / 3.0 * std::f64::consts::PI) - 1.0).abs() < 0.02);
}

/// A reversed surface gives the same solid; curving works as well.
#[test]
fn an_inside_out_ball_is_a_ball() {
    let mut surface = ball();
    surface.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    let made = made(&surface, &sized(0.4));
    check(&made);
    assert!((made.report.volume / made.report.surface_volume - 1.0).abs() < 0.01);
    assert!(made.report.straight.mean > 20.0 * made.report.curved.mean);
}

/// Two overlapping balls become one solid with the volume of their union, within 2 %.
#[test]
fn surfaces_through_each_other_are_united() {
    let mut both = ball();
    let count = both.vertices.len() as u32;
    let second = mapped(ball(), |x| x + DVec3::X);
    both.vertices.extend(&second.vertices);
    both.triangles.extend(second.triangles.iter().map(|t| t.map(|vertex| vertex + count)));
    let made = made(&both, &sized(0.25));
    check(&made);
    // Two balls of radius 1 at a distance of 1 share the volume 5π/12.
    let expected = (8.0 / 3.0 - 5.0 / 12.0) * std::f64::consts::PI;
    assert!((made.report.volume / expected - 1.0).abs() < 0.02, "{}", made.report.volume);
    assert_eq!(made.report.pieces, 1);
}

/// An open sheet becomes a plate as thick as its cells.
#[test]
fn a_sheet_is_made_as_thick_as_its_cells() {
    let surface = turned(&sheet(8), 0.4);
    let t = 0.2f64;
    let made = made(&surface, &sized(t));
    check(&made);
    assert_eq!((made.report.pieces, made.report.sheet_triangles), (1, 128));
    assert!((made.report.sheet_thickness.expect("a sheet") - t).abs() < 1e-12);
    // A plate with round rims: t + 4 (π t²/8), and a ball of diameter t at the corners. Within 10 %, because the
    // cells are as large as the plate is thick.
    let plate = t + std::f64::consts::PI * (t * t / 2.0 + t.powi(3) / 6.0);
    assert!((made.report.volume / plate - 1.0).abs() < 0.1, "{} {plate}", made.report.volume);
}

/// A ball with a wing becomes one piece: the ball is filled, and the wing is as thick as its cells.
#[test]
fn a_wing_stays_on_its_body() {
    let mut surface = star(48, 24, |_| 1.0);
    let count = surface.vertices.len() as u32;
    let wing = mapped(sheet(8), |x| DVec3::new(0.8 + 1.5 * x.x, x.y - 0.5, 0.1));
    surface.vertices.extend(&wing.vertices);
    surface.triangles.extend(wing.triangles.iter().map(|t| t.map(|vertex| vertex + count)));
    let with = |sheets: Sheets| made(&surface, &TetConfig { sheets, ..sized(0.25) });
    let (winged, bare) = (with(Sheets::AsThickAsCells), with(Sheets::LeftOut));
    check(&winged);
    check(&bare);
    assert_eq!(winged.report.pieces, 1);
    // The wing reaches 1.4 beyond the ball of radius 1, rim included.
    let (_, high) = winged.mesh.bounds();
    assert!((high.x - 2.4).abs() < 0.1, "{high}");
    assert!(winged.report.farthest_vertex < 0.05 && bare.report.farthest_vertex > 1.0);
}

/// A sheet alone is an error if sheets are left out.
#[test]
fn a_sheet_left_out_encloses_nothing() {
    let config = TetConfig { sheets: Sheets::LeftOut, ..sized(0.1) };
    let error = tetrahedra(&sheet(4), &config).expect_err("no volume");
    assert_eq!(error, TetError::EnclosesNothing { open_edges: 16 });
}

/// Following sharp edges fills a cube better: the missing volume falls below 0.7 of that without it.
#[test]
fn sharp_edges_are_followed() {
    let surface = turned(&cube(), 0.5);
    let volume = |sharp_angle: f64| {
        let made = made(&surface, &TetConfig { degree: 1, sharp_angle, ..sized(0.12) });
        check(&made);
        (made.report.volume, made.report.on_sharp_edges)
    };
    let (cut_off, none) = volume(std::f64::consts::PI);
    let (followed, some) = volume(40f64.to_radians());
    assert!(none == 0 && some > 40, "{none} {some}");
    assert!(1.0 - followed < 0.7 * (1.0 - cut_off), "{followed} {cut_off} {some}");
}

/// The largest volume of a cell whose corners are all inside.
fn largest_cell(made: &Tetrahedra, inside: impl Fn(DVec3) -> bool) -> f64 {
    let volumes = made.mesh.cell_volumes();
    let cells = made.mesh.cells().zip(volumes);
    let there = cells
        .filter(|((_, nodes), _)| nodes.iter().all(|node| inside(made.mesh.nodes[*node as usize])));
    there.map(|(_, volume)| volume).fold(0.0, f64::max)
}

/// A region and a colour make cells finer there, and do not change the others.
#[test]
fn a_wish_for_small_cells_is_granted_where_it_is_made() {
    let mut surface = ball();
    let red = |x: &DVec3| if x.x > 0.5 { [1.0, 0.0, 0.0] } else { [1.0; 3] };
    surface.colours = Some(surface.vertices.iter().map(red).collect());
    let config = TetConfig { degree: 1, ..sized(0.4) };
    let plain = made(&surface, &config);
    let right = |point: DVec3| point.x > 0.5;
    let painted = SizeSource::Painted { colour: [1.0, 0.0, 0.0], tolerance: 0.02 };
    for source in [SizeSource::Region(&right), painted] {
        let rule = SizeRule { size: 0.1, source };
        let fine = tetrahedra_with(&surface, &config, &[rule]).expect("a ball");
        check(&fine);
        // A cell of a leaf of side a has the volume a³/12, and up to three times that where it is cut or moved. A
        // colour affects only cells at the surface.
        let at_surface = |x: DVec3| x.x > 0.6 && x.length() > 0.9;
        let largest = largest_cell(&fine, at_surface);
        assert!(largest > 0.0 && largest < 3.0 * 0.1f64.powi(3) / 12.0, "{source:?}: {largest}");
        let left = |x: DVec3| x.x < -0.3;
        // The lattice is the same up to rounding.
        let change = largest_cell(&fine, left) / largest_cell(&plain, left) - 1.0;
        assert!(change.abs() < 1e-9, "{source:?}: {change:e}");
    }
}

/// Finer cells are added to the requested number: cells elsewhere are as large as without rules.
#[test]
fn finer_cells_come_on_top_of_the_number_asked_for() {
    let (surface, config) = (bear(), counted(500, 1));
    let head = |point: DVec3| point.z > 1.0;
    let plain = made(&surface, &config);
    let size = plain.report.size / 3.0;
    let rule = SizeRule { size, source: SizeSource::Region(&head) };
    let fine = tetrahedra_with(&surface, &config, &[rule]).expect("a bear");
    check(&fine);
    assert_eq!(fine.report.size, plain.report.size);
    assert!(fine.report.cells > 2 * plain.report.cells, "{} cells", fine.report.cells);
    // A rule with larger cells has no effect.
    let rule = SizeRule { size: 2.0 * plain.report.size, ..rule };
    let same = tetrahedra_with(&surface, &config, &[rule]).expect("a bear");
    assert_eq!(same.mesh.nodes, plain.mesh.nodes);
}

/// Invalid rules, rules that need too many cells, and rules that apply nowhere return their own errors.
#[test]
fn wishes_that_cannot_be_granted_are_told() {
    let everywhere = |_: DVec3| true;
    let region = SizeSource::Region(&everywhere);
    let fails = |size: f64, source: SizeSource| {
        let rule = SizeRule { size, source };
        let config = TetConfig { max_cells: 20_000, ..sized(0.4) };
        tetrahedra_with(&ball(), &config, &[rule]).map(|_| ()).expect_err("impossible")
    };
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(fails(size, region), TetError::Setting { field: "finer size", .. }));
    }
    for size in [1e-3, 1e-9, 1e-300] {
        assert!(matches!(fails(size, region), TetError::TooManyCells { .. }), "{size}");
    }
    let far_away = |point: DVec3| point.x > 2.0;
    let nowhere = fails(0.1, SizeSource::Region(&far_away));
    assert_eq!(nowhere, TetError::NothingThere { rule: 0 });
    let colour = [0.0, 1.0, 0.0];
    let unpainted = fails(0.1, SizeSource::Painted { colour, tolerance: 0.02 });
    assert_eq!(unpainted, TetError::NotPainted { rule: 0, colour });
}

/// The mesh does not depend on the scale of the surface.
#[test]
fn size_and_place_do_not_matter() {
    let config = |scale: f64| TetConfig { degree: 2, ..sized(0.5 * scale) };
    let here = made(&bear(), &config(1.0));
    for exponent in [-20, 20] {
        // Powers of two near 1e-6 and 1e6, so that scaling is exact.
        let scale = 2f64.powi(exponent);
        let there = made(&mapped(bear(), |x| scale * x), &config(scale));
        assert_eq!(here.mesh.blocks, there.mesh.blocks);
        for (a, b) in here.mesh.nodes.iter().zip(&there.mesh.nodes) {
            assert!((a * scale).distance(*b) < 1e-9 * scale);
        }
        check(&there);
    }
}

/// Meshes have the same bits on any number of threads.
#[test]
fn results_do_not_depend_on_threads() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| made(&bear(), &TetConfig::default()))
    };
    let (one, three) = (with(1), with(3));
    assert_eq!(one.mesh, three.mesh);
    assert_eq!(one.places, three.places);
    assert_eq!(one.report, three.report);
}

/// Every kind of invalid surface and setting returns its own error.
#[test]
fn bad_input_is_named() {
    let error =
        |surface: &Surface, config: &TetConfig| tetrahedra(surface, config).expect_err("bad");
    let config = TetConfig::default();
    assert_eq!(error(&Surface::default(), &config), TetError::Surface(SurfaceError::Empty));
    let lost = mapped(cube(), |x| if x.x > 0.0 { DVec3::NAN } else { x });
    assert!(matches!(error(&lost, &config), TetError::Surface(SurfaceError::NotFinite { .. })));
    let line = mapped(cube(), |x| DVec3::new(x.x, 0.0, 0.0));
    assert!(matches!(error(&line, &config), TetError::Surface(SurfaceError::Degenerate { .. })));
    assert!(matches!(error(&ball(), &sized(100.0)), TetError::TooCoarse { .. }));
    let huge = error(&ball(), &sized(1e-4));
    assert!(matches!(huge, TetError::TooManyCells { cells, .. } if cells > 1e9), "{huge}");
    assert!(huge.to_string().contains("GB"));
    for wrong in [sized(0.0), sized(f64::NAN), TetConfig { degree: 4, ..config }] {
        assert!(matches!(error(&ball(), &wrong), TetError::Setting { .. }));
    }
    let none = TetConfig { size: Size::CellCount(0), ..config };
    assert!(matches!(error(&ball(), &none), TetError::Setting { .. }));
}

/// A star-shaped surface with triangles removed and reversed, and vertices moved at random.
fn broken(seed: u64) -> Surface {
    let mut tosses = tosses(seed);
    let mut toss = || tosses.next().expect("they never end");
    let size = 0.3 + toss();
    let mut surface = star(24, 12, |x| 1.0 + size * (3.0 * x.x).sin() * (4.0 * x.y).cos());
    let (dropped, flipped, moved) = (0.2 * toss(), 0.1 * toss(), 0.1 * toss());
    surface.triangles.retain(|_| toss() > dropped);
    for triangle in &mut surface.triangles {
        if toss() < flipped {
            triangle.swap(0, 1);
        }
    }
    for vertex in &mut surface.vertices {
        *vertex += moved * DVec3::new(toss(), toss(), toss());
    }
    surface
}

/// Random defective shapes become valid meshes. At most one in fifty is an error, because it has no area or is too
/// thin for so few cells; none panics.
#[test]
fn random_shapes_become_sound_cells() {
    let config = counted(150, 2);
    let count = cases(200);
    let refused: Vec<u64> = (0..count as u64)
        .into_par_iter()
        .filter(|seed| match tetrahedra(&random_shape(*seed), &config) {
            Ok(made) => {
                check(&made);
                false
            }
            Err(_) => true,
        })
        .collect();
    assert!(refused.len() <= count.div_ceil(50), "{refused:?} of {count}");
}

/// Defective surfaces give a valid mesh or an error, never a panic.
#[test]
fn broken_surfaces_give_sound_cells() {
    for_cases(cases(16), &mut |random| {
        let (seed, degree) = (random.bits(), 1 + random.below(3));
        if let Ok(made) = tetrahedra(&broken(seed), &counted(60, degree)) {
            check(&made);
        }
    });
}

/// So do random triangles.
#[test]
fn soups_give_sound_cells() {
    for_cases(cases(16), &mut |random| {
        let count = 1 + random.below(29);
        let vertices: Vec<DVec3> = (0..count + 2).map(|_| random.vector()).collect();
        let mut pick = || random.below(count + 2) as u32;
        let triangles = (0..count).map(|_| [pick(), pick(), pick()]).collect();
        let surface = Surface::new(vertices, triangles);
        if let Ok(made) = tetrahedra(&surface, &counted(150, 2)) {
            check(&made);
            assert!(SurfaceTree::new(&surface).is_ok());
        }
    });
}
