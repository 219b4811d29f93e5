//! Sample carts of tenants: carts of their articles, each with its expected total. They are calculated
//! whenever they are read, so that changes of lists and adjustments show immediately. The last accepted total
//! is stored with its steps ([`acceptance`]), so that a difference can be explained ([`difference`]).

mod acceptance;
pub mod acceptance_entity;
pub mod assembly;
pub mod buyer_entity;
pub mod difference;
pub mod entity;
pub mod record_entity;
mod references;
#[cfg(test)]
mod tests;

use std::{collections::HashMap, sync::Arc};

use catalog::article_units::ArticleUnits;
use chrono::{DateTime, Datelike, SubsecRound, Utc};
use lists::{Deletable, Field, Listed, listed_reference};
use logistics::{calendar::check_year, matching, warehouse::Warehouses};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition as Filter, ConnectionTrait, FromJsonQueryResult, PaginatorTrait,
    QueryFilter,
};
use serde::{Deserialize, Serialize};
use store::{
    Database, Owner, Part, Recorded, Resource, Scope, Scoped, Unique, Write, scope::refuse_stale, usage,
};
use tenancy::{
    partner,
    tenant::{self, Party, Tenants},
};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Decimal, Message, Money, Phrase, Result, TenantId, Unit, Validated, Violations, fold,
    rule::{self, printable},
    tidy,
};

use self::{
    acceptance_entity::{self as sample_cart_acceptance, Entity as Acceptances},
    assembly::Assembly,
    buyer_entity::{self as sample_cart_buyer, Entity as Buyers},
    record_entity::{self as sample_cart_record, Entity as NamedRecords},
    references::CartReferences,
};
use crate::{
    blocking::{run_blocking, run_limited},
    codes, permissions,
    quote::calculation::{Calculation, Calculator},
};

pub use self::acceptance::AcceptedSteps;
pub use self::entity::{ActiveModel, Column, Entity as SampleCarts, Model as SampleCart};

/// Maximum number of sample carts of a tenant; all of them are calculated when they are listed.
pub const CARTS_MAX: u64 = 200;

const PROCESSINGS_MAX: u64 = 10;
const LINES_MAX: u64 = 200;

impl Scoped for SampleCarts {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for SampleCarts {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "sample_carts",
        Phrase { de: "Beispielwarenkörbe", en: "sample carts" },
        permissions::LIST_PRICE_ADJUSTMENTS,
    )
    .refers(&[
        listed_reference::<Self, Tenants>("tenant_id"),
        listed_reference::<Self, Tenants>("buyer_id"),
        listed_reference::<Self, catalog::article::Articles>("article_id"),
        listed_reference::<Self, Warehouses>("warehouse_id"),
        listed_reference::<Self, catalog::processing::Processings>("processing_id"),
    ])
    .hides(&["expected_total"], permissions::VIEW_PRICE);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const WHOLE: &'static [Column] = &[Column::Lines];
    const UNIQUE: &'static [Unique] =
        &[Unique::new("sample_cart_tenant_id_name_fold_key", "name", codes::TAKEN)];

    async fn remove_parts(scope: &Scope, tx: &Write, id: i64) -> Result<()> {
        remove_references(scope, tx, id).await?;
        scope.remove_parts::<Acceptances>(tx, id, Filter::all()).await
    }
}

async fn remove_references(scope: &Scope, tx: &Write, id: i64) -> Result<()> {
    scope.remove_parts::<NamedRecords>(tx, id, Filter::all()).await?;
    scope.remove_parts::<Buyers>(tx, id, Filter::all()).await
}

/// Filter field for a record that the lines of a cart name.
macro_rules! naming {
    ($name:literal, $column:ident) => {
        Field::part_id($name, &sample_cart_record::Column::$column, &sample_cart_record::Column::CartId)
            .with_part_tenant()
            .optional()
    };
}

impl Listed for SampleCarts {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold).sorted_by(&Column::NameSort),
        Field::id("tenant_id", &Column::TenantId),
        Field::part_id("buyer_id", &sample_cart_buyer::Column::BuyerId, &sample_cart_buyer::Column::CartId)
            .with_part_tenant()
            .optional(),
        naming!("article_id", ArticleId),
        naming!("warehouse_id", WarehouseId),
        naming!("processing_id", ProcessingId),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
    const NEEDS_TENANT: bool = true;
}

impl Part for NamedRecords {
    type Whole = SampleCarts;
    const WHOLE: sample_cart_record::Column = sample_cart_record::Column::CartId;
    const TENANT: Option<sample_cart_record::Column> = Some(sample_cart_record::Column::TenantId);
    const IS_NOTED: bool = false;
}

impl Part for Buyers {
    type Whole = SampleCarts;
    const WHOLE: sample_cart_buyer::Column = sample_cart_buyer::Column::CartId;
    const TENANT: Option<sample_cart_buyer::Column> = Some(sample_cart_buyer::Column::TenantId);
    const IS_NOTED: bool = false;
}

impl Part for Acceptances {
    type Whole = SampleCarts;
    const WHOLE: sample_cart_acceptance::Column = sample_cart_acceptance::Column::CartId;
    const TENANT: Option<sample_cart_acceptance::Column> = Some(sample_cart_acceptance::Column::TenantId);
    const IS_NOTED: bool = false;
}

/// Lines in a column.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Lines(pub Vec<LineInput>);

/// Input that creates or changes a sample cart.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct SampleCartInput {
    /// Name, unique among the sample carts of the tenant, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Träger für Stammkunden, 5 t")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Buyer; if omitted, an anonymous one.
    pub buyer_id: Option<i64>,
    /// Moment of the calculation, in the years 2000 to 2099; if omitted, always the current moment.
    pub at: Option<DateTime<Utc>>,
    #[schema(min_items = 1, max_items = 200)]
    #[validate(length(min = 1, max = "LINES_MAX"), nested)]
    pub lines: Vec<LineInput>,
    /// Expected total in EUR, with at most two decimal places; if omitted, the total at the time of saving.
    #[schema(example = "4512.38")]
    pub expected_total: Option<Decimal>,
    /// Version that was edited; rejected if it is not the current one.
    pub version: Option<i64>,
}

tidy!(SampleCartInput: trim name;);

/// Line of a sample cart: an article with its quantity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = SampleCartLineInput, example = json!({ "article_id": 7, "quantity": "3", "unit": "piece" }))]
pub struct LineInput {
    pub article_id: i64,
    /// Quantity, above zero.
    #[schema(example = "3")]
    pub quantity: Decimal,
    /// Unit in which the article can be counted; by default its listing unit.
    pub unit: Option<Unit>,
    /// Warehouse to deliver from; if omitted, any.
    pub warehouse_id: Option<i64>,
    /// Processings of the articles, which are items of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 10)]
    #[validate(length(max = "PROCESSINGS_MAX"))]
    pub processings: Vec<ProcessingInput>,
}

/// Processing of the articles of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SampleCartProcessing, example = json!({ "processing_id": 7, "quantity": "4", "price": null }))]
pub struct ProcessingInput {
    pub processing_id: i64,
    /// Number of operations, a whole number above zero.
    #[schema(example = "4")]
    pub quantity: Decimal,
    /// Price by pieces, each piece being one operation; if omitted, the seller's price at the time of the
    /// calculation.
    pub price: Option<Money>,
}

/// Result of a sample cart compared with its expected total: equal, different, or refused because a line has
/// no price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SampleCartState)]
pub enum State {
    AsExpected,
    Differs,
    Refused,
}

/// Cart with the records that it refers to, and its total at the time of reading.
#[derive(Debug, Clone)]
pub struct SampleCartDetail {
    pub cart: SampleCart,
    /// Short code of the tenant.
    pub tenant: String,
    /// Buyer; without a short code if the tenant was deleted.
    pub buyer: Option<Party>,
    /// Lines in the order of the cart.
    pub lines: Vec<LineDetail>,
    /// Total in EUR, rounded; `None` if a line is refused.
    pub total: Option<Decimal>,
}

/// Article of a line, and the reasons why the line has no price.
#[derive(Debug, Clone)]
pub struct LineDetail {
    pub article: Option<Arc<ArticleUnits>>,
    /// Reasons, each with the field that it is about, if any.
    pub refused: Vec<(Option<String>, Message)>,
}

impl SampleCartDetail {
    /// State of the cart: as expected, different, or without a price.
    pub fn state(&self) -> State {
        match self.total {
            None => State::Refused,
            total if total == self.cart.expected_total => State::AsExpected,
            Some(_) => State::Differs,
        }
    }

    /// True if the total differs from the accepted one, or if there is no total any more.
    fn is_surprising(&self) -> bool {
        self.total != self.cart.expected_total
    }
}

/// Loads the records that carts refer to, and calculates the carts.
///
/// # Errors
/// The caller lacks the permission to view prices: a cart of one article shows its price.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    calculation: &Calculation,
    rows: Vec<SampleCart>,
) -> Result<Vec<SampleCartDetail>> {
    let batch = CartBatch::load(db, scope, calculation, rows).await?;
    run_limited(|| batch.calculate()).await
}

/// Like [`detailed`], for one cart and without waiting for a turn, because the caller holds a transaction.
async fn detailed_one(
    db: &impl ConnectionTrait,
    scope: &Scope,
    calculation: &Calculation,
    row: SampleCart,
) -> Result<SampleCartDetail> {
    let batch = CartBatch::load(db, scope, calculation, vec![row]).await?;
    Ok(run_blocking(|| batch.calculate()).await?.remove(0))
}

/// Carts with all data that their calculation needs.
struct CartBatch {
    calculation: Calculation,
    assembly: Assembly,
    /// Short codes of tenants.
    codes: HashMap<TenantId, String>,
    rows: Vec<SampleCart>,
}

impl CartBatch {
    async fn load(
        db: &impl ConnectionTrait,
        scope: &Scope,
        calculation: &Calculation,
        rows: Vec<SampleCart>,
    ) -> Result<Self> {
        scope.demand(permissions::VIEW_PRICE)?;
        let codes = tenant::short_codes(db, scope, rows.iter().map(|row| row.tenant_id)).await?;
        let assembly = Assembly::load(db, &[&calculation.book], &rows).await?;
        Ok(Self { calculation: calculation.clone(), assembly, codes, rows })
    }

    fn calculate(self) -> Vec<SampleCartDetail> {
        let Self { calculation, assembly, codes, rows } = self;
        let detail = |cart: SampleCart| {
            let outcome = assembly.calculate(&calculation, &calculation.book, &cart, false);
            SampleCartDetail {
                tenant: codes.get(&cart.tenant_id).cloned().unwrap_or_default(),
                buyer: cart.buyer_id.map(|buyer| assembly.buyer(buyer)),
                lines: assembly.lines(&cart, &outcome),
                total: outcome.total(),
                cart,
            }
        };
        rows.into_iter().map(detail).collect()
    }
}

/// Calculates a cart with the current book of its seller.
pub async fn read(
    db: &Database,
    scope: &Scope,
    calculator: Calculator<'_>,
    row: SampleCart,
) -> Result<SampleCartDetail> {
    let calculation = calculator.load(db, row.tenant_id).await?;
    detailed_one(db, scope, &calculation, row).await
}

/// Returns the number of carts of the acting tenant whose total differs from the accepted one.
pub async fn surprising(db: &Database, scope: &Scope, calculator: Calculator<'_>) -> Result<u64> {
    let rows = scope.find::<SampleCarts>().all(db).await?;
    if rows.is_empty() {
        return Ok(0);
    }
    let calculation = calculator.load(db, scope.tenant()?).await?;
    let details = detailed(db, scope, &calculation, rows).await?;
    Ok(details.iter().filter(|detail| detail.is_surprising()).count() as u64)
}

/// Creates a cart.
///
/// # Errors
/// All violations, by field; too many carts.
pub async fn create(
    db: &Database,
    scope: &Scope,
    calculator: Calculator<'_>,
    input: impl Into<Validated<SampleCartInput>>,
) -> Result<SampleCartDetail> {
    let (input, violations) = input.into().parts();
    scope.claim::<SampleCarts>()?;
    let calculation = calculator.load(db, scope.tenant()?).await?;
    let tx = db.begin().await?;
    // locks the tenant, so that concurrent creations do not exceed the maximum
    matching::lock_tenant(&tx, scope).await?;
    let valid = ValidCart::check(&tx, scope, &calculation, input, None, violations).await?;
    if scope.find::<SampleCarts>().count(&tx).await? >= CARTS_MAX {
        return Err(codes::TOO_MANY.with("max", CARTS_MAX).into());
    }
    let cart = scope.create::<SampleCarts>(&tx, valid.row()).await?;
    valid.references.write(&tx, scope, &cart).await?;
    acceptance::add_first(&tx, scope, &cart, &valid.accepted, calculation.now).await?;
    finish(tx, scope, &calculation, cart).await
}

/// Changes a cart.
///
/// # Errors
/// All violations, by field.
pub async fn update(
    db: &Database,
    scope: &Scope,
    calculator: Calculator<'_>,
    id: i64,
    input: impl Into<Validated<SampleCartInput>>,
) -> Result<SampleCartDetail> {
    let (input, violations) = input.into().parts();
    let calculation = calculator.load(db, scope.get::<SampleCarts>(db, id).await?.tenant_id).await?;
    let tx = db.begin().await?;
    let before = scope.get_locked::<SampleCarts>(&tx, id).await?;
    let writer = scope.acting_for(Some(before.tenant_id));
    refuse_stale(input.version, before.version)?;
    let valid = ValidCart::check(&tx, &writer, &calculation, input, Some(&before), violations).await?;
    let after = writer.update_from::<SampleCarts>(&tx, &before, valid.row()).await?;
    let is_same = (&before.lines, before.buyer_id, before.at) == (&after.lines, after.buyer_id, after.at);
    if !is_same {
        remove_references(&writer, &tx, id).await?;
        valid.references.write(&tx, &writer, &after).await?;
    }
    if !is_same || before.expected_total != after.expected_total {
        acceptance::add_next(&tx, &writer, &after, &valid.accepted, calculation.now, is_same).await?;
    }
    finish(tx, scope, &calculation, after).await
}

/// Accepts the current total of a cart as the expected one, if it equals `shown_total`, which the caller
/// has seen; `None` if a line is refused.
///
/// # Errors
/// The total has changed.
pub async fn accept(
    db: &Database,
    scope: &Scope,
    calculator: Calculator<'_>,
    id: i64,
    shown_total: Option<Decimal>,
    version: Option<i64>,
) -> Result<SampleCartDetail> {
    let calculation = calculator.load(db, scope.get::<SampleCarts>(db, id).await?.tenant_id).await?;
    let tx = db.begin().await?;
    let before = scope.get_locked::<SampleCarts>(&tx, id).await?;
    let writer = scope.acting_for(Some(before.tenant_id));
    refuse_stale(version, before.version)?;
    let assembly = Assembly::load(&tx, &[&calculation.book], [&before]).await?;
    let outcome = assembly.calculate(&calculation, &calculation.book, &before, true);
    if outcome.total() != shown_total {
        return Err(codes::TOTAL_CHANGED.into());
    }
    let accepted = acceptance::Acceptance::new(outcome.total(), &outcome, &assembly);
    let row = ActiveModel { expected_total: Set(accepted.total), ..Default::default() };
    let after = writer.update_from::<SampleCarts>(&tx, &before, row).await?;
    acceptance::add(&tx, &writer, &after, &accepted, calculation.now).await?;
    finish(tx, scope, &calculation, after).await
}

impl Deletable for SampleCarts {
    /// Deletes a cart.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        usage::delete::<Self>(db, scope, id, |_| Ok(())).await
    }
}

/// Validated input, with the records that it names and the total that is accepted.
struct ValidCart {
    cart: SampleCart,
    references: CartReferences,
    accepted: acceptance::Acceptance,
}

impl ValidCart {
    async fn check(
        db: &impl ConnectionTrait,
        scope: &Scope,
        calculation: &Calculation,
        input: SampleCartInput,
        before: Option<&SampleCart>,
        mut violations: Violations,
    ) -> Result<Self> {
        let at = input.at.map(|at| at.trunc_subsecs(6));
        if let Some(at) = at
            && let Err(values::Error::Invalid(wrong)) = check_year("at", at.year())
        {
            violations.extend(wrong);
        }
        rule::not_negative(&mut violations, "expected_total", input.expected_total, 12, 2);
        // an oversized input is rejected before anything is loaded
        violations.clone().check()?;
        let mut cart = SampleCart {
            id: 0,
            tenant_id: scope.tenant()?,
            name_fold: fold(&input.name),
            name_sort: String::new(),
            name: input.name,
            buyer_id: input.buyer_id,
            at,
            lines: Lines(input.lines),
            expected_total: input.expected_total,
            version: 0,
            created_at: calculation.now,
            updated_at: calculation.now,
        };
        let assembly = Assembly::load(db, &[&calculation.book], [&cart]).await?;
        let references = CartReferences::new(&cart);
        references.check(db, scope, &assembly, &cart, before, &mut violations).await?;
        violations.check()?;
        let outcome = assembly.calculate(calculation, &calculation.book, &cart, true);
        let accepted =
            acceptance::Acceptance::new(cart.expected_total.or(outcome.total()), &outcome, &assembly);
        cart.expected_total = accepted.total;
        Ok(Self { cart, references, accepted })
    }

    fn row(&self) -> ActiveModel {
        let SampleCart { name, name_fold, buyer_id, at, lines, expected_total, .. } = self.cart.clone();
        ActiveModel {
            name: Set(name),
            name_fold: Set(name_fold),
            buyer_id: Set(buyer_id),
            at: Set(at),
            lines: Set(lines),
            expected_total: Set(expected_total),
            ..Default::default()
        }
    }
}

async fn finish(
    tx: Write,
    scope: &Scope,
    calculation: &Calculation,
    cart: SampleCart,
) -> Result<SampleCartDetail> {
    let detail = detailed_one(&tx, scope, calculation, cart).await?;
    tx.commit().await?;
    Ok(detail)
}
