//! Table of articles.

use sea_orm::entity::prelude::*;
use values::{Decimal, Instant};

use crate::value::AttributeValues;

/// Row of the table `article`: an article with its attribute values as JSON.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "article")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub article_type_id: i64,
    pub material_id: Option<i64>,
    pub article_number: String,
    pub article_number_fold: String,
    pub article_number_sort: String,
    pub article_number_overridden: bool,
    pub article_name: String,
    pub article_name_fold: String,
    pub article_name_sort: String,
    pub article_name_overridden: bool,
    pub attribute_values: AttributeValues,
    pub weight_per_base_unit: Option<Decimal>,
    pub weight_per_base_unit_overridden: bool,
    pub version: i64,
    /// Number of its last change in the change feed; `None` until the first one is numbered.
    pub change: Option<i64>,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(
        belongs_to = "crate::article_type::entity::Entity",
        from = "Column::ArticleTypeId",
        to = "crate::article_type::entity::Column::Id"
    )]
    ArticleType,
    #[sea_orm(
        belongs_to = "crate::material::entity::Entity",
        from = "Column::MaterialId",
        to = "crate::material::entity::Column::Id"
    )]
    Material,
}

impl Related<crate::material::entity::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Material.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
