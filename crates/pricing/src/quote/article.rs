//! Article of a cart line: its identity, and exact conversions between its units.

use catalog::{article_units::ArticleUnits, quantity::Relation};
use values::{Decimal, Unit, UnitCategory};

use crate::exact::Ratio;

const CATEGORIES: usize = UnitCategory::ALL.len();

/// Article with the properties that prices and conditions need.
#[derive(Debug, Clone)]
pub struct Article {
    pub id: i64,
    pub article_number: String,
    pub article_name: String,
    pub article_type_id: i64,
    pub material_id: Option<i64>,
    /// Categories of the article and all their ancestors.
    pub categories: Vec<i64>,
    pub listing_unit: Unit,
    pub(super) relations: Vec<Relation>,
    /// Base units of the second category for one base unit of the first.
    pub(super) factors: [[Option<Ratio>; CATEGORIES]; CATEGORIES],
}

/// One step of a conversion between units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conversion {
    pub amount: Decimal,
    pub unit: Unit,
    pub to_amount: Decimal,
    pub to_unit: Unit,
    /// Relation of the article that the step uses, unless units alone decide it: one `from` equals
    /// `amount` of `unit`.
    pub because: Option<Relation>,
}

impl Article {
    /// Creates an article with its categories.
    pub fn new(measured: &ArticleUnits, categories: Vec<i64>) -> Self {
        Self {
            article_number: measured.article_number.clone(),
            article_name: measured.article_name.clone(),
            article_type_id: measured.article_type_id,
            material_id: measured.material_id,
            categories,
            listing_unit: measured.listing_unit,
            ..Self::from_relations(measured.id, measured.listing_unit, measured.relations().to_vec())
        }
    }

    /// Creates an article of which only the units are given.
    pub fn from_relations(id: i64, listing_unit: Unit, relations: Vec<Relation>) -> Self {
        Self {
            id,
            article_number: String::new(),
            article_name: String::new(),
            article_type_id: 0,
            material_id: None,
            categories: Vec::new(),
            listing_unit,
            factors: UnitCategory::ALL
                .iter()
                .map(|category| base_units_by_category(&relations, *category))
                .collect::<Vec<_>>()
                .try_into()
                .unwrap_or_default(),
            relations,
        }
    }

    /// Converts a quantity; `None` if no relation leads from one unit to the other, or if numbers become too
    /// large.
    pub fn convert(&self, quantity: Ratio, from: Unit, to: Unit) -> Option<Ratio> {
        convert_by(quantity, from, to, |from, to| *self.factors.get(position(from))?.get(position(to))?)
    }

    /// Returns the steps of a conversion; empty if there is none.
    pub fn conversions(&self, quantity: Ratio, from: Unit, to: Unit) -> Vec<Conversion> {
        self.try_conversions(quantity, from, to).unwrap_or_default()
    }

    fn try_conversions(&self, mut quantity: Ratio, from: Unit, to: Unit) -> Option<Vec<Conversion>> {
        let (mut amount, mut unit) = (quantity.to_decimal()?, from);
        let path = self.relation_path(from.category(), to.category())?;
        let mut steps = Vec::with_capacity(path.len());
        let mut add = |to_unit: Unit, because: Option<Relation>| {
            if to_unit != unit {
                let converted = self.convert(quantity, unit, to_unit)?;
                let to_amount = converted.to_decimal()?;
                steps.push(Conversion { amount, unit, to_amount, to_unit, because });
                (quantity, amount, unit) = (converted, to_amount, to_unit);
            }
            Some(())
        };
        for (near, far, relation) in path.iter().flatten() {
            add(*near, None)?;
            add(*far, Some(*relation))?;
        }
        add(to, None)?;
        Some(steps)
    }

    /// Returns the relations that lead from one category to another, each with the units where it begins and ends.
    fn relation_path(
        &self,
        from: UnitCategory,
        to: UnitCategory,
    ) -> Option<[Option<(Unit, Unit, Relation)>; CATEGORIES]> {
        // the first relation that leads to each category
        let mut last_to = [None; CATEGORIES];
        let mut is_reached = [false; CATEGORIES];
        *is_reached.get_mut(position(from))? = true;
        for relation in self.relations.iter().cycle().take(self.relations.len().pow(2)) {
            if *is_reached.get(position(to))? {
                break;
            }
            for (near, far) in [(relation.from, relation.unit), (relation.unit, relation.from)] {
                let (near_position, far_position) = (position(near.category()), position(far.category()));
                if *is_reached.get(near_position)? && !*is_reached.get(far_position)? {
                    *is_reached.get_mut(far_position)? = true;
                    *last_to.get_mut(far_position)? = Some((near, far, *relation));
                }
            }
        }
        let (mut path, mut category) = ([None; CATEGORIES], to);
        let mut places = path.iter_mut().rev();
        while category != from {
            let last = (*last_to.get(position(category))?)?;
            *places.next()? = Some(last);
            category = last.0.category();
        }
        Some(path)
    }
}

/// Converts a quantity exactly by the relations of an article; `None` if no relation leads from one unit to
/// the other, or if numbers become too large.
pub(crate) fn convert(relations: &[Relation], quantity: Ratio, from: Unit, to: Unit) -> Option<Ratio> {
    convert_by(quantity, from, to, |from, to| *base_units_by_category(relations, from).get(position(to))?)
}

/// Converts a quantity; `factor` returns the base units of the second category for one base unit of the
/// first.
fn convert_by(
    quantity: Ratio,
    from: Unit,
    to: Unit,
    factor: impl FnOnce(UnitCategory, UnitCategory) -> Option<Ratio>,
) -> Option<Ratio> {
    if from == to {
        return Some(quantity);
    }
    let base = quantity.times(Ratio::from_unit(from))?;
    let amount = if from.category() == to.category() {
        base
    } else {
        base.times(factor(from.category(), to.category())?)?
    };
    amount.over(Ratio::from_unit(to))
}

fn position(category: UnitCategory) -> usize {
    category as usize
}

/// Returns for each category the base units that correspond to one base unit of `from`.
fn base_units_by_category(relations: &[Relation], from: UnitCategory) -> [Option<Ratio>; CATEGORIES] {
    let mut quantities = [None; CATEGORIES];
    if let Some(start) = quantities.get_mut(position(from)) {
        *start = Some(Ratio::ONE);
    }
    for _ in relations {
        for relation in relations {
            let from_unit = (relation.from.category(), Some(Ratio::from_unit(relation.from)));
            let amount = Ratio::from_decimal(relation.amount)
                .and_then(|amount| amount.times(Ratio::from_unit(relation.unit)));
            let unit = (relation.unit.category(), amount);
            for ((near, near_size), (far, far_size)) in [(from_unit, unit), (unit, from_unit)] {
                let Some(quantity) = quantities.get(position(near)).copied().flatten() else { continue };
                let far_quantity = || quantity.times(far_size?)?.over(near_size?).map(Ratio::reduced);
                if let Some(place @ None) = quantities.get_mut(position(far)) {
                    *place = far_quantity();
                }
            }
        }
    }
    quantities
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(from: Unit, amount: &str, unit: Unit) -> Relation {
        Relation { from, amount: amount.parse().unwrap(), unit }
    }

    fn beam() -> Article {
        let relations =
            vec![relation(Unit::Piece, "12.1", Unit::Metre), relation(Unit::Metre, "61.3", Unit::Kilogram)];
        Article::from_relations(1, Unit::Metre, relations)
    }

    #[test]
    fn pieces_are_converted_to_weight_by_their_length() {
        let three = Ratio::from_decimal(Decimal::from(3)).unwrap();
        let tonnes = beam().convert(three, Unit::Piece, Unit::Tonne).unwrap();
        assert_eq!(tonnes.to_decimal().unwrap().to_string(), "2.22519");
        assert_eq!(beam().convert(tonnes, Unit::Tonne, Unit::Piece).unwrap().reduced(), three);
        assert_eq!(beam().convert(three, Unit::Piece, Unit::SquareMetre), None);
        let steps: Vec<_> = beam()
            .conversions(three, Unit::Piece, Unit::Tonne)
            .into_iter()
            .map(|step| {
                format!(
                    "{} {} = {} {}",
                    step.amount,
                    step.unit.as_str(),
                    step.to_amount,
                    step.to_unit.as_str()
                )
            })
            .collect();
        assert_eq!(steps, ["3 piece = 36.3 m", "36.3 m = 2225.19 kg", "2225.19 kg = 2.22519 t"]);
    }

    #[test]
    fn positions_of_unit_categories_follow_their_list() {
        for (index, category) in UnitCategory::ALL.iter().enumerate() {
            assert_eq!(position(*category), index);
        }
    }
}
