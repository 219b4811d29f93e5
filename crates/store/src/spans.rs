//! Tracing spans for an installation that collects traces. Without a collector no span is begun.

use std::sync::atomic::{AtomicI64, Ordering};

use sea_orm::DbBackend;
use tracing::{Span, field::Empty};

/// Target of all spans that are traced.
pub const SPANS: &str = "stalhof";

/// Name of spans that are begun only within other spans, since queues poll every few seconds.
pub const STATEMENTS: &str = "statements";

/// Span of statements that belong together: those of a transaction or a snapshot, or one read.
#[derive(Debug)]
pub(crate) struct StatementGroup {
    span: Span,
    sent: AtomicI64,
}

impl StatementGroup {
    /// Begins a group of any number of statements.
    pub(crate) fn new(name: &'static str, backend: DbBackend) -> Self {
        Self { span: span(name, backend), sent: AtomicI64::new(0) }
    }

    /// Begins the group of a single read.
    pub(crate) fn single(sql: &str, backend: DbBackend) -> Self {
        let span = tracing::info_span!(
            target: SPANS,
            STATEMENTS,
            otel.name = summary(sql),
            otel.kind = "client",
            db.system.name = system(backend),
            stalhof.statements = 1_i64
        );
        Self { span, sent: AtomicI64::new(0) }
    }

    /// Counts a statement.
    pub(crate) fn count(&self) {
        self.sent.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for StatementGroup {
    fn drop(&mut self) {
        let sent = *self.sent.get_mut();
        if sent > 0 {
            self.span.record("stalhof.statements", sent);
        }
    }
}

fn span(name: &'static str, backend: DbBackend) -> Span {
    tracing::info_span!(
        target: SPANS,
        STATEMENTS,
        otel.name = name,
        otel.kind = "client",
        db.system.name = system(backend),
        stalhof.statements = Empty
    )
}

fn system(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Sqlite => "sqlite",
        _ => "postgresql",
    }
}

/// Returns the verb and the first table of a statement and no other part of it, since the text may contain
/// values.
fn summary(sql: &str) -> String {
    let mut words = sql.split_ascii_whitespace();
    let is_verb = |word: &&str| word.bytes().all(|byte| byte.is_ascii_uppercase());
    let verb = words.next().filter(is_verb).unwrap_or("statement");
    let table = words.skip_while(|word| *word != "FROM").nth(1);
    let table = table.map(|word| word.trim_matches(|c| matches!(c, '"' | ',' | ')' | ';')));
    let is_name =
        |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    match table.filter(is_name) {
        Some(table) => format!("{verb} {table}"),
        None => verb.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_of_a_statement_contains_no_values() {
        for (sql, expected) in [
            (r#"SELECT "id" FROM "material" WHERE "name" = 'S235'"#, "SELECT material"),
            ("SELECT count(*) FROM (SELECT 1 FROM price_list)", "SELECT"),
            ("SELECT 'Meier' FROM 'Meier'", "SELECT"),
            ("WITH x AS (SELECT a FROM stock) SELECT 1", "WITH stock"),
            ("'Meier'", "statement"),
            ("PRAGMA user_version = 0", "PRAGMA"),
            ("", "statement"),
        ] {
            assert_eq!(summary(sql), expected, "{sql}");
        }
    }
}
