//! The JSON chunk of an animated GLB.

use std::collections::BTreeMap;

use glam::Vec3;
use serde_json::{Value, json};

use super::buffer::Buffer;
use super::materials::{Materials, rgb};
use super::split_vertices::SplitVertices;
use super::{AnimatedSurface, Animation};

/// The mode of a primitive of line segments.
const LINES: u32 = 1;

/// Returns the document and its binary chunk.
pub(super) fn build(animation: &Animation) -> (Value, Vec<u8>) {
    let mut builder = Builder::new(animation);
    animation.bodies.iter().for_each(|body| builder.body(body));
    builder.finish()
}

struct Builder<'a> {
    animation: &'a Animation,
    buffer: Buffer,
    materials: Materials,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
    /// Accessors of key times, by the number of keys.
    times: BTreeMap<usize, usize>,
}

impl<'a> Builder<'a> {
    fn new(animation: &'a Animation) -> Self {
        Self {
            animation,
            buffer: Buffer::default(),
            materials: Materials::default(),
            meshes: Vec::new(),
            nodes: Vec::new(),
            samplers: Vec::new(),
            channels: Vec::new(),
            times: BTreeMap::new(),
        }
    }

    fn body(&mut self, body: &AnimatedSurface) {
        let split = SplitVertices::new(body, self.animation.normals);
        let targets = self.targets(body, &split);
        let attributes = self.attributes(body, &split);
        let mut mesh = json!({ "name": body.name });
        if !targets.is_empty() {
            self.animate(targets.len());
            mesh["weights"] = json!(vec![0.0; targets.len()]);
        }
        let mut primitives = self.primitives(body, &split);
        for primitive in &mut primitives {
            // All primitives share the vertices of the whole body.
            primitive["attributes"] = attributes.clone();
            if !targets.is_empty() {
                primitive["targets"] = json!(targets);
            }
        }
        mesh["primitives"] = Value::Array(primitives);
        self.nodes.push(json!({ "name": body.name, "mesh": self.meshes.len() }));
        self.meshes.push(mesh);
    }

    /// Returns the indices and material of each part with triangles, and of the lines.
    fn primitives(&mut self, body: &AnimatedSurface, split: &SplitVertices) -> Vec<Value> {
        let mut of_parts = vec![Vec::new(); body.parts.len().max(1)];
        for (index, triangle) in split.triangles.iter().enumerate() {
            let part = body.part_of.as_ref().map_or(0, |part_of| part_of[index]);
            of_parts[part as usize].push(*triangle);
        }
        let mut primitives = Vec::new();
        for (index, triangles) in of_parts.iter().enumerate().filter(|(_, all)| !all.is_empty()) {
            let part = body.parts.get(index).filter(|_| body.part_of.is_some());
            let material = self.materials.of(body, part, &mut self.buffer);
            let indices = self.buffer.indices(triangles);
            primitives.push(json!({ "indices": indices, "material": material }));
        }
        if !split.lines.is_empty() {
            let material = self.materials.of(body, None, &mut self.buffer);
            let indices = self.buffer.indices(&split.lines);
            primitives.push(json!({ "indices": indices, "material": material, "mode": LINES }));
        }
        primitives
    }

    fn attributes(&mut self, body: &AnimatedSurface, split: &SplitVertices) -> Value {
        let positions = single_precision_positions(split, body, 0);
        let mut attributes = json!({ "POSITION": self.buffer.positions(&positions) });
        if self.animation.normals {
            attributes["NORMAL"] = json!(self.buffer.vectors(&split.normals(&body.frames[0])));
        }
        if let Some(colours) = &body.vertex_colours {
            let colour = |source: &u32| Vec3::from_array(rgb(colours[*source as usize]));
            let colours = split.sources.iter().map(colour);
            attributes["COLOR_0"] = json!(self.buffer.vectors(&colours.collect::<Vec<_>>()));
        }
        if let Some(texcoords) = &split.texcoords {
            attributes["TEXCOORD_0"] = json!(self.buffer.texcoords(texcoords));
        }
        attributes
    }

    /// Returns the displacement of each frame from frame 0; empty for a body that does not move.
    ///
    /// Displacements are differences of the rounded positions, so that the sum is exact.
    fn targets(&mut self, body: &AnimatedSurface, split: &SplitVertices) -> Vec<Value> {
        if body.frames.iter().all(|frame| *frame == body.frames[0]) {
            return Vec::new();
        }
        let rest = single_precision_positions(split, body, 0);
        let rest_normals = self.animation.normals.then(|| split.normals(&body.frames[0]));
        let mut targets = Vec::new();
        for frame in 1..body.frames.len() {
            let moved = difference(&single_precision_positions(split, body, frame), &rest);
            let mut target = json!({ "POSITION": self.buffer.positions(&moved) });
            if let Some(rest) = &rest_normals {
                let turned = difference(&split.normals(&body.frames[frame]), rest);
                target["NORMAL"] = json!(self.buffer.vectors(&turned));
            }
            targets.push(target);
        }
        targets
    }

    /// Adds keys for the weights of the next mesh: at time k·dt only target k has weight 1.
    fn animate(&mut self, targets: usize) {
        let keys = targets + 1;
        let weights = (0..keys)
            .flat_map(|key| (1..keys).map(move |target| f32::from(u8::from(key == target))));
        let output = self.buffer.scalars(keys * targets, weights);
        let input = self.key_times(keys);
        let target = json!({ "node": self.nodes.len(), "path": "weights" });
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": target }));
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
    }

    fn key_times(&mut self, keys: usize) -> usize {
        if let Some(accessor) = self.times.get(&keys) {
            return *accessor;
        }
        let time = |key| (key as f64 * self.animation.dt) as f32;
        let accessor = self.buffer.times(&(0..keys).map(time).collect::<Vec<_>>());
        self.times.insert(keys, accessor);
        accessor
    }

    fn finish(self) -> (Value, Vec<u8>) {
        let Buffer { bytes, views, accessors } = self.buffer;
        let roots: Vec<usize> = (0..self.nodes.len()).collect();
        let mut document = json!({
            "asset": { "version": "2.0", "generator": concat!("pliant ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "nodes": roots }],
            "nodes": self.nodes,
            "meshes": self.meshes,
            "materials": self.materials.materials,
            "accessors": accessors,
            "bufferViews": views,
            "buffers": [{ "byteLength": bytes.len() }],
        });
        if !self.materials.images.is_empty() {
            let textures = (0..self.materials.images.len()).map(|image| json!({ "source": image }));
            document["textures"] = textures.collect();
            document["images"] = Value::Array(self.materials.images);
        }
        if !self.channels.is_empty() {
            let (channels, samplers) = (self.channels, self.samplers);
            document["animations"] =
                json!([{ "name": "motion", "channels": channels, "samplers": samplers }]);
        }
        (document, bytes)
    }
}

/// Returns positions in single precision.
fn single_precision_positions(
    split: &SplitVertices,
    body: &AnimatedSurface,
    frame: usize,
) -> Vec<Vec3> {
    split.positions(&body.frames[frame]).map(|position| position.as_vec3()).collect()
}

fn difference(after: &[Vec3], before: &[Vec3]) -> Vec<Vec3> {
    after.iter().zip(before).map(|(after, before)| after - before).collect()
}
