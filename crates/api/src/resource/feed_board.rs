//! Board of feeds: a light for each, the worst first.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use feeds::{
    health::{self, FeedSigns, Light},
    settings::{self, fields::FileKind},
};
use http_api::{
    access::Authorized,
    answer::{OkJson, Unpaged, ok_json},
    input::RequestInfo,
    publish,
    routes::{Answer, Routes},
};
use serde::Serialize;
use tenancy::tenant;
use utoipa::ToSchema;
use values::{Language, TenantId, now};

use crate::{resource::tenants::TenantOfRecord, state::Server};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "feeds": view);
}

/// Maximum number of feeds on the board, the worst first.
const FEEDS_MAX: usize = 500;

/// Feed: the price file or the stock file of a tenant.
#[derive(Serialize, ToSchema)]
#[schema(as = FeedState)]
struct FeedView {
    tenant: TenantOfRecord,
    /// FTP settings of the feed.
    settings_id: i64,
    file: FileKind,
    /// Server that the file is fetched from.
    #[schema(example = "sftp.lieferant.example")]
    host: String,
    light: Light,
    /// Reason for a bad light and advice, in the language of `Accept-Language`.
    #[schema(required, example = "Der Server weist Benutzername oder Passwort ab.")]
    reason: Option<String>,
    /// Time at which the last file arrived; `null` before the first one.
    #[schema(required)]
    arrived_at: Option<DateTime<Utc>>,
    /// Name of that file on the server.
    #[schema(required, example = "bestand_20261128.csv")]
    file_name: Option<String>,
    /// Time by which the next file is due; `null` while the schedule is paused.
    #[schema(required)]
    expected_by: Option<DateTime<Utc>>,
    /// Time of the next run; `null` while the schedule is paused.
    #[schema(required)]
    next_run_at: Option<DateTime<Utc>>,
    /// Rows of the last import; `null` before the first one has ended, and without the permission
    /// `import.view`.
    #[schema(required)]
    rows: Option<FeedRows>,
}

/// Rows of the last import of a feed.
#[derive(Serialize, ToSchema)]
struct FeedRows {
    /// Id of the import.
    import_id: i64,
    /// Number of rows in its file.
    #[schema(example = 1980)]
    total: i64,
    /// Median row count of at most ten imports of the 60 days before it; `null` without any.
    #[schema(required, example = 2010)]
    usual: Option<i64>,
    /// Rows that were refused.
    #[schema(example = 12)]
    refused: i64,
    /// Rows that wait for a matching or a release.
    #[schema(example = 3)]
    waiting: i64,
}

impl FeedView {
    fn new(signs: FeedSigns, company: String, language: Language) -> Self {
        Self {
            tenant: TenantOfRecord { id: signs.feed.tenant.into(), company },
            settings_id: signs.feed.settings_id,
            file: signs.feed.kind,
            host: signs.host,
            light: signs.light,
            reason: signs.reason.map(|message| message.text(language)),
            arrived_at: signs.arrived_at,
            file_name: signs.file_name,
            expected_by: signs.expected_by,
            next_run_at: signs.next_run,
            rows: signs.rows.map(|rows| FeedRows {
                import_id: rows.import_id,
                total: rows.total,
                usual: rows.usual,
                refused: rows.refused,
                waiting: rows.waiting,
            }),
        }
    }
}

/// Shows the feeds of the caller's tenant, or of all tenants, each with a light: the worst first, at most
/// 500.
#[utoipa::path(get, path = "/api/admin/feeds")]
async fn view(
    by: Authorized<feeds::may::ConfigureFtpImport>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
) -> Answer<OkJson<Unpaged<FeedView>>> {
    let (db, scope, now) = (&state.db, by.scope(), now());
    let settings = settings::load_all(db, scope).await?;
    let mut feeds = health::load_enabled_feeds(db, state.time_zone(), &settings, now).await?;
    feeds.sort_by_key(|signs| (signs.light, signs.expected_by));
    feeds.truncate(FEEDS_MAX);
    if scope.may(imports::permissions::VIEW_IMPORT) {
        health::add_usual_rows(db, &mut feeds, now).await?;
    } else {
        for signs in &mut feeds {
            signs.rows = None;
        }
    }
    let companies = tenant::companies(db, scope, feeds.iter().map(|signs| signs.feed.tenant)).await?;
    let companies: HashMap<TenantId, String> = companies.into_iter().collect();
    let feeds = feeds.into_iter().map(|signs| {
        let company = companies.get(&signs.feed.tenant).cloned().unwrap_or_default();
        FeedView::new(signs, company, request.language)
    });
    Ok(ok_json(Unpaged { data: feeds.collect() }))
}
