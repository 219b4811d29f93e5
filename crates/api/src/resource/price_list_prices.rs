//! Prices of a list over HTTP: one or many at a time, for the spreadsheet and for files.

use std::iter;

use catalog::{article::image::pictures, image::ImageInfo};
use chrono::{DateTime, Utc};
use http_api::{
    access::{Authorized, InSession},
    answer::{Download, OkJson, OkPage, Unpaged, ok_json, ok_page},
    bulk::Filters,
    export::{Column, Export, ExtraColumns, time},
    input::{Body, Db, Id, List, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use pricing::{
    may,
    price_list::PriceLists,
    price_list_entry::{
        self, DecisionsInput, Entries, EntriesInput, Entry, EntryDetail, EntryRow, Figures, HeldEntry,
        MANY_MAX, WrittenEntries,
        bulk::{self, BulkInput},
        guarded,
    },
    price_side::{TierInput, tier_columns::TierTable},
};
use sea_orm::ConnectionTrait;
use serde::Serialize;
use store::Scope;
use utoipa::ToSchema;
use values::{Decimal, Language, Money, Result, Validated};

use crate::{
    resource::{
        categories::ImageView,
        crud::view_of,
        held_prices::{Names, ProposerView, names_of},
        price_lists::{DifferenceView, ReasonView},
        prices::MarginView,
        stocks::{TradedArticle, tiers},
        texts_of, visible_messages,
    },
    webhook_events,
};

pub(crate) fn routes(routes: &mut Routes) {
    // under the path of the price list
    publish!(routes, PriceLists: prices, export_prices, update_prices, change_prices, decide_prices);
}

/// Price of an article in a price list.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceListPrice)]
pub(super) struct EntryView {
    id: i64,
    article: TradedArticle,
    /// Picture of the article, for callers who may see articles.
    #[schema(required)]
    image: Option<ImageView>,
    /// Price; `null` if there are only prices from the first quantity break on.
    #[schema(required)]
    price: Option<Money>,
    bulk_prices: Vec<TierInput>,
    /// Proposed price under review; only for owners of the list.
    #[schema(required)]
    held: Option<HeldView>,
    /// Figures beside the price, with `include=figures`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    figures: Option<FiguresView>,
    /// Number of changes so far; send it back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

view_of! {
    /// Figures beside a price of a list.
    part FiguresView as PriceListPriceFigures, of figures: Figures;
    /// EUR per tonne, rounded to cents; `null` without a price or a weight of the article.
    #[schema(required, example = "985.00")]
    per_tonne: Option<Decimal> = figures.per_tonne,
    /// Margin over the cost of the article for the owner of the list, by the applicable internal list or
    /// otherwise the cheapest of their stocks. `null` if the cost is not known, or the caller may not see it.
    #[schema(required)]
    margin: Option<MarginView> = figures.margin.map(MarginView::from),
}

/// Proposed price under review, because it looks like a mistake.
#[derive(Serialize, ToSchema)]
#[schema(as = HeldPriceListPrice)]
struct HeldView {
    #[schema(required)]
    price: Option<Money>,
    bulk_prices: Vec<TierInput>,
    /// Suggested correction; `null` if there is none.
    #[schema(required)]
    mended: Option<Money>,
    /// Reasons why it is under review.
    reasons: Vec<ReasonView>,
    /// Import that proposes it; `null` for a form or a call.
    #[schema(required)]
    import_id: Option<i64>,
    /// User who proposes it; `null` if it was the system or the user is deleted.
    #[schema(required)]
    by: Option<ProposerView>,
    /// Prices that other users propose for the same article, the newest first.
    others: Vec<OtherHeldView>,
}

/// Price that another user proposes for an article.
#[derive(Serialize, ToSchema)]
#[schema(as = OtherHeldPriceListPrice)]
struct OtherHeldView {
    /// Number of the proposal; send it back with a decision about it.
    #[schema(example = 1)]
    proposal: usize,
    #[schema(required)]
    by: Option<ProposerView>,
    #[schema(required)]
    price: Option<Money>,
    bulk_prices: Vec<TierInput>,
    /// Suggested correction; `null` if there is none.
    #[schema(required)]
    mended: Option<Money>,
}

impl EntryView {
    fn new(
        EntryRow { entry, side, article, figures }: EntryRow,
        image: Option<ImageInfo>,
        names: &Names,
        scope: &Scope,
        language: Language,
    ) -> Self {
        let unit = article.listing_unit;
        let held_view = |held_entry: HeldEntry| HeldView {
            price: held_entry.wanted.price,
            bulk_prices: tiers(&held_entry.wanted.tiers, unit),
            mended: held_entry.mended.and_then(|mended| mended.price),
            reasons: visible_messages(
                scope,
                held_entry.suspicions.0.iter().map(|suspicion| (&suspicion.field, &suspicion.message)),
            )
            .into_iter()
            .map(|(_, message)| ReasonView { code: message.code, message: message.text(language) })
            .collect(),
            import_id: held_entry.row.map(|(import, _)| import),
            by: ProposerView::new(held_entry.created_by, names),
            others: (1..)
                .zip(held_entry.others)
                .map(|(proposal, other)| OtherHeldView {
                    proposal,
                    by: ProposerView::new(other.created_by, names),
                    price: other.wanted.price,
                    bulk_prices: tiers(&other.wanted.tiers, unit),
                    mended: other.mended.and_then(|mended| mended.price),
                })
                .collect(),
        };
        Self {
            id: entry.id,
            price: side.price,
            bulk_prices: tiers(&side.tiers, unit),
            held: entry.held.map(held_view),
            figures: figures.map(FiguresView::from),
            article: article.into(),
            image: image.map(ImageView::from),
            version: entry.version,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
        }
    }
}

/// Builds the views of a list's prices, with the names of users who propose others.
pub(super) async fn load_views(
    db: &impl ConnectionTrait,
    scope: &Scope,
    rows: Vec<EntryRow>,
    language: Language,
) -> Result<Vec<EntryView>> {
    let waiting = rows.iter().filter_map(|row| row.entry.held.as_ref());
    let proposals = waiting.flat_map(|proposal| iter::once(proposal).chain(&proposal.others));
    let names = names_of(db, proposals.map(|proposal| proposal.created_by)).await?;
    let articles: Vec<i64> = rows.iter().map(|row| row.entry.article_id).collect();
    let mut images = pictures(db, scope, &articles).await?;
    let view = |row: EntryRow| {
        let image = images.remove(&row.entry.article_id);
        EntryView::new(row, image, &names, scope, language)
    };
    Ok(rows.into_iter().map(view).collect())
}

/// Lists the prices of a price list.
#[utoipa::path(get, path = "/api/admin/price-lists/{id}/prices")]
async fn prices(
    by: Authorized<may::ViewPriceList>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    List(query): List<Entries>,
) -> Answer<OkPage<EntryView>> {
    let page = price_list_entry::list(&db, by.scope(), id, &query).await?;
    Ok(ok_page(page.detailed(async |rows| load_views(&db, by.scope(), rows, request.language).await).await?))
}

const COLUMNS: &[Column<EntryDetail>] = &[
    ("article_number", |row, _| row.article.article_number.as_str().into()),
    ("article_name", |row, _| row.article.article_name.as_str().into()),
    ("price", |row, _| row.side.price.map(|price| price.price).into()),
    ("price_quantity", |row, _| row.side.price.map(|price| price.price_quantity).into()),
    ("price_unit", |row, labels| row.side.price.map(|price| labels.unit(price.unit)).into()),
    ("updated_at", |row, _| time(row.entry.updated_at)),
];

/// Exports all prices of a price list that match the filters, in the form that an import reads.
#[utoipa::path(get, path = "/api/admin/price-lists/{id}/prices/export")]
async fn export_prices(
    by: Authorized<may::ViewPriceList>,
    Id(id): Id,
    export: Export<Entries>,
) -> Answer<Download> {
    let scope = by.scope();
    let query = price_list_entry::limit_to_list(export.server.db(), scope, id, &export.query).await?;
    let export = Export { query, ..export };
    let language = export.language;
    let further = async |db: &_| {
        let table = TierTable::count_in_list(db, scope, id).await?;
        Ok(ExtraColumns {
            headings: table.headings(language),
            cells: Box::new(move |row: &EntryDetail| {
                table.cells(&guarded(&row.side), row.article.listing_unit, language)
            }),
        })
    };
    let exported = async |db: &_, rows: Vec<Entry>| price_list_entry::exported(db, scope, rows).await;
    Ok(export.table_with(scope, texts_of::<Entries>()?, COLUMNS, further, exported).await?)
}

/// Changes the prices of at most 500 articles in a price list, all or none; errors are at `prices.<index>`.
/// An item with neither a price nor quantity breaks removes the article from the list. A price that looks
/// like a mistake goes under review: the old price stays, and `held` has the proposed one.
#[utoipa::path(put, path = "/api/admin/price-lists/{id}/prices")]
async fn update_prices(
    by: Authorized<may::UpdatePriceList>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(input): Body<Validated<EntriesInput>>,
) -> Answer<OkJson<Unpaged<EntryView>>> {
    let tx = db.begin().await?;
    let WrittenEntries { details, under_review, .. } =
        price_list_entry::update_many_in(&tx, by.scope(), id, input, MANY_MAX).await?;
    if under_review > 0 {
        let list = by.scope().get::<PriceLists>(&tx, id).await?;
        webhook_events::list_prices_held(&tx, &list, under_review).await?;
    }
    tx.commit().await?;
    let rows = details.into_iter().map(EntryRow::from).collect();
    let data = load_views(&db, by.scope(), rows, request.language).await?;
    Ok(ok_json(Unpaged { data }))
}

/// Changes the selected prices of a price list, or all that match the filters: sets, raises, lowers and
/// rounds them, or takes them from another list. With `dry_run` it only returns the effect.
#[utoipa::path(post, path = "/api/admin/price-lists/{id}/prices/change")]
async fn change_prices(
    by: Authorized<may::UpdatePriceList>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Filters(query): Filters<Entries>,
    Body(input): Body<Validated<BulkInput>>,
) -> Answer<OkJson<DifferenceView>> {
    let when_held = webhook_events::list_prices_held;
    let difference = bulk::change(&db, by.scope(), id, &query, input, when_held).await?;
    Ok(ok_json(DifferenceView::new(difference, request.language)))
}

/// Decides about prices of a list under review: releases them, releases the suggested corrections, or refuses
/// them.
#[utoipa::path(post, path = "/api/admin/price-lists/{id}/prices/decide")]
async fn decide_prices(
    by: InSession<Authorized<may::UpdatePriceList>>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(input): Body<Validated<DecisionsInput>>,
) -> Answer<OkJson<Unpaged<EntryView>>> {
    let details = price_list_entry::decide(&db, by.scope(), id, input).await?;
    let rows = details.into_iter().map(EntryRow::from).collect();
    let data = load_views(&db, by.scope(), rows, request.language).await?;
    Ok(ok_json(Unpaged { data }))
}
