//! Pages of a list: the requested page and its rows.

use values::{codes, error::Result, message::Message};

use super::query::each_once;

/// Number of rows on a page if the request names none.
pub const DEFAULT_SIZE: u64 = 40;
/// Largest number of rows on a page.
pub const MAX_SIZE: u64 = 200;

/// Requested page and its size.
#[derive(Debug, Clone, Copy)]
pub struct Paging {
    /// Number of the page, starting at 1.
    pub page: u64,
    pub size: u64,
}

/// Range of rows in a list, independent of page boundaries.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) offset: u64,
    pub(super) size: u64,
}

impl Span {
    /// Offset of the first row after the range.
    pub(super) fn end(self) -> u64 {
        self.offset + self.size
    }
}

impl Default for Paging {
    fn default() -> Self {
        Self { page: 1, size: DEFAULT_SIZE }
    }
}

impl Paging {
    /// Parses `page[number]` and `page[size]`; refuses all other parameters.
    pub fn parse<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        let mut paging = Self::default();
        let unknown = || Err(codes::UNKNOWN_PARAMETER.with("known", "page[number], page[size]"));
        each_once(parameters, |name, text| paging.read(name, text).unwrap_or_else(unknown))?;
        Ok(paging)
    }

    /// Reads a parameter; `None` if it does not concern the page.
    pub(super) fn read(&mut self, name: &str, text: &str) -> Option<Result<(), Message>> {
        match name {
            "page[number]" => {
                let page = number(text, 1, i64::MAX.unsigned_abs() / MAX_SIZE);
                Some(page.map(|page| self.page = page))
            }
            "page[size]" => Some(number(text, 1, MAX_SIZE).map(|size| self.size = size)),
            _ => None,
        }
    }

    /// Number of rows before the page.
    pub fn offset(self) -> u64 {
        (self.page - 1) * self.size
    }

    /// Builds the page with these rows; `total` counts the rows of all pages.
    pub fn page_with<R>(self, rows: Vec<R>, total: u64) -> Page<R> {
        Page { rows, page: self.page, size: self.size, total, suggestion: None }
    }
}

/// Page of rows with its position in the list.
#[derive(Debug, Clone)]
pub struct Page<R> {
    pub rows: Vec<R>,
    /// Number of the page, starting at 1.
    pub page: u64,
    pub size: u64,
    pub total: u64,
    /// Similar search that has results, if this one has none.
    pub suggestion: Option<String>,
}

impl<R> Page<R> {
    /// Number of the last page, at least 1.
    pub fn last_page(&self) -> u64 {
        Ord::max(self.total.div_ceil(self.size), 1)
    }

    /// Converts each row and leaves the rest of the page as it is.
    pub fn map<T>(self, into: impl FnMut(R) -> T) -> Page<T> {
        let Self { rows, page, size, total, suggestion } = self;
        Page { rows: rows.into_iter().map(into).collect(), page, size, total, suggestion }
    }

    /// Replaces the rows by those that `details` returns for them.
    pub async fn detailed<T>(self, details: impl AsyncFnOnce(Vec<R>) -> Result<Vec<T>>) -> Result<Page<T>> {
        let Self { rows, page, size, total, suggestion } = self;
        Ok(Page { rows: details(rows).await?, page, size, total, suggestion })
    }
}

fn number(text: &str, min: u64, max: u64) -> Result<u64, Message> {
    text.parse()
        .ok()
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| codes::INVALID_PARAMETER.with("expected", format!("{min}–{max}")))
}
