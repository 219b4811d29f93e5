//! Availability of many articles in one call.

use chrono::{DateTime, Utc};
use http_api::{
    access::{Authorized, ReadOnlyPost},
    answer::{OkJson, Unpaged, ok_json},
    input::{Body, RequestInfo},
    publish,
    request::Request,
    request_limits::REQUEST_TIMEOUT,
    routes::{Answer, Routes},
};
use logistics::{
    matching::directory::PlaceReference,
    may,
    stock::{
        Availability,
        availability::{self, AnsweredBy, AvailabilityQuery, AvailabilityReason, Available, Inquiry},
    },
};
use pricing::quote::{request::SELLER, shown_warehouses};
use serde::{Deserialize, Serialize};
use store::{Database, Scope, deadline};
use tenancy::partner;
use utoipa::ToSchema;
use values::{
    Decimal, Language, Minutes, RecordReference, Referable, Result, TenantId, Unit, Violations,
    error::Violation, fold, now,
};

use crate::{
    codes, live_stock,
    resource::{item_fault::ItemFault, matchings::WarehouseReference},
    state::Server,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "v1": availability);
}

const ITEMS_MAX: usize = 200;

/// Articles whose availability is requested.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "items": [{ "article_number": "HEB-200-S235JR-12.1", "quantity": "2", "unit": "piece" }]
}))]
struct AvailabilityInput {
    /// Seller of the stocks; by default the acting tenant. Stocks of another seller are included if they are
    /// shown at a sales price; that needs `listing.view`.
    seller_id: Option<i64>,
    /// Short code of the seller, instead of the id or with it.
    #[schema(max_length = 255, example = "NORD")]
    seller_short_code: Option<String>,
    #[schema(min_items = 1, max_items = 200)]
    items: Vec<AvailabilityItem>,
}

/// Article and quantity.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "article_number": "HEB-200-S235JR-12.1", "quantity": "2", "unit": "piece" }))]
struct AvailabilityItem {
    /// Article number, ignoring case.
    #[schema(max_length = 255, example = "HEB-200-S235JR-12.1")]
    article_number: Option<String>,
    /// Number of the article in another system, instead of the article number or with it.
    #[schema(max_length = 255)]
    external_article_number: Option<String>,
    /// Quantity, above zero.
    #[schema(example = "24.2")]
    quantity: Decimal,
    /// Unit in which the article is counted; by default its base unit.
    unit: Option<Unit>,
    /// Warehouse; by default any. A buyer can name the seller's warehouses in which the seller shows the
    /// article.
    #[schema(max_length = 255, example = "DU")]
    warehouse_short_code: Option<String>,
    /// Name of the warehouse in another system, instead of the short code or with it; only for the caller's
    /// own stocks.
    #[schema(max_length = 255)]
    external_warehouse_identifier: Option<String>,
}

/// Availability of an article in one warehouse.
#[derive(Serialize, ToSchema)]
struct AvailabilityResult {
    /// Index of the item, from 0.
    #[schema(example = 0)]
    index: usize,
    available: AvailableView,
    reason: ReasonView,
    /// Quantity in stock, if the stock shows it; `null` for a buyer.
    #[schema(required, example = "36.3")]
    quantity: Option<Decimal>,
    /// Base unit of the article; `null` if no article is found.
    #[schema(required)]
    quantity_unit: Option<Unit>,
    /// Warehouse that has enough, otherwise the one with most.
    #[schema(required)]
    warehouse: Option<WarehouseReference>,
    #[schema(required)]
    lead_time: Option<Minutes>,
    /// Time at which it is ready in the warehouse if it is ordered now.
    #[schema(required)]
    earliest_at: Option<DateTime<Utc>>,
    /// Kind of availability that the answer is based on.
    #[schema(required)]
    source: Option<Availability>,
    /// Time at which that was last written or confirmed, or answered by the seller's own system.
    #[schema(required)]
    as_of: Option<DateTime<Utc>>,
    /// Origin of the answer; `null` without a stock.
    #[schema(required)]
    answered_by: Option<AnsweredByView>,
    /// Errors of the item.
    errors: Vec<ItemFault>,
}

/// Answer for an item.
#[derive(Serialize, ToSchema)]
#[schema(as = Available)]
#[serde(rename_all = "snake_case")]
enum AvailableView {
    Yes,
    No,
    Unknown,
}

/// Origin of the answer: the stock itself, the seller's own system just now or earlier, or none, because that
/// system has never answered.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = AnsweredBy)]
#[serde(rename_all = "snake_case")]
pub(in crate::resource) enum AnsweredByView {
    Stock,
    Live,
    LastKnown,
    Unknown,
}

impl From<AnsweredBy> for AnsweredByView {
    fn from(answered_by: AnsweredBy) -> Self {
        match answered_by {
            AnsweredBy::Stock => Self::Stock,
            AnsweredBy::Live => Self::Live,
            AnsweredBy::LastKnown => Self::LastKnown,
            AnsweredBy::Unknown => Self::Unknown,
        }
    }
}

/// Reason: always available; enough; too little; no stock; only another system has the quantity and was not
/// called; the item names something unknown.
#[derive(Serialize, ToSchema)]
#[schema(as = AvailabilityReason)]
#[serde(rename_all = "snake_case")]
enum ReasonView {
    Always,
    Enough,
    TooLittle,
    NoStock,
    NotAsked,
    Refused,
}

/// Checks for up to 200 articles if a warehouse has enough of them, and when. Each item has its own result;
/// stocks in other dimensions than the article's do not count.
#[utoipa::path(post, path = "/api/v1/availability")]
async fn availability(
    by: ReadOnlyPost<Authorized<may::ListStocks>>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(AvailabilityInput { seller_id, seller_short_code, items }): Body<AvailabilityInput>,
) -> Answer<OkJson<Unpaged<AvailabilityResult>>> {
    let mut violations = Violations::new();
    match items.len() {
        0 => violations.add("items", codes::TOO_FEW.with("min", 1)),
        1..=ITEMS_MAX => {}
        _ => violations.add("items", codes::TOO_MANY.with("max", ITEMS_MAX)),
    }
    violations.check()?;
    let questions: Vec<_> = items.into_iter().map(AvailabilityQuery::from).collect();
    let installation = state.settings.installation.clone();
    let (db, scope) = (&state.db, by.scope());
    let seller = seller(db, scope, &RecordReference::new(seller_id, seller_short_code)).await?;
    let mut inquiry = inquiry(db, scope, seller, &questions).await?;
    let external: Vec<_> = inquiry.external_stocks().cloned().collect();
    if !external.is_empty() {
        deadline::extend(REQUEST_TIMEOUT);
        let live = live_stock::request_quantities(&state, inquiry.owner(), external).await?;
        inquiry.set_external(live.quantities);
    }
    let answers = inquiry.answers(db, &installation, now()).await?;
    let result = |(index, answer)| AvailabilityResult::new(index, answer, &request);
    Ok(ok_json(Unpaged { data: answers.into_iter().enumerate().map(result).collect() }))
}

/// Builds the error of an item.
pub(in crate::resource) fn item_fault(violation: &Violation, language: Language) -> ItemFault {
    ItemFault::new(Some(field_name(violation).to_owned()), &violation.message, language)
}

/// Returns the field of an error: the unit of a quantity is called `unit` here.
pub(in crate::resource) fn field_name(violation: &Violation) -> &str {
    if violation.path == "quantity_unit" { "unit" } else { &violation.path }
}

/// Resolves items against the caller's own stocks, or against those that a seller shows.
pub(in crate::resource) async fn inquiry(
    db: &Database,
    scope: &Scope,
    seller: Option<TenantId>,
    questions: &[AvailabilityQuery],
) -> Result<Inquiry> {
    match seller {
        None => Inquiry::about_own_stocks(db, scope, questions).await,
        Some(seller) => {
            let load_warehouses =
                async |articles: &[i64]| shown_warehouses::load(db, [seller], articles).await;
            Inquiry::about_shown_stocks(db, scope, seller, load_warehouses, questions).await
        }
    }
}

/// Returns the other tenant whose stocks are requested; `None` for the caller's own.
pub(in crate::resource) async fn seller(
    db: &Database,
    scope: &Scope,
    reference: &RecordReference,
) -> Result<Option<TenantId>> {
    if reference.is_absent() {
        return Ok(None);
    }
    let parties = partner::parties(db, scope, reference.id(), reference.folded()).await?;
    let parties_found =
        Referable::new(parties.into_iter().map(|party| (party.id.into(), fold(&party.short_code), party.id)));
    let mut violations = Violations::new();
    let seller = reference.resolve(&mut violations, SELLER, &parties_found).copied();
    violations.check()?;
    let own = scope.tenant()?;
    Ok(seller.filter(|seller| *seller != own))
}

impl From<AvailabilityItem> for AvailabilityQuery {
    fn from(item: AvailabilityItem) -> Self {
        let place = PlaceReference {
            article: RecordReference::new(None, item.article_number),
            external_article_number: item.external_article_number,
            warehouse: RecordReference::new(None, item.warehouse_short_code),
            external_warehouse_identifier: item.external_warehouse_identifier,
        };
        Self { place, quantity: item.quantity, unit: item.unit }
    }
}

impl AvailabilityResult {
    fn new(
        index: usize,
        answer: Result<availability::AvailabilityAnswer, Violations>,
        request: &Request,
    ) -> Self {
        let nothing = Self {
            index,
            available: AvailableView::Unknown,
            reason: ReasonView::Refused,
            quantity: None,
            quantity_unit: None,
            warehouse: None,
            lead_time: None,
            earliest_at: None,
            source: None,
            as_of: None,
            answered_by: None,
            errors: Vec::new(),
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(violations) => {
                let fault = |wrong| item_fault(wrong, request.language);
                return Self { errors: violations.iter().map(fault).collect(), ..nothing };
            }
        };
        let result = Self {
            available: match answer.available {
                Available::Yes => AvailableView::Yes,
                Available::No => AvailableView::No,
                Available::Unknown => AvailableView::Unknown,
            },
            reason: match answer.reason {
                AvailabilityReason::Always => ReasonView::Always,
                AvailabilityReason::Enough => ReasonView::Enough,
                AvailabilityReason::TooLittle => ReasonView::TooLittle,
                AvailabilityReason::NoStock => ReasonView::NoStock,
                AvailabilityReason::NotAsked => ReasonView::NotAsked,
            },
            quantity_unit: Some(answer.unit),
            earliest_at: answer.earliest_at,
            ..nothing
        };
        let Some(stock) = answer.stock else { return result };
        Self {
            quantity: stock.quantity,
            warehouse: Some(stock.warehouse.into()),
            lead_time: stock.lead_time,
            source: Some(stock.source),
            as_of: Some(stock.as_of),
            answered_by: Some(stock.answered_by.into()),
            ..result
        }
    }
}
