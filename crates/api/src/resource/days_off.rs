//! The days on which nobody works in a warehouse, as data: screens draw a calendar of them.

use chrono::NaiveDate;
use kernel::Weekday;
use logistics::{
    calendar::{holiday::Holiday, region::Region},
    warehouse::DaysOff,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resource::closures::ClosureView;

/// The days of a year on which nobody works in a warehouse: those outside the working week, public holidays and closures.
#[derive(Serialize, ToSchema)]
#[schema(as = DaysOff)]
pub(super) struct DaysOffView {
    /// Whose public holidays are kept: the warehouse's choice, or else the installation's.
    region: Region,
    working_week: Vec<Weekday>,
    public_holidays: Vec<PublicHolidayView>,
    /// Of the warehouse and of all that the tenant has.
    closures: Vec<ClosureView>,
}

/// A public holiday.
#[derive(Serialize, ToSchema)]
#[schema(as = PublicHoliday)]
struct PublicHolidayView {
    date: NaiveDate,
    holiday: Holiday,
}

impl From<DaysOff> for DaysOffView {
    fn from(DaysOff { region, working_week, public_holidays, closures }: DaysOff) -> Self {
        let holiday = |(date, holiday)| PublicHolidayView { date, holiday };
        Self {
            region,
            working_week,
            public_holidays: public_holidays.into_iter().map(holiday).collect(),
            closures: closures.into_iter().map(ClosureView::from).collect(),
        }
    }
}
