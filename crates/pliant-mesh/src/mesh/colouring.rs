//! Graph colouring of cells: cells of one colour share no node, so they can be processed in parallel.

use super::Mesh;

/// A colouring of cells: no two cells of one colour share a control point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colouring {
    /// Colour of every cell, in the order in which the cells were coloured.
    pub colours: Vec<u32>,
    /// Cells of each colour, in the same order.
    pub cells: Vec<Vec<u32>>,
}

impl Colouring {
    /// Number of colours.
    pub fn colour_count(&self) -> usize {
        self.cells.len()
    }
}

impl Mesh {
    /// Colours all cells greedily, in order.
    ///
    /// Each cell takes the first colour that no cell around it has, so the same mesh always gets the same colours.
    /// All cells that meet at a node differ in colour: there are at least as many colours as cells at the busiest
    /// node, and rarely more than twice that.
    pub fn coloured(&self) -> Colouring {
        self.colour_cells(0..self.cell_count() as u32)
    }

    /// Colours the given cells, in the given order.
    pub fn colour_cells(&self, cells: impl IntoIterator<Item = u32>) -> Colouring {
        let mut taken = vec![TakenColours::default(); self.nodes.len()];
        let mut colouring = Colouring { colours: Vec::new(), cells: Vec::new() };
        for cell in cells {
            let (_, nodes) = self.cell(cell as usize);
            let colour = first_free(&taken, nodes);
            nodes.iter().for_each(|node| taken[*node as usize].take(colour));
            colouring.add(cell, colour);
        }
        colouring
    }
}

impl Colouring {
    fn add(&mut self, cell: u32, colour: u32) {
        self.colours.push(colour);
        let count = self.cells.len().max(colour as usize + 1);
        self.cells.resize_with(count, Vec::new);
        self.cells[colour as usize].push(cell);
    }
}

/// Colours of the cells around a node, as bits in words of 64. Only words that are neither full nor empty are stored,
/// so that even a node with a million cells around it takes little memory.
#[derive(Debug, Clone, Default)]
struct TakenColours {
    /// Index of the first word that is not full.
    full: u32,
    /// Index and bits of the other words that are not empty.
    words: Vec<(u32, u64)>,
}

impl TakenColours {
    fn word(&self, index: u32) -> u64 {
        self.words.iter().find(|(word, _)| *word == index).map_or(0, |(_, bits)| *bits)
    }

    fn take(&mut self, colour: u32) {
        let (index, bit) = (colour / 64, 1 << (colour % 64));
        match self.words.iter_mut().find(|(word, _)| *word == index) {
            Some((_, bits)) => *bits |= bit,
            None => self.words.push((index, bit)),
        }
        while self.word(self.full) == u64::MAX {
            self.words.retain(|(word, _)| *word != self.full);
            self.full += 1;
        }
    }
}

/// Returns the first colour that is free at all of these nodes.
fn first_free(taken: &[TakenColours], nodes: &[u32]) -> u32 {
    let around = || nodes.iter().map(|node| &taken[*node as usize]);
    let mut index = around().map(|colours| colours.full).max().unwrap_or(0);
    loop {
        let used = around().fold(0, |bits, colours| bits | colours.word(index));
        if used != u64::MAX {
            return index * 64 + used.trailing_ones();
        }
        index += 1;
    }
}
