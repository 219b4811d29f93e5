//! What articles are called besides.

use sea_orm::entity::prelude::*;

use super::NumberKind;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "article_other_number")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub article_id: i64,
    pub kind: NumberKind,
    /// As people write it.
    pub number: String,
    /// Of a GTIN all 14 digits.
    pub number_fold: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
