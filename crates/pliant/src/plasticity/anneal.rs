//! The present shape as the rest shape, wherever cells are valid in it.

use std::collections::BTreeSet;

use glam::{DMat3, DVec3};

use crate::body::{Body, FlowedModel, ModelError, RestShape};
use pliant_kernels::math::{DisjointSets, Mat3, polar_rotation};
use pliant_mesh::mesh::Mesh;

/// Rounds in which more cells keep their old rest shape; then all of them do.
const MAX_ROUNDS_OF_KEPT_CELLS: usize = 32;

/// A rest shape made from the present shape of a body.
#[derive(Debug, Clone)]
pub struct Annealed {
    /// The new model, and the plastic flow that is left.
    pub flowed: FlowedModel,
    /// Cells that keep their old rest shape, in ascending order: those that could not be certified valid in the new
    /// shape, and neighbours that could not be certified next to them.
    pub kept: Vec<u32>,
}

impl RestShape<'_> {
    /// The rest shape with the nodes at `x`, without stress and plastic strain (annealing, Mezger et al. 2007, section
    /// 5.3), wherever cells can be certified in that shape. Folded and inverted cells keep their present rest shape and
    /// their plastic flow; connected ones are moved as one rigid piece to where they are now. So no shape is refused.
    ///
    /// ```
    /// # use pliant::body::Model;
    /// # use pliant::material::Material;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// let bar = box_mesh(&BoxConfig { size: [4.0, 1.0, 1.0], cells: [4, 1, 1], ..Default::default() })?;
    /// let model = Model::uniform(bar, Material::default())?;
    /// // Its end is pushed through to the other side of the last cells.
    /// let pushed = |x: &glam::DVec3| if x.x > 3.5 { *x - 1.5 * glam::DVec3::X } else { *x };
    /// let x: Vec<_> = model.mesh().nodes.iter().map(pushed).collect();
    /// assert!(model.at_shape(&x).is_err());
    /// assert!(!model.rest_shape().committed(&x)?.kept.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Positions that are not finite or too few; a rigid body.
    #[doc(hidden)]
    pub fn committed(&self, x: &[DVec3]) -> Result<Annealed, ModelError> {
        let (nodes, kept) = self.laid(x);
        let model = self.at_shape(&nodes)?;
        let is_kept = |cell: u32| kept.binary_search(&cell).is_ok();
        Ok(Annealed { flowed: FlowedModel::carried(model, *self, is_kept), kept })
    }

    /// The same stress, with plastic strain counted from the shape `x` on. Every plastic point keeps its rest shape: G
    /// stays, and Fᵖ = (∂x/∂ξ G)⁻¹ is as small as the elastic strain. So nothing moves, but flow starts anew: backstress
    /// and limit are those of material that has hardly flowed.
    ///
    /// # Errors
    ///
    /// As for [`RestShape::committed`], and elastic material: it has no rest shape other than the mesh.
    #[doc(hidden)]
    pub fn annealed(&self, x: &[DVec3]) -> Result<Annealed, ModelError> {
        let elastic = |cell: usize| self.material(cell).plastic.is_none();
        if let Some(cell) = (0..self.mesh().cell_count()).find(|cell| elastic(*cell)) {
            return Err(ModelError::Elastic { cell });
        }
        let (nodes, kept) = self.laid(x);
        let model = self.at_shape(&nodes)?;
        Ok(Annealed { flowed: FlowedModel::carried(model, *self, |_| true), kept })
    }

    /// The shape nearest to `x` in which all cells are valid, and the cells whose shape differs from `x`. Positions that no
    /// model accepts are returned unchanged.
    fn laid(&self, x: &[DVec3]) -> (Vec<DVec3>, Vec<u32>) {
        if x.len() != self.mesh().nodes.len() || !x.iter().all(|x| x.is_finite()) {
            return (x.to_vec(), Vec::new());
        }
        sound_shape(self.mesh(), x)
    }
}

impl Body {
    /// Makes the present shape the rest shape, wherever cells are valid in it: [`RestShape::committed`], or
    /// [`RestShape::annealed`] if `balanced`. Returns the previous model and flow, and the cells that keep their old rest
    /// shape.
    pub(crate) fn rest_here(
        &mut self,
        balanced: bool,
    ) -> Result<(FlowedModel, Vec<u32>), ModelError> {
        let (rest, x) = (self.rest_shape(), &self.state.x);
        let Annealed { flowed, kept } =
            if balanced { rest.annealed(x)? } else { rest.committed(x)? };
        let before = self.set_model(flowed).expect("a model of the same mesh");
        Ok((before, kept))
    }
}

/// The shape nearest to `x` in which all cells are valid, and the cells whose shape differs from `x`.
fn sound_shape(mesh: &Mesh, x: &[DVec3]) -> (Vec<DVec3>, Vec<u32>) {
    let mut shape = Mesh { nodes: x.to_vec(), ..mesh.clone() };
    let mut kept = BTreeSet::new();
    for round in 0..=MAX_ROUNDS_OF_KEPT_CELLS {
        let before = kept.len();
        kept.extend(shape.invalid_cells().iter().map(|(cell, _)| *cell as u32));
        if kept.len() == before {
            break;
        }
        if round == MAX_ROUNDS_OF_KEPT_CELLS {
            kept.extend(0..mesh.cell_count() as u32);
        }
        shape.nodes.copy_from_slice(x);
        lay_pieces(mesh, x, &kept, &mut shape.nodes);
    }
    (shape.nodes, kept.into_iter().collect())
}

/// Moves every piece of connected cells, in its rest shape, to where it is now.
fn lay_pieces(mesh: &Mesh, x: &[DVec3], cells: &BTreeSet<u32>, nodes: &mut [DVec3]) {
    let (mut groups, mut used) = (DisjointSets::new(x.len()), vec![false; x.len()]);
    for cell in cells {
        let (_, own) = mesh.cell(*cell as usize);
        own.iter().for_each(|node| used[*node as usize] = true);
        own.windows(2).for_each(|pair| groups.join(pair[0], pair[1]));
    }
    for piece in groups.iter().filter(|piece| used[piece[0] as usize]) {
        lay(&mesh.nodes, x, piece, nodes);
    }
}

/// Moves the rest shape of some nodes rigidly to where it is nearest to `x`.
fn lay(rest: &[DVec3], x: &[DVec3], piece: &[u32], nodes: &mut [DVec3]) {
    let centre = |of: &[DVec3]| {
        piece.iter().map(|node| of[*node as usize]).sum::<DVec3>() / piece.len() as f64
    };
    let (from, to) = (centre(rest), centre(x));
    let mut covariance = Mat3::ZERO;
    for node in piece.iter().map(|node| *node as usize) {
        covariance += Mat3::outer((x[node] - to).into(), (rest[node] - from).into());
    }
    let rotation: DMat3 = polar_rotation(&covariance).into();
    for node in piece.iter().map(|node| *node as usize) {
        nodes[node] = to + rotation * (rest[node] - from);
    }
}
