//! Tables of users, permissions, sessions and the history.

pub(crate) mod audit_entry;
pub(crate) mod default_view;
pub(crate) mod email_change;
pub(crate) mod idempotency;
pub(crate) mod one_time_link;
pub(crate) mod password_reset_request;
pub(crate) mod personal_access_token;
pub(crate) mod revoked_token;
pub(crate) mod role;
pub(crate) mod role_permission;
pub(crate) mod saved_view;
pub(crate) mod server_key;
pub(crate) mod session;
pub(crate) mod sign_in_failure;
pub(crate) mod sign_in_place;
pub(crate) mod user;
pub(crate) mod user_permission;
pub(crate) mod user_role;
