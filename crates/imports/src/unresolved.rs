//! External numbers that nothing matches: seen in rows of imports and in calls, counted, and kept with the rows that wait for
//! them; or candidates that a document of the other system names, for which nothing waits. Once a number is matched it is gone,
//! and its rows are imported again, as files of their own.

pub mod entity;
pub mod row_entity;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use kernel::{
    Code, Database, Field, Keyed, Listed, Owner, Part, Permission, Phrase, Recorded, Reference, Resource,
    Result, Scope, Scoped, Write, fold,
    search::{self, Searched},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, DbBackend, DeriveActiveEnum, EntityTrait, EnumIter, QueryFilter,
    QueryOrder, QuerySelect, Select,
    prelude::StringLen,
    sea_query::{Alias, Expr, ExprTrait, Query, SelectStatement},
};
use serde::{Deserialize, Serialize};
use storage::Storage;
use tenancy::tenant::Tenants;
use utoipa::ToSchema;

pub use self::entity::{ActiveModel, Column, Entity as UnresolvedNumbers, Model as UnresolvedNumber};
use crate::{
    import::{
        self, Import, ImportInput, Imports, Replayed, Uploader, report,
        strategy::{ReplaceScope, Strategy},
    },
    importer::Registry,
};
pub use unresolved_row::Entity as UnresolvedRows;

/// What a number is a number of.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    EnumIter,
    DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "snake_case")]
#[schema(as = UnresolvedKind)]
pub enum Kind {
    #[sea_orm(string_value = "article")]
    Article,
    #[sea_orm(string_value = "warehouse")]
    Warehouse,
    /// What the other system calls the tenant.
    #[sea_orm(string_value = "tenant")]
    Tenant,
}

/// Whether somebody cares about a number.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "snake_case")]
#[schema(as = UnresolvedState)]
pub enum State {
    #[sea_orm(string_value = "open")]
    Open,
    /// Nobody wants to hear of it.
    #[sea_orm(string_value = "ignored")]
    Ignored,
}

impl Scoped for UnresolvedNumbers {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for UnresolvedNumbers {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "unresolved_numbers",
        Phrase { de: "Nicht zugeordnete Nummern", en: "unmatched numbers" },
        Permission::ListMatchings,
    )
    .refers(&[Reference::of::<Self, Tenants>("tenant_id")]);
    const NAME: Column = Column::Number;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNNOTED: &'static [Column] = &[Column::Times, Column::ImportId];
}

impl Keyed for UnresolvedNumbers {
    const KEY: &'static [Column] = &[Column::Kind, Column::NumberFold];
}

impl Listed for UnresolvedNumbers {
    const FIELDS: &'static [Field] = &[
        Field::text("number", &Column::NumberFold).sorted_by(&Column::NumberSort),
        Field::search("search", &Column::NumberFold, &SEARCHED),
        Field::choice("kind", &Column::Kind, &["article", "warehouse", "tenant"]).unsorted(),
        Field::choice("state", &Column::State, &["open", "ignored"]).unsorted(),
        Field::integer("times", &Column::Times),
        Field::id("import_id", &Column::ImportId),
        Field::id("tenant_id", &Column::TenantId),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "-times";
    const NEEDS_TENANT: bool = true;
}

const SEARCHED: Searched = Searched {
    columns: &[&Column::NumberFold, &Column::DesignationFold],
    trigrams: None,
    references: &[],
    read: search::words,
    beginnings: None,
};

impl Part for UnresolvedRows {
    type Whole = UnresolvedNumbers;
    const WHOLE: row_entity::Column = row_entity::Column::UnresolvedNumberId;
    const TENANT: Option<row_entity::Column> = Some(row_entity::Column::TenantId);
}

const LINES_PER_QUERY: usize = 500;

/// A number in a cell that nothing matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmatched {
    pub kind: Kind,
    pub number: String,
    /// What the row calls the article or the warehouse; empty where it says nothing.
    pub designation: String,
}

/// Where it was seen.
#[derive(Debug)]
pub(crate) struct Seen {
    pub unmatched: Unmatched,
    pub line: u32,
    /// Whether nothing else is wrong with the row.
    pub waits: bool,
}

/// Counts numbers that nothing matches, and keeps which rows wait for them.
pub(crate) async fn keep(tx: &Write, scope: &Scope, import: Option<i64>, seen: &[Seen]) -> Result<()> {
    let mut numbers: BTreeMap<(Kind, String), Vec<&Seen>> = BTreeMap::new();
    for seen in seen {
        let key = (seen.unmatched.kind, fold(&seen.unmatched.number));
        numbers.entry(key).or_default().push(seen);
    }
    if numbers.is_empty() {
        return Ok(());
    }
    let mut known = scope
        .find::<UnresolvedNumbers>()
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(Column::NumberFold.is_in(numbers.keys().map(|(_, number)| number)));
    if tx.get_database_backend() != DbBackend::Sqlite {
        known = known.order_by_asc(Column::Id).lock_exclusive();
    }
    let known: HashMap<(Kind, String), UnresolvedNumber> =
        known.all(tx).await?.into_iter().map(|row| ((row.kind, row.number_fold.clone()), row)).collect();
    let row = |(key, seen): (&(Kind, String), &Vec<&Seen>)| {
        let known = known.get(key);
        let said =
            seen.iter().rev().map(|seen| seen.unmatched.designation.trim()).find(|text| !text.is_empty());
        let designation = said.or(known.map(|known| &*known.designation)).unwrap_or_default().to_owned();
        let first = seen.first().map(|seen| seen.unmatched.number.clone()).unwrap_or_default();
        let times = i64::try_from(seen.len()).unwrap_or(i64::MAX);
        ActiveModel {
            kind: Set(key.0),
            number: Set(known.map_or(first, |known| known.number.clone())),
            number_fold: Set(key.1.clone()),
            designation_fold: Set(fold(&designation)),
            designation: Set(designation),
            gtin: Set(known.map_or_else(String::new, |known| known.gtin.clone())),
            state: Set(match known {
                Some(known) if known.state == State::Ignored => State::Ignored,
                _ => State::Open,
            }),
            times: Set(known.map_or(0, |known| known.times).saturating_add(times)),
            import_id: Set(import),
            ..Default::default()
        }
    };
    let rows = numbers.iter().map(row).collect();
    let ids: HashMap<(Kind, String), i64> = scope
        .upsert::<UnresolvedNumbers>(tx, rows)
        .await?
        .into_iter()
        .map(|row| ((row.kind, row.number_fold), row.id))
        .collect();
    // the caller of a call sends it again
    let Some(import) = import else { return Ok(()) };
    let tenant = scope.tenant()?;
    let waiting = numbers.iter().flat_map(|(key, seen)| {
        let id = ids.get(key).copied().unwrap_or_default();
        seen.iter().filter(|seen| seen.waits).map(move |seen| row_entity::ActiveModel {
            tenant_id: Set(tenant),
            unresolved_number_id: Set(id),
            import_id: Set(import),
            line: Set(i64::from(seen.line)),
        })
    });
    scope.keep_parts::<UnresolvedRows>(tx, waiting.collect()).await
}

/// How many rows wait for each of these numbers.
pub async fn waiting(
    db: &impl ConnectionTrait,
    scope: &Scope,
    numbers: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, i64>> {
    let counts = scope
        .parts::<UnresolvedRows>(numbers)
        .select_only()
        .column(row_entity::Column::UnresolvedNumberId)
        .column_as(row_entity::Column::Line.count(), "rows")
        .group_by(row_entity::Column::UnresolvedNumberId);
    Ok(counts.into_tuple::<(i64, i64)>().all(db).await?.into_iter().collect())
}

/// Those of these numbers are gone which a matching has just made known and for which no row waits; the others go with their rows.
pub async fn settle(tx: &Write, scope: &Scope, matched: &[(Kind, String)]) -> Result<()> {
    let of_kind = |kind: Kind| {
        let numbers = matched.iter().filter(move |(of, _)| *of == kind).map(|(_, number)| number);
        Column::Kind.eq(kind).and(Column::NumberFold.is_in(numbers))
    };
    let kinds: BTreeSet<Kind> = matched.iter().map(|(kind, _)| *kind).collect();
    if kinds.is_empty() {
        return Ok(());
    }
    let these = kinds.into_iter().map(of_kind).fold(Condition::any(), Condition::add);
    let mut settled = scope
        .find::<UnresolvedNumbers>()
        .select_only()
        .column(Column::Id)
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(these)
        .filter(Expr::exists(of_number()).not());
    if tx.get_database_backend() != DbBackend::Sqlite {
        settled = settled.order_by_asc(Column::Id).lock_exclusive();
    }
    let settled: Vec<i64> = settled.into_tuple().all(tx).await?;
    scope.delete_many::<UnresolvedNumbers>(tx, settled).await
}

/// The rows that wait for the number of the statement around it.
fn of_number() -> SelectStatement {
    use unresolved_row::Column as Row;
    let of_row = |column: Row| Expr::col((UnresolvedRows, column));
    let mut rows = Query::select();
    rows.expr(Expr::value(1))
        .from(UnresolvedRows)
        .and_where(of_row(Row::TenantId).equals((UnresolvedNumbers, Column::TenantId)))
        .and_where(of_row(Row::UnresolvedNumberId).equals((UnresolvedNumbers, Column::Id)));
    rows
}

/// What is done with the rows that wait for numbers.
pub struct Replay<'a> {
    pub db: &'a Database,
    pub storage: &'a Storage,
    pub registry: &'a Registry,
    pub by: Uploader<'a>,
}

/// A file of waiting rows that is kept, and what becomes of it.
struct Prepared {
    of: Import,
    stored: storage::Stored,
    lines: Vec<i64>,
}

impl Replay<'_> {
    /// Queues the rows that wait for these numbers once more, those of each import as an import of its own, the oldest first;
    /// in one transaction with what `then` does. What the caller may not import goes on waiting. Numbers for which nothing
    /// waits any more are gone.
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

    async fn prepare(&self, numbers: &[i64]) -> Result<Vec<Prepared>> {
        let scope = self.by.scope;
        let rows = of_numbers(scope, numbers)
            .filter(Expr::exists(of_others(numbers)).not())
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
            let of = scope.get::<Imports>(self.db, id).await?;
            if !of.files_kept() || import::check(self.registry, scope, self.by.rights, of.r#type).is_err() {
                continue;
            }
            let some = report::Lines::These(lines.iter().copied().collect::<HashSet<_>>());
            let file =
                report::refused_rows(self.db, scope, self.storage, &of, self.by.language, some).await?;
            let stored = self.storage.keep_file(import::FOLDER, file).await?;
            prepared.push(Prepared { of, stored, lines });
        }
        Ok(prepared)
    }

    async fn queue<T>(
        &self,
        numbers: &[i64],
        prepared: Vec<Prepared>,
        then: impl AsyncFnOnce(&Write) -> Result<T>,
    ) -> Result<(T, Vec<Import>)> {
        let scope = self.by.scope;
        let tx = self.db.begin().await?;
        let done = then(&tx).await?;
        let mut queued = Vec::new();
        for Prepared { of, stored, lines } in prepared {
            // two that match at once import each row once
            if release(&tx, scope, of.id, &lines).await? != lines.len() {
                return Err(Code::Stale.into());
            }
            let input = ImportInput {
                r#type: of.r#type,
                name: of.name.clone(),
                dry_run: false,
                skip_hidden_rows: false,
                price_list: of.price_list_id,
                strategy: Strategy::default(),
                replace_scope: ReplaceScope::default(),
                removals_expected: None,
                file_name: of.upload_file.clone(),
                mapping: of.mapping.clone(),
                header_key: None,
                replays: Some(Replayed { import: of.id, number_style: of.number_style.clone() }),
                applies: None,
            };
            queued.push(import::queue(&tx, self.by, input, &stored).await?);
        }
        wait_for_others_only(&tx, scope, numbers).await?;
        let left = waiting(&tx, scope, numbers.iter().copied()).await?;
        for id in numbers.iter().filter(|id| !left.contains_key(id)) {
            scope.delete::<UnresolvedNumbers>(&tx, *id).await?;
        }
        tx.commit().await?;
        Ok((done, queued))
    }
}

/// The rows that wait for these numbers.
fn of_numbers(scope: &Scope, numbers: &[i64]) -> Select<UnresolvedRows> {
    scope.parts::<UnresolvedRows>(numbers.iter().copied())
}

/// What else a row waits for.
fn of_others(numbers: &[i64]) -> SelectStatement {
    use unresolved_row::Column as Row;
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

/// These rows wait no longer; how many of them still did.
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

/// Rows that wait for something else as well no longer wait for these.
#[expect(clippy::disallowed_methods, reason = "rows of numbers that the scope has shown")]
async fn wait_for_others_only(tx: &Write, scope: &Scope, numbers: &[i64]) -> Result<()> {
    UnresolvedRows::delete_many()
        .filter(row_entity::Column::TenantId.eq(scope.tenant()?))
        .filter(row_entity::Column::UnresolvedNumberId.is_in(numbers.iter().copied()))
        .filter(Expr::exists(of_others(numbers)))
        .exec(tx)
        .await?;
    Ok(())
}

/// Says that nobody wants to hear of a number, or that somebody does.
pub async fn ignore(db: &Database, scope: &Scope, id: i64, ignored: bool) -> Result<()> {
    let tx = db.begin().await?;
    let row =
        ActiveModel { state: Set(if ignored { State::Ignored } else { State::Open }), ..Default::default() };
    scope.update::<UnresolvedNumbers>(&tx, id, None, row).await?;
    tx.commit().await
}

/// Rows of imports whose cells are forgotten wait no longer.
#[expect(clippy::disallowed_methods, reason = "as time goes by, whoever they belong to")]
pub(crate) async fn forget_rows(tx: &Write, tenant: i64, import: i64) -> Result<()> {
    UnresolvedRows::delete_many()
        .filter(row_entity::Column::TenantId.eq(tenant))
        .filter(row_entity::Column::ImportId.eq(import))
        .exec(tx)
        .await?;
    Ok(())
}
