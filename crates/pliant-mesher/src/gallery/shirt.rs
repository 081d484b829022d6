//! The T-shirt.

use glam::{DMat3, DVec2, DVec3};

use super::figure_shape::{FigurePart, FigureShape, TextureProjection};
use super::solid::Solid;

/// A T-shirt in its worn shape, 0.7 m long: cloth without thickness, open at neck, hem and sleeves.
pub(super) fn shirt() -> FigureShape {
    let sheet = trunk().smooth_union(sleeves(), 0.06);
    let parts = vec![FigurePart::Open { sheet, outline: cloth() }];
    FigureShape { parts, finest: 0.02, projection: TextureProjection::Front }
}

/// A flattened tube with sloping shoulders; it closes outside the part that is kept.
fn trunk() -> Solid {
    let side = Solid::cuboid(DVec3::new(0.0, 0.28, 0.0), DVec3::new(0.245, 0.45, 0.12), 0.119);
    let slope = DMat3::from_rotation_z(-0.3);
    let roof = DVec3::new(0.0, 0.72, 0.0);
    let under = Solid::cuboid(DVec3::new(0.0, -1.0, 0.0), DVec3::new(2.0, 1.0, 2.0), 0.0);
    let under = under.turned(slope).moved(roof);
    let half = Solid::new(DVec3::splat(-2.0), DVec3::splat(2.0), move |x| {
        under.distance(x.with_x(x.x.abs()))
    });
    side.smooth_intersection(half, 0.08)
}

fn sleeves() -> Solid {
    let shoulder = DVec3::new(0.14, 0.58, 0.0);
    Solid::rounded_cone(shoulder, 0.1, DVec3::new(0.55, 0.38, 0.0), 0.085).mirrored()
}

/// The part that is kept: above the hem, inside the ends of the sleeves, outside the neck.
fn cloth() -> Solid {
    let low = DVec3::new(-0.5, 0.0, -0.25);
    Solid::new(low, DVec3::new(0.5, 0.75, 0.25), |x| {
        let hem = -x.y;
        let along = DVec2::new(0.9, -0.44).normalize();
        let sleeve = (DVec2::new(x.x.abs(), x.y) - DVec2::new(0.4, 0.45)).dot(along);
        let dip = DVec3::new(0.0, 0.71 - 0.25 * (x.z + 0.05), 0.015);
        let sleeve = sleeve.min(x.x.abs() - 0.27);
        let neck = 0.105 - (x - dip).with_y(1.3 * (x.y - dip.y)).length();
        hem.max(sleeve).max(neck)
    })
}
