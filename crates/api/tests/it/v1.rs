//! What programs of integrators work with.

mod change_feeds;
mod changes;
mod pasted;
mod price_lists;
mod put;
mod read;

use serde_json::Value;

use crate::stocks::Depot;

/// How an item names a stock of the depot.
fn place(depot: &Depot, article: usize, warehouse: &str) -> Value {
    let number = &depot.articles[article]["article_number"];
    serde_json::json!({ "article_number": number, "warehouse_short_code": warehouse })
}

/// The first one with the fields of the others.
fn with(mut item: Value, fields: Value) -> Value {
    item.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    item
}
