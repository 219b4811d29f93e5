//! Names of nodes, as their legs show them, with or without a lock.

use std::collections::{HashMap, HashSet};

use sea_orm::{
    ColumnTrait, ConnectionTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, sea_query::LockType,
};
use store::{Scope, Write};
use values::Result;

use super::entity::{Column, Entity as ShippingNodes, Model as ShippingNode};

/// Node as other records refer to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, FromQueryResult)]
pub struct NodeName {
    pub id: i64,
    pub name: String,
}

/// Loads the names of nodes, by id.
pub async fn names(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, NodeName>> {
    let select = scope.find::<ShippingNodes>().filter(Column::Id.is_in(ids));
    let select = select.select_only().columns([Column::Id, Column::Name]).into_model::<NodeName>();
    Ok(select.all(db).await?.into_iter().map(|node| (node.id, node)).collect())
}

/// Loads nodes and locks them and their names until the transaction ends. Nodes are always locked before
/// legs, to avoid deadlocks.
pub(in crate::shipping) async fn lock_nodes(
    tx: &Write,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, NodeName>> {
    let nodes = scope.find::<ShippingNodes>().filter(Column::Id.is_in(ids)).order_by_asc(Column::Id);
    let nodes = nodes.select_only().columns([Column::Id, Column::Name]).lock(LockType::NoKeyUpdate);
    let nodes = nodes.into_model::<NodeName>().all(tx).await?;
    Ok(nodes.into_iter().map(|node| (node.id, node)).collect())
}

/// Locks nodes in the same way, by their folded names.
pub(in crate::shipping) async fn lock_nodes_by_name(
    tx: &Write,
    scope: &Scope,
    names: impl IntoIterator<Item = String>,
) -> Result<HashMap<String, NodeName>> {
    let names: HashSet<String> = names.into_iter().collect();
    let nodes = scope.find::<ShippingNodes>().filter(Column::NameFold.is_in(names));
    let nodes = nodes.order_by_asc(Column::Id).lock(LockType::NoKeyUpdate).all(tx).await?;
    let keyed = |node: ShippingNode| (node.name_fold, NodeName { id: node.id, name: node.name });
    Ok(nodes.into_iter().map(keyed).collect())
}
