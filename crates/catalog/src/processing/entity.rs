//! Processings.

use kernel::Instant;
use sea_orm::entity::prelude::*;

use super::ProcessingType;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "processing")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub name: String,
    pub name_fold: String,
    pub display_name: Option<String>,
    pub display_name_fold: String,
    pub r#type: ProcessingType,
    pub article_number_addition_template: String,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
