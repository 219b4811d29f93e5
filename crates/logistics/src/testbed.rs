//! Testbed for files of stocks and prices: articles with a length, warehouses, matchings. Other crates use it
//! through the feature `testbed`.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up cannot run")]

use catalog::{
    article::{ArticleInput, Articles, ValueInput},
    article_type::{ArticleTypeInput, ArticleTypes, TypeAttributeInput},
    attribute::{AttributeInput, AttributeType, Attributes},
    shape::Dimension,
};
use imports::testbed::Bed;
use lists::Creatable;
use store::Scope;
use testkit::TestDatabase;
use values::{Decimal, Unit, UnitCategory};

use crate::{
    matching::{MatchingInput, Matchings},
    warehouse::{WarehouseInput, Warehouses},
};

fn attribute(name: &str, length: bool) -> AttributeInput {
    AttributeInput {
        name: name.into(),
        r#type: if length { AttributeType::Metric } else { AttributeType::Custom },
        primary: true,
        unit_category: length.then_some(UnitCategory::Length),
        default_unit: length.then_some(Unit::Metre),
        options: Vec::new(),
        weight_per_base_unit: None,
        change_articles: None,
        version: None,
    }
}

/// Creates articles with base unit metre, listing unit piece and price unit tonne: number, length in metres,
/// kg per metre.
pub async fn articles(db: &TestDatabase, articles: &[(&str, &str, Option<&str>)]) {
    let platform = &Scope::platform();
    let profile = Attributes::create(db, platform, attribute("Profil", false)).await.unwrap().attribute.id;
    let length = Attributes::create(db, platform, attribute("Länge", true)).await.unwrap().attribute.id;
    let article_type = ArticleTypeInput {
        name: "Träger".into(),
        article_number_template: "{profil}-{laenge}".into(),
        article_name_template: "Träger {profil}, {laenge}".into(),
        base_unit_of_measure: Unit::Metre,
        listing_unit_of_measure: Unit::Piece,
        price_unit_of_measure: Unit::Tonne,
        article_type_group_id: None,
        section: None,
        trade_dimension_id: None,
        attributes: vec![
            TypeAttributeInput { attribute_id: profile, primary: true, dimension: None },
            TypeAttributeInput { attribute_id: length, primary: true, dimension: Some(Dimension::Length) },
        ],
        change_articles: None,
        version: None,
    };
    let article_type = ArticleTypes::create(db, platform, article_type).await.unwrap();
    let value =
        |attribute_id| ValueInput { attribute_id, option_id: None, number: None, unit: None, text: None };
    let decimal = |text: &str| text.parse::<Decimal>().unwrap();
    for (number, metres, weight) in articles {
        let input = ArticleInput {
            article_type_id: article_type.article_type.id,
            material_id: None,
            values: vec![
                ValueInput { text: Some((*number).to_owned()), ..value(profile) },
                ValueInput { number: Some(decimal(metres)), unit: Some(Unit::Metre), ..value(length) },
            ],
            article_number: Some((*number).to_owned()),
            article_name: None,
            weight_per_base_unit: weight.map(decimal),
            other_numbers: None,
            version: None,
        };
        Articles::create(db, platform, input).await.unwrap();
    }
}

/// Creates a warehouse of the scope's tenant.
pub async fn warehouse(bed: &Bed, scope: &Scope, code: &str) {
    let input = WarehouseInput {
        name: format!("Lager {code}"),
        short_code: code.to_owned(),
        preparation_duration_before: 0,
        preparation_shift_time: None,
        address: None,
        region: None,
        version: None,
    };
    Warehouses::create(&bed.db, scope, input).await.unwrap();
}

/// Creates a matching of an article, for a warehouse or any.
pub async fn matched(bed: &Bed, scope: &Scope, number: &str, article: &str, place: Option<(&str, &str)>) {
    let input = MatchingInput {
        article_number: Some(article.to_owned()),
        external_article_number: Some(number.to_owned()),
        warehouse_short_code: place.map(|(code, _)| code.to_owned()),
        external_warehouse_identifier: place.map(|(_, identifier)| identifier.to_owned()),
        ..MatchingInput::default()
    };
    Matchings::create(&bed.db, scope, input).await.unwrap();
}
