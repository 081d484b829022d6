//! Groups and materials of an OBJ file.

use std::collections::BTreeMap;

use pliant::geometry::SurfaceGroup;

/// Collects the part of each triangle while the file is read.
#[derive(Debug, Default)]
pub(super) struct Parts {
    name: String,
    material: Option<String>,
    parts: Vec<SurfaceGroup>,
    numbers: BTreeMap<(String, Option<String>), u32>,
    part_of: Vec<u32>,
}

impl Parts {
    /// Reads a line `g` or `o`: the name of the following triangles.
    pub(super) fn group(&mut self, name: String) {
        self.name = name;
    }

    /// Reads a line `usemtl`: the material of the following triangles.
    pub(super) fn material(&mut self, name: String) {
        self.material = Some(name).filter(|name| !name.is_empty());
    }

    /// Adds triangles to the current part.
    pub(super) fn triangles(&mut self, count: usize) {
        let key = (self.name.clone(), self.material.clone());
        let next = self.parts.len() as u32;
        let part = *self.numbers.entry(key).or_insert(next);
        if part == next {
            let (name, material) = (self.name.clone(), self.material.clone());
            self.parts.push(SurfaceGroup { name, material, ..Default::default() });
        }
        self.part_of.resize(self.part_of.len() + count, part);
    }

    /// Returns the parts and the part of each triangle; empty and `None` if the file names no parts.
    pub(super) fn finish(self) -> (Vec<SurfaceGroup>, Option<Vec<u32>>) {
        if self.parts.iter().all(|part| *part == SurfaceGroup::default()) {
            return (Vec::new(), None);
        }
        (self.parts, Some(self.part_of))
    }
}
