//! A searchable text of imports: name, file name and, without a name, the words for the type.

use sea_orm_migration::prelude::*;

use crate::column::{execute, folded};

/// Words for the type, as both languages show them at the time of this migration.
const TYPES: [(&str, &str); 10] = [
    ("Listing", "angebote listings"),
    ("Price", "preise prices"),
    ("PriceList", "preise einer preisliste prices of a price list"),
    ("Stock", "bestande stocks"),
    ("Article", "artikel articles"),
    ("Matching", "zuordnungen matchings"),
    ("DeleteMatchings", "zuordnungen loschen delete matchings"),
    ("ExternalApiMetaData", "metadaten externer apis external api metadata"),
    ("ShippingNode", "versandknoten shipping nodes"),
    ("ShippingLeg", "versandstrecken shipping legs"),
];

#[derive(Debug, Clone, Copy)]
pub(crate) struct ImportSearch;

impl MigrationName for ImportSearch {
    fn name(&self) -> &'static str {
        "m20261128_000004_import_search"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ImportSearch {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = folded(manager, "search_fold").default("").take();
        manager.alter_table(Table::alter().table("import").add_column(column).take()).await?;
        // imports until now are found by their file name in lower case only
        let file = "UPDATE import SET search_fold = name_fold || ' ' || lower(upload_file)".to_owned();
        let words = TYPES.map(|(name, words)| {
            format!(
                "UPDATE import SET search_fold = search_fold || ' {words}' WHERE type = '{name}' AND name IS NULL"
            )
        });
        execute(manager, &[file]).await?;
        execute(manager, &words).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        execute(manager, &["ALTER TABLE import DROP COLUMN search_fold"]).await
    }
}
