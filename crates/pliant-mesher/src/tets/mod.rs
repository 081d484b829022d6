//! Tetrahedra.
mod background;
mod dihedral;
mod octree;
mod stencil;
mod stuffing;
