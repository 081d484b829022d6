//! A soft ball in a stream of water: a fluid on a grid and a body, coupled both ways.
//!
//! ```sh
//! cargo run --release -p pliant --example fluid
//! ```
//!
//! In every step the world tells where the skin of the ball is and how it moves; that is what the water flows around. The water answers with
//! its pressure, as a traction on every triangle of the skin. What momentum leaves the water through the faces of the grid at the
//! ball arrives in the ball, to rounding; the table shows both.

use std::error::Error;
use std::sync::Arc;

use glam::DVec3;
use pliant::body::SkinMotion;
use pliant::mesh::generate::{BallConfig, ball};
use pliant::{Body, BodyHandle, ContactLevel, Material, Model, World, WorldConfig};

mod grid;
mod surface;

use grid::{DT, DX, Face, Fluid, INFLOW, N, at};
use surface::{inside, nearest, tractions};

/// A ball of soft clay in the middle of the channel, four times as heavy as water: an exchange that looks one step back cannot hold
/// what is much lighter.
fn world_with_ball() -> Result<(World, BodyHandle), Box<dyn Error>> {
    let mesh = ball(&BallConfig { centre: [0.4; 3], radius: 0.15, ..Default::default() })?;
    let material = Material { young: 3e3, poisson: 0.45, density: 4000.0, ..Default::default() };
    let (gravity, contact) = (DVec3::ZERO, ContactLevel::Off);
    let mut world = World::new(WorldConfig { gravity, contact, dt: DT, ..Default::default() })?;
    let ball = world.add(Body::new("ball", Arc::new(Model::uniform(mesh, material)?), vec![])?);
    Ok((world, ball))
}

/// Momentum of a body, in N·s.
fn momentum(body: &Body) -> DVec3 {
    body.model().masses().iter().zip(&body.state.v).map(|(mass, v)| *mass * *v).sum()
}

/// How long the ball is along the stream, in m.
fn length(skin: &SkinMotion) -> f64 {
    let along = || skin.x.iter().map(|x| x.x);
    along().fold(f64::MIN, f64::max) - along().fold(f64::MAX, f64::min)
}

/// The middle of the channel from the side: the ball, and water by its speed.
fn print_slice(fluid: &Fluid) {
    for j in (0..N[1]).rev() {
        let cell = |i: usize| {
            let x = DX * DVec3::new(i as f64 + 0.5, j as f64 + 0.5, 0.5 * N[2] as f64);
            let speed = fluid.velocity(x).length() / INFLOW;
            let looks = [' ', '.', '-', '+', '*', '#'];
            let water = looks[((4.0 * speed) as usize).min(5)];
            if fluid.ball[at([i, j, N[2] / 2])] { '@' } else { water }
        };
        println!("  {}", (0..N[0]).map(cell).collect::<String>());
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut world, ball) = world_with_ball()?;
    let mut fluid = Fluid::new();
    let triangles = world.skin(ball)?.triangles().to_vec();
    let mut skin = SkinMotion::default();
    world.skin_motion(ball, &mut skin)?;
    let (round, mut given, mut unbalanced) = (length(&skin), DVec3::ZERO, 0.0_f64);
    println!("   time    ball at    speed     drag   length    given    found      off");
    println!("      s          m      m/s        N        %      N·s      N·s      N·s");
    for step in 1..=100 {
        world.skin_motion(ball, &mut skin)?;
        fluid.advect();
        let velocity = |x| skin.velocity(triangles[nearest(&triangles, &skin, x)]);
        fluid.set_boundary(inside(&triangles, &skin), velocity);
        let gained = fluid.project();
        let pushed = fluid.pushed(Face::Ball);
        let [on_ball, on_walls] = [Face::Ball, Face::Wall]
            .map(|of| fluid.pushed(of).iter().map(|(_, force)| *force).sum::<DVec3>());
        unbalanced = unbalanced.max((gained + DT * (on_ball + on_walls)).length());
        world.set_tractions(ball, &tractions(&triangles, &skin, &pushed))?;
        world.step();
        given += DT * on_ball;
        let body = world.get(ball).ok_or("it was added")?;
        if step % 10 == 0 {
            let (found, mass) = (momentum(body), body.model().mass());
            let place: f64 = skin.x.iter().map(|x| x.x).sum::<f64>() / skin.x.len() as f64;
            println!(
                "{:7.2} {place:10.3} {:8.3} {:8.2} {:8.2} {:8.4} {:8.4} {:8.1e}",
                world.time(),
                found.x / mass,
                on_ball.x,
                100.0 * length(&skin) / round,
                given.x,
                found.x,
                (given - found).length(),
            );
        }
    }
    print_slice(&fluid);
    println!(
        "water, ball and walls: at most {unbalanced:.1e} N·s of a step's momentum are nowhere"
    );
    Ok(())
}
