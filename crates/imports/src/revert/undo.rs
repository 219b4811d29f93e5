//! Undo of a whole import: an import of the same type without a file, whose lines are those of the other
//! import that have changed something. It waits in the same queue, is recorded in the same way, and can
//! itself be undone.

use std::collections::HashMap;

use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter, QuerySelect};
use store::{Database, Scope, constraint::violated_key};
use values::{Error, Permission, Result, fold, now};

use crate::{
    codes,
    import::{
        ActiveModel, Column, Import, ImportStatus, Imports,
        queued_row::queued_row,
        row::{Outcome, months::CHANGES_KEPT},
        uploader::{Uploader, check_rights},
    },
    import_type::ImportType,
    record_permissions,
    registry::Registry,
    unresolved,
};

/// Index that permits one undo of an import, unless the undo failed or was cancelled.
const UNDONE_ONCE: &str = "import_undoes_key";

impl ImportType {
    /// Permissions for an undo, which deletes created records.
    pub fn needs_to_undo(self) -> Vec<Permission> {
        let besides: &[Permission] = match self {
            Self::Article => &[record_permissions::DELETE_ARTICLE],
            Self::Listing => &[record_permissions::DELETE_STOCK, record_permissions::DELETE_PRICE],
            Self::Price => &[record_permissions::DELETE_PRICE],
            Self::Stock => &[record_permissions::DELETE_STOCK],
            Self::Matching => &[record_permissions::DELETE_MATCHING],
            Self::DeleteMatchings => &[record_permissions::CREATE_MATCHING],
            Self::ShippingNode => &[record_permissions::DELETE_SHIPPING_NODE],
            Self::PriceList | Self::ExternalApiMetaData | Self::ShippingLeg => &[],
        };
        self.needs().iter().chain(besides).copied().collect()
    }
}

impl Import {
    /// Permissions that the principal of the import needs.
    pub fn needs(&self) -> Vec<Permission> {
        match self.undoes {
            Some(_) => self.r#type.needs_to_undo(),
            None => self.r#type.needs_of(self.strategy),
        }
    }

    /// Refuses an import that cannot be undone, independent of the caller.
    fn check_undoable(&self) -> Result<()> {
        if self.dry_run || !self.is_final() {
            return Err(codes::IMPORT_NOT_UNDOABLE.into());
        }
        if self.row_counts().sum([Outcome::Created, Outcome::Updated, Outcome::Removed, Outcome::Held]) == 0 {
            return Err(codes::NOTHING_TO_UNDO.into());
        }
        if self.finished_at.is_none_or(|finished| finished < now() - CHANGES_KEPT) {
            return Err(codes::ROWS_FORGOTTEN.with("days", CHANGES_KEPT.num_days()).into());
        }
        Ok(())
    }

    /// True if the import has changes that are still recorded and can be undone.
    pub fn is_undoable(&self) -> bool {
        self.check_undoable().is_ok()
    }
}

/// Queues the undo of an import; a dry run only records the result of each row.
pub async fn undo(
    db: &Database,
    registry: &Registry,
    by: Uploader<'_>,
    id: i64,
    dry_run: bool,
) -> Result<Import> {
    let Uploader { scope, rights, .. } = by;
    let undone = scope.get::<Imports>(db, id).await?;
    let scope = scope.acting_for(Some(values::TenantId(undone.tenant_id)));
    check_rights(rights, &undone.r#type.needs_to_undo())?;
    registry.claim(undone.r#type, &scope)?;
    registry.get(undone.r#type)?.writer(db, &scope, undone.aim_id).await?;
    undone.check_undoable()?;

    let tx = db.begin().await?;
    if undos_of(&tx, &scope, [id]).await?.contains_key(&id) {
        return Err(codes::ALREADY_UNDONE.into());
    }
    let row = ActiveModel {
        name_fold: Set(fold(undone.name.as_deref().unwrap_or_default())),
        search_fold: Set(undone.search_fold),
        name: Set(undone.name),
        r#type: Set(undone.r#type),
        dry_run: Set(dry_run),
        undoes: Set(Some(id)),
        aim_id: Set(undone.aim_id),
        upload_file: Set(undone.upload_file),
        ..queued_row(&by)
    };
    let import = scope.create::<Imports>(&tx, row).await.map_err(undone_meanwhile)?;
    if !dry_run {
        // waiting rows would be imported later, so they belong to the undone import
        unresolved::forget_rows(&tx, undone.tenant_id, id).await?;
    }
    tx.commit().await?;
    Ok(import)
}

/// Queues the undo of an import, or returns the existing one.
pub(crate) async fn undo_once(
    db: &Database,
    registry: &Registry,
    by: Uploader<'_>,
    id: i64,
) -> Result<Import> {
    match undo(db, registry, by, id, false).await {
        Err(error) if error.code() == codes::ALREADY_UNDONE => {
            let undos = undos_of(db, by.scope, [id]).await?;
            by.scope.get::<Imports>(db, *undos.get(&id).ok_or(error)?).await
        }
        queued => queued,
    }
}

/// Error if another request has queued the undo first.
fn undone_meanwhile(error: Error) -> Error {
    match error {
        Error::Database(error) if violated_key(&error).as_deref() == Some(UNDONE_ONCE) => {
            codes::ALREADY_UNDONE.into()
        }
        error => error,
    }
}

/// Undos of these imports that have not failed.
pub async fn undos_of(
    db: &impl ConnectionTrait,
    scope: &Scope,
    imports: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, i64>> {
    let undos: Vec<(Option<i64>, i64)> = scope
        .find::<Imports>()
        .select_only()
        .columns([Column::Undoes, Column::Id])
        .filter(Column::Undoes.is_in(imports))
        .filter(Column::DryRun.eq(false))
        .filter(Column::Status.is_not_in([ImportStatus::Failed, ImportStatus::Cancelled]))
        .into_tuple()
        .all(db)
        .await?;
    Ok(undos.into_iter().filter_map(|(undone, id)| Some((undone?, id))).collect())
}

#[cfg(test)]
mod tests;
