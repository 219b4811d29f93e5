//! Uploaded file and the job of applying it.

use sea_orm::{FromJsonQueryResult, entity::prelude::*};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::Instant;

use crate::{
    import::{
        mapping::Mapping,
        replay_cause::ReplayCause,
        settings::Settings,
        strategy::{ReplaceScope, Strategy},
    },
    import_type::ImportType,
};

/// Status of an import. The last four are final.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[schema(example = "PartialSuccess")]
pub enum ImportStatus {
    #[sea_orm(string_value = "Queued")]
    Queued,
    #[sea_orm(string_value = "InProgress")]
    InProgress,
    /// All rows were applied.
    #[sea_orm(string_value = "Success")]
    Success,
    /// Some rows were applied and others refused, or rows wait for a matching.
    #[sea_orm(string_value = "PartialSuccess")]
    PartialSuccess,
    /// Failure: no row was applied, because rows or the whole file were refused.
    #[sea_orm(string_value = "Failed")]
    Failed,
    #[sea_orm(string_value = "Cancelled")]
    Cancelled,
}

/// Headings of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Headings(pub Vec<String>);

/// Row of the table `import`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "import")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: i64,
    /// User who started it; `None` for a feed or an external API, or once that user is deleted.
    pub created_by: Option<i64>,
    /// Feed that has fetched its file.
    pub feed_id: Option<i64>,
    /// External API whose lists were fetched on a schedule.
    pub external_api_id: Option<i64>,
    pub name: Option<String>,
    pub name_fold: String,
    /// Folded name and file name; without a name also the words for the type.
    pub search_fold: String,
    pub r#type: ImportType,
    pub status: ImportStatus,
    pub status_message: Option<String>,
    pub dry_run: bool,
    /// True if rows that are hidden in the spreadsheet are left out.
    pub skip_hidden_rows: bool,
    /// True if the uploader may not see prices.
    #[sea_orm(column_name = "hides_prices")]
    pub hides_held: bool,
    pub strategy: Strategy,
    pub replace_scope: ReplaceScope,
    /// Number of removals in the dry run.
    pub removals_expected: Option<i64>,
    /// Target record of the file. It may be deleted by now.
    #[sea_orm(column_name = "price_list_id")]
    pub aim_id: Option<i64>,
    /// Dry run whose file this import applies.
    pub applies: Option<i64>,
    /// Import that this one undoes; it has no file then.
    pub undoes: Option<i64>,
    pub language: String,
    pub upload_file: String,
    pub upload_key: String,
    pub upload_size: i64,
    pub sha256: String,
    pub identical_to: Option<i64>,
    /// Import of which some rows are repeated.
    pub replays: Option<i64>,
    /// Reason for the repetition; `None` for old imports.
    pub replay_cause: Option<ReplayCause>,
    /// Number style, if it is known in advance: that of the import that is replayed.
    pub number_style: Option<String>,
    /// Mapping of the columns.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub mapping: Option<Mapping>,
    /// Settings for reading and completing the file; including recognised ones once a worker has begun.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub settings: Option<Settings>,
    /// Headings of the file and of its constants, once a worker has begun.
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub header: Option<Headings>,
    /// Key for offering the mapping to files with the same columns; `None` once the mapping is forgotten.
    pub header_key: Option<String>,
    pub rows_total: Option<i64>,
    /// Number of rows that the spreadsheet hides; known together with the total.
    pub rows_hidden: Option<i64>,
    pub rows_done: i64,
    pub rows_created: i64,
    pub rows_updated: i64,
    pub rows_unchanged: i64,
    pub rows_refused: i64,
    pub rows_held: i64,
    pub rows_unresolved: i64,
    pub rows_removed: i64,
    pub rows_skipped: i64,
    pub rows_kept: i64,
    pub started_at: Option<Instant>,
    pub finished_at: Option<Instant>,
    /// Time at which a worker has last claimed it.
    pub turn_at: Option<Instant>,
    pub lease_owner: Option<String>,
    pub lease_until: Option<Instant>,
    pub fence: i64,
    pub attempt: i64,
    pub checkpoint: i64,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `import`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(has_many = "super::refusal::entity::Entity")]
    Error,
}

impl Related<super::refusal::entity::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Error.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
