//! Splinters fill the solid: each is closed, no volume is lost or counted twice, and the outside is unchanged.

use crate::common;

use std::collections::BTreeMap;

use common::{FIGURES, askew, cuboid, figure, heavy, mapped, sheet, together, torus};
use glam::{DVec2, DVec3};
use pliant::geometry::{Surface, SurfaceGroup};
use pliant_mesher::gallery::{Figure, random_shape};
use pliant_mesher::splinters::{
    Amount, BrickConfig, CutConfig, Flat, Impact, MAX_SPLINTERS, Pattern, SplinterError, Splinters,
    VoronoiConfig, WoodConfig, brick, parts, voronoi, wood,
};

/// A pane of 2 × 1 × 0.01 m.
fn pane() -> Surface {
    cuboid([-1.0, 0.0, 0.0], [1.0, 1.0, 0.01])
}

/// A plank of 2 × 0.2 × 0.05 m, along x.
fn plank() -> Surface {
    cuboid([0.0; 3], [2.0, 0.2, 0.05])
}

/// A wall of 2 × 1.2 × 0.25 m.
fn wall() -> Surface {
    cuboid([-1.0, 0.0, 0.0], [1.0, 1.2, 0.25])
}

/// A pipe along z: radii 0.3 and 0.2, 1 m long.
fn tube(around: u32) -> Surface {
    let mut surface = Surface::default();
    for i in 0..around {
        let (sin, cos) = (f64::from(i) / f64::from(around) * std::f64::consts::TAU).sin_cos();
        for (radius, z) in [(0.3, 0.0), (0.3, 1.0), (0.2, 1.0), (0.2, 0.0)] {
            surface.vertices.push(DVec3::new(radius * cos, radius * sin, z));
        }
        let at = |i: u32, k: u32| 4 * (i % around) + k % 4;
        for k in 0..4 {
            let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
            surface.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    assert!(surface.volume() > 0.0);
    surface
}

/// A cube with a cubic cavity.
fn hollow() -> Surface {
    let mut inner = cuboid([0.3; 3], [0.7; 3]);
    inner.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    together(&[cuboid([0.0; 3], [1.0; 3]), inner])
}

fn area_vector([a, b, c]: [DVec3; 3]) -> DVec3 {
    0.5 * (b - a).cross(c - a)
}

/// Every edge of every splinter is passed once in each direction, and splinters follow each other.
fn assert_closed(splinters: &Splinters, what: &str) {
    let (mut vertices, mut triangles) = (0, 0);
    for (index, found) in splinters.pieces.iter().enumerate() {
        assert_eq!((found.vertices.start, found.triangles.start), (vertices, triangles), "{what}");
        (vertices, triangles) = (found.vertices.end, found.triangles.end);
        let mut edges: BTreeMap<[u32; 2], usize> = BTreeMap::new();
        let piece = splinters.piece(index);
        for [a, b, c] in piece.triangles {
            assert!([a, b, c].iter().all(|vertex| (*vertex as usize) < piece.vertices.len()));
            for edge in [[a, b], [b, c], [c, a]] {
                *edges.entry(edge).or_default() += 1;
            }
        }
        for ([a, b], count) in &edges {
            assert_eq!((*count, edges.get(&[*b, *a])), (1, Some(&1)), "{what}, piece {index}");
        }
        assert!(found.volume > 0.0, "{what}, piece {index}: {}", found.volume);
    }
    assert_eq!(vertices as usize, splinters.surface.vertices.len(), "{what}");
    assert_eq!(triangles as usize, splinters.surface.triangles.len(), "{what}");
}

/// Checks that splinters are a partition of the solid: volumes and outside areas add up to it, and fresh faces cancel.
fn assert_is_the_solid(splinters: &Splinters, solid: &Surface, what: &str) {
    assert_closed(splinters, what);
    let Splinters { surface, pieces, inside } = splinters;
    assert_eq!(inside.len(), surface.triangles.len());
    let (low, high) = solid.bounds();
    let near = mapped(solid.clone(), |x| x - 0.5 * (low + high));
    let volume: f64 = pieces.iter().map(|piece| piece.volume).sum();
    let error = volume / near.volume() - 1.0;
    // Rounding of positions, relative to the thickness of a pane of a hundredth of its size, is 1e-13.
    assert!(error.abs() < 1e-9, "{what}: volume off by {error:e}");
    let of = |wanted: bool| {
        surface
            .corners()
            .zip(inside)
            .filter(move |(_, is)| **is == wanted)
            .map(|(corners, _)| corners)
    };
    let outside: f64 = of(false).map(|corners| area_vector(corners).length()).sum();
    let error = outside / solid.area() - 1.0;
    assert!(error.abs() < 1e-9, "{what}: outside area off by {error:e}");
    let (sum, all) = of(true).fold((DVec3::ZERO, 0.0), |(sum, all), corners| {
        let area = area_vector(corners);
        (sum + area, all + area.length())
    });
    assert!(sum.length() <= 1e-9 * (all + outside), "{what}: fresh faces add up to {sum}");
    for found in pieces {
        let points = &surface.vertices[found.vertices.start as usize..found.vertices.end as usize];
        let (low, high) =
            points.iter().fold((points[0], points[0]), |(a, b), x| (a.min(*x), b.max(*x)));
        assert!(found.centre.cmpge(low).all() && found.centre.cmple(high).all(), "{what}");
    }
}

/// Checks that fresh faces come in pairs: in area and first moment as much along any direction as against it.
fn assert_faces_pair(splinters: &Splinters, what: &str) {
    let corners: Vec<_> = splinters.surface.corners().zip(&splinters.inside).collect();
    for direction in
        [DVec3::new(1.0, 0.3, 0.2), DVec3::new(-0.2, 1.0, 0.5), DVec3::new(0.4, -0.3, 1.0)]
    {
        let faces = corners.iter().filter(|(_, inside)| **inside);
        let (mut along, mut against, mut first) = (0.0, 0.0, 0.0);
        for (corners, _) in faces {
            let area = area_vector(*corners).dot(direction);
            let middle = corners.iter().sum::<DVec3>() / 3.0;
            if area > 0.0 {
                along += area
            } else {
                against -= area
            }
            // Moments too, because the faces of a pair are at the same place.
            first += area * middle.dot(DVec3::new(0.7, -0.4, 0.9));
        }
        let scale = along + against;
        assert!((along - against).abs() <= 1e-9 * scale, "{what}: {along} and {against}");
        assert!(first.abs() <= 1e-9 * scale, "{what}: moment {first}");
    }
}

fn stone(count: usize) -> VoronoiConfig {
    VoronoiConfig::of_count(count)
}

fn glass(count: usize) -> VoronoiConfig {
    VoronoiConfig { flat: Flat::Thinnest, ..stone(count) }
}

fn plain() -> CutConfig {
    CutConfig::default()
}

/// Settings without joining of slivers, so that the number of pieces is that of cells.
fn unjoined() -> CutConfig {
    CutConfig { sliver: 0.0, ..CutConfig::default() }
}

/// All closed figures cut into Voronoi cells are partitions of the solid.
#[test]
fn figures_in_voronoi_cells_are_whole() {
    for (figure, solid) in FIGURES.iter().filter(|(figure, _)| figure.is_closed()) {
        for seed in 1..if heavy() { 4 } else { 2 } {
            let config = VoronoiConfig { seed, ..stone(60) };
            let what = format!("{} with seed {seed}", figure.name());
            let splinters = voronoi(solid, &config, &plain()).unwrap();
            assert_is_the_solid(&splinters, solid, &what);
            assert_faces_pair(&splinters, &what);
            assert!(
                (30..180).contains(&splinters.pieces.len()),
                "{what}: {}",
                splinters.pieces.len()
            );
        }
    }
}

/// Simple shapes cut into all kinds of splinters are partitions of the solid.
#[test]
fn plain_shapes_in_all_kinds_of_splinters_are_whole() {
    let shapes = [
        ("pane", pane()),
        ("plank", plank()),
        ("wall", wall()),
        ("tube", tube(48)),
        ("hollow", hollow()),
        ("torus", torus(0.5, 0.2, 40, 20)),
        ("pane askew", askew(pane())),
        ("two", together(&[plank(), mapped(tube(20), |x| x + DVec3::Z)])),
    ];
    for (name, solid) in shapes {
        let rings = VoronoiConfig { pattern: Pattern::Rings, ..glass(100) };
        let hit = Impact { point: DVec3::new(0.2, 0.4, 0.0), radius: 0.2, times: 30.0 };
        let impact = VoronoiConfig { impact: Some(hit), ..glass(150) };
        let bricks = BrickConfig { length: 0.31, height: 0.11, depth: 0.13, ..Default::default() };
        let logs = WoodConfig { length: 0.4, width: 0.05, ..Default::default() };
        let made = [
            ("stone", voronoi(&solid, &stone(80), &plain())),
            ("glass", voronoi(&solid, &glass(80), &plain())),
            ("rings", voronoi(&solid, &rings, &plain())),
            ("impact", voronoi(&solid, &impact, &plain())),
            ("wood", wood(&solid, &logs, &plain())),
            ("brick", brick(&solid, &bricks, &plain())),
        ];
        for (kind, splinters) in made {
            let what = format!("{name} as {kind}");
            let splinters = splinters.unwrap();
            assert!(splinters.pieces.len() > 3, "{what}: {}", splinters.pieces.len());
            assert_is_the_solid(&splinters, &solid, &what);
            assert_faces_pair(&splinters, &what);
        }
    }
}

/// The number of splinters of a convex solid without joining is the requested one; with rings within a factor of two.
#[test]
fn there_are_as_many_as_were_asked_for() {
    for count in [1, 2, 7, 100, 500] {
        let splinters = voronoi(&wall(), &stone(count), &unjoined()).unwrap();
        assert_eq!(splinters.pieces.len(), count);
        let splinters = voronoi(&pane(), &glass(count), &unjoined()).unwrap();
        assert_eq!(splinters.pieces.len(), count);
    }
    // 2 × 1.2 × 0.25 m have the volume of 600 cubes of 0.1 m.
    let sized = VoronoiConfig { amount: Amount::Size(0.1), ..stone(1) };
    assert_eq!(voronoi(&wall(), &sized, &unjoined()).unwrap().pieces.len(), 600);
    // The pane has 2 m², with its edges 2.03 m², in squares of 0.1 m.
    let sized = VoronoiConfig { amount: Amount::Size(0.1), ..glass(1) };
    assert_eq!(voronoi(&pane(), &sized, &unjoined()).unwrap().pieces.len(), 203);
    for count in [60, 300] {
        let rings = VoronoiConfig { pattern: Pattern::Rings, ..glass(count) };
        let found = voronoi(&pane(), &rings, &plain()).unwrap().pieces.len();
        assert!((count / 2..2 * count).contains(&found), "{found} for {count}");
    }
}

/// Fresh faces of a pane are perpendicular to it, to rounding.
#[test]
fn a_pane_is_cut_straight_through() {
    for solid in [pane(), askew(pane())] {
        let splinters = voronoi(&solid, &glass(60), &plain()).unwrap();
        // The normal of the pane is that of its largest triangle.
        let largest = solid
            .corners()
            .max_by(|a, b| area_vector(*a).length().total_cmp(&area_vector(*b).length()));
        let normal = area_vector(largest.unwrap()).normalize();
        for (corners, inside) in splinters.surface.corners().zip(&splinters.inside) {
            let face = area_vector(corners);
            assert!(!inside || face.dot(normal).abs() <= 1e-9 * face.length() + 1e-18);
        }
    }
}

/// Splinters near an impact are on average less than a quarter as large as others.
#[test]
fn splinters_are_smaller_where_it_was_hit() {
    let point = DVec3::new(-0.5, 0.5, 0.0);
    let hit = Impact { point, radius: 0.15, times: 40.0 };
    for pattern in [Pattern::Scattered, Pattern::Rings] {
        let config = VoronoiConfig { impact: Some(hit), pattern, ..glass(200) };
        let splinters = voronoi(&pane(), &config, &plain()).unwrap();
        let mean = |near: bool| {
            let pieces = splinters.pieces.iter();
            let some = pieces.filter(|piece| (piece.centre.distance(point) < 0.2) == near);
            let volumes: Vec<f64> = some.map(|piece| piece.volume).collect();
            volumes.iter().sum::<f64>() / volumes.len() as f64
        };
        assert!(4.0 * mean(true) < mean(false), "{pattern:?}: {} {}", mean(true), mean(false));
    }
}

/// Splinters of wood are long along the grain, thin across it, and have pointed ends, measured by second moments.
#[test]
fn wood_is_slender_along_its_grain() {
    let grain = DVec3::new(1.0, 0.4, -0.2);
    for (solid, grain) in [(plank(), DVec3::X), (figure(Figure::Bear).clone(), grain)] {
        let config = WoodConfig { grain, length: 0.3, width: 0.03, ..Default::default() };
        let splinters = wood(&solid, &config, &plain()).unwrap();
        assert_is_the_solid(&splinters, &solid, "wood");
        let along = grain.normalize();
        let (mut length, mut width, mut total) = (0.0, 0.0, 0.0);
        for (index, found) in splinters.pieces.iter().enumerate() {
            let moment = splinters.piece(index).mass_properties().unwrap().second_moment;
            let trace = moment.x_axis.x + moment.y_axis.y + moment.z_axis.z;
            let own = along.dot(moment * along);
            (length, width) = (length + own, width + 0.5 * (trace - own));
            total += found.volume;
        }
        // The radius of gyration of a stick is L/√12; pointed splinters are a little shorter in this sense, and the
        // surface cuts some of them.
        let ratio = (length / width).sqrt();
        assert!((4.5..15.0).contains(&ratio), "{ratio}");
        assert!(((12.0 * width / total).sqrt() / 0.03 - 1.0).abs() < 0.5);
        // Ends are pointed: less than a tenth of the fresh area faces along the grain.
        let (mut ends, mut all) = (0.0, 0.0);
        for (corners, _) in
            splinters.surface.corners().zip(&splinters.inside).filter(|(_, is)| **is)
        {
            let area = area_vector(corners);
            all += area.length();
            ends +=
                if area.normalize_or_zero().dot(along).abs() > 0.7 { area.length() } else { 0.0 };
        }
        assert!(ends < 0.1 * all, "{ends} of {all}");
    }
}

/// Bricks without jitter are in courses of their height, with 8 whole bricks, or 7 whole and two halves, in
/// turn.
#[test]
fn bricks_lie_in_courses_with_offset_joints() {
    let config =
        BrickConfig { jitter: 0.0, length: 0.25, height: 0.1, depth: 0.25, ..Default::default() };
    let splinters = brick(&wall(), &config, &plain()).unwrap();
    assert_is_the_solid(&splinters, &wall(), "bricks");
    // 12 courses, of 8 whole bricks, or of 7 whole and two halves.
    assert_eq!(splinters.pieces.len(), 6 * 8 + 6 * 9);
    let mut courses: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
    for (index, found) in splinters.pieces.iter().enumerate() {
        let (low, high) = splinters.piece(index).bounds();
        let (_, rest) = ((low.y / 0.1).round(), low.y / 0.1 - (low.y / 0.1).round());
        assert!(rest.abs() < 1e-9 && (high.y - low.y - 0.1).abs() < 1e-9);
        courses.entry((low.y / 0.1).round() as i64).or_default().push(found.centre.x);
    }
    assert_eq!(courses.len(), 12);
    for (course, places) in courses {
        assert_eq!(places.len(), if course % 2 == 0 { 8 } else { 9 }, "course {course}");
    }
    // Rotated bricks, in two layers.
    let turned =
        BrickConfig { depth: 0.12, along: DVec3::Y, up: DVec3::new(1.0, 0.5, 0.0), ..config };
    let splinters = brick(&wall(), &turned, &plain()).unwrap();
    assert_is_the_solid(&splinters, &wall(), "turned bricks");
    assert!(splinters.pieces.len() > 150, "{}", splinters.pieces.len());
}

/// Cutting planes through vertices, along edges and in sides of the solid give closed pieces without lost volume.
#[test]
fn planes_through_vertices_are_no_trouble() {
    // A stair whose steps are at the joints, and grids with vertices at every joint.
    let stair =
        together(&[cuboid([0.0; 3], [1.0, 0.5, 0.5]), cuboid([0.0, 0.6, 0.0], [0.5, 1.0, 0.5])]);
    let grids = [stair, Figure::Box.surface(0.1), tube(16)];
    for (index, solid) in grids.iter().enumerate() {
        for (length, height) in [(0.25, 0.25), (0.2, 0.1), (0.1, 0.5)] {
            let config =
                BrickConfig { length, height, depth: 0.1, jitter: 0.0, ..Default::default() };
            let what = format!("grid {index}, bricks of {length} × {height}");
            let splinters = brick(solid, &config, &plain()).unwrap();
            assert_closed(&splinters, &what);
            let volume: f64 = splinters.pieces.iter().map(|piece| piece.volume).sum();
            assert!((volume / solid.volume() - 1.0).abs() < 1e-9, "{what}: {volume}");
        }
    }
}

/// Splinters have the same bits for the same seed, on any number of threads; another seed gives others.
#[test]
fn the_same_call_gives_the_same_bits_for_any_number_of_threads() {
    let solid = Figure::Mug.surface(0.03);
    let make = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let logs = WoodConfig { width: 0.05, ..Default::default() };
            (voronoi(&solid, &stone(80), &plain()).unwrap(), wood(&solid, &logs, &plain()).unwrap())
        })
    };
    let one = make(1);
    assert_eq!(one, make(1));
    assert_eq!(one, make(3));
    let other = voronoi(&solid, &VoronoiConfig { seed: 2, ..stone(80) }, &plain()).unwrap();
    assert_ne!(one.0, other);
}

/// Random shapes are cut without lost volume if they are closed, and are refused otherwise.
#[test]
fn random_shapes_are_whole_or_refused() {
    let (mut whole, mut refused) = (0, 0);
    for seed in if heavy() { 0..120 } else { 80..120 } {
        let solid = random_shape(seed);
        let config = VoronoiConfig { seed, ..stone(25) };
        match voronoi(&solid, &config, &plain()) {
            Ok(splinters) => {
                assert_closed(&splinters, &format!("seed {seed}"));
                let volume: f64 = splinters.pieces.iter().map(|piece| piece.volume).sum();
                assert!((volume / solid.volume() - 1.0).abs() < 1e-9, "seed {seed}");
                whole += 1;
            }
            Err(SplinterError::Open { .. } | SplinterError::NonManifold { .. }) => refused += 1,
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    // Both cases must occur.
    assert!(whole >= 3 && refused >= 10, "{whole} whole, {refused} refused");
}

/// A cavity inside one splinter belongs to it, and one that is cut becomes open.
#[test]
fn hollows_stay() {
    let splinters = voronoi(&hollow(), &stone(1), &plain()).unwrap();
    assert_eq!(splinters.pieces.len(), 1);
    assert!((splinters.pieces[0].volume - (1.0 - 0.064)).abs() < 1e-12);
    let splinters = voronoi(&hollow(), &stone(30), &plain()).unwrap();
    assert_is_the_solid(&splinters, &hollow(), "hollow");
}

/// A cell that meets the solid in two separate places gives two splinters.
#[test]
fn what_is_apart_becomes_splinters_of_its_own() {
    let fork =
        together(&[cuboid([0.0; 3], [0.1, 1.0, 0.1]), cuboid([0.3, 0.0, 0.0], [0.4, 1.0, 0.1])]);
    let splinters = voronoi(&fork, &stone(1), &plain()).unwrap();
    assert_eq!(splinters.pieces.len(), 2);
    let tall = BrickConfig { length: 10.0, height: 0.5, depth: 10.0, ..Default::default() };
    assert_eq!(brick(&fork, &tall, &plain()).unwrap().pieces.len(), 4);
}

/// Overlapping solids are cut separately: the common volume is counted twice, before and after.
#[test]
fn overlapping_solids_are_cut_one_by_one() {
    let beams =
        together(&[cuboid([0.0; 3], [1.0, 0.2, 0.2]), cuboid([0.4, -0.4, 0.05], [0.6, 0.6, 0.15])]);
    for beams in [beams.clone(), askew(beams)] {
        let logs = WoodConfig { length: 0.3, width: 0.04, ..Default::default() };
        let made = [
            ("stone", voronoi(&beams, &stone(60), &plain())),
            ("wood", wood(&beams, &logs, &plain())),
            ("brick", brick(&beams, &BrickConfig::default(), &plain())),
        ];
        for (kind, splinters) in made {
            assert_is_the_solid(&splinters.unwrap(), &beams, kind);
        }
    }
}

/// After slivers are joined no splinter is below the share, and no volume is lost.
#[test]
fn slivers_are_joined_to_neighbours() {
    let solid = Figure::Bear.surface(0.05);
    // The curved surface cuts off many slivers.
    let all = wood(&solid, &WoodConfig::default(), &unjoined()).unwrap();
    let joined =
        wood(&solid, &WoodConfig::default(), &CutConfig { sliver: 0.2, ..plain() }).unwrap();
    assert_is_the_solid(&joined, &solid, "joined");
    assert!(joined.pieces.len() < all.pieces.len());
    // Most slivers become one surface with their neighbour, without a wall in between.
    let fresh = |splinters: &Splinters| -> f64 {
        let all = splinters.surface.corners().zip(&splinters.inside);
        all.filter(|(_, inside)| **inside).map(|(corners, _)| area_vector(corners).length()).sum()
    };
    assert!(fresh(&joined) < 0.99 * fresh(&all), "{} of {}", fresh(&joined), fresh(&all));
    let parts_of =
        |splinters: &Splinters| parts(&splinters.surface, &plain()).unwrap().pieces.len();
    let (slivers, apart) =
        (all.pieces.len() - joined.pieces.len(), parts_of(&joined) - joined.pieces.len());
    assert!(3 * apart < slivers, "{apart} of {slivers} are surfaces of their own");
    // The average is that of cells: a cell may give several splinters.
    let least = 0.2 * solid.volume() / all.pieces.len() as f64;
    let small = joined.pieces.iter().filter(|piece| piece.volume < 0.9 * least).count();
    assert!(small * 50 < joined.pieces.len(), "{small} small ones");
}

/// Texture coordinates, colours and parts outside are those of the surface at the same place; fresh faces have the
/// new part and a similar texture density.
#[test]
fn texture_coordinates_are_carried_along() {
    let mut solid = mapped(Figure::Ball.surface(0.06), |x| x * DVec3::new(1.0, 0.7, 1.2));
    let map = |x: DVec3| DVec2::new(3.0 * x.x - x.z, 2.0 * x.y + x.z);
    solid.texcoords = Some(solid.corners().map(|corners| corners.map(map)).collect());
    solid.colours = Some(solid.vertices.iter().map(|x| [x.y as f32, 0.5, 0.25]).collect());
    solid.parts = vec![
        SurfaceGroup { name: "upper".into(), ..SurfaceGroup::default() },
        SurfaceGroup { name: "lower".into(), ..SurfaceGroup::default() },
    ];
    let upper = |corners: [DVec3; 3]| u32::from(corners.iter().sum::<DVec3>().y < 1.0);
    solid.part_of = Some(solid.corners().map(upper).collect());
    let splinters =
        voronoi(&solid, &stone(40), &CutConfig::coloured([1.0, 0.0, 0.0, 1.0])).unwrap();
    let surface = &splinters.surface;
    let (texcoords, part_of) =
        (surface.texcoords.as_ref().unwrap(), surface.part_of.as_ref().unwrap());
    let normals = surface.normals.as_ref().unwrap();
    assert_eq!(surface.parts.len(), 3);
    assert_eq!(surface.parts[2].colour, Some([1.0, 0.0, 0.0, 1.0]));
    let mut areas = [0.0; 3];
    for (index, corners) in surface.corners().enumerate() {
        let inside = splinters.inside[index];
        assert_eq!(inside, part_of[index] == 2);
        areas[part_of[index] as usize] += area_vector(corners).length();
        let face = area_vector(corners).normalize_or_zero();
        for k in 0..3 {
            if inside {
                assert!(
                    normals[index][k].dot(face) > 0.999
                        || face == DVec3::ZERO
                        || area_vector(corners).length() < 1e-9
                );
            } else {
                assert!((texcoords[index][k] - map(corners[k])).length() < 1e-9);
                let vertex = surface.triangles[index][k] as usize;
                let colour = surface.colours.as_ref().unwrap()[vertex];
                assert!((f64::from(colour[0]) - corners[k].y).abs() < 1e-5);
            }
        }
        if inside {
            let [a, b, c] = texcoords[index];
            let ratio = (b - a).perp_dot(c - a).abs() / (2.0 * area_vector(corners).length());
            // Projected along the axis that it faces most, a face keeps at least 1/√3 of its area.
            assert!(ratio.is_nan() || ratio < 20.0);
        }
    }
    let parts = solid.part_of.as_ref().unwrap();
    for part in 0..2 {
        let own = solid.corners().zip(parts).filter(|(_, of)| **of == part);
        let area: f64 = own.map(|(corners, _)| area_vector(corners).length()).sum();
        assert!((areas[part as usize] / area - 1.0).abs() < 1e-9);
    }
}

/// A surface of closed parts is taken as splinters: by connected vertices, or by named parts.
#[test]
fn parts_of_an_artist_are_taken_as_they_are() {
    let cut = voronoi(&wall(), &stone(30), &unjoined()).unwrap();
    let taken = parts(&cut.surface, &plain()).unwrap();
    // Each part has its own vertices and becomes a splinter.
    assert_eq!(taken.pieces.len(), 30);
    assert_is_the_solid(&taken, &wall(), "parts");
    assert_eq!(taken.surface.parts, cut.surface.parts);

    // As in a file: common vertices where two parts meet, and a name for each part.
    let mut named =
        together(&[cuboid([0.0; 3], [1.0; 3]), cuboid([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])]);
    let weld = |vertex: u32| {
        let place = named.vertices[vertex as usize];
        named.vertices.iter().position(|x| *x == place).unwrap() as u32
    };
    named.triangles = named.triangles.iter().map(|triangle| triangle.map(weld)).collect();
    assert!(matches!(parts(&named, &plain()), Err(SplinterError::NonManifold { .. })));
    named.parts = ["left", "right"]
        .map(|name| SurfaceGroup { name: name.into(), ..SurfaceGroup::default() })
        .into();
    named.part_of = Some((0..24).map(|triangle| triangle / 12).collect());
    let taken = parts(&named, &plain()).unwrap();
    assert_eq!(taken.pieces.len(), 2);
    assert_closed(&taken, "named");

    // Three vertices per triangle, as some exporters write them.
    let mut soup = named.clone();
    soup.vertices = named.corners().flatten().collect();
    soup.triangles = (0..24).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    assert_eq!(parts(&soup, &plain()).unwrap().pieces.len(), 2);

    let mut open = named.clone();
    open.triangles.pop();
    open.part_of.as_mut().unwrap().pop();
    let error = parts(&open, &plain()).unwrap_err();
    assert!(error.to_string().contains("part \"right\" is not closed: 3"), "{error}");
}

/// Every kind of invalid surface returns its own error.
#[test]
fn bad_surfaces_are_refused() {
    let make = |surface: &Surface| voronoi(surface, &stone(10), &plain()).unwrap_err();
    assert!(matches!(make(&Surface::default()), SplinterError::Surface(_)));
    assert!(matches!(make(&sheet(3)), SplinterError::Open { count: 12, .. }));
    let mut nan = wall();
    nan.vertices[3].y = f64::NAN;
    assert!(matches!(make(&nan), SplinterError::Surface(_)));
    let mut missing = wall();
    missing.triangles[2][1] = 99;
    assert!(matches!(make(&missing), SplinterError::Surface(_)));
    let mut doubled = wall();
    doubled.triangles.push(doubled.triangles[0]);
    let mut other = doubled.triangles[0];
    other.swap(0, 1);
    doubled.triangles.push(other);
    assert!(matches!(make(&doubled), SplinterError::NonManifold { .. }));
    let mut turned = wall();
    turned.triangles[0].swap(0, 1);
    assert!(matches!(make(&turned), SplinterError::NonManifold { .. }));
    let mut inside_out = wall();
    inside_out.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    assert!(matches!(make(&inside_out), SplinterError::InsideOut { .. }));
    let flat = mapped(wall(), |x| DVec3::new(x.x, x.y, 0.0));
    assert!(matches!(make(&flat), SplinterError::NoVolume { .. }));
    let error = make(&turned).to_string();
    assert!(error.contains("its edge between vertices"), "{error}");
}

/// A closed surface with separate vertices for every triangle is cut as the closed solid.
#[test]
fn seams_are_no_holes() {
    // Every triangle has its own vertices.
    let solid = Figure::Bird.surface(0.06);
    let vertices: Vec<DVec3> = solid.corners().flatten().collect();
    let triangles =
        (0..solid.triangles.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let soup = Surface::new(vertices, triangles);
    assert_is_the_solid(&voronoi(&soup, &stone(20), &plain()).unwrap(), &solid, "soup");
}

/// Every kind of invalid setting returns its own error.
#[test]
fn bad_settings_are_refused() {
    let solid = wall();
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let config = VoronoiConfig { amount: Amount::Size(size), ..stone(1) };
        assert!(matches!(voronoi(&solid, &config, &plain()), Err(SplinterError::Setting { .. })));
        for config in [
            WoodConfig { length: size, ..Default::default() },
            WoodConfig { width: size, ..Default::default() },
        ] {
            assert!(matches!(wood(&solid, &config, &plain()), Err(SplinterError::Setting { .. })));
        }
        for config in [
            BrickConfig { length: size, ..Default::default() },
            BrickConfig { height: size, ..Default::default() },
            BrickConfig { depth: size, ..Default::default() },
        ] {
            assert!(matches!(brick(&solid, &config, &plain()), Err(SplinterError::Setting { .. })));
        }
        let hit = Impact { point: DVec3::ZERO, radius: size, times: 10.0 };
        let config = VoronoiConfig { impact: Some(hit), ..stone(5) };
        assert!(matches!(voronoi(&solid, &config, &plain()), Err(SplinterError::Setting { .. })));
    }
    let many = [
        voronoi(&solid, &stone(MAX_SPLINTERS + 1), &plain()),
        voronoi(&solid, &VoronoiConfig { amount: Amount::Size(1e-6), ..stone(1) }, &plain()),
        wood(&solid, &WoodConfig { length: 1e-3, width: 1e-3, ..Default::default() }, &plain()),
        brick(&solid, &BrickConfig { height: 1e-9, ..Default::default() }, &plain()),
    ];
    for made in many {
        assert!(matches!(made, Err(SplinterError::TooMany { .. })));
    }
    assert!(matches!(voronoi(&solid, &stone(0), &plain()), Err(SplinterError::Setting { .. })));
    for grain in [DVec3::ZERO, DVec3::NAN, DVec3::new(f64::INFINITY, 0.0, 0.0)] {
        let config = WoodConfig { grain, ..Default::default() };
        assert!(matches!(wood(&solid, &config, &plain()), Err(SplinterError::Direction { .. })));
        let config = VoronoiConfig { flat: Flat::Along(grain), ..stone(5) };
        assert!(matches!(voronoi(&solid, &config, &plain()), Err(SplinterError::Direction { .. })));
    }
    let config = BrickConfig { up: DVec3::X * 2.0, ..Default::default() };
    assert!(matches!(brick(&solid, &config, &plain()), Err(SplinterError::Direction { .. })));
    let rings = VoronoiConfig { pattern: Pattern::Rings, ..stone(5) };
    assert!(voronoi(&solid, &rings, &plain()).is_err());
    for sliver in [-0.1, 0.6, f64::NAN] {
        assert!(voronoi(&solid, &stone(5), &CutConfig { sliver, ..plain() }).is_err());
    }
}

/// The number and the volume of splinters do not depend on scale and position (two pieces and rounding allowed).
#[test]
fn size_and_place_do_not_matter() {
    let solid = Figure::Mug.surface(0.05);
    let count = voronoi(&solid, &stone(50), &plain()).unwrap().pieces.len();
    for (scale, place) in [(1e-3, 0.0), (1e3, 0.0), (1.0, 1e3)] {
        let moved = mapped(solid.clone(), |x| scale * x + place);
        let splinters = voronoi(&moved, &stone(50), &plain()).unwrap();
        assert_closed(&splinters, "moved");
        assert!(splinters.pieces.len().abs_diff(count) <= 2);
        let volume: f64 = splinters.pieces.iter().map(|piece| piece.volume).sum();
        assert!((volume / (scale.powi(3) * solid.volume()) - 1.0).abs() < 1e-9);
    }
}

/// A mug of 20,000 triangles is cut into 500 splinters in less than two seconds on one processor, in release builds:
/// users wait for it.
#[test]
#[cfg(not(debug_assertions))]
fn a_mug_is_cut_within_two_seconds() {
    let solid = Figure::Mug.surface(0.0135);
    assert!(solid.triangles.len() > 18_000, "{}", solid.triangles.len());
    let time = || {
        let begin = processor_time();
        let splinters = voronoi(&solid, &stone(500), &plain()).unwrap();
        assert!(splinters.pieces.len() >= 490);
        processor_time() - begin
    };
    let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let seconds = single.install(time);
    println!("{} triangles in {seconds:.3} s", solid.triangles.len());
    assert!(seconds < 2.0, "{seconds} s");
}

/// The processor time of this thread, in s, which other work on the machine hardly affects; the time of the clock if
/// the system does not report it.
#[cfg(not(debug_assertions))]
fn processor_time() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| BEGIN.elapsed().as_secs_f64(), |time| 1e-9 * time)
}
