//! Meshes and transforms of bodies, between two steps.
//!
//! ```text
//! drawn_body.rs   where a body was before the last step, and where it is now
//! creases.rs      which triangles share a vertex and so look smooth
//! body_mesh.rs    positions and normals into the buffers of a mesh
//! update.rs       the system that does it for all bodies
//! ```

pub(crate) mod body_mesh;
pub(crate) mod creases;
pub(crate) mod drawn_body;
pub(crate) mod update;
