//! Table of the sample carts with their expected totals.

use sea_orm::entity::prelude::*;
use values::{Decimal, Instant, TenantId};

use crate::sample_cart::Lines;

/// Row of the table `sample_cart`: a sample cart with its expected total.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sample_cart")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    /// Buyer; `None` for an anonymous one.
    pub buyer_id: Option<i64>,
    /// Moment of the calculation; `None` for the current moment.
    pub at: Option<Instant>,
    #[sea_orm(column_type = "JsonBinary")]
    pub lines: Lines,
    /// Expected total; `None` if a line was refused when the result was accepted.
    pub expected_total: Option<Decimal>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `sample_cart`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
