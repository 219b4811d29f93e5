//! Where and when carts of a seller are calculated.

use std::sync::Arc;

use chrono_tz::Tz;
use kernel::{Database, Instant, Result, TenantId, now};

use super::{Moment, book::Book, load::Books};

/// What calculations of a process share.
#[derive(Debug, Clone, Copy)]
pub struct Calculator<'b> {
    pub books: &'b Books,
    /// In which days and weekdays are meant.
    pub time_zone: Tz,
}

/// The book of a seller, and the present moment.
#[derive(Debug, Clone)]
pub struct Calculation {
    pub book: Arc<Book>,
    pub now: Instant,
    time_zone: Tz,
}

impl Calculator<'_> {
    pub async fn of(&self, db: &Database, seller: TenantId) -> Result<Calculation> {
        let book = self.books.of(db, seller).await?;
        Ok(Calculation { book, now: now(), time_zone: self.time_zone })
    }
}

impl Calculation {
    pub fn new(book: Arc<Book>, now: Instant, time_zone: Tz) -> Self {
        Self { book, now, time_zone }
    }

    /// The same as if it were that moment.
    #[must_use]
    pub fn at(self, now: Instant) -> Self {
        Self { now, ..self }
    }

    /// In which days and weekdays are meant.
    pub fn time_zone(&self) -> Tz {
        self.time_zone
    }

    /// A moment, the present one without any.
    pub fn moment(&self, at: Option<Instant>) -> Moment {
        Moment::new(at.unwrap_or(self.now), self.time_zone)
    }
}
