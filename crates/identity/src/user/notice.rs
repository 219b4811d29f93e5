//! Who wants to be written to when an import of theirs has ended.

use kernel::Result;
use sea_orm::{ConnectionTrait, DeriveActiveEnum, EnumIter, sea_query::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Status, User, by_id};

/// When somebody gets a mail about the end of an import of theirs.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "lowercase")]
#[schema(example = "problems")]
pub enum ImportNotices {
    #[default]
    #[sea_orm(string_value = "never")]
    Never,
    /// Only if it has failed, or rows of it were refused, are held or match nothing.
    #[sea_orm(string_value = "problems")]
    Problems,
    #[sea_orm(string_value = "always")]
    Always,
}

/// A user who can sign in and wants to be told of such an end.
pub async fn wanting(db: &impl ConnectionTrait, user: i64, is_problem: bool) -> Result<Option<User>> {
    let user = by_id(db, user).await?.filter(|user| user.status == Status::Verified);
    Ok(user.filter(|user| match user.import_notices {
        ImportNotices::Never => false,
        ImportNotices::Problems => is_problem,
        ImportNotices::Always => true,
    }))
}
