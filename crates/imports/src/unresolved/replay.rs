//! Replays: rows that have waited for a number are imported again in files of their own.

use std::collections::{BTreeMap, HashSet};

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    Select,
    sea_query::{Alias, Expr, ExprTrait, Query, SelectStatement},
};
use storage::Storage;
use store::{Database, Scope, Write};
use values::{Language, Result};

use super::{UnresolvedNumbers, UnresolvedRows, row_entity, waiting_row_counts};
use crate::{
    codes,
    import::{
        self, Import, Imports,
        replay_cause::ReplayCause,
        report,
        settings::Settings,
        upload::{self, ImportInput, ReplayedImport},
        uploader::{self, Uploader},
    },
    registry::Registry,
};

const LINES_PER_QUERY: usize = 500;

/// Replay of the rows that wait for numbers.
pub struct Replay<'a> {
    pub db: &'a Database,
    pub storage: &'a Storage,
    pub registry: &'a Registry,
    pub by: Uploader<'a>,
    /// Cause; an automatic replay includes only rows that `by` has uploaded.
    pub cause: ReplayCause,
}

/// Stored file of waiting rows, ready to be queued.
struct PreparedReplay {
    import: Import,
    stored: storage::StoredFile,
    lines: Vec<i64>,
}

impl Replay<'_> {
    /// Queues the rows that wait for these numbers once more, those of each import as an import of its own,
    /// oldest first, in one transaction with `then`. Rows that the caller may not import continue to wait.
    /// Numbers for which no row waits any more are deleted.
    pub async fn run<T>(
        &self,
        numbers: &[i64],
        then: impl AsyncFnOnce(&Write) -> Result<T>,
    ) -> Result<(T, Vec<Import>)> {
        let prepared = self.prepare(numbers).await?;
        let keys: Vec<String> = prepared.iter().map(|prepared| prepared.stored.key.clone()).collect();
        let queued = self.queue(numbers, prepared, then).await;
        if queued.is_err() {
            for key in keys {
                self.storage.discard(&key).await;
            }
        }
        queued
    }

    async fn prepare(&self, numbers: &[i64]) -> Result<Vec<PreparedReplay>> {
        let scope = self.by.scope;
        let rows = rows_with_numbers(scope, numbers)
            .filter(Expr::exists(select_other_numbers(numbers)).not())
            .select_only()
            .columns([row_entity::Column::ImportId, row_entity::Column::Line])
            .distinct()
            .order_by_asc(row_entity::Column::ImportId)
            .order_by_asc(row_entity::Column::Line);
        let mut lines: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for (import, line) in rows.into_tuple::<(i64, i64)>().all(self.db).await? {
            lines.entry(import).or_default().push(line);
        }
        let mut prepared = Vec::new();
        for (id, lines) in lines {
            let import = scope.get::<Imports>(self.db, id).await?;
            let is_skipped = self.cause == ReplayCause::Automatic && import.principal() != scope.principal();
            if is_skipped
                || !import.files_kept()
                || uploader::check(self.registry, scope, self.by.rights, import.r#type).is_err()
            {
                continue;
            }
            let some = report::Lines::These(lines.iter().copied().collect::<HashSet<_>>());
            let file =
                report::refused_rows(self.db, scope, self.storage, &import, self.language(&import), some)
                    .await?;
            let stored = self.storage.store_file(import::FOLDER, file).await?;
            prepared.push(PreparedReplay { import, stored, lines });
        }
        Ok(prepared)
    }

    async fn queue<T>(
        &self,
        numbers: &[i64],
        prepared: Vec<PreparedReplay>,
        then: impl AsyncFnOnce(&Write) -> Result<T>,
    ) -> Result<(T, Vec<Import>)> {
        let scope = self.by.scope;
        let tx = self.db.begin().await?;
        let done = then(&tx).await?;
        let mut queued = Vec::new();
        for PreparedReplay { import, stored, lines } in prepared {
            // two concurrent replays import each row once
            if release(&tx, scope, import.id, &lines).await? != lines.len() {
                return Err(codes::STALE.into());
            }
            let input = ImportInput {
                name: import.name.clone(),
                aim: import.aim_id,
                mapping: import.mapping.clone(),
                settings: import.settings.as_ref().map(Settings::for_rewritten_file),
                replays: Some(ReplayedImport {
                    import: import.id,
                    cause: self.cause,
                    number_style: import.number_style.clone(),
                }),
                ..ImportInput::new(import.r#type, &*import.upload_file)
            };
            let by = Uploader { language: self.language(&import), ..self.by };
            queued.push(upload::queue(&tx, by, input, &stored).await?);
        }
        wait_for_others_only(&tx, scope, numbers).await?;
        let waiting_counts = waiting_row_counts(&tx, scope, numbers.iter().copied()).await?;
        for id in numbers.iter().filter(|id| !waiting_counts.contains_key(id)) {
            scope.delete::<UnresolvedNumbers>(&tx, *id).await?;
        }
        tx.commit().await?;
        Ok((done, queued))
    }

    /// Language of messages about a replay: without a request, that of the rows' own upload.
    fn language(&self, import: &Import) -> Language {
        match self.cause {
            ReplayCause::Automatic => import.language(),
            ReplayCause::Request | ReplayCause::Correction => self.by.language,
        }
    }
}

/// Rows that wait for these numbers.
fn rows_with_numbers(scope: &Scope, numbers: &[i64]) -> Select<UnresolvedRows> {
    scope.parts::<UnresolvedRows>(numbers.iter().copied())
}

/// Condition that a row also waits for other numbers.
fn select_other_numbers(numbers: &[i64]) -> SelectStatement {
    use row_entity::Column as Row;
    let other = Alias::new("other");
    let same = |column: Row| Expr::col((other.clone(), column)).equals((UnresolvedRows, column));
    let mut others = Query::select();
    others
        .expr(Expr::value(1))
        .from_as(UnresolvedRows, other.clone())
        .and_where(same(Row::TenantId))
        .and_where(same(Row::ImportId))
        .and_where(same(Row::Line))
        .and_where(Expr::col((other.clone(), Row::UnresolvedNumberId)).is_not_in(numbers.iter().copied()));
    others
}

/// Ends the waiting of these rows; returns the number of rows that were still waiting.
#[expect(clippy::disallowed_methods, reason = "rows of numbers that the scope has shown")]
async fn release(tx: &Write, scope: &Scope, import: i64, lines: &[i64]) -> Result<usize> {
    let tenant = scope.tenant()?;
    let mut released = HashSet::new();
    for some in lines.chunks(LINES_PER_QUERY) {
        let which = Condition::all()
            .add(row_entity::Column::TenantId.eq(tenant))
            .add(row_entity::Column::ImportId.eq(import))
            .add(row_entity::Column::Line.is_in(some.iter().copied()));
        let mut rows = UnresolvedRows::find().filter(which.clone());
        if tx.get_database_backend() != DbBackend::Sqlite {
            rows = rows.lock_exclusive();
        }
        released.extend(rows.all(tx).await?.into_iter().map(|row| row.line));
        UnresolvedRows::delete_many().filter(which).exec(tx).await?;
    }
    Ok(released.len())
}

/// Makes rows that also wait for other numbers wait for those only.
#[expect(clippy::disallowed_methods, reason = "rows of numbers that the scope has shown")]
async fn wait_for_others_only(tx: &Write, scope: &Scope, numbers: &[i64]) -> Result<()> {
    UnresolvedRows::delete_many()
        .filter(row_entity::Column::TenantId.eq(scope.tenant()?))
        .filter(row_entity::Column::UnresolvedNumberId.is_in(numbers.iter().copied()))
        .filter(Expr::exists(select_other_numbers(numbers)))
        .exec(tx)
        .await?;
    Ok(())
}
