//! Shipping nodes over HTTP.

use http_api::{
    access::Authorized,
    answer::{OkJson, ok_json},
    export::{Column, time},
    input::{Id, Year},
    publish,
    routes::{Answer, Routes},
};
use logistics::{
    calendar::region::Region,
    may,
    shipping::node::{self, LegEnd, NodeName, ShippingNodeDetail, ShippingNodes, WarehouseAtNode},
};
use store::Database;
use values::{Decimal, Minutes};

use crate::{
    resource::{
        by_name::by_name,
        crud::{Exportable, operations, view_of},
        days_off::NodeDaysOffView,
        search::findable,
        view::HasView,
    },
    state::Server,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<ShippingNodes>(routes, "/api/admin/shipping-nodes")
        .list::<may::ListShippingNodes>("Lists shipping nodes.")
        .export::<may::ListShippingNodes>("Exports all shipping nodes that match the filters.")
        .create::<may::CreateShippingNode>("Creates a shipping node.")
        .view::<may::ViewShippingNode>("Shows a shipping node.")
        .update::<may::UpdateShippingNode>("Changes a shipping node.")
        .by_name::<may::ViewShippingNode, may::UpdateShippingNode, may::CreateShippingNode>(
            "a shipping node by its name",
        )
        .delete::<may::DeleteShippingNode>("Deletes a shipping node without legs, and its closures.")
        .bulk_delete::<may::DeleteShippingNode>(
            "Deletes many shipping nodes; those that cannot be deleted are listed with the reason.",
        )
        .usage::<may::ViewShippingNode>("Shows where a shipping node is used.");
    publish!(routes, ShippingNodes: calendar);
}

view_of! {
    /// Place that goods are sent from, through or to.
    ShippingNodeView as ShippingNode, of detail: ShippingNodeDetail, row detail.node;
    /// Unique, ignoring case.
    #[schema(example = "Depot Linz")]
    name: String = detail.node.name,
    #[schema(required, example = "Hafenstraße 61, 4020 Linz")]
    address: Option<String> = detail.node.address,
    /// Latitude in degrees north of the equator.
    #[schema(required, example = "48.316667")]
    latitude: Option<Decimal> = detail.node.latitude,
    /// Longitude in degrees east of Greenwich.
    #[schema(required, example = "14.316667")]
    longitude: Option<Decimal> = detail.node.longitude,
    /// False if goods travel neither to nor from the node.
    active: bool = detail.node.active,
    /// Warehouse at the node; `null` also if it is another tenant's.
    #[schema(required)]
    warehouse: Option<WarehouseAtNodeView> = detail.warehouse.map(WarehouseAtNodeView::from),
    /// Region whose public holidays apply; `null` for the installation's.
    #[schema(required)]
    region: Option<Region> = detail.node.region,
    /// Legs that end at the node.
    incoming_legs: Vec<LegEndView> = detail.incoming_legs.into_iter().map(LegEndView::from).collect(),
    /// Legs that begin at the node.
    outgoing_legs: Vec<LegEndView> = detail.outgoing_legs.into_iter().map(LegEndView::from).collect(),
}

view_of! {
    /// The warehouse at a shipping node.
    part WarehouseAtNodeView as ShippingNodeWarehouse, of warehouse: WarehouseAtNode;
    id: i64 = warehouse.id,
    #[schema(example = "LZ")]
    short_code: String = warehouse.short_code,
    #[schema(example = "Lager Linz")]
    name: String = warehouse.name,
}

view_of! {
    /// A shipping node by its name.
    part NodeNameView as ShippingNodeName, of node: NodeName;
    id: i64 = node.id,
    #[schema(example = "Depot Linz")]
    name: String = node.name,
}

view_of! {
    /// A leg as one of its nodes shows it.
    part LegEndView as ShippingLegEnd, of end: LegEnd;
    id: i64 = end.id,
    /// Node at the other end.
    node: NodeNameView = end.node.into(),
    travel_duration: Minutes = end.travel_duration,
    #[schema(example = 5)]
    departures_per_week: i64 = end.departures_per_week,
}

impl HasView for ShippingNodes {
    type Source = Database;
    type View = ShippingNodeView;
}

by_name!(ShippingNodes by name: node::Column::NameFold, "name");
findable!(ShippingNodes, row => row.address);

impl Exportable for ShippingNodes {
    const COLUMNS: &'static [Column<ShippingNodeDetail>] = &[
        ("name", |row, _| row.node.name.as_str().into()),
        ("address", |row, _| row.node.address.as_deref().into()),
        ("latitude", |row, _| row.node.latitude.into()),
        ("longitude", |row, _| row.node.longitude.into()),
        ("active", |row, labels| labels.yes_no(row.node.active)),
        ("warehouse_id", |row, _| {
            row.warehouse.as_ref().map(|warehouse| warehouse.short_code.as_str()).into()
        }),
        ("region", |row, labels| labels.choice("region", row.node.region)),
        ("updated_at", |row, _| time(row.node.updated_at)),
    ];
}

/// Shows the days off of a shipping node in a year.
#[utoipa::path(get, path = "/api/admin/shipping-nodes/{id}/calendar")]
async fn calendar(
    by: Authorized<may::ViewShippingNode>,
    Server(state): Server,
    Id(id): Id,
    Year(year): Year,
) -> Answer<OkJson<NodeDaysOffView>> {
    let installation = state.settings.installation.clone();
    Ok(ok_json(node::days_off(&state.db, by.scope(), &installation, id, year).await?))
}
