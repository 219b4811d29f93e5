//! Trading partners: the town of a company, which others see and search by, and customers for whom a price list or a price
//! adjustment is not meant.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectionTrait, DbBackend},
};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::{
    column::{folded, index, integer, json, optional_text, part_of, reference},
    tenant_table::drop_all,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const EXCLUDED: &str = "price_list_excluded_tenant";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let part = Table::create()
            .table(EXCLUDED)
            .col(integer("price_list_id"))
            .col(integer("tenant_id"))
            .primary_key(Index::create().col("price_list_id").col("tenant_id"))
            .foreign_key(&mut part_of(EXCLUDED, "price_list_id", "price_list"))
            .foreign_key(&mut reference(EXCLUDED, "tenant_id", "tenant"))
            .take();
        manager.create_table(part).await?;
        manager.create_index(index(EXCLUDED, &["tenant_id"], false)).await?;
        add(manager, "price_adjustment", json("excluded_tenant_ids").default("[]").take()).await?;
        add(manager, "tenant", optional_text("place")).await?;
        add(manager, "tenant", folded(manager, "place_fold").default("").take()).await?;
        fill_places(manager).await?;
        if manager.get_database_backend() == DbBackend::Postgres {
            for (table, column) in [("price_adjustment", "excluded_tenant_ids"), ("tenant", "place_fold")] {
                let sql = format!("ALTER TABLE {table} ALTER COLUMN {column} DROP DEFAULT");
                manager.get_connection().execute_unprepared(&sql).await?;
            }
        }
        Ok(())
    }

    /// Adjustments then apply to those, too, for whom they were not meant.
    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column) in
            [("tenant", "place_fold"), ("tenant", "place"), ("price_adjustment", "excluded_tenant_ids")]
        {
            manager.alter_table(Table::alter().table(table).drop_column(column).take()).await?;
        }
        drop_all(manager, &[EXCLUDED]).await
    }
}

async fn add(manager: &SchemaManager<'_>, table: &'static str, column: ColumnDef) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table(table).add_column(column).take()).await
}

/// Writes the towns of the companies that are there.
async fn fill_places(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let addressed = Query::select()
        .columns(["id", "address"])
        .from("tenant")
        .and_where(Expr::col("address").is_not_null())
        .take();
    for tenant in manager.get_connection().query_all(&addressed).await? {
        let (id, address): (i64, String) = (tenant.try_get("", "id")?, tenant.try_get("", "address")?);
        let Some(place) = place_of(&address) else { continue };
        let update = Query::update()
            .table("tenant")
            .value("place", place)
            .value("place_fold", fold(place))
            .and_where(Expr::col("id").eq(id))
            .take();
        manager.execute(update).await?;
    }
    Ok(())
}

/// As `tenancy::place` reads it when this is released.
fn place_of(address: &str) -> Option<&str> {
    address.split([',', ';', '\n']).rev().find_map(|part| {
        let (code, town) = part.trim().split_once(' ')?;
        let digits = code.split_once('-').map_or(code, |(country, digits)| {
            let is_country = (1..=3).contains(&country.len()) && country.chars().all(char::is_alphabetic);
            if is_country { digits } else { "" }
        });
        let is_code = matches!(digits.len(), 4 | 5) && digits.chars().all(|digit| digit.is_ascii_digit());
        let town = town.trim();
        (is_code && town.starts_with(char::is_alphabetic)).then_some(town)
    })
}

/// As `kernel::fold` folds when this is released.
fn fold(text: &str) -> String {
    let letters = text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase);
    let folded: String = letters.collect::<String>().replace('ß', "ss");
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}
