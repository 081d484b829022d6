//! The rigid scenes of `pliant bench torture` in Rapier, step by step: that command reads what is printed here, and measures both
//! engines alike.
//!
//! ```text
//! pliant-peers torture RATE SECONDS pyramid LAYERS BESIDE ABOVE   cubes of 0.3 m with these gaps, in m
//! pliant-peers torture RATE SECONDS tower COUNT GAP               cubes on each other
//! pliant-peers torture RATE SECONDS bullet SPEED free|held        a ball of steel against a sheet of 20 mm
//! ```
//!
//! RATE is the number of steps per second. Settings are Rapier's defaults; the ball has its continuous detection switched on. Each
//! line `row` is a step, and the first one is the start: kinetic and potential energy in J, speed of the fastest corner in m/s,
//! largest depth in m, 1 if all bodies sleep, and four corners of every body. The line `lift` is the energy that lifts every body by
//! its longest side, in J, and `ms` the processor time of a step.

use std::fmt::Write as _;

use cpu_time::ProcessTime;
use rapier3d::prelude::*;

/// Edge of the cubes, in m, density in kg/m³, friction, and gravity in m/s².
const EDGE: f32 = 0.3;
const DENSITY: f32 = 1000.0;
const FRICTION: f32 = 0.5;
const GRAVITY: f32 = 9.81;

/// Alternate corners of a box: their mean is its centre.
const CORNERS: [[f32; 3]; 4] =
    [[-1.0, -1.0, -1.0], [1.0, 1.0, -1.0], [1.0, -1.0, 1.0], [-1.0, 1.0, 1.0]];

/// A world and its bodies.
struct Scene {
    world: PhysicsWorld,
    /// The bodies, with half of their extents.
    bodies: Vec<(RigidBodyHandle, Vector)>,
}

/// Runs the scene that the arguments name, or returns what is wrong with them.
pub fn print(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [rate, seconds, ref scene @ ..] = words[..] else {
        return Err("expected RATE SECONDS, then a scene".into());
    };
    let mut scene = match *scene {
        ["pyramid", layers, beside, above] => {
            pyramid(number(layers)?, number(beside)?, number(above)?)
        }
        ["tower", count, gap] => tower(number(count)?, number(gap)?),
        ["bullet", speed, "free"] => bullet(number(speed)?, RigidBodyBuilder::dynamic()),
        ["bullet", speed, "held"] => bullet(number(speed)?, RigidBodyBuilder::fixed()),
        _ => return Err("expected `pyramid`, `tower` or `bullet` with its numbers".into()),
    };
    let (rate, seconds): (f64, f64) = (number(rate)?, number(seconds)?);
    scene.world.integration_parameters.dt = (1.0 / rate) as f32;
    scene.world.configure_thread_pool(1).map_err(|error| error.to_string())?;
    scene.run((rate * seconds).round() as usize);
    Ok(())
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("`{word}` is not a number of the expected kind"))
}

fn pyramid(layers: usize, beside: f32, above: f32) -> Scene {
    let mut scene = Scene::on_ground();
    for layer in 0..layers {
        for place in 0..layers - layer {
            let x = (place as f32 + 0.5 * layer as f32) * (EDGE + beside);
            scene.add_cube(x, above + (EDGE + above) * layer as f32);
        }
    }
    scene
}

fn tower(count: usize, gap: f32) -> Scene {
    let mut scene = Scene::on_ground();
    (0..count).for_each(|level| scene.add_cube(0.0, gap + (EDGE + gap) * level as f32));
    scene
}

/// The ball of steel has a radius of 50 mm; the sheet measures 1 × 1 m and lies in the plane x = 0.
fn bullet(speed: f32, sheet: RigidBodyBuilder) -> Scene {
    let mut scene = Scene { world: PhysicsWorld::new(), bodies: Vec::new() };
    scene.world.gravity = Vector::ZERO;
    let ball = RigidBodyBuilder::dynamic()
        .translation(Vector::new(-0.5, 0.031, 0.017))
        .linvel(Vector::new(speed, 0.0, 0.0))
        .ccd_enabled(true);
    let shape = ColliderBuilder::ball(0.05).density(8.0 * DENSITY);
    scene.add(ball, shape, Vector::splat(0.05));
    let half = Vector::new(0.01, 0.5, 0.5);
    scene.add(sheet, ColliderBuilder::cuboid(half.x, half.y, half.z).density(DENSITY), half);
    scene
}

impl Scene {
    fn on_ground() -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::new(0.0, -GRAVITY, 0.0);
        world.insert(
            RigidBodyBuilder::fixed(),
            ColliderBuilder::new(SharedShape::halfspace(Vector::Y)).friction(FRICTION),
        );
        Self { world, bodies: Vec::new() }
    }

    /// Adds a cube with its lowest corner at `[x, y, 0]`.
    fn add_cube(&mut self, x: f32, y: f32) {
        let half = Vector::splat(0.5 * EDGE);
        let body = RigidBodyBuilder::dynamic().translation(half + Vector::new(x, y, 0.0));
        self.add(body, ColliderBuilder::cuboid(half.x, half.y, half.z).density(DENSITY), half);
    }

    fn add(&mut self, body: RigidBodyBuilder, shape: ColliderBuilder, half: Vector) {
        let (handle, _) = self.world.insert(body, shape.friction(FRICTION));
        self.bodies.push((handle, half));
    }

    /// Steps and prints.
    fn run(&mut self, steps: usize) {
        println!("{}", self.row());
        let (mut spent, mut awake) = (0.0, 0);
        for _ in 0..steps {
            let was_awake = !self.is_asleep();
            let begin = ProcessTime::now();
            self.world.step();
            if was_awake {
                spent += begin.elapsed().as_secs_f64();
                awake += 1;
            }
            println!("{}", self.row());
        }
        println!("lift {}", self.lift());
        println!("ms {}", 1e3 * spent / awake.max(1) as f64);
    }

    fn moving(&self) -> impl Iterator<Item = (&RigidBody, Vector)> {
        let all = self.bodies.iter().map(|(handle, half)| (&self.world.bodies[*handle], *half));
        all.filter(|(body, _)| body.is_dynamic())
    }

    fn is_asleep(&self) -> bool {
        self.moving().all(|(body, _)| body.is_sleeping())
    }

    /// The energy that lifts every body by its longest side, in J.
    fn lift(&self) -> f32 {
        self.moving().map(|(body, half)| body.mass() * GRAVITY * 2.0 * half.max_element()).sum()
    }

    /// The line of the state now.
    fn row(&self) -> String {
        let kinetic: f32 = self.moving().map(|(body, _)| body.kinetic_energy()).sum();
        let gravity = self.world.gravity;
        let height = |body: &RigidBody| -gravity.dot(body.translation());
        let potential: f32 = self.moving().map(|(body, _)| body.mass() * height(body)).sum();
        let asleep = u8::from(self.is_asleep());
        let (fastest, depth) = (self.fastest(), self.depth());
        let mut row = format!("row {kinetic} {potential} {fastest} {depth} {asleep}");
        for corner in self
            .bodies
            .iter()
            .flat_map(|(handle, half)| corners(&self.world.bodies[*handle], *half))
        {
            let _ = write!(row, " {} {} {}", corner.x, corner.y, corner.z);
        }
        row
    }

    /// Speed of the fastest corner, in m/s; 0 for sleeping bodies.
    fn fastest(&self) -> f32 {
        let awake = self.moving().filter(|(body, _)| !body.is_sleeping());
        let speed = |(body, half): (&RigidBody, Vector)| {
            let speed = |corner: Vector| body.velocity_at_point(corner).length();
            corners(body, half).map(speed).into_iter().fold(0.0, f32::max)
        };
        awake.map(speed).fold(0.0, f32::max)
    }

    /// Largest depth of a contact point, in m.
    fn depth(&self) -> f32 {
        let manifolds = self.world.contact_pairs().flat_map(|pair| pair.manifolds());
        manifolds.flat_map(|manifold| &manifold.points).map(|point| -point.dist).fold(0.0, f32::max)
    }
}

fn corners(body: &RigidBody, half: Vector) -> [Vector; 4] {
    let (rotation, translation) = (*body.rotation(), body.translation());
    CORNERS.map(|[x, y, z]| rotation * (half * Vector::new(x, y, z)) + translation)
}
