//! The findings of the network check.

use std::sync::Arc;

use chrono::NaiveDate;
use http_api::{
    access::Authorized,
    answer::{OkJson, Unpaged, ok_json},
    publish,
    routes::{Answer, Routes},
};
use logistics::{
    calendar::Calendar,
    may,
    shipping::{
        check::Finding,
        delivery::Shipping,
        leg::ShippingLeg,
        node::{NodeName, ShippingNode},
    },
};
use serde::Serialize;
use store::{Scope, run_blocking};
use utoipa::ToSchema;
use values::{ClockTime, Result, Weekday, now};

use crate::{
    resource::shipping_nodes::NodeNameView,
    state::{Server, State},
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "shipping": findings);
}

/// Finding of the network check; fields of other types are `null`.
#[derive(Serialize, ToSchema)]
#[schema(as = ShippingFinding, example = json!({ "type": "no_return_leg", "node": null,
    "leg": { "id": 1, "name": "Duisburg → Depot Linz" }, "other_leg": null, "departure": null, "hours": null, "country": null }))]
struct FindingView {
    r#type: FindingType,
    /// Node, with `unreachable_node`, `isolated_warehouse` and `coordinates_elsewhere`.
    #[schema(required)]
    node: Option<NodeNameView>,
    /// Leg, with the other types.
    #[schema(required)]
    leg: Option<LegNameView>,
    /// Leg that goods wait for, with `long_transfer`.
    #[schema(required)]
    other_leg: Option<LegNameView>,
    /// Departure, with `unreachable_departure`.
    #[schema(required)]
    departure: Option<WeeklyDepartureView>,
    /// Shortest wait in whole hours, with `long_transfer`.
    #[schema(required, example = 63)]
    hours: Option<i64>,
    /// Country in the address after ISO 3166-1, with `coordinates_elsewhere`.
    #[schema(required, example = "AT")]
    country: Option<String>,
}

/// Type of a finding: no leg leads to an active node; no departures leave from the node of a warehouse; a leg
/// has no departures any more; goods always wait longer than 24 hours between two legs; no leg leads back;
/// the coordinates are outside the country of the address; a departure never runs within a year, because the
/// sender is closed or every date is cancelled.
#[derive(Serialize, ToSchema)]
#[schema(as = ShippingFindingType)]
#[serde(rename_all = "snake_case")]
enum FindingType {
    UnreachableNode,
    IsolatedWarehouse,
    LegWithoutDepartures,
    LongTransfer,
    NoReturnLeg,
    CoordinatesElsewhere,
    UnreachableDeparture,
}

/// A shipping leg by its name.
#[derive(Serialize, ToSchema)]
#[schema(as = ShippingLegName)]
struct LegNameView {
    id: i64,
    #[schema(example = "Duisburg → Depot Linz")]
    name: String,
}

/// A departure that repeats each week.
#[derive(Serialize, ToSchema)]
#[schema(as = WeeklyDeparture)]
struct WeeklyDepartureView {
    weekday: Weekday,
    time: ClockTime,
}

/// Lists the findings of the network check.
#[utoipa::path(get, path = "/api/admin/shipping/findings")]
async fn findings(
    by: Authorized<may::ListShippingNodes>,
    Server(state): Server,
) -> Answer<OkJson<Unpaged<FindingView>>> {
    let (shipping, findings) = check(&state, by.scope()).await?;
    let data = findings.iter().map(|finding| FindingView::new(&shipping, finding)).collect();
    Ok(ok_json(Unpaged { data }))
}

/// Runs the check for today.
pub(in crate::resource) async fn check(
    state: &State,
    scope: &Scope,
) -> Result<(Shipping, Arc<Vec<Finding>>)> {
    let installation = state.settings.installation.clone();
    let shipping = Shipping::load(&state.db, scope, &installation).await?;
    let today: NaiveDate = Calendar::new(installation.clone(), None, []).day_of(now());
    let book = Arc::clone(&shipping.book);
    let findings = run_blocking(move || book.findings(&installation, today)).await?;
    Ok((shipping, findings))
}

impl FindingView {
    fn new(shipping: &Shipping, finding: &Finding) -> Self {
        let node = |position| Some(NodeNameView::from(node_name(shipping.book.node(position))));
        let leg = |position| Some(LegNameView::from(shipping.book.leg(position)));
        let plain = |r#type| Self {
            r#type,
            node: None,
            leg: None,
            other_leg: None,
            departure: None,
            hours: None,
            country: None,
        };
        match *finding {
            Finding::UnreachableNode(position) => {
                Self { node: node(position), ..plain(FindingType::UnreachableNode) }
            }
            Finding::IsolatedWarehouse(position) => {
                Self { node: node(position), ..plain(FindingType::IsolatedWarehouse) }
            }
            Finding::LegWithoutDepartures(position) => {
                Self { leg: leg(position), ..plain(FindingType::LegWithoutDepartures) }
            }
            Finding::LongTransfer { from, to, hours } => Self {
                leg: leg(from),
                other_leg: leg(to),
                hours: Some(hours),
                ..plain(FindingType::LongTransfer)
            },
            Finding::NoReturnLeg(position) => Self { leg: leg(position), ..plain(FindingType::NoReturnLeg) },
            Finding::CoordinatesElsewhere { node: position, country } => Self {
                node: node(position),
                country: Some(country.code.to_owned()),
                ..plain(FindingType::CoordinatesElsewhere)
            },
            Finding::UnreachableDeparture { leg: position, weekday, time } => Self {
                leg: leg(position),
                departure: Some(WeeklyDepartureView { weekday, time }),
                ..plain(FindingType::UnreachableDeparture)
            },
        }
    }
}

fn node_name(node: &ShippingNode) -> NodeName {
    NodeName { id: node.id, name: node.name.clone() }
}

impl From<&ShippingLeg> for LegNameView {
    fn from(leg: &ShippingLeg) -> Self {
        Self { id: leg.id, name: leg.name.clone() }
    }
}
