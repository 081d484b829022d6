//! Corners and edges of obstacles hold the faces and edges of bodies of few cells, whose vertices do not touch them.

use std::sync::Arc;

use crate::common::heavy;
use glam::{DQuat, DVec3};
use pliant::body::{Body, Model, RigidConfig};
use pliant::contact::Obstacle;
use pliant::geometry::{HeightField, Pose, Shape, Surface};
use pliant::internals::ObstacleContact;
use pliant::material::Material;
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{World, WorldConfig};

/// The edge of a cube, in m.
const EDGE: f64 = 0.3;

const DENSITY: f64 = 1000.0;

fn soft_box(size: [f64; 3], cells: [usize; 3], young: f64) -> Arc<Model> {
    let origin = size.map(|side| -0.5 * side);
    let mesh = box_mesh(&BoxConfig { origin, size, cells, ..Default::default() }).unwrap();
    let material = Material { young, density: DENSITY, ..Default::default() };
    Arc::new(Model::uniform(mesh, material).unwrap())
}

fn soft_cube(young: f64) -> Arc<Model> {
    soft_box([EDGE; 3], [1; 3], young)
}

fn rigid_cube() -> Arc<Model> {
    let shape = Shape::Box { half: DVec3::splat(0.5 * EDGE) };
    let config = RigidConfig { density: DENSITY, ..Default::default() };
    Arc::new(Model::rigid_shape(&shape, 1, config).unwrap())
}

fn at(shape: Shape, place: [f64; 3]) -> Obstacle {
    Obstacle { shape, pose: Pose::from(DVec3::from(place)), ..Default::default() }
}

/// A pyramid with this height, in m, and a square base of the same width, as a triangle surface; its tip is at the origin.
fn spike(height: f64) -> Shape {
    let half = 0.5 * height;
    let base = [[-half, -half], [half, -half], [half, half], [-half, half]];
    let base = base.map(|[x, z]| DVec3::new(x, -height, z));
    let vertices = base.into_iter().chain([DVec3::ZERO]).collect();
    let sides = [[1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4], [0, 1, 2], [0, 2, 3]];
    Shape::of_surface(&Surface::new(vertices, sides.to_vec())).unwrap()
}

/// Parallel ridges along z, 0.2 m apart and 0.1 m high.
fn ridges() -> Shape {
    let heights = (0..5).map(|_| vec![-0.1, 0.0, -0.1, 0.0, -0.1]).collect();
    let field = HeightField { heights, size: [0.4, 0.9], floor: -0.3 };
    Shape::of_surface(&field.surface().unwrap()).unwrap()
}

/// Sets of obstacles with their highest points at height zero, none of them under a vertex of a cube above the origin, on which a cube stands.
fn beds() -> Vec<(&'static str, Vec<Obstacle>)> {
    let places = [[-0.08, -0.07], [0.09, -0.06], [0.01, 0.1]];
    let three =
        |shape: Shape, depth: f64| places.map(|[x, z]| at(shape.clone(), [x, -depth, z])).to_vec();
    let capsule = Shape::Capsule { half_length: 0.4, radius: 0.03 };
    let lying = |x: f64| {
        let rotation = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2 + 0.3 * x);
        let pose = Pose { rotation, translation: DVec3::new(x, -0.03, 0.0) };
        Obstacle { shape: capsule.clone(), pose, ..Default::default() }
    };
    vec![
        ("spheres", three(Shape::Sphere { radius: 0.05 }, 0.05)),
        ("spikes", three(spike(0.2), 0.0)),
        ("boxes", three(Shape::Box { half: DVec3::new(0.03, 0.05, 0.02) }, 0.05)),
        ("a box", vec![at(Shape::Box { half: DVec3::new(0.11, 0.05, 0.09) }, [0.0, -0.05, 0.0])]),
        ("capsules", vec![lying(-0.08), lying(0.09)]),
        ("short capsules", three(Shape::Capsule { half_length: 0.04, radius: 0.03 }, 0.07)),
        ("ridges", vec![at(ridges(), [0.0; 3])]),
    ]
}

/// The largest depth of a point of the skin in an obstacle, in m, from points of all triangles.
fn depth(world: &World) -> f64 {
    let mut deepest = 0.0f64;
    for (_, body) in world.bodies() {
        let contact = ObstacleContact::new(body.model());
        let (skin, mut x) = (contact.skin(), Vec::new());
        skin.interpolate(&body.state.x, &mut x);
        for triangle in skin.triangles() {
            let [a, b, c] = triangle.map(|k| x[k as usize]);
            for (i, j) in (0..=60).flat_map(|i| (0..=60 - i).map(move |j| (i, j))) {
                let (u, v) = (f64::from(i) / 60.0, f64::from(j) / 60.0);
                let point = a + u * (b - a) + v * (c - a);
                for obstacle in world.obstacles() {
                    let local = obstacle.pose_at(world.time()).local_point(point);
                    deepest = deepest.max(-obstacle.shape.distance(local).distance);
                }
            }
        }
    }
    deepest
}

fn centre(body: &Body) -> DVec3 {
    let nodes = body.state.x.iter().zip(body.model().masses());
    nodes.map(|(x, mass)| *mass * *x).sum::<DVec3>() / body.model().mass()
}

fn speed(world: &World) -> f64 {
    let nodes = world.bodies().flat_map(|(_, body)| &body.state.v);
    nodes.map(|v| v.length()).fold(0.0, f64::max)
}

struct Run {
    world: World,
}

impl Run {
    /// A body above obstacles, at this position of its origin.
    fn new(
        model: &Arc<Model>,
        obstacles: &[Obstacle],
        pose: Pose,
        stepper: Stepper,
        dt: f64,
    ) -> Self {
        let mut world = World::new(WorldConfig { dt, ..Default::default() }).unwrap();
        for obstacle in obstacles {
            world.add_obstacle(obstacle.clone()).unwrap();
        }
        let mut body = Body::new("body", model.clone(), vec![]).unwrap();
        body.state.x.iter_mut().for_each(|x| *x = pose.point(*x));
        world.add_with(body, MethodConfig { stepper, ..Default::default() }).unwrap();
        Self { world }
    }

    fn run(&mut self, seconds: f64) {
        let steps = (seconds / self.world.config().dt).round() as usize;
        (0..steps).for_each(|_| _ = self.world.step());
    }

    /// Sets the velocity of all nodes, in m/s.
    fn push(&mut self, velocity: DVec3) {
        let handle = self.world.bodies().next().unwrap().0;
        self.world.get_mut(handle).unwrap().state.v.fill(velocity);
    }

    /// The velocity of the centre of mass, in m/s.
    fn velocity(&self) -> DVec3 {
        let (body, mass) = (self.body(), self.body().model().mass());
        let nodes = body.state.v.iter().zip(body.model().masses());
        nodes.map(|(v, m)| *m * *v).sum::<DVec3>() / mass
    }

    fn body(&self) -> &Body {
        self.world.bodies().next().unwrap().1
    }

    fn is_asleep(&self) -> bool {
        self.world.bodies().all(|(handle, _)| self.world.is_asleep(handle) == Some(true))
    }
}

/// The depth at which a cube may rest, in m: a hundredth of its edge, and the compression of the layer under its weight on three points, each as stiff as
/// a corner of the cube.
fn resting_depth(young: f64) -> f64 {
    0.01 * EDGE + 2.0 * DENSITY * 9.81 * EDGE * EDGE / young
}

/// The bodies of these tests with their Young's modulus, in Pa; for the rigid one that of its contact.
fn cubes() -> Vec<(&'static str, Arc<Model>, f64)> {
    let soft = [("1e5", 1e5), ("1e7", 1e7), ("1e9", 1e9)];
    let soft = soft.map(|(name, young)| (name, soft_cube(young), young));
    [("rigid", rigid_cube(), 1e7)].into_iter().chain(soft).collect()
}

fn above(height: f64) -> Pose {
    Pose::from(DVec3::new(0.0, 0.5 * EDGE + height, 0.0))
}

/// Cubes of one cell come to rest on obstacles that are nowhere near their vertices, no deeper than a hundredth of their edge and the compression under
/// their weight, and fall asleep there. Contact of vertices alone lets them fall over spheres, spikes and boxes, until their vertices touch
/// or the obstacle comes out above them.
#[test]
fn cubes_rest_on_what_is_between_their_vertices() {
    for (bed, obstacles) in beds() {
        for (name, model, young) in cubes() {
            for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0] {
                if !heavy() && dt != 1.0 / 60.0 && name != "1e7" {
                    continue;
                }
                let mut run = Run::new(&model, &obstacles, above(0.05), Stepper::Bdf2, dt);
                run.run(3.0);
                let who = format!("{name} cube, {bed}, dt {dt:.4}");
                let (depth, height) = (depth(&run.world), centre(run.body()).y - 0.5 * EDGE);
                assert!(depth < resting_depth(young), "{who}: {depth:.1e} m deep");
                // The capsules are inclined: their highest points under the cube are 3 mm above zero.
                assert!(height.abs() < 5e-3, "{who}: {height:.1e} m up");
                assert!(run.is_asleep(), "{who}: {:.1e} m/s", speed(&run.world));
            }
        }
    }
}

/// The same for steppers without a linear system, whose bodies vibrate longer: they are held within the same depth and nearly at rest.
#[test]
fn cubes_of_every_kind_of_stepper_are_held() {
    let held = ["spheres", "spikes", "a box", "capsules", "ridges"];
    for (bed, obstacles) in beds().into_iter().filter(|(bed, _)| held.contains(bed)) {
        for stepper in [Stepper::Xpbd, Stepper::SymplecticEuler, Stepper::Variational] {
            let mut run = Run::new(&soft_cube(1e6), &obstacles, above(0.05), stepper, 1.0 / 60.0);
            run.run(3.0);
            let who = format!("{bed}, {stepper:?}");
            let (depth, height) = (depth(&run.world), centre(run.body()).y - 0.5 * EDGE);
            assert!(depth < resting_depth(1e6), "{who}: {depth:.1e} m deep");
            assert!(height.abs() < 5e-3, "{who}: {height:.1e} m up");
        }
    }
}

/// A wide box obstacle and the ground hold a cube with the same vertices and the same forces: corners and edges of an obstacle add nothing where the vertices of
/// a side carry it.
#[test]
fn vertices_on_a_flat_side_are_alone() {
    let wide = at(Shape::Box { half: DVec3::new(0.4, 0.1, 0.3) }, [0.1, -0.1, 0.0]);
    let points = |obstacle: Obstacle| {
        let mut run = Run::new(&soft_cube(1e6), &[obstacle], above(0.0), Stepper::Bdf2, 1.0 / 60.0);
        run.run(1.0);
        run.body().state.x.clone()
    };
    let [on_box, on_ground] = [wide, Obstacle::ground(0.5)].map(points);
    let apart = on_box.iter().zip(&on_ground).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    // Rounding: the plane of the box is computed by its distance, that of the ground directly.
    assert!(apart < 1e-10, "{apart:.1e} m apart");
}

/// A fast cube is stopped by what is between its vertices, at any time step: 0.2 s later, after it has come as far as it can, its centre is still above the
/// obstacles, at least by a third of its edge, as that of a cube that tips.
#[test]
fn fast_cubes_are_stopped() {
    for (bed, obstacles) in beds() {
        for (name, model) in [("rigid", rigid_cube()), ("1e8", soft_cube(1e8))] {
            for (dt, speed) in [(1.0 / 30.0, 20.0), (1.0 / 60.0, 50.0), (1.0 / 120.0, 20.0)] {
                let mut run = Run::new(&model, &obstacles, above(0.4), Stepper::Bdf2, dt);
                run.push(DVec3::new(0.0, -speed, 0.0));
                run.run(0.2);
                let height = centre(run.body()).y;
                assert!(height > EDGE / 3.0, "{name} cube, {bed}, dt {dt:.4}: at {height:.3} m");
            }
        }
    }
}

/// A rod of three cells laid across a capsule, between its vertices, balances there: the capsule is thicker than the rod, so it rights itself.
#[test]
fn a_rod_balances_on_a_capsule() {
    let rotation = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    for young in [1e6, 1e8] {
        for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0] {
            let pose = Pose { rotation, translation: DVec3::new(0.0, -0.08, 0.0) };
            let shape = Shape::Capsule { half_length: 0.3, radius: 0.08 };
            let capsule = Obstacle { shape, pose, ..Default::default() };
            let rod = soft_box([1.2, 0.1, 0.1], [3, 1, 1], young);
            let start = Pose::from(DVec3::new(0.0, 0.051, 0.0));
            let mut run = Run::new(&rod, &[capsule], start, Stepper::Bdf2, dt);
            run.run(4.0);
            let (place, depth) = (centre(run.body()), depth(&run.world));
            let who = format!("E {young:e}, dt {dt:.4}");
            assert!((place.y - 0.05).abs() < 0.03, "{who}: at {place}");
            assert!(place.x.abs() < 5e-3 && place.z.abs() < 5e-3, "{who}: at {place}");
            assert!(depth < 4e-3, "{who}: {depth:.1e} m deep");
        }
    }
}

/// A soft sheet of one layer of cells falls over a sphere about as large as a cell and hangs on it: no point of it is deeper than two hundredths of a cell.
#[test]
fn a_sheet_hangs_over_a_sphere() {
    for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0] {
        let sheet = soft_box([1.0, 0.03, 1.0], [5, 1, 5], 1e5);
        let ball = at(Shape::Sphere { radius: 0.12 }, [0.0, -0.12, 0.0]);
        let start = Pose::from(DVec3::new(0.0, 0.03, 0.0));
        let mut run = Run::new(&sheet, &[ball], start, Stepper::Bdf2, dt);
        run.run(2.0);
        let depth = depth(&run.world);
        assert!(centre(run.body()).y > -0.5, "dt {dt:.4}: at {}", centre(run.body()));
        assert!(depth < 4e-3, "dt {dt:.4}: {depth:.1e} m deep");
    }
}

/// A cube on two inclined capsules, between its vertices, sticks below the angle of friction, and slides above it with the acceleration of Coulomb's law.
#[test]
fn cubes_stick_to_inclined_capsules_or_slide() {
    let slope = 0.3f64.atan();
    let lean = DQuat::from_rotation_x(slope);
    let lying = lean * DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    for (friction, slides) in [(0.5, false), (0.1, true)] {
        let rail = |x: f64| Obstacle {
            shape: Shape::Capsule { half_length: 6.0, radius: 0.04 },
            pose: Pose { rotation: lying, translation: lean * DVec3::new(x, -0.04, 0.0) },
            friction,
            ..Default::default()
        };
        let start = Pose { rotation: lean, translation: lean * DVec3::new(0.0, 0.5 * EDGE, 0.0) };
        let mut run =
            Run::new(&soft_cube(1e7), &[rail(-0.07), rail(0.08)], start, Stepper::Bdf2, 1.0 / 60.0);
        run.run(1.0);
        let (place, velocity) = (centre(run.body()), run.velocity());
        run.run(1.0);
        let moved = centre(run.body()).distance(place);
        let gained = (run.velocity() - velocity).length();
        if slides {
            let wanted = 9.81 * (slope.sin() - friction * slope.cos());
            // A steady slip loses a few hundredths of its acceleration (docs/theory/obstacles.md, Friction).
            assert!((gained - wanted).abs() < 0.05 * wanted, "{gained} m/s², not {wanted}");
        } else {
            // Vertices of a cube move by 0.1 µm in ten seconds.
            assert!(moved < 1e-5, "moved by {moved:.1e} m");
        }
    }
}

/// A cube on corners and edges of obstacles continues from a snapshot with the same bits: the memory of its contacts is part of it.
#[test]
fn snapshots_contain_the_contacts_of_corners_and_edges() {
    for (bed, obstacles) in beds() {
        let mut run = Run::new(&soft_cube(1e6), &obstacles, above(0.05), Stepper::Bdf2, 1.0 / 60.0);
        run.run(0.4);
        let snapshot = run.world.snapshot();
        let mut other =
            Run::new(&soft_cube(1e6), &obstacles, above(0.05), Stepper::Bdf2, 1.0 / 60.0);
        other.world.restore(&snapshot).unwrap();
        run.run(0.3);
        other.run(0.3);
        assert_eq!(run.body().state.x, other.body().state.x, "{bed}");
    }
}
