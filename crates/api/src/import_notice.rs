//! Mail about the end of an import, to its user if they have chosen to get it.

use identity::user;
use imports::import::{Import, ImportStatus, row::Outcome};
use mail::{Mail, Report, Rows, outbox};
use store::Write;
use values::{Result, now};

/// Queues the mail in the transaction that ends the import; does nothing if the import has no user, or they
/// do not want it.
pub(crate) async fn write(tx: &Write, site: &str, import: &Import) -> Result<()> {
    let Some(uploader) = import.created_by else { return Ok(()) };
    let Some(reader) = user::wanting(tx, uploader, needs_attention(import)).await? else { return Ok(()) };
    let message = import.status_text(reader.language().unwrap_or_default());
    let report = Report {
        name: import.name.as_deref().unwrap_or(&import.upload_file),
        failed: import.status == ImportStatus::Failed,
        dry_run: import.dry_run,
        rows: Rows {
            created: import.rows_created,
            updated: import.rows_updated,
            unchanged: import.rows_unchanged,
            refused: import.rows_refused,
            under_review: import.rows_held,
            unresolved: import.rows_unresolved,
        },
        message: message.as_deref(),
    };
    // a user without a tenant opens the page for the tenant of the import
    let query =
        if reader.tenant_id.is_none() { format!("?tenantId={}", import.tenant_id) } else { String::new() };
    let page_url = format!("{site}/imports/{}{query}", import.id);
    outbox::queue(tx, reader.recipient(), &Mail::ImportEnded { import: report, page: &page_url }, now()).await
}

fn needs_attention(import: &Import) -> bool {
    let open_rows = import.row_counts().sum([Outcome::Refused, Outcome::Held, Outcome::Unresolved]);
    matches!(import.status, ImportStatus::Failed | ImportStatus::Cancelled) || open_rows > 0
}
