//! Table of saved views of lists.

use sea_orm::entity::prelude::*;
use values::Instant;

use crate::saved_view::ViewState;

/// Row of the table `saved_view`: filters, sort and columns of a list under a name.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "saved_view")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub user_id: i64,
    /// Tenant of the user.
    pub tenant_id: Option<values::TenantId>,
    pub list: String,
    pub name: String,
    pub name_fold: String,
    pub shared: bool,
    pub state: ViewState,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
