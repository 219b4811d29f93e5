//! Table of matchings.

use sea_orm::entity::prelude::*;
use values::{Instant, TenantId};

/// Row of the table `matching`: an article or warehouse, and its number in another system.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "matching")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    /// Name for people: the external identifiers.
    pub name: String,
    pub article_id: Option<i64>,
    pub external_article_number: Option<String>,
    pub external_article_number_fold: String,
    pub external_article_number_sort: String,
    pub warehouse_id: Option<i64>,
    pub external_warehouse_identifier: Option<String>,
    pub external_warehouse_identifier_fold: String,
    pub external_warehouse_identifier_sort: String,
    pub external_tenant_identifier: Option<String>,
    pub external_tenant_identifier_fold: String,
    pub version: i64,
    /// Number of its last change in the change feed; `None` until the first one is numbered.
    pub change: Option<i64>,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
