//! Price of an article over time, over HTTP.

use chrono::{DateTime, Datelike, SubsecRound, Utc};
use http_api::{
    access::{Authorized, ReadOnlyPost},
    answer::{OkJson, ok_json},
    input::{Body, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use logistics::{calendar::check_year, matching::directory::PlaceReference};
use pricing::{
    may,
    quote::{
        over_time::{self, LONGEST, PriceTimeline, RequestedPeriod, Step, StepPrice},
        request::{QuoteRequest, RequestedLine},
        target::RequestedPrices,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::{Decimal, Language, Money, RecordReference, Result, Unit, Violations, now};

use super::QuoteView;
use crate::{
    codes,
    resource::{item_fault::ItemFault, stocks::TradedArticle, tenants::PartyView},
    state::Server,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "quotes": over_time);
}

/// Article and quantity whose price is requested for a period.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceOverTimeInput, example = json!({ "article_number": "HEB-200-S235JR-12.1", "quantity": "3", "unit": "piece",
    "from": "2026-01-01T00:00:00Z", "until": "2027-12-31T00:00:00Z" }))]
struct OverTimeInput {
    /// Seller; by default the acting tenant.
    seller_id: Option<i64>,
    /// Short code of the seller, instead of the id or with it.
    #[schema(max_length = 255, example = "NORD")]
    seller_short_code: Option<String>,
    /// Buyer. By default the acting tenant; if that is the seller, any buyer.
    buyer_id: Option<i64>,
    /// Short code of the buyer, instead of the id or with it.
    #[schema(max_length = 255, example = "SUED")]
    buyer_short_code: Option<String>,
    article_id: Option<i64>,
    /// Article number, ignoring case; instead of the id, or with it.
    #[schema(max_length = 255, example = "HEB-200-S235JR-12.1")]
    article_number: Option<String>,
    /// Number of the article in another system of the acting tenant.
    #[schema(max_length = 255)]
    external_article_number: Option<String>,
    /// Quantity, above zero.
    #[schema(example = "3")]
    quantity: Decimal,
    /// Unit in which the article is counted; by default its listing unit.
    unit: Option<Unit>,
    /// Warehouse that delivers; by default any. A buyer can name those warehouses in which the seller shows a
    /// stock of the article with a sales price; all others are unknown to them.
    warehouse_id: Option<i64>,
    /// Short code of the warehouse, instead of the id or with it.
    #[schema(max_length = 255, example = "DU")]
    warehouse_short_code: Option<String>,
    from: DateTime<Utc>,
    /// End of the period, after its beginning by at most ten years.
    until: DateTime<Utc>,
    /// Time for which the price is explained.
    explain_at: Option<DateTime<Utc>>,
}

/// Price of an article over time.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceOverTime)]
struct OverTimeView {
    seller: PartyView,
    /// Buyer; `null` for any buyer.
    #[schema(required)]
    buyer: Option<PartyView>,
    article: TradedArticle,
    #[schema(example = "3")]
    quantity: Decimal,
    unit: Unit,
    /// Steps without gaps between them, at most 400.
    steps: Vec<StepView>,
    /// True if there are more steps after the last one.
    cut: bool,
    /// Price at the time to be explained; `null` without such a time, and if the price then is not known.
    #[schema(required)]
    explained: Option<QuoteView>,
}

/// Price of an article from a time on.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceOverTimeStep, example = json!({ "from": "2026-01-01T00:00:00Z", "until": "2026-12-31T23:00:00Z", "past": true,
    "total": "2281.82", "unit_price": { "price": "1025.45", "price_quantity": "1", "unit": "t" },
    "list": { "id": 3, "name": "Verkauf 2026" }, "stock_id": null, "overlaps": [], "error": null }))]
struct StepView {
    from: DateTime<Utc>,
    /// First moment at which it does not apply any more, or the end of the period.
    until: DateTime<Utc>,
    /// True for a price in the past, from the history; false for a future price, from what is known now.
    past: bool,
    /// Price of the quantity in EUR, rounded; `null` without a price.
    #[schema(required)]
    total: Option<Decimal>,
    /// Price of one price unit of the article.
    #[schema(required)]
    unit_price: Option<Money>,
    /// List that gives the price.
    #[schema(required)]
    list: Option<StepList>,
    /// Stock that gives the price.
    #[schema(required)]
    stock_id: Option<i64>,
    /// Other applicable lists with a price, which have lower precedence.
    overlaps: Vec<StepList>,
    /// Reason why there is no price.
    #[schema(required)]
    error: Option<ItemFault>,
}

/// List with a price of the article.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceOverTimeList)]
struct StepList {
    id: i64,
    #[schema(example = "Verkauf 2027")]
    name: String,
}

/// Returns the price of an article for a buyer over a period: the past from the history, the future from what
/// is known now, and on request an explanation for one time. The article itself is the present one.
#[utoipa::path(post, path = "/api/admin/quotes/over-time")]
async fn over_time(
    by: ReadOnlyPost<Authorized<may::ViewPrice>>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(input): Body<OverTimeInput>,
) -> Answer<OkJson<OverTimeView>> {
    let period = input.period()?;
    let now = now();
    let time_zone = state.time_zone();
    let timeline =
        over_time::over_time(&state.db, by.scope(), time_zone, input.into_question(now), period, now).await?;
    Ok(ok_json(OverTimeView::new(timeline, request.language)))
}

impl OverTimeInput {
    fn period(&self) -> Result<RequestedPeriod> {
        for (path, moment) in
            [("from", Some(self.from)), ("until", Some(self.until)), ("explain_at", self.explain_at)]
        {
            if let Some(moment) = moment {
                check_year(path, moment.year())?;
            }
        }
        if self.until <= self.from {
            return Err(Violations::error("until", codes::ENDS_BEFORE_START));
        }
        if self.until - self.from > LONGEST {
            return Err(Violations::error(
                "until",
                codes::PERIOD_TOO_LONG.with("years", LONGEST.num_days() / 365),
            ));
        }
        let cut = |moment: DateTime<Utc>| moment.trunc_subsecs(6);
        Ok(RequestedPeriod {
            from: cut(self.from),
            until: cut(self.until),
            explained: self.explain_at.map(cut),
        })
    }

    fn into_question(self, now: DateTime<Utc>) -> QuoteRequest {
        let place = PlaceReference {
            article: RecordReference::new(self.article_id, self.article_number),
            external_article_number: self.external_article_number,
            warehouse: RecordReference::new(self.warehouse_id, self.warehouse_short_code),
            external_warehouse_identifier: None,
        };
        let line = RequestedLine {
            place,
            quantity: self.quantity,
            unit: self.unit,
            processings: Vec::new(),
            targets: RequestedPrices::default(),
        };
        QuoteRequest {
            seller: RecordReference::new(self.seller_id, self.seller_short_code),
            buyer: RecordReference::new(self.buyer_id, self.buyer_short_code),
            as_customer: false,
            at: now,
            target_total: None,
            lines: vec![line],
        }
    }
}

impl OverTimeView {
    fn new(timeline: PriceTimeline, language: Language) -> Self {
        Self {
            seller: (&timeline.seller).into(),
            buyer: timeline.buyer.as_ref().map(PartyView::from),
            article: TradedArticle::from(&timeline.article),
            quantity: timeline.quantity,
            unit: timeline.unit,
            steps: timeline.steps.into_iter().map(|step| StepView::new(step, language)).collect(),
            cut: timeline.cut,
            explained: timeline.explained.map(|answer| QuoteView::new(0, answer, language)),
        }
    }
}

impl StepView {
    fn new(Step { from, until, price, overlaps, past }: Step, language: Language) -> Self {
        let (priced, error) = match price {
            Ok(priced) => (Some(priced), None),
            Err(message) => (None, Some(ItemFault::new(None, &message, language))),
        };
        let list = |(id, name): (i64, String)| StepList { id, name };
        let total = priced.as_ref().map(|priced| priced.total);
        let unit_price = priced.as_ref().and_then(|priced| priced.unit_price);
        let stock_id = priced.as_ref().and_then(|priced| priced.stock_id);
        let won = priced.and_then(|StepPrice { list, .. }| list).map(list);
        let overlaps = overlaps.into_iter().map(list).collect();
        Self { from, until, past, total, unit_price, list: won, stock_id, overlaps, error }
    }
}
