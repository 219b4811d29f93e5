//! Tables.

pub(crate) mod tenant;
pub(crate) mod tenant_permission;
