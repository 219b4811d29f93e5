//! Prices that an import keeps aside, and the one transaction in which they come into their list.

use catalog::article::{self, Articles};
use futures_util::future::BoxFuture;
use imports::{
    import::Imports,
    staging::{self, Aside, Becomes, Planned, Staged},
};
use kernel::{Code, Error, Message, Part, Result, Scope, Write, audit, now};
use sea_orm::{
    ActiveValue::{self, Set},
    ColumnTrait, Condition, DeriveActiveEnum, EntityTrait, EnumIter, JoinType, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait,
    prelude::StringLen,
    sea_query::{Expr, ExprTrait, Func, SimpleExpr},
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

/// What rows of an import want.
struct Prices {
    import: i64,
    rows: Vec<ActiveModel>,
}

impl Aside for Prices {
    fn keep<'a>(&'a self, tx: &'a Write, scope: &'a Scope) -> BoxFuture<'a, Result<()>> {
        Box::pin(scope.append::<Stages>(tx, self.import, self.rows.clone()))
    }
}

/// The prices as they will be, and what is kept aside for it.
pub(super) async fn plan(
    tx: &Write,
    scope: &Scope,
    import: i64,
    staged: Vec<Staged<PriceListImporter>>,
) -> Result<Planned<PriceListImporter>> {
    let (mut rows, mut will_be) = (Vec::with_capacity(staged.len()), Vec::with_capacity(staged.len()));
    let new = staged.iter().filter(|staged| staged.before.is_none()).count();
    let mut ids = scope.reserve_ids::<Entries>(tx, new).await?.into_iter();
    for Staged { line, before, becomes } in staged {
        let (after, staging) = match becomes {
            Becomes::Written(draft) => {
                let id =
                    before.as_ref().map(|before| before.id).or_else(|| ids.next()).ok_or_else(nothing)?;
                (planned(&draft, id, before.as_ref(), scope.tenant()?.into())?, Staging::Written)
            }
            Becomes::Same => (before.clone().ok_or_else(nothing)?, Staging::Same),
            Becomes::Gone => (before.clone().ok_or_else(nothing)?, Staging::Gone),
        };
        rows.push(ActiveModel {
            line: Set(i64::from(line)),
            price_id: Set(after.id),
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
    Ok(Planned { will_be, aside: Box::new(Prices { import, rows }) })
}

fn nothing() -> Error {
    Error::internal("a price is kept aside that there is not")
}

/// The price that a draft makes of the one before.
fn planned(draft: &entry::ActiveModel, id: i64, before: Option<&Entry>, tenant: i64) -> Result<Entry> {
    fn set<V: Clone + Into<sea_orm::Value>>(value: &ActiveValue<V>) -> Result<V> {
        value.try_as_ref().cloned().ok_or_else(|| Error::internal("a draft of a price lacks a column"))
    }
    let now = now();
    Ok(Entry {
        id,
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
    tx.tell_growth(&[audit::table::<Stages>(), prices]).await?;
    let mut changed = 0;
    for range in staging::ranges(end) {
        changed += has_changed(staged().filter(within(range)), list).count(tx).await?;
        changed += has_no_article(staged().filter(within(range))).count(tx).await?;
    }
    if changed > 0 {
        return Ok(Err(Code::ChangedMeanwhile.with("count", changed)));
    }
    let (mut made, mut taken_out) = (0, 0);
    for range in staging::ranges(end) {
        taken_out += remove(tx, writer, list, staged().filter(within(range))).await?;
    }
    for range in staging::ranges(end) {
        let written = staged().filter(within(range)).filter(Column::Becomes.eq(Staging::Written));
        made += written.clone().filter(Column::BaseVersion.eq(0)).count(tx).await?;
        // always in the same order, as other writers of many
        let rows = written.select_only().columns(FROM).order_by_asc(Column::ArticleId);
        let of_list = [(entry::Column::PriceListId, list.id)];
        writer.upsert_of::<Entries>(tx, &INTO, rows.into_query(), &of_list).await?;
    }
    if made >= GROWN {
        tx.tell_growth(&[prices]).await?;
    }
    let as_count = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    writing::count(tx, writer, list, as_count(made), as_count(taken_out)).await?;
    forget(tx, tenant, import).await?;
    Ok(Ok(()))
}

const FROM: [Column; 8] = [
    Column::PriceId,
    Column::ArticleId,
    Column::Name,
    Column::Price,
    Column::PriceQuantity,
    Column::PriceUnit,
    Column::BulkPrices,
    Column::Held,
];
const INTO: [entry::Column; 8] = [
    entry::Column::Id,
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

/// Those whose price is another one by now than the row was judged beside.
fn has_changed(staged: sea_orm::Select<Stages>, list: &PriceList) -> sea_orm::Select<Stages> {
    let of_stage = |column: Column| Expr::col((Stages, column));
    let now = Stages::belongs_to(Entries)
        .from(Column::ArticleId)
        .to(entry::Column::ArticleId)
        .condition_type(sea_orm::sea_query::ConditionType::All)
        .on_condition({
            let (owner, list) = (list.owner_key(), list.id);
            move |_, _| {
                let of_list = of_entry(entry::Column::PriceListId).eq(list);
                Condition::all().add(of_entry(entry::Column::TenantId).eq(owner)).add(of_list)
            }
        });
    let version: SimpleExpr = Func::coalesce([of_entry(entry::Column::Version), Expr::value(0_i64)]).into();
    let is_other = Condition::any()
        .add(version.ne(of_stage(Column::BaseVersion)))
        .add(of_entry(entry::Column::Id).ne(of_stage(Column::PriceId)));
    staged.join(JoinType::LeftJoin, now.into()).filter(is_other)
}

/// Those of new prices whose article is gone: an article with a price stays.
fn has_no_article(staged: sea_orm::Select<Stages>) -> sea_orm::Select<Stages> {
    let article = Stages::belongs_to(Articles).from(Column::ArticleId).to(article::Column::Id);
    staged
        .filter(Column::BaseVersion.eq(0))
        .join(JoinType::LeftJoin, article.into())
        .filter(article::Column::Id.is_null())
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
