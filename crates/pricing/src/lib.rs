//! Prices of tenants: price lists, prices of stocks, adjustments and quotes, and the guard that puts
//! implausible prices under review.

mod blocking;
pub mod codes;
pub mod condition;
pub mod exact;
pub mod findings;
pub mod guard;
pub mod held_price;
pub mod impact;
pub mod listing;
pub mod partner_terms;
pub mod permissions;
pub mod price_adjustment;
pub mod price_list;
pub mod price_list_entry;
pub mod price_sheet;
pub mod price_side;
pub mod processing_price;
pub mod quote;
pub mod sample_cart;
pub mod surcharge_table;
mod words;

pub use permissions::may;
