//! Processings over HTTP.

use std::collections::BTreeMap;

use catalog::processing::{self, CUT_LENGTH, Processing, ProcessingInput, ProcessingType, Processings};
use chrono::{DateTime, Utc};
use kernel::{Violations, may, rule};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Done, Download, Listing, Shown, created, done, listing, shown},
        bulk::{self, BulkOutcome, Matching, Selection},
        export::{Export, Table, time},
        input::{About, Body, Db, Id, List},
        problem::texts,
        routes::{Answer, Routes},
    },
    publish, words,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Processings: list, export, create, view, update, delete, bulk_delete, preview);
}

/// What is done to an article before it is sold.
#[derive(Serialize, ToSchema)]
#[schema(as = Processing)]
struct ProcessingView {
    id: i64,
    /// Unique, whatever its case.
    name: String,
    /// How buyers read it; the name, if there is none.
    #[schema(required)]
    display_name: Option<String>,
    r#type: ProcessingType,
    /// What the article number of a processed piece ends in.
    article_number_addition_template: String,
    /// Counts the changes; to be sent back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Processing> for ProcessingView {
    fn from(processing: Processing) -> Self {
        let Processing { id, name, display_name, r#type, article_number_addition_template, .. } = processing;
        let Processing { version, created_at, updated_at, .. } = processing;
        Self {
            id,
            name,
            display_name,
            r#type,
            article_number_addition_template,
            version,
            created_at,
            updated_at,
        }
    }
}

/// Lists processings.
#[utoipa::path(get, path = "/api/admin/processings")]
async fn list(
    by: Authorized<may::ListProcessings>,
    Db(db): Db,
    List(query): List<Processings>,
) -> Answer<Listing<ProcessingView>> {
    Ok(listing(query.fetch::<Processing>(&db, by.scope(), |select| select).await?))
}

/// Exports all processings that the filters match.
#[utoipa::path(get, path = "/api/admin/processings/export")]
async fn export(by: Authorized<may::ListProcessings>, export: Export<Processings>) -> Answer<Download> {
    let table = Table {
        words: words!("processings"),
        columns: &[
            ("name", |row: &Processing, _| row.name.as_str().into()),
            ("display_name", |row, _| row.display_name.as_deref().into()),
            ("type", |row, labels| labels.choice("type", row.r#type)),
            ("article_number_addition_template", |row, _| {
                row.article_number_addition_template.as_str().into()
            }),
            ("updated_at", |row, _| time(row.updated_at)),
        ],
    };
    Ok(export.table(by.scope(), &table, async |_, rows| Ok(rows)).await?)
}

/// Creates a processing.
#[utoipa::path(post, path = "/api/admin/processings")]
async fn create(
    by: Authorized<may::CreateProcessing>,
    Db(db): Db,
    Body(input): Body<ProcessingInput>,
) -> Answer<Created<ProcessingView>> {
    Ok(created(processing::create(&db, by.scope(), input).await?))
}

/// Shows a processing.
#[utoipa::path(get, path = "/api/admin/processings/{id}")]
async fn view(by: Authorized<may::ViewProcessing>, Db(db): Db, Id(id): Id) -> Answer<Shown<ProcessingView>> {
    Ok(shown(by.scope().get::<Processings>(&db, id).await?))
}

/// Changes a processing.
#[utoipa::path(put, path = "/api/admin/processings/{id}")]
async fn update(
    by: Authorized<may::UpdateProcessing>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<ProcessingInput>,
) -> Answer<Shown<ProcessingView>> {
    Ok(shown(processing::update(&db, by.scope(), id, input).await?))
}

/// Deletes a processing.
#[utoipa::path(delete, path = "/api/admin/processings/{id}")]
async fn delete(by: Authorized<may::DeleteProcessing>, Db(db): Db, Id(id): Id) -> Answer<Done> {
    Ok(done(processing::delete(&db, by.scope(), id).await?))
}

/// Deletes many processings, as far as each of them can be deleted.
#[utoipa::path(post, path = "/api/admin/processings/bulk-delete")]
async fn bulk_delete(
    by: Authorized<may::DeleteProcessing>,
    Db(db): Db,
    About(request): About,
    matching: Matching<Processings>,
    Body(selection): Body<Selection>,
) -> Answer<Shown<BulkOutcome>> {
    let one = async |id, _: &str| processing::delete(&db, by.scope(), id).await;
    let records = (&db, by.scope());
    Ok(shown(
        bulk::each(records, &matching, &selection, processing::Column::Name, request.language, one).await?,
    ))
}

/// The template of a processing that is being edited.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ProcessingPreviewInput {
    #[schema(max_length = 255)]
    article_number_addition_template: String,
}

/// What the template of a processing that is being edited is worth.
#[derive(Serialize, ToSchema)]
struct ProcessingPreview {
    /// What would be refused, by field.
    problems: BTreeMap<String, Vec<String>>,
    /// What the template can contain.
    placeholders: Vec<&'static str>,
    /// A sample number with the addition, unless the template would be refused.
    #[schema(required)]
    example: Option<String>,
}

/// Shows what the template of a processing that is being edited would give.
#[utoipa::path(post, path = "/api/admin/processings/preview")]
async fn preview(
    _: Authorized<may::ViewProcessing>,
    About(request): About,
    Body(ProcessingPreviewInput { article_number_addition_template }): Body<ProcessingPreviewInput>,
) -> Answer<Shown<ProcessingPreview>> {
    let mut violations = Violations::new();
    rule::length(&mut violations, "article_number_addition_template", &article_number_addition_template);
    violations.check()?;
    let mut problems = Violations::new();
    let example = processing::example(&article_number_addition_template);
    for fault in example.as_ref().err().into_iter().flatten() {
        problems.add("article_number_addition_template", fault.clone());
    }
    Ok(shown(ProcessingPreview {
        problems: texts(&problems, request.language),
        placeholders: vec![CUT_LENGTH],
        example: example.ok(),
    }))
}
