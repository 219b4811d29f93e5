//! Change of many prices: setting, raising or lowering them by an amount or a percentage, with rounding.
//! Quantity breaks are changed in the same way as their price.

use catalog::article_units::ArticleUnits;
use serde::Deserialize;
use utoipa::ToSchema;
use values::{Decimal, Money, Unit, Violations};

use crate::{
    codes,
    price_side::{Side, in_quantity_of},
};

/// Change of prices: at most one of these.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceChange)]
pub struct PriceChange {
    /// Percentage, from -100 to 1,000.
    #[schema(example = "3")]
    pub percent: Option<Decimal>,
    /// Amount in EUR per tonne, converted into the unit of each price.
    #[schema(example = "15")]
    pub per_ton: Option<Decimal>,
    /// Amount in EUR, added to each price in its own price unit.
    #[schema(example = "0.5")]
    pub absolute: Option<Decimal>,
    /// New price; quantity breaks are removed.
    pub set: Option<Money>,
}

/// Direction of rounding after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PriceRounding)]
pub enum Direction {
    /// Rounds to the nearest multiple, halves up.
    Nearest,
    Up,
    Down,
}

/// Rounding of prices to multiples of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceStep)]
pub struct Rounding {
    /// Step, above zero and at most 1,000: `0.05`, `1`, `5`.
    #[schema(example = "0.05")]
    pub to: Decimal,
    #[serde(default = "nearest")]
    #[schema(default = "nearest")]
    pub direction: Direction,
}

const fn nearest() -> Direction {
    Direction::Nearest
}

/// Change of prices with its rounding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rule {
    pub change: PriceChange,
    pub rounding: Option<Rounding>,
}

const HUNDRED: Decimal = Decimal::from_millionths(100_000_000);
/// Decimal places of a price.
const PLACES: u32 = 4;

impl Rule {
    /// Adds violations below `change` and `rounding`.
    pub fn check(&self, violations: &mut Violations) {
        let PriceChange { percent, per_ton, absolute, set } = self.change;
        let said = [percent.is_some(), per_ton.is_some(), absolute.is_some(), set.is_some()];
        if said.into_iter().filter(|said| *said).count() > 1 {
            violations.add("change", codes::ONE_CHANGE);
        }
        if let Some(percent) = percent {
            let (lowest, highest) = (Decimal::from(-100), Decimal::from(1_000));
            if percent < lowest {
                violations.add("change.percent", codes::TOO_SMALL.with("min", lowest));
            } else if percent > highest {
                violations.add("change.percent", codes::TOO_BIG.with("max", highest));
            } else if !percent.fits(4, PLACES) {
                violations
                    .add("change.percent", codes::INVALID_DECIMAL.with("before", 4).with("after", PLACES));
            }
        }
        for (field, amount) in [("change.per_ton", per_ton), ("change.absolute", absolute)] {
            if amount.is_some_and(|amount| !amount.fits(8, PLACES)) {
                violations.add(field, codes::INVALID_DECIMAL.with("before", 8).with("after", PLACES));
            }
        }
        if let Some(set) = set {
            set.check(violations, "change.set", values::UnitCategory::ALL);
        }
        if let Some(Rounding { to, .. }) = self.rounding {
            if to <= Decimal::ZERO {
                violations.add("rounding.to", codes::NOT_GREATER.with("bound", 0));
            } else if to > Decimal::from(1_000) {
                violations.add("rounding.to", codes::TOO_BIG.with("max", 1_000));
            } else if !to.fits(4, PLACES) {
                violations.add("rounding.to", codes::INVALID_DECIMAL.with("before", 4).with("after", PLACES));
            }
        }
    }

    /// True if it changes no price.
    pub fn is_idle(&self) -> bool {
        self.change == PriceChange::default() && self.rounding.is_none()
    }

    /// Returns the changed price with its quantity breaks.
    ///
    /// # Errors
    /// The reason why the price cannot be changed like this: the article has no weight, or the result is
    /// below zero.
    pub fn apply(&self, side: &Side, article: &ArticleUnits) -> Result<Side, values::Message> {
        if let Some(set) = self.change.set {
            if article.convert(Decimal::ONE, set.unit, article.base_unit).is_none() {
                return Err(logistics::stock::not_counted(article, set.unit));
            }
            return Ok(Side { price: Some(self.rounded(set)?), ..Side::default() });
        }
        let mut changed = side.clone();
        if let Some(price) = side.price {
            changed.price = Some(self.changed(price, article)?);
        }
        for (index, tier) in side.tiers.iter().enumerate() {
            changed.tiers.set(index, self.changed(tier.price, article)?);
        }
        Ok(changed)
    }

    fn changed(&self, price: Money, article: &ArticleUnits) -> Result<Money, values::Message> {
        let PriceChange { percent, per_ton, absolute, .. } = self.change;
        let by = if let Some(percent) = percent {
            price.price.scaled(percent.millionths(), HUNDRED.millionths())
        } else if let Some(per_ton) = per_ton {
            let amount = Money { price: per_ton, price_quantity: Decimal::ONE, unit: Unit::Tonne };
            let by = in_quantity_of(&amount, &price, article);
            Some(by.ok_or_else(|| logistics::stock::not_counted(article, Unit::Tonne))?)
        } else {
            Some(absolute.unwrap_or(Decimal::ZERO))
        };
        let after = by.and_then(|by| price.price.millionths().checked_add(by.millionths()));
        let after = after.map(Decimal::from_millionths).ok_or_else(too_big)?;
        self.rounded(Money { price: after, ..price })
    }

    fn rounded(&self, price: Money) -> Result<Money, values::Message> {
        let amount = match self.rounding {
            Some(rounding) => rounding.round(price.price),
            None => price.price.rounded(PLACES),
        };
        if amount < Decimal::ZERO {
            return Err(codes::BELOW_ZERO.into());
        }
        if amount.fits(8, PLACES) { Ok(Money { price: amount, ..price }) } else { Err(too_big()) }
    }
}

fn too_big() -> values::Message {
    codes::INVALID_DECIMAL.with("before", 8).with("after", PLACES)
}

impl Rounding {
    /// Rounds to a multiple of the step.
    fn round(self, amount: Decimal) -> Decimal {
        let (amount, step) = (amount.millionths(), self.to.millionths());
        let below = amount.div_euclid(step) * step;
        let rest = amount - below;
        let up = match self.direction {
            Direction::Nearest => rest * 2 >= step,
            Direction::Up => rest > 0,
            Direction::Down => false,
        };
        Decimal::from_millionths(if up { below + step } else { below })
    }
}

#[cfg(test)]
mod tests {
    use logistics::testbed::articles;
    use sea_orm::Condition;
    use store::Scope;

    use super::*;
    use crate::price_side::{TierInput, Tiers};

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn money(price: &str, quantity: &str, unit: Unit) -> Money {
        Money { price: decimal(price), price_quantity: decimal(quantity), unit }
    }

    /// Returns a beam of 61.3 kg/m, and an article without weight.
    async fn load_articles() -> (ArticleUnits, ArticleUnits) {
        let db = testkit::database().await;
        articles(&db, &[("HEB-200", "12.1", Some("61.3")), ("OHNE", "12.1", None)]).await;
        let articles =
            catalog::article_units::load(&*db, &Scope::platform(), Condition::all()).await.unwrap();
        let find_article =
            |number: &str| articles.iter().find(|article| article.article_number == number).unwrap().clone();
        (find_article("HEB-200"), find_article("OHNE"))
    }

    fn rule(change: PriceChange, to: Option<(&str, Direction)>) -> Rule {
        Rule { change, rounding: to.map(|(to, direction)| Rounding { to: decimal(to), direction }) }
    }

    #[tokio::test]
    async fn prices_change_by_percent_per_tonne_and_by_an_amount() {
        let (beam, weightless) = load_articles().await;
        let percent = |by: &str| PriceChange { percent: Some(decimal(by)), ..PriceChange::default() };
        let per_ton = |by: &str| PriceChange { per_ton: Some(decimal(by)), ..PriceChange::default() };
        let absolute = |by: &str| PriceChange { absolute: Some(decimal(by)), ..PriceChange::default() };
        let (near, up, down) = (Direction::Nearest, Direction::Up, Direction::Down);
        for (change, rounding, before, after) in [
            (percent("3"), None, money("850", "1", Unit::Tonne), Ok("875.5")),
            (percent("-100"), None, money("850", "1", Unit::Tonne), Ok("0")),
            (percent("3.3333"), None, money("0.1", "1", Unit::Kilogram), Ok("0.1033")),
            (percent("3"), Some(("5", near)), money("850", "1", Unit::Tonne), Ok("875")),
            (percent("3"), Some(("5", up)), money("850", "1", Unit::Tonne), Ok("880")),
            (percent("0"), Some(("5", down)), money("854.99", "1", Unit::Tonne), Ok("850")),
            (percent("0"), Some(("5", near)), money("852.5", "1", Unit::Tonne), Ok("855")),
            (percent("0"), Some(("5", near)), money("852.4999", "1", Unit::Tonne), Ok("850")),
            (percent("0"), Some(("0.05", near)), money("1.0249", "1", Unit::Metre), Ok("1")),
            // 15 EUR per tonne are 1.50 for 100 kg, and 0.9195 for a metre of 61.3 kg
            (per_ton("15"), None, money("85", "100", Unit::Kilogram), Ok("86.5")),
            (per_ton("15"), None, money("52.1", "1", Unit::Metre), Ok("53.0195")),
            (per_ton("-15"), None, money("1.4", "100", Unit::Kilogram), Err(codes::BELOW_ZERO)),
            (absolute("-0.5"), None, money("0.5", "1", Unit::Metre), Ok("0")),
            (absolute("-0.5001"), None, money("0.5", "1", Unit::Metre), Err(codes::BELOW_ZERO)),
            (absolute("1"), None, money("99999999", "1", Unit::Metre), Err(codes::INVALID_DECIMAL)),
        ] {
            let side = Side { price: Some(before), ..Side::default() };
            let result = rule(change, rounding).apply(&side, &beam);
            let result = result.map(|side| side.price.unwrap().price.to_string()).map_err(|why| why.code);
            assert_eq!(result, after.map(str::to_owned), "{change:?} {before:?}");
        }
        let side = Side { price: Some(money("5", "1", Unit::Metre)), ..Side::default() };
        let refused = rule(per_ton("15"), None).apply(&side, &weightless).unwrap_err();
        assert_eq!(refused.code, codes::NO_WEIGHT);
    }

    #[tokio::test]
    async fn tiers_change_with_the_price_and_are_removed_when_it_is_set() {
        let (beam, _) = load_articles().await;
        let tier = |from: &str, price: &str| TierInput {
            quantity_from: decimal(from),
            quantity_unit: None,
            price: decimal(price),
            price_quantity: Decimal::ONE,
            unit: Unit::Tonne,
        };
        let tiers = Tiers::read(&[tier("10", "800"), tier("50", "780")], &beam, "", &mut Violations::new());
        let side = Side { price: Some(money("850", "1", Unit::Tonne)), tiers };
        let raised = PriceChange { absolute: Some(decimal("10")), ..PriceChange::default() };
        let raised = rule(raised, None).apply(&side, &beam).unwrap();
        let prices: Vec<_> = raised.tiers.iter().map(|tier| tier.price.price.to_string()).collect();
        assert_eq!(prices, ["810", "790"]);
        let set = PriceChange { set: Some(money("900", "1", Unit::Tonne)), ..PriceChange::default() };
        let set = rule(set, None).apply(&side, &beam).unwrap();
        assert_eq!((set.price.unwrap().price.to_string(), set.tiers.is_empty()), ("900".to_owned(), true));
    }

    #[test]
    fn a_change_is_of_one_kind_and_within_its_bounds() {
        let broken = |change: PriceChange, to: Option<&str>| {
            let mut violations = Violations::new();
            rule(change, to.map(|to| (to, Direction::Nearest))).check(&mut violations);
            violations.iter().map(|violation| violation.message.code).collect::<Vec<_>>()
        };
        let percent = |by: &str| PriceChange { percent: Some(decimal(by)), ..PriceChange::default() };
        for (change, to, codes) in [
            (PriceChange::default(), None, &[][..]),
            (percent("-100"), None, &[]),
            (percent("-100.0001"), None, &[codes::TOO_SMALL]),
            (percent("1000"), None, &[]),
            (percent("1000.0001"), None, &[codes::TOO_BIG]),
            (percent("0.00001"), None, &[codes::INVALID_DECIMAL]),
            (PriceChange { absolute: Some(Decimal::ONE), ..percent("1") }, None, &[codes::ONE_CHANGE]),
            (
                PriceChange { per_ton: Some(decimal("100000000")), ..PriceChange::default() },
                None,
                &[codes::INVALID_DECIMAL],
            ),
            (PriceChange::default(), Some("0"), &[codes::NOT_GREATER]),
            (PriceChange::default(), Some("0.0001"), &[]),
            (PriceChange::default(), Some("1000"), &[]),
            (PriceChange::default(), Some("1000.0001"), &[codes::TOO_BIG]),
        ] {
            assert_eq!(broken(change, to), codes, "{change:?} {to:?}");
        }
    }
}
