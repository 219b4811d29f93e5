//! Pages of a list: which one is asked for, and what is on it.

use super::query::each_once;
use crate::{
    code::{Code, Message},
    error::Result,
};

pub const DEFAULT_SIZE: u64 = 40;
pub const MAX_SIZE: u64 = 200;

/// Which page, of how many rows.
#[derive(Debug, Clone, Copy)]
pub struct Paging {
    /// 1-based.
    pub page: u64,
    pub size: u64,
}

/// Rows of a list, wherever a page begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) offset: u64,
    pub(super) size: u64,
}

impl Span {
    /// Rows before what follows.
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
    /// Reads `page[number]` and `page[size]`; refuses whatever else there is.
    pub fn parse<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        let mut paging = Self::default();
        let unknown = || Err(Code::UnknownParameter.with("known", "page[number], page[size]"));
        each_once(parameters, |name, text| paging.read(name, text).unwrap_or_else(unknown))?;
        Ok(paging)
    }

    /// `None` if the parameter does not concern the page.
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

    /// Rows before the page.
    pub fn offset(self) -> u64 {
        (self.page - 1) * self.size
    }

    pub fn of<R>(self, rows: Vec<R>, total: u64) -> Page<R> {
        Page { rows, page: self.page, size: self.size, total, suggestion: None }
    }
}

/// One page of rows and where it lies.
#[derive(Debug, Clone)]
pub struct Page<R> {
    pub rows: Vec<R>,
    /// 1-based.
    pub page: u64,
    pub size: u64,
    pub total: u64,
    /// Of a search that finds nothing: another that finds something, and may have been meant.
    pub suggestion: Option<String>,
}

impl<R> Page<R> {
    pub fn last_page(&self) -> u64 {
        Ord::max(self.total.div_ceil(self.size), 1)
    }

    pub fn map<T>(self, into: impl FnMut(R) -> T) -> Page<T> {
        let Self { rows, page, size, total, suggestion } = self;
        Page { rows: rows.into_iter().map(into).collect(), page, size, total, suggestion }
    }

    /// The same page with what `details` finds for its rows.
    pub async fn detailed<T>(self, details: impl AsyncFnOnce(Vec<R>) -> Result<Vec<T>>) -> Result<Page<T>> {
        let Self { rows, page, size, total, suggestion } = self;
        Ok(Page { rows: details(rows).await?, page, size, total, suggestion })
    }
}

fn number(text: &str, min: u64, max: u64) -> Result<u64, Message> {
    text.parse()
        .ok()
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| Code::InvalidParameter.with("expected", format!("{min}–{max}")))
}
