//! Identity: users, roles, permissions, sessions, passwords and one-time links.

pub mod ability;
pub mod account;
pub mod audit;
pub mod caller;
pub mod codes;
pub mod device;
pub mod email_change;
#[expect(unreachable_pub, reason = "written by sea-orm's derives")]
mod entity;
pub mod idempotency;
pub mod link;
pub mod password;
pub mod password_reset;
mod patch;
pub mod permissions;
pub mod personal_data;
mod reset_link;
mod retention;
pub mod rights;
pub mod role;
pub mod saved_view;
pub mod secret;
pub mod server_key;
pub mod session;
pub mod source;
pub mod tenant_users;
pub mod throttle;
pub mod token;
pub mod user;
pub mod xsrf;

pub use permissions::may;
