//! Numbers that nothing matches.

use kernel::{Instant, TenantId};
use sea_orm::entity::prelude::*;

use super::{Kind, State};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "unresolved_number")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub kind: Kind,
    /// As it was seen first.
    pub number: String,
    pub number_fold: String,
    pub number_sort: String,
    /// What a file last called the article, the warehouse or the tenant; empty where none did.
    pub designation: String,
    pub designation_fold: String,
    /// As a document of the other system says it; empty where none does.
    pub gtin: String,
    pub state: State,
    /// In how many rows it was seen; 0 of one that only a document of the other system names.
    pub times: i64,
    /// The import that saw it last; none: a call.
    pub import_id: Option<i64>,
    pub version: i64,
    /// When it was seen first.
    pub created_at: Instant,
    pub updated_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
