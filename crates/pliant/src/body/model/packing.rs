//! Cells of a model packed for the kernels.

use pliant_kernels::lanes::RestCell;

use crate::body::model::filling::{PointShares, QuadratureMatter};
use crate::body::model::model::Model;
use crate::element::{Kind, QuadratureRule};
use pliant_kernels::lanes::Batch;

/// The share of their stiffness that rigid cells have in kernels: so little that nothing feels it, and enough to divide by.
const RIGID_STIFFNESS_SHARE: f64 = 1e-12;

impl Model {
    /// What kernels see of the stiffness of a cell: all of it, or next to nothing of one that does not deform, since then
    /// nobody asks what it would take to.
    pub(crate) fn stiffness_share(&self, cell: usize) -> f64 {
        if self.material(cell).rigid { RIGID_STIFFNESS_SHARE } else { 1.0 }
    }

    /// Cells as they go into packs, seen by a quadrature rule.
    pub(crate) fn rest_cells<'a>(
        &'a self,
        rule: &QuadratureRule,
    ) -> impl Fn(u32) -> RestCell<'a> + use<'a> {
        let contents = self.contents.as_ref();
        let filled = contents.map(|c| (c, PointShares::new(rule, c.resolution)));
        move |cell| {
            let mut matter: QuadratureMatter = match &filled {
                Some((contents, shares)) => shares.matter(contents, &self.materials, cell as usize),
                None => self.material(cell as usize).into(),
            };
            let share = self.stiffness_share(cell as usize);
            matter.constants.mu *= share;
            matter.constants.lambda *= share;
            let QuadratureMatter { constants, weights } = matter;
            let (_, nodes) = self.mesh.cell(cell as usize);
            RestCell { nodes, points: self.mesh.cell_points(nodes), constants, weights }
        }
    }

    /// Sorts cells into groups of one kind, law and straightness, and packs each group.
    pub(crate) fn packed(&self) -> Vec<Batch> {
        let mesh = &self.mesh;
        let even = self.contents.is_none();
        let mut groups = Vec::new();
        for ((cell, (kind, _)), straight) in (0u32..).zip(mesh.cells()).zip(mesh.straight_cells()) {
            let material = self.material(cell as usize);
            let flows = material.flow().is_some() || self.settled.binary_search(&cell).is_ok();
            groups.push(((kind, material.law, straight && even, flows), cell));
        }
        groups.sort_unstable();
        let packed = groups.chunk_by(|a, b| a.0 == b.0).map(|group| {
            let (kind, law, straight, plastic) = group[0].0;
            let rule = self.rule(kind, straight);
            let cells: Vec<u32> = group.iter().map(|(_, cell)| *cell).collect();
            // Where matter flows, every point gets a rest shape of its own.
            let kept = (kind, law, straight && !plastic);
            let mut batch = Batch::new(&rule, kept);
            batch.push_run(&cells, &self.rest_cells(&rule));
            batch.plastic = plastic;
            batch.dilation = self.config.dilation;
            batch
        });
        packed.collect()
    }

    fn rule(&self, kind: Kind, straight: bool) -> QuadratureRule {
        match self.config.quadrature {
            Some(degree) => QuadratureRule::of_degree(kind.shape(), degree),
            // One point more along a side than an even cell has, to tell where the matter is.
            None if self.contents.is_some() => {
                QuadratureRule::of_degree(kind.shape(), 2 * kind.degree() + 2)
            }
            None if straight => QuadratureRule::for_straight(kind),
            None => QuadratureRule::for_curved(kind),
        }
    }
}
