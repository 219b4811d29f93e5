//! Surcharge tables of the demo's companies: alloy surcharges of stainless steel, from half a year ago to the
//! next month.

use catalog::material::{self, Materials};
use chrono::{NaiveTime, TimeDelta};
use lists::Creatable;
use pricing::{
    price_adjustment::{
        self, PriceAdjustmentInput, PriceAdjustments,
        terms::{ApplyTo, CalculationType, Operation},
    },
    surcharge_table::{
        self, SurchargeTableInput, SurchargeTables, ValueInput, ValuesInput,
        surcharges::{KeyedBy, Month, SurchargeKind},
    },
};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder};
use store::{Database, Scope};
use values::{Decimal, Instant, Result, TenantId, now, today};

use super::{past, price_adjustments::AGE};

const ALLOY: &str = "Legierungszuschlag Edelstahl";
/// Table with values for large customers in some months; the others are those for all.
const FOR_LARGE: &str = "Legierungszuschlag Großkunden";
/// Tenant with the adjustment and the second table.
const CODE: &str = "NORD";
const FIRST_MONTH: i32 = -6;
/// Prefix of stainless steels after EN 10027-2.
const STAINLESS: &str = "1.4";

/// Creates the tables of tenants that have none.
pub(super) async fn fill(db: &Database, tenants: &[(&str, i64)]) -> Result<()> {
    let stainless = material::Column::MaterialNumber.starts_with(STAINLESS);
    let materials = Scope::platform().find::<Materials>().filter(stainless);
    let materials = materials.order_by_asc(material::Column::MaterialNumber).all(db).await?;
    let materials: Vec<i64> = materials.iter().map(|material| material.id).collect();
    for (code, tenant) in tenants {
        let scope = Scope::platform().acting_for(Some(TenantId(*tenant)));
        if scope.find::<SurchargeTables>().one(db).await?.is_some() {
            continue;
        }
        let date = Past { db, tenant: TenantId(*tenant) };
        let made = now();
        let alloy = table(db, &scope, ALLOY, None).await?;
        if *code == CODE {
            PriceAdjustments::create(db, &scope, adjustment(alloy, &materials)).await?;
        }
        date.tables(made, now() - AGE).await?;
        // mills publish the values of a month before it begins
        for months in FIRST_MONTH..=1 {
            let made = now();
            surcharge_table::put_values(db, &scope, alloy, values(&materials, months)).await?;
            date.tables(made, published(months)).await?;
        }
        if *code != CODE {
            continue;
        }
        let made = now();
        let large = table(db, &scope, FOR_LARGE, Some(alloy)).await?;
        let this = Month::from_date(today());
        let own = materials.iter().take(2).map(|material| value(*material, this, 1_190));
        surcharge_table::put_values(
            db,
            &scope,
            large,
            ValuesInput { values: own.collect(), version: None, release: Some(true) },
        )
        .await?;
        date.tables(made, published(0)).await?;
    }
    Ok(())
}

/// Backdates tables of a tenant and the adjustments that use them.
struct Past<'d> {
    db: &'d Database,
    tenant: TenantId,
}

impl Past<'_> {
    async fn tables(&self, since: Instant, then: Instant) -> Result<()> {
        let owner = surcharge_table::Column::TenantId;
        past::date::<SurchargeTables>(self.db, self.tenant, owner, since, then).await?;
        let owner = price_adjustment::Column::TenantId;
        past::date::<PriceAdjustments>(self.db, self.tenant, owner, since, then).await
    }
}

/// Time of publication, four days before a month that is `months` from now, but not in the future.
fn published(months: i32) -> Instant {
    let begins = Month::from_date(today()).plus(months).first_day();
    let begins = begins.map(|day| day.and_time(NaiveTime::MIN).and_utc());
    begins.map_or_else(now, |begins| (begins - TimeDelta::days(4)).min(now()))
}

async fn table(db: &Database, scope: &Scope, name: &str, base_table_id: Option<i64>) -> Result<i64> {
    let input = SurchargeTableInput {
        name: name.to_owned(),
        kind: SurchargeKind::Alloy,
        keyed_by: KeyedBy::Material,
        base_table_id,
        version: None,
    };
    Ok(SurchargeTables::create(db, scope, input).await?.table.id)
}

/// Values of all materials for a month that is `months` from now; in the present month the last material is
/// missing.
fn values(materials: &[i64], months: i32) -> ValuesInput {
    let month = Month::from_date(today()).plus(months);
    let kept = (0..).zip(materials).filter(|(_, material)| months != 0 || materials.last() != Some(material));
    let values = kept.map(|(number, material)| {
        let usual = 980 + number * 370 % 1_500;
        value(*material, month, usual + (months * months * 7 + months * 29))
    });
    ValuesInput { values: values.collect(), version: None, release: Some(true) }
}

fn value(material: i64, month: Month, euro: i32) -> ValueInput {
    ValueInput {
        material_id: Some(material),
        article_type_id: None,
        month: month.to_string(),
        value: Some(Decimal::from(euro)),
    }
}

fn adjustment(table: i64, materials: &[i64]) -> PriceAdjustmentInput {
    PriceAdjustmentInput {
        name: ALLOY.to_owned(),
        active: true,
        operation: Operation::Surcharge,
        value: None,
        surcharge_table_id: Some(table),
        calculation_type: CalculationType::PerTon,
        conditions: None,
        ignore_on_further_adjustments: true,
        apply_to: ApplyTo::Item {
            articles: Vec::new(),
            article_types: Vec::new(),
            categories: Vec::new(),
            materials: materials.to_vec(),
        },
        tenant_ids: Vec::new(),
        tenant_group_ids: Vec::new(),
        excluded_tenant_ids: Vec::new(),
        purchase_constraints: None,
        valid_from: None,
        valid_until: None,
        version: None,
    }
}
