//! Table of the prices of processings.

use sea_orm::entity::prelude::*;
use values::{Instant, Money, TenantId};

/// Row of the table `processing_price`: the price of a processing.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "processing_price")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    /// Display name: the processing, and the article type.
    pub name: String,
    pub processing_id: i64,
    /// Article type; `None` for the general price.
    pub article_type_id: Option<i64>,
    /// Article type, or 0 for the general price: columns of a unique index must not be `NULL`.
    pub article_type_key: i64,
    /// Price by pieces, each piece being one operation.
    #[sea_orm(column_type = "JsonBinary")]
    pub price: Money,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `processing_price`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
