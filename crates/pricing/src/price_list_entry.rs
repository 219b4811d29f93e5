//! Prices of a list: one for each article, with quantity breaks. A price that is implausible compared with
//! the former one is put under review ([`crate::guard`]) until it is released.

pub mod bulk;
mod decisions;
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
    article_summary::{self, ArticleSummary, JoinedArticle},
    article_units::{self, ArticleUnits},
};
use chrono::{DurationRound, TimeDelta};
use lists::{
    Field, ListQuery, Listed, Page, listed_reference,
    search::{ReferredTable, SearchedColumns},
};
use logistics::{matching::directory::ARTICLE, stock::search_of_articles};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, FromJsonQueryResult, FromQueryResult,
    QueryFilter, QuerySelect, QueryTrait,
};
use serde::{Deserialize, Serialize};
use store::{
    Database, Keyed, NumberedColumns, Owner, PriceRole, Recorded, Reference, Resource, Scope, Scoped, Unique,
    Write,
};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Error, Instant, Money, Phrase, RecordReference, Result, Validated, Violations, fold, now,
    reference::named_by_references, tidy,
};

pub use self::decisions::{DecidedInput, DecisionsInput, decide};
pub use self::entity::{ActiveModel, Column, Entity as Entries, Model as Entry};
pub use self::figures::Figures;
pub(crate) use self::guarding::Guard;
use crate::{
    codes,
    guard::Suspicions,
    permissions,
    price_list::{self, PriceList, PriceLists},
    price_side::{self, Prices, Side, TierInput, Tiers},
};

/// Maximum number of prices of one call.
pub const MANY_MAX: usize = 500;

/// Implausible price under review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct HeldEntry {
    pub wanted: Side,
    /// Price that was probably intended, if the guard could suggest one.
    pub mended: Option<Side>,
    pub suspicions: Suspicions,
    /// Import and line that proposed the price; `None` for a form or an API call.
    pub row: Option<(i64, i64)>,
    /// User who proposed the price; 0 for the system.
    #[serde(default)]
    pub created_by: i64,
    /// Proposals of other users, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Self>,
}

impl Scoped for Entries {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::TenantOrZero(Column::TenantId);

    /// Condition for the prices of the lists that the caller can see.
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
    const PRICES: Option<PriceRole<Column>> =
        Some(PriceRole::OfList { list: Column::PriceListId, article: Column::ArticleId });
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "price_list_prices",
        Phrase { de: "Listenpreise", en: "list prices" },
        permissions::LIST_PRICE_LISTS,
    )
    .refers(&[
        listed_reference::<Self, Articles>("article_id"),
        Reference::loose::<PriceLists>("price_list_id"),
    ])
    .hides(&["price", "price_quantity", "price_unit", "bulk_prices", "held"], permissions::VIEW_PRICE_LIST);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const NUMBERED: Option<NumberedColumns<Column>> =
        Some(NumberedColumns::by_part(Column::PriceListId, Column::Change));
    const UNIQUE: &'static [Unique] = &[TAKEN];
    /// The name is that of the article.
    const UNNOTED: &'static [Column] = &[Column::Name];
}

/// Unique index that a second price of an article in a list violates.
const TAKEN: Unique = Unique::new("price_list_entry_article_key", "article_id", codes::TAKEN)
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
        Field::by_name("article_number", &Column::ArticleId, catalog::article::select_by_numbers),
        Field::id(LIST, &Column::PriceListId),
        Field::by_subquery("article_type_id", &Column::ArticleId, catalog::article::select_by_types),
        Field::by_subquery("material_id", &Column::ArticleId, catalog::article::select_by_materials),
        Field::filled("held", &Column::Held).visible_in(own_lists_condition),
        Field::filled("priced", &Column::Price),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "id";
    const ON_REPLICA: bool = true;
    const INCLUDES: &'static [&'static str] = &[FIGURES];
}

const FIGURES: &str = "figures";

/// Returns the current moment in steps of ten seconds, for which totals of long lists are cached by
/// statement; a finer moment would count them again for each page. The list itself is read at the exact
/// moment.
fn recent() -> Instant {
    let now = now();
    now.duration_trunc(TimeDelta::seconds(10)).unwrap_or(now)
}

/// Condition for the filter by prices under review, for users who can release them.
fn own_lists_condition(scope: &Scope) -> Condition {
    if scope.tenant().is_err() {
        return Condition::all();
    }
    let lists = Scope::platform().find::<PriceLists>().filter(price_list::own_lists(scope));
    let lists = lists.select_only().column(price_list::Column::Id).into_query();
    Condition::all().add(Column::PriceListId.in_subquery(lists))
}

/// Filter for the list that prices are in.
const LIST: &str = "price_list_id";

const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[],
    trigrams: None,
    references: &[ReferredTable {
        name: "article",
        column: &Column::ArticleId,
        id: &article::Column::Id,
        columns: &[],
        within: Some(lists::list::within::<Articles>),
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
    /// Prices by article; each article at most once.
    #[schema(min_items = 1, max_items = 500)]
    pub prices: Vec<EntryInput>,
    /// True to keep the existing quantity breaks of prices that are sent without any.
    pub keep_bulk_prices: Option<bool>,
}

tidy!(EntriesInput:);

/// Price of an article in a list; without price and quantity breaks, the article is removed from the list.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceListPriceInput)]
pub struct EntryInput {
    pub article_id: Option<i64>,
    /// Article number, in any case; instead of the id, or with it if both name the same article.
    #[schema(max_length = 255, example = "HEB-200-S235JR")]
    pub article_number: Option<String>,
    pub price: Option<Money>,
    /// Quantity breaks of the price, in any order.
    #[serde(default)]
    #[schema(max_items = 50)]
    pub bulk_prices: Vec<TierInput>,
    /// Version that was edited, 0 if there was no price; rejected if it is not the current one.
    pub version: Option<i64>,
}

/// Price with its article.
#[derive(Debug, Clone)]
pub struct EntryDetail {
    pub entry: Entry,
    pub side: Side,
    pub article: ArticleUnits,
}

/// Price in the form of a list row.
#[derive(Debug, Clone)]
pub struct EntryRow {
    pub entry: Entry,
    pub side: Side,
    pub article: ArticleSummary,
    /// Further figures, if they were requested.
    pub figures: Option<Figures>,
}

/// Price with its article, read by one statement.
#[derive(Debug, FromQueryResult)]
struct ListedEntry {
    #[sea_orm(nested)]
    entry: Entry,
    #[sea_orm(nested)]
    article: JoinedArticle,
}

impl From<EntryDetail> for EntryRow {
    fn from(EntryDetail { entry, side, article }: EntryDetail) -> Self {
        Self { entry, side, article: ArticleSummary::from(&article), figures: None }
    }
}

impl Side {
    /// Returns the price of a row of a list.
    pub fn from_entry(entry: &Entry) -> Self {
        Self::from_columns(entry.price, entry.price_quantity, entry.price_unit, entry.bulk_prices.as_ref())
    }
}

/// Loads a page of the prices of a list. Only the owner of the list sees prices under review.
pub async fn list(
    db: &Database,
    scope: &Scope,
    id: i64,
    query: &ListQuery<Entries>,
) -> Result<Page<EntryRow>> {
    let (list, query) = within_list(db, scope, id, query).await?;
    let shape = |entries| article_summary::join_article(entries, Column::ArticleId);
    let page = query.fetch::<ListedEntry>(db, scope, shape).await?;
    page.detailed(async |listed| {
        let (mut entries, articles): (Vec<Entry>, Vec<JoinedArticle>) =
            listed.into_iter().map(|listed| (listed.entry, listed.article)).unzip();
        if entries.iter().any(|entry| entry.held.is_some()) && !price_list::owns(db, scope, id).await? {
            for entry in &mut entries {
                entry.held = None;
            }
        }
        let articles = article_summary::load(db, scope, articles).await?;
        let mut figures = if query.includes(FIGURES) {
            figures::load(db, scope, &list, &entries).await?
        } else {
            HashMap::new()
        };
        let row = |(entry, article): (Entry, ArticleSummary)| EntryRow {
            side: Side::from_entry(&entry),
            figures: figures.remove(&entry.id),
            entry,
            article,
        };
        Ok(entries.into_iter().zip(articles).map(row).collect())
    })
    .await
}

/// Limits a query to a list that the caller can see. Entries with no price except one under review are
/// included only if the caller can write the list.
pub async fn limit_to_list(
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
    let visible = Condition::all().add(Column::TenantId.eq(list.owner_key())).add_option(only_priced);
    let query = query.within_visible(LIST, list.id, visible);
    Ok((list, query))
}

/// Loads the articles of prices for an export that can be imported again, leaving out entries with no price
/// except one under review.
pub async fn exported(
    db: &impl ConnectionTrait,
    scope: &Scope,
    mut entries: Vec<Entry>,
) -> Result<Vec<EntryDetail>> {
    entries.retain(|entry| !Side::from_entry(entry).is_empty());
    detailed(db, scope, entries).await
}

/// Loads prices of a list by their ids. Only the owner of the list sees prices under review.
pub async fn find_many(
    db: &impl ConnectionTrait,
    scope: &Scope,
    list: &PriceList,
    ids: Vec<i64>,
) -> Result<Vec<EntryDetail>> {
    let may_write = list.writer(scope).is_ok();
    let visible = Condition::all().add(Column::Id.is_in(ids)).add_option((!may_write).then(priced));
    let mut entries = select_entries(scope, list).filter(visible).all(db).await?;
    if entries.iter().any(|entry| entry.held.is_some()) && !price_list::owns(db, scope, list.id).await? {
        for entry in &mut entries {
            entry.held = None;
        }
    }
    detailed(db, scope, entries).await
}

/// Condition for entries with a price in effect, not only one under review.
pub(crate) fn priced() -> Condition {
    Condition::any().add(Column::Price.is_not_null()).add(Column::BulkPrices.is_not_null())
}

/// Loads the articles of prices.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    entries: Vec<Entry>,
) -> Result<Vec<EntryDetail>> {
    let articles = load_articles(db, scope, entries.iter().map(|entry| entry.article_id)).await?;
    let detail = |entry: Entry| {
        let article = articles.get(&entry.article_id).cloned().ok_or_else(Error::not_found)?;
        Ok(EntryDetail { side: Side::from_entry(&entry), article, entry })
    };
    entries.into_iter().map(detail).collect()
}

pub(crate) async fn load_articles(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, ArticleUnits>> {
    let articles = article_units::load(db, scope, article::Column::Id.is_in(ids)).await?;
    Ok(articles.into_iter().map(|article| (article.id, article)).collect())
}

/// Query for the rows of a list. The caller must be allowed to see the list.
pub(crate) fn select_entries(scope: &Scope, list: &PriceList) -> sea_orm::Select<Entries> {
    scope
        .find::<Entries>()
        .filter(Column::TenantId.eq(list.owner_key()))
        .filter(Column::PriceListId.eq(list.id))
}

/// Changes the prices of many articles in a list, all or none. An article without price and quantity breaks
/// is removed from the list. Implausible prices are put under review, and the former prices stay.
///
/// # Errors
/// All violations of all prices, each below `prices.<index>`; also `stale` if a version is not the current
/// one.
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

/// Prices of a list that one call has changed.
#[derive(Debug)]
pub struct WrittenEntries {
    /// Articles of all changed prices, including removed ones.
    pub articles: Vec<i64>,
    /// Changed prices that are in the list now.
    pub details: Vec<EntryDetail>,
    /// Number of prices that this call has put under review.
    pub under_review: u64,
}

/// Like [`update_many`], in a transaction that the caller commits, for at most `most` articles.
pub async fn update_many_in(
    tx: &Write,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<EntriesInput>>,
    most: usize,
) -> Result<WrittenEntries> {
    let (EntriesInput { prices, keep_bulk_prices }, mut violations) = input.into().parts();
    match prices.len() {
        0 => violations.add("prices", codes::TOO_FEW.with("min", 1)),
        number if number <= most => {}
        _ => violations.add("prices", codes::TOO_MANY.with("max", most)),
    }
    violations.check()?;

    let (list, writer) = price_list::lock_for_change(tx, scope, id).await?;
    let references: Vec<RecordReference> = prices
        .iter()
        .map(|price| RecordReference::new(price.article_id, price.article_number.clone()))
        .collect();
    let articles = named_articles(tx, scope, &references).await?;
    let mut violations = Violations::new();
    let mut new_prices = Vec::with_capacity(prices.len());
    for (index, (price, reference)) in prices.iter().zip(&references).enumerate() {
        let path = format!("prices.{index}.");
        let mut of_reference = Violations::new();
        let article = reference.require(&mut of_reference, ARTICLE, &articles);
        for broken in of_reference.iter() {
            violations.add(format!("{path}{}", broken.path), broken.message.clone());
        }
        let Some(article) = article else { continue };
        new_prices.push((index, article, price.read(article, &path, &mut violations)));
    }
    values::rule::unique(&mut violations, new_prices.iter().map(|(_, article, _)| article.id), |position| {
        format!("prices.{}.article_id", new_prices.get(position).map_or(position, |(index, ..)| *index))
    });
    let ids = new_prices.iter().map(|(_, article, _)| article.id);
    let rows = select_entries(&writer, &list).filter(Column::ArticleId.is_in(ids)).all(tx).await?;
    let mut rows: HashMap<i64, Entry> = rows.into_iter().map(|row| (row.article_id, row)).collect();
    for (index, article, _) in &new_prices {
        let current = rows.get(&article.id).map_or(0, |row| row.version);
        if prices.get(*index).and_then(|price| price.version).is_some_and(|edited| edited != current) {
            violations.add(format!("prices.{index}.version"), codes::STALE);
        }
    }
    violations.check()?;

    let changes = new_prices.into_iter().map(|(_, article, mut side)| {
        let before = rows.remove(&article.id);
        if keep_bulk_prices == Some(true) && side.tiers.is_empty() && side.price.is_some() {
            side.tiers = before.as_ref().map(|before| Side::from_entry(before).tiers).unwrap_or_default();
        }
        writing::NewPrice {
            before,
            article,
            side,
            row: None,
            review_policy: writing::ReviewPolicy::ReplaceOwn,
        }
    });
    let changes: Vec<_> = changes.collect();
    let ids: Vec<i64> = changes.iter().map(|change| change.article.id).collect();
    let mut guard = Guard::load(tx, &writer, &list).await?;
    guard.load_costs(tx, &writer, changes.iter().map(|change| change.article)).await?;
    let under_review = writing::apply(tx, &writer, &list, &guard, changes).await?.under_review;
    let rows = select_entries(&writer, &list).filter(Column::ArticleId.is_in(ids.clone())).all(tx).await?;
    let mut details = detailed(tx, scope, rows).await?;
    details.sort_by_key(|detail| ids.iter().position(|id| *id == detail.article.id));
    Ok(WrittenEntries { articles: ids, details, under_review })
}

/// Loads the articles that are named by id or number.
async fn named_articles(
    db: &impl ConnectionTrait,
    scope: &Scope,
    references: &[RecordReference],
) -> Result<values::reference::Referable<ArticleUnits>> {
    let condition = named_by_references(article::Column::Id, article::Column::ArticleNumberFold, references);
    let articles = article_units::load(db, scope, condition).await?;
    let referable = |article: ArticleUnits| (article.id, fold(&article.article_number), article);
    Ok(values::reference::Referable::new(articles.into_iter().map(referable)))
}

impl EntryInput {
    /// Returns the valid price of the input; violations are added below the path.
    fn read(&self, article: &ArticleUnits, path: &str, violations: &mut Violations) -> Side {
        if let Some(price) = &self.price {
            price_side::check(price, article, &format!("{path}price"), violations);
        }
        let tiers = Tiers::read(&self.bulk_prices, article, &format!("{path}bulk_prices"), violations);
        Side { price: self.price, tiers }
    }
}

/// Writes prices into a list that is being copied. They are recorded by the entry in the list's history.
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
    writing::adjust_price_count(tx, writer, list, count, 0).await
}

/// Prices in the form that the guard and exports use.
pub fn guarded(side: &Side) -> Prices {
    Prices { external: side.clone(), ..Prices::default() }
}
