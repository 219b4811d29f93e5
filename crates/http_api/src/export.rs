//! Export of lists: all rows that match a list's filters, in its order, with the columns and texts of its
//! screen.
//!
//! The rows are read from one snapshot and spooled to disk before the first byte is sent: no file is
//! incomplete, no slow client occupies a connection to the database, and memory use does not grow with the
//! list. Cells are built on the thread that writes the file, so that other requests are not blocked.

use std::{
    fs::File,
    future::{Ready, ready},
    sync::Arc,
};

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, web::Data};
use chrono::{DateTime, Utc};
use chrono_tz::Europe::Berlin;
use lists::{ListQuery, Listed};
use sea_orm::{FromQueryResult, sea_query::SelectStatement};
use serde::Serialize;
use serde_json::Value;
use sheets::{
    Dialect, Format,
    table::{self, CellContent},
};
use storage::{Spool, Storage};
use store::{Database, Scope, Snapshot, deadline};
use utoipa::openapi::{ObjectBuilder, path::Operation, schema::Type};
use values::{Error, Language, Minutes, Result, Unit, Violations, local_time_in, now};

use crate::{
    access,
    answer::{Download, download_file},
    codes,
    context::{ServerContext, server},
    contract::{self, Schemas},
    fair_queue::{Claimant, PATIENCE},
    filters,
    input::{self, Input},
    problem::Refusal,
    request::Request,
    request_limits::{EXPORT_TIMEOUT, REQUEST_TIMEOUT},
};

const FORMAT: &str = "format";
const FORMATS: [(&str, Format); 2] = [("csv", Format::Csv(Dialect::GERMAN)), ("xlsx", Format::Xlsx)];

/// Requested kind of file.
pub struct FileFormat(pub Format);

impl FileFormat {
    /// Returns the extension of a file name, without a dot.
    pub fn extension(&self) -> &'static str {
        FORMATS.iter().find(|(_, format)| *format == self.0).map_or("", |(name, _)| name)
    }
}

impl FromRequest for FileFormat {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let formats = input::parameters(request).into_iter().filter(|(name, _)| name == FORMAT);
        ready(parse_format(&formats.map(|(_, value)| value).collect::<Vec<_>>()).map(Self).map_err(Refusal))
    }
}

impl Input for FileFormat {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        describe_format(operation);
    }
}

fn parse_format(names: &[impl AsRef<str>]) -> Result<Format> {
    let format = match names {
        [requested] => {
            FORMATS.iter().find(|(name, _)| *name == requested.as_ref()).map(|(_, format)| *format)
        }
        _ => None,
    };
    format.ok_or_else(|| Violations::error(FORMAT, codes::INVALID_PARAMETER.with("expected", "csv, xlsx")))
}

fn describe_format(operation: &mut Operation) {
    let format =
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(FORMATS.map(|(name, _)| name)));
    let description = "CSV for German spreadsheet programs, or a workbook";
    contract::required_parameter(operation, FORMAT, description, format.into());
}

/// Export of a list: its filters, its sort and the format.
pub struct Export<E: Listed> {
    pub server: Data<dyn ServerContext>,
    pub query: ListQuery<E>,
    pub format: Format,
    pub language: Language,
    pub claimant: Claimant,
}

/// Column: its name in the screen's texts, and its cell for a row. A unit may follow the name:
/// `clusters_minimum [m]`.
pub type Column<R> = (&'static str, fn(&R, &Labels) -> CellContent);

/// Further columns, whose number depends on the rows: their headings, and their cells for a row.
pub struct ExtraColumns<R> {
    pub headings: Vec<String>,
    pub cells: Cells<R>,
}

type Cells<R> = Box<dyn Fn(&R) -> Vec<CellContent> + Send>;

impl<R> Default for ExtraColumns<R> {
    fn default() -> Self {
        Self { headings: Vec::new(), cells: Box::new(|_| Vec::new()) }
    }
}

/// Texts of a screen in German and English, as its files contain them.
pub type ScreenTexts = [&'static str; 2];

/// Texts of a screen from the frontend's own files, so that a column has the same name everywhere.
#[macro_export]
macro_rules! screen_texts {
    ($namespace:literal) => {
        [
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../frontend/src/i18n/de/",
                $namespace,
                ".json"
            )),
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../frontend/src/i18n/en/",
                $namespace,
                ".json"
            )),
        ]
    };
}

/// Texts of a screen in the reader's language.
pub struct Labels {
    language: Language,
    common: Value,
    shell: Value,
    own: Value,
}

impl Labels {
    /// Parses the texts of a screen and those that all screens share.
    pub fn new(texts: ScreenTexts, language: Language) -> Result<Self> {
        let read = |[german, english]: ScreenTexts| {
            let text = if language == Language::De { german } else { english };
            serde_json::from_str(text).map_err(Error::internal)
        };
        let (common, shell) = (crate::screen_texts!("common"), crate::screen_texts!("shell"));
        Ok(Self { language, common: read(common)?, shell: read(shell)?, own: read(texts)? })
    }

    /// Returns the heading of a column; a unit in brackets stays behind it.
    pub fn column(&self, name: &str) -> String {
        let (field, unit) = name.split_at(name.find(" [").unwrap_or(name.len()));
        format!("{}{unit}", self.own(&["fields", field]).unwrap_or(field))
    }

    /// Returns any text of the screen.
    pub fn text<'t>(&'t self, path: &[&str]) -> &'t str {
        self.own(path).unwrap_or_default()
    }

    /// Returns the text of a value from a fixed choice.
    pub fn choice(&self, field: &str, value: impl Serialize) -> CellContent {
        CellContent::Text(self.choice_text(field, value))
    }

    /// Returns the text of an enum value.
    pub fn choice_text(&self, field: &str, value: impl Serialize) -> String {
        let value = serde_json::to_value(value).unwrap_or_default();
        let value = value.as_str().unwrap_or_default();
        self.own(&["enums", field, value]).unwrap_or(value).to_owned()
    }

    /// Returns the symbol of a unit.
    pub fn unit(&self, unit: Unit) -> &'static str {
        unit.symbol(self.language)
    }

    /// Language of the reader.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns a lead time in days or hours, as text.
    pub fn lead_time(&self, time: Minutes) -> String {
        time.lead_time_text(self.language)
    }

    /// Returns a cell with yes or no.
    pub fn yes_no(&self, yes: bool) -> CellContent {
        self.yes_no_text(yes).into()
    }

    /// Returns the text of yes or no.
    pub fn yes_no_text(&self, yes: bool) -> &str {
        find(&self.common, &["states", if yes { "yes" } else { "no" }]).unwrap_or_default()
    }

    /// Returns the text for the owner of a record without a tenant.
    pub fn platform(&self) -> &str {
        find(&self.common, &["states", "platform"]).unwrap_or_default()
    }

    /// Returns the title of the list, which is also the name of its files.
    pub fn title(&self) -> &str {
        self.text(&["title", "list"])
    }

    /// Returns a text of the screen, also if it refers to one of the shell:
    /// `$t(shell:imports.status.Failed)`.
    fn own<'t>(&'t self, path: &[&str]) -> Option<&'t str> {
        let text = find(&self.own, path)?;
        match text.strip_prefix("$t(shell:").and_then(|rest| rest.strip_suffix(')')) {
            Some(place) => find(&self.shell, &place.split('.').collect::<Vec<_>>()),
            None => Some(text),
        }
    }
}

fn find<'t>(texts: &'t Value, path: &[&str]) -> Option<&'t str> {
    path.iter().try_fold(texts, |texts, key| texts.get(key))?.as_str()
}

/// Writes a file once a slot is free; the number of concurrent exports is limited.
pub async fn write_limited(
    server: &dyn ServerContext,
    claimant: Claimant,
    write: impl AsyncFnOnce() -> Result<File>,
) -> Result<File> {
    server.storage().check_free_space()?;
    deadline::extend(PATIENCE + REQUEST_TIMEOUT);
    let _slot = server.http().exports.take(claimant).await?;
    deadline::extend(EXPORT_TIMEOUT);
    write().await
}

/// Builds a table that is spooled to disk while its rows are read.
pub fn spool_table(
    storage: &Storage,
    format: Format,
    header: Vec<CellContent>,
) -> Result<Spool<Vec<CellContent>>> {
    Spool::begin(storage, move |target, chunks| table::write(target, format, &header, chunks))
}

/// Returns the name of a file of today: `Werkstoffe-2026-11-22.csv`.
pub fn dated_name(title: &str, extension: &str) -> String {
    format!("{title}-{}.{extension}", now().with_timezone(&Berlin).format("%Y-%m-%d"))
}

/// Returns a time in German local time.
pub fn time(moment: DateTime<Utc>) -> CellContent {
    CellContent::Time(local_time_in(Berlin, &moment))
}

impl<E: Listed> Export<E> {
    /// Exports the rows as a table; `detailed` loads related data of rows.
    pub async fn table<M, R>(
        self,
        scope: &Scope,
        texts: ScreenTexts,
        columns: &'static [Column<R>],
        detailed: impl AsyncFn(&Snapshot, Vec<M>) -> Result<Vec<R>>,
    ) -> Result<Download>
    where
        M: FromQueryResult + Send + Sync,
        R: Send + 'static,
    {
        self.table_with(scope, texts, columns, async |_| Ok(ExtraColumns::default()), detailed).await
    }

    /// Exports like [`Export::table`], with further columns after the others.
    pub async fn table_with<M, R>(
        self,
        scope: &Scope,
        texts: ScreenTexts,
        columns: &'static [Column<R>],
        further: impl AsyncFn(&Snapshot) -> Result<ExtraColumns<R>>,
        detailed: impl AsyncFn(&Snapshot, Vec<M>) -> Result<Vec<R>>,
    ) -> Result<Download>
    where
        M: FromQueryResult + Send + Sync,
        R: Send + 'static,
    {
        let query = self.query.resolved(self.server.db()).await?;
        let rows = || {
            let mut walk = query.walk(scope);
            async move |snapshot: &Snapshot| walk.next(snapshot, |select| select).await
        };
        self.write_rows(texts, columns, further, rows, detailed).await
    }

    /// Exports like [`Export::table`], with the rows of another statement than the list's.
    pub async fn table_from<R: Send + 'static>(
        self,
        source: impl Fn(&Snapshot) -> SelectStatement,
        texts: ScreenTexts,
        columns: &'static [Column<R>],
        detailed: impl AsyncFn(&Snapshot, Vec<E::Model>) -> Result<Vec<R>>,
    ) -> Result<Download> {
        let (query, source) = (self.query.clone(), &source);
        let rows = || {
            let (query, mut read) = (&query, 0);
            async move |snapshot: &Snapshot| {
                let rows = query.chunk_from(snapshot, source(snapshot), read).await?;
                read += rows.len() as u64;
                Ok(rows)
            }
        };
        self.write_rows(texts, columns, async |_| Ok(ExtraColumns::default()), rows, detailed).await
    }

    /// Reads from the replica, and if that fails again from the first row on.
    async fn write_rows<M, R: Send + 'static, Next: AsyncFnMut(&Snapshot) -> Result<Vec<M>>>(
        self,
        texts: ScreenTexts,
        columns: &'static [Column<R>],
        further: impl AsyncFn(&Snapshot) -> Result<ExtraColumns<R>>,
        rows: impl Fn() -> Next,
        detailed: impl AsyncFn(&Snapshot, Vec<M>) -> Result<Vec<R>>,
    ) -> Result<Download> {
        let labels = Arc::new(Labels::new(texts, self.language)?);
        let name = self.name(&labels);
        let write = async |export: &Self, db: Database| {
            deadline::extend(EXPORT_TIMEOUT);
            let (snapshot, mut next) = (db.snapshot().await?, rows());
            let ExtraColumns { headings, cells } = further(&snapshot).await?;
            let header = columns.iter().map(|(name, _)| labels.column(name)).chain(headings);
            let header: Vec<_> = header.map(CellContent::Text).collect();
            let format = export.format;
            let labels = labels.clone();
            let spool = Spool::begin(export.server.storage(), move |target, chunks| {
                let entries = |row: &R| {
                    columns.iter().map(|(_, entry)| entry(row, &labels)).chain(cells(row)).collect()
                };
                let mut chunks = chunks.map(|rows: Vec<R>| rows.iter().map(entries).collect());
                table::write(target, format, &header, &mut chunks)
            })?;
            loop {
                let rows = detailed(&snapshot, next(&snapshot).await?).await?;
                if rows.is_empty() || !spool.add(rows).await {
                    return spool.finish().await;
                }
            }
        };
        let file = self.write_limited(async |export| {
            export.server.db().on_replica(async |db| write(export, db).await).await
        });
        Ok(download_file(name, file.await?))
    }

    /// Exports a file that the given function writes.
    pub async fn file(
        self,
        texts: ScreenTexts,
        write: impl AsyncFnOnce(&Self) -> Result<File>,
    ) -> Result<Download> {
        let file = self.write_limited(write).await?;
        Ok(download_file(self.name(&Labels::new(texts, self.language)?), file))
    }

    async fn write_limited(&self, write: impl AsyncFnOnce(&Self) -> Result<File>) -> Result<File> {
        write_limited(&**self.server, self.claimant, async || write(self).await).await
    }

    fn name(&self, labels: &Labels) -> String {
        dated_name(labels.title(), FileFormat(self.format).extension())
    }
}

impl<E: Listed + 'static> FromRequest for Export<E> {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(read(request).map_err(Refusal))
    }
}

fn read<E: Listed>(request: &HttpRequest) -> Result<Export<E>> {
    let pairs = input::parameters(request);
    let pairs = pairs.iter().map(|(name, value)| (&**name, &**value));
    let (formats, query): (Vec<_>, Vec<_>) = pairs.partition(|(name, _)| *name == FORMAT);
    let formats: Vec<&str> = formats.into_iter().map(|(_, format)| format).collect();
    Ok(Export {
        server: server(request)?.clone(),
        query: ListQuery::parse_unpaged(query)?,
        format: parse_format(&formats)?,
        language: request.extensions().get::<Request>().map(|about| about.language).unwrap_or_default(),
        claimant: access::claimant(request)?,
    })
}

impl<E: Listed> Input for Export<E> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        describe_format(operation);
        filters::describe::<E>(operation, schemas);
    }
}
