//! Table of the price adjustments: discounts and surcharges, each a link of the chain of its tenant.

use sea_orm::entity::prelude::*;
use values::{Decimal, Instant, TenantId};

use crate::{
    condition::Condition,
    price_adjustment::{
        Ids,
        terms::{ApplyTo, CalculationType, Operation, PurchaseConstraints},
    },
};

/// Row of the table `price_adjustment`: a discount or surcharge in the chain of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price_adjustment")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    /// Position in the chain, from 1; gaps are ignored.
    pub position: i64,
    pub active: bool,
    pub operation: Operation,
    /// Fixed value; `None` if the surcharge table gives it.
    pub value: Option<Decimal>,
    pub surcharge_table_id: Option<i64>,
    pub calculation_type: CalculationType,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub conditions: Option<Condition>,
    pub ignore_on_further_adjustments: bool,
    #[sea_orm(column_type = "JsonBinary")]
    pub apply_to: ApplyTo,
    /// Buyers that it is for; if both tenants and groups are empty, all buyers.
    #[sea_orm(column_type = "JsonBinary")]
    pub tenant_ids: Ids,
    #[sea_orm(column_type = "JsonBinary")]
    pub tenant_group_ids: Ids,
    /// Tenants that it never applies to.
    #[sea_orm(column_type = "JsonBinary")]
    pub excluded_tenant_ids: Ids,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub purchase_constraints: Option<PurchaseConstraints>,
    pub valid_from: Option<Instant>,
    /// First moment at which it is no longer valid.
    pub valid_until: Option<Instant>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `price_adjustment`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
