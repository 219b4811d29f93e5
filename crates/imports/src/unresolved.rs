//! Unresolved numbers: external numbers without a matching, from rows of imports and from calls. They are
//! counted and stored with the rows that wait for them. A document of the other system can also name
//! candidates, for which no row waits. Once a number is matched, it is deleted, and its rows are imported
//! again in files of their own.

pub mod entity;
pub mod replay;
pub mod row_entity;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use lists::{
    Field, Listed, listed_reference,
    search::{self, SearchedColumns},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, Query, SelectStatement},
};
use store::{Database, Keyed, Owner, Part, Recorded, Resource, Scope, Scoped, Write};
use tenancy::tenant::Tenants;
use values::{Phrase, Result, fold};

use crate::record_permissions;

pub use self::{
    entity::{ActiveModel, Column, Entity as UnresolvedNumbers, Kind, Model as UnresolvedNumber, State},
    row_entity::Entity as UnresolvedRows,
};

impl Scoped for UnresolvedNumbers {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for UnresolvedNumbers {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "unresolved_numbers",
        Phrase { de: "Nicht zugeordnete Nummern", en: "unmatched numbers" },
        record_permissions::LIST_MATCHINGS,
    )
    .refers(&[listed_reference::<Self, Tenants>("tenant_id")]);
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
        Field::id("import_id", &Column::ImportId).optional(),
        Field::id("tenant_id", &Column::TenantId),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "-times";
    const NEEDS_TENANT: bool = true;
}

const SEARCHED: SearchedColumns = SearchedColumns {
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

/// Number in a cell without a matching.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmatchedNumber {
    pub kind: Kind,
    pub number: String,
    /// Name of the article or the warehouse in the row; empty if the row has none.
    pub designation: String,
}

/// Occurrence of a number.
#[derive(Debug)]
pub(crate) struct Occurrence {
    pub unmatched: UnmatchedNumber,
    pub line: u32,
    /// True if the row has no other faults.
    pub waits: bool,
}

/// Counts unresolved numbers, and stores the rows that wait for them.
pub(crate) async fn record_occurrences(
    tx: &Write,
    scope: &Scope,
    import: Option<i64>,
    occurrences: &[Occurrence],
) -> Result<()> {
    let mut numbers: BTreeMap<(Kind, String), Vec<&Occurrence>> = BTreeMap::new();
    for occurrence in occurrences {
        let key = (occurrence.unmatched.kind, fold(&occurrence.unmatched.number));
        numbers.entry(key).or_default().push(occurrence);
    }
    if numbers.is_empty() {
        return Ok(());
    }
    let mut select = scope
        .find::<UnresolvedNumbers>()
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(Column::NumberFold.is_in(numbers.keys().map(|(_, number)| number)));
    if tx.get_database_backend() != DbBackend::Sqlite {
        select = select.order_by_asc(Column::Id).lock_exclusive();
    }
    let existing_numbers: HashMap<(Kind, String), UnresolvedNumber> =
        select.all(tx).await?.into_iter().map(|row| ((row.kind, row.number_fold.clone()), row)).collect();
    let row = |(key, occurrences): (&(Kind, String), &Vec<&Occurrence>)| {
        let number = existing_numbers.get(key);
        let last_designation = occurrences
            .iter()
            .rev()
            .map(|occurrence| occurrence.unmatched.designation.trim())
            .find(|text| !text.is_empty());
        let designation =
            last_designation.or(number.map(|number| &*number.designation)).unwrap_or_default().to_owned();
        let first =
            occurrences.first().map(|occurrence| occurrence.unmatched.number.clone()).unwrap_or_default();
        let times = i64::try_from(occurrences.len()).unwrap_or(i64::MAX);
        ActiveModel {
            kind: Set(key.0),
            number: Set(number.map_or(first, |number| number.number.clone())),
            number_fold: Set(key.1.clone()),
            designation_fold: Set(fold(&designation)),
            designation: Set(designation),
            gtin: Set(number.map_or_else(String::new, |number| number.gtin.clone())),
            state: Set(match number {
                Some(number) if number.state == State::Ignored => State::Ignored,
                _ => State::Open,
            }),
            times: Set(number.map_or(0, |number| number.times).saturating_add(times)),
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
    // the caller repeats the call
    let Some(import) = import else { return Ok(()) };
    let tenant = scope.tenant()?;
    let waiting = numbers.iter().flat_map(|(key, occurrences)| {
        let id = ids.get(key).copied().unwrap_or_default();
        occurrences.iter().filter(|occurrence| occurrence.waits).map(move |occurrence| {
            row_entity::ActiveModel {
                tenant_id: Set(tenant),
                unresolved_number_id: Set(id),
                import_id: Set(import),
                line: Set(i64::from(occurrence.line)),
            }
        })
    });
    scope.insert_missing_parts::<UnresolvedRows>(tx, waiting.collect()).await
}

/// Number of rows that wait for each of these numbers.
pub async fn waiting_row_counts(
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

/// Deletes numbers that have just been matched and for which no row waits; the others are deleted together
/// with their rows.
pub async fn delete_matched(tx: &Write, scope: &Scope, matched: &[(Kind, String)]) -> Result<()> {
    let of_kind = |kind: Kind| {
        let numbers =
            matched.iter().filter(move |(matched_kind, _)| *matched_kind == kind).map(|(_, number)| number);
        Column::Kind.eq(kind).and(Column::NumberFold.is_in(numbers))
    };
    let kinds: BTreeSet<Kind> = matched.iter().map(|(kind, _)| *kind).collect();
    if kinds.is_empty() {
        return Ok(());
    }
    let these = kinds.into_iter().map(of_kind).fold(Condition::any(), Condition::add);
    let mut select = scope
        .find::<UnresolvedNumbers>()
        .select_only()
        .column(Column::Id)
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(these)
        .filter(Expr::exists(waiting_rows()).not());
    if tx.get_database_backend() != DbBackend::Sqlite {
        select = select.order_by_asc(Column::Id).lock_exclusive();
    }
    let settled_ids: Vec<i64> = select.into_tuple().all(tx).await?;
    scope.delete_many::<UnresolvedNumbers>(tx, settled_ids).await
}

/// Rows that wait for the number of the surrounding statement.
fn waiting_rows() -> SelectStatement {
    use row_entity::Column as Row;
    let of_row = |column: Row| Expr::col((UnresolvedRows, column));
    let mut rows = Query::select();
    rows.expr(Expr::value(1))
        .from(UnresolvedRows)
        .and_where(of_row(Row::TenantId).equals((UnresolvedNumbers, Column::TenantId)))
        .and_where(of_row(Row::UnresolvedNumberId).equals((UnresolvedNumbers, Column::Id)));
    rows
}

/// Marks a number as ignored, or as open again.
pub async fn ignore(db: &Database, scope: &Scope, id: i64, ignored: bool) -> Result<()> {
    let tx = db.begin().await?;
    let row =
        ActiveModel { state: Set(if ignored { State::Ignored } else { State::Open }), ..Default::default() };
    scope.update::<UnresolvedNumbers>(&tx, id, None, row).await?;
    tx.commit().await
}

/// Deletes the waiting rows of an import whose cells are deleted.
#[expect(clippy::disallowed_methods, reason = "as time goes by, of all tenants")]
pub(crate) async fn forget_rows(tx: &Write, tenant: i64, import: i64) -> Result<()> {
    UnresolvedRows::delete_many()
        .filter(row_entity::Column::TenantId.eq(tenant))
        .filter(row_entity::Column::ImportId.eq(import))
        .exec(tx)
        .await?;
    Ok(())
}
