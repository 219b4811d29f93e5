//! Stocks: articles of a tenant in a warehouse, in the article's own dimensions or in smaller ones
//! (remnants). A stock is always available, has a quantity, or is queried from the tenant's own system.
//!
//! Its prices are in the same row, with a version of their own, and are written by `pricing`, so that users
//! who edit prices do not conflict with users who book quantities.

pub mod availability;
pub mod confirmation;
pub mod entity;
pub mod external_numbers;
pub mod external_quantity;
pub mod import;
pub mod items;
mod list;
pub mod place_columns;
pub mod quantity_columns;
pub mod references;
pub mod shown_warehouses;
pub mod sums;

use catalog::{article::Articles, article_units::ArticleUnits, shape::Dimension};
use lists::{Changeable, listed_reference};
use sea_orm::{ActiveValue::Set, ConnectionTrait, DeriveActiveEnum, EnumIter, prelude::StringLen};
use serde::{Deserialize, Serialize};
use store::{
    Database, Keyed, NumberedColumns, Owner, PriceRole, Recorded, Resource, Scope, Scoped, Unique, Write,
    scope::refuse_stale,
};
use tenancy::tenant::{self, Tenants};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Decimal, Error, Instant, Minutes, Phrase, RecordReference, Result, Unit, UnitCategory, Validated,
    Violations, rule, tidy,
};

use self::{
    external_quantity::ExternalQuantity,
    references::{ReferencedRecords, StockIds, StockReferences},
};
use crate::{
    codes,
    matching::directory::{Directory, Place, PlaceReference},
    permissions,
    warehouse::{WarehouseName, Warehouses},
};

pub use self::entity::{ActiveModel, Column, Entity as Stocks, Model as Stock};
pub use self::list::{SEARCHED, counted_old, search_of_articles};

/// Kind of a stock's availability.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "kebab-case")]
#[schema(as = AvailabilityType, example = "quantity")]
pub enum Availability {
    /// Any quantity is always available.
    #[sea_orm(string_value = "always")]
    Always,
    /// Limited by the quantity.
    #[sea_orm(string_value = "quantity")]
    Quantity,
    /// Queried from the tenant's own system.
    #[sea_orm(string_value = "external-api")]
    ExternalApi,
}

impl Availability {
    pub const NAMES: &'static [&'static str] = &["always", "quantity", "external-api"];

    /// Name in JSON and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Quantity => "quantity",
            Self::ExternalApi => "external-api",
        }
    }
}

impl Scoped for Stocks {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

/// Index that a second stock of the same place violates.
pub const PLACE_TAKEN: Unique = Unique::new("stock_place_key", "warehouse_id", codes::STOCK_TAKEN)
    .over("stock_tenant_id_article_id_warehouse_id_length_width_height_key");

impl Recorded for Stocks {
    /// Prices are written by the price side.
    const PRICES: Option<PriceRole<Column>> = Some(PriceRole::Stocks {
        article: Column::ArticleId,
        columns: &[Column::ArticleId, Column::WarehouseId, Column::Length, Column::Width, Column::Height],
    });
    const RESOURCE: &'static Resource =
        &Resource::new::<Self>("stocks", Phrase { de: "Bestände", en: "stocks" }, permissions::LIST_STOCKS)
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
    const UNIQUE: &'static [Unique] = &[PLACE_TAKEN];
    /// Column left out of the history, because article and warehouse say the same.
    const UNNOTED: &'static [Column] = &[Column::Name];
}

impl Keyed for Stocks {
    const KEY: &'static [Column] =
        &[Column::ArticleId, Column::WarehouseId, Column::Length, Column::Width, Column::Height];
}

/// Input to create or change a stock.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct StockInput {
    /// Id of the article; cannot be changed afterwards.
    pub article_id: Option<i64>,
    /// Article number, ignoring case; instead of the id, or together with it if both name the same article.
    #[schema(max_length = 255, example = "HEB-200-S235JR")]
    #[validate(length(max = 255))]
    pub article_number: Option<String>,
    pub warehouse_id: Option<i64>,
    /// Short code of the warehouse, ignoring case; instead of the id, or together with it if both name the
    /// same warehouse.
    #[schema(max_length = 255, example = "DU")]
    #[validate(length(max = 255))]
    pub warehouse_short_code: Option<String>,
    pub availability_type: Availability,
    /// Quantity, zero or above; only with the availability `quantity`.
    #[schema(example = "36.3")]
    pub quantity: Option<Decimal>,
    /// Unit of the quantity, any that the article is counted in; the article's base unit if absent.
    pub quantity_unit: Option<Unit>,
    /// Lead time in whole minutes.
    #[schema(value_type = Option<Minutes>)]
    pub lead_time: Option<i64>,
    /// Length of a remnant in millimetres; that of the article if absent.
    #[schema(example = "6000")]
    pub length: Option<Decimal>,
    /// Width of a remnant of a sheet in millimetres.
    #[schema(example = "1000")]
    pub width: Option<Decimal>,
    /// Height in millimetres, of goods that are cut in their height.
    pub height: Option<Decimal>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(StockInput: or_none article_number, warehouse_short_code;);

/// Desired values of a stock, from a form, a file or a call.
#[derive(Debug, Clone)]
pub struct StockDraft {
    pub availability: Availability,
    pub quantity: Option<Decimal>,
    pub quantity_unit: Option<Unit>,
    pub lead_time: Option<i64>,
    pub dimensions: Dimensions,
}

/// Dimensions in millimetres; `None` for those of the article.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dimensions {
    pub length: Option<Decimal>,
    pub width: Option<Decimal>,
    pub height: Option<Decimal>,
}

/// Stock with the records that it refers to.
#[derive(Debug, Clone)]
pub struct StockDetail {
    pub stock: Stock,
    /// Short code of the tenant.
    pub tenant: String,
    pub article: ArticleUnits,
    pub warehouse: WarehouseName,
    /// Number of the article in another system, for this warehouse.
    pub external_article_number: Option<String>,
    /// Time at which an import last wrote it or found it unchanged.
    pub confirmed_at: Option<Instant>,
    /// Last answer of the tenant's own system, if only that has the quantity.
    pub last_known: Option<ExternalQuantity>,
}

impl From<&StockInput> for PlaceReference {
    fn from(input: &StockInput) -> Self {
        Self {
            article: RecordReference::new(input.article_id, input.article_number.clone()),
            warehouse: RecordReference::new(input.warehouse_id, input.warehouse_short_code.clone()),
            ..Self::default()
        }
    }
}

impl From<&StockInput> for StockDraft {
    fn from(input: &StockInput) -> Self {
        let StockInput {
            availability_type, quantity, quantity_unit, lead_time, length, width, height, ..
        } = *input;
        Self {
            availability: availability_type,
            quantity,
            quantity_unit,
            lead_time,
            dimensions: Dimensions { length, width, height },
        }
    }
}

impl Dimensions {
    /// Dimensions of a stored row.
    pub fn from_stock(stock: &Stock) -> Self {
        Self::from_row(stock.length, stock.width, stock.height)
    }

    /// Dimensions from columns, which are 0 for a side of the article.
    fn from_row(length: Decimal, width: Decimal, height: Decimal) -> Self {
        let own = |side: Decimal| Some(side).filter(|side| *side > Decimal::ZERO);
        Self { length: own(length), width: own(width), height: own(height) }
    }

    /// Length, width and height, each with its field and dimension.
    pub fn sides(self) -> [(&'static str, Dimension, Option<Decimal>); 3] {
        [
            ("length", Dimension::Length, self.length),
            ("width", Dimension::Width, self.width),
            ("height", Dimension::Height, self.height),
        ]
    }

    /// Checks that the article can be cut in these dimensions and is at least as large.
    pub fn check(self, article: &ArticleUnits, violations: &mut Violations) {
        let cut_in: &[Dimension] = match article.extends_in() {
            UnitCategory::Area => &[Dimension::Length, Dimension::Width],
            _ => &[Dimension::Length],
        };
        for (field, dimension, side) in self.sides() {
            let Some(side) = side else { continue };
            if let Err(error) = rule::positive::<9, 6>(&side) {
                violations.add(field, values::input::message(&error));
            } else if !cut_in.contains(&dimension) {
                violations.add(field, codes::DIMENSION_NOT_EXTENDED.with("article", &article.article_number));
            } else if let Some(max) = article.dimension(dimension).filter(|max| side > *max) {
                violations.add(field, codes::LONGER_THAN_ARTICLE.with("max", max));
            }
        }
    }

    fn columns(self) -> [Decimal; 3] {
        [self.length, self.width, self.height].map(Option::unwrap_or_default)
    }
}

impl StockDraft {
    /// Converts a draft to a row.
    ///
    /// # Errors
    /// All violated rules at their fields.
    pub fn row(&self, place: Place<'_>) -> Result<ActiveModel, Violations> {
        let Place { article, warehouse } = place;
        let mut violations = Violations::new();
        let quantity = self.checked_quantity(article, &mut violations);
        let lead_time =
            self.lead_time.and_then(|minutes| rule::duration(&mut violations, "lead_time", minutes));
        self.dimensions.check(article, &mut violations);
        if !violations.is_empty() {
            return Err(violations);
        }
        let [length, width, height] = self.dimensions.columns();
        Ok(ActiveModel {
            name: Set(name(article, warehouse, self.dimensions)),
            article_id: Set(article.id),
            warehouse_id: Set(warehouse.id),
            length: Set(length),
            width: Set(width),
            height: Set(height),
            availability_type: Set(self.availability),
            quantity: Set(quantity),
            lead_time: Set(lead_time),
            ..Default::default()
        })
    }

    /// Quantity in the base unit.
    fn checked_quantity(&self, article: &ArticleUnits, violations: &mut Violations) -> Option<Decimal> {
        match (self.availability, self.quantity) {
            (Availability::Quantity, None) => violations.add("quantity", codes::REQUIRED),
            (Availability::Quantity, Some(quantity)) => {
                return in_base_unit(quantity, self.quantity_unit, article, "quantity", violations);
            }
            (_, Some(_)) => violations.add("quantity", codes::QUANTITY_NOT_ALLOWED),
            (_, None) => {}
        }
        None
    }
}

/// Converts a quantity of zero or above to the article's base unit, in which stock is stored
/// ([`ArticleUnits::in_base_unit`]); errors are added at the field, or at its `_unit`.
pub fn in_base_unit(
    quantity: Decimal,
    unit: Option<Unit>,
    article: &ArticleUnits,
    field: &str,
    violations: &mut Violations,
) -> Option<Decimal> {
    let unit = read_unit(quantity, unit, article, field, violations)?;
    let converted = article.in_base_unit(quantity, unit);
    if converted.is_none() {
        violations.add(field, values::Message::from(codes::NOT_EXACT).unit("unit", article.base_unit));
    }
    converted
}

/// Converts a requested quantity to the article's base unit, rounded to six places.
pub fn rounded_in_base_unit(
    quantity: Decimal,
    unit: Option<Unit>,
    article: &ArticleUnits,
    field: &str,
    violations: &mut Violations,
) -> Option<Decimal> {
    let unit = read_unit(quantity, unit, article, field, violations)?;
    let rounded = article.convert(quantity, unit, article.base_unit);
    if rounded.is_none() {
        violations.add(field, codes::TOO_BIG.with("max", Decimal::MAX));
    }
    rounded
}

/// Checks that a quantity is not negative and that the article can be counted in its unit; returns the unit.
fn read_unit(
    quantity: Decimal,
    unit: Option<Unit>,
    article: &ArticleUnits,
    field: &str,
    violations: &mut Violations,
) -> Option<Unit> {
    let before = violations.len();
    rule::not_negative(violations, field, Some(quantity), 12, 6);
    if violations.len() > before {
        return None;
    }
    let unit = unit.unwrap_or(article.base_unit);
    if article.convert(Decimal::ONE, unit, article.base_unit).is_none() {
        violations.add(format!("{field}_unit"), not_counted(article, unit));
        return None;
    }
    Some(unit)
}

/// Reason why an article is not counted in a unit.
pub fn not_counted(article: &ArticleUnits, unit: Unit) -> values::Message {
    if article.lacks_weight(unit) {
        return codes::NO_WEIGHT.with("article", &article.article_number).unit("unit", unit);
    }
    values::Message::from(codes::WRONG_UNIT_CATEGORY).unit("unit", unit).units("known", article.units())
}

/// Name of a stock: `HEB-200-S235JR, DU, 6000 mm`.
pub fn name(article: &ArticleUnits, warehouse: &WarehouseName, dimensions: Dimensions) -> String {
    let sides: Vec<String> =
        dimensions.sides().into_iter().filter_map(|(_, _, side)| side.map(|side| side.to_string())).collect();
    let size = if sides.is_empty() { String::new() } else { format!(", {} mm", sides.join(" x ")) };
    format!("{}, {}{size}", article.article_number, warehouse.short_code)
}

/// Loads a stock with its details.
pub async fn view(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<StockDetail> {
    let stock = scope.get::<Stocks>(db, id).await?;
    Ok(detailed(db, scope, vec![stock]).await?.remove(0))
}

/// Loads the records that stocks refer to.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    stocks: Vec<Stock>,
) -> Result<Vec<StockDetail>> {
    let ids = |stock: &Stock| StockIds {
        tenant: stock.tenant_id,
        stock: stock.id,
        article: stock.article_id,
        warehouse: stock.warehouse_id,
    };
    let ids: Vec<_> = stocks.iter().map(ids).collect();
    let tenants = tenant::short_codes(db, scope, stocks.iter().map(|stock| stock.tenant_id)).await?;
    let mut references = StockReferences::load(db, scope, &ids).await?;
    let last_known = external_quantity::last_known(db, &stocks).await?;
    let detail = |stock: Stock| {
        let last_known = last_known.get(&stock.id).copied();
        let ReferencedRecords { article, warehouse, external_article_number, confirmed_at } =
            references.take(stock.id).ok_or_else(Error::not_found)?;
        let tenant = tenants.get(&stock.tenant_id).cloned().unwrap_or_default();
        Ok(StockDetail {
            stock,
            tenant,
            article,
            warehouse,
            external_article_number,
            confirmed_at,
            last_known,
        })
    };
    stocks.into_iter().map(detail).collect()
}

/// Creates a stock.
pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<StockInput>>,
) -> Result<StockDetail> {
    scope.claim::<Stocks>()?;
    let tx = db.begin().await?;
    let row = row(&tx, scope, input.into(), None).await?;
    let stock = scope.create::<Stocks>(&tx, row).await?;
    finish(tx, scope, stock.id).await
}

/// Updates the quantity side of a stock.
pub async fn update(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<StockInput>>,
) -> Result<StockDetail> {
    let input = input.into();
    let tx = db.begin().await?;
    let own = scope.get_locked::<Stocks>(&tx, id).await?;
    refuse_stale(input.version, own.version)?;
    let row = row(&tx, scope, input, Some(&own)).await?;
    scope.update_from::<Stocks>(&tx, &own, row).await?;
    finish(tx, scope, id).await
}

/// Field that can be changed in many stocks in one request.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "field", content = "value", rename_all = "snake_case")]
pub enum StockFieldChange {
    /// Warehouse that the stocks are moved to; rejected for those whose article is already stored there in
    /// this size.
    WarehouseId(i64),
    /// Kind of availability. Any other than `quantity` removes the quantity; `quantity` is rejected for
    /// stocks without one.
    AvailabilityType(Availability),
    /// Lead time in whole minutes.
    LeadTime(Option<i64>),
}

impl Changeable for Stocks {
    type Change = StockFieldChange;

    /// Changes one field and checks all rules of a stock.
    async fn change(db: &Database, scope: &Scope, id: i64, change: &StockFieldChange) -> Result<()> {
        let stock = scope.get::<Self>(db, id).await?;
        let mut input = StockInput::from(&stock);
        match change {
            StockFieldChange::WarehouseId(warehouse) => input.warehouse_id = Some(*warehouse),
            StockFieldChange::AvailabilityType(availability) => {
                input.availability_type = *availability;
                input.quantity = input.quantity.filter(|_| *availability == Availability::Quantity);
            }
            StockFieldChange::LeadTime(time) => input.lead_time = *time,
        }
        update(db, scope, id, input).await.map(|_| ())
    }
}

impl From<&Stock> for StockInput {
    fn from(stock: &Stock) -> Self {
        let Dimensions { length, width, height } = Dimensions::from_stock(stock);
        Self {
            article_id: Some(stock.article_id),
            article_number: None,
            warehouse_id: Some(stock.warehouse_id),
            warehouse_short_code: None,
            availability_type: stock.availability_type,
            quantity: stock.quantity,
            quantity_unit: None,
            lead_time: stock.lead_time.map(Minutes::minutes),
            length,
            width,
            height,
            version: Some(stock.version),
        }
    }
}

/// Converts a validated input to a row.
async fn row(
    tx: &Write,
    scope: &Scope,
    input: Validated<StockInput>,
    own: Option<&Stock>,
) -> Result<ActiveModel> {
    let (input, mut violations) = input.parts();
    let reference = PlaceReference::from(&input);
    let directory = Directory::load(tx, scope, std::slice::from_ref(&reference)).await?;
    let Some(place) = directory.place(&reference, &mut violations) else {
        violations.check()?;
        return Err(Error::internal("a place is there or refused"));
    };
    if own.is_some_and(|own| own.article_id != place.article.id) {
        violations.add("article_id", codes::ARTICLE_OF_STOCK_FIXED);
    }
    match StockDraft::from(&input).row(place) {
        Ok(row) => {
            violations.check()?;
            Ok(row)
        }
        Err(more) => {
            violations.extend(more);
            Err(violations.into())
        }
    }
}

async fn finish(tx: Write, scope: &Scope, id: i64) -> Result<StockDetail> {
    let detail = view(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(detail)
}
