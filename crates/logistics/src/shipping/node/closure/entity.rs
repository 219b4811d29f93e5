//! Table of days on which shipping nodes are closed.

use chrono::NaiveDate;
use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `shipping_node_closure`: a day on which a shipping node is closed.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "shipping_node_closure")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub shipping_node_id: i64,
    pub date: NaiveDate,
    pub name: String,
    pub name_fold: String,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
