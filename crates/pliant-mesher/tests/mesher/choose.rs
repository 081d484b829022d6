//! The choice between tetrahedra and voxels.

use pliant::Material;
use pliant_mesher::choose::{CellMethod, SurfaceCells};
use pliant_mesher::gallery::Figure;
use pliant_mesher::tets::{TetConfig, TetError};

use super::common::FIGURES;

/// Every figure gets cells without a wish, and a model on which the surface lies where it was, within a millionth of its size (about 1 m), but for the
/// vertices that tetrahedra move: those are voxels.
#[test]
fn every_figure_becomes_a_model() {
    for (figure, surface) in FIGURES.iter() {
        let cells = SurfaceCells::new(surface, CellMethod::default()).unwrap();
        let model = cells.model(Material::preset("rubber").unwrap()).unwrap();
        let mut drawn = Vec::new();
        model.skin().unwrap().interpolate(&model.mesh().nodes, &mut drawn);
        let pairs = drawn.iter().zip(&cells.embedding.surface.vertices);
        let farthest = pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(farthest < 1e-6, "{}: {farthest}, {:?}", figure.name(), cells.misfit);
        let wish = CellMethod::DEFAULT_CELLS as f64;
        let ratio = model.mesh().cell_count() as f64 / wish;
        // A rope in a few large cubes, or a torus whose cells are all on its surface, miss the number most.
        assert!((0.5..2.0).contains(&ratio), "{}: {ratio}", figure.name());
    }
}

/// A setting out of range is an error; the choice does not hide it.
#[test]
fn wrong_settings_are_errors() {
    let surface = Figure::Ball.surface(0.1);
    let none = CellMethod::Automatic { cells: 0, degree: None };
    let error = SurfaceCells::new(&surface, none).unwrap_err();
    assert!(error.to_string().contains("at least one cell"), "{error}");
    let steep = CellMethod::Automatic { cells: 100, degree: Some(7) };
    assert!(SurfaceCells::new(&surface, steep).is_err());
    let config = TetConfig { degree: 0, ..TetConfig::default() };
    let direct = SurfaceCells::new(&surface, CellMethod::Tetrahedra(config)).unwrap_err();
    assert_eq!(
        direct,
        TetError::Setting { field: "degree", value: 0.0, expected: "1, 2 or 3" }.into()
    );
}
