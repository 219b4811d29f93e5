//! Parts of records that are stored as records of their own: a record with added, changed or removed parts is
//! not in the state of its creation any more.

use logistics::{
    shipping::node::{
        ShippingNodes,
        closure::{self as node_closure, NodeClosures},
    },
    warehouse::{
        Warehouses,
        closure::{self, Closures},
    },
};
use pricing::{
    held_price::{self, HeldPrices},
    price_list::{self, PriceLists, deletion::DELETED_PRICES},
};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QuerySelect};
use store::{Scope, audit};
use values::Result;

/// Returns the ids of records whose parts have changed, each with the name of the parts.
pub(super) async fn records_with_changed_parts(
    db: &impl ConnectionTrait,
    scope: &Scope,
    record: &str,
    ids: &[i64],
) -> Result<Vec<(i64, &'static str)>> {
    let ids = || ids.iter().copied();
    let (changed_ids, field): (Vec<i64>, _) = if record == audit::table::<PriceLists>() {
        (price_list::with_changed_prices(db, scope, ids()).await?, DELETED_PRICES)
    } else if record == audit::table::<Warehouses>() {
        let closed = scope.find::<Closures>().filter(closure::Column::WarehouseId.is_in(ids()));
        let closed = closed.select_only().column(closure::Column::WarehouseId);
        (closed.into_tuple().all(db).await?, "closure")
    } else if record == audit::table::<ShippingNodes>() {
        let closed = scope.find::<NodeClosures>().filter(node_closure::Column::ShippingNodeId.is_in(ids()));
        let closed = closed.select_only().column(node_closure::Column::ShippingNodeId);
        (closed.into_tuple().all(db).await?, "closure")
    } else if record == audit::table::<logistics::stock::Stocks>() {
        let held_prices = scope.find::<HeldPrices>().filter(held_price::Column::StockId.is_in(ids()));
        let held_prices = held_prices.select_only().column(held_price::Column::StockId);
        (held_prices.into_tuple().all(db).await?, "held")
    } else {
        return Ok(Vec::new());
    };
    Ok(changed_ids.into_iter().map(|id| (id, field)).collect())
}
