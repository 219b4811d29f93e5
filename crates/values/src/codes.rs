//! Error codes that several domains share. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

crate::codes! {
    // The request as a whole
    FORBIDDEN Forbidden "forbidden"
    PLATFORM_ONLY Forbidden "platform_only"
    BEYOND_OWN_RIGHTS Forbidden "beyond_own_rights"
    TENANT_MISMATCH Forbidden "tenant_mismatch"
    NOT_FOUND NotFound "not_found"
    STALE Conflict "stale"
    ORDER_CHANGED Conflict "order_changed"
    SELECTION_CHANGED Conflict "selection_changed"
    IN_USE Conflict "in_use"
    INVALID_INPUT Invalid "invalid"
    TENANT_REQUIRED Invalid "tenant_required"
    CURSOR_EXPIRED Gone "cursor_expired"
    BUSY Unavailable "busy"
    DATABASE_AWAY Unavailable "database_away"
    FILES_AWAY Unavailable "files_away"
    OUTCOME_UNKNOWN Unavailable "outcome_unknown"
    DISK_FULL NoRoom "disk_full"
    DISK_NEARLY_FULL NoRoom "disk_nearly_full"
    DISK_FAILS Unavailable "disk_fails"
    UNEXPECTED Internal "unexpected"

    // A body or a parameter
    UNKNOWN_PARAMETER Invalid "unknown_parameter"
    UNKNOWN_SORT Invalid "unknown_sort"
    UNKNOWN_OPERATOR Invalid "unknown_operator"
    INVALID_PARAMETER Invalid "invalid_parameter"
    DUPLICATE_PARAMETER Invalid "duplicate_parameter"
    UNKNOWN_FIELD Invalid "unknown_field"
    WRONG_TYPE Invalid "wrong_type"

    // A field
    REQUIRED Invalid "required"
    TOO_SHORT Invalid "too_short"
    TOO_LONG Invalid "too_long"
    TOO_FEW Invalid "too_few"
    TOO_MANY Invalid "too_many"
    NOT_PRINTABLE Invalid "not_printable"
    NOT_GREATER Invalid "not_greater"
    TOO_SMALL Invalid "too_small"
    TOO_BIG Invalid "too_big"
    NOT_WHOLE Invalid "not_whole"
    INVALID_DECIMAL Invalid "invalid_decimal"
    INVALID_DURATION Invalid "invalid_duration"
    INVALID_LEAD_TIME Invalid "invalid_lead_time"
    INVALID_CLOCK_TIME Invalid "invalid_clock_time"
    CONFIRMATION_MISMATCH Invalid "confirmation_mismatch"

    // Values and references
    RELEASE_NEEDED Conflict "release_needed"
    ENDS_BEFORE_START Invalid "ends_before_start"
    REFERENCES_DISAGREE Invalid "references_disagree"
    INVALID_SHORT_CODE Invalid "invalid_short_code"
    INVALID_EMAIL Invalid "invalid_email"
    EMAIL_CHARACTERS Invalid "email_characters"
    EMAIL_NAME_TOO_LONG Invalid "email_name_too_long"
    INVALID_MATERIAL_NUMBER Invalid "invalid_material_number"
    DUPLICATE Invalid "duplicate"
    TAKEN Invalid "taken"
    UNKNOWN_REFERENCE Invalid "unknown_reference"
    NOT_GRANTABLE Invalid "not_grantable"
    ABOVE_CEILING Invalid "above_ceiling"

    // Units
    UNKNOWN_UNIT Invalid "unknown_unit"
    WRONG_UNIT_CATEGORY Invalid "wrong_unit_category"

    // Imports: the file
    FILE_EMPTY Invalid "file_empty"

    // Imports: a row
    NOT_A_NUMBER Invalid "not_a_number"
    SCIENTIFIC_NUMBER Invalid "scientific_number"
}
