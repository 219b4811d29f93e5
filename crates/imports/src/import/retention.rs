//! Retention of uploaded files and refused rows. The import itself, with its result, is stored permanently.

use std::collections::HashSet;

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::Expr,
};
use storage::Storage;
use store::{Database, retention};
use values::{Error, Instant, Result};

use super::{Column, FOLDER, Import, Imports, refusal};
use crate::{
    codes,
    import::{
        refusal::Refusals,
        row::months::{self, FILES_KEPT},
    },
    unresolved,
};

const KEYS_PER_QUERY: usize = 500;

impl Import {
    /// True if the uploaded file and the refused rows are still stored.
    pub fn files_kept(&self) -> bool {
        !self.upload_key.is_empty()
    }

    /// Refuses an import whose files are deleted.
    pub fn check_files_kept(&self) -> Result<()> {
        if self.files_kept() {
            return Ok(());
        }
        Err(Error::from(codes::FILES_FORGOTTEN.with("days", FILES_KEPT.num_days())))
    }
}

/// Deletes files and rows of imports that ended long ago, and files without an import.
#[expect(clippy::disallowed_methods, reason = "as time goes by, of all tenants")]
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
        let tx = db.begin().await?;
        let forgotten = Imports::update_many().col_expr(Column::UploadKey, Expr::value(""));
        forgotten.filter(Column::Id.eq(import)).exec(&tx).await?;
        unresolved::forget_rows(&tx, tenant, import).await?;
        tx.commit().await?;
        storage.discard(&key).await;
    }
    months::forget(db, now).await?;
    discard_unnamed(db, storage).await
}

/// Next import whose files have expired.
#[expect(clippy::disallowed_methods, reason = "as time goes by, of all tenants")]
async fn next(db: &impl ConnectionTrait, now: Instant) -> Result<Option<(i64, i64, String)>> {
    let ended = Imports::find()
        .select_only()
        .columns([Column::TenantId, Column::Id, Column::UploadKey])
        .filter(Column::FinishedAt.lt(now - FILES_KEPT))
        // literally the condition of the partial index
        .filter(Condition::all().add(Expr::cust("upload_key <> ''")))
        .order_by_asc(Column::FinishedAt);
    Ok(ended.into_tuple().one(db).await?)
}

/// Deletes files of a process that crashed after storing the file and before writing its row.
#[expect(clippy::disallowed_methods, reason = "asks for the names of files, of all tenants")]
async fn discard_unnamed(db: &impl ConnectionTrait, storage: &Storage) -> Result<()> {
    for keys in storage.keys_older_than_a_day(FOLDER).await?.chunks(KEYS_PER_QUERY) {
        let select =
            Imports::find().select_only().column(Column::UploadKey).filter(Column::UploadKey.is_in(keys));
        let used_keys: HashSet<String> = select.into_tuple::<String>().all(db).await?.into_iter().collect();
        for key in keys.iter().filter(|key| !used_keys.contains(*key)) {
            storage.discard(key).await;
        }
    }
    Ok(())
}
