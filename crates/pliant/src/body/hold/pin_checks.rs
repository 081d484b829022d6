//! Checks of the pins of a body.

use glam::DVec3;

use crate::body::error::BodyError;
use crate::body::hold::pin::Pin;
use crate::body::model::model::Model;

/// Checks that pins hold all four nodes of a rigid body, or none.
pub(crate) fn check_rigid_pins(pins: &[Pin], model: &Model) -> Result<(), BodyError> {
    let held = |pin: &Pin| (0..4).filter(|node| pin.nodes.contains(node)).count();
    let mut counts = pins.iter().map(held).enumerate();
    match counts.find(|(_, held)| model.is_rigid() && *held < 4) {
        Some((pin, held)) => Err(BodyError::PartOfRigid { pin, held }),
        None => Ok(()),
    }
}

/// Checks that pins hold nodes of the body, have valid motions, and do not contradict each other.
pub(crate) fn check_pins(pins: &[Pin], nodes: &[DVec3]) -> Result<(), BodyError> {
    let mut holder: Vec<Option<usize>> = vec![None; nodes.len()];
    for (index, pin) in pins.iter().enumerate() {
        if pin.nodes.is_empty() {
            return Err(BodyError::EmptyPin { pin: index });
        }
        if let Some(ramp) = pin.motion.ramps.iter().find(|ramp| !ramp.is_sound()) {
            return Err(BodyError::BadRamp { pin: index, ramp: format!("{ramp:?}") });
        }
        for &node in &pin.nodes {
            let (node, node_count) = (node as usize, nodes.len());
            if node >= node_count {
                return Err(BodyError::NoSuchNode { pin: index, node, node_count });
            }
            match holder[node].replace(index) {
                Some(first) if !pins[first].agrees(pin) => {
                    return Err(BodyError::Contradiction { first, second: index, node });
                }
                _ => {}
            }
        }
    }
    Ok(())
}
