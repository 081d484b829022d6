//! The page that shows a world and lets one touch it, and the server behind it.
#![forbid(unsafe_code)]
