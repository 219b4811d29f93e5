//! Usages of a record: shown before it is deleted, and the reason why it cannot be. The referring resources
//! declare them ([`crate::resource`]).

use std::collections::HashSet;

use sea_orm::{ConnectionTrait, DbErr, QueryResult, QuerySelect, Statement};
use values::{
    error::{Error, Result},
    id::TenantId,
    in_use::{Example, ResourceName, Usage, Usages},
};

use crate::{
    database::{Database, Write},
    resource,
    scope::{self, Owner, Recorded, Scope},
};

/// Usages of a record that the caller may see.
pub async fn find_usages<E: Recorded>(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<Usages> {
    let row = scope.get::<E>(db, id).await?;
    let tenant = scope::tenant_of::<E>(&row);
    let mut usages = Vec::new();
    for (resource, reference) in resource::referring_to(E::RESOURCE) {
        let Some((count, examples)) = reference.records(scope, tenant, id) else { continue };
        let counted = db.query_one(&count).await?;
        let count: i64 = counted.map(|row| row.try_get("", "total")).transpose()?.unwrap_or_default();
        if count == 0 {
            continue;
        }
        let examples = if scope.may(resource.list) {
            let rows = db.query_all(&examples).await?;
            rows.iter().map(example).collect::<Result<_, DbErr>>()?
        } else {
            Vec::new()
        };
        usages.push(Usage {
            by: ResourceName { on_the_wire: resource.name, words: resource.words },
            filter: reference.field,
            count: count.unsigned_abs(),
            examples,
        });
    }
    Ok(Usages(usages))
}

/// Returns those of these records that others refer to. `tenant` is their owner, if they belong to a tenant.
pub async fn used<E: Recorded>(
    db: &impl ConnectionTrait,
    tenant: Option<TenantId>,
    ids: &[i64],
) -> Result<HashSet<i64>> {
    let tenant = tenant.filter(|_| matches!(E::OWNER, Owner::Tenant(_)));
    let mut used = HashSet::new();
    for (_, reference) in resource::referring_to(E::RESOURCE) {
        let Some(among) = reference.among(tenant, ids).filter(|_| !ids.is_empty()) else { continue };
        let statement = Statement::from_string(db.get_database_backend(), among);
        for row in db.query_all_raw(statement).await? {
            used.insert(row.try_get_by_index(0)?);
        }
    }
    Ok(used)
}

fn refuse(usages: Usages) -> Result<()> {
    if usages.0.is_empty() { Ok(()) } else { Err(Error::InUse(usages)) }
}

fn example(row: &QueryResult) -> Result<Example, DbErr> {
    Ok(Example { id: row.try_get("", "id")?, name: row.try_get("", "name")? })
}

/// Deletes an unused row if `check` allows it. The error names usages, including those that begin meanwhile.
pub async fn delete<E: Recorded>(
    db: &Database,
    scope: &Scope,
    id: i64,
    check: impl FnOnce(&E::Model) -> Result<()>,
) -> Result<()> {
    delete_within::<E>(db, db.begin().await?, scope, id, check).await
}

/// Deletes like [`delete`], for a table whose writes lock it as a whole ([`Database::begin_alone`]). Locking
/// the row before the table could deadlock with the writers that wait for the row.
pub async fn delete_alone<E: Recorded>(
    db: &Database,
    scope: &Scope,
    id: i64,
    check: impl FnOnce(&E::Model) -> Result<()>,
) -> Result<()> {
    delete_within::<E>(db, db.begin_alone::<E>().await?, scope, id, check).await
}

/// Deletes within a transaction. New references to the row wait for its lock, so that nothing deleted with
/// the row is lost.
async fn delete_within<E: Recorded>(
    db: &Database,
    tx: Write,
    scope: &Scope,
    id: i64,
    check: impl FnOnce(&E::Model) -> Result<()>,
) -> Result<()> {
    release::<E>(&tx, scope, id, check).await?;
    match scope.delete::<E>(&tx, id).await {
        Err(error @ Error::InUse(_)) => {
            tx.rollback().await?;
            refuse(find_usages::<E>(db, scope, id).await?)?;
            Err(error)
        }
        outcome => {
            outcome?;
            tx.commit().await
        }
    }
}

/// Locks a row that may be deleted, in a transaction that the caller ends.
///
/// # Errors
/// The same as for a deletion.
pub async fn release<E: Recorded>(
    tx: &Write,
    scope: &Scope,
    id: i64,
    check: impl FnOnce(&E::Model) -> Result<()>,
) -> Result<E::Model> {
    let row = scope.lockable::<E>(tx, id).await?.lock_exclusive().one(tx).await?;
    let row = row.ok_or_else(Error::not_found)?;
    scope.claim::<E>()?;
    refuse(find_usages::<E>(tx, scope, id).await?)?;
    check(&row)?;
    Ok(row)
}
