//! Itineraries as data: the arrival of an order, its stages, and the arrivals of other orders.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use logistics::{
    shipping::{
        delivery::{Delivery, Moment, NoDelivery, Shipping},
        itinerary::{Activity, Alternative, Itinerary, ItineraryAnswer, NoWay, Stage},
        network::{LegIndex, NodeIndex},
        node::NodeName,
        order_time::OrderBy,
    },
    stock::availability::{NoSource, Source},
    warehouse::readiness::{Readiness, StepReason},
};
use serde::Serialize;
use utoipa::ToSchema;
use values::{ClockTime, Minutes};

use super::reason::{SkipReasonView, SkippedDepartureView};
use crate::resource::{readiness::ReadinessView, shipping_nodes::NodeNameView};

/// Arrival of an order at a shipping node with the reasons for each stage. If no order arrives, `no_way` has
/// the reason and the times are `null`.
#[derive(Serialize, ToSchema)]
#[schema(as = Itinerary, example = json!({ "ordered_at": "2026-12-02T10:40:00Z", "from_node": { "id": 1, "name": "Duisburg" },
    "to_node": { "id": 2, "name": "Depot Linz" }, "warehouse": null, "lead_time": null, "in_stock_at": null, "readiness": null,
    "available_at": "2026-12-02T10:40:00Z", "stages": [], "arrives_at": "2026-12-04T11:45:00Z",
    "order_by": { "at": "2026-12-02T11:30:00Z", "is_inclusive": true }, "earlier": null, "later": null, "no_way": null,
    "time_zone": "Europe/Berlin" }))]
pub(in crate::resource) struct ItineraryView {
    /// Time of the order; for a latest arrival, that of the latest order.
    #[schema(required)]
    ordered_at: Option<DateTime<Utc>>,
    /// Node that goods leave from.
    #[schema(required)]
    from_node: Option<NodeNameView>,
    to_node: NodeNameView,
    /// Warehouse that sends the goods, if there is one.
    #[schema(required)]
    warehouse: Option<SendingWarehouseView>,
    /// Lead time of the stock, for goods of an article.
    #[schema(required)]
    lead_time: Option<Minutes>,
    /// Time at which the warehouse has the goods: that of the order plus the lead time.
    #[schema(required)]
    in_stock_at: Option<DateTime<Utc>>,
    /// Steps in which the warehouse prepares the order, from that time on.
    #[schema(required)]
    readiness: Option<ReadinessView>,
    /// Time at which goods are ready at their first node.
    #[schema(required)]
    available_at: Option<DateTime<Utc>>,
    /// Stages from that time to the arrival; each begins when the one before ends.
    stages: Vec<StageView>,
    #[schema(required)]
    arrives_at: Option<DateTime<Utc>>,
    /// Latest order that arrives at the same time.
    #[schema(required)]
    order_by: Option<OrderByView>,
    /// Next earlier arrival, for an order before this one.
    #[schema(required)]
    earlier: Option<AlternativeView>,
    /// Next later arrival, for an order after the latest one.
    #[schema(required)]
    later: Option<AlternativeView>,
    /// Reason why no order arrives.
    #[schema(required)]
    no_way: Option<NoDeliveryView>,
    /// Time zone of the installation for all local times and days.
    #[schema(example = "Europe/Berlin")]
    time_zone: String,
}

/// The warehouse that sends goods.
#[derive(Serialize, ToSchema)]
#[schema(as = SendingWarehouse)]
struct SendingWarehouseView {
    id: i64,
    #[schema(example = "DU")]
    short_code: String,
    /// Name; `null` for a seller's warehouse.
    #[schema(required, example = "Lager Duisburg")]
    name: Option<String>,
}

/// A part of the way.
#[derive(Serialize, ToSchema)]
#[schema(as = ItineraryStage)]
struct StageView {
    activity: ActivityView,
    begins_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    leg: StageLegView,
    /// Departure that goods travel with, with `waiting_for_departure`.
    #[schema(required)]
    departure: Option<DepartureView>,
    /// Time by which goods had to be there, with `waiting_after_order_time`.
    #[schema(required)]
    order_time: Option<ClockTime>,
    /// Reason why the receiver is closed, with `waiting_for_opening`.
    #[schema(required)]
    reason: Option<SkipReasonView>,
    /// Departures between the time at which goods are ready and the departure that they travel with, with
    /// `waiting_for_departure`.
    skipped: Vec<SkippedDepartureView>,
}

/// Activity of a stage.
#[derive(Serialize, ToSchema)]
#[schema(as = ItineraryActivity)]
#[serde(rename_all = "snake_case")]
enum ActivityView {
    WaitingForDeparture,
    WaitingAfterOrderTime,
    Preparation,
    Loading,
    Travel,
    WaitingForOpening,
    Unloading,
}

/// Leg that a stage belongs to.
#[derive(Serialize, ToSchema)]
#[schema(as = ItineraryLeg)]
struct StageLegView {
    id: i64,
    sending_node: NodeNameView,
    receiving_node: NodeNameView,
}

/// A departure of the timetable.
#[derive(Serialize, ToSchema)]
#[schema(as = DepartureOnDate)]
struct DepartureView {
    date: NaiveDate,
    time: ClockTime,
}

/// Time until which an order is in time.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderBy)]
pub(in crate::resource) struct OrderByView {
    at: DateTime<Utc>,
    /// True if an order at exactly this time is in time; at a cut-off it is too late.
    is_inclusive: bool,
}

/// Other arrival, and the latest order for it.
#[derive(Serialize, ToSchema)]
#[schema(as = ItineraryAlternative)]
struct AlternativeView {
    arrives_at: DateTime<Utc>,
    order_by: OrderByView,
}

/// Reason why no order arrives.
#[derive(Serialize, ToSchema)]
#[schema(as = NoWay)]
pub(in crate::resource) struct NoDeliveryView {
    reason: NoDeliveryReason,
    /// Inactive node, with `inactive`.
    #[schema(required)]
    node: Option<NodeNameView>,
}

/// Reason why no order arrives: the first node or the destination is not active; no legs with departures lead
/// there; none of them runs within fourteen weeks; there is too little in stock; only another system has the
/// quantity and was not called; the warehouse is at no shipping node.
#[derive(Serialize, ToSchema)]
#[schema(as = NoWayReason)]
#[serde(rename_all = "snake_case")]
enum NoDeliveryReason {
    Inactive,
    NotConnected,
    NoDeparture,
    NoStock,
    NotAsked,
    NoNode,
}

impl ItineraryView {
    /// Builds the view of an answer. For a seller's warehouse, its name and those of its closures are left
    /// out.
    pub(in crate::resource) fn new(
        delivery: &Delivery,
        moment: Moment,
        answer: Result<ItineraryAnswer, NoDelivery>,
        is_own: bool,
        time_zone: Tz,
    ) -> Self {
        let shipping = &delivery.shipping;
        let ordered_at = match moment {
            Moment::OrderedAt(at) => Some(at),
            Moment::ArriveBy(_) => None,
        };
        let only_origin = delivery.from.as_ref().ok().and_then(|origins| match &origins[..] {
            [origin] => Some(origin.node),
            _ => None,
        });
        let unanswered = Self {
            ordered_at,
            from_node: only_origin.map(|node| node_name(shipping, node)),
            to_node: node_name(shipping, delivery.to),
            warehouse: None,
            lead_time: None,
            in_stock_at: None,
            readiness: None,
            available_at: None,
            stages: Vec::new(),
            arrives_at: None,
            order_by: None,
            earlier: None,
            later: None,
            no_way: None,
            time_zone: time_zone.to_string(),
        };
        let ItineraryAnswer { itinerary, order_by, earlier, later } = match answer {
            Ok(answer) => answer,
            Err(reason) => {
                return Self { no_way: Some(NoDeliveryView::new(delivery, reason)), ..unanswered };
            }
        };
        let Itinerary { ordered_at, in_stock_at, readiness, available_at, stages, arrives_at, .. } =
            itinerary;
        let origin = delivery.origin(itinerary.origin);
        let source = origin.and_then(|origin| origin.source.as_ref());
        Self {
            ordered_at: Some(ordered_at),
            from_node: origin.map(|origin| node_name(shipping, origin.node)),
            warehouse: source.map(|source| SendingWarehouseView::new(source, is_own)),
            lead_time: source.map(|source| source.lead_time),
            in_stock_at,
            readiness: readiness
                .map(|readiness| if is_own { readiness } else { without_names(readiness) }.into()),
            available_at: Some(available_at),
            stages: stages.into_iter().map(|stage| StageView::new(shipping, stage)).collect(),
            arrives_at: Some(arrives_at),
            order_by: Some(order_by.into()),
            earlier: earlier.map(AlternativeView::from),
            later: later.map(AlternativeView::from),
            ..unanswered
        }
    }
}

/// Removes the names of closures, which a seller's buyers do not see.
fn without_names(mut readiness: Readiness) -> Readiness {
    use logistics::calendar::DayOff;
    for step in &mut readiness.steps {
        if let StepReason::DayOff(DayOff::Closed(name)) = &mut step.because {
            name.clear();
        }
    }
    readiness
}

fn node_name(shipping: &Shipping, position: NodeIndex) -> NodeNameView {
    let node = shipping.book.node(position);
    NodeName { id: node.id, name: node.name.clone() }.into()
}

impl SendingWarehouseView {
    fn new(source: &Source, is_own: bool) -> Self {
        let warehouse = &source.detail.warehouse;
        Self {
            id: warehouse.id,
            short_code: warehouse.short_code.clone(),
            name: is_own.then(|| warehouse.name.clone()),
        }
    }
}

impl StageView {
    fn new(shipping: &Shipping, stage: Stage) -> Self {
        let Stage { leg, activity, begins_at, ends_at } = stage;
        let plain = |activity| Self {
            activity,
            begins_at,
            ends_at,
            leg: StageLegView::new(shipping, leg),
            departure: None,
            order_time: None,
            reason: None,
            skipped: Vec::new(),
        };
        let (sending, receiving) = shipping.regions(leg);
        match activity {
            Activity::WaitingForDeparture { date, time, skipped } => Self {
                departure: Some(DepartureView { date, time }),
                skipped: skipped
                    .into_iter()
                    .map(|skipped| SkippedDepartureView::new(skipped, sending))
                    .collect(),
                ..plain(ActivityView::WaitingForDeparture)
            },
            Activity::WaitingAfterOrderTime { order_time } => {
                Self { order_time: Some(order_time), ..plain(ActivityView::WaitingAfterOrderTime) }
            }
            Activity::Preparation => plain(ActivityView::Preparation),
            Activity::Loading => plain(ActivityView::Loading),
            Activity::Travel => plain(ActivityView::Travel),
            Activity::WaitingForOpening(day_off) => Self {
                reason: Some(SkipReasonView::from_day_off(day_off, receiving)),
                ..plain(ActivityView::WaitingForOpening)
            },
            Activity::Unloading => plain(ActivityView::Unloading),
        }
    }
}

impl StageLegView {
    fn new(shipping: &Shipping, leg: LegIndex) -> Self {
        let (sender, receiver) = shipping.ends(leg);
        Self {
            id: shipping.book.leg(leg).id,
            sending_node: node_name(shipping, sender),
            receiving_node: node_name(shipping, receiver),
        }
    }
}

impl From<OrderBy> for OrderByView {
    fn from(OrderBy { at, is_inclusive }: OrderBy) -> Self {
        Self { at, is_inclusive }
    }
}

impl From<Alternative> for AlternativeView {
    fn from(Alternative { arrives_at, order_by }: Alternative) -> Self {
        Self { arrives_at, order_by: order_by.into() }
    }
}

impl NoDeliveryView {
    pub(in crate::resource) fn new(delivery: &Delivery, reason: NoDelivery) -> Self {
        let node = match reason {
            NoDelivery::NoWay(NoWay::Inactive(node)) => Some(node_name(&delivery.shipping, node)),
            _ => None,
        };
        let reason = match reason {
            NoDelivery::NoWay(NoWay::Inactive(_)) => NoDeliveryReason::Inactive,
            NoDelivery::NoWay(NoWay::NotConnected) => NoDeliveryReason::NotConnected,
            NoDelivery::NoWay(NoWay::NoDeparture) => NoDeliveryReason::NoDeparture,
            NoDelivery::NoSource(NoSource::NoStock) => NoDeliveryReason::NoStock,
            NoDelivery::NoSource(NoSource::NotAsked) => NoDeliveryReason::NotAsked,
            NoDelivery::NoNode => NoDeliveryReason::NoNode,
        };
        Self { reason, node }
    }
}
