//! Article summaries for lists of stocks and prices: numbers, names and units, without conversions between
//! the units.

use sea_orm::{EntityTrait, FromQueryResult, JoinType, QuerySelect, Select};
use store::{Database, Scope};
use values::{Error, Result, Unit};

use crate::{
    article::{Articles, entity as article},
    article_units::ArticleUnits,
    catalogue::Catalogue,
};

/// Article and the units that it is traded in.
#[derive(Debug, Clone)]
pub struct ArticleSummary {
    pub id: i64,
    pub article_number: String,
    pub article_name: String,
    /// Unit of stock quantities.
    pub base_unit: Unit,
    /// Unit in which the article is offered.
    pub listing_unit: Unit,
    /// Unit that prices are for.
    pub price_unit: Unit,
}

/// Columns of an article that are read in the same statement as the row that refers to it.
#[derive(Debug, FromQueryResult)]
pub struct JoinedArticle {
    #[sea_orm(alias = "beside_article_id")]
    id: i64,
    #[sea_orm(alias = "beside_article_number")]
    article_number: String,
    #[sea_orm(alias = "beside_article_name")]
    article_name: String,
    #[sea_orm(alias = "beside_article_type_id")]
    article_type_id: i64,
}

/// Joins the article that a column refers to.
pub fn join_article<E: EntityTrait>(rows: Select<E>, reference: E::Column) -> Select<E> {
    rows.join(JoinType::InnerJoin, E::belongs_to(Articles).from(reference).to(article::Column::Id).into())
        .column_as(article::Column::Id, "beside_article_id")
        .column_as(article::Column::ArticleNumber, "beside_article_number")
        .column_as(article::Column::ArticleName, "beside_article_name")
        .column_as(article::Column::ArticleTypeId, "beside_article_type_id")
}

/// Adds the units from the compiled catalogue to the articles of a page.
///
/// # Errors
/// Not found if an article and its type have been deleted meanwhile.
pub async fn load(db: &Database, scope: &Scope, joined: Vec<JoinedArticle>) -> Result<Vec<ArticleSummary>> {
    let types = joined.iter().map(|article| article.article_type_id);
    let catalogue = Catalogue::with_types(db, scope, types).await?;
    let summary = |article: JoinedArticle| {
        let blueprint = catalogue.blueprint(article.article_type_id).ok_or_else(Error::not_found)?;
        Ok(ArticleSummary {
            id: article.id,
            article_number: article.article_number,
            article_name: article.article_name,
            base_unit: blueprint.article_type.base_unit_of_measure,
            listing_unit: blueprint.article_type.listing_unit_of_measure,
            price_unit: blueprint.article_type.price_unit_of_measure,
        })
    };
    joined.into_iter().map(summary).collect()
}

impl From<&ArticleUnits> for ArticleSummary {
    fn from(article: &ArticleUnits) -> Self {
        Self {
            id: article.id,
            article_number: article.article_number.clone(),
            article_name: article.article_name.clone(),
            base_unit: article.base_unit,
            listing_unit: article.listing_unit,
            price_unit: article.price_unit,
        }
    }
}
