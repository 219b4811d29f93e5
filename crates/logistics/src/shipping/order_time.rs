//! Latest order: the inverse of [`readiness`](crate::warehouse::readiness::ready), which tells when an order
//! is ready.

use chrono::{Days, NaiveDate, TimeDelta};
use values::{Instant, Minutes};

use crate::{
    calendar::{Calendar, HORIZON_DAYS},
    warehouse::readiness::{CutOffs, PreparationRules},
};

/// Latest time of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderBy {
    pub at: Instant,
    /// True if an order at exactly this time is early enough; at a cut-off it is too late.
    pub is_inclusive: bool,
}

impl OrderBy {
    /// Last whole minute at which an order is early enough.
    pub fn last_minute(self) -> Instant {
        if self.is_inclusive { self.at } else { self.at - TimeDelta::minutes(1) }
    }
}

/// Latest order that a warehouse completes by a time, including its lead time: the inverse of
/// [`PreparationRules::ready_with_lead_time`].
pub fn latest_order_with_lead_time(warehouse: &PreparationRules<'_>, ready_by: Instant) -> Option<OrderBy> {
    let PreparationRules { calendar, cut_offs, preparation, lead_time } = warehouse;
    let in_stock = latest_order(calendar, cut_offs, *preparation, ready_by)?;
    if *lead_time == Minutes::ZERO {
        return Some(in_stock);
    }
    let (days, rest) = lead_time.working_days();
    let at = calendar.before_working_days(in_stock.last_minute() - rest.elapsed(), days)?;
    Some(if in_stock.is_inclusive {
        OrderBy { at, is_inclusive: true }
    } else {
        OrderBy { at: at + TimeDelta::minutes(1), is_inclusive: false }
    })
}

/// Latest order that a warehouse completes by a time; `None` if there is none within [`HORIZON_DAYS`].
pub fn latest_order(
    calendar: &Calendar,
    cut_offs: &CutOffs,
    preparation: Minutes,
    ready_by: Instant,
) -> Option<OrderBy> {
    let begun_by = ready_by - preparation.elapsed();
    let mut day = calendar.day_of(begun_by);
    // Start of preparation for orders that have waited since the end of the examined day.
    let mut rolled = rolls_to(calendar, cut_offs, day.succ_opt()?);
    for _ in 0..HORIZON_DAYS {
        let next = day.succ_opt()?;
        let last_minute = calendar.beginning(next) - TimeDelta::minutes(1);
        let cut_off =
            cut_offs.on(chrono::Datelike::weekday(&day).into()).map(|time| calendar.moment(day, time));
        match cut_off {
            None => {
                let at = last_minute.min(begun_by);
                if at >= calendar.beginning(day) {
                    return Some(OrderBy { at, is_inclusive: true });
                }
            }
            Some(cut_off) => {
                if rolled.is_some_and(|begun| begun <= begun_by) {
                    return Some(OrderBy { at: last_minute, is_inclusive: true });
                }
                if calendar.day_off(day).is_none() && cut_off <= begun_by && cut_off > calendar.beginning(day)
                {
                    return Some(OrderBy { at: cut_off, is_inclusive: false });
                }
            }
        }
        rolled = preparation_of(calendar, cut_offs, day).or(rolled);
        day = day.checked_sub_days(Days::new(1))?;
    }
    None
}

/// Start of preparation on the first working day, from a day on.
fn rolls_to(calendar: &Calendar, cut_offs: &CutOffs, from: NaiveDate) -> Option<Instant> {
    from.iter_days().take(HORIZON_DAYS).find_map(|day| preparation_of(calendar, cut_offs, day))
}

/// Start of preparation on a day, for orders that have waited for it; `None` on a day off.
fn preparation_of(calendar: &Calendar, cut_offs: &CutOffs, day: NaiveDate) -> Option<Instant> {
    let begin = || calendar.beginning(day);
    let cut_off = cut_offs.on(chrono::Datelike::weekday(&day).into());
    calendar.day_off(day).is_none().then(|| cut_off.map_or_else(begin, |time| calendar.moment(day, time)))
}
