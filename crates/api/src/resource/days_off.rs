//! Views of the days off of a warehouse or shipping node, for a calendar.

use chrono::NaiveDate;
use logistics::{
    calendar::{DaysOff, holiday::Holiday, region::Region},
    shipping::node::closure::NodeClosure,
    warehouse::closure::Closure,
};
use serde::Serialize;
use utoipa::ToSchema;
use values::Weekday;

use crate::resource::{closures::ClosureView, shipping_node_closures::NodeClosureView};

/// Declares the view of the days off of a place, with its kind of closures.
macro_rules! days_off_view {
    ($(#[$about:meta])* $view:ident as $schema:ident, $closure:ident => $closures:ident, $(#[$note:meta])*) => {
        $(#[$about])*
        #[derive(Serialize, ToSchema)]
        #[schema(as = $schema)]
        pub(super) struct $view {
            /// Region whose public holidays apply: that of the place, otherwise the installation's.
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
    /// Days off of a warehouse in a year: days outside the working week, public holidays and closures.
    DaysOffView as DaysOff, Closure => ClosureView,
    /// Closures of this warehouse, and those that apply to all of the tenant's warehouses.
}

days_off_view! {
    /// Days off of a shipping node in a year: days outside the working week, public holidays and closures.
    NodeDaysOffView as ShippingNodeDaysOff, NodeClosure => NodeClosureView,
}

/// A public holiday.
#[derive(Serialize, ToSchema)]
#[schema(as = PublicHoliday)]
struct PublicHolidayView {
    date: NaiveDate,
    holiday: Holiday,
}
