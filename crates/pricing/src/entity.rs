//! The tables of pricing, nothing else.

pub mod held_price;
pub mod listing;
pub mod price_adjustment;
pub mod price_adjustment_record;
pub mod price_adjustment_tenant;
pub mod price_list;
pub mod price_list_entry;
pub mod price_list_excluded_tenant;
pub mod price_list_stage;
pub mod price_list_tenant;
pub mod price_list_tenant_group;
pub mod processing_price;
pub mod sample_cart;
pub mod sample_cart_acceptance;
pub mod sample_cart_buyer;
pub mod sample_cart_record;
pub mod surcharge_table;
pub mod surcharge_value;
