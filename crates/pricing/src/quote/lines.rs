//! Builds lines of carts from the records of articles and processings.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use catalog::{
    article_units::ArticleUnits,
    category::{self, TypeCategories},
    processing::{self, ProcessingNames, Processings},
};
use logistics::stock::not_counted;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QuerySelect};
use store::{Database, Scope};
use values::{Decimal, Result, Unit, Violations, input::message, rule};

use super::{Line, Processing, article::Article, book::Book};
use crate::{codes, processing_price};

/// Records that lines refer to, besides their articles.
#[derive(Debug, Default)]
pub(crate) struct LineRecords {
    /// Names of processings by id.
    pub(crate) processings: HashMap<i64, String>,
    /// Categories by article type; empty unless a book refers to categories.
    pub(crate) categories: HashMap<i64, Vec<i64>>,
}

/// Requested quantity of an article, with its processings.
#[derive(Debug)]
pub(crate) struct Amount<'w> {
    pub(crate) quantity: Decimal,
    /// Unit; `None` for the article's listing unit.
    pub(crate) unit: Option<Unit>,
    pub(crate) processings: &'w [Processing],
}

impl LineRecords {
    /// Loads the records that these books and processings refer to.
    pub(crate) async fn load(
        db: &impl ConnectionTrait,
        books: impl IntoIterator<Item = &Book>,
        processings: HashSet<i64>,
    ) -> Result<Self> {
        let all = Scope::platform();
        let asks_for_categories = books.into_iter().any(Book::asks_for_categories);
        let categories = if asks_for_categories {
            category::load_by_article_type(db, &all).await?
        } else {
            HashMap::new()
        };
        let processings = if processings.is_empty() {
            HashMap::new()
        } else {
            let query = all.find::<Processings>().filter(processing::Column::Id.is_in(processings));
            let query = query.select_only().columns([processing::Column::Id, processing::Column::Name]);
            query.into_tuple::<(i64, String)>().all(db).await?.into_iter().collect()
        };
        Ok(Self { processings, categories })
    }

    /// Like [`Self::load`], but from the compiled catalogue, which is at least as new as the scope's request.
    pub(crate) async fn compiled(
        db: &Database,
        scope: &Scope,
        books: impl IntoIterator<Item = &Book>,
        processings: HashSet<i64>,
    ) -> Result<Self> {
        let mut records = Self::default();
        if books.into_iter().any(Book::asks_for_categories) {
            records.categories.clone_from(&db.compiled::<TypeCategories>(scope).await?.0);
        }
        if !processings.is_empty() {
            let names = db.compiled::<ProcessingNames>(scope).await?;
            let name = |id: i64| Some((id, names.0.get(&id)?.clone()));
            records.processings = processings.into_iter().filter_map(name).collect();
        }
        Ok(records)
    }

    /// Loads the records for lines without processings, including categories.
    pub(crate) async fn load_categories(db: &impl ConnectionTrait) -> Result<Self> {
        let categories = category::load_by_article_type(db, &Scope::platform()).await?;
        Ok(Self { processings: HashMap::new(), categories })
    }

    /// Adds the violations of a requested amount. `article` is `None` if the article is unknown.
    pub(crate) fn check(
        &self,
        amount: &Amount<'_>,
        article: Option<&ArticleUnits>,
        violations: &mut Violations,
    ) {
        if let Err(error) = rule::positive::<12, 6>(&amount.quantity) {
            violations.add("quantity", message(&error));
        }
        for (index, processing) in amount.processings.iter().enumerate() {
            let path = |field: &str| format!("processings.{index}.{field}");
            if !self.processings.contains_key(&processing.id) {
                violations.add(path("processing_id"), codes::UNKNOWN_REFERENCE);
            }
            if let Err(error) = rule::positive::<6, 0>(&processing.quantity) {
                violations.add(path("quantity"), message(&error));
            }
            if let Some(price) = &processing.price {
                processing_price::check(price, &path("price"), violations);
            }
        }
        if let (Some(article), Some(unit)) = (article, amount.unit)
            && article.convert(Decimal::ONE, unit, article.base_unit).is_none()
        {
            violations.add("unit", not_counted(article, unit));
        }
    }

    /// Builds a line from an amount without violations.
    pub(crate) fn line(&self, amount: &Amount<'_>, measured: &ArticleUnits, warehouse: Option<i64>) -> Line {
        Line {
            article: Arc::new(self.article(measured)),
            quantity: amount.quantity,
            unit: amount.unit.unwrap_or(measured.listing_unit),
            warehouse,
            processings: amount.processings.to_vec(),
        }
    }

    /// Builds an article with the categories that conditions refer to.
    pub(crate) fn article(&self, measured: &ArticleUnits) -> Article {
        Article::new(measured, self.categories.get(&measured.article_type_id).cloned().unwrap_or_default())
    }
}
