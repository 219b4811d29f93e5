//! API for programs of integrators.

mod change_feeds;
mod changes;
mod pasted;
mod price_lists;
mod put;
mod read;

use serde_json::Value;

use crate::stocks::Depot;

/// Fields by which an item names a stock of the depot.
fn place(depot: &Depot, article: usize, warehouse: &str) -> Value {
    let number = &depot.articles[article]["article_number"];
    serde_json::json!({ "article_number": number, "warehouse_short_code": warehouse })
}

/// Item extended by further fields.
fn with(mut item: Value, fields: Value) -> Value {
    item.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    item
}
