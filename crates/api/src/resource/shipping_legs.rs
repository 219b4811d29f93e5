//! Shipping legs over HTTP.

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use http_api::{
    access::Authorized,
    answer::{Created, OkJson, Unpaged, created, ok_json},
    export::{Column, time},
    input::{At, Body, Db, Id},
    publish,
    routes::{Answer, Routes},
};
use logistics::{
    calendar::{check_year, region::Region},
    may,
    shipping::{
        delivery::Shipping,
        leg::{
            self, CreatedLegs, ShippingLegDetail, ShippingLegs, ShippingLegsInput,
            departure_text::{format_departures, format_exceptions},
            departure_time::{DepartureTime, departure_times},
            timetable::{Departure, DepartureException},
        },
        next_departures::NextDeparture,
    },
};
use store::{Database, Recorded};
use values::{ClockTime, Error, Minutes, now};

use crate::{
    resource::{
        crud::{Exportable, operations, view_of},
        shipping::reason::SkipReasonView,
        shipping_nodes::NodeNameView,
        view::HasView,
    },
    state::Server,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<ShippingLegs>(routes, "/api/admin/shipping-legs")
        .list::<may::ListShippingNodes>("Lists shipping legs.")
        .export::<may::ListShippingNodes>("Exports all shipping legs that match the filters.")
        .create::<may::UpdateShippingNode>("Creates a shipping leg.")
        .view::<may::ViewShippingNode>("Shows a shipping leg.")
        .update::<may::UpdateShippingNode>("Changes a shipping leg.")
        .delete::<may::UpdateShippingNode>("Deletes a shipping leg.")
        .bulk_delete::<may::UpdateShippingNode>("Deletes many shipping legs.");
    // named "of_node" in the contract
    let tag = <ShippingLegs as Recorded>::RESOURCE.name;
    routes.publish::<__path_legs_of_node, _, _>(tag, "of_node", legs_of_node);
    publish!(routes, ShippingLegs: create_from_node, next_departures);
}

view_of! {
    /// Connection from one shipping node to another, with its departures.
    ShippingLegView as ShippingLeg, of detail: ShippingLegDetail, row detail.leg;
    /// Names of both nodes.
    #[schema(example = "Duisburg → Depot Linz")]
    name: String = detail.leg.name.clone(),
    sending_node: NodeNameView = detail.sending_node.into(),
    receiving_node: NodeNameView = detail.receiving_node.into(),
    /// Time for preparing goods before they are loaded.
    preparation_duration: Minutes = detail.leg.preparation_duration,
    /// Time for loading before the departure.
    loading_duration: Minutes = detail.leg.loading_duration,
    /// Time from departure to arrival.
    travel_duration: Minutes = detail.leg.travel_duration,
    /// Time for unloading after the arrival.
    unloading_duration: Minutes = detail.leg.unloading_duration,
    /// Time of day by which goods must be there, if it is earlier than preparation and loading require; a
    /// time later than the departure's is one of the day before.
    #[schema(required)]
    order_time: Option<ClockTime> = detail.leg.order_time,
    /// Weekly departures, by weekday and time.
    departures: Vec<Departure> = detail.leg.departures.0.clone(),
    /// Exceptions, by date and time.
    exceptions: Vec<DepartureException> = detail.leg.exceptions.0.clone(),
    #[schema(example = 5)]
    departures_per_week: i64 = detail.leg.departures_per_week,
    /// Local times of the departures, with the time by which goods must be there and the time at which they
    /// are unloaded.
    departure_times: Vec<DepartureTime> = departure_times(&detail.leg),
}

/// Legs that were created, and those that existed already.
#[derive(serde::Serialize, utoipa::ToSchema)]
#[schema(as = CreatedShippingLegs)]
struct CreatedLegsView {
    created: Vec<ShippingLegView>,
    /// Legs that existed already and stay unchanged.
    existing: Vec<ShippingLegView>,
}

impl From<CreatedLegs> for CreatedLegsView {
    fn from(CreatedLegs { created, existing }: CreatedLegs) -> Self {
        let views = |legs: Vec<ShippingLegDetail>| legs.into_iter().map(ShippingLegView::from).collect();
        Self { created: views(created), existing: views(existing) }
    }
}

impl HasView for ShippingLegs {
    type Source = Database;
    type View = ShippingLegView;
}

impl Exportable for ShippingLegs {
    const COLUMNS: &'static [Column<ShippingLegDetail>] = &[
        ("sending_node_id", |row, _| row.sending_node.name.as_str().into()),
        ("receiving_node_id", |row, _| row.receiving_node.name.as_str().into()),
        ("preparation_duration", |row, _| row.leg.preparation_duration.to_string().as_str().into()),
        ("loading_duration", |row, _| row.leg.loading_duration.to_string().as_str().into()),
        ("travel_duration", |row, _| row.leg.travel_duration.to_string().as_str().into()),
        ("unloading_duration", |row, _| row.leg.unloading_duration.to_string().as_str().into()),
        ("order_time", |row, _| row.leg.order_time.map(|time| time.to_string()).as_deref().into()),
        ("departures", |row, labels| {
            format_departures(&row.leg.departures.0, labels.language()).as_str().into()
        }),
        ("exceptions", |row, labels| {
            format_exceptions(&row.leg.exceptions.0, labels.language()).as_str().into()
        }),
        ("departures_per_week", |row, _| row.leg.departures_per_week.into()),
        ("updated_at", |row, _| time(row.leg.updated_at)),
    ];
}

/// Lists the legs that begin or end at a shipping node.
#[utoipa::path(get, path = "/api/admin/shipping-nodes/{id}/legs")]
async fn legs_of_node(
    by: Authorized<may::ViewShippingNode>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<OkJson<Unpaged<ShippingLegView>>> {
    let legs = leg::find_by_node(&db, by.scope(), id).await?;
    Ok(ok_json(Unpaged { data: legs.into_iter().map(ShippingLegView::from).collect() }))
}

/// Creates a leg from a shipping node, and the one in the other direction on request; then an existing leg
/// stays unchanged.
#[utoipa::path(post, path = "/api/admin/shipping-nodes/{id}/legs")]
async fn create_from_node(
    by: Authorized<may::UpdateShippingNode>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<ShippingLegsInput>,
) -> Answer<Created<CreatedLegsView>> {
    Ok(created(leg::create_from(&db, by.scope(), id, input).await?))
}

/// Next departures of a leg.
#[derive(serde::Serialize, utoipa::ToSchema)]
#[schema(as = NextDepartures)]
struct NextDeparturesView {
    /// Five departures that run, and cancelled ones before the last of them; at most forty.
    departures: Vec<NextDepartureView>,
}

/// Departure on a date.
#[derive(serde::Serialize, utoipa::ToSchema)]
#[schema(as = NextDeparture)]
struct NextDepartureView {
    /// Date and time of the timetable.
    date: NaiveDate,
    time: ClockTime,
    starts_at: DateTime<Utc>,
    /// Time by which goods must be there.
    order_by: DateTime<Utc>,
    /// Time at which goods are unloaded.
    arrives_at: DateTime<Utc>,
    runs: bool,
    /// Reason why it does not run.
    #[schema(required)]
    reason: Option<SkipReasonView>,
}

impl NextDepartureView {
    /// Builds the view of a departure from a node in a region with its public holidays.
    fn new(departure: NextDeparture, region: Region) -> Self {
        let NextDeparture { date, time, starts_at, order_by, arrives_at, skipped } = departure;
        let runs = skipped.is_none();
        let reason = skipped.map(|reason| SkipReasonView::new(reason, region));
        Self { date, time, starts_at, order_by, arrives_at, runs, reason }
    }
}

/// Lists the next departures of a shipping leg from a time on, including cancelled ones with the reason.
#[utoipa::path(get, path = "/api/admin/shipping-legs/{id}/next-departures")]
async fn next_departures(
    by: Authorized<may::ViewShippingNode>,
    Server(state): Server,
    Id(id): Id,
    At(at): At,
) -> Answer<OkJson<NextDeparturesView>> {
    let at = at.unwrap_or_else(now);
    check_year("at", at.year())?;
    let shipping = Shipping::load(&state.db, by.scope(), &state.settings.installation).await?;
    let (departures, region) = shipping.next_departures(id, at).ok_or_else(Error::not_found)?;
    let departures = departures.into_iter().map(|departure| NextDepartureView::new(departure, region));
    Ok(ok_json(NextDeparturesView { departures: departures.collect() }))
}
