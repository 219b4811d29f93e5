//! Who wants to be written to when an import of theirs has ended.

use kernel::Result;
use sea_orm::ConnectionTrait;

use super::{ImportNotices, Status, User, lookup::by_id};

/// A user who can sign in and wants to be told of such an end.
pub async fn wanting(db: &impl ConnectionTrait, user: i64, is_problem: bool) -> Result<Option<User>> {
    let user = by_id(db, user).await?.filter(|user| user.status == Status::Verified);
    Ok(user.filter(|user| match user.import_notices {
        ImportNotices::Never => false,
        ImportNotices::Problems => is_problem,
        ImportNotices::Always => true,
    }))
}
