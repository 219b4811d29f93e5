//! FTP settings over HTTP: the server of a tenant's files, their schedules and the next runs.

mod connection_test;
mod runs;

use chrono::{DateTime, NaiveDateTime, Utc};
use feeds::{
    may,
    settings::{
        self, FtpInstallation, FtpSettings, FtpSettingsDetail, FtpSettingsInput, FtpSettingsTable,
        ProfileName,
        fields::{
            AfterReading, FileKind, FtpProtocol, HostKeyInput, PriceFile, ScheduleInput, Schedules,
            StockFile, Transformer,
        },
        rules,
    },
    timetable::{Reason, Run},
};
use http_api::{
    access::{Authorized, ReadOnlyPost},
    answer::{OkJson, ok_json},
    input::{Body, Db, Id},
    publish,
    routes::{Answer, Routes},
};
use lists::{Creatable, Detailed, Managed};
use serde::{Deserialize, Serialize};
use store::Scope;
use utoipa::ToSchema;
use values::{ClockTime, Result, Validated, Violations, now};

use crate::{
    codes,
    resource::{
        crud::{operations, view_of},
        tenants::TenantReference,
        view::HasView,
    },
    state::{Server, State},
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<FtpSettingsTable>(routes, "/api/admin/ftp-settings")
        .list::<may::ConfigureFtpImport>("Lists FTP settings; a tenant has one set at most.")
        .create::<may::ConfigureFtpImport>("Creates the FTP settings of the acting tenant.")
        .view::<may::ConfigureFtpImport>("Shows FTP settings, without password and key.")
        .update::<may::ConfigureFtpImport>(
            "Changes FTP settings. Password and key are removed if the host, port, protocol or user name changes and they are not entered again.",
        )
        .delete::<may::ConfigureFtpImport>("Deletes FTP settings with their password and schedules.");
    publish!(routes, FtpSettingsTable: options, preview_runs, next_runs, pause, resume, trust_host_key);
    runs::routes(routes);
    connection_test::routes(routes);
}

view_of! {
    /// Server of a tenant's files, the files, and their schedules.
    FtpSettingsView as FtpSettings, of detail: FtpSettingsDetail, row detail.settings;
    tenant: TenantReference = TenantReference::new(detail.settings.tenant_id, detail.tenant),
    protocol: FtpProtocol = detail.settings.protocol,
    /// Name or IP address of the server.
    #[schema(example = "sftp.lieferant.example")]
    host: String = detail.settings.host,
    /// Port of the server.
    #[schema(example = 22)]
    port: i64 = detail.settings.port,
    /// User name on the server.
    #[schema(example = "nordstahl")]
    username: String = detail.settings.username,
    /// True if a password is stored; it is never shown.
    password_set: bool = detail.settings.password_set_at.is_some(),
    /// True if a private key is stored; it is never shown.
    private_key_set: bool = detail.settings.private_key_set_at.is_some(),
    /// True if the private key has a passphrase; it is never shown.
    private_key_passphrase_set: bool = detail.settings.private_key_passphrase_sealed.is_some(),
    /// Trusted key of an SFTP server, with its algorithm and fingerprint; `null` until a key is trusted.
    #[schema(required, example = "ssh-ed25519 SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8")]
    host_key: Option<String> = detail.settings.host_key,
    /// CA certificates (PEM) that are trusted for the server.
    #[schema(required, example = "-----BEGIN CERTIFICATE-----")]
    ca_certificate: Option<String> = detail.settings.ca_certificate,
    /// Folder on the server that holds the files.
    #[schema(required, example = "/export")]
    base_path: Option<String> = detail.settings.base_path,
    price_file: PriceFile = detail.settings.price_file,
    /// Import profile for the price file.
    #[schema(required)]
    price_profile: Option<ProfileView> = detail.price_profile.map(ProfileView::from),
    stock_file: StockFile = detail.settings.stock_file,
    /// Import profile for the stock file.
    #[schema(required)]
    stock_profile: Option<ProfileView> = detail.stock_profile.map(ProfileView::from),
    schedules: Schedules = detail.settings.schedules,
    after_reading: AfterReading = detail.settings.after_reading,
    /// Folder below the base path that files are moved to.
    #[schema(required, example = "erledigt")]
    processed_folder: Option<String> = detail.settings.processed_folder,
}

view_of! {
    /// An import profile that settings name.
    part ProfileView as FtpImportProfile, of profile: ProfileName;
    /// Id of the import profile.
    id: i64 = profile.id,
    /// Name of the profile; `null` if the caller may not see it.
    #[schema(required, example = "Bestandsliste aus dem ERP")]
    name: Option<String> = profile.name,
}

impl HasView for FtpSettingsTable {
    type Source = State;
    type View = FtpSettingsView;
}

impl Detailed<State> for FtpSettingsTable {
    type Detail = FtpSettingsDetail;

    async fn detailed(
        state: &State,
        scope: &Scope,
        rows: Vec<FtpSettings>,
    ) -> Result<Vec<FtpSettingsDetail>> {
        Self::detailed(&state.db, scope, rows).await
    }
}

impl Managed<State> for FtpSettingsTable {
    type Input = FtpSettingsInput;

    async fn update(
        state: &State,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<FtpSettingsInput>>,
    ) -> Result<FtpSettingsDetail> {
        settings::update(installation(state), scope, id, input).await
    }
}

impl Creatable<State> for FtpSettingsTable {
    async fn create(
        state: &State,
        scope: &Scope,
        input: impl Into<Validated<FtpSettingsInput>>,
    ) -> Result<FtpSettingsDetail> {
        settings::create(installation(state), scope, input).await
    }
}

fn installation(state: &State) -> FtpInstallation<'_> {
    FtpInstallation {
        db: &state.db,
        keys: &state.keys,
        zone: state.time_zone(),
        allows_plain_ftp: state.settings.plain_ftp,
    }
}

/// Choices that this server offers.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpSettingsOptions)]
struct OptionsView {
    /// False if the server has no key to encrypt passwords: no password can be saved.
    #[schema(example = true)]
    secrets_available: bool,
    /// True if FTP without encryption may be chosen.
    #[schema(example = false)]
    plain_ftp_allowed: bool,
    /// Transformers for the formats of files.
    transformers: &'static [Transformer],
}

/// Shows the choices for FTP settings on this server.
#[utoipa::path(get, path = "/api/admin/ftp-settings/options")]
async fn options(
    _: Authorized<may::ConfigureFtpImport>,
    Server(state): Server,
) -> Answer<OkJson<OptionsView>> {
    let FtpInstallation { keys, allows_plain_ftp, .. } = installation(&state);
    Ok(ok_json(OptionsView {
        secrets_available: keys.is_configured(),
        plain_ftp_allowed: allows_plain_ftp,
        transformers: Transformer::ALL,
    }))
}

/// Next runs of a schedule.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpRuns)]
pub(super) struct RunsView {
    /// Next runs in their order, at most five.
    runs: Vec<RunView>,
}

/// Next runs for each kind of files that is fetched.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpNextRuns)]
struct NextRunsView {
    /// Runs for the price file; empty if it is not fetched, or its schedule is paused.
    price: Vec<RunView>,
    /// Runs for the stock file, likewise.
    stock: Vec<RunView>,
}

/// Run, and the reasons if its time differs from the schedule.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpRun)]
struct RunView {
    /// Time of the run.
    at: DateTime<Utc>,
    /// Local date and time of the run, in the installation's time zone.
    #[schema(value_type = String, example = "2026-12-31T06:00:00")]
    shown: NaiveDateTime,
    /// Reasons for a time that differs from the schedule; usually none.
    reasons: Vec<RunReasonView>,
}

/// Reason why the time of a run differs from its schedule; fields of other reasons are `null`.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpRunReason)]
struct RunReasonView {
    code: RunReasonCode,
    /// Day that the month does not have, with `last_day_of_month`.
    #[schema(required, example = 31)]
    day: Option<u32>,
    /// Local time that is skipped or occurs twice, with `clock_forward` and `clock_back`.
    #[schema(required)]
    time: Option<ClockTime>,
}

/// Reasons for another time: the month is shorter, the clock is put forward or back, or two runs coincide.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpRunReasonCode)]
#[serde(rename_all = "snake_case")]
enum RunReasonCode {
    LastDayOfMonth,
    ClockForward,
    ClockBack,
    Together,
}

impl RunsView {
    pub(super) fn new(runs: Vec<Run>) -> Self {
        Self { runs: runs.into_iter().map(RunView::from).collect() }
    }
}

/// Returns the next runs of a schedule that is not saved.
///
/// # Errors
/// All errors of the schedule, at its fields.
pub(super) fn entered_runs(state: &State, input: Validated<ScheduleInput>) -> Result<RunsView> {
    let (input, mut wrong) = input.parts();
    let timetable = rules::timetable(&input.schedule, "schedule", &mut wrong);
    wrong.check()?;
    let timetable = timetable.ok_or_else(|| Violations::error("schedule", codes::REQUIRED))?;
    Ok(RunsView::new(timetable.runs(state.time_zone(), now(), settings::RUNS_SHOWN)))
}

impl From<Run> for RunView {
    fn from(Run { at, local_time, reasons }: Run) -> Self {
        Self { at, shown: local_time, reasons: reasons.into_iter().map(RunReasonView::from).collect() }
    }
}

impl From<Reason> for RunReasonView {
    fn from(reason: Reason) -> Self {
        let (code, day, time) = match reason {
            Reason::LastDayOfMonth { day } => (RunReasonCode::LastDayOfMonth, Some(day.number()), None),
            Reason::ClockForward { time } => (RunReasonCode::ClockForward, None, Some(time)),
            Reason::ClockBack { time } => (RunReasonCode::ClockBack, None, Some(time)),
            Reason::Together => (RunReasonCode::Together, None, None),
        };
        Self { code, day, time }
    }
}

/// Shows the next five runs of a schedule before it is saved.
#[utoipa::path(post, path = "/api/admin/ftp-settings/next-runs")]
async fn preview_runs(
    _: ReadOnlyPost<Authorized<may::ConfigureFtpImport>>,
    Server(state): Server,
    Body(input): Body<Validated<ScheduleInput>>,
) -> Answer<OkJson<RunsView>> {
    Ok(ok_json(entered_runs(&state, input)?))
}

/// Shows the next five runs for each kind of files that is fetched, with the reasons for their times.
#[utoipa::path(get, path = "/api/admin/ftp-settings/{id}/next-runs")]
async fn next_runs(
    by: Authorized<may::ConfigureFtpImport>,
    Server(state): Server,
    Id(id): Id,
) -> Answer<OkJson<NextRunsView>> {
    let zone = installation(&state).zone;
    let mut view = NextRunsView { price: Vec::new(), stock: Vec::new() };
    for (kind, runs) in settings::next_runs(&state.db, by.scope(), zone, id, now()).await? {
        let runs = runs.into_iter().map(RunView::from).collect();
        match kind {
            FileKind::Price => view.price = runs,
            FileKind::Stock => view.stock = runs,
        }
    }
    Ok(ok_json(view))
}

/// File whose schedule is paused or resumed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FtpPauseInput {
    file: FileKind,
}

/// Pauses the schedule of a file. A run in progress does not import any more.
#[utoipa::path(post, path = "/api/admin/ftp-settings/{id}/pause")]
async fn pause(
    by: Authorized<may::ConfigureFtpImport>,
    Server(state): Server,
    Id(id): Id,
    Body(FtpPauseInput { file }): Body<FtpPauseInput>,
) -> Answer<OkJson<FtpSettingsView>> {
    Ok(ok_json(settings::set_paused(installation(&state), by.scope(), id, file, true).await?))
}

/// Resumes the schedule of a file; missed runs are not made up for.
#[utoipa::path(post, path = "/api/admin/ftp-settings/{id}/resume")]
async fn resume(
    by: Authorized<may::ConfigureFtpImport>,
    Server(state): Server,
    Id(id): Id,
    Body(FtpPauseInput { file }): Body<FtpPauseInput>,
) -> Answer<OkJson<FtpSettingsView>> {
    Ok(ok_json(settings::set_paused(installation(&state), by.scope(), id, file, false).await?))
}

/// Trusts the key of an SFTP server: files are fetched only from a server with this key.
#[utoipa::path(post, path = "/api/admin/ftp-settings/{id}/trust-host-key")]
async fn trust_host_key(
    by: Authorized<may::ConfigureFtpImport>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<Validated<HostKeyInput>>,
) -> Answer<OkJson<FtpSettingsView>> {
    let input = input.valid()?;
    let trusted = settings::trust_host_key(&db, by.scope(), id, &input.host_key, input.version).await?;
    Ok(ok_json(trusted))
}
