//! Error codes of files with tables. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use values::codes::*;

values::codes! {
    // Imports: the file
    FILE_UNREADABLE Invalid "file_unreadable"
    FILE_ENCRYPTED Invalid "file_encrypted"
    FILE_PDF Invalid "file_pdf"
    FILE_XML Invalid "file_xml"
    FILE_HTML Invalid "file_html"
    FILE_DATANORM Invalid "file_datanorm"
    FILE_SAP_LIST Invalid "file_sap_list"
    SHEET_MISSING Invalid "sheet_missing"
    HEADER_LINE_MISSING Invalid "header_line_missing"
    FILE_OLD_EXCEL Invalid "file_old_excel"
    FILE_UTF16 Invalid "file_utf16"
    FILE_DAMAGED Invalid "file_damaged"
    LINE_TOO_LONG Invalid "line_too_long"
    FILE_TOO_LARGE Invalid "file_too_large"
    FILE_BOMB Invalid "file_bomb"
    TOO_MANY_ROWS Invalid "too_many_rows"
    TOO_MANY_COLUMNS Invalid "too_many_columns"
    COLUMN_MISSING Invalid "column_missing"
    COLUMN_DUPLICATE Invalid "column_duplicate"
    COLUMN_UNKNOWN Invalid "column_unknown"
    COLUMN_NAME_TOO_LONG Invalid "column_name_too_long"
    TABLE_EXPECTED Invalid "table_expected"
    DOCUMENT_EXPECTED Invalid "document_expected"
    DOCUMENT_DAMAGED Invalid "document_damaged"
    LISTS_MISSING Invalid "lists_missing"
    LIST_EXPECTED Invalid "list_expected"
    LIST_REPEATED Invalid "list_repeated"
    ENTRY_TOO_LONG Invalid "entry_too_long"

    // Imports: notes on how the file was read
    READ_AS Invalid "read_as"
    BROKEN_PLACES Invalid "broken_places"
    SHEET_READ Invalid "sheet_read"
    SHEETS_NOT_READ Invalid "sheets_not_read"

    // Exports
    WORKBOOK_FULL Invalid "workbook_full"

    // Imports: a row
    CELL_COUNT Invalid "cell_count"
    CELL_TOO_LONG Invalid "cell_too_long"
    UNCLOSED_QUOTE Invalid "unclosed_quote"
    FORMULA_ERROR Invalid "formula_error"
    INVALID_CHARACTERS Invalid "invalid_characters"
    CHARACTER_SET Invalid "character_set"
    OBJECT_EXPECTED Invalid "object_expected"
    TEXT_EXPECTED Invalid "text_expected"
}
