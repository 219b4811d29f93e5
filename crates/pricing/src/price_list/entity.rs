//! Table of the price lists, with owner, period and kind.

use sea_orm::entity::prelude::*;
use values::{Instant, TenantId};

use crate::price_list::{ListScope, ListType};

/// Row of the table `price_list`: a price list with its owner, period and kind.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price_list")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    /// Owner; `None` if a group of tenants owns the list.
    pub owner_tenant_id: Option<TenantId>,
    pub owner_tenant_group_id: Option<i64>,
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    /// Name for customers; `None` if it is the name.
    pub customer_name: Option<String>,
    /// Folded form of the name that customers see, even if that is `name`.
    pub customer_name_fold: String,
    pub customer_name_sort: String,
    /// True if customers see the list before it begins.
    pub announce: bool,
    pub r#type: ListType,
    pub scope: ListScope,
    pub valid_from: Instant,
    /// First moment at which the list is no longer in effect; `None` if it has no end.
    pub valid_until: Option<Instant>,
    /// Number of prices, updated whenever prices are written.
    pub price_count: i64,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `price_list`: none are declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
