//! Price side of a stock: internal price (cost to the owner) and external price (for customers), each with
//! quantity breaks. A price is stored as it was agreed, for its quantity and unit, and so is the start of a
//! quantity break.

pub mod price_basis;
pub(crate) mod price_cells;
pub(crate) mod side_columns;
pub mod tier_columns;

use std::cmp::Ordering;

use catalog::article_units::ArticleUnits;
use logistics::stock::not_counted;
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::{Decimal, Money, Unit, Violations, rule};

use crate::{codes, exact::Ratio, quote::article};

/// Maximum number of quantity breaks of one price.
pub const TIERS_MAX: usize = 50;

/// Both prices of a stock, with their quantity breaks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Prices {
    pub internal: Side,
    pub external: Side,
}

/// Price with its quantity breaks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    pub price: Option<Money>,
    pub tiers: Tiers,
}

/// Side with its field names on the wire.
#[derive(Debug, Clone, Copy)]
pub struct NamedSide<'p> {
    pub price_field: &'static str,
    pub tiers_field: &'static str,
    pub side: &'p Side,
}

/// Quantity breaks by ascending quantity, without duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Tiers(Vec<Tier>);

/// Price from a quantity on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tier {
    /// Quantity as it was entered.
    pub from: Decimal,
    /// Unit of `from`. `None` in the history of earlier versions: the listing unit of the article type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_unit: Option<Unit>,
    pub price: Money,
}

impl Tier {
    /// Start of the quantity break.
    pub fn start(&self) -> TierStart {
        TierStart { quantity: self.from, unit: self.from_unit }
    }
}

/// Start of a quantity break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TierStart {
    pub quantity: Decimal,
    /// Unit; `None` for the listing unit of the article type.
    pub unit: Option<Unit>,
}

impl TierStart {
    /// Returns the unit of the quantity, given the listing unit of the article.
    pub fn unit(self, listing_unit: Unit) -> Unit {
        self.unit.unwrap_or(listing_unit)
    }

    /// Compares two quantities of an article exactly, whatever their units; `None` if one unit cannot be
    /// converted into the other.
    pub fn compare(self, other: Self, article: &ArticleUnits) -> Option<Ordering> {
        let [unit, other_unit] = [self, other].map(|start| start.unit(article.listing_unit));
        if unit == other_unit {
            return Some(self.quantity.cmp(&other.quantity));
        }
        let in_other_unit = self.exactly_in(other_unit, article)?;
        Some(in_other_unit.cmp(&Ratio::from_decimal(other.quantity)?))
    }

    /// True if both are the same quantity of the article: 1 t is 1000 kg.
    pub fn is_same(self, other: Self, article: &ArticleUnits) -> bool {
        self.compare(other, article) == Some(Ordering::Equal)
    }

    fn exactly_in(self, unit: Unit, article: &ArticleUnits) -> Option<Ratio> {
        let from = self.unit(article.listing_unit);
        article::convert(article.relations(), Ratio::from_decimal(self.quantity)?, from, unit)
    }
}

/// Quantity break of a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = BulkPrice)]
pub struct TierInput {
    /// Smallest quantity with this price, above zero; each quantity at most once.
    #[schema(example = "10")]
    pub quantity_from: Decimal,
    /// Unit of the quantity; by default the listing unit of the article type.
    pub quantity_unit: Option<Unit>,
    /// Price in EUR for the price quantity; not below zero, with at most eight digits before and four after
    /// the decimal point.
    #[schema(example = "830.00")]
    pub price: Decimal,
    /// Quantity of the unit that the price is for; above zero.
    #[serde(default = "one")]
    #[schema(default = "1")]
    pub price_quantity: Decimal,
    pub unit: Unit,
}

const fn one() -> Decimal {
    Decimal::ONE
}

impl Tiers {
    /// Quantity breaks in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = &Tier> {
        self.0.iter()
    }

    /// True if there are no quantity breaks.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Creates quantity breaks from quantities in the listing unit, in ascending order.
    #[cfg(test)]
    pub(crate) fn from_prices(tiers: impl Iterator<Item = (Decimal, Money)>) -> Self {
        Self(tiers.map(|(from, price)| Tier { from, from_unit: None, price }).collect())
    }

    /// Changes the price of a quantity break.
    pub(crate) fn set(&mut self, index: usize, price: Money) {
        if let Some(tier) = self.0.get_mut(index) {
            tier.price = price;
        }
    }

    pub(crate) fn or_none(self) -> Option<Self> {
        Some(self).filter(|tiers| !tiers.is_empty())
    }

    /// Returns the valid quantity breaks; violations are added below the field.
    pub fn read(
        inputs: &[TierInput],
        article: &ArticleUnits,
        field: &str,
        violations: &mut Violations,
    ) -> Self {
        if inputs.len() > TIERS_MAX {
            violations.add(field, codes::TOO_MANY.with("max", TIERS_MAX));
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
                violations.add(format!("{field}.{index}.quantity_from"), codes::DUPLICATE);
            }
        }
        tiers.sort_by_key(|(.., exactly)| *exactly);
        Self(tiers.into_iter().map(|(_, tier, _)| tier).collect())
    }
}

/// Reads the start of a quantity break, as entered and exactly in the listing unit.
fn read_start(
    input: &TierInput,
    article: &ArticleUnits,
    path: &str,
    violations: &mut Violations,
) -> Option<(TierStart, Ratio)> {
    let field = format!("{path}.quantity_from");
    if let Err(error) = rule::positive::<12, 6>(&input.quantity_from) {
        violations.add(field, values::input::message(&error));
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
        violations.add(field, values::Message::from(codes::NOT_EXACT).unit("unit", listed));
    }
    Some((start, exactly?))
}

/// Adds the violations of an article's price.
pub fn check(price: &Money, article: &ArticleUnits, path: &str, violations: &mut Violations) {
    price.check(violations, path, values::UnitCategory::ALL);
    if article.convert(Decimal::ONE, price.unit, article.base_unit).is_none() {
        violations.add(format!("{path}.unit"), not_counted(article, price.unit));
    }
}

impl Side {
    pub(crate) fn from_columns(
        price: Option<Decimal>,
        quantity: Option<Decimal>,
        unit: Option<Unit>,
        tiers: Option<&Tiers>,
    ) -> Self {
        let money = || Some(Money { price: price?, price_quantity: quantity?, unit: unit? });
        Self { price: money(), tiers: tiers.cloned().unwrap_or_default() }
    }

    /// True if there is neither a price nor a quantity break.
    pub fn is_empty(&self) -> bool {
        self.price.is_none() && self.tiers.is_empty()
    }
}

impl Prices {
    /// Returns both sides with their field names.
    pub fn sides(&self) -> [NamedSide<'_>; 2] {
        [
            NamedSide {
                price_field: "internal_price",
                tiers_field: "internal_bulk_prices",
                side: &self.internal,
            },
            NamedSide {
                price_field: "external_price",
                tiers_field: "external_bulk_prices",
                side: &self.external,
            },
        ]
    }
}

/// Difference between the external and the internal price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceMargin {
    /// Margin in EUR for the quantity of the external price; negative if the cost is higher.
    pub amount: Decimal,
    /// Margin in percent of the external price; `None` if that price is zero.
    pub percent: Option<Decimal>,
}

impl PriceMargin {
    /// Calculates the margin; `None` if one of the prices is missing, or if their units cannot be converted
    /// into one another.
    pub fn calculate(prices: &Prices, article: &ArticleUnits) -> Option<Self> {
        let (external, internal) = (prices.external.price?, prices.internal.price?);
        let cost = in_quantity_of(&internal, &external, article)?;
        let amount = Decimal::from_millionths(external.price.millionths().checked_sub(cost.millionths())?);
        let percent = Decimal::from(100).scaled(amount.millionths(), external.price.millionths());
        Some(Self { amount: amount.rounded(4), percent: percent.map(|percent| percent.rounded(2)) })
    }
}

/// Converts a price into EUR per tonne, rounded to cents; `None` for an article without a weight.
pub fn per_tonne(price: &Money, article: &ArticleUnits) -> Option<Decimal> {
    let tonne = Money { price: Decimal::ZERO, price_quantity: Decimal::ONE, unit: Unit::Tonne };
    Some(in_quantity_of(price, &tonne, article)?.rounded(2))
}

/// Converts a price to the price quantity of another one.
pub fn in_quantity_of(price: &Money, other: &Money, article: &ArticleUnits) -> Option<Decimal> {
    let quantity = article.convert(other.price_quantity, other.unit, price.unit)?;
    price.price.scaled(quantity.millionths(), price.price_quantity.millionths())
}
