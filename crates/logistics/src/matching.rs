//! Matchings: the numbers of other systems for a tenant's articles and warehouses, and for the tenant itself.
//! A matching names an article, a warehouse or both, each with its external identifier, or else only the
//! tenant. Identifiers are unique within the tenant, ignoring case, and an external warehouse stands for one
//! warehouse.
//!
//! The rules are pure: the values from a form, a file's row or a call are a [`MatchingDraft`]; the records
//! that it may refer to are loaded for many drafts together ([`MatchingReferences::load`]);
//! [`MatchingDraft::row`] validates it.

pub mod directory;
pub mod entity;
pub mod import;
pub mod meta_data_import;
pub mod unresolved;

use std::collections::{BTreeSet, HashMap};

use catalog::article::{self, Articles};
use imports::unresolved::Kind;
use lists::{
    Creatable, Deletable, Detailed, Field, Listed, Managed, listed_reference,
    search::{self, SearchedColumns},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Expr, ExprTrait, LockType, SelectStatement, SimpleExpr},
};
use serde::Deserialize;
use store::{Database, NumberedColumns, Owner, Recorded, Resource, Scope, Scoped, Unique, Write};
use tenancy::tenant::{self, Tenants};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Error, Phrase, RecordReference, Referable, ReferenceFields, Result, Validated, Violations, fold,
    reference::named_by_references,
    rule::{identifier, optional},
    tidy,
};

use crate::{
    codes, permissions,
    warehouse::{self, WarehouseName, Warehouses},
};

pub use self::entity::{ActiveModel, Column, Entity as Matchings, Model as Matching};

impl Scoped for Matchings {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for Matchings {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "matchings",
        Phrase { de: "Zuordnungen", en: "matchings" },
        permissions::LIST_MATCHINGS,
    )
    .refers(&[
        listed_reference::<Self, Tenants>("tenant_id"),
        listed_reference::<Self, Articles>("article_id"),
        listed_reference::<Self, Warehouses>("warehouse_id"),
    ]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const NUMBERED: Option<NumberedColumns<Column>> = Some(NumberedColumns::by_owner(Column::Change));
    const UNIQUE: &'static [Unique] =
        &[Unique::new("matching_external_key", "external_article_number", codes::EXTERNAL_TAKEN)
            .over("matching_tenant_id_external_article_number_fold_external_warehouse_identifier_fold_key")];
    /// Column left out of the history, because the identifiers say the same.
    const UNNOTED: &'static [Column] = &[Column::Name];
}

impl Listed for Matchings {
    const FIELDS: &'static [Field] = &[
        Field::text("external_article_number", &Column::ExternalArticleNumberFold)
            .optional()
            .sorted_by(&Column::ExternalArticleNumberSort),
        Field::text("external_warehouse_identifier", &Column::ExternalWarehouseIdentifierFold)
            .optional()
            .sorted_by(&Column::ExternalWarehouseIdentifierSort),
        Field::text("external_tenant_identifier", &Column::ExternalTenantIdentifierFold)
            .optional()
            .unsorted(),
        Field::search("search", &Column::ExternalArticleNumberFold, &SEARCHED),
        Field::id("article_id", &Column::ArticleId).optional(),
        Field::id("warehouse_id", &Column::WarehouseId).optional(),
        Field::id("tenant_id", &Column::TenantId),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "external_article_number";
    const NEEDS_TENANT: bool = true;
}

const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[
        &Column::ExternalArticleNumberFold,
        &Column::ExternalWarehouseIdentifierFold,
        &Column::ExternalTenantIdentifierFold,
    ],
    trigrams: None,
    references: &[],
    read: search::words,
    beginnings: None,
};

/// Selects the warehouses with these identifiers in another system, for filters of lists whose records refer
/// to warehouses.
pub fn warehouses_of_identifiers(scope: &Scope, identifiers: Vec<String>) -> SelectStatement {
    let identifiers = identifiers.into_iter().filter_map(|text| identifier(Some(text)));
    let identifiers = identifiers.map(|identifier| fold(&identifier));
    let select = scope.find::<Matchings>().filter(Column::ExternalWarehouseIdentifierFold.is_in(identifiers));
    select.filter(Column::WarehouseId.is_not_null()).select_only().column(Column::WarehouseId).into_query()
}

/// Input to create or change a matching: the pair of an article, that of a warehouse, or both; or only the
/// other system's identifier of the tenant.
#[derive(Debug, Clone, Default, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct MatchingInput {
    pub article_id: Option<i64>,
    /// Article number, ignoring case; instead of the id, or together with it if both name the same article.
    #[schema(max_length = 255, example = "HEB-200-S235JR")]
    #[validate(length(max = 255))]
    pub article_number: Option<String>,
    /// Number of the article in the other system; leading zeros are significant.
    #[schema(max_length = 255, example = "0004711")]
    pub external_article_number: Option<String>,
    pub warehouse_id: Option<i64>,
    /// Short code of the warehouse, ignoring case; instead of the id, or together with it if both name the
    /// same warehouse.
    #[schema(max_length = 255, example = "DU")]
    #[validate(length(max = 255))]
    pub warehouse_short_code: Option<String>,
    /// Identifier of the warehouse in the other system.
    #[schema(max_length = 255, example = "LG-3")]
    pub external_warehouse_identifier: Option<String>,
    /// Identifier of the tenant in the other system; rows of files that contain one must agree with it.
    #[schema(max_length = 255, example = "NS-01")]
    pub external_tenant_identifier: Option<String>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(MatchingInput: or_none article_number, warehouse_short_code;);

/// Desired values of a matching, from a form, a file or a call. Texts are validated here, because files
/// contain them too.
#[derive(Debug, Clone, Default)]
pub struct MatchingDraft {
    pub article: RecordReference,
    pub external_article_number: Option<String>,
    pub warehouse: RecordReference,
    pub external_warehouse_identifier: Option<String>,
    pub external_tenant_identifier: Option<String>,
}

/// Records that drafts refer to: articles, the tenant's warehouses, and the warehouses that external
/// identifiers already stand for.
#[derive(Debug, Default)]
pub struct MatchingReferences {
    articles: Referable<ArticleName>,
    warehouses: Referable<WarehouseName>,
    /// Matchings with their warehouses by folded identifier: two each, because one of them may be the draft's
    /// own.
    external_warehouses: HashMap<String, Vec<(i64, i64)>>,
    /// Identifiers of the tenant in other systems, with which drafts must agree; empty if there are none yet.
    pub(crate) tenant_identifiers: Vec<String>,
}

/// Article as other records refer to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, FromQueryResult)]
pub struct ArticleName {
    pub id: i64,
    pub article_number: String,
}

/// Matching with the records that it refers to.
#[derive(Debug, Clone)]
pub struct MatchingDetail {
    pub matching: Matching,
    /// Short code of the tenant.
    pub tenant: String,
    pub article: Option<ArticleName>,
    pub warehouse: Option<WarehouseName>,
}

const ARTICLE: ReferenceFields = ReferenceFields { id: "article_id", name: "article_number" };
const WAREHOUSE: ReferenceFields = ReferenceFields { id: "warehouse_id", name: "warehouse_short_code" };

impl From<MatchingInput> for MatchingDraft {
    fn from(input: MatchingInput) -> Self {
        Self {
            article: RecordReference::new(input.article_id, input.article_number),
            external_article_number: input.external_article_number,
            warehouse: RecordReference::new(input.warehouse_id, input.warehouse_short_code),
            external_warehouse_identifier: input.external_warehouse_identifier,
            external_tenant_identifier: input.external_tenant_identifier,
        }
    }
}

impl MatchingDraft {
    /// Converts a draft to a row; `own` is the matching that it changes. References that stay unchanged need
    /// not be in `references`, nor the warehouse that an external identifier stands for.
    ///
    /// # Errors
    /// All violated rules at their fields. Duplicate identifiers are detected by the database.
    pub fn row(
        self,
        references: &MatchingReferences,
        own: Option<&Matching>,
    ) -> Result<ActiveModel, Violations> {
        let mut violations = Violations::new();
        let [number, place, tenant] = [
            ("external_article_number", self.external_article_number),
            ("external_warehouse_identifier", self.external_warehouse_identifier),
            ("external_tenant_identifier", self.external_tenant_identifier),
        ]
        .map(|(field, text)| {
            let text = identifier(text);
            optional(&mut violations, field, text.as_deref());
            text
        });
        let place_fold = fold(place.as_deref().unwrap_or_default());
        let article = unchanged_id(&self.article, own.and_then(|own| own.article_id))
            .or_else(|| Some(self.article.resolve(&mut violations, ARTICLE, &references.articles)?.id));
        let place_warehouse =
            own.and_then(|own| own.warehouse_id).or_else(|| references.warehouse_of(&place_fold));
        let warehouse = unchanged_id(&self.warehouse, place_warehouse)
            .or_else(|| Some(self.warehouse.resolve(&mut violations, WAREHOUSE, &references.warehouses)?.id));
        let has_article = !self.article.is_absent();
        if has_article != number.is_some() {
            let missing = if has_article { "external_article_number" } else { ARTICLE.id };
            violations.add(missing, codes::REQUIRED);
        }
        let has_warehouse = !self.warehouse.is_absent();
        if has_warehouse != place.is_some() {
            let missing = if has_warehouse { "external_warehouse_identifier" } else { WAREHOUSE.id };
            violations.add(missing, codes::REQUIRED);
        }
        let has_no_pair = !has_article && !has_warehouse && number.is_none() && place.is_none();
        if has_no_pair && tenant.is_none() {
            violations.add("external_article_number", codes::MATCHING_EMPTY);
        }
        if let Some(warehouse) = warehouse
            && references.means_another(&place_fold, warehouse, own.map(|own| own.id))
        {
            violations.add("external_warehouse_identifier", codes::EXTERNAL_WAREHOUSE_DIFFERS);
        }
        let tenant_fold = fold(tenant.as_deref().unwrap_or_default());
        let is_same_tenant = own.is_some_and(|own| own.external_tenant_identifier_fold == tenant_fold);
        if !tenant_fold.is_empty() && !is_same_tenant && !references.agrees(&tenant_fold) {
            let expected = codes::NOT_THIS_TENANT.list("known", &references.tenant_identifiers);
            violations.add("external_tenant_identifier", expected);
        }
        if !violations.is_empty() {
            return Err(violations);
        }
        let of_tenant = tenant.as_deref().filter(|_| has_no_pair);
        let identifiers = [number.as_deref(), place.as_deref(), of_tenant];
        let name = identifiers.into_iter().flatten().collect::<Vec<_>>().join(", ");
        Ok(ActiveModel {
            name: Set(name),
            article_id: Set(article),
            external_article_number_fold: Set(fold(number.as_deref().unwrap_or_default())),
            external_article_number: Set(number),
            warehouse_id: Set(warehouse),
            external_warehouse_identifier_fold: Set(place_fold),
            external_warehouse_identifier: Set(place),
            external_tenant_identifier_fold: Set(tenant_fold),
            external_tenant_identifier: Set(tenant),
            ..Default::default()
        })
    }
}

/// Returns the id if the reference is the unchanged one.
fn unchanged_id(reference: &RecordReference, id: Option<i64>) -> Option<i64> {
    id.filter(|_| *reference == RecordReference::new(id, None))
}

impl MatchingReferences {
    /// Loads the records that these drafts of the acting tenant refer to, in three statements for any number
    /// of drafts, and locks those that drafts name until the transaction ends.
    pub async fn load(db: &impl ConnectionTrait, scope: &Scope, drafts: &[MatchingDraft]) -> Result<Self> {
        let articles = || drafts.iter().map(|draft| &draft.article);
        let warehouses = || drafts.iter().map(|draft| &draft.warehouse);
        let condition =
            named_by_references(article::Column::Id, article::Column::ArticleNumberFold, articles());
        let articles = scope.find::<Articles>().select_only().filter(condition);
        let articles = articles.columns([article::Column::Id, article::Column::ArticleNumber]);
        let articles = articles.order_by_asc(article::Column::Id).lock(LockType::KeyShare);
        let articles = articles.into_model::<ArticleName>().all(db).await?;
        let tenant = scope.tenant()?;
        let warehouses = warehouse_names(db, scope, |select| {
            let condition =
                named_by_references(warehouse::Column::Id, warehouse::Column::ShortCodeFold, warehouses());
            let select = select.filter(warehouse::Column::TenantId.eq(tenant)).filter(condition);
            select.order_by_asc(warehouse::Column::Id).lock(LockType::KeyShare)
        });
        let warehouses = warehouses.await?;
        let article_entry = |article: ArticleName| (article.id, fold(&article.article_number), article);
        let warehouse_entry =
            |warehouse: WarehouseName| (warehouse.id, fold(&warehouse.short_code), warehouse);
        let mut references = Self {
            articles: Referable::new(articles.into_iter().map(article_entry)),
            warehouses: Referable::new(warehouses.into_iter().map(warehouse_entry)),
            external_warehouses: HashMap::new(),
            tenant_identifiers: Vec::new(),
        };
        for (place, matching, warehouse) in external_warehouses(db, scope, drafts).await? {
            references.add_place(matching, &place, warehouse);
        }
        Ok(references)
    }

    /// Adds a matching's external warehouse for later drafts.
    pub(crate) fn add_place(&mut self, matching: i64, place_fold: &str, warehouse: i64) {
        let entries = self.external_warehouses.entry(place_fold.to_owned()).or_default();
        entries.retain(|(other, _)| *other != matching);
        entries.push((matching, warehouse));
    }

    /// Adds a row that will be written, and returns its external warehouse.
    pub(crate) fn add_row(&mut self, matching: i64, row: &ActiveModel) -> Option<(String, i64, i64)> {
        if self.tenant_identifiers.is_empty() {
            self.tenant_identifiers.extend(row.external_tenant_identifier.try_as_ref().cloned().flatten());
        }
        let place = row.external_warehouse_identifier_fold.try_as_ref()?;
        let warehouse = (*row.warehouse_id.try_as_ref()?)?;
        self.add_place(matching, place, warehouse);
        Some((place.clone(), matching, warehouse))
    }

    /// Warehouse that an external identifier stands for.
    pub(crate) fn warehouse_of(&self, place_fold: &str) -> Option<i64> {
        self.external_warehouses.get(place_fold)?.first().map(|(_, warehouse)| *warehouse)
    }

    fn agrees(&self, tenant_fold: &str) -> bool {
        self.tenant_identifiers.is_empty()
            || self.tenant_identifiers.iter().any(|own_identifier| fold(own_identifier) == tenant_fold)
    }

    /// True if another matching uses the external identifier for another warehouse.
    fn means_another(&self, place: &str, warehouse: i64, own: Option<i64>) -> bool {
        let mut entries = self.external_warehouses.get(place).into_iter().flatten();
        entries.any(|(matching, other)| *other != warehouse && Some(*matching) != own)
    }
}

/// Loads the matchings and warehouses of the drafts' external warehouse identifiers. The first and the last
/// matching of each are enough, because all but a draft's own agree; a warehouse may have a million.
async fn external_warehouses(
    db: &impl ConnectionTrait,
    scope: &Scope,
    drafts: &[MatchingDraft],
) -> Result<Vec<(String, i64, i64)>> {
    let tenant = scope.tenant()?;
    let place = |draft: &MatchingDraft| identifier(draft.external_warehouse_identifier.clone());
    let places: BTreeSet<String> = drafts.iter().filter_map(place).map(|place| fold(&place)).collect();
    let ends = places.iter().flat_map(|place| {
        let end = |end: SimpleExpr| {
            let of_place = Column::ExternalWarehouseIdentifierFold.eq(place);
            let own = scope.find::<Matchings>().filter(Column::TenantId.eq(tenant)).filter(of_place);
            SimpleExpr::from(own.select_only().expr(end).into_query())
        };
        [end(Column::Id.min()), end(Column::Id.max())]
    });
    let rows = scope
        .find::<Matchings>()
        .select_only()
        .columns([Column::ExternalWarehouseIdentifierFold, Column::Id, Column::WarehouseId])
        .filter(Column::TenantId.eq(tenant))
        .filter(Expr::col((Matchings, Column::Id)).is_in(ends))
        .order_by_asc(Column::Id);
    Ok(rows.into_tuple().all(db).await?)
}

/// Identifiers of the tenant in other systems, from its matchings.
pub(crate) async fn tenant_identifiers(db: &impl ConnectionTrait, scope: &Scope) -> Result<Vec<String>> {
    let select = scope
        .find::<Matchings>()
        .select_only()
        .column(Column::ExternalTenantIdentifier)
        .distinct()
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(Column::ExternalTenantIdentifier.is_not_null());
    Ok(select.order_by_asc(Column::ExternalTenantIdentifier).into_tuple().all(db).await?)
}

/// Identifiers of warehouses in the other system, by warehouse id; the oldest one if there are several.
pub async fn warehouse_identifiers(
    db: &impl ConnectionTrait,
    scope: &Scope,
    warehouses: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, String>> {
    let rows = scope
        .find::<Matchings>()
        .select_only()
        .columns([Column::WarehouseId, Column::ExternalWarehouseIdentifier])
        .filter(Column::WarehouseId.is_in(warehouses))
        .filter(Column::ExternalWarehouseIdentifier.is_not_null())
        .order_by_desc(Column::Id);
    let rows: Vec<(i64, String)> = rows.into_tuple().all(db).await?;
    // The oldest matching is inserted last and replaces the others.
    Ok(rows.into_iter().collect())
}

pub(crate) async fn warehouse_names(
    db: &impl ConnectionTrait,
    scope: &Scope,
    which: impl FnOnce(sea_orm::Select<Warehouses>) -> sea_orm::Select<Warehouses>,
) -> Result<Vec<WarehouseName>> {
    let select = which(scope.find::<Warehouses>()).select_only();
    let select = select.columns([warehouse::Column::Id, warehouse::Column::ShortCode]);
    Ok(select.into_model::<WarehouseName>().all(db).await?)
}

/// Locks the tenant against concurrent writes of its matchings, because the rule that an external warehouse
/// stands for one warehouse concerns many rows. Writers that only refer to the tenant do not wait.
pub async fn lock_tenant(tx: &Write, scope: &Scope) -> Result<()> {
    let tenant = scope.tenant()?;
    let own = scope.find::<Tenants>().filter(Tenants::ID.eq(tenant)).lock(LockType::NoKeyUpdate);
    own.one(tx).await?.map(|_| ()).ok_or_else(Error::not_found)
}

/// Loads a matching with its details.
pub async fn view(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<MatchingDetail> {
    let matching = scope.get::<Matchings>(db, id).await?;
    Ok(Matchings::detailed(db, scope, vec![matching]).await?.remove(0))
}

impl<C: ConnectionTrait> Detailed<C> for Matchings {
    type Detail = MatchingDetail;

    /// Loads the records that matchings refer to.
    async fn detailed(db: &C, scope: &Scope, matchings: Vec<Matching>) -> Result<Vec<MatchingDetail>> {
        let tenants =
            tenant::short_codes(db, scope, matchings.iter().map(|matching| matching.tenant_id)).await?;
        let articles = matchings.iter().filter_map(|matching| matching.article_id);
        let articles = scope.find::<Articles>().filter(article::Column::Id.is_in(articles)).select_only();
        let articles = articles.columns([article::Column::Id, article::Column::ArticleNumber]);
        let articles: Vec<ArticleName> = articles.into_model().all(db).await?;
        let articles: HashMap<i64, ArticleName> =
            articles.into_iter().map(|article| (article.id, article)).collect();
        let ids = matchings.iter().filter_map(|matching| matching.warehouse_id);
        let warehouses =
            warehouse_names(db, scope, |select| select.filter(warehouse::Column::Id.is_in(ids))).await?;
        let warehouses: HashMap<i64, WarehouseName> =
            warehouses.into_iter().map(|warehouse| (warehouse.id, warehouse)).collect();
        let detail = |matching: Matching| MatchingDetail {
            tenant: tenants.get(&matching.tenant_id).cloned().unwrap_or_default(),
            article: matching.article_id.and_then(|id| articles.get(&id).cloned()),
            warehouse: matching.warehouse_id.and_then(|id| warehouses.get(&id).cloned()),
            matching,
        };
        Ok(matchings.into_iter().map(detail).collect())
    }
}

impl Managed for Matchings {
    type Input = MatchingInput;

    /// Updates a matching.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<MatchingInput>>,
    ) -> Result<MatchingDetail> {
        let input = input.into();
        let version = input.version;
        let tx = db.begin().await?;
        let own = scope.get::<Self>(&tx, id).await?;
        scope.claim::<Self>()?;
        let row = row(&tx, scope, input, Some(&own)).await?;
        let field = identifier_field(&row);
        let changed = scope.update::<Self>(&tx, id, version, row).await;
        let changed = changed.map_err(|error| at_field(error, field))?;
        delete_resolved_numbers(&tx, scope, [&changed]).await?;
        finish(tx, scope, id).await
    }
}

impl Creatable for Matchings {
    /// Creates a matching.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<MatchingInput>>,
    ) -> Result<MatchingDetail> {
        let tx = db.begin().await?;
        let detail = create_in(&tx, scope, input.into()).await?;
        delete_resolved_numbers(&tx, scope, [&detail.matching]).await?;
        tx.commit().await?;
        Ok(detail)
    }
}

/// Creates a matching within a transaction.
pub(crate) async fn create_in(
    tx: &Write,
    scope: &Scope,
    input: Validated<MatchingInput>,
) -> Result<MatchingDetail> {
    scope.claim::<Matchings>()?;
    let row = row(tx, scope, input, None).await?;
    let field = identifier_field(&row);
    let matching = scope.create::<Matchings>(tx, row).await.map_err(|error| at_field(error, field))?;
    view(tx, scope, matching.id).await
}

impl Deletable for Matchings {
    /// Deletes a matching.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        let tx = db.begin().await?;
        scope.delete::<Self>(&tx, id).await?;
        tx.commit().await
    }
}

async fn row(
    tx: &Write,
    scope: &Scope,
    input: Validated<MatchingInput>,
    own: Option<&Matching>,
) -> Result<ActiveModel> {
    lock_tenant(tx, scope).await?;
    let (input, mut violations) = input.parts();
    let draft = MatchingDraft::from(input);
    let references = MatchingReferences::load(tx, scope, std::slice::from_ref(&draft)).await?;
    match draft.row(&references, own) {
        Ok(row) if violations.is_empty() => Ok(row),
        outcome => {
            violations.extend(outcome.err().unwrap_or_default());
            Err(violations.into())
        }
    }
}

/// Deletes open numbers that these matchings resolve, if no row waits for them.
pub(crate) async fn delete_resolved_numbers(
    tx: &Write,
    scope: &Scope,
    matchings: impl IntoIterator<Item = &Matching>,
) -> Result<()> {
    let mut matched_numbers = BTreeSet::new();
    for row in matchings {
        let numbers = [
            (Kind::Article, &row.external_article_number_fold),
            (Kind::Warehouse, &row.external_warehouse_identifier_fold),
            (Kind::Tenant, &row.external_tenant_identifier_fold),
        ];
        let numbers = numbers.into_iter().filter(|(_, number)| !number.is_empty());
        matched_numbers.extend(numbers.map(|(kind, number)| (kind, number.clone())));
    }
    imports::unresolved::delete_matched(tx, scope, &matched_numbers.into_iter().collect::<Vec<_>>()).await
}

/// Field of the identifier that makes a matching unique.
fn identifier_field(row: &ActiveModel) -> &'static str {
    if row.article_id.as_ref().is_some() {
        "external_article_number"
    } else if row.warehouse_id.as_ref().is_some() {
        "external_warehouse_identifier"
    } else {
        "external_tenant_identifier"
    }
}

fn at_field(error: Error, field: &'static str) -> Error {
    let is_taken = matches!(&error, Error::Invalid(violations)
        if violations.iter().any(|violation| violation.message.code == codes::EXTERNAL_TAKEN));
    match field {
        _ if !is_taken => error,
        // There is only one such matching.
        "external_tenant_identifier" => Violations::error(field, codes::TENANT_NAMED),
        field => Violations::error(field, codes::EXTERNAL_TAKEN),
    }
}

async fn finish(tx: Write, scope: &Scope, id: i64) -> Result<MatchingDetail> {
    let detail = view(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(detail)
}

#[cfg(test)]
mod tests;
