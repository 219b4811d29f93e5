//! Table of attributes.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::{Decimal, Instant, Unit, UnitCategory};

/// Kind of an attribute's values.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum AttributeType {
    /// One of the attribute's options.
    Categorial,
    /// A number with a unit.
    Metric,
    /// Any text.
    Custom,
}

/// Row of the table `attribute`: an attribute of articles, without its options.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "attribute")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub name: String,
    pub name_fold: String,
    pub placeholder: String,
    pub r#type: AttributeType,
    pub primary: bool,
    pub position: i64,
    pub unit_category: Option<UnitCategory>,
    pub default_unit: Option<Unit>,
    pub weight_per_base_unit: Option<Decimal>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(has_many = "super::option_entity::Entity")]
    Option,
}

impl Related<super::option_entity::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Option.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
