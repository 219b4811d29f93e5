use kernel::{Decimal, Instant};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "article")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub article_type_id: i64,
    pub material_id: Option<i64>,
    pub article_number: String,
    pub article_number_fold: String,
    pub article_number_overridden: bool,
    pub article_name: String,
    pub article_name_fold: String,
    pub article_name_overridden: bool,
    pub attribute_values: Json,
    pub weight_per_base_unit: Option<Decimal>,
    pub import_id: Option<i64>,
    pub import_line: Option<i64>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
