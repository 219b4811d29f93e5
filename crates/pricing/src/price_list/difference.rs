//! What many prices become at once: how many change, by how much, and which cannot. Shown before it is done, and told after.

use catalog::measured::Measured;
use kernel::{Decimal, Message, Unit};

use crate::price_side::{Side, in_quantity_of};

/// The lines that are shown: the largest moves, and what cannot be changed.
pub const LINES_MAX: usize = 100;

/// What becomes of a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Becomes {
    /// This.
    Changed(Side),
    /// This, once somebody has released it.
    Held(Side),
    /// It stays as it is, because of this.
    Impossible(Message),
}

/// A price before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub article_id: i64,
    pub article_number: String,
    pub article_name: String,
    /// The unit of tiers that name none.
    pub listing_unit: Unit,
    /// Empty where there was none.
    pub before: Side,
    pub after: Becomes,
    /// How much the price moves, in percent, rounded to two places; none where one of them is missing or was zero.
    pub percent: Option<Decimal>,
}

/// What many prices become.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    pub created: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub held: u64,
    /// Stay as they are, because they cannot be changed so.
    pub impossible: u64,
    /// Another price waits for a release beside them.
    pub waiting: u64,
    /// Of those that move: half of them move by less. In percent.
    pub median_percent: Option<Decimal>,
    /// What cannot be changed first, then the largest moves.
    pub lines: Vec<Line>,
    /// In hundredths of a percent.
    moves: Vec<i64>,
}

impl Difference {
    /// Counts what becomes of the price of an article.
    pub(crate) fn add(&mut self, article: &Measured, before: &Side, after: Becomes) {
        let percent = match &after {
            Becomes::Changed(after) | Becomes::Held(after) => moved(before, after, article),
            Becomes::Impossible(_) => None,
        };
        match &after {
            Becomes::Changed(after) if after == before => {
                self.unchanged += 1;
                return;
            }
            Becomes::Changed(_) if before.is_empty() => self.created += 1,
            Becomes::Changed(_) => self.changed += 1,
            Becomes::Held(_) => self.held += 1,
            Becomes::Impossible(_) => self.impossible += 1,
        }
        self.moves.extend(percent.map(|percent| percent.millionths() / 10_000));
        self.lines.push(Line {
            article_id: article.id,
            article_number: article.article_number.clone(),
            article_name: article.article_name.clone(),
            listing_unit: article.listing_unit,
            before: before.clone(),
            after,
            percent,
        });
        if self.lines.len() >= LINES_MAX * 4 {
            self.keep_largest();
        }
    }

    /// With everything counted.
    pub(crate) fn finished(mut self) -> Self {
        self.keep_largest();
        self.moves.sort_unstable();
        let middle = self.moves.len().saturating_sub(1) / 2;
        self.median_percent =
            self.moves.get(middle).map(|hundredths| Decimal::from_millionths(hundredths * 10_000));
        self.moves = Vec::new();
        self
    }

    fn keep_largest(&mut self) {
        self.lines.sort_by_key(|line| {
            let impossible = matches!(line.after, Becomes::Impossible(_));
            let size = line.percent.map_or(0, |percent| percent.millionths().abs());
            (!impossible, std::cmp::Reverse(size), line.article_id)
        });
        self.lines.truncate(LINES_MAX);
    }
}

/// How much a price moves, in percent.
fn moved(before: &Side, after: &Side, article: &Measured) -> Option<Decimal> {
    let (was, is) = (before.price?, after.price?);
    let was = in_quantity_of(&was, &is, article)?;
    let by = is.price.millionths().checked_sub(was.millionths())?;
    Decimal::from(100).scaled(by, was.millionths()).map(|percent| percent.rounded(2))
}
