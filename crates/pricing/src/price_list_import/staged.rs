//! Prices that an import keeps aside, and the one transaction in which they come into their list.

use imports::{
    import::Imports,
    importer::Model,
    row::{Column as Row, ImportRows},
    staging::{self, Becomes, Staged},
};
use kernel::{Code, Error, Message, Part, Result, Scope, Write, audit, now};
use sea_orm::{
    ActiveValue::{self, Set},
    ColumnTrait, Condition, DeriveActiveEnum, EntityTrait, EnumIter, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, QueryTrait,
    prelude::StringLen,
    sea_query::{Expr, ExprTrait, Func, Query, SimpleExpr, UpdateStatement},
};

use super::PriceListImporter;
use crate::{
    entity::{
        price_list_entry as entry,
        price_list_stage::{ActiveModel, Column, Entity as Stages},
    },
    price_list::PriceList,
    price_list_entry::{self, Entries, Entry, writing},
};

/// What becomes of a price that a row names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
pub enum Staging {
    #[sea_orm(string_value = "written")]
    Written,
    #[sea_orm(string_value = "same")]
    Same,
    #[sea_orm(string_value = "gone")]
    Gone,
}

impl Part for Stages {
    type Whole = Imports;
    const WHOLE: Column = Column::ImportId;
    const TENANT: Option<Column> = Some(Column::TenantId);
    const IS_NOTED: bool = false;
}

/// So many prices are taken out at once.
const GONE_AT_ONCE: u64 = 1_000;

/// So many new prices make a list another one for the planner of the database.
const GROWN: u64 = 1_000;

/// Keeps what rows want aside; the prices as they will be.
pub(super) async fn keep(
    tx: &Write,
    scope: &Scope,
    import: i64,
    staged: Vec<Staged<PriceListImporter>>,
) -> Result<Vec<Model<PriceListImporter>>> {
    let (mut rows, mut will_be) = (Vec::with_capacity(staged.len()), Vec::with_capacity(staged.len()));
    for Staged { line, before, becomes } in staged {
        let (after, staging) = match becomes {
            Becomes::Written(draft) => {
                (planned(&draft, before.as_ref(), scope.tenant()?.into())?, Staging::Written)
            }
            Becomes::Same => (before.clone().ok_or_else(nothing)?, Staging::Same),
            Becomes::Gone => (before.clone().ok_or_else(nothing)?, Staging::Gone),
        };
        rows.push(ActiveModel {
            line: Set(i64::from(line)),
            article_id: Set(after.article_id),
            base_version: Set(before.map_or(0, |before| before.version)),
            becomes: Set(staging),
            name: Set(after.name.clone()),
            price: Set(after.price),
            price_quantity: Set(after.price_quantity),
            price_unit: Set(after.price_unit),
            bulk_prices: Set(after.bulk_prices.clone()),
            held: Set(after.held.clone()),
            ..Default::default()
        });
        if staging == Staging::Written {
            will_be.push(after);
        }
    }
    scope.append::<Stages>(tx, import, rows).await?;
    Ok(will_be)
}

fn nothing() -> Error {
    Error::internal("a price is kept aside that there is not")
}

/// The price that a draft makes of the one before.
fn planned(draft: &entry::ActiveModel, before: Option<&Entry>, tenant: i64) -> Result<Entry> {
    fn set<V: Clone + Into<sea_orm::Value>>(value: &ActiveValue<V>) -> Result<V> {
        value.try_as_ref().cloned().ok_or_else(|| Error::internal("a draft of a price lacks a column"))
    }
    let now = now();
    Ok(Entry {
        id: before.map_or(0, |before| before.id),
        tenant_id: tenant,
        price_list_id: set(&draft.price_list_id)?,
        article_id: set(&draft.article_id)?,
        name: set(&draft.name)?,
        price: set(&draft.price)?,
        price_quantity: set(&draft.price_quantity)?,
        price_unit: set(&draft.price_unit)?,
        bulk_prices: set(&draft.bulk_prices)?,
        held: set(&draft.held)?,
        version: before.map_or(0, |before| before.version) + 1,
        created_at: before.map_or(now, |before| before.created_at),
        updated_at: now,
    })
}

/// Articles and lines of what is kept aside.
#[expect(clippy::disallowed_methods, reason = "the worker's own import")]
pub(super) async fn kept(tx: &Write, tenant: i64, import: i64) -> Result<Vec<(i64, i64)>> {
    let rows = Stages::find()
        .select_only()
        .columns([Column::ArticleId, Column::Line])
        .filter(of_import(tenant, import));
    Ok(rows.into_tuple().all(tx).await?)
}

fn of_import(tenant: i64, import: i64) -> Condition {
    Condition::all().add(Column::TenantId.eq(tenant)).add(Column::ImportId.eq(import))
}

#[expect(clippy::disallowed_methods, reason = "the worker's own import")]
async fn last_line(tx: &Write, tenant: i64, import: i64) -> Result<i64> {
    let line = Stages::find().filter(of_import(tenant, import)).select_only();
    let line = line.column_as(Column::Line.max(), "line").into_tuple::<Option<i64>>().one(tx).await?;
    Ok(line.flatten().unwrap_or_default())
}

/// Brings all that is kept aside into the list, which the transaction has locked; or says why it cannot be any more.
#[expect(clippy::disallowed_methods, reason = "the worker's own import")]
pub(super) async fn switch(
    tx: &Write,
    writer: &Scope,
    list: &PriceList,
    import: i64,
) -> Result<Result<(), Message>> {
    let tenant = list.owner_key();
    let staged = || Stages::find().filter(of_import(tenant, import));
    let end = last_line(tx, tenant, import).await?;
    let within = |(after, to): (i64, i64)| Column::Line.gt(after).and(Column::Line.lte(to));

    let prices = audit::table::<Entries>();
    tx.tell_growth(&[audit::table::<Stages>(), audit::table::<ImportRows>(), prices]).await?;
    let mut changed = 0;
    for range in staging::ranges(end) {
        changed += staged().filter(within(range)).filter(has_changed(list)).count(tx).await?;
    }
    if changed > 0 {
        return Ok(Err(Code::ChangedMeanwhile.with("count", changed)));
    }
    let (mut made, mut taken_out, mut grown) = (0, 0, GROWN);
    for range in staging::ranges(end) {
        let written = staged().filter(within(range)).filter(Column::Becomes.eq(Staging::Written));
        made += written.clone().filter(Column::BaseVersion.eq(0)).count(tx).await?;
        // always in the same order, as other writers of many
        let rows =
            written.select_only().columns(FROM).expr(Expr::value(list.id)).order_by_asc(Column::ArticleId);
        let into = INTO.into_iter().chain([entry::Column::PriceListId]).collect::<Vec<_>>();
        writer.upsert_of::<Entries>(tx, &into, rows.into_query()).await?;
        if made >= grown {
            grown = made.saturating_mul(4);
            tx.tell_growth(&[prices]).await?;
        }
        staging::name_records(tx, writer, import, range, |rows| name_prices(rows, list)).await?;
        taken_out += remove(tx, writer, list, staged().filter(within(range))).await?;
    }
    let as_count = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    writing::count(tx, writer, list, as_count(made), as_count(taken_out)).await?;
    forget(tx, tenant, import).await?;
    Ok(Ok(()))
}

const FROM: [Column; 7] = [
    Column::ArticleId,
    Column::Name,
    Column::Price,
    Column::PriceQuantity,
    Column::PriceUnit,
    Column::BulkPrices,
    Column::Held,
];
const INTO: [entry::Column; 7] = [
    entry::Column::ArticleId,
    entry::Column::Name,
    entry::Column::Price,
    entry::Column::PriceQuantity,
    entry::Column::PriceUnit,
    entry::Column::BulkPrices,
    entry::Column::Held,
];

fn of_entry(column: entry::Column) -> Expr {
    Expr::col((Entries, column))
}

/// Whether a price is that of an article in the list.
fn is_price_of(list: &PriceList, article: Expr) -> Expr {
    let own = of_entry(entry::Column::TenantId).eq(list.owner_key());
    own.and(of_entry(entry::Column::PriceListId).eq(list.id))
        .and(of_entry(entry::Column::ArticleId).eq(article))
}

/// Whether the price is another one by now than the row was judged beside, or its article is gone.
fn has_changed(list: &PriceList) -> Condition {
    let article = || Expr::col((Stages, Column::ArticleId));
    let mut version = Query::select();
    version.column((Entries, entry::Column::Version)).from(Entries).and_where(is_price_of(list, article()));
    let version = SimpleExpr::SubQuery(None, Box::new(version.into()));
    let version: SimpleExpr = Func::coalesce([version, Expr::value(0_i64)]).into();
    let mut articles = Query::select();
    articles
        .expr(Expr::value(1))
        .from(catalog::article::Articles)
        .and_where(Expr::col((catalog::article::Articles, catalog::article::Column::Id)).eq(article()));
    Condition::any()
        .add(version.ne(Expr::col((Stages, Column::BaseVersion))))
        .add(Expr::exists(articles).not())
}

/// Names the price that each row of an import has become.
fn name_prices(rows: &mut UpdateStatement, list: &PriceList) {
    let same = |column: Column, row: Row| Expr::col((Stages, column)).equals((ImportRows, row));
    rows.value(Row::RecordId, of_entry(entry::Column::Id))
        .from(Stages)
        .from(Entries)
        .and_where(same(Column::TenantId, Row::TenantId))
        .and_where(same(Column::ImportId, Row::ImportId))
        .and_where(same(Column::Line, Row::Line))
        .and_where(is_price_of(list, Expr::col((Stages, Column::ArticleId))));
}

/// Takes out of the list what rows clear; how many went.
async fn remove(
    tx: &Write,
    writer: &Scope,
    list: &PriceList,
    staged: sea_orm::Select<Stages>,
) -> Result<u64> {
    let articles =
        staged.filter(Column::Becomes.eq(Staging::Gone)).select_only().column(Column::ArticleId).into_query();
    let mut removed = 0;
    loop {
        let ids = price_list_entry::of_list(writer, list)
            .filter(entry::Column::ArticleId.in_subquery(articles.clone()))
            .select_only()
            .column(entry::Column::Id)
            .order_by_asc(entry::Column::Id)
            .limit(GONE_AT_ONCE);
        let ids: Vec<i64> = ids.into_tuple().all(tx).await?;
        if ids.is_empty() {
            return Ok(removed);
        }
        removed += ids.len() as u64;
        writer.delete_many::<Entries>(tx, ids).await?;
    }
}

/// Forgets what an import has kept aside.
#[expect(clippy::disallowed_methods, reason = "the worker's own import")]
pub(super) async fn forget(tx: &Write, tenant: i64, import: i64) -> Result<()> {
    let end = last_line(tx, tenant, import).await?;
    for (after, to) in staging::ranges(end) {
        let range = Column::Line.gt(after).and(Column::Line.lte(to));
        Stages::delete_many().filter(of_import(tenant, import)).filter(range).exec(tx).await?;
    }
    Ok(())
}
