//! Each tier says the unit of the quantity that it begins at. The quantities so far are in the listing unit.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// The columns that hold tiers: their table, the path to the lists of tiers in them, and the article that they are of.
const COLUMNS: [(&str, &str, &[&[&str]], &str); 6] = [
    ("stock", "internal_bulk_prices", &[&[]], "stock.article_id"),
    ("stock", "external_bulk_prices", &[&[]], "stock.article_id"),
    ("price_list_entry", "bulk_prices", &[&[]], "price_list_entry.article_id"),
    (
        "price_list_entry",
        "held",
        &[&["wanted", "tiers"], &["mended", "tiers"]],
        "price_list_entry.article_id",
    ),
    ("held_price", "wanted", SIDES, HELD_ARTICLE),
    ("held_price", "mended", SIDES, HELD_ARTICLE),
];

const SIDES: &[&[&str]] = &[&["internal", "tiers"], &["external", "tiers"]];

const HELD_ARTICLE: &str = "(SELECT article_id FROM stock WHERE stock.id = held_price.stock_id)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        rewrite(manager, &|listed, on_postgres| Rewrite {
            stays: "true".into(),
            tier: if on_postgres {
                format!("jsonb_build_object('from_unit', {listed}) || tier.value")
            } else {
                format!("json_insert(tier.value, '$.from_unit', {listed})")
            },
        })
        .await
    }

    /// Tiers in other units go: they would be read as if they were in the listing unit.
    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        rewrite(manager, &|listed, on_postgres| Rewrite {
            stays: format!("coalesce(tier.value ->> 'from_unit', {listed}) = {listed}"),
            tier: if on_postgres {
                "tier.value - 'from_unit'".into()
            } else {
                "json_remove(tier.value, '$.from_unit')".into()
            },
        })
        .await
    }
}

/// The tiers that stay, and what becomes of one.
struct Rewrite {
    stays: String,
    tier: String,
}

/// Rewrites the lists of tiers of all columns; `becomes` is given the listing unit of the article, and whether it is PostgreSQL.
async fn rewrite(
    manager: &SchemaManager<'_>,
    becomes: &(dyn Fn(&str, bool) -> Rewrite + Sync),
) -> Result<(), DbErr> {
    let on_postgres = manager.get_database_backend() == DbBackend::Postgres;
    for (table, column, paths, article) in COLUMNS {
        let listed = format!(
            "(SELECT listing_unit_of_measure FROM article JOIN article_type ON article_type.id = article.article_type_id \
             WHERE article.id = {article})"
        );
        let rewrite = becomes(&listed, on_postgres);
        for path in paths {
            let update = if on_postgres {
                on_postgresql(column, path, &rewrite)
            } else {
                on_sqlite(column, path, &rewrite)
            };
            manager
                .get_connection()
                .execute_unprepared(&format!("UPDATE {table} SET {column} = {update}"))
                .await?;
        }
    }
    Ok(())
}

fn on_postgresql(column: &str, path: &[&str], Rewrite { stays, tier }: &Rewrite) -> String {
    let path = path.join(",");
    let list = format!("{column} #> '{{{path}}}'");
    let tiers = format!(
        "(SELECT coalesce(jsonb_agg({tier} ORDER BY tier.ordinality), '[]') \
         FROM jsonb_array_elements({list}) WITH ORDINALITY AS tier WHERE {stays})"
    );
    let whole = if path.is_empty() { tiers } else { format!("jsonb_set({column}, '{{{path}}}', {tiers})") };
    format!("{whole} WHERE CASE WHEN jsonb_typeof({list}) = 'array' THEN jsonb_array_length({list}) > 0 END")
}

fn on_sqlite(column: &str, path: &[&str], Rewrite { stays, tier }: &Rewrite) -> String {
    let path = [&["$"], path].concat().join(".");
    let tiers = format!(
        "(SELECT json_group_array(json({tier})) FROM json_each({column}, '{path}') AS tier WHERE {stays})"
    );
    let whole = if path == "$" { tiers } else { format!("json_set({column}, '{path}', json({tiers}))") };
    format!("{whole} WHERE json_array_length({column}, '{path}') > 0")
}
