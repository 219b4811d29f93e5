//! Table of the prices that wait for a release.

use sea_orm::entity::prelude::*;
use values::{Instant, TenantId};

use crate::{guard::Suspicions, price_side::Prices};

/// Row of the table `held_price`: a price that waits for a release.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "held_price")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    /// Name of the stock at that time.
    pub name: String,
    pub stock_id: i64,
    #[sea_orm(column_type = "JsonBinary")]
    pub wanted: Prices,
    /// Prices that were probably intended, if the guard could suggest any.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub mended: Option<Prices>,
    #[sea_orm(column_type = "JsonBinary")]
    pub suspicions: Suspicions,
    /// Import and line that proposed the prices; `None` for a form or an API call.
    pub import_id: Option<i64>,
    pub line: Option<i64>,
    /// User who proposed the prices; 0 for the system.
    pub created_by: i64,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `held_price`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
