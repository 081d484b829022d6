//! The camera, fitted to all points that it must show.

use glam::{DVec3, Vec3};

/// The projection of a point onto the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projected {
    /// Pixels from the left edge.
    pub x: f32,
    /// Pixels from the upper edge.
    pub y: f32,
    /// Inverse of the distance along the viewing direction, in 1/radius: larger is nearer. It is linear on the
    /// screen.
    pub nearness: f32,
}

/// A perspective camera with y up.
///
/// It uses its own coordinates, with the subject's centre as origin and its radius as unit, so that single precision
/// suffices for a subject of any size at any place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Camera {
    centre: DVec3,
    radius: f64,
    eye: Vec3,
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    /// Focal length, in pixels per unit of slope.
    focal: f32,
    middle: [f32; 2],
}

/// The settings of the picture that the camera uses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CameraConfig {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Angle of the view from the z axis towards the x axis, in rad.
    pub(crate) azimuth: f64,
    /// Angle of the view above the ground, in rad.
    pub(crate) elevation: f64,
    /// Vertical field of view, in rad.
    pub(crate) field_of_view: f64,
    /// Fraction of the picture left free at each side.
    pub(crate) margin: f64,
}

/// Minimum distance from the eye at which points are drawn, in radii.
const MIN_DISTANCE: f32 = 1e-3;

impl Camera {
    /// Returns the nearest camera that sees all points; those that are not finite are ignored.
    ///
    /// A point with camera coordinates (x, y, z) is inside a view of slopes ±t from a distance d if
    /// |x − c| ≤ t (z + d). The maxima of x/t − z and −x/t − z over all points therefore give the smallest d and its
    /// centre c directly. Derived here.
    pub(crate) fn fit(config: &CameraConfig, points: impl Iterator<Item = DVec3> + Clone) -> Self {
        let (centre, radius) = sphere(points.clone());
        let mut camera = Self::looking_at(config, centre, radius);
        let free = (1.0 - 2.0 * config.margin) as f32;
        let tx = camera.middle[0] / camera.focal * free;
        let ty = camera.middle[1] / camera.focal * free;
        let mut reach = [f32::NEG_INFINITY; 4];
        for point in points.filter(|point| point.is_finite()) {
            let [x, y, z] = camera.axes(camera.unit(point));
            let slopes = [x / tx - z, -x / tx - z, y / ty - z, -y / ty - z];
            reach = std::array::from_fn(|k| reach[k].max(slopes[k]));
        }
        camera.move_back(reach, tx, ty);
        camera
    }

    fn looking_at(config: &CameraConfig, centre: DVec3, radius: f64) -> Self {
        let (sin_a, cos_a) = (config.azimuth as f32).sin_cos();
        let (sin_e, cos_e) = (config.elevation as f32).sin_cos();
        let forward = -Vec3::new(sin_a * cos_e, sin_e, cos_a * cos_e);
        let right = Vec3::new(cos_a, 0.0, -sin_a);
        let middle = [config.width as f32 / 2.0, config.height as f32 / 2.0];
        let focal = middle[1] / (config.field_of_view as f32 / 2.0).tan();
        Self {
            centre,
            radius,
            eye: Vec3::ZERO,
            right,
            up: right.cross(forward),
            forward,
            focal,
            middle,
        }
    }

    fn move_back(&mut self, reach: [f32; 4], tx: f32, ty: f32) {
        // Half the sum gives the smallest distance for one axis, half the difference the offset of its centre. At
        // least 1.5 radii keep the eye outside of the subject.
        let half =
            |a: f32, b: f32| if a.is_finite() && b.is_finite() { (a + b) / 2.0 } else { 3.0 };
        let offset =
            |a: f32, b: f32| if a.is_finite() && b.is_finite() { (a - b) / 2.0 } else { 0.0 };
        let distance = half(reach[0], reach[1]).max(half(reach[2], reach[3])).max(1.5);
        let x = tx * offset(reach[0], reach[1]);
        let y = ty * offset(reach[2], reach[3]);
        self.eye = self.right * x + self.up * y - self.forward * distance;
    }

    /// Returns a point in the camera's coordinates.
    pub(crate) fn unit(&self, point: DVec3) -> Vec3 {
        ((point - self.centre) / self.radius).as_vec3()
    }

    /// Returns the components along right, up and forward.
    fn axes(&self, unit: Vec3) -> [f32; 3] {
        [unit.dot(self.right), unit.dot(self.up), unit.dot(self.forward)]
    }

    /// Projects a point in the camera's coordinates; `None` behind the eye or if not finite.
    pub(crate) fn project(&self, unit: Vec3) -> Option<Projected> {
        let [x, y, z] = self.axes(unit - self.eye);
        let nearness = 1.0 / z;
        let scale = self.focal * nearness;
        let seen = z > MIN_DISTANCE && x.is_finite() && y.is_finite() && z.is_finite();
        seen.then(|| Projected {
            x: self.middle[0] + x * scale,
            y: self.middle[1] - y * scale,
            nearness,
        })
    }

    /// Returns the direction from the eye through a point of the picture, not normalised.
    pub(crate) fn ray(&self, x: f32, y: f32) -> Vec3 {
        let (right, up) = (x - self.middle[0], self.middle[1] - y);
        self.forward * self.focal + self.right * right + self.up * up
    }

    /// The eye, in the camera's coordinates.
    pub(crate) fn eye(&self) -> Vec3 {
        self.eye
    }

    /// The horizontal direction to the right of the picture.
    pub(crate) fn right(&self) -> Vec3 {
        self.right
    }

    /// The direction from the scene towards the viewer.
    pub(crate) fn backward(&self) -> Vec3 {
        -self.forward
    }
}

/// Returns the centre and half diagonal of the bounding box of the finite points; the unit sphere if there are none.
///
/// Halves are taken before differences, so that the largest numbers do not overflow.
fn sphere(points: impl Iterator<Item = DVec3>) -> (DVec3, f64) {
    let empty = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = points
        .filter(|point| point.is_finite())
        .fold(empty, |(low, high), point| (low.min(point), high.max(point)));
    if !low.is_finite() {
        return (DVec3::ZERO, 1.0);
    }
    let half = high / 2.0 - low / 2.0;
    // Scaling by the largest component keeps the squares in the length from overflow and underflow.
    let largest = half.max_element();
    let usable = largest.is_normal() && largest < 1e300;
    let radius = if usable { largest * (half / largest).length() } else { 1.0 };
    (low / 2.0 + high / 2.0, if largest >= 1e300 { largest * 2.0 } else { radius })
}
