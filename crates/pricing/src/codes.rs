//! Error codes of prices. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use logistics::codes::*;

values::codes! {
    // The request as a whole
    TOTAL_CHANGED Conflict "total_changed"
    NOTHING_MENDED Conflict "nothing_mended"
    OTHER_PRICE_RELEASED Conflict "other_price_released"
    CHANGED_MEANWHILE Conflict "changed_meanwhile"
    PRICE_LIST_GONE Conflict "price_list_gone"
    LIST_OF_GROUP Conflict "list_of_group"
    PRICES_LOADING Unavailable "prices_loading"

    // A field
    NO_STOCK Invalid "no_stock"
    NOT_OWN_PRICE_LIST Forbidden "not_own_price_list"
    FOR_OWNER_ONLY Forbidden "for_owner_only"
    PRICE_LIST_EXPIRED Conflict "price_list_expired"
    PRICE_LIST_IN_FORCE Conflict "price_list_in_force"
    ONE_OWNER Invalid "one_owner"
    OWNER_FIXED Invalid "owner_fixed"
    FIXED_IN_FORCE Invalid "fixed_in_force"
    TOO_SOON Invalid "too_soon"
    NOT_LIMITED Invalid "not_limited"
    INTERNAL_FOR_OWNER Invalid "internal_for_owner"
    AUDIENCE_OF_GLOBAL Invalid "audience_of_global"
    EXCLUDES_NOBODY Invalid "excludes_nobody"
    NAMED_AND_EXCLUDED Invalid "named_and_excluded"
    BEFORE_ORIGINAL Invalid "before_original"
    BEHIND_ORIGINAL Invalid "behind_original"
    SAME_LIST Invalid "same_list"
    BELOW_ZERO Invalid "below_zero"
    ONE_CHANGE Invalid "one_change"
    ONE_VALUE Invalid "one_value"
    TABLE_IS_PER_TON Invalid "table_is_per_ton"
    CONSTRAINTS_NEED_ARTICLES Invalid "constraints_need_articles"
    NO_SURCHARGE_VALUE Invalid "no_surcharge_value"
    ADJUSTMENT_LACKS_VALUES Invalid "adjustment_lacks_values"
    SURCHARGE_CYCLE Invalid "surcharge_cycle"
    OTHER_KEYS Invalid "other_keys"
    KEYS_FIXED Invalid "keys_fixed"
    INVALID_MONTH Invalid "invalid_month"
    PAST_UNKNOWN Invalid "past_unknown"

    // Findings about price adjustments
    ADJUSTMENT_NEVER_APPLIES Invalid "adjustment_never_applies"
    ADJUSTMENT_EXPIRED Invalid "adjustment_expired"
    ADJUSTMENT_DUPLICATE Invalid "adjustment_duplicate"
    ADJUSTMENT_OVERLAP Invalid "adjustment_overlap"
    ADJUSTMENT_EMPTY_CATEGORY Invalid "adjustment_empty_category"
    ADJUSTMENT_SHADOWED Invalid "adjustment_shadowed"
    ADJUSTMENT_ORDER Invalid "adjustment_order"
    ADJUSTMENT_NOT_SAMPLED Invalid "adjustment_not_sampled"

    // Implausible prices
    PRICE_BASIS_TIMES Invalid "price_basis_times"
    PRICE_BASIS_PART Invalid "price_basis_part"
    PRICE_POINT_TIMES Invalid "price_point_times"
    PRICE_POINT_PART Invalid "price_point_part"
    PRICE_JUMP Invalid "price_jump"
    BELOW_INTERNAL Invalid "below_internal"
    LIST_BELOW_INTERNAL Invalid "list_below_internal"
    PRICE_SUSPICIOUS Invalid "price_suspicious"
    CONDITION_FORM Invalid "condition_form"
    CONDITION_TOO_DEEP Invalid "condition_too_deep"
    CONDITION_TEXT Invalid "condition_text"
    CONDITION_DIGITS Invalid "condition_digits"
    CONDITION_COMMA Invalid "condition_comma"
    UNIT_NOT_ALLOWED Invalid "unit_not_allowed"
    NO_PRICE Invalid "no_price"
    BELOW_FIRST_TIER Invalid "below_first_tier"
    PRICE_NOT_CONVERTIBLE Invalid "price_not_convertible"
    NO_PROCESSING_PRICE Invalid "no_processing_price"
    PROCESSING_PRICE_OF_SELLER Invalid "processing_price_of_seller"
    PROCESSING_PRICE_TAKEN Invalid "processing_price_taken"
    EXPLANATION_TOO_LARGE Invalid "explanation_too_large"
    AMOUNT_TOO_LARGE Invalid "amount_too_large"
    QUANTITY_BELOW_MINIMUM Invalid "quantity_below_minimum"
    QUANTITY_ABOVE_MAXIMUM Invalid "quantity_above_maximum"
    QUANTITY_NOT_MULTIPLE Invalid "quantity_not_multiple"

    // Imports: the file
    NOT_A_PRICE_BASIS Invalid "not_a_price_basis"
    FOREIGN_CURRENCY Invalid "foreign_currency"
    OTHER_CURRENCY Invalid "other_currency"
    PRICE_BASES_DIFFER Invalid "price_bases_differ"

    // Price files of feeds
    FEED_PRICE_LIST_MISSING Invalid "feed_price_list_missing"
}
