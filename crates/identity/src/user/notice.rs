//! Users who want mails about their imports, or about feeds of their tenant.

use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};
use values::{Permission, Result, TenantId};

use super::{Column, ImportNotices, Status, User, Users, lookup::by_id};
use crate::rights::{self, PermissionSubject};

/// Returns the user if they can sign in and want a mail about such an end of an import.
pub async fn wanting(db: &impl ConnectionTrait, user: i64, is_problem: bool) -> Result<Option<User>> {
    let user = by_id(db, user).await?.filter(|user| user.status == Status::Verified);
    Ok(user.filter(|user| match user.import_notices {
        ImportNotices::Never => false,
        ImportNotices::Problems => is_problem,
        ImportNotices::Always => true,
    }))
}

/// Loads the users of a tenant who can sign in, have a permission and want mails about problems.
#[expect(clippy::disallowed_methods, reason = "the program writes to them for a row of their tenant")]
pub async fn wanting_notices(
    db: &impl ConnectionTrait,
    tenant: TenantId,
    right: Permission,
) -> Result<Vec<User>> {
    let wanting = Users::find()
        .filter(Column::TenantId.eq(tenant))
        .filter(Column::Status.eq(Status::Verified))
        .filter(Column::ImportNotices.ne(ImportNotices::Never))
        .order_by_asc(Column::Id);
    let users = wanting.all(db).await?;
    let holders: Vec<PermissionSubject> = users.iter().map(PermissionSubject::from).collect();
    let by_user = rights::load_permissions(db, &holders).await?;
    let may = |user: &User| {
        by_user.get(&user.id).is_some_and(|permissions| permissions.effective().contains(right))
    };
    Ok(users.into_iter().filter(may).collect())
}
