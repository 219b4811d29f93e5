//! Deliveries: the places that an order can come from, the node that it goes to, and when it arrives there.

use std::{collections::HashMap, ops::Range, sync::Arc};

use chrono::NaiveDate;
use kernel::{Database, Instant, Minutes, Result, Scope};
use sea_orm::{ColumnTrait, QueryFilter};

use super::{
    book::ShippingBook,
    itinerary::{Answer, Itinerary, NoWay, Origin, earliest_arrival, earliest_itinerary, latest_departure},
    network::{LegIndex, Network, NodeIndex},
    next_departures::{NextDeparture, next_departures},
    order_days::{OrderDay, order_days},
};
use crate::{
    calendar::{Installation, region::Region},
    stock::availability::{NoSource, Source},
    warehouse::{Column, Warehouses, closure},
};

/// The moment that a delivery begins or ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The moment of the order.
    OrderedAt(Instant),
    /// The latest arrival.
    ArriveBy(Instant),
}

impl Moment {
    pub fn instant(self) -> Instant {
        match self {
            Self::OrderedAt(at) | Self::ArriveBy(at) => at,
        }
    }
}

/// The reason why an order is not delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoDelivery {
    NoWay(NoWay),
    NoSource(NoSource),
    /// The warehouses that could send the goods stand at no shipping node.
    NoNode,
}

/// A place that an order can come from.
#[derive(Debug, Clone)]
pub struct DeliveryOrigin {
    pub node: NodeIndex,
    /// The warehouse there; without one, goods are there when the order is placed.
    pub source: Option<Source>,
}

/// The network as it was at one moment, with its names.
#[derive(Debug, Clone)]
pub struct Shipping {
    pub book: Arc<ShippingBook>,
    network: Arc<Network>,
}

/// An order on its way from one of some places to a node.
#[derive(Debug, Clone)]
pub struct Delivery {
    pub shipping: Shipping,
    pub from: std::result::Result<Vec<DeliveryOrigin>, NoDelivery>,
    pub to: NodeIndex,
}

impl Shipping {
    pub async fn load(db: &Database, scope: &Scope, installation: &Installation) -> Result<Self> {
        let book = db.compiled::<ShippingBook>(scope).await?;
        Ok(Self { network: book.network(installation), book })
    }

    /// The nodes at which a leg begins and ends.
    pub fn ends(&self, leg: LegIndex) -> (NodeIndex, NodeIndex) {
        let leg = self.network.leg(leg);
        (leg.sender, leg.receiver)
    }

    /// The regions of public holidays at both ends of a leg.
    pub fn regions(&self, leg: LegIndex) -> (Region, Region) {
        let (sender, receiver) = self.ends(leg);
        let region = |node| self.network.node(node).calendar.region();
        (region(sender), region(receiver))
    }

    /// The next departures of the leg with an id, and the region whose public holidays its sender keeps; `None` without such a leg.
    pub fn next_departures(&self, leg: i64, at: Instant) -> Option<(Vec<NextDeparture>, Region)> {
        let position = self.network.legs().iter().position(|known| known.id == leg)?;
        let position = LegIndex::try_from(position).ok()?;
        Some((next_departures(&self.network, position, at), self.regions(position).0))
    }

    /// The nodes of warehouses that can send goods; or the reason why there is none.
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

/// Warehouses of the caller's own, by their ids, from which orders are sent at once, with their calendars of some days. Those of others
/// are as unknown as those that do not exist.
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
    let found =
        closure::with_calendars(db, scope, installation, warehouses.all(db).await?, days).await?.into_iter();
    Ok(found
        .map(|(id, (detail, calendar))| (id, Source { lead_time: Minutes::ZERO, calendar, detail }))
        .collect())
}

impl Delivery {
    /// The place that an itinerary begins at, by its position.
    pub fn origin(&self, origin: usize) -> Option<&DeliveryOrigin> {
        self.from.as_ref().ok()?.get(origin)
    }

    /// Finds when an order of a moment arrives, or the latest order that arrives by a moment. It calculates for some time.
    ///
    /// # Errors
    /// At `at` when no warehouse can say when it is ready.
    pub fn answer(&self, moment: Moment) -> Result<std::result::Result<Answer, NoDelivery>> {
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

    /// Finds the way of an order of a moment, without the latest order and alternatives. It calculates for some time.
    ///
    /// # Errors
    /// At `at` when no warehouse can say when it is ready.
    pub fn itinerary(&self, at: Instant) -> Result<std::result::Result<Itinerary, NoDelivery>> {
        let places = match &self.from {
            Ok(places) => places,
            Err(reason) => return Ok(Err(*reason)),
        };
        let origins: Vec<_> = places.iter().map(DeliveryOrigin::origin).collect();
        let itinerary = earliest_itinerary(&self.shipping.network, &origins, self.to, at)?;
        Ok(itinerary.map_err(NoDelivery::NoWay))
    }

    /// Finds when the orders of fourteen days arrive. It calculates for some time.
    pub fn order_days(&self, at: Instant) -> std::result::Result<Vec<OrderDay>, NoDelivery> {
        let places = self.from.as_ref().map_err(|reason| *reason)?;
        let origins: Vec<_> = places.iter().map(DeliveryOrigin::origin).collect();
        order_days(&self.shipping.network, &origins, self.to, at).map_err(NoDelivery::NoWay)
    }
}

impl DeliveryOrigin {
    fn origin(&self) -> Origin<'_> {
        Origin { node: self.node, warehouse: self.source.as_ref().map(Source::preparing) }
    }
}
