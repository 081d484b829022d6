//! Meshes, as they were typed.

use toml::Spanned;

use super::selection::Selector;
use super::shape::{
    BallFile, BoxFile, CurvedBarFile, FinFile, HelixFile, SculptureFile, TorusFile,
};
use crate::scene::read::table::tables;
use crate::scene::read::value::{Number, Word};

tables! {
    /// `[body.mesh]`: one generator or file, and how to process its mesh.
    struct MeshFile {
        file: Option<Word>,
        block as "box": Option<Spanned<BoxFile>>,
        ball: Option<Spanned<BallFile>>,
        torus: Option<Spanned<TorusFile>>,
        curved_bar as "curved-bar": Option<Spanned<CurvedBarFile>>,
        helix: Option<Spanned<HelixFile>>,
        fin: Option<Spanned<FinFile>>,
        sculpture: Option<Spanned<SculptureFile>>,
        surface: Option<Word>,
        figure: Option<Word>,
        edge: Option<Number>,
        voxels: Option<Spanned<VoxelsFile>>,
        tetrahedra: Option<Spanned<TetrahedraFile>>,
        degree: Option<Spanned<i64>>,
        refine: Option<Spanned<i64>>,
    }

    /// `voxels = { … }`.
    #[derive(Default)]
    struct VoxelsFile {
        depth: Option<Spanned<i64>>,
        length: Option<Number>,
        leaves: Option<Spanned<i64>>,
        inside: Option<Word>,
        fill: Option<Number>,
        stiffness: Option<Word>,
    }

    /// `tetrahedra = { … }`.
    #[derive(Default)]
    struct TetrahedraFile {
        cells: Option<Spanned<i64>>,
        length: Option<Number>,
        within: Option<Word>,
        inside: Option<Spanned<i64>>,
        curved: Option<Spanned<i64>>,
        thickness: Option<Number>,
        finer: Vec<FinerFile>,
    }

    /// `finer = [{ … }]`: a place with smaller tetrahedra.
    struct FinerFile {
        selector as "where": Spanned<Selector>,
        size: Number,
    }
}
