//! Import profiles of tenants: how the files of one source are read, under a name that is unique within the tenant.
//!
//! A profile holds the settings, the constants and the mapping of columns for one type of imports. It is checked against the
//! fields of that type when it is saved, and against the columns of a file when it is applied. Writing one takes the rights of
//! an import of its type.

pub mod batch;
pub mod entity;

use std::collections::HashMap;

use kernel::{
    Code, Database, Field, Listed, Owner, Permission, Phrase, Recorded, Reference, Resource, Result, Scope,
    Scoped, Unique, Validated, Violations, Write, fold, rule::printable, scope::refuse_stale, tidy, usage,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, PaginatorTrait, QueryFilter, QuerySelect,
    sea_query::LockType,
};
use serde::{Deserialize, Serialize};
use sheets::Content;
use tenancy::tenant::{self, Tenants};
use utoipa::ToSchema;
use validator::Validate;

pub use self::entity::{ActiveModel, Column, Entity as ImportProfiles, Model as ImportProfile};
use crate::{
    import::{
        mapping::{ENTRIES_MAX, MappedColumn, Mapping},
        settings::Settings,
        uploader,
    },
    import_type::ImportType,
    registry::Registry,
};

/// The most profiles of a tenant.
pub const PROFILES_MAX: u64 = 200;

impl Scoped for ImportProfiles {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);

    /// Constants are contents of files: they are shown to those who may see what files of the type hold.
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
        Permission::ListImports,
    )
    .refers(&[Reference::of::<Self, Tenants>("tenant_id")]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const WHOLE: &'static [Column] = &[Column::Settings, Column::Mapping];
    const UNIQUE: &'static [Unique] =
        &[Unique::new("import_profile_tenant_id_name_fold_key", "name", Code::Taken)];
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

/// The input that creates or changes an import profile.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ImportProfileInput {
    /// Unique among those of the tenant, whatever its case.
    #[schema(min_length = 1, max_length = 255, example = "Bestandsliste aus dem ERP")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// The content of its files: tables alone. Cannot be changed afterwards.
    pub r#type: ImportType,
    #[validate(nested)]
    pub settings: Settings,
    /// Columns whose names do not say their meaning.
    #[schema(max_items = 550)]
    #[validate(length(max = ENTRIES_MAX), nested)]
    pub mapping: Vec<MappedColumn>,
    /// The version that was edited; an older one than the current is refused.
    pub version: Option<i64>,
}

tidy!(ImportProfileInput: trim name;);

/// A profile with whose it is.
#[derive(Debug, Clone)]
pub struct ImportProfileDetail {
    pub profile: ImportProfile,
    /// The tenant's short code.
    pub tenant: String,
}

/// Profiles with whose they are.
pub async fn detailed(
    db: &impl ConnectionTrait,
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

/// # Errors
/// All broken rules at their fields; one that is too many; a type that the caller must not import.
pub async fn create(
    db: &Database,
    registry: &Registry,
    scope: &Scope,
    input: impl Into<Validated<ImportProfileInput>>,
) -> Result<ImportProfileDetail> {
    let row = read(db, registry, scope, input.into()).await?;
    let tx = db.begin().await?;
    lock_profiles(&tx, scope).await?;
    refuse_more(&tx, scope, 1).await?;
    let profile = scope.create::<ImportProfiles>(&tx, row).await?;
    finish(tx, scope, profile).await
}

/// # Errors
/// All broken rules at their fields; another type than it has.
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
    let row = read(db, registry, &writer, input).await?;
    let tx = db.begin().await?;
    let before = writer.get_locked::<ImportProfiles>(&tx, id).await?;
    refuse_stale(version, before.version)?;
    refuse_other_type(&before, &row)?;
    let profile = writer.update_from::<ImportProfiles>(&tx, &before, row).await?;
    finish(tx, scope, profile).await
}

/// Refused while anything uses it.
pub async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    let may = |profile: &ImportProfile| profile.r#type.demand(scope.rights());
    usage::delete::<ImportProfiles>(db, scope, id, may).await
}

/// The profile that a file of a type is read by.
///
/// # Errors
/// At `profile_id` where there is none, or one of another type.
pub async fn of_type(
    db: &impl ConnectionTrait,
    scope: &Scope,
    id: Option<i64>,
    r#type: ImportType,
) -> Result<Option<ImportProfile>> {
    let Some(id) = id else { return Ok(None) };
    let profile = scope.find::<ImportProfiles>().filter(Column::Id.eq(id));
    let profile = profile.filter(Column::TenantId.eq(scope.tenant()?)).one(db).await?;
    match profile {
        None => Err(Violations::of("profile_id", Code::UnknownReference)),
        Some(profile) if profile.r#type != r#type => Err(Violations::of("profile_id", Code::NotForThisType)),
        found => Ok(found),
    }
}

/// The row of an input that keeps the rules, by a caller who may import files of its type.
async fn read(
    db: &Database,
    registry: &Registry,
    scope: &Scope,
    input: Validated<ImportProfileInput>,
) -> Result<ActiveModel> {
    let (input, mut wrong) = input.parts();
    uploader::check(registry, scope, scope.rights(), input.r#type)?;
    if input.r#type.holds() != Content::Table {
        wrong.add("type", Code::NotForThisType);
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
    if is_other { Err(Violations::of("type", Code::ImportTypeFixed)) } else { Ok(()) }
}

/// Makes writers of a tenant's profiles wait for each other, so that they are counted and found by name once.
async fn lock_profiles(tx: &Write, scope: &Scope) -> Result<()> {
    let tenant = scope.find::<Tenants>().filter(Tenants::ID.eq(scope.tenant()?));
    let tenant = tenant.lock(LockType::NoKeyUpdate).one(tx).await?;
    tenant.map(|_| ()).ok_or_else(kernel::Error::not_found)
}

/// Counts those that the caller does not see as well.
#[expect(clippy::disallowed_methods, reason = "a count within the tenant that the scope acts for")]
async fn refuse_more(tx: &Write, scope: &Scope, more: u64) -> Result<()> {
    use sea_orm::EntityTrait;
    let own = ImportProfiles::find().filter(Column::TenantId.eq(scope.tenant()?));
    if own.count(tx).await? + more > PROFILES_MAX {
        return Err(Code::TooMany.with("max", PROFILES_MAX).into());
    }
    Ok(())
}

async fn finish(tx: Write, scope: &Scope, profile: ImportProfile) -> Result<ImportProfileDetail> {
    let detail = detailed(&tx, scope, vec![profile]).await?.remove(0);
    tx.commit().await?;
    Ok(detail)
}

/// Profiles of the acting tenant by their folded names.
async fn by_name(
    tx: &Write,
    scope: &Scope,
    names: impl IntoIterator<Item = String>,
) -> Result<HashMap<String, ImportProfile>> {
    let found = scope.find::<ImportProfiles>().filter(Column::TenantId.eq(scope.tenant()?));
    let found = found.filter(Column::NameFold.is_in(names)).all(tx).await?;
    Ok(found.into_iter().map(|profile| (profile.name_fold.clone(), profile)).collect())
}
