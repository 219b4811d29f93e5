//! Earliest delivery dates of many stocks, or of the lines of a cart, at one shipping node.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use http_api::{
    access::{Authorized, ReadOnlyPost},
    answer::{OkJson, Unpaged, ok_json},
    input::{Body, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use logistics::{
    matching::directory::PlaceReference,
    may,
    shipping::{
        delivery::{Delivery, Moment, NoDelivery, Shipping},
        itinerary::Itinerary,
        network::NodeIndex,
    },
    stock::availability::{AvailabilityQuery, NoSource, Source, sources_of_stocks},
    warehouse::{Warehouse, WarehouseName, closure},
};
use serde::{Deserialize, Serialize};
use store::run_blocking;
use utoipa::ToSchema;
use values::{Decimal, Error, Instant, Language, Minutes, RecordReference, Result, Unit, Violations, now};

use super::{
    itinerary::NoDeliveryView,
    question::{find_node, moment},
};
use crate::{
    codes,
    resource::{
        impact::calculate_limited,
        item_fault::ItemFault,
        matchings::WarehouseReference,
        v1::availability::{inquiry, item_fault, seller},
    },
    state::{Server, State},
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "shipping": stock_dates, cart_dates);
}

const DATES_MAX: usize = 200;

/// Stocks whose delivery dates are requested.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "stock_ids": [1], "to_node_id": 2 }))]
struct StockDatesInput {
    #[schema(min_items = 1, max_items = 200)]
    stock_ids: Vec<i64>,
    /// Destination of the goods, a shipping node.
    to_node_id: i64,
}

/// Lines of a cart whose delivery dates are requested.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "lines": [{ "article_id": 1, "quantity": "24.2" }], "to_node_id": 2 }))]
struct CartDatesInput {
    /// Seller of the articles, whose stocks with a sales price are searched; by default the acting tenant.
    seller_id: Option<i64>,
    /// Destination of the goods, a shipping node.
    to_node_id: i64,
    /// Time of the order, in the years 2000 to 2099; by default now.
    at: Option<DateTime<Utc>>,
    #[schema(min_items = 1, max_items = 200)]
    lines: Vec<CartDateLine>,
}

/// An article that is ordered.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "article_id": 1, "quantity": "24.2" }))]
struct CartDateLine {
    article_id: i64,
    /// Quantity, above zero.
    #[schema(example = "24.2")]
    quantity: Decimal,
    /// Unit in which the article is counted; by default its base unit.
    unit: Option<Unit>,
    /// Warehouse; by default the one that delivers first.
    warehouse_id: Option<i64>,
    /// Short code of the warehouse, instead of the id or with it. A buyer can name the seller's warehouses in
    /// which the seller shows the article.
    #[schema(max_length = 255, example = "DU")]
    warehouse_short_code: Option<String>,
}

/// Earliest arrival of goods, or the reason why they do not arrive.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "warehouse": { "id": 1, "short_code": "DU" }, "available_at": "2026-12-02T11:30:00Z",
    "arrives_at": "2026-12-04T11:45:00Z", "no_way": null }))]
struct EarliestArrival {
    /// Warehouse that sends the goods.
    #[schema(required)]
    warehouse: Option<WarehouseReference>,
    /// Time at which goods are ready there.
    #[schema(required)]
    available_at: Option<DateTime<Utc>>,
    #[schema(required)]
    arrives_at: Option<DateTime<Utc>>,
    /// Reason why no order arrives.
    #[schema(required)]
    no_way: Option<NoDeliveryView>,
}

/// Delivery date of a stock or of a line.
#[derive(Serialize, ToSchema)]
struct EarliestDelivery {
    /// Index of the stock or line, from 0.
    #[schema(example = 0)]
    index: usize,
    /// Earliest arrival; `null` if the question has errors.
    #[schema(required)]
    earliest: Option<EarliestArrival>,
    errors: Vec<ItemFault>,
}

/// Finds the arrivals of up to 200 stocks at a shipping node if they are ordered now. Each stock has its own
/// result.
#[utoipa::path(post, path = "/api/admin/shipping/stock-dates")]
async fn stock_dates(
    by: ReadOnlyPost<Authorized<may::ListStocks>>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(StockDatesInput { stock_ids, to_node_id }): Body<StockDatesInput>,
) -> Answer<OkJson<Unpaged<EarliestDelivery>>> {
    let (db, scope, at) = (&state.db, by.scope(), now());
    let installation = state.settings.installation.clone();
    check_number("stock_ids", stock_ids.len())?;
    let shipping = Shipping::load(db, scope, &installation).await?;
    let to = destination(&shipping, to_node_id)?;
    let days = closure::days_around(&installation, std::iter::once(at));
    let by_stock = sources_of_stocks(db, scope, &installation, &stock_ids, days).await?;
    let source = |id: &i64| match by_stock.get(id) {
        Some(source) => Ok(source.clone().map(|source| vec![source])),
        None => Err(Violations::one("stock_id", codes::UNKNOWN_REFERENCE)),
    };
    let sources = stock_ids.iter().map(source).collect();
    let arrivals = earliest_arrivals(&state, &shipping, to, at, sources).await?;
    Ok(ok_json(Unpaged { data: answers(arrivals, request.language) }))
}

/// Finds the arrivals of up to 200 lines at a shipping node, ordered at the same time. Each line has its own
/// result.
#[utoipa::path(post, path = "/api/admin/shipping/cart-dates")]
async fn cart_dates(
    by: ReadOnlyPost<Authorized<may::ListStocks>>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(CartDatesInput { seller_id, to_node_id, at, lines }): Body<CartDatesInput>,
) -> Answer<OkJson<Unpaged<EarliestDelivery>>> {
    let (db, scope) = (&state.db, by.scope());
    let installation = state.settings.installation.clone();
    check_number("lines", lines.len())?;
    let at = moment(at, None)?.map_or_else(now, Moment::instant);
    let shipping = Shipping::load(db, scope, &installation).await?;
    let to = destination(&shipping, to_node_id)?;
    let seller = seller(db, scope, &RecordReference::new(seller_id, None)).await?;
    let days = closure::days_around(&installation, std::iter::once(at));
    let questions: Vec<_> = lines.into_iter().map(AvailabilityQuery::from).collect();
    let sources = inquiry(db, scope, seller, &questions).await?.sources(db, &installation, days).await?;
    let arrivals = earliest_arrivals(&state, &shipping, to, at, sources).await?;
    Ok(ok_json(Unpaged { data: answers(arrivals, request.language) }))
}

fn answers(arrivals: Vec<Result<EarliestArrival, Violations>>, language: Language) -> Vec<EarliestDelivery> {
    let answer = |(index, arrival): (usize, Result<_, Violations>)| match arrival {
        Ok(earliest) => EarliestDelivery { index, earliest: Some(earliest), errors: Vec::new() },
        Err(violations) => {
            let errors = violations.iter().map(|wrong| item_fault(wrong, language)).collect();
            EarliestDelivery { index, earliest: None, errors }
        }
    };
    arrivals.into_iter().enumerate().map(answer).collect()
}

fn check_number(field: &str, number: usize) -> Result<()> {
    let code = match number {
        0 => codes::TOO_FEW.with("min", 1),
        1..=DATES_MAX => return Ok(()),
        _ => codes::TOO_MANY.with("max", DATES_MAX),
    };
    Err(Violations::error(field, code))
}

fn destination(shipping: &Shipping, id: i64) -> Result<NodeIndex> {
    let mut violations = Violations::new();
    let node = find_node(shipping, &mut violations, "to_node_id", id);
    violations.check()?;
    node.ok_or_else(|| Error::internal("a node that is neither known nor refused"))
}

/// Finds the earliest arrival from each of these origins, or returns the errors of its question. Origins with
/// the same warehouses and lead times are searched once.
async fn earliest_arrivals(
    state: &State,
    shipping: &Shipping,
    to: NodeIndex,
    at: Instant,
    sources: Vec<Result<Result<Vec<Source>, NoSource>, Violations>>,
) -> Result<Vec<Result<EarliestArrival, Violations>>> {
    calculate_limited(state, async || {
        let mut cache: HashMap<Vec<(i64, Minutes)>, DateOrRefusal> = HashMap::new();
        let mut arrivals = Vec::with_capacity(sources.len());
        for sources in sources {
            let sources = match sources {
                Ok(sources) => sources,
                Err(faults) => {
                    arrivals.push(Err(faults));
                    continue;
                }
            };
            let delivery = Delivery { from: shipping.origins(sources), shipping: shipping.clone(), to };
            let places = delivery.from.iter().flatten().filter_map(|origin| origin.source.as_ref());
            let places: Vec<_> =
                places.map(|source| (source.detail.warehouse.id, source.lead_time)).collect();
            let outcome = match cache.get(&places) {
                Some(outcome) if !places.is_empty() => outcome.clone(),
                _ => {
                    let order = delivery.clone();
                    // one by one, so that an aborted call ends
                    let outcome = run_blocking(move || find(&order, at)).await??;
                    cache.insert(places, outcome.clone());
                    outcome
                }
            };
            arrivals.push(outcome.map(|arrival| EarliestArrival::new(&delivery, arrival)));
        }
        Ok(arrivals)
    })
    .await
}

/// Arrival of an order or the reason why there is none, or the errors of the question.
type DateOrRefusal = Result<Result<Arrival, NoDelivery>, Violations>;

#[derive(Clone, Copy)]
struct Arrival {
    /// Position of the origin.
    origin: usize,
    available_at: Instant,
    arrives_at: Instant,
}

fn find(order: &Delivery, at: Instant) -> Result<DateOrRefusal> {
    match order.itinerary(at) {
        Ok(itinerary) => Ok(Ok(itinerary.map(|Itinerary { origin, available_at, arrives_at, .. }| {
            Arrival { origin, available_at, arrives_at }
        }))),
        Err(Error::Invalid(violations)) => Ok(Err(violations)),
        Err(error) => Err(error),
    }
}

impl EarliestArrival {
    fn new(delivery: &Delivery, outcome: Result<Arrival, NoDelivery>) -> Self {
        match outcome {
            Ok(Arrival { origin, available_at, arrives_at }) => Self {
                warehouse: sending_warehouse(delivery, origin),
                available_at: Some(available_at),
                arrives_at: Some(arrives_at),
                no_way: None,
            },
            Err(reason) => Self {
                warehouse: None,
                available_at: None,
                arrives_at: None,
                no_way: Some(NoDeliveryView::new(delivery, reason)),
            },
        }
    }
}

/// Returns the warehouse at an origin, if there is one.
pub(in crate::resource) fn sending_warehouse(
    delivery: &Delivery,
    origin: usize,
) -> Option<WarehouseReference> {
    let source = delivery.origin(origin)?.source.as_ref()?;
    let Warehouse { id, short_code, .. } = &source.detail.warehouse;
    Some(WarehouseName { id: *id, short_code: short_code.clone() }.into())
}

impl From<CartDateLine> for AvailabilityQuery {
    fn from(line: CartDateLine) -> Self {
        let place = PlaceReference {
            article: RecordReference::new(Some(line.article_id), None),
            warehouse: RecordReference::new(line.warehouse_id, line.warehouse_short_code),
            ..PlaceReference::default()
        };
        Self { place, quantity: line.quantity, unit: line.unit }
    }
}
