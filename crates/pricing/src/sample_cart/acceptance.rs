//! Accepted totals of a sample cart, with the shown steps that led to them. The last few are stored, so that
//! a former total can be explained as before when a change is undone.

use std::collections::BTreeMap;

use sea_orm::QueryOrder;
use values::{Decimal, Instant};

use super::{
    Acceptances, ColumnTrait, Deserialize, Filter, FromJsonQueryResult, Result, SampleCart, Scope, Serialize,
    Set, Write,
    assembly::{Assembly, CartOutcome},
    sample_cart_acceptance::{ActiveModel, Column, Model},
};
use crate::{exact::Exact, quote::explain::explain};

/// Number of accepted totals stored for a cart.
const KEPT: usize = 5;

/// Shown amounts that add up to a total.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct AcceptedSteps(pub(super) Vec<Step>);

/// Shown amount with its origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Step {
    #[serde(flatten)]
    pub(super) key: StepKey,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// Amount in EUR.
    pub(super) amount: Decimal,
}

/// Origin that identifies a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct StepKey {
    /// Index of the line; `None` for the cart as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<usize>,
    #[serde(flatten)]
    pub(super) origin: StepOrigin,
}

/// Origin of an amount, with its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "by", content = "id", rename_all = "snake_case")]
pub(super) enum StepOrigin {
    List(i64),
    Stock(i64),
    Processing(i64),
    Adjustment(i64),
    Rounding,
    /// Difference between the expected and the calculated total.
    Given,
}

/// Accepted total with its steps.
#[derive(Debug)]
pub(super) struct Acceptance {
    pub(super) total: Option<Decimal>,
    pub(super) steps: AcceptedSteps,
}

impl Acceptance {
    /// Creates the acceptance of an expected total. If it differs from the calculated one, the difference
    /// becomes a step.
    pub(super) fn new(total: Option<Decimal>, outcome: &CartOutcome, assembly: &Assembly) -> Self {
        let mut steps = shown_steps(outcome, assembly);
        if let Some(total) = total {
            let difference = Exact::from_decimal(total).minus(steps.sum()).unwrap_or_default().shown();
            steps.add(StepKey { line: None, origin: StepOrigin::Given }, None, difference);
        }
        Self { total, steps }
    }
}

/// Returns the shown steps of a calculated cart.
pub(super) fn shown_steps(outcome: &CartOutcome, assembly: &Assembly) -> AcceptedSteps {
    let mut steps = AcceptedSteps::default();
    let explained = explain(&outcome.book, &outcome.cart, &outcome.quote, outcome.cart.moment.at);
    let explained = explained.map(|(_, lines)| lines).unwrap_or_default();
    let places =
        outcome.lines.iter().enumerate().filter_map(|(line, place)| Some((line, *place.as_ref().ok()?)));
    for (line, place) in places {
        let (Some(quoted), Some(why)) = (outcome.quote.lines.get(place), explained.get(place)) else {
            continue;
        };
        let at = |origin: StepOrigin| StepKey { line: Some(line), origin };
        for (item, why_item) in quoted.items.iter().zip(&why.items) {
            let (origin, name) = match (item.processing, &why.price) {
                (Some(id), _) => (StepOrigin::Processing(id), assembly.processing(id).map(str::to_owned)),
                (None, Some(price)) => match (price.list_id, price.stock_id) {
                    (Some(id), _) => {
                        let list = why.lists.iter().find(|list| list.id == id);
                        (StepOrigin::List(id), list.map(|list| list.name.to_owned()))
                    }
                    (None, stock) => (StepOrigin::Stock(stock.unwrap_or_default()), None),
                },
                (None, None) => continue,
            };
            steps.add(at(origin), name, item.base.shown());
            for step in why_item.steps.iter() {
                steps.add(
                    at(StepOrigin::Adjustment(step.adjustment_id)),
                    Some(step.name.to_owned()),
                    step.amount,
                );
            }
        }
    }
    let rounding =
        Exact::from_decimal(outcome.quote.total.shown()).minus(steps.sum()).unwrap_or_default().shown();
    steps.add(StepKey { line: None, origin: StepOrigin::Rounding }, None, rounding);
    steps
}

impl AcceptedSteps {
    pub(super) fn sum(&self) -> Exact {
        self.0.iter().map(|step| Exact::from_decimal(step.amount)).sum()
    }

    /// Adds a step. Zero amounts are ignored, and amounts of the same origin are added up.
    fn add(&mut self, key: StepKey, name: Option<String>, amount: Decimal) {
        if amount == Decimal::ZERO {
            return;
        }
        match self.0.iter_mut().rev().find(|step| step.key == key) {
            Some(step) => {
                let sum =
                    Exact::from_decimal(step.amount).plus(Exact::from_decimal(amount)).unwrap_or_default();
                step.amount = sum.to_decimal();
            }
            None => self.0.push(Step { key, name, amount }),
        }
    }

    pub(super) fn by_key(&self) -> BTreeMap<StepKey, &Step> {
        self.0.iter().map(|step| (step.key, step)).collect()
    }
}

/// Stores the expected total of a new cart.
pub(super) async fn add_first(
    tx: &Write,
    scope: &Scope,
    cart: &SampleCart,
    accepted: &Acceptance,
    now: Instant,
) -> Result<()> {
    insert(tx, scope, cart, 1, accepted, now).await
}

/// Stores the expected total of a changed cart. If the cart itself is the same, a former total is restored
/// with its steps and its time.
pub(super) async fn add_next(
    tx: &Write,
    scope: &Scope,
    cart: &SampleCart,
    accepted: &Acceptance,
    now: Instant,
    is_same_cart: bool,
) -> Result<()> {
    if !is_same_cart {
        scope.remove_parts::<Acceptances>(tx, cart.id, Filter::all()).await?;
        return insert(tx, scope, cart, 1, accepted, now).await;
    }
    let accepted_totals = load(tx, scope, cart).await?;
    match accepted_totals.iter().find(|row| row.total == accepted.total) {
        Some(former) => {
            let again = Acceptance { total: former.total, steps: former.steps.clone() };
            replace(tx, scope, cart, &accepted_totals, &again, former.accepted_at).await
        }
        None => replace(tx, scope, cart, &accepted_totals, accepted, now).await,
    }
}

/// Stores an accepted total of an unchanged cart.
pub(super) async fn add(
    tx: &Write,
    scope: &Scope,
    cart: &SampleCart,
    accepted: &Acceptance,
    now: Instant,
) -> Result<()> {
    let accepted_totals = load(tx, scope, cart).await?;
    replace(tx, scope, cart, &accepted_totals, accepted, now).await
}

/// Loads the accepted totals of a cart, the latest first.
pub(super) async fn load(
    db: &impl sea_orm::ConnectionTrait,
    scope: &Scope,
    cart: &SampleCart,
) -> Result<Vec<Model>> {
    Ok(scope.parts::<Acceptances>([cart.id]).order_by_desc(Column::Number).all(db).await?)
}

async fn replace(
    tx: &Write,
    scope: &Scope,
    cart: &SampleCart,
    accepted_totals: &[Model],
    accepted: &Acceptance,
    at: Instant,
) -> Result<()> {
    let last = accepted_totals.first().map_or(0, |latest| latest.number);
    // each total is stored once, and only the last few
    let same = accepted_totals.iter().filter(|row| row.total == accepted.total).map(|row| row.number);
    let old =
        accepted_totals.iter().filter(|row| row.total != accepted.total).skip(KEPT - 1).map(|row| row.number);
    let removed_numbers: Vec<i64> = same.chain(old).collect();
    if !removed_numbers.is_empty() {
        scope.remove_parts::<Acceptances>(tx, cart.id, Column::Number.is_in(removed_numbers)).await?;
    }
    insert(tx, scope, cart, last + 1, accepted, at).await
}

async fn insert(
    tx: &Write,
    scope: &Scope,
    cart: &SampleCart,
    number: i64,
    accepted: &Acceptance,
    at: Instant,
) -> Result<()> {
    let row = ActiveModel {
        tenant_id: Set(cart.tenant_id),
        number: Set(number),
        total: Set(accepted.total),
        accepted_at: Set(at),
        steps: Set(accepted.steps.clone()),
        ..Default::default()
    };
    scope.add_parts::<Acceptances>(tx, cart.id, [row]).await
}
