//! Price adjustments of the demo's companies: usual surcharges and discounts of a steel trader.

use chrono::TimeDelta;
use lists::Creatable;
use pricing::{
    condition::text,
    price_adjustment::{
        self, PriceAdjustmentInput, PriceAdjustments,
        terms::{ApplyTo, CalculationType, ItemType, Operation},
    },
};
use sea_orm::QuerySelect;
use store::{Database, Scope};
use tenancy::tenant_group::{self, TenantGroups};
use values::{Decimal, Error, Result, TenantId, now};

use CalculationType::{Absolute, PerTon, RelativeToAdjusted, RelativeToBase};
use Operation::{Discount, Surcharge};

use super::past;

/// Tenant, name, operation, value, calculation type, conditions.
type Line = (&'static str, &'static str, Operation, &'static str, CalculationType, &'static str);

/// Adjustments in the order in which they are applied.
const LINES: &[Line] = &[
    ("NORD", "Energiezuschlag", Surcharge, "35", PerTon, ""),
    ("NORD", "Großmengenrabatt ab 10 t", Discount, "15", PerTon, "cart_weight >= 10 t"),
    ("NORD", "Verbundrabatt", Discount, "3", RelativeToAdjusted, ""),
    (
        "NORD",
        "Mindermengenzuschlag",
        Surcharge,
        "45",
        Absolute,
        "all(cart_weight < 500 kg, cart_base_price < 1000)",
    ),
    ("NORD", "Abholung am Samstag", Surcharge, "25", Absolute, "weekday in (saturday)"),
    ("SUED", "Legierungszuschlag", Surcharge, "1.5", RelativeToBase, ""),
    (
        "SUED",
        "Mengenrabatt ab 5 t",
        Discount,
        "2",
        RelativeToBase,
        "any(cart_weight >= 5 t, cart_base_price >= 5000)",
    ),
    ("SUED", "Kleinbestellung", Surcharge, "30", Absolute, "adjusted_cart_total < 250"),
];

/// Adjustment that later percentages ignore.
const IGNORED: &str = "Energiezuschlag";
/// Adjustment for the groups of the demo only.
const FOR_GROUPS: &str = "Verbundrabatt";
/// Inactive adjustment, for another season.
const AT_REST: &str = "Abholung am Samstag";

/// Age of the adjustments.
pub(super) const AGE: TimeDelta = TimeDelta::days(390);

/// Creates the adjustments of tenants that have none.
pub(super) async fn fill(db: &Database, tenants: &[(&str, i64)]) -> Result<()> {
    for (code, tenant) in tenants {
        let scope = Scope::platform().acting_for(Some(TenantId(*tenant)));
        if scope.find::<PriceAdjustments>().one(db).await?.is_some() {
            continue;
        }
        let groups = scope.find::<TenantGroups>().select_only().column(tenant_group::Column::Id);
        let groups: Vec<i64> = groups.into_tuple().all(db).await?;
        let made = now();
        for line in LINES.iter().filter(|(owner, ..)| owner == code) {
            PriceAdjustments::create(db, &scope, input(line, &groups)?).await?;
        }
        let owner = price_adjustment::Column::TenantId;
        past::date::<PriceAdjustments>(db, TenantId(*tenant), owner, made, now() - AGE).await?;
    }
    Ok(())
}

fn input(line: &Line, groups: &[i64]) -> Result<PriceAdjustmentInput> {
    let (_, name, operation, value, calculation_type, conditions) = *line;
    let conditions = match conditions {
        "" => None,
        text => Some(text::parse(text).map_err(|_| Error::internal("no conditions of the demo"))?.into()),
    };
    Ok(PriceAdjustmentInput {
        name: name.to_owned(),
        active: name != AT_REST,
        operation,
        value: Some(value.parse().unwrap_or(Decimal::ONE)),
        surcharge_table_id: None,
        calculation_type,
        conditions,
        ignore_on_further_adjustments: name == IGNORED,
        apply_to: ApplyTo::ItemType { item_types: vec![ItemType::Article] },
        tenant_ids: Vec::new(),
        tenant_group_ids: if name == FOR_GROUPS { groups.to_vec() } else { Vec::new() },
        excluded_tenant_ids: Vec::new(),
        purchase_constraints: None,
        valid_from: None,
        valid_until: None,
        version: None,
    })
}
