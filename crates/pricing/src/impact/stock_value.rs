//! Value of the stock on hand before and after a change: each stock of an article with a changed price,
//! priced as one order line.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use catalog::{
    article,
    article_units::{self, ArticleUnits},
};
use logistics::{permissions, stock::Availability};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};
use store::{Database, Scope};
use tenancy::tenant::Party;
use values::{Decimal, Instant, Result, Unit};

use super::{AmountChange, Comparison, catalogue::Tally, customers::CustomerClasses, run_blocking};
use crate::{
    exact::Exact,
    listing::{self, Column, Listings},
    quote::{Buyer, Cart, Line, Moment, Viewpoint, article::Article, book::Book, lines::LineRecords, quote},
};

/// Maximum number of stocks that are valued, each with both books.
const STOCKS_MAX: usize = 50_000;
/// Number of articles read by one statement.
const READ: usize = 5_000;

/// Value in EUR of the stocks of all compared articles with a changed price, at the prices of one group of
/// customers.
#[derive(Debug)]
pub struct StockValue {
    /// Customer whose prices are used: the first one with a changed price; `None` for an anonymous buyer.
    pub buyer: Option<Party>,
    /// First moment at which a price of this customer changes.
    pub at: Instant,
    /// Number of stocks with a quantity above zero, in whole dimensions.
    pub stocks: u64,
    /// Number of stocks without a price before or after, which neither value includes.
    pub without_price: u64,
    /// Sum of amounts, each rounded like an order line.
    pub before: Decimal,
    pub after: Decimal,
    pub change: AmountChange,
    /// True if all articles were compared and all their stocks are counted.
    pub complete: bool,
}

/// Article, warehouse and quantity in the base unit.
type Row = (i64, i64, Decimal);

/// Running sums.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sum {
    stocks: u64,
    without_price: u64,
    before: Exact,
    after: Exact,
}

/// Prices and customer with which stocks are valued.
struct Valuation {
    books: [Arc<Book>; 2],
    buyer: Option<Buyer>,
    moment: Moment,
}

/// Values the stocks of the articles with changed prices in `tally`; `None` for users without permission to
/// list stocks.
pub(super) async fn value_stocks(
    db: &Database,
    scope: &Scope,
    comparison: &Comparison,
    classes: &CustomerClasses,
    tally: &Tally,
) -> Result<Option<StockValue>> {
    if !scope.may(permissions::LIST_STOCKS) {
        return Ok(None);
    }
    let moved = tally.changed.iter().enumerate().find_map(|(class, moment)| Some((class, (*moment)?)));
    let class = moved.and_then(|(class, _)| classes.all.get(class));
    let moment = moved.and_then(|(_, moment)| comparison.plan.moments.get(moment).copied());
    let at = moment.unwrap_or(comparison.calculation.now);
    let valuation = Arc::new(Valuation {
        books: [comparison.before.clone(), comparison.after.clone()],
        buyer: class.and_then(|class| class.buyer.clone()),
        moment: comparison.calculation.moment(Some(at)),
    });
    let (rows, all_read) = stocks_of(db, scope, comparison, &tally.touched).await?;
    let mut sum = Sum::default();
    let line_records = if rows.is_empty() {
        LineRecords::default()
    } else {
        LineRecords::load(db, valuation.books.iter().map(|book| &**book), HashSet::new()).await?
    };
    for some in rows.chunks(READ) {
        let ids = some.iter().map(|(article, ..)| *article);
        let units = article_units::load(db, &Scope::platform(), article::Column::Id.is_in(ids)).await?;
        let counted =
            |measured: &ArticleUnits| (Arc::new(line_records.article(measured)), measured.base_unit);
        let articles: HashMap<i64, (Arc<Article>, Unit)> =
            units.iter().map(|measured| (measured.id, counted(measured))).collect();
        let lines = some.iter().filter_map(|(article, warehouse, quantity)| {
            let (article, unit) = articles.get(article)?;
            Some(Line {
                article: article.clone(),
                quantity: *quantity,
                unit: *unit,
                warehouse: Some(*warehouse),
                processings: Vec::new(),
            })
        });
        let (lines, valuation): (Vec<Line>, _) = (lines.collect(), valuation.clone());
        sum = run_blocking(move || {
            for line in lines {
                sum.add(&valuation, line);
            }
            sum
        })
        .await?;
    }
    let complete = all_read && tally.catalogue.articles_examined == tally.catalogue.articles_in_all;
    let buyer = class.and_then(|class| class.parties.first().cloned());
    Ok(Some(sum.valued(buyer, at, complete)))
}

/// Loads the stocks on hand of articles; the flag is true if they are complete. Remnants are left out: an
/// order line is priced in whole dimensions.
async fn stocks_of(
    db: &Database,
    scope: &Scope,
    comparison: &Comparison,
    articles: &[i64],
) -> Result<(Vec<Row>, bool)> {
    let scope = scope.acting_for(Some(comparison.seller));
    let mut rows: Vec<Row> = Vec::new();
    for ids in articles.chunks(READ) {
        let remaining = (STOCKS_MAX + 1).saturating_sub(rows.len());
        if remaining == 0 {
            break;
        }
        let some = scope
            .find::<Listings>()
            .filter(Column::ArticleId.is_in(ids.iter().copied()))
            .filter(Column::AvailabilityType.eq(Availability::Quantity))
            .filter(Column::Quantity.gt(Decimal::ZERO))
            .filter(listing::whole())
            .order_by_asc(Column::ArticleId)
            .order_by_asc(Column::Id)
            .limit(remaining as u64)
            .select_only()
            .columns([Column::ArticleId, Column::WarehouseId, Column::Quantity])
            .into_tuple::<Row>()
            .all(db)
            .await?;
        rows.extend(some);
    }
    let are_all = rows.len() <= STOCKS_MAX;
    rows.truncate(STOCKS_MAX);
    Ok((rows, are_all))
}

impl Valuation {
    /// Prices a line with both books; `None` if it has no price.
    fn amounts(&self, line: Line) -> [Option<Decimal>; 2] {
        let cart = Cart { buyer: self.buyer.clone(), moment: self.moment, lines: vec![line] };
        self.books.each_ref().map(|book| {
            let quote = quote(book, &cart, Viewpoint::Buyer, false);
            let has_price = quote.lines.first().is_some_and(|line| line.refused.is_empty());
            has_price.then(|| quote.total.shown())
        })
    }
}

impl Sum {
    fn add(&mut self, valuation: &Valuation, line: Line) {
        self.count(valuation.amounts(line));
    }

    fn count(&mut self, amounts: [Option<Decimal>; 2]) {
        self.stocks += 1;
        let [Some(before), Some(after)] = amounts else {
            self.without_price += 1;
            return;
        };
        let added = |sum: Exact, amount: Decimal| [sum, Exact::from_decimal(amount)].into_iter().sum();
        (self.before, self.after) = (added(self.before, before), added(self.after, after));
    }

    fn valued(self, buyer: Option<Party>, at: Instant, complete: bool) -> StockValue {
        let Self { stocks, without_price, before, after } = self;
        let change = AmountChange::between(before, after);
        let (before, after) = (before.shown(), after.shown());
        StockValue { buyer, at, stocks, without_price, before, after, change, complete }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn stock_values_sum_whole_cents_and_skip_stocks_without_both_prices() {
        let mut sum = Sum::default();
        for amounts in [
            [Some(decimal("10.01")), Some(decimal("10.02"))],
            [Some(decimal("0.01")), Some(decimal("0.02"))],
            [None, Some(decimal("900"))],
            [Some(decimal("900")), None],
            [None, None],
        ] {
            sum.count(amounts);
        }
        let value = sum.valued(None, values::now(), true);
        assert_eq!((value.stocks, value.without_price), (5, 3));
        assert_eq!([value.before, value.after], [decimal("10.02"), decimal("10.04")]);
        assert_eq!((value.change.amount, value.change.percent), (decimal("0.02"), Some(decimal("0.2"))));
    }

    #[test]
    fn the_value_of_no_stocks_is_zero() {
        let value = Sum::default().valued(None, values::now(), true);
        assert_eq!((value.stocks, value.before, value.after), (0, Decimal::ZERO, Decimal::ZERO));
        assert_eq!(value.change.percent, None);
    }
}
