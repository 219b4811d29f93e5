//! Table of shipping nodes.

use sea_orm::entity::prelude::*;
use values::{Decimal, Instant, TenantId};

use crate::calendar::region::Region;

/// Row of the table `shipping_node`: a shipping node, with the warehouse that is there, if any.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "shipping_node")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    pub address: Option<String>,
    pub address_fold: String,
    /// Degrees north of the equator; only together with the longitude.
    pub latitude: Option<Decimal>,
    /// Degrees east of Greenwich.
    pub longitude: Option<Decimal>,
    pub active: bool,
    /// Tenant of the warehouse; only together with it.
    pub warehouse_tenant_id: Option<TenantId>,
    pub warehouse_id: Option<i64>,
    /// Region whose public holidays apply there; `None` for that of the installation.
    pub region: Option<Region>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
