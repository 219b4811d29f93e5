//! Operation that tests FTP settings in five steps, before or after they are saved. Nothing is written, here
//! or on the server.

use std::{path::Path, time::Duration};

use feeds::{
    connection_test::{
        ConnectionTest, FetchedReport, FolderReport, StepOutcome, StepReport, TestRequest, TestStep,
    },
    file_pattern::FilePattern,
    may,
    settings::{
        FtpSettingsTable,
        endpoint::entered_endpoint,
        file_source::FileSource,
        test_input::{TestInput, check_entered},
    },
    source::{Connector, Limits},
    transformer::{Problem, TransformReport},
};
use http_api::{
    access::{Authorized, ReadOnlyPost},
    answer::{OkJson, ok_json},
    fair_queue::{Claimant, PATIENCE},
    input::{Body, RequestInfo},
    publish,
    request_limits::REQUEST_TIMEOUT,
    routes::{Answer, Routes},
};
use imports::{
    columns::Meaning,
    import::{
        Import, dry_run,
        inspection::{self, Inspection, ToInspect},
        report::{self, FaultGroup},
        services::ImportServices,
        upload::ImportInput,
        uploader::Uploader,
    },
    import_profile,
    import_type::ImportType,
};
use pricing::price_list::feed_version;
use serde::Serialize;
use store::{Database, deadline};
use tokio::time::{Instant, timeout_at};
use utoipa::ToSchema;
use values::{Code, Language, Message, Result, Validated, local_time_in, now};

use super::installation;
use crate::{
    codes,
    resource::impact,
    state::{Server, State},
    work::{self, IMPORT_TYPES},
};

/// Timeout of a whole test.
const TEST_WITHIN: Duration = Duration::from_mins(1);
/// Maximum number of rows of a file that are tried one by one.
const ROWS_MAX: u64 = 10_000;
/// Maximum number of problems, and of reasons of refused rows, that are shown.
const SHOWN_MAX: usize = 5;

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, FtpSettingsTable: test_connection);
}

/// Report of a test.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpTest)]
struct TestView {
    /// Steps in their order, always five.
    steps: Vec<StepView>,
    /// Key that an SFTP server has sent. It is trusted only after a user confirms it.
    #[schema(required, example = "ssh-ed25519 SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8")]
    host_key: Option<String>,
    /// Files of the folder, once it was listed.
    #[schema(required)]
    folder: Option<FolderReport>,
    /// Newest matching file, once it was fetched.
    #[schema(required)]
    fetched: Option<FetchedReport>,
    /// Result of the conversion; `null` if the file is read as it is, or was not converted.
    #[schema(required)]
    transformed: Option<TransformedView>,
    /// Plan for an import of the file.
    #[schema(required)]
    plan: Option<PlanView>,
}

/// State of a step. It is skipped if an earlier one failed, or if there is nothing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = FtpTestOutcome)]
#[serde(rename_all = "snake_case")]
enum StepState {
    Done,
    Failed,
    Skipped,
}

/// Step of a test.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpTestStep)]
struct StepView {
    step: TestStep,
    outcome: StepState,
    /// Duration in milliseconds; `null` if it was skipped.
    #[schema(required, example = 412)]
    duration_ms: Option<u64>,
    /// Answer of the server, shortened.
    #[schema(required, example = "530 Login incorrect.")]
    answer: Option<String>,
    /// Reason of a failure.
    #[schema(required)]
    code: Option<Code>,
    /// Failure, with advice, in the language of the caller.
    #[schema(required, example = "Der Server „sftp.lieferant.example“ lehnt die Anmeldung ab.")]
    message: Option<String>,
}

/// Result of converting a file to a table.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpTestConversion)]
struct TransformedView {
    /// Number of rows of the table.
    #[schema(example = 250)]
    rows: u64,
    /// Number of records that could not be converted.
    #[schema(example = 1)]
    problem_count: u64,
    /// Messages about the first five of them.
    #[schema(example = json!(["Zeile 30: Der Wert „auf Anfrage“ ist für Preis nicht verwendbar."]))]
    problems: Vec<String>,
}

/// Plan for an import.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpTestPlan)]
struct PlanView {
    r#type: ImportType,
    /// Number of rows; `null` for more than 50,000.
    #[schema(required, example = 250)]
    rows: Option<u64>,
    columns: Vec<PlannedColumn>,
    /// Problems of the header. With them no row is tried.
    #[schema(example = json!(["Es fehlt die Spalte „Lager“"]))]
    problems: Vec<String>,
    /// Number of rows by result; `null` if rows were not tried: with a problem, or with more than 10,000
    /// rows.
    #[schema(required)]
    counts: Option<PlannedCounts>,
    /// Most frequent reasons for refused rows.
    refused: Vec<RefusedRows>,
}

/// Column of a fetched file.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpTestColumn)]
struct PlannedColumn {
    #[schema(example = "Art.-Nr.")]
    name: String,
    /// Label of the field that it is read as; `null` if it is not read.
    #[schema(required, example = "Artikelnummer")]
    field: Option<String>,
}

/// Numbers of rows by their result, if the file were imported now.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpTestCounts)]
struct PlannedCounts {
    /// Rows that would create a record.
    created: i64,
    /// Rows that would change a record.
    updated: i64,
    unchanged: i64,
    /// Rows with an error.
    refused: i64,
    /// Rows with prices that would go under review.
    held: i64,
    /// Rows with numbers that no matching resolves.
    unresolved: i64,
}

/// Refused rows with the same reason in the same column.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpTestRefusedRows)]
struct RefusedRows {
    /// Column; `null` for the whole row.
    #[schema(required, example = "Preis")]
    column: Option<String>,
    #[schema(example = 12)]
    rows: i64,
    /// Line of the first row.
    #[schema(example = 17)]
    line: i64,
    #[schema(example = "Unbekannter Wert")]
    message: String,
}

/// Tests settings in five steps: connect, list, fetch, transform and plan. It takes at most a minute, and a
/// tenant can run one test at a time. A stored password or key is used only for the host, port, protocol and
/// user name that it was stored for. Nothing is written, and no key of a server is trusted.
#[utoipa::path(post, path = "/api/admin/ftp-settings/test")]
async fn test_connection(
    by: ReadOnlyPost<Authorized<may::ConfigureFtpImport>>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(input): Body<Validated<TestInput>>,
) -> Answer<OkJson<TestView>> {
    let (scope, language) = (by.scope(), request.language);
    let (TestInput { file, settings: input }, saved) =
        check_entered(installation(&state), scope, input).await?;
    let endpoint = entered_endpoint(&state.keys, &input, saved.as_ref())?;
    deadline::extend(PATIENCE + REQUEST_TIMEOUT);
    let claimant = Claimant::new(Some(scope.tenant()?.0), by.caller.id);
    let _slot = state.connection_tests.take(claimant).await?;
    deadline::extend(TEST_WITHIN + REQUEST_TIMEOUT);

    let tested = file.map(|kind| input.file(kind));
    let conversion = tested.and_then(|tested| tested.conversion());
    let pattern = tested.and_then(|tested| tested.file_name);
    let (fetched, converted) = (state.storage.spool_file()?, state.storage.spool_file()?);
    let test_request = TestRequest {
        endpoint,
        pattern: pattern.map(FilePattern::parse).transpose()?,
        conversion: conversion.clone(),
        local_time: local_time_in(installation(&state).zone, &now()),
        deadline: Instant::now() + TEST_WITHIN,
        fetched: fetched.path(),
        converted: converted.path(),
    };
    let until = test_request.deadline;
    let connector = Connector::new(state.outbound.clone(), Limits::default())
        .with_plain_ftp(installation(&state).allows_plain_ftp);
    let mut test = Box::pin(ConnectionTest::run(&connector, test_request)).await;
    let table = if conversion.is_some() { &converted } else { &fetched };
    let plan = match tested.filter(|_| test.has_table) {
        Some(tested) => {
            let by = Uploader { scope, rights: by.caller.rights, language };
            let began = Instant::now();
            let planned = timeout_at(until, Box::pin(plan(&state, by, &tested, table.path()))).await;
            test.add_step(TestStep::Plan, began, planned.unwrap_or_else(|_| Err(codes::TEST_TOO_SLOW.into())))
        }
        None => None,
    };
    Ok(ok_json(TestView::new(test, plan, language)))
}

/// Inspection of a file, with the results of its rows if they were tried.
struct Plan {
    r#type: ImportType,
    inspection: Inspection,
    tried: Option<(Import, Vec<FaultGroup>)>,
}

/// Inspects a file like the wizard, and tries its rows in a rehearsal.
async fn plan(state: &State, by: Uploader<'_>, tested: &FileSource<'_>, file: &Path) -> Result<Plan> {
    let r#type = tested.import_type;
    let Some(name) = tested.price_list else {
        let inspection = inspect(&state.db, by, tested, None, file).await?;
        let tried = if is_tried(&inspection) {
            let tried = rehearse(state, async |db| try_rows(state, db, by, tested, None, file).await);
            Some(Box::pin(tried).await?)
        } else {
            None
        };
        return Ok(Plan { r#type, inspection, tried });
    };
    // the new version of the price list exists only in the rehearsal
    let planned = rehearse(state, async |db| {
        let version = Some(feed_version::prepare(db, by.scope, name, now()).await?.id);
        let inspection = inspect(db, by, tested, version, file).await?;
        let tried = if is_tried(&inspection) {
            Some(try_rows(state, db, by, tested, version, file).await?)
        } else {
            None
        };
        Ok(Plan { r#type, inspection, tried })
    });
    Box::pin(planned).await
}

fn is_tried(inspection: &Inspection) -> bool {
    inspection.problems.is_empty() && inspection.rows.is_some_and(|rows| rows <= ROWS_MAX)
}

/// Runs work in a rehearsal once a permit is free; all changes are rolled back.
async fn rehearse<T>(state: &State, work: impl AsyncFnOnce(&Database) -> Result<T>) -> Result<T> {
    impact::calculate_limited(state, async || Box::pin(state.db.rehearse(work)).await).await
}

async fn inspect(
    db: &Database,
    by: Uploader<'_>,
    tested: &FileSource<'_>,
    aim: Option<i64>,
    file: &Path,
) -> Result<Inspection> {
    let profile = import_profile::find_for_type(db, by.scope, tested.profile_id, tested.import_type).await?;
    let file = ToInspect { r#type: tested.import_type, aim, settings: None, profile, file };
    inspection::inspect(db, &IMPORT_TYPES, by, file).await
}

async fn try_rows(
    state: &State,
    db: &Database,
    by: Uploader<'_>,
    tested: &FileSource<'_>,
    aim: Option<i64>,
    file: &Path,
) -> Result<(Import, Vec<FaultGroup>)> {
    let authority = work::surroundings(&state.rehearsing(db.clone()));
    let profile = import_profile::find_for_type(db, by.scope, tested.profile_id, tested.import_type).await?;
    let input =
        ImportInput { aim, ..ImportInput::new(tested.import_type, tested.file_name.unwrap_or_default()) }
            .read_by(profile);
    let services = ImportServices { db, ..work::services(state) };
    let import = dry_run::try_file(services, &authority, by, input, file).await?;
    let refused = report::fault_groups(db, by.scope, import.id).await?;
    Ok((import, refused))
}

impl TestView {
    fn new(test: ConnectionTest, plan: Option<Plan>, language: Language) -> Self {
        let step = |step: &TestStep| StepView::new(*step, &test.steps, language);
        Self {
            steps: TestStep::ALL.iter().map(step).collect(),
            host_key: test.host_key.map(|key| key.to_string()),
            folder: test.folder,
            fetched: test.fetched,
            transformed: test.transformed.map(|report| TransformedView::new(&report, language)),
            plan: plan.map(|plan| PlanView::new(plan, language)),
        }
    }
}

impl StepView {
    fn new(step: TestStep, reports: &[StepReport], language: Language) -> Self {
        let report = reports.iter().find(|report| report.step == step);
        let failure = report.and_then(|report| match &report.outcome {
            StepOutcome::Failed(message) => Some(message),
            StepOutcome::Done => None,
        });
        Self {
            step,
            outcome: match (report, failure) {
                (None, _) => StepState::Skipped,
                (Some(_), None) => StepState::Done,
                (Some(_), Some(_)) => StepState::Failed,
            },
            duration_ms: report.map(|report| u64::try_from(report.duration.as_millis()).unwrap_or(u64::MAX)),
            answer: report.and_then(|report| report.answer.clone()),
            code: failure.map(|message| message.code),
            message: failure.map(|message| message.text(language)),
        }
    }
}

impl TransformedView {
    fn new(report: &TransformReport, language: Language) -> Self {
        let text = |problem: &Problem| problem.message.text(language);
        Self {
            rows: report.rows,
            problem_count: report.problem_count,
            problems: report.problems.iter().take(SHOWN_MAX).map(text).collect(),
        }
    }
}

impl PlanView {
    fn new(Plan { r#type, inspection, tried }: Plan, language: Language) -> Self {
        let label = |key: &str| {
            let field = inspection.fields.iter().find(|field| field.key == key);
            field.map_or_else(|| key.to_owned(), |field| field.label.clone())
        };
        let columns = inspection.columns.iter().map(|column| PlannedColumn {
            name: column.name.trim().to_owned(),
            field: match &column.meaning {
                Meaning::Field { key, .. } => Some(label(key)),
                Meaning::Unread | Meaning::Nameless | Meaning::Unknown => None,
            },
        });
        let text = |message: &Message| message.text(language);
        let (import, refused) = tried.unzip();
        Self {
            r#type,
            rows: inspection.rows,
            columns: columns.collect(),
            problems: inspection.problems.iter().map(text).collect(),
            counts: import.as_ref().map(PlannedCounts::new),
            refused: refused
                .into_iter()
                .flatten()
                .filter_map(|group| RefusedRows::new(&group, language))
                .take(SHOWN_MAX)
                .collect(),
        }
    }
}

impl PlannedCounts {
    fn new(import: &Import) -> Self {
        Self {
            created: import.rows_created,
            updated: import.rows_updated,
            unchanged: import.rows_unchanged,
            refused: import.rows_refused,
            held: import.rows_held,
            unresolved: import.rows_unresolved,
        }
    }
}

impl RefusedRows {
    fn new(group: &FaultGroup, language: Language) -> Option<Self> {
        let (line, fault) = group.first.first()?;
        Some(Self { column: fault.column(), rows: group.rows, line: *line, message: fault.text(language) })
    }
}
