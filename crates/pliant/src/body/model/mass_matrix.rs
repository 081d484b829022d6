//! The mass matrix.

use glam::DVec3;

/// A symmetric sparse matrix with one value per pair of nodes, the same for x, y and z.
#[derive(Debug, Clone, PartialEq)]
pub struct MassMatrix {
    /// Entries (row, column, kg) of the lower triangle, sorted; each pair occurs once.
    pub entries: Vec<(u32, u32, f64)>,
}

impl MassMatrix {
    /// Adds entries of the same pair.
    pub(crate) fn from_entries(mut entries: Vec<(u32, u32, f64)>) -> Self {
        // A stable sort keeps the order of the sums, and so their bits.
        entries.sort_by_key(|(row, column, _)| (*row, *column));
        entries.dedup_by(|later, first| {
            let same = (later.0, later.1) == (first.0, first.1);
            if same {
                first.2 += later.2;
            }
            same
        });
        Self { entries }
    }

    /// Row sums, in kg.
    pub(crate) fn lumped(&self, node_count: usize) -> Vec<f64> {
        let mut masses = vec![0.0; node_count];
        for &(row, column, mass) in &self.entries {
            masses[row as usize] += mass;
            if row != column {
                masses[column as usize] += mass;
            }
        }
        masses
    }

    /// M v.
    pub fn apply(&self, v: &[DVec3]) -> Vec<DVec3> {
        let mut product = vec![DVec3::ZERO; v.len()];
        self.add_product(1.0, v, &mut product);
        product
    }

    /// Adds scale · M v.
    pub fn add_product(&self, scale: f64, v: &[DVec3], product: &mut [DVec3]) {
        for &(row, column, mass) in &self.entries {
            let mass = scale * mass;
            product[row as usize] += mass * v[column as usize];
            if row != column {
                product[column as usize] += mass * v[row as usize];
            }
        }
    }
}
