//! Error codes of imports. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use {sheets::codes::*, storage::codes::*, tenancy::codes::*};

values::codes! {
    // The request as a whole
    FILES_FORGOTTEN NotFound "files_forgotten"
    ALREADY_UNDONE Conflict "already_undone"
    NOT_QUEUED Conflict "not_queued"
    NOT_RUNNING Conflict "not_running"
    TRY_FIRST Conflict "try_first"
    REMOVALS_UNCONFIRMED Conflict "removals_unconfirmed"
    NOT_REPLACEABLE Invalid "not_replaceable"
    NOTHING_REMOVED Conflict "nothing_removed"
    MORE_WOULD_GO Conflict "more_would_go"
    NOTHING_APPLIED Conflict "nothing_applied"
    OTHER_WOULD_GO Conflict "other_would_go"
    NOTHING_TO_DELETE Invalid "nothing_to_delete"
    IMPORT_NOT_UNDOABLE Conflict "import_not_undoable"
    NOTHING_TO_UNDO Conflict "nothing_to_undo"
    ROWS_FORGOTTEN Conflict "rows_forgotten"
    NO_DRY_RUN Conflict "no_dry_run"

    // A field
    UNMATCHED Invalid "unmatched"

    // Imports: the file
    IMPORT_TYPE_UNSUPPORTED Invalid "import_type_unsupported"
    MAPPED_COLUMN_MISSING Invalid "mapped_column_missing"
    NO_SUCH_IMPORT_FIELD Invalid "no_such_import_field"
    FIELD_MAPPED_TWICE Invalid "field_mapped_twice"
    MORE_PROBLEMS Invalid "more_problems"
    NUMBER_ROUNDED Invalid "number_rounded"
    HIDDEN_ROWS_IMPORTED Invalid "hidden_rows_imported"
    NOT_CORRECTABLE Conflict "not_correctable"
    NOT_FOR_THIS_TYPE Invalid "not_for_this_type"
    IMPORT_TYPE_FIXED Invalid "import_type_fixed"
    SUM_ROWS_LEFT_OUT Invalid "sum_rows_left_out"
    FOOTNOTES_LEFT_OUT Invalid "footnotes_left_out"
    ROWS_SUMMED_UP Invalid "rows_summed_up"
    COLUMNS_NOT_READ Invalid "columns_not_read"
    HIDDEN_ROWS_LEFT_OUT Invalid "hidden_rows_left_out"
    NO_UNIT_EXPECTED Invalid "no_unit_expected"
    COLUMN_REFUSED Invalid "column_refused"
    NO_ROWS Invalid "no_rows"
    LISTS_EMPTY Invalid "lists_empty"
    NOTHING_UNDONE Invalid "nothing_undone"
    EDITED_SINCE Invalid "edited_since"
    GONE_SINCE Invalid "gone_since"
    MADE_AGAIN Invalid "made_again"
    USED_ELSEWHERE Invalid "used_elsewhere"
    NOT_AS_BEFORE Invalid "not_as_before"
    HELD_PRICE_DROPPED Invalid "held_price_dropped"
    ALL_ROWS_REFUSED Invalid "all_rows_refused"
    IMPORT_GIVEN_UP Invalid "import_given_up"
    IMPORT_HELD_UP Invalid "import_held_up"
    IMPORT_STOPPED Invalid "import_stopped"
    DRY_RUN_STOPPED Invalid "dry_run_stopped"
    WHOLE_IMPORT_STOPPED Invalid "whole_import_stopped"
    IMPORT_PAUSED Invalid "import_paused"
    CREATOR_GONE Invalid "creator_gone"
    TENANT_NOT_PERMITTED Invalid "tenant_not_permitted"

    // Imports: a row
    REPEATED_ROW Invalid "repeated_row"
    REPEATED_ITEM Invalid "repeated_item"
}
