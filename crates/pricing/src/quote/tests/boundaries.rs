//! Boundaries, each at both of its sides.
