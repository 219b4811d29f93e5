//! Prices that wait for somebody to release them.

use kernel::{Instant, TenantId};
use sea_orm::entity::prelude::*;

use crate::{guard::Suspicions, price_side::Prices};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "held_price")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    /// What the stock was called.
    pub name: String,
    pub stock_id: i64,
    #[sea_orm(column_type = "JsonBinary")]
    pub wanted: Prices,
    /// What was probably meant, where that can be said.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub mended: Option<Prices>,
    #[sea_orm(column_type = "JsonBinary")]
    pub suspicions: Suspicions,
    /// The import and its line that want it so; none of a form or a call.
    pub import_id: Option<i64>,
    pub line: Option<i64>,
    /// The user who wants them so; 0: the system.
    pub created_by: i64,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
