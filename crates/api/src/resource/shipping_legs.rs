//! Shipping legs over HTTP.

use kernel::{ClockTime, Minutes, may};
use logistics::shipping::leg::{
    self, CreatedLegs, ShippingLegDetail, ShippingLegInput, ShippingLegs, ShippingLegsInput,
    departure_text::{format_departures, format_exceptions},
    departure_time::{DepartureTime, departure_times},
    timetable::{Departure, DepartureException},
};

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Shown, Unpaged, created, shown},
        export::{Column, time},
        input::{Body, Db, Id},
        routes::{Answer, Routes},
    },
    publish,
    resource::{
        crud::{Exportable, crud, operations, view_of},
        shipping_nodes::NodeNameView,
    },
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<ShippingLegs>(routes, "/api/admin/shipping-legs")
        .list::<may::ListShippingNodes>("Lists shipping legs.")
        .export::<may::ListShippingNodes>("Exports all shipping legs that the filters match.")
        .create::<may::UpdateShippingNode>("Creates a shipping leg.")
        .view::<may::ViewShippingNode>("Shows a shipping leg.")
        .update::<may::UpdateShippingNode>("Changes a shipping leg.")
        .delete::<may::UpdateShippingNode>("Deletes a shipping leg.")
        .bulk_delete::<may::UpdateShippingNode>("Deletes many shipping legs.");
    publish!(routes, ShippingLegs: of_node, create_from_node);
}

view_of! {
    /// A way from one shipping node to another, with its departures.
    ShippingLegView as ShippingLeg, of detail: ShippingLegDetail, row detail.leg;
    /// Both nodes.
    #[schema(example = "Duisburg → Depot Linz")]
    name: String = detail.leg.name.clone(),
    sending_node: NodeNameView = detail.sending_node.into(),
    receiving_node: NodeNameView = detail.receiving_node.into(),
    /// The time that goods are prepared before they are loaded.
    preparation_duration: Minutes = detail.leg.preparation_duration,
    /// The time that loading takes before the departure.
    loading_duration: Minutes = detail.leg.loading_duration,
    /// The time from departure to arrival.
    travel_duration: Minutes = detail.leg.travel_duration,
    /// The time that unloading takes after the arrival.
    unloading_duration: Minutes = detail.leg.unloading_duration,
    /// The time of day until which goods have to be there, where that is earlier than preparation and loading need; a time later than
    /// the departure's is one of the day before.
    #[schema(required)]
    order_time: Option<ClockTime> = detail.leg.order_time,
    /// By weekday and time.
    departures: Vec<Departure> = detail.leg.departures.0.clone(),
    /// By date and time.
    exceptions: Vec<DepartureException> = detail.leg.exceptions.0.clone(),
    #[schema(example = 5)]
    departures_per_week: i64 = detail.leg.departures_per_week,
    /// The departures by the clock, with the time until which goods have to be there and that at which they are unloaded.
    departure_times: Vec<DepartureTime> = departure_times(&detail.leg),
}

/// Legs that were created, and those that there were already.
#[derive(serde::Serialize, utoipa::ToSchema)]
#[schema(as = CreatedShippingLegs)]
struct CreatedLegsView {
    created: Vec<ShippingLegView>,
    /// Left as they are.
    existing: Vec<ShippingLegView>,
}

impl From<CreatedLegs> for CreatedLegsView {
    fn from(CreatedLegs { created, existing }: CreatedLegs) -> Self {
        let views = |legs: Vec<ShippingLegDetail>| legs.into_iter().map(ShippingLegView::from).collect();
        Self { created: views(created), existing: views(existing) }
    }
}

crud!(ShippingLegs in leg: ShippingLegDetail => ShippingLegView, ShippingLegInput);

impl Exportable for ShippingLegs {
    const COLUMNS: &'static [Column<ShippingLegDetail>] = &[
        ("sending_node_id", |row, _| row.sending_node.name.as_str().into()),
        ("receiving_node_id", |row, _| row.receiving_node.name.as_str().into()),
        ("preparation_duration", |row, _| row.leg.preparation_duration.to_string().as_str().into()),
        ("loading_duration", |row, _| row.leg.loading_duration.to_string().as_str().into()),
        ("travel_duration", |row, _| row.leg.travel_duration.to_string().as_str().into()),
        ("unloading_duration", |row, _| row.leg.unloading_duration.to_string().as_str().into()),
        ("order_time", |row, _| row.leg.order_time.map(|time| time.to_string()).as_deref().into()),
        ("departures", |row, words| {
            format_departures(&row.leg.departures.0, words.language()).as_str().into()
        }),
        ("exceptions", |row, words| {
            format_exceptions(&row.leg.exceptions.0, words.language()).as_str().into()
        }),
        ("departures_per_week", |row, _| row.leg.departures_per_week.into()),
        ("updated_at", |row, _| time(row.leg.updated_at)),
    ];
}

/// Lists the legs that begin or end at a shipping node.
#[utoipa::path(get, path = "/api/admin/shipping-nodes/{id}/legs")]
async fn of_node(
    by: Authorized<may::ViewShippingNode>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<Shown<Unpaged<ShippingLegView>>> {
    let legs = leg::of_node(&db, by.scope(), id).await?;
    Ok(shown(Unpaged { data: legs.into_iter().map(ShippingLegView::from).collect() }))
}

/// Creates a leg from a shipping node, and the one back if both directions are wanted; then a leg that there is already stays as it is.
#[utoipa::path(post, path = "/api/admin/shipping-nodes/{id}/legs")]
async fn create_from_node(
    by: Authorized<may::UpdateShippingNode>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<ShippingLegsInput>,
) -> Answer<Created<CreatedLegsView>> {
    Ok(created(leg::create_from(&db, by.scope(), id, input).await?))
}
