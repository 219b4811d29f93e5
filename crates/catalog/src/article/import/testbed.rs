//! Testbed for imports of articles, with a small catalogue.

use std::ops::Deref;

use imports::testbed;
use lists::Creatable;
use sea_orm::QueryOrder;
use store::Scope;
use testkit::TestDatabase;
use values::{Decimal, Unit, UnitCategory};

use super::ArticleImporter;
use crate::{
    article::{self, Article, Articles},
    article_type::{ArticleTypeInput, ArticleTypes, TypeAttributeInput},
    attribute::{AttributeInput, AttributeType, Attributes, OptionInput},
    material::{MaterialInput, Materials},
};

pub(crate) struct Bed(testbed::Bed);

impl Deref for Bed {
    type Target = testbed::Bed;

    fn deref(&self) -> &testbed::Bed {
        &self.0
    }
}

pub(crate) fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

impl Bed {
    pub(crate) async fn new() -> Self {
        let bed = testbed::Bed::for_importer::<ArticleImporter>().await;
        catalogue(&bed.db, &Scope::platform()).await;
        Self(bed)
    }

    /// Loads all articles, sorted by number.
    pub(crate) async fn articles(&self) -> Vec<Article> {
        let articles = self.scope.find::<Articles>().order_by_asc(article::Column::ArticleNumberFold);
        articles.all(&*self.db).await.unwrap()
    }

    pub(crate) async fn numbers(&self) -> Vec<String> {
        self.articles().await.into_iter().map(|article| article.article_number).collect()
    }
}

/// Creates round tubes, numbered by diameter, material and length: `RO-60.3-S235-6000`.
async fn catalogue(db: &TestDatabase, scope: &Scope) {
    for (name, short, number) in
        [("S235JR", Some("S235"), Some("1.0038")), ("S355J2", None, Some("1.0577")), ("Stahl", None, None)]
    {
        let input = MaterialInput {
            name: name.into(),
            display_name: (name == "Stahl").then(|| "Baustahl".into()),
            article_number_name: short.map(str::to_owned),
            material_number: number.map(str::to_owned),
            density: None,
            change_articles: None,
            version: None,
        };
        Materials::create(db, scope, input).await.unwrap();
    }
    let option = |name: &str, weight: &str| OptionInput {
        id: None,
        name: format!("Ø {name}"),
        value: name.into(),
        display_value: Some(name.replace('.', ",")),
        weight_per_base_unit: Some(decimal(weight)),
    };
    let attribute = |name: &str, r#type: AttributeType| AttributeInput {
        name: name.into(),
        r#type,
        primary: true,
        unit_category: (r#type == AttributeType::Metric).then_some(UnitCategory::Length),
        default_unit: (r#type == AttributeType::Metric).then_some(Unit::Metre),
        options: Vec::new(),
        weight_per_base_unit: None,
        change_articles: None,
        version: None,
    };
    let diameter = AttributeInput {
        options: vec![option("60.3", "4.11"), option("76.1", "5.24")],
        ..attribute("Durchmesser", AttributeType::Categorial)
    };
    let mut ids = Vec::new();
    for input in [
        diameter,
        attribute("Länge", AttributeType::Metric),
        attribute("Ausführung", AttributeType::Custom),
        attribute("Farbe", AttributeType::Custom),
    ] {
        ids.push(Attributes::create(db, scope, input).await.unwrap().attribute.id);
    }
    let types = [
        (
            "Rundrohr",
            "RO-{durchmesser}-{material}-{laenge:mm}",
            "Rohr {durchmesser} x {laenge:m:2} {material}",
            3,
        ),
        ("Flachstahl", "FL-{laenge:mm}-{farbe}", "Flach {laenge:mm}", 0),
    ];
    for (name, number, article_name, count) in types {
        let attributes = if count == 3 { vec![ids[0], ids[1], ids[2]] } else { vec![ids[1], ids[3]] };
        let input = ArticleTypeInput {
            name: name.into(),
            article_number_template: number.into(),
            article_name_template: article_name.into(),
            base_unit_of_measure: Unit::Metre,
            listing_unit_of_measure: Unit::Metre,
            price_unit_of_measure: Unit::Metre,
            article_type_group_id: None,
            section: None,
            trade_dimension_id: None,
            attributes: attributes
                .into_iter()
                .map(|attribute_id| TypeAttributeInput {
                    attribute_id,
                    primary: attribute_id != ids[2],
                    dimension: None,
                })
                .collect(),
            change_articles: None,
            version: None,
        };
        ArticleTypes::create(db, scope, input).await.unwrap();
    }
}
