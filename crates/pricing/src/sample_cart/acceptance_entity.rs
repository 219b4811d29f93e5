//! Table of the accepted totals of sample carts, with their steps.

use sea_orm::entity::prelude::*;
use values::{Decimal, Instant, TenantId};

use crate::sample_cart::AcceptedSteps;

/// Row of the table `sample_cart_acceptance`: an accepted total of a sample cart, with its steps.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sample_cart_acceptance")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub cart_id: i64,
    /// Number of the acceptance; the latest has the highest.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    /// Accepted total; `None` if a line was refused.
    pub total: Option<Decimal>,
    pub accepted_at: Instant,
    #[sea_orm(column_type = "JsonBinary")]
    pub steps: AcceptedSteps,
}

/// Relations of the table `sample_cart_acceptance`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
