//! Writes of many rows in one statement. The columns are those that the rows set; tenant, version and times
//! are set here.
//!
//! The written rows are returned, because a caller that writes thousands of them reports them in its own way:
//! the history has no entries for them unless the method says so.

use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait,
    FromQueryResult, IdenStatic, Iterable, ModelTrait, QueryFilter, QueryResult, QuerySelect, Statement,
    Value,
    sea_query::{Expr, IntoCondition},
};
use values::{
    clock::now,
    error::{Error, Result},
};

use super::{
    Owner, Part, Recorded, Scope, Unique, numbered_table, owner::owner_of, sorted_naturally, unnumbered,
};
use crate::{
    audit::{self, Action},
    bulk::Rows,
    constraint::violated_key,
    database::Write,
    versioned_cache::{PricePart, PriceRole},
};

/// Table whose rows are found by a natural key.
pub trait Keyed: Recorded {
    /// Columns of the unique index that finds a row. In a tenant's table the index begins with the tenant,
    /// which is not listed here, so that no key ever finds a row of another tenant.
    const KEY: &'static [Self::Column];
}

impl Scope {
    /// Inserts rows for the acting tenant, or updates those with the same key and increments their versions.
    /// Returns all rows as stored, in no particular order. Keys must be unique among the rows.
    ///
    /// All rows must set the same columns. Ids, versions, times and tenants that they set are ignored. No
    /// history entry is noted.
    pub async fn upsert<E: Keyed>(&self, tx: &Write, rows: Vec<E::ActiveModel>) -> Result<Vec<E::Model>>
    where
        E::ActiveModel: ActiveModelTrait<Entity = E>,
    {
        let mut rows = self.first_versions::<E>(rows)?;
        for row in &mut rows {
            row.not_set(E::ID);
        }
        let Some(first) = rows.first() else { return Ok(Vec::new()) };
        let set = changing_columns::<E>(first);
        let written = models::<E>(self.upsert_giving::<E>(tx, rows, &returning::<E>()).await?)?;
        self.outdates_set::<E>(tx, &set, &written);
        Ok(written)
    }

    /// Upserts rows whose new ones use the ids that they set ([`Scope::reserve_ids`]). Returns id and version
    /// of each row: they show if another writer has taken the same key meanwhile.
    pub async fn upsert_reserved<E: Keyed>(
        &self,
        tx: &Write,
        rows: Vec<E::ActiveModel>,
    ) -> Result<Vec<(i64, i64)>>
    where
        E::ActiveModel: ActiveModelTrait<Entity = E>,
    {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let rows = self.first_versions::<E>(rows)?;
        self.outdates_drafts::<E>(tx, &rows);
        let returning = format!("RETURNING {}, {}", quoted(E::ID), quoted(E::VERSION));
        let written = self.upsert_giving::<E>(tx, rows, &returning).await?;
        let tell = |row: &QueryResult| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?));
        Ok(written.iter().map(tell).collect::<Result<_, DbErr>>()?)
    }

    fn first_versions<E: Recorded>(&self, rows: Vec<E::ActiveModel>) -> Result<Vec<E::ActiveModel>> {
        let now = now();
        rows.into_iter().map(|row| self.first_version::<E>(row, now)).collect()
    }

    /// Upserts rows and returns the columns that `returning` lists.
    async fn upsert_giving<E: Keyed>(
        &self,
        tx: &Write,
        mut rows: Vec<E::ActiveModel>,
        returning: &str,
    ) -> Result<Vec<QueryResult>>
    where
        E::ActiveModel: ActiveModelTrait<Entity = E>,
    {
        // A fixed order, so that two writers of the same keys cannot deadlock.
        rows.sort_by_cached_key(|row| E::KEY.iter().map(|column| text(row.get(*column))).collect::<Vec<_>>());
        let Some(first) = rows.first() else { return Ok(Vec::new()) };
        let tenant = owner_of::<E>();
        let key = tenant.iter().chain(E::KEY);
        let set = changing_columns::<E>(first).into_iter();
        let assignments: Vec<_> = set.map(|column| format!("{0} = excluded.{0}", quoted(column))).collect();
        let rest = format!(
            "ON CONFLICT ({}) DO UPDATE SET {}, {version} = \"{}\".{version} + 1 {returning}",
            key.map(|column| quoted(*column)).collect::<Vec<_>>().join(", "),
            assignments.join(", "),
            audit::table::<E>(),
            version = quoted(E::VERSION),
        );
        columns::<E>(&rows)?.insert(&tx.for_tenant(self.writes_only::<E>()), audit::table::<E>(), &rest).await
    }

    /// Reserves `count` ids for rows that are inserted later.
    pub async fn reserve_ids<E: Keyed>(&self, tx: &Write, count: usize) -> Result<Vec<i64>> {
        self.claim::<E>()?;
        if count == 0 {
            return Ok(Vec::new());
        }
        let (backend, count) = (tx.get_database_backend(), i64::try_from(count).map_err(Error::internal)?);
        let (table, id) = (audit::table::<E>(), E::ID.as_str());
        if backend == DbBackend::Postgres {
            let next = format!(
                "SELECT nextval((SELECT pg_get_serial_sequence('\"{table}\"', '{id}')::regclass)) FROM generate_series(1, $1)"
            );
            let rows =
                tx.query_all_raw(Statement::from_sql_and_values(backend, next, [count.into()])).await?;
            return Ok(rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?);
        }
        // SQLite's counter of a table has no row until the first row of the table
        let first = "INSERT INTO sqlite_sequence (name, seq) SELECT $1, 0 \
            WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = $1)";
        tx.execute_raw(Statement::from_sql_and_values(backend, first, [table.into()])).await?;
        let next = "UPDATE sqlite_sequence SET seq = seq + $1 WHERE name = $2 RETURNING seq";
        let values = [count.into(), table.into()];
        let row = tx.query_one_raw(Statement::from_sql_and_values(backend, next, values)).await?;
        let last: i64 = row.ok_or_else(|| Error::internal("a table counts no ids"))?.try_get_by_index(0)?;
        Ok((last - count + 1..=last).collect())
    }

    /// Recreates deleted rows under the ids that they set. Returns those that were created; a row whose id or
    /// key exists again is skipped. No history entry is noted.
    pub async fn recreate_rows<E: Keyed>(
        &self,
        tx: &Write,
        rows: Vec<E::ActiveModel>,
    ) -> Result<Vec<E::Model>>
    where
        E::ActiveModel: ActiveModelTrait<Entity = E>,
    {
        let rows = self.first_versions::<E>(rows)?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let rest = format!("ON CONFLICT DO NOTHING {}", returning::<E>());
        let results = columns::<E>(&rows)?
            .insert(&tx.for_tenant(self.writes_only::<E>()), audit::table::<E>(), &rest)
            .await;
        let inserted = models::<E>(results?)?;
        self.outdates_rows::<E>(tx, &inserted);
        Ok(inserted)
    }

    /// Deletes unreferenced rows that the caller may write and that the transaction has locked. No history
    /// entry is noted.
    #[expect(clippy::disallowed_methods, reason = "the one place that deletes many")]
    pub async fn delete_many<E: Recorded>(&self, tx: &Write, ids: Vec<i64>) -> Result<()> {
        self.claim::<E>()?;
        if ids.is_empty() {
            return Ok(());
        }
        if let Some(numbered) = numbered_table::<E>() {
            numbered.remember_deleted(tx, self.tenant, &ids).await?;
        }
        let condition = self.condition::<E>().add(E::ID.is_in(ids));
        match E::PRICES {
            Some(PriceRole::OfList { list, article }) => {
                let rows = E::find().filter(condition.clone()).select_only().columns([list, article]);
                for (list, article) in rows.into_tuple().all(tx).await? {
                    self.outdates_part::<E>(tx, Some(PricePart::List(list)), [Some(article)]);
                }
            }
            Some(PriceRole::Stocks { article, .. }) => {
                let rows = E::find().filter(condition.clone()).select_only().column(article).distinct();
                let articles: Vec<i64> = rows.into_tuple().all(tx).await?;
                self.outdates_part::<E>(tx, Some(PricePart::Stocks), articles.into_iter().map(Some));
            }
            _ => self.outdates::<E>(tx),
        }
        E::delete_many().filter(condition).exec(&tx.for_tenant(self.writes_only::<E>())).await?;
        Ok(())
    }

    /// Updates rows that the caller may write, given as the old row and the columns to set, which must be the
    /// same in all. Increments their versions, notes a history entry for each, and returns them as stored, in
    /// no particular order. If a row belongs to another owner it counts as not found, and no row is updated.
    pub async fn update_many<E: Recorded>(
        &self,
        tx: &Write,
        rows: Vec<(E::Model, E::ActiveModel)>,
    ) -> Result<Vec<E::Model>>
    where
        E::ActiveModel: ActiveModelTrait<Entity = E>,
    {
        self.claim::<E>()?;
        let owner = owner_of::<E>();
        let (now, expected) = (now(), rows.len());
        let (mut before, mut changes) = (std::collections::HashMap::new(), Vec::new());
        for (row, mut change) in rows {
            for column in [E::VERSION, E::CREATED_AT].into_iter().chain(owner) {
                change.not_set(column);
            }
            change.set(E::ID, row.get(E::ID));
            change.set(E::UPDATED_AT, now.into());
            unnumbered::<E>(&mut change);
            sorted_naturally::<E>(&mut change)?;
            before.insert(audit::id(row.get(E::ID)), row);
            changes.push(change);
        }
        if changes.is_empty() {
            return Ok(Vec::new());
        }
        let table = audit::table::<E>();
        let besides = format!(", {0} = \"{table}\".{0} + 1", quoted(E::VERSION));
        let own = match E::OWNER {
            Owner::Platform => String::new(),
            Owner::Tenant(column) => format!("AND \"{table}\".{} = {} ", quoted(column), self.tenant()?),
            Owner::TenantOrPlatform(column) | Owner::TenantOrZero(column) => match self.tenant {
                Some(tenant) => format!("AND \"{table}\".{} = {tenant} ", quoted(column)),
                None => String::new(),
            },
            Owner::User(column) => match self.user() {
                Some(user) => format!("AND \"{table}\".{} = {user} ", quoted(column)),
                None => String::new(),
            },
        };
        let rest = format!("{own}{}", returning::<E>());
        let written = columns::<E>(&changes)?
            .update(&tx.for_tenant(self.writes_only::<E>()), table, &besides, &rest)
            .await;
        let written = models::<E>(written?)?;
        if written.len() != expected {
            return Err(Error::not_found());
        }
        for row in &written {
            let before = before.get(&audit::id(row.get(E::ID))).ok_or_else(Error::not_found)?;
            self.outdates_change::<E>(tx, before, row);
            self.note::<E>(tx, Action::Changed, Some(before), Some(row));
        }
        Ok(written)
    }

    /// Replaces a unique text by a placeholder, which no folded text equals, in rows that are about to get
    /// another one, so that they can exchange texts. Does not count as a change: versions stay the same.
    #[expect(clippy::disallowed_methods, reason = "the one place that takes unique texts away")]
    pub async fn replace_by_placeholder<E: Recorded>(
        &self,
        tx: &Write,
        text: E::Column,
        ids: Vec<i64>,
    ) -> Result<()> {
        self.claim::<E>()?;
        if ids.is_empty() {
            return Ok(());
        }
        self.outdates::<E>(tx);
        let placeholder = Expr::cust(format!("'ID' || CAST({} AS text)", quoted(E::ID)));
        E::update_many()
            .col_expr(text, placeholder)
            .filter(self.condition::<E>().add(E::ID.is_in(ids)))
            .exec(&tx.for_tenant(self.writes_only::<E>()))
            .await?;
        Ok(())
    }

    /// Adds parts that report on work done to a row, which are not noted in the history, to a row that the
    /// caller may write.
    pub async fn insert_parts<P: Part>(
        &self,
        tx: &Write,
        whole: i64,
        parts: Vec<P::ActiveModel>,
    ) -> Result<()> {
        self.claim::<P::Whole>()?;
        self.outdates::<P::Whole>(tx);
        let mut parts = parts;
        for part in &mut parts {
            part.set(P::WHOLE, whole.into());
            if let Some(column) = P::TENANT {
                part.set(column, self.tenant()?.into());
            }
        }
        if !parts.is_empty() {
            columns::<P>(&parts)?
                .insert(&tx.for_tenant(self.writes_only::<P::Whole>()), audit::table::<P>(), "")
                .await?;
        }
        Ok(())
    }

    /// Adds parts with the results of rows that this transaction has written, which are not noted in the
    /// history. Existing parts with the same unique key are left unchanged.
    pub async fn insert_missing_parts<P: Part>(&self, tx: &Write, parts: Vec<P::ActiveModel>) -> Result<()> {
        self.claim::<P::Whole>()?;
        if parts.is_empty() {
            return Ok(());
        }
        self.outdates::<P::Whole>(tx);
        let rows = columns::<P>(&parts)?;
        let rest = "ON CONFLICT DO NOTHING";
        rows.insert(&tx.for_tenant(self.writes_only::<P::Whole>()), audit::table::<P>(), rest).await?;
        Ok(())
    }

    /// Replaces parts of rows that this transaction has written: deletes those that match `removed` and
    /// inserts `added`. The caller reports the change.
    #[expect(clippy::disallowed_methods, reason = "the one place that replaces parts of many rows")]
    pub async fn replace_parts<P: Part>(
        &self,
        tx: &Write,
        removed: impl IntoCondition,
        added: Vec<P::ActiveModel>,
    ) -> Result<()> {
        self.claim::<P::Whole>()?;
        self.outdates::<P::Whole>(tx);
        let tx = tx.for_tenant(self.writes_only::<P::Whole>());
        P::delete_many().filter(removed.into_condition()).exec(&tx).await?;
        if !added.is_empty() {
            columns::<P>(&added)?.insert(&tx, audit::table::<P>(), "").await?;
        }
        Ok(())
    }
}

fn quoted(column: impl IdenStatic) -> String {
    format!("\"{}\"", column.as_str())
}

fn returning<E: EntityTrait>() -> String {
    let columns: Vec<_> = E::Column::iter().map(quoted).collect();
    format!("RETURNING {}", columns.join(", "))
}

fn set_columns<E: EntityTrait>(row: &E::ActiveModel) -> Vec<E::Column> {
    E::Column::iter().filter(|column| matches!(row.get(*column), ActiveValue::Set(_))).collect()
}

/// Columns that an update of an existing row sets.
fn changing_columns<E: Keyed>(row: &E::ActiveModel) -> Vec<E::Column>
where
    E::ActiveModel: ActiveModelTrait<Entity = E>,
{
    let (fixed, tenant) = ([E::ID, E::VERSION, E::CREATED_AT], owner_of::<E>());
    let is_fixed = |column: &E::Column| {
        fixed.iter().chain(E::KEY).chain(&tenant).any(|fixed| fixed.as_str() == column.as_str())
    };
    set_columns::<E>(row).into_iter().filter(|column| !is_fixed(column)).collect()
}

/// Columns that the rows set, in the order of the first row. All rows must set the same ones.
fn columns<E: EntityTrait>(rows: &[E::ActiveModel]) -> Result<Rows> {
    let mut written = Rows::default();
    let Some(first) = rows.first() else { return Ok(written) };
    let set = set_columns::<E>(first);
    if rows.iter().any(|row| set_columns::<E>(row).len() != set.len()) {
        return Err(Error::internal("the rows of a mass write set different columns"));
    }
    for column in set {
        let value = |row: &E::ActiveModel| match row.get(column) {
            ActiveValue::Set(value) => Ok(value),
            _ => Err(Error::internal("the rows of a mass write set different columns")),
        };
        let values = rows.iter().map(value).collect::<Result<Vec<_>>>()?;
        written.with(column.as_str(), values)?;
    }
    Ok(written)
}

fn models<E: EntityTrait>(rows: Vec<QueryResult>) -> Result<Vec<E::Model>> {
    Ok(rows.iter().map(|row| E::Model::from_query_result(row, "")).collect::<Result<_, _>>()?)
}

fn text(value: ActiveValue<Value>) -> String {
    value.into_value().map(|value| value.to_string()).unwrap_or_default()
}

/// True if a write failed because another one has taken a natural key meanwhile.
pub fn is_key_taken<E: Keyed>(error: &DbErr) -> bool {
    let columns = owner_of::<E>().into_iter().chain(E::KEY.iter().copied());
    let columns: Vec<_> = columns.map(|column| column.as_str().to_owned()).collect();
    let name = format!("{}_{}_key", audit::table::<E>(), columns.join("_"));
    // an index whose name would be too long has another one
    let violated = violated_key(error);
    let is_named = |unique: &&Unique| unique.by_columns == Some(&*name);
    violated.is_some_and(|violated| {
        violated == name || E::UNIQUE.iter().find(is_named).is_some_and(|unique| unique.is(&violated))
    })
}
