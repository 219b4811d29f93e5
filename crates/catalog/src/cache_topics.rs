//! Tables whose rows are compiled into cached values.

store::cache_topics! {
    /// Article types, materials, categories and processings.
    CATALOGUE "catalogue"
}
