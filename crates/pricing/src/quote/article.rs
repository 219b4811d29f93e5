//! Article of a cart line: its identity, and exact conversions between its units.

use catalog::{measured::Measured, quantity::Relation};
use kernel::{Decimal, Unit, UnitCategory};

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
    /// Relation of the article that the step uses, unless units alone decide it: one `of` is `amount` of
    /// `unit`.
    pub because: Option<Relation>,
}

impl Article {
    pub fn new(measured: &Measured, categories: Vec<i64>) -> Self {
        Self {
            article_number: measured.article_number.clone(),
            article_name: measured.article_name.clone(),
            article_type_id: measured.article_type_id,
            material_id: measured.material_id,
            categories,
            listing_unit: measured.listing_unit,
            ..Self::of_relations(measured.id, measured.listing_unit, measured.relations().to_vec())
        }
    }

    /// Creates an article of which only the units are given.
    pub fn of_relations(id: i64, listing_unit: Unit, relations: Vec<Relation>) -> Self {
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
                .map(|category| reached(&relations, *category))
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
        let mut steps = Vec::new();
        let (mut quantity, mut unit) = (quantity, from);
        let mut add = |quantity: &mut Ratio, unit: &mut Unit, to: Unit, because: Option<Relation>| {
            if *unit == to {
                return Some(());
            }
            let converted = self.convert(*quantity, *unit, to)?;
            steps.push(Conversion {
                amount: quantity.to_decimal()?,
                unit: *unit,
                to_amount: converted.to_decimal()?,
                to_unit: to,
                because,
            });
            (*quantity, *unit) = (converted, to);
            Some(())
        };
        for relation in self.way(from.category(), to.category()) {
            let (near, far) = if relation.of.category() == unit.category() {
                (relation.of, relation.unit)
            } else {
                (relation.unit, relation.of)
            };
            if add(&mut quantity, &mut unit, near, None).is_none()
                || add(&mut quantity, &mut unit, far, Some(relation)).is_none()
            {
                return Vec::new();
            }
        }
        match add(&mut quantity, &mut unit, to, None) {
            Some(()) => steps,
            None => Vec::new(),
        }
    }

    /// Returns the relations that lead from one category to another.
    fn way(&self, from: UnitCategory, to: UnitCategory) -> Vec<Relation> {
        let mut ways: Vec<(UnitCategory, Vec<Relation>)> = vec![(from, Vec::new())];
        for _ in 0..=self.relations.len() {
            for relation in &self.relations {
                let ends = [relation.of.category(), relation.unit.category()];
                for (near, far) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                    let known = |category| ways.iter().find(|(known, _)| *known == category);
                    if known(far).is_none()
                        && let Some((_, way)) = known(near)
                    {
                        let way = way.iter().copied().chain([*relation]).collect();
                        ways.push((far, way));
                    }
                }
            }
        }
        ways.into_iter().find(|(known, _)| *known == to).map(|(_, way)| way).unwrap_or_default()
    }
}

/// Converts a quantity exactly by the relations of an article; `None` if no relation leads from one unit to
/// the other, or if numbers become too large.
pub(crate) fn convert(relations: &[Relation], quantity: Ratio, from: Unit, to: Unit) -> Option<Ratio> {
    convert_by(quantity, from, to, |from, to| *reached(relations, from).get(position(to))?)
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
    let base = quantity.times(Ratio::of_unit(from))?;
    let there = if from.category() == to.category() {
        base
    } else {
        base.times(factor(from.category(), to.category())?)?
    };
    there.over(Ratio::of_unit(to))
}

fn position(category: UnitCategory) -> usize {
    category as usize
}

/// Returns for each category the base units that correspond to one base unit of `from`.
fn reached(relations: &[Relation], from: UnitCategory) -> [Option<Ratio>; CATEGORIES] {
    let mut known = [None; CATEGORIES];
    if let Some(start) = known.get_mut(position(from)) {
        *start = Some(Ratio::ONE);
    }
    for _ in relations {
        for relation in relations {
            let of = (relation.of.category(), Some(Ratio::of_unit(relation.of)));
            let amount =
                Ratio::of(relation.amount).and_then(|amount| amount.times(Ratio::of_unit(relation.unit)));
            let unit = (relation.unit.category(), amount);
            for ((near, near_size), (far, far_size)) in [(of, unit), (unit, of)] {
                let Some(quantity) = known.get(position(near)).copied().flatten() else { continue };
                let there = || quantity.times(far_size?)?.over(near_size?).map(Ratio::reduced);
                if let Some(place @ None) = known.get_mut(position(far)) {
                    *place = there();
                }
            }
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(of: Unit, amount: &str, unit: Unit) -> Relation {
        Relation { of, amount: amount.parse().unwrap(), unit }
    }

    fn beam() -> Article {
        let relations =
            vec![relation(Unit::Piece, "12.1", Unit::Metre), relation(Unit::Metre, "61.3", Unit::Kilogram)];
        Article::of_relations(1, Unit::Metre, relations)
    }

    #[test]
    fn three_bars_weigh_what_a_metre_weighs_times_their_length() {
        let three = Ratio::of(Decimal::from(3)).unwrap();
        let tonnes = beam().convert(three, Unit::Piece, Unit::Tonne).unwrap();
        assert_eq!(tonnes.to_decimal().unwrap().to_string(), "2.22519");
        assert_eq!(beam().convert(tonnes, Unit::Tonne, Unit::Piece).unwrap().reduced(), three);
        assert_eq!(beam().convert(three, Unit::Piece, Unit::SquareMetre), None);
        let shown: Vec<_> = beam()
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
        assert_eq!(shown, ["3 piece = 36.3 m", "36.3 m = 2225.19 kg", "2225.19 kg = 2.22519 t"]);
    }

    #[test]
    fn categories_are_counted_as_they_are_listed() {
        for (index, category) in UnitCategory::ALL.iter().enumerate() {
            assert_eq!(position(*category), index);
        }
    }
}
