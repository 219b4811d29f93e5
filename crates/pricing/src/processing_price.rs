//! Prices of processings: the price of a tenant for one operation on its articles. A price for an article
//! type takes precedence over the general one.

pub mod entity;

use std::collections::{HashMap, HashSet};

use catalog::{
    article_type::{self, ArticleTypes},
    processing::{self, Processings},
};
use lists::{
    Creatable, Deletable, Detailed, Field, Listed, Managed, listed_reference,
    search::{self, Needle, ReferredTable, Search, SearchedColumns},
};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};
use serde::Deserialize;
use store::{
    Database, Owner, PriceRole, Recorded, Resource, Scope, Scoped, Unique, Write, scope::refuse_stale,
};
use tenancy::tenant::{self, Tenants};
use utoipa::ToSchema;
use validator::Validate;
use values::{Error, Money, Phrase, Result, TenantId, UnitCategory, Validated, Violations, tidy};

use crate::{codes, guard, listing, permissions};

pub use self::entity::{ActiveModel, Column, Entity as ProcessingPrices, Model as ProcessingPrice};

impl Scoped for ProcessingPrices {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for ProcessingPrices {
    const PRICES: Option<PriceRole<Column>> = Some(PriceRole::Rules);
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "processing_prices",
        Phrase { de: "Anarbeitungspreise", en: "processing prices" },
        permissions::LIST_PRICES,
    )
    .refers(&[
        listed_reference::<Self, Tenants>("tenant_id"),
        listed_reference::<Self, Processings>("processing_id"),
        listed_reference::<Self, ArticleTypes>("article_type_id"),
    ])
    .hides(&["price"], permissions::VIEW_PRICE);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] =
        &[Unique::new("processing_price_article_type_key", "processing_id", codes::PROCESSING_PRICE_TAKEN)
            .over("processing_price_tenant_id_processing_id_article_type_key_key")];
    /// Columns that are derived from the references.
    const UNNOTED: &'static [Column] = &[Column::Name, Column::ArticleTypeKey];
    const WHOLE: &'static [Column] = &[Column::Price];
}

impl Listed for ProcessingPrices {
    const FIELDS: &'static [Field] = &[
        Field::search("search", &Column::ProcessingId, &SEARCHED),
        Field::id("processing_id", &Column::ProcessingId).grouped_as(
            "processing",
            &processing::Column::Id,
            &processing::Column::NameFold,
        ),
        Field::id("article_type_id", &Column::ArticleTypeId).optional().grouped_as(
            "article_type",
            &article_type::Column::Id,
            &article_type::Column::NameSort,
        ),
        Field::id("tenant_id", &Column::TenantId),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "id";
    const NEEDS_TENANT: bool = true;
}

const PROCESSING: &str = "processing";
const ARTICLE_TYPE: &str = "article_type";

/// Search by the processing and the article type.
const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[],
    trigrams: None,
    references: &[
        ReferredTable {
            name: PROCESSING,
            column: &Column::ProcessingId,
            id: &processing::Column::Id,
            columns: &[&processing::Column::NameFold, &processing::Column::DisplayNameFold],
            within: None,
            beginnings: None,
        },
        ReferredTable {
            name: ARTICLE_TYPE,
            column: &Column::ArticleTypeId,
            id: &article_type::Column::Id,
            columns: &[&article_type::Column::NameFold],
            within: None,
            beginnings: None,
        },
    ],
    read: |text| search::words(text).map(redirect_to_references),
    beginnings: None,
};

/// Rewrites a search so that it searches in the records that are referred to.
fn redirect_to_references(search: Search) -> Search {
    let all = |parts: Vec<Search>| parts.into_iter().map(redirect_to_references).collect();
    let refers = |to: &'static str, needle: &Needle| Search::Refers(to, vec![needle.clone()]);
    match search {
        Search::All(parts) => Search::All(all(parts)),
        Search::Any(parts) => Search::Any(all(parts)),
        Search::Contains(needle) => {
            Search::Any([PROCESSING, ARTICLE_TYPE].map(|to| refers(to, &needle)).into())
        }
        other => other,
    }
}

/// Input that creates or changes the price of a processing.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ProcessingPriceInput {
    /// Processing that the price is for.
    pub processing_id: i64,
    /// Article type that the price is for; `null` for all types without a price of their own. There can be
    /// one price for each.
    pub article_type_id: Option<i64>,
    /// Price by pieces, each piece being one operation.
    pub price: Money,
    /// Version that was edited; rejected if it is not the current one.
    pub version: Option<i64>,
    /// True to save an implausible price that a person has checked; ignored with an access token.
    pub release: Option<bool>,
}

tidy!(ProcessingPriceInput:);

/// Price with the records that it refers to.
#[derive(Debug, Clone)]
pub struct ProcessingPriceDetail {
    pub price: ProcessingPrice,
    /// Short code of the tenant.
    pub tenant: String,
    /// Name of the processing.
    pub processing: String,
    pub article_type: Option<String>,
}

impl<C: ConnectionTrait> Detailed<C> for ProcessingPrices {
    type Detail = ProcessingPriceDetail;

    /// Loads the records that prices refer to.
    ///
    /// # Errors
    /// The caller lacks the permission to view prices.
    async fn detailed(
        db: &C,
        scope: &Scope,
        prices: Vec<ProcessingPrice>,
    ) -> Result<Vec<ProcessingPriceDetail>> {
        scope.demand(permissions::VIEW_PRICE)?;
        let tenants = tenant::short_codes(db, scope, prices.iter().map(|price| price.tenant_id)).await?;
        let processings = names::<Processings>(db, prices.iter().map(|price| price.processing_id)).await?;
        let article_types =
            names::<ArticleTypes>(db, prices.iter().filter_map(|price| price.article_type_id)).await?;
        let detail = |price: ProcessingPrice| ProcessingPriceDetail {
            tenant: tenants.get(&price.tenant_id).cloned().unwrap_or_default(),
            processing: processings.get(&price.processing_id).cloned().unwrap_or_default(),
            article_type: price.article_type_id.and_then(|id| article_types.get(&id).cloned()),
            price,
        };
        Ok(prices.into_iter().map(detail).collect())
    }
}

/// Loads the names of the platform's records by their ids.
async fn names<E: Recorded>(
    db: &impl ConnectionTrait,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, String>> {
    let ids: HashSet<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = Scope::platform().find::<E>().filter(E::ID.is_in(ids));
    let rows = rows.select_only().columns([E::ID, E::NAME]);
    Ok(rows.into_tuple::<(i64, String)>().all(db).await?.into_iter().collect())
}

/// Loads all processing prices of a seller.
pub(crate) async fn load_for_seller(
    db: &impl ConnectionTrait,
    seller: TenantId,
) -> Result<Vec<ProcessingPrice>> {
    let scope = Scope::platform().acting_for(Some(seller));
    Ok(scope.find::<ProcessingPrices>().order_by_asc(Column::Id).all(db).await?)
}

impl Managed for ProcessingPrices {
    type Input = ProcessingPriceInput;

    /// Changes a price.
    ///
    /// # Errors
    /// All violations, by field.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<ProcessingPriceInput>>,
    ) -> Result<ProcessingPriceDetail> {
        let input = input.into();
        let (version, release) = (input.version, input.release == Some(true) && !scope.is_of_token());
        scope.demand(permissions::VIEW_PRICE)?;
        let tx = db.begin().await?;
        let before = scope.get_locked::<Self>(&tx, id).await?;
        refuse_stale(version, before.version)?;
        let row = row(&tx, input).await?;
        if let Some(price) = row.price.try_as_ref().filter(|_| !release) {
            let percent = listing::guard_percent(&tx, &scope.acting_for(Some(before.tenant_id))).await?;
            if let Some(message) = guard::check_price(&before.price, price, percent) {
                return Err(Error::ReleaseNeeded(Violations::one("price.price", message)));
            }
        }
        let price = scope.update::<Self>(&tx, id, version, row).await?;
        finish(tx, scope, price).await
    }
}

impl Creatable for ProcessingPrices {
    /// Creates a price.
    ///
    /// # Errors
    /// All violations, by field.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<ProcessingPriceInput>>,
    ) -> Result<ProcessingPriceDetail> {
        scope.claim::<Self>()?;
        let tx = db.begin().await?;
        let row = row(&tx, input.into()).await?;
        let price = scope.create::<Self>(&tx, row).await?;
        finish(tx, scope, price).await
    }
}

impl Deletable for ProcessingPrices {
    /// Deletes a price.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        let tx = db.begin().await?;
        scope.delete::<Self>(&tx, id).await?;
        tx.commit().await
    }
}

/// Validates an input, and returns the row.
async fn row(db: &impl ConnectionTrait, input: Validated<ProcessingPriceInput>) -> Result<ActiveModel> {
    let (ProcessingPriceInput { processing_id, article_type_id, price, .. }, mut violations) = input.parts();
    let processing = names::<Processings>(db, [processing_id]).await?;
    let article_type = names::<ArticleTypes>(db, article_type_id).await?;
    if processing.is_empty() {
        violations.add("processing_id", codes::UNKNOWN_REFERENCE);
    }
    if article_type_id.is_some() && article_type.is_empty() {
        violations.add("article_type_id", codes::UNKNOWN_REFERENCE);
    }
    check(&price, "price", &mut violations);
    violations.check()?;
    let names: Vec<String> = processing.into_values().chain(article_type.into_values()).collect();
    Ok(ActiveModel {
        name: Set(names.join(", ")),
        processing_id: Set(processing_id),
        article_type_id: Set(article_type_id),
        article_type_key: Set(article_type_id.unwrap_or_default()),
        price: Set(price),
        ..Default::default()
    })
}

/// Adds the violations of a processing's price, which is by pieces: processings are counted.
pub(crate) fn check(price: &Money, path: &str, violations: &mut Violations) {
    price.check(violations, path, &[UnitCategory::Pieces]);
}

async fn finish(tx: Write, scope: &Scope, price: ProcessingPrice) -> Result<ProcessingPriceDetail> {
    let detail = ProcessingPrices::detailed(&tx, scope, vec![price]).await?.remove(0);
    tx.commit().await?;
    Ok(detail)
}
