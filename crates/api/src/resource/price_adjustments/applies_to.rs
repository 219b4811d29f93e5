//! Export column with the names of the records that an adjustment applies to.

use std::collections::{HashMap, HashSet};

use catalog::{article::Articles, article_type::ArticleTypes, category::Categories, material::Materials};
use http_api::export::{ExtraColumns, Labels};
use pricing::price_adjustment::{
    PriceAdjustmentDetail, PriceAdjustments,
    terms::{ApplyTo, ItemType},
};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QuerySelect};
use sheets::table::CellContent;
use store::{Recorded, Scope};
use values::{Language, Result};

use crate::resource::texts_of;

type Names = HashMap<i64, String>;

/// Names of records that adjustments apply to.
struct AppliesTo {
    articles: Names,
    article_types: Names,
    categories: Names,
    materials: Names,
    labels: Labels,
}

/// Builds the column, with the names for all adjustments of the caller.
pub(super) async fn column(
    db: &impl ConnectionTrait,
    scope: &Scope,
    language: Language,
) -> Result<ExtraColumns<PriceAdjustmentDetail>> {
    let rows = scope.find::<PriceAdjustments>().all(db).await?;
    let (mut articles, mut article_types) = (HashSet::new(), HashSet::new());
    let (mut categories, mut materials) = (HashSet::new(), HashSet::new());
    for row in rows {
        if let ApplyTo::Item { articles: one, article_types: two, categories: three, materials: four } =
            row.apply_to
        {
            articles.extend(one);
            article_types.extend(two);
            categories.extend(three);
            materials.extend(four);
        }
    }
    let applies_to = AppliesTo {
        articles: names::<Articles>(db, scope, articles).await?,
        article_types: names::<ArticleTypes>(db, scope, article_types).await?,
        categories: names::<Categories>(db, scope, categories).await?,
        materials: names::<Materials>(db, scope, materials).await?,
        labels: Labels::new(texts_of::<PriceAdjustments>()?, language)?,
    };
    Ok(ExtraColumns {
        headings: vec![applies_to.labels.column("apply_to")],
        cells: Box::new(move |row| vec![CellContent::Text(applies_to.text(&row.adjustment.apply_to))]),
    })
}

impl AppliesTo {
    /// Text of the column: `Artikel HEB-200, HEB-220; Werkstoffe S235JR`.
    fn text(&self, apply_to: &ApplyTo) -> String {
        match apply_to {
            ApplyTo::ItemType { item_types } if item_types.iter().all(|one| *one == ItemType::Article) => {
                self.labels.text(&["applies", "allArticles"]).to_owned()
            }
            ApplyTo::ItemType { item_types } => {
                let types = item_types.iter().map(|one| self.labels.choice_text("item_types", one));
                types.collect::<Vec<_>>().join(", ")
            }
            ApplyTo::Item { articles, article_types, categories, materials } => [
                ("articles", articles, &self.articles),
                ("article_types", article_types, &self.article_types),
                ("categories", categories, &self.categories),
                ("materials", materials, &self.materials),
            ]
            .into_iter()
            .filter(|(_, ids, _)| !ids.is_empty())
            .map(|(field, ids, names)| {
                let known_names: Vec<_> =
                    ids.iter().filter_map(|id| names.get(id)).map(String::as_str).collect();
                format!("{} {}", self.labels.column(field), known_names.join(", "))
            })
            .collect::<Vec<_>>()
            .join("; "),
        }
    }
}

/// Loads names of the platform's records by their ids.
async fn names<E: Recorded>(db: &impl ConnectionTrait, scope: &Scope, ids: HashSet<i64>) -> Result<Names> {
    if ids.is_empty() {
        return Ok(Names::new());
    }
    let rows = scope.find::<E>().filter(E::ID.is_in(ids));
    let rows = rows.select_only().columns([E::ID, E::NAME]);
    Ok(rows.into_tuple::<(i64, String)>().all(db).await?.into_iter().collect())
}
