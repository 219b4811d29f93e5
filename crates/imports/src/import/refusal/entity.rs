//! Row that an import refused.

use sea_orm::entity::prelude::*;

use super::{Cells, Faults};

/// Row of the table `import_error`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "import_error")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub import_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub line: i64,
    #[sea_orm(column_type = "JsonBinary")]
    pub cells: Cells,
    #[sea_orm(column_type = "JsonBinary")]
    pub messages: Faults,
}

/// Relations of the table `import_error`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(
        belongs_to = "crate::import::entity::Entity",
        from = "Column::ImportId",
        to = "crate::import::entity::Column::Id"
    )]
    Import,
}

impl Related<crate::import::entity::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Import.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
