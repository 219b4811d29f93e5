//! Groups of tenants: the name is unique whatever its case; a tenant can be in several; a group that has tenants stays.

use std::collections::HashMap;

use kernel::{
    Code, Database, Field, Listed, Owner, Permission, Phrase, Priced, Recorded, Resource, Result, Scope,
    Scoped, TenantId, Topic, Unique, Validated, Write, fold,
    rule::{self, printable},
    scope::Part,
    tidy, usage,
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Query, SelectStatement},
};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

pub use crate::entity::tenant_group::{Column, Entity as TenantGroups, Model as TenantGroup};
use crate::{
    entity::{
        tenant,
        tenant_group::ActiveModel,
        tenant_group_member::{self, Entity as Members},
    },
    tenant::{Tenants, choice},
};

impl Scoped for TenantGroups {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for TenantGroups {
    const PRICES: Option<Priced<Column>> = Some(Priced::Rules);
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "tenant_groups",
        Phrase { de: "Mandantengruppen", en: "tenant groups" },
        Permission::ListTenantGroups,
    );
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const TOPIC: Option<Topic> = Some(Topic::Tenants);
    const UNIQUE: &'static [Unique] = &[Unique::new("tenant_group_name_fold_key", "name", Code::Taken)];
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

/// What a client says to create or change a group of tenants.
#[derive(Debug, Clone, Default, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct TenantGroupInput {
    /// Unique, whatever its case.
    #[schema(min_length = 1, max_length = 255, example = "Einkaufsverbund Nord")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    #[schema(max_length = 255, example = "Gemeinsamer Einkauf der Häuser im Norden")]
    #[validate(length(max = 255), custom(function = printable))]
    pub description: Option<String>,
    /// Who is in it.
    #[schema(max_items = 500)]
    #[validate(length(max = 500))]
    pub tenant_ids: Vec<i64>,
    /// The version that was edited; an older one than the current is refused.
    pub version: Option<i64>,
}

tidy!(TenantGroupInput: trim name; or_none description;);

const MEMBERS_MAX: usize = 500;

/// A group and its tenants, as far as the caller sees them.
#[derive(Debug, Clone)]
pub struct TenantGroupDetail {
    pub group: TenantGroup,
    /// By company.
    pub tenants: Vec<(i64, String)>,
}

/// Groups with their tenants.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    groups: Vec<TenantGroup>,
) -> Result<Vec<TenantGroupDetail>> {
    let members = scope.parts::<Members>(groups.iter().map(|group| group.id)).all(db).await?;
    let seen = choice(scope).find::<Tenants>();
    let seen: Vec<(i64, String)> = seen
        .select_only()
        .columns([tenant::Column::Id, tenant::Column::Company])
        .filter(tenant::Column::Id.is_in(members.iter().map(|member| member.tenant_id)))
        .order_by_asc(tenant::Column::CompanyFold)
        .order_by_asc(tenant::Column::Id)
        .into_tuple()
        .all(db)
        .await?;
    let mut by_group: HashMap<i64, Vec<(i64, String)>> = HashMap::new();
    for (id, company) in seen {
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

/// The ids of the groups that a tenant is in, for the conditions of what is shown to their members.
pub fn ids_of(tenant: TenantId) -> SelectStatement {
    let mut groups = Query::select();
    groups.column(tenant_group_member::Column::TenantGroupId).from(Members);
    groups.and_where(tenant_group_member::Column::TenantId.eq(tenant)).take()
}

/// Who is in these groups: the group and the tenant, whoever asks. For whoever says to whom something of the group applies.
pub async fn members_of(db: &impl ConnectionTrait, groups: &[i64]) -> Result<Vec<(i64, i64)>> {
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    let members = Scope::platform().parts::<Members>(groups.iter().copied());
    let members = members.order_by_asc(tenant_group_member::Column::TenantId).all(db).await?;
    Ok(members.into_iter().map(|member| (member.tenant_group_id, member.tenant_id)).collect())
}

/// The groups that a tenant is in, whoever asks.
pub async fn of_member(db: &impl ConnectionTrait, tenant: i64) -> Result<Vec<i64>> {
    let groups = db.query_all(&ids_of(TenantId(tenant))).await?;
    Ok(groups.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, sea_orm::DbErr>>()?)
}

/// Which of these groups the caller may not name as buyers, and why. A tenant's user names those that their company is in, or
/// naming a group would tell them who else is; the platform names all.
pub async fn unnameable(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Code>> {
    let ids: Vec<i64> = ids.into_iter().collect();
    let known = names(db, scope, ids.iter().copied()).await?;
    let own = match scope.home() {
        Some(home) if !ids.is_empty() => Some(of_member(db, home.into()).await?),
        _ => None,
    };
    let why = |id: i64| match &own {
        _ if !known.contains_key(&id) => Some((id, Code::UnknownReference)),
        Some(own) if !own.contains(&id) => Some((id, Code::NotInGroup)),
        _ => None,
    };
    Ok(ids.into_iter().filter_map(why).collect())
}

/// The groups that each of these tenants is in, whoever asks.
pub async fn of_members(
    db: &impl ConnectionTrait,
    tenants: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Vec<i64>>> {
    let of = tenant_group_member::Column::TenantId.is_in(tenants);
    let members = Scope::platform().all_parts::<Members>().filter(of).all(db).await?;
    let mut groups: HashMap<i64, Vec<i64>> = HashMap::new();
    for member in members {
        groups.entry(member.tenant_id).or_default().push(member.tenant_group_id);
    }
    Ok(groups)
}

/// The names of groups, by their ids.
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

/// The groups of tenants that the caller has just found, by the tenants' ids.
pub(crate) async fn of_tenants(
    db: &impl ConnectionTrait,
    scope: &Scope,
    tenants: Vec<i64>,
) -> Result<HashMap<i64, Vec<(i64, String)>>> {
    let of = tenant_group_member::Column::TenantId.is_in(tenants);
    let members = scope.all_parts::<Members>().filter(of).all(db).await?;
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

pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<TenantGroupDetail> {
    let group = scope.get::<TenantGroups>(db, id).await?;
    Ok(detailed(db, scope, vec![group]).await?.remove(0))
}

pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<TenantGroupInput>>,
) -> Result<TenantGroupDetail> {
    let input = input.into();
    let tx = db.begin().await?;
    let row = row(&tx, scope, &input).await?;
    let group = scope.create::<TenantGroups>(&tx, row).await?;
    write_members(&tx, scope, group.id, input.tenant_ids.clone()).await?;
    finish(tx, scope, group.id).await
}

pub async fn update(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<TenantGroupInput>>,
) -> Result<TenantGroupDetail> {
    let input = input.into();
    let tx = db.begin().await?;
    scope.get::<TenantGroups>(&tx, id).await?;
    let row = row(&tx, scope, &input).await?;
    scope.update::<TenantGroups>(&tx, id, input.version, row).await?;
    write_members(&tx, scope, id, input.tenant_ids.clone()).await?;
    finish(tx, scope, id).await
}

/// Refused while tenants are in it.
pub async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    usage::delete::<TenantGroups>(db, &choice(scope), id, |_| Ok(())).await
}

/// The row of an input that keeps the rules.
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
        let known = choice(scope).find::<Tenants>().filter(tenant::Column::Id.is_in(ids.iter().copied()));
        let known: Vec<i64> = known.select_only().column(tenant::Column::Id).into_tuple().all(db).await?;
        for (index, id) in ids.iter().enumerate() {
            if !known.contains(id) {
                violations.add(format!("tenant_ids.{index}"), Code::UnknownReference);
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
    fn inputs_keep_the_rules_of_the_field() {
        testkit::rules::check("tenant_group.json", |input: Validated<TenantGroupInput>| input.parts().1);
    }
}
