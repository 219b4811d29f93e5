//! Tenant groups: the name is unique, ignoring case; a tenant can be in several; a group with tenants cannot
//! be deleted.

use std::collections::HashMap;

use lists::{Creatable, Deletable, Detailed, Field, Listed, Managed};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Query, SelectStatement},
};
use serde::Deserialize;
use store::{
    CacheTopic, Database, Owner, PriceRole, Recorded, Resource, Scope, Scoped, Unique, Write, scope::Part,
    usage,
};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Code, Phrase, Result, TenantId, Validated, fold,
    rule::{self, printable},
    tidy,
};

pub use crate::entity::tenant_group::{Column, Entity as TenantGroups, Model as TenantGroup};
use crate::{
    cache_topics, codes,
    entity::{
        tenant,
        tenant_group::ActiveModel,
        tenant_group_member::{self, Entity as Members},
    },
    permissions,
    tenant::{Tenants, unnarrowed_scope},
};

impl Scoped for TenantGroups {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for TenantGroups {
    const PRICES: Option<PriceRole<Column>> = Some(PriceRole::Rules);
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "tenant_groups",
        Phrase { de: "Mandantengruppen", en: "tenant groups" },
        permissions::LIST_TENANT_GROUPS,
    );
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const TOPIC: Option<CacheTopic> = Some(cache_topics::TENANTS);
    const UNIQUE: &'static [Unique] = &[Unique::new("tenant_group_name_fold_key", "name", codes::TAKEN)];
}

impl Listed for TenantGroups {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold),
        Field::text("description", &Column::DescriptionFold).optional(),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
}

impl Part for Members {
    type Whole = TenantGroups;
    const WHOLE: tenant_group_member::Column = tenant_group_member::Column::TenantGroupId;
}

/// Input to create or change a tenant group.
#[derive(Debug, Clone, Default, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct TenantGroupInput {
    /// Name; unique, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Einkaufsverbund Nord")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    #[schema(max_length = 255, example = "Gemeinsamer Einkauf der Häuser im Norden")]
    #[validate(length(max = 255), custom(function = printable))]
    pub description: Option<String>,
    /// Ids of the members.
    #[schema(max_items = 500)]
    #[validate(length(max = 500))]
    pub tenant_ids: Vec<i64>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(TenantGroupInput: trim name; or_none description;);

const MEMBERS_MAX: usize = 500;

/// Tenant group with those of its tenants that the caller sees.
#[derive(Debug, Clone)]
pub struct TenantGroupDetail {
    pub group: TenantGroup,
    /// Tenants, sorted by company.
    pub tenants: Vec<(i64, String)>,
}

impl<C: ConnectionTrait> Detailed<C> for TenantGroups {
    type Detail = TenantGroupDetail;

    /// Loads the tenants of groups.
    async fn detailed(db: &C, scope: &Scope, groups: Vec<TenantGroup>) -> Result<Vec<TenantGroupDetail>> {
        let members = scope.parts::<Members>(groups.iter().map(|group| group.id)).all(db).await?;
        let visible_tenants = unnarrowed_scope(scope).find::<Tenants>();
        let visible_tenants: Vec<(i64, String)> = visible_tenants
            .select_only()
            .columns([tenant::Column::Id, tenant::Column::Company])
            .filter(tenant::Column::Id.is_in(members.iter().map(|member| member.tenant_id)))
            .order_by_asc(tenant::Column::CompanyFold)
            .order_by_asc(tenant::Column::Id)
            .into_tuple()
            .all(db)
            .await?;
        let mut by_group: HashMap<i64, Vec<(i64, String)>> = HashMap::new();
        for (id, company) in visible_tenants {
            for member in members.iter().filter(|member| member.tenant_id == id) {
                by_group.entry(member.tenant_group_id).or_default().push((id, company.clone()));
            }
        }
        let detail = |group: TenantGroup| TenantGroupDetail {
            tenants: by_group.remove(&group.id).unwrap_or_default(),
            group,
        };
        Ok(groups.into_iter().map(detail).collect())
    }
}

/// Selects the ids of a tenant's groups, for conditions on records that are visible to members.
pub fn ids_of(tenant: TenantId) -> SelectStatement {
    let mut groups = Query::select();
    groups.column(tenant_group_member::Column::TenantGroupId).from(Members);
    groups.and_where(tenant_group_member::Column::TenantId.eq(tenant)).take()
}

/// Loads the members of groups, as pairs of group and tenant, regardless of the caller's scope; for the
/// audience of prices.
pub async fn members_of(db: &impl ConnectionTrait, groups: &[i64]) -> Result<Vec<(i64, i64)>> {
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    let members = Scope::platform().parts::<Members>(groups.iter().copied());
    let members = members.order_by_asc(tenant_group_member::Column::TenantId).all(db).await?;
    Ok(members.into_iter().map(|member| (member.tenant_group_id, member.tenant_id)).collect())
}

/// Loads the groups of a tenant, regardless of the caller's scope.
pub async fn load_groups(db: &impl ConnectionTrait, tenant: i64) -> Result<Vec<i64>> {
    let groups = db.query_all(&ids_of(TenantId(tenant))).await?;
    Ok(groups.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, sea_orm::DbErr>>()?)
}

/// Returns the groups that the caller may not name as buyers, with the reasons. A tenant's user may name only
/// groups of their own company, because others would reveal their members; the platform may name all.
pub async fn unnameable(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Code>> {
    let ids: Vec<i64> = ids.into_iter().collect();
    let visible_names = names(db, scope, ids.iter().copied()).await?;
    let own = match scope.home() {
        Some(home) if !ids.is_empty() => Some(load_groups(db, home.into()).await?),
        _ => None,
    };
    let reason = |id: i64| match &own {
        _ if !visible_names.contains_key(&id) => Some((id, codes::UNKNOWN_REFERENCE)),
        Some(own) if !own.contains(&id) => Some((id, codes::NOT_IN_GROUP)),
        _ => None,
    };
    Ok(ids.into_iter().filter_map(reason).collect())
}

/// Loads the groups of several tenants, regardless of the caller's scope.
pub async fn load_groups_by_tenant(
    db: &impl ConnectionTrait,
    tenants: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Vec<i64>>> {
    let of_tenants = tenant_group_member::Column::TenantId.is_in(tenants);
    let members = Scope::platform().all_parts::<Members>().filter(of_tenants).all(db).await?;
    let mut groups: HashMap<i64, Vec<i64>> = HashMap::new();
    for member in members {
        groups.entry(member.tenant_id).or_default().push(member.tenant_group_id);
    }
    Ok(groups)
}

/// Loads the names of groups, by id.
pub async fn names(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, String>> {
    let ids: Vec<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let groups = scope.find::<TenantGroups>().filter(Column::Id.is_in(ids)).all(db).await?;
    Ok(groups.into_iter().map(|group| (group.id, group.name)).collect())
}

/// Loads the groups of tenants that the caller has just found, by tenant id.
pub(crate) async fn load_named_groups(
    db: &impl ConnectionTrait,
    scope: &Scope,
    tenants: Vec<i64>,
) -> Result<HashMap<i64, Vec<(i64, String)>>> {
    let of_tenants = tenant_group_member::Column::TenantId.is_in(tenants);
    let members = scope.all_parts::<Members>().filter(of_tenants).all(db).await?;
    let groups = scope
        .find::<TenantGroups>()
        .filter(Column::Id.is_in(members.iter().map(|member| member.tenant_group_id)))
        .order_by_asc(Column::NameFold)
        .all(db)
        .await?;
    let mut by_tenant: HashMap<i64, Vec<(i64, String)>> = HashMap::new();
    for group in groups {
        for member in members.iter().filter(|member| member.tenant_group_id == group.id) {
            by_tenant.entry(member.tenant_id).or_default().push((group.id, group.name.clone()));
        }
    }
    Ok(by_tenant)
}

/// Loads a tenant group with its members.
pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<TenantGroupDetail> {
    let group = scope.get::<TenantGroups>(db, id).await?;
    Ok(TenantGroups::detailed(db, scope, vec![group]).await?.remove(0))
}

impl Managed for TenantGroups {
    type Input = TenantGroupInput;

    /// Updates a tenant group and its members.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<TenantGroupInput>>,
    ) -> Result<TenantGroupDetail> {
        let input = input.into();
        let tx = db.begin().await?;
        scope.get::<Self>(&tx, id).await?;
        let row = row(&tx, scope, &input).await?;
        scope.update::<Self>(&tx, id, input.version, row).await?;
        write_members(&tx, scope, id, input.tenant_ids.clone()).await?;
        finish(tx, scope, id).await
    }
}

impl Creatable for TenantGroups {
    /// Creates a tenant group with its members.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<TenantGroupInput>>,
    ) -> Result<TenantGroupDetail> {
        let input = input.into();
        let tx = db.begin().await?;
        let row = row(&tx, scope, &input).await?;
        let group = scope.create::<Self>(&tx, row).await?;
        write_members(&tx, scope, group.id, input.tenant_ids.clone()).await?;
        finish(tx, scope, group.id).await
    }
}

impl Deletable for TenantGroups {
    /// Deletes a group. Refused while it has tenants.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        usage::delete::<Self>(db, &unnarrowed_scope(scope), id, |_| Ok(())).await
    }
}

/// Converts a validated input to a row.
async fn row(
    db: &impl ConnectionTrait,
    scope: &Scope,
    input: &Validated<TenantGroupInput>,
) -> Result<ActiveModel> {
    scope.claim::<TenantGroups>()?;
    let mut violations = input.broken().clone();
    let ids = &input.tenant_ids;
    if ids.len() <= MEMBERS_MAX {
        rule::unique(&mut violations, ids, |index| format!("tenant_ids.{index}"));
        let query =
            unnarrowed_scope(scope).find::<Tenants>().filter(tenant::Column::Id.is_in(ids.iter().copied()));
        let existing_ids: Vec<i64> =
            query.select_only().column(tenant::Column::Id).into_tuple().all(db).await?;
        for (index, id) in ids.iter().enumerate() {
            if !existing_ids.contains(id) {
                violations.add(format!("tenant_ids.{index}"), codes::UNKNOWN_REFERENCE);
            }
        }
    }
    violations.check()?;
    let (name, description) = (input.name.clone(), input.description.clone());
    Ok(ActiveModel {
        name_fold: Set(fold(&name)),
        name: Set(name),
        description_fold: Set(fold(description.as_deref().unwrap_or_default())),
        description: Set(description),
        ..Default::default()
    })
}

async fn write_members(tx: &Write, scope: &Scope, group: i64, tenants: Vec<i64>) -> Result<()> {
    scope.remove_parts::<Members>(tx, group, Condition::all()).await?;
    let members = tenants
        .into_iter()
        .map(|id| tenant_group_member::ActiveModel { tenant_id: Set(id), ..Default::default() });
    scope.add_parts::<Members>(tx, group, members).await
}

async fn finish(tx: Write, scope: &Scope, id: i64) -> Result<TenantGroupDetail> {
    let detail = get(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_follow_the_shared_rules() {
        testkit::rules::check("tenant_group.json", |input: Validated<TenantGroupInput>| input.parts().1);
    }
}
