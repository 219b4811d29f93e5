//! Materials over HTTP.

use catalog::material::{self, Material, MaterialFieldChange, MaterialInput, Materials};
use chrono::{DateTime, Utc};
use kernel::{Decimal, in_use::Usage, may, usage};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Done, Download, Listing, Shown, Whole, created, done, listing, shown},
        bulk::{self, BulkChange, BulkOutcome, Matching, Selection},
        export::{Export, Table, time},
        input::{About, Body, Db, Id, List},
        routes::{Answer, Routes},
    },
    publish,
    resource::effect::EffectView,
    words,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Materials: list, export, create, view, update, delete, bulk_delete, bulk_change, effect, usage);
}

/// A material that articles are made of.
#[derive(Serialize, ToSchema)]
#[schema(as = Material)]
struct MaterialView {
    id: i64,
    /// Unique, whatever its case.
    name: String,
    /// How article names call it; the name, if there is none.
    #[schema(required)]
    display_name: Option<String>,
    /// How article numbers call it; the name, if there is none.
    #[schema(required)]
    article_number_name: Option<String>,
    /// After EN 10027-2.
    #[schema(required)]
    material_number: Option<String>,
    /// kg/dm³.
    #[schema(required)]
    density: Option<Decimal>,
    /// Counts the changes; to be sent back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Material> for MaterialView {
    fn from(material: Material) -> Self {
        let Material { id, name, display_name, article_number_name, material_number, density, .. } = material;
        let Material { version, created_at, updated_at, .. } = material;
        Self {
            id,
            name,
            display_name,
            article_number_name,
            material_number,
            density,
            version,
            created_at,
            updated_at,
        }
    }
}

/// Lists materials.
#[utoipa::path(get, path = "/api/admin/materials")]
async fn list(
    by: Authorized<may::ListMaterials>,
    Db(db): Db,
    List(query): List<Materials>,
) -> Answer<Listing<MaterialView>> {
    Ok(listing(query.fetch::<Material>(&db, by.scope(), |select| select).await?))
}

/// Exports all materials that the filters match.
#[utoipa::path(get, path = "/api/admin/materials/export")]
async fn export(by: Authorized<may::ListMaterials>, export: Export<Materials>) -> Answer<Download> {
    let table = Table {
        words: words!("materials"),
        columns: &[
            ("name", |row: &Material, _| row.name.as_str().into()),
            ("material_number", |row, _| row.material_number.as_deref().into()),
            ("display_name", |row, _| row.display_name.as_deref().into()),
            ("article_number_name", |row, _| row.article_number_name.as_deref().into()),
            ("density", |row, _| row.density.into()),
            ("updated_at", |row, _| time(row.updated_at)),
        ],
    };
    Ok(export.table(by.scope(), &table, async |_, rows| Ok(rows)).await?)
}

/// Creates a material.
#[utoipa::path(post, path = "/api/admin/materials")]
async fn create(
    by: Authorized<may::CreateMaterial>,
    Db(db): Db,
    Body(input): Body<MaterialInput>,
) -> Answer<Created<MaterialView>> {
    Ok(created(material::create(&db, by.scope(), input).await?))
}

/// Shows a material.
#[utoipa::path(get, path = "/api/admin/materials/{id}")]
async fn view(by: Authorized<may::ViewMaterial>, Db(db): Db, Id(id): Id) -> Answer<Shown<MaterialView>> {
    Ok(shown(by.scope().get::<Materials>(&db, id).await?))
}

/// Changes a material.
#[utoipa::path(put, path = "/api/admin/materials/{id}")]
async fn update(
    by: Authorized<may::UpdateMaterial>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<MaterialInput>,
) -> Answer<Shown<MaterialView>> {
    Ok(shown(material::update(&db, by.scope(), id, input).await?))
}

/// Shows what a change of a material would do to articles.
#[utoipa::path(post, path = "/api/admin/materials/{id}/effect")]
async fn effect(
    by: Authorized<may::UpdateMaterial>,
    Db(db): Db,
    About(request): About,
    Id(id): Id,
    Body(input): Body<MaterialInput>,
) -> Answer<Shown<EffectView>> {
    let effect = material::effect(&db, by.scope(), id, input).await?;
    Ok(shown(EffectView::new(effect, request.language)))
}

/// Deletes a material that no article is made of.
#[utoipa::path(delete, path = "/api/admin/materials/{id}")]
async fn delete(by: Authorized<may::DeleteMaterial>, Db(db): Db, Id(id): Id) -> Answer<Done> {
    Ok(done(material::delete(&db, by.scope(), id).await?))
}

/// Deletes many materials, as far as each of them can be deleted.
#[utoipa::path(post, path = "/api/admin/materials/bulk-delete")]
async fn bulk_delete(
    by: Authorized<may::DeleteMaterial>,
    Db(db): Db,
    About(request): About,
    matching: Matching<Materials>,
    Body(selection): Body<Selection>,
) -> Answer<Shown<BulkOutcome>> {
    let one = async |id, _: &str| material::delete(&db, by.scope(), id).await;
    let records = (&db, by.scope());
    Ok(shown(
        bulk::each(records, &matching, &selection, material::Column::Name, request.language, one).await?,
    ))
}

/// Changes one field of many materials.
#[utoipa::path(post, path = "/api/admin/materials/bulk-change")]
async fn bulk_change(
    by: Authorized<may::UpdateMaterial>,
    Db(db): Db,
    About(request): About,
    matching: Matching<Materials>,
    Body(BulkChange { selection, change }): Body<BulkChange<MaterialFieldChange>>,
) -> Answer<Shown<BulkOutcome>> {
    let one = async |id, _: &str| material::change(&db, by.scope(), id, &change).await;
    let records = (&db, by.scope());
    Ok(shown(
        bulk::each(records, &matching, &selection, material::Column::Name, request.language, one).await?,
    ))
}

/// Shows where a material is used.
#[utoipa::path(get, path = "/api/admin/materials/{id}/usage")]
async fn usage(by: Authorized<may::ViewMaterial>, Db(db): Db, Id(id): Id) -> Answer<Shown<Whole<Usage>>> {
    Ok(shown(usage::of::<Materials>(&db, by.scope(), id).await?))
}
