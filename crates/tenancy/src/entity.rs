//! Tables of tenants and their groups.

pub(crate) mod partner;
pub(crate) mod tenant;
pub(crate) mod tenant_group;
pub(crate) mod tenant_group_member;
pub(crate) mod tenant_permission;
