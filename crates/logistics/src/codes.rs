//! Error codes of stocks, warehouses and shipping. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use catalog::codes::*;

values::codes! {
    // The request as a whole
    MATCHING_DIFFERS Invalid "matching_differs"

    // A field
    INVALID_LEAD_MINUTES Invalid "invalid_lead_minutes"
    EXTERNAL_TAKEN Invalid "external_taken"
    MATCHING_EMPTY Invalid "matching_empty"
    TENANT_NAMED Invalid "tenant_named"
    NOT_THIS_TENANT Invalid "not_this_tenant"
    EXTERNAL_WAREHOUSE_DIFFERS Invalid "external_warehouse_differs"
    NOTHING_WAITS Conflict "nothing_waits"
    AMBIGUOUS_NUMBER Invalid "ambiguous_number"
    STOCK_TAKEN Invalid "stock_taken"
    QUANTITY_NOT_ALLOWED Invalid "quantity_not_allowed"
    NOT_EXACT Invalid "not_exact"
    NO_WEIGHT Invalid "no_weight"
    DIMENSION_NOT_EXTENDED Invalid "dimension_not_extended"
    LONGER_THAN_ARTICLE Invalid "longer_than_article"
    ARTICLE_OF_STOCK_FIXED Invalid "article_of_stock_fixed"
    INVALID_YEAR Invalid "invalid_year"

    // Calendars and shipping
    NO_WORKING_DAY Invalid "no_working_day"
    COORDINATE_MISSING Invalid "coordinate_missing"
    WAREHOUSE_AT_NODE Invalid "warehouse_at_node"
    SAME_NODE Invalid "same_node"
    LEG_TAKEN Invalid "leg_taken"
    TRAVEL_TAKES_TIME Invalid "travel_takes_time"
    EXCEPTIONS_CONTRADICT Invalid "exceptions_contradict"
    INVALID_DEPARTURES Invalid "invalid_departures"
    INVALID_EXCEPTIONS Invalid "invalid_exceptions"
    DAY_DROPPED Invalid "day_dropped"

    // Imports: the file
    CELL_UNIT_DIFFERS Invalid "cell_unit_differs"
    HEADING_OVERRULED Invalid "heading_overruled"

    // Imports: a row
    NOT_YES_NO Invalid "not_yes_no"
}
