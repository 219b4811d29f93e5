//! The schema, the same on SQLite and PostgreSQL. A migration that has been released is never changed.

mod admitted;
mod column;
pub mod concurrent_index;
pub mod kind;
mod m20261121_000001_tenancy_and_identity;
mod m20261121_000002_catalog;
mod m20261121_000003_imports;
mod m20261121_000004_trade_dimensions;
mod m20261121_000005_groups_and_processings;
mod m20261121_000006_categories;
mod m20261121_000007_saved_views;
mod m20261121_000009_sections;
mod m20261121_000010_trade_dimensions_of_types;
mod m20261121_000011_roles_and_users;
mod m20261121_000012_tenant_groups;
mod m20261122_000013_mail;
mod m20261122_000014_personal_access_tokens;
mod m20261122_000016_audit;
mod m20261122_000018_retention;
mod m20261122_000020_article_orders;
mod m20261122_000030_email_addresses;
mod m20261122_000031_sign_in_places;
mod m20261122_000032_server_keys;
mod m20261122_000035_short_reasons;
mod m20261122_000038_replaced_tokens;
mod m20261123_000041_import_rows;
mod m20261123_000051_tenants_stay;
mod m20261123_000052_tenant_removal;
mod m20261123_000053_warehouses;
mod m20261123_000054_matchings;
mod m20261123_000071_kept_versions;
mod m20261123_000081_background_work;
mod m20261123_000091_revoked_tokens;
mod m20261123_000092_not_invited;
mod m20261123_000094_import_warnings;
mod m20261123_000095_natural_order;
mod m20261123_000100_article_other_numbers;
mod m20261123_000110_undo;
mod m20261124_000120_stocks;
mod m20261124_000121_held_prices;
mod m20261124_000122_unresolved_numbers;
mod m20261124_000123_import_strategies;
mod m20261124_000130_undo_of_imports;
mod m20261124_000140_idempotency;
mod m20261124_000141_changes;
mod m20261124_000150_import_notices;
mod m20261124_000160_article_pictures;
mod m20261124_000170_import_mappings;
mod m20261124_000180_meta_data;
mod m20261124_000190_price_lists;
mod m20261124_000200_prices_versions;
mod m20261124_000210_price_adjustments;
mod m20261125_000220_price_list_imports;
mod m20261125_000230_sample_carts;
mod m20261125_000240_surcharge_tables;
mod m20261125_000250_deleted_entries;
mod m20261125_000260_staged_ids;
mod m20261125_000270_rows_of_imports;
mod m20261126_000280_prices_parts;
mod m20261126_000290_staged_batches;
mod m20261126_000300_processing_prices;
mod m20261126_000310_waiting_for_a_price;
mod m20261127_000320_hidden_rows;
mod m20261127_000350_tier_units;
mod m20261127_000360_applied_dry_runs;
mod m20261127_000370_changed_lists;
mod m20261127_000371_unique_positions;
mod m20261127_000372_replace_scope;
mod m20261127_000390_partners;
mod m20261127_000400_pending_sign_ins;
mod m20261127_000420_names_for_customers;
mod m20261127_000440_proposed_prices;
mod m20261127_000441_email_changes;
mod tenant_table;

use sea_orm_migration::prelude::*;

/// All migrations, oldest first.
#[derive(Debug)]
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20261121_000001_tenancy_and_identity::Migration),
            Box::new(m20261121_000002_catalog::Migration),
            Box::new(m20261121_000003_imports::Migration),
            Box::new(m20261121_000004_trade_dimensions::Migration),
            Box::new(m20261121_000005_groups_and_processings::Migration),
            Box::new(m20261121_000006_categories::Migration),
            Box::new(m20261121_000007_saved_views::Migration),
            Box::new(m20261121_000009_sections::Migration),
            Box::new(m20261121_000010_trade_dimensions_of_types::Migration),
            Box::new(m20261121_000011_roles_and_users::Migration),
            Box::new(m20261121_000012_tenant_groups::Migration),
            Box::new(m20261122_000013_mail::Migration),
            Box::new(m20261122_000014_personal_access_tokens::Migration),
            Box::new(m20261122_000016_audit::Migration),
            Box::new(m20261122_000018_retention::Migration),
            Box::new(m20261122_000020_article_orders::Migration),
            Box::new(m20261122_000030_email_addresses::Migration),
            Box::new(m20261122_000031_sign_in_places::Migration),
            Box::new(m20261122_000032_server_keys::Migration),
            Box::new(m20261122_000035_short_reasons::Migration),
            Box::new(m20261122_000038_replaced_tokens::Migration),
            Box::new(m20261123_000041_import_rows::Migration),
            Box::new(m20261123_000051_tenants_stay::Migration),
            Box::new(m20261123_000052_tenant_removal::Migration),
            Box::new(m20261123_000053_warehouses::Migration),
            Box::new(m20261123_000054_matchings::Migration),
            Box::new(m20261123_000071_kept_versions::Migration),
            Box::new(m20261123_000081_background_work::Migration),
            Box::new(m20261123_000091_revoked_tokens::Migration),
            Box::new(m20261123_000092_not_invited::Migration),
            Box::new(m20261123_000094_import_warnings::Migration),
            Box::new(m20261123_000095_natural_order::Migration),
            Box::new(m20261123_000100_article_other_numbers::Migration),
            Box::new(m20261123_000110_undo::Migration),
            Box::new(m20261124_000120_stocks::Migration),
            Box::new(m20261124_000121_held_prices::Migration),
            Box::new(m20261124_000122_unresolved_numbers::Migration),
            Box::new(m20261124_000123_import_strategies::Migration),
            Box::new(m20261124_000130_undo_of_imports::Migration),
            Box::new(m20261124_000140_idempotency::Migration),
            Box::new(m20261124_000141_changes::Migration),
            Box::new(m20261124_000150_import_notices::Migration),
            Box::new(m20261124_000160_article_pictures::Migration),
            Box::new(m20261124_000170_import_mappings::Migration),
            Box::new(m20261124_000180_meta_data::Migration),
            Box::new(m20261124_000190_price_lists::Migration),
            Box::new(m20261124_000200_prices_versions::Migration),
            Box::new(m20261124_000210_price_adjustments::Migration),
            Box::new(m20261125_000220_price_list_imports::Migration),
            Box::new(m20261125_000230_sample_carts::Migration),
            Box::new(m20261125_000240_surcharge_tables::Migration),
            Box::new(m20261125_000250_deleted_entries::Migration),
            Box::new(m20261125_000260_staged_ids::Migration),
            Box::new(m20261125_000270_rows_of_imports::Migration),
            Box::new(m20261126_000280_prices_parts::Migration),
            Box::new(m20261126_000290_staged_batches::Migration),
            Box::new(m20261126_000300_processing_prices::Migration),
            Box::new(m20261126_000310_waiting_for_a_price::Migration),
            Box::new(m20261127_000320_hidden_rows::Migration),
            Box::new(m20261127_000350_tier_units::Migration),
            Box::new(m20261127_000360_applied_dry_runs::Migration),
            Box::new(m20261127_000370_changed_lists::Migration),
            Box::new(m20261127_000371_unique_positions::Migration),
            Box::new(m20261127_000372_replace_scope::Migration),
            Box::new(m20261127_000390_partners::Migration),
            Box::new(m20261127_000400_pending_sign_ins::Migration),
            Box::new(m20261127_000420_names_for_customers::Migration),
            Box::new(m20261127_000440_proposed_prices::Migration),
            Box::new(m20261127_000441_email_changes::Migration),
        ]
    }
}
