//! The JSON part of an animated GLB.

use std::collections::BTreeMap;

use glam::Vec3;
use serde_json::{Value, json};

use crate::picture::Colour;

use super::buffer::Buffer;
use super::creases::Split;
use super::{AnimatedSurface, Animation};

/// The document and its binary chunk.
pub(super) fn build(animation: &Animation) -> (Value, Vec<u8>) {
    let mut builder = Builder::new(animation);
    animation.bodies.iter().for_each(|body| builder.body(body));
    builder.finish()
}

struct Builder<'a> {
    animation: &'a Animation,
    buffer: Buffer,
    materials: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
    /// Accessors of key times, by their number.
    times: BTreeMap<usize, usize>,
}

impl<'a> Builder<'a> {
    fn new(animation: &'a Animation) -> Self {
        Self {
            animation,
            buffer: Buffer::default(),
            materials: Vec::new(),
            meshes: Vec::new(),
            nodes: Vec::new(),
            samplers: Vec::new(),
            channels: Vec::new(),
            times: BTreeMap::new(),
        }
    }

    fn body(&mut self, body: &AnimatedSurface) {
        let split = match self.animation.normals {
            true => Split::at_creases(&body.frames[0], &body.triangles),
            false => Split::none(body.frames[0].len(), &body.triangles),
        };
        let targets = self.targets(body, &split);
        let mut primitive = json!({
            "attributes": self.attributes(body, &split),
            "indices": self.buffer.indices(&split.triangles),
            "material": self.materials.len(),
        });
        let mut mesh = json!({ "name": body.name });
        if !targets.is_empty() {
            self.animate(targets.len());
            mesh["weights"] = json!(vec![0.0; targets.len()]);
            primitive["targets"] = Value::Array(targets);
        }
        mesh["primitives"] = json!([primitive]);
        self.materials.push(material(body));
        self.nodes.push(json!({ "name": body.name, "mesh": self.meshes.len() }));
        self.meshes.push(mesh);
    }

    fn attributes(&mut self, body: &AnimatedSurface, split: &Split) -> Value {
        let positions = single(split, body, 0);
        let mut attributes = json!({ "POSITION": self.buffer.positions(&positions) });
        if self.animation.normals {
            attributes["NORMAL"] = json!(self.buffer.vectors(&split.normals(&body.frames[0])));
        }
        if let Some(colours) = &body.vertex_colours {
            let colours = split.sources.iter().map(|source| rgb(colours[*source as usize]));
            attributes["COLOR_0"] = json!(self.buffer.vectors(&colours.collect::<Vec<_>>()));
        }
        attributes
    }

    /// What frame k adds to frame 0, for every k after it; nothing for a body that stands still.
    ///
    /// Displacements are taken between the rounded positions, so that the sum is exact.
    fn targets(&mut self, body: &AnimatedSurface, split: &Split) -> Vec<Value> {
        if body.frames.iter().all(|frame| *frame == body.frames[0]) {
            return Vec::new();
        }
        let rest = single(split, body, 0);
        let rest_normals = self.animation.normals.then(|| split.normals(&body.frames[0]));
        let mut targets = Vec::new();
        for frame in 1..body.frames.len() {
            let moved = difference(&single(split, body, frame), &rest);
            let mut target = json!({ "POSITION": self.buffer.positions(&moved) });
            if let Some(rest) = &rest_normals {
                let turned = difference(&split.normals(&body.frames[frame]), rest);
                target["NORMAL"] = json!(self.buffer.vectors(&turned));
            }
            targets.push(target);
        }
        targets
    }

    /// Keys the weights of the mesh that comes next: at time k·dt target k alone is on.
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
            "materials": self.materials,
            "accessors": accessors,
            "bufferViews": views,
            "buffers": [{ "byteLength": bytes.len() }],
        });
        if !self.channels.is_empty() {
            let (channels, samplers) = (self.channels, self.samplers);
            document["animations"] =
                json!([{ "name": "motion", "channels": channels, "samplers": samplers }]);
        }
        (document, bytes)
    }
}

/// Positions in single precision.
fn single(split: &Split, body: &AnimatedSurface, frame: usize) -> Vec<Vec3> {
    split.positions(&body.frames[frame]).map(|position| position.as_vec3()).collect()
}

fn difference(after: &[Vec3], before: &[Vec3]) -> Vec<Vec3> {
    after.iter().zip(before).map(|(after, before)| after - before).collect()
}

/// Channels in [0, 1]; what is no number becomes 0, since JSON has no word for it.
fn rgb(colour: Colour) -> Vec3 {
    let channel = |c: f32| if c > 0.0 { c.min(1.0) } else { 0.0 };
    Vec3::new(channel(colour.r), channel(colour.g), channel(colour.b))
}

fn material(body: &AnimatedSurface) -> Value {
    let [r, g, b] = rgb(body.colour).to_array();
    json!({
        "name": body.name,
        "doubleSided": true,
        "pbrMetallicRoughness": {
            "baseColorFactor": [r, g, b, 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.6,
        },
    })
}
