//! The price side of a stock: what it costs its owner (internal) and what they ask for it (external), each with tiers from a
//! quantity on. A price is kept as it was agreed, for its quantity of its unit, and so is the quantity that a tier begins at.

pub mod price_basis;
pub(crate) mod price_cells;
pub(crate) mod side_columns;
pub mod tier_columns;

use std::cmp::Ordering;

use catalog::measured::Measured;
use kernel::{Code, Decimal, Money, Unit, Violations, rule};
use logistics::stock::not_counted;
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{exact::Ratio, quote::article};

/// The most tiers of one price.
pub const TIERS_MAX: usize = 50;

/// Both prices of a stock with their tiers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Prices {
    pub internal: Side,
    pub external: Side,
}

/// A price and what it is from larger quantities on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    pub price: Option<Money>,
    pub tiers: Tiers,
}

/// By ascending quantity, each quantity once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Tiers(Vec<Tier>);

/// The price from a quantity on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tier {
    /// As it was entered.
    pub from: Decimal,
    /// The unit of `from`. `None` in the history of earlier versions: the listing unit of the article type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_unit: Option<Unit>,
    pub price: Money,
}

impl Tier {
    pub fn start(&self) -> TierStart {
        TierStart { quantity: self.from, unit: self.from_unit }
    }
}

/// The quantity that a tier begins at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TierStart {
    pub quantity: Decimal,
    /// `None`: the listing unit of the article type.
    pub unit: Option<Unit>,
}

impl TierStart {
    /// The unit of the quantity, given the listing unit of the article.
    pub fn unit(self, listing_unit: Unit) -> Unit {
        self.unit.unwrap_or(listing_unit)
    }

    /// Compares two quantities of an article exactly, whatever their units. `None` where nothing leads from one unit to the
    /// other.
    pub fn compare(self, other: Self, article: &Measured) -> Option<Ordering> {
        let [unit, other_unit] = [self, other].map(|start| start.unit(article.listing_unit));
        if unit == other_unit {
            return Some(self.quantity.cmp(&other.quantity));
        }
        let there = self.exactly_in(other_unit, article)?;
        Some(there.cmp(&Ratio::of(other.quantity)?))
    }

    /// Returns true if both are the same quantity of the article: 1 t is 1000 kg.
    pub fn is_same(self, other: Self, article: &Measured) -> bool {
        self.compare(other, article) == Some(Ordering::Equal)
    }

    fn exactly_in(self, unit: Unit, article: &Measured) -> Option<Ratio> {
        let from = self.unit(article.listing_unit);
        article::convert(article.relations(), Ratio::of(self.quantity)?, from, unit)
    }
}

/// A tier as a client says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = BulkPrice)]
pub struct TierInput {
    /// From this quantity on, above zero; each once.
    #[schema(example = "10")]
    pub quantity_from: Decimal,
    /// The quantity's unit; without it the listing unit of the article type.
    pub quantity_unit: Option<Unit>,
    /// EUR for the price quantity; not below zero, at most eight digits before and four behind the point.
    #[schema(example = "830.00")]
    pub price: Decimal,
    /// What the price is for, in the unit; above zero.
    #[serde(default = "one")]
    #[schema(default = "1")]
    pub price_quantity: Decimal,
    pub unit: Unit,
}

const fn one() -> Decimal {
    Decimal::ONE
}

impl Tiers {
    pub fn iter(&self) -> impl Iterator<Item = &Tier> {
        self.0.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Tiers from quantities in the listing unit, in ascending order.
    #[cfg(test)]
    pub(crate) fn of(tiers: impl Iterator<Item = (Decimal, Money)>) -> Self {
        Self(tiers.map(|(from, price)| Tier { from, from_unit: None, price }).collect())
    }

    /// Changes the price of a tier.
    pub(crate) fn set(&mut self, index: usize, price: Money) {
        if let Some(tier) = self.0.get_mut(index) {
            tier.price = price;
        }
    }

    pub(crate) fn or_none(self) -> Option<Self> {
        Some(self).filter(|tiers| !tiers.is_empty())
    }

    /// Tiers that keep the rules; what is wrong is added below the field.
    pub fn read(inputs: &[TierInput], article: &Measured, field: &str, violations: &mut Violations) -> Self {
        if inputs.len() > TIERS_MAX {
            violations.add(field, Code::TooMany.with("max", TIERS_MAX));
            return Self::default();
        }
        let mut tiers: Vec<(usize, Tier, Ratio)> = Vec::with_capacity(inputs.len());
        for (index, input) in inputs.iter().enumerate() {
            let path = format!("{field}.{index}");
            let price = Money { price: input.price, price_quantity: input.price_quantity, unit: input.unit };
            check(&price, article, &path, violations);
            if let Some((start, exactly)) = read_start(input, article, &path, violations) {
                tiers.push((index, Tier { from: start.quantity, from_unit: start.unit, price }, exactly));
            }
        }
        for (position, (index, _, exactly)) in tiers.iter().enumerate() {
            if tiers.iter().take(position).any(|(.., other)| other.cmp(exactly) == Ordering::Equal) {
                violations.add(format!("{field}.{index}.quantity_from"), Code::Duplicate);
            }
        }
        tiers.sort_by_key(|(.., exactly)| *exactly);
        Self(tiers.into_iter().map(|(_, tier, _)| tier).collect())
    }
}

/// Reads the quantity that a tier begins at, as entered and exactly in the listing unit.
fn read_start(
    input: &TierInput,
    article: &Measured,
    path: &str,
    violations: &mut Violations,
) -> Option<(TierStart, Ratio)> {
    let field = format!("{path}.quantity_from");
    if let Err(error) = rule::positive::<12, 6>(&input.quantity_from) {
        violations.add(field, kernel::input::message(&error));
        return None;
    }
    let listed = article.listing_unit;
    let unit = input.quantity_unit.unwrap_or(listed);
    if article.convert(Decimal::ONE, unit, listed).is_none() {
        violations.add(format!("{path}.quantity_unit"), not_counted(article, unit));
        return None;
    }
    let start = TierStart { quantity: input.quantity_from, unit: Some(unit) };
    let exactly = start.exactly_in(listed, article);
    if exactly.is_none() {
        violations.add(field, kernel::Message::from(Code::NotExact).unit("unit", listed));
    }
    Some((start, exactly?))
}

/// Adds what is wrong with a price of an article.
pub fn check(price: &Money, article: &Measured, path: &str, violations: &mut Violations) {
    price.check(violations, path, kernel::UnitCategory::ALL);
    if article.convert(Decimal::ONE, price.unit, article.base_unit).is_none() {
        violations.add(format!("{path}.unit"), not_counted(article, price.unit));
    }
}

impl Side {
    pub(crate) fn kept(
        price: Option<Decimal>,
        quantity: Option<Decimal>,
        unit: Option<Unit>,
        tiers: Option<&Tiers>,
    ) -> Self {
        let money = || Some(Money { price: price?, price_quantity: quantity?, unit: unit? });
        Self { price: money(), tiers: tiers.cloned().unwrap_or_default() }
    }

    pub fn is_empty(&self) -> bool {
        self.price.is_none() && self.tiers.is_empty()
    }
}

impl Prices {
    /// Both sides by the fields of the wire.
    pub fn sides(&self) -> [(&'static str, &'static str, &Side); 2] {
        [
            ("internal_price", "internal_bulk_prices", &self.internal),
            ("external_price", "external_bulk_prices", &self.external),
        ]
    }
}

/// What is left of the external price above the internal one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    /// EUR for the external price's quantity of its unit; below zero where it costs more than it brings.
    pub amount: Decimal,
    /// Of the external price; none where that is zero.
    pub percent: Option<Decimal>,
}

impl Margin {
    /// `None` where one of the prices is missing, or no unit is common to both.
    pub fn of(prices: &Prices, article: &Measured) -> Option<Self> {
        let (external, internal) = (prices.external.price?, prices.internal.price?);
        let cost = in_quantity_of(&internal, &external, article)?;
        let amount = Decimal::from_millionths(external.price.millionths().checked_sub(cost.millionths())?);
        let percent = Decimal::from(100).scaled(amount.millionths(), external.price.millionths());
        Some(Self { amount: amount.rounded(4), percent: percent.map(|percent| percent.rounded(2)) })
    }
}

/// EUR for a tonne, rounded to cents; `None` of an article without a weight.
pub fn per_tonne(price: &Money, article: &Measured) -> Option<Decimal> {
    let tonne = Money { price: Decimal::ZERO, price_quantity: Decimal::ONE, unit: Unit::Tonne };
    Some(in_quantity_of(price, &tonne, article)?.rounded(2))
}

/// A price for the price quantity of another one.
pub fn in_quantity_of(price: &Money, other: &Money, article: &Measured) -> Option<Decimal> {
    let quantity = article.convert(other.price_quantity, other.unit, price.unit)?;
    price.price.scaled(quantity.millionths(), price.price_quantity.millionths())
}
