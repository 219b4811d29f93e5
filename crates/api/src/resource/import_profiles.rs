//! Import profiles over HTTP: settings for the files of one source, and the file that moves profiles between
//! installations.

use http_api::{
    access::Authorized,
    answer::{OkJson, ok_json},
    export::{Column, time},
    input::{Body, Db},
    publish,
    routes::{Answer, Routes},
};
use imports::{
    import::{
        mapping::{MappedColumn, Mapping},
        settings::Settings,
    },
    import_profile::{
        self, ImportProfile, ImportProfileDetail, ImportProfileInput, ImportProfiles,
        batch::{self, ImportProfilesInput, SavedProfiles},
    },
    import_type::ImportType,
    may,
};
use lists::{Creatable, Detailed, Managed};
use serde::Serialize;
use store::Scope;
use utoipa::ToSchema;
use values::{Result, Validated};

use crate::{
    resource::{
        crud::{Exportable, operations, view_of},
        search::findable,
        tenants::TenantReference,
        view::HasView,
    },
    state::State,
    work::IMPORT_TYPES,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<ImportProfiles>(routes, "/api/admin/import-profiles")
        .list::<may::ListImports>("Lists the import profiles of the tenant.")
        .export::<may::ListImports>("Exports all import profiles that match the filters, as a table.")
        .create::<may::CreateImport>(
            "Creates an import profile. Needs the permissions of an import of its type.",
        )
        .view::<may::ViewImport>("Shows an import profile.")
        .update::<may::CreateImport>(
            "Changes an import profile. Needs the permissions of an import of its type.",
        )
        .delete::<may::DeleteImport>("Deletes an import profile that nothing uses.")
        .bulk_delete::<may::DeleteImport>("Deletes many import profiles and leaves those that are in use.")
        .usage::<may::ViewImport>("Shows where an import profile is used.");
    publish!(routes, ImportProfiles: save_all);
}

view_of! {
    /// Settings for reading the files of one source.
    ImportProfileView as ImportProfile, of detail: ImportProfileDetail, row detail.profile;
    tenant: TenantReference = TenantReference::new(detail.profile.tenant_id, detail.tenant),
    /// Unique within the tenant, ignoring case.
    #[schema(example = "Bestandsliste aus dem ERP")]
    name: String = detail.profile.name,
    /// Type of the import of its files.
    r#type: ImportType = detail.profile.r#type,
    settings: Settings = detail.profile.settings,
    /// Meanings of columns whose names are not recognised.
    mapping: Vec<MappedColumn> = detail.profile.mapping.0,
}

impl HasView for ImportProfiles {
    type Source = State;
    type View = ImportProfileView;
}

findable!(ImportProfiles, _row => None);

impl Detailed<State> for ImportProfiles {
    type Detail = ImportProfileDetail;

    async fn detailed(
        state: &State,
        scope: &Scope,
        rows: Vec<ImportProfile>,
    ) -> Result<Vec<ImportProfileDetail>> {
        Self::detailed(&state.db, scope, rows).await
    }
}

impl Managed<State> for ImportProfiles {
    type Input = ImportProfileInput;

    async fn update(
        state: &State,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<ImportProfileInput>>,
    ) -> Result<ImportProfileDetail> {
        import_profile::update(&state.db, &IMPORT_TYPES, scope, id, input).await
    }
}

impl Creatable<State> for ImportProfiles {
    async fn create(
        state: &State,
        scope: &Scope,
        input: impl Into<Validated<ImportProfileInput>>,
    ) -> Result<ImportProfileDetail> {
        import_profile::create(&state.db, &IMPORT_TYPES, scope, input).await
    }
}

impl Exportable for ImportProfiles {
    const COLUMNS: &'static [Column<ImportProfileDetail>] = &[
        ("name", |row, _| row.profile.name.as_str().into()),
        ("type", |row, labels| labels.choice("type", row.profile.r#type)),
        ("columns", |row, _| {
            let Mapping(columns) = &row.profile.mapping;
            (columns.len() as u64).into()
        }),
        ("constants", |row, _| (row.profile.settings.constants().len() as u64).into()),
        ("updated_at", |row, _| time(row.profile.updated_at)),
    ];
}

/// Number of profiles that were saved.
#[derive(Serialize, ToSchema)]
#[schema(as = SavedImportProfiles)]
struct SavedView {
    #[schema(example = 3)]
    created: u64,
    #[schema(example = 1)]
    replaced: u64,
}

/// Saves all import profiles of an exported file, or none; errors are at `profiles.<index>`.
#[utoipa::path(post, path = "/api/admin/import-profiles/import")]
async fn save_all(
    by: Authorized<may::CreateImport>,
    Db(db): Db,
    Body(input): Body<Validated<ImportProfilesInput>>,
) -> Answer<OkJson<SavedView>> {
    let SavedProfiles { created, replaced } = batch::save_all(&db, &IMPORT_TYPES, by.scope(), input).await?;
    Ok(ok_json(SavedView { created, replaced }))
}
