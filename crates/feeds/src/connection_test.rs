//! Test of FTP settings: connects, lists, fetches and converts like a run, and changes nothing.
//!
//! Each step reports its duration, the server's answer and, if it failed, what to do. Steps after a failed
//! one are skipped. All of them together end at a deadline.

use std::{path::Path, time::Duration};

use chrono::NaiveDateTime;
use outbound::Failure;
use serde::Serialize;
use tokio::time::{Instant, timeout_at};
use utoipa::ToSchema;
use values::{Error, Message, Result};

use crate::{
    codes,
    collection::files_to_fetch,
    file_pattern::FilePattern,
    source::{Connector, Endpoint, HostKey, Listing, RemoteEntry, Source, SourceError, SourceFailure},
    transformer::{Conversion, TransformReport, convert_file},
};

/// Maximum number of file names that are shown.
const NAMES_MAX: usize = 5;

/// The steps of a test, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FtpTestStepName)]
pub enum TestStep {
    Connect,
    List,
    Fetch,
    Transform,
    /// The plan of an import, which the caller adds.
    Plan,
}

impl TestStep {
    pub const ALL: [Self; 5] = [Self::Connect, Self::List, Self::Fetch, Self::Transform, Self::Plan];
}

/// The outcome of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepOutcome {
    Done,
    Failed(Message),
}

/// A step that was done or has failed. One without a report was skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepReport {
    pub step: TestStep,
    pub outcome: StepOutcome,
    pub duration: Duration,
    /// The server's own words: one line, shortened, without secrets.
    pub answer: Option<String>,
}

/// The files of the folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = FtpTestFolder)]
pub struct FolderReport {
    /// The number of its entries.
    #[schema(example = 12)]
    pub entries: usize,
    /// The number of entries with names that are never fetched: not UTF-8, or with forbidden characters.
    #[schema(example = 0)]
    pub unsafe_names: usize,
    /// The number of files that match the file name of the settings.
    #[schema(example = 2)]
    pub matching: usize,
    /// The names of the newest of them.
    #[schema(example = json!(["preise_20261128.csv"]))]
    pub names: Vec<String>,
}

/// A fetched file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = FtpTestFile)]
pub struct FetchedReport {
    #[schema(example = "preise_20261128.csv")]
    pub name: String,
    /// The size of the file.
    #[schema(example = 48_213)]
    pub bytes: u64,
}

/// The question of a test.
#[derive(Debug)]
pub struct TestRequest<'a> {
    pub endpoint: Endpoint,
    /// The files that are looked for; without it the folder is only listed.
    pub pattern: Option<FilePattern>,
    /// The way in which the file becomes a table; without it the file is read as it is.
    pub conversion: Option<Conversion>,
    /// Time in the installation's time zone.
    pub local_time: NaiveDateTime,
    pub deadline: Instant,
    /// Empty files for what is fetched and for what it is converted to.
    pub fetched: &'a Path,
    pub converted: &'a Path,
}

/// The report of a test.
#[derive(Debug, Default)]
pub struct ConnectionTest {
    pub steps: Vec<StepReport>,
    /// The key that an SFTP server has shown.
    pub host_key: Option<HostKey>,
    pub folder: Option<FolderReport>,
    pub fetched: Option<FetchedReport>,
    pub transformed: Option<TransformReport>,
    /// True if there is a file to be planned.
    pub has_table: bool,
}

impl ConnectionTest {
    /// Tests the connection and fetches the newest file that matches.
    pub async fn run(connector: &Connector, request: TestRequest<'_>) -> Self {
        let mut test = Self::default();
        if let Some(source) = test.connect(connector, &request).await {
            test.read_folder(source, &request).await;
        }
        test
    }

    async fn connect(&mut self, connector: &Connector, request: &TestRequest<'_>) -> Option<Source> {
        let began = Instant::now();
        let connected = Box::pin(connector.connect(request.endpoint.clone()));
        let connected = in_time(request, connected).await;
        match &connected {
            Ok(source) => self.host_key = source.host_key().cloned(),
            Err(SourceError { failure: SourceFailure::HostKeyChanged { presented, .. }, .. }) => {
                self.host_key = Some(presented.clone());
            }
            Err(_) => {}
        }
        let greeting = connected.as_ref().ok().and_then(|source| source.greeting().map(str::to_owned));
        let source = self.add_source_step(TestStep::Connect, began, request, connected);
        if let Some(step) = self.steps.last_mut().filter(|step| step.answer.is_none()) {
            step.answer = greeting;
        }
        source
    }

    async fn read_folder(&mut self, mut source: Source, request: &TestRequest<'_>) {
        let began = Instant::now();
        let listed = in_time(request, source.list()).await;
        let Some(listing) = self.add_source_step(TestStep::List, began, request, listed) else { return };
        let files = self.add_folder(&listing, request);
        let Some(files) = files else { return source.close().await };

        let began = Instant::now();
        let fetched = match files {
            Ok(newest) => fetch(&mut source, newest, request).await,
            Err(failure) => Err(failure.into()),
        };
        self.fetched = self.add_source_step(TestStep::Fetch, began, request, fetched);
        // after a failure the connection may be in the middle of something
        if self.fetched.is_none() {
            return;
        }
        source.close().await;
        self.has_table = match request.conversion.clone() {
            Some(conversion) => self.transform(conversion, request).await,
            None => true,
        };
    }

    /// Adds the content of the folder, and returns the newest matching file; `None` if the test has no
    /// pattern.
    fn add_folder<'a>(
        &mut self,
        listing: &'a Listing,
        request: &TestRequest<'_>,
    ) -> Option<Result<&'a RemoteEntry, SourceFailure>> {
        let mut folder = FolderReport {
            entries: listing.entries.len(),
            unsafe_names: listing.unsafe_names,
            ..FolderReport::default()
        };
        let files =
            request.pattern.as_ref().map(|pattern| files_to_fetch(listing, pattern, request.local_time));
        if let Some(Ok(files)) = &files {
            folder.matching = files.len();
            folder.names = files.iter().rev().take(NAMES_MAX).map(|file| file.entry.name.clone()).collect();
        }
        self.folder = Some(folder);
        Some(files?.and_then(|files| {
            // there is at least one
            files.last().map(|file| file.entry).ok_or(SourceFailure::Refused)
        }))
    }

    /// Converts the fetched file; true if that has worked.
    async fn transform(&mut self, conversion: Conversion, request: &TestRequest<'_>) -> bool {
        let began = Instant::now();
        let work = convert_file(conversion, request.fetched, request.converted);
        let outcome = timeout_at(request.deadline, work).await;
        let outcome = outcome.unwrap_or_else(|_| Err(codes::TEST_TOO_SLOW.into()));
        self.transformed = self.add_step(TestStep::Transform, began, outcome);
        self.transformed.is_some()
    }

    /// Adds a step that has ended; its value if it was done.
    pub fn add_step<T>(&mut self, step: TestStep, began: Instant, outcome: Result<T>) -> Option<T> {
        let (value, outcome) = match outcome {
            Ok(value) => (Some(value), StepOutcome::Done),
            Err(error) => (None, StepOutcome::Failed(failure_message(error))),
        };
        self.steps.push(StepReport { step, outcome, duration: began.elapsed(), answer: None });
        value
    }

    fn add_source_step<T>(
        &mut self,
        step: TestStep,
        began: Instant,
        request: &TestRequest<'_>,
        outcome: Result<T, SourceError>,
    ) -> Option<T> {
        let host = request.endpoint.host.name();
        let (outcome, answer) = match outcome {
            Ok(value) => (Ok(value), None),
            Err(SourceError { failure, answer }) => (Err(failure.message(&host).into()), answer),
        };
        let value = self.add_step(step, began, outcome);
        if let Some(step) = self.steps.last_mut() {
            step.answer = answer;
        }
        value
    }
}

/// Fetches a file into the file of the request.
async fn fetch(
    source: &mut Source,
    entry: &RemoteEntry,
    request: &TestRequest<'_>,
) -> Result<FetchedReport, SourceError> {
    let opened = tokio::fs::File::options().write(true).open(request.fetched).await;
    let writer = opened.map_err(|_| SourceFailure::NotStored)?;
    let fetched = in_time(request, source.fetch(&entry.name, writer)).await?;
    Ok(FetchedReport { name: entry.name.clone(), bytes: fetched.bytes })
}

/// Ends a step with the server at the deadline of the test.
async fn in_time<T>(
    request: &TestRequest<'_>,
    work: impl Future<Output = Result<T, SourceError>>,
) -> Result<T, SourceError> {
    timeout_at(request.deadline, work).await.unwrap_or_else(|_| Err(Failure::Silent.into()))
}

/// The sentence of an error. One that has no sentence for people is logged.
fn failure_message(error: Error) -> Message {
    if let Some(cause) = error.hidden_cause() {
        tracing::error!(cause, "a test of a connection failed");
    }
    error.into_message()
}
