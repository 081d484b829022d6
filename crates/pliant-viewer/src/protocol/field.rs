//! Fields by which a surface can be coloured.

use glam::DVec3;
use pliant::body::{Model, RestShape};
use pliant::force::{det_f, principal_stretch, von_mises};
use pliant::plasticity::{limit_share, plastic_strain, yield_share};
use pliant_io::bernstein_values;
use serde::{Deserialize, Serialize};

/// A field by which a surface can be coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldName {
    /// Von Mises stress, in Pa.
    Stress,
    /// The largest principal stretch minus 1.
    Strain,
    /// det F.
    Volume,
    /// Speed, in m/s.
    Speed,
    /// Distance from the initial position, in m.
    Displacement,
    /// Degree of the interpolation.
    Degree,
    /// Index of the material.
    Region,
    /// Young's modulus, in Pa.
    Stiffness,
    /// Plastic strain: the norm of the logarithm of the plastic stretch.
    PlasticStrain,
    /// Share of the yield stress or strain that is reached.
    YieldShare,
    /// Share of the limit of the plastic strain that is reached.
    LimitShare,
}

impl FieldName {
    /// All fields.
    pub const ALL: [Self; 11] = [
        Self::Stress,
        Self::Strain,
        Self::Volume,
        Self::Speed,
        Self::Displacement,
        Self::Degree,
        Self::Region,
        Self::Stiffness,
        Self::PlasticStrain,
        Self::YieldShare,
        Self::LimitShare,
    ];

    /// The unit; empty for dimensionless fields.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Stress | Self::Stiffness => "Pa",
            Self::Speed => "m/s",
            Self::Displacement => "m",
            _ => "",
        }
    }
}

/// The body on which a field is evaluated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) rest: RestShape<'a>,
    pub(crate) x: &'a [DVec3],
    pub(crate) v: &'a [DVec3],
    /// Initial positions; for a copy they differ from the nodes of its model.
    pub(crate) start: &'a [DVec3],
    /// Degrees of the nodes, if the degree is adaptive.
    pub(crate) degrees: Option<&'a [u8]>,
}

/// Evaluates a field at the nodes of a body, as Bernstein coefficients.
pub(crate) fn values(field: FieldName, subject: Subject<'_>) -> Vec<f64> {
    let Subject { rest, x, v, start, degrees } = subject;
    let model = rest.model();
    if model.is_rigid() && !matches!(field, FieldName::Speed | FieldName::Displacement) {
        return vec![if field == FieldName::Volume { 1.0 } else { 0.0 }; x.len()];
    }
    let smooth = |values: Vec<f64>| bernstein_values(model.mesh(), 1, &values);
    match field {
        FieldName::Stress => smooth(von_mises(rest, x)),
        FieldName::Strain => {
            smooth(principal_stretch(model, x).into_iter().map(|stretch| stretch - 1.0).collect())
        }
        FieldName::Volume => smooth(det_f(model, x)),
        FieldName::Speed => v.iter().map(|v| v.length()).collect(),
        FieldName::Displacement => {
            x.iter().zip(start).map(|(x, start)| x.distance(*start)).collect()
        }
        FieldName::Degree => match degrees {
            Some(degrees) => degrees.iter().map(|degree| f64::from(*degree)).collect(),
            None => highest(model, |cell| model.mesh().cell(cell).0.degree() as f64),
        },
        FieldName::Region => {
            let number = |cell: usize| {
                let own = model.material(cell);
                model.materials().iter().rposition(|material| material == own).unwrap_or(0)
            };
            highest(model, |cell| number(cell) as f64)
        }
        // Node values are used as coefficients: an interpolating polynomial could become negative.
        FieldName::PlasticStrain => plastic_strain(rest),
        FieldName::YieldShare => yield_share(rest, x),
        FieldName::LimitShare => limit_share(rest),
        FieldName::Stiffness => highest(model, |cell| model.material(cell).young),
    }
}

/// For each node, the largest value of its cells.
fn highest(model: &Model, value: impl Fn(usize) -> f64) -> Vec<f64> {
    let mesh = model.mesh();
    let mut values = vec![0.0_f64; mesh.nodes.len()];
    for (cell, (_, nodes)) in mesh.cells().enumerate() {
        let value = value(cell);
        for node in nodes {
            values[*node as usize] = values[*node as usize].max(value);
        }
    }
    values
}
