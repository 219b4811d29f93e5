//! Why a sample cart costs something else than what was accepted: the shown steps of both, as far as they differ. The changes add
//! up to the difference.

use std::collections::BTreeSet;

use kernel::{Decimal, Instant, Message, Permission};

use super::{
    Calculator, Database, Result, SampleCarts, Scope, Serialize, ToSchema,
    acceptance::{self, By, Steps},
    assembly::Assembly,
};
use crate::exact::Exact;

/// What has changed since a total was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub expected_total: Option<Decimal>,
    pub total: Option<Decimal>,
    /// None where one of both is none.
    pub difference: Option<Decimal>,
    /// When the expected total was accepted.
    pub since: Instant,
    pub changes: Vec<Change>,
}

/// One thing that has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// From 0; none: the cart as a whole.
    pub line: Option<usize>,
    pub kind: ChangeKind,
    /// Of the list, the adjustment or the processing, as it is called now, or was.
    pub name: Option<String>,
    pub reference: ChangeReference,
    /// EUR as accepted; none: it was not there.
    pub before: Option<Decimal>,
    /// EUR now; none: it is not there.
    pub after: Option<Decimal>,
    /// Why the line has no price.
    pub refused: Vec<(Option<String>, Message)>,
}

/// What has changed: a base price, of a list, a stock or a processing; an adjustment; the line has no price any more; the rounding;
/// what was expected besides what was calculated then.
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

/// What a change comes from; none of them: of nothing else.
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

/// What has changed of a cart since its expected total was accepted.
pub async fn of(db: &Database, scope: &Scope, calculator: Calculator<'_>, id: i64) -> Result<Difference> {
    scope.demand(Permission::ViewPrice)?;
    let cart = scope.get::<SampleCarts>(db, id).await?;
    let calculation = calculator.of(db, cart.tenant_id).await?;
    let assembly = Assembly::of(db, &[&calculation.book], [&cart]).await?;
    let outcome = assembly.outcome(&calculation, &calculation.book, &cart, true);
    let accepted = acceptance::kept(db, scope, &cart).await?.into_iter().next();
    let (since, before) =
        accepted.map_or((cart.created_at, Steps::default()), |latest| (latest.accepted_at, latest.steps));
    let after = acceptance::steps(&outcome, &assembly);
    let refused: Vec<_> = (0..cart.lines.0.len()).map(|line| outcome.refused(line)).collect();
    let total = outcome.total();
    let difference = total
        .zip(cart.expected_total)
        .and_then(|(total, expected)| Some(Exact::of(total).minus(Exact::of(expected))?.to_decimal()));
    let changes = changes(&before, &after, refused);
    Ok(Difference { expected_total: cart.expected_total, total, difference, since, changes })
}

/// What differs between two sets of steps, by lines; a line that is refused now is one change.
fn changes(before: &Steps, after: &Steps, refused: Vec<Vec<(Option<String>, Message)>>) -> Vec<Change> {
    let is_refused =
        |line: Option<usize>| line.and_then(|line| refused.get(line)).is_some_and(|told| !told.is_empty());
    let (was, is) = (before.by_what(), after.by_what());
    let mut seen = BTreeSet::new();
    let all = after.0.iter().chain(&before.0).map(|step| step.of).filter(|of| seen.insert(*of));
    let mut changes = Vec::new();
    for of in all.filter(|of| !is_refused(of.line)) {
        let (was, is) = (was.get(&of), is.get(&of));
        let (before, after) = (was.map(|step| step.amount), is.map(|step| step.amount));
        if before != after {
            let (kind, reference) = of.by.told();
            let name = is.or(was).and_then(|step| step.name.clone());
            changes.push(Change { line: of.line, kind, name, reference, before, after, refused: Vec::new() });
        }
    }
    for (line, told) in refused.iter().enumerate().filter(|(_, told)| !told.is_empty()) {
        let steps = before.0.iter().filter(|step| step.of.line == Some(line));
        let former: Vec<Exact> = steps.map(|step| Exact::of(step.amount)).collect();
        changes.push(Change {
            line: Some(line),
            kind: ChangeKind::Refused,
            name: None,
            reference: ChangeReference::default(),
            before: (!former.is_empty()).then(|| former.into_iter().sum::<Exact>().to_decimal()),
            after: None,
            refused: told.clone(),
        });
    }
    // what is of the cart as a whole comes last
    changes.sort_by_key(|change| (change.line.is_none(), change.line, change.kind));
    changes
}

impl By {
    fn told(self) -> (ChangeKind, ChangeReference) {
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
