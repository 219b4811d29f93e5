//! Materials over HTTP.

use catalog::{
    cascade::material as cascade,
    material::{self, Material, MaterialInput, Materials},
    may,
};
use http_api::{
    access::Authorized,
    answer::{OkJson, ok_json},
    export::{Column, time},
    input::{Body, Db, Id, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use store::Database;
use values::{Decimal, Validated};

use crate::resource::{
    by_name::by_name,
    crud::{Exportable, operations, view_of},
    effect::EffectView,
    search::findable,
    view::HasView,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<Materials>(routes, "/api/admin/materials")
        .list::<may::ListMaterials>("Lists materials.")
        .export::<may::ListMaterials>("Exports all materials that match the filters.")
        .create::<may::CreateMaterial>("Creates a material.")
        .view::<may::ViewMaterial>("Shows a material.")
        .update::<may::UpdateMaterial>("Changes a material.")
        .by_name::<may::ViewMaterial, may::UpdateMaterial, may::CreateMaterial>("a material by its name")
        .delete::<may::DeleteMaterial>("Deletes a material that no article uses.")
        .bulk_delete::<may::DeleteMaterial>("Deletes many materials and leaves those that are in use.")
        .bulk_change::<may::UpdateMaterial>("Changes one field of many materials.")
        .usage::<may::ViewMaterial>("Shows where a material is used.");
    publish!(routes, Materials: effect);
}

view_of! {
    /// A material that articles are made of.
    #[schema(example = json!({
        "id": 7, "name": "S355J2", "display_name": "Baustahl S355J2", "article_number_name": "S355J2", "material_number": "1.0577",
        "density": "7.85", "version": 3, "created_at": "2026-11-23T09:30:00Z", "updated_at": "2026-11-23T09:30:00Z"
    }))]
    MaterialView as Material, of row: Material, row row;
    /// Unique, ignoring case.
    #[schema(example = "S355J2")]
    name: String = row.name,
    /// Text for article names; without it, the name.
    #[schema(required, example = "Baustahl S355J2")]
    display_name: Option<String> = row.display_name,
    /// Text for article numbers; without it, the name.
    #[schema(required, example = "S355J2")]
    article_number_name: Option<String> = row.article_number_name,
    /// Number after EN 10027-2.
    #[schema(required, example = "1.0577")]
    material_number: Option<String> = row.material_number,
    /// Density in kg/dm³.
    #[schema(required)]
    density: Option<Decimal> = row.density,
}

impl HasView for Materials {
    type Source = Database;
    type View = MaterialView;
}

by_name!(Materials by name: material::Column::NameFold, "name");
findable!(Materials, row => row.material_number);

impl Exportable for Materials {
    const COLUMNS: &'static [Column<Material>] = &[
        ("name", |row, _| row.name.as_str().into()),
        ("material_number", |row, _| row.material_number.as_deref().into()),
        ("display_name", |row, _| row.display_name.as_deref().into()),
        ("article_number_name", |row, _| row.article_number_name.as_deref().into()),
        ("density", |row, _| row.density.into()),
        ("updated_at", |row, _| time(row.updated_at)),
    ];
}

/// Previews the effect of a change of a material on articles.
#[utoipa::path(post, path = "/api/admin/materials/{id}/effect")]
async fn effect(
    by: Authorized<may::UpdateMaterial>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(input): Body<Validated<MaterialInput>>,
) -> Answer<OkJson<EffectView>> {
    let effect = cascade::effect(&db, by.scope(), id, input).await?;
    Ok(ok_json(EffectView::new(effect, request.language)))
}
