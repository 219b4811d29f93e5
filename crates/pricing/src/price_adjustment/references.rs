//! Records that an adjustment names: buyers, targets, and the records in its conditions.

use catalog::{
    article::Articles, article_type::ArticleTypes, category::Categories, material::Materials,
    processing::Processings,
};

use super::{
    APPLY_TO, BTreeSet, CONDITIONS, ColumnTrait, ConnectionTrait, EXCLUDED, GROUPS, HashMap, NamedRecords,
    NamedTenants, PriceAdjustment, PriceAdjustmentInput, QueryFilter, QuerySelect, Result, Scope, Scoped,
    Set, TENANTS, Violations, Warehouses, Write, partner, price_adjustment_record, price_adjustment_tenant,
    tenant, tenant_group,
};
use crate::{
    codes,
    condition::{Condition, ConditionType, ExpectedValue},
};

/// Records with the paths of the fields that name them.
#[derive(Debug, Default)]
pub(super) struct AdjustmentReferences(Vec<(String, ConditionType, i64)>);

impl AdjustmentReferences {
    /// Collects the records that an input and its valid conditions name.
    pub(super) fn new(input: &PriceAdjustmentInput, conditions: Option<&Condition>) -> Self {
        let mut references = Self::default();
        references.add(TENANTS, ConditionType::Tenant, &input.tenant_ids);
        references.add(GROUPS, ConditionType::TenantGroup, &input.tenant_group_ids);
        references.add(EXCLUDED, ConditionType::Tenant, &input.excluded_tenant_ids);
        for (field, ids) in input.apply_to.references() {
            let kind = match field {
                "articles" => ConditionType::Article,
                "article_types" => ConditionType::ArticleType,
                "categories" => ConditionType::Category,
                _ => ConditionType::Material,
            };
            references.add(&format!("{APPLY_TO}.{field}"), kind, ids);
        }
        for (path, test) in conditions.map(|tree| tree.tests(CONDITIONS)).unwrap_or_default() {
            if let ExpectedValue::OneOf { ids, .. } = &test.expected {
                references.add(&format!("{path}.value"), test.subject, ids);
            }
        }
        references
    }

    /// Buyers that an adjustment names: tenants, or groups of them.
    fn buyers(row: &PriceAdjustment, kind: ConditionType) -> BTreeSet<i64> {
        let own: Vec<i64> = match kind {
            ConditionType::Tenant => [&row.tenant_ids.0[..], &row.excluded_tenant_ids.0].concat(),
            _ => row.tenant_group_ids.0.clone(),
        };
        let conditions = row.conditions.as_ref().map(Condition::references).unwrap_or_default();
        let matching_references = conditions.into_iter().filter(|(subject, _)| *subject == kind);
        matching_references.flat_map(|(_, ids)| ids).chain(own).collect()
    }

    fn add(&mut self, path: &str, kind: ConditionType, ids: &[i64]) {
        self.0.extend(ids.iter().enumerate().map(|(index, id)| (format!("{path}.{index}"), kind, *id)));
    }

    fn all(&self) -> BTreeSet<(ConditionType, i64)> {
        self.0.iter().map(|(_, kind, id)| (*kind, *id)).collect()
    }

    /// Adds a violation for each record that the caller cannot see or name. Buyers that are already named may
    /// stay.
    pub(super) async fn check(
        &self,
        db: &impl ConnectionTrait,
        scope: &Scope,
        before: Option<&PriceAdjustment>,
        violations: &mut Violations,
    ) -> Result<()> {
        let mut ids_by_kind: HashMap<ConditionType, BTreeSet<i64>> = HashMap::new();
        for (kind, id) in self.all() {
            ids_by_kind.entry(kind).or_default().insert(id);
        }
        let mut existing_ids = HashMap::new();
        let mut unnameable = HashMap::new();
        for (kind, ids) in ids_by_kind {
            let visible = match kind {
                ConditionType::Article => visible_ids::<Articles>(db, scope, ids).await?,
                ConditionType::ArticleType => visible_ids::<ArticleTypes>(db, scope, ids).await?,
                ConditionType::Category => visible_ids::<Categories>(db, scope, ids).await?,
                ConditionType::Material => visible_ids::<Materials>(db, scope, ids).await?,
                ConditionType::Processing => visible_ids::<Processings>(db, scope, ids).await?,
                ConditionType::Warehouse => visible_ids::<Warehouses>(db, scope, ids).await?,
                ConditionType::TenantGroup => {
                    unnameable = tenant_group::unnameable(db, scope, ids.iter().copied()).await?;
                    ids.into_iter().filter(|id| !unnameable.contains_key(id)).collect()
                }
                _ => partner::visible(db, scope, ids).await?.into_iter().collect(),
            };
            existing_ids.insert(kind, visible);
        }
        if let Some(before) = before {
            let named_tenants = Self::buyers(before, ConditionType::Tenant);
            if !named_tenants.is_empty() {
                let existing_tenants =
                    tenant::sorted_by_company(db, Some(named_tenants.into_iter().collect())).await?;
                let tenants: &mut BTreeSet<i64> = existing_ids.entry(ConditionType::Tenant).or_default();
                tenants.extend(existing_tenants.into_iter().map(|(tenant, _)| tenant));
            }
            // groups that are already named may stay
            let groups: &mut BTreeSet<i64> = existing_ids.entry(ConditionType::TenantGroup).or_default();
            groups.extend(Self::buyers(before, ConditionType::TenantGroup));
        }
        for (path, kind, id) in &self.0 {
            if !existing_ids.get(kind).is_some_and(|ids| ids.contains(id)) {
                let why = unnameable.get(id).filter(|_| *kind == ConditionType::TenantGroup);
                violations.add(path, why.copied().unwrap_or(codes::UNKNOWN_REFERENCE));
            }
        }
        Ok(())
    }

    /// Writes the rows of the named records, of which there are none yet.
    pub(super) async fn write(&self, tx: &Write, scope: &Scope, adjustment: &PriceAdjustment) -> Result<()> {
        let (mut tenants, mut records) = (Vec::new(), Vec::new());
        for (number, (kind, id)) in (1..).zip(self.all()) {
            let mut row = price_adjustment_record::ActiveModel {
                tenant_id: Set(adjustment.tenant_id),
                number: Set(number),
                article_id: Set(None),
                article_type_id: Set(None),
                category_id: Set(None),
                material_id: Set(None),
                processing_id: Set(None),
                warehouse_id: Set(None),
                named_tenant_group_id: Set(None),
                ..Default::default()
            };
            let column = match kind {
                ConditionType::Article => &mut row.article_id,
                ConditionType::ArticleType => &mut row.article_type_id,
                ConditionType::Category => &mut row.category_id,
                ConditionType::Material => &mut row.material_id,
                ConditionType::Processing => &mut row.processing_id,
                ConditionType::Warehouse => &mut row.warehouse_id,
                ConditionType::TenantGroup => &mut row.named_tenant_group_id,
                _ => {
                    tenants.push(price_adjustment_tenant::ActiveModel {
                        tenant_id: Set(adjustment.tenant_id),
                        named_tenant_id: Set(id),
                        ..Default::default()
                    });
                    continue;
                }
            };
            *column = Set(Some(id));
            records.push(row);
        }
        scope.add_parts::<NamedTenants>(tx, adjustment.id, tenants).await?;
        scope.add_parts::<NamedRecords>(tx, adjustment.id, records).await
    }
}

async fn visible_ids<E: Scoped>(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: BTreeSet<i64>,
) -> Result<BTreeSet<i64>> {
    let query = scope.find::<E>().select_only().column(E::ID).filter(E::ID.is_in(ids));
    Ok(query.into_tuple::<i64>().all(db).await?.into_iter().collect())
}
