//! Lines for debugging: edges of cells, contacts and pulls.

use bevy_app::{App, Plugin, PostUpdate};
use bevy_color::Color;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::Res;
use bevy_gizmos::gizmos::Gizmos;
use pliant::Body;
use pliant::glam::DVec3;

use crate::convert::to_bevy;
use crate::world::PliantWorld;

/// Draws what [`PliantGizmos`] asks for, with the gizmos of Bevy: add its `GizmoPlugin` first, as `DefaultPlugins` does.
#[derive(Debug, Clone, Copy, Default)]
pub struct PliantGizmoPlugin;

impl Plugin for PliantGizmoPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PliantGizmos>().add_systems(PostUpdate, draw);
    }
}

/// What is drawn. Lines are where bodies are after the last step, and not between two steps as meshes are.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct PliantGizmos {
    /// Edges of the cells of a body (default true): those on its surface, or all of them if it has a skin of its own. Lighter ones for a body that
    /// sleeps.
    pub cells: bool,
    /// Contacts (default true): a line along the normal, between bodies, and the impulses of obstacles.
    pub contacts: bool,
    /// Pulls (default true): a line from the point to its target.
    pub pulls: bool,
    /// Length of a line for a contact, in m (default `0.1`).
    pub length: f32,
}

impl Default for PliantGizmos {
    fn default() -> Self {
        Self { cells: true, contacts: true, pulls: true, length: 0.1 }
    }
}

const AWAKE: Color = Color::srgb(0.1, 0.4, 0.9);
const ASLEEP: Color = Color::srgb(0.6, 0.7, 0.8);
const CONTACT: Color = Color::srgb(0.9, 0.2, 0.1);
const PULL: Color = Color::srgb(0.1, 0.7, 0.2);

fn draw(world: Res<PliantWorld>, config: Res<PliantGizmos>, mut gizmos: Gizmos<'_, '_>) {
    if config.cells {
        draw_cells(&world, &mut gizmos);
    }
    if config.contacts {
        draw_contacts(&world, f64::from(config.length), &mut gizmos);
    }
    if config.pulls {
        world.bodies().for_each(|(_, body)| draw_pulls(body, world.time(), &mut gizmos));
    }
}

fn draw_cells(world: &PliantWorld, gizmos: &mut Gizmos<'_, '_>) {
    let mut vertices = Vec::new();
    for (handle, body) in world.bodies() {
        let colour = if world.is_asleep(handle) == Some(true) { ASLEEP } else { AWAKE };
        let (skin, x) = (body.drawn_skin(), &body.state.x);
        if skin.edges().is_empty() {
            // The skin has none: straight lines between the corners of the cells.
            for edge in body.model().mesh().edges() {
                let [from, to] = edge.corners.map(|node| to_bevy(x[node as usize]));
                gizmos.line(from, to, colour);
            }
            continue;
        }
        skin.interpolate(x, &mut vertices);
        for line in skin.edges() {
            gizmos.linestrip(line.iter().map(|vertex| to_bevy(vertices[*vertex as usize])), colour);
        }
    }
}

fn draw_contacts(world: &PliantWorld, length: f64, gizmos: &mut Gizmos<'_, '_>) {
    let between = world.contacts().map(|contact| (contact.position, contact.normal));
    let on_obstacles = world.obstacle_pairs().map(|pair| (pair.point, pair.normal));
    for (from, along) in between.chain(on_obstacles) {
        gizmos.line(to_bevy(from), to_bevy(from + length * along), CONTACT);
    }
}

fn draw_pulls(body: &Body, time: f64, gizmos: &mut Gizmos<'_, '_>) {
    for pull in body.pulls() {
        let rest: DVec3 = pull.point.position(body.anchors());
        let (from, to) = (pull.point.position(&body.state.x), pull.motion.position(rest, time));
        gizmos.line(to_bevy(from), to_bevy(to), PULL);
    }
}
