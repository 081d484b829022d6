//! The surface of a body as contact sees it: constant connectivity, and positions and trees that follow the body.

pub(in crate::contact) mod collider;
pub(in crate::contact) mod collider_error;
pub(in crate::contact) mod facet_edge;
pub(in crate::contact) mod facets;
mod facets_from_triangles;
mod normals;
mod rest_neighbours;
mod rest_search;
pub(in crate::contact) mod touching_skin;
