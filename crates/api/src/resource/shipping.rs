//! Deliveries over the shipping network over HTTP: itineraries, the orders of fourteen days, and the network
//! check.
//!
//! A search looks at the departures of fourteen weeks, at most ten warehouses, and journeys of at most
//! sixteen legs.

pub(super) mod dates;
pub(super) mod findings;
pub(super) mod itinerary;
pub(super) mod question;
pub(super) mod reason;

use http_api::{
    access::{Authorized, ReadOnlyPost},
    answer::{OkJson, ok_json},
    input::Body,
    publish,
    routes::{Answer, Routes},
};
use logistics::{
    may,
    shipping::{delivery::Moment, order_days::OrderDay},
};
use serde::Serialize;
use store::run_blocking;
use utoipa::ToSchema;
use values::now;

use self::{
    itinerary::{ItineraryView, NoDeliveryView, OrderByView},
    question::{ItineraryInput, OrderDaysInput},
};
use crate::state::Server;

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "shipping": itineraries, order_days);
    dates::routes(routes);
    findings::routes(routes);
}

/// Finds the arrival of an order at a shipping node with the reasons for it; or, for a latest arrival, the
/// latest order.
#[utoipa::path(post, path = "/api/admin/shipping/itineraries")]
async fn itineraries(
    by: ReadOnlyPost<Authorized<may::ViewShippingNode>>,
    Server(state): Server,
    Body(input): Body<ItineraryInput>,
) -> Answer<OkJson<ItineraryView>> {
    let moment = input.moment()?.unwrap_or_else(|| Moment::OrderedAt(now()));
    let (delivery, is_own) = input.delivery(&state, by.scope(), moment.instant()).await?;
    let time_zone = state.time_zone();
    let view = run_blocking(move || {
        let answer = delivery.answer(moment)?;
        Ok::<_, values::Error>(ItineraryView::new(&delivery, moment, answer, is_own, time_zone))
    });
    Ok(OkJson(view.await??))
}

/// Arrivals of the orders of fourteen days.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderDays, example = json!({ "days": [{ "date": "2026-12-02", "orders": [] }], "no_way": null,
    "time_zone": "Europe/Berlin" }))]
struct OrderDaysView {
    /// Days; empty if no order arrives.
    days: Vec<OrderDayView>,
    /// Reason why no order arrives.
    #[schema(required)]
    no_way: Option<NoDeliveryView>,
    /// Time zone of the installation, in which days begin.
    #[schema(example = "Europe/Berlin")]
    time_zone: String,
}

/// Arrivals of the orders of a day.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderDay)]
struct OrderDayView {
    date: chrono::NaiveDate,
    /// Arrivals in the order of time, at most six. The first applies from the beginning of the day, or from
    /// the requested time; each other one to orders after the one before. The last one can apply to orders of
    /// later days, too.
    orders: Vec<OrderArrivalView>,
}

/// Arrival of orders until a time.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderArrival)]
struct OrderArrivalView {
    order_by: OrderByView,
    arrives_at: chrono::DateTime<chrono::Utc>,
}

impl From<OrderDay> for OrderDayView {
    fn from(OrderDay { date, orders }: OrderDay) -> Self {
        let orders = orders
            .into_iter()
            .map(|order| OrderArrivalView { order_by: order.order_by.into(), arrives_at: order.arrives_at });
        Self { date, orders: orders.collect() }
    }
}

/// Finds the arrivals of the orders of fourteen days at a shipping node.
#[utoipa::path(post, path = "/api/admin/shipping/order-days")]
async fn order_days(
    by: ReadOnlyPost<Authorized<may::ViewShippingNode>>,
    Server(state): Server,
    Body(input): Body<OrderDaysInput>,
) -> Answer<OkJson<OrderDaysView>> {
    let input = ItineraryInput::from(input);
    let at = input.moment()?.map_or_else(now, Moment::instant);
    let (delivery, _) = input.delivery(&state, by.scope(), at).await?;
    let time_zone = state.time_zone().to_string();
    let view = run_blocking(move || match delivery.order_days(at) {
        Ok(days) => OrderDaysView {
            days: days.into_iter().map(OrderDayView::from).collect(),
            no_way: None,
            time_zone,
        },
        Err(reason) => OrderDaysView {
            days: Vec::new(),
            no_way: Some(NoDeliveryView::new(&delivery, reason)),
            time_zone,
        },
    });
    Ok(ok_json(view.await?))
}
