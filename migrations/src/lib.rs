//! The schema, the same on SQLite and PostgreSQL. A migration that is on the main branch is never changed.
//!
//! [`Migrator`] creates the baseline, domain by domain, and then applies what has changed since.
//! `schema/sqlite.sql` and `schema/postgres.sql` show the result.

pub mod admitted;
mod baseline;
mod column;
pub mod concurrent_index;
pub mod distribution;
pub mod kind;
mod m20261127_000001_shipping;
mod m20261127_000003_import_settings;
mod m20261127_000004_idempotency;
mod m20261128_000001_import_profiles;
mod m20261128_000002_replay_cause;
mod m20261128_000004_import_search;
mod m20261128_000004_tenant_name;
mod m20261128_000005_schedules;
mod m20261128_000006_ftp_settings;
mod m20261128_000010_import_feeds;
mod m20261128_000020_feed_runs;
mod m20261128_000030_feed_incidents;
mod m20261128_000040_key_passphrases;
mod m20261128_000060_external_apis;
mod m20261128_000070_webhooks;
mod m20261128_000080_change_feeds;
mod m20261128_000090_external_quantities;
mod m20261129_000100_external_api_schedules;
mod m20261129_000110_price_changes;
mod m20261129_000200_change_feeds_by_tenant;
mod m20261129_000300_server_processes;
mod m20261129_000400_tenants_version;
mod m20261129_000500_process_notices;
mod m20261129_000600_history_by_month;
mod m20261129_000700_packed_import_rows;
mod tenant_table;

use sea_orm_migration::prelude::*;

pub use self::m20261129_000700_packed_import_rows::PACKED_IMPORT_ROWS;

/// The first migration of the development versions, whose databases this version does not read: the baseline
/// took their place before the first release.
pub const BEFORE_BASELINE: &str = "m20261121_000001_tenancy_and_identity";

/// All migrations, oldest first.
#[derive(Debug)]
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        let later: [Box<dyn MigrationTrait>; 25] = [
            Box::new(m20261127_000001_shipping::Shipping),
            Box::new(m20261127_000003_import_settings::ImportSettings),
            Box::new(m20261127_000004_idempotency::Idempotency),
            Box::new(m20261128_000001_import_profiles::ImportProfiles),
            Box::new(m20261128_000002_replay_cause::ReplayCause),
            Box::new(m20261128_000004_import_search::ImportSearch),
            Box::new(m20261128_000004_tenant_name::TenantName),
            Box::new(m20261128_000005_schedules::Schedules),
            Box::new(m20261128_000006_ftp_settings::FtpSettings),
            Box::new(m20261128_000010_import_feeds::ImportFeeds),
            Box::new(m20261128_000020_feed_runs::FeedRuns),
            Box::new(m20261128_000030_feed_incidents::FeedIncidents),
            Box::new(m20261128_000040_key_passphrases::KeyPassphrases),
            Box::new(m20261128_000060_external_apis::ExternalApis),
            Box::new(m20261128_000070_webhooks::Webhooks),
            Box::new(m20261128_000080_change_feeds::ChangeFeeds),
            Box::new(m20261128_000090_external_quantities::ExternalQuantities),
            Box::new(m20261129_000100_external_api_schedules::ExternalApiSchedules),
            Box::new(m20261129_000110_price_changes::PriceChanges),
            Box::new(m20261129_000200_change_feeds_by_tenant::ChangeFeedsByTenant),
            Box::new(m20261129_000300_server_processes::ServerProcesses),
            Box::new(m20261129_000400_tenants_version::TenantsVersion),
            Box::new(m20261129_000500_process_notices::ProcessNotices),
            Box::new(m20261129_000600_history_by_month::HistoryByMonth),
            Box::new(m20261129_000700_packed_import_rows::PackedImportRows),
        ];
        baseline::migrations().chain(later).collect()
    }
}

/// Migrations in two kinds, so that a new version can be brought in while processes of the former one run.
///
/// A migration that *expands* the schema adds what the former version does not miss: tables, columns with a
/// default, indexes. One that *contracts* it takes away or renames what the former version reads or writes.
pub trait Upgrading: MigratorTrait {
    /// The names of the migrations that contract the schema. All others expand it.
    const CONTRACTING: &'static [&'static str];
}

impl Upgrading for Migrator {
    /// Empty list: no migration since the first release contracts.
    const CONTRACTING: &'static [&'static str] = &[];
}
