//! Maps node tags, which may be any numbers in any order, to indices.

/// Sorted tags; the position of a tag is the index of its node.
#[derive(Debug, Default)]
pub(super) struct NodeTags {
    sorted: Vec<u64>,
}

impl NodeTags {
    /// Sorts tags; returns them and the sorting order, or a tag that occurs twice.
    pub(super) fn new(tags: &[u64]) -> Result<(Self, Vec<u32>), u64> {
        let mut order: Vec<u32> = (0..tags.len() as u32).collect();
        order.sort_by_key(|index| tags[*index as usize]);
        let sorted: Vec<u64> = order.iter().map(|index| tags[*index as usize]).collect();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(pair[0]),
            None => Ok((Self { sorted }, order)),
        }
    }

    /// Returns the index of the node with this tag.
    pub(super) fn index(&self, tag: u64) -> Option<u32> {
        // Most files number their nodes without gaps, so this first guess is usually right.
        let guess = tag.wrapping_sub(*self.sorted.first()?);
        if usize::try_from(guess).ok().and_then(|guess| self.sorted.get(guess)) == Some(&tag) {
            return Some(guess as u32);
        }
        self.sorted.binary_search(&tag).ok().map(|index| index as u32)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Describes the existing tags for errors.
    pub(super) fn range(&self) -> String {
        match (self.sorted.first(), self.sorted.last()) {
            (Some(first), Some(last)) => {
                format!("one of the {} node tags from {first} to {last}", self.len())
            }
            _ => "nodes in the file".into(),
        }
    }
}
