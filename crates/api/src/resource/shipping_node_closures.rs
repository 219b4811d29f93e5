//! Closures of shipping nodes over HTTP: days on which they are closed.

use chrono::NaiveDate;
use http_api::{
    access::Authorized,
    answer::{Created, created},
    input::{Body, Db},
    publish,
    routes::{Answer, Routes},
};
use logistics::{
    may,
    shipping::node::closure::{self, NodeClosure, NodeClosures, ShippingNodeClosureInput},
};
use store::Database;

use crate::resource::{
    crud::{operations, view_of},
    view::HasView,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<NodeClosures>(routes, "/api/admin/shipping-node-closures")
        .list::<may::ListShippingNodes>("Lists closures of shipping nodes.")
        .delete::<may::UpdateShippingNode>("Deletes a closure of a shipping node.");
    publish!(routes, NodeClosures: create);
}

view_of! {
    /// A day on which a shipping node is closed.
    NodeClosureView as ShippingNodeClosure, of row: NodeClosure, row row;
    shipping_node_id: i64 = row.shipping_node_id,
    /// Date in the installation's time zone.
    date: NaiveDate = row.date,
    #[schema(example = "Inventur")]
    name: String = row.name,
}

impl HasView for NodeClosures {
    type Source = Database;
    type View = NodeClosureView;
}

/// Closes a shipping node for a day.
#[utoipa::path(post, path = "/api/admin/shipping-node-closures")]
async fn create(
    by: Authorized<may::UpdateShippingNode>,
    Db(db): Db,
    Body(input): Body<ShippingNodeClosureInput>,
) -> Answer<Created<NodeClosureView>> {
    Ok(created(closure::create(&db, by.scope(), input).await?))
}
