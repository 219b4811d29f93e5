//! Pricing: what tenants ask for what they have, their price lists, and the guard that holds prices which look like a mistake.

mod aside;
pub mod condition;
pub mod exact;
pub mod findings;
pub mod guard;
pub mod held_price;
pub mod impact;
pub mod listing;
pub mod partner_terms;
pub mod price_adjustment;
pub mod price_list;
pub mod price_list_entry;
pub mod price_sheet;
pub mod price_side;
pub mod processing_price;
pub mod quote;
pub mod sample_cart;
pub mod surcharge_table;
