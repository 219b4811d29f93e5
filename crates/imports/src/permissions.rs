//! Permissions for imports.

values::permissions! {
    LIST_IMPORTS ListImports "import.list"
    VIEW_IMPORT ViewImport "import.view"
    CREATE_IMPORT CreateImport "import.create"
    DELETE_IMPORT DeleteImport "import.delete"
}
