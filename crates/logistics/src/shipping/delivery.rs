//! Deliveries: possible origins of an order, its destination node, and its arrival there.

use std::{collections::HashMap, ops::Range, sync::Arc};

use chrono::NaiveDate;
use sea_orm::{ColumnTrait, QueryFilter};
use store::{Database, Scope};
use values::{Instant, Minutes, Result};

use super::{
    book::ShippingBook,
    itinerary::{
        Itinerary, ItineraryAnswer, NoWay, Origin, earliest_arrival, earliest_itinerary, latest_departure,
    },
    network::{LegIndex, Network, NodeIndex},
    next_departures::{NextDeparture, next_departures},
    order_days::{OrderDay, order_days},
};
use crate::{
    calendar::{Installation, region::Region},
    stock::availability::{NoSource, Source},
    warehouse::{Column, Warehouses, closure},
};

/// Given time of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Time of the order.
    OrderedAt(Instant),
    /// Latest arrival.
    ArriveBy(Instant),
}

impl Moment {
    /// Time of the order or of the latest arrival.
    pub fn instant(self) -> Instant {
        match self {
            Self::OrderedAt(at) | Self::ArriveBy(at) => at,
        }
    }
}

/// Reason why an order cannot be delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoDelivery {
    NoWay(NoWay),
    NoSource(NoSource),
    /// The warehouses that could send the goods are at no shipping node.
    NoNode,
}

/// Possible origin of an order.
#[derive(Debug, Clone)]
pub struct DeliveryOrigin {
    pub node: NodeIndex,
    /// Warehouse there; `None` if the goods are available when the order is placed.
    pub source: Option<Source>,
}

/// Network and names at one moment.
#[derive(Debug, Clone)]
pub struct Shipping {
    pub book: Arc<ShippingBook>,
    network: Arc<Network>,
}

/// Order from one of several origins to a node.
#[derive(Debug, Clone)]
pub struct Delivery {
    pub shipping: Shipping,
    pub from: std::result::Result<Vec<DeliveryOrigin>, NoDelivery>,
    pub to: NodeIndex,
}

impl Shipping {
    /// Loads the network and its names from the cache.
    pub async fn load(db: &Database, scope: &Scope, installation: &Installation) -> Result<Self> {
        let book = db.compiled::<ShippingBook>(scope).await?;
        Ok(Self { network: book.network(installation), book })
    }

    /// Sending and receiving node of a leg.
    pub fn ends(&self, leg: LegIndex) -> (NodeIndex, NodeIndex) {
        let leg = self.network.leg(leg);
        (leg.sender, leg.receiver)
    }

    /// Regions of public holidays at both ends of a leg.
    pub fn regions(&self, leg: LegIndex) -> (Region, Region) {
        let (sender, receiver) = self.ends(leg);
        let region = |node| self.network.node(node).calendar.region();
        (region(sender), region(receiver))
    }

    /// Next departures of the leg with an id, and the region whose public holidays apply to its sender;
    /// `None` if there is no such leg.
    pub fn next_departures(&self, leg: i64, at: Instant) -> Option<(Vec<NextDeparture>, Region)> {
        let position = self.network.legs().iter().position(|candidate| candidate.id == leg)?;
        let position = LegIndex::try_from(position).ok()?;
        Some((next_departures(&self.network, position, at), self.regions(position).0))
    }

    /// Nodes of the warehouses that can send goods, or the reason why there is none.
    pub fn origins(
        &self,
        sources: std::result::Result<Vec<Source>, NoSource>,
    ) -> std::result::Result<Vec<DeliveryOrigin>, NoDelivery> {
        let place = |source: Source| {
            let node = self.book.position_of_warehouse(source.detail.warehouse.id)?;
            Some(DeliveryOrigin { node, source: Some(source) })
        };
        let places: Vec<_> = sources.map_err(NoDelivery::NoSource)?.into_iter().filter_map(place).collect();
        if places.is_empty() { Err(NoDelivery::NoNode) } else { Ok(places) }
    }
}

/// Loads the caller's own warehouses by id as sources without a lead time, with their calendars for a range
/// of days. Those of other tenants are treated as unknown.
pub async fn own_warehouses(
    db: &Database,
    scope: &Scope,
    installation: &Installation,
    ids: &[i64],
    days: Range<NaiveDate>,
) -> Result<HashMap<i64, Source>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let warehouses = scope.find::<Warehouses>().filter(Column::Id.is_in(ids.iter().copied()));
    let details =
        closure::with_calendars(db, scope, installation, warehouses.all(db).await?, days).await?.into_iter();
    Ok(details
        .map(|(id, (detail, calendar))| (id, Source { lead_time: Minutes::ZERO, calendar, detail }))
        .collect())
}

impl Delivery {
    /// Returns the origin at a position, as itineraries name it.
    pub fn origin(&self, origin: usize) -> Option<&DeliveryOrigin> {
        self.from.as_ref().ok()?.get(origin)
    }

    /// Calculates the arrival of an order, or the latest order that arrives in time. Expensive.
    ///
    /// # Errors
    /// At `at` if no warehouse has a known time of readiness.
    pub fn answer(&self, moment: Moment) -> Result<std::result::Result<ItineraryAnswer, NoDelivery>> {
        let places = match &self.from {
            Ok(places) => places,
            Err(reason) => return Ok(Err(*reason)),
        };
        let network = &self.shipping.network;
        let origins: Vec<_> = places.iter().map(DeliveryOrigin::origin).collect();
        let answer = match moment {
            Moment::OrderedAt(at) => earliest_arrival(network, &origins, self.to, at)?,
            Moment::ArriveBy(by) => latest_departure(network, &origins, self.to, by),
        };
        Ok(answer.map_err(NoDelivery::NoWay))
    }

    /// Calculates the itinerary of an order, without the latest order and alternatives. Expensive.
    ///
    /// # Errors
    /// At `at` if no warehouse has a known time of readiness.
    pub fn itinerary(&self, at: Instant) -> Result<std::result::Result<Itinerary, NoDelivery>> {
        let places = match &self.from {
            Ok(places) => places,
            Err(reason) => return Ok(Err(*reason)),
        };
        let origins: Vec<_> = places.iter().map(DeliveryOrigin::origin).collect();
        let itinerary = earliest_itinerary(&self.shipping.network, &origins, self.to, at)?;
        Ok(itinerary.map_err(NoDelivery::NoWay))
    }

    /// Calculates the arrivals of orders on fourteen days. Expensive.
    pub fn order_days(&self, at: Instant) -> std::result::Result<Vec<OrderDay>, NoDelivery> {
        let places = self.from.as_ref().map_err(|reason| *reason)?;
        let origins: Vec<_> = places.iter().map(DeliveryOrigin::origin).collect();
        order_days(&self.shipping.network, &origins, self.to, at).map_err(NoDelivery::NoWay)
    }
}

impl DeliveryOrigin {
    fn origin(&self) -> Origin<'_> {
        Origin { node: self.node, warehouse: self.source.as_ref().map(Source::preparation_rules) }
    }
}
