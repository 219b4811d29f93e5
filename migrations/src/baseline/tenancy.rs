//! Tenants, the rights that they have at most, and their groups.

use sea_orm_migration::prelude::*;

use crate::column::{
    create_table, folded, index, integer, named_index, optional_integer, optional_text, optional_time,
    part_of, permissions_of, record, records, reference, text,
};

pub(super) const TABLES: &[&str] = &["tenant", "tenant_permission", "tenant_group", "tenant_group_member"];

pub(super) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut tenant = records("tenant")
        .col(text("company"))
        .col(folded(manager, "company_fold"))
        .col(folded(manager, "company_sort"))
        .col(text("short_code"))
        .col(folded(manager, "short_code_fold"))
        .col(folded(manager, "short_code_sort"))
        .col(optional_text("address"))
        // The town of the address, which other companies see and search by.
        .col(optional_text("place"))
        .col(folded(manager, "place_fold"))
        .col(optional_text("email"))
        .col(optional_text("phone"))
        .col(optional_text("external_api_type"))
        // Maximum price change without a review, in percent; `guard::USUAL_PERCENT` if null.
        .col(optional_integer("price_guard_percent"))
        // The time at which the removal of the tenant began: from then on the tenant can neither act nor be
        // found.
        .col(optional_time("removal_begun_at"))
        .take();
    let indexes = [
        index("tenant", &["short_code_fold"], true),
        named_index("tenant_company_sort_index", "tenant", &["company_sort", "id"]),
        named_index("tenant_short_code_sort_index", "tenant", &["short_code_sort", "id"]),
        index("tenant", &["updated_at", "id"], false),
    ];
    create_table(manager, record(&mut tenant), indexes).await?;
    create_table(manager, &permissions_of("tenant_permission", "tenant_id", "tenant"), []).await?;

    let mut group = records("tenant_group")
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(optional_text("description"))
        .col(folded(manager, "description_fold"))
        .take();
    let indexes = [
        index("tenant_group", &["name_fold"], true),
        index("tenant_group", &["description_fold", "id"], false),
        index("tenant_group", &["updated_at", "id"], false),
    ];
    create_table(manager, record(&mut group), indexes).await?;
    let member = Table::create()
        .table("tenant_group_member")
        .col(integer("tenant_group_id"))
        .col(integer("tenant_id"))
        .primary_key(Index::create().col("tenant_group_id").col("tenant_id"))
        .foreign_key(&mut reference("tenant_group_member", "tenant_group_id", "tenant_group"))
        .foreign_key(&mut part_of("tenant_group_member", "tenant_id", "tenant"))
        .take();
    create_table(manager, &member, [index("tenant_group_member", &["tenant_id"], false)]).await
}
