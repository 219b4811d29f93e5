//! The schema that everything begins with, one migration for each domain.
//!
//! It took the place of the migrations of the development versions. Later changes are migrations of their own
//! behind it.

mod background;
mod catalog;
mod history;
mod identity;
mod imports;
mod logistics;
mod pricing;
mod tenancy;

use sea_orm_migration::prelude::*;

/// The tables of a domain.
#[derive(Debug, Clone, Copy)]
enum Domain {
    Tenancy,
    Identity,
    Background,
    History,
    Catalog,
    Imports,
    Logistics,
    Pricing,
}

/// Each behind those that it refers to.
const DOMAINS: [Domain; 8] = [
    Domain::Tenancy,
    Domain::Identity,
    Domain::Background,
    Domain::History,
    Domain::Catalog,
    Domain::Imports,
    Domain::Logistics,
    Domain::Pricing,
];

/// The migrations of all domains, in the order in which they are applied.
pub(crate) fn migrations() -> impl Iterator<Item = Box<dyn MigrationTrait>> {
    DOMAINS.into_iter().map(|domain| Box::new(domain) as Box<dyn MigrationTrait>)
}

impl MigrationName for Domain {
    /// Sorted by their names, they are in their order and before all later ones (`m2026…`): backups rely on it.
    fn name(&self) -> &str {
        match self {
            Self::Tenancy => "baseline_1_tenancy",
            Self::Identity => "baseline_2_identity",
            Self::Background => "baseline_3_background",
            Self::History => "baseline_4_history",
            Self::Catalog => "baseline_5_catalog",
            Self::Imports => "baseline_6_imports",
            Self::Logistics => "baseline_7_logistics",
            Self::Pricing => "baseline_8_pricing",
        }
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Domain {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        match self {
            Self::Tenancy => tenancy::create(manager).await,
            Self::Identity => identity::create(manager).await,
            Self::Background => background::create(manager).await,
            Self::History => history::create(manager).await,
            Self::Catalog => catalog::create(manager).await,
            Self::Imports => imports::create(manager).await,
            Self::Logistics => logistics::create(manager).await,
            Self::Pricing => pricing::create(manager).await,
        }
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables = match self {
            Self::Tenancy => tenancy::TABLES,
            Self::Identity => identity::TABLES,
            Self::Background => background::TABLES,
            Self::History => history::TABLES,
            Self::Catalog => {
                catalog::drop_search(manager).await?;
                catalog::TABLES
            }
            Self::Imports => imports::TABLES,
            Self::Logistics => logistics::TABLES,
            Self::Pricing => pricing::TABLES,
        };
        for table in tables.iter().rev() {
            manager.drop_table(Table::drop().table(*table).take()).await?;
        }
        Ok(())
    }
}
