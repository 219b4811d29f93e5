//! Table of article types.

use sea_orm::entity::prelude::*;
use values::{Instant, Unit};

use crate::shape::Shape;

/// Row of the table `article_type`: an article type with its templates and units.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "article_type")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    pub article_number_template: String,
    pub article_name_template: String,
    pub base_unit_of_measure: Unit,
    pub listing_unit_of_measure: Unit,
    pub price_unit_of_measure: Unit,
    pub article_type_group_id: Option<i64>,
    pub section: Option<Shape>,
    pub trade_dimension_id: Option<i64>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(has_many = "super::attribute_entity::Entity")]
    Attribute,
}

impl Related<super::attribute_entity::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Attribute.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
