//! Steps of an item through the chain of adjustments. A cart of 20 lines and 50 adjustments has a thousand
//! steps. Their amounts were rounded together; the rest is looked up or added up when a step is read.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;
use values::{Decimal, Unit};

use super::{ConditionExplanation, Conditions, Explainer};
use crate::{
    exact::Exact,
    price_adjustment::terms::{CalculationType, Operation, Value},
    quote::{
        ItemQuote, Line,
        book::Link,
        run::{AdjustmentOutcome, Step, value_of},
    },
    surcharge_table::surcharges::{KeyedBy, Month},
};

/// Effect of an adjustment on an item.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = QuoteStep, example = json!({ "adjustment_id": 7, "name": "Mindermengenzuschlag", "operation": "surcharge",
    "value": "35", "surcharge": null, "calculation_type": "perTon", "ignored_further": false, "outcome": "applied", "conditions": null,
    "basis": "2225.19", "basis_unit": "kg", "amount": "77.88", "exact": "77.88165", "total": "2269.69" }))]
pub struct StepExplanation<'q> {
    pub adjustment_id: i64,
    #[schema(example = "Mindermengenzuschlag")]
    pub name: &'q str,
    pub operation: Operation,
    /// Value of the adjustment; `null` if its table has none.
    #[schema(required)]
    pub value: Option<Decimal>,
    /// Table that gives the value; `null` if it is the adjustment's own.
    #[schema(required)]
    pub surcharge: Option<SurchargeExplanation<'q>>,
    pub calculation_type: CalculationType,
    pub ignored_further: bool,
    pub outcome: AdjustmentOutcome,
    /// Each condition with its result and the value that it was compared with; `null` without conditions, if the
    /// adjustment does not apply to the item, and for a buyer.
    #[schema(required, value_type = Option<ConditionExplanation>)]
    pub conditions: Option<Conditions<'q>>,
    /// Amount in EUR, or weight in kg, that the adjustment is calculated on; `null` if it was not applied.
    #[schema(required)]
    pub basis: Option<Exact>,
    /// Unit of the basis of adjustments by weight; `null` for EUR.
    #[schema(required)]
    pub basis_unit: Option<Unit>,
    /// Amount in EUR, with its sign, rounded up or down so that the steps add up to the total.
    pub amount: Decimal,
    /// Amount in EUR before rounding.
    pub exact: Exact,
    /// Price of the item after it, in EUR: the sum of the amounts shown so far.
    pub total: Decimal,
}

/// Surcharge table that a value was looked up in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = QuoteSurcharge, example = json!({ "table_id": 3, "table": "Legierungszuschlag Edelstahl", "month": "2026-12",
    "material_id": 7, "article_type_id": null }))]
pub struct SurchargeExplanation<'q> {
    pub table_id: i64,
    pub table: &'q str,
    /// Month of the cart's moment.
    #[schema(value_type = String)]
    pub month: Month,
    /// Material of the article, if the table is by materials.
    #[schema(required)]
    pub material_id: Option<i64>,
    /// Article type, if the table is by article types.
    #[schema(required)]
    pub article_type_id: Option<i64>,
}

/// Steps of an item through the adjustments that concern its cart, in their order.
#[derive(Debug)]
pub struct Steps<'q> {
    pub(super) explainer: Explainer<'q>,
    pub(super) line: &'q Line,
    pub(super) item: &'q ItemQuote,
}

/// Figures of a step.
#[derive(Debug, Clone, Copy)]
struct StepFigures<'q> {
    /// Index of the link in the chain.
    number: usize,
    link: &'q Link,
    step: &'q Step,
    /// Shown price of the item after it, in EUR.
    total: Decimal,
}

impl<'q> Steps<'q> {
    /// Iterates over the explained steps.
    pub fn iter(&self) -> impl Iterator<Item = StepExplanation<'q>> {
        let Explainer { book, record, .. } = self.explainer;
        let links = record.chain.links(book).map(|(_, link)| link);
        let steps = links.zip(record.item_steps(self.item.place)).enumerate();
        let mut total = self.item.base.shown();
        steps.filter_map(move |(number, (link, step))| {
            total = Decimal::from_millionths(total.millionths() + step.amount.shown().millionths());
            let is_shown = step.is_applied() || self.explainer.sees_all();
            is_shown.then(|| self.explained(&StepFigures { number, link, step, total }))
        })
    }

    fn explained(&self, figures: &StepFigures<'q>) -> StepExplanation<'q> {
        let StepFigures { link, step, total, .. } = *figures;
        let adjustment = &link.adjustment;
        StepExplanation {
            adjustment_id: adjustment.id,
            name: &adjustment.name,
            operation: adjustment.operation,
            value: value_of(adjustment, &self.line.article, self.month()),
            surcharge: self.surcharge(&adjustment.value),
            calculation_type: adjustment.calculation_type,
            ignored_further: adjustment.ignore_on_further_adjustments,
            outcome: step.outcome,
            conditions: self.conditions(figures),
            basis: self.basis(figures),
            basis_unit: adjustment.calculation_type.is_by_weight().then_some(Unit::Kilogram),
            amount: step.amount.shown(),
            exact: step.amount.exact(),
            total,
        }
    }

    fn basis(&self, figures: &StepFigures<'q>) -> Option<Exact> {
        let StepFigures { link, step, .. } = *figures;
        match link.adjustment.calculation_type {
            _ if !step.is_applied() => None,
            CalculationType::Absolute | CalculationType::RelativeToAdjusted => Some(step.running_basis),
            CalculationType::RelativeToBase => Some(self.item.base),
            CalculationType::PerKg | CalculationType::PerTon => self.item.weight,
        }
    }

    fn month(&self) -> Month {
        Month::from_date(self.explainer.cart.moment.date)
    }

    fn surcharge(&self, value: &'q Value) -> Option<SurchargeExplanation<'q>> {
        let Value::OfTable(table) = value else { return None };
        let key = |kind: KeyedBy| table.article_key(&self.line.article).filter(|_| table.keyed_by == kind);
        Some(SurchargeExplanation {
            table_id: table.id,
            table: &table.name,
            month: self.month(),
            material_id: key(KeyedBy::Material),
            article_type_id: key(KeyedBy::ArticleType),
        })
    }

    fn conditions(&self, figures: &StepFigures<'q>) -> Option<Conditions<'q>> {
        let StepFigures { number, link, step, .. } = *figures;
        let condition = link.adjustment.conditions.as_ref()?;
        let is_left_out =
            matches!(step.outcome, AdjustmentOutcome::NotThisItem | AdjustmentOutcome::OncePerLine);
        if !self.explainer.sees_all() || is_left_out {
            return None;
        }
        let Explainer { cart, quote, record, .. } = self.explainer;
        let total = record.before.get(number).copied().flatten().unwrap_or_default();
        let Self { line, item, .. } = *self;
        Some(Conditions { condition, fulfilled_bits: step.fulfilled_bits, total, quote, cart, line, item })
    }
}

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
