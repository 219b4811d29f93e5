//! Tables whose rows are compiled into cached values.

store::cache_topics! {
    /// Nodes, closures and legs of the shipping network.
    SHIPPING "shipping"
}
