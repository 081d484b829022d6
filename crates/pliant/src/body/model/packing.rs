//! Cells of a model packed for the kernels.

use pliant_kernels::lanes::{Batch, Dilation, RestCell, RestPoints};

use crate::body::model::filling::{PointShares, QuadratureMatter};
use crate::body::model::model::Model;
use pliant_kernels::element::{Kind, QuadratureRule};
use pliant_kernels::math::Pack;

/// The factor of the stiffness of rigid cells in kernels: small enough to have no effect, and large enough to divide
/// by.
const RIGID_STIFFNESS_SHARE: f64 = 1e-12;

impl Model {
    /// The factor of the stiffness of a cell in kernels: 1, or almost zero for rigid cells, whose deformation is
    /// never solved for.
    pub(crate) fn stiffness_share(&self, cell: usize) -> f64 {
        if self.material(cell).rigid { RIGID_STIFFNESS_SHARE } else { 1.0 }
    }

    /// Cells as input of packs, for a quadrature rule.
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

    /// Sorts cells into groups of the same kind, law and straightness, and packs each group. The rest points are those of
    /// the mesh, before any plastic flow.
    pub(crate) fn packed(&self) -> (Vec<Batch>, Vec<RestPoints>) {
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
            // Plastic cells have a rest shape of their own at every point.
            let kept = (kind, law, straight && !plastic);
            let mut batch = Batch::new(&rule, kept);
            let mut rest = RestPoints::new(&batch);
            batch.push_run(&mut rest, &cells, &self.rest_cells(&rule));
            batch.plastic = plastic;
            batch.dilation = dilation_of(&batch, self.config.dilation);
            (batch, rest)
        });
        packed.unzip()
    }

    /// The quadrature rule of a group of cells.
    fn rule(&self, kind: Kind, straight: bool) -> QuadratureRule {
        match self.config.quadrature {
            Some(degree) => QuadratureRule::of_degree(kind.shape(), degree),
            // One more point along each side than a full cell has resolves the distribution of matter.
            None if self.contents.is_some() => {
                QuadratureRule::of_degree(kind.shape(), 2 * kind.degree() + 2)
            }
            None if straight => QuadratureRule::for_straight(kind),
            None => QuadratureRule::for_curved(kind),
        }
    }
}

/// The dilation of the cells of a batch: the mean only where it makes a difference.
fn dilation_of(batch: &Batch, asked: Option<Dilation>) -> Dilation {
    let asked = asked.unwrap_or(Dilation::Mean);
    let is_stiff = |[mu, lambda]: &[Pack; 2]| {
        mu.iter().zip(lambda).any(|(mu, lambda)| asked.of_mean_only(batch.law, *mu, *lambda) > 0.0)
    };
    let mut packs = (0..batch.pack_count()).map(|pack| batch.pack_constants(pack));
    let differs = asked.suits(batch.law) && batch.point_count() > 1 && packs.any(is_stiff);
    if differs { asked } else { Dilation::Pointwise }
}
