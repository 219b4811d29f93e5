//! Table of categories.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `category`: a category, its parent, and its position among its siblings.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "category")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub parent_id: Option<i64>,
    pub position: i64,
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    pub display_name: Option<String>,
    pub display_name_fold: String,
    pub display_name_sort: String,
    pub article_type_id: Option<i64>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
