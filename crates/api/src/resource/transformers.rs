//! Transformers over HTTP: formats of files that are fetched or uploaded, each with samples.

use feeds::{
    settings::fields::{FileKind, Transformer},
    transformer::catalog::{TRANSFORMERS, TransformerEntry, TransformerSample},
};
use http_api::{
    access::SignedInOrToken,
    answer::{OkJson, Unpaged, ok_json},
    input::RequestInfo,
    publish,
    routes::{Answer, Routes},
};
use serde::Serialize;
use utoipa::ToSchema;
use values::{Language, Result};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "transformers": list);
}

/// Transformer of files of one format.
#[derive(Serialize, ToSchema)]
#[schema(as = TransformerInfo)]
struct TransformerView {
    name: Transformer,
    /// Version of the transformer; it increases when the same file gives a different table.
    #[schema(example = 1)]
    version: u32,
    /// Name of the format, in the language of the caller.
    #[schema(example = "DATANORM 4 und 5")]
    title: &'static str,
    /// Kinds of files that it reads.
    file_kinds: &'static [FileKind],
    /// Sample files with the resulting tables; empty for tables that need no conversion.
    samples: Vec<SampleView>,
}

/// File and the resulting table.
#[derive(Serialize, ToSchema)]
#[schema(as = TransformerSample)]
struct SampleView {
    /// Version of the format.
    #[schema(example = "DATANORM 5")]
    title: &'static str,
    /// Text of the file.
    #[schema(example = "V;050;P;20261128;EUR;…")]
    input: String,
    /// CSV file with the headings of imports.
    #[schema(example = "\"Externe Artikelnummer\";\"Bezeichnung\";\"Preis\"…")]
    output: String,
}

impl TransformerView {
    fn new(entry: &TransformerEntry, language: Language) -> Result<Self> {
        let sample = |TransformerSample { title, input, output }: TransformerSample| SampleView {
            title,
            input,
            output,
        };
        Ok(Self {
            name: entry.transformer,
            version: entry.version,
            title: entry.title.text(language),
            file_kinds: entry.file_kinds,
            samples: entry.samples()?.into_iter().map(sample).collect(),
        })
    }
}

/// Lists the transformers of files, with samples of input and output.
#[utoipa::path(get, path = "/api/admin/transformers")]
async fn list(
    _: SignedInOrToken,
    RequestInfo(request): RequestInfo,
) -> Answer<OkJson<Unpaged<TransformerView>>> {
    let views = TRANSFORMERS.iter().map(|entry| TransformerView::new(entry, request.language));
    Ok(ok_json(Unpaged { data: views.collect::<Result<_>>()? }))
}
