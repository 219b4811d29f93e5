//! Tables whose rows are compiled into cached values.

store::cache_topics! {
    /// Users, roles and maximum permissions.
    RIGHTS "rights"

    /// Tenants and their groups.
    TENANTS "tenants"
}
