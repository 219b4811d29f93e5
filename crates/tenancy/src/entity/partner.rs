//! Columns of the tenant table that trading partners see.

use sea_orm::entity::prelude::*;
use values::Instant;

/// Row of the table `tenant`, reduced to the columns that trading partners see.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tenant")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub company: String,
    pub company_fold: String,
    pub company_sort: String,
    pub short_code: String,
    pub short_code_fold: String,
    pub short_code_sort: String,
    pub place: Option<String>,
    pub place_fold: String,
    pub removal_begun_at: Option<Instant>,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
