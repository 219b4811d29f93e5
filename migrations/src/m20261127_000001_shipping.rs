//! Shipping: nodes, the days on which they are closed, and the legs between them with their departures.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::{
    admitted::admit,
    column::{
        boolean, create_table, execute, folded, index, integer, json, named_index, optional_integer,
        optional_text, part_of, record, records, reference, text,
    },
};

/// Coordinates are millionths of a degree.
const COORDINATES: &str = "(latitude IS NULL) = (longitude IS NULL) \
    AND coalesce(latitude, 0) BETWEEN -90000000 AND 90000000 \
    AND coalesce(longitude, 0) BETWEEN -180000000 AND 180000000";
const WAREHOUSE: &str = "(warehouse_id IS NULL) = (warehouse_tenant_id IS NULL)";
/// Durations are minutes, at most 30 days.
const DURATIONS: &str = "travel_duration BETWEEN 1 AND 43200 AND loading_duration BETWEEN 0 AND 43200 \
    AND unloading_duration BETWEEN 0 AND 43200 AND preparation_duration BETWEEN 0 AND 43200";
const ORDER_TIME: &str =
    "order_time IS NULL OR (length(order_time) = 5 AND order_time BETWEEN '00:00' AND '23:59')";

const IMPORT_TYPE: [&str; 2] = ["import", "type"];
const IMPORT_TYPES: &str = "'Listing', 'Price', 'PriceList', 'Stock', 'Article', 'Matching', 'DeleteMatchings', \
    'ExternalApiMetaData'";

/// Adds the file types of the shipping network.
fn with_network(types: &str) -> String {
    format!("{types}, 'ShippingNode', 'ShippingLeg'")
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Shipping;

impl MigrationName for Shipping {
    fn name(&self) -> &'static str {
        "m20261127_000001_shipping"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Shipping {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        create_nodes(manager).await?;
        create_closures(manager).await?;
        create_legs(manager).await?;
        admit(manager, IMPORT_TYPE, IMPORT_TYPES, &with_network(IMPORT_TYPES)).await?;
        // The version of what the network is compiled from.
        execute(manager, &["INSERT INTO kept_version (topic, version) VALUES ('shipping', 1)"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["shipping_leg", "shipping_node_closure", "shipping_node"] {
            manager.drop_table(Table::drop().table(table).take()).await?;
        }
        execute(manager, &["DELETE FROM import WHERE type IN ('ShippingNode', 'ShippingLeg')"]).await?;
        admit(manager, IMPORT_TYPE, &with_network(IMPORT_TYPES), IMPORT_TYPES).await?;
        execute(manager, &["DELETE FROM kept_version WHERE topic = 'shipping'"]).await
    }
}

/// Creates the nodes. The warehouse at a node is a tenant's, so the reference carries whose it is.
async fn create_nodes(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut node = records("shipping_node")
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(folded(manager, "name_sort"))
        .col(optional_text("address"))
        .col(folded(manager, "address_fold"))
        .col(optional_integer("latitude"))
        .col(optional_integer("longitude"))
        .col(boolean("active"))
        .col(optional_integer("warehouse_tenant_id"))
        .col(optional_integer("warehouse_id"))
        .col(optional_text("region"))
        .take();
    let mut warehouse = ForeignKey::create()
        .name("shipping_node_warehouse_fkey")
        .from("shipping_node", ("warehouse_tenant_id", "warehouse_id"))
        .to("warehouse", ("tenant_id", "id"))
        .on_delete(ForeignKeyAction::Restrict)
        .take();
    let indexes = [
        index("shipping_node", &["name_fold"], true),
        named_index("shipping_node_name_sort_index", "shipping_node", &["name_sort", "id"]),
        named_index("shipping_node_warehouse_key", "shipping_node", &["warehouse_tenant_id", "warehouse_id"])
            .unique()
            .take(),
        index("shipping_node", &["updated_at", "id"], false),
    ];
    if manager.get_database_backend() == DbBackend::Postgres {
        create_table(manager, record(&mut node), indexes).await?;
        manager.create_foreign_key(warehouse).await?;
        let check = |name: &str, holds: &str| {
            format!("ALTER TABLE shipping_node ADD CONSTRAINT shipping_node_{name}_check CHECK ({holds})")
        };
        return execute(manager, &[check("coordinates", COORDINATES), check("warehouse", WAREHOUSE)]).await;
    }
    node.foreign_key(&mut warehouse).check(Expr::cust(COORDINATES)).check(Expr::cust(WAREHOUSE));
    create_table(manager, record(&mut node), indexes).await
}

async fn create_closures(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut closure = records("shipping_node_closure")
        .col(integer("shipping_node_id"))
        .col(ColumnDef::new("date").date().not_null().take())
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .foreign_key(&mut part_of("shipping_node_closure", "shipping_node_id", "shipping_node"))
        .take();
    let indexes = [
        named_index("shipping_node_closure_date_key", "shipping_node_closure", &["shipping_node_id", "date"])
            .unique()
            .take(),
        index("shipping_node_closure", &["date", "id"], false),
        index("shipping_node_closure", &["updated_at", "id"], false),
    ];
    create_table(manager, record(&mut closure), indexes).await
}

/// Creates the legs. Departures and exceptions are read and written with their leg, whole.
async fn create_legs(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut leg = records("shipping_leg")
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(folded(manager, "name_sort"))
        .col(integer("sending_node_id"))
        .col(integer("receiving_node_id"))
        .col(integer("preparation_duration"))
        .col(integer("loading_duration"))
        .col(integer("travel_duration"))
        .col(integer("unloading_duration"))
        .col(optional_text("order_time"))
        .col(json("departures"))
        .col(json("exceptions"))
        .col(integer("departures_per_week"))
        .foreign_key(&mut reference("shipping_leg", "sending_node_id", "shipping_node"))
        .foreign_key(&mut reference("shipping_leg", "receiving_node_id", "shipping_node"))
        .check(Expr::cust("sending_node_id <> receiving_node_id"))
        .check(Expr::cust(DURATIONS))
        .check(Expr::cust(ORDER_TIME))
        .check(Expr::cust("departures_per_week BETWEEN 0 AND 100"))
        .take();
    let indexes = [
        named_index("shipping_leg_pair_key", "shipping_leg", &["sending_node_id", "receiving_node_id"])
            .unique()
            .take(),
        index("shipping_leg", &["receiving_node_id", "id"], false),
        named_index("shipping_leg_name_sort_index", "shipping_leg", &["name_sort", "id"]),
        index("shipping_leg", &["travel_duration", "id"], false),
        index("shipping_leg", &["departures_per_week", "id"], false),
        index("shipping_leg", &["updated_at", "id"], false),
    ];
    create_table(manager, record(&mut leg), indexes).await
}
