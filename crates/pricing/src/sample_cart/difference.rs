//! Explanation of the difference between a sample cart's total and the accepted one: the shown steps that
//! differ. The changes add up to the difference.

use std::collections::BTreeSet;

use values::{Decimal, Instant, Message};

use super::{
    Calculator, Database, Result, SampleCarts, Scope, Serialize, ToSchema,
    acceptance::{self, AcceptedSteps, StepOrigin},
    assembly::Assembly,
};
use crate::{exact::Exact, permissions};

/// Changes since a total was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CartDifference {
    pub expected_total: Option<Decimal>,
    pub total: Option<Decimal>,
    /// Difference; `None` if one of the totals is missing.
    pub difference: Option<Decimal>,
    /// Time at which the expected total was accepted.
    pub since: Instant,
    pub changes: Vec<CartChange>,
}

/// Change of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CartChange {
    /// Index of the line, from 0; `None` for the cart as a whole.
    pub line: Option<usize>,
    pub kind: ChangeKind,
    /// Current or last name of the list, the adjustment or the processing.
    pub name: Option<String>,
    pub reference: ChangeReference,
    /// Accepted amount in EUR; `None` if the step is new.
    pub before: Option<Decimal>,
    /// Current amount in EUR; `None` if the step no longer exists.
    pub after: Option<Decimal>,
    /// Reasons why the line has no price.
    pub refused: Vec<(Option<String>, Message)>,
}

/// Kind of a change: a base price, of a list, a stock or a processing; an adjustment; a line that no longer
/// has a price; the rounding; a former difference between the expected and the calculated total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SampleCartChangeKind)]
pub enum ChangeKind {
    BasePrice,
    Adjustment,
    Refused,
    Rounding,
    Given,
}

/// Record that a change comes from; empty if there is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SampleCartChangeReference, example = json!({ "price_list_id": 7, "stock_id": null, "processing_id": null, "price_adjustment_id": null }))]
pub struct ChangeReference {
    #[schema(required)]
    pub price_list_id: Option<i64>,
    #[schema(required)]
    pub stock_id: Option<i64>,
    #[schema(required)]
    pub processing_id: Option<i64>,
    #[schema(required)]
    pub price_adjustment_id: Option<i64>,
}

/// Calculates the changes of a cart since its expected total was accepted.
pub async fn calculate(
    db: &Database,
    scope: &Scope,
    calculator: Calculator<'_>,
    id: i64,
) -> Result<CartDifference> {
    scope.demand(permissions::VIEW_PRICE)?;
    let cart = scope.get::<SampleCarts>(db, id).await?;
    let calculation = calculator.load(db, cart.tenant_id).await?;
    let assembly = Assembly::load(db, &[&calculation.book], [&cart]).await?;
    let outcome = assembly.calculate(&calculation, &calculation.book, &cart, true);
    let accepted = acceptance::load(db, scope, &cart).await?.into_iter().next();
    let (since, before) = accepted
        .map_or((cart.created_at, AcceptedSteps::default()), |latest| (latest.accepted_at, latest.steps));
    let after = acceptance::shown_steps(&outcome, &assembly);
    let refused: Vec<_> = (0..cart.lines.0.len()).map(|line| outcome.refusals(line)).collect();
    let total = outcome.total();
    let difference = total.zip(cart.expected_total).and_then(|(total, expected)| {
        Some(Exact::from_decimal(total).minus(Exact::from_decimal(expected))?.to_decimal())
    });
    let changes = changes(&before, &after, refused);
    Ok(CartDifference { expected_total: cart.expected_total, total, difference, since, changes })
}

/// Returns the differences between two sets of steps, by lines; a line that is refused now is one change.
fn changes(
    before: &AcceptedSteps,
    after: &AcceptedSteps,
    refused: Vec<Vec<(Option<String>, Message)>>,
) -> Vec<CartChange> {
    let is_refused = |line: Option<usize>| {
        line.and_then(|line| refused.get(line)).is_some_and(|reasons| !reasons.is_empty())
    };
    let (was, is) = (before.by_key(), after.by_key());
    let mut seen = BTreeSet::new();
    let all = after.0.iter().chain(&before.0).map(|step| step.key).filter(|key| seen.insert(*key));
    let mut changes = Vec::new();
    for key in all.filter(|key| !is_refused(key.line)) {
        let (was, is) = (was.get(&key), is.get(&key));
        let (before, after) = (was.map(|step| step.amount), is.map(|step| step.amount));
        if before != after {
            let (kind, reference) = key.origin.kind_and_reference();
            let name = is.or(was).and_then(|step| step.name.clone());
            changes.push(CartChange {
                line: key.line,
                kind,
                name,
                reference,
                before,
                after,
                refused: Vec::new(),
            });
        }
    }
    for (line, reasons) in refused.iter().enumerate().filter(|(_, reasons)| !reasons.is_empty()) {
        let steps = before.0.iter().filter(|step| step.key.line == Some(line));
        let former: Vec<Exact> = steps.map(|step| Exact::from_decimal(step.amount)).collect();
        changes.push(CartChange {
            line: Some(line),
            kind: ChangeKind::Refused,
            name: None,
            reference: ChangeReference::default(),
            before: (!former.is_empty()).then(|| former.into_iter().sum::<Exact>().to_decimal()),
            after: None,
            refused: reasons.clone(),
        });
    }
    // changes of the cart as a whole come last
    changes.sort_by_key(|change| (change.line.is_none(), change.line, change.kind));
    changes
}

impl StepOrigin {
    fn kind_and_reference(self) -> (ChangeKind, ChangeReference) {
        let mut reference = ChangeReference::default();
        let kind = match self {
            Self::List(id) => {
                reference.price_list_id = Some(id);
                ChangeKind::BasePrice
            }
            Self::Stock(id) => {
                reference.stock_id = Some(id);
                ChangeKind::BasePrice
            }
            Self::Processing(id) => {
                reference.processing_id = Some(id);
                ChangeKind::BasePrice
            }
            Self::Adjustment(id) => {
                reference.price_adjustment_id = Some(id);
                ChangeKind::Adjustment
            }
            Self::Rounding => ChangeKind::Rounding,
            Self::Given => ChangeKind::Given,
        };
        (kind, reference)
    }
}
