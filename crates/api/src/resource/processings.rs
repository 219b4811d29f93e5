//! Processings over HTTP.

use std::collections::BTreeMap;

use catalog::{
    may,
    processing::{self, CUT_LENGTH, Processing, ProcessingType, Processings},
};
use http_api::{
    access::Authorized,
    answer::{OkJson, ok_json},
    export::{Column, time},
    input::{Body, RequestInfo},
    problem::texts,
    publish,
    routes::{Answer, Routes},
};
use serde::{Deserialize, Serialize};
use store::Database;
use utoipa::ToSchema;
use validator::Validate;
use values::{Validated, Violations, tidy};

use crate::resource::{
    crud::{Exportable, operations, view_of},
    search::findable,
    view::HasView,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<Processings>(routes, "/api/admin/processings")
        .list::<may::ListProcessings>("Lists processings.")
        .export::<may::ListProcessings>("Exports all processings that match the filters.")
        .create::<may::CreateProcessing>("Creates a processing.")
        .view::<may::ViewProcessing>("Shows a processing.")
        .update::<may::UpdateProcessing>("Changes a processing.")
        .delete::<may::DeleteProcessing>("Deletes a processing that nothing uses.")
        .bulk_delete::<may::DeleteProcessing>("Deletes many processings and leaves those that are in use.");
    publish!(routes, Processings: preview);
}

view_of! {
    /// Processing of an article before it is sold.
    ProcessingView as Processing, of row: Processing, row row;
    /// Unique, ignoring case.
    #[schema(example = "Sägen")]
    name: String = row.name,
    /// Name for buyers; without it, the name.
    #[schema(required, example = "Sägezuschnitt")]
    display_name: Option<String> = row.display_name,
    r#type: ProcessingType = row.r#type,
    /// Template for the end of the article number of a processed piece.
    #[schema(example = "-S{schnittlaenge}")]
    article_number_addition_template: String = row.article_number_addition_template,
}

impl HasView for Processings {
    type Source = Database;
    type View = ProcessingView;
}

findable!(Processings, row => row.display_name);

impl Exportable for Processings {
    const COLUMNS: &'static [Column<Processing>] = &[
        ("name", |row, _| row.name.as_str().into()),
        ("display_name", |row, _| row.display_name.as_deref().into()),
        ("type", |row, labels| labels.choice("type", row.r#type)),
        ("article_number_addition_template", |row, _| row.article_number_addition_template.as_str().into()),
        ("updated_at", |row, _| time(row.updated_at)),
    ];
}

/// The template of a processing that is being edited.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
struct ProcessingPreviewInput {
    #[schema(max_length = 255, example = "-S{schnittlaenge}")]
    #[validate(length(max = 255))]
    article_number_addition_template: String,
}

tidy!(ProcessingPreviewInput: trim article_number_addition_template;);

/// Preview of the template of a processing that is being edited.
#[derive(Serialize, ToSchema)]
struct ProcessingPreview {
    /// Errors that saving would give, by field.
    problems: BTreeMap<String, Vec<String>>,
    /// Placeholders that the template can contain.
    #[schema(example = json!(["laenge"]))]
    placeholders: Vec<&'static str>,
    /// Sample number with the addition; `null` if the template has errors.
    #[schema(required, example = "HEB-200-S235JR-S1200")]
    example: Option<String>,
}

/// Previews what the template of a processing that is being edited gives.
#[utoipa::path(post, path = "/api/admin/processings/preview")]
async fn preview(
    _: Authorized<may::ViewProcessing>,
    RequestInfo(request): RequestInfo,
    Body(input): Body<Validated<ProcessingPreviewInput>>,
) -> Answer<OkJson<ProcessingPreview>> {
    let ProcessingPreviewInput { article_number_addition_template } = input.valid()?;
    let mut problems = Violations::new();
    let example = processing::example(&article_number_addition_template);
    for fault in example.as_ref().err().into_iter().flatten() {
        problems.add("article_number_addition_template", fault.clone());
    }
    Ok(ok_json(ProcessingPreview {
        problems: texts(&problems, request.language),
        placeholders: vec![CUT_LENGTH],
        example: example.ok(),
    }))
}
