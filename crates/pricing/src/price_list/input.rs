//! Input that creates or changes a price list, and validation of its audience.

use std::collections::HashMap;

use chrono::{DateTime, SubsecRound, Utc};
use sea_orm::{ActiveValue::Set, ConnectionTrait};
use serde::Deserialize;
use store::{Scope, Write};
use tenancy::{partner, tenant_group};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Code, Result, Violations, fold,
    rule::{self, printable},
    tidy,
};

use super::{
    ActiveModel, ListExcluded, ListGroups, ListScope, ListTenants, ListType, PriceList,
    audience::ListAudience, excluded_tenant_entity as price_list_excluded_tenant,
    tenant_entity as price_list_tenant, tenant_group_entity as price_list_tenant_group,
};
use crate::codes;

/// Maximum number of tenants, and of groups, that a list names.
const NAMED_MAX: usize = 500;

/// Input that creates or changes a price list.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct PriceListInput {
    /// Name, unique among the lists of the owner, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Verkauf 2027")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Name that customers see; if omitted, they see `name`.
    #[schema(min_length = 1, max_length = 255, example = "Lagerprogramm 2027")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub customer_name: Option<String>,
    /// True if customers see the list before it begins.
    #[serde(default)]
    pub announce: bool,
    /// Tenant that owns the list, usually the caller's own; omitted if a group owns it. It cannot be changed
    /// later.
    pub owner_tenant_id: Option<i64>,
    /// Group that owns the list; only for platform administrators. It cannot be changed later.
    pub owner_tenant_group_id: Option<i64>,
    /// Type; it cannot be changed once the list has begun.
    pub r#type: ListType,
    pub scope: ListScope,
    /// Beginning, at least five minutes from now. It cannot be changed once the list has begun.
    #[schema(example = "2027-01-01T00:00:00Z")]
    pub valid_from: DateTime<Utc>,
    /// True if the list has an end.
    pub limited: bool,
    /// First moment at which the list is no longer in effect: after its beginning, and at least five minutes
    /// from now.
    #[schema(example = "2028-01-01T00:00:00Z")]
    pub valid_until: Option<DateTime<Utc>>,
    /// Tenants that the list applies to; only with the scope `own`.
    #[serde(default)]
    #[schema(max_items = 500)]
    #[validate(length(max = 500))]
    pub tenant_ids: Vec<i64>,
    /// Groups that the list applies to; only with the scope `own`.
    #[serde(default)]
    #[schema(max_items = 500)]
    #[validate(length(max = 500))]
    pub tenant_group_ids: Vec<i64>,
    /// Tenants that the list does not apply to; only with the scope `global`, or if the list is for groups.
    #[serde(default)]
    #[schema(max_items = 500)]
    #[validate(length(max = 500))]
    pub excluded_tenant_ids: Vec<i64>,
    /// Version that was edited; rejected if it is not the current one.
    pub version: Option<i64>,
}

tidy!(PriceListInput: trim name; or_none customer_name;);

/// Adds a violation for each audience of a list of internal prices, which are for its owner only. Older lists
/// may keep the audience that they already have; the calculation takes it into account.
pub(super) fn check_internal(
    input: &PriceListInput,
    before: Option<&PriceList>,
    current_audience: &ListAudience,
    violations: &mut Violations,
) {
    if input.r#type != ListType::Internal {
        return;
    }
    let before = before.filter(|before| before.r#type == ListType::Internal);
    let was_global = before.is_some_and(|before| before.scope == ListScope::Global);
    if input.scope == ListScope::Global && !was_global {
        violations.add("scope", codes::INTERNAL_FOR_OWNER);
    }
    for (field, ids, current_ids) in [
        ("tenant_ids", &input.tenant_ids, &current_audience.tenants),
        ("tenant_group_ids", &input.tenant_group_ids, &current_audience.groups),
        ("excluded_tenant_ids", &input.excluded_tenant_ids, &current_audience.excluded),
    ] {
        let is_current = |id: &i64| before.is_some() && current_ids.contains(id);
        if !ids.iter().all(is_current) {
            violations.add(field, codes::INTERNAL_FOR_OWNER);
        }
    }
}

/// Validates the audience of an input, and returns it in ascending order. Tenants and groups that the list
/// already names may stay, even if the caller cannot see them.
pub(super) async fn read_audience(
    db: &impl ConnectionTrait,
    scope: &Scope,
    input: &PriceListInput,
    current_audience: &ListAudience,
    violations: &mut Violations,
) -> Result<ListAudience> {
    let (tenants, groups, excluded) =
        (&input.tenant_ids, &input.tenant_group_ids, &input.excluded_tenant_ids);
    let is_global = input.scope == ListScope::Global;
    if is_global {
        for (field, ids) in [("tenant_ids", tenants), ("tenant_group_ids", groups)] {
            if !ids.is_empty() {
                violations.add(field, codes::AUDIENCE_OF_GLOBAL);
            }
        }
    }
    if [tenants, groups, excluded].iter().any(|ids| ids.len() > NAMED_MAX) {
        return Ok(ListAudience::default());
    }
    let is_of_group = input.owner_tenant_group_id.is_some() && tenants.is_empty();
    if !excluded.is_empty() && !is_global && groups.is_empty() && !is_of_group {
        violations.add("excluded_tenant_ids", codes::EXCLUDES_NOBODY);
    }
    let visible_tenants = partner::visible(db, scope, tenants.iter().chain(excluded).copied()).await?;
    let unknown = |ids: &[i64]| -> HashMap<i64, Code> {
        let unknown = ids.iter().filter(|id| !visible_tenants.contains(id));
        unknown.map(|id| (*id, codes::UNKNOWN_REFERENCE)).collect()
    };
    let unnameable = tenant_group::unnameable(db, scope, groups.iter().copied()).await?;
    for (field, ids, current_ids, wrong) in [
        ("tenant_ids", tenants, &current_audience.tenants, unknown(tenants)),
        ("tenant_group_ids", groups, &current_audience.groups, unnameable),
        ("excluded_tenant_ids", excluded, &current_audience.excluded, unknown(excluded)),
    ] {
        rule::unique(violations, ids, |index| format!("{field}.{index}"));
        for (index, id) in ids.iter().enumerate().filter(|(_, id)| !current_ids.contains(id)) {
            if let Some(code) = wrong.get(id) {
                violations.add(format!("{field}.{index}"), *code);
            }
        }
    }
    for (index, _) in excluded.iter().enumerate().filter(|(_, id)| tenants.contains(id)) {
        violations.add(format!("excluded_tenant_ids.{index}"), codes::NAMED_AND_EXCLUDED);
    }
    let sorted = |ids: &[i64]| {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids
    };
    if is_global {
        return Ok(ListAudience { excluded: sorted(excluded), ..ListAudience::default() });
    }
    Ok(ListAudience {
        tenants: sorted(tenants),
        groups: sorted(groups),
        excluded: sorted(excluded),
        count: 0,
    })
}

pub(super) fn row_from(input: &PriceListInput) -> ActiveModel {
    ActiveModel {
        owner_tenant_group_id: Set(input.owner_tenant_group_id),
        name_fold: Set(fold(&input.name)),
        name: Set(input.name.clone()),
        customer_name_fold: Set(fold(input.customer_name.as_ref().unwrap_or(&input.name))),
        customer_name: Set(input.customer_name.clone()),
        announce: Set(input.announce),
        r#type: Set(input.r#type),
        scope: Set(input.scope),
        valid_from: Set(input.valid_from.trunc_subsecs(6)),
        valid_until: Set(input.valid_until.map(|until| until.trunc_subsecs(6))),
        ..Default::default()
    }
}

/// True if the row to be written differs from the list.
pub(super) fn differs(before: &PriceList, row: &ActiveModel) -> bool {
    row.name.try_as_ref() != Some(&before.name)
        || row.customer_name.try_as_ref() != Some(&before.customer_name)
        || row.announce.try_as_ref() != Some(&before.announce)
        || row.r#type.try_as_ref() != Some(&before.r#type)
        || row.scope.try_as_ref() != Some(&before.scope)
        || row.valid_from.try_as_ref() != Some(&before.valid_from)
        || row.valid_until.try_as_ref() != Some(&before.valid_until)
}

pub(super) async fn write_audience(
    tx: &Write,
    writer: &Scope,
    id: i64,
    audience: &ListAudience,
) -> Result<()> {
    // collected, because an iterator that borrows would make the future not `Send`
    let tenants: Vec<_> = audience
        .tenants
        .iter()
        .map(|tenant| price_list_tenant::ActiveModel { tenant_id: Set(*tenant), ..Default::default() })
        .collect();
    writer.add_parts::<ListTenants>(tx, id, tenants).await?;
    let excluded = audience.excluded.iter().map(|tenant| price_list_excluded_tenant::ActiveModel {
        tenant_id: Set(*tenant),
        ..Default::default()
    });
    writer.add_parts::<ListExcluded>(tx, id, excluded.collect::<Vec<_>>()).await?;
    let groups = audience.groups.iter().map(|group| price_list_tenant_group::ActiveModel {
        tenant_group_id: Set(*group),
        ..Default::default()
    });
    writer.add_parts::<ListGroups>(tx, id, groups.collect::<Vec<_>>()).await
}
