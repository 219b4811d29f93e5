//! Table of materials.

use sea_orm::entity::prelude::*;
use values::{Decimal, Instant};

/// Row of the table `material`: a material, its names, and its density in kg/m³.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "material")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    pub display_name: Option<String>,
    pub display_name_fold: String,
    pub display_name_sort: String,
    pub article_number_name: Option<String>,
    pub article_number_name_fold: String,
    pub article_number_name_sort: String,
    pub material_number: Option<String>,
    pub material_number_fold: String,
    pub material_number_sort: String,
    pub density: Option<Decimal>,
    pub version: i64,
    /// Number of its last change in the change feed; `None` until the first one is numbered.
    pub change: Option<i64>,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
