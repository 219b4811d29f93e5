//! A row of a price list may have no price yet, as long as one waits for a release.

use sea_orm_migration::prelude::*;

use crate::admitted::demand;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const CHECK: [&str; 2] = ["price_list_entry", "price"];

const OTHERS: &str = "(price IS NULL) = (price_unit IS NULL) AND (price IS NULL) = (price_quantity IS NULL) \
    AND coalesce(price, 0) >= 0 AND coalesce(price_quantity, 1) > 0 AND ";
const PRICED: &str = "(price IS NOT NULL OR bulk_prices IS NOT NULL)";
const PRICED_OR_HELD: &str = "(price IS NOT NULL OR bulk_prices IS NOT NULL OR held IS NOT NULL)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        demand(manager, CHECK, &format!("{OTHERS}{PRICED}"), &format!("{OTHERS}{PRICED_OR_HELD}")).await
    }

    /// What only waits goes: there is no price that it could be refused in favour of.
    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        let counted = format!(
            "UPDATE price_list SET price_count = price_count - \
             (SELECT count(*) FROM price_list_entry WHERE price_list_id = price_list.id AND NOT {PRICED})"
        );
        db.execute_unprepared(&counted).await?;
        db.execute_unprepared(&format!("DELETE FROM price_list_entry WHERE NOT {PRICED}")).await?;
        demand(manager, CHECK, &format!("{OTHERS}{PRICED_OR_HELD}"), &format!("{OTHERS}{PRICED}")).await
    }
}
