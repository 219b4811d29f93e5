//! Import profiles of tenants: settings and mapping for the files of one source, under a name that is unique
//! within the tenant.
//!
//! A profile contains the settings, the constants and the column mapping for one type of import. It is
//! checked against the fields of that type when it is saved, and against the columns of a file when it is
//! applied. Writing one requires the permissions for an import of its type.

pub mod batch;
pub mod entity;

use std::collections::HashMap;

use lists::{Deletable, Detailed, Field, Listed, listed_reference};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, PaginatorTrait, QueryFilter, QuerySelect,
    sea_query::LockType,
};
use serde::{Deserialize, Serialize};
use sheets::Content;
use store::{Database, Owner, Recorded, Resource, Scope, Scoped, Unique, Write, scope::refuse_stale, usage};
use tenancy::tenant::{self, Tenants};
use utoipa::ToSchema;
use validator::Validate;
use values::{Phrase, Result, Validated, Violations, fold, rule::printable, tidy};

use crate::{
    codes,
    import::{
        mapping::{ENTRIES_MAX, MappedColumn, Mapping},
        settings::Settings,
        uploader,
    },
    import_type::ImportType,
    permissions,
    registry::Registry,
};

pub use self::entity::{ActiveModel, Column, Entity as ImportProfiles, Model as ImportProfile};

/// Maximum number of profiles of a tenant.
pub const PROFILES_MAX: u64 = 200;

impl Scoped for ImportProfiles {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);

    /// Restricts profiles to callers who may see the content of files of their type, since constants are such
    /// content.
    fn visible_to(scope: &Scope) -> Condition {
        let may = |r#type: &ImportType| r#type.content().is_none_or(|needed| scope.may(needed));
        let types = ImportType::ALL.iter().copied().filter(may);
        scope.own::<Self>().add(Column::Type.is_in(types))
    }
}

impl Recorded for ImportProfiles {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "import_profiles",
        Phrase { de: "Importprofile", en: "import profiles" },
        permissions::LIST_IMPORTS,
    )
    .refers(&[listed_reference::<Self, Tenants>("tenant_id")]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const WHOLE: &'static [Column] = &[Column::Settings, Column::Mapping];
    const UNIQUE: &'static [Unique] =
        &[Unique::new("import_profile_tenant_id_name_fold_key", "name", codes::TAKEN)];
}

impl Listed for ImportProfiles {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold).sorted_by(&Column::NameSort),
        Field::choice("type", &Column::Type, ImportType::NAMES).unsorted(),
        Field::id("tenant_id", &Column::TenantId),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
    const NEEDS_TENANT: bool = true;
}

/// Input for creating or changing an import profile.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ImportProfileInput {
    /// Name of the profile, unique within the tenant, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Bestandsliste aus dem ERP")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Type of the imports; only types with tables are possible. Cannot be changed afterwards.
    pub r#type: ImportType,
    #[validate(nested)]
    pub settings: Settings,
    /// Columns whose meaning does not follow from their names.
    #[schema(max_items = 550)]
    #[validate(length(max = ENTRIES_MAX), nested)]
    pub mapping: Vec<MappedColumn>,
    /// Version that was edited; if it is not the current one, the change is refused.
    pub version: Option<i64>,
}

tidy!(ImportProfileInput: trim name;);

/// Profile with its tenant.
#[derive(Debug, Clone)]
pub struct ImportProfileDetail {
    pub profile: ImportProfile,
    /// Short code of the tenant.
    pub tenant: String,
}

impl<C: ConnectionTrait> Detailed<C> for ImportProfiles {
    type Detail = ImportProfileDetail;

    /// Adds the tenant to each profile.
    async fn detailed(
        db: &C,
        scope: &Scope,
        profiles: Vec<ImportProfile>,
    ) -> Result<Vec<ImportProfileDetail>> {
        let codes = tenant::short_codes(db, scope, profiles.iter().map(|profile| profile.tenant_id)).await?;
        let detail = |profile: ImportProfile| ImportProfileDetail {
            tenant: codes.get(&profile.tenant_id).cloned().unwrap_or_default(),
            profile,
        };
        Ok(profiles.into_iter().map(detail).collect())
    }
}

/// Creates a profile.
///
/// # Errors
/// All broken rules at their fields; too many profiles; a type that the caller may not import.
pub async fn create(
    db: &Database,
    registry: &Registry,
    scope: &Scope,
    input: impl Into<Validated<ImportProfileInput>>,
) -> Result<ImportProfileDetail> {
    let row = build_row(db, registry, scope, input.into()).await?;
    let tx = db.begin().await?;
    lock_profiles(&tx, scope).await?;
    refuse_more(&tx, scope, 1).await?;
    let profile = scope.create::<ImportProfiles>(&tx, row).await?;
    finish(tx, scope, profile).await
}

/// Changes a profile.
///
/// # Errors
/// All broken rules at their fields; another type than the profile has.
pub async fn update(
    db: &Database,
    registry: &Registry,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<ImportProfileInput>>,
) -> Result<ImportProfileDetail> {
    let input = input.into();
    let version = input.version;
    let writer = scope.acting_for(Some(scope.get::<ImportProfiles>(db, id).await?.tenant_id));
    let row = build_row(db, registry, &writer, input).await?;
    let tx = db.begin().await?;
    let before = writer.get_locked::<ImportProfiles>(&tx, id).await?;
    refuse_stale(version, before.version)?;
    refuse_other_type(&before, &row)?;
    let profile = writer.update_from::<ImportProfiles>(&tx, &before, row).await?;
    finish(tx, scope, profile).await
}

impl Deletable for ImportProfiles {
    /// Deletes a profile that is not in use.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        let may = |profile: &ImportProfile| profile.r#type.demand(scope.rights());
        usage::delete::<Self>(db, scope, id, may).await
    }
}

/// Profile for files of a type.
///
/// # Errors
/// A violation at `profile_id` if it does not exist or has another type.
pub async fn find_for_type(
    db: &impl ConnectionTrait,
    scope: &Scope,
    id: Option<i64>,
    r#type: ImportType,
) -> Result<Option<ImportProfile>> {
    let Some(id) = id else { return Ok(None) };
    let profile = scope.find::<ImportProfiles>().filter(Column::Id.eq(id));
    let profile = profile.filter(Column::TenantId.eq(scope.tenant()?)).one(db).await?;
    match profile {
        None => Err(Violations::error("profile_id", codes::UNKNOWN_REFERENCE)),
        Some(profile) if profile.r#type != r#type => {
            Err(Violations::error("profile_id", codes::NOT_FOR_THIS_TYPE))
        }
        profile => Ok(profile),
    }
}

/// Builds the row of a valid input, for a caller who may import files of its type.
async fn build_row(
    db: &Database,
    registry: &Registry,
    scope: &Scope,
    input: Validated<ImportProfileInput>,
) -> Result<ActiveModel> {
    let (input, mut wrong) = input.parts();
    uploader::check(registry, scope, scope.rights(), input.r#type)?;
    if input.r#type.holds() != Content::Table {
        wrong.add("type", codes::NOT_FOR_THIS_TYPE);
    }
    let declared = registry.get(input.r#type)?.declared(db).await?;
    let mapping = Mapping(input.mapping);
    input.settings.check_choices(input.r#type, &declared, &mut wrong);
    mapping.check_fields(&declared, &mut wrong);
    wrong.check()?;
    Ok(ActiveModel {
        name_fold: Set(fold(&input.name)),
        name: Set(input.name),
        r#type: Set(input.r#type),
        settings: Set(input.settings),
        mapping: Set(mapping),
        ..Default::default()
    })
}

fn refuse_other_type(before: &ImportProfile, row: &ActiveModel) -> Result<()> {
    let is_other = row.r#type.try_as_ref().is_some_and(|r#type| *r#type != before.r#type);
    if is_other { Err(Violations::error("type", codes::IMPORT_TYPE_FIXED)) } else { Ok(()) }
}

/// Serialises writers of a tenant's profiles, so that counts and names are correct.
async fn lock_profiles(tx: &Write, scope: &Scope) -> Result<()> {
    let tenant = scope.find::<Tenants>().filter(Tenants::ID.eq(scope.tenant()?));
    let tenant = tenant.lock(LockType::NoKeyUpdate).one(tx).await?;
    tenant.map(|_| ()).ok_or_else(values::Error::not_found)
}

/// Counts all profiles, including those that the caller may not see.
#[expect(clippy::disallowed_methods, reason = "a count within the tenant that the scope acts for")]
async fn refuse_more(tx: &Write, scope: &Scope, more: u64) -> Result<()> {
    use sea_orm::EntityTrait;
    let own = ImportProfiles::find().filter(Column::TenantId.eq(scope.tenant()?));
    if own.count(tx).await? + more > PROFILES_MAX {
        return Err(codes::TOO_MANY.with("max", PROFILES_MAX).into());
    }
    Ok(())
}

async fn finish(tx: Write, scope: &Scope, profile: ImportProfile) -> Result<ImportProfileDetail> {
    let detail = ImportProfiles::detailed(&tx, scope, vec![profile]).await?.remove(0);
    tx.commit().await?;
    Ok(detail)
}

/// Profiles of the acting tenant by their folded names.
async fn by_name(
    tx: &Write,
    scope: &Scope,
    names: impl IntoIterator<Item = String>,
) -> Result<HashMap<String, ImportProfile>> {
    let select = scope.find::<ImportProfiles>().filter(Column::TenantId.eq(scope.tenant()?));
    let profiles = select.filter(Column::NameFold.is_in(names)).all(tx).await?;
    Ok(profiles.into_iter().map(|profile| (profile.name_fold.clone(), profile)).collect())
}
