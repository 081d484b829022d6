//! Groups of cells that share no node, so that each group can be worked on at once.

use super::Mesh;

/// Colours of the cells: no two cells of a colour have a control point in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colouring {
    /// Colour of every cell.
    pub colours: Vec<u32>,
    /// Cells of each colour, rising.
    pub cells: Vec<Vec<u32>>,
}

impl Colouring {
    /// Number of colours.
    pub fn colour_count(&self) -> usize {
        self.cells.len()
    }
}

impl Mesh {
    /// Colours the cells greedily, in order: each takes the first colour that no cell around it
    /// has. The same mesh always gets the same colours.
    ///
    /// Cells that meet at a busy node all differ, so there are at least as many colours as cells
    /// around it, and rarely more than twice that.
    pub fn coloured(&self) -> Colouring {
        let words = self.colour_words();
        let mut taken = vec![0u64; self.nodes.len() * words];
        let mut colouring = Colouring { colours: Vec::new(), cells: Vec::new() };
        for (cell, (_, nodes)) in (0u32..).zip(self.cells()) {
            let colour = first_free(&taken, nodes, words);
            for node in nodes {
                taken[*node as usize * words + colour / 64] |= 1 << (colour % 64);
            }
            colouring.add(cell, colour);
        }
        colouring
    }

    /// Words of 64 colours that surely suffice: a cell meets fewer cells than the sum over its
    /// nodes of the cells around each.
    fn colour_words(&self) -> usize {
        let node_cells = self.node_cells();
        let around = |node: &u32| node_cells.cells(*node as usize).len() - 1;
        let most = self.cells().map(|(_, nodes)| nodes.iter().map(around).sum::<usize>()).max();
        most.unwrap_or(0) / 64 + 1
    }
}

impl Colouring {
    fn add(&mut self, cell: u32, colour: usize) {
        self.colours.push(colour as u32);
        if colour >= self.cells.len() {
            self.cells.resize_with(colour + 1, Vec::new);
        }
        self.cells[colour].push(cell);
    }
}

/// The first colour whose bit is clear at all these nodes.
fn first_free(taken: &[u64], nodes: &[u32], words: usize) -> usize {
    let used = |word: usize| {
        nodes.iter().fold(0, |bits, node| bits | taken[*node as usize * words + word])
    };
    let free = (0..words).find_map(|word| {
        let used = used(word);
        (used != u64::MAX).then(|| word * 64 + used.trailing_ones() as usize)
    });
    free.expect("there are more colours than a cell has neighbours")
}
