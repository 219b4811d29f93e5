//! The days on which nobody works in a place, as data: screens draw a calendar of them.

use chrono::NaiveDate;
use kernel::Weekday;
use logistics::{
    calendar::{DaysOff, holiday::Holiday, region::Region},
    shipping::node::closure::NodeClosure,
    warehouse::closure::Closure,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resource::{closures::ClosureView, shipping_node_closures::NodeClosureView};

/// Declares the days off of a place whose closures are of a kind.
macro_rules! days_off_view {
    ($(#[$about:meta])* $view:ident as $schema:ident, $closure:ident => $closures:ident, $(#[$note:meta])*) => {
        $(#[$about])*
        #[derive(Serialize, ToSchema)]
        #[schema(as = $schema)]
        pub(super) struct $view {
            /// The region whose public holidays are kept: that of the place, or else the installation's.
            region: Region,
            working_week: Vec<Weekday>,
            public_holidays: Vec<PublicHolidayView>,
            $(#[$note])*
            closures: Vec<$closures>,
        }

        impl From<DaysOff<$closure>> for $view {
            fn from(DaysOff { region, working_week, public_holidays, closures }: DaysOff<$closure>) -> Self {
                let holiday = |(date, holiday)| PublicHolidayView { date, holiday };
                Self {
                    region,
                    working_week,
                    public_holidays: public_holidays.into_iter().map(holiday).collect(),
                    closures: closures.into_iter().map($closures::from).collect(),
                }
            }
        }
    };
}

days_off_view! {
    /// The days of a year on which nobody works in a warehouse: those outside the working week, public holidays and closures.
    DaysOffView as DaysOff, Closure => ClosureView,
    /// Of the warehouse and of all that the tenant has.
}

days_off_view! {
    /// The days of a year on which nobody works at a shipping node: those outside the working week, public holidays and closures.
    NodeDaysOffView as ShippingNodeDaysOff, NodeClosure => NodeClosureView,
}

/// A public holiday.
#[derive(Serialize, ToSchema)]
#[schema(as = PublicHoliday)]
struct PublicHolidayView {
    date: NaiveDate,
    holiday: Holiday,
}
