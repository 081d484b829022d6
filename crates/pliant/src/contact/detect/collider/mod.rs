//! The surface of a body as contact sees it: constant connectivity, and positions and trees that follow the body.

pub(crate) mod collider;
pub(crate) mod collider_error;
pub(in crate::contact) mod facet_edge;
pub(crate) mod facets;
mod facets_from_triangles;
mod normals;
mod rest_neighbours;
mod rest_search;
mod rest_thickness;
