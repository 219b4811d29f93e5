//! Error codes of the catalog. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use imports::codes::*;

values::codes! {
    // Numbers of articles
    ARTICLE_NUMBER_TAKEN Invalid "article_number_taken"
    OTHER_NUMBER_TAKEN Invalid "other_number_taken"
    INVALID_GTIN Invalid "invalid_gtin"
    GTIN_CHECK_DIGIT Invalid "gtin_check_digit"

    // Attributes, article types, articles
    OPTION_REQUIRED Invalid "option_required"
    OPTIONS_NOT_ALLOWED Invalid "options_not_allowed"
    UNIT_CATEGORY_REQUIRED Invalid "unit_category_required"
    UNIT_CATEGORY_NOT_ALLOWED Invalid "unit_category_not_allowed"
    WEIGHT_NOT_ALLOWED Invalid "weight_not_allowed"
    OPTION_IN_USE Invalid "option_in_use"
    INVALID_PLACEHOLDER Invalid "invalid_placeholder"
    TYPE_IN_USE Invalid "type_in_use"
    TEMPLATE_TOO_LONG Invalid "template_too_long"
    PRIMARY_REQUIRED Invalid "primary_required"
    PRIMARY_MISSING Invalid "primary_missing"
    UNKNOWN_PLACEHOLDER Invalid "unknown_placeholder"
    PLACEHOLDER_FORMAT Invalid "placeholder_format"
    CUT_LENGTH_MISSING Invalid "cut_length_missing"
    UNBALANCED_BRACE Invalid "unbalanced_brace"
    VALUE_REQUIRED Invalid "value_required"
    WRONG_VALUE_KIND Invalid "wrong_value_kind"
    UNKNOWN_OPTION Invalid "unknown_option"
    FOREIGN_ATTRIBUTE Invalid "foreign_attribute"
    RANGE_REVERSED Invalid "range_reversed"
    RANGE_OVERLAP Invalid "range_overlap"
    RANGE_GAP Invalid "range_gap"
    OPEN_BELOW Invalid "open_below"
    OPEN_ABOVE Invalid "open_above"
    DIMENSION_NOT_MEASURED Invalid "dimension_not_measured"
    OPTIONS_NOT_MEASURED Invalid "options_not_measured"
    DIMENSION_MISSING Invalid "dimension_missing"
    SECTION_BASE_UNIT Invalid "section_base_unit"
    NOT_LENGTH_ITEMS Invalid "not_length_items"
    NO_CLUSTER Invalid "no_cluster"
    MATERIAL_REQUIRED Invalid "material_required"
    ARTICLE_TYPE_FIXED Invalid "article_type_fixed"
    ARTICLES_CHANGE Conflict "articles_change"
    ARTICLES_COLLIDE Invalid "articles_collide"
    ARTICLES_REFUSED Invalid "articles_refused"
    LADDER_CHANGES_ARTICLES Invalid "ladder_changes_articles"
    NUMBER_COLLIDES Invalid "number_collides"
    FIXED_BY_ARTICLES Invalid "fixed_by_articles"

    // Categories and pictures
    CATEGORY_CYCLE Invalid "category_cycle"
    SIBLING_TAKEN Invalid "sibling_taken"

    // Imports: a row
    UNKNOWN_NAME Invalid "unknown_name"
    UNKNOWN_ARTICLE_TYPE Invalid "unknown_article_type"
    UNKNOWN_MATERIAL Invalid "unknown_material"
    AMBIGUOUS_MATERIAL Invalid "ambiguous_material"
    FORMER_MATERIAL Invalid "former_material"
    NOT_CLEARABLE Invalid "not_clearable"
}
