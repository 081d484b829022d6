//! The obstacles of a world, by handle and by index.

use crate::contact::Obstacle;
use crate::world::slot::handle::{HandleError, ObstacleHandle, WorldId};

/// All obstacles, in the order in which they were added, and the handle of each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Obstacles {
    list: Vec<Obstacle>,
    handles: Vec<ObstacleHandle>,
    /// How many were added so far.
    added: u32,
}

impl Obstacles {
    /// All obstacles.
    pub(crate) fn list(&self) -> &[Obstacle] {
        &self.list
    }

    /// The same, to be changed.
    pub(crate) fn list_mut(&mut self) -> &mut [Obstacle] {
        &mut self.list
    }

    /// The handle of each obstacle.
    pub(crate) fn handles(&self) -> &[ObstacleHandle] {
        &self.handles
    }

    /// True if there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds one at the end.
    pub(crate) fn add(&mut self, obstacle: Obstacle, world: WorldId) -> ObstacleHandle {
        let handle = ObstacleHandle { number: self.added, world };
        self.added += 1;
        self.list.push(obstacle);
        self.handles.push(handle);
        handle
    }

    /// The index of the obstacle that a handle names.
    pub(crate) fn index_of(
        &self,
        handle: ObstacleHandle,
        world: WorldId,
    ) -> Result<usize, HandleError> {
        let ObstacleHandle { number, world: own } = handle;
        if own != world {
            return Err(HandleError::ObstacleOfOtherWorld { number });
        }
        let removed = |_| HandleError::ObstacleRemoved { number };
        self.handles.binary_search(&handle).map_err(removed)
    }

    /// Takes an obstacle out; later ones move up.
    pub(crate) fn remove(&mut self, index: usize) -> Obstacle {
        self.handles.remove(index);
        self.list.remove(index)
    }
}
