//! Hashes of the constant parts of a body.

use glam::DVec3;

use crate::body::body::Body;
use crate::body::hold::pin::Pin;
use crate::body::model::contents::Leaf;
use crate::body::model::model::Model;
use crate::body::skin::skin::Skin;
use crate::persist::Digest;

impl Body {
    /// Hashes of everything that does not change while the body moves, each with its name.
    pub fn fingerprints(&self) -> [(&'static str, u64); 4] {
        let (model, anchors, held) = match self.whole() {
            Some(whole) => (&*whole.model, &whole.anchors[..], &whole.pins[..]),
            None => (&**self.model(), self.anchors(), self.pins()),
        };
        [
            ("mesh", mesh(model, anchors)),
            ("material", material(model)),
            ("pins", pins(held)),
            ("ties", self.ties()),
        ]
    }

    fn ties(&self) -> u64 {
        let nodes = 0..self.unknowns().node_count() as u32;
        let tied = nodes.filter_map(|node| Some((node, self.unknowns().ends(node)?)));
        let words = tied.flat_map(|(node, [a, b])| [node, a, b].map(u64::from));
        Digest::default().words(words).value()
    }
}

/// Hash of the first rest positions, the cells, what touches, and the skin if the model has one of its own.
fn mesh(model: &Model, nodes: &[DVec3]) -> u64 {
    let mut digest = Digest::default().vectors(nodes);
    for block in &model.mesh().blocks {
        let nodes = block.nodes.iter().map(|node| u64::from(*node));
        digest = digest.debug(&block.kind).words(nodes);
    }
    digest = digest.debug(&model.touch());
    model.skin().map_or(digest.clone(), |skin| skin_digest(skin, digest)).value()
}

fn skin_digest(skin: &Skin, digest: Digest) -> Digest {
    let weights = (0..skin.vertex_count()).flat_map(|vertex| skin.weights(vertex));
    let words = weights.flat_map(|(node, weight)| [u64::from(node), weight.to_bits()]);
    let triangles = skin.triangles().iter().flatten().map(|vertex| u64::from(*vertex));
    digest.words(words).words(triangles)
}

/// Hash of the materials, the material of every cell, and the settings of quadrature.
fn material(model: &Model) -> u64 {
    let cells = model.material_of_cell().iter().map(|material| u64::from(*material));
    let mut digest = Digest::default()
        .debug(&model.materials())
        .debug(&model.inertia())
        .debug(model.config())
        .words(cells);
    if let Some(contents) = model.contents() {
        let starts = contents.start.iter().map(|start| u64::from(*start));
        let leaves = contents.leaves.iter().flat_map(leaf_words);
        digest = digest.word(u64::from(contents.resolution)).words(starts).words(leaves);
    }
    digest.value()
}

fn leaf_words(leaf: &Leaf) -> [u64; 5] {
    let [x, y, z] = leaf.place.map(u64::from);
    [x, y, z, leaf.fill.to_bits(), u64::from(leaf.material)]
}

fn pins(pins: &[Pin]) -> u64 {
    let mut digest = Digest::default();
    for pin in pins {
        let nodes = pin.nodes.iter().map(|node| u64::from(*node));
        digest = digest.words(nodes).debug(&pin.motion).debug(&pin.spread);
    }
    digest.value()
}
