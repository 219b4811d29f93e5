//! Tenants: a user of a tenant sees only their own; the short code is unique. Maximum permissions limit what
//! a tenant's users can be granted: they grow by permissions that the giver has, and never shrink.

use std::collections::{HashMap, HashSet};

use lists::{
    Deletable, Field, Listed, listed_reference,
    search::{self, SearchedColumns},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, FromQueryResult, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, sea_query::OnConflict,
};
use serde::Deserialize;
use store::{
    CacheTopic, Database, Owner, Recorded, Resource, Scope, Scoped, Unique, Write, grant,
    grant::permissions_by_holder,
    scope::{Part, refuse_stale},
    usage,
};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Permission, PermissionSet, Phrase, Result, TenantId, Validated, Violations, fold,
    rule::{self, SHORT_CODE, printable},
    tidy,
};

use crate::{
    cache_topics, codes,
    entity::{
        tenant::{ActiveModel, Column},
        tenant_group_member, tenant_permission,
    },
    external_api_kind::ExternalApiKind,
    permissions,
    place::place_of,
    rights,
    tenant_group::{self, TenantGroups},
};

pub use crate::entity::tenant::{Entity as Tenants, Model as Tenant};

impl Scoped for Tenants {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;

    fn visible_to(scope: &Scope) -> Condition {
        let own = scope.tenant().ok().map(|tenant| Column::Id.eq(tenant));
        Condition::all().add(Column::RemovalBegunAt.is_null()).add_option(own)
    }
}

impl Recorded for Tenants {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "tenants",
        Phrase { de: "Mandanten", en: "tenants" },
        permissions::LIST_TENANTS,
    )
    .refers(&[listed_reference::<Self, TenantGroups>("tenant_group_id")]);
    const NAME: Column = Column::Company;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const TOPIC: Option<CacheTopic> = Some(cache_topics::TENANTS);
    /// Column left out of the history, because it follows from the address.
    const UNNOTED: &'static [Column] = &[Column::Place];
    const UNIQUE: &'static [Unique] =
        &[Unique::new("tenant_short_code_fold_key", "short_code", codes::TAKEN)];

    async fn remove_parts(scope: &Scope, tx: &Write, id: i64) -> Result<()> {
        scope.remove_parts::<tenant_permission::Entity>(tx, id, Condition::all()).await
    }
}

impl Listed for Tenants {
    const FIELDS: &'static [Field] = &[
        Field::text("company", &Column::CompanyFold).sorted_by(&Column::CompanySort),
        Field::text("name", &Column::NameFold).sorted_by(&Column::NameSort),
        Field::search("search", &Column::CompanyFold, &SEARCHED),
        Field::text("short_code", &Column::ShortCodeFold).sorted_by(&Column::ShortCodeSort),
        Field::part_id(
            "tenant_group_id",
            &tenant_group_member::Column::TenantGroupId,
            &tenant_group_member::Column::TenantId,
        )
        .optional(),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "company";
}

const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[&Column::CompanyFold, &Column::NameFold, &Column::ShortCodeFold],
    trigrams: None,
    references: &[],
    read: search::words,
    beginnings: None,
};

impl Part for tenant_permission::Entity {
    type Whole = Tenants;
    const WHOLE: tenant_permission::Column = tenant_permission::Column::TenantId;
}

/// Input to create or change a tenant.
#[derive(Debug, Clone, Default, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct TenantInput {
    #[schema(min_length = 1, max_length = 255, example = "Nordstahl Handel GmbH")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub company: String,
    /// Short name for display; the company if absent.
    #[schema(max_length = 255, example = "Nordstahl")]
    #[validate(length(max = 255), custom(function = printable))]
    pub name: Option<String>,
    /// Short code; unique, ignoring case.
    #[schema(min_length = 1, max_length = 255, pattern = "^[A-Za-z0-9_.,-]+$", example = "NORD")]
    #[validate(length(min = 1, max = 255), custom(function = printable), regex(path = *SHORT_CODE, code = "invalid_short_code"))]
    pub short_code: String,
    #[schema(max_length = 255, example = "Hafenstraße 12, 47119 Duisburg")]
    #[validate(length(max = 255), custom(function = printable))]
    pub address: Option<String>,
    #[schema(max_length = 255, format = "email", example = "kontakt@nordstahl.example")]
    #[validate(length(max = 255), custom(function = printable), custom(function = rule::email))]
    pub email: Option<String>,
    #[schema(max_length = 255, example = "+49 203 555010")]
    #[validate(length(max = 255), custom(function = printable))]
    pub phone: Option<String>,
    /// Interface through which the tenant's own system is queried.
    pub external_api_type: Option<ExternalApiKind>,
    /// Maximum change of a price without a release, in percent, 1 to 1,000; 30 if absent.
    #[schema(minimum = 1, maximum = 1000, example = 30)]
    #[validate(range(min = 1, max = 1000))]
    pub price_guard_percent: Option<i64>,
    /// Maximum permissions of the tenant's users: the existing ones, and permissions that the caller has.
    pub permissions: Vec<Permission>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(TenantInput: trim company, short_code; or_none name, address, email, phone;);

/// Tenant with its maximum permissions and groups.
#[derive(Debug, Clone)]
pub struct TenantDetail {
    pub tenant: Tenant,
    pub ceiling: PermissionSet,
    /// Groups, sorted by name.
    pub groups: Vec<(i64, String)>,
}

/// Loads a tenant.
pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<Tenant> {
    unnarrowed_scope(scope).get::<Tenants>(db, id).await
}

/// Loads a tenant with its maximum permissions and groups.
pub async fn view(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<TenantDetail> {
    let tenant = get(db, scope, id).await?;
    Ok(detailed(db, scope, vec![tenant]).await?.remove(0))
}

/// Loads the maximum permissions and groups of tenants.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    tenants: Vec<Tenant>,
) -> Result<Vec<TenantDetail>> {
    let ids: Vec<i64> = tenants.iter().map(|tenant| tenant.id).collect();
    let mut ceilings = ceilings(db, ids.iter().copied().map(TenantId)).await?;
    let mut groups = tenant_group::load_named_groups(db, scope, ids).await?;
    let detail = |tenant: Tenant| TenantDetail {
        ceiling: ceilings.remove(&TenantId(tenant.id)).unwrap_or_default(),
        groups: groups.remove(&tenant.id).unwrap_or_default(),
        tenant,
    };
    Ok(tenants.into_iter().map(detail).collect())
}

/// Loads the companies of tenants, for records that show their owner.
pub async fn companies(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = TenantId>,
) -> Result<Vec<(TenantId, String)>> {
    let ids: Vec<TenantId> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let tenants = unnarrowed_scope(scope).find::<Tenants>().filter(Column::Id.is_in(ids)).all(db).await?;
    Ok(tenants.into_iter().map(|tenant| (TenantId(tenant.id), tenant.company)).collect())
}

/// Loads all tenants, or these, sorted by company, regardless of the caller's scope; for the audience of a
/// price list or adjustment.
pub async fn sorted_by_company(
    db: &impl ConnectionTrait,
    ids: Option<Vec<i64>>,
) -> Result<Vec<(i64, String)>> {
    let tenants = Scope::platform().find::<Tenants>().select_only().columns([Column::Id, Column::Company]);
    let condition = ids.map(|ids| Column::Id.is_in(ids));
    let tenants = tenants.filter(Condition::all().add_option(condition));
    let tenants = tenants.order_by_asc(Column::CompanySort).order_by_asc(Column::Id);
    Ok(tenants.into_tuple().all(db).await?)
}

/// Counts the tenants.
pub async fn count(db: &impl ConnectionTrait) -> Result<u64> {
    Ok(Scope::platform().find::<Tenants>().count(db).await?)
}

/// Tenant as a buyer or seller.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct Party {
    pub id: TenantId,
    pub short_code: String,
    pub company: String,
}

/// Loads the tenants with these ids, regardless of the caller's scope; only for tenants that a record names
/// already. For new references use [`crate::partner::parties`].
pub async fn parties(db: &impl ConnectionTrait, ids: impl IntoIterator<Item = i64>) -> Result<Vec<Party>> {
    let parties = Scope::platform().find::<Tenants>().filter(Column::Id.is_in(ids));
    let parties = parties.select_only().columns([Column::Id, Column::ShortCode, Column::Company]);
    Ok(parties.into_model::<Party>().all(db).await?)
}

/// Loads the short codes of tenants, for records that show their owner.
pub async fn short_codes(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = TenantId>,
) -> Result<HashMap<TenantId, String>> {
    let ids: HashSet<TenantId> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let codes = unnarrowed_scope(scope).find::<Tenants>().filter(Column::Id.is_in(ids));
    let codes =
        codes.select_only().columns([Column::Id, Column::ShortCode]).into_tuple::<(TenantId, String)>();
    Ok(codes.all(db).await?.into_iter().collect())
}

/// Creates a tenant with its maximum permissions.
pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<TenantInput>>,
) -> Result<TenantDetail> {
    let input = input.into();
    let ceiling = input.permissions.iter().copied().collect();
    let row = row(scope, None, input)?;
    let tx = db.begin().await?;
    let tenant = scope.create::<Tenants>(&tx, row).await?;
    add_permissions(&tx, scope, tenant.id, ceiling).await?;
    finish(tx, scope, tenant.id).await
}

/// Updates a tenant and its maximum permissions.
pub async fn update(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<TenantInput>>,
) -> Result<TenantDetail> {
    let input = input.into();
    let scope = &unnarrowed_scope(scope);
    let tx = db.begin().await?;
    let before = get(&tx, scope, id).await?;
    scope.claim::<Tenants>()?;
    refuse_stale(input.version, before.version)?;
    let version = input.version;
    let new = input.permissions.iter().copied().collect();
    let ceiling = ceiling(&tx, TenantId(id)).await?;
    let row = row(scope, Some((&before, ceiling)), input)?;
    scope.update::<Tenants>(&tx, id, version, row).await?;
    add_permissions(&tx, scope, id, new).await?;
    finish(tx, scope, id).await
}

impl Deletable for Tenants {
    /// Deletes a tenant and removes it from its groups. Refused while other records refer to it.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        usage::delete::<Self>(db, &unnarrowed_scope(scope), id, |_| Ok(())).await
    }
}

/// Loads the maximum permissions of a tenant's users.
pub async fn ceiling(db: &impl ConnectionTrait, tenant: TenantId) -> Result<PermissionSet> {
    Ok(ceilings(db, [tenant]).await?.remove(&tenant).unwrap_or_default())
}

/// Loads the maximum permissions of tenants, by tenant id.
pub async fn ceilings(
    db: &impl ConnectionTrait,
    tenants: impl IntoIterator<Item = TenantId>,
) -> Result<HashMap<TenantId, PermissionSet>> {
    use tenant_permission::{Column, Entity};
    let tenants = tenants.into_iter().map(|TenantId(id)| id);
    let ceilings = permissions_by_holder::<Entity>(db, Column::TenantId, Column::Permission, tenants).await?;
    Ok(ceilings.into_iter().map(|(id, ceiling)| (TenantId(id), ceiling)).collect())
}

/// Returns the permissions by which the maximum grows. Reports removed permissions, and added ones that the
/// caller lacks.
pub fn added_permissions(
    violations: &mut Violations,
    scope: &Scope,
    before: PermissionSet,
    after: PermissionSet,
) -> PermissionSet {
    let lost = before.difference(after);
    if !lost.is_empty() {
        violations.add("permissions", grant::permissions_message(codes::CEILING_SHRINKS, lost));
    }
    let added = after.difference(before);
    grant::check_grant(violations, "permissions", scope, None, added);
    added
}

/// Adds permissions only, so that two concurrent changes both take effect.
#[expect(clippy::disallowed_methods, reason = "part of the tenant, which its caller has just written")]
async fn add_permissions(
    tx: &Write,
    scope: &Scope,
    tenant_id: i64,
    permissions: PermissionSet,
) -> Result<()> {
    scope.claim::<Tenants>()?;
    let added = permissions.iter().map(|permission| permission.as_str().into()).collect();
    scope.note_parts::<tenant_permission::Entity>(tx, tenant_id, vec![], added);
    let rows = permissions.iter().map(|permission| tenant_permission::ActiveModel {
        tenant_id: Set(tenant_id),
        permission: Set(permission.as_str().to_owned()),
    });
    tenant_permission::Entity::insert_many(rows)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(tx)
        .await?;
    rights::changed(tx).await
}

/// Scope that ignores the tenant a platform user acts for, so that it does not limit the list of tenants.
pub(crate) fn unnarrowed_scope(scope: &Scope) -> Scope {
    scope.acting_for(None)
}

/// Returns the display name of a tenant: the one entered, or the company. A name equal to the company changes
/// with it.
fn display_name(before: Option<&Tenant>, company: &str, name: Option<String>) -> String {
    let follows =
        |name: &String| before.is_some_and(|before| before.name == before.company && *name == before.name);
    name.filter(|name| !follows(name)).unwrap_or_else(|| company.to_owned())
}

/// Converts an input to a row; `before` is the tenant with its maximum permissions before the change.
fn row(
    scope: &Scope,
    before: Option<(&Tenant, PermissionSet)>,
    input: Validated<TenantInput>,
) -> Result<ActiveModel> {
    let (
        TenantInput {
            company,
            name,
            short_code,
            address,
            email,
            phone,
            external_api_type,
            price_guard_percent,
            permissions,
            ..
        },
        mut violations,
    ) = input.parts();
    let (before, ceiling) = before.unzip();
    added_permissions(&mut violations, scope, ceiling.unwrap_or_default(), permissions.into_iter().collect());
    violations.check()?;
    let place = address.as_deref().and_then(place_of);
    let name = display_name(before, &company, name);

    Ok(ActiveModel {
        place_fold: Set(fold(place.unwrap_or_default())),
        place: Set(place.map(str::to_owned)),
        company_fold: Set(fold(&company)),
        company: Set(company),
        name_fold: Set(fold(&name)),
        name: Set(name),
        short_code_fold: Set(fold(&short_code)),
        short_code: Set(short_code),
        address: Set(address),
        email: Set(email),
        phone: Set(phone),
        external_api_type: Set(external_api_type),
        price_guard_percent: Set(price_guard_percent),
        ..Default::default()
    })
}

async fn finish(tx: Write, scope: &Scope, id: i64) -> Result<TenantDetail> {
    let detail = view(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(detail)
}

#[cfg(test)]
mod tests {
    use values::permissions::ACCESS_ADMIN;

    use super::*;
    use crate::permissions::{LIST_TENANT_GROUPS, LIST_TENANTS, VIEW_TENANT};

    #[test]
    fn inputs_follow_the_shared_rules() {
        testkit::rules::check_rows("tenant.json", |input: Validated<TenantInput>| {
            row(&Scope::platform(), None, input)
        });
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a caller for the test")]
    fn maximum_permissions_grow_by_those_of_the_caller_and_never_shrink() {
        let set = |permissions: &[Permission]| permissions.iter().copied().collect::<PermissionSet>();
        let permissions = set(&[LIST_TENANTS, VIEW_TENANT]);
        let giver =
            Scope::granted_by_authentication(None, None, Some(values::UserId(1)), permissions).unwrap();
        let before = set(&[ACCESS_ADMIN, LIST_TENANTS]);
        for (after, added, codes) in [
            (&[ACCESS_ADMIN, LIST_TENANTS][..], &[][..], &[][..]),
            (&[ACCESS_ADMIN, LIST_TENANTS, VIEW_TENANT], &[VIEW_TENANT], &[]),
            (&[ACCESS_ADMIN], &[], &[codes::CEILING_SHRINKS]),
            (
                &[ACCESS_ADMIN, LIST_TENANTS, LIST_TENANT_GROUPS],
                &[LIST_TENANT_GROUPS],
                &[codes::NOT_GRANTABLE],
            ),
            (&[LIST_TENANT_GROUPS], &[LIST_TENANT_GROUPS], &[codes::CEILING_SHRINKS, codes::NOT_GRANTABLE]),
        ] {
            let mut violations = Violations::new();
            assert_eq!(added_permissions(&mut violations, &giver, before, set(after)), set(added));
            let actual_codes: Vec<_> = violations.iter().map(|violation| violation.message.code).collect();
            assert_eq!(actual_codes, codes, "{after:?}");
        }
    }
}
