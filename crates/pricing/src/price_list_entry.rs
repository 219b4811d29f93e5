//! The prices of a list: one for each article, with tiers. They are written as the list is, and whatever looks like a mistake
//! beside the price before is held ([`crate::guard`]) until somebody releases it.

pub mod bulk;
pub mod entity;
pub mod figures;
mod guarding;
pub mod import;
pub mod items;
mod proposals;
pub mod undo;
pub(crate) mod writing;

use std::collections::HashMap;

use catalog::{
    article::{self, Articles},
    measured::{self, Measured},
    traded::{self, ArticleBeside, Traded},
};
use chrono::{DurationRound, TimeDelta};
use kernel::{
    Code, Database, Error, Field, Instant, Keyed, ListQuery, Listed, Money, Numbered, Owner, Page,
    Permission, Phrase, Priced, RecordReference, Recorded, Reference, Resource, Result, Scope, Scoped,
    Unique, Validated, Violations, Write, fold, now,
    reference::named_by,
    search::{Referred, Searched},
    tidy,
};
use logistics::{matching::directory::ARTICLE, stock::search_of_articles};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, FromJsonQueryResult, FromQueryResult,
    QueryFilter, QuerySelect, QueryTrait,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

pub use self::entity::{ActiveModel, Column, Entity as Entries, Model as Entry};
pub use self::figures::Figures;
pub(crate) use self::guarding::Guard;
use crate::{
    guard::Suspicions,
    held_price::decision::Decision,
    price_list::{self, PriceList, PriceLists},
    price_side::{self, Prices, Side, TierInput, Tiers},
};

/// The most prices of one call.
pub const MANY_MAX: usize = 500;

/// What was wanted instead of a price and looks like a mistake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct HeldEntry {
    pub wanted: Side,
    /// What was probably meant, where that can be said.
    pub mended: Option<Side>,
    pub suspicions: Suspicions,
    /// The import and its line that want it so; none of a form or a call.
    pub row: Option<(i64, i64)>,
    /// The user who wants it so; 0: the system.
    #[serde(default)]
    pub created_by: i64,
    /// What other users want, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Self>,
}

impl Scoped for Entries {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::TenantOrNobody(Column::TenantId);

    /// The prices of the lists that the caller sees.
    fn visible_to(scope: &Scope) -> Condition {
        let visible = price_list::visibility::visible_at(scope, recent());
        if visible.is_empty() {
            return Condition::all();
        }
        let lists = Scope::platform().find::<PriceLists>().filter(visible);
        let lists = lists.select_only().column(price_list::Column::Id).into_query();
        Condition::all().add(Column::PriceListId.in_subquery(lists))
    }
}

impl Recorded for Entries {
    const PRICES: Option<Priced<Column>> =
        Some(Priced::OfList { list: Column::PriceListId, article: Column::ArticleId });
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "price_list_prices",
        Phrase { de: "Listenpreise", en: "list prices" },
        Permission::ListPriceLists,
    )
    .refers(&[Reference::of::<Self, Articles>("article_id"), Reference::loose::<PriceLists>("price_list_id")])
    .hides(&["price", "price_quantity", "price_unit", "bulk_prices", "held"], Permission::ViewPriceList);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const NUMBERED: Option<Numbered<Column>> = Some(Numbered::by_part(Column::PriceListId, Column::Change));
    const UNIQUE: &'static [Unique] = &[TAKEN];
    /// It says the same as the article.
    const UNNOTED: &'static [Column] = &[Column::Name];
}

/// The index that a second price of an article in a list violates.
const TAKEN: Unique = Unique::new("price_list_entry_article_key", "article_id", Code::Taken)
    .over("price_list_entry_tenant_id_price_list_id_article_id_key");

impl Keyed for Entries {
    const KEY: &'static [Column] = &[Column::PriceListId, Column::ArticleId];
}

impl Listed for Entries {
    const FIELDS: &'static [Field] = &[
        Field::search("search", &Column::ArticleId, &SEARCHED),
        Field::id("article_id", &Column::ArticleId).grouped_as(
            "article_number",
            &article::Column::Id,
            &article::Column::ArticleNumberSort,
        ),
        Field::named("article_number", &Column::ArticleId, catalog::article::of_numbers),
        Field::id(LIST, &Column::PriceListId),
        Field::found_by("article_type_id", &Column::ArticleId, catalog::article::of_types),
        Field::found_by("material_id", &Column::ArticleId, catalog::article::of_materials),
        Field::filled("held", &Column::Held).visible_in(of_own_lists),
        Field::filled("priced", &Column::Price),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "id";
    const ON_REPLICA: bool = true;
    const INCLUDES: &'static [&'static str] = &[FIGURES];
}

const FIGURES: &str = "figures";

/// The present moment in steps of ten seconds. Totals of long lists are cached for so long, by their statement: a finer moment
/// would count them anew for each page. Before its prices, the list itself is read at the very moment.
fn recent() -> Instant {
    let now = now();
    now.duration_trunc(TimeDelta::seconds(10)).unwrap_or(now)
}

/// What waits at a price is told to those who can release it.
fn of_own_lists(scope: &Scope) -> Condition {
    if scope.tenant().is_err() {
        return Condition::all();
    }
    let lists = Scope::platform().find::<PriceLists>().filter(price_list::own(scope));
    let lists = lists.select_only().column(price_list::Column::Id).into_query();
    Condition::all().add(Column::PriceListId.in_subquery(lists))
}

/// The filter of the list that prices are in.
const LIST: &str = "price_list_id";

const SEARCHED: Searched = Searched {
    columns: &[],
    trigrams: None,
    references: &[Referred {
        name: "article",
        column: &Column::ArticleId,
        id: &article::Column::Id,
        columns: &[],
        within: Some(kernel::list::within::<Articles>),
        beginnings: None,
    }],
    read: search_of_articles,
    beginnings: None,
};

/// Prices of a list.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceListPricesInput)]
pub struct EntriesInput {
    /// Each article once.
    #[schema(min_items = 1, max_items = 500)]
    pub prices: Vec<EntryInput>,
    /// True: a price that is sent without tiers keeps those that the list has of its article.
    pub keep_bulk_prices: Option<bool>,
}

tidy!(EntriesInput:);

/// What an article costs in a list; without price and tiers it is taken out of the list.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceListPriceInput)]
pub struct EntryInput {
    pub article_id: Option<i64>,
    /// Instead of the id, whatever its case; or with it, if both mean the same article.
    #[schema(max_length = 255, example = "HEB-200-S235JR")]
    pub article_number: Option<String>,
    pub price: Option<Money>,
    /// The price from larger quantities on, in any order.
    #[serde(default)]
    #[schema(max_items = 50)]
    pub bulk_prices: Vec<TierInput>,
    /// The version that was edited, 0 where there was none; another one than the current is refused.
    pub version: Option<i64>,
}

/// Decisions on prices of a list that are under review.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = HeldPriceListPriceDecisions)]
pub struct DecisionsInput {
    /// Of these prices.
    #[schema(min_items = 1, max_items = 500)]
    #[validate(length(min = 1, max = 500))]
    pub prices: Vec<DecidedInput>,
    pub decision: Decision,
}

/// A price about which somebody decides.
#[derive(Debug, Clone, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HeldPriceListPriceDecision)]
pub struct DecidedInput {
    pub id: i64,
    /// The version that was looked at; another one than the current is refused, so that nobody releases what they have not seen.
    pub version: i64,
    /// The number of one of the `others` that wait; without it the newest proposal is meant.
    #[serde(default)]
    pub proposal: Option<usize>,
}

tidy!(DecisionsInput:);

/// A price with its article.
#[derive(Debug, Clone)]
pub struct EntryDetail {
    pub entry: Entry,
    pub side: Side,
    pub article: Measured,
}

/// A price as lists show it.
#[derive(Debug, Clone)]
pub struct EntryRow {
    pub entry: Entry,
    pub side: Side,
    pub article: Traded,
    /// Figures beside the price, if they are asked for.
    pub figures: Option<Figures>,
}

/// The same as it is read, in one statement.
#[derive(Debug, FromQueryResult)]
struct ListedEntry {
    #[sea_orm(nested)]
    entry: Entry,
    #[sea_orm(nested)]
    article: ArticleBeside,
}

impl From<EntryDetail> for EntryRow {
    fn from(EntryDetail { entry, side, article }: EntryDetail) -> Self {
        Self { entry, side, article: Traded::from(&article), figures: None }
    }
}

impl Side {
    /// What a row of a list says.
    pub fn of_entry(entry: &Entry) -> Self {
        Self::kept(entry.price, entry.price_quantity, entry.price_unit, entry.bulk_prices.as_ref())
    }
}

/// A page of the prices of a list. What waits for a release is shown to whoever owns the list.
pub async fn list(
    db: &Database,
    scope: &Scope,
    id: i64,
    query: &ListQuery<Entries>,
) -> Result<Page<EntryRow>> {
    let (list, query) = within_list(db, scope, id, query).await?;
    let shape = |entries| traded::beside(entries, Column::ArticleId);
    let page = query.fetch::<ListedEntry>(db, scope, shape).await?;
    page.detailed(async |listed| {
        let (mut entries, articles): (Vec<Entry>, Vec<ArticleBeside>) =
            listed.into_iter().map(|listed| (listed.entry, listed.article)).unzip();
        if entries.iter().any(|entry| entry.held.is_some()) && !price_list::owns(db, scope, id).await? {
            for entry in &mut entries {
                entry.held = None;
            }
        }
        let articles = traded::of(db, scope, articles).await?;
        let mut figures = if query.includes(FIGURES) {
            figures::load(db, scope, &list, &entries).await?
        } else {
            HashMap::new()
        };
        let row = |(entry, article): (Entry, Traded)| EntryRow {
            side: Side::of_entry(&entry),
            figures: figures.remove(&entry.id),
            entry,
            article,
        };
        Ok(entries.into_iter().zip(articles).map(row).collect())
    })
    .await
}

/// The query, within a list that the caller sees; pages of it tell only who may write the list what has no price and waits for one.
pub async fn query_of(
    db: &impl ConnectionTrait,
    scope: &Scope,
    list: i64,
    query: &ListQuery<Entries>,
) -> Result<ListQuery<Entries>> {
    Ok(within_list(db, scope, list, query).await?.1)
}

async fn within_list(
    db: &impl ConnectionTrait,
    scope: &Scope,
    list: i64,
    query: &ListQuery<Entries>,
) -> Result<(PriceList, ListQuery<Entries>)> {
    let list = scope.get::<PriceLists>(db, list).await?;
    let only_priced = list.writer(scope).is_err().then(priced);
    let shown = Condition::all().add(Column::TenantId.eq(list.owner_key())).add_option(only_priced);
    let query = query.within_shown(LIST, list.id, shown);
    Ok((list, query))
}

/// The prices with their articles, as they can be imported again: without what only waits for one.
pub async fn exported(
    db: &impl ConnectionTrait,
    scope: &Scope,
    mut entries: Vec<Entry>,
) -> Result<Vec<EntryDetail>> {
    entries.retain(|entry| !Side::of_entry(entry).is_empty());
    detailed(db, scope, entries).await
}

/// Prices of a list by their ids, as the caller sees them: what waits for a release is shown to the owner of the list.
pub async fn find_many(
    db: &impl ConnectionTrait,
    scope: &Scope,
    list: &PriceList,
    ids: Vec<i64>,
) -> Result<Vec<EntryDetail>> {
    let may_write = list.writer(scope).is_ok();
    let shown = Condition::all().add(Column::Id.is_in(ids)).add_option((!may_write).then(priced));
    let mut entries = of_list(scope, list).filter(shown).all(db).await?;
    if entries.iter().any(|entry| entry.held.is_some()) && !price_list::owns(db, scope, list.id).await? {
        for entry in &mut entries {
            entry.held = None;
        }
    }
    detailed(db, scope, entries).await
}

/// What has a price, and does not only wait for one.
pub(crate) fn priced() -> Condition {
    Condition::any().add(Column::Price.is_not_null()).add(Column::BulkPrices.is_not_null())
}

/// Prices with their articles.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    entries: Vec<Entry>,
) -> Result<Vec<EntryDetail>> {
    let articles = articles_of(db, scope, entries.iter().map(|entry| entry.article_id)).await?;
    let detail = |entry: Entry| {
        let article = articles.get(&entry.article_id).cloned().ok_or_else(Error::not_found)?;
        Ok(EntryDetail { side: Side::of_entry(&entry), article, entry })
    };
    entries.into_iter().map(detail).collect()
}

pub(crate) async fn articles_of(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Measured>> {
    let articles = measured::of(db, scope, article::Column::Id.is_in(ids)).await?;
    Ok(articles.into_iter().map(|article| (article.id, article)).collect())
}

/// The rows of a list that a condition finds, for whoever has got hold of the list.
pub(crate) fn of_list(scope: &Scope, list: &PriceList) -> sea_orm::Select<Entries> {
    scope
        .find::<Entries>()
        .filter(Column::TenantId.eq(list.owner_key()))
        .filter(Column::PriceListId.eq(list.id))
}

/// Changes the prices of many articles in a list, all or none: what has neither price nor tiers is taken out. What looks like a
/// mistake is held, and its price stays.
///
/// # Errors
/// All broken rules of all prices, each below `prices.<index>`; there also `stale` of a version that is no longer the current one.
pub async fn update_many(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<EntriesInput>>,
) -> Result<Vec<EntryDetail>> {
    let input = input.into();
    let tx = db.begin().await?;
    let written = update_many_in(&tx, scope, id, input, MANY_MAX).await?;
    tx.commit().await?;
    Ok(written.details)
}

/// Prices of a list that were changed by one call.
#[derive(Debug)]
pub struct WrittenEntries {
    /// The articles of all of them, also of those that were taken out.
    pub articles: Vec<i64>,
    /// The prices that are in the list.
    pub details: Vec<EntryDetail>,
    /// The number of prices that wait for a release because of this call.
    pub held: u64,
}

/// The same in a transaction that the caller ends, of `most` articles at most.
pub async fn update_many_in(
    tx: &Write,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<EntriesInput>>,
    most: usize,
) -> Result<WrittenEntries> {
    let (EntriesInput { prices, keep_bulk_prices }, mut violations) = input.into().parts();
    match prices.len() {
        0 => violations.add("prices", Code::TooFew.with("min", 1)),
        number if number <= most => {}
        _ => violations.add("prices", Code::TooMany.with("max", most)),
    }
    violations.check()?;

    let (list, writer) = price_list::written(tx, scope, id).await?;
    let named: Vec<RecordReference> = prices
        .iter()
        .map(|price| RecordReference::new(price.article_id, price.article_number.clone()))
        .collect();
    let articles = named_articles(tx, scope, &named).await?;
    let mut violations = Violations::new();
    let mut wanted = Vec::with_capacity(prices.len());
    for (index, (price, named)) in prices.iter().zip(&named).enumerate() {
        let path = format!("prices.{index}.");
        let mut of_reference = Violations::new();
        let article = named.require(&mut of_reference, ARTICLE, &articles);
        for broken in of_reference.iter() {
            violations.add(format!("{path}{}", broken.path), broken.message.clone());
        }
        let Some(article) = article else { continue };
        wanted.push((index, article, price.read(article, &path, &mut violations)));
    }
    kernel::rule::unique(&mut violations, wanted.iter().map(|(_, article, _)| article.id), |position| {
        format!("prices.{}.article_id", wanted.get(position).map_or(position, |(index, ..)| *index))
    });
    let ids = wanted.iter().map(|(_, article, _)| article.id);
    let rows = of_list(&writer, &list).filter(Column::ArticleId.is_in(ids)).all(tx).await?;
    let mut rows: HashMap<i64, Entry> = rows.into_iter().map(|row| (row.article_id, row)).collect();
    for (index, article, _) in &wanted {
        let current = rows.get(&article.id).map_or(0, |row| row.version);
        if prices.get(*index).and_then(|price| price.version).is_some_and(|edited| edited != current) {
            violations.add(format!("prices.{index}.version"), Code::Stale);
        }
    }
    violations.check()?;

    let changes = wanted.into_iter().map(|(_, article, mut side)| {
        let before = rows.remove(&article.id);
        if keep_bulk_prices == Some(true) && side.tiers.is_empty() && side.price.is_some() {
            side.tiers = before.as_ref().map(|before| Side::of_entry(before).tiers).unwrap_or_default();
        }
        writing::Wanted { before, article, side, row: None, waiting: writing::Waiting::ReplaceOwn }
    });
    let changes: Vec<_> = changes.collect();
    let ids: Vec<i64> = changes.iter().map(|change| change.article.id).collect();
    let mut guard = Guard::of(tx, &writer, &list).await?;
    guard.learn(tx, &writer, changes.iter().map(|change| change.article)).await?;
    let held = writing::apply(tx, &writer, &list, &guard, changes).await?.held;
    let rows = of_list(&writer, &list).filter(Column::ArticleId.is_in(ids.clone())).all(tx).await?;
    let mut details = detailed(tx, scope, rows).await?;
    details.sort_by_key(|detail| ids.iter().position(|id| *id == detail.article.id));
    Ok(WrittenEntries { articles: ids, details, held })
}

/// The articles that are named by id or number.
async fn named_articles(
    db: &impl ConnectionTrait,
    scope: &Scope,
    named: &[RecordReference],
) -> Result<kernel::reference::Referable<Measured>> {
    let wanted = named_by(
        (article::Column::Id, named.iter().filter_map(RecordReference::id)),
        (article::Column::ArticleNumberFold, named.iter().filter_map(RecordReference::folded)),
    );
    let articles = measured::of(db, scope, wanted).await?;
    let named = |article: Measured| (article.id, fold(&article.article_number), article);
    Ok(kernel::reference::Referable::new(articles.into_iter().map(named)))
}

impl EntryInput {
    /// What is wanted, as far as it keeps the rules; what is wrong is added below the path.
    fn read(&self, article: &Measured, path: &str, violations: &mut Violations) -> Side {
        if let Some(price) = &self.price {
            price_side::check(price, article, &format!("{path}price"), violations);
        }
        let tiers = Tiers::read(&self.bulk_prices, article, &format!("{path}bulk_prices"), violations);
        Side { price: self.price, tiers }
    }
}

/// Writes prices into a list that is just being made of another one. The list's own entry of the history tells of it.
pub(crate) async fn take_over(
    tx: &Write,
    writer: &Scope,
    list: &PriceList,
    sides: Vec<(Entry, Side)>,
) -> Result<()> {
    let count = sides.len();
    let rows = sides.into_iter().map(|(from, side)| ActiveModel {
        name: Set(from.name),
        price_list_id: Set(list.id),
        article_id: Set(from.article_id),
        ..writing::columns(side, None)
    });
    writer.upsert::<Entries>(tx, rows.collect()).await?;
    writing::count(tx, writer, list, count, 0).await
}

/// Decides about held prices: they are released as they are or as they were probably meant, or refused. What had no price before
/// goes when it is refused, and what other users want for the same article waits on.
///
/// # Errors
/// When one of them does not wait, is another one by now, or nothing else was probably meant.
pub async fn decide(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<DecisionsInput>>,
) -> Result<Vec<EntryDetail>> {
    let DecisionsInput { prices, decision } = input.into().valid()?;
    let ids: Vec<i64> = prices.iter().map(|price| price.id).collect();
    let tx = db.begin().await?;
    let (list, writer) = price_list::written(&tx, scope, id).await?;
    let rows = of_list(&writer, &list)
        .filter(Column::Id.is_in(ids.clone()))
        .filter(Column::Held.is_not_null())
        .all(&tx)
        .await?;
    let mut violations = Violations::new();
    let mut released = Vec::with_capacity(rows.len());
    for (index, DecidedInput { id, version, proposal }) in prices.iter().enumerate() {
        let row = rows.iter().find(|row| row.id == *id);
        let Some((row, held)) = row.and_then(|row| Some((row, row.held.clone()?))) else {
            violations.add(format!("prices.{index}.id"), Code::UnknownReference);
            continue;
        };
        if row.version != *version {
            violations.add(format!("prices.{index}.version"), Code::Stale);
            continue;
        }
        let Some((held, others)) = held.split(proposal.unwrap_or_default()) else {
            violations.add(format!("prices.{index}.proposal"), Code::UnknownReference);
            continue;
        };
        let side = match decision {
            Decision::Release => held.wanted,
            Decision::ReleaseMended => {
                let Some(mended) = held.mended else {
                    violations.add(format!("prices.{index}.id"), Code::NothingMended);
                    continue;
                };
                mended
            }
            Decision::Refuse => Side::of_entry(row),
        };
        // it is the import that has wanted it, and whose undo takes it back
        let import = held.row.map(|(import, _)| import).filter(|_| decision != Decision::Refuse);
        released.push(writing::Decided { before: row.clone(), side, others, import });
    }
    kernel::rule::unique(&mut violations, &ids, |index| format!("prices.{index}.id"));
    violations.check()?;
    writing::settle(&tx, &writer, &list, released).await?;
    let rows = of_list(&writer, &list).filter(Column::Id.is_in(ids.clone())).all(&tx).await?;
    let mut details = detailed(&tx, scope, rows).await?;
    details.sort_by_key(|detail| ids.iter().position(|id| *id == detail.entry.id));
    tx.commit().await?;
    Ok(details)
}

/// A price as the guard sees it, and exports.
pub fn guarded(side: &Side) -> Prices {
    Prices { external: side.clone(), ..Prices::default() }
}
