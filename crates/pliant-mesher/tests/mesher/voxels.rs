//! Voxel meshes of surfaces: volume, parts, and the embedded surface.

use crate::common;

use std::collections::BTreeMap;

use glam::{DQuat, DVec2, DVec3};
use pliant::geometry::{Pose, Shape, Surface, SurfaceGroup};
use pliant::internals::Leaf;
use pliant_kernels::element::shape;
use pliant_mesher::SurfaceError;
use pliant_mesher::gallery::random_shape;
use pliant_mesher::voxels::{
    CellSize, InsideRule, MaterialRule, MaterialSource, VoxelConfig, VoxelError, Voxels, voxelize,
    voxelize_with,
};

use common::{
    FIGURES, Random, askew, cases, cuboid, for_cases, geodesic_ball, mapped, together, torus,
    winding,
};

fn config(depth: u32, leaf_depth: u32, degree: usize) -> VoxelConfig {
    VoxelConfig {
        size: CellSize::Depth(depth),
        leaf_depth: Some(leaf_depth),
        degree,
        ..Default::default()
    }
}

fn voxels(surface: &Surface, depth: u32, leaf_depth: u32, degree: usize) -> Voxels {
    voxelize(surface, &config(depth, leaf_depth, degree)).unwrap()
}

/// Checks all properties that every voxel mesh has.
fn check(surface: &Surface, voxels: &Voxels) {
    let Voxels { mesh, contents, embedding, report, .. } = voxels;
    mesh.certify().unwrap();
    assert_eq!(mesh.invalid_cells(), []);
    assert_eq!(mesh.duplicate_cells(), Vec::<[usize; 2]>::new());
    assert_eq!(mesh.unused_nodes(), Vec::<u32>::new());
    contents.check(mesh.cell_count(), usize::MAX).unwrap();
    assert_eq!((report.cell_count, report.node_count), (mesh.cell_count(), mesh.nodes.len()));
    assert_eq!(report.boundary_leaf_count + report.inside_leaf_count, contents.leaves.len());
    let cell_volume = report.cell_size.powi(3);
    let volume: f64 = (0..mesh.cell_count()).map(|cell| cell_volume * contents.fill(cell)).sum();
    assert!((volume - report.volume).abs() <= 1e-12 * volume);
    assert_eq!(embedding.surface.vertices[..surface.vertices.len()], surface.vertices);
    check_places(voxels);
    check_split(surface, voxels);
    check_attached(voxels);
}

/// Checks that vertices are at their places, to rounding of the largest coordinate.
fn check_places(voxels: &Voxels) {
    let Voxels { mesh, embedding, .. } = voxels;
    let mut vertices = Vec::new();
    embedding.skin(mesh).interpolate(&mesh.nodes, &mut vertices);
    let (low, high) = mesh.bounds();
    let size = low.abs().max(high.abs()).max(high - low).max_element();
    for (found, vertex) in vertices.iter().zip(&embedding.surface.vertices) {
        assert!(found.distance(*vertex) <= 1e-12 * size, "{found} instead of {vertex}");
    }
    for place in &embedding.places {
        assert!(place.xi.min_element() >= 0.0 && place.xi.max_element() <= 1.0, "{place:?}");
    }
}

/// Checks that splitting keeps area and length, and that every triangle and line is in one cell.
fn check_split(surface: &Surface, voxels: &Voxels) {
    let split = &voxels.embedding.surface;
    let scale = voxels.report.cell_size * voxels.report.cell_size;
    assert!((split.area() - surface.area()).abs() <= 1e-11 * (surface.area() + scale));
    let (from, to) = (length(surface), length(split));
    assert!((to - from).abs() <= 1e-11 * (from + voxels.report.cell_size));
    let origin = voxels.mesh.nodes[0];
    let in_cells =
        |vertex: &u32| (split.vertices[*vertex as usize] - origin) / voxels.report.cell_size;
    let triangles = split.triangles.iter().map(|t| t.to_vec());
    for item in triangles.chain(split.lines.iter().map(|l| l.to_vec())) {
        let points: Vec<DVec3> = item.iter().map(in_cells).collect();
        for axis in 0..3 {
            let low = points.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
            let high = points.iter().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max);
            // A vertex within 1e-9 cells of a plane counts as on it; rounding is added.
            assert!(high <= (low + 1e-8).floor() + 1.0 + 1e-8, "{low} to {high} cells");
        }
    }
}

/// Checks that all corners of a triangle move with one cell, however the nodes move: corners with places in other
/// cells are on common faces, and these cells share the nodes of the face.
fn check_attached(voxels: &Voxels) {
    let Voxels { mesh, embedding, report, .. } = voxels;
    let origin = mesh.nodes[0];
    let in_cells = |x: DVec3| (x - origin) / report.cell_size;
    let mut by_place: BTreeMap<[i32; 3], Vec<usize>> = BTreeMap::new();
    for (cell, (_, nodes)) in mesh.cells().enumerate() {
        let corner = in_cells(mesh.nodes[nodes[0] as usize]).round().as_ivec3();
        by_place.entry(corner.to_array()).or_default().push(cell);
    }
    // Any numbers that differ between nodes.
    let moved = |node: u32| (1.0 + f64::from(node)).sqrt().fract();
    let at = |cell: usize, xi: DVec3| {
        let (kind, nodes) = mesh.cell(cell);
        shape(kind, xi).into_iter().zip(nodes).map(|(w, node)| w * moved(*node)).sum::<f64>()
    };
    let vertices: Vec<f64> =
        embedding.places.iter().map(|place| at(place.cell as usize, place.xi)).collect();
    for triangle in &embedding.surface.triangles {
        let points = triangle.map(|vertex| in_cells(embedding.surface.vertices[vertex as usize]));
        let middle = (points[0] + points[1] + points[2]) / 3.0;
        let agrees = |cell: &usize, corner: [i32; 3]| {
            let corner = DVec3::from(corner.map(f64::from));
            let differs = |(vertex, point): (&u32, &DVec3)| {
                (at(*cell, *point - corner) - vertices[*vertex as usize]).abs() > 1e-6
            };
            !triangle.iter().zip(&points).any(differs)
        };
        let around = (0..8).map(|k| {
            let offset = DVec3::from([0, 1, 2].map(|axis| f64::from(k >> axis & 1) - 0.5));
            (middle + 1e-7 * offset).floor().as_ivec3().to_array()
        });
        let found = around.into_iter().any(|place| {
            by_place.get(&place).into_iter().flatten().any(|cell| agrees(cell, place))
        });
        assert!(found, "no cell moves all corners of triangle {triangle:?}");
    }
}

fn length(surface: &Surface) -> f64 {
    let length =
        |[a, b]: &[u32; 2]| surface.vertices[*a as usize].distance(surface.vertices[*b as usize]);
    surface.lines.iter().map(length).sum()
}

/// The edges of triangles, with the number of triangles of each.
fn edge_uses(surface: &Surface) -> BTreeMap<[u32; 2], usize> {
    let mut uses = BTreeMap::new();
    for [a, b, c] in &surface.triangles {
        for [p, q] in [[a, b], [b, c], [c, a]] {
            *uses.entry([*p.min(q), *p.max(q)]).or_insert(0) += 1;
        }
    }
    uses
}

/// The volume, inner leaves plus half of the boundary leaves, converges with order 2: a leaf cut by a plane is half
/// full on average, and the error by curvature is of second order in the size of the leaves.
#[test]
fn volume_converges_at_second_order() {
    for surface in
        [geodesic_ball(5), askew(cuboid([0.0; 3], [1.0, 0.7, 0.5])), askew(torus(1.0, 0.4, 96, 48))]
    {
        let error = |depth| {
            let found = voxels(&surface, 2, depth, 1).report.volume;
            (found / surface.volume() - 1.0).abs()
        };
        let (coarse, fine) = (error(5), error(7));
        let order = (coarse / fine).log2() / 2.0;
        assert!(fine < 4e-3, "relative error {fine:.2e} with 128 leaves along the longest side");
        // The error is a sum over few leaves, so that the measured order scatters.
        assert!(order > 1.6, "order {order:.2} from {coarse:.2e} to {fine:.2e}");
    }
}

/// Checks that flood fill does not leak: the volume of the solid is between that of the inner leaves and that of
/// inner and boundary leaves.
fn check_bounds(surface: &Surface, voxels: &Voxels) {
    let leaf = voxels.report.leaf_size.powi(3);
    let inside = leaf * voxels.report.inside_leaf_count as f64;
    let all = inside + leaf * voxels.report.boundary_leaf_count as f64;
    let volume = surface.volume();
    assert!(inside <= volume && volume <= all, "{inside} <= {volume} <= {all}");
}

/// Voxel meshes of a ball, a torus and a box have all properties, for both degrees.
#[test]
fn ball_torus_and_box_are_sound_in_both_degrees() {
    for surface in [geodesic_ball(3), torus(1.0, 0.3, 40, 20), cuboid([0.0; 3], [1.0, 2.0, 3.0])] {
        for degree in [1, 2] {
            let voxels = voxels(&surface, 3, 6, degree);
            check(&surface, &voxels);
            check_bounds(&surface, &voxels);
            assert_eq!(voxels.report.part_count, 1);
        }
    }
}

/// A closed surface stays closed when it is split: every edge still has exactly two triangles, and the volume is the
/// same.
#[test]
fn splitting_leaves_no_cracks() {
    for surface in
        [geodesic_ball(2), askew(cuboid([0.0; 3], [1.0, 0.6, 0.3])), torus(1.0, 0.3, 24, 12)]
    {
        let split = voxels(&surface, 4, 5, 1).embedding.surface;
        assert!(split.triangles.len() > surface.triangles.len());
        assert!(edge_uses(&split).values().all(|uses| *uses == 2));
        assert!((split.volume() - surface.volume()).abs() < 1e-12);
    }
}

/// Texture coordinates, normals and colours that are linear in the position stay so when triangles are split, and
/// parts are kept.
#[test]
fn attributes_are_interpolated_where_triangles_are_split() {
    let mut surface = askew(cuboid([0.0; 3], [1.0, 0.8, 0.6]));
    let texcoord = |x: DVec3| DVec2::new(2.0 * x.x - x.y, x.z + 0.5 * x.x);
    let normal = |x: DVec3| DVec3::new(x.y, x.z - x.x, 3.0 * x.x);
    let colour = |x: DVec3| [x.x as f32, (x.y - x.z) as f32, 0.25];
    surface.texcoords = Some(surface.corners().map(|c| c.map(texcoord)).collect());
    surface.normals = Some(surface.corners().map(|c| c.map(normal)).collect());
    surface.colours = Some(surface.vertices.iter().map(|x| colour(*x)).collect());
    // One part for each of the six sides.
    surface.parts = vec![SurfaceGroup::default(); 6];
    surface.part_of = Some((0..12).map(|triangle| triangle / 2).collect());
    let sides: Vec<[DVec3; 3]> = surface.corners().step_by(2).collect();
    let split = voxels(&surface, 3, 4, 1).embedding.surface;
    for (corners, part) in split.corners().zip(split.part_of.as_ref().unwrap()) {
        let [a, b, c] = sides[*part as usize];
        let normal = (b - a).cross(c - a).normalize();
        assert!(corners.iter().all(|x| normal.dot(*x - a).abs() < 1e-12));
    }
    assert_eq!(split.parts, surface.parts);
    let (texcoords, normals) = (split.texcoords.as_ref().unwrap(), split.normals.as_ref().unwrap());
    assert_eq!((texcoords.len(), normals.len()), (split.triangles.len(), split.triangles.len()));
    for (corners, (t, n)) in split.corners().zip(texcoords.iter().zip(normals)) {
        for k in 0..3 {
            assert!(t[k].distance(texcoord(corners[k])) < 1e-12);
            assert!(n[k].distance(normal(corners[k])) < 1e-12);
        }
    }
    for (x, found) in split.vertices.iter().zip(split.colours.as_ref().unwrap()) {
        // Colours are in single precision.
        assert!(colour(*x).iter().zip(found).all(|(a, b)| (a - b).abs() < 1e-5));
    }
}

/// A vertex on the face between two cells has the same position in both, to rounding, when the nodes move.
#[test]
fn neighbouring_cells_agree_on_the_surface_between_them() {
    for degree in [1, 2] {
        let Voxels { mesh, embedding, report, .. } = voxels(&geodesic_ball(3), 2, 5, degree);
        assert_eq!(report.shared_place_count, 0);
        let lattice = |x: DVec3| (x / report.cell_size * 2.0).round().as_ivec3().to_array();
        let by_corner: BTreeMap<[i32; 3], usize> = mesh
            .cells()
            .enumerate()
            .map(|(cell, (_, nodes))| (lattice(mesh.nodes[nodes[0] as usize]), cell))
            .collect();
        let bent = |x: DVec3| x + 0.3 * DVec3::new(x.y * x.z, (2.0 * x.x).sin(), x.x * x.y);
        let at = |cell: usize, xi: DVec3| {
            let (kind, nodes) = mesh.cell(cell);
            let terms = shape(kind, xi).into_iter().zip(nodes);
            terms.map(|(w, node)| w * bent(mesh.nodes[*node as usize])).sum::<DVec3>()
        };
        let mut compared = 0;
        for place in &embedding.places {
            for axis in (0..3).filter(|axis| place.xi[*axis] == 0.0) {
                let (_, nodes) = mesh.cell(place.cell as usize);
                let step = report.cell_size * DVec3::AXES[axis];
                let below = lattice(mesh.nodes[nodes[0] as usize] - step);
                let neighbour = by_corner[&below];
                let (here, there) = (
                    at(place.cell as usize, place.xi),
                    at(neighbour, place.xi + DVec3::AXES[axis]),
                );
                assert!(here.distance(there) < 1e-14, "{here} and {there}");
                compared += 1;
            }
        }
        assert!(compared > 100);
    }
}

/// Two separate plates in one voxel become two cells without common nodes, each with its own part of the
/// surface.
#[test]
fn two_plates_in_one_cell_become_two_cells_that_share_nothing() {
    let plates =
        together(&[cuboid([0.0; 3], [1.0, 1.0, 0.2]), cuboid([0.0, 0.0, 0.6], [1.0, 1.0, 0.8])]);
    for (degree, node_count) in [(1, 16), (2, 54)] {
        let voxels = voxels(&plates, 0, 4, degree);
        check(&plates, &voxels);
        let report = voxels.report;
        assert_eq!((report.cell_count, report.node_count), (2, node_count));
        assert_eq!((report.part_count, report.shared_place_count), (2, 2));
        let cell_of = |vertex: usize| voxels.embedding.places[vertex].cell;
        assert!((1..8).all(|vertex| cell_of(vertex) == cell_of(0)));
        assert!((8..16).all(|vertex| cell_of(vertex) != cell_of(0)));
    }
}

/// Two legs, 1.8 m long, on a base in the lower of two cells.
fn two_legs() -> Vec<Surface> {
    vec![
        cuboid([-0.2, -1.0, 0.0], [0.2, -0.8, 0.1]),
        cuboid([-0.2, -0.8, 0.0], [-0.1, 1.0, 0.1]),
        cuboid([0.1, -0.8, 0.0], [0.2, 1.0, 0.1]),
    ]
}

/// Two legs in one voxel become two cells, which share only the nodes of the face to the lower cell, where the base
/// connects them: four corners, or nine nodes at degree 2.
#[test]
fn legs_come_apart_above_the_cell_that_joins_them() {
    let surface = together(&two_legs());
    for (degree, on_face, of_cell) in [(1, 4, 8), (2, 9, 27)] {
        let voxels = voxels(&surface, 1, 6, degree);
        check(&surface, &voxels);
        let report = voxels.report;
        assert_eq!((report.cell_count, report.part_count), (3, 1));
        assert_eq!(report.shared_place_count, 2);
        assert_eq!(report.node_count, 3 * of_cell - 2 * on_face);
        let nodes = |cell: usize| voxels.mesh.cell(cell).1;
        let common = nodes(1).iter().filter(|node| nodes(2).contains(node)).count();
        assert_eq!(common, on_face);
    }
}

/// Legs that are connected in the cells below and above would have all nodes in common, so that they stay one cell.
#[test]
fn both_sides_of_a_hole_within_one_cell_are_one_cell() {
    let mut frame = two_legs();
    frame.push(cuboid([-0.2, 1.0, 0.0], [0.2, 1.2, 0.1]));
    let surface = together(&frame);
    for degree in [1, 2] {
        let size = CellSize::Length(0.76);
        let config = VoxelConfig { size, leaf_depth: Some(7), degree, ..Default::default() };
        let voxels = voxelize(&surface, &config).unwrap();
        check(&surface, &voxels);
        assert_eq!((voxels.report.cell_count, voxels.report.shared_place_count), (3, 0));
    }
}

/// Shells that do not touch become separate parts.
#[test]
fn several_shells_are_several_parts() {
    let far = |x: DVec3| x + DVec3::new(5.0, 0.0, 0.0);
    let surface = together(&[
        geodesic_ball(2),
        mapped(geodesic_ball(2), far),
        mapped(cuboid([0.0; 3], [0.5; 3]), |x| x - 5.0),
    ]);
    let voxels = voxels(&surface, 3, 6, 1);
    check(&surface, &voxels);
    assert_eq!(voxels.report.part_count, 3);
}

/// An open surface becomes a shell of boundary leaves, without inner leaves.
#[test]
fn open_surfaces_are_shells_of_boundary_leaves() {
    let mut open = geodesic_ball(3);
    open.triangles.truncate(open.triangles.len() / 2);
    let triangle = Surface::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]);
    for surface in [without_unused(&open), askew(triangle.clone()), triangle] {
        for degree in [1, 2] {
            let voxels = voxels(&surface, 2, 5, degree);
            check(&surface, &voxels);
            assert_eq!((voxels.report.inside_leaf_count, voxels.report.part_count), (0, 1));
        }
    }
}

/// Lines become connected chains of cells.
#[test]
fn lines_become_chains_of_cells() {
    let vertices =
        vec![DVec3::ZERO, DVec3::X, DVec3::new(1.5, 0.5, 0.2), DVec3::new(2.0, 2.0, 1.0)];
    let lines = vec![[0, 1], [1, 2], [2, 3]];
    let surface = Surface { vertices, lines, ..Default::default() };
    for depth in [0, 2, 4] {
        let voxels = voxels(&surface, depth, depth + 3, 1);
        check(&surface, &voxels);
        assert_eq!((voxels.report.inside_leaf_count, voxels.report.part_count), (0, 1));
    }
    // A straight line along an axis is one row of cells.
    let straight = Surface {
        vertices: vec![DVec3::ZERO, DVec3::X],
        lines: vec![[0, 1]],
        ..Default::default()
    };
    let voxels = voxels(&straight, 3, 5, 1);
    check(&straight, &voxels);
    assert_eq!((voxels.report.cell_count, voxels.report.node_count), (8, 36));
    assert_eq!(voxels.embedding.surface.lines.len(), 8);
}

/// The winding number fills an open surface through whose hole flood fill would leak.
#[test]
fn winding_numbers_tell_inside_of_an_open_surface() {
    let surface = geodesic_ball(3);
    let whole = surface.volume();
    let is_below = |vertex: &u32| surface.vertices[*vertex as usize].y < 0.95;
    let kept = surface.triangles.iter().filter(|t| t.iter().all(is_below)).copied().collect();
    let surface = without_unused(&Surface { triangles: kept, ..surface });
    let config = VoxelConfig { inside: InsideRule::Winding, ..config(2, 5, 1) };
    let voxels = voxelize(&surface, &config).unwrap();
    check(&surface, &voxels);
    assert_eq!(voxels.report.inside, InsideRule::Winding);
    // Within 2 %: the cap above the hole, 0.8 % of the ball, is missing, and leaves are 6 % of its size.
    assert!((voxels.report.volume / whole - 1.0).abs() < 0.02, "{}", voxels.report.volume / whole);
    // By default the mesher takes a surface with a small hole for a solid, and a half ball for a bowl.
    let auto = VoxelConfig { inside: InsideRule::Auto, ..config };
    assert_eq!(voxelize(&surface, &auto).unwrap(), voxels);
    let lower = |t: &&[u32; 3]| t.iter().all(|vertex| surface.vertices[*vertex as usize].y < 0.1);
    let bowl = surface.triangles.iter().filter(lower).copied().collect();
    let bowl = without_unused(&Surface { triangles: bowl, ..surface.clone() });
    assert_eq!(voxelize(&bowl, &auto).unwrap().report.inside, InsideRule::Flood);
    // With small cells one winding number decides for a cell far from the surface; with large cells every leaf has
    // its own. Both must agree.
    let counts = |depth| {
        let config = VoxelConfig { size: CellSize::Depth(depth), ..config };
        let report = voxelize(&surface, &config).unwrap().report;
        (report.boundary_leaf_count, report.inside_leaf_count)
    };
    assert_eq!(counts(4), counts(1));
}

/// The leaves of all cells with their centres, in m.
fn leaves(voxels: &Voxels) -> Vec<(DVec3, Leaf)> {
    let Voxels { mesh, contents, report, .. } = voxels;
    let mut all = Vec::new();
    for (cell, (_, nodes)) in mesh.cells().enumerate() {
        let corner = mesh.nodes[nodes[0] as usize];
        let middle = |leaf: &Leaf| DVec3::from(leaf.place.map(|x| f64::from(x) + 0.5));
        let place = |leaf: &Leaf| (corner + report.leaf_size * middle(leaf), *leaf);
        all.extend(contents.cell(cell).iter().map(place));
    }
    all
}

/// Rules set the material of leaves inside surfaces, shapes and regions; the last rule that applies wins.
#[test]
fn materials_come_from_surfaces_shapes_and_regions_and_the_last_rule_wins() {
    let bone = mapped(geodesic_ball(3), |x| 0.5 * x);
    let in_bone = |point: DVec3| winding(&bone, point);
    let right = |point: DVec3| point.x > 0.0;
    let shape = Shape::Sphere { radius: 0.2 };
    let pose = Pose::from(DVec3::new(-0.3, 0.0, 0.0));
    let rules = [
        MaterialRule { material: 3, source: MaterialSource::Region(&right) },
        MaterialRule { material: 1, source: MaterialSource::Enclosed(&in_bone) },
        MaterialRule { material: 2, source: MaterialSource::Shape { shape, pose } },
    ];
    let voxels = voxelize_with(&geodesic_ball(3), &config(2, 5, 1), &rules).unwrap();
    for (x, leaf) in leaves(&voxels) {
        let expected = match x {
            _ if x.distance(DVec3::new(-0.3, 0.0, 0.0)) < 0.2 => 2,
            _ if in_bone(x) > 0.5 => 1,
            _ => 3 * u32::from(x.x > 0.0),
        };
        assert_eq!(leaf.material, expected, "at {x}");
    }
}

/// Leaves take the colour of the nearest surface; a surface without colours is an error.
#[test]
fn painted_colours_reach_the_leaves_inside() {
    let mut surface = geodesic_ball(4);
    let red = |x: &DVec3| if x.y > 0.0 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
    surface.colours = Some(surface.vertices.iter().map(red).collect());
    let source = MaterialSource::Painted { colour: [1.0, 0.0, 0.0], tolerance: 0.5 };
    let rules = [MaterialRule { material: 1, source }];
    let voxels = voxelize_with(&surface, &config(2, 5, 1), &rules).unwrap();
    // Near the border between the colours a leaf may have either.
    for (x, leaf) in leaves(&voxels).into_iter().filter(|(x, _)| x.y.abs() > 0.15) {
        assert_eq!(leaf.material, u32::from(x.y > 0.0), "at {x}");
    }
    surface.colours = None;
    let failed = voxelize_with(&surface, &config(2, 5, 1), &rules);
    assert_eq!(failed, Err(VoxelError::NoColours { rule: 0 }));
}

/// The sites of leaves give the materials that new voxels have; by colour only if they were made with colours.
#[test]
fn materials_can_be_chosen_again() {
    let mut surface = geodesic_ball(3);
    let red = |x: &DVec3| if x.y > 0.0 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
    surface.colours = Some(surface.vertices.iter().map(red).collect());
    let source = MaterialSource::Painted { colour: [1.0, 0.0, 0.0], tolerance: 0.5 };
    let painted = MaterialRule { material: 1, source };
    let right = |point: DVec3| point.x > 0.0;
    let right = MaterialRule { material: 2, source: MaterialSource::Region(&right) };
    let made = |rules: &[MaterialRule]| voxelize_with(&surface, &config(2, 5, 1), rules).unwrap();
    let (first, plain) = (made(std::slice::from_ref(&painted)), made(&[]));
    for rules in [vec![], vec![right.clone()], vec![painted.clone(), right.clone()]] {
        let leaves = made(&rules).contents.leaves;
        let expected: Vec<u32> = leaves.iter().map(|leaf| leaf.material).collect();
        assert_eq!(first.sites.materials(&rules), Ok(expected));
    }
    let failed = plain.sites.materials(&[right, painted]);
    assert_eq!(failed, Err(VoxelError::NoColours { rule: 1 }));
    assert!(first.sites.has_colours() && !plain.sites.has_colours());
}

/// Voxel meshes have the same bits on one thread and on three.
#[test]
fn threads_do_not_matter() {
    let mut surface = together(&[geodesic_ball(4), askew(torus(1.3, 0.2, 60, 20))]);
    surface.lines.push([0, 300]);
    let with_threads = |count| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
        pool.install(|| voxels(&surface, 3, 6, 2))
    };
    assert_eq!(with_threads(1), with_threads(3));
}

/// The mesh does not depend on the scale of the surface, from micrometres to a thousand kilometres.
#[test]
fn size_does_not_matter() {
    let surface = askew(torus(1.0, 0.35, 40, 20));
    let unit = voxels(&surface, 3, 6, 1);
    for scale in [1e-6, 1e-3, 3.0, 1e6] {
        let scaled = mapped(surface.clone(), |x| scale * x);
        let voxels = voxels(&scaled, 3, 6, 1);
        check(&scaled, &voxels);
        assert_eq!(voxels.mesh.blocks, unit.mesh.blocks);
        assert_eq!(voxels.contents, unit.contents);
        assert!((voxels.report.volume / scale.powi(3) / unit.report.volume - 1.0).abs() < 1e-12);
    }
}

/// A vertex that no triangle uses does not change the mesh, and has a place in the nearest cell, however far.
#[test]
fn vertices_that_nothing_uses_do_not_widen_the_box() {
    let mut surface = geodesic_ball(2);
    surface.vertices.push(DVec3::new(100.0, 0.0, 0.0));
    let with = voxels(&surface, 2, 5, 1);
    let without = voxels(&geodesic_ball(2), 2, 5, 1);
    assert_eq!(with.mesh, without.mesh);
    let mut vertices = Vec::new();
    with.embedding.skin(&with.mesh).interpolate(&with.mesh.nodes, &mut vertices);
    let used = geodesic_ball(2).vertices.len();
    // Trilinear weights far outside a cell are large, so that digits are lost with the cube of the distance.
    assert!(vertices[used].distance(surface.vertices[used]) < 1e-6);
}

/// Default leaves are at most half as large as the cells.
#[test]
fn default_leaves_are_finer_than_the_cells_and_fit_into_memory() {
    for depth in 0..=6 {
        let config = VoxelConfig { size: CellSize::Depth(depth), ..Default::default() };
        let report = voxelize(&geodesic_ball(1), &config).unwrap().report;
        assert!(report.leaf_size <= report.cell_size / 2.0, "at depth {depth}");
    }
}

/// Every kind of invalid surface returns its own error.
#[test]
fn bad_surfaces_are_told_what_is_wrong() {
    let fails = |surface: Surface| voxelize(&surface, &VoxelConfig::default()).unwrap_err();
    assert_eq!(fails(Surface::default()), VoxelError::Empty);
    assert_eq!(fails(Surface::new(vec![DVec3::ONE], vec![])), VoxelError::Empty);
    let point = fails(Surface::new(vec![DVec3::ONE; 3], vec![[0, 1, 2]; 4]));
    assert_eq!(point, VoxelError::Degenerate { triangle_count: 4, line_count: 0 });
    let needle = vec![DVec3::ZERO, DVec3::X, 3.0 * DVec3::X];
    assert!(matches!(fails(Surface::new(needle, vec![[0, 1, 2]])), VoxelError::Degenerate { .. }));
    let mut broken = geodesic_ball(1);
    broken.vertices[7].y = f64::NAN;
    let lost = fails(broken);
    assert!(matches!(lost, VoxelError::Surface(SurfaceError::NotFinite { vertex: 7, .. })));
    let mut broken = geodesic_ball(1);
    broken.triangles[5][1] = 99;
    let missing =
        SurfaceError::OutOfRange { what: "triangle", index: 5, vertex: 99, vertex_count: 18 };
    assert_eq!(fails(broken), VoxelError::Surface(missing));
    let mut broken = geodesic_ball(1);
    broken.normals = Some(vec![]);
    assert!(matches!(fails(broken), VoxelError::AttributeCount { given: 0, expected: 32, .. }));
    let distant = mapped(geodesic_ball(1), |x| x + 1e12);
    assert!(matches!(fails(distant), VoxelError::Extent { .. }));
    assert!(matches!(fails(mapped(geodesic_ball(1), |x| 1e200 * x)), VoxelError::Extent { .. }));
}

/// Every kind of invalid setting returns its own error.
#[test]
fn bad_settings_are_told_what_is_wrong() {
    let fails = |config: VoxelConfig| voxelize(&geodesic_ball(1), &config).unwrap_err();
    let default = VoxelConfig::default();
    let coarse = fails(config(4, 3, 1));
    assert_eq!(coarse, VoxelError::LeavesTooCoarse { leaf_depth: 3, cell_depth: 4 });
    assert!(matches!(fails(config(0, 12, 1)), VoxelError::LeavesTooFine { most: 10, .. }));
    assert!(matches!(fails(config(40, 41, 1)), VoxelError::Depth { depth: 40, .. }));
    assert!(matches!(fails(config(2, 4, 3)), VoxelError::Degree { degree: 3 }));
    let length = |length| VoxelConfig { size: CellSize::Length(length), ..default };
    assert_eq!(fails(length(-1.0)), VoxelError::Length { length: -1.0 });
    assert!(matches!(fails(length(f64::NAN)), VoxelError::Length { .. }));
    let fill = fails(VoxelConfig { boundary_fill: 0.0, ..default });
    assert_eq!(fill, VoxelError::Fill { fill: 0.0 });
}

/// Meshes that need too much memory are refused before it is allocated: 2¹² leaves along each side at 5 bytes are 320
/// GiB.
#[test]
fn memory_is_told_before_it_is_taken() {
    let error = voxelize(&geodesic_ball(1), &config(8, 12, 1)).unwrap_err();
    assert!(error.to_string().contains("need 320.000 GiB"), "{error}");
    let tiny = VoxelConfig { size: CellSize::Length(1e-300), ..Default::default() };
    assert!(matches!(voxelize(&geodesic_ball(1), &tiny), Err(VoxelError::Memory { .. })));
    let small = VoxelConfig { memory: 2_000_000, ..config(3, 6, 1) };
    assert!(matches!(voxelize(&geodesic_ball(3), &small), Err(VoxelError::Memory { .. })));
    // Large triangles through many small cells would be split into very many.
    let wide = Surface::new(geodesic_ball(0).vertices, vec![[0, 1, 2]; 100]);
    let many = VoxelConfig { memory: 16 << 20, ..config(6, 6, 1) };
    assert!(matches!(voxelize(&wide, &many), Err(VoxelError::Memory { .. })));
}

/// Every figure of the gallery becomes a valid voxel mesh with default settings; closed figures do not leak.
#[test]
fn every_figure_becomes_sound_voxels() {
    for (figure, surface) in &*FIGURES {
        let surface = without_unused(surface);
        let voxels = voxelize(&surface, &VoxelConfig::default()).unwrap();
        check(&surface, &voxels);
        if figure.is_closed() {
            check_bounds(&surface, &voxels);
        }
    }
}

/// Random defective shapes become valid voxel meshes, without exception; 200 in a heavy run, otherwise an eighth of
/// them.
#[test]
fn random_shapes_become_sound_voxels() {
    for seed in 0..cases(200) as u64 {
        let surface = without_unused(&random_shape(seed));
        let (depth, degree) = (2 + seed as u32 % 2, 1 + seed as usize / 2 % 2);
        let made = voxelize(&surface, &config(depth, 5, degree));
        check(&surface, &made.unwrap_or_else(|error| panic!("shape {seed}: {error}")));
    }
}

/// Random triangles and lines with few different coordinates, so that planes, edges and corners often coincide.
fn soup(random: &mut Random) -> Surface {
    let count = 1 + random.below(11);
    let vertices = (0..count).map(|_| DVec3::from([0; 3].map(|_| coordinate(random)))).collect();
    let (triangles, lines) = (random.below(12), random.below(4));
    let mut pick = || random.below(count) as u32;
    let triangles = (0..triangles).map(|_| [pick(), pick(), pick()]).collect();
    let lines = (0..lines).map(|_| [pick(), pick()]).collect();
    Surface { triangles, lines, ..Surface::new(vertices, vec![]) }
}

/// A random coordinate; half of them are integers.
fn coordinate(random: &mut Random) -> f64 {
    let place = random.within(-4.0, 4.0);
    if random.below(2) == 0 { place.round() } else { place }
}

/// The surface without unused vertices, whose places may be outside their cells.
fn without_unused(surface: &Surface) -> Surface {
    let mut compact = Surface::default();
    let mut numbers = BTreeMap::new();
    let mut number = |vertex: u32| {
        *numbers.entry(vertex).or_insert_with(|| {
            compact.vertices.push(surface.vertices[vertex as usize]);
            compact.vertices.len() as u32 - 1
        })
    };
    let triangles = surface.triangles.iter().map(|t| t.map(&mut number)).collect();
    let lines = surface.lines.iter().map(|l| l.map(&mut number)).collect();
    Surface { triangles, lines, ..compact }
}

/// Random triangles and lines become valid voxel meshes, unless they are empty or degenerate.
#[test]
fn any_soup_becomes_sound_voxels() {
    for_cases(cases(200), &mut |random| {
        let surface = without_unused(&soup(random));
        let (depth, levels) = (random.below(4) as u32, random.below(4) as u32);
        match voxelize(&surface, &config(depth, depth + levels, 1 + random.below(2))) {
            Ok(voxels) => check(&surface, &voxels),
            Err(VoxelError::Empty | VoxelError::Degenerate { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    });
}

/// The same with any length of cells.
#[test]
fn any_soup_with_any_length_of_cells() {
    for_cases(cases(200), &mut |random| {
        let surface = without_unused(&soup(random));
        let size = CellSize::Length(random.within(0.3, 20.0));
        let config = VoxelConfig { size, leaf_depth: Some(6), ..Default::default() };
        if let Ok(voxels) = voxelize(&surface, &config) {
            check(&surface, &voxels);
        }
    });
}

/// Closed surfaces in random orientations never leak and give one part.
#[test]
fn closed_surfaces_never_leak() {
    let shapes = [cuboid([0.0; 3], [1.0, 0.4, 0.1]), geodesic_ball(2), torus(1.0, 0.2, 16, 8)];
    for_cases(cases(200), &mut |random| {
        let axis = random.vector().normalize_or(DVec3::X);
        let turn = DQuat::from_axis_angle(axis, random.within(0.0, 6.3));
        let surface = mapped(shapes[random.below(3)].clone(), |x| turn * x);
        let depth = 3 + random.below(4) as u32;
        let voxels = voxels(&surface, depth - 2, depth, 1);
        check_bounds(&surface, &voxels);
        assert_eq!(voxels.report.part_count, 1);
    });
}
