//! Import profiles.

use sea_orm::entity::prelude::*;
use values::{Instant, TenantId};

use crate::{
    import::{mapping::Mapping, settings::Settings},
    import_type::ImportType,
};

/// Row of the table `import_profile`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "import_profile")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    pub r#type: ImportType,
    #[sea_orm(column_type = "JsonBinary")]
    pub settings: Settings,
    #[sea_orm(column_type = "JsonBinary")]
    pub mapping: Mapping,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `import_profile`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
