//! What a tenant asks for a processing.

use kernel::{Instant, Money, TenantId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "processing_price")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    /// What people call it: the processing, and the article type.
    pub name: String,
    pub processing_id: i64,
    /// Of articles of one type, or of all others.
    pub article_type_id: Option<i64>,
    /// The same with 0 for all others: what is unique must not be NULL.
    pub article_type_key: i64,
    /// For pieces, that is for how often it is done.
    #[sea_orm(column_type = "JsonBinary")]
    pub price: Money,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
