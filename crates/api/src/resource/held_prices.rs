//! Prices that wait for a release, over HTTP.

use kernel::{Language, Money, may};
use pricing::{
    held_price::{self, Change, HeldPriceDetail, HeldPrices},
    price_side::Prices,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{
        access::{Authorized, InSession},
        answer::{Paged, Shown, paged, shown},
        bulk::{self, BulkChange, BulkOutcome, Filters},
        input::{About, Body, Db, List},
        routes::{Answer, Routes},
    },
    publish,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, HeldPrices: list, bulk_change);
}

/// Prices that look like a mistake.
#[derive(Serialize, ToSchema)]
#[schema(as = HeldPrice)]
struct HeldPriceView {
    id: i64,
    stock_id: i64,
    /// What the stock is called: `HEB-200-S235JR, DU`.
    #[schema(example = "HEB-200-S235JR, DU")]
    stock: String,
    current: PricesView,
    wanted: PricesView,
    /// What was probably meant; `null` where that cannot be said.
    #[schema(required)]
    mended: Option<PricesView>,
    /// Why they are held.
    reasons: Vec<Reason>,
    /// The import that wants them so; `null`: a form or a call.
    #[schema(required)]
    import_id: Option<i64>,
    /// Its line.
    #[schema(required)]
    line: Option<i64>,
    since: chrono::DateTime<chrono::Utc>,
}

/// Both prices of a stock with their tiers.
#[derive(Serialize, ToSchema)]
#[schema(as = Prices)]
struct PricesView {
    #[schema(required)]
    internal_price: Option<Money>,
    #[schema(required)]
    external_price: Option<Money>,
    internal_bulk_prices: Vec<BulkPriceView>,
    external_bulk_prices: Vec<BulkPriceView>,
}

/// The price from a quantity on.
#[derive(Serialize, ToSchema)]
#[schema(as = HeldBulkPrice)]
struct BulkPriceView {
    #[schema(example = "10")]
    quantity_from: kernel::Decimal,
    /// `null`: the listing unit of the article type.
    #[schema(required)]
    quantity_unit: Option<kernel::Unit>,
    price: Money,
}

/// Why a price is held.
#[derive(Serialize, ToSchema)]
#[schema(as = HeldPriceReason)]
struct Reason {
    #[schema(example = "external_price.price")]
    field: String,
    code: kernel::Code,
    #[schema(
        example = "925,00 € je 100 kg ist das 10-Fache des bisherigen Preises und sieht nach 925,00 € je t aus."
    )]
    message: String,
}

impl From<Prices> for PricesView {
    fn from(prices: Prices) -> Self {
        let tiers = |tiers: &pricing::price_side::Tiers| {
            let tiers = tiers.iter().map(|tier| BulkPriceView {
                quantity_from: tier.from,
                quantity_unit: tier.from_unit,
                price: tier.price,
            });
            tiers.collect()
        };
        Self {
            internal_bulk_prices: tiers(&prices.internal.tiers),
            external_bulk_prices: tiers(&prices.external.tiers),
            internal_price: prices.internal.price,
            external_price: prices.external.price,
        }
    }
}

impl HeldPriceView {
    fn new(HeldPriceDetail { held, current }: HeldPriceDetail, language: Language) -> Self {
        let reasons = held.suspicions.0.into_iter().map(|suspicion| Reason {
            field: suspicion.field,
            code: suspicion.message.code,
            message: suspicion.message.text(language),
        });
        Self {
            id: held.id,
            stock_id: held.stock_id,
            stock: held.name,
            current: current.into(),
            wanted: held.wanted.into(),
            mended: held.mended.map(PricesView::from),
            reasons: reasons.collect(),
            import_id: held.import_id,
            line: held.line,
            since: held.updated_at,
        }
    }
}

/// Lists the prices of the tenant that is acted for which look like a mistake and wait for a release.
#[utoipa::path(get, path = "/api/admin/held-prices")]
async fn list(
    by: InSession<Authorized<may::ViewPrice>>,
    Db(db): Db,
    About(request): About,
    List(query): List<HeldPrices>,
) -> Answer<Paged<HeldPriceView>> {
    let page = query.fetch::<held_price::HeldPrice>(&db, by.scope(), |select| select).await?;
    let page = page.detailed(async |rows| held_price::detailed(&db, by.scope(), rows).await).await?;
    Ok(paged(page.map(|detail| HeldPriceView::new(detail, request.language))))
}

/// Decides about held prices: releases them, releases what was probably meant, or refuses them.
#[utoipa::path(post, path = "/api/admin/held-prices/bulk-change")]
async fn bulk_change(
    by: InSession<Authorized<may::UpdatePrice>>,
    Db(db): Db,
    About(request): About,
    filters: Filters<HeldPrices>,
    Body(BulkChange { selection, change }): Body<BulkChange<Change>>,
) -> Answer<Shown<BulkOutcome>> {
    let one = async |id, _: &str| held_price::change(&db, by.scope(), id, &change).await;
    let records = (&db, by.scope());
    Ok(shown(bulk::each(records, &filters, &selection, request.language, one).await?))
}
