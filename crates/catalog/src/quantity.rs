//! Quantities of an article in all units that it can be counted in: pieces, metres, kilograms, square metres.

use std::collections::HashMap;

use values::{Decimal, Unit, UnitCategory, unit::convert};

use crate::shape::{Dimension, Shape, piece};

/// Equation between two units: one `from` equals `amount` of `unit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relation {
    pub from: Unit,
    pub amount: Decimal,
    pub unit: Unit,
}

/// Properties of an article that decide, besides its dimensions, which units it is counted in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct UnitSource {
    pub base: Unit,
    pub section: Option<Shape>,
    pub density: Option<Decimal>,
    /// Weight in kg per base unit.
    pub weight: Option<Decimal>,
}

impl UnitSource {
    /// Category of the extent: bars have a length, sheets and plates an area.
    pub(crate) fn extends_in(self) -> UnitCategory {
        match (self.section, self.base.category()) {
            (Some(section), _) => section.extends_in(),
            (None, UnitCategory::Area) => UnitCategory::Area,
            (None, _) => UnitCategory::Length,
        }
    }

    /// Size of one piece: its length or area if the dimensions give it, otherwise its weight. `size`
    /// gives a dimension in the base unit of its category.
    pub(crate) fn piece(self, size: impl Fn(Dimension) -> Option<Decimal> + Copy) -> Option<(Decimal, Unit)> {
        let weight = || Some((size(Dimension::PieceWeight)?, Unit::Kilogram));
        piece(self.extends_in(), size).or_else(weight)
    }

    /// Relations between the units of the article. `size` gives a dimension in the base unit of its
    /// category.
    pub(crate) fn relations(self, size: impl Fn(Dimension) -> Option<Decimal> + Copy) -> Vec<Relation> {
        let extent = self.extends_in();
        let of_a_piece = self.piece(size).map(|(amount, unit)| Relation { from: Unit::Piece, amount, unit });
        // For stock in pieces, the weight per base unit already says it.
        let of_a_piece =
            of_a_piece.filter(|relation| (self.base, relation.unit) != (Unit::Piece, Unit::Kilogram));
        // For stock by weight, the section gives the weight of a metre or a square metre.
        let (weighed_unit, weight) = if self.base.category() == UnitCategory::Mass {
            let unit = trade_unit(extent);
            (unit, self.section.and_then(|section| section.weight_per(unit, size, self.density)))
        } else {
            (self.base, self.weight)
        };
        let weight = weight.map(|amount| Relation { from: weighed_unit, amount, unit: Unit::Kilogram });
        of_a_piece.into_iter().chain(weight).collect()
    }
}

/// Converts a quantity to the base unit of every category that the relations lead to.
pub(crate) fn convert_to_all(
    relations: &[Relation],
    amount: Decimal,
    unit: Unit,
) -> HashMap<UnitCategory, Decimal> {
    let mut quantities = HashMap::new();
    quantities.extend(convert(amount, unit, unit.category().base()).map(|amount| (unit.category(), amount)));
    // Each round follows one more relation.
    for _ in relations {
        for Relation { from, amount, unit } in relations {
            let in_unit = |quantities: &HashMap<_, Decimal>, unit: Unit| {
                convert(*quantities.get(&unit.category())?, unit.category().base(), unit)
            };
            let forward = in_unit(&quantities, *from).and_then(|quantity| quantity.times(*amount));
            let backward = in_unit(&quantities, *unit)
                .and_then(|quantity| quantity.scaled(Decimal::ONE.millionths(), amount.millionths()));
            for (quantity, unit) in [(forward, unit), (backward, from)] {
                let quantity = quantity.and_then(|quantity| convert(quantity, *unit, unit.category().base()));
                if let Some(quantity) = quantity {
                    quantities.entry(unit.category()).or_insert(quantity);
                }
            }
        }
    }
    quantities
}

/// Unit that the trade uses for a category.
pub(crate) fn trade_unit(category: UnitCategory) -> Unit {
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

    fn relation(from: &str, amount: &str, unit: &str) -> Relation {
        let [from, unit] = [from, unit].map(|unit| Unit::parse(unit).unwrap());
        Relation { from, amount: decimal(amount), unit }
    }

    /// Converts a quantity such as `"3 piece"` along all relations, to the units that the trade uses.
    fn all(relations: &[Relation], quantity: &str) -> Vec<String> {
        let (amount, unit) = quantity.split_once(' ').unwrap();
        let quantities = convert_to_all(relations, decimal(amount), Unit::parse(unit).unwrap());
        let amounts = UnitCategory::ALL.iter().filter_map(|category| {
            let amount = convert(*quantities.get(category)?, category.base(), trade_unit(*category))?;
            Some(format!("{amount} {}", trade_unit(*category).as_str()))
        });
        amounts.collect()
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
    fn units_without_a_known_relation_are_left_out() {
        assert_eq!(all(&[], "5 m"), ["5 m"]);
        assert_eq!(all(&[relation("m", "61.3", "kg")], "5 m"), ["5 m", "306.5 kg"]);
        assert_eq!(all(&[relation("m", "61.3", "kg")], "5 piece"), ["5 piece"]);
        assert_eq!(all(&[relation("piece", "12.1", "m")], "999999999999 piece"), ["999999999999 piece"]);
    }
}
