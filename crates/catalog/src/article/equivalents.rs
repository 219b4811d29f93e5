//! Conversion of a quantity of an article to all other units that it is counted in.

use serde::Deserialize;
use utoipa::ToSchema;
use values::{Decimal, Message, Unit, UnitCategory, Violations, unit::convert};

use super::ArticleDetail;
use crate::{
    codes,
    quantity::{Relation, UnitSource, convert_to_all, trade_unit},
    shape::Dimension,
};

/// Quantity of an article.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuantityInput {
    /// Amount; zero or more.
    pub amount: Decimal,
    /// Unit; any that the article can be counted in.
    pub unit: Unit,
}

/// Quantity in other units, and the relations that it was calculated with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Equivalents {
    /// Equivalents, one for each category that can be reached, in the unit that the trade uses; without the
    /// category of the input.
    pub equivalents: Vec<(Decimal, Unit)>,
    pub relations: Vec<Relation>,
    pub sheet: Option<Sheet>,
}

/// Piece of an article that is counted in areas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sheet {
    /// Length in millimetres; so is the width.
    pub length: Decimal,
    pub width: Decimal,
    /// Weight in kilograms.
    pub weight: Option<Decimal>,
}

/// Converts a quantity of this article to other units. Rejected at `unit` if the article is not counted in
/// it.
pub fn equivalents(article: &ArticleDetail, quantity: &QuantityInput) -> Result<Equivalents, Violations> {
    let QuantityInput { amount, unit } = *quantity;
    if amount < Decimal::ZERO {
        return Err(Violations::one("amount", codes::TOO_SMALL.with("min", 0)));
    }
    let relations = relations(article);
    let quantities = convert_to_all(&relations, amount, unit);
    let base = article.row.base_unit_of_measure;
    if unit.category() != base.category() && quantities.len() == 1 {
        let related = relations.iter().flat_map(|relation| [relation.from, relation.unit]).chain([base]);
        let related: Vec<_> = related.map(Unit::category).collect();
        let categories = UnitCategory::ALL.iter().filter(|category| related.contains(category));
        let possible_units = categories.flat_map(|category| category.units());
        let fault =
            Message::from(codes::WRONG_UNIT_CATEGORY).unit("unit", unit).units("known", possible_units);
        return Err(Violations::one("unit", fault));
    }
    let equivalents = [UnitCategory::Pieces, UnitCategory::Length, UnitCategory::Area, UnitCategory::Mass]
        .into_iter()
        .filter(|category| *category != unit.category())
        .filter_map(|category| {
            let target_unit = trade_unit(category);
            Some((convert(*quantities.get(&category)?, category.base(), target_unit)?, target_unit))
        });
    let equivalents = equivalents.collect();
    Ok(Equivalents { equivalents, sheet: sheet(article, &relations), relations })
}

fn dimension_value(article: &ArticleDetail, dimension: Dimension) -> Option<Decimal> {
    article.dimensions.get(&dimension).copied()
}

fn sheet(article: &ArticleDetail, relations: &[Relation]) -> Option<Sheet> {
    if unit_source(article).extends_in() != UnitCategory::Area {
        return None;
    }
    let [length, width] =
        [Dimension::Length, Dimension::Width].map(|dimension| dimension_value(article, dimension));
    let weight = convert_to_all(relations, Decimal::ONE, Unit::Piece).get(&UnitCategory::Mass).copied();
    Some(Sheet { length: length?, width: width?, weight })
}

/// Relations between the units of an article: its weight per base unit, and the length or area of a piece.
fn relations(article: &ArticleDetail) -> Vec<Relation> {
    unit_source(article).relations(|dimension| dimension_value(article, dimension))
}

fn unit_source(article: &ArticleDetail) -> UnitSource {
    UnitSource {
        base: article.row.base_unit_of_measure,
        section: article.section,
        density: article.density,
        weight: article.row.weight_per_base_unit,
    }
}
