//! The one place where the instruction set of a kernel is chosen.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::{Avx2, Avx512};
use fearless_simd::{Level, Simd, dispatch};

use crate::math::{LANES, Lanes, One, SingleLanes, Wide};

/// The number of cells that a kernel processes at once, and the instruction set. The bits of the result are always
/// the same.
///
/// Each variant adds a copy of every kernel to the program, so there are only those that pay off: one cell at a time
/// for any processor, and the widest packs of processors since 2013. ARCHITECTURE.md, "What a build costs", has the
/// measurements.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Width {
    /// One cell after the other: works everywhere.
    One,
    /// A pack of cells in four-wide registers (x86-64-v3: processors since 2013).
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2(Avx2),
    /// A pack of cells in eight-wide registers (x86-64-v4).
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx512(Avx512),
    /// A pack of cells in two-wide registers.
    #[cfg(target_arch = "aarch64")]
    Neon(fearless_simd::Neon),
    /// A pack of cells in two-wide registers.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(fearless_simd::WasmSimd128),
}

impl Default for Width {
    /// Returns the widest variant that this processor supports.
    fn default() -> Self {
        Self::available().last().unwrap_or(Self::One)
    }
}

/// A computation on packs of cells, written once for every width.
pub trait Kernel {
    /// Processes the cells selected by `lanes`, and writes only their results.
    fn run<L: Lanes>(&mut self, lanes: L);
}

/// A computation on packs of cells in single precision.
pub trait SingleKernel {
    /// Processes all cells.
    fn run<S: Simd>(&mut self, lanes: SingleLanes<S>);
}

/// A computation on a few adjacent numbers instead of packs; small enough that the number of compiled copies does not
/// matter.
pub trait RowKernel {
    /// Runs with the instruction set `S`.
    fn run<S: Simd>(&mut self, simd: S);
}

impl Width {
    /// Returns all widths that this processor supports, the narrowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        [Some(Self::One)].into_iter().chain(Self::packs(Level::new())).flatten()
    }

    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    fn packs(level: Level) -> [Option<Self>; 2] {
        [level.as_avx2().map(Self::Avx2), level.as_avx512().map(Self::Avx512)]
    }

    #[cfg(target_arch = "aarch64")]
    fn packs(level: Level) -> [Option<Self>; 1] {
        [level.as_neon().map(Self::Neon)]
    }

    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    fn packs(level: Level) -> [Option<Self>; 1] {
        [level.as_wasm_simd128().map(Self::Simd128)]
    }

    #[cfg(not(any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )))]
    fn packs(_: Level) -> [Option<Self>; 0] {
        []
    }

    /// Runs a kernel with this instruction set.
    #[inline(always)]
    pub fn run(self, kernel: &mut impl Kernel) {
        match self {
            Self::One => (0..LANES).for_each(|lane| kernel.run(One(lane))),
            _ => self.run_packs(kernel),
        }
    }

    /// Runs a kernel that has another form for single lanes, so that it is not compiled for them; does nothing for
    /// [`Width::One`].
    #[inline(always)]
    pub(crate) fn run_packs(self, kernel: &mut impl Kernel) {
        match self {
            Self::One => {}
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2(simd) => run_wide(simd, kernel),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx512(simd) => run_wide(simd, kernel),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(simd) => run_wide(simd, kernel),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(simd) => run_wide(simd, kernel),
        }
    }
}

impl Width {
    /// Runs a kernel in single precision. Without wide registers a pack is several narrow ones, with the same bits.
    #[inline(always)]
    pub fn run_single(self, kernel: &mut impl SingleKernel) {
        match self {
            // Not `dispatch!`, which compiles a copy for every level.
            #[cfg(target_arch = "x86_64")]
            Self::One => {
                let sse2 = Level::baseline().as_sse2().expect("every 64-bit processor has it");
                run_single(sse2, kernel);
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::One => {
                let level = Level::baseline();
                dispatch!(level, simd => kernel.run(SingleLanes(simd)));
            }
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2(simd) => run_single(simd, kernel),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx512(simd) => run_single(simd, kernel),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(simd) => run_single(simd, kernel),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(simd) => run_single(simd, kernel),
        }
    }

    /// Runs a row kernel with this instruction set.
    #[inline(always)]
    pub fn run_rows(self, kernel: &mut impl RowKernel) {
        let level = match self {
            Self::One => Level::baseline(),
            _ => Level::new(),
        };
        dispatch!(level, simd => kernel.run(simd));
    }
}

#[inline(always)]
fn run_wide<S: Simd>(simd: S, kernel: &mut impl Kernel) {
    simd.vectorize(
        #[inline(always)]
        || kernel.run(Wide(simd)),
    );
}

#[inline(always)]
fn run_single<S: Simd>(simd: S, kernel: &mut impl SingleKernel) {
    simd.vectorize(
        #[inline(always)]
        || kernel.run(SingleLanes(simd)),
    );
}
