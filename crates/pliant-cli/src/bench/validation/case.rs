//! Solves a bar or cube on one mesh.

use std::fmt::Write as _;
use std::sync::Arc;

use anyhow::{Context, Result};
use glam::DVec3;
use pliant::body::{Action, Body, Dilation, Model, ModelConfig, Motion, Pin, Ramp};
use pliant::material::{LawKind, Material, Parameters};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{SolveError, StaticConfig, StaticReport};
use pliant::world::{World, WorldConfig};

/// A box mesh, defined by its split, degree and grid.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    pub(super) split: Split,
    pub(super) degree: usize,
    pub(super) cells: [usize; 3],
    pub(super) dilation: Dilation,
}

impl Grid {
    pub(super) const fn new(split: Split, degree: usize, cells: [usize; 3]) -> Self {
        Self { split, degree, cells, dilation: Dilation::Pointwise }
    }

    /// The same mesh with mean dilation.
    pub(super) const fn mean(self) -> Self {
        Self { dilation: Dilation::Mean, ..self }
    }

    /// The name used in the papers: P2, Q1, with `biased` for six tetrahedra per cell.
    pub(super) fn name(&self) -> String {
        let p = self.degree;
        let shape = match self.split {
            Split::Tet5 => format!("P{p}"),
            Split::Tet6 => format!("P{p} biased"),
            Split::Tet12 => format!("P{p}, 12 per box"),
            Split::Hex => format!("Q{p}"),
            Split::Prism => "prisms".to_owned(),
            Split::Pyramid => "pyramids".to_owned(),
        };
        let dilation = if self.dilation == Dilation::Mean { ", mean dilation" } else { "" };
        shape + dilation
    }
}

/// A solved case.
pub(super) struct Solved {
    pub(super) world: World,
    pub(super) report: StaticReport,
    /// Number of cells and nodes.
    pub(super) size: (usize, usize),
}

impl Solved {
    /// Current position of the material point with rest position `at`.
    pub(super) fn point(&self, at: DVec3) -> Result<DVec3> {
        let (_, body) = self.world.bodies().next().context("a case has one body")?;
        let point = body.model().locate(at).context("the probe lies in the body")?;
        Ok(point.position(&body.state.x))
    }
}

/// The parts of a case that differ from case to case.
pub(super) struct Setup {
    pub(super) size: [f64; 3],
    pub(super) material: Material,
    pub(super) gravity: DVec3,
    /// Motion of the sides `x-` and `x+`; `None` leaves a side free.
    pub(super) ends: [Option<Motion>; 2],
    pub(super) load_steps: u32,
    /// True for quadrature of twice the degree, as in the reference, instead of the default rule.
    pub(super) fine: bool,
}

/// Writes the row of a case; if the solver fails, the row shows the load it reached.
pub(super) fn row(
    text: &mut String,
    start: &str,
    setup: &Setup,
    grid: Grid,
    figures: impl Fn(&Solved) -> Result<String>,
) -> Result<()> {
    match solve(setup, grid) {
        Ok(solved) => {
            let (cells, nodes) = solved.size;
            let note = if solved.report.stable { "" } else { " (a saddle)" };
            let figures = figures(&solved)?;
            writeln!(text, "| {start}{}{note} | {cells} | {nodes} | {figures} |", grid.name())?;
        }
        Err(error) => match error.downcast_ref() {
            Some(SolveError::NotConverged { load, .. }) => {
                let reached = 100.0 * load;
                writeln!(
                    text,
                    "| {start}{} | – | – | no equilibrium beyond {reached:.0} % of the load |",
                    grid.name()
                )?;
            }
            _ => return Err(error),
        },
    }
    Ok(())
}

pub(super) fn solve(setup: &Setup, grid: Grid) -> Result<Solved> {
    let Grid { split, degree, cells, dilation } = grid;
    let config = BoxConfig { size: setup.size, cells, split, degree, ..Default::default() };
    let mesh = box_mesh(&config)?;
    let size = (mesh.cell_count(), mesh.nodes.len());
    let mut pins = Vec::new();
    for (side, motion) in ["x-", "x+"].into_iter().zip(&setup.ends) {
        if let Some(motion) = motion.clone() {
            let nodes = mesh.node_set(side).context("a box names its sides")?.nodes.clone();
            pins.push(Pin { nodes, motion, ..Default::default() });
        }
    }
    let quadrature = (setup.fine && degree > 1).then_some(2 * degree);
    let materials = vec![0; mesh.cell_count()];
    let config = ModelConfig { quadrature, dilation: Some(dilation) };
    let model = Arc::new(Model::new(mesh, vec![setup.material], materials, config)?);
    let mut world = World::new(WorldConfig { gravity: setup.gravity, ..Default::default() })?;
    world.add(Body::new("bar", model, pins)?);
    let config = StaticConfig { load_steps: setup.load_steps, ..Default::default() };
    let report = world.solve_static(&config, &mut |_| {})?.pop().context("one body, one report")?;
    Ok(Solved { world, report, size })
}

/// The rest-stable law with the parameters of the paper.
pub(super) fn as_published(young: f64, poisson: f64) -> Material {
    let parameters = Parameters::AsPublished;
    let law = LawKind::RestStable;
    Material { law, parameters, young, poisson, density: 1000.0, ..Default::default() }
}

pub(super) fn translate(by: DVec3) -> Motion {
    Motion { ramps: vec![Ramp { start: 0.0, end: 1.0, action: Action::Translate(by) }] }
}

/// Relative difference in per cent.
pub(super) fn percent(value: f64, reference: f64) -> f64 {
    100.0 * (value / reference - 1.0)
}
