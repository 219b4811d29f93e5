//! Quantities of an article in everything that it can be counted in: pieces, metres, kilograms, square metres.

use std::collections::HashMap;

use kernel::{Code, Decimal, Message, Unit, UnitCategory, Violations, unit::convert};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    article::ArticleDetail,
    shape::{Dimension, Shape, piece},
};

/// A quantity of an article.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuantityInput {
    /// Not below zero.
    pub amount: Decimal,
    /// Any in which the article can be counted.
    pub unit: Unit,
}

/// One of `of` is `amount` of `unit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relation {
    pub of: Unit,
    pub amount: Decimal,
    pub unit: Unit,
}

/// A quantity, the same in other units, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Equivalents {
    /// One for each category that is known, in the unit that the trade uses; the asked one not among them.
    pub equivalents: Vec<(Decimal, Unit)>,
    pub relations: Vec<Relation>,
    pub sheet: Option<Sheet>,
}

/// One piece of an article that is counted in areas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sheet {
    /// In millimetres, as is the width.
    pub length: Decimal,
    pub width: Decimal,
    /// In kilograms.
    pub weight: Option<Decimal>,
}

/// What a quantity of this article is in other units. Refused at `unit` where the article is not counted in it.
pub fn equivalents(article: &ArticleDetail, quantity: &QuantityInput) -> Result<Equivalents, Violations> {
    let QuantityInput { amount, unit } = *quantity;
    if amount < Decimal::ZERO {
        return Err(Violations::one("amount", Code::TooSmall.with("min", 0)));
    }
    let relations = relations(article);
    let known = reached(&relations, amount, unit);
    let base = article.row.base_unit_of_measure;
    if unit.category() != base.category() && known.len() == 1 {
        let related = relations.iter().flat_map(|relation| [relation.of, relation.unit]).chain([base]);
        let related: Vec<_> = related.map(Unit::category).collect();
        let categories = UnitCategory::ALL.iter().filter(|category| related.contains(category));
        let known = categories.flat_map(|category| category.units());
        let fault = Message::from(Code::WrongUnitCategory).unit("unit", unit).units("known", known);
        return Err(Violations::one("unit", fault));
    }
    let equivalents = [UnitCategory::Pieces, UnitCategory::Length, UnitCategory::Area, UnitCategory::Mass]
        .into_iter()
        .filter(|category| *category != unit.category())
        .filter_map(|category| {
            let shown = traded(category);
            Some((convert(*known.get(&category)?, category.base(), shown)?, shown))
        });
    let equivalents = equivalents.collect();
    Ok(Equivalents { equivalents, sheet: sheet(article, &relations), relations })
}

fn measured(article: &ArticleDetail, dimension: Dimension) -> Option<Decimal> {
    article.dimensions.get(&dimension).copied()
}

fn sheet(article: &ArticleDetail, relations: &[Relation]) -> Option<Sheet> {
    if made(article).extends_in() != UnitCategory::Area {
        return None;
    }
    let [length, width] = [Dimension::Length, Dimension::Width].map(|dimension| measured(article, dimension));
    let weight = reached(relations, Decimal::ONE, Unit::Piece).get(&UnitCategory::Mass).copied();
    Some(Sheet { length: length?, width: width?, weight })
}

/// What is known of an article: its weight per base unit, and how long or large a piece is.
fn relations(article: &ArticleDetail) -> Vec<Relation> {
    made(article).relations(|dimension| measured(article, dimension))
}

fn made(article: &ArticleDetail) -> Made {
    Made {
        base: article.row.base_unit_of_measure,
        section: article.section,
        density: article.density,
        weight: article.row.weight_per_base_unit,
    }
}

/// What decides in which units an article is counted, besides its dimensions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Made {
    pub base: Unit,
    pub section: Option<Shape>,
    pub density: Option<Decimal>,
    /// kg per base unit.
    pub weight: Option<Decimal>,
}

impl Made {
    /// Bars have a length, sheets and plates an area.
    pub(crate) fn extends_in(self) -> UnitCategory {
        match (self.section, self.base.category()) {
            (Some(section), _) => section.extends_in(),
            (None, UnitCategory::Area) => UnitCategory::Area,
            (None, _) => UnitCategory::Length,
        }
    }

    /// What one piece is: as long or as large as its dimensions say, or else as heavy. `measured` gives a dimension in the base unit
    /// of its category.
    pub(crate) fn piece(
        self,
        measured: impl Fn(Dimension) -> Option<Decimal> + Copy,
    ) -> Option<(Decimal, Unit)> {
        let weight = || Some((measured(Dimension::PieceWeight)?, Unit::Kilogram));
        piece(self.extends_in(), measured).or_else(weight)
    }

    /// `measured` gives a dimension in the base unit of its category.
    pub(crate) fn relations(self, measured: impl Fn(Dimension) -> Option<Decimal> + Copy) -> Vec<Relation> {
        let extent = self.extends_in();
        let of_a_piece =
            self.piece(measured).map(|(amount, unit)| Relation { of: Unit::Piece, amount, unit });
        // of what is kept in pieces, the weight per base unit says it
        let of_a_piece =
            of_a_piece.filter(|relation| (self.base, relation.unit) != (Unit::Piece, Unit::Kilogram));
        // Of what is kept by weight, the section knows what a metre or a square metre weighs.
        let (of, weight) = if self.base.category() == UnitCategory::Mass {
            let of = traded(extent);
            (of, self.section.and_then(|section| section.weight_per(of, measured, self.density)))
        } else {
            (self.base, self.weight)
        };
        let weight = weight.map(|amount| Relation { of, amount, unit: Unit::Kilogram });
        of_a_piece.into_iter().chain(weight).collect()
    }
}

/// The quantity in the base unit of every category that relations lead to.
pub(crate) fn reached(relations: &[Relation], amount: Decimal, unit: Unit) -> HashMap<UnitCategory, Decimal> {
    let mut known = HashMap::new();
    known.extend(convert(amount, unit, unit.category().base()).map(|amount| (unit.category(), amount)));
    // Each round reaches what one more relation leads to.
    for _ in relations {
        for Relation { of, amount, unit } in relations {
            let in_unit = |known: &HashMap<_, Decimal>, unit: Unit| {
                convert(*known.get(&unit.category())?, unit.category().base(), unit)
            };
            let there = in_unit(&known, *of).and_then(|quantity| quantity.times(*amount));
            let back = in_unit(&known, *unit)
                .and_then(|quantity| quantity.scaled(Decimal::ONE.millionths(), amount.millionths()));
            for (quantity, unit) in [(there, unit), (back, of)] {
                let quantity = quantity.and_then(|quantity| convert(quantity, *unit, unit.category().base()));
                if let Some(quantity) = quantity {
                    known.entry(unit.category()).or_insert(quantity);
                }
            }
        }
    }
    known
}

/// The unit in which the trade counts.
fn traded(category: UnitCategory) -> Unit {
    match category {
        UnitCategory::Length => Unit::Metre,
        other => other.base(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn relation(of: &str, amount: &str, unit: &str) -> Relation {
        let [of, unit] = [of, unit].map(|unit| Unit::parse(unit).unwrap());
        Relation { of, amount: decimal(amount), unit }
    }

    /// `"3 piece"` in all that the relations lead to, in traded units.
    fn all(relations: &[Relation], quantity: &str) -> Vec<String> {
        let (amount, unit) = quantity.split_once(' ').unwrap();
        let known = reached(relations, decimal(amount), Unit::parse(unit).unwrap());
        let shown = UnitCategory::ALL.iter().filter_map(|category| {
            let amount = convert(*known.get(category)?, category.base(), traded(*category))?;
            Some(format!("{amount} {}", traded(*category).as_str()))
        });
        shown.collect()
    }

    #[test]
    fn a_bar_is_counted_in_pieces_metres_and_kilograms() {
        let beam = [relation("piece", "12.1", "m"), relation("m", "61.3", "kg")];
        let three = ["36.3 m", "2225.19 kg", "3 piece"];
        for quantity in ["3 piece", "36.3 m", "36300 mm", "2225.19 kg", "2.22519 t"] {
            assert_eq!(all(&beam, quantity), three, "{quantity}");
        }
    }

    #[test]
    fn a_sheet_is_counted_in_pieces_square_metres_and_kilograms() {
        let sheet = [relation("piece", "4.5", "m2"), relation("m2", "23.55", "kg")];
        assert_eq!(all(&sheet, "2 piece"), ["9 m2", "211.95 kg", "2 piece"]);
        assert_eq!(all(&sheet, "211.95 kg"), ["9 m2", "211.95 kg", "2 piece"]);
    }

    #[test]
    fn what_nobody_knows_is_left_out() {
        assert_eq!(all(&[], "5 m"), ["5 m"]);
        assert_eq!(all(&[relation("m", "61.3", "kg")], "5 m"), ["5 m", "306.5 kg"]);
        assert_eq!(all(&[relation("m", "61.3", "kg")], "5 piece"), ["5 piece"]);
        assert_eq!(all(&[relation("piece", "12.1", "m")], "999999999999 piece"), ["999999999999 piece"]);
    }
}
