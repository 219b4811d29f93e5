//! Directory of the records that rows and calls of a tenant name: articles by their number or an external
//! one, warehouses by their short code or an external identifier. Loaded for many names together.

use std::collections::HashMap;

use catalog::{
    article,
    article_units::{self, ArticleUnits},
};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
};
use store::{Database, Scope};
use values::{
    Code, RecordReference, Referable, ReferenceFields, Result, Violations, fold,
    reference::named_by,
    rule::{identifier, optional},
};

use super::{Matchings, warehouse_names};
use crate::{
    codes, matching,
    warehouse::{self, WarehouseName},
};

/// Names of an article and a warehouse in a row or a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlaceReference {
    pub article: RecordReference,
    pub external_article_number: Option<String>,
    pub warehouse: RecordReference,
    pub external_warehouse_identifier: Option<String>,
}

/// Articles and warehouses that can be named.
#[derive(Debug, Default)]
pub struct Directory {
    articles: Referable<ArticleUnits>,
    warehouses: Referable<WarehouseName>,
    /// Matchings by folded external article number.
    matched: HashMap<String, Vec<MatchingRow>>,
    /// Ids of warehouses by folded external identifier.
    places: HashMap<String, i64>,
}

/// Columns of a matching of an external article number.
#[derive(Debug, Clone, FromQueryResult)]
struct MatchingRow {
    article_id: Option<i64>,
    external_article_number_fold: String,
    warehouse_id: Option<i64>,
    external_warehouse_identifier_fold: String,
}

/// Named article and warehouse.
#[derive(Debug, Clone, Copy)]
pub struct Place<'d> {
    pub article: &'d ArticleUnits,
    pub warehouse: &'d WarehouseName,
}

/// Fields that name an article by its id or number.
pub const ARTICLE: ReferenceFields = ReferenceFields { id: "article_id", name: "article_number" };
/// Fields that name a warehouse by its id or short code.
pub const WAREHOUSE: ReferenceFields = ReferenceFields { id: "warehouse_id", name: "warehouse_short_code" };
/// Field of an article's number in another system.
pub const EXTERNAL_ARTICLE: &str = "external_article_number";
/// Field of a warehouse's identifier in another system.
pub const EXTERNAL_WAREHOUSE: &str = "external_warehouse_identifier";

impl PlaceReference {
    fn external_number(&self) -> Option<String> {
        identifier(self.external_article_number.clone()).map(|number| fold(&number))
    }

    fn external_place(&self) -> Option<String> {
        identifier(self.external_warehouse_identifier.clone()).map(|place| fold(&place))
    }
}

impl Directory {
    /// Loads the records that the acting tenant names, in at most five statements for any number of names.
    pub async fn load(
        db: &impl ConnectionTrait,
        scope: &Scope,
        references: &[PlaceReference],
    ) -> Result<Self> {
        Self::load_with(db, scope, references, async |condition| {
            article_units::load(db, scope, condition).await
        })
        .await
    }

    /// Same in at most three statements: article types and materials come from the cached catalogue.
    pub async fn load_with_catalogue(
        db: &Database,
        scope: &Scope,
        references: &[PlaceReference],
    ) -> Result<Self> {
        Self::load_with(db, scope, references, async |condition| {
            article_units::load_with_catalogue(db, scope, condition).await
        })
        .await
    }

    async fn load_with(
        db: &impl ConnectionTrait,
        scope: &Scope,
        references: &[PlaceReference],
        articles: impl AsyncFnOnce(Condition) -> Result<Vec<ArticleUnits>>,
    ) -> Result<Self> {
        let tenant = scope.tenant()?;
        let numbers: Vec<String> = references.iter().filter_map(PlaceReference::external_number).collect();
        let places: Vec<String> = references.iter().filter_map(PlaceReference::external_place).collect();
        let mut directory = Self::default();
        let mut article_ids: Vec<i64> =
            references.iter().filter_map(|reference| reference.article.id()).collect();
        let mut warehouse_ids: Vec<i64> =
            references.iter().filter_map(|reference| reference.warehouse.id()).collect();
        if !numbers.is_empty() || !places.is_empty() {
            let is_in = |column: matching::Column, names: Vec<String>| {
                (!names.is_empty()).then(|| column.is_in(names))
            };
            let condition = Condition::any()
                .add_option(is_in(matching::Column::ExternalArticleNumberFold, numbers))
                .add_option(is_in(matching::Column::ExternalWarehouseIdentifierFold, places));
            let rows = scope
                .find::<Matchings>()
                .select_only()
                .columns([
                    matching::Column::ArticleId,
                    matching::Column::ExternalArticleNumberFold,
                    matching::Column::WarehouseId,
                    matching::Column::ExternalWarehouseIdentifierFold,
                ])
                .filter(matching::Column::TenantId.eq(tenant))
                .filter(condition)
                .order_by_asc(matching::Column::Id);
            for row in rows.into_model::<MatchingRow>().all(db).await? {
                if let Some(warehouse) = row.warehouse_id {
                    directory.places.insert(row.external_warehouse_identifier_fold.clone(), warehouse);
                    warehouse_ids.push(warehouse);
                }
                if let Some(article) = row.article_id {
                    article_ids.push(article);
                    directory.matched.entry(row.external_article_number_fold.clone()).or_default().push(row);
                }
            }
        }
        let condition = named_by(
            article::Column::Id,
            article_ids,
            article::Column::ArticleNumberFold,
            references.iter().filter_map(|reference| reference.article.folded()),
        );
        let articles = articles(condition).await?;
        let referable = |article: ArticleUnits| (article.id, fold(&article.article_number), article);
        directory.articles = Referable::new(articles.into_iter().map(referable));
        let short_codes: Vec<String> =
            references.iter().filter_map(|reference| reference.warehouse.folded()).collect();
        if warehouse_ids.is_empty() && short_codes.is_empty() {
            return Ok(directory);
        }
        let condition =
            named_by(warehouse::Column::Id, warehouse_ids, warehouse::Column::ShortCodeFold, short_codes);
        let warehouses = warehouse_names(db, scope, |select| {
            select.filter(warehouse::Column::TenantId.eq(tenant)).filter(condition)
        });
        let referable = |warehouse: WarehouseName| (warehouse.id, fold(&warehouse.short_code), warehouse);
        directory.warehouses = Referable::new(warehouses.await?.into_iter().map(referable));
        Ok(directory)
    }

    /// All articles that are named.
    pub fn articles(&self) -> impl Iterator<Item = &ArticleUnits> {
        self.articles.records()
    }

    /// All warehouses that are named.
    pub fn warehouses(&self) -> impl Iterator<Item = &WarehouseName> {
        self.warehouses.records()
    }

    /// Returns the article with this id.
    pub fn article(&self, id: i64) -> Option<&ArticleUnits> {
        self.articles.get(id)
    }

    /// Returns the warehouse with this id.
    pub fn warehouse(&self, id: i64) -> Option<&WarehouseName> {
        self.warehouses.get(id)
    }

    /// Finds the named article and warehouse; errors are added at the field that was used.
    pub fn place(&self, reference: &PlaceReference, violations: &mut Violations) -> Option<Place<'_>> {
        let warehouse = self.find_warehouse(reference, violations);
        let article =
            self.find_article_for_warehouse(reference, warehouse.map(|warehouse| warehouse.id), violations);
        Some(Place { article: article?, warehouse: warehouse? })
    }

    /// True if the named article and warehouse exist.
    pub fn contains(&self, reference: &PlaceReference) -> bool {
        let mut violations = Violations::new();
        let names_warehouse = !reference.warehouse.is_absent() || reference.external_place().is_some();
        let exists = if names_warehouse {
            self.find_warehouse(reference, &mut violations).is_some()
        } else {
            self.find_article_for_warehouse(reference, None, &mut violations).is_some()
        };
        exists && violations.is_empty()
    }

    /// Finds the article alone: an external number must be without a warehouse, or stand for a single
    /// article.
    pub fn find_article(
        &self,
        reference: &PlaceReference,
        violations: &mut Violations,
    ) -> Option<&ArticleUnits> {
        self.find_article_for_warehouse(reference, None, violations)
    }

    /// Finds the warehouse alone.
    pub fn find_warehouse(
        &self,
        reference: &PlaceReference,
        violations: &mut Violations,
    ) -> Option<&WarehouseName> {
        optional(violations, EXTERNAL_WAREHOUSE, reference.external_warehouse_identifier.as_deref());
        let Some(place) = reference.external_place() else {
            return reference.warehouse.require(violations, WAREHOUSE, &self.warehouses);
        };
        let by_place = self.places.get(&place).and_then(|id| self.warehouses.get(*id));
        if by_place.is_none() {
            let place = reference.external_warehouse_identifier.as_deref().unwrap_or_default();
            violations.add(EXTERNAL_WAREHOUSE, codes::UNMATCHED.with("number", place.trim()));
        }
        let own = reference.warehouse.resolve(violations, WAREHOUSE, &self.warehouses);
        agreed(
            own,
            by_place,
            reference.warehouse.is_absent(),
            |warehouse| warehouse.id,
            || {
                violations.add(WAREHOUSE.name, codes::REFERENCES_DISAGREE);
                violations.add(EXTERNAL_WAREHOUSE, codes::REFERENCES_DISAGREE);
            },
        )
    }

    fn find_article_for_warehouse(
        &self,
        reference: &PlaceReference,
        warehouse: Option<i64>,
        violations: &mut Violations,
    ) -> Option<&ArticleUnits> {
        optional(violations, EXTERNAL_ARTICLE, reference.external_article_number.as_deref());
        let Some(number) = reference.external_number() else {
            return reference.article.require(violations, ARTICLE, &self.articles);
        };
        let by_number = match self.resolve_external(&number, reference.external_place().as_deref(), warehouse)
        {
            Ok(article) => Some(article),
            Err(code) => {
                let number = reference.external_article_number.as_deref().unwrap_or_default();
                violations.add(EXTERNAL_ARTICLE, code.with("number", number.trim()));
                None
            }
        };
        let own = reference.article.resolve(violations, ARTICLE, &self.articles);
        agreed(
            own,
            by_number,
            reference.article.is_absent(),
            |article| article.id,
            || {
                violations.add(ARTICLE.name, codes::REFERENCES_DISAGREE);
                violations.add(EXTERNAL_ARTICLE, codes::REFERENCES_DISAGREE);
            },
        )
    }

    /// Finds the article of an external number: first the one for the warehouse, then one without a
    /// warehouse, then the only one.
    fn resolve_external(
        &self,
        number: &str,
        place: Option<&str>,
        warehouse: Option<i64>,
    ) -> Result<&ArticleUnits, Code> {
        let matched = self.matched.get(number).map_or(&[][..], Vec::as_slice);
        let is_at_warehouse = |matched: &&MatchingRow| {
            matched.warehouse_id.is_some()
                && (Some(&*matched.external_warehouse_identifier_fold) == place
                    || matched.warehouse_id == warehouse)
        };
        let mut ids: Vec<i64> = matched.iter().filter_map(|matched| matched.article_id).collect();
        ids.dedup();
        let only = || match *ids {
            [id] => Some(id),
            _ => None,
        };
        let without_warehouse = || matched.iter().find(|matched| matched.warehouse_id.is_none());
        let article = matched
            .iter()
            .find(is_at_warehouse)
            .or_else(without_warehouse)
            .and_then(|matched| matched.article_id);
        let id = article.or_else(only).ok_or(if ids.is_empty() {
            codes::UNMATCHED
        } else {
            codes::AMBIGUOUS_NUMBER
        })?;
        self.articles.get(id).ok_or(codes::UNMATCHED)
    }
}

/// Returns the record that both names agree on, or the one name that was used.
fn agreed<'d, R>(
    own: Option<&'d R>,
    external: Option<&'d R>,
    own_is_absent: bool,
    id: impl Fn(&R) -> i64,
    disagree: impl FnOnce(),
) -> Option<&'d R> {
    match (own, external) {
        (None, external) if own_is_absent => external,
        (Some(own), Some(external)) if id(own) == id(external) => Some(own),
        (Some(_), Some(_)) => {
            disagree();
            None
        }
        _ => None,
    }
}
