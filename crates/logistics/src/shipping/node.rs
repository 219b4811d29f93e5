//! Shipping nodes: the places that goods pass. The name is unique, ignoring case; a warehouse is at one node
//! only.

pub mod closure;
mod ends;
pub mod entity;
pub mod import;
pub(super) mod name;

use std::collections::HashMap;

use lists::{
    Creatable, Deletable, Detailed, Field, Listed, Managed, UnversionedField, listed_reference,
    search::{self, SearchedColumns},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect, sea_query::LockType,
};
use serde::Deserialize;
use store::{
    CacheTopic, Database, Owner, Recorded, Resource, Scope, Scoped, Unique, Write, scope::refuse_stale, usage,
};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Decimal, Phrase, Result, TenantId, Validated, Violations, fold,
    rule::{between, printable},
    tidy,
};

use self::{
    closure::{NodeClosure, NodeClosures},
    ends::Ends,
};
use super::leg;
use crate::{
    cache_topics,
    calendar::{self, DaysOff, Installation, region::Region},
    codes, permissions,
    warehouse::{self, Warehouse, Warehouses},
};

pub use self::{
    ends::LegEnd,
    entity::{ActiveModel, Column, Entity as ShippingNodes, Model as ShippingNode},
    name::{NodeName, names},
};

impl Scoped for ShippingNodes {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for ShippingNodes {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "shipping_nodes",
        Phrase { de: "Versandknoten", en: "shipping nodes" },
        permissions::LIST_SHIPPING_NODES,
    )
    .refers(&[listed_reference::<Self, Warehouses>("warehouse_id")]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const TOPIC: Option<CacheTopic> = Some(cache_topics::SHIPPING);
    const UNIQUE: &'static [Unique] = &[
        Unique::new("shipping_node_name_fold_key", "name", codes::TAKEN),
        Unique::new("shipping_node_warehouse_key", "warehouse_id", codes::WAREHOUSE_AT_NODE)
            .over("shipping_node_warehouse_tenant_id_warehouse_id_key"),
    ];
    /// Column left out of the history, because it follows from the warehouse.
    const UNNOTED: &'static [Column] = &[Column::WarehouseTenantId];

    async fn remove_parts(scope: &Scope, tx: &Write, id: i64) -> Result<()> {
        let closures = scope.find::<NodeClosures>().filter(closure::Column::ShippingNodeId.eq(id));
        for closure in closures.order_by_asc(closure::Column::Id).all(tx).await? {
            scope.delete::<NodeClosures>(tx, closure.id).await?;
        }
        Ok(())
    }
}

impl Listed for ShippingNodes {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold).sorted_by(&Column::NameSort),
        Field::search("search", &Column::NameFold, &SEARCHED),
        Field::bool("active", &Column::Active).unsorted(),
        Field::choice("region", &Column::Region, Region::CODES).optional().unsorted(),
        Field::id("warehouse_id", &Column::WarehouseId).optional().visible_in(with_own_warehouse),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
}

const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[&Column::NameFold, &Column::AddressFold],
    trigrams: None,
    references: &[],
    read: search::words,
    beginnings: None,
};

/// Condition for nodes whose warehouse is visible to the caller.
fn with_own_warehouse(scope: &Scope) -> Condition {
    Condition::all().add_option(scope.home().map(|home| Column::WarehouseTenantId.eq(home)))
}

/// Input to create or change a shipping node.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ShippingNodeInput {
    /// Name; unique, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Depot Linz")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    #[schema(max_length = 255, example = "Hafenstraße 61, 4020 Linz")]
    #[validate(length(max = 255), custom(function = printable))]
    pub address: Option<String>,
    /// Degrees north of the equator, -90 to 90, with at most six decimal places; only together with the
    /// longitude.
    #[schema(example = "48.316667")]
    #[validate(custom(function = between::<-90, 90>))]
    pub latitude: Option<Decimal>,
    /// Degrees east of Greenwich, -180 to 180, with at most six decimal places; only together with the
    /// latitude.
    #[schema(example = "14.316667")]
    #[validate(custom(function = between::<-180, 180>))]
    pub longitude: Option<Decimal>,
    /// True if goods may travel to and from the node.
    pub active: bool,
    /// Id of the warehouse there; a warehouse is at one node only.
    pub warehouse_id: Option<i64>,
    /// Region whose public holidays apply there; that of the installation if absent.
    pub region: Option<Region>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(ShippingNodeInput: trim name; or_none address;);

/// Node with its legs, and with its warehouse if that is visible to the caller.
#[derive(Debug, Clone)]
pub struct ShippingNodeDetail {
    pub node: ShippingNode,
    pub warehouse: Option<WarehouseAtNode>,
    pub incoming_legs: Vec<LegEnd>,
    pub outgoing_legs: Vec<LegEnd>,
}

/// Warehouse at a node.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct WarehouseAtNode {
    pub id: i64,
    pub short_code: String,
    pub name: String,
}

impl<C: ConnectionTrait> Detailed<C> for ShippingNodes {
    type Detail = ShippingNodeDetail;

    /// Loads the legs and warehouses of nodes. Warehouses are limited to the caller's own tenant, whichever
    /// tenant they act for.
    async fn detailed(db: &C, scope: &Scope, nodes: Vec<ShippingNode>) -> Result<Vec<ShippingNodeDetail>> {
        let warehouses = scope
            .acting_for(None)
            .find::<Warehouses>()
            .filter(warehouse::Column::Id.is_in(nodes.iter().filter_map(|node| node.warehouse_id)))
            .select_only()
            .columns([warehouse::Column::Id, warehouse::Column::ShortCode, warehouse::Column::Name])
            .into_model::<WarehouseAtNode>()
            .all(db)
            .await?;
        let warehouses: HashMap<_, _> =
            warehouses.into_iter().map(|warehouse| (warehouse.id, warehouse)).collect();
        let mut ends = Ends::load(db, scope, nodes.iter().map(|node| node.id)).await?;
        let detail = |node: ShippingNode| {
            let (incoming_legs, outgoing_legs) = ends.take(node.id);
            let warehouse = node.warehouse_id.and_then(|id| warehouses.get(&id)).cloned();
            ShippingNodeDetail { node, warehouse, incoming_legs, outgoing_legs }
        };
        Ok(nodes.into_iter().map(detail).collect())
    }
}

impl Managed for ShippingNodes {
    type Input = ShippingNodeInput;
    const UNVERSIONED_FIELDS: &'static [(&'static str, UnversionedField)] = &[
        ("warehouse", UnversionedField::Reference),
        ("incoming_legs", UnversionedField::Derived),
        ("outgoing_legs", UnversionedField::Derived),
    ];

    /// Updates a shipping node.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<ShippingNodeInput>>,
    ) -> Result<ShippingNodeDetail> {
        scope.claim::<Self>()?;
        let input = input.into();
        let version = input.version;
        let draft = Draft::new(input);
        let tx = db.begin().await?;
        let before = scope.get_locked::<Self>(&tx, id).await?;
        refuse_stale(version, before.version)?;
        let row = draft.row(&tx, scope).await?;
        let node = scope.update_from::<Self>(&tx, &before, row).await?;
        if node.name != before.name {
            leg::rename(&tx, scope, id).await?;
        }
        finish(tx, scope, node).await
    }
}

impl Creatable for ShippingNodes {
    /// Creates a shipping node.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<ShippingNodeInput>>,
    ) -> Result<ShippingNodeDetail> {
        scope.claim::<Self>()?;
        let draft = Draft::new(input.into());
        let tx = db.begin().await?;
        let row = draft.row(&tx, scope).await?;
        let node = scope.create::<Self>(&tx, row).await?;
        finish(tx, scope, node).await
    }
}

impl Deletable for ShippingNodes {
    /// Deletes a node and its closures. Refused while a leg begins or ends there.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        usage::delete::<Self>(db, scope, id, |_| Ok(())).await
    }
}

/// Days of a year on which a node does not work.
///
/// # Errors
/// At `year` if its holidays are not known.
pub async fn days_off(
    db: &impl ConnectionTrait,
    scope: &Scope,
    installation: &Installation,
    id: i64,
    year: i32,
) -> Result<DaysOff<NodeClosure>> {
    let days = calendar::days_of_year(year)?;
    let node = scope.get::<ShippingNodes>(db, id).await?;
    let closures = closure::find_in_days(db, scope, id, days).await?;
    Ok(DaysOff::new(installation, node.region, year, closures))
}

/// Detaches the warehouses of a tenant that is being deleted from their nodes.
pub async fn leave_warehouses(tx: &Write, scope: &Scope, tenant: TenantId) -> Result<()> {
    let nodes = scope.find::<ShippingNodes>().filter(Column::WarehouseTenantId.eq(tenant));
    for node in nodes.order_by_asc(Column::Id).lock(LockType::NoKeyUpdate).all(tx).await? {
        let row =
            ActiveModel { warehouse_tenant_id: Set(None), warehouse_id: Set(None), ..Default::default() };
        scope.update_from::<ShippingNodes>(tx, &node, row).await?;
    }
    Ok(())
}

async fn finish(tx: Write, scope: &Scope, node: ShippingNode) -> Result<ShippingNodeDetail> {
    let detail = ShippingNodes::detailed(&tx, scope, vec![node]).await?.remove(0);
    tx.commit().await?;
    Ok(detail)
}

/// Node of an input, before its warehouse is loaded.
struct Draft {
    row: ActiveModel,
    warehouse_id: Option<i64>,
    violations: Violations,
}

impl Draft {
    fn new(input: Validated<ShippingNodeInput>) -> Self {
        let (input, mut violations) = input.parts();
        let ShippingNodeInput { name, address, latitude, longitude, active, warehouse_id, region, .. } =
            input;
        match (latitude, longitude) {
            (Some(_), None) => violations.add("longitude", codes::COORDINATE_MISSING),
            (None, Some(_)) => violations.add("latitude", codes::COORDINATE_MISSING),
            _ => {}
        }
        let row = ActiveModel {
            name_fold: Set(fold(&name)),
            name: Set(name),
            address_fold: Set(fold(address.as_deref().unwrap_or_default())),
            address: Set(address),
            latitude: Set(latitude),
            longitude: Set(longitude),
            active: Set(active),
            region: Set(region),
            ..Default::default()
        };
        Self { row, warehouse_id, violations }
    }

    /// Converts the draft to a row and locks its warehouse until the transaction ends.
    async fn row(self, tx: &Write, scope: &Scope) -> Result<ActiveModel> {
        let Self { mut row, warehouse_id, mut violations } = self;
        let warehouse: Option<Warehouse> = match warehouse_id {
            None => None,
            Some(id) => {
                let select = scope.acting_for(None).find::<Warehouses>().filter(warehouse::Column::Id.eq(id));
                let warehouse = select.lock(LockType::KeyShare).one(tx).await?;
                if warehouse.is_none() {
                    violations.add("warehouse_id", codes::UNKNOWN_REFERENCE);
                }
                warehouse
            }
        };
        violations.check()?;
        row.warehouse_tenant_id = Set(warehouse.as_ref().map(|warehouse| warehouse.tenant_id));
        row.warehouse_id = Set(warehouse.map(|warehouse| warehouse.id));
        Ok(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_follow_the_shared_rules() {
        testkit::rules::check("shipping_node.json", |input: ShippingNodeInput| {
            Draft::new(input.into()).violations
        });
    }
}
