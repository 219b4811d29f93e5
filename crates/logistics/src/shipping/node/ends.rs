//! Legs of nodes, each with the node at its other end.

use std::collections::HashMap;

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
};
use store::Scope;
use values::{Minutes, Result};

use super::name::{NodeName, names};
use crate::shipping::leg::entity::{Column, Entity as ShippingLegs};

/// Leg as one of its nodes shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegEnd {
    pub id: i64,
    /// Node at the other end.
    pub node: NodeName,
    pub travel_duration: Minutes,
    pub departures_per_week: i64,
}

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    sending_node_id: i64,
    receiving_node_id: i64,
    travel_duration: Minutes,
    departures_per_week: i64,
}

/// Legs by the node that shows them.
#[derive(Default)]
pub(super) struct Ends {
    incoming: HashMap<i64, Vec<LegEnd>>,
    outgoing: HashMap<i64, Vec<LegEnd>>,
}

impl Ends {
    /// Loads the legs that begin or end at nodes, sorted by name.
    pub(super) async fn load(
        db: &impl ConnectionTrait,
        scope: &Scope,
        nodes: impl IntoIterator<Item = i64>,
    ) -> Result<Self> {
        let nodes: Vec<i64> = nodes.into_iter().collect();
        let at_nodes = Condition::any()
            .add(Column::SendingNodeId.is_in(nodes.iter().copied()))
            .add(Column::ReceivingNodeId.is_in(nodes.iter().copied()));
        let legs = scope.find::<ShippingLegs>().filter(at_nodes).select_only().columns([
            Column::Id,
            Column::SendingNodeId,
            Column::ReceivingNodeId,
            Column::TravelDuration,
            Column::DeparturesPerWeek,
        ]);
        let legs = legs.order_by_asc(Column::NameSort).order_by_asc(Column::Id);
        let legs: Vec<Row> = legs.into_model().all(db).await?;
        let both = legs.iter().flat_map(|leg| [leg.sending_node_id, leg.receiving_node_id]);
        let names = names(db, scope, both).await?;
        let mut ends = Self::default();
        for leg in legs {
            let end = |node| LegEnd {
                id: leg.id,
                node: names.get(&node).cloned().unwrap_or_default(),
                travel_duration: leg.travel_duration,
                departures_per_week: leg.departures_per_week,
            };
            ends.outgoing.entry(leg.sending_node_id).or_default().push(end(leg.receiving_node_id));
            ends.incoming.entry(leg.receiving_node_id).or_default().push(end(leg.sending_node_id));
        }
        Ok(ends)
    }

    /// Removes and returns the incoming and the outgoing legs of a node.
    pub(super) fn take(&mut self, node: i64) -> (Vec<LegEnd>, Vec<LegEnd>) {
        let remove_legs = |legs: &mut HashMap<_, _>| legs.remove(&node).unwrap_or_default();
        (remove_legs(&mut self.incoming), remove_legs(&mut self.outgoing))
    }
}
