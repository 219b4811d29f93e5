//! Uploaded files and refused rows are kept for a while; that there was an import, and how it ended, stays.

use std::collections::HashSet;

use chrono::TimeDelta;
use kernel::{Code, Database, Error, Instant, Result, past, retention};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::Expr,
};
use storage::Storage;

use super::{Column, FOLDER, Import, Imports, refusal, row};
use crate::{
    import::{
        refusal::Refusals,
        row::{ImportRows, Outcome},
    },
    unresolved,
};

/// Counted from the end of an import.
pub const FILES_KEPT: TimeDelta = TimeDelta::days(90);

/// The rows that have changed a record, which are its history: as long as other entries.
pub const CHANGES_KEPT: TimeDelta = past::KEPT;

const KEYS_PER_QUERY: usize = 500;

impl Import {
    /// Whether the uploaded file and the refused rows are still there.
    pub fn files_kept(&self) -> bool {
        !self.upload_key.is_empty()
    }

    /// Refuses once they are gone.
    pub fn check_files_kept(&self) -> Result<()> {
        if self.files_kept() {
            return Ok(());
        }
        Err(Error::from(Code::FilesForgotten.with("days", FILES_KEPT.num_days())))
    }
}

/// Forgets files and rows of imports that ended long ago, and files that no import names.
#[expect(clippy::disallowed_methods, reason = "as time goes by, whoever they belong to")]
pub async fn clean_up(db: &Database, storage: &Storage, now: Instant) -> Result<()> {
    while let Some((tenant, import, key)) = next(db, now).await? {
        let lines = Refusals::find()
            .select_only()
            .column(refusal::Column::Line)
            .filter(refusal::Column::ImportId.eq(import))
            .limit(retention::BATCH);
        let some = Refusals::delete_many()
            .filter(refusal::Column::ImportId.eq(import))
            .filter(refusal::Column::Line.in_subquery(lines.into_query()));
        retention::in_batches(db, &some).await?;
        forget_rows(db, tenant, import, Some([Outcome::Unchanged, Outcome::Refused, Outcome::Unresolved]))
            .await?;
        let tx = db.begin().await?;
        let forgotten = Imports::update_many().col_expr(Column::UploadKey, Expr::value(""));
        forgotten.filter(Column::Id.eq(import)).exec(&tx).await?;
        unresolved::forget_rows(&tx, tenant, import).await?;
        tx.commit().await?;
        storage.discard(&key).await;
    }
    for (tenant, import) in with_outdated_rows(db, now).await? {
        forget_rows(db, tenant, import, None).await?;
    }
    discard_unnamed(db, storage).await
}

/// Forgets what became of rows: of these outcomes, or all.
#[expect(clippy::disallowed_methods, reason = "as time goes by, whoever they belong to")]
async fn forget_rows(db: &Database, tenant: i64, import: i64, which: Option<[Outcome; 3]>) -> Result<()> {
    let of_import = Condition::all()
        .add(row::Column::TenantId.eq(tenant))
        .add(row::Column::ImportId.eq(import))
        .add_option(which.map(|outcomes| row::Column::Outcome.is_in(outcomes)));
    let lines = ImportRows::find()
        .select_only()
        .column(row::Column::Line)
        .filter(of_import.clone())
        .limit(retention::BATCH);
    let some =
        ImportRows::delete_many().filter(of_import).filter(row::Column::Line.in_subquery(lines.into_query()));
    retention::in_batches(db, &some).await
}

/// Imports whose rows are no history any more and are still there. Imports and their rows are asked for
/// apart, tenant by tenant: a sharded database joins no local table with a distributed one.
#[expect(clippy::disallowed_methods, reason = "as time goes by, of all tenants")]
async fn with_outdated_rows(db: &impl ConnectionTrait, now: Instant) -> Result<Vec<(i64, i64)>> {
    let ended = Imports::find().select_only().filter(Column::FinishedAt.lt(now - CHANGES_KEPT));
    let tenants: Vec<i64> = ended.clone().column(Column::TenantId).distinct().into_tuple().all(db).await?;
    let mut outdated = Vec::new();
    for tenant in tenants {
        let imports = ended.clone().column(Column::Id).filter(Column::TenantId.eq(tenant));
        let imports: Vec<i64> = imports.into_tuple().all(db).await?;
        for imports in imports.chunks(KEYS_PER_QUERY) {
            let rows = ImportRows::find()
                .select_only()
                .column(row::Column::ImportId)
                .distinct()
                .filter(row::Column::TenantId.eq(tenant))
                .filter(row::Column::ImportId.is_in(imports.iter().copied()));
            let found: Vec<i64> = rows.into_tuple().all(db).await?;
            outdated.extend(found.into_iter().map(|import| (tenant, import)));
        }
    }
    Ok(outdated)
}

/// An import whose files have been kept long enough.
#[expect(clippy::disallowed_methods, reason = "as time goes by, whoever they belong to")]
async fn next(db: &impl ConnectionTrait, now: Instant) -> Result<Option<(i64, i64, String)>> {
    let ended = Imports::find()
        .select_only()
        .columns([Column::TenantId, Column::Id, Column::UploadKey])
        .filter(Column::FinishedAt.lt(now - FILES_KEPT))
        // literally as in the index
        .filter(Condition::all().add(Expr::cust("upload_key <> ''")))
        .order_by_asc(Column::FinishedAt);
    Ok(ended.into_tuple().one(db).await?)
}

/// What a process left behind that died between a file and its row.
#[expect(clippy::disallowed_methods, reason = "asks for the names of files, whoever they belong to")]
async fn discard_unnamed(db: &impl ConnectionTrait, storage: &Storage) -> Result<()> {
    for keys in storage.settled(FOLDER).await?.chunks(KEYS_PER_QUERY) {
        let named =
            Imports::find().select_only().column(Column::UploadKey).filter(Column::UploadKey.is_in(keys));
        let named: HashSet<String> = named.into_tuple::<String>().all(db).await?.into_iter().collect();
        for key in keys.iter().filter(|key| !named.contains(*key)) {
            storage.discard(key).await;
        }
    }
    Ok(())
}
