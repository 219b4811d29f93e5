//! Past of the demo: backdates data that were created by the usual commands.

use identity::audit::{AuditEntries, Column as Noted};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, sea_query::Expr};
use store::{Database, Recorded, audit};
use values::{Instant, Result, TenantId};

/// Backdates all changes of a tenant's records of a kind since a time to another one: the records themselves,
/// and their entries in the history.
#[expect(clippy::disallowed_methods, reason = "makes the past of the demo's own rows")]
pub(super) async fn date<E: Recorded>(
    db: &Database,
    tenant: TenantId,
    owner: E::Column,
    since: Instant,
    then: Instant,
) -> Result<()> {
    let tx = db.begin().await?;
    for column in [E::CREATED_AT, E::UPDATED_AT] {
        E::update_many()
            .col_expr(column, Expr::value(then))
            .filter(owner.eq(tenant))
            .filter(column.gte(since))
            .exec(&tx)
            .await?;
    }
    AuditEntries::update_many()
        .col_expr(Noted::At, Expr::value(then))
        .filter(Noted::TenantId.eq(tenant))
        .filter(Noted::Record.eq(audit::table::<E>()))
        .filter(Noted::At.gte(since))
        .exec(&tx)
        .await?;
    tx.commit().await
}
