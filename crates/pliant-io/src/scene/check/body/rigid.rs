//! Checks of rigid bodies.

use pliant::body::RigidConfig;
use pliant::material::Material;

use crate::scene::check::problems::Problems;
use crate::scene::file::body::RigidFile;
use crate::scene::read::shorthand::FlagOr;

/// Checks `rigid = true` or `rigid = { … }`: a rigid body of this material.
pub(crate) fn rigid(
    file: &FlagOr<RigidFile>,
    material: &Material,
    problems: &mut Problems,
) -> Option<RigidConfig> {
    if let FlagOr::Flag(false) = file {
        return None;
    }
    let mass = file.table().and_then(|file| file.mass.as_ref());
    let mass = mass.and_then(|mass| problems.positive("mass", mass));
    Some(RigidConfig { density: material.density, mass, young: material.young })
}
