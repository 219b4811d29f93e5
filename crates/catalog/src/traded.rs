//! Articles as lists of what is traded name them: with their units, and without what converts between these.

use kernel::{Database, Error, Result, Scope, Unit};
use sea_orm::{EntityTrait, FromQueryResult, JoinType, QuerySelect, Select};

use crate::{
    article::{Articles, entity as article},
    catalogue::Catalogue,
    measured::Measured,
};

/// An article and the units that it is traded in.
#[derive(Debug, Clone)]
pub struct Traded {
    pub id: i64,
    pub article_number: String,
    pub article_name: String,
    /// What stock is kept in.
    pub base_unit: Unit,
    /// What is offered.
    pub listing_unit: Unit,
    /// What a price refers to.
    pub price_unit: Unit,
}

/// What is read of an article beside the row of a list, in the same statement.
#[derive(Debug, FromQueryResult)]
pub struct ArticleBeside {
    #[sea_orm(alias = "beside_article_id")]
    id: i64,
    #[sea_orm(alias = "beside_article_number")]
    article_number: String,
    #[sea_orm(alias = "beside_article_name")]
    article_name: String,
    #[sea_orm(alias = "beside_article_type_id")]
    article_type_id: i64,
}

/// Rows of a list with the article that a column refers to.
pub fn beside<E: EntityTrait>(rows: Select<E>, reference: E::Column) -> Select<E> {
    rows.join(JoinType::InnerJoin, E::belongs_to(Articles).from(reference).to(article::Column::Id).into())
        .column_as(article::Column::Id, "beside_article_id")
        .column_as(article::Column::ArticleNumber, "beside_article_number")
        .column_as(article::Column::ArticleName, "beside_article_name")
        .column_as(article::Column::ArticleTypeId, "beside_article_type_id")
}

/// The articles of a page, whose units the compiled catalogue knows.
///
/// # Errors
/// Not found, where an article and its type have gone meanwhile.
pub async fn of(db: &Database, scope: &Scope, beside: Vec<ArticleBeside>) -> Result<Vec<Traded>> {
    let types = beside.iter().map(|article| article.article_type_id);
    let catalogue = Catalogue::with_types(db, scope, types).await?;
    let traded = |article: ArticleBeside| {
        let blueprint = catalogue.blueprint(article.article_type_id).ok_or_else(Error::not_found)?;
        Ok(Traded {
            id: article.id,
            article_number: article.article_number,
            article_name: article.article_name,
            base_unit: blueprint.article_type.base_unit_of_measure,
            listing_unit: blueprint.article_type.listing_unit_of_measure,
            price_unit: blueprint.article_type.price_unit_of_measure,
        })
    };
    beside.into_iter().map(traded).collect()
}

impl From<&Measured> for Traded {
    fn from(article: &Measured) -> Self {
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
