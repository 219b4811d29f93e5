//! Uploaded price files of other formats: converted to CSV before they are processed further.

use feeds::transformer::{PriceFormat, TransformReport, convert_file};
use http_api::upload::{Fields, UploadedFile};
use imports::import_type::ImportType;
use values::{Error, Message, Result, Violations};

use crate::{codes, state::State};

const FIELD: &str = "price_format";
/// Maximum number of unusable records that are named.
const NAMED_MAX: usize = 5;

/// Reads the format of a price file; `None` for tables.
pub(super) fn read_format(fields: &mut Fields, violations: &mut Violations) -> Option<PriceFormat> {
    let name = fields.remove(FIELD)?;
    match name.trim() {
        "datanorm" => Some(PriceFormat::Datanorm),
        "bmecat" => Some(PriceFormat::Bmecat),
        _ => {
            violations.add(FIELD, codes::INVALID_PARAMETER.with("expected", "datanorm, bmecat"));
            None
        }
    }
}

/// Returns the file as a table, with notes about records that cannot be used.
///
/// # Errors
/// At `price_format` for contents other than prices; at `file` if the file does not have the format.
pub(super) async fn convert_price_file(
    state: &State,
    r#type: ImportType,
    format: Option<PriceFormat>,
    file: UploadedFile,
) -> Result<(UploadedFile, Vec<Message>)> {
    let Some(format) = format else { return Ok((file, Vec::new())) };
    if !matches!(r#type, ImportType::Listing | ImportType::Price | ImportType::PriceList) {
        return Err(Violations::error(FIELD, codes::TRANSFORMER_PRICES_ONLY));
    }
    let table = state.storage.spool_file()?;
    let report = convert_file(format.into(), file.content.path(), table.path()).await;
    let report = report.map_err(|error| match error {
        Error::Refused(message) => Violations::error("file", message),
        error => error,
    })?;
    let name = format!("{}.csv", file.name);
    Ok((UploadedFile { name, content: table }, notes(report)))
}

fn notes(report: TransformReport) -> Vec<Message> {
    let more = report.problem_count.saturating_sub(NAMED_MAX as u64);
    let first = report.problems.into_iter().take(NAMED_MAX).map(|problem| problem.message);
    first.chain((more > 0).then(|| codes::MORE_PROBLEMS.with("count", more))).collect()
}
