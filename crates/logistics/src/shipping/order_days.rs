//! Arrivals of the orders on several days: each arrival with the latest order for it.

use chrono::{NaiveDate, TimeDelta};
use values::Instant;

use super::{
    itinerary::{Alternative, NoWay, Origin, Search},
    network::{Network, NodeIndex},
};

/// Number of days in an answer, including the first.
pub const ORDER_DAYS: usize = 14;
/// Maximum number of arrivals of one day.
pub const ORDERS_MAX: usize = 6;

/// Arrivals of the orders of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderDay {
    pub date: NaiveDate,
    /// Arrivals in chronological order. The first applies from the beginning of the day on, or from the
    /// requested time; each other one to orders after the one before. The last one may also apply to orders
    /// of later days. Empty if no order arrives.
    pub orders: Vec<Alternative>,
}

/// Calculates the arrivals of orders from a time on.
///
/// # Errors
/// Returns the reason if none of these orders arrives.
pub fn order_days(
    network: &Network,
    origins: &[Origin<'_>],
    destination: NodeIndex,
    at: Instant,
) -> Result<Vec<OrderDay>, NoWay> {
    let search = Search::new(network, origins, destination)?;
    let clock = network.clock();
    let minute = TimeDelta::minutes(1);
    let mut days = Vec::with_capacity(ORDER_DAYS);
    // Last arrival found for orders of the days before.
    let mut current: Option<Alternative> = None;
    for date in clock.day_of(at).iter_days().take(ORDER_DAYS) {
        let end = date.succ_opt().map_or(at, |next| clock.beginning(next));
        let mut from = clock.beginning(date).max(at);
        let mut orders = Vec::new();
        while from < end && orders.len() < ORDERS_MAX {
            let still_valid = current.filter(|alternative| alternative.order_by.last_minute() >= from);
            let Some(order) = still_valid.or_else(|| search.alternative(from)) else { break };
            orders.push(order);
            from = from.max(order.order_by.last_minute()) + minute;
            current = Some(order);
        }
        days.push(OrderDay { date, orders });
    }
    if days.iter().all(|day| day.orders.is_empty()) {
        return Err(NoWay::NoDeparture);
    }
    Ok(days)
}
