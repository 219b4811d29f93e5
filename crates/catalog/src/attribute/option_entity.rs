//! Table of the options of categorial attributes.

use sea_orm::entity::prelude::*;
use values::Decimal;

/// Row of the table `attribute_option`: one option of a categorial attribute.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "attribute_option")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub attribute_id: i64,
    pub position: i64,
    pub name: String,
    pub name_fold: String,
    pub value: String,
    pub value_fold: String,
    pub display_value: Option<String>,
    pub weight_per_base_unit: Option<Decimal>,
}

/// Relations to other tables.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(
        belongs_to = "super::entity::Entity",
        from = "Column::AttributeId",
        to = "super::entity::Column::Id"
    )]
    Attribute,
}

impl Related<super::entity::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Attribute.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
