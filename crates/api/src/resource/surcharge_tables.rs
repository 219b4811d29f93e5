//! Surcharge tables over HTTP.

mod impact;

use http_api::{
    access::Authorized,
    answer::{OkJson, ok_json},
    export::{Column, time},
    input::{Body, Db, Id},
    publish,
    routes::{Answer, Routes},
};
use pricing::{
    may,
    surcharge_table::{
        self, Missing, SurchargeTableDetail, SurchargeTables, SurchargeValue, TableValues, ValuesInput,
        surcharges::{KeyedBy, SurchargeKind},
    },
};
use serde::Serialize;
use store::Database;
use utoipa::ToSchema;
use values::{Decimal, Validated};

use crate::resource::{
    crud::{Exportable, operations, view_of},
    search::findable,
    tenants::TenantReference,
    view::HasView,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<SurchargeTables>(routes, "/api/admin/surcharge-tables")
        .list::<may::ListPriceAdjustments>("Lists the surcharge tables of the tenant.")
        .export::<may::ListPriceAdjustments>("Exports all surcharge tables that match the filters.")
        .create::<may::CreatePriceAdjustment>("Creates a surcharge table, without values.")
        .view::<may::ViewPriceAdjustment>("Shows a surcharge table, with its missing values.")
        .update::<may::UpdatePriceAdjustment>("Changes a surcharge table.")
        .delete::<may::DeletePriceAdjustment>("Deletes an unused surcharge table with its values.")
        .bulk_delete::<may::DeletePriceAdjustment>(
            "Deletes many surcharge tables and leaves those that are in use.",
        )
        .usage::<may::ViewPriceAdjustment>("Shows where a surcharge table is used.");
    publish!(routes, SurchargeTables: values, update_values);
    impact::routes(routes);
}

view_of! {
    /// Table of monthly surcharges.
    SurchargeTableView as SurchargeTable, of detail: SurchargeTableDetail, row detail.table;
    tenant: TenantReference = TenantReference::new(detail.table.tenant_id, detail.tenant),
    /// Unique within the tenant, ignoring case.
    #[schema(example = "Legierungszuschlag Edelstahl")]
    name: String = detail.table.name,
    kind: SurchargeKind = detail.table.kind,
    /// Kind of its rows: materials or article types.
    keyed_by: KeyedBy = detail.table.keyed_by,
    /// Table that missing values are taken from.
    #[schema(required)]
    base_table: Option<TableOfRecord> = TableOfRecord::new(detail.table.base_table_id, detail.base),
    /// Number of its own values.
    #[schema(example = 24)]
    value_count: u64 = detail.value_count,
    /// Last month with a value of its own.
    #[schema(required, example = "2026-12")]
    last_month: Option<String> = detail.last_month,
    /// Values missing for this month and the next, in rows that had values within the last year.
    missing: Vec<MissingView> = detail.missing.into_iter().map(MissingView::from).collect(),
}

/// A surcharge table that a record names.
#[derive(Serialize, ToSchema)]
#[schema(as = SurchargeTableOfRecord)]
pub(super) struct TableOfRecord {
    id: i64,
    #[schema(example = "Legierungszuschlag Edelstahl")]
    name: String,
}

impl TableOfRecord {
    pub(super) fn new(id: Option<i64>, name: Option<String>) -> Option<Self> {
        id.map(|id| Self { id, name: name.unwrap_or_default() })
    }
}

view_of! {
    /// Value that is missing in a table.
    part MissingView as MissingSurchargeValue, of missing: Missing;
    /// Material or article type of the row.
    key: KeyView = KeyView { id: missing.key, name: missing.name },
    #[schema(example = "2026-12")]
    month: String = missing.month.to_string(),
}

/// Row of a table: a material or an article type.
#[derive(Serialize, ToSchema)]
#[schema(as = SurchargeKey)]
struct KeyView {
    id: i64,
    #[schema(example = "1.4301")]
    name: String,
}

view_of! {
    /// Value of a table for a material or an article type in a month.
    part ValueView as SurchargeValue, of value: SurchargeValue;
    #[schema(required)]
    material_id: Option<i64> = (value.keyed_by == KeyedBy::Material).then_some(value.key),
    #[schema(required)]
    article_type_id: Option<i64> = (value.keyed_by == KeyedBy::ArticleType).then_some(value.key),
    /// Name of the material or the article type.
    #[schema(example = "1.4301")]
    name: String = value.name,
    #[schema(example = "2026-12")]
    month: String = value.month.to_string(),
    /// Surcharge in EUR per tonne.
    #[schema(example = "1650")]
    value: Decimal = value.value,
    /// Table that it is taken from; `null` for a value of its own.
    #[schema(required)]
    base_table: Option<TableOfRecord> = value.base.map(|(id, name)| TableOfRecord { id, name }),
}

/// Values of a surcharge table, including those from the tables that it is based on.
#[derive(Serialize, ToSchema)]
#[schema(as = SurchargeValues)]
struct ValuesView {
    /// Version of the table to which the values belong; send it with the next change of values.
    #[schema(example = 3)]
    version: i64,
    data: Vec<ValueView>,
}

impl From<TableValues> for ValuesView {
    fn from(TableValues { version, values }: TableValues) -> Self {
        Self { version, data: values.into_iter().map(ValueView::from).collect() }
    }
}

impl HasView for SurchargeTables {
    type Source = Database;
    type View = SurchargeTableView;
}

findable!(SurchargeTables, _row => None);

impl Exportable for SurchargeTables {
    const COLUMNS: &'static [Column<SurchargeTableDetail>] = &[
        ("name", |row, _| row.table.name.as_str().into()),
        ("kind", |row, labels| labels.choice("kind", row.table.kind)),
        ("keyed_by", |row, labels| labels.choice("keyed_by", row.table.keyed_by)),
        ("base_table", |row, _| row.base.as_deref().into()),
        ("value_count", |row, _| row.value_count.into()),
        ("last_month", |row, _| row.last_month.as_deref().into()),
        ("updated_at", |row, _| time(row.table.updated_at)),
    ];
}

/// Shows the values of a surcharge table, including those from the tables that it is based on.
#[utoipa::path(get, path = "/api/admin/surcharge-tables/{id}/values")]
async fn values(
    by: Authorized<may::ViewPriceAdjustment>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<OkJson<ValuesView>> {
    Ok(ok_json(surcharge_table::values(&db, by.scope(), id).await?))
}

/// Changes at most 2,000 values of a surcharge table, all or none; errors are at `values.<index>`. `null`
/// deletes a value.
#[utoipa::path(put, path = "/api/admin/surcharge-tables/{id}/values")]
async fn update_values(
    by: Authorized<may::UpdatePriceAdjustment>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<Validated<ValuesInput>>,
) -> Answer<OkJson<ValuesView>> {
    Ok(ok_json(surcharge_table::put_values(&db, by.scope(), id, input).await?))
}
