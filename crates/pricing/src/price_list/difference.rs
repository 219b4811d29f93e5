//! Differences between many prices before and after a change: how many change, by how much, and which cannot.
//! Shown as a preview and as the result.

use catalog::article_units::ArticleUnits;
use values::{Decimal, Message, Unit};

use crate::price_side::{Side, in_quantity_of};

/// Maximum number of lines shown: prices that cannot be changed, and the largest changes.
pub const LINES_MAX: usize = 100;

/// Result of changing a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PriceChangeResult {
    /// New price.
    Changed(Side),
    /// New price, which is under review until it is released.
    Held(Side),
    /// Reason why the price stays unchanged.
    Impossible(Message),
}

/// Price before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferenceLine {
    pub article_id: i64,
    pub article_number: String,
    pub article_name: String,
    /// Unit of quantity breaks without a unit.
    pub listing_unit: Unit,
    /// Former price; empty if there was none.
    pub before: Side,
    pub after: PriceChangeResult,
    /// Change of the price in percent, rounded to two places; `None` if a price is missing or the former one
    /// was zero.
    pub percent: Option<Decimal>,
}

/// Differences between many prices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListDifference {
    pub created: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub under_review: u64,
    /// Number of prices that stay unchanged, because they cannot be changed like this.
    pub impossible: u64,
    /// Number of prices for which another price is under review.
    pub waiting: u64,
    /// Median of all changes, in percent.
    pub median_percent: Option<Decimal>,
    /// Lines: prices that cannot be changed first, then the largest changes.
    pub lines: Vec<DifferenceLine>,
    /// Changes in hundredths of a percent.
    moves: Vec<i64>,
}

impl ListDifference {
    /// Counts the result for the price of an article.
    pub(crate) fn add(&mut self, article: &ArticleUnits, before: &Side, after: PriceChangeResult) {
        let percent = match &after {
            PriceChangeResult::Changed(after) | PriceChangeResult::Held(after) => {
                moved(before, after, article)
            }
            PriceChangeResult::Impossible(_) => None,
        };
        match &after {
            PriceChangeResult::Changed(after) if after == before => {
                self.unchanged += 1;
                return;
            }
            PriceChangeResult::Changed(_) if before.is_empty() => self.created += 1,
            PriceChangeResult::Changed(_) => self.changed += 1,
            PriceChangeResult::Held(_) => self.under_review += 1,
            PriceChangeResult::Impossible(_) => self.impossible += 1,
        }
        self.moves.extend(percent.map(|percent| percent.millionths() / 10_000));
        self.lines.push(DifferenceLine {
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

    /// Sorts and truncates the lines, and calculates the median.
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
            let impossible = matches!(line.after, PriceChangeResult::Impossible(_));
            let size = line.percent.map_or(0, |percent| percent.millionths().abs());
            (!impossible, std::cmp::Reverse(size), line.article_id)
        });
        self.lines.truncate(LINES_MAX);
    }
}

/// Returns the change of a price in percent.
fn moved(before: &Side, after: &Side, article: &ArticleUnits) -> Option<Decimal> {
    let (was, is) = (before.price?, after.price?);
    let was = in_quantity_of(&was, &is, article)?;
    let by = is.price.millionths().checked_sub(was.millionths())?;
    Decimal::from(100).scaled(by, was.millionths()).map(|percent| percent.rounded(2))
}
