//! Context in which carts of a seller are calculated: price book, moment and time zone.

use std::sync::Arc;

use chrono_tz::Tz;
use store::Database;
use values::{Instant, Result, TenantId, now};

use super::{Moment, book::Book, load::Books};

/// Inputs shared by all calculations of a process.
#[derive(Debug, Clone, Copy)]
pub struct Calculator<'b> {
    pub books: &'b Books,
    /// Time zone of days and weekdays.
    pub time_zone: Tz,
}

/// Price book of a seller, and the current moment.
#[derive(Debug, Clone)]
pub struct Calculation {
    pub book: Arc<Book>,
    pub now: Instant,
    time_zone: Tz,
}

impl Calculator<'_> {
    /// Loads the price book of a seller for a calculation now.
    pub async fn load(&self, db: &Database, seller: TenantId) -> Result<Calculation> {
        let book = self.books.load(db, seller).await?;
        Ok(Calculation { book, now: now(), time_zone: self.time_zone })
    }
}

impl Calculation {
    /// Calculation with the prices of a book at a moment.
    pub fn new(book: Arc<Book>, now: Instant, time_zone: Tz) -> Self {
        Self { book, now, time_zone }
    }

    /// Returns the same calculation at another moment.
    #[must_use]
    pub fn at(self, now: Instant) -> Self {
        Self { now, ..self }
    }

    /// Time zone of days and weekdays.
    pub fn time_zone(&self) -> Tz {
        self.time_zone
    }

    /// Returns a moment; without `at`, the current one.
    pub fn moment(&self, at: Option<Instant>) -> Moment {
        Moment::new(at.unwrap_or(self.now), self.time_zone)
    }
}
