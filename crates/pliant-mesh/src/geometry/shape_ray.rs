//! Ray casts against shapes.

use glam::DVec3;

use super::Shape;

impl Shape {
    /// Returns the first hit of a ray on the surface, from either side and no farther than `reach`: the distance in
    /// units of `direction`, and the normal there. All in the frame of the shape.
    ///
    /// ```
    /// use glam::DVec3;
    /// use pliant_mesh::geometry::Shape;
    ///
    /// let ball = Shape::Sphere { radius: 0.5 };
    /// assert_eq!(ball.ray(DVec3::Y * 3.0, DVec3::NEG_Y, 10.0), Some((2.5, DVec3::Y)));
    /// assert_eq!(ball.ray(DVec3::ZERO, DVec3::X, 10.0), Some((0.5, DVec3::X)));
    /// assert_eq!(ball.ray(DVec3::Y * 3.0, DVec3::Y, 10.0), None);
    /// ```
    pub fn ray(&self, origin: DVec3, direction: DVec3, reach: f64) -> Option<(f64, DVec3)> {
        let along = match self {
            Self::Surface(surface) => return surface.ray(origin, direction, reach),
            Self::Plane { normal } => -normal.dot(origin) / normal.dot(direction),
            Self::Sphere { radius } => ball(origin, direction, *radius)?,
            Self::Box { half } => block(origin, direction, *half)?,
            Self::Capsule { half_length, radius } => {
                capsule(origin, direction, *half_length, *radius)?
            }
        };
        let met = (0.0..=reach).contains(&along);
        met.then(|| (along, self.distance(origin + along * direction).normal))
    }
}

/// The first of two parameters that is not behind the origin.
fn first([near, far]: [f64; 2]) -> Option<f64> {
    if near >= 0.0 { Some(near) } else { Some(far).filter(|far| *far >= 0.0) }
}

/// The roots of `a t² + 2 b t + c`, the smaller first.
fn roots(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let square = b * b - a * c;
    (a > 0.0 && square >= 0.0).then(|| [(-b - square.sqrt()) / a, (-b + square.sqrt()) / a])
}

fn ball(origin: DVec3, direction: DVec3, radius: f64) -> Option<f64> {
    let c = origin.length_squared() - radius * radius;
    first(roots(direction.length_squared(), direction.dot(origin), c)?)
}

/// Slab test: the ray is inside from the last of the three slabs entered to the first one left.
fn block(origin: DVec3, direction: DVec3, half: DVec3) -> Option<f64> {
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in 0..3 {
        let (x, d, side) = (origin[axis], direction[axis], half[axis]);
        if d == 0.0 {
            if x.abs() > side {
                return None;
            }
            continue;
        }
        let [a, b] = [(-side - x) / d, (side - x) / d];
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    if enter <= leave { first([enter, leave]) } else { None }
}

/// The first hit among the cylinder between the ends and the outer halves of the two end balls.
fn capsule(origin: DVec3, direction: DVec3, half_length: f64, radius: f64) -> Option<f64> {
    let flat = |v: DVec3| DVec3::new(v.x, 0.0, v.z);
    let (o, d) = (flat(origin), flat(direction));
    let tube = roots(d.length_squared(), d.dot(o), o.length_squared() - radius * radius);
    let on_tube = |t: &f64| (origin.y + t * direction.y).abs() <= half_length;
    let mut places = tube.unwrap_or([f64::NAN; 2]).to_vec();
    places.retain(on_tube);
    for end in [-half_length, half_length] {
        let o = origin - end * DVec3::Y;
        let c = o.length_squared() - radius * radius;
        let ball = roots(direction.length_squared(), direction.dot(o), c);
        let beyond = |t: &f64| (origin.y + t * direction.y - end) * end.signum() >= 0.0;
        places.extend(ball.into_iter().flatten().filter(beyond));
    }
    places.into_iter().filter(|t| *t >= 0.0).reduce(f64::min)
}
