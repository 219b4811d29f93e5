//! Shipping network of the installation with its names, cached until a node, a closure or a leg changes.
//!
//! It contains all closures, since times of any year can be requested: each takes about a hundred bytes.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use chrono::NaiveDate;
use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect};
use store::{CacheTopic, Compiled, Scope};
use values::{Result, fold};

use super::{
    check::{Finding, check},
    leg::{self, ShippingLeg, ShippingLegs, timetable::ExceptionType},
    network::{Leg, LegIndex, Network, Node, NodeIndex, TimetableException},
    node::{
        self, ShippingNode, ShippingNodes,
        closure::{self, NodeClosures},
    },
};
use crate::{
    cache_topics,
    calendar::{Calendar, Installation},
};

/// Nodes and legs at one moment.
#[derive(Debug)]
pub struct ShippingBook {
    /// Nodes, sorted by id; positions are those of the network.
    nodes: Vec<ShippingNode>,
    legs: Vec<ShippingLeg>,
    /// Closures by node id.
    closures: HashMap<i64, Vec<(NaiveDate, String)>>,
    /// Positions of nodes by folded name.
    by_name: HashMap<String, NodeIndex>,
    /// Positions of nodes by warehouse id.
    by_warehouse: HashMap<i64, NodeIndex>,
    network: OnceLock<(Installation, Arc<Network>)>,
    /// Findings of the last check, with its day.
    findings: Mutex<Option<(NaiveDate, Arc<Vec<Finding>>)>>,
}

impl Compiled for ShippingBook {
    const TOPIC: CacheTopic = cache_topics::SHIPPING;

    async fn compile(db: &impl ConnectionTrait) -> Result<Self> {
        let everything = &Scope::platform();
        let nodes = everything.find::<ShippingNodes>().order_by_asc(node::Column::Id).all(db).await?;
        let legs = everything.find::<ShippingLegs>().order_by_asc(leg::Column::Id).all(db).await?;
        let closures: Vec<(i64, NaiveDate, String)> = everything
            .find::<NodeClosures>()
            .select_only()
            .columns([closure::Column::ShippingNodeId, closure::Column::Date, closure::Column::Name])
            .into_tuple()
            .all(db)
            .await?;
        let mut by_node: HashMap<i64, Vec<(NaiveDate, String)>> = HashMap::new();
        for (node, date, name) in closures {
            by_node.entry(node).or_default().push((date, name));
        }
        Ok(Self::new(nodes, legs, by_node))
    }
}

impl ShippingBook {
    pub(crate) fn new(
        nodes: Vec<ShippingNode>,
        legs: Vec<ShippingLeg>,
        closures: HashMap<i64, Vec<(NaiveDate, String)>>,
    ) -> Self {
        let positions = || (0..).zip(&nodes);
        Self {
            by_name: positions().map(|(position, node)| (node.name_fold.clone(), position)).collect(),
            by_warehouse: positions()
                .filter_map(|(position, node)| Some((node.warehouse_id?, position)))
                .collect(),
            nodes,
            legs,
            closures,
            network: OnceLock::new(),
            findings: Mutex::default(),
        }
    }

    /// Returns the network in an installation's time zone and calendar. Only that of the first installation
    /// is cached, because a process has one.
    pub fn network(&self, installation: &Installation) -> Arc<Network> {
        let (cached_installation, network) =
            self.network.get_or_init(|| (installation.clone(), Arc::new(self.compile_network(installation))));
        if cached_installation == installation {
            return Arc::clone(network);
        }
        Arc::new(self.compile_network(installation))
    }

    fn compile_network(&self, installation: &Installation) -> Network {
        let nodes: Vec<Node> = self
            .nodes
            .iter()
            .map(|node| {
                let closures = self.closures.get(&node.id).into_iter().flatten().cloned();
                let calendar = Calendar::new(installation.clone(), node.region, closures);
                Node { id: node.id, is_active: node.active, calendar }
            })
            .collect();
        let positions: HashMap<i64, NodeIndex> =
            (0..).zip(&nodes).map(|(position, node)| (node.id, position)).collect();
        let position = |node: i64| positions.get(&node).copied().unwrap_or_default();
        let legs = self.legs.iter().map(|leg| Leg {
            id: leg.id,
            sender: position(leg.sending_node_id),
            receiver: position(leg.receiving_node_id),
            preparation: leg.preparation_duration,
            loading: leg.loading_duration,
            travel: leg.travel_duration,
            unloading: leg.unloading_duration,
            order_time: leg.order_time,
            departures: leg
                .departures
                .0
                .iter()
                .map(|departure| (departure.weekday, departure.time))
                .collect(),
            exceptions: leg.exceptions.0.iter().filter_map(exception).collect(),
        });
        let legs = legs.collect();
        Network::new(Calendar::new(installation.clone(), None, []), nodes, legs)
    }

    /// Position of the node with an id.
    pub fn position(&self, id: i64) -> Option<NodeIndex> {
        let position = self.nodes.binary_search_by_key(&id, |node| node.id).ok()?;
        NodeIndex::try_from(position).ok()
    }

    /// Position of the node with a name, ignoring case.
    pub fn position_by_name(&self, name: &str) -> Option<NodeIndex> {
        self.by_name.get(&fold(name)).copied()
    }

    /// Position of the node with a warehouse.
    pub fn position_of_warehouse(&self, warehouse: i64) -> Option<NodeIndex> {
        self.by_warehouse.get(&warehouse).copied()
    }

    /// Returns the node at a position of the network.
    pub fn node(&self, position: NodeIndex) -> &ShippingNode {
        &self.nodes[position as usize]
    }

    /// Returns the leg at a position of the network.
    pub fn leg(&self, position: LegIndex) -> &ShippingLeg {
        &self.legs[position as usize]
    }

    /// Returns the findings of the network check for a day. The first call for a day is expensive.
    pub fn findings(&self, installation: &Installation, today: NaiveDate) -> Arc<Vec<Finding>> {
        let mut cached = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((day, findings)) = &*cached
            && *day == today
        {
            return Arc::clone(findings);
        }
        let findings = Arc::new(check(&self.network(installation), &self.nodes, today));
        *cached = Some((today, Arc::clone(&findings)));
        findings
    }
}

/// Converts an exception for the search; an added departure without a time is ignored.
fn exception(exception: &leg::timetable::DepartureException) -> Option<TimetableException> {
    let leg::timetable::DepartureException { date, time, r#type } = *exception;
    match r#type {
        ExceptionType::Dropped => Some(TimetableException::Dropped { date, time }),
        ExceptionType::Added => time.map(|time| TimetableException::Added { date, time }),
    }
}
