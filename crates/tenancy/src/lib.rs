//! Tenants: trading companies, their groups, and the maximum permissions of their users.

pub mod cache_topics;
pub mod codes;
#[expect(unreachable_pub, reason = "written by sea-orm's derives")]
mod entity;
pub mod external_api_kind;
pub mod lookup;
pub mod partner;
pub mod permissions;
mod place;
pub mod rights;
pub mod tenant;
pub mod tenant_group;

pub use permissions::may;
