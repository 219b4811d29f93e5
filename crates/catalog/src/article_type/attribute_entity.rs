//! Table of the attributes of article types.

use sea_orm::entity::prelude::*;

use crate::shape::Dimension;

/// Row of the table `article_type_attribute`: use of an attribute by an article type.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "article_type_attribute")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub article_type_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub attribute_id: i64,
    pub position: i64,
    pub primary: bool,
    pub dimension: Option<Dimension>,
}

/// Relations to other tables.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(
        belongs_to = "super::entity::Entity",
        from = "Column::ArticleTypeId",
        to = "super::entity::Column::Id"
    )]
    ArticleType,
    #[sea_orm(
        belongs_to = "crate::attribute::entity::Entity",
        from = "Column::AttributeId",
        to = "crate::attribute::entity::Column::Id"
    )]
    Attribute,
}

impl Related<crate::attribute::entity::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Attribute.def()
    }
}

impl Related<super::entity::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::ArticleType.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
