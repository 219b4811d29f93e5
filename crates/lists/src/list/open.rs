//! Open filters, whose second name is data, as in `filter[attribute][length_greater_equals]=6 m`. The list's
//! domain resolves them, which may need a look-up.

use std::{fmt, sync::Arc};

use sea_orm::{Condition, DbBackend};
use store::database::Database;
use values::{
    error::{Result, Violations},
    message::Message,
};

use super::{ListQuery, Listed};

/// Open filter of a request.
#[derive(Debug, Clone)]
pub struct OpenFilter {
    /// Full name of the parameter.
    parameter: String,
    /// Second name: `length_greater_equals`.
    pub key: String,
    /// Values, any of which may match.
    pub texts: Vec<String>,
}

/// Resolved filter, as a condition on a row.
#[derive(Clone)]
pub struct ResolvedFilter(Arc<dyn Fn(DbBackend) -> Condition + Send + Sync>);

impl ResolvedFilter {
    /// Creates the filter from a function that builds its condition for a backend.
    pub fn new(condition: impl Fn(DbBackend) -> Condition + Send + Sync + 'static) -> Self {
        Self(Arc::new(condition))
    }

    /// Builds the condition for a backend.
    pub fn condition(&self, backend: DbBackend) -> Condition {
        (self.0)(backend)
    }
}

impl fmt::Debug for ResolvedFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ResolvedFilter")
    }
}

impl<E: Listed> ListQuery<E> {
    /// Key in `filter[attribute][key]`, from the name in `filter[name]`.
    pub(super) fn open_key(name: &str) -> Option<&str> {
        name.strip_prefix(E::OPEN?)?.strip_prefix("][")
    }

    pub(super) fn filter_openly(&mut self, parameter: &str, key: &str, text: &str) {
        match self.open.iter_mut().find(|filter| filter.key == key) {
            Some(filter) => filter.texts.push(text.to_owned()),
            None => self.open.push(OpenFilter {
                parameter: parameter.to_owned(),
                key: key.to_owned(),
                texts: vec![text.to_owned()],
            }),
        }
    }

    /// Resolves the open filters of the list, which is required before it is read.
    pub async fn resolved(&self, db: &Database) -> Result<Self> {
        let mut query = self.clone();
        if query.open.is_empty() {
            return Ok(query);
        }
        let mut violations = Violations::new();
        let filters: Vec<Result<ResolvedFilter, Message>> = E::resolve_open_filters(db, &query.open).await?;
        for (open, filter) in std::mem::take(&mut query.open).into_iter().zip(filters) {
            match filter {
                Ok(filter) => query.resolved.push(filter),
                Err(message) => violations.add(open.parameter, message),
            }
        }
        violations.check()?;
        Ok(query)
    }
}
