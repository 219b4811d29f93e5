//! Calculation back from a target price: the discount or surcharge in percent that leads there from the price
//! to pay, from the base prices, and from the internal prices.

use catalog::article_units::ArticleUnits;
use logistics::stock::not_counted;
use values::{Decimal, Money, UnitCategory, Violations, input::message, rule};

use super::{Cart, Line, LineQuote, Quote};
use crate::exact::{Exact, Ratio};

/// Target prices of a line; each is calculated separately.
#[derive(Debug, Clone, Copy, Default)]
pub struct RequestedPrices {
    /// Total in EUR of the article and its processings.
    pub total: Option<Decimal>,
    /// Price of the article alone.
    pub price: Option<Money>,
}

/// Steps that lead to a target price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceTarget {
    pub amount: Exact,
    /// Step from the current price to pay.
    pub from_paid: Option<PercentStep>,
    /// Step from the base prices, in place of all adjustments.
    pub from_base: Option<PercentStep>,
    /// Step from the internal prices; `None` if an article has none, or if there are processings, which have
    /// none.
    pub from_internal: Option<PercentStep>,
}

/// A discount or surcharge in percent, negative for a discount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PercentStep {
    /// Amount that the percentage refers to, in EUR, rounded to cents.
    pub from: Decimal,
    pub exact: Exact,
    /// Exact percentage, rounded to two places.
    pub percent: Decimal,
    /// Result of applying the rounded percentage to the exact amount, rounded to cents once.
    pub result: Decimal,
}

/// Steps to the targets of a line.
#[derive(Debug, Default)]
pub struct LineTargets {
    pub total: Option<PriceTarget>,
    pub price: Option<PriceTarget>,
}

/// Steps to the targets of a cart.
#[derive(Debug, Default)]
pub struct CartTargets {
    pub total: Option<PriceTarget>,
    /// Targets of the cart's lines, in their order.
    pub lines: Vec<LineTargets>,
}

/// Adds the violations of a target total in EUR.
pub fn check_total(total: Option<Decimal>, path: &str, violations: &mut Violations) {
    if let Some(Err(error)) = total.as_ref().map(rule::positive::<12, 4>) {
        violations.add(path, message(&error));
    }
}

impl RequestedPrices {
    /// Adds the violations of a line's targets.
    pub(super) fn check(&self, article: Option<&ArticleUnits>, violations: &mut Violations) {
        check_total(self.total, "target_total", violations);
        let Some(price) = &self.price else { return };
        price.check(violations, "target_price", UnitCategory::ALL);
        if let Some(article) = article
            && article.convert(Decimal::ONE, price.unit, article.base_unit).is_none()
        {
            violations.add("target_price.unit", not_counted(article, price.unit));
        }
    }
}

impl PercentStep {
    /// Returns the step from one amount to another; `None` if the first is zero, or if numbers become too
    /// large.
    fn between(from: Exact, to: Exact) -> Option<Self> {
        let by = to.minus(from)?;
        let (exact, percent) = (by.exact_percent_of(from)?, by.percent_of(from)?);
        Some(Self { from: from.shown(), exact, percent, result: from.shown_changed_by(percent)? })
    }
}

impl PriceTarget {
    fn new(amount: Exact, paid: Exact, base: Exact, internal: Option<Exact>) -> Self {
        Self {
            amount,
            from_paid: PercentStep::between(paid, amount),
            from_base: PercentStep::between(base, amount),
            from_internal: internal.and_then(|internal| PercentStep::between(internal, amount)),
        }
    }
}

impl CartTargets {
    /// Calculates the steps. `lines`: targets in the order of the cart's lines.
    pub(super) fn new(cart: &Cart, quote: &Quote, total: Option<Decimal>, lines: &[RequestedPrices]) -> Self {
        let priced = || quote.lines.iter().filter(|line| line.refused.is_empty());
        let target = |total: Decimal| {
            let internal = priced()
                .map(LineQuote::internal_alone)
                .try_fold(Exact::ZERO, |sum, internal| sum.plus(internal?));
            PriceTarget::new(Exact::from_decimal(total), quote.total, quote.base, internal)
        };
        let lines = cart.lines.iter().zip(&quote.lines).zip(lines);
        Self {
            total: total.filter(|_| priced().next().is_some()).map(target),
            lines: lines
                .map(|((line, quoted), requested_prices)| quoted.targets(line, requested_prices))
                .collect(),
        }
    }
}

impl LineQuote {
    /// Cost of the articles; `None` if the line has processings.
    fn internal_alone(&self) -> Option<Exact> {
        self.internal.filter(|_| self.items.len() == 1)
    }

    fn targets(&self, line: &Line, requested_prices: &RequestedPrices) -> LineTargets {
        if !self.refused.is_empty() {
            return LineTargets::default();
        }
        let to_total = |total: Decimal| {
            let sum = |amount: fn(&super::ItemQuote) -> Exact| {
                self.items.iter().map(amount).try_fold(Exact::ZERO, Exact::plus)
            };
            let (paid, base) = (sum(|item| item.total)?, sum(|item| item.base)?);
            Some(PriceTarget::new(Exact::from_decimal(total), paid, base, self.internal_alone()))
        };
        let to_price = |price: Money| {
            let article = self.items.first()?;
            Some(PriceTarget::new(cost_at(price, line)?, article.total, article.base, self.internal))
        };
        LineTargets {
            total: requested_prices.total.and_then(to_total),
            price: requested_prices.price.and_then(to_price),
        }
    }
}

/// Amount of a line's article at a price.
fn cost_at(price: Money, line: &Line) -> Option<Exact> {
    let Money { price, price_quantity, unit } = price;
    let each = Ratio::from_decimal(price)?.over(Ratio::from_decimal(price_quantity)?)?;
    let quantity = line.article.convert(Ratio::from_decimal(line.quantity)?, line.unit, unit)?;
    Exact::from_ratio(each.times(quantity)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Exact {
        Exact::from_decimal(text.parse().unwrap())
    }

    fn step(from: &str, to: &str) -> Option<[String; 4]> {
        let PercentStep { from, exact, percent, result } = PercentStep::between(exact(from), exact(to))?;
        Some([from.to_string(), exact.to_string(), percent.to_string(), result.to_string()])
    }

    #[test]
    fn a_step_is_exact_and_shows_the_result_of_its_rounded_percentage() {
        for (from, to, expected) in [
            ("1000", "970", ["1000", "-3", "-3", "970"]),
            ("985", "954.96", ["985", "-3.049746192893401", "-3.05", "954.96"]),
            // two places do not lead exactly to the target
            ("22812.8166", "20000", ["22812.82", "-12.329983838996891", "-12.33", "20000"]),
            ("100000", "66666.67", ["100000", "-33.33333", "-33.33", "66670"]),
            ("900", "1000", ["900", "11.111111111111111", "11.11", "999.99"]),
            ("10", "10", ["10", "0", "0", "10"]),
            // half of the last place is rounded away from zero, for both signs
            ("800", "801", ["800", "0.125", "0.13", "801.04"]),
            ("800", "799", ["800", "-0.125", "-0.13", "798.96"]),
            // applied to the exact amount, not to its cents: 0.005 becomes 0.01
            ("0.005", "0.01", ["0.01", "100", "100", "0.01"]),
        ] {
            assert_eq!(step(from, to).unwrap(), expected, "{from} {to}");
        }
    }

    #[test]
    fn unreachable_targets_have_no_percentage() {
        assert_eq!(step("0", "10"), None);
        assert_eq!(step("0.000001", "999999999999"), None);
    }
}
