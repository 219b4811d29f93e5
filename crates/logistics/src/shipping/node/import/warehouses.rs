//! Warehouses that files of shipping nodes name by their short codes.

use std::collections::{HashMap, HashSet};

use sea_orm::{ColumnTrait, Condition, QueryFilter, QueryOrder, QuerySelect, sea_query::LockType};
use sheets::visible;
use store::{Scope, Write};
use values::{Message, Result, TenantId, fold};

use crate::{
    codes,
    shipping::node::{Column, ShippingNode, ShippingNodes},
    warehouse::{self, Warehouses},
};

/// Warehouse as a node refers to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WarehouseKey {
    pub(super) tenant_id: TenantId,
    pub(super) id: i64,
}

impl WarehouseKey {
    /// Returns the warehouse at a node.
    pub(super) fn at(node: &ShippingNode) -> Option<Self> {
        Some(Self { tenant_id: node.warehouse_tenant_id?, id: node.warehouse_id? })
    }
}

/// Warehouses, locked until the transaction ends, and the nodes that they are at.
#[derive(Debug, Default)]
pub(super) struct NamedWarehouses {
    /// Warehouses by their folded short codes, which are unique within a tenant.
    by_code: HashMap<String, Vec<WarehouseKey>>,
    /// Tenant whose warehouses take precedence.
    tenant: Option<TenantId>,
    /// Ids of nodes by warehouse id.
    nodes: HashMap<i64, i64>,
    /// Folded short codes that rows of several nodes name.
    repeated: HashSet<String>,
}

impl NamedWarehouses {
    /// Loads the warehouses of rows, each given by the name of its node and a short code.
    pub(super) async fn load(
        tx: &Write,
        scope: &Scope,
        rows: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self> {
        let mut names: HashMap<String, HashSet<String>> = HashMap::new();
        for (node, code) in rows {
            for code in [fold(&code), fold(&visible(&code))] {
                names.entry(code).or_default().insert(fold(&visible(&node)));
            }
        }
        let codes: Vec<_> = names.keys().cloned().collect();
        let condition = Condition::all().add(warehouse::Column::ShortCodeFold.is_in(codes));
        let repeated = names.into_iter().filter(|(_, nodes)| nodes.len() > 1).map(|(code, _)| code).collect();
        Ok(Self { repeated, tenant: scope.tenant().ok(), ..Self::find_all(tx, scope, condition).await? })
    }

    pub(super) async fn load_by_id(
        tx: &Write,
        scope: &Scope,
        ids: impl IntoIterator<Item = i64>,
    ) -> Result<Self> {
        let condition = Condition::all().add(warehouse::Column::Id.is_in(ids));
        Self::find_all(tx, scope, condition).await
    }

    async fn find_all(tx: &Write, scope: &Scope, condition: Condition) -> Result<Self> {
        let warehouses = scope.acting_for(None).find::<Warehouses>().filter(condition);
        let warehouses =
            warehouses.order_by_asc(warehouse::Column::Id).lock(LockType::KeyShare).all(tx).await?;
        let ids: Vec<i64> = warehouses.iter().map(|warehouse| warehouse.id).collect();
        let nodes = scope.find::<ShippingNodes>().filter(Column::WarehouseId.is_in(ids)).select_only();
        let nodes: Vec<(i64, i64)> =
            nodes.columns([Column::WarehouseId, Column::Id]).into_tuple().all(tx).await?;
        let mut by_code: HashMap<String, Vec<WarehouseKey>> = HashMap::new();
        for warehouse::Warehouse { id, tenant_id, short_code_fold, .. } in warehouses {
            by_code.entry(short_code_fold).or_default().push(WarehouseKey { tenant_id, id });
        }
        Ok(Self { by_code, nodes: nodes.into_iter().collect(), ..Self::default() })
    }

    /// Finds the warehouse with a short code: the one at the node, or else that of the tenant, or else the
    /// only one.
    pub(super) fn find(&self, code: &str, node: Option<&ShippingNode>) -> Result<WarehouseKey, Message> {
        let folded = fold(code);
        let keys = self.by_code.get(&folded).map_or(&[][..], Vec::as_slice);
        let is_at_node = |key: &&WarehouseKey| node.is_some_and(|node| node.warehouse_id == Some(key.id));
        let is_own = |key: &&WarehouseKey| Some(key.tenant_id) == self.tenant;
        let key = keys.iter().find(is_at_node).or_else(|| keys.iter().find(is_own));
        let key = key.or(if let [only] = keys { Some(only) } else { None });
        let key = key.ok_or_else(|| codes::UNKNOWN_NAME.with("value", code))?;
        if self.repeated.contains(&folded) || !self.is_free(*key, node) {
            return Err(codes::WAREHOUSE_AT_NODE.into());
        }
        Ok(*key)
    }

    /// Returns the former warehouse of a node, if it still exists and is at no other node.
    pub(super) fn restore(&self, node: &ShippingNode) -> Result<Option<WarehouseKey>, Message> {
        let Some(id) = node.warehouse_id else { return Ok(None) };
        let key = self.by_code.values().flatten().find(|key| key.id == id).ok_or(codes::UNKNOWN_REFERENCE)?;
        if self.is_free(*key, Some(node)) { Ok(Some(*key)) } else { Err(codes::WAREHOUSE_AT_NODE.into()) }
    }

    fn is_free(&self, key: WarehouseKey, node: Option<&ShippingNode>) -> bool {
        self.nodes.get(&key.id).is_none_or(|at| node.is_some_and(|node| node.id == *at))
    }
}
