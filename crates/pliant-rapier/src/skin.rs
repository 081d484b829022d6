//! The surface and the inertia of rigid bodies of Rapier.

use glam::{DMat3, DQuat, DVec3};
use pliant::{Pose, Shape, Surface};
use pliant_mesh::geometry::MassProperties;
use rapier3d_f64::dynamics::RigidBody;
use rapier3d_f64::geometry::{Collider, ColliderSet, TypedShape};
use rapier3d_f64::math::Vector;

use crate::convert::{from_rapier, pose_from_rapier};
use crate::{CouplingError, ProxyConfig};

/// The surfaces of all solid colliders of a body, in its frame.
pub(crate) fn surface_of(
    body: &RigidBody,
    colliders: &ColliderSet,
    config: &ProxyConfig,
) -> Result<Surface, CouplingError> {
    let mut whole = Surface::default();
    for collider in body.colliders().iter().filter_map(|handle| colliders.get(*handle)) {
        if !collider.is_sensor() {
            add(&mut whole, &collider_surface(collider, config)?);
        }
    }
    if whole.triangles.is_empty() { Err(CouplingError::NoShape) } else { Ok(whole) }
}

/// Adds the vertices and triangles of another surface.
fn add(whole: &mut Surface, part: &Surface) {
    let first = whole.vertices.len() as u32;
    whole.vertices.extend_from_slice(&part.vertices);
    whole.triangles.extend(part.triangles.iter().map(|triangle| triangle.map(|v| first + v)));
}

/// The surface of a collider in the frame of its body.
fn collider_surface(collider: &Collider, config: &ProxyConfig) -> Result<Surface, CouplingError> {
    let pose = collider.position_wrt_parent().map_or(Pose::IDENTITY, pose_from_rapier);
    let mut surface = local_surface(collider, config)?;
    surface.vertices.iter_mut().for_each(|x| *x = pose.point(*x));
    Ok(surface)
}

/// The surface of a collider in its own frame.
fn local_surface(collider: &Collider, config: &ProxyConfig) -> Result<Surface, CouplingError> {
    let fineness = config.fineness.max(1);
    let around = 4 * fineness;
    let simple = |shape: Shape| shape.surface(fineness).map_err(|e| CouplingError::Model(e.into()));
    match collider.shape().as_typed_shape() {
        TypedShape::Ball(ball) => simple(Shape::Sphere { radius: ball.radius }),
        TypedShape::Cuboid(cuboid) => simple(Shape::Box { half: from_rapier(cuboid.half_extents) }),
        TypedShape::Capsule(capsule) => {
            let (a, b) = (from_rapier(capsule.segment.a), from_rapier(capsule.segment.b));
            let (half_length, radius) = (0.5 * (b - a).length(), capsule.radius);
            let mut surface = simple(Shape::Capsule { half_length, radius })?;
            let rotation = DQuat::from_rotation_arc(DVec3::Y, (b - a).normalize_or(DVec3::Y));
            let pose = Pose { rotation, translation: 0.5 * (a + b) };
            surface.vertices.iter_mut().for_each(|x| *x = pose.point(*x));
            Ok(surface)
        }
        TypedShape::Cylinder(cylinder) => Ok(of_triangles(cylinder.to_trimesh(around))),
        TypedShape::Cone(cone) => Ok(of_triangles(cone.to_trimesh(around))),
        TypedShape::ConvexPolyhedron(hull) => Ok(of_triangles(hull.to_trimesh())),
        TypedShape::TriMesh(mesh) => {
            Ok(of_triangles((mesh.vertices().to_vec(), mesh.indices().to_vec())))
        }
        _ => {
            let shape = format!("{:?}", collider.shape().shape_type());
            Err(CouplingError::Shape { shape })
        }
    }
}

fn of_triangles((vertices, triangles): (Vec<Vector>, Vec<[u32; 3]>)) -> Surface {
    Surface::new(vertices.into_iter().map(from_rapier).collect(), triangles)
}

/// Volume, centre and second moment of a solid that has the inertia of this body in Rapier.
///
/// ```text
/// J = V/m (tr(I)/2 E − I)
/// ```
///
/// - `J` second moment of the volume, in m⁵; `V` volume, in m³
/// - `m` mass, in kg; `I` inertia tensor about the centre, in kg·m²; `E` the identity
pub(crate) fn solid_of(body: &RigidBody, colliders: &ColliderSet) -> MassProperties {
    let properties = &body.mass_properties().local_mprops;
    let inertia = properties.reconstruct_inertia_matrix();
    let columns = inertia.to_cols_array_2d().map(DVec3::from_array);
    let inertia = DMat3::from_cols(columns[0], columns[1], columns[2]);
    let half_trace = 0.5 * (columns[0].x + columns[1].y + columns[2].z);
    let owned = body.colliders().iter().filter_map(|handle| colliders.get(*handle));
    let volume: f64 = owned.filter(|c| !c.is_sensor()).map(Collider::volume).sum();
    let volume = if volume > 0.0 { volume } else { 1.0 };
    let moment = DMat3::from_diagonal(DVec3::splat(half_trace)) - inertia;
    let second_moment = moment * (volume / properties.mass());
    MassProperties { volume, centre: from_rapier(properties.local_com), second_moment }
}
