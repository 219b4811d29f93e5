//! Prices over HTTP: the price side of stocks, one or many at a time.

mod impact;

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{Download, OkJson, ok_json},
    export::{Column, Export, ExtraColumns, time},
    input::{Body, Db},
    publish,
    routes::{Answer, Routes},
};
use lists::{Detailed, Managed, UnversionedField};
use logistics::stock::Availability;
use pricing::{
    held_price::Proposal,
    listing::{self, Listing, ListingDetail, Listings, MANY_MAX, PriceInput, PricesInput},
    may,
    price_side::{PriceMargin, TierInput, per_tonne, tier_columns::TierTable},
    quote::over_time::former_rows,
};
use sea_orm::ConnectionTrait;
use serde::Serialize;
use store::{Scope, Snapshot};
use utoipa::ToSchema;
use values::{Decimal, Money, Result, Unit, Validated};

use crate::{
    resource::{
        crud::{operations, view_of},
        held_prices::{ProposerView, name_proposers},
        matchings::WarehouseReference,
        stocks::{TradedArticle, tiers},
        tenants::TenantReference,
        texts_of,
        view::HasView,
    },
    state::State,
    webhook_events,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Listings: export, update_many);
    impact::routes(routes);
    operations::<Listings>(routes, "/api/admin/prices")
        .list::<may::ListPrices>("Lists the stocks of the tenant with their prices.")
        .view::<may::ViewPrice>("Shows the prices of a stock.")
        .update::<may::UpdatePrice>("Changes the prices of a stock. Implausible prices go under review: the present ones stay in effect, and `held` has the reasons.")
        .delete::<may::DeletePrice>("Deletes the prices of a stock; the stock stays.")
        .bulk_delete::<may::DeletePrice>("Deletes the prices of many stocks.");
}

view_of! {
    /// The prices of a stock.
    PriceView as Price, of detail: ListingDetail, row Stamp::from_detail(&detail);
    tenant: TenantReference = TenantReference::new(detail.listing.tenant_id, detail.tenant),
    article: TradedArticle = TradedArticle::from(&detail.article),
    /// Other system's number for the article: in this warehouse, or in any.
    #[schema(required, example = "4711-200")]
    external_article_number: Option<String> = detail.external_article_number,
    warehouse: WarehouseReference = WarehouseReference::from(detail.warehouse),
    availability_type: Availability = detail.listing.availability_type,
    /// Quantity in the quantity unit; `null` unless the stock is available by quantity.
    #[schema(required, example = "36.3")]
    quantity: Option<Decimal> = detail.listing.quantity,
    /// The article's base unit.
    quantity_unit: Unit = detail.article.base_unit,
    /// Length of a remnant, in millimetres; `null` for that of the article.
    #[schema(required, example = "6000")]
    length: Option<Decimal> = positive(detail.listing.length),
    #[schema(required, example = "1000")]
    width: Option<Decimal> = positive(detail.listing.width),
    #[schema(required, example = "500")]
    height: Option<Decimal> = positive(detail.listing.height),
    #[schema(required)]
    internal_price: Option<Money> = detail.prices.internal.price,
    #[schema(required)]
    external_price: Option<Money> = detail.prices.external.price,
    internal_bulk_prices: Vec<TierInput> = tiers(&detail.prices.internal.tiers, detail.article.listing_unit),
    external_bulk_prices: Vec<TierInput> = tiers(&detail.prices.external.tiers, detail.article.listing_unit),
    /// Margin; `null` if one of the prices is missing, or their units cannot be converted into each other.
    #[schema(required)]
    margin: Option<MarginView> = detail.margin.map(MarginView::from),
    /// EUR per tonne by the external price, rounded to cents; `null` without a price or a weight of the
    /// article.
    #[schema(required, example = "985.00")]
    external_price_per_tonne: Option<Decimal> =
        detail.prices.external.price.and_then(|price| per_tonne(&price, &detail.article)),
    /// Prices under review: the caller's own, otherwise the newest.
    #[schema(required)]
    held: Option<HeldReference> = held_reference(detail.proposals),
    /// Time at which an import last wrote it or confirmed it as unchanged.
    #[schema(required)]
    confirmed_at: Option<DateTime<Utc>> = detail.confirmed_at,
}

view_of! {
    /// Margin of the external price over the internal one.
    part MarginView as Margin, of margin: PriceMargin;
    /// Amount in EUR for the quantity and unit of the external price.
    #[schema(example = "70.00")]
    amount: Decimal = margin.amount,
    /// Percentage of the external price; `null` if that is zero.
    #[schema(required, example = "8.24")]
    percent: Option<Decimal> = margin.percent,
}

/// Prices under review.
#[derive(Serialize, ToSchema)]
#[schema(as = HeldPriceReference)]
struct HeldReference {
    #[serde(flatten)]
    newest: ProposedPrices,
    /// Prices that other users propose for the same stock.
    others: Vec<ProposedPrices>,
}

view_of! {
    /// Prices under review that a user proposes.
    part ProposedPrices as ProposedPrices, of proposal: Proposal;
    /// User who proposes them; `null` if it was the system or the user is deleted.
    #[schema(required)]
    by: Option<ProposerView> = ProposerView::from_proposal(&proposal),
    id: i64 = proposal.held_price.id,
    #[schema(required)]
    internal_price: Option<Money> = proposal.held_price.wanted.internal.price,
    #[schema(required)]
    external_price: Option<Money> = proposal.held_price.wanted.external.price,
    since: DateTime<Utc> = proposal.held_price.updated_at,
}

fn held_reference(proposals: Vec<Proposal>) -> Option<HeldReference> {
    let mut proposals = proposals.into_iter().map(ProposedPrices::from);
    Some(HeldReference { newest: proposals.next()?, others: proposals.collect() })
}

/// Id, version and times of the price side.
struct Stamp {
    id: i64,
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl Stamp {
    fn from_detail(detail: &ListingDetail) -> Self {
        let listing = &detail.listing;
        Self {
            id: listing.id,
            version: listing.price_version,
            created_at: listing.created_at,
            updated_at: listing.price_updated_at.unwrap_or(listing.created_at),
        }
    }
}

fn positive(side: Decimal) -> Option<Decimal> {
    Some(side).filter(|side| *side > Decimal::ZERO)
}

impl HasView for Listings {
    type Source = State;
    type View = PriceView;
}

impl Detailed<State> for Listings {
    type Detail = ListingDetail;

    async fn detailed(state: &State, scope: &Scope, rows: Vec<Listing>) -> Result<Vec<ListingDetail>> {
        load_listings(&state.db, scope, rows).await
    }
}

/// Loads the related data of listings, with the names of users who propose prices.
pub(super) async fn load_listings(
    db: &impl ConnectionTrait,
    scope: &Scope,
    rows: Vec<Listing>,
) -> Result<Vec<ListingDetail>> {
    with_proposers(db, listing::detailed(db, scope, rows).await?).await
}

/// Adds the names of users who propose prices to listings.
pub(super) async fn with_proposers(
    db: &impl ConnectionTrait,
    mut details: Vec<ListingDetail>,
) -> Result<Vec<ListingDetail>> {
    name_proposers(db, details.iter_mut().flat_map(|detail| &mut detail.proposals)).await?;
    Ok(details)
}

impl Managed<State> for Listings {
    type Input = PriceInput;
    const UNVERSIONED_FIELDS: &'static [(&'static str, UnversionedField)] = &[
        ("tenant", UnversionedField::Reference),
        ("article", UnversionedField::Reference),
        ("external_article_number", UnversionedField::Derived),
        ("warehouse", UnversionedField::Reference),
        ("availability_type", UnversionedField::OtherSide),
        ("quantity", UnversionedField::OtherSide),
        ("length", UnversionedField::OtherSide),
        ("width", UnversionedField::OtherSide),
        ("height", UnversionedField::OtherSide),
        ("margin", UnversionedField::Derived),
        ("external_price_per_tonne", UnversionedField::Derived),
        ("held", UnversionedField::Derived),
        ("confirmed_at", UnversionedField::Time),
    ];

    async fn former_states(state: &State, scope: &Scope, id: i64) -> Result<Vec<ListingDetail>> {
        let listing = scope.get::<Self>(&state.db, id).await?;
        let since = listing.price_updated_at.unwrap_or(listing.created_at);
        let rows = former_rows::<Self>(&state.db, id, &listing, since).await?;
        let mut former = Vec::new();
        for row in rows {
            // one by one, because related data are loaded once per id
            former.extend(load_listings(&state.db, scope, vec![row]).await?);
        }
        Ok(former)
    }

    async fn update(
        state: &State,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<PriceInput>>,
    ) -> Result<ListingDetail> {
        let tx = state.db.begin().await?;
        let detail = listing::update_in(&tx, scope, id, input).await?;
        webhook_events::stock_prices_held(&tx, scope, usize::from(detail.has_proposal_by(scope))).await?;
        tx.commit().await?;
        Ok(with_proposers(&state.db, vec![detail]).await?.remove(0))
    }
}

/// The prices of stocks after a change.
#[derive(Serialize, ToSchema)]
#[schema(as = ChangedPrices)]
struct ChangedView {
    data: Vec<PriceView>,
}

/// Changes the prices of at most 500 stocks, all or none; errors are at `prices.<index>`. A price that looks
/// like a mistake goes under review: the old price stays, and `held` has the proposed one.
#[utoipa::path(put, path = "/api/admin/prices/bulk")]
async fn update_many(
    by: Authorized<may::UpdatePrice>,
    Db(db): Db,
    Body(input): Body<Validated<PricesInput>>,
) -> Answer<OkJson<ChangedView>> {
    let scope = by.scope();
    let tx = db.begin().await?;
    let details = listing::update_many_in(&tx, scope, input, MANY_MAX).await?;
    let under_review = details.iter().filter(|detail| detail.has_proposal_by(scope)).count();
    webhook_events::stock_prices_held(&tx, scope, under_review).await?;
    tx.commit().await?;
    let details = with_proposers(&db, details).await?;
    Ok(ok_json(ChangedView { data: details.into_iter().map(PriceView::from).collect() }))
}

const COLUMNS: &[Column<ListingDetail>] = &[
    ("article_number", |row, _| row.article.article_number.as_str().into()),
    ("external_article_number", |row, _| row.external_article_number.as_deref().into()),
    ("article_name", |row, _| row.article.article_name.as_str().into()),
    ("warehouse_short_code", |row, _| row.warehouse.short_code.as_str().into()),
    ("length", |row, _| positive(row.listing.length).into()),
    ("width", |row, _| positive(row.listing.width).into()),
    ("height", |row, _| positive(row.listing.height).into()),
    ("external_price", |row, _| row.prices.external.price.map(|price| price.price).into()),
    ("external_price_quantity", |row, _| row.prices.external.price.map(|price| price.price_quantity).into()),
    ("external_price_unit", |row, labels| {
        row.prices.external.price.map(|price| labels.unit(price.unit)).into()
    }),
    ("internal_price", |row, _| row.prices.internal.price.map(|price| price.price).into()),
    ("internal_price_quantity", |row, _| row.prices.internal.price.map(|price| price.price_quantity).into()),
    ("internal_price_unit", |row, labels| {
        row.prices.internal.price.map(|price| labels.unit(price.unit)).into()
    }),
    ("tenant_id", |row, _| row.tenant.as_str().into()),
    ("updated_at", |row, _| row.listing.price_updated_at.map(time).into()),
];

/// Exports all prices of the tenant that match the filters.
#[utoipa::path(get, path = "/api/admin/prices/export")]
async fn export(by: Authorized<may::ListPrices>, export: Export<Listings>) -> Answer<Download> {
    let (scope, language) = (by.scope(), export.language);
    let detailed = async |db: &Snapshot, rows| load_listings(db, scope, rows).await;
    let tiers = async |db: &Snapshot| {
        let table = TierTable::count_in_stocks(db, scope).await?;
        Ok(ExtraColumns {
            headings: table.headings(language),
            cells: Box::new(move |row: &ListingDetail| {
                table.cells(&row.prices, row.article.listing_unit, language)
            }),
        })
    };
    Ok(export.table_with(scope, texts_of::<Listings>()?, COLUMNS, tiers, detailed).await?)
}
